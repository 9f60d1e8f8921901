//! What programs read in a Markdown text: links, code fences, headings and front matter.

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options};

/// A parsed text.
#[derive(Debug, Default)]
pub(super) struct MarkdownPage {
    /// Links, not images, in order of the text.
    pub(super) links: Vec<MarkdownLink>,
    /// Whether the first block after front matter is a heading of level 1.
    pub(super) begins_with_title: bool,
    /// Whether there is a block quote outside of lists.
    pub(super) has_quote: bool,
    /// Number of headings.
    pub(super) headings: usize,
    /// Line of the first code fence without end.
    pub(super) unclosed_fence: Option<usize>,
    /// Front matter without its delimiters; empty if there is none.
    pub(super) front_matter: String,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MarkdownLink {
    /// Destination as written.
    pub(super) url: String,
    /// Text of the link.
    pub(super) text: String,
}

/// Parses a Markdown text.
pub(super) fn parse(text: &str) -> MarkdownPage {
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.front_matter_delimiter = Some("---".to_owned());
    let root = comrak::parse_document(&arena, text, &options);
    let mut page = MarkdownPage::default();
    let is_front_matter =
        |node: &&AstNode<'_>| matches!(node.data.borrow().value, NodeValue::FrontMatter(_));
    if let Some(first) = root.children().find(|node| !is_front_matter(node)) {
        page.begins_with_title =
            matches!(&first.data.borrow().value, NodeValue::Heading(heading) if heading.level == 1);
    }
    page.has_quote = root
        .children()
        .any(|node| matches!(node.data.borrow().value, NodeValue::BlockQuote));
    for node in root.descendants() {
        let data = node.data.borrow();
        match &data.value {
            NodeValue::FrontMatter(text) => {
                let text = text.trim().trim_matches('-').trim();
                page.front_matter = text.to_owned();
            }
            NodeValue::Heading(_) => page.headings += 1,
            NodeValue::Link(link) => page.links.push(MarkdownLink {
                url: link.url.clone(),
                text: text_of(node),
            }),
            NodeValue::CodeBlock(block) if block.fenced && !block.closed => {
                page.unclosed_fence.get_or_insert(data.sourcepos.start.line);
            }
            _ => {}
        }
    }
    page
}

fn text_of<'a>(node: &'a AstNode<'a>) -> String {
    let mut out = String::new();
    for node in node.descendants() {
        match &node.data.borrow().value {
            NodeValue::Text(text) => out.push_str(text),
            NodeValue::Code(code) => out.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => out.push(' '),
            _ => {}
        }
    }
    out
}

impl MarkdownPage {
    /// Value of a field of the front matter, without quotes; only fields in one line are found.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.front_matter.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().trim_matches(['"', '\'']))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_fences_and_front_matter_are_found() {
        let page = parse(
            "---\ntitle: \"A\"\ntokens: 12\n---\n\n# A\n\n> Quote [a `b`](/x)\n\n```\n[no](no)\n```\n\n![i](i.png)\n\n~~~\nopen",
        );
        assert_eq!(page.field("title"), Some("A"));
        assert_eq!(page.field("tokens"), Some("12"));
        assert_eq!(page.field("url"), None);
        assert!(page.begins_with_title && page.has_quote);
        assert_eq!(page.links.len(), 1);
        assert_eq!(page.links[0].url, "/x");
        assert_eq!(page.links[0].text, "a b");
        assert_eq!(page.unclosed_fence, Some(16));
        assert_eq!(parse("```\na\n```\n").unclosed_fence, None);
    }
}
