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
fn modern(value: &Value, direction: Direction, names: bool) -> Value {
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| modern(item, direction, false))
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
                    modern(value, direction, inner)
                };
                out.insert(key.clone(), value);
            }
            if !names {
                dialect(&mut out, members, direction);
            }
            Value::Object(out)
        }
        other => other.clone(),
    }
}

fn dialect(out: &mut Map<String, Value>, members: &Map<String, Value>, direction: Direction) {
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
    // What the other side never sends is not required of it.
    let hidden = match direction {
        Direction::Request => "readOnly",
        Direction::Response => "writeOnly",
    };
    if let (Some(Value::Array(required)), Some(Value::Object(properties))) =
        (out.get_mut("required"), members.get("properties"))
    {
        required.retain(|name| {
            let property = name.as_str().and_then(|name| properties.get(name));
            property.is_none_or(|property| property.get(hidden) != Some(&Value::Bool(true)))
        });
    }
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
    let (mut good, mut all) = (0, 0);
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
            let plain = modern(&document.root.to_json(), direction, false);
            // The generator reads the same document without the authors' values.
            let bare = parse(&SourceFile::new("bare.json", plain.to_string()));
            let Some(bare) = bare.value else { continue };
            let address = "https://svc.test/document";
            let registry = jsonschema::Registry::new().add(address, plain);
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
                let made = example(&bare, node, direction);
                match validator.iter_errors(&made).next() {
                    None => good += 1,
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
    println!("{good} of {all} examples fit");
    for (keyword, (count, last)) in &reasons {
        println!("  {count} {keyword}: {last}");
    }
    assert!(all > 500);
    assert!(
        good * 100 >= all * 98,
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
