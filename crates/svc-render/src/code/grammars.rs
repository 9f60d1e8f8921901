//! The packed grammars and themes: where each lies, and how it becomes text again.

use std::io::Read;

use syntaxmate::{GrammarRegistry, PreparedLanguage};

/// One packed grammar.
#[derive(Debug)]
struct Grammar {
    id: &'static str,
    /// Grammars whose rules this one may enter; only packed ones are listed.
    embeds: &'static [&'static str],
    place: (usize, usize),
    size: usize,
}

/// One packed theme.
#[derive(Debug)]
struct ThemeFile {
    id: &'static str,
    place: (usize, usize),
    size: usize,
}

include!(concat!(env!("OUT_DIR"), "/grammars.rs"));
include!(concat!(env!("OUT_DIR"), "/themes.rs"));

static GRAMMAR_BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/grammars.bin"));
static THEME_BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/themes.bin"));

/// How many grammars are packed.
pub(super) const GRAMMAR_COUNT: usize = GRAMMARS.len();

/// The place of the grammar called exactly `id`.
pub(super) fn grammar_index(id: &str) -> Option<usize> {
    GRAMMARS.binary_search_by(|grammar| grammar.id.cmp(id)).ok()
}

/// The name of the grammar at `index`.
pub(super) fn grammar_id(index: usize) -> Option<&'static str> {
    GRAMMARS.get(index).map(|grammar| grammar.id)
}

/// The place of the theme called exactly `id`.
pub(super) fn theme_index(id: &str) -> Option<usize> {
    THEMES.binary_search_by(|theme| theme.id.cmp(id)).ok()
}

/// Every packed theme's name, sorted.
pub(super) fn theme_ids() -> impl Iterator<Item = &'static str> {
    THEMES.iter().map(|theme| theme.id)
}

/// The JSON of the theme at `index`.
pub(super) fn theme_json(index: usize) -> Option<String> {
    let theme = THEMES.get(index)?;
    inflate(THEME_BYTES, theme.place, theme.size)
}

/// Reads the grammar at `index` and all it embeds.
pub(super) fn prepare(index: usize) -> Option<PreparedLanguage> {
    let mut registry = GrammarRegistry::new();
    let mut queue = vec![index];
    let mut root = None;
    let mut at = 0;
    while let Some(grammar) = queue.get(at).and_then(|index| GRAMMARS.get(*index)) {
        at += 1;
        let id = registry
            .add_json(&inflate(GRAMMAR_BYTES, grammar.place, grammar.size)?)
            .ok()?;
        root.get_or_insert(id);
        for embedded in grammar.embeds.iter().filter_map(|id| grammar_index(id)) {
            if !queue.contains(&embedded) {
                queue.push(embedded);
            }
        }
    }
    PreparedLanguage::new(&registry, root?).ok()
}

fn inflate(bytes: &[u8], (start, end): (usize, usize), size: usize) -> Option<String> {
    let mut text = String::with_capacity(size);
    flate2::read::DeflateDecoder::new(bytes.get(start..end)?)
        .read_to_string(&mut text)
        .ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_the_search_by_name() {
        assert!(GRAMMARS.is_sorted_by_key(|grammar| grammar.id));
        assert!(THEMES.is_sorted_by_key(|theme| theme.id));
        assert_eq!(THEMES.len(), 65);
    }

    #[test]
    fn no_copyleft_grammar_is_packed() {
        for id in [
            "ada",
            "gnuplot",
            "nginx",
            "org",
            "racket",
            "ahk",
            "ahk2",
            "bird2",
            "hcl",
            "terraform",
        ] {
            assert_eq!(grammar_index(id), None, "{id}");
        }
    }

    #[test]
    fn every_packed_grammar_can_be_read() {
        for index in 0..GRAMMAR_COUNT {
            assert!(prepare(index).is_some(), "{:?}", grammar_id(index));
        }
    }
}
