//! The rendered content of a page.

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_search::Section;

use crate::ctx::{FragmentLink, PageFeatures, PageLink, TocItem};
use crate::html::Html;

/// The rendered content of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Article {
    /// Content of the page. If [`PageFeatures::aside`] is set, it contains its own two columns.
    pub html: Html,
    /// Whether the HTML contains the page's title, so that the surrounding document must not.
    pub renders_title: bool,
    /// Headings for the table of contents.
    pub toc: Vec<TocItem>,
    /// Plain text for search. The first section is the text before the first heading.
    pub sections: Arc<[Section]>,
    /// Links to this site, for the link check.
    pub links: Vec<PageLink>,
    /// Ids of headings, parameters, tabs and other elements.
    pub ids: Vec<String>,
    /// Schema fragments that are loaded on demand.
    pub fragments: Vec<FragmentLink>,
    /// Scripts and styles that the page requires.
    pub features: PageFeatures,
    /// OpenAPI document of the endpoint that is described in MDX; `None` if there is none.
    pub endpoint: Option<Arc<str>>,
    /// JavaScript modules of the page's islands: URL path with base path, and code.
    pub modules: BTreeMap<String, Arc<str>>,
    /// String literals of these modules, which may contain class names.
    pub module_strings: String,
}
