//! Whether the Markdown version of a page has the text of the page.

use super::super::check::{Outcome, Status, Tally, graded};
use super::super::crawl::Crawl;
use super::super::html::HtmlPage;

/// Letters and digits of a block that is compared.
const MIN_BLOCK_CHARS: usize = 20;
/// Number of blocks of a page that is compared; in shorter ones a single block is too much.
const MIN_BLOCKS: usize = 10;
/// Percentages of missing blocks.
const MAX_MISSING: usize = 5;
const MAX_MISSING_WARNING: usize = 20;

pub(super) fn run(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for (page, response, _) in crawl.markdown_versions() {
        let Some(missing) = missing_percent(&page.content, &response.body) else {
            tally.add(Status::Pass, &page.url);
            continue;
        };
        let status = graded(missing, MAX_MISSING, MAX_MISSING_WARNING);
        tally.add_with(status, &page.url, &format!("{missing} % missing"));
    }
    tally.outcome(
        "Markdown version",
        "had the text of the page",
        "lacked text of the page",
    )
}

/// Percentage of the blocks of a page that its Markdown version lacks; `None` if there are too few.
fn missing_percent(page: &HtmlPage, markdown: &str) -> Option<usize> {
    let markdown = letters(markdown);
    let has_main = page.blocks.iter().any(|block| block.region.content);
    let mut blocks: Vec<String> = page
        .blocks
        .iter()
        .filter(|block| block.region.content || !has_main)
        .filter(|block| !block.region.chrome && !block.region.excluded)
        .map(|block| letters(&block.text))
        .filter(|text| text.chars().count() >= MIN_BLOCK_CHARS)
        .collect();
    blocks.sort_unstable();
    blocks.dedup();
    if blocks.len() < MIN_BLOCKS {
        return None;
    }
    let missing = blocks
        .iter()
        .filter(|block| !markdown.contains(block.as_str()))
        .count();
    Some(missing * 100 / blocks.len())
}

/// The letters and digits of a text in lower case, without destinations of Markdown links and
/// without character references. Formatting and line breaks therefore do not matter.
fn letters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("](")
            && let Some(end) = after.find([')', '\n'])
            && after.as_bytes().get(end) == Some(&b')')
        {
            rest = &after[end..];
            continue;
        }
        if c == '&'
            && let Some(end) = rest.find(';').filter(|end| *end <= 8)
            && rest[1..end]
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '#')
        {
            rest = &rest[end..];
            continue;
        }
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::super::html;
    use super::*;

    #[test]
    fn formatting_does_not_matter() {
        assert_eq!(
            letters("**A** [b c](https://x.test/d) `&lt;e>`\n- f"),
            "abcef"
        );
        assert_eq!(letters("R&D; x"), "rx");
        assert_eq!(letters("a ]( b"), "ab");
    }

    #[test]
    fn missing_blocks_are_counted() {
        let sentence = |n: usize| format!("Sentence number {n} of a page that is long enough");
        let html: String = (0..20).map(|n| format!("<p>{}</p>", sentence(n))).collect();
        let page = html::parse(&format!(
            "<nav><p>A long text that is not content</p></nav><main>{html}</main>"
        ));
        let all: String = (0..20).map(|n| format!("{}\n\n", sentence(n))).collect();
        assert_eq!(missing_percent(&page, &all), Some(0));
        let some: String = (0..15).map(|n| format!("{}\n\n", sentence(n))).collect();
        assert_eq!(missing_percent(&page, &some), Some(25));
        assert_eq!(missing_percent(&html::parse("<p>x</p>"), ""), None);
    }
}
