//! Operations of OpenAPI documents, which pages of the reference name by their id.

use std::collections::BTreeMap;

use serde_json::Value;
use svc_data::{Limits, parse_json, parse_yaml};
use svc_diagnostics::SourceFile;

/// Methods and paths by the ids of their operations.
pub(super) fn operations(file: &SourceFile) -> BTreeMap<String, String> {
    let limits = Limits::default();
    let value = match file.path().ends_with(".json") {
        true => parse_json(file, &limits).value,
        false => parse_yaml(file, &limits).value,
    };
    let value = value.to_json();
    let mut out = BTreeMap::new();
    let paths = value.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            if let Some(id) = operation.get("operationId").and_then(Value::as_str) {
                out.insert(id.to_owned(), format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    out
}
