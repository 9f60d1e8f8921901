//! Whether URLs behave as agents expect.

use super::super::check::{Check, HIGH, MEDIUM, Outcome, Status, Tally};
use super::super::crawl::Crawl;
use super::super::html::HtmlPage;
use super::super::response::is_same_site;

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "http-status-codes",
        weight: HIGH,
        hint: "Answer requests for pages that do not exist with status 404.",
        run: status_codes,
    },
    Check {
        id: "redirect-behavior",
        weight: MEDIUM,
        hint: "Redirect with status 301 or 308 to the same host; agents do not run scripts, and some do not follow other hosts.",
        run: redirects,
    },
];

/// Characters of text of a page that only redirects.
const MAX_REDIRECT_CHARS: usize = 300;
/// Code that leads to another page.
const REDIRECTS: &[&str] = &[
    "location.href=",
    "location.replace(",
    "location.assign(",
    "window.location=",
    "document.location=",
];

fn status_codes(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let status = match page.missing.status {
            404 | 410 => Status::Pass,
            400..=499 => Status::Pass,
            0 | 500..=599 => Status::Skipped,
            _ => Status::Failure,
        };
        tally.add_with(status, &page.missing.url, &page.missing.describe());
    }
    tally.outcome(
        "missing page",
        "had the right status",
        "did not have status 404",
    )
}

fn redirects(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in &crawl.pages {
        if !page.html.is_success() {
            continue;
        }
        let status = match () {
            () if redirects_by_script(&page.content) => Status::Failure,
            () if !is_same_site(&page.html.url, &page.html.final_url) => Status::Warning,
            () => Status::Pass,
        };
        let detail = page
            .redirect
            .as_ref()
            .map_or(String::new(), super::super::response::Response::describe);
        tally.add_with(status, &page.url, &detail);
    }
    tally.outcome(
        "page",
        "responded or redirected to the same host",
        "redirected by script or to another host",
    )
}

/// Whether a page has hardly any text and leads elsewhere.
fn redirects_by_script(page: &HtmlPage) -> bool {
    if page.has_meta_refresh {
        return true;
    }
    let chars: usize = page
        .blocks
        .iter()
        .map(|block| block.text.chars().count())
        .sum();
    if chars > MAX_REDIRECT_CHARS {
        return false;
    }
    page.scripts.iter().any(|script| {
        let script: String = script.split_whitespace().collect();
        REDIRECTS.iter().any(|code| script.contains(code))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::html;
    use super::*;

    #[test]
    fn redirects_in_scripts_are_found() {
        let script = |text: &str| redirects_by_script(&html::parse(text));
        assert!(script("<script>window.location = '/a'</script>"));
        assert!(script("<meta http-equiv=refresh content='0; url=/a'>"));
        assert!(!script("<script>if (x == location.href) y()</script>"));
        let page = format!(
            "<script>location.href = '/a'</script><p>{}</p>",
            "word ".repeat(100)
        );
        assert!(!script(&page));
    }
}
