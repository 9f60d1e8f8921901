//! Tests of the JSON and YAML parsers.

use svc_diagnostics::{Checked, SourceFile};

use crate::{Limits, Node, Value, parse_json, parse_yaml};

fn json(text: &str) -> Checked<Node> {
    parse_json(&SourceFile::new("a.json", text), &Limits::default())
}

fn yaml(text: &str) -> Checked<Node> {
    parse_yaml(&SourceFile::new("a.yaml", text), &Limits::default())
}

fn codes(checked: &Checked<Node>) -> Vec<(&'static str, String)> {
    checked
        .diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.code.id, diagnostic.location_string()))
        .collect()
}

#[test]
fn json_agrees_with_serde_json() {
    let text = r#"{"a":[1,-2.5e3,true,null,"\u00e9\ud83d\ude00\n/"],"b":{"":{}}}"#;
    let read = json(text);
    assert!(read.diagnostics.is_empty());
    let expected: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(read.value.to_json(), expected);
}

#[test]
fn json_recovers_from_small_errors_and_reports_all_of_them() {
    let read = json("{\n  // note\n  \"a\": 1,\n  \"b\": [1 2,],\n  \"a\": nul,\n}");
    assert_eq!(
        read.value.to_json(),
        serde_json::json!({"a": "nul", "b": [1, 2]})
    );
    let expected = [
        ("data-not-strict-json", "a.json:2:3"),
        ("data-syntax", "a.json:4:11"),
        ("data-not-strict-json", "a.json:4:12"),
        ("data-syntax", "a.json:5:8"),
        ("data-duplicate-key", "a.json:5:3"),
        ("data-not-strict-json", "a.json:5:11"),
    ];
    assert_eq!(
        codes(&read),
        expected.map(|(code, location)| (code, location.to_owned()))
    );
}

#[test]
fn single_quotes_and_bare_keys_are_reported_and_read() {
    let read = json("{a: 'x', 'b': 2, \"c\": [1e999]}");
    assert_eq!(
        read.value.to_json(),
        serde_json::json!({"a": "x", "b": 2, "c": [0]})
    );
    let locations: Vec<(String, Option<&str>)> = read
        .diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.location_string(), diagnostic.pointer.as_deref()))
        .collect();
    let expected = [("1:2", ""), ("1:5", "/a"), ("1:10", ""), ("1:24", "/c/0")];
    assert_eq!(
        locations,
        expected.map(|(position, pointer)| (format!("a.json:{position}"), Some(pointer)))
    );
}

#[test]
fn the_number_of_diagnostics_is_limited() {
    let read = json(&format!("[{}]", "1 ".repeat(200_000)));
    assert_eq!(read.diagnostics.len(), 1_000);
}

#[test]
fn malformed_json_returns_the_values_before_the_error() {
    let read = json("{\"a\": {\"b\": 1, \"c\"");
    assert_eq!(
        read.value
            .get("a")
            .and_then(|a| a.get("b"))
            .map(Node::to_json),
        Some(1.into())
    );
    assert_eq!(codes(&read)[0].0, "data-syntax");
}

#[test]
fn deep_nesting_is_a_limit_error_not_a_stack_overflow() {
    assert_eq!(codes(&json(&"[".repeat(100_000)))[0].0, "data-limit");
    assert_eq!(codes(&yaml(&"[".repeat(100_000))).len(), 1);
    assert_eq!(codes(&yaml(&"- ".repeat(100_000)))[0].0, "data-limit");
}

#[test]
fn yaml_reads_the_core_schema() {
    let read = yaml("a: no\nb: 0x1F\nc: 1.0\nd: 2024-01-01\n200: ok\ne: '1'\nf: 1_0\ng:\n");
    assert!(read.diagnostics.is_empty());
    let expected = serde_json::json!({
        "a": "no", "b": 31, "c": 1.0, "d": "2024-01-01", "200": "ok", "e": "1", "f": "1_0",
        "g": null
    });
    assert_eq!(read.value.to_json(), expected);
}

#[test]
fn yaml_applies_merge_keys_and_reports_duplicates() {
    let read = yaml("x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  b: 3\n  b: 4\n");
    assert_eq!(
        read.value.get("y").unwrap().to_json(),
        serde_json::json!({"b": 4, "a": 1})
    );
    assert_eq!(
        codes(&read),
        [("data-duplicate-key", "a.yaml:5:3".to_owned())]
    );
}

#[test]
fn an_alias_bomb_stops_at_the_node_limit() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let previous = level - 1;
        let aliases = vec![format!("*a{previous}"); 10].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    let read = parse_yaml(
        &SourceFile::new("a.yaml", text),
        &Limits {
            nodes: 50_000,
            ..Limits::default()
        },
    );
    assert!(
        read.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code.id == "data-limit")
    );
}

#[test]
fn a_quoted_scalar_may_continue_at_column_one() {
    let read = yaml("title: T\ndescription: \"How to handle\ndeliveries\"\nicon: x\n");
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    let text = read.value.get("description").and_then(Node::as_str);
    assert_eq!(text, Some("How to handle deliveries"));
}

#[test]
fn yaml_spans_are_byte_offsets_in_text_with_accents() {
    let text = "é: ü\nb: [ö, x]\n";
    let read = yaml(text);
    let items = read.value.get("b").and_then(Node::as_array).unwrap();
    assert_eq!(&text[items[1].span.range()], "x");
    assert!(matches!(items[0].value, Value::String(_)));
}

/// Applies the fixes of a document until nothing changes.
fn fixed(name: &str, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..10 {
        let file = SourceFile::new(name, &*text);
        let read = crate::parse(&file, &Limits::default());
        let fixes = read.diagnostics.iter().filter_map(|one| one.fix.as_ref());
        let fixes: Vec<_> = fixes.collect();
        let outcome = svc_diagnostics::apply_fixes(&|_| Some(file.text()), &fixes);
        let Some(new) = outcome.texts.get(name).cloned() else {
            break;
        };
        text = new;
    }
    text
}

#[test]
fn fixes_make_json_strict() {
    for (text, expected) in [
        (
            "{\"a\": 1, // note\r\n \"b\": 2,\r\n}",
            "{\"a\": 1,\r\n \"b\": 2\r\n}",
        ),
        ("{\n  // note\n  \"a\": /* x */ 1\n}", "{\n  \"a\": 1\n}"),
        (
            "{a: 'x \"y\"', \"b\" 2, \"c\" = 3}",
            "{\"a\": \"x \\\"y\\\"\", \"b\": 2, \"c\" : 3}",
        ),
        ("[1 2,, None, True, no]", "[1, 2, null, true, \"no\"]"),
        ("{\"a\": \"b,\n \"c\": 1}", "{\"a\": \"b\",\n \"c\": 1}"),
        (
            "{\"a\": 1,\n \"b\": 2,\n \"a\": 3}",
            "{\"b\": 2,\n \"a\": 3}",
        ),
        ("{\"a\": \"C:\\docs\"}", "{\"a\": \"C:\\\\docs\"}"),
        (
            "{\n  \"a\": {\n    \"b\": 1,\n  \"c\": 2\n}\n",
            "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}\n",
        ),
    ] {
        assert_eq!(fixed("a.json", text), expected, "{text}");
        assert!(serde_json::from_str::<serde_json::Value>(expected).is_ok());
    }
}

#[test]
fn fixes_of_yaml_change_one_line() {
    for (text, expected) in [
        ("a: b: c\n", "a: \"b: c\"\n"),
        ("x:\n  a: \"b\" c\n", "x:\n  a: \"\\\"b\\\" c\"\n"),
        ("a: @b\n", "a: \"@b\"\n"),
        ("a: 1\nb: 2\na: 3\n", "b: 2\na: 3\n"),
        ("- a: 1\n  a: 2\n", "- a: 1\n  a: 2\n"),
    ] {
        assert_eq!(fixed("a.yaml", text), expected, "{text}");
    }
}
