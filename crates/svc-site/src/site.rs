//! The immutable site and its rendered pages.

use std::any::Any;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use svc_config::SiteConfig;
use svc_nav::{Route, RouteBody, SiteMap};
use svc_openapi::ApiCatalog;
use svc_render::{
    DiagramCache, Highlighter, PolicySource, Reader, RenderContext, RenderOptions, TrackedFiles,
};
use svc_source::{Page, PageIndex, SourceTree};

use crate::article_cache::ArticleCache;
use crate::block_changes::BaselineSlot;
use crate::cache::SizedCache;
use crate::generated::file::GeneratedFiles;
use crate::languages::LanguageStart;
use crate::media::inputs::Media;
use crate::near::NearIndex;
use crate::page::{CompressedBytes, PageOutput, SchemaFragmentOutput};
use crate::references::References;
use crate::response_cache::Responses;
use crate::search::analyses::AnalysisCache;
use crate::stages::state::Stages;
use crate::statistics::{ProblemCounts, SiteCounters};
use crate::summary::Summary;

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
    pub(crate) language_starts: OnceLock<Vec<LanguageStart>>,
    pub(crate) near: OnceLock<NearIndex>,
    pub(crate) search: OnceLock<svc_search::Index>,
    pub(crate) analyses: Arc<AnalysisCache>,
    pub(crate) search_filters: OnceLock<serde_json::Value>,
    /// Tokens of the Markdown versions, by route.
    pub(crate) markdown_tokens: Vec<OnceLock<usize>>,
    pub(crate) notice_digests: OnceLock<Vec<String>>,
    pub(crate) service_sources: OnceLock<Vec<PolicySource>>,
    /// Paths of the images with variants, by digest.
    pub(crate) image_paths: OnceLock<HashMap<String, Vec<String>>>,
    pub(crate) highlighter: Arc<Highlighter>,
    pub(crate) diagrams: Arc<DiagramCache>,
    pub(crate) slots: Vec<Arc<Slot>>,
    /// Shared with the sites that are updated from this one.
    pub(crate) counters: Arc<SiteCounters>,
    /// Diagnostics of loading, without those of pages.
    pub(crate) load_problems: ProblemCounts,
    pub(crate) cached_bytes: AtomicUsize,
    pub(crate) articles: ArticleCache,
    pub(crate) duplicates: OnceLock<HashSet<usize>>,
    pub(crate) references: OnceLock<References>,
    pub(crate) reader_groups: OnceLock<BTreeSet<String>>,
    pub(crate) attachment: OnceLock<Box<dyn Any + Send + Sync>>,
    pub(crate) baseline: BaselineSlot,
}

/// Rendered results of a route.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    pub(crate) page: OnceLock<Arc<PageOutput>>,
    pub(crate) summary: OnceLock<Arc<Summary>>,
}

impl Site {
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
            reader: Reader::Human,
        }
    }

    /// The context for the Markdown version of pages.
    pub(crate) fn agent_context(&self) -> RenderContext<'_> {
        RenderContext {
            reader: Reader::Agent,
            ..self.context()
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

    /// What a program has derived from this site and stores with it. The first call creates it;
    /// `None` if that call had another type.
    pub fn attachment<T: Any + Send + Sync>(&self, create: impl FnOnce() -> T) -> Option<&T> {
        let attached = self.attachment.get_or_init(|| Box::new(create()));
        attached.downcast_ref()
    }

    /// The page with a canonical path. `None` unless it is in memory.
    pub fn cached_page(&self, path: &str) -> Option<&Arc<PageOutput>> {
        let slot = self.slots.get(self.map.routes.get_index_of(path)?)?;
        let page = slot.page.get()?;
        self.counters.pages.hit();
        Some(page)
    }

    /// Whether more than one page has this text. Loading shares the memory of identical texts, so
    /// comparing pointers is enough.
    pub(crate) fn is_repeated(&self, text: &str) -> bool {
        let repeated = self.duplicates.get_or_init(|| {
            let texts = self.pages.iter();
            let mut texts: Vec<usize> =
                texts.map(|page| page.file.text().as_ptr().addr()).collect();
            texts.sort_unstable();
            let pairs = texts.windows(2);
            let pairs = pairs.filter_map(|pair| match pair {
                [one, other] if one == other => Some(*one),
                _ => None,
            });
            pairs.collect()
        });
        repeated.contains(&text.as_ptr().addr())
    }

    /// The text of a file, for excerpts of diagnostics. `None` when it is not a text file of the
    /// site.
    pub fn text_of(&self, path: &str) -> Option<&str> {
        let of_version = || self.tree.text(&self.tree.mounts().path(path)?);
        let text = self
            .tree
            .text(path)
            .or_else(of_version)
            .map(|file| &**file.text());
        let remote = || {
            let mut documents = self.catalog.documents.iter();
            let document = documents.find(|document| document.path == path)?;
            Some(&**document.file.text())
        };
        text.or_else(remote)
            .or_else(|| (**self.config.file.path() == *path).then(|| &**self.config.file.text()))
    }
}
