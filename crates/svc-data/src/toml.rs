//! TOML, parsed by the `toml` crate with error recovery.

use std::ops::Range;

use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::codes::{DUPLICATE, LIMIT, SYNTAX};
use crate::{Limits, Node, Number, Object, Value};

/// Maximum number of syntax errors reported for a document.
const MAX_DIAGNOSTICS: usize = 500;

/// Parses TOML 1.0. The span of a table is its header; dates are strings as written in the
/// document.
///
/// ```
/// use svc_data::{Limits, parse_toml};
/// use svc_diagnostics::SourceFile;
/// let file = SourceFile::new("a.toml", "title = 'A page'\n[server]\nport = 80\n");
/// let root = parse_toml(&file, &Limits::default()).value;
/// let port = root.get("server").and_then(|server| server.get("port"));
/// assert_eq!(port.and_then(|port| port.to_text()).as_deref(), Some("80"));
/// ```
pub fn parse_toml(file: &SourceFile, limits: &Limits) -> Checked<Node> {
    let mut reader = Reader {
        file,
        nodes: 0,
        limits,
        diagnostics: Vec::new(),
    };
    let text = file.text();
    if text.len() > limits.bytes {
        let message = format!("the document exceeds the limit of {} bytes", limits.bytes);
        reader.report(&LIMIT, Span::new(0, 0), message, "split or shorten it");
        return Checked {
            value: Node::default(),
            diagnostics: reader.diagnostics,
        };
    }
    let (table, mistakes) = DeTable::parse_recoverable(text);
    for mistake in mistakes.iter().take(MAX_DIAGNOSTICS) {
        let error_span = span(mistake.span().unwrap_or(0..0));
        reader.syntax_error(mistake.message(), error_span);
    }
    let root = reader.table(table.into_inner(), 0);
    Checked {
        value: Node::new(Span::new(0, 0), root),
        diagnostics: reader.diagnostics,
    }
}

struct Reader<'a> {
    file: &'a SourceFile,
    nodes: usize,
    limits: &'a Limits,
    diagnostics: Vec<Diagnostic>,
}

fn span(range: Range<usize>) -> Span {
    let to_u32 = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(to_u32(range.start), to_u32(range.end))
}

impl Reader<'_> {
    fn report(
        &mut self,
        code: &'static svc_diagnostics::DiagnosticCode,
        span: Span,
        message: String,
        hint: &str,
    ) {
        let diagnostic = Diagnostic::new(code, message)
            .at(self.file.location(span))
            .hint(hint);
        self.diagnostics.push(diagnostic);
    }

    fn syntax_error(&mut self, message: &str, span: Span) {
        if message == "duplicate key" {
            let key = self.file.slice(span).trim();
            let message = format!("duplicate key `{key}` in a table");
            let hint =
                "remove one of them; headers of arrays of tables have two brackets: `[[name]]`";
            self.report(&DUPLICATE, span, message, hint);
            return;
        }
        let hint = "write TOML: `key = \"value\"`, tables begin with `[name]`";
        self.report(&SYNTAX, span, message.to_owned(), hint);
    }

    /// Counts a node and returns true if it is within the limit. The first node over the limit is
    /// reported.
    fn count(&mut self, span: Span) -> bool {
        self.nodes += 1;
        if self.nodes == self.limits.nodes.saturating_add(1) {
            let message = format!("the document has more than {} values", self.limits.nodes);
            self.report(&LIMIT, span, message, "split or shorten it");
        }
        self.nodes <= self.limits.nodes
    }

    fn table(&mut self, table: DeTable<'_>, depth: usize) -> Value {
        // The order of the table of the crate is not the order of the text.
        let mut members: Vec<_> = table.into_iter().collect();
        members.sort_by_key(|(key, _)| key.span().start);
        let mut object = Object::default();
        for (key, value) in members {
            let key_span = span(key.span());
            let Some(value) = self.node(value, depth + 1) else {
                break;
            };
            object.insert(key.get_ref(), key_span, value);
        }
        Value::Object(object)
    }

    fn node(&mut self, node: Spanned<DeValue<'_>>, depth: usize) -> Option<Node> {
        let node_span = span(node.span());
        if !self.count(node_span) {
            return None;
        }
        if depth > self.limits.depth {
            let message = format!(
                "the document is nested deeper than {} levels",
                self.limits.depth
            );
            self.report(&LIMIT, node_span, message, "reduce the nesting");
            return Some(Node::new(node_span, Value::Null));
        }
        let value = match node.into_inner() {
            DeValue::String(text) => Value::String(text.as_ref().into()),
            DeValue::Integer(integer) => {
                let read = i64::from_str_radix(integer.as_str(), integer.radix());
                self.number(read.ok().map(Number::Int), node_span)
            }
            DeValue::Float(float) => {
                let read = float
                    .as_str()
                    .parse()
                    .ok()
                    .filter(|read: &f64| read.is_finite());
                self.number(read.map(Number::Float), node_span)
            }
            DeValue::Boolean(value) => Value::Bool(value),
            DeValue::Datetime(date) => Value::String(date.to_string().into()),
            DeValue::Array(items) => {
                let items = items.into_iter();
                Value::Array(items.map_while(|item| self.node(item, depth + 1)).collect())
            }
            DeValue::Table(table) => self.table(table, depth),
        };
        Some(Node::new(node_span, value))
    }

    fn number(&mut self, read: Option<Number>, span: Span) -> Value {
        if let Some(number) = read {
            return Value::Number(number);
        }
        let text = self.file.slice(span);
        let message = format!("`{text}` is not a 64-bit integer or a finite number");
        let hint = "write a 64-bit integer or a finite number";
        self.report(&SYNTAX, span, message, hint);
        Value::Null
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Node, Vec<String>) {
        let file = SourceFile::new("a.toml", text);
        let checked = parse_toml(&file, &Limits::default());
        let diagnostics = checked.diagnostics.iter();
        let diagnostics = diagnostics.map(|diagnostic| {
            format!(
                "{} {}: {}",
                diagnostic.location_string(),
                diagnostic.code.id,
                diagnostic.message
            )
        });
        (checked.value, diagnostics.collect())
    }

    #[test]
    fn every_type_of_value_becomes_a_node_with_its_span() {
        let text = "a = \"x\"\nb = [1, 0x10, 1_000, -2.5]\nc = true\nd = 2026-01-02T03:04:05Z\n[t.u]\n'v w' = '''y\nz'''\n[[l]]\nn = { m = 1 }\n[[l]]\n";
        let (root, diagnostics) = read(text);
        assert_eq!(diagnostics, Vec::<String>::new());
        assert_eq!(root.get("a").and_then(Node::as_str), Some("x"));
        let numbers = root.get("b").and_then(Node::as_array).unwrap_or_default();
        let numbers: Vec<String> = numbers.iter().flat_map(Node::to_text).collect();
        assert_eq!(numbers, ["1", "16", "1000", "-2.5"]);
        assert_eq!(root.get("c").and_then(Node::as_bool), Some(true));
        let date = root.get("d").and_then(Node::as_str);
        assert_eq!(date, Some("2026-01-02T03:04:05Z"));
        let deep = root.get("t").and_then(|t| t.get("u")?.get("v w"));
        assert_eq!(deep.and_then(Node::as_str), Some("y\nz"));
        let list = root.get("l").and_then(Node::as_array).unwrap_or_default();
        assert_eq!(list.len(), 2);
        let file = SourceFile::new("a.toml", text);
        let text_of =
            |node: Option<&Node>| node.map_or("", |node| file.slice(node.span)).to_owned();
        assert_eq!(text_of(root.get("c")), "true");
        assert_eq!(text_of(root.get("t").and_then(|t| t.get("u"))), "[t.u]");
        assert_eq!(text_of(list.first()), "[[l]]");
        let names: Vec<&str> = root
            .as_object()
            .into_iter()
            .flat_map(Object::iter)
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["a", "b", "c", "d", "t", "l"]);
    }

    #[test]
    fn parsing_continues_after_an_error() {
        let (root, diagnostics) =
            read("a = \nb = 1\nb = 2\nc = nan\nd = 99999999999999999999\n[t]\n[t]\ne = 3\n");
        for expected in [
            "a.toml:1:",
            "a.toml:3:1 data-duplicate-key: duplicate key `b`",
            "a.toml:4:5 data-syntax: `nan`",
            "a.toml:5:5",
            "a.toml:7:",
        ] {
            assert!(
                diagnostics
                    .iter()
                    .any(|diagnostic| diagnostic.starts_with(expected)),
                "{expected} {diagnostics:#?}"
            );
        }
        assert_eq!(root.get("b").and_then(Node::to_text).as_deref(), Some("1"));
        assert_eq!(
            root.get("t").and_then(|t| t.get("e")?.to_text()).as_deref(),
            Some("3")
        );
    }

    #[test]
    fn hostile_input_is_rejected_with_a_diagnostic() {
        for text in [
            format!("a = {}", "[".repeat(100_000)),
            format!("a = {}", "{b=".repeat(100_000)),
            format!("[{}a]", "a.".repeat(100_000)),
            "[a.a]\n[a]\n".repeat(20_000),
            "=\n".repeat(100_000),
            "\u{0}\u{feff}\"".to_owned(),
        ] {
            let (_, diagnostics) = read(&text);
            assert!(!diagnostics.is_empty() && diagnostics.len() <= MAX_DIAGNOSTICS + 10);
        }
        let small = Limits {
            bytes: 10,
            ..Limits::default()
        };
        let file = SourceFile::new("a.toml", "a = 'longer than ten'");
        assert_eq!(parse_toml(&file, &small).diagnostics.len(), 1);
        let few = Limits {
            nodes: 3,
            ..Limits::default()
        };
        let file = SourceFile::new("a.toml", "a = [1, 2, 3, 4]\nb = 1");
        assert_eq!(parse_toml(&file, &few).diagnostics.len(), 1);
    }
}
