//! Properties of HTML elements.

use super::BlockKind;

/// Elements that begin and end a block.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];
/// Elements without end tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];
/// Elements and roles around the content.
const CHROME: &[&str] = &[
    "aside",
    "banner",
    "button",
    "complementary",
    "contentinfo",
    "footer",
    "header",
    "nav",
    "navigation",
    "option",
    "select",
];
/// Classes of text for screen readers only.
const HIDDEN_CLASSES: &[&str] = &["sr-only", "visually-hidden"];

pub(super) fn is_block(name: &str) -> bool {
    BLOCKS.binary_search(&name).is_ok()
}

pub(super) fn is_void(name: &str) -> bool {
    VOID.binary_search(&name).is_ok()
}

/// Whether an element or a role is around the content instead of part of it.
pub(super) fn is_chrome(name: &str) -> bool {
    CHROME.binary_search(&name).is_ok()
}

pub(super) fn is_hidden_class(classes: &str) -> bool {
    let mut classes = classes.split_ascii_whitespace();
    classes.any(|class| HIDDEN_CLASSES.contains(&class))
}

pub(super) fn kind(name: &str) -> Option<BlockKind> {
    match name {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Some(BlockKind::Heading),
        "pre" => Some(BlockKind::Code),
        _ => None,
    }
}

/// Characters that an element adds in Markdown: `## `, `- `, fences.
pub(super) fn mark_chars(name: &str) -> usize {
    match name {
        "h1" => 2,
        "h2" => 3,
        "h3" | "li" => 4,
        "h4" => 5,
        "pre" => 8,
        "td" | "th" => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        for list in [BLOCKS, VOID, CHROME] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
