//! `search`: the sections that match a query, with excerpts.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_search::{Query, Section};
use svc_site::{SEARCH_FACETS, SearchResult, SectionResult, Site, estimated_tokens};

use super::{Tool, ToolCall};
use crate::bounded_text::{BoundedText, fit_lines, quoted};
use crate::excerpt::excerpt;
use crate::visible::{self, Surface};

/// Maximum number of results.
const MAX_LIMIT: usize = 20;
const DEFAULT_LIMIT: usize = 6;
/// Minimum number of tokens that are worth an excerpt of another section of a page.
const MIN_EXCERPT_TOKENS: usize = 40;
/// Words with fewer characters do not choose lines of an excerpt if there are longer ones.
const MIN_TERM_CHARS: usize = 3;
/// Maximum number of values of a filter in a message.
const MAX_FILTER_VALUES: usize = 20;

pub(super) static TOOL: Tool = Tool {
    name: "search",
    title: "Search the documentation",
    description: "Full-text search. Returns the best sections with their address and an excerpt around the matching words; the best result gets the most text. Read a whole section with `read`.",
    properties,
    required: &["query"],
    is_listed: |_| true,
    call,
};

fn properties() -> Value {
    let mut out = json!({
        "query": {"type": "string", "description": "Words to search for. \"Quoted words\" must follow each other."},
        "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT, "description": "Maximum number of results."},
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
    // A space ends the last word, which is complete.
    let query = format!("{text} ");
    let results = call.site.search(&Query {
        limit,
        filters: &filters,
        ..Query::new(&query)
    });
    let pages: Vec<&SearchResult<'_>> = results
        .pages
        .iter()
        .filter(|result| {
            let path = svc_data::percent::decode(&result.document.path);
            let route = call.site.map.route(&path);
            route.is_some_and(|route| visible::is_visible(route, Surface::Search))
        })
        .collect();
    let mut answer = BoundedText::new(call.max_tokens);
    let shown = quoted(text, 100);
    if pages.is_empty() {
        let hint = match &results.correction {
            Some(correction) => format!("Did you mean \"{correction}\"?"),
            None if filters.is_empty() => {
                "Use fewer or other words, or see the pages with `list`.".to_owned()
            }
            None => "Try it without filters.".to_owned(),
        };
        return Ok(format!("No results for \"{shown}\". {hint}"));
    }
    answer.push(&format!(
        "{} of {} results for \"{shown}\"",
        pages.len(),
        results.total
    ));
    if let Some(correction) = &results.correction {
        answer.push(&format!(", searched as \"{correction}\""));
    }
    answer.push(".\n");
    let words = terms(&results.pages, text);
    let heads: Vec<String> = pages.iter().map(|result| head(call.site, result)).collect();
    let mut count = 0;
    for (index, (result, head)) in pages.iter().zip(&heads).enumerate() {
        if !answer.push(head) {
            break;
        }
        count = index + 1;
        // The heads of the other results are paid first; what remains is shared in a decreasing way.
        let others: usize = heads[count..]
            .iter()
            .map(|head| estimated_tokens(head))
            .sum();
        let rest = answer.left().saturating_sub(others);
        let following = pages.len() - index;
        let share = (rest * 2).div_ceil(following + 1);
        write_sections(result, &words, share.min(rest), &mut answer);
    }
    let mut footer = String::new();
    if count < pages.len() {
        footer = format!(
            "{} results left out: raise `max_tokens`. ",
            pages.len() - count
        );
    } else if results.total > pages.len() && limit < MAX_LIMIT {
        footer = format!(
            "{} more results: raise `limit`. ",
            results.total - pages.len()
        );
    }
    footer.push_str("Whole sections: `read` with `path` set to an address.");
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

/// The words of the query and those that matched instead of them, in lower case.
fn terms(results: &[SearchResult<'_>], query: &str) -> Vec<String> {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for result in results {
        let sections = result.sections.iter();
        let snippets = sections.flat_map(|section| [&section.heading, &section.snippet]);
        for snippet in snippets.chain([&result.title]) {
            let marked = snippet.marks.iter();
            let marked = marked.filter_map(|mark| snippet.text.get(mark.clone()));
            words.extend(marked.map(str::to_lowercase));
        }
    }
    if words.is_empty() {
        words.extend(query.split_whitespace().map(str::to_lowercase));
    }
    let is_long = |word: &String| word.chars().count() >= MIN_TERM_CHARS || !word.is_ascii();
    if words.iter().any(is_long) {
        words.retain(is_long);
    }
    words.into_iter().take(64).collect()
}

/// Title, headings, address and facts of a result.
fn head(site: &Site, result: &SearchResult<'_>) -> String {
    let best = result.sections.first().map(|best| best.section);
    let headings = best.map_or(&[][..], |section| &section.headings);
    let mut title = quoted(&result.document.title, 120);
    for heading in headings {
        title.push_str(" › ");
        title.push_str(&quoted(heading, 120));
    }
    let mut out = format!(
        "\n## {title}\n{}{} · page of about {} tokens",
        site.base_path(),
        result.href(),
        tokens(result)
    );
    for name in ["version", "language", "method"] {
        if let Some(value) = result.facet(name) {
            out.push_str(&format!(" · {name} {}", quoted(value, 40)));
        }
    }
    out.push('\n');
    out
}

/// Tokens of the text and the code of a page. The Markdown version has a few more, but would have to
/// be rendered for every result.
fn tokens(result: &SearchResult<'_>) -> usize {
    let sections = result.document.sections.iter();
    let texts = sections.flat_map(|section| [&section.text, &section.code]);
    texts.map(|text| estimated_tokens(text)).sum()
}

/// Writes the best section, and others if there are tokens left.
fn write_sections(
    result: &SearchResult<'_>,
    words: &[String],
    share: usize,
    answer: &mut BoundedText,
) {
    let before = answer.left();
    for (index, found) in result.sections.iter().enumerate() {
        let mut left = share.saturating_sub(before - answer.left());
        if index > 0 {
            let head = match found.section.headings.last() {
                Some(heading) => {
                    format!("### {} (#{})\n", quoted(heading, 120), found.section.id)
                }
                None => "### Beginning of the page\n".to_owned(),
            };
            let cost = estimated_tokens(&head);
            if left < cost + MIN_EXCERPT_TOKENS || !answer.push(&head) {
                return;
            }
            left -= cost;
        }
        write_section(found, words, left, answer);
    }
}

fn write_section(
    found: &SectionResult<'_>,
    words: &[String],
    tokens: usize,
    answer: &mut BoundedText,
) {
    let section = found.section;
    let whole = whole(section);
    if estimated_tokens(&whole) <= tokens {
        answer.push(&whole);
        return;
    }
    let mut left = tokens;
    let mut write = |text: &str, left: &mut usize| {
        let before = answer.left();
        answer.push(text);
        *left = left.saturating_sub(before - answer.left());
    };
    // Prose and code share what there is; code is left out if it has none of the words.
    let code = excerpt(&section.code, words, left / 2).filter(|code| code.len() > 8);
    let code_tokens = code.as_deref().map_or(0, |code| estimated_tokens(code) + 4);
    let prose = left.saturating_sub(code_tokens);
    let prose = match excerpt(&section.text, words, prose) {
        Some(text) => text,
        None if code.is_none() => fit_lines(&section.text, prose).to_owned(),
        None => String::new(),
    };
    if !prose.is_empty() && estimated_tokens(&prose) <= left {
        write(&prose, &mut left);
        if !prose.ends_with('\n') {
            write("\n", &mut left);
        }
    }
    if let Some(code) = code
        && code_tokens <= left
    {
        write(&format!("```\n{}\n```\n", code.trim_end()), &mut left);
    }
}

/// The whole text of a section with its code.
fn whole(section: &Section) -> String {
    let mut out = String::with_capacity(section.text.len() + section.code.len() + 16);
    let text = section.text.trim();
    if !text.is_empty() {
        out.push_str(text);
        out.push('\n');
    }
    let code = section.code.trim();
    if !code.is_empty() {
        out.push_str("```\n");
        out.push_str(code);
        out.push_str("\n```\n");
    }
    out
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
            text.contains("## Limits › Bursts\n/guides/limits#bursts · page of about "),
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
        assert!(text.contains("more results: raise `limit`"), "{text}");
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
