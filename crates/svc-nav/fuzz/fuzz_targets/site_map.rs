//! Resolves a repository generated from the input and checks the invariants of `tests/laws`.
//!
//! Run `cargo +nightly fuzz run site_map` in `crates/svc-nav`. Input that begins with `{` is the
//! text of `docs.json`; other input drives a generator, so that deep structures are reached
//! quickly.
#![no_main]

#[path = "../../tests/laws/mod.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};
use svc_source::SourceTree;

const SPEC: &str = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
 "tags": [{"name": "users", "x-group": "People"}],
 "paths": {"/users": {"get": {"summary": "List users", "tags": ["users"]}, "post": {"summary": "List users"}},
  "/a": {"get": {"x-svc": {"href": "/a", "metadata": {"hidden": true, "groups": ["x"]}}}}},
 "webhooks": {"order": {"post": {"summary": "paid"}}}}"#;

const PAGES: &[&str] = &[
    "index",
    "a",
    "b",
    "b/c",
    "x/index",
    "v1/a",
    "v2/a",
    "es/a",
    "es/v1/a",
    "ref/users",
];

const ENTRIES: &[&str] = &[
    "index",
    "a",
    "b",
    "b/c",
    "x",
    "x/index",
    "v1/a",
    "v2/a",
    "es/a",
    "es/v1/a",
    "gone",
    "GET /users",
    "api.json POST /users",
    "webhook order",
    "GET /a",
    "../b/",
    "b/c.mdx",
];

const FRONT: &[&str] = &[
    "",
    "hidden: true",
    "hidden: false",
    "url: /a",
    "noindex: true",
    "openapi: GET /users",
    "openapi-schema: X",
    "boost: 3",
    "version: v9",
    "title: [",
];

const KINDS: &[(&str, &str)] = &[
    ("groups", "group"),
    ("tabs", "tab"),
    ("anchors", "anchor"),
    ("dropdowns", "dropdown"),
    ("products", "product"),
    ("versions", "version"),
    ("languages", "language"),
    ("menu", "item"),
];

const NAMES: &[&str] = &["v1", "v2", "en", "es", "a", "b"];

const PARTS: &[&str] = &[
    "a", "b", "c", ":x", ":x*", "*", "v:x", "p-*", "%41", ":y+", "x y", "",
];

/// The input bytes, one per choice; zero after the end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first)
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.next() % all.len()]
    }

    fn settings(&mut self, into: &mut Map<String, Value>) {
        for _ in 0..self.next() % 3 {
            let (key, value) = match self.next() % 12 {
                0 => ("hidden", json!(true)),
                1 => ("hidden", json!(false)),
                2 => ("default", json!(true)),
                3 => ("root", json!(self.pick(ENTRIES))),
                4 => ("openapi", json!("api.json")),
                5 => ("openapi", json!({"source": "api.json", "directory": "ref"})),
                6 => ("openapi", json!(["gone.json", "api.json"])),
                7 => ("directory", json!("card")),
                8 => ("searchable", json!(true)),
                9 => ("boost", json!(0.5)),
                10 => ("href", json!("/a")),
                _ => ("version", json!("9")),
            };
            into.insert(key.to_owned(), value);
        }
    }

    fn content(&mut self, depth: usize) -> Map<String, Value> {
        let mut out = Map::new();
        let choice = self.next() % 12;
        if depth == 0 || choice > 8 {
            let count = self.next() % 5;
            let pages = (0..count).map(|_| json!(self.pick(ENTRIES))).collect();
            out.insert("pages".to_owned(), pages);
        } else if let Some((key, name)) = KINDS.get(choice) {
            let count = 1 + self.next() % 3;
            let elements = (0..count).map(|_| self.element(name, depth - 1)).collect();
            out.insert((*key).to_owned(), elements);
        } else {
            let entry = json!(self.pick(ENTRIES));
            let group = self.element("group", depth - 1);
            out.insert(
                "pages".to_owned(),
                json!([entry, group, self.pick(ENTRIES)]),
            );
        }
        out
    }

    fn element(&mut self, name: &str, depth: usize) -> Value {
        let mut element = self.content(depth);
        self.settings(&mut element);
        element.insert(name.to_owned(), json!(self.pick(NAMES)));
        Value::Object(element)
    }

    fn path(&mut self) -> String {
        let count = self.next() % 4;
        let parts: Vec<&str> = (0..count).map(|_| self.pick(PARTS)).collect();
        format!("/{}", parts.join("/"))
    }

    fn docs(&mut self) -> String {
        let mut navigation = self.content(7);
        self.settings(&mut navigation);
        let count = self.next() % 6;
        let redirects: Vec<Value> = (0..count)
            .map(|_| json!({"source": self.path(), "destination": self.path()}))
            .collect();
        json!({
            "theme": "svc", "name": "T", "colors": {"primary": "#000000"},
            "navigation": navigation, "redirects": redirects,
        })
        .to_string()
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let docs = if data.starts_with(b"{") {
        let text = String::from_utf8_lossy(data).into_owned();
        bytes = Bytes(&[]);
        text
    } else {
        bytes.docs()
    };
    let mut files = vec![
        ("docs.json".to_owned(), docs),
        ("api.json".to_owned(), SPEC.to_owned()),
    ];
    for page in PAGES {
        let choice = bytes.next();
        if choice % 8 != 7 {
            let front = FRONT[choice / 8 % FRONT.len()];
            files.push((
                format!("{page}.mdx"),
                format!("---\n{front}\n---\n\nText.\n"),
            ));
        }
    }
    laws::check(&SourceTree::from_files(files));
});
