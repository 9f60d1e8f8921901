//! No page loses content: the text of every source is in its HTML.
#![expect(
    clippy::print_stderr,
    reason = "figures and skipped checks must be seen"
)]

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use svc_tests::loaded_site::{LoadedSite, threads};
use svc_tests::markup::{normalize, normalized_text, tags};
use svc_tests::sites;
use svc_tests::source_text::{SkippedText, TextKind, source_text};

/// Result of a comparison.
#[derive(Default)]
struct Tally {
    pages: usize,
    tokens: usize,
    missing: usize,
    by_kind: BTreeMap<TextKind, (usize, usize)>,
    /// Pages with missing tokens, and their number.
    worst: Vec<(usize, String)>,
    left_out: SkippedText,
}

#[test]
fn mcp_loses_no_text() {
    assert_no_text_lost("mcp", 500_000);
}

#[test]
fn fastmcp_loses_no_text() {
    assert_no_text_lost("fastmcp", 300_000);
}

#[test]
fn trigger_loses_no_text() {
    assert_no_text_lost("trigger", 250_000);
}

#[test]
fn polar_loses_no_text() {
    assert_no_text_lost("polar", 70_000);
}

#[test]
fn mintlify_loses_no_text() {
    assert_no_text_lost("mintlify", 700_000);
}

/// Asserts that at least 999 of 1000 tokens of the site are shown, and that the site has at least
/// `least` tokens.
fn assert_no_text_lost(name: &str, least: usize) {
    let Some(root) = sites::site(name) else {
        return;
    };
    let site = LoadedSite::load(&root).expect("the repository can be read");
    let mut tally = compare(&site);
    tally.worst.sort_by(|a, b| b.cmp(a));
    let mut report = format!(
        "{name}: {} pages, {} tokens, {} missing; left out: {:?}\n  shown and missing: {:?}\n",
        tally.pages, tally.tokens, tally.missing, tally.left_out, tally.by_kind
    );
    for (_, line) in tally.worst.iter().take(15) {
        // Writing to a String cannot fail.
        let _ = writeln!(report, "  {line}");
    }
    eprint!("{report}");
    assert!(tally.tokens >= least, "only {} tokens", tally.tokens);
    assert!(tally.missing * 1000 <= tally.tokens, "{report}");
}

fn compare(loaded_site: &LoadedSite) -> Tally {
    loaded_site.site.render_all(threads(), &|| true);
    let mut tally = Tally::default();
    for route in loaded_site.site.map.routes.values() {
        let Some(page) = loaded_site.site.page_of(route) else {
            continue;
        };
        let html = loaded_site.page(&route.path).expect("the page is rendered");
        let mut shown = count_visible_tokens(&html);
        let source = source_text(&loaded_site.site, page);
        let mut lost: BTreeMap<String, usize> = BTreeMap::new();
        for (kind, token) in &source.tokens {
            let counted = tally.by_kind.entry(*kind).or_default();
            match shown.get_mut(token).filter(|left| **left > 0) {
                Some(left) => {
                    *left -= 1;
                    counted.0 += 1;
                }
                None => {
                    counted.1 += 1;
                    *lost.entry(token.clone()).or_default() += 1;
                }
            }
        }
        let missing: usize = lost.values().sum();
        tally.pages += 1;
        tally.tokens += source.tokens.len();
        tally.missing += missing;
        tally.left_out.add(&source.skipped);
        if missing > 0 {
            let sample: Vec<String> = lost
                .iter()
                .take(12)
                .map(|(token, times)| format!("{token}×{times}"))
                .collect();
            tally.worst.push((
                missing,
                format!("{}: {missing} missing: {}", route.path, sample.join(" ")),
            ));
        }
    }
    tally
}

/// Returns how often each token is in the page itself: without navigation, table of contents and
/// search, with the descriptions for assistive technology.
fn count_visible_tokens(html: &str) -> HashMap<String, usize> {
    let start = html.find("<main").expect("a page has main content");
    let end = html.find("<dialog").unwrap_or(html.len());
    let main = html.get(start..end).unwrap_or(&html[start..]);
    // The table of contents repeats the headings; they must be in the text too.
    let contents = main.find("<nav class=\"toc\"").map(|from| {
        let to = main[from..]
            .find("</nav>")
            .map_or(main.len(), |at| from + at);
        (from, to)
    });
    let (before, after) = contents.map_or((main, ""), |(from, to)| (&main[..from], &main[to..]));
    let mut out = HashMap::new();
    for part in [before, after] {
        let mut text = normalized_text(part);
        for tag in tags(part) {
            for name in ["alt", "title", "aria-label", "data-tip"] {
                if let Some(value) = tag.get(name) {
                    text.push(' ');
                    text.push_str(&normalize(value));
                }
            }
        }
        for token in text.split(' ').filter(|token| !token.is_empty()) {
            *out.entry(token.to_owned()).or_default() += 1;
        }
    }
    out
}
