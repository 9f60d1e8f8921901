//! A result of the search as text: its head, and the section or an excerpt of it.

use std::collections::{BTreeSet, HashSet};

use svc_search::{Section, SectionResults};
use svc_site::{Site, estimated_tokens};

use crate::bounded_text::quoted;
use crate::excerpt::excerpt;
use crate::ranked_sections::{RankedSection, SectionMatches};

/// Minimum number of tokens that are worth an excerpt of code.
const MIN_CODE_TOKENS: usize = 40;
/// Tokens of the lines around code and of marks for omitted lines.
const FENCE_TOKENS: usize = 4;

/// Minimum length in bytes of a line that is recognized in another result.
const MIN_LINE_BYTES: usize = 20;

/// At most `limit` sections, and how many sections were looked at. Sections whose excerpts of
/// `tokens` tokens mostly repeat those before, such as the same field of several objects, come last.
pub(super) fn without_repetitions<'r, 's>(
    sections: &'r [RankedSection<'s>],
    results: &SectionResults,
    limit: usize,
    tokens: usize,
) -> (Vec<&'r RankedSection<'s>>, usize) {
    let mut known: HashSet<String> = HashSet::new();
    let mut out = Vec::new();
    let mut repetitions = Vec::new();
    for ranked in sections.iter().take(limit * 2) {
        if out.len() == limit {
            break;
        }
        let (text, _) = body(ranked, results, tokens);
        let lines = text.lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| line.len() >= MIN_LINE_BYTES).collect();
        let is_known = |line: &&&str| known.contains(**line);
        let repeated: usize = lines.iter().filter(is_known).map(|line| line.len()).sum();
        let all: usize = lines.iter().map(|line| line.len()).sum();
        if repeated * 2 > all {
            repetitions.push(ranked);
            continue;
        }
        known.extend(lines.into_iter().map(str::to_owned));
        out.push(ranked);
    }
    let count = out.len() + repetitions.len();
    let missing = limit - out.len();
    out.extend(repetitions.into_iter().take(missing));
    (out, count)
}

/// The facets in which results differ, which heads name.
pub(super) fn distinct_facets(sections: &[&RankedSection<'_>]) -> Vec<&'static str> {
    let mut names = vec!["version", "language", "method"];
    names.retain(|name| {
        let facets = sections.iter().flat_map(|ranked| &ranked.document.facets);
        let values = facets.filter(|(own, _)| own == name);
        values
            .map(|(_, value)| value)
            .collect::<BTreeSet<_>>()
            .len()
            > 1
    });
    names
}

/// The first lines of a result: the address with facts, as in results of `read`, then title and
/// headings. `shown` are the tokens of the excerpt; `None` if it is the whole section. `facets` are those of [`distinct_facets`].
pub(super) fn head(
    site: &Site,
    ranked: &RankedSection<'_>,
    facets: &[&str],
    shown: Option<usize>,
) -> String {
    let document = ranked.document;
    let mut title = quoted(&document.title, 120);
    for heading in &ranked.section.headings {
        title.push_str(" › ");
        title.push_str(&quoted(heading, 120));
    }
    let address = match ranked.section.id.as_str() {
        "" => document.path.clone(),
        id => format!("{}#{id}", document.path),
    };
    let part = match shown {
        None => "whole section".to_owned(),
        Some(shown) => format!(
            "{shown} of {} tokens",
            estimated_tokens(&whole(ranked.section))
        ),
    };
    let mut out = format!("\n[{}{address} · {part}", site.base_path());
    for name in facets {
        let mut values = document.facets.iter().filter(|(own, _)| own == name);
        // Pages of all versions or languages have several.
        if let (Some((_, value)), None) = (values.next(), values.next()) {
            out.push_str(&format!(" · {name} {}", quoted(value, 40)));
        }
    }
    match ranked.copies {
        0 => {}
        1 => out.push_str(" · similar on 1 other page"),
        copies => out.push_str(&format!(" · similar on {copies} other pages")),
    }
    out.push_str("]\n## ");
    out.push_str(&title);
    out.push('\n');
    out
}

/// The whole section if it has at most `tokens` tokens, or else an excerpt, with its tokens.
pub(super) fn body(
    ranked: &RankedSection<'_>,
    results: &SectionResults,
    tokens: usize,
) -> (String, Option<usize>) {
    let section = ranked.section;
    let whole = whole(section);
    if estimated_tokens(&whole) <= tokens {
        return (whole, None);
    }
    // Code is long and seldom says what prose does not: it gets what prose leaves, and more only if
    // it has words of the query that the prose does not have.
    let SectionMatches { text, code } = ranked.matches(results);
    let in_text = |token: usize| text.iter().any(|found| found.token == token);
    let has_own = code.iter().any(|found| !in_text(found.token));
    let reserved = if has_own { tokens / 3 } else { 0 };
    let mut out = excerpt(
        section.text.trim_end(),
        text,
        tokens.saturating_sub(reserved),
    );
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    let left = tokens.saturating_sub(estimated_tokens(&out) + FENCE_TOKENS);
    if left >= MIN_CODE_TOKENS || (has_own && left > 0) {
        let code = excerpt(section.code.trim_end(), code, left);
        if !code.trim().is_empty() {
            out.push_str(&fenced(&code));
        }
    }
    let shown = estimated_tokens(&out);
    (out, Some(shown))
}

/// The whole text of a section with its code.
fn whole(section: &Section) -> String {
    let mut out = String::with_capacity(section.text.len() + section.code.len() + 16);
    let text = section.text.trim();
    if !text.is_empty() {
        out.push_str(text);
        out.push('\n');
    }
    if !section.code.trim().is_empty() {
        out.push_str(&fenced(&section.code));
    }
    out
}

/// A code block that the code itself does not end.
fn fenced(code: &str) -> String {
    let fence = if code.contains("```") { "````" } else { "```" };
    format!("{fence}\n{}\n{fence}\n", code.trim_matches('\n').trim_end())
}
