//! Whether programs understand the structure of pages.

use std::collections::{BTreeMap, BTreeSet};

use super::super::check::{Check, LOW, MEDIUM, Outcome, Status, Tally, by_size, graded};
use super::super::crawl::Crawl;
use super::super::html::{BlockKind, HtmlPage};

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "tabbed-content-serialization",
        weight: MEDIUM,
        hint: "Split pages whose tabs have more than 50,000 characters together.",
        run: tabs,
    },
    Check {
        id: "section-header-quality",
        weight: LOW,
        hint: "Name the variant in headings inside of tabs, such as \"Install with pip\" instead of \"Install\".",
        run: headings,
    },
    Check {
        id: "markdown-code-fence-validity",
        weight: MEDIUM,
        hint: "Close every code fence; the rest of the text is read as code otherwise.",
        run: fences,
    },
    Check {
        id: "markdown-link-portability",
        weight: MEDIUM,
        hint: "Write links in Markdown versions with scheme and host: agents read the text without its URL.",
        run: links,
    },
    Check {
        id: "markdown-links-resolve",
        weight: MEDIUM,
        hint: "Correct or remove links to pages of the site that do not exist.",
        run: links_resolve,
    },
    Check {
        id: "embedded-data-serialization",
        weight: LOW,
        hint: "Move long tables and data into files of their own.",
        run: data,
    },
];

/// Percentages of headings that several tabs share.
const MAX_SHARED: usize = 25;
const MAX_SHARED_WARNING: usize = 50;
/// Characters of a code block that is data rather than an example.
const MIN_DATA_CHARS: usize = 10_000;

fn tabs(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let blocks = page.content.blocks.iter();
        let chars: usize = blocks
            .filter(|block| block.tab_panel.is_some())
            .map(|block| block.text.chars().count())
            .sum();
        tally.add_with(by_size(chars), &page.url, &format!("{chars} characters"));
    }
    tally.outcome(
        "page",
        "had short tabs or none",
        "had more than 50000 characters in tabs",
    )
}

fn headings(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let Some(shared) = shared_headings(&page.content) else {
            continue;
        };
        let status = graded(shared, MAX_SHARED, MAX_SHARED_WARNING);
        tally.add_with(status, &page.url, &format!("{shared} % of the headings"));
    }
    tally.outcome(
        "page with tabs",
        "had distinct headings",
        "repeated headings in several tabs",
    )
}

/// Percentage of the headings in tabs that another tab of the group has, too; `None` if tabs have no
/// headings.
fn shared_headings(page: &HtmlPage) -> Option<usize> {
    let mut panels: BTreeMap<(usize, &str), BTreeSet<usize>> = BTreeMap::new();
    for block in &page.blocks {
        if let Some(tab) = block.tab_panel.filter(|_| block.kind == BlockKind::Heading) {
            panels
                .entry((tab.group, &block.text))
                .or_default()
                .insert(tab.panel);
        }
    }
    let total: usize = panels.values().map(BTreeSet::len).sum();
    let shared: usize = panels
        .values()
        .map(BTreeSet::len)
        .filter(|count| *count > 1)
        .sum();
    (total > 0).then(|| shared * 100 / total)
}

fn fences(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for (page, _, text) in crawl.markdown_versions() {
        match text.unclosed_fence {
            None => tally.add(Status::Pass, &page.url),
            Some(line) => tally.add_with(Status::Failure, &page.url, &format!("line {line}")),
        }
    }
    tally.outcome(
        "Markdown version",
        "closed all code fences",
        "had a code fence without end",
    )
}

fn links(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for (page, _, text) in crawl.markdown_versions() {
        let mut status = Status::Pass;
        let mut example = "";
        for link in &text.links {
            let found = portability(&link.url);
            if found > status {
                (status, example) = (found, &link.url);
            }
        }
        tally.add_with(status, &page.url, example);
    }
    tally.outcome(
        "Markdown version",
        "had absolute links",
        "had relative links",
    )
}

/// Whether a link can be followed without the URL of its text.
fn portability(url: &str) -> Status {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    match () {
        () if url.is_empty() || url.starts_with('#') => Status::Pass,
        () if scheme.is_some_and(is_scheme) => Status::Pass,
        () if url.starts_with('/') => Status::Warning,
        () => Status::Failure,
    }
}

fn links_resolve(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for link in &crawl.checked_markdown_links {
        let status = Status::pass_if(link.is_success(), Status::Failure);
        tally.add_with(status, &link.url, &link.describe());
    }
    tally.outcome("link", "responded", "did not respond")
}

fn data(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let size = by_size(page.content.converted_chars);
        let blocks = page.content.blocks.iter();
        let data: usize = blocks
            .filter(|block| block.kind == BlockKind::Code)
            .map(|block| block.text.chars().count())
            .filter(|chars| *chars >= MIN_DATA_CHARS)
            .sum();
        let status = match data * 2 >= page.content.converted_chars.max(1) {
            true => size,
            false => Status::Pass,
        };
        tally.add_with(status, &page.url, &format!("{data} characters of data"));
    }
    tally.outcome(
        "page",
        "had no dominant data",
        "exceeded 50000 characters because of data",
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::html;
    use super::*;

    #[test]
    fn absolute_links_are_portable() {
        for (url, expected) in [
            ("https://a.test/b", Status::Pass),
            ("mailto:a@b.test", Status::Pass),
            ("#a", Status::Pass),
            ("/a", Status::Warning),
            ("//a.test/b", Status::Warning),
            ("a/b", Status::Failure),
            ("../a:b", Status::Failure),
        ] {
            assert_eq!(portability(url), expected, "{url}");
        }
    }

    #[test]
    fn headings_of_several_tabs_are_counted() {
        let tabs = |first: &str, second: &str| {
            let html = format!(
                "<div role=tablist></div><div role=tabpanel><h2>{first}</h2></div><div role=tabpanel><h2>{second}</h2></div>"
            );
            shared_headings(&html::parse(&html))
        };
        assert_eq!(tabs("Run", "Run"), Some(100));
        assert_eq!(tabs("Run with npm", "Run with pnpm"), Some(0));
        assert_eq!(shared_headings(&html::parse("<h2>Run</h2>")), None);
    }
}
