//! Real sites load, and damaged files do not panic.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::fs;

use svc_diagnostics::SourceFile;

use super::{ParseOutcome, errors};
use crate::parse;

const SITES: &[&str] = &["mcp", "fastmcp", "trigger", "polar", "mintlify"];

fn load(site: &str) -> Option<(String, ParseOutcome)> {
    let dir = svc_test_support::reference_path(&format!("corpus/sites/{site}"))?;
    let text = fs::read_to_string(dir.join("docs.json")).ok()?;
    let lookup = |path: &str| {
        Some(SourceFile::new(
            path,
            fs::read_to_string(dir.join(path)).ok()?,
        ))
    };
    let outcome = parse(&SourceFile::new("docs.json", text.as_str()), &lookup);
    Some((text, outcome))
}

#[test]
fn real_sites_load_without_errors() {
    for site in SITES {
        let Some((_, checked)) = load(site) else {
            continue;
        };
        assert_eq!(errors(&checked), [""; 0], "{site}");
        let warnings: Vec<String> = checked
            .diagnostics
            .iter()
            .map(|d| {
                format!(
                    "{} {} {}: {}",
                    d.location_string(),
                    d.severity.as_str(),
                    d.code.id,
                    d.message
                )
            })
            .collect();
        eprintln!("{site}: {warnings:#?}");
        assert!(checked.value.is_some());
    }
}

/// A document with every key.
const FULL: &str = include_str!("full.json");

#[test]
fn the_full_document_has_no_diagnostics() {
    let checked = parse(&SourceFile::new("docs.json", FULL), &|_| None);
    assert_eq!(super::pointers(&checked), [""; 0]);
}

/// A pseudorandom number generator; the same seed yields the same numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

fn damage(text: &str, rounds: usize, seed: u64) {
    let mut numbers = Numbers(seed);
    for round in 0..rounds {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=round % 4 {
            let at = numbers.below(bytes.len());
            match numbers.below(5) {
                0 => bytes.truncate(at),
                1 => {
                    let end = (at + numbers.below(20)).min(bytes.len());
                    bytes.drain(at..end);
                }
                2 => {
                    let other = numbers.below(bytes.len());
                    if !bytes.is_empty() {
                        bytes.swap(at, other);
                    }
                }
                3 => bytes.insert(at.min(bytes.len()), b"{}[]\",:0tn\\"[numbers.below(11)]),
                _ => {
                    let end = (at + numbers.below(200)).min(bytes.len());
                    let copy = bytes[at.min(end)..end].to_vec();
                    let to = numbers.below(bytes.len());
                    bytes.splice(to..to, copy);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for name in ["docs.json", "mint.json"] {
            let lookup = |path: &str| {
                path.len()
                    .is_multiple_of(2)
                    .then(|| SourceFile::new(path, text.as_str()))
            };
            let checked = parse(&SourceFile::new(name, text.as_str()), &lookup);
            assert_eq!(
                checked.value.is_none(),
                checked.has(svc_diagnostics::Severity::Fatal)
            );
        }
    }
}

#[test]
fn damaged_files_do_not_panic() {
    damage(FULL, 800, 7);
}

#[test]
fn damaged_real_files_do_not_panic() {
    for site in SITES {
        let Some((text, _)) = load(site) else {
            continue;
        };
        damage(&text, 15, 11);
    }
}

#[test]
fn every_value_may_be_of_any_type() {
    let document: serde_json::Value = serde_json::from_str(FULL).unwrap();
    let mut pointers = Vec::new();
    collect(&document, String::new(), &mut pointers);
    assert!(pointers.len() > 150);
    for pointer in &pointers {
        for value in [
            "null",
            "true",
            "-1e300",
            "\"\"",
            "\"é\"",
            "[]",
            "[[]]",
            "{}",
            "{\"\":{}}",
        ] {
            let mut document = document.clone();
            let target = document.pointer_mut(pointer).unwrap();
            *target = serde_json::from_str(value).unwrap();
            parse(&SourceFile::new("docs.json", document.to_string()), &|_| {
                None
            });
        }
    }
}

fn collect(value: &serde_json::Value, pointer: String, into: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                collect(
                    value,
                    format!("{pointer}/{}", svc_data::escape_pointer(key)),
                    into,
                );
            }
        }
        serde_json::Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                collect(value, format!("{pointer}/{index}"), into);
            }
        }
        _ => {}
    }
    into.push(pointer);
}

#[test]
fn minified_large_navigations_are_read_completely() {
    let pages: Vec<String> = (0..25_000).map(|n| format!("\"guides/é{n}\"")).collect();
    let text = format!(
        r##"{{"theme":"svc","name":"X","colors":{{"primary":"#000"}},"navigation":{{"pages":[{}]}}}}"##,
        pages.join(",")
    );
    let checked = parse(&SourceFile::new("docs.json", text), &|_| None);
    let crate::Children::Pages(pages) = checked.value.unwrap().navigation.children else {
        panic!("no pages")
    };
    assert_eq!(pages.len(), 25_000);
    let crate::PageEntry::Page(last) = &pages[24_999] else {
        panic!("no page")
    };
    assert_eq!(
        (&*last.path, last.location.start.line),
        ("guides/é24999", 1)
    );
    assert!(last.location.start.column > 100_000);
}
