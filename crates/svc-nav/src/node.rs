//! Nodes of the navigation, as shown in menus.

use std::sync::Arc;

use svc_config::{Directory, ElementKind, Icon, ModeColors};

/// Kind of a navigation node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A group or a division.
    Element(ElementKind),
    /// A page.
    Page,
    /// A page with `url` in its front matter, which links to another URL or path.
    Link,
}

/// A node of the navigation. Ids increase in reading order, so a node and its descendants have the
/// ids `id..end`.
///
/// # Example
///
/// ```
/// # use svc_nav::{Audience, NodeKind, SourceFile, resolve_for};
/// # let docs = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#000000"}, "redirects": [{"source": "/old/*", "destination": "/v1/*"}],
/// #     "navigation": {"versions": [{"version": "v1", "groups": [{"group": "Start", "root": "v1/hello", "pages": ["v1/setup"]}]}]}}"##;
/// # let tree = svc_source::SourceTree::from_files([("v1/hello.mdx", ""), ("v1/setup.mdx", "---\ntitle: Set up\n---")]);
/// # let config = svc_config::parse(&SourceFile::new("docs.json", docs), &|_| None).value.expect("it is an object");
/// # let pages = svc_source::pages(&tree).value;
/// # let catalog = svc_openapi::ApiCatalog::default();
/// let map = resolve_for(Audience::Everyone, &config, &pages, &catalog).value;
/// let version = &map.tree[0];
/// assert!(version.is_division());
/// let group = &version.children[0];
/// assert!(matches!(group.kind, NodeKind::Element(kind) if group.element() == Some(kind)));
/// assert_eq!((group.target(), group.title_target(false)), (Some("/v1/hello"), Some("/v1/hello")));
/// assert_eq!((group.count(), version.count()), (2, 3));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NavNode {
    /// Position in reading order.
    pub id: usize,
    /// Id after the last descendant.
    pub end: usize,
    /// Kind of node.
    pub kind: NodeKind,
    /// Name in menus: the short title of a page, or the display name of a product.
    pub name: String,
    /// Code of a language, key of a product or version; otherwise the name.
    pub key: String,
    /// Icon.
    pub icon: Option<Icon>,
    /// Badge in menus.
    pub tag: Option<String>,
    /// Whether the node is hidden from menus, because of itself or an ancestor.
    pub hidden: bool,
    /// Path of a page, of the root page of a group, or of the first page of a division.
    pub route: Option<String>,
    /// Path of the first page below the node, for groups without a root page.
    pub first: Option<String>,
    /// Target of a link: a path of this site or a URL.
    pub href: Option<String>,
    /// Whether a nested group is initially expanded; top-level groups always are.
    pub expanded: bool,
    /// HTTP method for the badge, in upper case.
    pub method: Option<String>,
    /// Whether the node is marked as deprecated.
    pub deprecated: bool,
    /// Description below the name.
    pub description: Option<String>,
    /// Colors of the element.
    pub color: Option<ModeColors>,
    /// Whether a tab is aligned to the end.
    pub align_end: bool,
    /// Whether this is the default version or language.
    pub default: bool,
    /// How a root page lists the pages of its group.
    pub directory: Directory,
    /// Weight in search, own or inherited.
    pub boost: Option<f64>,
    /// Whether pages below the node are public on a protected site.
    pub public: Option<bool>,
    /// Indexes of the element's OpenAPI documents in the catalog, own or inherited.
    pub documents: Vec<usize>,
    /// Common directory of all pages below the node, with a trailing slash; empty for the root.
    pub dir: String,
    /// Links that are shown on all pages below the node.
    pub global: Vec<GlobalLink>,
    /// Child nodes.
    pub children: Vec<Self>,
}

impl NavNode {
    /// Returns the kind of element, or `None` for pages and links.
    ///
    /// Example: [`NavNode`](crate::NavNode#example).
    pub const fn element(&self) -> Option<ElementKind> {
        if let NodeKind::Element(kind) = self.kind {
            Some(kind)
        } else {
            None
        }
    }

    /// Returns true for every element except groups.
    ///
    /// Example: [`NavNode`](crate::NavNode#example).
    pub const fn is_division(&self) -> bool {
        !matches!(self.element(), None | Some(ElementKind::Group))
    }

    /// Returns the target of the title of a group: its root page or, if there is none and
    /// `drilldown` is true, its first page. `None` if a click expands or collapses the group.
    ///
    /// Example: [`NavNode`](crate::NavNode#example).
    pub fn title_target(&self, drilldown: bool) -> Option<&str> {
        self.href
            .as_deref()
            .or(self.route.as_deref())
            .or_else(|| self.first.as_deref().filter(|_| drilldown))
    }

    /// Returns the number of nodes of the subtree, including this one.
    ///
    /// Example: [`NavNode`](crate::NavNode#example).
    pub const fn count(&self) -> usize {
        self.end.saturating_sub(self.id)
    }

    /// Returns the path or URL that the node links to; `None` if it has no page.
    ///
    /// Example: [`NavNode`](crate::NavNode#example).
    pub fn target(&self) -> Option<&str> {
        self.href
            .as_deref()
            .or(self.route.as_deref())
            .or(self.first.as_deref())
    }
}

/// A link that is shown on all pages.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalLink {
    /// Kind of element that defines the link.
    pub kind: ElementKind,
    /// Name in menus.
    pub name: String,
    /// Path of this site or URL.
    pub href: String,
    /// Icon.
    pub icon: Option<Icon>,
    /// Description below the name.
    pub description: Option<String>,
    /// Badge in menus.
    pub tag: Option<String>,
    /// Colors of the element.
    pub color: Option<ModeColors>,
    /// Whether the link is hidden from menus.
    pub hidden: bool,
}

/// An item of a breadcrumb trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crumb {
    /// Name of the element.
    pub name: String,
    /// Target; `None` if the element has none.
    pub href: Option<String>,
}

/// A choice of a division level.
#[derive(Debug, Clone, PartialEq)]
pub struct Division<'a> {
    /// Node of the division.
    pub node: &'a NavNode,
    /// Corresponding page in the division, otherwise its first page or its link.
    pub href: Option<String>,
    /// Whether the current page is in the division.
    pub active: bool,
}

/// All choices at a level around a page, for example all tabs or all versions.
#[derive(Debug, Clone, PartialEq)]
pub struct DivisionLevel<'a> {
    /// Kind of the divisions.
    pub kind: ElementKind,
    /// Visible choices, and the active one.
    pub items: Vec<Division<'a>>,
}

/// An entry of the printed navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavEntry {
    /// Elements around the entry, such as `tab:Docs` and `group:Start`.
    pub trail: Arc<[Arc<str>]>,
    /// Path of the page as written in the navigation.
    pub href: Option<String>,
    /// Title of the page.
    pub title: Option<String>,
    /// Short title of the page.
    pub sidebar_title: Option<String>,
    /// Operation that the page documents.
    pub openapi: Option<String>,
    /// Whether the page is the root page of its group.
    pub root: bool,
    /// Target of an element that is only a link.
    pub link: Option<String>,
}
