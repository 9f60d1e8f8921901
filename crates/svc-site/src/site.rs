//! The immutable site and its rendered pages.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use svc_config::SiteConfig;
use svc_diagnostics::Diagnostic;
use svc_nav::{Route, RouteBody, SiteMap};
use svc_openapi::ApiCatalog;
use svc_render::{
    DiagramCache, Highlighter, RenderContext, RenderOptions, SiteOptions, TrackedFiles,
};
use svc_source::{Contents, Page, PageIndex, SourceTree};

use crate::article_cache::{self, ArticleCache};
use crate::cache::SizedCache;
use crate::generated::GeneratedFiles;
use crate::media::{Media, RenderInputs};
use crate::near::NearIndex;
use crate::parallel::in_parallel;
use crate::render::{self, RenderedArticle};
use crate::responses::Responses;
use crate::schema_fragments::SchemaFragmentOutput;
use crate::served::References;
use crate::stages::{Previous, Stages};
use crate::summary::Summary;
use crate::{CompressedBytes, PageOutput};

/// Maximum bytes of HTML in memory; further pages are rendered for each request.
const MAX_PAGE_BYTES: usize = 128 << 20;
/// On sites with more routes than this only requested pages stay in memory.
const MAX_PRERENDERED_ROUTES: usize = 2_000;

/// A loaded site: the results of the stages, and one write-once slot per route for its rendered
/// page.
#[derive(Debug)]
pub struct Site {
    /// All files of the repository.
    pub tree: SourceTree,
    /// The configuration, `docs.json`.
    pub config: Arc<SiteConfig>,
    /// Pages and snippets.
    pub pages: Arc<PageIndex>,
    /// OpenAPI documents.
    pub catalog: Arc<ApiCatalog>,
    /// Routes and navigation.
    pub map: Arc<SiteMap>,
    pub(crate) stages: Stages,
    pub(crate) options: RenderOptions,
    pub(crate) generated: GeneratedFiles,
    pub(crate) media: Media,
    pub(crate) schema_fragments: SizedCache<SchemaFragmentOutput>,
    /// Playground specs by the paths of their pages.
    pub(crate) playground_specs: SizedCache<CompressedBytes>,
    pub(crate) responses: Responses,
    pub(crate) near: OnceLock<NearIndex>,
    pub(crate) notice_digests: OnceLock<Vec<String>>,
    /// Paths of the images with variants, by digest.
    pub(crate) image_paths: OnceLock<HashMap<String, Vec<String>>>,
    highlighter: Arc<Highlighter>,
    diagrams: Arc<DiagramCache>,
    pub(crate) slots: Vec<Arc<Slot>>,
    cached_bytes: AtomicUsize,
    articles: ArticleCache,
    duplicates: OnceLock<HashSet<usize>>,
    pub(crate) references: OnceLock<References>,
}

/// Rendered results of a route.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    pub(crate) page: OnceLock<Arc<PageOutput>>,
    pub(crate) summary: OnceLock<Arc<Summary>>,
}

/// Results of the stages.
pub(crate) struct SiteParts {
    pub(crate) tree: SourceTree,
    pub(crate) config: Arc<SiteConfig>,
    pub(crate) pages: Arc<PageIndex>,
    pub(crate) catalog: Arc<ApiCatalog>,
    pub(crate) map: Arc<SiteMap>,
    pub(crate) stages: Stages,
    pub(crate) inputs: RenderInputs,
}

impl Site {
    /// Builds a site from the results of the stages. Rendered pages of the previous site are reused
    /// if they do not depend on a change.
    pub(crate) fn new(parts: SiteParts, options: &SiteOptions, previous: &Previous<'_>) -> Self {
        let (tree, pages, inputs) = (parts.tree, parts.pages, parts.inputs);
        let files = |ending: &str| {
            let matching = tree.iter().filter(|(path, contents)| {
                path.ends_with(ending)
                    && matches!(contents, Contents::Text(file) if !is_module(path, file.text()))
                    && !pages.is_snippet(path)
                    && !options.without_scripts
                    && crate::served::is_loaded(path)
            });
            matching.map(|(path, _)| format!("/{path}")).collect()
        };
        let options = RenderOptions {
            scripts: files(".js"),
            styles: files(".css"),
            metadata: Arc::new(inputs.facts),
            site: SiteOptions {
                base_path: options.base_path.trim_end_matches('/').to_owned(),
                origin: options.origin.trim_end_matches('/').to_owned(),
                ..options.clone()
            },
        };
        let diagrams = previous
            .site()
            .map_or_else(Arc::default, |site| Arc::clone(&site.diagrams));
        let mut site = Self {
            tree,
            config: parts.config,
            pages,
            catalog: parts.catalog,
            map: parts.map,
            stages: parts.stages,
            options,
            generated: GeneratedFiles::default(),
            media: inputs.media,
            schema_fragments: SizedCache::default(),
            playground_specs: SizedCache::default(),
            responses: Responses::default(),
            near: OnceLock::new(),
            notice_digests: OnceLock::new(),
            image_paths: OnceLock::new(),
            highlighter: inputs.highlighter,
            diagrams,
            slots: Vec::new(),
            cached_bytes: AtomicUsize::new(0),
            articles: ArticleCache::default(),
            duplicates: OnceLock::new(),
            references: OnceLock::new(),
        };
        site.slots = match previous.site() {
            Some(before) => site.reuse_slots(before, previous.changes()),
            None => site.map.routes.iter().map(|_| Arc::default()).collect(),
        };
        let pages = site.slots.iter().filter_map(|slot| slot.page.get());
        site.cached_bytes = AtomicUsize::new(pages.map(|page| page.html.bytes.len()).sum());
        site
    }

    pub(crate) fn facts(&self) -> &svc_render::SiteMetadata {
        &self.options.metadata
    }

    pub(crate) fn highlighter(&self) -> Arc<Highlighter> {
        Arc::clone(&self.highlighter)
    }

    pub(crate) fn context(&self) -> RenderContext<'_> {
        RenderContext {
            config: &self.config,
            site_map: &self.map,
            pages: &self.pages,
            tree: TrackedFiles::new(&self.tree),
            catalog: &self.catalog,
            options: &self.options,
            highlighter: &self.highlighter,
            diagrams: &self.diagrams,
            engine: crate::worker::engine(),
        }
    }

    /// Whether a page shows the date of its last change.
    pub const fn shows_last_modified(&self) -> bool {
        self.stages.last_modified.is_some()
    }

    /// The URLs of the remote OpenAPI documents that the site references and that may be fetched.
    pub const fn remote_urls(&self) -> &BTreeSet<String> {
        &self.stages.remote.urls
    }

    /// The [`remote_version`](crate::remote_version) of the remote documents that the site was
    /// built from.
    pub const fn remote_version(&self) -> u64 {
        self.stages.remote.version
    }

    /// The URL path prefix of the site, without trailing slash; empty for a site at the root.
    pub fn base_path(&self) -> &str {
        &self.options.site.base_path
    }

    /// Whether the server may relay playground requests to the APIs that the site documents
    /// (`api.playground.proxy`).
    pub fn has_relay(&self) -> bool {
        self.options.site.relay && self.config.api.playground.proxy
    }

    /// The page file of a route. `None` for generated routes.
    pub fn page_of(&self, route: &Route) -> Option<&Page> {
        match &route.body {
            RouteBody::Page { slug } => self.pages.get_exact(slug),
            _ => None,
        }
    }

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

    /// The page with a canonical path. `None` unless it is in memory.
    pub fn cached_page(&self, path: &str) -> Option<&Arc<PageOutput>> {
        self.slots
            .get(self.map.routes.get_index_of(path)?)?
            .page
            .get()
    }

    /// Renders all pages on several threads. Summaries for search and link checks stay in memory;
    /// on small sites the pages do too. Stops early when `proceed`, which is called before each
    /// page, returns false.
    pub fn render_all(&self, threads: usize, proceed: &(dyn Fn() -> bool + Sync)) {
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
    }

    /// The diagnostics of all pages in the order of routes. Renders the pages that have not been
    /// rendered.
    pub fn page_diagnostics(&self, threads: usize) -> Vec<Diagnostic> {
        self.summarize_all(threads);
        let summaries = (0..self.slots.len()).filter_map(|index| self.summary(index));
        summaries
            .flat_map(|summary| summary.diagnostics.iter().cloned())
            .collect()
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
        let rendered = self.render_article(route);
        slot.summary
            .get_or_init(|| self.summarize(route, &rendered).into());
        render::page(&self.context(), route, &rendered)
    }

    pub(crate) fn render_article(&self, route: &Route) -> Arc<RenderedArticle> {
        let make = || render::article(&self.context(), self, route);
        let Some(key) = article_cache::key(self, route) else {
            return Arc::new(make());
        };
        self.articles.get(key, make)
    }

    fn summarize(&self, route: &Route, rendered: &RenderedArticle) -> Summary {
        Summary::new(rendered, self.page_of(route).map(|page| &page.file))
    }

    /// Whether more than one page has this text. Loading shares the memory of identical texts, so
    /// comparing pointers is enough.
    pub(crate) fn is_repeated(&self, text: &str) -> bool {
        let repeated = self.duplicates.get_or_init(|| {
            let mut names = HashSet::new();
            let texts = self
                .pages
                .iter()
                .map(|page| page.file.text().as_ptr().addr());
            texts.filter(|pointer| !names.insert(*pointer)).collect()
        });
        repeated.contains(&text.as_ptr().addr())
    }

    /// The JavaScript module of an island. `name` is the percent-decoded part of its path after
    /// `/_svc/islands/`. `None` when there is no such module or it cannot be compiled.
    pub fn island_module(&self, name: &str) -> Option<String> {
        let cx = self.context();
        let make = || svc_render::island_module(&cx, name);
        // The compiler processes untrusted code like the renderer, so panics are caught too.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)).unwrap_or(None)
    }

    /// HTML of the page that replaces a site whose pages are all protected. `None` for other sites.
    pub fn protected_page(&self) -> Option<Vec<u8>> {
        let withheld = self.map.is_withheld();
        withheld.then(|| render::protected(&self.context()))
    }

    /// The text of a file, for excerpts of diagnostics. `None` when it is not a text file of the
    /// site.
    pub fn text_of(&self, path: &str) -> Option<&str> {
        let text = self.tree.text(path).map(|file| &**file.text());
        let remote = || {
            let mut documents = self.catalog.documents.iter();
            let document = documents.find(|document| document.path == path)?;
            Some(&**document.file.text())
        };
        text.or_else(remote)
            .or_else(|| (**self.config.file.path() == *path).then(|| &**self.config.file.text()))
    }
}

/// Whether a script is an ES module: components import it, and pages cannot load it as a classic
/// script.
fn is_module(path: &str, text: &str) -> bool {
    path.ends_with(".js")
        && text
            .lines()
            .any(|line| line.starts_with("export ") || line.starts_with("import "))
}
