//! `search`: the sections that match a query, with excerpts.

mod result;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_site::{SEARCH_FACETS, Site, estimated_tokens};

use super::{Tool, ToolCall};
use crate::bounded_text::{BoundedText, quoted};
use crate::ranked_sections::{RankedSection, ranked_sections};

/// Maximum number of results.
const MAX_LIMIT: usize = 20;
const DEFAULT_LIMIT: usize = 16;
/// Maximum number of results that are skipped.
const MAX_OFFSET: usize = 200;
/// More tokens than an excerpt has.
const MAX_SHOWN: usize = 99_999;
/// Maximum number of values of a filter in a message.
const MAX_FILTER_VALUES: usize = 20;

pub(super) static TOOL: Tool = Tool {
    name: "search",
    title: "Search the documentation",
    description: "Full-text search; a question can be asked as it is. Returns the best sections with their address and the part with the matching words; short sections are whole. Read the rest of a section with `read`, get further results with `offset`.",
    properties,
    required: &["query"],
    is_listed: |_| true,
    call,
};

fn properties() -> Value {
    let mut out = json!({
        "query": {"type": "string", "description": "Words to search for. \"Quoted words\" must follow each other."},
        "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT, "description": "Maximum number of results."},
        "offset": {"type": "integer", "minimum": 0, "maximum": MAX_OFFSET, "default": 0, "description": "Number of results to skip, to get further ones."},
    });
    for (name, about) in [
        ("version", "Only pages of this version."),
        ("language", "Only pages in this language, such as `en`."),
        ("product", "Only pages of this product."),
        ("tag", "Only pages with this tag."),
        ("method", "Only API operations with this HTTP method."),
        ("group", "Only pages of this group of the navigation."),
    ] {
        out[name] = json!({"type": "string", "description": about});
    }
    out
}

fn call(call: &ToolCall<'_>) -> Result<String, String> {
    let text = call.arguments.required("query")?;
    let limit = call
        .arguments
        .number("limit", 1..=MAX_LIMIT, DEFAULT_LIMIT)?;
    let offset = call.arguments.number("offset", 0..=MAX_OFFSET, 0)?;
    let mut chosen: Vec<(&str, String)> = Vec::new();
    for name in SEARCH_FACETS {
        if let Some(value) = call.arguments.text(name)? {
            chosen.push((name, known_value(call.site, name, value)?));
        }
    }
    let filters: Vec<(&str, &str)> = chosen
        .iter()
        .map(|(name, value)| (*name, &**value))
        .collect();
    let key = json!([text, limit, offset, chosen, call.max_tokens]).to_string();
    // Many agents have the same question.
    let answer = call
        .site
        .cached_text(&key, || search(call, text, &filters, (limit, offset)));
    answer.map(|answer| answer.as_str().to_owned())
}

fn search(
    call: &ToolCall<'_>,
    text: &str,
    filters: &[(&str, &str)],
    (limit, offset): (usize, usize),
) -> Result<String, String> {
    let found = ranked_sections(call.site, text, filters);
    let results = &found.results;
    let mut answer = BoundedText::new(call.max_tokens);
    let shown = quoted(text, 100);
    if found.sections.is_empty() {
        let hint = match &results.correction {
            Some(correction) => format!("Did you mean \"{correction}\"?"),
            None if filters.is_empty() => {
                "Use fewer or other words, or see the pages with `list`.".to_owned()
            }
            None => "Try it without filters.".to_owned(),
        };
        return Ok(format!("No results for \"{shown}\". {hint}"));
    }
    let rest = found.sections.get(offset..).unwrap_or(&[]);
    if rest.is_empty() {
        let count = found.sections.len();
        return Ok(format!("There are no results after the first {count}."));
    }
    let (sections, taken) =
        result::without_repetitions(rest, results, limit, call.max_tokens / limit);
    let first = offset + 1;
    let last = offset + taken;
    answer.push(&format!(
        "Results {first} to {last} of {} for \"{shown}\"",
        results.total
    ));
    if let Some(correction) = &results.correction {
        answer.push(&format!(", searched as \"{correction}\""));
    }
    if found.is_unquoted {
        answer.push(", without quotes because nothing has these words in this order");
    }
    if sections.len() < taken {
        let repetitions = taken - sections.len();
        answer.push(&format!(", without {repetitions} that repeat others"));
    }
    answer.push(".\n");
    let facets = result::distinct_facets(&sections);
    // A head is longest with the tokens of an excerpt.
    let head_tokens = |ranked: &&RankedSection<'_>| {
        estimated_tokens(&result::head(call.site, ranked, &facets, Some(MAX_SHOWN)))
    };
    let heads: Vec<usize> = sections.iter().map(head_tokens).collect();
    let mut count = 0;
    for (ranked, head) in sections.iter().zip(&heads) {
        // The heads of all results are paid first; what remains is shared in a decreasing way.
        let others: usize = heads.iter().skip(count + 1).sum();
        let Some(rest) = answer.left().checked_sub(*head) else {
            break;
        };
        let rest = rest.saturating_sub(others);
        let following = sections.len() - count;
        let share = (rest * 3).div_ceil(following * 2 + 1).min(rest);
        let (body, shown) = result::body(ranked, results, share);
        if !answer.push(&result::head(call.site, ranked, &facets, shown)) {
            break;
        }
        answer.push(&body);
        count += 1;
    }
    let mut footer = String::new();
    if count < sections.len() {
        footer = format!(
            "{} results left out: raise `max_tokens`. ",
            sections.len() - count
        );
    } else if rest.len() > taken {
        footer = format!("More results: `offset` {last}. ");
    }
    footer.push_str("More of a section: `read` with `path` set to its address.");
    Ok(answer.finish(&footer))
}

/// The value of a facet in the spelling of the site.
///
/// # Errors
/// If no page has the value; with the values that exist.
fn known_value(site: &Site, name: &str, value: &str) -> Result<String, String> {
    let facets = site
        .search_index()
        .pages()
        .iter()
        .flat_map(|page| &page.facets);
    let values: BTreeSet<&str> = facets
        .filter(|(own, _)| own == name)
        .map(|(_, value)| &**value)
        .collect();
    if values.contains(value) {
        return Ok(value.to_owned());
    }
    let mut same = values
        .iter()
        .filter(|known| known.eq_ignore_ascii_case(value));
    if let Some(known) = same.next() {
        return Ok((*known).to_owned());
    }
    if values.is_empty() {
        return Err(format!(
            "the pages of this site have no `{name}`; leave it out"
        ));
    }
    let more = if values.len() > MAX_FILTER_VALUES {
        ", …"
    } else {
        ""
    };
    let values = values.into_iter().take(MAX_FILTER_VALUES);
    let values: Vec<String> = values.map(|value| quoted(value, 60)).collect();
    Err(format!(
        "no page has the `{name}` `{}`; values are `{}`{more}",
        quoted(value, 60),
        values.join("`, `")
    ))
}

#[cfg(test)]
mod tests {
    use svc_site::estimated_tokens;

    use crate::test_site::{self, call, error};

    #[test]
    fn results_have_path_excerpt_and_tokens() {
        let site = test_site::guides();
        let text = call(&site, "search", r#"{"query": "burst limit"}"#);
        assert!(
            text.contains("\n[/guides/limits#bursts · whole section]\n## Limits › Bursts\nA burst"),
            "{text}"
        );
        assert!(text.contains("A burst may exceed the limit"), "{text}");
        assert!(text.contains("```\nlimit --burst 5\n```"), "{text}");
        assert!(
            !text.contains("/draft") && !text.contains("/unsearchable"),
            "{text}"
        );
    }

    #[test]
    fn the_limit_of_tokens_holds_and_every_result_is_named() {
        let site = test_site::large();
        for max in [200, 300, 1_000, 3_000] {
            let arguments = format!(r#"{{"query": "common", "limit": 20, "max_tokens": {max}}}"#);
            let text = call(&site, "search", &arguments);
            assert!(estimated_tokens(&text) <= max, "{max}: {text}");
            assert!(
                max < 1_000 || text.matches("\n## ").count() == 20,
                "{max}: {text}"
            );
        }
        let text = call(
            &site,
            "search",
            r#"{"query": "common", "limit": 3, "max_tokens": 400}"#,
        );
        let results: Vec<&str> = text.split("\n## ").skip(1).collect();
        assert_eq!(results.len(), 3);
        assert!(
            results[0].len() > results[2].len(),
            "the best gets the most text: {text}"
        );
        assert!(text.contains("More results: `offset` 6."), "{text}");
        let next = call(
            &site,
            "search",
            r#"{"query": "common", "limit": 3, "offset": 6}"#,
        );
        assert!(
            next.starts_with("Results 7 to 12 of 300 for")
                && next.contains("without 3 that repeat"),
            "{next}"
        );
        let paths = |text: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|line| line.split_once(" · "));
            let lines = lines.filter_map(|(path, _)| path.strip_prefix("[/"));
            lines.map(str::to_owned).collect()
        };
        assert_eq!((paths(&text).len(), paths(&next).len()), (3, 3));
        assert!(paths(&text).iter().all(|path| !paths(&next).contains(path)));
    }

    #[test]
    fn words_in_quotes_are_also_found_without_them() {
        let site = test_site::guides();
        let text = call(
            &site,
            "search",
            r#"{"query": "the \"limit burst exceeds\""}"#,
        );
        assert!(
            text.contains("without quotes because") && text.contains("[/guides/limits#bursts · "),
            "{text}"
        );
        let text = call(&site, "search", r#"{"query": "\"exceed the limit\""}"#);
        assert!(!text.contains("without quotes"), "{text}");
    }

    #[test]
    fn a_passage_is_shown_once() {
        let site = test_site::repetitive();
        let text = call(
            &site,
            "search",
            r#"{"query": "cache scope of the response", "limit": 2}"#,
        );
        assert_eq!(
            text.matches("The cache scope says who").count(),
            1,
            "{text}"
        );
        assert!(text.contains("similar on 1 other page"), "{text}");
        assert!(text.contains("Another scope"), "{text}");
    }

    #[test]
    fn filters_are_checked() {
        let site = test_site::versions();
        let text = call(&site, "search", r#"{"query": "install", "version": "V2"}"#);
        assert!(
            text.contains("/v2/install") && !text.contains("/v1/install"),
            "{text}"
        );
        let text = error(&site, "search", r#"{"query": "install", "version": "v3"}"#);
        assert_eq!(
            text,
            "no page has the `version` `v3`; values are `v1`, `v2`"
        );
        let text = error(&site, "search", r#"{"query": "install", "product": "x"}"#);
        assert_eq!(
            text,
            "the pages of this site have no `product`; leave it out"
        );
        let text = error(&site, "search", r#"{"query": "install", "limit": 21}"#);
        assert_eq!(text, "`limit` must be a whole number from 1 to 20");
        let text = call(&site, "search", r#"{"query": "zzzzqqqq"}"#);
        assert!(
            text.starts_with("No results for \"zzzzqqqq\". Use fewer"),
            "{text}"
        );
    }
}
