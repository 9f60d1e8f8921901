//! Blocks: paragraphs, headings, lists, code, quotes.

use super::components;
use super::inlines::{formula, inline};
use super::nodes::{Element, Node};
use super::table::table;

/// A block of Markdown without line breaks at its ends.
#[derive(Debug)]
pub(super) struct Block {
    text: String,
    /// Whether it is an item of a list, which follows another one without an empty line.
    is_item: bool,
    /// Whether it is a paragraph, into whose line other text can be written.
    is_paragraph: bool,
    /// Whether it follows a paragraph of a field in the next line.
    is_continued: bool,
}

impl Block {
    pub(super) const fn new(text: String) -> Self {
        Self {
            text,
            is_item: false,
            is_paragraph: false,
            is_continued: false,
        }
    }

    pub(super) const fn item(text: String) -> Self {
        let mut block = Self::new(text);
        block.is_item = true;
        block
    }

    /// A paragraph whose text does not begin another block.
    pub(super) const fn text(text: String) -> Self {
        let mut block = Self::new(text);
        block.is_paragraph = true;
        block
    }

    fn paragraph(text: String) -> Self {
        Self::text(protected(text))
    }

    pub(super) const fn is_paragraph(&self) -> bool {
        self.is_paragraph
    }

    /// The same block; a paragraph follows the one before it in the next line.
    pub(super) const fn continued(mut self) -> Self {
        self.is_continued = self.is_paragraph;
        self
    }
}

/// Escapes the beginning of a paragraph that would begin another block.
fn protected(text: String) -> String {
    let starts_block = text.starts_with(['#', '>', '|'])
        || text.starts_with("- ")
        || text.starts_with("+ ")
        || text.starts_with("---");
    if starts_block {
        return format!("\\{text}");
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match (digits, text.get(digits..digits + 2)) {
        (1..=9, Some(". " | ") ")) => {
            let (number, rest) = text.split_at(digits);
            format!("{number}\\{rest}")
        }
        _ => text,
    }
}

/// Joins blocks with empty lines, and the items of a list without.
pub(super) fn join(blocks: &[Block]) -> String {
    let mut out = String::new();
    for (at, block) in blocks.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).and_then(|at| blocks.get(at)) {
            let tight = before.is_item && block.is_item;
            out.push_str(if tight { "\n" } else { "\n\n" });
        }
        out.push_str(&block.text);
    }
    out
}

/// Joins the blocks of a field: limits and nested fields follow a paragraph without an empty line.
pub(super) fn tight(blocks: &[Block]) -> String {
    let mut out = String::new();
    for (at, block) in blocks.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).and_then(|at| blocks.get(at)) {
            let is_tight = match before.is_paragraph {
                true => block.is_item || block.is_continued,
                false => before.is_item && block.is_item,
            };
            out.push_str(if is_tight { "\n" } else { "\n\n" });
        }
        out.push_str(&block.text);
    }
    out
}

/// Writes `head` before the first paragraph, or as a paragraph of its own.
pub(super) fn first_with(head: &str, mut blocks: Vec<Block>) -> Vec<Block> {
    if head.is_empty() {
        return blocks;
    }
    match blocks.first_mut().filter(|first| first.is_paragraph) {
        Some(first) => first.text.insert_str(0, head),
        None => blocks.insert(0, Block::text(head.trim_end().to_owned())),
    }
    blocks
}

/// Writes a mark before the first line, and indents the others to its width.
pub(super) fn indented(mark: &str, text: &str) -> String {
    let pad = " ".repeat(mark.chars().count());
    let mut out = String::with_capacity(text.len() + mark.len());
    for (at, line) in text.lines().enumerate() {
        match at {
            0 => out.push_str(mark),
            _ => {
                out.push('\n');
                if !line.is_empty() {
                    out.push_str(&pad);
                }
            }
        }
        out.push_str(line);
    }
    out
}

/// Blocks as a quote.
pub(super) fn quoted(blocks: &[Block]) -> String {
    let text = join(blocks);
    let lines = text.lines().map(|line| match line.is_empty() {
        true => ">".to_owned(),
        false => format!("> {line}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The blocks of nodes; inline nodes between two blocks are a paragraph.
pub(super) fn blocks(nodes: &[Node<'_>]) -> Vec<Block> {
    let mut out = Vec::new();
    let mut from = 0;
    for (at, node) in nodes.iter().enumerate() {
        let Node::Element(element) = node else {
            continue;
        };
        if !element.is_block() && !element.contains_blocks {
            continue;
        }
        paragraph(nodes.get(from..at).unwrap_or_default(), &mut out);
        from = at + 1;
        out.extend(element_blocks(element));
    }
    paragraph(nodes.get(from..).unwrap_or_default(), &mut out);
    out
}

fn paragraph(nodes: &[Node<'_>], out: &mut Vec<Block>) {
    let text = inline(nodes);
    if !text.is_empty() {
        out.push(Block::paragraph(text));
    }
}

/// The blocks of an element.
pub(super) fn element_blocks(element: &Element<'_>) -> Vec<Block> {
    if components::is_hidden(element) {
        return Vec::new();
    }
    if let Some(form) = components::block_form(element) {
        return form(element);
    }
    if element.has("data-svc-panels") {
        return components::panels(element);
    }
    let text = || inline(&element.children);
    let one = |text: String| match text.is_empty() {
        true => Vec::new(),
        false => vec![Block::new(text)],
    };
    match element.tag {
        "p" if !element.contains_blocks => {
            let mut out = Vec::new();
            paragraph(&element.children, &mut out);
            out
        }
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            let depth = usize::from(
                element
                    .tag
                    .as_bytes()
                    .get(1)
                    .map_or(1, |digit| digit - b'0'),
            );
            match text().replace("\\\n", " ") {
                text if text.is_empty() => Vec::new(),
                text => one(format!("{} {text}", "#".repeat(depth))),
            }
        }
        "ul" | "ol" => list(element),
        "blockquote" => one(quoted(&blocks(&element.children))),
        "pre" => vec![fence(element)],
        "table" => one(table(element)),
        "hr" => one("---".to_owned()),
        "summary" | "figcaption" | "dt" if !element.contains_blocks => {
            let text = text();
            let is_marked = text.is_empty() || text.contains("**");
            match is_marked {
                true => one(text),
                false => one(format!("**{text}**")),
            }
        }
        "math" => one(formula(element, "$$")),
        _ => blocks(&element.children),
    }
}

fn list(element: &Element<'_>) -> Vec<Block> {
    let start: usize = element
        .attribute("start")
        .and_then(|start| start.parse().ok())
        .unwrap_or(1);
    let is_ordered = element.tag == "ol";
    let mut out = Vec::new();
    for (at, item) in element.child_elements().enumerate() {
        let content = match components::is_hidden(item) {
            true => continue,
            false => tree_row(item).unwrap_or_else(|| blocks(&item.children)),
        };
        let mark = match is_ordered {
            true => format!("{}. ", start.saturating_add(at)),
            false => "- ".to_owned(),
        };
        // A list directly below the text of its item needs no empty line.
        let text = match content.as_slice() {
            [first, rest @ ..] if first.is_paragraph && rest.iter().all(|block| block.is_item) => {
                let rest = join(rest);
                let line = if rest.is_empty() { "" } else { "\n" };
                format!("{}{line}{rest}", first.text)
            }
            all => join(all),
        };
        if !text.is_empty() {
            out.push(Block::item(indented(&mark, &text)));
        }
    }
    out
}

/// An entry of a file tree: its name in a line, and the entries below it.
fn tree_row(item: &Element<'_>) -> Option<Vec<Block>> {
    let is_row = |child: &Element<'_>| child.has_class("svc-tree-row");
    let row = item.find(&is_row)?;
    let mut out = Vec::new();
    paragraph(&row.children, &mut out);
    if let Some(list) = item.find(&|child| child.tag == "ul") {
        out.extend(self::list(list));
    }
    Some(out)
}

/// A fenced code block.
pub(super) fn fence(pre: &Element<'_>) -> Block {
    let code = pre.find(&|child| child.tag == "code");
    let language = code.and_then(|code| {
        let mut classes = code.classes();
        classes.find_map(|class| class.strip_prefix("language-"))
    });
    let language = language.or_else(|| pre.has_class("mermaid").then_some("mermaid"));
    let text = code.unwrap_or(pre).text();
    let text = text.trim_end_matches('\n');
    let marks = "`".repeat(max_run(text, '`').max(2) + 1);
    Block::new(format!(
        "{marks}{}\n{text}\n{marks}",
        language.unwrap_or("")
    ))
}

/// Length of the longest run of a character.
pub(super) fn max_run(text: &str, mark: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
