//! The sections of a site that match a query, the best first.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use svc_search::{Document, Query, Section, SectionResults, TextMatch, is_stopword};
use svc_site::Site;

use crate::visible::{self, Surface};

/// Number of sections that are compared by all words that they contain.
const MAX_CANDIDATES: usize = 120;
/// Number of words of a query that the search reads.
const MAX_TERMS: usize = 16;
/// Number of bytes at the beginning of sections by which copies are recognized.
const COPY_BYTES: usize = 300;
/// Words that ask for a quantity, and what documentation calls it.
const QUANTITIES: [(&str, &str); 7] = [
    ("how big", "size limit maximum"),
    ("how large", "size limit maximum"),
    ("how long", "duration default"),
    ("how many", "limit maximum"),
    ("how much", "limit maximum"),
    ("how often", "interval"),
    ("how old", "age"),
];

/// The sections that match a query.
pub(crate) struct RankedSections<'s> {
    /// The best sections, the best first. Sections with the same text are one.
    pub(crate) sections: Vec<RankedSection<'s>>,
    /// The results of the search: all sections that match, and the words.
    pub(crate) results: SectionResults,
    /// Whether nothing matches the quoted words in their order, so that they are searched for
    /// without quotes.
    pub(crate) is_unquoted: bool,
}

/// A section that matches.
pub(crate) struct RankedSection<'s> {
    pub(crate) document: &'s Document,
    pub(crate) section: &'s Section,
    /// Result of [`Self::matches`].
    matches: OnceCell<SectionMatches>,
    /// Number of other sections with the same beginning, such as in other versions.
    pub(crate) copies: usize,
    score: f64,
}

/// The words of a section that match a query.
pub(crate) struct SectionMatches {
    pub(crate) text: Vec<TextMatch>,
    pub(crate) code: Vec<TextMatch>,
}

impl RankedSection<'_> {
    /// The words of the section that match the query of `results`, with which it was found. Most
    /// sections that are ranked are not shown, so that their words are not looked up.
    pub(crate) fn matches(&self, results: &SectionResults) -> &SectionMatches {
        self.matches.get_or_init(|| SectionMatches {
            text: results.matches(&self.section.text),
            code: results.matches(&self.section.code),
        })
    }
}

/// Finds and ranks sections.
pub(crate) fn ranked_sections<'s>(
    site: &'s Site,
    text: &str,
    filters: &[(&str, &str)],
) -> RankedSections<'s> {
    let index = site.search_index();
    let find = |text: &str| {
        // A space ends the last word, which is complete.
        let text = format!("{} ", without_excess(text));
        index.search_sections(&Query {
            limit: MAX_CANDIDATES,
            filters,
            ..Query::new(&text)
        })
    };
    let text = with_quantities(text);
    let mut results = find(&text);
    let mut is_unquoted = false;
    if results.hits.is_empty() && text.contains(['"', '“', '”', '„']) {
        results = find(&text.replace(['"', '“', '”', '„'], " "));
        is_unquoted = !results.hits.is_empty();
    }
    let importance = results.importance();
    let mut sections = Vec::new();
    for hit in &results.hits {
        let document = index.page(hit.page);
        let path = svc_data::percent::decode(&document.path);
        let route = site.map.route(&path);
        let is_visible = route.is_some_and(|route| visible::is_visible(route, Surface::Search));
        if let Some(section) = document.sections.get(hit.section as usize)
            && is_visible
        {
            sections.push(ranked(document, section, hit.score, &results, &importance));
        }
    }
    sections.sort_by(|a, b| b.score.total_cmp(&a.score));
    RankedSections {
        sections: without_copies(sections),
        results,
        is_unquoted,
    }
}

/// Ranks a section by its score, and by the share of the query in the path of its page, which often
/// names a subject that the page itself does not repeat.
fn ranked<'s>(
    document: &'s Document,
    section: &'s Section,
    score: f64,
    results: &SectionResults,
    importance: &BTreeMap<usize, f64>,
) -> RankedSection<'s> {
    let path = results.matches(&document.path.replace(['/', '-', '_'], " "));
    let score = score * (1.0 + share(&path, importance));
    RankedSection {
        document,
        section,
        matches: OnceCell::new(),
        copies: 0,
        score,
    }
}

/// The share of the words of a query, by their importance, that are among those that match.
fn share(matches: &[TextMatch], importance: &BTreeMap<usize, f64>) -> f64 {
    let mut found: BTreeMap<usize, f64> = BTreeMap::new();
    for matched in matches {
        let most = found.entry(matched.token).or_default();
        *most = most.max(matched.importance);
    }
    let all: f64 = importance.values().sum();
    found.values().sum::<f64>() / all.max(f64::MIN_POSITIVE)
}

/// The first of the sections with the same heading and the same beginning of their text, as pages
/// of several versions have them.
fn without_copies(sections: Vec<RankedSection<'_>>) -> Vec<RankedSection<'_>> {
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    let mut out: Vec<RankedSection<'_>> = Vec::new();
    for ranked in sections {
        let section = ranked.section;
        let heading = section.headings.last().map_or("", String::as_str);
        let text = match section.text.trim() {
            "" => section.code.trim(),
            text => text,
        };
        let beginning = &text[..text.floor_char_boundary(COPY_BYTES)];
        match known.get(&(heading, beginning)) {
            Some(&first) => {
                if let Some(first) = out.get_mut(first) {
                    first.copies += 1;
                }
            }
            None => {
                known.insert((heading, beginning), out.len());
                out.push(ranked);
            }
        }
    }
    out
}

/// Adds what documentation calls a quantity that the query asks for.
fn with_quantities(text: &str) -> Cow<'_, str> {
    let lower = text.to_lowercase();
    let lower: Vec<&str> = lower.split_whitespace().collect();
    let lower = format!(" {} ", lower.join(" "));
    let added = QUANTITIES
        .iter()
        .filter(|(asked, _)| lower.contains(&format!(" {asked} ")));
    let added: Vec<&str> = added.map(|(_, added)| *added).collect();
    match added.is_empty() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("{text} {}", added.join(" "))),
    }
}

/// A query of more words than the search reads without those that say little, so that its end
/// counts, too.
fn without_excess(text: &str) -> Cow<'_, str> {
    if text.split_whitespace().count() <= MAX_TERMS {
        return Cow::Borrowed(text);
    }
    let is_stopword = |word: &&str| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation() && c != '"');
        is_stopword(&word.to_lowercase())
    };
    let rest = text.split_whitespace().filter(|word| !is_stopword(word));
    Cow::Owned(rest.collect::<Vec<&str>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_named_as_documentation_does() {
        assert_eq!(
            with_quantities("How  big is a file"),
            "How  big is a file size limit maximum"
        );
        assert_eq!(with_quantities("a big file"), "a big file");
    }

    #[test]
    fn the_end_of_a_long_query_counts() {
        let text = "a b ".repeat(8) + "needle";
        assert!(without_excess(&text).ends_with("b b needle"));
        assert_eq!(without_excess("the needle"), "the needle");
    }
}
