//! Whether what agents read is complete and up to date.

use std::collections::BTreeSet;

use super::super::check::{Check, INFORMATION, LOW, MEDIUM, Outcome, Status, Tally};
use super::super::crawl::Crawl;
use super::super::discovery::{page_key, page_of};
use super::super::response::Response;
use super::parity;

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "llms-txt-coverage",
        weight: MEDIUM,
        hint: "List all pages of the sitemap in `llms.txt` or in the lists that it names.",
        run: coverage,
    },
    Check {
        id: "markdown-content-parity",
        weight: MEDIUM,
        hint: "Generate Markdown versions from the same source as pages; mark parts for people only with `data-markdown-ignore`.",
        run: parity::run,
    },
    Check {
        id: "cache-header-hygiene",
        weight: LOW,
        hint: "Send `Cache-Control` with at most an hour, or `ETag` with `no-cache`.",
        run: cache_headers,
    },
    Check {
        id: "response-times",
        weight: INFORMATION,
        hint: "Render pages in advance, or cache them.",
        run: response_times,
    },
];

/// Percentages of the pages of the sitemap.
const MIN_COVERAGE: usize = 95;
const MIN_COVERAGE_WARNING: usize = 80;
/// Lifetimes in seconds.
const HOUR: u64 = 3600;
const DAY: u64 = 86_400;

fn coverage(crawl: &Crawl) -> Outcome {
    if !crawl.has_llms {
        return Outcome::skipped("there is no `llms.txt`");
    }
    let keys = |urls: &[svc_fetch::Url]| -> BTreeSet<String> {
        let pages = urls.iter().filter_map(|url| page_of(&crawl.base, url));
        pages.map(|url| page_key(&url)).collect()
    };
    let (sitemap, listed) = (keys(&crawl.sitemap_urls), keys(&crawl.llms_links));
    if sitemap.is_empty() {
        return Outcome::skipped("there is no sitemap with pages of this site");
    }
    let missing: Vec<&String> = sitemap.difference(&listed).collect();
    let percent = (sitemap.len() - missing.len()) * 100 / sitemap.len();
    let mut message = format!(
        "`llms.txt` lists {percent} % of {} pages of the sitemap",
        sitemap.len()
    );
    if let Some(first) = missing.first() {
        message.push_str(&format!("; {} are missing, such as {first}", missing.len()));
    }
    let status = match percent {
        MIN_COVERAGE.. => Status::Pass,
        MIN_COVERAGE_WARNING.. => Status::Warning,
        _ => Status::Failure,
    };
    Outcome::new(status, message)
}

fn cache_headers(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    let lists = std::iter::once(&crawl.llms).chain(&crawl.sections);
    let lists = lists.filter(|list| list.is_plain_text());
    let texts = crawl
        .pages
        .iter()
        .filter_map(|page| page.markdown_version());
    let pages = crawl.html_pages().map(|page| &page.html);
    for response in lists.chain(texts).chain(pages) {
        let (status, detail) = freshness(response);
        tally.add_with(status, &response.final_url, &detail);
    }
    tally.outcome(
        "response",
        "allowed caching for at most an hour or with validation",
        "allowed caching for more than an hour, or did not say",
    )
}

/// How long caches may use a response, and a description.
fn freshness(response: &Response) -> (Status, String) {
    let control = response.header("cache-control").to_ascii_lowercase();
    let directives: Vec<&str> = control.split(',').map(str::trim).collect();
    let has_validator = ["etag", "last-modified"]
        .iter()
        .any(|name| !response.header(name).is_empty());
    let seconds = |name: &str| {
        let value = directives
            .iter()
            .find_map(|directive| directive.strip_prefix(name));
        value.and_then(|value| value.trim_matches('"').parse::<u64>().ok())
    };
    let is_validated = directives
        .iter()
        .any(|directive| matches!(*directive, "no-cache" | "no-store"))
        || (directives.contains(&"must-revalidate") && has_validator);
    match seconds("s-maxage=").or(seconds("max-age=")) {
        _ if is_validated => (Status::Pass, String::new()),
        Some(age) if age <= HOUR => (Status::Pass, String::new()),
        Some(age) if age <= DAY => (Status::Warning, format!("{age} s")),
        Some(age) => (Status::Failure, format!("{age} s")),
        None if has_validator => (Status::Pass, String::new()),
        None => (
            Status::Failure,
            "no `Cache-Control` and no `ETag`".to_owned(),
        ),
    }
}

fn response_times(crawl: &Crawl) -> Outcome {
    let mut times: Vec<u128> = crawl
        .pages
        .iter()
        .flat_map(|page| [&page.html, &page.markdown])
        .filter(|response| response.is_success())
        .map(|response| response.elapsed.as_millis())
        .collect();
    times.sort_unstable();
    let at =
        |share: usize| times.get((times.len() * share / 100).min(times.len().saturating_sub(1)));
    match (at(50), at(95)) {
        (Some(median), Some(slow)) => Outcome::pass(format!(
            "{} responses took {median} ms at the median and {slow} ms at the 95th percentile",
            times.len()
        )),
        _ => Outcome::skipped("there are no responses"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http::{HeaderMap, HeaderName, HeaderValue};
    use svc_fetch::Url;

    use super::*;

    #[test]
    fn lifetimes_are_judged() {
        let status = |headers: &[(&'static str, &'static str)]| {
            let url = Url::parse("https://a.test/").expect("a URL");
            let mut response = Response::failed(url, String::new());
            response.elapsed = Duration::ZERO;
            response.headers = headers
                .iter()
                .map(|(name, value)| {
                    (
                        HeaderName::from_static(name),
                        HeaderValue::from_static(value),
                    )
                })
                .collect::<HeaderMap>();
            freshness(&response).0
        };
        assert_eq!(
            status(&[("cache-control", "public, max-age=60")]),
            Status::Pass
        );
        assert_eq!(
            status(&[("cache-control", "max-age=0, s-maxage=7200")]),
            Status::Warning
        );
        assert_eq!(
            status(&[("cache-control", "max-age=31536000")]),
            Status::Failure
        );
        assert_eq!(
            status(&[
                ("cache-control", "max-age=31536000, must-revalidate"),
                ("etag", "\"a\"")
            ]),
            Status::Pass
        );
        assert_eq!(status(&[("cache-control", "no-cache")]), Status::Pass);
        assert_eq!(status(&[("etag", "\"a\"")]), Status::Pass);
        assert_eq!(status(&[]), Status::Failure);
    }
}
