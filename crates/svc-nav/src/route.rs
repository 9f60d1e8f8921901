//! Routes: pages of the site with their paths.

use std::sync::Arc;

use svc_config::{Directory, Icon};
use svc_source::FrontMatter;

/// Source of a page's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteBody {
    /// A page file.
    Page {
        /// Slug in the page index.
        slug: Arc<str>,
    },
    /// A page generated from an OpenAPI document or a list of MCP tools: see [`Route::operation`].
    Generated,
}

/// The part of a document of the catalog that a page documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationRef {
    /// An operation.
    Operation {
        /// Index of the document in the catalog.
        document: usize,
        /// HTTP method in lower case.
        method: String,
        /// Path as in the document.
        path: String,
    },
    /// A webhook.
    Webhook {
        /// Index of the document in the catalog.
        document: usize,
        /// Key in `webhooks`.
        name: String,
    },
    /// A schema.
    Schema {
        /// Index of the document in the catalog.
        document: usize,
        /// Key in `components.schemas`.
        name: String,
    },
    /// A tool of an MCP server.
    Tool {
        /// Index of the list of tools in the catalog.
        document: usize,
        /// Name of the tool.
        name: String,
    },
}

impl OperationRef {
    /// Returns the index of the document in the catalog.
    ///
    /// # Example
    ///
    /// ```
    /// use svc_nav::OperationRef;
    /// let webhook = OperationRef::Webhook { document: 2, name: "pet".to_owned() };
    /// assert_eq!(webhook.document(), 2);
    /// ```
    pub const fn document(&self) -> usize {
        match self {
            Self::Operation { document, .. }
            | Self::Webhook { document, .. }
            | Self::Schema { document, .. }
            | Self::Tool { document, .. } => *document,
        }
    }
}

/// Places where a page is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visibility {
    /// Listed in menus.
    pub sidebar: bool,
    /// Listed in the site's search.
    pub search: bool,
    /// Listed in `sitemap.xml`.
    pub sitemap: bool,
    /// Indexed by search engines; otherwise the page has a `noindex` meta tag.
    pub engines: bool,
    /// Used as context by the assistant.
    pub assistant: bool,
    /// Listed in `llms.txt`.
    pub llms: bool,
}

impl Visibility {
    /// Listed everywhere.
    pub const ALL: Self = Self {
        sidebar: true,
        search: true,
        sitemap: true,
        engines: true,
        assistant: true,
        llms: true,
    };

    /// Listed nowhere; the page is only available at its path.
    pub const NONE: Self = Self {
        sidebar: false,
        search: false,
        sitemap: false,
        engines: false,
        assistant: false,
        llms: false,
    };
}

/// A page of the site.
///
/// # Example
///
/// ```
/// use svc_nav::{Route, RouteBody};
/// let body = RouteBody::Page { slug: "a".into() };
/// let route = Route::blank("/a".to_owned(), "a", body, "A page".to_owned());
/// assert_eq!(route.short_title(), "A page");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Canonical path, such as `/x` or `/`.
    pub path: String,
    /// Slug as in the navigation, such as `x/index`.
    pub slug: String,
    /// Source of the content.
    pub body: RouteBody,
    /// Operation, webhook, schema or tool that the page documents. Always set for generated pages, and
    /// for page files whose front matter names one.
    pub operation: Option<OperationRef>,
    /// Title of the page.
    pub title: String,
    /// Short title for menus.
    pub sidebar_title: Option<String>,
    /// Description of the page.
    pub description: Option<String>,
    /// Icon.
    pub icon: Option<Icon>,
    /// Badge in menus.
    pub tag: Option<String>,
    /// Whether the page is marked as deprecated.
    pub deprecated: bool,
    /// HTTP method for the badge, in upper case.
    pub method: Option<String>,
    /// Operation as text, as in the front matter or, for generated pages, in the format of
    /// Mintlify.
    pub openapi: Option<String>,
    /// Ids of the ancestors, outermost first; for the root page of a group this includes the group.
    pub trail: Arc<[usize]>,
    /// Id of the page's node; `None` for root pages and pages outside of the navigation.
    pub node: Option<usize>,
    /// Ids of all nodes of the page in reading order; for root pages those of their groups.
    pub nodes: Vec<usize>,
    /// Id of the group whose root page this is.
    pub root_of: Option<usize>,
    /// Whether the page is in the navigation.
    pub in_navigation: bool,
    /// Whether the page is hidden from menus.
    pub hidden: bool,
    /// Whether the page has a `noindex` meta tag.
    pub noindex: bool,
    /// Places where the page is listed.
    pub visibility: Visibility,
    /// Whether the page is public on a protected site: its own setting, otherwise that of the
    /// nearest element or of the site.
    pub public: Option<bool>,
    /// Groups of readers that may access the page; `None` means all.
    pub groups: Option<Vec<String>>,
    /// The groups of the page, and those of its operation: of each list, readers must be a member of
    /// at least one.
    pub required_groups: Vec<Vec<String>>,
    /// Whether the page requires protection. A map for
    /// [`Audience::Everyone`](crate::Audience::Everyone) has no such page.
    pub protected: bool,
    /// Index in [`SiteMap::routes`](crate::SiteMap::routes) of the previous page in the sidebar.
    pub previous: Option<usize>,
    /// Index in [`SiteMap::routes`](crate::SiteMap::routes) of the next page in the sidebar.
    pub next: Option<usize>,
    /// Version label of the page.
    pub version: Option<String>,
    /// Code of the nearest language.
    pub language: Option<String>,
    /// Weight in search.
    pub boost: Option<f64>,
    /// How the page lists the pages of its group.
    pub directory: Directory,
    /// URL or path that readers are redirected to: the field `url` of the front matter.
    pub url: Option<String>,
    /// Metadata of a generated page; that of page files is in the page index.
    pub metadata: Option<Box<FrontMatter>>,
}

impl Route {
    /// Creates a route with a path, a body and a title, outside of the navigation and listed
    /// nowhere.
    ///
    /// Example: [`Route`](crate::Route#example).
    pub fn blank(path: String, slug: &str, body: RouteBody, title: String) -> Self {
        Self {
            path,
            slug: slug.to_owned(),
            body,
            operation: None,
            title,
            sidebar_title: None,
            description: None,
            icon: None,
            tag: None,
            deprecated: false,
            method: None,
            openapi: None,
            trail: Arc::default(),
            node: None,
            nodes: Vec::new(),
            root_of: None,
            in_navigation: false,
            hidden: true,
            noindex: false,
            visibility: Visibility::NONE,
            public: None,
            groups: None,
            required_groups: Vec::new(),
            protected: false,
            previous: None,
            next: None,
            version: None,
            language: None,
            boost: None,
            directory: Directory::None,
            url: None,
            metadata: None,
        }
    }

    /// Returns the title for menus.
    ///
    /// Example: [`Route`](crate::Route#example).
    pub fn short_title(&self) -> &str {
        self.sidebar_title.as_deref().unwrap_or(&self.title)
    }
}
