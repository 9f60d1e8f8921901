//! Renders a tree as the HTML of the specifications. MDX is not supported: elements and expressions
//! become a text that no example expects.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use svc_mdx::{Align, Document, Kind, Node, walk};

/// Renders a document.
pub(crate) fn print(document: &Document) -> String {
    let mut printer = Printer::default();
    walk(&document.children, |node, _| {
        if let Kind::Definition {
            identifier,
            url,
            title,
        } = &node.kind
        {
            let key = identifier.to_uppercase();
            let target = (url.to_string(), title.as_deref().map(str::to_owned));
            printer.definitions.entry(key).or_insert(target);
        }
        true
    });
    printer.blocks(&document.children, false);
    printer.out
}

#[derive(Default)]
struct Printer {
    out: String,
    definitions: BTreeMap<String, (String, Option<String>)>,
    footnotes: Vec<String>,
}

impl Printer {
    fn fresh_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn wrap(&mut self, open: &str, children: &[Node], close: &str) {
        self.out.push_str(open);
        self.inlines(children);
        self.out.push_str(close);
    }

    fn blocks(&mut self, nodes: &[Node], tight: bool) {
        for node in nodes {
            self.block(node, tight);
        }
    }

    fn block(&mut self, node: &Node, tight: bool) {
        match &node.kind {
            Kind::Paragraph(children) if tight => self.inlines(children),
            Kind::Paragraph(children) => {
                self.fresh_line();
                self.wrap("<p>", children, "</p>\n");
            }
            Kind::Heading {
                depth, children, ..
            } => {
                self.fresh_line();
                self.wrap(&format!("<h{depth}>"), children, &format!("</h{depth}>\n"));
            }
            Kind::ThematicBreak => {
                self.fresh_line();
                self.out.push_str("<hr />\n");
            }
            Kind::Blockquote(children) => {
                self.fresh_line();
                self.out.push_str("<blockquote>\n");
                self.blocks(children, false);
                self.fresh_line();
                self.out.push_str("</blockquote>\n");
            }
            Kind::List {
                ordered,
                start,
                spread,
                children,
            } => self.list(*ordered, start.unwrap_or(1), *spread, children),
            Kind::Code { lang, value, .. } => {
                self.fresh_line();
                self.out.push_str("<pre><code");
                if let Some(lang) = lang {
                    self.attribute("class", &format!("language-{lang}"));
                }
                self.out.push('>');
                self.escaped(value);
                self.out.push_str(if value.is_empty() { "" } else { "\n" });
                self.out.push_str("</code></pre>\n");
            }
            Kind::Definition { .. } => {}
            Kind::FootnoteDefinition {
                identifier,
                children,
            } => {
                let number = self.footnote(identifier);
                self.fresh_line();
                self.out.push_str("<div class=\"footnote-definition\"");
                self.attribute("id", identifier);
                let label = "><sup class=\"footnote-definition-label\">";
                let _ = writeln!(self.out, "{label}{number}</sup>");
                self.blocks(children, false);
                self.out.push_str("</div>\n");
            }
            Kind::Table { align, children } => self.table(align, children),
            _ => self.inline(node),
        }
    }

    fn list(&mut self, ordered: bool, start: u32, spread: bool, items: &[Node]) {
        let loose = spread
            || items
                .iter()
                .any(|item| matches!(item.kind, Kind::ListItem { spread: true, .. }));
        self.fresh_line();
        let name = if ordered { "ol" } else { "ul" };
        let _ = match (ordered, start) {
            (true, 1) | (false, _) => writeln!(self.out, "<{name}>"),
            (true, start) => writeln!(self.out, "<ol start=\"{start}\">"),
        };
        for item in items {
            self.fresh_line();
            self.out.push_str("<li>");
            let Kind::ListItem {
                checked, children, ..
            } = &item.kind
            else {
                continue;
            };
            let mut rest = &children[..];
            if let Some(checked) = checked {
                let box_text = format!(
                    "<input disabled=\"\" type=\"checkbox\"{}/>\n",
                    if *checked { " checked=\"\"" } else { "" }
                );
                if let [first, others @ ..] = rest
                    && let (Kind::Paragraph(content), false) = (&first.kind, !loose)
                {
                    self.fresh_line();
                    self.wrap(&format!("<p>{box_text}"), content, "</p>\n");
                    rest = others;
                } else {
                    self.out.push_str(&box_text);
                }
            }
            self.blocks(rest, !loose);
            self.out.push_str("</li>\n");
        }
        let _ = writeln!(self.out, "</{name}>");
    }

    fn table(&mut self, align: &[Align], rows: &[Node]) {
        self.fresh_line();
        self.out.push_str("<table>\n");
        for (index, row) in rows.iter().enumerate() {
            let cell = if index == 0 { "th" } else { "td" };
            match index {
                0 => self.out.push_str("<thead>\n"),
                1 => self.out.push_str("<tbody>\n"),
                _ => {}
            }
            self.out.push_str("<tr>\n");
            // Missing cells are empty, and excess cells are dropped.
            for (column, align) in align.iter().enumerate() {
                let style = match align {
                    Align::None => "",
                    Align::Left => " style=\"text-align: left\"",
                    Align::Right => " style=\"text-align: right\"",
                    Align::Center => " style=\"text-align: center\"",
                };
                let content = row.children().get(column).map_or(&[][..], Node::children);
                self.wrap(
                    &format!("<{cell}{style}>"),
                    content,
                    &format!("</{cell}>\n"),
                );
            }
            self.out.push_str("</tr>\n");
            if index == 0 {
                self.out.push_str("</thead>\n");
            }
        }
        if rows.len() > 1 {
            self.out.push_str("</tbody>\n");
        }
        self.out.push_str("</table>\n");
    }

    fn inlines(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.inline(node);
        }
    }

    fn inline(&mut self, node: &Node) {
        match &node.kind {
            Kind::Text(text) => self.escaped(text),
            Kind::Emphasis(children) => self.wrap("<em>", children, "</em>"),
            Kind::Strong(children) => self.wrap("<strong>", children, "</strong>"),
            Kind::Delete(children) => self.wrap("<del>", children, "</del>"),
            Kind::InlineCode(code) => {
                self.out.push_str("<code>");
                // Line endings in a code span are rendered as spaces.
                self.escaped(&code.replace('\n', " "));
                self.out.push_str("</code>");
            }
            Kind::Break => self.out.push_str("<br />\n"),
            Kind::Link {
                url,
                title,
                children,
            } => self.link(url, title.as_deref(), children),
            Kind::Image { url, title, alt } => self.image(url, title.as_deref(), alt),
            Kind::LinkReference {
                identifier,
                children,
                ..
            } => {
                let (url, title) = self.target(identifier);
                self.link(&url, title.as_deref(), children);
            }
            Kind::ImageReference {
                identifier, alt, ..
            } => {
                let (url, title) = self.target(identifier);
                self.image(&url, title.as_deref(), alt);
            }
            Kind::FootnoteReference { identifier } => {
                let number = self.footnote(identifier);
                self.out.push_str("<sup class=\"footnote-reference\"><a");
                self.attribute("href", &format!("#{identifier}"));
                let _ = write!(self.out, ">{number}</a></sup>");
            }
            _ => self.out.push_str("{not of Markdown}"),
        }
    }

    /// Returns the number of a footnote, in the order of the references.
    fn footnote(&mut self, identifier: &str) -> usize {
        let position = self.footnotes.iter().position(|known| known == identifier);
        position.map_or_else(
            || {
                self.footnotes.push(identifier.to_owned());
                self.footnotes.len()
            },
            |index| index + 1,
        )
    }

    fn target(&self, identifier: &str) -> (String, Option<String>) {
        let definition = self.definitions.get(&identifier.to_uppercase());
        definition
            .cloned()
            .unwrap_or(("no definition".to_owned(), None))
    }

    fn link(&mut self, url: &str, title: Option<&str>, children: &[Node]) {
        self.out.push_str("<a");
        self.attribute("href", &percent_encoded(url));
        if let Some(title) = title {
            self.attribute("title", title);
        }
        self.wrap(">", children, "</a>");
    }

    fn image(&mut self, url: &str, title: Option<&str>, alt: &str) {
        self.out.push_str("<img");
        self.attribute("src", &percent_encoded(url));
        self.attribute("alt", alt);
        if let Some(title) = title {
            self.attribute("title", title);
        }
        self.out.push_str(" />");
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let _ = write!(self.out, " {name}=\"");
        self.escaped(value);
        self.out.push('"');
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                c => self.out.push(c),
            }
        }
    }
}

/// Percent-encodes the characters that are not allowed in a URL; existing escapes stay.
fn percent_encoded(url: &str) -> String {
    let mut out = String::new();
    for byte in url.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'();/?:@&=+$,#%".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Normalizes HTML for comparison: renderers differ in line endings next to block tags, in quotes
/// in text, and in tables without rows.
pub(crate) fn normalized(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        let (before, tag) = rest.split_at(open);
        out.push_str(before);
        let (tag, after) = tag.split_at(tag.find('>').map_or(tag.len(), |end| end + 1));
        rest = after;
        let name = tag.trim_start_matches(['<', '/']);
        let name = name
            .find(|c: char| !c.is_ascii_alphanumeric())
            .map_or(name, |end| &name[..end]);
        if BLOCKS.contains(&name) {
            out.truncate(out.trim_end_matches('\n').len());
            out.push_str(tag);
            rest = rest.trim_start_matches('\n');
        } else {
            out.push_str(if tag == "<br>" { "<br />" } else { tag });
        }
    }
    out.push_str(rest);
    let out = out.trim_end().replace("&quot;", "\"");
    out.replace("<tbody></tbody>", "")
}

static BLOCKS: [&str; 20] = [
    "blockquote",
    "div",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];

#[test]
fn only_line_endings_next_to_blocks_are_dropped() {
    let text = "<ul>\n<li>a\n<em>b</em>\n&quot;c\n</li>\n</ul>\n";
    assert_eq!(normalized(text), "<ul><li>a\n<em>b</em>\n\"c</li></ul>");
}
