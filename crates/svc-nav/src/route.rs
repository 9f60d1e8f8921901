//! Addresses.

use std::sync::Arc;

use svc_config::{Directory, Icon};
use svc_source::FrontMatter;

/// What a page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteBody {
    /// A page file.
    Page {
        /// Its slug in the page index.
        slug: Arc<str>,
    },
    /// A page made from an OpenAPI document: `Route::operation` says of what.
    Generated,
}

/// The part of an OpenAPI document that a page documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationRef {
    /// An operation.
    Operation {
        /// Position in the catalogue.
        document: usize,
        /// Lower case.
        method: String,
        /// As the document writes it.
        path: String,
    },
    /// A webhook.
    Webhook {
        /// Position in the catalogue.
        document: usize,
        /// Key under `webhooks`.
        name: String,
    },
    /// A data model.
    Schema {
        /// Position in the catalogue.
        document: usize,
        /// Key under `components.schemas`.
        name: String,
    },
}

impl OperationRef {
    /// Position of its document in the catalogue.
    pub const fn document(&self) -> usize {
        match self {
            Self::Operation { document, .. }
            | Self::Webhook { document, .. }
            | Self::Schema { document, .. } => *document,
        }
    }
}

/// Where a page can be found besides its own address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visibility {
    /// In menus.
    pub sidebar: bool,
    /// In the site's search.
    pub search: bool,
    /// In `sitemap.xml`.
    pub sitemap: bool,
    /// By search engines; otherwise the page says `noindex`.
    pub engines: bool,
    /// As context of the assistant.
    pub assistant: bool,
    /// In `llms.txt`.
    pub llms: bool,
}

impl Visibility {
    /// Everywhere.
    pub const ALL: Self = Self {
        sidebar: true,
        search: true,
        sitemap: true,
        engines: true,
        assistant: true,
        llms: true,
    };

    /// Only by its address.
    pub const NONE: Self = Self {
        sidebar: false,
        search: false,
        sitemap: false,
        engines: false,
        assistant: false,
        llms: false,
    };
}

/// One address of the site.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Canonical path: `/x`, `/`.
    pub path: String,
    /// As the navigation names it: `x/index`.
    pub slug: String,
    /// What is shown.
    pub body: RouteBody,
    /// What is documented: every generated page says it, of page files those whose front matter
    /// names an operation.
    pub operation: Option<OperationRef>,
    /// Title.
    pub title: String,
    /// Short title for menus.
    pub sidebar_title: Option<String>,
    /// One sentence.
    pub description: Option<String>,
    /// Icon.
    pub icon: Option<Icon>,
    /// Badge.
    pub tag: Option<String>,
    /// Whether it has a label for outdated operations.
    pub deprecated: bool,
    /// Method badge, upper case.
    pub method: Option<String>,
    /// The operation as text, as the front matter has it or as the reference writes it.
    pub openapi: Option<String>,
    /// The ids of the elements around it, outermost first; a group's root page is in its group.
    pub trail: Arc<[usize]>,
    /// The node of the page itself; none for root pages and pages outside the navigation.
    pub node: Option<usize>,
    /// Every node it stands at, in reading order; of root pages their groups.
    pub nodes: Vec<usize>,
    /// The group whose root page this is.
    pub root_of: Option<usize>,
    /// Whether the navigation names it.
    pub in_navigation: bool,
    /// Whether menus leave it out.
    pub hidden: bool,
    /// Whether the page tells search engines to stay away.
    pub noindex: bool,
    /// Where it can be found.
    pub visibility: Visibility,
    /// Whether it is open to everyone on a protected site: its own wish, else the one of the
    /// nearest element, else the site's.
    pub public: Option<bool>,
    /// Groups of readers that may see it; nothing means all.
    pub groups: Option<Vec<String>>,
    /// Whether it asks for readers who have signed in. A map for everyone has no such page.
    pub protected: bool,
    /// The page before it in its sidebar.
    pub previous: Option<String>,
    /// The page after it in its sidebar.
    pub next: Option<String>,
    /// Version label.
    pub version: Option<String>,
    /// Language code of the nearest language.
    pub language: Option<String>,
    /// Weight in search.
    pub boost: Option<f64>,
    /// How it lists the pages of its group.
    pub directory: Directory,
    /// Where readers are led instead, as its front matter says.
    pub url: Option<String>,
    /// Metadata of a generated page; of page files it is in the page index.
    pub metadata: Option<Box<FrontMatter>>,
}

impl Route {
    /// A route with nothing but address, body and title; outside the navigation and listed nowhere.
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

    /// The name for menus.
    pub fn short_title(&self) -> &str {
        self.sidebar_title.as_deref().unwrap_or(&self.title)
    }
}
