//! The children of an element or of the root: one kind per level.

use super::types::{Children, Element, ElementKind, PageEntry, PageRef};
use crate::{
    codes::{DUPLICATE_DEFAULT, EMPTY, EMPTY_LIST, MIXED, UNSUPPORTED},
    decode::{Cx, Fields, NodeRef},
    keys::ValueKind as _,
};

/// The kinds of children by priority; None stands for `pages`.
const PATTERNS: &[(&str, Option<ElementKind>)] = &[
    ("products", Some(ElementKind::Product)),
    ("languages", Some(ElementKind::Language)),
    ("versions", Some(ElementKind::Version)),
    ("tabs", Some(ElementKind::Tab)),
    ("dropdowns", Some(ElementKind::Dropdown)),
    ("anchors", Some(ElementKind::Anchor)),
    ("groups", Some(ElementKind::Group)),
    ("pages", None),
    ("menu", Some(ElementKind::MenuItem)),
];

/// Whether an element of this kind (None: the root) may have the key.
pub(super) fn allowed(owner: Option<ElementKind>, key: &str) -> bool {
    match owner {
        Some(ElementKind::Group) => key == "pages",
        Some(ElementKind::Tab | ElementKind::Product) => true,
        _ => key != "menu",
    }
}

/// The keys of children that an element may have.
pub(super) fn keys(owner: Option<ElementKind>) -> impl Iterator<Item = &'static str> {
    PATTERNS
        .iter()
        .map(|(key, _)| *key)
        .filter(move |key| allowed(owner, key))
}

impl Children {
    /// Decodes the first key that is set; more than one is an error.
    pub(super) fn decode(cx: &mut Cx, fields: &Fields<'_>, owner: Option<ElementKind>) -> Self {
        let mut present = PATTERNS
            .iter()
            .filter(|(key, _)| allowed(owner, key) && fields.has(key));
        let Some((first, kind)) = present.next() else {
            return Self::None;
        };
        for (other, _) in present {
            let span = fields.key_span(other);
            let pointer = format!("{}/{other}", fields.node.pointer());
            let message = format!("`{first}` and `{other}` are both set at one level");
            let hint = format!("keep one of them or nest one in the other; `{first}` is used");
            cx.report_at(&MIXED, span, pointer, message, hint);
            cx.label(fields.key_span(first), "the key that is used");
        }
        let Some(at) = fields.get(first) else {
            return Self::None;
        };
        if !at.is_array() {
            cx.type_mismatch(&at, "an array");
            return Self::None;
        }
        check_count(cx, &at, *kind, owner);
        match kind {
            None => Self::Pages(pages(cx, &at)),
            Some(kind) => Self::Elements(*kind, elements(cx, &at, *kind)),
        }
    }
}

/// Whether an empty array of this kind is an error.
pub(super) const fn needs_one(kind: Option<ElementKind>) -> bool {
    matches!(
        kind,
        Some(
            ElementKind::Group
                | ElementKind::Tab
                | ElementKind::Anchor
                | ElementKind::Version
                | ElementKind::Language
        )
    )
}

fn check_count(
    cx: &mut Cx,
    at: &NodeRef<'_>,
    kind: Option<ElementKind>,
    owner: Option<ElementKind>,
) {
    if !needs_one(kind) || at.items().next().is_some() {
        return;
    }
    let code = if owner.is_none() { &EMPTY } else { &EMPTY_LIST };
    let message = format!("{} has no entries", at.name());
    cx.report(
        code,
        at,
        message,
        "add at least one entry or remove the key",
    );
}

fn pages(cx: &mut Cx, at: &NodeRef<'_>) -> Vec<PageEntry> {
    let mut entries = Vec::with_capacity(at.items().len());
    for at in at.items() {
        if at.is_string() {
            entries.extend(PageRef::decode(cx, &at).map(PageEntry::Page));
        } else if at.is_object() {
            let group = element(cx, &at, ElementKind::Group);
            entries.extend(group.map(|group| PageEntry::Group(Box::new(group))));
        } else {
            cx.type_mismatch(&at, "a string or an object");
        }
    }
    entries
}

fn elements(cx: &mut Cx, at: &NodeRef<'_>, kind: ElementKind) -> Vec<Element> {
    let mut decoded: Vec<Element> = Vec::with_capacity(at.items().len());
    let mut default = None;
    for at in at.items() {
        let Some(element) = element(cx, &at, kind) else {
            continue;
        };
        if element.default {
            match default {
                None => default = Some(at.tree.span),
                Some(first) => {
                    let message = format!(
                        "more than one entry of `{}` is the default",
                        kind.array_key()
                    );
                    cx.report(
                        &DUPLICATE_DEFAULT,
                        &at,
                        message,
                        "remove `default` from one; the first one is used",
                    );
                    cx.label(first, "the first one");
                    if let Some(fields) = at.fields() {
                        cx.fix_by_removing_key(&fields, "default");
                    }
                }
            }
        }
        decoded.push(element);
    }
    decoded
}

fn element(cx: &mut Cx, at: &NodeRef<'_>, kind: ElementKind) -> Option<Element> {
    if at.fields().is_some_and(|fields| fields.has("sourceRef")) {
        let message = "`sourceRef` is accepted but has no effect yet";
        cx.report(
            &UNSUPPORTED,
            at,
            message,
            "copy the pages into this repository to show them",
        );
        return None;
    }
    Element::decode(cx, at, kind)
}
