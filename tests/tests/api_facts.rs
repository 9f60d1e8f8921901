//! Every fact about an operation in a document is on the page of the operation, or in the parts
//! that the page links to.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use serde_json::Value;
use svc_nav::OperationRef;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::markup::{normalize, normalized_text, tags, unescape};

type TestResult = Result<(), Box<dyn Error>>;

/// Maximum number of operations of the corpus to check.
const MAX_OPERATIONS: usize = 500;
/// Maximum number of operations per document.
const MAX_OPERATIONS_PER_DOCUMENT: usize = 25;
/// Maximum number of linked parts to load per operation.
const MAX_PARTS: usize = 300;
/// Maximum depth of schemas to check.
const MAX_LEVELS: usize = 4;
/// Maximum number of facts to check per operation.
const MAX_FACTS: usize = 20_000;

/// A statement of a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    class: &'static str,
    /// Tokens that must be adjacent.
    text: String,
}

/// The facts of one operation.
struct Facts<'d> {
    root: &'d Value,
    facts: BTreeSet<Fact>,
    /// References that are being resolved.
    ref_stack: Vec<String>,
    request: bool,
}

impl<'d> Facts<'d> {
    fn put(&mut self, class: &'static str, text: &str) {
        let tokens = normalize(text);
        if !tokens.is_empty() && self.facts.len() < MAX_FACTS {
            self.facts.insert(Fact {
                class,
                text: tokens,
            });
        }
    }

    /// Adds a value as it is written in examples and lists.
    fn value(&mut self, class: &'static str, value: &Value) {
        match value {
            Value::String(text) => self.put(class, text.lines().next().unwrap_or_default()),
            Value::Array(items) => items
                .iter()
                .take(1)
                .for_each(|item| self.value(class, item)),
            Value::Object(members) => {
                for (name, value) in members.iter().take(1) {
                    self.put(class, name);
                    self.value(class, value);
                }
            }
            Value::Null => {}
            other => self.put(class, &other.to_string()),
        }
    }

    /// Adds the parts of a text that Markdown and HTML do not change.
    fn text(&mut self, class: &'static str, text: &Value) {
        let Some(text) = text.as_str() else { return };
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, tag)) = rest.split_once('<') {
            plain.push_str(before);
            plain.push('\n');
            rest = tag.split_once('>').map_or("", |(_, rest)| rest);
        }
        plain.push_str(rest);
        let special = |c: char| "*_`#|~&!{}[]()\"'<>\\:=-.,;/+$^".contains(c) || c == '\n';
        for piece in plain.split(special) {
            if piece.split_whitespace().count() >= 4 {
                self.put(class, piece);
            }
        }
    }

    fn resolve(&self, node: &'d Value) -> &'d Value {
        let mut node = node;
        for _ in 0..10 {
            let Some(target) = node.get("$ref").and_then(Value::as_str) else {
                return node;
            };
            let resolved = target
                .strip_prefix('#')
                .and_then(|at| self.root.pointer(&decoded(at)));
            match resolved {
                Some(resolved) => node = resolved,
                None => return node,
            }
        }
        node
    }

    fn members(node: &'d Value, key: &str) -> impl Iterator<Item = (&'d String, &'d Value)> {
        node.get(key)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
    }

    fn list(node: &'d Value, key: &str) -> impl Iterator<Item = &'d Value> {
        node.get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    }

    fn operation(&mut self, item: &'d Value, operation: &'d Value) {
        self.text(
            "description",
            operation.get("description").unwrap_or(&Value::Null),
        );
        let name = |parameter: &Value| {
            let text = |key: &str| {
                parameter
                    .get(key)
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            };
            (text("name"), text("in"))
        };
        let own: Vec<&Value> = Self::list(operation, "parameters")
            .map(|entry| self.resolve(entry))
            .collect();
        let mut all = own.clone();
        all.extend(
            Self::list(item, "parameters")
                .map(|entry| self.resolve(entry))
                .filter(|entry| !own.iter().any(|own| name(own) == name(entry))),
        );
        for parameter in all {
            self.request = true;
            self.parameter(parameter, "parameter");
        }
        if let Some(body) = operation.get("requestBody") {
            let body = self.resolve(body);
            self.request = true;
            self.text(
                "body description",
                body.get("description").unwrap_or(&Value::Null),
            );
            self.content(body);
        }
        for (status, response) in Self::members(operation, "responses") {
            if status.starts_with("x-") {
                continue;
            }
            let response = self.resolve(response);
            self.request = false;
            self.put("status", status);
            self.text(
                "response description",
                response.get("description").unwrap_or(&Value::Null),
            );
            for (header, node) in Self::members(response, "headers") {
                self.put("header", header);
                let node = self.resolve(node);
                self.parameter(node, "header");
            }
            self.content(response);
        }
        self.security(operation);
        let servers = [operation, item, self.root];
        let servers = servers.iter().find_map(|node| node.get("servers"));
        for server in servers.and_then(Value::as_array).into_iter().flatten() {
            self.server(
                server,
                servers.and_then(Value::as_array).map_or(0, Vec::len),
            );
        }
    }

    fn server(&mut self, server: &'d Value, count: usize) {
        let described = server.get("description").is_some() || server.get("variables").is_some();
        if count > 1 || described {
            let url = server
                .get("url")
                .and_then(Value::as_str)
                .unwrap_or_default();
            if url.contains("://") {
                self.put("server", url);
            }
            self.text(
                "server description",
                server.get("description").unwrap_or(&Value::Null),
            );
        }
        for (name, variable) in Self::members(server, "variables") {
            self.put("server variable", name);
            for value in Self::list(variable, "enum") {
                self.value("server variable", value);
            }
        }
    }

    fn security(&mut self, operation: &'d Value) {
        let security = operation
            .get("security")
            .or_else(|| self.root.get("security"));
        let schemes = &self.root["components"]["securitySchemes"];
        for alternative in security.and_then(Value::as_array).into_iter().flatten() {
            for (name, scopes) in alternative.as_object().into_iter().flatten() {
                let scheme = self.resolve(&schemes[name]);
                if scheme.is_null() {
                    continue;
                }
                for scope in scopes.as_array().into_iter().flatten() {
                    self.value("scope", scope);
                }
                for key in ["bearerFormat", "openIdConnectUrl"] {
                    self.value("scheme", &scheme[key]);
                }
                self.text("scheme description", &scheme["description"]);
                for (_, flow) in Self::members(scheme, "flows") {
                    for key in ["authorizationUrl", "tokenUrl"] {
                        self.value("flow", &flow[key]);
                    }
                }
            }
        }
    }

    fn parameter(&mut self, parameter: &'d Value, class: &'static str) {
        let name = parameter
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let lower = name.to_lowercase();
        let is_header = parameter.get("in").and_then(Value::as_str) == Some("header");
        if is_header && ["accept", "content-type", "authorization"].contains(&lower.as_str()) {
            return;
        }
        self.put(class, name);
        self.text(class, parameter.get("description").unwrap_or(&Value::Null));
        if let Some(example) = parameter.get("example") {
            self.value("parameter example", example);
        }
        for (_, example) in Self::members(parameter, "examples") {
            let example = self.resolve(example);
            self.value("parameter example", &example["value"]);
        }
        let has_text = parameter.get("description").is_some();
        let has_example = parameter
            .get("example")
            .or(parameter.get("examples"))
            .is_some();
        if let Some(schema) = parameter.get("schema") {
            self.schema(schema, 0, (has_text, has_example));
        }
        for (_, media) in Self::members(parameter, "content").take(1) {
            if let Some(schema) = media.get("schema") {
                self.schema(schema, 0, (has_text, has_example));
            }
        }
    }

    fn content(&mut self, around: &'d Value) {
        for (name, media) in Self::members(around, "content") {
            let media = self.resolve(media);
            self.put("media type", name);
            let is_choice = Self::members(media, "examples").count() > 1;
            for (name, example) in Self::members(media, "examples") {
                let example = self.resolve(example);
                if let Some(value) = example.get("value") {
                    let summary = example.get("summary").and_then(Value::as_str);
                    // The name of the only alternative is not shown.
                    let name = if is_choice { name } else { "" };
                    self.put("named example", summary.unwrap_or(name));
                    self.text("named example", &example["description"]);
                    self.value("named example", value);
                }
            }
            if let Some(example) = media.get("example") {
                self.value("example", example);
            }
            if let Some(schema) = media.get("schema") {
                self.schema(schema, 0, (false, true));
            }
        }
    }

    /// Adds the facts of a schema. The schema around it may have a description (`described`) or an
    /// example (`shown`) of its own.
    fn schema(&mut self, schema: &'d Value, level: usize, (described, shown): (bool, bool)) {
        if level > MAX_LEVELS {
            return;
        }
        let mut described = described;
        let depth = self.ref_stack.len();
        let mut schema = schema;
        while let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            if self.ref_stack.iter().any(|around| around == target) || self.ref_stack.len() > 12 {
                self.ref_stack.truncate(depth);
                return;
            }
            described |= schema.get("description").is_some();
            self.ref_stack.push(target.to_owned());
            let resolved = target
                .strip_prefix('#')
                .and_then(|at| self.root.pointer(&decoded(at)));
            let Some(resolved) = resolved else { break };
            schema = resolved;
        }
        self.own(schema, (described, shown));
        let none = (false, false);
        for key in ["allOf", "oneOf", "anyOf"] {
            for part in Self::list(schema, key) {
                // The description of the reference may replace that of its target.
                let around = schema.get("description").is_some() || described;
                let example = schema.get("example").is_some() || shown;
                self.schema(part, level, (around, example));
            }
        }
        for (name, property) in Self::members(schema, "properties") {
            let target = self.resolve(property);
            let hidden = if self.request {
                "readOnly"
            } else {
                "writeOnly"
            };
            if [property, target].iter().any(|node| node[hidden] == true) {
                continue;
            }
            if level < MAX_LEVELS {
                self.put("property", name);
            }
            self.schema(property, level + 1, none);
        }
        for (pattern, property) in Self::members(schema, "patternProperties") {
            self.put("pattern of names", pattern);
            self.schema(property, level + 1, none);
        }
        for key in ["items", "additionalProperties"] {
            if let Some(inner) = schema.get(key).filter(|inner| inner.is_object()) {
                self.schema(inner, level + 1, none);
            }
        }
        self.ref_stack.truncate(depth);
    }

    fn own(&mut self, schema: &'d Value, (described, shown): (bool, bool)) {
        if !described {
            self.text(
                "schema description",
                schema.get("description").unwrap_or(&Value::Null),
            );
        }
        for value in Self::list(schema, "enum") {
            self.value("allowed value", value);
        }
        for key in [
            "format",
            "pattern",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "multipleOf",
            "default",
            "const",
        ] {
            if let Some(value) = schema.get(key) {
                self.value("limit", value);
            }
        }
        if !shown && let Some(example) = schema.get("example") {
            self.value("schema example", example);
        }
    }
}

fn decoded(path: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digits: String = bytes.by_ref().take(2).map(char::from).collect();
        out.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the text of a page and of all parts that it links to.
fn page_text(made: &LoadedSite, path: &str) -> Option<String> {
    let html = made.page(path)?;
    let mut all = shown(&html);
    let mut open: Vec<String> = links(&html);
    let mut known: BTreeSet<String> = open.iter().cloned().collect();
    let mut left = MAX_PARTS;
    while let Some(path) = open.pop() {
        if left == 0 {
            return None;
        }
        left -= 1;
        let part = made.site.render_schema_fragment(&path)?;
        let html = String::from_utf8_lossy(&part.html.bytes);
        all.push(' ');
        all.push_str(&shown(&html));
        open.extend(
            links(&html)
                .into_iter()
                .filter(|path| known.insert(path.clone())),
        );
    }
    Some(all)
}

/// Returns the text of the content of a page. Highlighting splits text into elements, so inline
/// elements are removed first.
fn shown(html: &str) -> String {
    let inside = html.split("<main").nth(1).unwrap_or(html);
    normalized_text(inside)
}

fn links(html: &str) -> Vec<String> {
    let links = tags(html).into_iter().filter(|tag| tag.name == "a");
    let paths = links.filter_map(|tag| Some(decoded(&unescape(tag.get("href")?))));
    paths
        .filter(|path| path.starts_with("/_svc/api/schema/"))
        .collect()
}

/// Returns a hash that is the same on every machine (FNV-1a).
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Number of facts and the missing ones, by class.
#[derive(Default)]
struct Report {
    operations: usize,
    classes: BTreeMap<&'static str, (usize, Vec<String>)>,
}

impl Report {
    fn document(&mut self, name: &str, text: &str, limit: usize) -> Result<(), Box<dyn Error>> {
        let config = format!(
            r##"{{"theme": "svc", "name": "T", "colors": {{"primary": "#16a34a"}}, "navigation": {{"openapi": "{name}"}}}}"##
        );
        let file = svc_diagnostics::SourceFile::new(name, text);
        let document = svc_openapi::parse(&file).value.ok_or("it is no document")?;
        let root = document.root.to_json();
        let made = LoadedSite::of_files([("docs.json", config.as_str()), (name, text)])?;
        let mut wanted: Vec<_> = made
            .site
            .map
            .routes
            .iter()
            .filter_map(|(path, route)| match &route.operation {
                Some(OperationRef::Operation {
                    method, path: at, ..
                }) => Some((hash(&format!("{name} {method} {at}")), path, method, at)),
                _ => None,
            })
            .collect();
        wanted.sort();
        for (_, path, method, at) in wanted.into_iter().take(limit) {
            let Some(item) = root["paths"].get(at) else {
                continue;
            };
            let Some(operation) = item.get(method.to_ascii_lowercase()) else {
                continue;
            };
            let Some(page) = page_text(&made, path) else {
                continue;
            };
            let page = format!(" {page} ");
            let mut facts = Facts {
                root: &root,
                facts: BTreeSet::new(),
                ref_stack: Vec::new(),
                request: true,
            };
            facts.operation(item, operation);
            self.operations += 1;
            for fact in facts.facts {
                let (count, missing) = self.classes.entry(fact.class).or_default();
                *count += 1;
                if !page.contains(&fact.text) {
                    missing.push(format!("{name} {method} {at}: {}", fact.text));
                }
            }
        }
        Ok(())
    }

    fn print(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (class, (count, missing)) in &self.classes {
            eprintln!("{class}: {count} facts, {} are missing", missing.len());
            lines.extend(missing.iter().take(12).map(|one| format!("{class}: {one}")));
        }
        lines
    }
}

#[test]
fn every_fact_of_an_operation_is_on_its_page() -> TestResult {
    let mut report = Report::default();
    report.document(
        "torture.yaml",
        include_str!("api_facts/torture.yaml"),
        usize::MAX,
    )?;
    let missing = report.print();
    assert!(report.operations >= 5, "{}", report.operations);
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    Ok(())
}

#[test]
fn operations_of_the_corpus_lose_no_facts() -> TestResult {
    let Some(dir) = svc_test_support::reference_path("corpus/specs") else {
        return Ok(());
    };
    let mut files: Vec<_> = std::fs::read_dir(dir)?
        .flatten()
        .map(|file| file.path())
        .collect();
    files.sort_by_key(|path| hash(&path.display().to_string()));
    let mut report = Report::default();
    for path in files {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name == "manifest.json" || report.operations >= MAX_OPERATIONS {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        // Documents without operations are skipped.
        let limit = MAX_OPERATIONS_PER_DOCUMENT.min(MAX_OPERATIONS - report.operations);
        if report.document(name, &text, limit).is_err() {
            eprintln!("{name}: no document that can be shown");
        }
    }
    let missing = report.print();
    eprintln!("{} operations", report.operations);
    let facts: usize = report.classes.values().map(|(count, _)| count).sum();
    let lost: usize = report
        .classes
        .values()
        .map(|(_, missing)| missing.len())
        .sum();
    assert!(
        report.operations >= MAX_OPERATIONS / 2,
        "{}",
        report.operations
    );
    // Of facts that contradict each other or are repeated, one is shown.
    assert!(
        lost * 1_000 <= facts,
        "{lost} of {facts}:\n{}",
        missing.join("\n")
    );
    Ok(())
}
