//! Fuzz target: reading, checking and editing any bytes neither panics nor loses a byte.
//!
//! `cargo +nightly fuzz run config -- -max_len=4096` in `crates/svc-config`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_config::{Document, IconLookup, ResolveContext, parse_with};
use svc_diagnostics::SourceFile;

fuzz_target!(|bytes: &[u8]| {
    let read = Document::from_bytes("docs.json", bytes);
    let document = read.value;
    if std::str::from_utf8(bytes).is_ok() && read.diagnostics.iter().all(|d| d.code.id != "config-encoding") {
        assert_eq!(document.text().as_bytes(), bytes);
    }
    // The text can refer to itself and to its second half through `$ref`.
    let text = document.text().to_owned();
    let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let lookup = |path: &str| match path {
        "docs.json" => Some(SourceFile::new(path, &*text)),
        "a.json" | "./a.json" => Some(SourceFile::new(path, &text[half..])),
        _ => None,
    };
    let context = ResolveContext::default()
        .read_file_with(&lookup)
        .file_exists_with(&|path| path.len() % 2 == 0)
        .icon_lookup_with(&|_, name| if name.len() % 2 == 0 { IconLookup::Yes } else { IconLookup::No { nearest: None } });
    for name in ["docs.json", "mint.json"] {
        let file = SourceFile::new(name, &*text);
        let (one, two) = (parse_with(&file, &context), parse_with(&file, &context));
        assert_eq!(one.diagnostics, two.diagnostics);
    }
    for pointer in ["/name", "/navigation", "/navigation/pages/0", "/a/b"] {
        let mut edited = document.clone();
        if edited.set(pointer, &serde_json::json!({ "x": [1] })).is_ok() {
            let value = edited.get(pointer).map(|node| node.to_json());
            assert_eq!(value, Some(serde_json::json!({ "x": [1] })), "{pointer}: {}", edited.text());
            edited.remove(pointer).expect("what was set can be removed");
        }
    }
});
