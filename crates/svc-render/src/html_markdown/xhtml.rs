//! Rendered HTML as static XHTML, for books: EPUB and PDF.
//!
//! The result contains only elements and attributes that this module writes, and only where the
//! content model of XHTML allows them, whatever the markup of a page contains.

use std::collections::HashSet;

use super::components;
use super::nodes::{self, Element, Node};
use crate::formula;
use crate::html::{Html, escape_into};

/// A part of the static XHTML of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookPart {
    /// Markup.
    Markup(String),
    /// The start of a link to this URL; [`BookPart::LinkEnd`] follows.
    LinkStart(String),
    /// The end of a link.
    LinkEnd,
    /// An image.
    Image {
        /// URL of the image; a `data:` URL for diagrams.
        src: String,
        /// Alternative text.
        alt: String,
    },
}

/// The static XHTML of an article and its ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookArticle {
    /// The markup; links and images are separate, because their targets are not known here.
    pub parts: Vec<BookPart>,
    /// The ids in the markup, without the prefix.
    pub ids: HashSet<String>,
}

/// Converts an article to static XHTML: panels one after the other, details open, without controls.
/// `prefix` is written before all ids; it begins with a letter.
pub fn html_to_book(html: &Html, prefix: &str) -> BookArticle {
    let nodes = nodes::parse(html.as_str(), "");
    let mut writer = Writer {
        prefix,
        out: BookArticle::default(),
        text: String::new(),
        in_link: false,
    };
    writer.nodes(&nodes, Model::Flow);
    writer.flush();
    writer.out
}

/// An id of a page as an XML name. Different ids give different names.
pub fn book_id(prefix: &str, id: &str) -> String {
    let mut out = String::from(prefix);
    for c in id.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' => out.push(c),
            _ => out.push_str(&format!("_{:x}_", u32::from(c))),
        }
    }
    out
}

/// Text in XHTML: escaped, without the characters that XML forbids.
pub fn book_text(text: &str) -> String {
    let clean: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect();
    let mut out = String::with_capacity(clean.len());
    escape_into(&clean, &mut out);
    out
}

/// What an element may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Model {
    /// Blocks and text.
    Flow,
    /// Text only.
    Phrasing,
}

struct Writer<'a> {
    prefix: &'a str,
    out: BookArticle,
    text: String,
    in_link: bool,
}

impl Writer<'_> {
    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.out.parts.push(BookPart::Markup(text));
        }
    }

    fn part(&mut self, part: BookPart) {
        self.flush();
        self.out.parts.push(part);
    }

    fn escaped(&mut self, text: &str) {
        self.text.push_str(&book_text(text));
    }

    fn nodes(&mut self, nodes: &[Node<'_>], model: Model) {
        for node in nodes {
            match node {
                Node::Text(text) => self.escaped(text),
                Node::Element(element) => self.element(element, model),
            }
        }
    }

    fn start(&mut self, tag: &str, element: &Element<'_>) {
        self.text.push('<');
        self.text.push_str(tag);
        self.identity(element);
        self.text.push('>');
    }

    fn end(&mut self, tag: &str) {
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
    }

    /// Writes the id, unless the article already has it, and the classes.
    fn identity(&mut self, element: &Element<'_>) {
        if let Some(id) = element.attribute("id").filter(|id| !id.is_empty())
            && self.out.ids.insert(id.to_string())
        {
            let id = book_id(self.prefix, &id);
            self.attribute("id", &id);
        }
        let classes: Vec<&str> = element.classes().collect();
        if !classes.is_empty() {
            self.attribute("class", &classes.join(" "));
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        self.escaped(value);
        self.text.push('"');
    }

    fn wrapped(&mut self, tag: &str, element: &Element<'_>, inside: Model) {
        self.start(tag, element);
        self.nodes(&element.children, inside);
        self.end(tag);
    }

    fn element(&mut self, element: &Element<'_>, model: Model) {
        let is_dark_only = element.has_class("hidden");
        if is_dark_only || components::is_hidden(element) {
            return;
        }
        if element.has("data-svc-panels") && model == Model::Flow {
            self.panels(element);
            return;
        }
        if element.has_class("svc-tooltip-tip") {
            self.text.push_str(" (");
            self.nodes(&element.children, Model::Phrasing);
            self.text.push(')');
            return;
        }
        if element.has_class("svc-anchor") {
            self.nodes(&element.children, model);
            return;
        }
        let has_blocks = element.is_block() || element.contains_blocks;
        match element.tag {
            "br" => self.text.push_str("<br/>"),
            "wbr" => self.text.push_str("<wbr/>"),
            "img" => self.image(element),
            "input" => {
                let mark = if element.has("checked") { "☑" } else { "☐" };
                self.text.push_str(mark);
            }
            "a" => self.link(element, model),
            "math" => self.formula(element),
            "iframe" | "video" | "audio" | "object" | "embed" => self.media(element),
            "pre" if model == Model::Flow => self.wrapped("pre", element, Model::Phrasing),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if model == Model::Flow => {
                self.wrapped(element.tag, element, Model::Phrasing);
            }
            "p" if model == Model::Flow && !element.contains_blocks => {
                self.wrapped("p", element, Model::Phrasing);
            }
            "hr" if model == Model::Flow => self.text.push_str("<hr/>"),
            "blockquote" if model == Model::Flow => {
                self.wrapped("blockquote", element, Model::Flow);
            }
            "ul" | "ol" if model == Model::Flow => self.list(element),
            "table" if model == Model::Flow => self.table(element),
            "b" | "cite" | "code" | "del" | "dfn" | "em" | "i" | "ins" | "kbd" | "mark" | "q"
            | "s" | "samp" | "small" | "strong" | "sub" | "sup" | "u" | "var"
                if !has_blocks || model == Model::Phrasing =>
            {
                self.wrapped(element.tag, element, Model::Phrasing);
            }
            _ if has_blocks && model == Model::Flow => self.wrapped("div", element, Model::Flow),
            _ => self.wrapped("span", element, Model::Phrasing),
        }
    }

    fn panels(&mut self, element: &Element<'_>) {
        self.start("div", element);
        let panels = element.child_elements();
        for panel in panels.filter(|child| child.has_class("svc-panels-panel")) {
            let title = panel.attribute("data-title").unwrap_or_default();
            if !title.trim().is_empty() {
                self.text.push_str("<p class=\"panel-title\">");
                self.escaped(title.trim());
                self.text.push_str("</p>");
            }
            self.wrapped("div", panel, Model::Flow);
        }
        self.end("div");
    }

    fn list(&mut self, element: &Element<'_>) {
        self.start(element.tag, element);
        for node in &element.children {
            match node {
                Node::Text(text) if text.trim().is_empty() => {}
                Node::Element(item) if item.tag == "li" => {
                    if !components::is_hidden(item) {
                        self.wrapped("li", item, Model::Flow);
                    }
                }
                other => {
                    self.text.push_str("<li>");
                    self.nodes(std::slice::from_ref(other), Model::Flow);
                    self.end("li");
                }
            }
        }
        self.end(element.tag);
    }

    fn table(&mut self, element: &Element<'_>) {
        let mut rows = Vec::new();
        rows_of(element, false, &mut rows);
        self.start("table", element);
        for is_head in [true, false] {
            let group = if is_head { "thead" } else { "tbody" };
            let mut part = rows.iter().filter(|(head, _)| *head == is_head).peekable();
            if part.peek().is_none() {
                continue;
            }
            self.text.push_str(&format!("<{group}>"));
            for (_, row) in part {
                self.start("tr", row);
                let cells = row.child_elements();
                for cell in cells.filter(|cell| matches!(cell.tag, "td" | "th")) {
                    self.text.push_str(&format!("<{}", cell.tag));
                    self.identity(cell);
                    for name in ["colspan", "rowspan"] {
                        let value = cell.attribute(name).and_then(|value| value.parse().ok());
                        if let Some(value) = value.filter(|value: &u16| (1..=1000).contains(value))
                        {
                            self.attribute(name, &value.to_string());
                        }
                    }
                    self.text.push('>');
                    self.nodes(&cell.children, Model::Flow);
                    self.end(cell.tag);
                }
                self.end("tr");
            }
            self.end(group);
        }
        self.end("table");
    }

    fn link(&mut self, element: &Element<'_>, model: Model) {
        let href = element.attribute("href").unwrap_or_default();
        if self.in_link || href.is_empty() {
            self.nodes(&element.children, model);
            return;
        }
        self.part(BookPart::LinkStart(href.into_owned()));
        self.in_link = true;
        self.nodes(&element.children, model);
        self.in_link = false;
        self.part(BookPart::LinkEnd);
    }

    fn image(&mut self, element: &Element<'_>) {
        let alt = element.attribute("alt").unwrap_or_default().into_owned();
        let src = element.attribute("src").unwrap_or_default().into_owned();
        match src.is_empty() {
            true => self.escaped(&alt),
            false => self.part(BookPart::Image { src, alt }),
        }
    }

    /// A formula as MathML, or its source if it contains other elements.
    fn formula(&mut self, element: &Element<'_>) {
        if is_formula(element) {
            self.mathml(element);
            return;
        }
        let source = element.find(&|child| child.tag == "annotation");
        let source = source.map_or_else(|| element.text(), Element::text);
        self.text.push_str("<code class=\"formula\">");
        self.escaped(source.trim());
        self.text.push_str("</code>");
    }

    fn mathml(&mut self, element: &Element<'_>) {
        let is_token = matches!(element.tag, "mi" | "mn" | "mo" | "mtext");
        // Tokens contain text only, in the schema that programs check.
        let is_row = is_token && element.child_elements().next().is_some();
        let tag = if is_row { "mrow" } else { element.tag };
        self.text.push('<');
        self.text.push_str(tag);
        if tag == "math" {
            self.attribute("xmlns", "http://www.w3.org/1998/Math/MathML");
        }
        let names = formula::attributes_of(tag).into_iter().flatten();
        for name in names.filter(|name| *name != "xmlns") {
            let value = element.attribute(name);
            if let Some(value) = value.filter(|value| is_plain_value(value)) {
                self.attribute(name, &value);
            }
        }
        self.text.push('>');
        for node in &element.children {
            match node {
                Node::Text(text) if !is_row => self.escaped(text),
                Node::Text(text) if text.trim().is_empty() => {}
                Node::Text(text) => {
                    self.text.push_str("<mtext>");
                    self.escaped(text);
                    self.end("mtext");
                }
                Node::Element(child) => self.mathml(child),
            }
        }
        self.end(tag);
    }

    /// A player or frame as a link.
    fn media(&mut self, element: &Element<'_>) {
        let source = element.find(&|child| child.tag == "source");
        let src = element.attribute("src");
        let src = src.or_else(|| source.and_then(|source| source.attribute("src")));
        let Some(src) = src.filter(|_| !self.in_link) else {
            return;
        };
        let title = element.attribute("title").unwrap_or_default();
        let label = if title.trim().is_empty() {
            src.clone()
        } else {
            title
        };
        self.part(BookPart::LinkStart(src.clone().into_owned()));
        self.escaped(&label);
        self.part(BookPart::LinkEnd);
    }
}

/// Whether an element and its descendants are those of formulas.
fn is_formula(element: &Element<'_>) -> bool {
    formula::attributes_of(element.tag).is_some() && element.child_elements().all(is_formula)
}

/// Whether a value has only names, numbers and units, so that it cannot load anything.
fn is_plain_value(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" #%-+./:;".contains(&byte);
    !value.is_empty() && value.bytes().all(is_plain)
}

/// The rows of a table with whether they are in its head, without those of nested tables.
fn rows_of<'e, 'h>(
    element: &'e Element<'h>,
    in_head: bool,
    out: &mut Vec<(bool, &'e Element<'h>)>,
) {
    for child in element.child_elements() {
        match child.tag {
            "tr" => out.push((in_head, child)),
            "table" => {}
            _ => rows_of(child, in_head || child.tag == "thead", out),
        }
    }
}
