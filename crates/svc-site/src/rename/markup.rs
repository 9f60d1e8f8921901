//! References in pages and snippets.

use std::ops::Range;

use svc_diagnostics::{SourceFile, Span};
use svc_mdx::{AttributeKind, AttributeValue, Element, FrontMatterKind, Kind, Node, Options, walk};

use super::edits::Edit;
use super::resolver::Resolver;
use super::{data, script, urls};

/// Attributes whose value is the path of a page. Others can only name files.
const LINKS: [&str; 8] = [
    "href",
    "src",
    "to",
    "url",
    "link",
    "cite",
    "action",
    "xlink:href",
];

/// The edits of a page or snippet.
pub(super) fn edits(resolver: &Resolver<'_>, file: &SourceFile) -> Vec<Edit> {
    let (from, text) = (&**file.path(), &**file.text());
    let document = svc_mdx::parse(text, &Options::default()).value;
    let mut edits = Vec::new();
    if let Some(front) = &document.front_matter {
        let is_toml = front.kind == FrontMatterKind::Toml;
        edits.extend(data::front_matter(
            resolver,
            from,
            &front.text,
            is_toml,
            front.value.range().start,
        ));
    }
    walk(&document.children, |node, _| {
        edits.extend(of_node(resolver, from, text, node));
        true
    });
    edits
}

fn of_node(resolver: &Resolver<'_>, from: &str, text: &str, node: &Node) -> Vec<Edit> {
    let destination = |url: &str, at: usize| -> Vec<Edit> {
        let new = resolver.reference(from, url);
        let range = new.as_ref().and_then(|_| destination(text, at, node.span));
        new.zip(range)
            .map(|(text, range)| Edit { range, text })
            .into_iter()
            .collect()
    };
    match &node.kind {
        Kind::Link { url, children, .. } => {
            let end = children
                .last()
                .map_or(node.span.start + 1, |last| last.span.end);
            destination(url, end as usize)
        }
        Kind::Image { url, alt, .. } => {
            let start = node.span.start as usize + 2;
            // The alternative text may have escapes, so that its length is not known.
            let plain = text.get(start..start + alt.len()) == Some(alt);
            destination(url, if plain { start + alt.len() } else { start })
        }
        Kind::Definition { url, .. } => definition(resolver, from, text, url, node.span),
        Kind::Element(element) => of_element(resolver, from, text, element),
        Kind::Esm(_) | Kind::Expression { .. } => {
            let mut range = node.span.range();
            if matches!(node.kind, Kind::Expression { .. }) {
                range = range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
            }
            script::edits(resolver, from, text, range)
        }
        _ => Vec::new(),
    }
}

/// The range of the destination of a link or image, whose text ends at or after `at`.
fn destination(text: &str, at: usize, span: Span) -> Option<Range<usize>> {
    let end = span.range().end;
    let opening = at + text.get(at..end)?.find("](")? + 2;
    bare_destination(text, opening, end)
}

/// The range of a destination that begins at `at` or after white space.
fn bare_destination(text: &str, at: usize, end: usize) -> Option<Range<usize>> {
    let rest = text.get(at..end)?;
    let start = at + rest.len() - rest.trim_start().len();
    let rest = text.get(start..end)?;
    if let Some(inside) = rest.strip_prefix('<') {
        return Some(start + 1..start + 1 + inside.find('>')?);
    }
    let mut depth = 0_usize;
    let mut escaped = false;
    for (offset, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' if depth == 0 => return Some(start..start + offset),
            ')' => depth -= 1,
            c if c.is_whitespace() => return Some(start..start + offset),
            _ => {}
        }
    }
    Some(start..end)
}

fn definition(resolver: &Resolver<'_>, from: &str, text: &str, url: &str, span: Span) -> Vec<Edit> {
    let edit = || {
        let new = resolver.reference(from, url)?;
        let range = span.range();
        let at = range.start + text.get(range.clone())?.find("]:")? + 2;
        let range = bare_destination(text, at, range.end)?;
        Some(Edit { range, text: new })
    };
    edit().into_iter().collect()
}

fn of_element(resolver: &Resolver<'_>, from: &str, text: &str, element: &Element) -> Vec<Edit> {
    let mut edits = Vec::new();
    for attribute in &element.attributes {
        match &attribute.kind {
            AttributeKind::Named {
                name,
                value: AttributeValue::String(value),
            } => {
                let Some(range) = quoted(text, attribute.span) else {
                    continue;
                };
                if &**name == "srcset" || &**name == "srcSet" {
                    edits.extend(source_set(resolver, from, text, range));
                    continue;
                }
                if &**name == "style" {
                    edits.extend(urls::edits(resolver, from, text, range));
                    continue;
                }
                let is_snippet = element.name.as_deref() == Some("Snippet") && &**name == "file";
                let new = if is_snippet {
                    resolver.snippet(value)
                } else if LINKS.contains(&&**name) {
                    resolver.reference(from, value)
                } else if value.contains(['/', '.']) {
                    resolver.file_reference(from, value)
                } else {
                    None
                };
                edits.extend(new.map(|text| Edit { range, text }));
            }
            AttributeKind::Named {
                value: AttributeValue::Expression { span, .. },
                ..
            } => edits.extend(script::edits(resolver, from, text, span.range())),
            AttributeKind::Spread(_) => {
                let range = attribute.span.range();
                let range = range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
                edits.extend(script::edits(resolver, from, text, range));
            }
            AttributeKind::Named { .. } => {}
        }
    }
    edits
}

/// The range of the value between the quotes of an attribute.
fn quoted(text: &str, span: Span) -> Option<Range<usize>> {
    let range = span.range();
    let raw = text.get(range.clone())?;
    let quote = raw.find(['"', '\''])?;
    let mark = raw.get(quote..)?.chars().next()?;
    let end = raw.rfind(mark).filter(|end| *end > quote)?;
    Some(range.start + quote + 1..range.start + end)
}

fn source_set(resolver: &Resolver<'_>, from: &str, text: &str, range: Range<usize>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut at = range.start;
    for part in text.get(range).unwrap_or_default().split(',') {
        let start = at + part.len() - part.trim_start().len();
        let url = part.split_whitespace().next().unwrap_or_default();
        edits.extend(resolver.file_reference(from, url).map(|text| Edit {
            range: start..start + url.len(),
            text,
        }));
        at += part.len() + 1;
    }
    edits
}
