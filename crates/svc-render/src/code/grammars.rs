//! The packed grammars and themes.

use std::io::Read;
use std::sync::OnceLock;

use syntaxmate::{GrammarId, GrammarRegistry, PreparedLanguage};

/// A packed grammar.
#[derive(Debug)]
struct Grammar {
    id: &'static str,
    /// The scope by which other grammars embed it.
    scope: &'static str,
    /// Packed grammars whose rules this one may embed.
    embeds: &'static [&'static str],
    range: (usize, usize),
    size: usize,
}

/// A packed theme.
#[derive(Debug)]
struct ThemeFile {
    id: &'static str,
    range: (usize, usize),
    size: usize,
}

include!(concat!(env!("OUT_DIR"), "/grammars.rs"));
include!(concat!(env!("OUT_DIR"), "/themes.rs"));

static GRAMMAR_BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/grammars.bin"));
static THEME_BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/themes.bin"));

/// Number of packed grammars.
pub(super) const GRAMMAR_COUNT: usize = GRAMMARS.len();

/// The index of the grammar with exactly this id.
pub(super) fn grammar_index(id: &str) -> Option<usize> {
    GRAMMARS.binary_search_by(|grammar| grammar.id.cmp(id)).ok()
}

/// The id of the grammar at `index`.
pub(super) fn grammar_id(index: usize) -> Option<&'static str> {
    GRAMMARS.get(index).map(|grammar| grammar.id)
}

/// The index of the theme with exactly this id.
pub(super) fn theme_index(id: &str) -> Option<usize> {
    THEMES.binary_search_by(|theme| theme.id.cmp(id)).ok()
}

/// The ids of all packed themes, sorted.
pub(super) fn theme_ids() -> impl Iterator<Item = &'static str> {
    THEMES.iter().map(|theme| theme.id)
}

/// The JSON of the theme at `index`.
pub(super) fn theme_json(index: usize) -> Option<String> {
    let theme = THEMES.get(index)?;
    inflate(THEME_BYTES, theme.range, theme.size)
}

/// The index of the grammar of a scope such as `source.js`.
pub(super) fn scope_index(scope: &str) -> Option<usize> {
    GRAMMARS.iter().position(|grammar| grammar.scope == scope)
}

/// Cache of prepared grammars. They are constants and take megabytes each, so all sites of a server
/// share them.
static PREPARED: [OnceLock<Option<PreparedLanguage>>; GRAMMAR_COUNT] =
    [const { OnceLock::new() }; GRAMMAR_COUNT];

/// The grammar at `index` with all that it embeds, prepared on first use.
pub(super) fn prepared_language(index: usize) -> Option<&'static PreparedLanguage> {
    let cell = PREPARED.get(index)?;
    cell.get_or_init(|| prepare(index)).as_ref()
}

fn prepare(index: usize) -> Option<PreparedLanguage> {
    let mut registry = GrammarRegistry::new();
    let root = add_with_embedded(&mut registry, vec![index])?;
    PreparedLanguage::new(&registry, root).ok()
}

/// Adds grammars and all that they embed; returns the index of the first one in the registry.
pub(super) fn add_with_embedded(
    registry: &mut GrammarRegistry,
    mut queue: Vec<usize>,
) -> Option<GrammarId> {
    let mut root = None;
    let mut at = 0;
    while let Some(grammar) = queue.get(at).and_then(|index| GRAMMARS.get(*index)) {
        at += 1;
        let id = registry
            .add_json(&inflate(GRAMMAR_BYTES, grammar.range, grammar.size)?)
            .ok()?;
        root.get_or_insert(id);
        for embedded in grammar.embeds.iter().filter_map(|id| grammar_index(id)) {
            if !queue.contains(&embedded) {
                queue.push(embedded);
            }
        }
    }
    root
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
    fn tables_are_sorted_by_name() {
        assert!(GRAMMARS.is_sorted_by_key(|grammar| grammar.id));
        assert!(THEMES.is_sorted_by_key(|theme| theme.id));
        assert_eq!(THEMES.len(), 64);
    }

    /// Name, license, copyright and source of each row of the list.
    fn rows(heading: &str) -> Vec<Vec<&'static str>> {
        let notice = include_str!("NOTICE.md");
        let section = notice.split("\n## ").find(|part| part.starts_with(heading));
        let cells = |row: &'static str| row.trim_matches('|').split('|').map(str::trim).collect();
        let rows = section.expect("the heading is there").lines();
        rows.filter(|row| row.starts_with("| `"))
            .map(cells)
            .collect()
    }

    #[test]
    fn the_list_of_licenses_matches_the_packed_files() {
        let listed = |heading| {
            let mut names: Vec<_> = rows(heading)
                .iter()
                .filter_map(|row| row.first().map(|name| name.trim_matches('`')))
                .collect();
            names.sort_unstable();
            names
        };
        let grammars: Vec<_> = GRAMMARS.iter().map(|grammar| grammar.id).collect();
        assert_eq!(listed("Grammars\n"), grammars);
        assert_eq!(listed("Themes\n"), theme_ids().collect::<Vec<_>>());
    }

    #[test]
    fn every_license_is_permissive_and_has_its_text() {
        let allowed = [
            "MIT",
            "ISC",
            "BSD-2-Clause",
            "BSD-3-Clause",
            "Apache-2.0",
            "Apache-2.0 WITH LLVM-exception",
            "TextMate",
        ];
        let texts = include_str!("NOTICE.md")
            .split("\n## ")
            .find(|part| part.starts_with("Texts"));
        for row in rows("Grammars\n").into_iter().chain(rows("Themes\n")) {
            let [name, license, copyright, source] = row.as_slice() else {
                panic!("four cells: {row:?}");
            };
            assert!(allowed.contains(license), "{name}: {license}");
            assert!(source.starts_with("https://"), "{name}: {source}");
            let needs = ["MIT", "ISC"].contains(license) || license.starts_with("BSD");
            assert!(
                !needs || !copyright.is_empty() || *name == "`clarity`",
                "{name} names its authors"
            );
            assert!(texts.is_some_and(|text| text.contains(&format!("`{license}`"))));
        }
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
            "glsl",
        ] {
            assert_eq!(grammar_index(id), None, "{id}");
        }
        assert_eq!(theme_index("aurora-x"), None);
    }

    #[test]
    fn every_packed_grammar_is_valid() {
        for index in 0..GRAMMAR_COUNT {
            assert!(prepare(index).is_some(), "{:?}", grammar_id(index));
        }
    }
}
