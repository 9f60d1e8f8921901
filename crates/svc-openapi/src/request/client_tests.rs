//! Comparison of parameters with another client, swagger-client 3.37: equal except for its bugs.

#![expect(clippy::print_stdout, reason = "measured tests say what they found")]

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Inputs, request};
use crate::ParameterLocation;
use crate::tests::document;

/// Why the other client differs.
fn reason(row: &Value) -> Option<&'static str> {
    let is = |key: &str, value: &str| row[key] == value;
    let (list, object) = (row["value"].is_array(), row["value"].is_object());
    let (explode, empty) = (row["explode"] == true, is("valueName", "empty"));
    let reserved = row["allowReserved"] == true;
    Some(if is("in", "cookie") {
        // OAS 3.1.2, "Style Examples": only the values are encoded, not the separators.
        "cookies are one value"
    } else if is("in", "query") && empty {
        "empty values are dropped from the query"
    } else if is("style", "matrix") && empty {
        // RFC 6570, 3.2.7.
        "an empty matrix parameter gets an equals sign"
    } else if is("style", "label") && !explode && (list || object) {
        // The table of versions before OAS 3.0.4 and 3.1.1.
        "labels are separated by points where explode is false"
    } else if is("style", "spaceDelimited") && !explode && object {
        "spaceDelimited objects are separated by commas"
    } else if is("style", "pipeDelimited") && !explode && object {
        "pipeDelimited objects are separated by commas"
    } else if is("style", "pipeDelimited") && !explode && list {
        "the pipe of pipeDelimited is not escaped"
    } else if is("style", "deepObject") && list {
        // The standard does not define it; most servers read `color[0]=blue`.
        "deepObject is not applied to arrays"
    } else if is("style", "deepObject") && reserved && object {
        // RFC 3986, 3.4: a query has no brackets.
        "the brackets of deepObject are not escaped with allowReserved"
    } else if is("in", "path") && is("valueName", "obj_reserved") {
        "names of members are not escaped in paths"
    } else if reserved && row["valueName"].as_str()?.contains("reserved") {
        // OAS 3.1.2, appendix C: `&`, `#` and `+` are ambiguous in a query.
        "allowReserved lets the delimiters of the query through"
    } else {
        return None;
    })
}

/// Decodes percent-encoding.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("an escape"));
        bytes.extend(rest.bytes());
    }
    String::from_utf8(bytes).expect("it is UTF-8")
}

#[test]
fn parameters_agree_with_another_client_except_for_its_bugs() {
    let Some(path) =
        svc_test_support::reference_path("oracle/openapi/expected/swagger_client_styles.json")
    else {
        return;
    };
    let text = std::fs::read_to_string(path).expect("the table can be read");
    let rows: Vec<Value> = serde_json::from_str(&text).expect("the table is JSON");
    let (mut equal, mut others) = (0, BTreeMap::<&str, usize>::new());
    for row in &rows {
        let location = match row["in"].as_str() {
            Some("path") => ParameterLocation::Path,
            Some("query") => ParameterLocation::Query,
            Some("header") => ParameterLocation::Header,
            _ => ParameterLocation::Cookie,
        };
        let path = if location == ParameterLocation::Path {
            "/p/{color}"
        } else {
            "/p"
        };
        let parameter = json!({
            "name": "color", "in": row["in"], "style": row["style"], "explode": row["explode"],
            "allowReserved": row["allowReserved"], "required": true, "schema": {},
        });
        let document = document(
            &json!({
                "openapi": row["oas"], "info": {"title": "t", "version": "1"},
                "paths": {path: {"get": {"parameters": [parameter], "responses": {"200": {"description": "ok"}}}}},
            })
            .to_string(),
        );
        let inputs = Inputs {
            server: "https://h.test".to_owned(),
            parameters: [((location, "color".to_owned()), row["value"].clone())]
                .into_iter()
                .collect(),
            ..Inputs::default()
        };
        let built = request(&document, &document.operations[0], &inputs);
        let headers: BTreeMap<String, String> = built.headers.into_iter().collect();
        let url_fits = row["url"] == built.url.as_str();
        if url_fits && row["headers"] == json!(headers) {
            equal += 1;
            continue;
        }
        let Some(reason) = reason(row) else {
            panic!("{row} is {} {headers:?}", built.url)
        };
        if reason.contains("escaped") || reason.contains("allowReserved") {
            // The remaining cases are equal.
            let theirs = row["url"].as_str().unwrap_or_default();
            assert_eq!(decoded(theirs), decoded(&built.url), "{reason}");
        }
        *others.entry(reason).or_default() += 1;
    }
    println!("{equal} of {} are equal; {others:#?}", rows.len());
    assert_eq!(rows.len(), 364);
    assert!(equal >= 208, "{equal}");
}
