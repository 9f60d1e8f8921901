//! Anchors of pages in their source.

use std::ops::Range;

use svc_diagnostics::Span;
use svc_mdx::{AttributeValue, Kind, Node, Options, parse, plain_text, walk};
use svc_source::heading_id;

/// Attributes whose text becomes the anchor of a component.
const TITLES: [&str; 2] = ["title", "label"];

/// The span of the heading or component that an anchor refers to. `None` if the source has none, for
/// example because a snippet contains it.
pub(crate) fn anchor_span(text: &str, anchor: &str) -> Option<Span> {
    let document = parse(text, &Options::default()).value;
    let (mut exact, mut numbered) = (None, None);
    // The second heading with the same text ends in `-2`.
    let (base, number) = match anchor.rsplit_once('-') {
        Some((base, number)) => (base, number.parse().unwrap_or(1)),
        None => (anchor, 1),
    };
    let mut same = 0_usize;
    walk(&document.children, |node, _| {
        let id = match &node.kind {
            Kind::Heading { id, children, .. } => {
                let id = id.as_deref().map(str::to_owned);
                Some(id.unwrap_or_else(|| heading_id(&plain_text(children))))
            }
            Kind::Element(element) => {
                let text = |name: &&str| match element.attribute(name) {
                    Some(AttributeValue::String(text)) => Some(text.to_string()),
                    _ => None,
                };
                text(&"id").or_else(|| TITLES.iter().find_map(text).map(|title| heading_id(&title)))
            }
            _ => None,
        };
        if let Some(id) = id {
            if id == anchor {
                exact = exact.or(Some(node.span));
            } else if id == base {
                same += 1;
                if same == number {
                    numbered = Some(node.span);
                }
            }
        }
        exact.is_none()
    });
    exact.or(numbered).map(|span| {
        let inside = text.get(span.range()).unwrap_or_default();
        let line = inside.lines().next().map_or(0, str::len);
        Span::from_range(span.range().start..span.range().start + line)
    })
}

/// A heading of a page.
pub(crate) struct HeadingText {
    /// Its text, without the marks and an anchor of its own.
    pub(crate) range: Range<usize>,
    /// The anchor that its text gives it; `None` if it has one of its own.
    pub(crate) anchor: Option<String>,
}

/// The anchor of the heading on the line that contains an offset.
pub(crate) fn anchor_at(text: &str, offset: usize) -> Option<String> {
    let document = parse(text, &Options::default()).value;
    let heading = find_heading(&document.children, offset)?;
    let Kind::Heading { id, children, .. } = &heading.kind else {
        return None;
    };
    let id = id.as_deref().map(str::to_owned);
    Some(id.unwrap_or_else(|| heading_id(&plain_text(children))))
}

/// The heading on the line that contains an offset.
pub(crate) fn heading_at(text: &str, offset: usize) -> Option<HeadingText> {
    let document = parse(text, &Options::default()).value;
    let heading = find_heading(&document.children, offset)?;
    let Kind::Heading { id, children, .. } = &heading.kind else {
        return None;
    };
    let (first, last) = (children.first()?, children.last()?);
    let range = first.span.range().start..last.span.range().end;
    let inside = text.get(range.clone())?;
    let end = match (id, inside.rfind("{#")) {
        (Some(_), Some(at)) => at,
        _ => inside.len(),
    };
    let length = inside.get(..end)?.trim_end().len();
    Some(HeadingText {
        range: range.start..range.start + length,
        anchor: id.is_none().then(|| heading_id(&plain_text(children))),
    })
}

fn find_heading(nodes: &[Node], offset: usize) -> Option<&Node> {
    let mut found = None;
    walk(nodes, |node, _| {
        let range = node.span.range();
        if !(range.start <= offset && offset <= range.end) || found.is_some() {
            return false;
        }
        if matches!(node.kind, Kind::Heading { .. }) {
            found = Some(node);
        }
        true
    });
    found
}

/// The anchors of all headings of a page, in order, without the numbers of equal ones.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let document = parse(text, &Options::default()).value;
    let mut out = Vec::new();
    walk(&document.children, |node, _| {
        if let Kind::Heading { id, children, .. } = &node.kind {
            let id = id.as_deref().map(str::to_owned);
            out.push(id.unwrap_or_else(|| heading_id(&plain_text(children))));
        }
        true
    });
    out
}

/// The anchor of a heading with this text.
pub(crate) fn slug(heading: &str) -> String {
    let text = format!("## {heading}\n");
    anchors(&text).into_iter().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_headings_ids_and_titles() {
        let text = "## Set up\n\n<Tab title=\"On Linux\">x</Tab>\n\n## Other {#own}\n\n## Set up\n";
        let line = |anchor: &str| anchor_span(text, anchor).map(|span| &text[span.range()]);
        assert_eq!(line("set-up"), Some("## Set up"));
        assert_eq!(
            anchor_span(text, "set-up-2").map(|span| span.start),
            Some(59)
        );
        assert_eq!(line("own"), Some("## Other {#own}"));
        assert!(line("on-linux").is_some_and(|line| line.starts_with("<Tab")));
        assert_eq!(line("none"), None);
        assert_eq!(anchor_at(text, 4).as_deref(), Some("set-up"));
        assert_eq!(anchor_at(text, 12), None);
    }
}
