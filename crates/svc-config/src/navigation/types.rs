//! The navigation of a checked configuration.

use svc_diagnostics::Location;

use super::VersionRef;
use crate::{
    Banner, Footer, Icon, McpRef, ModeColors, Navbar, OpenApiRef, string_enum::string_enum,
};

string_enum! {
    /// `directory`: how the root page of a group lists its pages.
    Directory {
        None = "none",
        Accordion = "accordion",
        Card = "card",
    }
}

string_enum! {
    /// The kinds of elements; their names are the prefixes of printed trails.
    ElementKind {
        Group = "group",
        Tab = "tab",
        MenuItem = "menu",
        Anchor = "anchor",
        Dropdown = "dropdown",
        Product = "product",
        Version = "version",
        Language = "language",
    }
}

impl ElementKind {
    /// The name of the kind, used as the prefix of printed trails; [`array_key`](Self::array_key)
    /// has an example.
    pub const fn as_str(self) -> &'static str {
        self.name()
    }

    /// The key of an array of these elements, for example `tabs`.
    ///
    /// ```
    /// use svc_config::ElementKind;
    /// let kind = ElementKind::MenuItem;
    /// assert_eq!((kind.as_str(), kind.array_key(), kind.name_key()), ("menu", "menu", "item"));
    /// ```
    pub const fn array_key(self) -> &'static str {
        match self {
            Self::Group => "groups",
            Self::Tab => "tabs",
            Self::MenuItem => "menu",
            Self::Anchor => "anchors",
            Self::Dropdown => "dropdowns",
            Self::Product => "products",
            Self::Version => "versions",
            Self::Language => "languages",
        }
    }

    /// The key of the name of an element, for example `tab`; [`array_key`](Self::array_key) has an
    /// example.
    pub const fn name_key(self) -> &'static str {
        match self {
            Self::MenuItem => "item",
            Self::Group
            | Self::Tab
            | Self::Anchor
            | Self::Dropdown
            | Self::Product
            | Self::Version
            | Self::Language => self.name(),
        }
    }
}

/// `navigation`: the pages of the site and their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Navigation {
    /// Listing style of all groups; elements can override it.
    pub directory: Option<Directory>,
    /// OpenAPI documents that all elements inherit.
    pub openapi: Option<OpenApiRef>,
    /// The children of the root.
    pub children: Children,
    /// Links on all pages; each one has `href`.
    pub global: Vec<Element>,
}

/// One element: a group, tab, menu item, anchor, dropdown, product, version or language.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Kind of the element.
    pub kind: ElementKind,
    /// The name, or the code of a language.
    pub name: String,
    /// Display name of a product: its key `name`.
    pub display_name: Option<String>,
    /// Location of the element.
    pub location: Location,
    /// Index in the array of the file.
    pub index: usize,
    /// Icon.
    pub icon: Option<Icon>,
    /// Badge beside the name.
    pub tag: Option<String>,
    /// Page that the title of a group links to.
    pub root: Option<PageRef>,
    /// Whether a nested group is initially expanded.
    pub expanded: Option<bool>,
    /// Whether the element is left out of menus.
    pub hidden: Option<bool>,
    /// Whether search finds the hidden pages below it.
    pub searchable: Option<bool>,
    /// Whether the pages below it are open to everyone.
    pub public: Option<bool>,
    /// Weight of its pages in search.
    pub boost: Option<f64>,
    /// Listing style of its groups.
    pub directory: Option<Directory>,
    /// OpenAPI documents of its pages.
    pub openapi: Option<OpenApiRef>,
    /// Tools of an MCP server that it shows.
    pub mcp: Option<McpRef>,
    /// Link target, if the element is a link.
    pub href: Option<String>,
    /// Line below the name.
    pub description: Option<String>,
    /// Colors of the element.
    pub color: Option<ModeColors>,
    /// Whether a tab is at the end of its row.
    pub align_end: bool,
    /// Whether a version or language is the default one.
    pub default: bool,
    /// Version of the API pages below; the `name` of an entry of `versions`.
    pub version: Option<String>,
    /// Revision of the repository that the files of a version come from.
    pub reference: Option<VersionRef>,
    /// Directory of the files of `reference` in the source tree; `None` if they are not there.
    pub mount: Option<String>,
    /// Banner of a language.
    pub banner: Option<Box<Banner>>,
    /// Footer of a language.
    pub footer: Option<Box<Footer>>,
    /// Header of a language.
    pub navbar: Option<Box<Navbar>>,
    /// Links on all pages below; each one has `href`.
    pub global: Vec<Self>,
    /// The children of the element.
    pub children: Children,
}

/// The children of an element: one kind per level.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Children {
    /// None: the element is a link, or its pages come from an OpenAPI document.
    #[default]
    None,
    /// Pages and groups, in any order.
    Pages(Vec<PageEntry>),
    /// Elements of one kind.
    Elements(ElementKind, Vec<Element>),
}

/// An entry of `pages`.
#[derive(Debug, Clone, PartialEq)]
pub enum PageEntry {
    /// A page, or an operation such as `GET /users`.
    Page(PageRef),
    /// A nested group.
    Group(Box<Element>),
}

/// A reference to a page or an operation in the navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRef {
    /// Path without leading slash, dot segments and double slashes; an operation keeps its text.
    pub path: String,
    /// Location of the entry.
    pub location: Location,
    /// Index in the array of the file.
    pub index: usize,
}
