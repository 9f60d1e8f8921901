//! Rendering of the pages of a site, on request and ahead of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use svc_diagnostics::Diagnostic;
use svc_nav::Route;
use svc_render::{Article, HandoverPage, Integrations, PolicySource, SignInForm};

use crate::digest::Digester;
use crate::page::PageOutput;
use crate::parallel::in_parallel;
use crate::policy;
use crate::render::{self, RenderedArticle};
use crate::site::{Site, Slot};
use crate::summary::Summary;
use crate::versions;

/// Maximum bytes of HTML in memory; further pages are rendered for each request.
const MAX_PAGE_BYTES: usize = 128 << 20;
/// On sites with more routes than this only requested pages stay in memory.
const MAX_PRERENDERED_ROUTES: usize = 2_000;

/// A page of the program.
#[derive(Debug, Clone)]
pub struct NoticePage {
    /// The HTML.
    pub html: Vec<u8>,
    /// CSP digest sources of its inline scripts.
    pub digests: Vec<String>,
}

impl Site {
    /// The page with a canonical path, rendered on the first call. `None` when there is no such
    /// route.
    pub fn page(&self, path: &str) -> Option<Arc<PageOutput>> {
        let (index, _, route) = self.map.routes.get_full(path)?;
        let slot = self.slots.get(index)?;
        if let Some(page) = slot.page.get() {
            return Some(Arc::clone(page));
        }
        if self.cached_bytes.load(Ordering::Relaxed) >= MAX_PAGE_BYTES {
            return Some(Arc::new(self.render_page(slot, route)));
        }
        let page = slot.page.get_or_init(|| {
            let page = self.render_page(slot, route);
            self.cached_bytes
                .fetch_add(page.html.bytes.len(), Ordering::Relaxed);
            Arc::new(page)
        });
        Some(Arc::clone(page))
    }

    /// Renders the page of a route for an export. Only its summary stays in memory.
    pub(crate) fn render_uncached(&self, index: usize) -> Option<Arc<PageOutput>> {
        let (_, route) = self.map.routes.get_index(index)?;
        let slot = self.slots.get(index)?;
        let ready = slot.page.get().map(Arc::clone);
        Some(ready.unwrap_or_else(|| Arc::new(self.render_page(slot, route))))
    }

    /// Renders all pages on several threads and indexes them for search. Summaries for search and
    /// link checks stay in memory; on small sites the pages do too. Stops early when `proceed`, which is called before each
    /// page, returns false.
    pub fn render_all(&self, threads: usize, proceed: &(dyn Fn() -> bool + Sync)) {
        if self.options.site.sign_in {
            // Otherwise the first reader who signs in waits until all files have been searched.
            let _ = self.reader_groups();
        }
        in_parallel(self.slots.len(), threads, |index| {
            if !proceed() {
                return;
            }
            if self.slots.len() <= MAX_PRERENDERED_ROUTES
                && self.cached_bytes.load(Ordering::Relaxed) < MAX_PAGE_BYTES
                && let Some((path, _)) = self.map.routes.get_index(index)
            {
                let _ = self.page(path);
            }
            let _ = self.summary(index);
        });
        if proceed() {
            let _ = self.search_index();
        }
    }

    /// The diagnostics of all pages in the order of routes. Renders the pages that have not been
    /// rendered.
    pub fn page_diagnostics(&self, threads: usize) -> Vec<Diagnostic> {
        self.summarize_all(threads);
        let summaries = (0..self.slots.len()).filter_map(|index| self.summary(index));
        let all = summaries.flat_map(|summary| summary.diagnostics.iter().cloned());
        versions::label(&self.tree, all.collect())
    }

    pub(crate) fn summarize_all(&self, threads: usize) {
        in_parallel(self.slots.len(), threads, |index| {
            let _ = self.summary(index);
        });
    }

    pub(crate) fn summary(&self, index: usize) -> Option<&Summary> {
        let (_, route) = self.map.routes.get_index(index)?;
        let slot = self.slots.get(index)?;
        Some(
            slot.summary
                .get_or_init(|| self.summarize(route, &self.render_article(route)).into()),
        )
    }

    fn render_page(&self, slot: &Slot, route: &Route) -> PageOutput {
        self.counters.rendering(|| {
            let rendered = self.render_article(route);
            slot.summary
                .get_or_init(|| self.summarize(route, &rendered).into());
            render::page(&self.context(), route, &rendered)
        })
    }

    pub(crate) fn render_article(&self, route: &Route) -> Arc<RenderedArticle> {
        let make = || {
            let page = self.page_of(route);
            render::article(&self.context(), page.map(|page| &page.file), route)
        };
        let Some((here, anywhere)) = article_keys(self, route) else {
            return Arc::new(make());
        };
        if let Some(article) = self.articles.find(anywhere) {
            return article;
        }
        let article = self.articles.get(here, make);
        if article.is_self_contained {
            self.articles.add(anywhere, &article);
        }
        article
    }

    fn summarize(&self, route: &Route, rendered: &RenderedArticle) -> Summary {
        Summary::new(rendered, self.page_of(route).map(|page| &page.file))
    }

    /// The JavaScript module of an island. `name` is the percent-decoded part of its path after
    /// `/_svc/islands/`. `None` when there is no such module or it cannot be compiled.
    pub fn island_module(&self, name: &str) -> Option<String> {
        let cx = self.context();
        let make = || svc_render::island_module(&cx, name);
        // The compiler processes untrusted code like the renderer, so panics are caught too.
        catch_unwind(AssertUnwindSafe(make)).unwrap_or(None)
    }

    /// HTML of the page that replaces a site whose pages are all protected. `None` for other sites.
    pub fn protected_page(&self) -> Option<Vec<u8>> {
        let withheld = self.map.is_withheld();
        withheld.then(|| render::protected(&self.context()))
    }

    /// HTML of the page on which readers sign in, in the first of the preferred languages that
    /// is known.
    pub fn sign_in_page(&self, languages: &[&str], form: &SignInForm<'_>) -> Vec<u8> {
        render::sign_in(&self.context(), languages, form)
    }

    /// The page that sends the token in its fragment to the path `action`, relative to the base
    /// path, and leads to `next` afterwards.
    pub fn handover_page(&self, languages: &[&str], action: &str, next: &str) -> HandoverPage {
        svc_render::handover_page(&self.context(), languages, action, next)
    }

    /// A page of the program with the layout of the site. `text` is MDX; what it contains from
    /// outside must be encoded.
    pub fn notice_page(&self, title: &str, text: &str) -> NoticePage {
        let cx = self.context();
        let (html, article) = render::notice(&cx, title, text);
        NoticePage {
            html,
            digests: policy::digests(&cx, &article, false),
        }
    }

    /// Sources of the services that pages load, for their Content Security Policy.
    pub fn service_sources(&self) -> &[PolicySource] {
        self.service_sources
            .get_or_init(|| Integrations::new(&self.config, &self.options.site).policy_sources())
    }

    /// CSP digest sources of the inline scripts of built-in pages, such as the one for missing
    /// pages. They are the same for every path, so they are computed once.
    pub fn notice_digests(&self) -> &[String] {
        self.notice_digests
            .get_or_init(|| policy::digests(&self.context(), &Article::default(), false))
    }
}

/// Digests of the inputs of an article that can differ between two pages of one site: the text, the
/// directory (for relative links and imports) and the fields of the route that the article uses. The
/// second one is for articles that are the same in every directory, such as equal pages of two
/// versions. `None` when the article is not shared: the page documents an operation, or no other
/// page has this text.
fn article_keys(site: &Site, route: &Route) -> Option<([u8; 16], [u8; 16])> {
    if route.operation.is_some() || route.root_of.is_some() {
        return None;
    }
    let page = site.page_of(route)?;
    if !site.is_repeated(page.file.text()) {
        return None;
    }
    let dir = page.path.rsplit_once('/').map_or("", |(dir, _)| dir);
    // The variables of versions differ.
    let has_variables = page.file.text().contains("{{");
    let root = match has_variables {
        true => site.tree.mounts().root_of(&page.path),
        false => "",
    };
    let version = route.version.as_deref().unwrap_or("\0");
    let shared: [&str; 5] = [
        page.file.text(),
        &route.title,
        route.description.as_deref().unwrap_or("\0"),
        route.language.as_deref().unwrap_or("\0"),
        root,
    ];
    let digest = |more: &[&str]| {
        let mut digester = Digester::default();
        shared.iter().chain(more).for_each(|text| {
            digester.add(text.as_bytes());
        });
        digester.key()
    };
    Some((digest(&[dir, version]), digest(&[])))
}
