//! The visible text of a page's source, collected without the code that renders pages.

use std::collections::HashMap;

use svc_mdx::{AttributeKind, AttributeValue, Element, Kind, Node, Options, parse};
use svc_site::Site;
use svc_source::{Mode, Page, resolve_import};

use crate::markup::normalize;

/// Part of the source that a token belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextKind {
    /// Title and description of the front matter.
    FrontMatter,
    /// Running text, headings, tables, inline code.
    Text,
    /// Code blocks.
    Code,
    /// Attributes that components render.
    Attribute,
    /// Alternative text of images.
    ImageAlt,
}

/// Numbers of tokens that are not compared, by reason.
#[derive(Debug, Default, Clone)]
pub struct SkippedText {
    /// Tokens of formulas, which become MathML.
    pub formulas: usize,
    /// Tokens of diagrams, whose syntax becomes an image.
    pub diagrams: usize,
    /// Tokens inside `Visibility` for machines.
    pub hidden: usize,
    /// Expressions other than comments; their values are not known here.
    pub expressions: usize,
    /// Tokens of comments in braces.
    pub comments: usize,
}

impl SkippedText {
    /// Adds the numbers of another page.
    pub const fn add(&mut self, more: &Self) {
        self.formulas += more.formulas;
        self.diagrams += more.diagrams;
        self.hidden += more.hidden;
        self.expressions += more.expressions;
        self.comments += more.comments;
    }
}

/// The text of one page.
#[derive(Debug, Default)]
pub struct SourceText {
    /// Tokens in the order of the source.
    pub tokens: Vec<(TextKind, String)>,
    /// Text that is not part of the tokens.
    pub skipped: SkippedText,
}

/// Attributes that the components of the platform render as text.
const TEXT_ATTRIBUTES: &[(&str, &[&str])] = &[
    ("Accordion", &["title", "description"]),
    ("Callout", &["title"]),
    ("Card", &["title", "description", "cta"]),
    ("Check", &["title"]),
    ("Danger", &["title"]),
    ("Expandable", &["title"]),
    ("Frame", &["caption", "hint"]),
    ("Info", &["title"]),
    ("Note", &["title"]),
    (
        "ParamField",
        &[
            "body", "cookie", "header", "path", "query", "type", "default",
        ],
    ),
    ("Prompt", &["description"]),
    ("ResponseField", &["name", "type", "default"]),
    ("Step", &["title"]),
    ("Tab", &["title"]),
    ("Tile", &["title", "description"]),
    ("Tip", &["title"]),
    ("Tooltip", &["tip", "headline", "cta"]),
    ("Tree.File", &["name"]),
    ("Tree.Folder", &["name"]),
    ("Update", &["label", "description"]),
    ("View", &["title"]),
    ("Warning", &["title"]),
];

/// Inline elements: no gap between their text and the text next to them.
const INLINE_ELEMENTS: &[&str] = &[
    "a", "abbr", "b", "code", "del", "em", "i", "kbd", "mark", "q", "s", "small", "span", "strong",
    "sub", "sup", "u", "var",
];

/// Returns the text of a page of the site.
pub fn source_text(site: &Site, page: &Page) -> SourceText {
    let mut reader = SourceReader {
        site,
        out: SourceText::default(),
        text: String::new(),
        imports: Vec::new(),
        options: Options {
            math: site.config.styling.latex != Some(false),
            ..Options::default()
        },
    };
    if !matches!(page.front_matter.mode, Mode::Custom | Mode::Frame) {
        reader.take(TextKind::FrontMatter, &page.title());
        if let Some(text) = &page.front_matter.description {
            reader.take(TextKind::FrontMatter, text);
        }
    }
    reader.file(&page.path, page.body_text());
    reader.out
}

struct SourceReader<'s> {
    site: &'s Site,
    out: SourceText,
    /// Running text up to the next gap.
    text: String,
    /// Path and imported names of every open file.
    imports: Vec<(String, HashMap<String, String>)>,
    options: Options,
}

impl SourceReader<'_> {
    fn file(&mut self, path: &str, text: &str) {
        // Snippets that include themselves are an error with tests of its own.
        if self.imports.len() > 8 || self.imports.iter().any(|(open, _)| open == path) {
            return;
        }
        let parsed = parse(text, &self.options);
        let mut names = HashMap::new();
        svc_mdx::walk(&parsed.value.children, |node, _| {
            if let Kind::Esm(code) = &node.kind {
                imported(code, &mut names);
            }
            true
        });
        self.imports.push((path.to_owned(), names));
        self.nodes(&parsed.value.children);
        self.gap();
        self.imports.pop();
    }

    fn take(&mut self, kind: TextKind, text: &str) {
        let tokens = normalize(text);
        let tokens = tokens.split(' ').filter(|token| !token.is_empty());
        self.out
            .tokens
            .extend(tokens.map(|token| (kind, token.to_owned())));
    }

    fn gap(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.take(TextKind::Text, &text);
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        match &node.kind {
            Kind::Text(text) | Kind::InlineCode(text) => self.text.push_str(text),
            Kind::InlineMath(text) | Kind::Math { value: text, .. } => {
                self.out.skipped.formulas += count(text);
            }
            Kind::Code { lang, value, .. } if lang.as_deref() == Some("mermaid") => {
                self.out.skipped.diagrams += count(value);
            }
            Kind::Code { value, .. } => {
                self.gap();
                for line in value.lines() {
                    self.take(TextKind::Code, without_notation(line));
                }
            }
            Kind::Image { alt, .. } | Kind::ImageReference { alt, .. } => {
                self.take(TextKind::ImageAlt, alt);
            }
            Kind::Break => self.text.push(' '),
            Kind::Expression { value, .. } => {
                let value = value.trim();
                if value.starts_with("/*") {
                    self.out.skipped.comments += count(value);
                } else if !value.is_empty() {
                    self.out.skipped.expressions += 1;
                }
            }
            Kind::Element(element) => self.element(element),
            Kind::Paragraph(_)
            | Kind::Heading { .. }
            | Kind::ListItem { .. }
            | Kind::TableCell(_)
            | Kind::Blockquote(_)
            | Kind::FootnoteDefinition { .. } => {
                self.gap();
                self.nodes(node.children());
                self.gap();
            }
            _ => self.nodes(node.children()),
        }
    }

    fn element(&mut self, element: &Element) {
        let name = element.name.as_deref().unwrap_or("");
        let inside = INLINE_ELEMENTS.contains(&name);
        if !inside {
            self.gap();
        }
        let reader = element.attribute("for");
        let machines = matches!(reader, Some(AttributeValue::String(who)) if &**who == "agents");
        if name == "Visibility" && machines {
            self.out.skipped.hidden += count(&svc_mdx::plain_text(&element.children));
            return;
        }
        if matches!(name, "style" | "script") {
            return;
        }
        self.attributes(name, element);
        if let Some((path, text)) = self.snippet(name, element) {
            self.file(&path, &text);
        }
        self.nodes(&element.children);
        if !inside {
            self.gap();
        }
    }

    fn attributes(&mut self, name: &str, element: &Element) {
        let shown = TEXT_ATTRIBUTES.iter().find(|(tag, _)| *tag == name);
        for attribute in &element.attributes {
            let AttributeKind::Named { name: key, value } = &attribute.kind else {
                continue;
            };
            let AttributeValue::String(text) = value else {
                continue;
            };
            if shown.is_some_and(|(_, keys)| keys.contains(&&**key)) {
                self.take(TextKind::Attribute, text);
            } else if name == "img" && &**key == "alt" {
                self.take(TextKind::ImageAlt, text);
            }
        }
    }

    /// Returns the path and text of the file that an element imports.
    fn snippet(&self, name: &str, element: &Element) -> Option<(String, String)> {
        let (from, names) = self.imports.last()?;
        let path = if name == "Snippet" {
            let Some(AttributeValue::String(file)) = element.attribute("file") else {
                return None;
            };
            format!("snippets/{}", file.trim_start_matches('/'))
        } else {
            resolve_import(from, names.get(name)?)
        };
        let text = self.site.text_of(&path)?;
        // The output of JavaScript is not known before it runs.
        let known = path.ends_with(".mdx") || path.ends_with(".md");
        known.then(|| (path.clone(), text.to_owned()))
    }
}

/// Adds the default imports of a piece of JavaScript: local name and file.
fn imported(code: &str, names: &mut HashMap<String, String>) {
    for line in code.lines() {
        let Some(rest) = line.trim().strip_prefix("import ") else {
            continue;
        };
        let Some((name, from)) = rest.split_once(" from ") else {
            continue;
        };
        let file = from.trim().trim_end_matches(';').trim();
        let file = file.trim_matches(['"', '\'']);
        names.insert(name.trim().to_owned(), file.to_owned());
    }
}

/// Returns a line of code without the comment that controls its display.
fn without_notation(line: &str) -> &str {
    line.find("[!code").map_or(line, |at| {
        let before = &line[..at];
        let comment = ["//", "#", "<!--", "/*", "--"];
        let start = comment.iter().filter_map(|mark| before.rfind(mark)).max();
        &before[..start.unwrap_or(at)]
    })
}

fn count(text: &str) -> usize {
    normalize(text)
        .split(' ')
        .filter(|token| !token.is_empty())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loaded_site::LoadedSite;

    #[test]
    fn tokens_come_from_text_code_attributes_and_snippets() {
        let page = "---\ntitle: Big page\n---\nimport Hi from \"/snippets/hi.mdx\"\n\n## A *head*ing\n\n<Card title=\"Nice\" href=\"/x\">in **side**</Card>\n\n<Hi />\n\n{/* not me */}\n\n```js\nlet a; // [!code ++]\n```\n";
        let made = LoadedSite::of_files([
            ("docs.json", r##"{"theme":"svc","name":"x","colors":{"primary":"#000000"},"navigation":{"pages":["index"]}}"##),
            ("index.mdx", page),
            ("snippets/hi.mdx", "Hello"),
        ])
        .expect("a site");
        let route = made.site.map.routes.get("/").expect("the page");
        let page = made.site.page_of(route).expect("the page");
        let source = source_text(&made.site, page);
        let text: Vec<&str> = source.tokens.iter().map(|token| &*token.1).collect();
        assert_eq!(
            text.join(" "),
            "Big page A heading Nice in side Hello let a"
        );
        assert_eq!(source.skipped.comments, 2);
    }
}
