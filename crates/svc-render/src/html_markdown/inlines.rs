//! Inline content: text, emphasis, links, code.

use super::blocks;
use super::components::{self, InlineForm};
use super::nodes::{Element, Node};

/// Text in one line, with collapsed white space.
#[derive(Default)]
struct Line {
    out: String,
    /// Whether a space separates the next word.
    space: bool,
}

impl Line {
    fn append(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.space && !self.out.is_empty() && !self.out.ends_with(['\n', ' ']) {
            self.out.push(' ');
        }
        self.space = false;
        self.out.push_str(text);
    }

    /// Adds text with its white space collapsed.
    fn text(&mut self, text: &str) {
        let is_space = |c: char| c.is_whitespace() && c != '\u{a0}';
        self.space |= text.starts_with(is_space);
        let mut words = text.split(is_space).filter(|word| !word.is_empty());
        if let Some(first) = words.next() {
            self.append(&escape(first));
            for word in words {
                self.space = true;
                self.append(&escape(word));
            }
        }
        self.space |= text.ends_with(is_space);
    }

    /// Adds inline content between marks; spaces at its ends are moved out of them.
    fn marked(&mut self, start: &str, content: &Self, end: &str) {
        let text = content.out.trim();
        if text.is_empty() {
            self.space |= content.space;
            return;
        }
        self.append(&format!("{start}{text}{end}"));
        self.space |= content.space;
    }
}

/// Escapes what Markdown would read as markup inside of a word.
pub(super) fn escape(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        let escapes = match c {
            '*' | '`' | '[' | ']' => true,
            '<' => chars
                .peek()
                .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            _ => false,
        };
        if escapes {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Inline content as one line; only hard line breaks divide it.
pub(super) fn inline<'a, 'h: 'a>(nodes: impl IntoIterator<Item = &'a Node<'h>>) -> String {
    let mut line = Line::default();
    for node in nodes {
        push(node, &mut line);
    }
    let end = line.out.trim_end().trim_end_matches('\\').trim_end().len();
    line.out.truncate(end);
    line.out
}

fn push(node: &Node<'_>, line: &mut Line) {
    match node {
        Node::Text(text) => line.text(text),
        Node::Element(element) => push_element(element, line),
    }
}

fn push_element(element: &Element<'_>, line: &mut Line) {
    if components::is_hidden(element) {
        return;
    }
    match components::inline_form(element) {
        Some(InlineForm::Parentheses) => {
            line.space = true;
            let mut content = content(element);
            content.space = true;
            line.marked("(", &content, ")");
            return;
        }
        Some(InlineForm::Code) => {
            line.append(&code(&element.text()));
            return;
        }
        Some(InlineForm::Content) => {
            element.children.iter().for_each(|node| push(node, line));
            return;
        }
        None => {}
    }
    match element.tag {
        "strong" | "b" => line.marked("**", &content(element), "**"),
        "em" | "i" | "cite" | "dfn" => line.marked("*", &content(element), "*"),
        "del" | "s" => line.marked("~~", &content(element), "~~"),
        "sup" => line.marked("<sup>", &content(element), "</sup>"),
        "sub" => line.marked("<sub>", &content(element), "</sub>"),
        "code" | "kbd" | "samp" => line.append(&code(&element.text())),
        "br" => line.append("\\\n"),
        "img" => line.append(&image(element)),
        "math" => line.append(&formula(element, "$")),
        "a" => link(element, line),
        "input" => line.append(match element.has("checked") {
            true => "[x]",
            false => "[ ]",
        }),
        "iframe" | "video" | "audio" => line.append(&media(element)),
        _ => {
            // Block content between words is a part of the line.
            let is_block = element.is_block();
            line.space |= is_block;
            element.children.iter().for_each(|node| push(node, line));
            line.space |= is_block;
        }
    }
}

fn content(element: &Element<'_>) -> Line {
    let mut line = Line::default();
    element
        .children
        .iter()
        .for_each(|node| push(node, &mut line));
    line
}

fn link(element: &Element<'_>, line: &mut Line) {
    let content = content(element);
    let href = element.url("href").unwrap_or_default();
    if href.is_empty() {
        line.marked("", &content, "");
        return;
    }
    line.marked("[", &content, &format!("]({})", destination(&href)));
}

/// A URL as the destination of a link.
pub(super) fn destination(url: &str) -> String {
    match url.contains([' ', '(', ')']) {
        true => format!("<{}>", url.replace(['<', '>'], "")),
        false => url.to_owned(),
    }
}

pub(super) fn image(element: &Element<'_>) -> String {
    let alt = element.attribute("alt").unwrap_or_default();
    let Some(src) = element.url("src") else {
        return String::new();
    };
    if src.starts_with("data:") {
        return alt.into_owned();
    }
    let alt: Vec<&str> = alt.split_whitespace().collect();
    format!("![{}]({})", escape(&alt.join(" ")), destination(&src))
}

/// A player or frame as a link.
fn media(element: &Element<'_>) -> String {
    let source = element.find(&|child| child.tag == "source");
    let src = element.url("src");
    let src = src.or_else(|| source.and_then(|source| source.url("src")));
    let label = match element.tag {
        "video" => "Video",
        "audio" => "Audio",
        _ => "Embedded page",
    };
    let title = element
        .attribute("title")
        .or_else(|| element.attribute("aria-label"));
    let title = title.filter(|title| !title.trim().is_empty());
    let title = title.map_or_else(|| label.to_owned(), |title| format!("{label}: {title}"));
    src.map(|src| format!("[{}]({})", escape(&title), destination(&src)))
        .unwrap_or_default()
}

/// Text as a code span.
pub(super) fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(blocks::max_run(&text, '`') + 1);
    match text.starts_with('`') || text.ends_with('`') {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

/// The LaTeX source of a formula between marks.
pub(super) fn formula(element: &Element<'_>, mark: &str) -> String {
    let source = element.find(&|child| child.tag == "annotation");
    let source = source.map_or_else(|| element.text(), Element::text);
    format!("{mark}{}{mark}", source.trim())
}
