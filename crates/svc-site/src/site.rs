//! The site.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use svc_config::SiteConfig;
use svc_diagnostics::Diagnostic;
use svc_nav::{Route, RouteBody, SiteMap};
use svc_openapi::ApiCatalog;
use svc_render::{DiagramCache, Highlighter, RenderContext, RenderOptions, TrackedFiles};
use svc_source::{Contents, Page, PageIndex, SourceTree};

use crate::article_cache::{self, ArticleCache};
use crate::cache::SizedCache;
use crate::dependencies::ChangeSet;
use crate::generated::GeneratedFiles;
use crate::load::in_parallel;
use crate::media::{Media, RenderInputs};
use crate::near::NearIndex;
use crate::render::{self, RenderedArticle};
use crate::responses::Responses;
use crate::reuse;
use crate::schema_fragments::SchemaFragmentOutput;
use crate::served::References;
use crate::stages::Stages;
use crate::summary::Summary;
use crate::{CompressedBytes, LoadOptions, PageOutput};

/// Bytes of HTML that stay in memory; pages beyond are drawn again each time.
const MAX_PAGE_BYTES: usize = 128 << 20;
/// On sites with more routes only pages that somebody asked for stay in memory.
const MAX_PRERENDERED_ROUTES: usize = 2_000;

/// A site: what the stages made of a repository, and one write-once slot per route.
#[derive(Debug)]
pub struct Site {
    /// All files.
    pub tree: SourceTree,
    /// `docs.json`.
    pub config: Arc<SiteConfig>,
    /// Pages and snippets.
    pub pages: Arc<PageIndex>,
    /// OpenAPI documents.
    pub catalog: Arc<ApiCatalog>,
    /// Addresses and navigation.
    pub map: Arc<SiteMap>,
    pub(crate) stages: Stages,
    pub(crate) options: RenderOptions,
    pub(crate) generated: GeneratedFiles,
    pub(crate) media: Media,
    pub(crate) schema_fragments: SizedCache<SchemaFragmentOutput>,
    /// Calls of endpoints, by the paths of their pages.
    pub(crate) playground_specs: SizedCache<CompressedBytes>,
    pub(crate) responses: Responses,
    pub(crate) near: OnceLock<NearIndex>,
    highlighter: Arc<Highlighter>,
    diagrams: Arc<DiagramCache>,
    slots: Vec<Arc<Slot>>,
    cached_bytes: AtomicUsize,
    articles: ArticleCache,
    duplicates: OnceLock<HashSet<usize>>,
    pub(crate) references: OnceLock<References>,
    /// Whether pages that ask for protection are shown.
    pub(crate) serves_protected: bool,
}

/// One route's own.
#[derive(Debug, Default)]
struct Slot {
    page: OnceLock<Arc<PageOutput>>,
    summary: OnceLock<Arc<Summary>>,
}

/// What the stages made.
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
    /// `before` is the site as it was, and what changed since: drawn pages that do not depend on it
    /// are taken over.
    pub(crate) fn new(
        parts: SiteParts,
        options: &LoadOptions,
        before: Option<(&Self, &ChangeSet)>,
    ) -> Self {
        let (tree, pages, gathered) = (parts.tree, parts.pages, parts.inputs);
        let files = |ending: &str| {
            let own = tree.iter().filter(|(path, contents)| {
                path.ends_with(ending)
                    && matches!(contents, Contents::Text(file) if !is_module(path, file.text()))
                    && !pages.is_snippet(path)
                    && !options.without_scripts
                    && crate::served::is_loaded(path)
            });
            own.map(|(path, _)| format!("/{path}")).collect()
        };
        let serves_protected = options.serve_protected || options.dev;
        let options = RenderOptions {
            base_path: options.base_path.trim_end_matches('/').to_owned(),
            dev: options.dev,
            asset_version: String::new(),
            scripts: files(".js"),
            script_loader: !options.export,
            styles: files(".css"),
            without_components: options.without_scripts,
            origin: options.origin.trim_end_matches('/').to_owned(),
            without_web_fonts: options.without_web_fonts,
            relay: options.relay,
            metadata: Arc::new(gathered.facts),
        };
        let drawings = before.map_or_else(Arc::default, |(site, _)| Arc::clone(&site.diagrams));
        let mut site = Self {
            tree,
            config: parts.config,
            pages,
            catalog: parts.catalog,
            map: parts.map,
            stages: parts.stages,
            options,
            generated: GeneratedFiles::default(),
            media: gathered.media,
            schema_fragments: SizedCache::default(),
            playground_specs: SizedCache::default(),
            responses: Responses::default(),
            near: OnceLock::new(),
            highlighter: gathered.highlighter,
            diagrams: drawings,
            slots: Vec::new(),
            cached_bytes: AtomicUsize::new(0),
            articles: ArticleCache::default(),
            duplicates: OnceLock::new(),
            references: OnceLock::new(),
            serves_protected,
        };
        site.slots = match before {
            Some((before, changed)) => site.reuse_slots(before, changed),
            None => site.map.routes.iter().map(|_| Arc::default()).collect(),
        };
        let pages = site.slots.iter().filter_map(|slot| slot.page.get());
        site.cached_bytes = AtomicUsize::new(pages.map(|page| page.html.bytes.len()).sum());
        site
    }

    /// A slot for every route, with what is still right of an earlier site.
    fn reuse_slots(&self, before: &Self, changed: &ChangeSet) -> Vec<Arc<Slot>> {
        let same_map = Arc::ptr_eq(&self.map, &before.map);
        let same_setting = Arc::ptr_eq(&self.config, &before.config)
            && Arc::ptr_eq(&self.highlighter, &before.highlighter)
            && same_but_dates(&self.options, &before.options);
        let same_dates = self.facts().dates == before.facts().dates;
        let same_catalog = Arc::ptr_eq(&self.catalog, &before.catalog);
        // What stands around an article is made from the navigation and from front matter.
        let same_frame = same_map && same_catalog && self.pages.front_matter_eq(&before.pages);
        let changed = match same_map {
            true => changed.clone(),
            false => {
                let (mine, theirs) = (&self.map.routes, &before.map.routes);
                let came = mine.keys().filter(|path| !theirs.contains_key(*path));
                let went = theirs.keys().filter(|path| !mine.contains_key(*path));
                let moved = came.chain(went).map(String::as_str);
                changed.clone().with_pages(moved)
            }
        };
        let kept = |at: usize, route: &Route| {
            let old = match same_map {
                true => at,
                false => before.map.routes.get_index_of(&route.path)?,
            };
            let slot = before.slots.get(old)?;
            let summary = slot.summary.get()?;
            let (_, route_before) = before.map.routes.get_index(old)?;
            let same_route = same_map || reuse::same_article(route, route_before);
            let document = route.operation.is_none() || same_catalog;
            if !same_route || !document || changed.affects(&summary.dependencies) {
                return None;
            }
            // Only the frame of a page tells its day.
            let same_day = || same_dates || self.day(route) == before.day(route_before);
            let page = slot
                .page
                .get()
                .filter(|page| same_frame && same_day() && !changed.affects(&page.dependencies));
            Some(match page {
                Some(_) => Arc::clone(slot),
                None => Arc::new(Slot {
                    summary: OnceLock::from(Arc::clone(summary)),
                    page: OnceLock::new(),
                }),
            })
        };
        let routes = self.map.routes.values().enumerate();
        let slots = routes.map(|(at, route)| kept(at, route).filter(|_| same_setting));
        slots.map(Option::unwrap_or_default).collect()
    }

    /// The day on which the file of a route was changed last.
    fn day(&self, route: &Route) -> Option<&String> {
        self.facts().dates.get(&*self.page_of(route)?.path)
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
            options: self.options.clone(),
            highlighter: &self.highlighter,
            diagrams: &self.diagrams,
            engine: crate::worker::engine(),
        }
    }

    /// Whether pages tell when they were changed last.
    pub const fn shows_last_modified(&self) -> bool {
        self.stages.last_modified.is_some()
    }

    /// The addresses of OpenAPI documents that stand elsewhere, as far as they may be asked for.
    pub const fn remote_urls(&self) -> &BTreeSet<String> {
        &self.stages.remote.urls
    }

    /// The [`remote_version`](crate::hosted_version) of those that the site was made with.
    pub const fn remote_version(&self) -> u64 {
        self.stages.remote.version
    }

    /// The path before all addresses, without slash at the end.
    pub fn base_path(&self) -> &str {
        &self.options.base_path
    }

    /// Whether requests of its playground may be passed on to the APIs that it describes.
    pub fn has_relay(&self) -> bool {
        self.options.relay && self.config.api.playground.proxy
    }

    /// The page file of a route.
    pub fn page_of(&self, route: &Route) -> Option<&Page> {
        match &route.body {
            RouteBody::Page { slug } => self.pages.get_exact(slug),
            _ => None,
        }
    }

    /// The page of a canonical path; it is drawn now if nobody has asked for it before.
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

    /// The page of a route for writing it out once: nothing of it stays in memory but its summary.
    pub(crate) fn render_uncached(&self, index: usize) -> Option<Arc<PageOutput>> {
        let (_, route) = self.map.routes.get_index(index)?;
        let slot = self.slots.get(index)?;
        let ready = slot.page.get().map(Arc::clone);
        Some(ready.unwrap_or_else(|| Arc::new(self.render_page(slot, route))))
    }

    /// The page of a canonical path, if it is in memory.
    pub fn cached_page(&self, path: &str) -> Option<&Arc<PageOutput>> {
        self.slots
            .get(self.map.routes.get_index_of(path)?)?
            .page
            .get()
    }

    /// Draws all pages on some threads. What the search and the link check need stays in memory,
    /// of small sites the pages too. `proceed` is asked before each page.
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

    /// The problems of all pages, drawing those that have not been drawn, in the order of routes.
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
        let drawn = self.render_article(route);
        slot.summary
            .get_or_init(|| self.summarize(route, &drawn).into());
        render::page(&self.context(), route, &drawn)
    }

    pub(crate) fn render_article(&self, route: &Route) -> Arc<RenderedArticle> {
        let draw = || render::article(&self.context(), self, route);
        let Some(key) = article_cache::key(self, route) else {
            return Arc::new(draw());
        };
        self.articles.get(key, draw)
    }

    fn summarize(&self, route: &Route, drawn: &RenderedArticle) -> Summary {
        Summary::new(drawn, self.page_of(route).map(|page| &page.file))
    }

    /// Whether more than one page has this text. Reading a folder gives equal texts the same
    /// memory, so addresses tell without looking at a single letter.
    pub(crate) fn is_repeated(&self, text: &str) -> bool {
        let repeated = self.duplicates.get_or_init(|| {
            let mut seen = HashSet::new();
            let texts = self
                .pages
                .iter()
                .map(|page| page.file.text().as_ptr().addr());
            texts.filter(|address| !seen.insert(*address)).collect()
        });
        repeated.contains(&text.as_ptr().addr())
    }

    /// A module of a component: `name` is its decoded address after `/_svc/islands/`.
    pub fn island_module(&self, name: &str) -> Option<String> {
        let cx = self.context();
        let make = || svc_render::island_module(&cx, name);
        // The compiler meets what the renderer meets, so it is stopped like it.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)).unwrap_or(None)
    }

    /// The page that is shown instead of a site whose every page asks for protection; nothing for
    /// other sites.
    pub fn protected_page(&self) -> Option<Vec<u8>> {
        let withheld = self.map.is_withheld();
        withheld.then(|| render::protected(&self.context()))
    }

    /// The file a problem is in, for showing the line.
    pub fn text_of(&self, path: &str) -> Option<&str> {
        let text = self.tree.text(path).map(|file| &**file.text());
        let hosted = || {
            let mut documents = self.catalog.documents.iter();
            let document = documents.find(|document| document.path == path)?;
            Some(&**document.file.text())
        };
        text.or_else(hosted)
            .or_else(|| (**self.config.file.path() == *path).then(|| &**self.config.file.text()))
    }
}

/// Whether pages are drawn in the same way, but for the days of their last changes.
fn same_but_dates(one: &RenderOptions, other: &RenderOptions) -> bool {
    let facts = Arc::clone(&other.metadata);
    let rest = RenderOptions {
        metadata: facts,
        ..one.clone()
    };
    rest == *other && one.metadata.eq_except_dates(&other.metadata)
}

/// Whether a script has imports or exports: components use it, and no page can load it alone.
fn is_module(path: &str, text: &str) -> bool {
    path.ends_with(".js")
        && text
            .lines()
            .any(|line| line.starts_with("export ") || line.starts_with("import "))
}
