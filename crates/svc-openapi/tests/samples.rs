//! Runs the code samples: each sends its request to a test server, which compares it with the
//! request model. Languages that are not installed are skipped, and so is the corpus if it is not
//! available.

#![expect(clippy::print_stdout, reason = "measured tests print their figures")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;
use svc_diagnostics::SourceFile;
use svc_openapi::request::{Content, Inputs, Request, Scope, language, request, sample};
use svc_openapi::{ApiDocument, parse};

/// Maximum number of operations of the corpus.
const MAX_OPERATIONS: usize = 300;
/// Content of every uploaded file; the samples of the browser create their files with it.
const CONTENTS: &str = "<contents>";

/// A received request.
#[derive(Debug, Clone, Default)]
struct ReceivedRequest {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl ReceivedRequest {
    fn header(&self, name: &str) -> Option<&str> {
        let same = |(other, _): &&(String, String)| other.eq_ignore_ascii_case(name);
        Some(self.headers.iter().find(same)?.1.as_str())
    }
}

type Log = Arc<Mutex<BTreeMap<usize, ReceivedRequest>>>;

/// Starts a server that responds with 200 to all requests and stores them under the number at the
/// start of the path.
fn echo() -> (u16, Log) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    let log = Log::default();
    let shared_log = Arc::clone(&log);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let log = Arc::clone(&shared_log);
            thread::spawn(move || serve(stream, &log));
        }
    });
    (port, log)
}

fn serve(stream: TcpStream, log: &Log) -> Option<()> {
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let mut tokens = line.split_whitespace();
        let mut received = ReceivedRequest {
            method: tokens.next()?.to_owned(),
            target: tokens.next()?.to_owned(),
            ..ReceivedRequest::default()
        };
        loop {
            let mut bytes = Vec::new();
            reader.read_until(b'\n', &mut bytes).ok()?;
            let line = String::from_utf8_lossy(&bytes);
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            received
                .headers
                .push((name.to_owned(), value.trim().to_owned()));
        }
        if received.header("expect").is_some() {
            writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
        }
        if let Some(length) = received.header("content-length") {
            received.body.resize(length.parse().ok()?, 0);
            reader.read_exact(&mut received.body).ok()?;
        } else if received.header("transfer-encoding").is_some() {
            loop {
                let mut size = String::new();
                reader.read_line(&mut size).ok()?;
                let size = usize::from_str_radix(size.trim(), 16).ok()?;
                let mut chunk = vec![0; size + 2];
                reader.read_exact(&mut chunk).ok()?;
                chunk.truncate(size);
                received.body.extend(chunk);
                if size == 0 {
                    break;
                }
            }
        }
        let (number, target) = received.target.trim_start_matches('/').split_once('/')?;
        let number: usize = number.parse().ok()?;
        received.target = format!("/{target}");
        let head = received.method == "HEAD";
        log.lock().ok()?.insert(number, received);
        let body = if head { "" } else { "ok" };
        let response = format!("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{body}");
        writer.write_all(response.as_bytes()).ok()?;
    }
}

/// Operations with every kind of body.
const LOCAL_OPERATIONS: &str = r##"
openapi: 3.1.0
info: {title: t, version: '1'}
security: [{token: []}]
paths:
  /a/{id}:
    get:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}, example: "é/ü 'x'"}
        - {name: q, in: query, schema: {type: array, items: {type: string}}, example: ["a&b", "$c `d` \\"]}
        - {name: X-Trace, in: header, schema: {type: string}, example: "it's $5 #{x} \"q\""}
        - {name: sid, in: cookie, schema: {type: string}, example: "1;2"}
      responses: {'200': {description: ok}}
  /json:
    post:
      requestBody: {content: {application/json: {example: {text: "line\nend \"q\" 'x' $y ${z} `b` \\ \t é \u0007", list: [1, 2.5, true, false, null], empty: {}, none: []}}}}
      responses: {'200': {description: ok}}
  /word:
    put:
      requestBody: {content: {application/json: {example: "a\nb"}}}
      responses: {'200': {description: ok}}
  /text:
    patch:
      requestBody: {content: {text/plain: {example: "first\n\n  second \"\"\" 'x' `y` ${z} \\n\nlast"}}}
      responses: {'200': {description: ok}}
  /xml:
    post:
      requestBody: {content: {application/xml: {schema: {type: object, xml: {name: book}, properties: {title: {type: string, example: "<é>"}}}}}}
      responses: {'200': {description: ok}}
  /form:
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string, example: "x & 'y'"}, b: {type: array, example: [1, 2]}}}}}}
      responses: {'200': {description: ok}}
  /upload:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: {type: object, properties: {note: {type: string, example: "it's; a \"note\"\\"}, meta: {type: object, example: {a: 1}}, picture: {type: string, format: binary}, tags: {type: array, example: [x, y]}}}
            encoding: {picture: {contentType: image/png}}
      responses: {'200': {description: ok}}
  /file:
    put:
      requestBody: {content: {image/png: {schema: {type: string, format: binary}}}}
      responses: {'200': {description: ok}}
  /basic:
    get: {security: [{password: []}], responses: {'200': {description: ok}}}
  /none:
    delete: {responses: {'200': {description: ok}}}
    post: {security: [], responses: {'200': {description: ok}}}
components: {securitySchemes: {token: {type: http, scheme: bearer, x-default: abc}, password: {type: http, scheme: basic}}}
"##;

/// The requests of all local operations and of a sample of the corpus: evenly distributed, those
/// with a body first.
fn requests(port: u16) -> Vec<Request> {
    let mut texts = vec![("own.yaml".to_owned(), LOCAL_OPERATIONS.to_owned())];
    if let Some(dir) = svc_test_support::reference_path("corpus/specs") {
        let files = fs::read_dir(dir).expect("the directory can be read");
        let mut files: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        files.sort();
        let read = |file: &PathBuf| {
            let size = fs::metadata(file).ok()?.len();
            // The largest documents would be read for only a few operations.
            let text = (size < 4_000_000).then(|| fs::read_to_string(file).ok())??;
            Some((file.display().to_string(), text))
        };
        texts.extend(files.iter().filter_map(read));
    }
    let documents: Vec<ApiDocument> = texts
        .iter()
        .filter(|(name, _)| !name.ends_with("manifest.json"))
        .filter_map(|(name, text)| parse(&SourceFile::new(name.as_str(), text.as_str())).value)
        .collect();
    let mut own = Vec::new();
    let mut others = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        for operation in &document.operations {
            let call = request(
                document,
                operation,
                &Inputs::examples(document, operation, Scope::All),
            );
            if at == 0 {
                own.push(call);
            } else if !call.url.contains(['{', '<']) {
                others.push(call);
            }
        }
    }
    let step = (others.len() / MAX_OPERATIONS).max(1);
    let chosen = others.into_iter().step_by(step).take(MAX_OPERATIONS);
    let mut all: Vec<Request> = own.into_iter().chain(chosen).collect();
    for (number, request) in all.iter_mut().enumerate() {
        let after = request
            .url
            .split_once("://")
            .map_or(request.url.as_str(), |(_, rest)| rest);
        let path = after.find('/').map_or("/", |slash| &after[slash..]);
        request.url = format!("http://127.0.0.1:{port}/{number}{path}");
    }
    all
}

fn installed(program: &str) -> bool {
    let mut command = Command::new(program);
    let flag = if program == "go" {
        "version"
    } else {
        "--version"
    };
    let status = command
        .arg(flag)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Creates the files that samples upload.
fn files_for(requests: &[Request], dir: &Path) {
    for request in requests {
        let names: Vec<&str> = match &request.content {
            Content::File(name) => vec![name],
            Content::Multipart(parts) => parts
                .iter()
                .filter(|part| part.file)
                .map(|part| part.value.as_str())
                .collect(),
            _ => Vec::new(),
        };
        for name in names {
            fs::write(dir.join(name), CONTENTS).expect("the file can be written");
        }
    }
}

fn run(dir: &Path, program: &str, arguments: &[&str]) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(dir)
        .env_remove("HTTP_PROXY")
        .env_remove("http_proxy")
        .env("no_proxy", "127.0.0.1")
        .env("GOFLAGS", "-mod=mod")
        .env("GO111MODULE", "off")
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program}: {}",
        &stderr[..stderr.len().min(3000)]
    );
}

/// A part of a received multipart body: name, file name, type, content.
type ReceivedPart = (String, Option<String>, Option<String>, String);

fn multipart(received: &ReceivedRequest) -> Vec<ReceivedPart> {
    let kind = received.header("content-type").unwrap_or_default();
    assert!(kind.starts_with("multipart/form-data"), "{kind}");
    let boundary = kind
        .split("boundary=")
        .nth(1)
        .unwrap_or_default()
        .trim_matches('"');
    let body = String::from_utf8_lossy(&received.body).into_owned();
    let unquoted = |text: &str| {
        text.replace("%22", "\"")
            .replace("\\\"", "\"")
            .replace(r"\\", r"\")
    };
    let mut parts = Vec::new();
    for part in body.split(&format!("--{boundary}")).skip(1) {
        let Some((head, content)) = part.split_once("\r\n\r\n") else {
            continue;
        };
        let field = |key: &str| {
            let (_, rest) = head.split_once(&format!("{key}=\""))?;
            Some(unquoted(
                rest.split("\"\r")
                    .next()?
                    .split("\";")
                    .next()?
                    .trim_end_matches('"'),
            ))
        };
        let lines = || head.lines().filter_map(|line| line.split_once(':'));
        let kind = lines().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        parts.push((
            field(" name").unwrap_or_default(),
            field("filename"),
            kind.map(|(_, value)| value.trim().to_owned()),
            content.strip_suffix("\r\n").unwrap_or(content).to_owned(),
        ));
    }
    parts
}

/// Replaces the placeholders of name and password by their encoded form, because curl encodes them
/// itself.
fn encode_passwords(request: &mut Request) {
    for (_, value) in &mut request.headers {
        if value == "Basic <base64 of username:password>" {
            // Base64 of `<username>:<password>`.
            "Basic PHVzZXJuYW1lPjo8cGFzc3dvcmQ+".clone_into(value);
        }
    }
}

/// The part of `request` that was not received.
fn difference(request: &Request, received: &ReceivedRequest) -> Option<String> {
    let after = request.url.split_once("://").map_or("", |(_, rest)| rest);
    let target: Vec<&str> = after.splitn(3, '/').collect();
    let target = format!("/{}", target.get(2).copied().unwrap_or_default());
    if received.method != request.method {
        return Some(format!("method {}", received.method));
    }
    if received.target != target {
        return Some(format!("target {} instead of {target}", received.target));
    }
    for (name, value) in &request.headers {
        let actual = received.header(name);
        if actual != Some(value.trim()) {
            return Some(format!("header {name}: {actual:?} instead of {value:?}"));
        }
    }
    let text = String::from_utf8_lossy(&received.body);
    match &request.content {
        Content::Empty => (!text.is_empty()).then(|| format!("body {text}")),
        Content::Json(value) => {
            let parsed: Option<Value> = serde_json::from_str(&text).ok();
            (parsed.as_ref() != Some(value)).then(|| format!("body {text}"))
        }
        Content::Text(_) | Content::Form(_) => {
            (text != request.content.text()).then(|| format!("body {text}"))
        }
        Content::File(_) => (text != CONTENTS).then(|| format!("body {text}")),
        Content::Multipart(parts) => {
            let received_parts = multipart(received);
            let expected = parts.iter().map(|part| {
                let content = if part.file {
                    CONTENTS
                } else {
                    part.value.as_str()
                };
                let name = part.file.then(|| part.value.clone());
                (
                    part.name.clone(),
                    name,
                    part.content_type.clone(),
                    content.to_owned(),
                )
            });
            // Browsers name every blob, and white space in a JSON part does not matter.
            let same = |(actual, wanted): (&ReceivedPart, ReceivedPart)| {
                let content: Option<Value> = serde_json::from_str(&wanted.3).ok();
                let alike = content.is_some() && content == serde_json::from_str(&actual.3).ok();
                actual.0 == wanted.0
                    && (wanted.1.is_none() || actual.1 == wanted.1)
                    && (wanted.2.is_none() || actual.2 == wanted.2)
                    && (actual.3 == wanted.3 || alike)
            };
            let all = received_parts.len() == parts.len()
                && received_parts.iter().zip(expected).all(same);
            (!all).then(|| format!("parts {received_parts:?}"))
        }
    }
}

/// Runs all samples of a language and compares the received requests.
fn check(name: &str, skip: impl Fn(&Request) -> bool, start: impl Fn(&Path, &[(usize, String)])) {
    let (port, log) = echo();
    let requests = requests(port);
    let dir = tempfile::tempdir().expect("a folder can be made");
    files_for(&requests, dir.path());
    let language = language(name).expect("the language is known");
    let texts: Vec<(usize, String)> = requests
        .iter()
        .enumerate()
        .filter(|(_, request)| !skip(request))
        .map(|(number, request)| {
            let tokens = sample(language, request);
            (number, tokens.into_iter().map(|token| token.text).collect())
        })
        .collect();
    start(dir.path(), &texts);
    let log = log.lock().expect("no thread failed");
    let mut errors = Vec::new();
    for (number, text) in &texts {
        let mut request = requests[*number].clone();
        if name == "bash" {
            encode_passwords(&mut request);
        }
        let mismatch = match log.get(number) {
            Some(received) => difference(&request, received),
            None => Some("nothing arrived".to_owned()),
        };
        if let Some(mismatch) = mismatch {
            errors.push(format!(
                "{} {}: {mismatch}\n{text}",
                request.method, request.url
            ));
        }
    }
    println!(
        "{name}: {} of {} samples sent their request, {} have none to send",
        texts.len() - errors.len(),
        texts.len(),
        requests.len() - texts.len()
    );
    assert!(
        errors.is_empty(),
        "{} are wrong, for example\n{}",
        errors.len(),
        errors[..errors.len().min(4)].join("\n\n")
    );
}

#[test]
fn curl_sends_the_request() {
    if !installed("curl") {
        svc_test_support::skip("no curl");
        return;
    }
    check(
        "bash",
        |_| false,
        |dir, texts| {
            let script: Vec<String> = texts
                .iter()
                .map(|(_, text)| format!("{} --silent --output /dev/null", text.trim_end()))
                .collect();
            fs::write(dir.join("all.sh"), script.join("\n") + "\n").expect("it can be written");
            run(dir, "sh", &["all.sh"]);
        },
    );
}

#[test]
fn python_sends_the_request() {
    let requests = Command::new("python3")
        .args(["-c", "import requests"])
        .stderr(Stdio::null())
        .status();
    if !requests.is_ok_and(|status| status.success()) {
        svc_test_support::skip("no Python with requests");
        return;
    }
    check(
        "python",
        |_| false,
        |dir, texts| {
            for (number, text) in texts {
                fs::write(dir.join(format!("s{number}.py")), text).expect("it can be written");
            }
            let numbers: Vec<String> = texts.iter().map(|(number, _)| number.to_string()).collect();
            let all = format!(
                "for n in [{}]:\n    exec(open(f's{{n}}.py', encoding='utf-8').read(), {{}})\n",
                numbers.join(",")
            );
            fs::write(dir.join("all.py"), all).expect("it can be written");
            run(dir, "python3", &["all.py"]);
        },
    );
}

/// Whether `fetch` rejects the body because of the method.
fn not_for_fetch(request: &Request) -> bool {
    matches!(request.method.as_str(), "GET" | "HEAD" | "TRACE") && request.content != Content::Empty
        || request.method == "TRACE"
}

#[test]
fn javascript_sends_the_request() {
    node("javascript");
}

#[test]
fn node_sends_the_request() {
    node("node");
}

fn node(name: &str) {
    if !installed("node") {
        svc_test_support::skip("no Node");
        return;
    }
    check(name, not_for_fetch, |dir, texts| {
        let mut all = String::from(
            "import { File } from 'node:buffer';\nglobalThis.File ??= File;\nconsole.log = () => {};\n",
        );
        for (number, text) in texts {
            fs::write(dir.join(format!("s{number}.mjs")), text).expect("it can be written");
            all.push_str(&format!("await import('./s{number}.mjs');\n"));
        }
        fs::write(dir.join("all.mjs"), all).expect("it can be written");
        run(dir, "node", &["all.mjs"]);
    });
}

#[test]
fn go_sends_the_request() {
    if !installed("go") {
        svc_test_support::skip("no Go");
        return;
    }
    check(
        "go",
        |request| request.method == "TRACE",
        |dir, texts| {
            let mut calls = String::new();
            let code = dir.join("all");
            fs::create_dir(&code).expect("the folder can be made");
            for (number, text) in texts {
                let text = text.replace("func main()", &format!("func s{number}()"));
                fs::write(code.join(format!("s{number}.go")), text).expect("it can be written");
                calls.push_str(&format!("\ts{number}()\n"));
            }
            let main = format!("package main\n\nfunc main() {{\n{calls}}}\n");
            fs::write(code.join("main.go"), main).expect("it can be written");
            run(&code, "go", &["build", "-o", "../program", "."]);
            run(dir, "./program", &[]);
        },
    );
}
