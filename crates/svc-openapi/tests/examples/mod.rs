//! Validation of generated examples against their schemas, for the bodies of real documents.
//!
//! The examples, defaults and samples of the authors are removed first: many do not match their own
//! schemas, and only the generator is tested. With `SVC_OPENAPI_EXAMPLES`, all schemas of all
//! documents are checked instead of a sample, and also the displayed examples, with the values of
//! the authors.
//!
//! Of 17,830 schemas 864 allow no value at all, which `proof` shows without the generator: 863
//! error responses of Cloudflare combine a schema whose `result` is an object or a string with one
//! whose `result` is null. Of the other 16,966 schemas the examples of 16,919 match (99.7 %). 39 do
//! not because they match several alternatives of a `oneOf` without a discriminator; there the
//! first one is shown, which is more useful than a value that only one alternative happens to
//! allow. The other 8 are compositions whose parts disagree: at Cloudflare on read-only and
//! required members (3) and on the members of alternatives (2), at PagerDuty on the values of
//! `type` (3). With the values of the authors 256 more do not match: the value of the author is
//! always shown.

#![expect(clippy::print_stdout, reason = "measured tests print their figures")]

mod dialect;
mod proof;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use svc_diagnostics::SourceFile;
use svc_openapi::{ApiDocument, Direction, MediaType, example, parse};

use dialect::modern;
use proof::contradicts;

/// Maximum number of checked schemas of a document, unless all are requested.
const MAX_SCHEMAS: usize = 400;
/// Larger documents are skipped, unless all are requested.
const MAX_DOCUMENT_BYTES: u64 = 1_500_000;

/// Results of the checks.
#[derive(Debug, Default)]
struct Tally {
    /// Number of schemas.
    all: usize,
    /// The example matches.
    good: usize,
    /// No value matches.
    impossible: usize,
    /// The example matches several alternatives of a `oneOf`.
    several: usize,
    /// The example does not match for another reason.
    other: usize,
    /// The displayed example does not match, but the generated one does.
    authors: usize,
    /// Size of the largest example in bytes.
    max_bytes: usize,
}

fn bodies(document: &ApiDocument) -> Vec<(&MediaType, Direction)> {
    let operations = document.operations.iter().chain(&document.webhooks);
    let mut media_types = Vec::new();
    for operation in operations {
        let body = operation.request_body.iter().flat_map(|body| &body.content);
        media_types.extend(body.map(|media| (media, Direction::Request)));
        let responses = operation
            .responses
            .iter()
            .flat_map(|response| &response.content);
        media_types.extend(responses.map(|media| (media, Direction::Response)));
    }
    media_types.retain(|(media, _)| media.is_json() && media.schema.is_some());
    media_types
}

#[test]
fn generated_examples_match_their_schemas() {
    let Some(dir) = svc_test_support::reference_path("corpus/specs") else {
        return;
    };
    let files = fs::read_dir(dir).expect("the directory can be read");
    let everything = std::env::var_os("SVC_OPENAPI_EXAMPLES").is_some();
    let mut files: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    files.sort();
    let mut tally = Tally::default();
    for file in files.iter().filter(|file| !file.ends_with("manifest.json")) {
        if everything || fs::metadata(file).is_ok_and(|data| data.len() <= MAX_DOCUMENT_BYTES) {
            document(file, everything, &mut tally);
        }
    }
    println!("{tally:?}");
    let possible = tally.all - tally.impossible;
    assert!(possible > 500);
    assert!(tally.good * 1000 >= possible * 995, "{tally:?}");
    assert!(tally.max_bytes <= svc_openapi::MAX_EXAMPLE_BYTES);
}

/// Checks all bodies of a document, or a sample.
fn document(file: &Path, everything: bool, tally: &mut Tally) {
    let text = fs::read_to_string(file).expect("the document can be read");
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let Some(document) = parse(&SourceFile::new(name, text)).value else {
        return;
    };
    let root = document.root.to_json();
    // The generator reads the same document without the values of the authors.
    let bare = modern(&root, &root, None, false).to_string();
    let bare = parse(&SourceFile::new("bare.json", bare)).value;
    let bare = bare.expect("it is still a document");
    for direction in [Direction::Request, Direction::Response] {
        let plain = modern(&root, &root, Some(direction), false);
        let path = "https://svc.test/document";
        let registry = jsonschema::Registry::new().add(path, plain.clone());
        let Ok(registry) = registry.and_then(|registry| registry.prepare()) else {
            println!("{name}: not readable for the validator");
            continue;
        };
        let mut bodies = bodies(&bare);
        bodies.retain(|(_, other)| *other == direction);
        let step = if everything {
            1
        } else {
            bodies.len().div_ceil(MAX_SCHEMAS).max(1)
        };
        for (media, _) in bodies.into_iter().step_by(step) {
            let schema_ref = media.schema.as_ref().expect("filtered above");
            let Some(node) = bare.node(schema_ref) else {
                continue;
            };
            let schema = json!({"$ref": format!("{path}#{}", fragment(schema_ref.pointer()))});
            let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
            let Ok(validator) = options.with_registry(&registry).build(&schema) else {
                continue;
            };
            tally.all += 1;
            let made = example(&bare, node, direction);
            tally.max_bytes = tally.max_bytes.max(made.to_string().len());
            let Some(error) = validator.iter_errors(&made).next() else {
                tally.good += 1;
                let shown = document.node(schema_ref).filter(|_| everything);
                let shown = shown.map(|node| example(&document, node, direction));
                let fits = shown.is_none_or(|shown| validator.is_valid(&shown));
                tally.authors += usize::from(!fits);
                continue;
            };
            let schema = plain.pointer(schema_ref.pointer());
            if schema.is_some_and(|schema| contradicts(&plain, &[schema], 0)) {
                tally.impossible += 1;
                continue;
            }
            let message = error.to_string();
            let several = message.contains("valid under more than one");
            tally.several += usize::from(several);
            tally.other += usize::from(!several);
            let end = message
                .char_indices()
                .rev()
                .nth(200)
                .map_or(0, |(at, _)| at);
            println!(
                "{name} {direction:?} {} at `{}`: {}",
                schema_ref.pointer(),
                error.instance_path(),
                message.get(end..).unwrap_or_default()
            );
        }
    }
}

/// Converts a pointer to the fragment of a URL.
fn fragment(pointer: &str) -> String {
    let bytes = pointer.bytes().map(|byte| match byte {
        b'/' | b'~' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    bytes.collect()
}
