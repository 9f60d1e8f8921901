//! `svc lsp` as an editor starts it.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// Starts the program, sends the messages, and returns its output.
fn lsp(dir: &Path, messages: &[Value]) -> Output {
    let mut running = Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(["lsp", "--stdio", "--offline"])
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = running.stdin.take().unwrap();
    for message in messages {
        let body = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    }
    drop(input);
    running.wait_with_output().unwrap()
}

#[test]
fn an_editor_gets_only_messages_and_the_exit_status() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let config = "{\"theme\": \"mapel\", \"name\": \"Acme\", \"colors\": {\"primary\": \"#0f766e\"}, \"navigation\": {\"pages\": [\"index\"]}}";
    fs::write(root.join("docs.json"), config).unwrap();
    fs::write(root.join("index.mdx"), "# Hello").unwrap();
    let uri = format!("file://{}", root.display());
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {}, "rootUri": uri } });
    let initialized = json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} });
    let shutdown = json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" });
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });

    let output = lsp(
        &root,
        &[initialize.clone(), initialized.clone(), shutdown, exit],
    );
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut rest = text.as_str();
    while let Some((header, body)) = rest.split_once("\r\n\r\n") {
        let length = header.strip_prefix("Content-Length: ").unwrap();
        let (body, next) = body.split_at(length.parse().unwrap());
        let message: Value = serde_json::from_str(body).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        rest = next;
    }
    assert_eq!(rest, "");

    // Without `shutdown`, at the end of the input.
    let output = lsp(&root, &[initialize, initialized]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("config-invalid-value"), "{text}");
}
