//! Whether agents may read the pages.

use super::super::check::{Check, HIGH, MEDIUM, Outcome, Status, Tally};
use super::super::crawl::{Crawl, SampledPage};

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "auth-gate-detection",
        weight: HIGH,
        hint: "Serve pages without sign-in where possible.",
        run: sign_in,
    },
    Check {
        id: "auth-alternative-access",
        weight: MEDIUM,
        hint: "Publish a list of the pages, or Markdown versions of those that are not secret.",
        run: alternatives,
    },
    Check {
        id: "bot-protection-interference",
        weight: MEDIUM,
        hint: "Exempt the documentation from the detection of bots, and raise the rate limit.",
        run: bot_protection,
    },
];

/// Hosts of services at which users sign in.
const SIGN_IN_HOSTS: &[&str] = &[
    "auth0.com",
    "login.microsoftonline.com",
    "okta.com",
    "accounts.google.com",
    "onelogin.com",
];
/// Share of requests that are blocked above which a site is not readable.
const MAX_BLOCKED_SHARE: f64 = 0.5;

/// Whether a page requires sign-in.
fn requires_sign_in(page: &SampledPage) -> bool {
    if matches!(page.html.status, 401 | 403) {
        return true;
    }
    let host = page.html.final_url.host_str().unwrap_or_default();
    let is_service = |service: &&str| {
        let parent = host.strip_suffix(*service);
        parent.is_some_and(|parent| parent.is_empty() || parent.ends_with('.'))
    };
    SIGN_IN_HOSTS.iter().any(is_service) || page.content.has_password
}

fn sign_in(crawl: &Crawl) -> Outcome {
    let mut tally = Tally::default();
    for page in crawl.pages.iter().filter(|page| page.html.status > 0) {
        let status = match requires_sign_in(page) {
            true => Status::Failure,
            false => Status::Pass,
        };
        tally.add_with(status, &page.url, &page.html.describe());
    }
    tally.outcome("page", "opened without sign-in", "required sign-in")
}

fn alternatives(crawl: &Crawl) -> Outcome {
    let closed: Vec<&SampledPage> = crawl
        .pages
        .iter()
        .filter(|page| requires_sign_in(page))
        .collect();
    if closed.is_empty() {
        return Outcome::skipped("all pages are public");
    }
    match () {
        () if closed.iter().all(|page| page.markdown_version().is_some()) => {
            Outcome::pass("pages that require sign-in have public Markdown versions")
        }
        () if crawl.has_llms || crawl.mcp.version.is_some() => Outcome::warning(
            "agents see a list of the pages that require sign-in, but not the pages",
        ),
        () => Outcome::failure("agents have no access to pages that require sign-in"),
    }
}

fn bot_protection(crawl: &Crawl) -> Outcome {
    let responses = crawl
        .pages
        .iter()
        .flat_map(|page| [&page.html, &page.markdown, &page.negotiated]);
    let (mut total, mut blocked) = (0_usize, 0_usize);
    for response in responses.filter(|response| response.status > 0) {
        total += 1;
        let is_challenge = !response.header("cf-mitigated").is_empty();
        blocked += usize::from(matches!(response.status, 429 | 503) || is_challenge);
    }
    match (total, blocked) {
        (0, _) => Outcome::skipped("there are no responses"),
        (_, 0) => Outcome::pass(format!("none of {total} requests was blocked")),
        _ if blocked as f64 / total as f64 > MAX_BLOCKED_SHARE => {
            Outcome::failure(format!("{blocked} of {total} requests were blocked"))
        }
        _ => Outcome::warning(format!("{blocked} of {total} requests were blocked")),
    }
}
