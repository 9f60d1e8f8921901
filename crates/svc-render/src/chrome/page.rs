//! Properties of the page inside the frame.

use svc_source::{FrontMatter, Mode};

/// Properties of a page that differ between kinds of pages.
pub(crate) struct Page<'a> {
    /// Title.
    pub(crate) title: &'a str,
    /// Description below the title.
    pub(crate) description: Option<&'a str>,
    /// Layout.
    pub(crate) mode: Mode,
    /// Whether the page has a Markdown version.
    pub(crate) has_markdown: bool,
    /// Front matter of the page file.
    pub(crate) front_matter: Option<&'a FrontMatter>,
    /// Whether the page is a route of the site; built-in pages are not.
    pub(crate) is_route: bool,
    /// The HTTP status code of an error page.
    pub(crate) status: Option<&'static str>,
}
