//! Opening tags: one space between attributes, and values in double quotes.

use std::ops::Range;

use crate::{Attribute, AttributeKind, AttributeValue, Element, Kind, walk};

use super::{Change, Page, page::is_blank};

/// Normalizes the white space on the lines of opening tags, and the quotes of their attributes.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    walk(&page.document.children, |node, _| {
        if let Kind::Element(element) = &node.kind {
            changes.extend(tag(page, element));
        }
        true
    });
    changes
}

fn tag(page: &Page<'_>, element: &Element) -> Option<Change> {
    element.name.as_deref()?;
    let mut change = Change::default();
    let mut end = element.name_span.range().end;
    for attribute in &element.attributes {
        let range = attribute.span.range();
        // White space with a line ending is the indentation of the attribute.
        let gap = end..range.start;
        if !gap.is_empty() && is_blank(page.slice(gap.clone())) {
            change = change.and(gap, " ");
        }
        if let Some(new) = value(page.slice(range.clone()), attribute) {
            change = change.and(range.clone(), new);
        }
        end = range.end;
    }
    let close = tag_end(page, end);
    let before = match page.slice(close.clone()) {
        "/>" => " ",
        _ => "",
    };
    let gap = end..close.start;
    if is_blank(page.slice(gap.clone())) {
        change = change.and(gap, before);
    }
    change.of(page.text)
}

/// The range of `>` or `/>` after the last attribute.
pub(super) fn tag_end(page: &Page<'_>, end: usize) -> Range<usize> {
    let rest = page.slice(end..page.text.len());
    let start = page.text.len() - rest.trim_start().len();
    match page.slice(start..page.text.len()) {
        rest if rest.starts_with("/>") => start..start + 2,
        rest if rest.starts_with('>') => start..start + 1,
        _ => end..end,
    }
}

/// The text of an attribute without spaces around `=`, and a string in double quotes; `None` for an
/// attribute without value.
fn value(text: &str, attribute: &Attribute) -> Option<String> {
    match &attribute.kind {
        AttributeKind::Named {
            value: AttributeValue::String(_) | AttributeValue::Expression { .. },
            ..
        } => {}
        AttributeKind::Named { .. } | AttributeKind::Spread(_) => return None,
    }
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim_end(), value.trim_start());
    let inner = value
        .strip_prefix('\'')
        .and_then(|value| value.strip_suffix('\''));
    match inner.filter(|inner| !inner.contains('"')) {
        Some(inner) => Some(format!("{name}=\"{inner}\"")),
        None => Some(format!("{name}={value}")),
    }
}
