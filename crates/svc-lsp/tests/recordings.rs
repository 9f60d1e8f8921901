//! Messages of real editors, recorded once: `recordings/EDITOR.jsonl` has one message on each line,
//! with `$root` for the URI and `$path` for the path of the directory of the site. Those of Zed are
//! not recorded, because it needs a graphics card: they follow its source code.
//!
//! To record another editor, let it start `sh -c 'tee messages | svc lsp'` in a copy of `SITE`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::client::Client;

/// The site on which the editors worked.
const SITE: &[(&str, &str)] = &[
    (
        "docs.json",
        "{\n  \"theme\": \"svc\",\n  \"name\": \"Acme\",\n  \"colors\": { \"primary\": \"#0f766e\" },\n  \"navigation\": { \"pages\": [\"index\", \"guide\"] }\n}\n",
    ),
    (
        "index.mdx",
        "---\ntitle: Start\n---\n\n# Hello 😀\n\n<Card title=\"Guide\" icon=\"book\" href=\"/guide\">Read it.</Card>\n\nSee [the guide](/guide#set-up) and [nothing](/missing).\n",
    ),
    (
        "guide.mdx",
        "---\ntitle: Guide\ndescription: How to set it up.\n---\n\n## Set up\n\nText.\n",
    ),
];

/// Methods and contents of messages.
type Messages = Vec<(String, Value)>;

/// Replays a session and returns the results of its requests by method, and the published codes of
/// diagnostics by document and version.
fn replay(editor: &str) -> (Messages, Messages) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for (path, text) in SITE {
        fs::write(root.join(path), text).unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = file
        .join("tests/recordings")
        .join(format!("{editor}.jsonl"));
    let messages = fs::read_to_string(file).unwrap();
    let messages = messages.replace("$path", root.to_str().unwrap());
    let mut client = Client::start(&root);
    let messages = messages.replace("$root", &client.root);
    let (mut results, mut published) = (Vec::new(), Vec::new());
    let mut note = |message: &Value| {
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let uri = params["uri"].as_str().unwrap();
            let name = uri.rsplit('/').next().unwrap();
            let all = params["diagnostics"].as_array().unwrap().iter();
            let codes = all.map(|one| one["code"].clone()).collect();
            published.push((format!("{name} {}", params["version"]), codes));
        }
    };
    let mut is_shut_down = false;
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let (id, method) = (message.get("id").cloned(), message["method"].as_str());
        // An editor that shows diagnostics has waited for them.
        let waits = match method {
            Some("textDocument/didOpen") => Some(message["params"]["textDocument"]["uri"].clone()),
            _ => None,
        };
        let method = method.map(str::to_owned);
        client.send(message);
        while let Some(uri) = &waits {
            let message = client.receive();
            note(&message);
            if message["params"]["uri"] == *uri && message["params"]["version"].is_number() {
                break;
            }
        }
        if let (Some(id), Some(method)) = (id, method) {
            loop {
                let message = client.receive();
                note(&message);
                if message.get("id") == Some(&id) && message.get("method").is_none() {
                    assert!(
                        message.get("error").is_none(),
                        "{editor} {method}: {message:#}"
                    );
                    is_shut_down |= method == "shutdown";
                    results.push((method, message["result"].clone()));
                    break;
                }
            }
        }
    }
    assert_eq!(client.end(), is_shut_down);
    (results, published)
}

fn result_of<'r>(results: &'r [(String, Value)], method: &str) -> &'r Value {
    let found = results.iter().rev().find(|(other, _)| other == method);
    &found.unwrap_or_else(|| panic!("no request {method}")).1
}

fn check(editor: &str) {
    let (results, published) = replay(editor);
    let hover = result_of(&results, "textDocument/hover").to_string();
    assert!(hover.contains("Card"), "{editor}: {hover}");
    let definition = result_of(&results, "textDocument/definition").to_string();
    assert!(definition.contains("guide.mdx"), "{editor}: {definition}");
    let completion = result_of(&results, "textDocument/completion").to_string();
    assert!(
        completion.contains("\"label\":\"Tabs\""),
        "{editor}: {completion}"
    );
    let has = |document: &str, code: &str| {
        let mut all = published
            .iter()
            .filter(|(other, _)| other.starts_with(document));
        all.any(|(_, codes)| codes.to_string().contains(code))
    };
    assert!(has("index.mdx", "link-broken"), "{editor}: {published:?}");
    assert!(!has("guide.mdx", "link-broken"), "{editor}: {published:?}");
}

#[test]
fn a_session_of_neovim_gets_its_results() {
    check("neovim");
}

#[test]
fn a_session_of_emacs_gets_its_results() {
    check("emacs");
}

#[test]
fn a_session_of_vs_code_gets_its_results() {
    check("vscode");
}

#[test]
fn a_session_of_helix_gets_its_results() {
    check("helix");
}

#[test]
fn a_session_of_zed_gets_its_results() {
    check("zed");
}
