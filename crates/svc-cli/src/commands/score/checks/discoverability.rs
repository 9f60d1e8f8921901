//! Whether agents find the pages: `llms.txt` and the references to it.

use super::super::check::{Check, HIGH, LOW, MAX_CHARS, MEDIUM, Outcome, Status, Tally, by_size};
use super::super::crawl::Crawl;
use super::super::markdown;
use super::super::response::{is_same_site, path_of};

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "llms-txt-exists",
        weight: HIGH,
        hint: "Serve a list of the pages at `/llms.txt` as text, without a redirect to another host.",
        run: exists,
    },
    Check {
        id: "llms-txt-valid",
        weight: MEDIUM,
        hint: "Begin `llms.txt` with a heading of level 1 and a block quote that describes the site, and list links below further headings.",
        run: valid,
    },
    Check {
        id: "llms-txt-size",
        weight: HIGH,
        hint: "Split `llms.txt` into lists of sections with less than 50,000 characters each.",
        run: size,
    },
    Check {
        id: "llms-txt-links-resolve",
        weight: HIGH,
        hint: "Remove links from `llms.txt` that no longer exist.",
        run: links_resolve,
    },
    Check {
        id: "llms-txt-links-markdown",
        weight: MEDIUM,
        hint: "Link to the Markdown versions of pages in `llms.txt`.",
        run: links_markdown,
    },
    Check {
        id: "llms-txt-directive-html",
        weight: MEDIUM,
        hint: "Name `/llms.txt` near the beginning of each HTML page, outside of its navigation.",
        run: directive_html,
    },
    Check {
        id: "llms-txt-directive-md",
        weight: MEDIUM,
        hint: "Name `/llms.txt` near the beginning of each Markdown version.",
        run: directive_markdown,
    },
    Check {
        id: "llms-txt-token-counts",
        weight: LOW,
        hint: "State the number of tokens of each page in `llms.txt`, so that agents can plan what they read.",
        run: token_counts,
    },
];

/// Share of a page behind which a reference is often cut off.
const BURIED_SHARE: f64 = 0.5;

const NO_LIST: &str = "there is no `llms.txt`";

fn exists(crawl: &Crawl) -> Outcome {
    let list = &crawl.llms;
    if !crawl.has_llms {
        return Outcome::failure(format!("{NO_LIST}: {}", list.describe()));
    }
    if !is_same_site(&list.url, &list.final_url) {
        return Outcome::warning("`llms.txt` redirects to another host");
    }
    Outcome::pass(format!("`llms.txt` is at {}", path_of(&list.final_url)))
}

fn valid(crawl: &Crawl) -> Outcome {
    if !crawl.has_llms {
        return Outcome::skipped(NO_LIST);
    }
    let text = markdown::parse(&crawl.llms.body);
    if text.links.is_empty() {
        return Outcome::failure("`llms.txt` has no links");
    }
    let missing: Vec<&str> = [
        (
            text.begins_with_title,
            "a heading of level 1 at its beginning",
        ),
        (text.has_quote, "a block quote that describes the site"),
        (text.headings > 1, "sections with headings"),
    ]
    .into_iter()
    .filter_map(|(is_there, what)| (!is_there).then_some(what))
    .collect();
    match missing.is_empty() {
        true => Outcome::pass("`llms.txt` has a title, a description and sections of links"),
        false => Outcome::warning(format!("`llms.txt` lacks {}", missing.join(" and "))),
    }
}

fn size(crawl: &Crawl) -> Outcome {
    if !crawl.has_llms {
        return Outcome::skipped(NO_LIST);
    }
    let mut tally = Tally::default();
    for list in std::iter::once(&crawl.llms).chain(&crawl.sections) {
        let chars = list.body.chars().count();
        tally.add_with(
            by_size(chars),
            &list.final_url,
            &format!("{chars} characters"),
        );
    }
    let mut outcome = tally.outcome(
        "list",
        &format!("had at most {MAX_CHARS} characters"),
        "had more than 50000 characters",
    );
    // The root list is what agents read first.
    let root = by_size(crawl.llms.body.chars().count());
    outcome.status = outcome.status.max(root);
    outcome
}

fn links_resolve(crawl: &Crawl) -> Outcome {
    if !crawl.has_llms {
        return Outcome::skipped(NO_LIST);
    }
    let mut tally = Tally::default();
    for link in &crawl.checked_llms_links {
        let status = Status::pass_if(link.is_success(), Status::Failure);
        tally.add_with(status, &link.url, &link.describe());
    }
    for section in crawl
        .sections
        .iter()
        .filter(|section| !section.is_success())
    {
        tally.add_with(Status::Failure, &section.url, &section.describe());
    }
    tally.outcome("link", "responded", "did not respond")
}

fn links_markdown(crawl: &Crawl) -> Outcome {
    if !crawl.has_llms {
        return Outcome::skipped(NO_LIST);
    }
    let mut tally = Tally::default();
    for link in &crawl.checked_llms_links {
        let path = link.url.path();
        let is_text = [".md", ".mdx", ".txt", ".json", ".yaml", ".yml"]
            .iter()
            .any(|end| path.ends_with(end));
        let status = Status::pass_if(
            is_text || link.media_type() == "text/markdown",
            Status::Failure,
        );
        tally.add(status, &link.url);
    }
    tally.outcome("link", "led to Markdown", "led to HTML")
}

fn directive_html(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.html_pages() {
        let content = &page.content;
        let length = content.converted_chars.max(1) as f64;
        let link = content.links.iter().find(|link| {
            let path = link.href.split(['?', '#']).next().unwrap_or_default();
            path.ends_with("/llms.txt") && !link.region.chrome
        });
        let mention = content
            .blocks
            .iter()
            .find(|block| block.text.contains("/llms.txt") && !block.region.chrome);
        let positions = [
            link.map(|link| link.position),
            mention.map(|block| block.position),
        ];
        let position = positions.into_iter().flatten().min();
        add_position(&mut tally, position.map(|at| at as f64 / length), &page.url);
    }
    tally.outcome(
        "page",
        "named `llms.txt`",
        "did not name `llms.txt` in the first half",
    )
}

fn directive_markdown(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for (page, text, _) in crawl.markdown_versions() {
        let length = text.body.len().max(1) as f64;
        let position = text.body.find("/llms.txt").map(|at| at as f64 / length);
        // The head of a short page is a large share of it.
        let is_early = text.body.find("/llms.txt").is_some_and(|at| at < 1000);
        let position = match is_early {
            true => Some(0.0),
            false => position,
        };
        add_position(&mut tally, position, &page.url);
    }
    tally.outcome(
        "Markdown version",
        "named `llms.txt`",
        "did not name `llms.txt` in the first half",
    )
}

/// Adds a page with the share of it before the reference.
fn add_position(tally: &mut Tally, share: Option<f64>, url: &svc_fetch::Url) {
    match share {
        Some(share) if share <= BURIED_SHARE => tally.add(Status::Pass, url),
        Some(_) => tally.add_with(Status::Warning, url, "in its second half"),
        None => tally.add(Status::Failure, url),
    }
}

fn token_counts(crawl: &Crawl) -> Outcome {
    if !crawl.has_llms {
        return Outcome::skipped(NO_LIST);
    }
    let lists = std::iter::once(&crawl.llms).chain(&crawl.sections);
    let is_page = |line: &&str| line.trim_start().starts_with("- [") && line.contains(".md)");
    let (mut pages, mut counted) = (0_usize, 0_usize);
    for line in lists.flat_map(|list| list.body.lines()).filter(is_page) {
        pages += 1;
        counted += usize::from(line.contains(" tokens"));
    }
    match (pages, counted) {
        (0, _) => Outcome::skipped("`llms.txt` links to no Markdown version"),
        _ if counted == pages => {
            Outcome::pass(format!("all {pages} pages have a number of tokens"))
        }
        (_, 0) => Outcome::warning("`llms.txt` does not state the number of tokens of pages"),
        _ => Outcome::warning(format!(
            "{} of {pages} pages have no number of tokens",
            pages - counted
        )),
    }
}
