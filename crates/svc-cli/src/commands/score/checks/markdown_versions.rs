//! Whether pages have Markdown versions, and what these state about themselves.

use super::super::check::{Check, HIGH, LOW, MEDIUM, Outcome, Status, Tally};
use super::super::crawl::Crawl;

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "markdown-url-support",
        weight: HIGH,
        hint: "Serve the Markdown version of each page at its URL with `.md`.",
        run: url_support,
    },
    Check {
        id: "content-negotiation",
        weight: MEDIUM,
        hint: "Answer requests with `Accept: text/markdown` with the Markdown version and `Content-Type: text/markdown`.",
        run: content_negotiation,
    },
    Check {
        id: "content-negotiation-vary",
        weight: LOW,
        hint: "Send `Vary: Accept` for URLs that have several versions, or caches mix them up.",
        run: vary,
    },
    Check {
        id: "markdown-canonical-url",
        weight: LOW,
        hint: "State the URL of the page in the front matter of its Markdown version, or in a `Link` header with `rel=\"canonical\"`.",
        run: canonical,
    },
    Check {
        id: "markdown-token-counts",
        weight: LOW,
        hint: "State the number of tokens in the front matter of Markdown versions as `tokens`, so that agents can plan what they read.",
        run: token_counts,
    },
];

fn url_support(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let status = Status::pass_if(page.markdown.is_plain_text(), Status::Failure);
        tally.add_with(status, &page.url, &page.markdown.describe());
    }
    tally.outcome("page", "had a Markdown version", "had no Markdown version")
}

fn content_negotiation(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let response = &page.negotiated;
        let media_type = response.media_type();
        let status = match () {
            () if response.is_markdown() => Status::Pass,
            () if response.is_plain_text() => Status::Warning,
            () => Status::Failure,
        };
        tally.add_with(status, &page.url, &media_type);
    }
    tally.outcome(
        "page",
        "came as Markdown on request",
        "did not come as Markdown on request",
    )
}

fn vary(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl
        .html_pages()
        .filter(|page| page.negotiated.is_markdown())
    {
        let names_accept = |value: &str| {
            let mut names = value.split(',').map(str::trim);
            names.any(|name| name == "*" || name.eq_ignore_ascii_case("accept"))
        };
        let versions = [&page.html, &page.negotiated];
        let good = versions.iter().all(|version| {
            let values = version.headers.get_all("vary").iter();
            let mut values = values.filter_map(|value| value.to_str().ok());
            values.any(names_accept)
        });
        let status = Status::pass_if(good, Status::Failure);
        tally.add(status, &page.url);
    }
    tally.outcome(
        "page",
        "had the right `Vary` header",
        "lacked `Vary: Accept`",
    )
}

fn canonical(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for (page, response, text) in crawl.markdown_versions() {
        let links = response.headers.get_all("link").iter();
        let mut links = links.filter_map(|value| value.to_str().ok());
        let in_header = links
            .any(|value| value.contains("rel=\"canonical\"") || value.contains("rel=canonical"));
        let fields = ["url", "canonical", "canonical_url", "source"];
        let in_text = fields.iter().any(|name| {
            let value = text.field(name).unwrap_or_default();
            value.starts_with("https://") || value.starts_with("http://")
        });
        let status = Status::pass_if(in_header || in_text, Status::Failure);
        tally.add(status, &page.url);
    }
    tally.outcome(
        "Markdown version",
        "stated the URL of the page",
        "did not state the URL of the page",
    )
}

fn token_counts(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for (page, response, text) in crawl.markdown_versions() {
        let value = text
            .field("tokens")
            .unwrap_or(response.header("x-markdown-tokens"));
        let status = match value.trim().parse::<u64>() {
            Ok(_) => Status::Pass,
            Err(_) => Status::Warning,
        };
        tally.add(status, &page.url);
    }
    tally.outcome(
        "Markdown version",
        "stated the number of tokens",
        "did not state the number of tokens",
    )
}
