//! Whether pages fit into what agents read at once.

use super::super::check::{Check, HIGH, MEDIUM, Outcome, Status, Tally, by_size, graded};
use super::super::crawl::Crawl;
use super::super::html::{Block, BlockKind, HtmlPage};

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "rendering-strategy",
        weight: HIGH,
        hint: "Render pages on the server: most agents do not run scripts.",
        run: rendering,
    },
    Check {
        id: "page-size-markdown",
        weight: HIGH,
        hint: "Split pages whose Markdown version has more than 50,000 characters.",
        run: markdown_size,
    },
    Check {
        id: "page-size-html",
        weight: MEDIUM,
        hint: "Split long pages, and shorten the navigation around them.",
        run: html_size,
    },
    Check {
        id: "page-size-transfer",
        weight: MEDIUM,
        hint: "Move scripts, styles and data out of pages of more than a megabyte.",
        run: transfer_size,
    },
    Check {
        id: "content-start-position",
        weight: MEDIUM,
        hint: "Put the navigation behind the content, or shorten it.",
        run: start,
    },
    Check {
        id: "single-fetch-completeness",
        weight: MEDIUM,
        hint: "Send Markdown versions as a whole instead of in parts.",
        run: completeness,
    },
];

/// Characters of text that a page without application has at least.
const MIN_TEXT_CHARS: usize = 500;
/// Bytes of an HTML page that all agents accept, and that some do.
const MAX_HTML_BYTES: usize = 1_000_000;
const MAX_HTML_BYTES_WARNING: usize = 10_000_000;
/// Characters of a page that all agents read at once, wherever its content begins.
const MAX_SHORT_PAGE_CHARS: usize = 5000;
/// Characters of a paragraph that is more than a label.
const MIN_PROSE_CHARS: usize = 40;

fn rendering(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let content = &page.content;
        let blocks = || content.blocks.iter().filter(|block| !block.region.chrome);
        let chars: usize = blocks().map(|block| block.text.chars().count()).sum();
        let headings = blocks()
            .filter(|block| block.kind == BlockKind::Heading)
            .count();
        let has_text = chars >= MIN_TEXT_CHARS || headings >= 3 || (headings >= 1 && chars >= 100);
        let status = match (has_text, content.application_roots.is_empty()) {
            (true, _) => Status::Pass,
            (false, true) => Status::Pass,
            (false, false) if chars > 0 && headings > 0 => Status::Warning,
            (false, false) => Status::Failure,
        };
        tally.add_with(status, &page.url, &format!("{chars} characters of text"));
    }
    tally.outcome("page", "contained text", "needed scripts to show text")
}

fn markdown_size(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for (page, response, _) in crawl.markdown_versions() {
        let chars = response.body.chars().count();
        tally.add_with(by_size(chars), &page.url, &format!("{chars} characters"));
    }
    tally.outcome(
        "Markdown version",
        "had at most 50000 characters",
        "had more than 50000 characters",
    )
}

fn html_size(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let chars = page.content.converted_chars;
        tally.add_with(by_size(chars), &page.url, &format!("{chars} characters"));
    }
    tally.outcome(
        "page",
        "had at most 50000 characters without markup",
        "had more than 50000 characters",
    )
}

fn transfer_size(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let bytes = page.html.body.len();
        let status = graded(bytes, MAX_HTML_BYTES - 1, MAX_HTML_BYTES_WARNING);
        tally.add_with(status, &page.url, &format!("{} kB", bytes / 1000));
    }
    tally.outcome(
        "page",
        "had less than 1 MB of HTML",
        "had 1 MB of HTML or more",
    )
}

fn start(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let length = page.content.converted_chars.max(1);
        let percent = content_start(&page.content) * 100 / length;
        let status = match percent {
            _ if length <= MAX_SHORT_PAGE_CHARS => Status::Pass,
            percent => graded(percent, 10, 50),
        };
        tally.add_with(status, &page.url, &format!("at {percent} %"));
    }
    tally.outcome("page", "began with content", "began with other text")
}

/// Position of the first heading or paragraph of the content; the end if there is none.
fn content_start(page: &HtmlPage) -> usize {
    let is_prose = |block: &Block| {
        block.kind == BlockKind::Heading
            || (block.text.chars().count() >= MIN_PROSE_CHARS
                && block.link_chars * 2 < block.text.len())
    };
    let has_main = page.blocks.iter().any(|block| block.region.content);
    let first = page.blocks.iter().find(|block| {
        !block.region.chrome
            && (block.region.content || !has_main)
            && !block.region.excluded
            && is_prose(block)
    });
    first.map_or(page.converted_chars, |block| block.position)
}

fn completeness(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for (page, response, text) in crawl.markdown_versions() {
        let links = response.headers.get_all("link").iter();
        let mut links = links.filter_map(|value| value.to_str().ok());
        let in_header =
            links.any(|value| value.contains("rel=\"next\"") || value.contains("rel=next"));
        let in_text = text.links.iter().any(|link| {
            let text = link.text.trim().to_ascii_lowercase();
            matches!(
                text.as_str(),
                "next page" | "load more" | "show more" | "more results"
            )
        });
        let status = match in_header || in_text {
            true => Status::Warning,
            false => Status::Pass,
        };
        tally.add(status, &page.url);
    }
    tally.outcome("Markdown version", "came as a whole", "came in parts")
}

#[cfg(test)]
mod tests {
    use super::super::super::html;
    use super::*;

    #[test]
    fn navigation_before_the_content_counts() {
        let links = "<a href=/page>A page</a>".repeat(100);
        let page = |body: &str| html::parse(body);
        let first = page("<main><h1>Title</h1></main>");
        assert!(content_start(&first) < 10);
        let second = page(&format!("<nav>{links}</nav><main><h1>Title</h1></main>"));
        assert!(content_start(&second) > 1000, "{}", content_start(&second));
        assert_eq!(content_start(&page("<nav>x</nav>")), 3);
    }
}
