//! Compares the schema of `docs.json` with the decoders on every case of `tests/cases`.

use crate::suite;

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;
use svc_diagnostics::Severity;

static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&svc_config::schema()).expect("it is a schema"));

/// Diagnostics that a schema cannot express: it sees one value at a time, no other file, and not
/// the layout of the text.
const BEYOND: &[&str] = &[
    "config-duplicate",
    "config-limit",
    "config-ref-missing",
    "config-ref-outside",
    "config-ref-cycle",
    "config-ref-invalid",
    "data-duplicate-key",
    "nav-version-ref-name",
];

#[test]
fn the_schema_agrees_with_the_decoders_on_every_case() {
    let (mut errors, mut valid, mut invalid) = (Vec::new(), 0, 0);
    for case in suite::cases() {
        let Some((_, text)) = case.files.iter().find(|(path, _)| path == "docs.json") else {
            continue;
        };
        // A text that is not JSON has no value to validate.
        let Ok(document) = serde_json::from_str::<Value>(text) else {
            continue;
        };
        let codes: Vec<String> = case
            .parse()
            .diagnostics
            .iter()
            .filter(|d| d.severity >= Severity::Error)
            .filter(|d| {
                d.location
                    .as_ref()
                    .is_none_or(|at| &*at.file == "docs.json")
            })
            .map(|d| d.code.id.to_owned())
            .collect();
        let agree = if SCHEMA.is_valid(&document) {
            valid += 1;
            codes.iter().all(|code| BEYOND.contains(&&**code))
        } else {
            invalid += 1;
            !codes.is_empty()
        };
        if !agree {
            let refused: Vec<String> = SCHEMA
                .iter_errors(&document)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            errors.push(format!(
                "{}: schema {refused:?}, decoder {codes:?}",
                case.name
            ));
        }
    }
    assert!(
        valid > 20 && invalid > 50,
        "{valid} valid, {invalid} invalid"
    );
    assert!(
        errors.is_empty(),
        "{} of {}: {errors:#?}",
        errors.len(),
        valid + invalid
    );
}
