//! Code samples in languages that no test can run must parse without an error with a grammar of the
//! language. Samples in the other languages are run in `svc-openapi`.

#![expect(clippy::print_stdout, reason = "measured tests print their figures")]

use std::path::PathBuf;

use svc_diagnostics::SourceFile;
use svc_openapi::request::{Inputs, Request, Scope, language, request, sample};
use svc_openapi::{ApiDocument, Direction, Operation, examples, parse};
use tree_sitter::{Language, Node, Parser};

/// Maximum number of operations of real documents to check.
const MAX_OPERATIONS: usize = 300;

fn grammars() -> [(&'static str, Language); 5] {
    [
        ("csharp", tree_sitter_c_sharp::LANGUAGE.into()),
        ("dart", tree_sitter_dart::LANGUAGE.into()),
        ("kotlin", tree_sitter_kotlin_ng::LANGUAGE.into()),
        ("powershell", tree_sitter_powershell::LANGUAGE.into()),
        ("swift", tree_sitter_swift::LANGUAGE.into()),
    ]
}

/// Every kind of body, and characters with a meaning in some language. (No value begins with `#`:
/// the grammar of Swift ends a raw multi-line string at `"#`, which the language does not.)
const KINDS: &str = r##"
openapi: 3.1.0
info: {title: t, version: '1'}
servers: [{url: "https://h.test/v1"}]
security: [{basic: []}]
paths:
  /plain/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}, example: "a$b'c\"d"}], responses: {'200': {description: ok}}}
    head: {responses: {'200': {description: ok}}}
    delete: {responses: {'200': {description: ok}}}
    post: {responses: {'200': {description: ok}}}
  /json:
    post:
      parameters: [{name: X-Odd, in: header, schema: {type: string}, example: "$(x) `y` ${z} #{w} \\(v) %s"}, {name: sid, in: cookie, schema: {type: string}, example: s}]
      requestBody: {content: {application/json: {example: {a: "it's \"$5\"", b: [1.5, true, null], c: {}, d: "line\nline", "e\\f": "a #{x} \\(y) \u0001"}}}}
      responses: {'200': {description: ok}}
    put:
      requestBody: {content: {application/json: {example: "just text"}}}
      responses: {'200': {description: ok}}
  /form:
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {example: {a: "x & y", b: "'$"}}}}
      responses: {'200': {description: ok}}
  /parts:
    post:
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}, t: {type: string, example: "a\"b$c"}, j: {type: object, properties: {k: {type: integer}}}}}}}}
      responses: {'200': {description: ok}}
  /file:
    put:
      requestBody: {content: {image/png: {}}}
      responses: {'200': {description: ok}}
  /text:
    patch:
      requestBody: {content: {text/plain: {example: "one\n'two' \"three\"\n$four `five` \\six \"\"\" '''\n"}}}
      responses: {'200': {description: ok}}
    query:
      requestBody: {content: {application/xml: {example: "<a>\n  <b c=\"d\"/>\n</a>"}}}
      responses: {'200': {description: ok}}
components: {securitySchemes: {basic: {type: http, scheme: basic}}}
"##;

/// Returns the requests of an operation: with all values, and with each media type of its body.
fn requests(document: &ApiDocument, operation: &Operation) -> Vec<Request> {
    let usual = Inputs::examples(document, operation, Scope::All);
    let mut all = vec![request(document, operation, &usual)];
    let content = operation.request_body.iter().flat_map(|body| &body.content);
    for media in content.skip(1).take(4) {
        if let Some(first) = examples(document, media, Direction::Request)
            .into_iter()
            .next()
        {
            let mut other = usual.clone();
            other.body = Some((media.name.clone(), first.value));
            all.push(request(document, operation, &other));
        }
    }
    all
}

/// Returns the first syntax error in a tree; `None` if there is none.
fn error(node: Node<'_>) -> Option<Node<'_>> {
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    children
        .into_iter()
        .filter(Node::has_error)
        .find_map(error)
        .or_else(|| node.has_error().then_some(node))
}

/// Asserts that all samples of a request parse; returns their number.
fn read(
    parsers: &mut [(&'static str, Parser)],
    request: &Request,
    wrong: &mut Vec<String>,
) -> usize {
    for (name, parser) in parsers.iter_mut() {
        let language = language(name).expect("it is a language of samples");
        let code: String = sample(language, request)
            .into_iter()
            .map(|token| token.text)
            .collect();
        let tree = parser
            .parse(&code, None)
            .expect("the parser has a language");
        if let Some(node) = error(tree.root_node()) {
            let line = node.start_position().row;
            let text = code.lines().nth(line).unwrap_or_default();
            wrong.push(format!(
                "{name} {} {} line {}: {text}",
                request.method,
                request.url,
                line + 1
            ));
        }
    }
    parsers.len()
}

fn parsers() -> Vec<(&'static str, Parser)> {
    let made = grammars().into_iter().map(|(name, grammar)| {
        let mut parser = Parser::new();
        parser
            .set_language(&grammar)
            .expect("the grammar fits the parser");
        (name, parser)
    });
    made.collect()
}

#[test]
fn samples_of_every_kind_of_request_parse() {
    let document = parse(&SourceFile::new("kinds.yaml", KINDS))
        .value
        .expect("it is a document");
    let (mut parsers, mut errors) = (parsers(), Vec::new());
    for operation in &document.operations {
        for request in requests(&document, operation) {
            read(&mut parsers, &request, &mut errors);
        }
    }
    assert_eq!(document.operations.len(), 11);
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn a_grammar_rejects_invalid_code() {
    for (name, parser) in &mut parsers() {
        let tree = parser
            .parse("let )( = \"", None)
            .expect("the parser has a language");
        assert!(tree.root_node().has_error(), "{name}");
    }
}

#[test]
fn samples_of_real_operations_parse() {
    let Some(dir) = svc_test_support::reference_path("corpus/specs") else {
        return;
    };
    let entries = std::fs::read_dir(dir).expect("the directory can be read");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    paths.sort();
    let (mut parsers, mut errors, mut operations, mut samples) = (parsers(), Vec::new(), 0, 0);
    for path in paths.iter().filter(|path| !path.ends_with("manifest.json")) {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let name = path.to_string_lossy().into_owned();
        let Some(document) = parse(&SourceFile::new(name, text)).value else {
            continue;
        };
        for operation in document
            .operations
            .iter()
            .step_by(document.operations.len() / 8 + 1)
        {
            for request in requests(&document, operation) {
                samples += read(&mut parsers, &request, &mut errors);
            }
            operations += 1;
        }
    }
    println!("{samples} samples of {operations} operations were read");
    assert!(
        errors.is_empty(),
        "{} of {samples}:\n{}",
        errors.len(),
        errors.join("\n")
    );
    assert!(operations >= MAX_OPERATIONS, "{operations}");
}
