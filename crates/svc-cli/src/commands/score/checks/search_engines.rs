//! Whether crawlers find and understand the pages.

use serde_json::Value;

use super::super::check::{Check, LOW, Outcome, Status, Tally};
use super::super::crawl::Crawl;
use super::super::response::is_same_site;

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "robots-txt",
        weight: LOW,
        hint: "Serve `/robots.txt` that names the sitemap and does not exclude all pages.",
        run: robots,
    },
    Check {
        id: "sitemap",
        weight: LOW,
        hint: "Serve `/sitemap.xml` with the URLs of the pages and the dates of their last changes.",
        run: sitemap,
    },
    Check {
        id: "structured-data",
        weight: LOW,
        hint: "Describe each page with JSON-LD of schema.org.",
        run: structured_data,
    },
    Check {
        id: "canonical-url",
        weight: LOW,
        hint: "State the URL of each page in `<link rel=\"canonical\">`.",
        run: canonical,
    },
];

/// Maximum number of URLs of one sitemap, by the protocol.
const MAX_ENTRIES: usize = 50_000;

fn robots(crawl: &Crawl) -> Outcome {
    let robots = &crawl.robots;
    if !robots.is_plain_text() {
        return Outcome::warning(format!("there is no `robots.txt`: {}", robots.describe()));
    }
    if excludes_all(&robots.body) {
        return Outcome::warning("`robots.txt` excludes all pages for all crawlers");
    }
    let names_sitemap = robots.body.lines().any(|line| {
        line.trim_start()
            .to_ascii_lowercase()
            .starts_with("sitemap:")
    });
    match names_sitemap {
        true => Outcome::pass("`robots.txt` names the sitemap"),
        false => Outcome::warning("`robots.txt` does not name the sitemap"),
    }
}

/// Whether the group for all crawlers has a rule for all paths and none that allows any.
fn excludes_all(text: &str) -> bool {
    let (mut is_group, mut in_rules) = (false, true);
    let (mut excluded, mut allowed) = (false, false);
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        match name.as_str() {
            "user-agent" => {
                if in_rules {
                    (is_group, in_rules) = (false, false);
                }
                is_group |= value == "*";
            }
            "disallow" => {
                in_rules = true;
                excluded |= is_group && value == "/";
            }
            "allow" => {
                in_rules = true;
                allowed |= is_group && !value.is_empty();
            }
            _ => {}
        }
    }
    excluded && !allowed
}

fn sitemap(crawl: &Crawl) -> Outcome {
    let found: Vec<_> = crawl
        .sitemaps
        .iter()
        .filter(|sitemap| sitemap.is_success())
        .collect();
    if found.is_empty() {
        let why = crawl
            .sitemaps
            .first()
            .map(|sitemap| sitemap.describe())
            .unwrap_or_default();
        return Outcome::warning(format!("there is no sitemap: {why}"));
    }
    let count = crawl.sitemap_urls.len();
    if count == 0 {
        return Outcome::failure("the sitemap has no URLs");
    }
    if found
        .iter()
        .any(|sitemap| sitemap.body.matches("<loc>").count() > MAX_ENTRIES)
    {
        return Outcome::failure("a sitemap has more than 50,000 URLs");
    }
    let foreign = crawl
        .sitemap_urls
        .iter()
        .find(|url| !is_same_site(url, &crawl.base));
    if let Some(url) = foreign {
        return Outcome::warning(format!(
            "the sitemap names another host: {}",
            url.host_str().unwrap_or_default()
        ));
    }
    let dates: usize = found
        .iter()
        .map(|sitemap| sitemap.body.matches("<lastmod>").count())
        .sum();
    match dates {
        0 => Outcome::pass(format!("the sitemap has {count} pages, without dates")),
        _ => Outcome::pass(format!("the sitemap has {count} pages and {dates} dates")),
    }
}

fn structured_data(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let texts = &page.content.json_ld;
        let is_valid = |text: &String| {
            let value: Result<Value, _> = serde_json::from_str(text);
            value.is_ok_and(|value| {
                let first = value.get(0).unwrap_or(&value);
                first.get("@type").is_some() || first.get("@graph").is_some()
            })
        };
        let status = match texts.is_empty() {
            true => Status::Warning,
            false if texts.iter().all(is_valid) => Status::Pass,
            false => Status::Failure,
        };
        tally.add(status, &page.url);
    }
    tally.outcome(
        "page",
        "had structured data",
        "lacked valid structured data",
    )
}

fn canonical(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let url = page.content.canonical.as_deref().unwrap_or_default();
        let status = Status::pass_if(
            url.starts_with("https://") || url.starts_with("http://"),
            Status::Warning,
        );
        tally.add(status, &page.url);
    }
    tally.outcome(
        "page",
        "stated a canonical URL",
        "did not state a canonical URL",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rules_for_all_crawlers_count() {
        assert!(excludes_all("User-agent: *\nDisallow: /\n"));
        assert!(excludes_all(
            "User-agent: a\nUser-agent: *\nDisallow: / # all\n"
        ));
        assert!(!excludes_all(
            "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n"
        ));
        assert!(!excludes_all("User-agent: *\nDisallow: /private\n"));
        assert!(!excludes_all(""));
    }
}
