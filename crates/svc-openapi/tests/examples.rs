//! Generated examples against their schemas, over the bodies of the real documents.
//!
//! The examples, defaults and samples of the authors are taken out first: many do not fit their
//! own schema, and the question is what the generator makes.

#![expect(clippy::print_stdout, reason = "skipped and measured tests say so")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use svc_diagnostics::SourceFile;
use svc_openapi::{ApiDocument, Direction, MediaType, example, parse};

/// Schemas of one document that are checked unless all are asked for.
const SAMPLE: usize = 60;
/// Larger documents are left out unless all are asked for.
const SIZE: u64 = 1_500_000;

/// A schema of any dialect in the words of JSON Schema 2020-12, for one direction.
fn modern(root: &Value, value: &Value, direction: Direction, names: bool) -> Value {
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| modern(root, item, direction, false))
            .collect(),
        Value::Object(members) => {
            let mut out = Map::new();
            for (key, value) in members {
                let written = matches!(
                    key.as_str(),
                    "example" | "examples" | "default" | "x-example"
                );
                // Under `properties` keys are names, and under `enum` and `const` all is data.
                if written && !names {
                    continue;
                }
                let data = !names && matches!(key.as_str(), "enum" | "const");
                let inner = !names
                    && matches!(
                        key.as_str(),
                        "properties"
                            | "patternProperties"
                            | "$defs"
                            | "schemas"
                            | "responses"
                            | "paths"
                            | "webhooks"
                    );
                let value = if data {
                    value.clone()
                } else {
                    modern(root, value, direction, inner)
                };
                out.insert(key.clone(), value);
            }
            if !names {
                dialect(&mut out, members);
                // What the other side never sends is not required of it.
                let mut names = Vec::new();
                hidden(root, value, direction, &mut names);
                for name in &names {
                    not_required(&mut out, name);
                }
            }
            Value::Object(out)
        }
        other => other.clone(),
    }
}

fn dialect(out: &mut Map<String, Value>, members: &Map<String, Value>) {
    // The words of 3.0.
    if members.get("nullable") == Some(&Value::Bool(true)) {
        if let Some(Value::String(kind)) = out.get("type").cloned() {
            out.insert("type".to_owned(), json!([kind, "null"]));
        }
        if let Some(Value::Array(values)) = out.get_mut("enum") {
            values.push(Value::Null);
        }
    }
    for (strict, plain) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        match members.get(strict) {
            Some(Value::Bool(true)) => {
                if let Some(limit) = out.remove(plain) {
                    out.insert(strict.to_owned(), limit);
                }
            }
            Some(Value::Bool(false)) => {
                out.remove(strict);
            }
            _ => {}
        }
    }
    // A name that is listed twice is required once.
    if let Some(Value::Array(required)) = out.get_mut("required") {
        let mut once = Vec::new();
        required.retain(|name| {
            let new = !once.contains(name);
            once.push(name.clone());
            new
        });
    }
}

fn target<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    let place = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    root.pointer(&place.replace("%7B", "{").replace("%7D", "}"))
}

/// The schema, what it refers to and the members of its `allOf`.
fn parts<'a>(root: &'a Value, schema: &'a Value, depth: usize, found: &mut Vec<&'a Value>) {
    if depth > 12 || found.len() > 200 {
        return;
    }
    found.push(schema);
    let members = schema.get("allOf").and_then(Value::as_array);
    for member in target(root, schema).into_iter().chain(members.into_iter().flatten()) {
        parts(root, member, depth + 1, found);
    }
}

/// Names of properties that do not travel in a direction.
fn hidden(root: &Value, schema: &Value, direction: Direction, names: &mut Vec<String>) {
    let word = match direction {
        Direction::Request => "readOnly",
        Direction::Response => "writeOnly",
    };
    let mut all = Vec::new();
    parts(root, schema, 0, &mut all);
    let properties = all.iter().filter_map(|part| part.get("properties")?.as_object());
    for (name, property) in properties.flatten() {
        let mut all = Vec::new();
        parts(root, property, 0, &mut all);
        if all.iter().any(|part| part.get(word) == Some(&Value::Bool(true))) {
            names.push(name.clone());
        }
    }
}

fn not_required(schema: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|other| other != name);
    }
    if let Some(Value::Array(members)) = schema.get_mut("allOf") {
        for member in members.iter_mut().filter_map(Value::as_object_mut) {
            not_required(member, name);
        }
    }
}

/// Whether a schema certainly refuses a value.
fn refuses(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut all = Vec::new();
    parts(root, schema, 0, &mut all);
    all.into_iter().any(|part| {
        let listed = |key: &str| part.get(key).and_then(Value::as_array);
        listed("enum").is_some_and(|list| !list.contains(value))
            || types(part).is_some_and(|types| !types.contains(&type_of(value)))
            || ["anyOf", "oneOf"].into_iter().any(|key| {
                listed(key).is_some_and(|list| list.iter().all(|one| refuses(root, one, value)))
            })
    })
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    let stated = schema.get("type")?;
    let mut types: Vec<&str> = match stated {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        one => vec![one.as_str()?],
    };
    if types.contains(&"number") {
        types.push("integer");
    }
    Some(types)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether no value fits schemas that all hold: a proof, not a guess. Types exclude each other, or
/// all values of an enumeration are refused, or that is so for a member that has to be there, or
/// for each alternative.
fn contradicts(root: &Value, seeds: &[&Value], depth: usize) -> bool {
    if depth > 4 {
        return false;
    }
    let mut all = Vec::new();
    for seed in seeds {
        parts(root, seed, 0, &mut all);
    }
    let listed = |part: &Value, key: &str| part.get(key).and_then(Value::as_array).cloned();
    let common = all.iter().filter_map(|part| types(part)).reduce(|a, b| {
        a.into_iter().filter(|one| b.contains(one)).collect()
    });
    if common.is_some_and(|types| types.is_empty()) {
        return true;
    }
    for values in all.iter().filter_map(|part| listed(part, "enum")) {
        let refused = |value: &Value| seeds.iter().any(|seed| refuses(root, seed, value));
        if values.iter().all(refused) {
            return true;
        }
    }
    let needed = all.iter().filter_map(|part| listed(part, "required"));
    let mut objects = all.iter().filter_map(|part| types(part));
    if objects.any(|types| types == ["object"]) {
        for name in needed.flatten() {
            let properties = all.iter().filter_map(|part| {
                part.get("properties")?.get(name.as_str()?)
            });
            let properties: Vec<&Value> = properties.collect();
            if !properties.is_empty() && contradicts(root, &properties, depth + 1) {
                return true;
            }
        }
    }
    all.iter().any(|part| {
        ["anyOf", "oneOf"].into_iter().any(|key| {
            let list = part.get(key).and_then(Value::as_array);
            list.is_some_and(|list| {
                list.iter().all(|one| {
                    let with: Vec<&Value> = seeds.iter().copied().chain([one]).collect();
                    contradicts(root, &with, depth + 1)
                })
            })
        })
    })
}

fn bodies(document: &ApiDocument) -> Vec<(&MediaType, Direction)> {
    let operations = document.operations.iter().chain(&document.webhooks);
    let mut found = Vec::new();
    for operation in operations {
        let body = operation.request_body.iter().flat_map(|body| &body.content);
        found.extend(body.map(|media| (media, Direction::Request)));
        let responses = operation
            .responses
            .iter()
            .flat_map(|response| &response.content);
        found.extend(responses.map(|media| (media, Direction::Response)));
    }
    found.retain(|(media, _)| media.is_json() && media.schema.is_some());
    found
}

#[test]
fn generated_examples_fit_their_schemas() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/specs");
    let Ok(files) = fs::read_dir(&folder) else {
        println!("skipped: no corpus/specs beside the workspace");
        return;
    };
    let everything = std::env::var_os("SVC_OPENAPI_EXAMPLES").is_some();
    let mut files: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    files.sort();
    let (mut good, mut all, mut impossible) = (0, 0, 0);
    let (mut total, mut slowest, mut largest) = (std::time::Duration::ZERO, std::time::Duration::ZERO, 0);
    let mut reasons: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for file in files.iter().filter(|file| !file.ends_with("manifest.json")) {
        if !everything && fs::metadata(file).is_ok_and(|data| data.len() > SIZE) {
            continue;
        }
        let text = fs::read_to_string(file).expect("the document can be read");
        let name = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let Some(document) = parse(&SourceFile::new(name, text)).value else {
            continue;
        };
        for direction in [Direction::Request, Direction::Response] {
            let root = document.root.to_json();
            let plain = modern(&root, &root, direction, false);
            // The generator reads the same document without the authors' values.
            let bare = parse(&SourceFile::new("bare.json", plain.to_string()));
            let Some(bare) = bare.value else { continue };
            let address = "https://svc.test/document";
            let registry = jsonschema::Registry::new().add(address, plain.clone());
            let Ok(registry) = registry.and_then(|registry| registry.prepare()) else {
                println!("{name}: not readable for the validator");
                continue;
            };
            let bodies = bodies(&bare);
            let bodies: Vec<_> = bodies
                .into_iter()
                .filter(|(_, other)| *other == direction)
                .collect();
            let step = if everything {
                1
            } else {
                bodies.len().div_ceil(SAMPLE).max(1)
            };
            for (media, _) in bodies.into_iter().step_by(step) {
                let place = media.schema.as_ref().expect("filtered above");
                let Some(node) = bare.node(place) else {
                    continue;
                };
                let pointer: String = place
                    .pointer()
                    .bytes()
                    .map(|byte| match byte {
                        b'/' | b'~' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
                        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
                        byte => format!("%{byte:02X}"),
                    })
                    .collect();
                let schema = json!({"$ref": format!("{address}#{pointer}")});
                let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
                let Ok(validator) = options.with_registry(&registry).build(&schema) else {
                    continue;
                };
                all += 1;
                let start = std::time::Instant::now();
                let made = example(&bare, node, direction);
                let took = start.elapsed();
                total += took;
                slowest = slowest.max(took);
                largest = largest.max(made.to_string().len());
                if everything && took.as_micros() > 5000 { println!("SLOW {took:?} {name} {}", place_of(media)); }
                match validator.iter_errors(&made).next() {
                    None => good += 1,
                    Some(_) if contradicts(&plain, &[plain.pointer(place.pointer()).unwrap_or(&Value::Null)], 0) => impossible += 1,
                    Some(error) => {
                        let place = error.schema_path().to_string();
                        let keyword = place
                            .rsplit('/')
                            .find(|part| part.parse::<usize>().is_err());
                        let entry = reasons
                            .entry(keyword.unwrap_or_default().to_owned())
                            .or_default();
                        entry.0 += 1;
                        let said = error.to_string();
                        let said: String = said.chars().take(300).collect();
                        if everything {
                            println!(
                                "{name} {direction:?} {} {}: {said}\n   {}",
                                place_of(media),
                                error.instance_path(),
                                made.to_string().chars().take(400).collect::<String>()
                            );
                        }
                        entry.1 = format!(
                            "{name} {} at {}: {said}",
                            place_of(media),
                            error.instance_path()
                        );
                    }
                }
            }
        }
    }
    println!("{impossible} impossible");
    println!("{good} of {all} examples fit; {total:?} {slowest:?} {largest}");
    for (keyword, (count, last)) in &reasons {
        println!("  {count} {keyword}: {last}");
    }
    assert!(all > 500);
    assert!(
        good * 1000 >= (all - impossible) * 995,
        "{good} of {all} examples fit their schema"
    );
}

fn place_of(media: &MediaType) -> String {
    media
        .schema
        .as_ref()
        .map(|place| place.pointer().to_owned())
        .unwrap_or_default()
}
