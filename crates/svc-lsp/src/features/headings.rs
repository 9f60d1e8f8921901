//! Anchors of pages in their source.

use svc_diagnostics::Span;
use svc_mdx::{AttributeValue, Kind, Options, parse, plain_text, walk};
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

/// The anchor of the heading on the line that contains an offset.
pub(crate) fn anchor_at(text: &str, offset: usize) -> Option<String> {
    let document = parse(text, &Options::default()).value;
    let mut anchor = None;
    walk(&document.children, |node, _| {
        let range = node.span.range();
        if !(range.start <= offset && offset <= range.end) || anchor.is_some() {
            return false;
        }
        if let Kind::Heading { id, children, .. } = &node.kind {
            let id = id.as_deref().map(str::to_owned);
            anchor = Some(id.unwrap_or_else(|| heading_id(&plain_text(children))));
        }
        true
    });
    anchor
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
