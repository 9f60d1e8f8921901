//! Tests of the file as a whole.

use svc_config::{Document, SiteConfig, parse};
use svc_diagnostics::{Checked, SourceFile};

use crate::specification::{document, site};

fn read(text: &str) -> Checked<Option<SiteConfig>> {
    parse(&SourceFile::new("docs.json", text), &|_| None)
}

/// Code and line of the first diagnostic.
fn first(checked: &Checked<Option<SiteConfig>>) -> (&'static str, u32) {
    let problem = &checked.diagnostics[0];
    let line = problem.location.as_ref().map_or(0, |at| at.start.line);
    (problem.code.id, line)
}

// spec: cfg.file.syntax, cfg.file.object accepts
#[test]
fn plain_json_in_any_layout_is_read() {
    let dense = document("");
    let airy = dense.replace(", ", "\r\n\t ,\r\n ").replace(": ", " :\n");
    for text in [&dense, &airy] {
        let checked = read(text);
        assert_eq!(checked.diagnostics, []);
        assert_eq!(checked.value.map(|site| site.name).as_deref(), Some("T"));
    }
}

// spec: cfg.file.syntax refuses
#[test]
fn a_syntax_error_is_reported_at_its_line_and_the_rest_is_read() {
    let text = document("").replace("\"name\"", "\n// note\n\"name\"");
    assert_eq!(first(&read(&text)).1, 2);
    let text = document("").replace("\"name\":", "\n\"name\"");
    let checked = read(&text);
    assert_eq!(first(&checked).1, 2);
    assert!(checked.has(svc_diagnostics::Severity::Error));
    assert_eq!(checked.value.map(|site| site.theme.name()), Some("svc"));
}

// spec: cfg.file.encoding accepts and refuses
#[test]
fn utf_8_is_read_and_other_encodings_are_reported() {
    let text = document("\"description\": \"Grüße\"");
    let marked = format!("\u{feff}{text}");
    for bytes in [text.as_bytes(), marked.as_bytes()] {
        assert_eq!(Document::from_bytes("docs.json", bytes).diagnostics, []);
    }
    assert_eq!(read(&marked).diagnostics, []);
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [latin, wide] {
        let diagnostics = Document::from_bytes("docs.json", &bytes).diagnostics;
        assert_eq!(diagnostics[0].code.id, "config-encoding");
        assert!(diagnostics[0].hint.is_some());
    }
}

// spec: cfg.file.limits accepts and refuses
#[test]
fn values_nest_up_to_the_limit() {
    let nested = |levels: usize| {
        let open = "{\"group\": \"G\", \"pages\": [".repeat(levels);
        format!(
            "\"navigation\": {{\n\"pages\": [{open}\"b\"{}]}}",
            "]}".repeat(levels)
        )
    };
    assert_eq!(site(&nested(20)).name, "T");
    for levels in [1_000, 100_000] {
        let checked = read(&document(&nested(levels)));
        assert!(checked.has(svc_diagnostics::Severity::Error), "{levels}");
        let limit = checked
            .diagnostics
            .iter()
            .find(|diagnostic| diagnostic.code.id.ends_with("-limit"));
        let line = limit
            .and_then(|diagnostic| diagnostic.location.as_ref())
            .map(|at| at.start.line);
        assert_eq!(line, Some(2), "{levels}");
    }
}

// spec: cfg.file.round-trip accepts
#[test]
fn an_edit_changes_only_its_value() {
    let text = document("\"unknown\": {\"b\":1,\"a\" :  [ ] }").replace(", ", ",\r\n\t");
    let mut document = Document::read(&SourceFile::new("docs.json", text.clone())).value;
    assert_eq!(document.text(), text);
    document.set("/name", &serde_json::json!("New")).unwrap();
    assert_eq!(document.text(), text.replace("\"T\"", "\"New\""));
}
