//! The navigation as menus show it.

use std::sync::Arc;

use svc_config::{Directory, ElementKind, Icon, ModeColors};

/// What a node of the navigation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A group or a division.
    Element(ElementKind),
    /// A page.
    Page,
    /// A page that leads to another address.
    Link,
}

/// One node of the navigation. Ids count up in reading order, so a node and everything below it
/// have the ids `id..end`.
#[derive(Debug, Clone, PartialEq)]
pub struct NavNode {
    /// Position in reading order.
    pub id: usize,
    /// One past the last id below it.
    pub end: usize,
    /// What it is.
    pub kind: NodeKind,
    /// Name in menus: the short title of a page, the display name of a product.
    pub name: String,
    /// The code of a language, the key of a product or version; otherwise the name.
    pub key: String,
    /// Icon.
    pub icon: Option<Icon>,
    /// Badge.
    pub tag: Option<String>,
    /// Whether menus leave it out, because of itself or of something around it.
    pub hidden: bool,
    /// The address of a page, the root page of a group, or the first page of a division.
    pub route: Option<String>,
    /// The first page below, for groups without a root page.
    pub first: Option<String>,
    /// The target of a link: an address of this site or a URL.
    pub href: Option<String>,
    /// Whether a nested group starts open; a group at the top always is.
    pub expanded: bool,
    /// Method badge, upper case.
    pub method: Option<String>,
    /// Whether it has a label for outdated operations.
    pub deprecated: bool,
    /// One line below the name.
    pub description: Option<String>,
    /// Colours.
    pub color: Option<ModeColors>,
    /// Whether a tab stands at the far end.
    pub align_end: bool,
    /// Whether a version or language is the default.
    pub default: bool,
    /// How a root page lists its pages.
    pub directory: Directory,
    /// Weight in search, its own or inherited.
    pub boost: Option<f64>,
    /// Whether pages below are open to everyone on a protected site.
    pub public: Option<bool>,
    /// The OpenAPI documents of an element, its own or inherited: positions in the catalogue.
    pub documents: Vec<usize>,
    /// The folder that all pages below share, with slash at the end; empty for the root.
    pub dir: String,
    /// Links that all pages below show.
    pub global: Vec<GlobalLink>,
    /// What is inside.
    pub children: Vec<Self>,
}

impl NavNode {
    /// The kind of element, if it is one.
    pub const fn element(&self) -> Option<ElementKind> {
        if let NodeKind::Element(kind) = self.kind {
            Some(kind)
        } else {
            None
        }
    }

    /// Whether it splits the site: every element but a group.
    pub const fn is_division(&self) -> bool {
        !matches!(self.element(), None | Some(ElementKind::Group))
    }

    /// Where a click on the title of a group leads: always to its root page; without one to its
    /// first page when `drilldown` says so, else nowhere, and the group opens or closes.
    pub fn title_target(&self, drilldown: bool) -> Option<&str> {
        self.href
            .as_deref()
            .or(self.route.as_deref())
            .or_else(|| self.first.as_deref().filter(|_| drilldown))
    }

    /// How many nodes there are below and including this one.
    pub const fn count(&self) -> usize {
        self.end.saturating_sub(self.id)
    }

    /// Where a click leads.
    pub fn target(&self) -> Option<&str> {
        self.href
            .as_deref()
            .or(self.route.as_deref())
            .or(self.first.as_deref())
    }
}

/// A link that all pages show.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalLink {
    /// Which kind of element it is.
    pub kind: ElementKind,
    /// Name.
    pub name: String,
    /// An address of this site or a URL.
    pub href: String,
    /// Icon.
    pub icon: Option<Icon>,
    /// One line below the name.
    pub description: Option<String>,
    /// Badge.
    pub tag: Option<String>,
    /// Colours.
    pub color: Option<ModeColors>,
    /// Whether it is left out of menus.
    pub hidden: bool,
}

/// One step of a breadcrumb trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crumb {
    /// Name.
    pub name: String,
    /// Where it leads.
    pub href: Option<String>,
}

/// One choice of a division level.
#[derive(Debug, Clone, PartialEq)]
pub struct Division<'a> {
    /// The node.
    pub node: &'a NavNode,
    /// The matching page in it, or its first page, or its link.
    pub href: Option<String>,
    /// Whether the page lies in it.
    pub active: bool,
}

/// The choices at one level around a page: all tabs, all versions.
#[derive(Debug, Clone, PartialEq)]
pub struct DivisionLevel<'a> {
    /// Their kind.
    pub kind: ElementKind,
    /// The choices that are not hidden, and the active one.
    pub items: Vec<Division<'a>>,
}

/// One line of the printed navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavEntry {
    /// `tab:Docs`, `group:Start`.
    pub trail: Arc<[Arc<str>]>,
    /// Address as the navigation names the page.
    pub href: Option<String>,
    /// Title.
    pub title: Option<String>,
    /// Short title.
    pub sidebar_title: Option<String>,
    /// The operation it documents.
    pub openapi: Option<String>,
    /// Whether it is the root page of its group.
    pub root: bool,
    /// The target of an element that is only a link.
    pub link: Option<String>,
}
