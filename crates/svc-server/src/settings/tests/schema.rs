//! The schema for editors agrees with the decoder.

use serde_json::Value;

use super::cases::{CASES, changed};
use super::*;

/// Codes that a schema cannot check: it has no access to other tables, files and variables.
const BEYOND: &[&str] = &[
    "data-duplicate-key",
    "settings-duplicate",
    "settings-folder",
    "settings-later",
    "settings-secret-missing",
];

/// Cases of other codes that depend on more than one value.
const DEEPER: &[&str] = &[
    "listen = \"localhost",
    "docs_domain =",
    "timeout = \"0s\"",
    "a/b\"]",
    "/../b",
    "/Login/x",
    "poll = \"1s\"",
    "\"a.example:80\"",
    "a.{docs_domain}",
    "folder = \"/var\"",
    "ext::",
    "--upload",
    "https://u:",
    "https://hunter2",
    "a/../b",
    "user = \"b\"",
    "audit = \"10h\"",
    "webhook.secret_file = \"webhook.secret\"",
    "listen = \"8081\"",
    "host = \"admin.{docs_domain}\"",
    "store = \"postgres://svc:",
    "store_env = \"HANDBOOK_TOKEN\"",
    "trusted_proxies = [",
    "client_secret_file = \"oidc.secret\"",
    "[agent]\ncommand = \"a\"\n",
    "[projects.agent]\nrepository",
    "[projects.pull_requests]\nforge = \"github\"",
];

fn json(node: &svc_data::Node) -> Value {
    match &node.value {
        svc_data::Value::Array(items) => items.iter().map(json).collect(),
        svc_data::Value::Object(object) => {
            let members = object
                .iter()
                .map(|(key, value)| (key.to_owned(), json(value)));
            Value::Object(members.collect())
        }
        svc_data::Value::String(text) => text.to_string().into(),
        svc_data::Value::Bool(value) => (*value).into(),
        svc_data::Value::Number(svc_data::Number::Int(value)) => (*value).into(),
        svc_data::Value::Number(number) => number.as_f64().into(),
        svc_data::Value::Null => Value::Null,
    }
}

#[test]
fn the_schema_agrees_with_the_decoder() {
    let schema = jsonschema::draft202012::new(&settings_schema()).expect("a schema");
    let parsed = |toml: &str| {
        let file = SourceFile::new("server.toml", toml);
        json(&svc_data::parse_toml(&file, &svc_data::Limits::default()).value)
    };
    for good in [FULL, SHORT] {
        let problems: Vec<String> = schema
            .iter_errors(&parsed(good))
            .map(|e| e.to_string())
            .collect();
        assert_eq!(problems, Vec::<String>::new());
    }
    let (mut compared, mut errors) = (0, Vec::new());
    for (part, with, expected) in CASES {
        let beyond = |diagnostic: &str| BEYOND.iter().any(|code| diagnostic.ends_with(code));
        if expected.iter().any(|diagnostic| beyond(diagnostic))
            || DEEPER.iter().any(|text| with.contains(text))
        {
            continue;
        }
        compared += 1;
        let toml = changed(part, with);
        if schema.is_valid(&parsed(&toml)) != expected.is_empty() {
            errors.push(with);
        }
    }
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(compared > 30, "{compared}");
}
