//! Queries made from the entries of an index at the end of a manual.

use std::collections::BTreeSet;
use std::sync::Arc;

use svc_search::Document;
use svc_tests::random::Random;

use crate::set::LabeledQuery;

/// Minimum number of letters of a term that gets a typing error.
const MIN_EDIT_LETTERS: usize = 4;
/// Letters of the last term that a reader has typed.
const PREFIX_LETTERS: usize = 4;

/// An entry of an index: a text and the pages it refers to.
pub(crate) struct Entry {
    pub(crate) text: String,
    pub(crate) paths: BTreeSet<String>,
}

/// Half of the entries of an index. Constants are tuned on the odd entries and reported on the
/// even ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Odd,
    Even,
}

/// Returns the queries of one half of the entries that refer to pages of the corpus.
pub(crate) fn queries(
    entries: Vec<Entry>,
    pages: &[Arc<Document>],
    half: Half,
) -> Vec<LabeledQuery> {
    let existing: BTreeSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    let is_usable = |entry: &Entry| {
        entry
            .paths
            .iter()
            .any(|path| existing.contains(path.as_str()))
            && entry.text.chars().any(char::is_alphanumeric)
    };
    let usable = entries.into_iter().filter(is_usable);
    let first = usize::from(half == Half::Even);
    let selected: Vec<Entry> = usable.skip(first).step_by(2).collect();
    let mut random = Random::new(42);
    let mut queries = Vec::new();
    for entry in &selected {
        let slice = is_identifier(&entry.text).then_some("identifiers");
        queries.push(query(
            &entry.text,
            entry,
            ["entries"].into_iter().chain(slice),
        ));
    }
    for entry in &selected {
        if let Some(text) = with_edit(&entry.text, &mut random) {
            queries.push(query(&text, entry, ["one edit"]));
        }
    }
    for entry in &selected {
        if let Some(text) = prefix(&entry.text) {
            queries.push(query(&text, entry, ["prefix"]));
        }
    }
    queries
}

fn query<'a>(text: &str, entry: &Entry, slices: impl IntoIterator<Item = &'a str>) -> LabeledQuery {
    LabeledQuery {
        text: text.to_owned(),
        paths: entry.paths.clone(),
        slices: slices.into_iter().map(str::to_owned).collect(),
    }
}

/// Whether a text contains a name from code, such as `pg_dump`, `os.path` or `useEffect`.
fn is_identifier(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let is_dot =
        |part: &[char]| part[1] == '.' && part[0].is_alphanumeric() && part[2].is_alphanumeric();
    let is_camel = |part: &[char]| part[0].is_lowercase() && part[1].is_uppercase();
    text.contains('_') || letters.windows(3).any(is_dot) || letters.windows(2).any(is_camel)
}

/// Returns a text with one letter removed, inserted or replaced, or with two letters swapped;
/// `None` if it has no term that is long enough.
fn with_edit(text: &str, random: &mut Random) -> Option<String> {
    let mut terms: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_long = |term: &str| term.chars().count() >= MIN_EDIT_LETTERS;
    let indices =
        (0..terms.len()).filter(|&at| is_long(&terms[at]) && terms[at].chars().all(is_name));
    let at = *random.pick(&indices.collect::<Vec<_>>())?;
    let original: Vec<char> = terms[at].chars().collect();
    // Two equal letters may be swapped, and a letter may be replaced by itself.
    let edited = loop {
        let edited = edit(original.clone(), random);
        if edited != original {
            break edited;
        }
    };
    terms[at] = edited.into_iter().collect();
    Some(terms.join(" "))
}

fn edit(mut letters: Vec<char>, random: &mut Random) -> Vec<char> {
    let at = random.below(letters.len());
    let letter = char::from(b"abcdefghijklmnopqrstuvwxyz"[random.below(26)]);
    match random.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letter),
        2 => letters[at] = letter,
        _ => {
            let at = at.min(letters.len() - 2);
            letters.swap(at, at + 1);
        }
    }
    letters
}

/// Returns a text whose last term is not typed to its end; `None` if that term is short.
fn prefix(text: &str) -> Option<String> {
    let start = text.rfind(' ').map_or(0, |space| space + 1);
    let (end, _) = text[start..].char_indices().nth(PREFIX_LETTERS)?;
    Some(text[..start + end].to_owned())
}
