//! The router and the documents agree, in both directions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use svc_diagnostics::SourceFile;

use super::world::{World, request};
use crate::agent_job::{Branch, Prompt, Status};
use crate::{Access, Document, OPERATIONS, Operation, Verb};

fn document(which: Document) -> Value {
    serde_json::from_str(which.text()).unwrap()
}

const BOTH: [Document; 2] = [Document::Admin, Document::Deployment];

#[test]
fn the_documents_have_exactly_the_operations_of_the_router() {
    for which in BOTH {
        let document = document(which);
        let mut described = BTreeMap::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let id = operation["operationId"].as_str().unwrap();
                let statuses = operation["responses"].as_object().unwrap().keys();
                let statuses: BTreeSet<u16> = statuses.map(|item| item.parse().unwrap()).collect();
                let public = operation["security"].as_array().is_some_and(Vec::is_empty);
                let line = (method.to_uppercase(), path.as_str(), public, statuses);
                described.insert(id, line);
            }
        }
        let own = OPERATIONS.iter().filter(|item| item.document == which);
        let built = own.map(|item: &Operation| {
            let statuses = item.statuses.iter().copied().collect();
            let public = item.access == Access::Public;
            (
                item.id,
                (item.method.as_str().to_owned(), item.path, public, statuses),
            )
        });
        assert_eq!(described, built.collect());
    }
}

#[test]
fn the_version_of_the_admin_api_is_two_in_document_and_paths() {
    // spec: admin.version accepts
    let document = document(Document::Admin);
    assert_eq!(document["info"]["version"], "2.0.0");
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    assert!(
        paths.iter().all(|path| path.starts_with("/v2/")),
        "{paths:?}"
    );
}

#[test]
fn the_documents_load_without_a_diagnostic() {
    for which in BOTH {
        let checked = svc_openapi::parse(&SourceFile::new("api.json", which.text()));
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        let read = checked.value.unwrap();
        for operation in OPERATIONS.iter().filter(|item| item.document == which) {
            let parsed = read.operation(operation.method.as_str(), operation.path);
            assert!(parsed.is_some(), "{}", operation.id);
        }
    }
}

#[test]
fn the_documents_are_public_and_contain_the_origin_of_the_api() {
    let world = World::new();
    for (line, which) in [
        ("GET /v2/openapi.json", Document::Admin),
        ("GET /v1/openapi.json", Document::Deployment),
    ] {
        let response = world.send(request("", line, None));
        assert_eq!(response.status(), 200);
        let served = String::from_utf8(response.body().to_vec()).unwrap();
        let servers = |text: &str| {
            let document: Value = serde_json::from_str(text).unwrap();
            document["servers"].to_string()
        };
        assert!(servers(&served).contains(r#""url":"https://admin.example""#));
        let written = "http://127.0.0.1:8081";
        assert!(servers(which.text()).contains(written));
        assert_eq!(
            served.replace("https://admin.example", written),
            which.text()
        );
    }
}

#[test]
fn every_example_is_valid_for_its_schema() {
    let mut count = 0;
    for which in BOTH {
        let document = document(which);
        let mut rest = vec![&document];
        while let Some(value) = rest.pop() {
            if let (Some(schema), Some(example)) = (value.get("schema"), value.get("example")) {
                let mut schema = schema.clone();
                schema["components"] = document["components"].clone();
                let checked = jsonschema::options()
                    .with_draft(jsonschema::Draft::Draft202012)
                    .should_validate_formats(true)
                    .build(&schema)
                    .unwrap();
                assert!(checked.is_valid(example), "{example}");
                count += 1;
            }
            match value {
                Value::Array(list) => rest.extend(list),
                Value::Object(map) => rest.extend(map.values()),
                _ => {}
            }
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn code_and_schema_accept_the_same_branches_and_prompts() {
    let document = document(Document::Deployment);
    let branch = &document["components"]["schemas"]["CreatePreview"]["properties"]["branch"];
    let branch = jsonschema::draft202012::new(branch).unwrap();
    let pieces = [
        "", "a", "@", "-", ".", "..", "/", "//", ".lock", "a.b", "ä", " ", "~", "^", ":", "?", "*",
        "[", "\\", "{", "@{", "\u{7f}", "\n", "\0", "🙂",
    ];
    let long = [
        "a".repeat(200),
        "a".repeat(201),
        "ä".repeat(200),
        "🙂".repeat(201),
    ];
    let mut texts: Vec<String> = long.to_vec();
    for first in pieces {
        for second in pieces {
            texts.extend(pieces.map(|third| format!("{first}{second}{third}")));
        }
    }
    for text in texts {
        let value = Value::String(text.clone());
        let code = Branch::try_from(text.clone()).is_ok();
        assert_eq!(branch.is_valid(&value), code, "{text:?}");
    }
    let document = self::document(Document::Admin);
    let prompt = &document["components"]["schemas"]["CreateAgentJob"]["properties"]["prompt"];
    let prompt = jsonschema::draft202012::new(prompt).unwrap();
    let long = ["🙂".repeat(50_000), "a".repeat(50_001)];
    for text in pieces.map(str::to_owned).into_iter().chain(long) {
        let code = Prompt::try_from(text.clone()).is_ok();
        assert_eq!(prompt.is_valid(&Value::String(text)), code);
    }
}

#[test]
fn the_status_values_equal_those_of_the_document() {
    // spec: admin.job.status accepts and refuses
    let document = document(Document::Admin);
    let values = &document["components"]["schemas"]["AgentJob"]["properties"]["status"]["enum"];
    let ours = Status::ALL.map(Status::as_str);
    assert_eq!(
        values,
        &serde_json::json!(["active", "completed", "archived", "failed"])
    );
    assert_eq!(values, &serde_json::json!(ours));
    for value in ["", "Active", "running", "active "] {
        assert_eq!(Status::parse(value), None, "{value}");
    }
}

#[test]
fn unsupported_methods_are_rejected_with_the_supported_ones() {
    // spec: admin.status.405 accepts
    let world = World::new();
    for operation in OPERATIONS {
        let path = operation.path.replace(['{', '}'], "");
        for method in [
            "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD", "FOO",
        ] {
            let fits = match operation.method {
                Verb::Get => matches!(method, "GET" | "HEAD"),
                Verb::Post => method == "POST",
            };
            let response = world.send(request("", &format!("{method} {path}"), None));
            assert_eq!(response.status() == 405, !fits, "{method} {path}");
            if !fits {
                let allowed = response.headers()["allow"].to_str().unwrap();
                assert!(allowed.contains(operation.method.as_str()), "{allowed}");
            }
        }
    }
}
