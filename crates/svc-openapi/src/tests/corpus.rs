//! Tests with real documents.

use serde_json::Value as Json;
use svc_data::Node;
use svc_diagnostics::SourceFile;

use crate::{ApiDocument, Budget, Direction, MAX_DEPTH, MAX_EXAMPLE_BYTES, Operation};
use crate::{SchemaRef, SchemaView, parse, schema_view_within};

/// Documents whose counts differ from the manifest, with the reason.
const EXCEPTIONS: [(&str, &str); 0] = [];

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(svc_test_support::reference_path(path)?).ok()
}

fn manifest() -> Vec<Json> {
    let Some(text) = read("corpus/specs/manifest.json") else {
        return Vec::new();
    };
    let manifest: Json = serde_json::from_str(&text).expect("the manifest is JSON");
    manifest["specs"].as_array().cloned().unwrap_or_default()
}

/// All readable documents with their names.
pub(crate) fn documents() -> impl Iterator<Item = (String, ApiDocument)> {
    manifest().into_iter().filter_map(|spec| {
        let file = spec["file"].as_str().unwrap_or_default().to_owned();
        let text = read(&format!("corpus/specs/{file}"))?;
        let document = parse(&SourceFile::new(file.as_str(), text)).value?;
        Some((file, document))
    })
}

fn schemas(operation: &Operation) -> Vec<(SchemaRef, Direction)> {
    let body = operation.request_body.iter().flat_map(|body| &body.content);
    let requests = body.filter_map(|content| content.schema.clone());
    let parameters = operation
        .parameters
        .iter()
        .filter_map(|parameter| parameter.schema.clone());
    let responses = operation
        .responses
        .iter()
        .flat_map(|response| &response.content);
    let responses = responses.filter_map(|content| content.schema.clone());
    requests
        .chain(parameters)
        .map(|schema| (schema, Direction::Request))
        .chain(responses.map(|schema| (schema, Direction::Response)))
        .collect()
}

fn count(view: &SchemaView) -> usize {
    let variants = view
        .variants
        .iter()
        .chain(view.further_variants.iter().flatten());
    1 + view
        .properties
        .iter()
        .map(|property| count(&property.schema))
        .sum::<usize>()
        + variants
            .map(|variant| count(&variant.schema))
            .sum::<usize>()
        + view.items.as_deref().map_or(0, count)
        + view.additional.as_deref().map_or(0, count)
        + view.prefix_items.iter().map(count).sum::<usize>()
}

/// Builds all views and examples of an operation; returns their number of nodes.
fn view_all(document: &ApiDocument, operation: &Operation) -> usize {
    let mut budget = Budget::default();
    let mut nodes = 0;
    for (schema, direction) in schemas(operation) {
        let Some(node) = document.node(&schema) else {
            panic!("{} is no place", schema.pointer())
        };
        let view = schema_view_within(document, node, direction, MAX_DEPTH, &mut budget);
        let example = crate::example(document, node, direction);
        assert!(
            example.to_string().len() <= MAX_EXAMPLE_BYTES,
            "{}",
            schema.pointer()
        );
        nodes += count(&view);
    }
    nodes
}

#[test]
fn real_documents_have_the_independently_counted_operations() {
    for spec in manifest() {
        let file = spec["file"].as_str().unwrap_or_default();
        let Some(text) = read(&format!("corpus/specs/{file}")) else {
            continue;
        };
        assert!(crate::looks_like_openapi(&text), "{file}");
        let start = std::time::Instant::now();
        let checked = parse(&SourceFile::new(file, text));
        let took = start.elapsed();
        let document = checked
            .value
            .unwrap_or_else(|| panic!("{file} is a document"));
        let start = std::time::Instant::now();
        // A sample of each document; all operations would take too long without optimization.
        let step = (document.operations.len() + document.webhooks.len()) / 30 + 1;
        let operations = document
            .operations
            .iter()
            .chain(&document.webhooks)
            .step_by(step);
        let nodes: Vec<usize> = operations
            .map(|operation| view_all(&document, operation))
            .collect();
        let codes = checked.diagnostics.iter().fold(
            std::collections::BTreeMap::new(),
            |mut codes, diagnostic| {
                *codes.entry(diagnostic.code.id).or_insert(0) += 1;
                codes
            },
        );
        println!(
            "{file}: {} + {} operations in {took:?}, views {:?} (largest {:?}) {codes:?}",
            document.operations.len(),
            document.webhooks.len(),
            start.elapsed(),
            nodes.iter().max(),
        );
        if EXCEPTIONS.iter().any(|(name, _)| *name == file) {
            continue;
        }
        let expected = |key: &str| {
            spec["counts"][key]
                .as_u64()
                .map(|n| usize::try_from(n).expect("small"))
        };
        assert_eq!(
            Some(document.operations.len()),
            expected("ops_paths").or(expected("operations")),
            "{file}"
        );
        // `x-webhooks`, which the manifest does not count, are read too.
        let standard = |name: &&str| {
            let webhooks = document.root.get("webhooks");
            webhooks.is_some_and(|webhooks| webhooks.get(name).is_some())
        };
        let hooks = document.webhooks.iter().map(|hook| hook.path.as_str());
        let mut names: Vec<&str> = hooks.filter(standard).collect();
        names.dedup();
        assert_eq!(Some(names.len()), expected("webhooks"), "{file}");
        assert_eq!(
            Some(document.schema_names().count()),
            expected("components_schemas").or(Some(0)),
            "{file}"
        );
        assert!(nodes.iter().all(|nodes| *nodes <= 6_000), "{file}");
    }
}

#[test]
fn file_names_agree_with_mintlify() {
    let Some(text) = read("oracle/slugs.json") else {
        return;
    };
    let slugs: Json = serde_json::from_str(&text).expect("the oracle is JSON");
    let pairs = slugs["file"].as_object().expect("it has file names");
    assert!(pairs.len() > 400);
    let wrong: Vec<_> = pairs
        .iter()
        .filter(|(text, slug)| slug.as_str() != Some(&crate::slugify(text)))
        .map(|(text, slug)| (text, slug, crate::slugify(text)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn damaged_documents_neither_panic_nor_hang() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % u64::try_from(below.max(1)).unwrap_or(1)).unwrap_or(0)
    };
    let keys = [
        "$ref",
        "allOf",
        "oneOf",
        "type",
        "items",
        "properties",
        "schema",
        "x",
    ];
    for spec in manifest() {
        let file = spec["file"].as_str().unwrap_or_default();
        if spec["bytes"].as_u64().is_none_or(|bytes| bytes > 60_000) {
            continue;
        }
        let Some(text) = read(&format!("corpus/specs/{file}")) else {
            continue;
        };
        for round in 0..12 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random(6) {
                let at = random(bytes.len());
                match (round + random(5)) % 5 {
                    0 => bytes.truncate(at),
                    1 => {
                        let end = (at + random(200)).min(bytes.len());
                        bytes.drain(at..end);
                    }
                    2 => {
                        let other = random(bytes.len());
                        if !bytes.is_empty() {
                            bytes.swap(at, other);
                        }
                    }
                    3 => {
                        let from = random(bytes.len());
                        let piece = bytes[from..(from + random(300)).min(bytes.len())].to_vec();
                        bytes.splice(at..at, piece);
                    }
                    _ => {
                        let (from, to) = (keys[random(keys.len())], keys[random(keys.len())]);
                        let replaced = String::from_utf8_lossy(&bytes).replacen(from, to, 3);
                        bytes = replaced.into_bytes();
                    }
                }
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let checked = parse(&SourceFile::new(file, text));
            let Some(document) = checked.value else {
                continue;
            };
            for operation in document
                .operations
                .iter()
                .chain(&document.webhooks)
                .take(40)
            {
                view_all(&document, operation);
            }
            for node in document
                .schema_names()
                .filter_map(|name| document.schema_node(name))
                .take(40)
            {
                let node: &Node = node;
                crate::example(&document, node, Direction::Request);
            }
        }
    }
}

#[test]
fn generated_paths_and_titles_agree_with_mintlify() {
    let Some(nav) = read("oracle/nav/polar.json") else {
        return;
    };
    let nav: Vec<Json> = serde_json::from_str(&nav).expect("the oracle is JSON");
    let documents = ["2026-04", "2026-10"].iter().filter_map(|version| {
        let path = format!("openapi/{version}.openapi.json");
        let text = read(&format!("corpus/sites/polar/{path}"))?;
        parse(&SourceFile::new(path, text)).value
    });
    let catalog = crate::ApiCatalog::new(documents.collect());
    let mut errors = Vec::new();
    let mut compared = 0;
    for entry in nav.iter().filter(|entry| entry["openapi"].is_string()) {
        let (name, href) = (
            entry["openapi"].as_str().unwrap_or(""),
            entry["href"].as_str().unwrap_or(""),
        );
        let Some(reference) = catalog.operation_ref(name) else {
            panic!("{name} is an entry")
        };
        let Some(target) = catalog.lookup(&reference, None) else {
            errors.push(format!("{name}: not found"));
            continue;
        };
        let parts: Vec<&str> = href.trim_start_matches('/').split('/').take(2).collect();
        let slug = catalog.documents[target.document].page_slug(target.operation, &parts.join("/"));
        compared += 1;
        if format!("/{slug}") != href || entry["title"] != target.operation.title() {
            errors.push(format!(
                "{href} is /{slug}, {} is {}",
                entry["title"],
                target.operation.title()
            ));
        }
    }
    println!(
        "{compared} addresses compared, {} differ: {:?}",
        errors.len(),
        errors.iter().take(8).collect::<Vec<_>>()
    );
    assert!(compared > 300);
    assert!(errors.len() * 50 < compared, "{errors:?}");
}
