//! The last stage: the site.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use svc_config::SiteConfig;
use svc_nav::SiteMap;
use svc_openapi::ApiCatalog;
use svc_render::{RenderOptions, SiteOptions};
use svc_source::{Contents, PageIndex, SourceTree};

use super::previous::Previous;
use super::state::Stages;
use crate::article_cache::ArticleCache;
use crate::block_changes::BaselineSlot;
use crate::cache::SizedCache;
use crate::file_types::is_loaded;
use crate::generated::file::GeneratedFiles;
use crate::media::inputs::RenderInputs;
use crate::response_cache::Responses;
use crate::site::Site;
use crate::statistics::{ProblemCounts, SiteCounters};

/// Results of the stages.
pub(super) struct SiteParts {
    pub(super) tree: SourceTree,
    pub(super) config: Arc<SiteConfig>,
    pub(super) pages: Arc<PageIndex>,
    pub(super) catalog: Arc<ApiCatalog>,
    pub(super) map: Arc<SiteMap>,
    pub(super) stages: Stages,
    pub(super) inputs: RenderInputs,
}

impl Site {
    /// Builds a site from the results of the stages. Rendered pages of the previous site are reused
    /// if they do not depend on a change.
    pub(super) fn new(parts: SiteParts, options: &SiteOptions, previous: &Previous<'_>) -> Self {
        let (tree, pages, inputs) = (parts.tree, parts.pages, parts.inputs);
        let files = |ending: &str| {
            let matching = tree.iter().filter(|(path, contents)| {
                path.ends_with(ending)
                    && matches!(contents, Contents::Text(file) if !is_module(path, file.text()))
                    && !pages.is_snippet(path)
                    // Scripts and styles are settings of the site.
                    && tree.mounts().of(path).is_none()
                    && !options.without_scripts
                    && is_loaded(path)
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
        let analyses = previous
            .site()
            .map_or_else(Arc::default, |site| Arc::clone(&site.analyses));
        let counters: Arc<SiteCounters> = previous
            .site()
            .map_or_else(Arc::default, |site| Arc::clone(&site.counters));
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
            schema_fragments: SizedCache::new(&counters.responses),
            playground_specs: SizedCache::new(&counters.responses),
            responses: Responses::new(&counters.responses),
            language_starts: OnceLock::new(),
            near: OnceLock::new(),
            search: OnceLock::new(),
            analyses,
            search_filters: OnceLock::new(),
            markdown_tokens: Vec::new(),
            notice_digests: OnceLock::new(),
            service_sources: OnceLock::new(),
            image_paths: OnceLock::new(),
            highlighter: inputs.highlighter,
            diagrams,
            slots: Vec::new(),
            counters,
            load_problems: ProblemCounts::default(),
            cached_bytes: AtomicUsize::new(0),
            articles: ArticleCache::default(),
            duplicates: OnceLock::new(),
            reader_groups: OnceLock::new(),
            attachment: OnceLock::new(),
            baseline: BaselineSlot::default(),
            references: OnceLock::new(),
        };
        site.markdown_tokens = site.map.routes.iter().map(|_| OnceLock::new()).collect();
        site.slots = match previous.site() {
            Some(before) => site.reuse_slots(before, previous.changes()),
            None => site.map.routes.iter().map(|_| Arc::default()).collect(),
        };
        let pages = site.slots.iter().filter_map(|slot| slot.page.get());
        site.cached_bytes = AtomicUsize::new(pages.map(|page| page.html.bytes.len()).sum());
        site
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
