//! The file that records from which text pages were translated.

use std::collections::BTreeMap;

use serde_json::Value;
use svc_data::{Limits, Node, parse_json};
use svc_diagnostics::{Checked, Diagnostic, SourceFile};
use svc_source::SourceTree;

use super::sections::PageSection;
use crate::codes::INVALID_LOCK;

/// Path of the file in the repository.
pub const TRANSLATION_LOCK: &str = "i18n.lock.json";
/// Version of the format.
const VERSION: u32 = 1;

/// For each translated page, the digests of the sections of its source when it was translated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TranslationLock {
    /// Ids and digests of sections in the order of the source, by path of the translated page.
    pub(super) pages: BTreeMap<String, Vec<(String, String)>>,
}

impl TranslationLock {
    /// The lock of a repository; `None` if it has none.
    pub(super) fn read(tree: &SourceTree) -> Option<Checked<Self>> {
        tree.text(TRANSLATION_LOCK).map(Self::parse)
    }

    /// Parses a lock; what is not valid is reported and left out.
    fn parse(file: &SourceFile) -> Checked<Self> {
        let Checked {
            value: root,
            mut diagnostics,
        } = parse_json(file, &Limits::default());
        let mut report = |node: &Node, message: String| {
            let hint = format!(
                "restore `{TRANSLATION_LOCK}` from the history, or delete it and run `svc i18n record`"
            );
            let diagnostic = Diagnostic::new(&INVALID_LOCK, message);
            diagnostics.push(diagnostic.at(file.location(node.span)).hint(hint));
        };
        let mut lock = Self::default();
        let version = root.get("version").and_then(Node::to_text);
        if version.as_deref() != Some(&*VERSION.to_string()) {
            let message = format!("`version` must be {VERSION}");
            report(root.get("version").unwrap_or(&root), message);
        } else if let Some(pages) = root.get("pages").and_then(Node::as_object) {
            for (path, page) in pages.iter() {
                let sections = page.as_object().map(|sections| {
                    let sections = sections.iter();
                    sections.filter_map(|(id, digest)| {
                        Some((id.to_owned(), digest.as_str()?.to_owned()))
                    })
                });
                match sections {
                    Some(sections) => {
                        lock.pages.insert(path.to_owned(), sections.collect());
                    }
                    None => report(page, format!("the record of `{path}` is not an object")),
                }
            }
        }
        Checked {
            value: lock,
            diagnostics,
        }
    }

    /// Records a page that was translated from these sections.
    pub(super) fn record(&mut self, path: &str, source: &[PageSection]) {
        let sections = source.iter();
        let sections = sections.map(|section| (section.id.clone(), section.digest.clone()));
        self.pages.insert(path.to_owned(), sections.collect());
    }

    /// The file: pages sorted by path, one section per line, so that branches which translate
    /// different sections can be merged.
    pub(super) fn to_text(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        let pages: Vec<String> = self
            .pages
            .iter()
            .map(|(path, sections)| {
                let lines: Vec<String> = sections
                    .iter()
                    .map(|(id, digest)| format!("      {}: {}", quoted(id), quoted(digest)))
                    .collect();
                format!("    {}: {{\n{}\n    }}", quoted(path), lines.join(",\n"))
            })
            .collect();
        let pages = match pages.is_empty() {
            true => "{}".to_owned(),
            false => format!("{{\n{}\n  }}", pages.join(",\n")),
        };
        format!("{{\n  \"version\": {VERSION},\n  \"pages\": {pages}\n}}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Checked<TranslationLock> {
        TranslationLock::parse(&SourceFile::new(TRANSLATION_LOCK, text))
    }

    #[test]
    fn a_lock_is_read_as_it_was_written() {
        let mut lock = TranslationLock::default();
        let section = |id: &str| (id.to_owned(), "0123456789ab".to_owned());
        lock.pages.insert(
            "de/b.mdx".to_owned(),
            vec![section(""), section("z"), section("a\"")],
        );
        lock.pages.insert("de/a.mdx".to_owned(), vec![section("")]);
        let text = lock.to_text();
        assert_eq!(
            text,
            "{\n  \"version\": 1,\n  \"pages\": {\n    \"de/a.mdx\": {\n      \"\": \"0123456789ab\"\n    },\n    \"de/b.mdx\": {\n      \"\": \"0123456789ab\",\n      \"z\": \"0123456789ab\",\n      \"a\\\"\": \"0123456789ab\"\n    }\n  }\n}\n"
        );
        let read = parse(&text);
        assert!(read.diagnostics.is_empty() && read.value == lock);
        assert_eq!(
            parse(&TranslationLock::default().to_text()).value,
            TranslationLock::default()
        );
    }

    #[test]
    fn an_invalid_lock_is_reported() {
        for text in [
            "",
            "[]",
            "{",
            "{\"version\": 2}",
            "{\"version\": 1, \"pages\": {\"a\": 1}}",
        ] {
            let read = parse(text);
            assert!(read.value.pages.is_empty(), "{text}");
            assert!(!read.diagnostics.is_empty(), "{text}");
        }
        let conflict = "{\n  \"version\": 1,\n<<<<<<< ours\n  \"pages\": {}\n}\n";
        assert!(!parse(conflict).diagnostics.is_empty());
    }
}
