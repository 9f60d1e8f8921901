//! Second pass: the content of paragraphs, headings and cells.

mod arena;
mod autolink;
mod bracket;
mod context;
mod emphasis;
pub(crate) mod fill;
mod item;
mod runs;
mod scan;

use crate::{Node, source::MappedText};

pub(crate) use context::PageContext;

/// Parses inline content.
pub(crate) fn inline(source: &MappedText<'_>, cell: bool, page: &mut PageContext<'_>) -> Vec<Node> {
    let mut scanner = scan::Scanner::new(source, cell, page);
    scanner.run();
    let mut items = scanner.end();
    let nodes = emphasis::build(&mut items, 0, source, !page.options.autolinks, page).0;
    page.scratch.items = items;
    page.scratch.clear();
    nodes
}

/// Returns true if the text alone is an autolink to `url`.
pub(crate) fn is_autolink(text: &str, url: &str) -> bool {
    let mail = autolink::mail_starts(text).last() == Some(&0);
    autolink::literal(text, 0, mail)
        .is_some_and(|link| link.end == text.len() && url.strip_prefix(link.prefix) == Some(text))
}
