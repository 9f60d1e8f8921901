//! The blocks of an article: paragraphs, items, rows, lines of code. Two revisions of a page are
//! compared by them, and a page can number them, so that a script finds a block by its index.

use std::fmt::Write as _;

use crate::html::{Html, escape_into};
use crate::html_markdown::nodes::{Element, Node, parse};

/// Attributes that readers notice. Others are for scripts and styles, or depend on the rest of the
/// page.
const COMPARED_ATTRIBUTES: [&str; 12] = [
    "alt", "checked", "class", "colspan", "href", "open", "poster", "rowspan", "src", "start",
    "style", "title",
];
/// Maximum number of characters of the text of a block.
const MAX_TEXT_CHARS: usize = 160;

/// A block of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentBlock {
    /// Name of its element.
    pub tag: String,
    /// What is compared: the normalized markup of the block, without that of blocks in it, and the
    /// elements around it.
    pub key: String,
    /// Its text in one line, shortened.
    pub text: String,
}

/// The blocks of an article in document order. A block can contain others, as an item does that has
/// a list.
pub fn content_blocks(html: &Html) -> Vec<ContentBlock> {
    let mut blocks = Vec::new();
    walk(html, &mut |element, around| {
        let mut key = around.to_owned();
        open_tag(element, &mut key);
        let is_code = matches!(element.tag, "span" | "pre");
        let mut text = String::new();
        content(
            &element.children,
            is_atomic(element),
            is_code,
            &mut |part| match part {
                ContentPart::Tag(element) => open_tag(element, &mut key),
                ContentPart::End => key.push_str("</>"),
                ContentPart::Text(part) => {
                    escape_into(part, &mut key);
                    text.push_str(part);
                }
            },
        );
        blocks.push(ContentBlock {
            tag: element.tag.to_owned(),
            key,
            text: shorten(&text),
        });
    });
    blocks
}

/// The article with the index of each block of [`content_blocks`] in its attribute
/// `data-svc-block`.
pub(crate) fn number_blocks(html: &Html) -> Html {
    let text = html.as_str();
    let mut out = String::with_capacity(text.len() * 2);
    let (mut from, mut index) = (0, 0_usize);
    walk(html, &mut |element, _| {
        let end = element.name_end(text);
        out.push_str(text.get(from..end).unwrap_or(""));
        // Writing to a String cannot fail.
        let _ = write!(out, " data-svc-block=\"{index}\"");
        (from, index) = (end, index + 1);
    });
    out.push_str(text.get(from..).unwrap_or(""));
    Html::trusted(out)
}

/// Visits the blocks in document order, each with the elements around it.
fn walk(html: &Html, visit: &mut dyn FnMut(&Element<'_>, &str)) {
    let roots = parse(html.as_str(), "");
    let mut around = String::new();
    for node in &roots {
        if let Node::Element(element) = node {
            walk_element(element, &mut around, visit);
        }
    }
}

fn walk_element(
    element: &Element<'_>,
    around: &mut String,
    visit: &mut dyn FnMut(&Element<'_>, &str),
) {
    if is_ignored(element) {
        return;
    }
    let has_parts = !is_atomic(element) && element.child_elements().any(is_part);
    if !has_parts || has_own_content(&element.children) {
        visit(element, around);
    }
    if !has_parts {
        return;
    }
    let length = around.len();
    open_tag(element, around);
    for child in element.child_elements().filter(|child| is_part(child)) {
        walk_element(child, around, visit);
    }
    around.truncate(length);
}

/// Whether an element is, or contains, a block of its own.
fn is_part(element: &Element<'_>) -> bool {
    element.contains_blocks
        || element.is_block()
        || matches!(element.tag, "caption" | "tbody" | "tfoot" | "thead" | "tr")
        || is_code_line(element)
        || (element.tag == "code" && element.child_elements().any(is_code_line))
}

fn is_code_line(element: &Element<'_>) -> bool {
    element.tag == "span" && element.has_class("line")
}

/// Whether an element is one block with all that it contains.
fn is_atomic(element: &Element<'_>) -> bool {
    matches!(element.tag, "button" | "math" | "svc-island" | "svg" | "tr") || is_code_line(element)
}

/// Parts that follow from the rest of the page: the number of a step changes with the steps before.
fn is_ignored(element: &Element<'_>) -> bool {
    element.tag == "template" || element.has_class("svc-step-number")
}

/// Whether there is text, or something to see, outside of other blocks.
fn has_own_content(nodes: &[Node<'_>]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Text(text) => !text.trim().is_empty(),
        Node::Element(element) if is_part(element) => false,
        Node::Element(element) => {
            matches!(element.tag, "iframe" | "img" | "svg" | "video")
                || has_own_content(&element.children)
        }
    })
}

/// A part of the normalized content of a block.
enum ContentPart<'p> {
    Tag(&'p Element<'p>),
    End,
    Text(&'p str),
}

/// Visits the content of a block. `is_whole` is whether it includes other blocks, `is_code` whether
/// white space counts.
fn content(
    nodes: &[Node<'_>],
    is_whole: bool,
    is_code: bool,
    visit: &mut dyn FnMut(ContentPart<'_>),
) {
    for node in nodes {
        match node {
            Node::Text(text) if is_code => visit(ContentPart::Text(text)),
            Node::Text(text) => {
                let mut is_first = true;
                for word in text.split_whitespace() {
                    if !is_first || text.starts_with(char::is_whitespace) {
                        visit(ContentPart::Text(" "));
                    }
                    visit(ContentPart::Text(word));
                    is_first = false;
                }
                if text.ends_with(char::is_whitespace) && !is_first {
                    visit(ContentPart::Text(" "));
                }
            }
            Node::Element(element) if !is_whole && is_part(element) => {}
            Node::Element(element) if is_ignored(element) => {}
            Node::Element(element) => {
                visit(ContentPart::Tag(element));
                content(&element.children, is_whole, is_code, visit);
                visit(ContentPart::End);
            }
        }
    }
}

fn open_tag(element: &Element<'_>, out: &mut String) {
    out.push('<');
    out.push_str(element.tag);
    for name in COMPARED_ATTRIBUTES {
        let value = element.attribute(name);
        // Links within the page name headings, whose text is compared.
        if let Some(value) = value.filter(|value| !(name == "href" && value.starts_with('#'))) {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            escape_into(&value, out);
            out.push('"');
        }
    }
    out.push('>');
}

/// The text in one line, cut to the limit.
fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_TEXT_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("").trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(html: &str) -> Vec<String> {
        let blocks = content_blocks(&Html::trusted(html.to_owned()));
        blocks.into_iter().map(|block| block.text).collect()
    }

    fn keys(html: &str) -> Vec<String> {
        let blocks = content_blocks(&Html::trusted(html.to_owned()));
        blocks.into_iter().map(|block| block.key).collect()
    }

    #[test]
    fn paragraphs_items_rows_and_lines_of_code_are_blocks() {
        let html = "<p>One <b>two</b></p><ul><li>a<ul><li>b</li></ul></li></ul>\
            <div class=\"svc-table\"><table><thead><tr><th>H</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>\
            <pre><code><span class=\"line\">x</span>\n<span class=\"line\">y</span></code></pre><hr>\
            <div class=\"svc-callout\"><div class=\"svc-callout-body\">A note.</div></div>";
        assert_eq!(
            texts(html),
            ["One two", "a", "b", "H", "12", "x", "y", "", "A note."]
        );
    }

    #[test]
    fn keys_do_not_depend_on_ids_and_white_space() {
        let same = |left: &str, right: &str| keys(left) == keys(right);
        assert!(same(
            "<h2 id=\"a\"><a href=\"#a\">A  b</a></h2>",
            "<h2 id=\"c\"><a href=\"#c\">A\nb</a></h2>"
        ));
        assert!(same(
            "<div><div class=\"svc-step-number\">1</div><p>x</p></div>",
            "<div><div class=\"svc-step-number\">2</div><p>x</p></div>"
        ));
        for (left, right) in [
            ("<p>a b</p>", "<p>ab</p>"),
            ("<p>&lt;b&gt;</p>", "<p><b></b></p>"),
            ("<p><a href=\"/x\">a</a></p>", "<p><a href=\"/y\">a</a></p>"),
            ("<p>a</p>", "<blockquote><p>a</p></blockquote>"),
            (
                "<div class=\"a\"><p>a</p></div>",
                "<div class=\"b\"><p>a</p></div>",
            ),
            (
                "<pre><code>a b</code></pre>",
                "<pre><code>a  b</code></pre>",
            ),
        ] {
            assert!(!same(left, right), "{left} {right}");
        }
    }

    #[test]
    fn blocks_are_numbered_as_they_are_listed() {
        let html = "<p class=\"a\">x</p><ul>\n<li>a<ul><li>b</li></ul></li>\n</ul><hr>";
        let numbered = number_blocks(&Html::trusted(html.to_owned())).into_string();
        assert_eq!(
            numbered,
            "<p data-svc-block=\"0\" class=\"a\">x</p><ul>\n<li data-svc-block=\"1\">a<ul><li data-svc-block=\"2\">b</li></ul></li>\n</ul><hr data-svc-block=\"3\">"
        );
        assert_eq!(keys(&numbered), keys(html));
    }
}
