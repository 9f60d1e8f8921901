//! What is indexed: pages and their sections.

use std::sync::Arc;

/// A page to index.
///
/// ```
/// use svc_search::{Document, Section};
/// let page = Document {
///     path: "/install".into(),
///     title: "Install".into(),
///     sections: [Section { text: "Run the installer.".into(), ..Section::default() }].into(),
///     ..Document::default()
/// };
/// assert_eq!(page.boost, 1.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// URL path, which identifies the page.
    pub path: String,
    /// Title of the page.
    pub title: String,
    /// Words that readers may use for the page and that it does not contain: keywords, former
    /// paths, texts of links to the page.
    pub keywords: Vec<String>,
    /// Language as a BCP 47 tag. Decides the stemmer; the default is English.
    pub language: Option<String>,
    /// Values by which queries can filter, such as `("version", "v2")`.
    pub facets: Vec<(String, String)>,
    /// Number of the group of readers who may see the page; see
    /// [`Query::audiences`](crate::Query::audiences).
    pub audience: u32,
    /// Factor for the score, greater than 0. The default is 1.
    pub boost: f32,
    /// Sections in the order of the page. The first one is the text before the first heading.
    pub sections: Arc<[Section]>,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            path: String::new(),
            title: String::new(),
            keywords: Vec::new(),
            language: None,
            facets: Vec::new(),
            audience: 0,
            boost: 1.0,
            sections: Arc::default(),
        }
    }
}

/// A part of a page that a link can address: a heading and the content up to the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Fragment that addresses the section; empty for the beginning of the page.
    pub id: String,
    /// Headings from the outermost to that of this section; empty for the beginning of the page.
    pub headings: Vec<String>,
    /// Prose without markup.
    pub text: String,
    /// Contents of code blocks.
    pub code: String,
    /// Names of an API operation: method, path, operation ID, parameters.
    pub identifiers: Vec<String>,
}
