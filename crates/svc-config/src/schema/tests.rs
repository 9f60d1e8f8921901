//! Tests that compare the schema with the decoders.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::{fs, sync::LazyLock};

use jsonschema::Validator;
use serde_json::{Value, json};
use svc_data::escape_pointer;
use svc_diagnostics::{Severity, SourceFile};
use svc_test_support::reference_path;

use super::{option_docs, schema};
use crate::parse;

static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&schema()).unwrap());

/// A document with every key.
const FULL: &str = include_str!("../tests/full.json");

/// Diagnostics that a schema cannot express: it sees one value at a time and no other file.
const BEYOND: &[&str] = &[
    // They concern two values.
    "config-duplicate",
    "data-duplicate-key",
    // They concern other files.
    "config-ref-missing",
    "config-ref-outside",
    "config-ref-cycle",
    "config-ref-invalid",
    // They concern the text.
    "config-limit",
];

fn refusals(document: &Value) -> Vec<String> {
    SCHEMA
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// The errors of the decoders: pointer and code.
fn errors(text: &str) -> Vec<(String, &'static str)> {
    let checked = parse(&SourceFile::new("docs.json", text), &|_| None);
    checked
        .diagnostics
        .into_iter()
        .filter(|d| d.severity >= Severity::Error)
        .map(|d| (d.pointer.unwrap_or_default(), d.code.id))
        .collect()
}

#[test]
fn the_schema_is_a_valid_schema() {
    jsonschema::meta::validate(&schema()).unwrap();
    assert_eq!(schema()["$id"], super::SCHEMA_URL);
    assert_eq!(schema().to_string(), schema().to_string());
}

#[test]
fn the_full_document_and_the_docs_of_svc_are_valid() {
    let full: Value = serde_json::from_str(FULL).unwrap();
    assert_eq!(refusals(&full), [""; 0]);
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/docs.json");
    let own: Value = serde_json::from_str(&fs::read_to_string(own).unwrap()).unwrap();
    assert_eq!(refusals(&own), [""; 0]);
    assert_eq!(own["$schema"], super::SCHEMA_URL);
}

#[test]
fn both_urls_of_the_schema_are_accepted() {
    for url in [super::SCHEMA_URL, "https://mintlify.com/docs.json"] {
        let text = json!({
            "$schema": url, "theme": "svc", "name": "X",
            "colors": { "primary": "#000" }, "navigation": { "pages": ["a"] },
        });
        assert_eq!(refusals(&text), [""; 0]);
        assert_eq!(errors(&text.to_string()), []);
    }
}

#[test]
fn real_sites_are_valid() {
    let mut count = 0;
    for site in ["mcp", "fastmcp", "trigger", "polar", "mintlify"] {
        let Some(path) = reference_path(&format!("corpus/sites/{site}/docs.json")) else {
            continue;
        };
        let text = fs::read_to_string(path).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(refusals(&document), [""; 0], "{site}");
        count += 1;
    }
    eprintln!("{count} real sites are valid");
}

#[test]
fn the_schema_agrees_with_the_decoders_on_the_cases_of_mintlify() {
    let Some(path) = reference_path("oracle/docs-json-cases.json") else {
        return;
    };
    let text = fs::read_to_string(path).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let label = case["label"].as_str().unwrap();
            disagreement(label, &case["config"])
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn disagreement(label: &str, document: &Value) -> Option<String> {
    let decoder_errors = errors(&document.to_string());
    let agree = if SCHEMA.is_valid(document) {
        decoder_errors.iter().all(|(_, code)| BEYOND.contains(code))
    } else {
        !decoder_errors.is_empty()
    };
    (!agree).then(|| {
        format!(
            "{label}: schema {:?}, decoder {decoder_errors:?}",
            refusals(document)
        )
    })
}

#[test]
fn the_schema_agrees_with_the_decoders_when_any_value_is_replaced_or_removed() {
    let document: Value = serde_json::from_str(FULL).unwrap();
    let mut pointers = Vec::new();
    collect(&document, String::new(), &mut pointers);
    let mut errors = Vec::new();
    let mut count = 0;
    for pointer in &pointers {
        for value in [
            "null",
            "true",
            "5",
            "\"\"",
            "\"a b\"",
            "\"#fff\"",
            "\"/a\"",
            "\"javascript:x\"",
            "\"http://x.com/a.svg\"",
            "\"fa-x\"",
            "\"../a\"",
            "[]",
            "[5]",
            "{}",
            "{\"x\":{}}",
        ] {
            let mut changed = document.clone();
            *changed.pointer_mut(pointer).unwrap() = serde_json::from_str(value).unwrap();
            count += 1;
            errors.extend(disagreement(&format!("{pointer} = {value}"), &changed));
        }
        // Any value can be a reference; its content is only checked in the other file.
        let mut changed = document.clone();
        *changed.pointer_mut(pointer).unwrap() = json!({ "$ref": "a.json" });
        assert!(
            SCHEMA.is_valid(&changed),
            "{pointer}: {:?}",
            refusals(&changed)
        );
        let mut changed = document.clone();
        if let Some((parent, key)) = pointer.rsplit_once('/') {
            match changed.pointer_mut(parent).unwrap() {
                Value::Object(map) => {
                    map.shift_remove(&svc_data::unescape_pointer(key));
                }
                Value::Array(items) => {
                    items.remove(key.parse().unwrap());
                }
                _ => {}
            }
            count += 1;
            errors.extend(disagreement(&format!("{pointer} removed"), &changed));
        }
    }
    assert!(
        errors.is_empty(),
        "{} of {count}: {:#?}",
        errors.len(),
        errors.iter().take(40).collect::<Vec<_>>()
    );
    assert!(count > 3_000, "{count}");
}

fn collect(value: &Value, pointer: String, into: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                collect(value, format!("{pointer}/{}", escape_pointer(key)), into);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                collect(value, format!("{pointer}/{index}"), into);
            }
        }
        _ => {}
    }
    into.push(pointer);
}

/// A document with `value` at a path of the reference, for example `navbar.links[].label`.
fn at(path: &str, value: Value) -> Value {
    path.rsplit('.').fold(value, |inside, step| {
        let (name, lists) = step
            .split_once('[')
            .map_or((step, 0), |(name, rest)| (name, rest.matches(']').count()));
        let inside = (0..lists).fold(inside, |inside, _| json!([inside]));
        json!({ if name == "*" { "any" } else { name }: inside })
    })
}

/// The paths of the kinds of elements.
const ELEMENT_PATHS: &[(&str, &str)] = &[
    ("Every element", "navigation.groups[]"),
    ("Every element except groups", "navigation.tabs[]"),
    ("Groups", "navigation.groups[]"),
    ("Tabs", "navigation.tabs[]"),
    ("Menu items", "navigation.tabs[].menu[]"),
    ("Anchors", "navigation.anchors[]"),
    ("Dropdowns", "navigation.dropdowns[]"),
    ("Products", "navigation.products[]"),
    ("Versions", "navigation.versions[]"),
    ("Languages", "navigation.languages[]"),
    ("Icon", "navbar.links[].icon"),
    ("OpenAPI documents", "api.openapi"),
    ("Tools of an MCP server", "navigation.groups[].mcp"),
];

#[test]
fn the_decoders_accept_every_key_of_the_tables() {
    let mut count = 0;
    for section in option_docs() {
        for key in &section.keys {
            let path = if section.top {
                key.path.clone()
            } else {
                let (_, path_of_kind) = ELEMENT_PATHS
                    .iter()
                    .find(|(title, _)| *title == section.title)
                    .expect(&section.title);
                format!("{path_of_kind}.{}", key.path)
            };
            let document = at(&path, json!("x"));
            let checked = parse(&SourceFile::new("docs.json", document.to_string()), &|_| {
                None
            });
            let unknown: Vec<&str> = checked
                .diagnostics
                .iter()
                .filter(|d| d.code.id == "config-unknown-key")
                .map(|d| &*d.message)
                .collect();
            assert_eq!(unknown, [""; 0], "{path}");
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn the_tables_have_every_key_of_the_full_document() {
    let mut known: Vec<String> = Vec::new();
    for section in option_docs() {
        for key in section.keys {
            let name = key.path.rsplit('.').next().unwrap_or("").to_owned();
            known.push(name.trim_end_matches("[]").to_owned());
        }
    }
    let document: Value = serde_json::from_str(FULL).unwrap();
    let mut pointers = Vec::new();
    collect(&document, String::new(), &mut pointers);
    for pointer in pointers {
        let mut steps = pointer.rsplit('/');
        let (last, parent) = (steps.next().unwrap_or(""), steps.next().unwrap_or(""));
        let own = ["variables", "metatags"].contains(&parent);
        if last.is_empty() || last.parse::<usize>().is_ok() && last != "404" || own {
            continue;
        }
        let name = svc_data::unescape_pointer(last);
        assert!(
            known.contains(&name)
                || crate::integrations::SERVICES
                    .iter()
                    .any(|(s, _)| *s == name),
            "{pointer}"
        );
    }
}

#[test]
fn defaults_and_examples_of_the_tables_are_valid_values() {
    for section in option_docs() {
        for key in section.keys {
            assert!(
                !key.description.is_empty() || section.title == "integrations",
                "{}",
                key.path
            );
            assert!(!key.since.is_empty(), "{}", key.path);
        }
        if section.example.is_empty() {
            continue;
        }
        let example: Value = serde_json::from_str(&section.example).expect(&section.title);
        let mut document: Value = serde_json::from_str(FULL).unwrap();
        document[&section.title] = example;
        assert_eq!(refusals(&document), [""; 0], "{}", section.title);
        assert_eq!(errors(&document.to_string()), [], "{}", section.title);
    }
    let mut properties = 0;
    check_values(&schema(), &mut properties);
    assert!(properties > 300, "{properties}");
}

/// Asserts that the default and the examples of every subschema match that schema.
fn check_values(value: &Value, properties: &mut usize) {
    match value {
        Value::Object(map) => {
            let described = map.get("description").is_some_and(Value::is_string);
            if described && map.contains_key("default") {
                let mut alone = map.clone();
                alone.insert("$defs".to_owned(), schema()["$defs"].clone());
                let alone = jsonschema::draft202012::new(&Value::Object(alone)).unwrap();
                assert!(alone.is_valid(&map["default"]), "{map:?}");
            }
            *properties += usize::from(described);
            for value in map.values() {
                check_values(value, properties);
            }
        }
        Value::Array(items) => {
            for item in items {
                check_values(item, properties);
            }
        }
        _ => {}
    }
}
