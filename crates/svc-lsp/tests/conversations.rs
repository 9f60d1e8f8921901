//! The conversations in `conversations`, one file each.
//!
//! A file begins with a sentence that says what is tested, followed by steps: a line `=== STEP`, and
//! lines that belong to it.
//!
//! | step | meaning |
//! |---|---|
//! | `file PATH` | a file on disk |
//! | `start` | `initialize` and `initialized`, with the members of the lines in place of the defaults |
//! | `open PATH` | opens a document, with the text of the lines, or that of the file |
//! | `change PATH` | edits with a range: an array of pairs of an old and a new text |
//! | `replace PATH` | replaces the text by the lines, without a range |
//! | `close PATH`, `save PATH` | closes or saves a document |
//! | `write PATH`, `remove PATH` | changes a file on disk and reports it |
//! | `hover PATH "a\|b"` | a request at the bar in the first text that equals `ab`; also `completion`, `definition`, `references` |
//! | `actions PATH "ab"` | code actions for the first text that equals `ab` |
//! | `prepare PATH "a\|b"`, `rename PATH "a\|b"` | a request at the bar; the line is the new name |
//! | `will-rename` | the client is about to rename files: an array of pairs of an old and a new path |
//! | `move` | renames files on disk and reports it: an array of pairs as above |
//! | `apply` | applies the last result as an editor does, and stores all documents |
//! | `text PATH` | the text of a document or file is that of the lines |
//! | `valid` | the files on disk are a site without problems |
//! | `symbols PATH`, `links PATH`, `formatting PATH` | requests about a document |
//! | `send`, `raw` | a message, or a string with bytes |
//! | `result`, `error CODE` | the response to the last request; the lines are a pattern, or a part of the message of the error |
//! | `diagnostics PATH` | the next diagnostics of a document; the lines are a pattern of the array |
//! | `expect` | the next message of its method; the lines are a pattern |
//! | `exit` | `shutdown` and `exit`; the server ends with success |

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::Client;
use crate::subset::matches;

#[test]
fn all_conversations_pass() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations");
    let filter = std::env::var("CONVERSATION").unwrap_or_default();
    let mut files: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains(&filter))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        Conversation::run(&name, &text);
    }
}

struct Conversation {
    name: String,
    dir: tempfile::TempDir,
    client: Client,
    /// Open documents with their versions.
    documents: BTreeMap<String, (i64, String)>,
    last_id: i64,
    /// The last result that was compared.
    last_result: Value,
    position_unit: fn(&str) -> usize,
}

impl Conversation {
    fn run(name: &str, text: &str) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut conversation = Self {
            name: name.to_owned(),
            client: Client::start(&root),
            dir,
            documents: BTreeMap::new(),
            last_id: 0,
            last_result: Value::Null,
            position_unit: |text| text.encode_utf16().count(),
        };
        let mut steps = text.split("\n=== ");
        assert!(
            steps
                .next()
                .is_some_and(|about| about.trim().ends_with('.')),
            "{name}"
        );
        for step in steps {
            let (head, body) = step.split_once('\n').unwrap_or((step, ""));
            conversation.step(head.trim(), body);
        }
        let is_shut_down = text.contains("\n=== exit");
        assert_eq!(
            conversation.client.end(),
            is_shut_down || text.contains("\"shutdown\""),
            "{name}"
        );
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(path)
    }

    fn uri(&self, path: &str) -> String {
        format!("{}/{path}", self.client.root)
    }

    fn json(&self, body: &str, step: &str) -> Value {
        let body = body.replace("$root", &self.client.root);
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{} {step}: {error}", self.name))
    }

    fn step(&mut self, head: &str, body: &str) {
        let (verb, rest) = head.split_once(' ').unwrap_or((head, ""));
        let (path, mark) = match rest.split_once(" \"") {
            Some((path, mark)) => (path, serde_json::from_str(&format!("\"{mark}")).unwrap()),
            None => (rest, String::new()),
        };
        let uri = self.uri(path);
        let document = json!({ "uri": uri });
        match verb {
            "file" => self.write(path, body),
            "write" => {
                self.write(path, body);
                self.report_file(&uri);
            }
            "remove" => {
                fs::remove_file(self.path(path)).unwrap();
                self.report_file(&uri);
            }
            "start" => self.start(body),
            "open" => {
                let text = match body.is_empty() {
                    true => fs::read_to_string(self.path(path)).unwrap(),
                    false => body.to_owned(),
                };
                self.documents.insert(path.to_owned(), (1, text.clone()));
                let language = path.rsplit('.').next().unwrap();
                let item =
                    json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
                self.client
                    .notify("textDocument/didOpen", json!({ "textDocument": item }));
            }
            "change" => self.change(path, &self.json(body, head)),
            "replace" => {
                let (version, text) = self.documents.get_mut(path).unwrap();
                *version += 1;
                body.clone_into(text);
                let document = json!({ "uri": uri, "version": *version });
                let params =
                    json!({ "textDocument": document, "contentChanges": [{ "text": body }] });
                self.client.notify("textDocument/didChange", params);
            }
            "close" => {
                self.documents.remove(path);
                self.client
                    .notify("textDocument/didClose", json!({ "textDocument": document }));
            }
            "save" => {
                let (_, text) = self.documents.get(path).unwrap();
                self.write(path, text);
                self.client
                    .notify("textDocument/didSave", json!({ "textDocument": document }));
            }
            "hover" | "completion" | "definition" | "references" => {
                let position = self.position(path, &mark);
                let mut params = json!({ "textDocument": document, "position": position });
                params["context"] = json!({ "includeDeclaration": false, "triggerKind": 1 });
                self.request(&format!("textDocument/{verb}"), params);
            }
            "prepare" | "rename" => {
                let position = self.position(path, &mark);
                let mut params = json!({ "textDocument": document, "position": position });
                params["newName"] = body.trim().into();
                let method = if verb == "rename" {
                    verb
                } else {
                    "prepareRename"
                };
                self.request(&format!("textDocument/{method}"), params);
            }
            "will-rename" => {
                let uri = |path: &Value| self.uri(path.as_str().unwrap());
                let pairs = self.json(body, head);
                let pairs = pairs.as_array().unwrap().iter();
                let files: Vec<Value> = pairs
                    .map(|pair| json!({ "oldUri": uri(&pair[0]), "newUri": uri(&pair[1]) }))
                    .collect();
                self.request("workspace/willRenameFiles", json!({ "files": files }));
            }
            "move" => {
                for pair in self.json(body, head).as_array().unwrap() {
                    let (old, new) = (pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
                    self.rename_file(old, new);
                }
            }
            "apply" => self.apply(),
            "text" => {
                let text = match self.documents.get(path) {
                    Some((_, text)) => text.clone(),
                    None => fs::read_to_string(self.path(path)).unwrap(),
                };
                assert_eq!(text.trim_end(), body.trim_end(), "{} `{head}`", self.name);
            }
            "valid" => {
                let options = svc_site::LoadOptions::default();
                let checked = svc_site::validate(&self.path(""), &options).unwrap();
                assert!(
                    checked.diagnostics.is_empty(),
                    "{} {:#?}",
                    self.name,
                    checked.diagnostics
                );
            }
            "actions" => {
                let start = self.position(path, &format!("|{mark}"));
                let end = self.position(path, &format!("{mark}|"));
                let range = json!({ "start": start, "end": end });
                let context = json!({ "diagnostics": [] });
                let params =
                    json!({ "textDocument": document, "range": range, "context": context });
                self.request("textDocument/codeAction", params);
            }
            "symbols" => {
                self.request(
                    "textDocument/documentSymbol",
                    json!({ "textDocument": document }),
                );
            }
            "links" => {
                self.request(
                    "textDocument/documentLink",
                    json!({ "textDocument": document }),
                );
            }
            "formatting" => {
                let options = json!({ "tabSize": 4, "insertSpaces": true });
                self.request(
                    "textDocument/formatting",
                    json!({ "textDocument": document, "options": options }),
                );
            }
            "send" => {
                let message = self.json(body, head);
                self.last_id = message["id"].as_i64().unwrap_or(self.last_id);
                self.client.send(message);
            }
            "raw" => {
                let text = self.json(body, head);
                self.client.send_bytes(text.as_str().unwrap().as_bytes());
            }
            "result" => {
                let pattern = json!({ "id": self.last_id, "result": self.json(body, head) });
                self.expect(&pattern, head);
            }
            "error" => {
                let code: i64 = rest.parse().unwrap();
                let (id, message) = (self.last_id, json!({ "$text": body.trim() }));
                let error = json!({ "code": code, "message": message });
                self.expect(&json!({ "id": id, "error": error }), head);
            }
            "diagnostics" => {
                let mut params = json!({ "uri": uri, "diagnostics": self.json(body, head) });
                if let Some((version, _)) = self.documents.get(path) {
                    params["version"] = json!(version);
                }
                let method = "textDocument/publishDiagnostics";
                self.expect(&json!({ "method": method, "params": params }), head);
            }
            "expect" => {
                let pattern = self.json(body, head);
                self.expect(&pattern, head);
            }
            "exit" => {
                self.request("shutdown", Value::Null);
                let id = self.last_id;
                self.expect(&json!({ "id": id, "result": null }), head);
                self.client.notify("exit", Value::Null);
            }
            other => panic!("{}: no step `{other}`", self.name),
        }
    }

    /// Renames a file or directory as an editor does, with its open documents.
    fn rename_file(&mut self, old: &str, new: &str) {
        let (from, to) = (self.path(old), self.path(new));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(from, to).unwrap();
        let is_inside = |path: &&String| *path == old || path.starts_with(&format!("{old}/"));
        let open: Vec<String> = self.documents.keys().filter(is_inside).cloned().collect();
        for path in open {
            let moved = path.replacen(old, new, 1);
            self.step(&format!("close {path}"), "");
            self.step(&format!("open {moved}"), "");
        }
        let (old, new) = (self.uri(old), self.uri(new));
        self.report_file(&old);
        self.report_file(&new);
    }

    /// Applies the edits and renames of the last result.
    fn apply(&mut self) {
        let changes = self.last_result["documentChanges"].clone();
        let path_of = |uri: &Value, root: &str| {
            let path = uri.as_str().unwrap().strip_prefix(root).unwrap();
            path.trim_start_matches('/').to_owned()
        };
        for change in changes.as_array().unwrap() {
            let root = self.client.root.clone();
            if change["kind"] == "rename" {
                let (old, new) = (
                    path_of(&change["oldUri"], &root),
                    path_of(&change["newUri"], &root),
                );
                self.rename_file(&old, &new);
                continue;
            }
            let path = path_of(&change["textDocument"]["uri"], &root);
            let version = self.documents.get(&path).map(|(version, _)| *version);
            assert_eq!(
                change["textDocument"]["version"].as_i64(),
                version,
                "{path}"
            );
            let mut text = match self.documents.get(&path) {
                Some((_, text)) => text.clone(),
                None => fs::read_to_string(self.path(&path)).unwrap(),
            };
            let mut edits = change["edits"].as_array().unwrap().clone();
            edits.sort_by_key(|edit| {
                let start = &edit["range"]["start"];
                (start["line"].as_u64(), start["character"].as_u64())
            });
            for edit in edits.iter().rev() {
                let offset = |at: &Value| self.offset(&text, at);
                let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
                text.replace_range(range, edit["newText"].as_str().unwrap());
            }
            if version.is_some() {
                self.step(&format!("replace {path}"), &text);
                self.step(&format!("save {path}"), "");
            } else {
                self.step(&format!("write {path}"), &text);
            }
        }
    }

    fn offset(&self, text: &str, at: &Value) -> usize {
        let number = |key: &str| usize::try_from(at[key].as_u64().unwrap()).unwrap();
        let lines = text.split_inclusive('\n').take(number("line"));
        let start: usize = lines.map(str::len).sum();
        let mut chars = text[start..].char_indices().map(|(at, _)| at);
        let is_there =
            |at: &usize| (self.position_unit)(&text[start..start + at]) == number("character");
        let inside = chars.find(is_there).unwrap_or(text.len() - start);
        start + inside
    }

    fn write(&self, path: &str, body: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, body).unwrap();
    }

    fn report_file(&mut self, uri: &str) {
        let changes = json!([{ "uri": uri, "type": 2 }]);
        self.client.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": changes }),
        );
    }

    fn request(&mut self, method: &str, params: Value) {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.client.send(message);
    }

    fn start(&mut self, body: &str) {
        let mut params = json!({
            "processId": null,
            "rootUri": null,
            "workspaceFolders": [{ "uri": self.client.root, "name": "site" }],
            "capabilities": {
                "workspace": {
                    "didChangeWatchedFiles": { "dynamicRegistration": true },
                    "workspaceEdit": { "documentChanges": true, "resourceOperations": ["rename"] },
                },
                "textDocument": {
                    "completion": { "completionItem": { "snippetSupport": true } },
                    "hover": { "contentFormat": ["markdown"] },
                    "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                },
            },
        });
        if !body.trim().is_empty() {
            let other = self.json(body, "start");
            for (key, value) in other.as_object().unwrap() {
                params[key] = value.clone();
            }
        }
        if params["capabilities"]["general"]["positionEncodings"] == json!(["utf-8"]) {
            self.position_unit = str::len;
        }
        self.request("initialize", params);
        let id = self.last_id;
        let capabilities = json!({ "documentFormattingProvider": true });
        self.expect(
            &json!({ "id": id, "result": { "capabilities": capabilities } }),
            "start",
        );
        self.client.notify("initialized", json!({}));
    }

    fn change(&mut self, path: &str, edits: &Value) {
        let mut changes = Vec::new();
        for edit in edits.as_array().unwrap() {
            let (old, new) = (edit[0].as_str().unwrap(), edit[1].as_str().unwrap());
            let start = self.position(path, &format!("|{old}"));
            let end = self.position(path, &format!("{old}|"));
            changes.push(json!({ "range": { "start": start, "end": end }, "text": new }));
            let (_, text) = self.documents.get_mut(path).unwrap();
            *text = text.replacen(old, new, 1);
        }
        let (version, _) = self.documents.get_mut(path).unwrap();
        *version += 1;
        let document = json!({ "uri": self.uri(path), "version": self.documents[path].0 });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.client.notify("textDocument/didChange", params);
    }

    /// The position of the bar in the first text that equals the mark without it.
    fn position(&self, path: &str, mark: &str) -> Value {
        let text = match self.documents.get(path) {
            Some((_, text)) => text.clone(),
            None => fs::read_to_string(self.path(path)).unwrap(),
        };
        let bar = mark
            .find('|')
            .unwrap_or_else(|| panic!("{}: no bar in {mark}", self.name));
        let plain = mark.replacen('|', "", 1);
        let at = text
            .find(&plain)
            .unwrap_or_else(|| panic!("{}: no {plain:?}", self.name));
        let before = &text[..at + bar];
        let line = before.matches('\n').count();
        let last = before.rsplit('\n').next().unwrap();
        json!({ "line": line, "character": (self.position_unit)(last) })
    }

    /// Waits for the message with the method and document, or with the id, of a pattern, and compares
    /// it. Other messages may precede it.
    fn expect(&mut self, pattern: &Value, step: &str) {
        loop {
            let message = self.client.receive();
            let same = |pointer: &str| {
                let expected = pattern.pointer(pointer);
                expected.is_none() || expected == message.pointer(pointer)
            };
            let is_it = same("/id") && same("/method") && same("/params/uri");
            if is_it && same("/params/version") {
                if let Some(result) = message.get("result") {
                    self.last_result = result.clone();
                }
                assert!(
                    matches(pattern, &message),
                    "{} `{step}`\nexpected {pattern:#}\nreceived {message:#}",
                    self.name
                );
                return;
            }
            assert!(
                message.get("id").is_none_or(|id| id == "svc-register"),
                "{} `{step}`: unexpected response {message:#}",
                self.name
            );
        }
    }
}
