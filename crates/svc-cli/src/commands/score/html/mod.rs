//! What programs read in an HTML page: its text in blocks, with the region of each block.

mod builder;
mod elements;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};

/// A parsed page.
#[derive(Debug, Default)]
pub(super) struct HtmlPage {
    /// Text of `<title>`.
    pub(super) title: String,
    /// Blocks in the order of the document.
    pub(super) blocks: Vec<Block>,
    /// Links in the order of the document.
    pub(super) links: Vec<HtmlLink>,
    /// Length in characters of the page as Markdown: text, links and marks of headings and lists.
    pub(super) converted_chars: usize,
    /// `href` of `<link rel="canonical">`.
    pub(super) canonical: Option<String>,
    /// Texts of `<script type="application/ld+json">`.
    pub(super) json_ld: Vec<String>,
    /// Texts of the other inline scripts.
    pub(super) scripts: Vec<String>,
    /// Values of `id` that mark the root of an application.
    pub(super) application_roots: Vec<String>,
    /// Whether there is an input for passwords.
    pub(super) has_password: bool,
    /// Whether `<meta http-equiv="refresh">` leads to another page.
    pub(super) has_meta_refresh: bool,
}

/// The text of a block-level element without nested ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Kind of the element.
    pub(super) kind: BlockKind,
    /// Text with single spaces.
    pub(super) text: String,
    /// Characters of the text that are in links.
    pub(super) link_chars: usize,
    /// Where the block is.
    pub(super) region: Region,
    /// Tab panel that contains the block, as an index in order of the document.
    pub(super) tab_panel: Option<TabPanel>,
    /// Position in the page as Markdown, in characters.
    pub(super) position: usize,
}

/// Kinds of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// `<h1>` to `<h6>`.
    Heading,
    /// `<pre>`.
    Code,
    /// Everything else.
    Text,
}

/// The region of a page, as the outermost elements that matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// In `<main>`, `<article>` or an element with that role.
    pub(super) content: bool,
    /// In `<nav>`, `<header>`, `<footer>`, `<aside>`, a button or an element with that role.
    pub(super) chrome: bool,
    /// Only for people or only for screen readers: not part of the Markdown version.
    pub(super) excluded: bool,
}

/// A tab panel and the group to which it belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TabPanel {
    /// Number of the group.
    pub(super) group: usize,
    /// Number of the panel.
    pub(super) panel: usize,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HtmlLink {
    /// Destination as written.
    pub(super) href: String,
    /// Position in the page as Markdown, in characters.
    pub(super) position: usize,
    /// Where the link is.
    pub(super) region: Region,
}

/// Parses a page. Nesting deeper than a limit is flattened.
pub(super) fn parse(text: &str) -> HtmlPage {
    let tokenizer = Tokenizer::new(builder::PageSink::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(text));
    // The result names scripts to run and encodings to use; neither matters here.
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(page: &HtmlPage) -> Vec<&str> {
        page.blocks
            .iter()
            .map(|block| block.text.as_str())
            .collect()
    }

    #[test]
    fn text_is_split_at_block_elements() {
        let page = parse(
            "<title>T &amp; U</title><body><nav><a href=/a>A</a></nav><main><h1>One</h1><p>Two <b>three</b>\n four<p>five<pre>a\n  b</pre></main>",
        );
        assert_eq!(page.title, "T & U");
        assert_eq!(texts(&page), ["A", "One", "Two three four", "five", "a b"]);
        let kinds: Vec<_> = page.blocks.iter().map(|block| block.kind).collect();
        assert_eq!(kinds[1], BlockKind::Heading);
        assert_eq!(kinds[4], BlockKind::Code);
        assert!(page.blocks[0].region.chrome && !page.blocks[0].region.content);
        assert!(page.blocks[1].region.content && !page.blocks[1].region.chrome);
        assert_eq!(page.blocks[0].link_chars, 1);
        assert_eq!(page.links[0].href, "/a");
    }

    #[test]
    fn scripts_and_styles_are_not_text() {
        let page = parse(
            "<script>if (a < b) location.href = '/x'</script><script type=application/ld+json>{\"a\": 1}</script><style>p { color: red }</style><p>x</p>",
        );
        assert_eq!(texts(&page), ["x"]);
        assert_eq!(page.json_ld, ["{\"a\": 1}"]);
        assert_eq!(page.scripts.len(), 1);
    }

    #[test]
    fn panels_of_tabs_are_grouped() {
        let page = parse(
            "<div><div role=tablist></div><div role=tabpanel><h2>Run</h2></div><div role=tabpanel><h2>Run</h2></div></div><div role=tablist></div><div role=tabpanel>x</div>",
        );
        let panels: Vec<_> = page.blocks.iter().filter_map(|b| b.tab_panel).collect();
        assert_eq!(panels.len(), 3);
        assert_eq!(panels[0].group, panels[1].group);
        assert_ne!(panels[0].panel, panels[1].panel);
        assert_ne!(panels[1].group, panels[2].group);
    }

    #[test]
    fn deep_nesting_and_stray_end_tags_are_harmless() {
        let page = parse(&format!("</p></div>{}<p>x", "<div>".repeat(100_000)));
        assert_eq!(texts(&page), ["x"]);
    }
}
