//! Tests of the raw form and of edits.

use serde_json::json;
use svc_diagnostics::{Severity, SourceFile};

use super::{Document, EditError};

fn read(text: &str) -> Document {
    Document::read(&SourceFile::new("docs.json", text)).value
}

fn set(text: &str, pointer: &str, value: serde_json::Value) -> String {
    let mut document = read(text);
    document.set(pointer, &value).unwrap();
    document.text().to_owned()
}

fn insert(text: &str, pointer: &str, value: serde_json::Value) -> String {
    let mut document = read(text);
    document.insert(pointer, &value).unwrap();
    document.text().to_owned()
}

fn remove(text: &str, pointer: &str) -> String {
    let mut document = read(text);
    document.remove(pointer).unwrap();
    document.text().to_owned()
}

#[test]
fn a_replacement_preserves_the_surrounding_text() {
    assert_eq!(
        set(
            "\u{feff}{\r\n\t\"a\" : 1 ,\r\n\t\"b\": [1,  2]\r\n}\r\n\r\n",
            "/a",
            json!("é\n")
        ),
        "\u{feff}{\r\n\t\"a\" : \"é\\n\" ,\r\n\t\"b\": [1,  2]\r\n}\r\n\r\n"
    );
    assert_eq!(
        set(r#"{"a/b":{"~":1}}"#, "/a~1b/~0", json!(null)),
        r#"{"a/b":{"~":null}}"#
    );
    assert_eq!(set("[1]", "", json!({})), "{}");
}

#[test]
fn a_new_value_follows_the_layout_around_it() {
    let text = "{\n    \"a\": 1,\n    \"b\": {}\n}";
    assert_eq!(
        set(text, "/b", json!({"c": [1, {}], "d": []})),
        "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": [\n            1,\n            {}\n        ],\n        \"d\": []\n    }\n}"
    );
    assert_eq!(
        set(text, "/c/d", json!(true)),
        "{\n    \"a\": 1,\n    \"b\": {},\n    \"c\": {\n        \"d\": true\n    }\n}"
    );
    assert_eq!(
        set("{\n  \"a\": [\"x\"]\n}", "/a", json!(["x", "y"])),
        "{\n  \"a\": [\"x\", \"y\"]\n}"
    );
    assert_eq!(
        set(r#"{"a":1}"#, "/b", json!({"c": [1, 2]})),
        r#"{"a":1,"b":{"c":[1,2]}}"#
    );
    assert_eq!(
        set(r#"{"a": 1}"#, "/b", json!([1, 2])),
        r#"{"a": 1, "b": [1, 2]}"#
    );
    assert_eq!(set("{}", "/a", json!(1)), "{\n  \"a\": 1\n}");
}

#[test]
fn entries_are_inserted_before_an_index_or_at_the_end() {
    assert_eq!(insert("[1, 3]", "/1", json!(2)), "[1, 2, 3]");
    assert_eq!(insert("[1,3]", "/-", json!(4)), "[1,3,4]");
    assert_eq!(insert("[1,3]", "/2", json!(4)), "[1,3,4]");
    assert_eq!(
        insert("[\n  1\n]", "/0", json!([0])),
        "[\n  [\n    0\n  ],\n  1\n]"
    );
    assert_eq!(insert("[\n  1,\n]", "/-", json!(2)), "[\n  1,\n  2,\n]");
    assert_eq!(
        insert("{\n  // note\n  \"a\": 1 // one\n}", "/b", json!(2)),
        "{\n  // note\n  \"a\": 1,\n  \"b\": 2 // one\n}"
    );
    assert_eq!(insert("{\"a\": [ ]}", "/a/0", json!(1)), "{\"a\": [1]}");
    assert_eq!(
        insert("{\n  /* x */ }", "/a", json!(1)),
        "{\n  \"a\": 1\n  /* x */ }"
    );
}

#[test]
fn a_removal_removes_the_comma() {
    for (text, pointer, left) in [
        (
            "{\"a\": 1, \"b\": 2, \"c\": 3}",
            "/a",
            "{\"b\": 2, \"c\": 3}",
        ),
        (
            "{\"a\": 1, \"b\": 2, \"c\": 3}",
            "/b",
            "{\"a\": 1, \"c\": 3}",
        ),
        (
            "{\"a\": 1, \"b\": 2, \"c\": 3}",
            "/c",
            "{\"a\": 1, \"b\": 2}",
        ),
        (
            "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
            "/b",
            "{\n  \"a\": 1\n}\n",
        ),
        ("{\n  \"a\": 1\n}", "/a", "{}"),
        ("[1, [2]]", "/1/0", "[1, []]"),
        ("[1, 2,]", "/1", "[1,]"),
        ("[1, // one\n 2]", "/0", "[ // one\n 2]"),
        ("[1, // two\n 2]", "/1", "[1, // two\n ]"),
        ("[1 /* , */, 2]", "/0", "[ 2]"),
    ] {
        assert_eq!(remove(text, pointer), left, "{text}");
        assert!(!read(left).broken, "{left}");
    }
}

#[test]
fn an_invalid_edit_is_rejected_and_changes_nothing() {
    let text = r#"{"a": [1], "b": 2}"#;
    let mut document = read(text);
    let missing = |pointer: &str| Err(EditError::Missing(pointer.into()));
    assert_eq!(document.remove("/c"), missing("/c"));
    assert_eq!(document.remove("/a/1"), missing("/a/1"));
    assert_eq!(document.remove("/b/x"), missing("/b/x"));
    assert_eq!(document.remove(""), Err(EditError::Pointer(String::new())));
    assert_eq!(
        document.set("b", &json!(1)),
        Err(EditError::Pointer("b".into()))
    );
    assert_eq!(
        document.set("/b/c", &json!(1)),
        Err(EditError::Leaf("/b".into()))
    );
    assert_eq!(
        document.insert("/b", &json!(1)),
        Err(EditError::Exists("/b".into()))
    );
    assert_eq!(document.insert("/c/d", &json!(1)), missing("/c"));
    for position in ["/a/2", "/a/01", "/a/+1", "/a/x"] {
        let refused = Err(EditError::Position(position.into()));
        assert_eq!(document.insert(position, &json!(1)), refused);
    }
    assert_eq!(document.text(), text);
    for broken in ["{\"a\": 1", "{\"a\": 1, \"a\": 2}", "", "{a: 1}"] {
        let mut document = read(broken);
        assert_eq!(
            document.set("/a", &json!(3)),
            Err(EditError::Broken),
            "{broken}"
        );
        assert_eq!(document.remove("/a"), Err(EditError::Broken), "{broken}");
    }
}

#[test]
fn other_encodings_are_reported_and_decoded() {
    let text = "{\"name\": \"Café 😀\"}";
    let utf16: Vec<u16> = text.encode_utf16().collect();
    let little: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let wide: Vec<u8> = text
        .chars()
        .flat_map(|c| u32::from(c).to_le_bytes())
        .collect();
    let latin = b"{\"name\":\n\"Caf\xe9\"}".to_vec();
    let damaged = b"{\"name\": \"Caf\xc3\xa9 \xff\"}".to_vec();
    for (bytes, name, location, read) in [
        (
            [&[0xFF, 0xFE], &*little].concat(),
            "UTF-16",
            "docs.json:1:1",
            "Café 😀",
        ),
        (
            [&[0xFE, 0xFF], &*big].concat(),
            "UTF-16",
            "docs.json:1:1",
            "Café 😀",
        ),
        (little, "UTF-16", "docs.json:1:1", "Café 😀"),
        (big, "UTF-16", "docs.json:1:1", "Café 😀"),
        (
            [&[0xFF, 0xFE, 0, 0], &*wide].concat(),
            "UTF-32",
            "docs.json:1:1",
            "Café 😀",
        ),
        (latin, "Latin-1", "docs.json:2:5", "Café"),
        (damaged, "damaged", "docs.json:1:16", "Café \u{fffd}"),
    ] {
        let checked = Document::from_bytes("docs.json", &bytes);
        assert_eq!(
            checked.diagnostics.len(),
            1,
            "{name}: {:?}",
            checked.diagnostics
        );
        let problem = &checked.diagnostics[0];
        assert_eq!(
            (problem.code.id, problem.severity),
            ("config-encoding", Severity::Error)
        );
        assert!(problem.message.contains(name), "{}", problem.message);
        assert_eq!(problem.location_string(), location, "{name}");
        let name = checked.value.get("/name").and_then(svc_data::Node::as_str);
        assert_eq!(name, Some(read));
    }
    let clean = Document::from_bytes("docs.json", "\u{feff}{\"é\":1}".as_bytes());
    assert!(clean.diagnostics.is_empty());
    for bytes in [
        &[][..],
        &[0xFF],
        &[0xFF, 0xFE],
        &[0xFF, 0xFE, 0x7B],
        &[0, 0, 0xFE, 0xFF, 1],
    ] {
        Document::from_bytes("docs.json", bytes);
    }
}
