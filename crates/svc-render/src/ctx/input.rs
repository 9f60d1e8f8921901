//! Inputs of rendering.

use std::sync::Arc;

use svc_config::SiteConfig;
use svc_nav::SiteMap;
use svc_openapi::ApiCatalog;
use svc_source::PageIndex;

use crate::code::Highlighter;
use crate::diagram::DiagramCache;
use crate::files::TrackedFiles;
use crate::islands::sandbox::ComponentEngine;
use crate::site_metadata::SiteMetadata;
use crate::site_options::SiteOptions;

/// Inputs shared by all pages of a site. They do not change while a revision of the site is served.
#[derive(Debug, Clone)]
pub struct RenderContext<'a> {
    /// Configuration from `docs.json`.
    pub config: &'a SiteConfig,
    /// Routes and navigation.
    pub site_map: &'a SiteMap,
    /// Pages and snippets.
    pub pages: &'a PageIndex,
    /// Source tree of the site; accesses are recorded as dependencies.
    pub tree: TrackedFiles<'a>,
    /// OpenAPI documents.
    pub catalog: &'a ApiCatalog,
    /// Settings of the server or the export.
    pub options: &'a RenderOptions,
    /// Syntax highlighter with the grammars and themes of the site.
    pub highlighter: &'a Highlighter,
    /// Cache of rendered diagrams.
    pub diagrams: &'a DiagramCache,
    /// Engine that renders components on the server. If `None`, islands have no server-rendered
    /// HTML.
    pub engine: Option<&'a dyn ComponentEngine>,
    /// For whom articles are rendered.
    pub reader: Reader,
}

/// For whom an article is rendered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reader {
    /// A human with a browser.
    #[default]
    Human,
    /// A program that reads Markdown: see [`crate::html_to_markdown`]. Code has no colors, diagrams
    /// are their source, and the reference of an OpenAPI operation is left out.
    Agent,
    /// A human with a book, which has neither scripts nor further files: see
    /// [`crate::html_to_book`]. Diagrams are images in `data:` URLs, in the colors of paper.
    Book,
}

impl RenderContext<'_> {
    /// Whether `path` is the route of a page. The lookup is recorded as a dependency.
    pub(crate) fn is_page(&self, path: &str) -> bool {
        self.tree.record_page(path);
        self.site_map.routes.contains_key(path)
    }
}

/// Inputs of rendering other than the text of the pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Options of the site; `base_path` and `origin` without trailing slash.
    pub site: SiteOptions,
    /// Paths of the repository's scripts.
    pub scripts: Vec<String>,
    /// Paths of the repository's style sheets.
    pub styles: Vec<String>,
    /// Metadata that needs I/O to compute, such as dates and image sizes.
    pub metadata: Arc<SiteMetadata>,
}
