//! The language server: time from an edit to its diagnostics, with open pages and links.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Error, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::peers::own_program;
use crate::{BenchRepository, Row, corpus};

/// Pages of the sites, and edits of each kind.
const SIZES: [(usize, usize); 2] = [(1_000, 300), (25_000, 100)];
/// Pages that are open.
const OPEN: usize = 10;

pub(crate) fn lsp(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    for (pages, edits) in SIZES {
        let dir = tempfile::tempdir()?;
        let root = dir.path().canonicalize()?;
        corpus::write(&root, pages)?;
        let mut editor = Editor::start(&root.to_string_lossy())?;
        let begin = Instant::now();
        let mut texts = Vec::new();
        for number in 0..OPEN.min(pages) {
            let path = format!("t0/g0/p{number}.mdx");
            texts.push((path.clone(), fs::read_to_string(root.join(&path))?));
        }
        texts.push((
            "docs.json".into(),
            fs::read_to_string(root.join("docs.json"))?,
        ));
        for (path, text) in &texts {
            editor.open(path, text)?;
        }
        rows.push(Row {
            name: format!("lsp start, {pages} pages"),
            figure: ms(begin.elapsed()),
            detail: format!("until the diagnostics of {} open documents", texts.len()),
        });
        for (name, path, line) in [
            ("text of a page", "t0/g0/p0.mdx", 8),
            ("title of a page", "t0/g0/p0.mdx", 1),
            ("docs.json", "docs.json", 0),
        ] {
            let mut times = Vec::new();
            for edit in 0..edits {
                times.push(editor.edit(path, line, edit)?);
            }
            times.sort_unstable();
            let at = |part: usize| {
                times
                    .get(times.len() * part / 100)
                    .copied()
                    .unwrap_or_default()
            };
            rows.push(Row {
                name: format!("lsp edit, {pages} pages, {name}"),
                figure: format!("p95 {}", ms(at(95))),
                detail: format!("p50 {}, max {}, {edits} edits", ms(at(50)), ms(at(99))),
            });
        }
    }
    Ok(())
}

/// A client of `svc lsp`, which is killed when the client is dropped.
struct Editor {
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    root: String,
    version: i64,
}

impl Editor {
    fn start(root: &str) -> io::Result<Self> {
        let program = own_program("svc");
        let program = program.ok_or_else(|| Error::other("`svc` was not built"))?;
        let mut program = Command::new(program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let no_pipe = || Error::other("no pipe");
        let input = program.stdin.take().ok_or_else(no_pipe)?;
        let output = program.stdout.take().ok_or_else(no_pipe)?;
        let mut editor = Self {
            program,
            input,
            output: BufReader::new(output),
            root: format!("file://{root}"),
            version: 1,
        };
        let params = json!({ "capabilities": {}, "rootUri": editor.root });
        editor.send(&json!({ "id": 1, "method": "initialize", "params": params }))?;
        editor.send(&json!({ "method": "initialized", "params": {} }))?;
        Ok(editor)
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn open(&mut self, path: &str, text: &str) -> io::Result<()> {
        let uri = format!("{}/{path}", self.root);
        let item = json!({ "uri": uri, "languageId": "mdx", "version": 1, "text": text });
        let params = json!({ "textDocument": item });
        self.send(&json!({ "method": "textDocument/didOpen", "params": params }))?;
        self.wait(&uri, 1)
    }

    /// Inserts a character, as typing does, and waits for the diagnostics of the new version.
    fn edit(&mut self, path: &str, line: usize, number: usize) -> io::Result<Duration> {
        let uri = format!("{}/{path}", self.root);
        self.version += 1;
        // The configuration has one line, which must stay valid.
        let (at, text) = match path {
            "docs.json" => (0, " ".to_owned()),
            _ => (10, (number % 10).to_string()),
        };
        let position = json!({ "line": line, "character": at });
        let change = json!({ "range": { "start": position, "end": position }, "text": text });
        let document = json!({ "uri": uri, "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        let begin = Instant::now();
        self.send(&json!({ "method": "textDocument/didChange", "params": params }))?;
        self.wait(&uri, self.version)?;
        Ok(begin.elapsed())
    }

    fn wait(&mut self, uri: &str, version: i64) -> io::Result<()> {
        loop {
            let mut header = String::new();
            if self.output.read_line(&mut header)? == 0 {
                return Err(Error::other("the language server ended"));
            }
            let Some(length) = header.trim().strip_prefix("Content-Length: ") else {
                continue;
            };
            let length: usize = length.parse().map_err(Error::other)?;
            let mut body = vec![0; length + 2];
            self.output.read_exact(&mut body)?;
            let message: Value = serde_json::from_slice(&body)?;
            let params = &message["params"];
            if params["uri"] == uri && params["version"] == version {
                return Ok(());
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
