//! What a drawing would cost, before it is drawn.
//!
//! A few lines of SVG can ask for a billion shapes: an element that uses two copies of another that
//! uses two copies of a third. The number of shapes is counted with every reference followed, each
//! element only once.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{Document, Node, NodeId};

/// Elements inside each other, references followed.
const DEPTH: usize = 100;
/// What one filter costs, in elements: it touches every point of the picture several times.
const FILTER: u64 = 400;

/// The number of elements that drawing touches; `None` when references go in circles or too deep.
pub(crate) fn cost(document: &Document<'_>) -> Option<u64> {
    let mut ids: HashMap<&str, NodeId> = HashMap::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_insert_with(|| node.id());
        }
        // A rule may apply anywhere, so references in style sheets cannot be counted.
        if node.has_tag_name((SVG, "style")) && node.text().is_some_and(|css| css.contains("url("))
        {
            return None;
        }
    }
    let mut counter = Counter {
        document,
        ids: &ids,
        known: HashMap::new(),
    };
    counter.count(document.root_element(), 0)
}

const SVG: &str = "http://www.w3.org/2000/svg";

struct Counter<'a, 'd> {
    document: &'a Document<'d>,
    ids: &'a HashMap<&'a str, NodeId>,
    /// `None` while an element is being counted.
    known: HashMap<NodeId, Option<u64>>,
}

impl Counter<'_, '_> {
    fn count(&mut self, node: Node<'_, '_>, depth: usize) -> Option<u64> {
        if let Some(known) = self.known.get(&node.id()) {
            return *known;
        }
        if depth > DEPTH {
            return None;
        }
        self.known.insert(node.id(), None);
        let mut sum: u64 = 1;
        for attribute in node.attributes() {
            let value = attribute.value();
            let target = match attribute.name() {
                "href" => value.trim().strip_prefix('#'),
                _ => value
                    .split_once("url(")
                    .and_then(|(_, rest)| rest.split_once(')'))
                    .and_then(|(inside, _)| {
                        inside.trim().trim_matches(['"', '\'']).strip_prefix('#')
                    }),
            };
            let Some(target) = target.and_then(|id| self.ids.get(id)) else {
                continue;
            };
            if attribute.name() == "filter" || value.contains("filter") {
                sum = sum.saturating_add(FILTER);
            }
            let target = self.document.get_node(*target)?;
            sum = sum.saturating_add(self.count(target, depth + 1)?);
        }
        for child in node.children().filter(Node::is_element) {
            sum = sum.saturating_add(self.count(child, depth + 1)?);
        }
        self.known.insert(node.id(), Some(sum));
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(svg: &str) -> Option<u64> {
        cost(&Document::parse(svg).expect("it is XML"))
    }

    #[test]
    fn references_count_as_often_as_they_are_drawn() {
        let mut svg =
            String::from("<svg xmlns='http://www.w3.org/2000/svg'><g id='a0'><rect/></g>");
        for level in 1..30 {
            let below = level - 1;
            svg.push_str(&format!("<g id='a{level}'>"));
            svg.push_str(&format!(
                "<use href='#a{below}'/><use href='#a{below}'/></g>"
            ));
        }
        svg.push_str("</svg>");
        assert!(of(&svg).is_some_and(|cost| cost > 1 << 30));
    }

    #[test]
    fn circles_and_references_of_style_sheets_are_refused() {
        let svg = |inside: &str| of(&format!("<svg xmlns='{SVG}'>{inside}</svg>"));
        assert_eq!(svg("<g id='a'><use href='#a'/></g>"), None);
        assert_eq!(
            svg("<pattern id='p'><rect fill='url(#p)'/></pattern><rect fill='url(#p)'/>"),
            None
        );
        assert_eq!(svg("<style>rect{fill:url(#p)}</style>"), None);
        assert_eq!(svg("<rect fill='url(#missing)'/>"), Some(2));
        let deep = format!("{}{}", "<g>".repeat(200), "</g>".repeat(200));
        assert_eq!(svg(&deep), None);
    }
}
