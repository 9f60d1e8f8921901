//! Elements of the navigation.

use std::borrow::Cow;

use svc_diagnostics::did_you_mean;

use super::{
    Children, Directory, Element, ElementKind, PageRef, children, language::LANGUAGE_CODES,
    language::canonical,
};
use crate::{
    Banner, Footer, Icon, ModeColors, Navbar, OpenApiRef,
    codes::{GROUP_PAGES, INVALID_VALUE, LINK_CONTENT, MENU, TYPE_IGNORED},
    decode::{Cx, Fields, NodeRef, shorten, value_list},
    json_ref::opening,
    string_enum::string_enum,
};

string_enum!(private Align {
    Start = "start",
    End = "end",
});

/// Keys of every element.
const COMMON: &[&str] = &[
    "icon",
    "tag",
    "hidden",
    "searchable",
    "public",
    "boost",
    "directory",
    "openapi",
    "version",
];
/// Additional keys of every element except groups.
const DIVISION: &[&str] = &["href", "description", "color", "global"];

impl ElementKind {
    /// Additional keys of this kind.
    const fn own_keys(self) -> &'static [&'static str] {
        match self {
            Self::Group => &["root", "expanded"],
            Self::Tab => &["align"],
            Self::Product => &["name"],
            Self::Version => &["default"],
            Self::Language => &["default", "banner", "footer", "navbar"],
            Self::MenuItem | Self::Anchor | Self::Dropdown => &[],
        }
    }

    fn knows(self, key: &str) -> bool {
        COMMON.contains(&key)
            || key == self.name_key()
            || self.own_keys().contains(&key)
            || self != Self::Group && DIVISION.contains(&key)
            || children::keys(Some(self)).any(|known| known == key)
    }

    fn known_keys(self) -> Vec<&'static str> {
        let division = if self == Self::Group { &[] } else { DIVISION };
        let mut keys = vec![self.name_key()];
        keys.extend([COMMON, division, self.own_keys()].concat());
        keys.extend(children::keys(Some(self)));
        keys
    }
}

impl Element {
    pub(super) fn decode(cx: &mut Cx, at: &NodeRef<'_>, kind: ElementKind) -> Option<Self> {
        let fields = cx.object_of(at, |key| kind.knows(key), || kind.known_keys())?;
        let mut element = Self::new(cx, &fields, kind);
        element.read_content(cx, &fields);
        element.children = Children::decode(cx, &fields, Some(kind));
        element.check_content(cx, &fields);
        Some(element)
    }

    /// Decodes an entry of `global`, which is only a link.
    pub(super) fn decode_link(cx: &mut Cx, at: &NodeRef<'_>, kind: ElementKind) -> Option<Self> {
        let known = [
            kind.name_key(),
            "href",
            "icon",
            "color",
            "description",
            "hidden",
            "tag",
            "default",
        ];
        let fields = cx.object(at, &known)?;
        let mut element = Self::new(cx, &fields, kind);
        element.href = Some(cx.required(&fields, "href", Cx::link)?);
        Some(element)
    }

    /// The element without its children.
    #[inline(never)]
    fn new(cx: &mut Cx, fields: &Fields<'_>, kind: ElementKind) -> Self {
        let name = cx.required(fields, kind.name_key(), |cx, at| name(cx, at, kind));
        let mut span = fields
            .get(kind.name_key())
            .map_or_else(|| fields.node.tree.span, |at| at.tree.span);
        if !fields.has(kind.name_key()) {
            span.offsets = opening(span.offsets);
        }
        let location = cx
            .location(span)
            .unwrap_or_else(|| cx.location_of(fields.node));
        let own = |key: &str| kind.own_keys().contains(&key);
        let mut element = Self {
            kind,
            name: name.unwrap_or_default(),
            display_name: None,
            location,
            index: fields.node.index(),
            icon: cx.optional(fields, "icon", Icon::decode),
            tag: cx
                .optional(fields, "tag", Cx::string)
                .filter(|tag| !tag.trim().is_empty()),
            root: None,
            expanded: None,
            hidden: cx.optional(fields, "hidden", Cx::boolean),
            searchable: cx.optional(fields, "searchable", Cx::boolean),
            public: cx.public(fields),
            boost: cx.optional(fields, "boost", Cx::number),
            directory: None,
            openapi: None,
            href: None,
            description: None,
            color: None,
            align_end: false,
            default: false,
            version: None,
            banner: None,
            footer: None,
            navbar: None,
            global: Vec::new(),
            children: Children::None,
        };
        if kind == ElementKind::Group {
            element.root = cx.optional(fields, "root", PageRef::decode);
            element.expanded = cx.optional(fields, "expanded", Cx::boolean);
        } else {
            element.description = cx.optional(fields, "description", Cx::string);
            element.color = cx.optional(fields, "color", ModeColors::decode);
        }
        if own("name") {
            element.display_name = cx.optional(fields, "name", Cx::non_empty_string);
        }
        if own("default") {
            element.default = cx.bool_or(fields, "default", false);
        }
        if own("align") {
            element.align_end = cx.optional(fields, "align", Cx::string_enum) == Some(Align::End);
        }
        element.version = if kind == ElementKind::Version {
            Some(element.name.clone()).filter(|name| !name.is_empty())
        } else {
            cx.optional(fields, "version", Cx::non_empty_string)
        };
        element
    }

    #[inline(never)]
    fn read_content(&mut self, cx: &mut Cx, fields: &Fields<'_>) {
        self.openapi = openapi(cx, fields);
        self.directory = directory(cx, fields, &mut self.openapi);
        if self.kind != ElementKind::Group {
            self.href = cx.optional(fields, "href", Cx::lenient_link);
            self.global = cx.optional(fields, "global", global).unwrap_or_default();
        }
        if self.kind == ElementKind::Language {
            self.banner = cx.optional(fields, "banner", Banner::decode).map(Box::new);
            self.footer = cx.optional(fields, "footer", Footer::decode).map(Box::new);
            self.navbar = cx.optional(fields, "navbar", Navbar::decode).map(Box::new);
        }
    }

    #[inline(never)]
    fn check_content(&mut self, cx: &mut Cx, fields: &Fields<'_>) {
        let noun = self.noun();
        let content = children::keys(Some(self.kind)).find(|key| fields.has(key));
        if self.href.is_some()
            && let Some(key) = content
        {
            let pointer = format!("{}/{key}", fields.node.pointer());
            let message = format!("{noun} has both `href` and `{key}`");
            let hint = format!("remove one of them; `{key}` is ignored");
            cx.report_at(&LINK_CONTENT, fields.key_span(key), pointer, message, hint);
            self.children = Children::None;
        }
        if self.kind == ElementKind::MenuItem
            && let Children::Elements(inner, _) = &self.children
            && *inner != ElementKind::Group
        {
            let key = inner.array_key();
            let pointer = format!("{}/{key}", fields.node.pointer());
            let message = format!("{noun} contains `{key}`");
            let hint = "move it; a menu item should contain only groups, pages or a link";
            cx.report_at(&MENU, fields.key_span(key), pointer, message, hint);
        }
        let source = ["pages", "openapi", "root", "asyncapi", "sdk"];
        if self.kind == ElementKind::Group
            && !source.iter().any(|key| fields.has(key))
            && !cx.is_cut(fields.node)
        {
            let mut span = fields.node.tree.span;
            span.offsets = opening(span.offsets);
            let pointer = fields.node.pointer() + "/pages";
            let message = format!("{noun} has no `pages`");
            let hint = "add `pages`, or an `openapi` document or a `root` page";
            cx.report_at(&GROUP_PAGES, span, pointer, message, hint);
        }
    }

    /// The element in a message: "group `API`".
    fn noun(&self) -> String {
        let kind: Cow<'_, str> = match self.kind {
            ElementKind::MenuItem => "menu item".into(),
            kind => kind.as_str().into(),
        };
        if self.name.is_empty() {
            format!("a {kind}")
        } else {
            format!("{kind} `{}`", shorten(&self.name))
        }
    }
}

fn name(cx: &mut Cx, at: &NodeRef<'_>, kind: ElementKind) -> Option<String> {
    // A group without a heading usually has a title of white space.
    let blank = |text: &str| !text.is_empty() && text.trim().is_empty();
    if kind == ElementKind::Group && at.tree.as_str().is_some_and(blank) {
        return Some(String::new());
    }
    let name = cx.non_empty_string(at)?;
    if kind != ElementKind::Language {
        return Some(name);
    }
    if let Some(code) = canonical(&name) {
        return Some(code.to_owned());
    }
    let message = format!("unknown language `{}`", shorten(&name));
    let hint = did_you_mean(&name, LANGUAGE_CODES.iter().copied()).map_or_else(
        || format!("write one of {}", value_list(LANGUAGE_CODES)),
        |code| {
            format!(
                "did you mean `{code}`? Allowed: {}",
                value_list(LANGUAGE_CODES)
            )
        },
    );
    cx.report(&INVALID_VALUE, at, message, hint);
    Some(name)
}

/// Decodes the OpenAPI documents of an element or of the root.
pub(super) fn openapi(cx: &mut Cx, fields: &Fields<'_>) -> Option<OpenApiRef> {
    cx.optional(fields, "openapi", |cx, at| {
        if at.is_string() || at.is_array() || at.is_object() || at.is_failed() {
            return OpenApiRef::decode(cx, at);
        }
        let message = format!(
            "{} must be a string, an array or an object, not {}",
            at.name(),
            at.tree.kind()
        );
        cx.report(
            &TYPE_IGNORED,
            at,
            message,
            "write the path or URL of an OpenAPI document",
        );
        None
    })
}

/// Decodes `directory`: a listing style or, beside `openapi`, an output folder.
pub(super) fn directory(
    cx: &mut Cx,
    fields: &Fields<'_>,
    openapi: &mut Option<OpenApiRef>,
) -> Option<Directory> {
    cx.optional(fields, "directory", |cx, at| {
        let Some(text) = at.tree.as_str() else {
            cx.type_mismatch(at, "a string");
            return None;
        };
        if fields.has("openapi") && Directory::from_name(text).is_none() {
            let dir = cx.non_empty_string(at)?;
            if let Some(openapi) = openapi
                && openapi.directory.is_none()
            {
                openapi.directory = Some(dir);
            }
            return None;
        }
        cx.string_enum(at)
    })
}

/// Decodes the links of `global`, in the order of the file.
pub(super) fn global(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<Element>> {
    const KINDS: &[ElementKind] = &[
        ElementKind::Language,
        ElementKind::Version,
        ElementKind::Tab,
        ElementKind::Dropdown,
        ElementKind::Anchor,
        ElementKind::Product,
    ];
    let keys: Vec<&str> = KINDS.iter().map(|kind| kind.array_key()).collect();
    let fields = cx.object(at, &keys)?;
    let mut links = Vec::new();
    for (key, at) in fields.iter() {
        let Some(kind) = KINDS.iter().find(|kind| kind.array_key() == key) else {
            continue;
        };
        let entries = cx.list(&at, |cx, at| Element::decode_link(cx, at, *kind));
        links.extend(entries.unwrap_or_default());
    }
    Some(links)
}
