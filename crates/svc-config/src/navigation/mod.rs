//! `navigation`: which pages there are, in which order.

mod children;
mod element;
mod language;
mod page;

use svc_diagnostics::Location;

pub use language::LANGUAGE_CODES;

use crate::{
    Banner, Footer, Icon, ModeColors, Navbar, OpenApiRef,
    codes::MISSING,
    decode::{Cx, NodeRef},
    string_enum::string_enum,
};

string_enum! {
    /// How a group's root page lists its pages.
    Directory {
        None = "none",
        Accordion = "accordion",
        Card = "card",
    }
}

string_enum! {
    /// The kinds of elements; the words are the prefixes of printed trails.
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
    /// The word of the kind, the prefix of printed trails.
    pub const fn as_str(self) -> &'static str {
        self.name()
    }

    /// The key that holds the elements: `tabs`.
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

    /// The key that holds an element's name: `tab`.
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

/// The navigation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Navigation {
    /// Listing style of all groups.
    pub directory: Option<Directory>,
    /// OpenAPI documents of all elements.
    pub openapi: Option<OpenApiRef>,
    /// The root pattern.
    pub children: Children,
    /// Links on all pages; each has `href`.
    pub global: Vec<Element>,
}

/// One element: a group, tab, menu item, anchor, dropdown, product, version or language.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Which kind.
    pub kind: ElementKind,
    /// The name, or the code of a language.
    pub name: String,
    /// A product's `name`.
    pub display_name: Option<String>,
    /// Where it is written.
    pub location: Location,
    /// Its position in the array as it is written.
    pub index: usize,
    /// Icon.
    pub icon: Option<Icon>,
    /// Badge.
    pub tag: Option<String>,
    /// The page behind the group's title.
    pub root: Option<PageRef>,
    /// Whether a nested group starts open.
    pub expanded: Option<bool>,
    /// Whether it is left out of menus.
    pub hidden: Option<bool>,
    /// Whether hidden pages below can be found by search.
    pub searchable: Option<bool>,
    /// Whether pages below are open to everyone.
    pub public: Option<bool>,
    /// Weight in search.
    pub boost: Option<f64>,
    /// Listing style.
    pub directory: Option<Directory>,
    /// OpenAPI documents.
    pub openapi: Option<OpenApiRef>,
    /// Target, when it is a link.
    pub href: Option<String>,
    /// One line below the name.
    pub description: Option<String>,
    /// Colours.
    pub color: Option<ModeColors>,
    /// Whether a tab stands at the far end.
    pub align_end: bool,
    /// Whether a version or language is the default.
    pub default: bool,
    /// Version of the API pages below; for `versions` entries the same as `name`.
    pub version: Option<String>,
    /// A language's banner.
    pub banner: Option<Box<Banner>>,
    /// A language's footer.
    pub footer: Option<Box<Footer>>,
    /// A language's header.
    pub navbar: Option<Box<Navbar>>,
    /// Links on all pages below; each has `href`.
    pub global: Vec<Self>,
    /// What is inside.
    pub children: Children,
}

/// What an element holds: one kind per level.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Children {
    /// Nothing: a link, or an element whose pages come from an OpenAPI document.
    #[default]
    None,
    /// Pages and groups, mixed.
    Pages(Vec<PageEntry>),
    /// Elements of one kind.
    Elements(ElementKind, Vec<Element>),
}

/// One entry of `pages`.
#[derive(Debug, Clone, PartialEq)]
pub enum PageEntry {
    /// A page, or an operation: `GET /users`.
    Page(PageRef),
    /// A nested group.
    Group(Box<Element>),
}

/// The name of a page in the navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRef {
    /// Path without leading slash, dots and double slashes; operations keep their text.
    pub path: String,
    /// Where it is written.
    pub location: Location,
    /// Its position in the array as it is written.
    pub index: usize,
}

impl Navigation {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let mut known = vec!["global", "directory", "openapi"];
        known.extend(children::keys(None));
        let fields = cx.object(at, &known)?;
        let mut openapi = element::openapi(cx, &fields);
        let directory = element::directory(cx, &fields, &mut openapi);
        let global = cx
            .optional(&fields, "global", element::global)
            .unwrap_or_default();
        let children = Children::decode(cx, &fields, None);
        let pattern = children::keys(None).any(|key| fields.has(key));
        if !pattern && openapi.is_none() && !cx.is_cut(at) {
            let hint = "add one of `pages`, `groups`, `tabs`, `anchors`, `dropdowns`, `products`, \
                        `versions` and `languages`";
            cx.report(&MISSING, at, "`navigation` holds no pages", hint);
        }
        Some(Self {
            directory,
            openapi,
            children,
            global,
        })
    }
}

#[cfg(test)]
mod tests;
