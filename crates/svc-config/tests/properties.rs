//! Property tests of the raw and the checked form, with generated and real documents.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::{fs, path::PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};
use svc_config::{Document, ResolveContext, parse, parse_with};
use svc_diagnostics::{Severity, SourceFile};

/// The directory of a real site; `None` if it is missing.
fn site(name: &str) -> Option<PathBuf> {
    svc_test_support::reference_path(&format!("corpus/sites/{name}"))
}

const SITES: [&str; 5] = ["mcp", "fastmcp", "trigger", "polar", "mintlify"];

fn read(text: &str) -> Document {
    Document::read(&SourceFile::new("docs.json", text)).value
}

/// Any JSON value of limited depth.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-zé\"\\\\/~ \n]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(("[a-z~/]{0,3}", inner), 0..5).prop_map(|members| members
                .into_iter()
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

/// A document as an author might write it: pretty, minified, with tabs or carriage returns.
fn text() -> impl Strategy<Value = String> {
    (value(), 0..4, "[\n ]{0,2}").prop_map(|(value, layout, end)| {
        let pretty = format!("{value:#}");
        let text = match layout {
            0 => value.to_string(),
            1 => pretty,
            2 => pretty.replace('\n', "\r\n"),
            _ => pretty.replace("  ", "\t"),
        };
        text + &end
    })
}

/// The pointers of all values below the root.
fn pointers(value: &Value, pointer: &str, into: &mut Vec<String>) {
    let mut below = |key: String, value: &Value| {
        let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
        into.push(pointer.clone());
        pointers(value, &pointer, into);
    };
    match value {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(at, item)| below(at.to_string(), item)),
        Value::Object(members) => members
            .iter()
            .for_each(|(key, value)| below(key.clone(), value)),
        _ => {}
    }
}

/// The number of bytes that two texts have in common at the start and, after that, at the end.
fn shared(first: &str, second: &str) -> (usize, usize) {
    let start = first
        .bytes()
        .zip(second.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let end = first[start..]
        .bytes()
        .rev()
        .zip(second.bytes().skip(start).rev())
        .take_while(|(a, b)| a == b)
        .count();
    (start, end)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn a_document_is_saved_as_it_was_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let read = Document::from_bytes("docs.json", &bytes);
        if read.diagnostics.iter().all(|diagnostic| diagnostic.code.id != "config-encoding") {
            prop_assert_eq!(read.value.text().as_bytes(), &bytes[..]);
        }
    }

    #[test]
    fn a_replaced_value_changes_its_own_bytes_only(text in text(), new in value(), which in any::<prop::sample::Index>()) {
        let mut document = read(&text);
        let before = document.root().to_json();
        let mut all = Vec::new();
        pointers(&before, "", &mut all);
        prop_assume!(!all.is_empty());
        let pointer = which.get(&all);
        let span = document.get(pointer).unwrap().span.range();
        document.set(pointer, &new).unwrap();
        let mut expected = before;
        *expected.pointer_mut(pointer).unwrap() = new;
        prop_assert_eq!(document.root().to_json(), expected);
        prop_assert_eq!(&document.text()[..span.start], &text[..span.start]);
        prop_assert!(document.text().ends_with(&text[span.end..]));
    }

    #[test]
    fn a_removal_preserves_the_remaining_values(text in text(), which in any::<prop::sample::Index>()) {
        let mut document = read(&text);
        let mut expected = document.root().to_json();
        let mut all = Vec::new();
        pointers(&expected, "", &mut all);
        prop_assume!(!all.is_empty());
        let pointer = which.get(&all);
        document.remove(pointer).unwrap();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match expected.pointer_mut(parent).unwrap() {
            Value::Array(items) => drop(items.remove(key.parse().unwrap())),
            Value::Object(members) => drop(members.shift_remove(&key.replace("~1", "/").replace("~0", "~"))),
            _ => unreachable!(),
        }
        prop_assert_eq!(document.root().to_json(), expected);
        // The remaining text is the start and the end of the original.
        let (start, end) = shared(&text, document.text());
        prop_assert!(start + end >= document.text().len());
    }

    #[test]
    fn an_insertion_changes_nothing_else(text in text(), new in value(), which in any::<prop::sample::Index>()) {
        let mut document = read(&text);
        let mut expected = document.root().to_json();
        let mut all = vec![String::new()];
        pointers(&expected, "", &mut all);
        let parent = which.get(&all);
        match expected.pointer_mut(parent).unwrap() {
            Value::Array(items) => {
                let at = which.index(items.len() + 1);
                items.insert(at, new.clone());
                document.insert(&format!("{parent}/{at}"), &new).unwrap();
            }
            Value::Object(members) => {
                members.insert("new key".into(), new.clone());
                document.insert(&format!("{parent}/new key"), &new).unwrap();
            }
            _ => return Ok(()),
        }
        prop_assert_eq!(document.root().to_json(), expected);
        let (start, end) = shared(&text, document.text());
        // An empty `{ }` may lose the blank between its brackets.
        prop_assert!(start + end + 3 >= text.len());
    }

    #[test]
    fn reading_is_deterministic(text in text()) {
        let file = SourceFile::new("docs.json", text);
        let (one, two) = (parse(&file, &|_| None), parse(&file, &|_| None));
        prop_assert_eq!(one.diagnostics, two.diagnostics);
        prop_assert_eq!(format!("{:?}", one.value), format!("{:?}", two.value));
    }
}

#[test]
fn real_files_are_saved_as_they_were_read_and_edits_are_local() {
    for name in SITES {
        let Some(site_dir) = site(name) else { continue };
        let bytes = fs::read(site_dir.join("docs.json")).unwrap();
        let mut document = Document::from_bytes("docs.json", &bytes).value;
        assert_eq!(document.text().as_bytes(), bytes, "{name}");
        let before = document.text().to_owned();
        let span = document.get("/name").unwrap().span.range();
        document.set("/name", &json!("Other")).unwrap();
        let expected = [&before[..span.start], "\"Other\"", &before[span.end..]].concat();
        assert_eq!(document.text(), expected, "{name}");
        document.set("/x-own", &json!({ "a": [1, 2] })).unwrap();
        document.remove("/x-own").unwrap();
        assert_eq!(
            document.text(),
            expected,
            "{name}: adding and removing leaves nothing behind"
        );
    }
}

#[test]
fn real_files_have_no_false_diagnostics() {
    for name in SITES {
        let Some(site_dir) = site(name) else { continue };
        let lookup = |path: &str| {
            Some(SourceFile::new(
                path,
                fs::read_to_string(site_dir.join(path)).ok()?,
            ))
        };
        let file = lookup("docs.json").unwrap();
        let checked = parse_with(&file, &ResolveContext::default().read_file_with(&lookup));
        let codes: Vec<&str> = checked
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity >= Severity::Warning)
            .map(|diagnostic| diagnostic.code.id)
            .collect();
        // Two sites have keys that no platform knows.
        let known = ["config-unknown-key", "config-unsupported"];
        assert!(
            codes.iter().all(|code| known.contains(code)),
            "{name}: {:#?}",
            checked.diagnostics
        );
        let unsupported = checked.diagnostics.iter();
        let unsupported =
            unsupported.filter(|diagnostic| diagnostic.code.id == "config-unsupported");
        let locations: Vec<&str> = unsupported
            .filter_map(|diagnostic| diagnostic.pointer.as_deref())
            .collect();
        // Menus may have an MCP server that the site does not provide.
        assert!(
            locations.iter().all(|location| *location == "/contextual"),
            "{name}"
        );
        assert!(checked.value.is_some(), "{name}");
    }
}

#[test]
fn a_byte_order_mark_and_carriage_returns_are_preserved() {
    // spec: cfg.file.encoding, cfg.file.round-trip accepts
    let text = "\u{feff}{\r\n  \"theme\": \"svc\",\r\n  \"name\": \"Café\",\r\n  \"colors\": { \"primary\": \"#000\" },\r\n  \"navigation\": { \"pages\": [\"a\"] }\r\n}\r\n";
    let read = Document::from_bytes("docs.json", text.as_bytes());
    assert!(read.diagnostics.is_empty());
    assert_eq!(read.value.text(), text);
    let checked = read.value.resolve(&ResolveContext::default());
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    assert_eq!(checked.value.unwrap().name, "Café");
}

#[test]
fn another_encoding_is_reported_with_all_other_problems() {
    // spec: cfg.file.encoding refuses
    let text = "{\"theme\": \"mapel\", \"name\": \"Café\", \"colors\": {\"primary\": \"#000\"}, \"navigation\": {\"pages\": [\"a\"]}}";
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    for bytes in [wide, latin] {
        let read = Document::from_bytes("docs.json", &bytes);
        let codes: Vec<&str> = read
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code.id)
            .collect();
        assert_eq!(codes, ["config-encoding"]);
        let checked = read.value.resolve(&ResolveContext::default());
        let codes: Vec<&str> = checked
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code.id)
            .collect();
        assert_eq!(codes, ["config-invalid-value"]);
        assert_eq!(checked.value.unwrap().name, "Café");
    }
}

#[test]
fn a_file_of_ten_megabytes_is_read_completely() {
    // spec: cfg.file.limits accepts
    let pages: Vec<String> = (0..400_000)
        .map(|at| format!("\"guides/page-number-{at:06}\""))
        .collect();
    let text = format!(
        r##"{{"theme":"svc","name":"X","colors":{{"primary":"#000"}},"navigation":{{"pages":[{}]}}}}"##,
        pages.join(",\n")
    );
    assert!(text.len() > 10_000_000);
    let checked = parse(&SourceFile::new("docs.json", text), &|_| None);
    assert!(checked.diagnostics.is_empty());
    let svc_config::Children::Pages(read) = checked.value.unwrap().navigation.children else {
        panic!("no pages");
    };
    assert_eq!(read.len(), pages.len());
}

#[test]
fn a_document_over_a_limit_is_one_diagnostic() {
    // spec: cfg.file.limits refuses
    for text in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        format!(
            "{{\"navigation\": {{\"pages\": {}1{}}}}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
        format!("{{\"name\": \"{}\"}}", "x".repeat(33 << 20)),
    ] {
        let checked = parse(&SourceFile::new("docs.json", text), &|_| None);
        let limits = checked
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.code.id == "data-limit");
        assert_eq!(limits.count(), 1);
        assert!(
            checked.diagnostics.len() < 12,
            "{}",
            checked.diagnostics.len()
        );
    }
}

#[test]
fn the_crate_stays_small() {
    let output = std::process::Command::new(env!("CARGO"))
        .args([
            "tree",
            "-p",
            "svc-config",
            "-e",
            "normal",
            "--prefix",
            "none",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let crates: std::collections::BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.split(" (").next())
        .collect();
    eprintln!("{} crates", crates.len());
    assert!(crates.len() > 3 && crates.len() <= 50, "{crates:#?}");
}
