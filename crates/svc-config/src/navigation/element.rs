//! Elements of the navigation.

use std::borrow::Cow;

use svc_diagnostics::did_you_mean;

use super::{
    children,
    keys::{
        ChoiceKeys, CommonKeys, ContentKeys, DivisionContentKeys, DivisionKeys, GroupKeys,
        LanguageKeys, ProductKeys, ReferenceKeys, TabKeys, VersionKeys,
    },
    language::{LANGUAGE_CODES, canonical},
    listing::listing_style,
    types::{Children, Element, ElementKind},
};
use crate::{
    codes::{GROUP_PAGES, INVALID_VALUE, LINK_CONTENT, MENU},
    decode::{Cx, Fields, NodeRef},
    text::{opening, shorten, value_list},
};

impl ElementKind {
    /// The keys of this kind, except its name and its children.
    const fn keys(self) -> [&'static [&'static str]; 7] {
        let (own, more): (&[&str], &[&str]) = match self {
            Self::Group => (GroupKeys::NAMES, &[]),
            Self::Tab => (TabKeys::NAMES, &[]),
            Self::Product => (ProductKeys::NAMES, &[]),
            Self::Version => (ChoiceKeys::NAMES, ReferenceKeys::NAMES),
            Self::Language => (ChoiceKeys::NAMES, LanguageKeys::NAMES),
            Self::MenuItem | Self::Anchor | Self::Dropdown => (&[], &[]),
        };
        let (content, division): (&[&str], &[&str]) = match self {
            Self::Group => (&[], &[]),
            _ => (DivisionContentKeys::NAMES, DivisionKeys::NAMES),
        };
        let common = CommonKeys::NAMES;
        [
            common,
            ContentKeys::NAMES,
            VersionKeys::NAMES,
            content,
            division,
            own,
            more,
        ]
    }

    fn knows(self, key: &str) -> bool {
        self.keys().iter().any(|keys| keys.contains(&key))
            || key == self.name_key()
            || children::keys(Some(self)).any(|known| known == key)
    }

    fn known_keys(self) -> Vec<&'static str> {
        let keys = [&[self.name_key()][..], &self.keys().concat()].concat();
        keys.into_iter().chain(children::keys(Some(self))).collect()
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

    /// Decodes the links of `global`, in the order of the file.
    pub(super) fn global_links(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<Self>> {
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
            let entries = cx.list(&at, |cx, at| Self::decode_link(cx, at, *kind));
            links.extend(entries.unwrap_or_default());
        }
        Some(links)
    }

    /// The element without its children.
    #[inline(never)]
    fn new(cx: &mut Cx, fields: &Fields<'_>, kind: ElementKind) -> Self {
        let name = cx.required(fields, kind.name_key(), |cx, at| name(cx, at, kind));
        let mut span = fields
            .get(kind.name_key())
            .map_or_else(|| fields.node.tree.span, |at| at.tree.span);
        if !fields.has(kind.name_key()) {
            span = opening(span);
        }
        let location = cx
            .location(span)
            .unwrap_or_else(|| cx.location_of(fields.node));
        let common = CommonKeys::read(cx, fields);
        let common = common.unwrap_or_default();
        let mut element = Self {
            kind,
            name: name.unwrap_or_default(),
            display_name: None,
            location,
            index: fields.node.index(),
            icon: common.icon,
            tag: common.tag,
            root: None,
            expanded: None,
            hidden: common.hidden,
            searchable: common.searchable,
            public: common.public,
            boost: common.boost,
            directory: None,
            openapi: None,
            mcp: None,
            href: None,
            description: None,
            color: None,
            align_end: false,
            default: false,
            version: None,
            reference: None,
            mount: None,
            banner: None,
            footer: None,
            navbar: None,
            global: Vec::new(),
            children: Children::None,
        };
        element.read_own(cx, fields);
        element
    }

    /// Decodes the keys that only some kinds have, except the content.
    fn read_own(&mut self, cx: &mut Cx, fields: &Fields<'_>) -> Option<()> {
        if self.kind == ElementKind::Group {
            GroupKeys {
                root: self.root,
                expanded: self.expanded,
            } = GroupKeys::read(cx, fields)?;
        } else {
            DivisionKeys {
                description: self.description,
                color: self.color,
            } = DivisionKeys::read(cx, fields)?;
        }
        match self.kind {
            ElementKind::Product => self.display_name = ProductKeys::read(cx, fields)?.name,
            ElementKind::Tab => self.align_end = TabKeys::read(cx, fields)?.align_end,
            ElementKind::Version | ElementKind::Language => {
                self.default = ChoiceKeys::read(cx, fields)?.default;
            }
            _ => {}
        }
        self.version = if self.kind == ElementKind::Version {
            Some(self.name.clone()).filter(|name| !name.is_empty())
        } else {
            VersionKeys::read(cx, fields)?.version
        };
        Some(())
    }

    #[inline(never)]
    fn read_content(&mut self, cx: &mut Cx, fields: &Fields<'_>) -> Option<()> {
        let content = ContentKeys::read(cx, fields)?;
        self.openapi = content.openapi;
        self.mcp = content.mcp;
        self.directory = listing_style(content.directory, &mut self.openapi, &mut self.mcp);
        if self.kind != ElementKind::Group {
            DivisionContentKeys {
                href: self.href,
                global: self.global,
            } = DivisionContentKeys::read(cx, fields)?;
        }
        if self.kind == ElementKind::Version {
            self.reference = ReferenceKeys::read(cx, fields)?.reference;
        }
        if self.kind == ElementKind::Language {
            let own = LanguageKeys::read(cx, fields)?;
            self.banner = own.banner.map(Box::new);
            self.footer = own.footer.map(Box::new);
            self.navbar = own.navbar.map(Box::new);
        }
        Some(())
    }

    #[inline(never)]
    fn check_content(&mut self, cx: &mut Cx, fields: &Fields<'_>) {
        self.check_reference(cx, fields);
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
        let source = ["pages", "openapi", "mcp", "root", "asyncapi", "sdk"];
        if self.kind == ElementKind::Group
            && !source.iter().any(|key| fields.has(key))
            && !cx.is_cut(fields.node)
        {
            let mut span = fields.node.tree.span;
            span = opening(span);
            let pointer = fields.node.pointer() + "/pages";
            let message = format!("{noun} has no `pages`");
            let hint = "add `pages`, or an `openapi` document, the tools of an `mcp` server or a `root` page";
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
    let near = did_you_mean(&name, LANGUAGE_CODES.iter().copied());
    let hint = near.map_or_else(
        || format!("write one of {}", value_list(LANGUAGE_CODES)),
        |code| {
            format!(
                "did you mean `{code}`? Allowed: {}",
                value_list(LANGUAGE_CODES)
            )
        },
    );
    cx.report(&INVALID_VALUE, at, message, hint);
    if let Some(near) = near {
        cx.fix_text(at, near);
    }
    Some(name)
}
