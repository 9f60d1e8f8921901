//! Checks the invariants of `laws` for generated repositories.

use crate::laws;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use svc_source::SourceTree;

const SPEC: &str = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
 "tags": [{"name": "users", "x-group": "People"}],
 "paths": {"/users": {"get": {"summary": "List users", "tags": ["users"]}, "post": {"summary": "List users", "tags": ["users"]}},
  "/a": {"get": {"summary": "a", "x-svc": {"href": "/a", "metadata": {"hidden": true}}}},
  "/gone": {"get": {"x-hidden": true}}},
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
    "api-reference/users/list-users",
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
    "/b/c.mdx",
    "b/",
    "gone",
    "GET /users",
    "api.json POST /users",
    "get /users/",
    "GET /a",
    "GET /gone",
    "webhook order",
    "GET /nowhere",
    "api-reference/users/list-users",
];

const FRONT: &[&str] = &[
    "",
    "hidden: true",
    "hidden: false",
    "url: https://x.org",
    "url: /a",
    "noindex: true",
    "openapi: GET /users",
    "openapi: DELETE /x",
    "title: T\nsidebarTitle: S\nboost: 2",
    "searchable: false\npublic: true",
    "public: false",
    "groups: staff",
];

/// Kind of element by array key, with the key of its name and three names.
const KINDS: &[(&str, &str, [&str; 3])] = &[
    ("groups", "group", ["G", "H", "G"]),
    ("tabs", "tab", ["T", "U", "V"]),
    ("anchors", "anchor", ["A", "B", "C"]),
    ("dropdowns", "dropdown", ["D", "E", "F"]),
    ("products", "product", ["P", "Q", "R"]),
    ("versions", "version", ["v1", "v2", "v3"]),
    ("languages", "language", ["en", "es", "fr"]),
    ("menu", "item", ["I", "J", "K"]),
];

fn entry() -> impl Strategy<Value = Value> {
    prop::sample::select(ENTRIES).prop_map(|entry| json!(entry))
}

/// Settings of elements.
fn settings() -> impl Strategy<Value = Map<String, Value>> {
    let settings = vec![
        json!({"hidden": true}),
        json!({"hidden": false}),
        json!({"default": true}),
        json!({"searchable": true}),
        json!({"public": true}),
        json!({"public": false}),
        json!({"boost": 1.5}),
        json!({"directory": "card"}),
        json!({"directory": "none"}),
        json!({"expanded": true}),
        json!({"root": "a"}),
        json!({"root": "b/c"}),
        json!({"root": "gone"}),
        json!({"tag": "new"}),
        json!({"icon": "book"}),
        json!({"openapi": "api.json"}),
        json!({"openapi": ["api.json", "gone.json"]}),
        json!({"openapi": {"source": "api.json", "directory": "ref"}}),
        json!({"version": "9"}),
        json!({"global": {"anchors": [{"anchor": "L", "href": "/a"}]}}),
    ];
    prop::collection::vec(prop::sample::select(settings), 0..3).prop_map(|all| {
        let mut out = Map::new();
        for item in all {
            out.extend(item.as_object().cloned().unwrap_or_default());
        }
        out
    })
}

/// Content of an element or of the root.
fn content() -> impl Strategy<Value = Map<String, Value>> {
    let pages = prop::collection::vec(entry(), 0..5)
        .prop_map(|pages| Map::from_iter([("pages".to_owned(), Value::Array(pages))]));
    let link = prop::sample::select(vec!["/a", "https://x.org", "b", "#x"])
        .prop_map(|href| Map::from_iter([("href".to_owned(), json!(href))]));
    let leaf = prop_oneof![6 => pages, 1 => link, 1 => Just(Map::new())];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let one = (inner.clone(), settings());
        let elements = (
            prop::sample::select(KINDS),
            prop::collection::vec(one, 1..4),
        )
            .prop_map(|((key, name_key, names), inner)| {
                let all = inner
                    .into_iter()
                    .zip(names)
                    .map(|((content, settings), name)| {
                        let mut element = settings;
                        element.extend(content);
                        element.insert((*name_key).to_owned(), json!(name));
                        Value::Object(element)
                    });
                Map::from_iter([((*key).to_owned(), all.collect())])
            });
        let nested = (prop::collection::vec(entry(), 0..3), inner, settings()).prop_map(
            |(mut pages, content, settings)| {
                let mut group = settings;
                group.extend(content);
                group.insert("group".to_owned(), json!("N"));
                pages.insert(pages.len() / 2, Value::Object(group));
                Map::from_iter([("pages".to_owned(), Value::Array(pages))])
            },
        );
        prop_oneof![3 => elements, 1 => nested]
    })
}

fn redirects() -> impl Strategy<Value = Value> {
    let part = prop::sample::select(vec![
        "a", "b", "c", "x y", ":x", ":x*", "*", "v:x", "p-*", "%41", ":y+", "old",
    ]);
    let path = prop::collection::vec(part, 0..4).prop_map(|parts| format!("/{}", parts.join("/")));
    let ends = prop::sample::select(vec!["", "#top", "?q=1", "/"]);
    let to = (path.clone(), ends).prop_map(|(path, end)| path + end);
    prop::collection::vec((path, to, any::<bool>()), 0..8).prop_map(|all| {
        let one = |(source, destination, permanent)| {
            json!({"source": source, "destination": destination, "permanent": permanent})
        };
        Value::Array(all.into_iter().map(one).collect())
    })
}

fn repository() -> impl Strategy<Value = Vec<(String, String)>> {
    let front = prop::collection::vec(prop::sample::select(FRONT), PAGES.len());
    let present = prop::collection::vec(prop::bool::weighted(0.8), PAGES.len());
    (
        content(),
        settings(),
        redirects(),
        front,
        present,
        any::<bool>(),
    )
        .prop_map(|(content, settings, redirects, front, present, all)| {
            let mut navigation = settings;
            navigation.extend(content);
            let config = json!({
                "theme": "svc", "name": "T", "colors": {"primary": "#000000"},
                "navigation": navigation, "redirects": redirects,
                "seo": {"indexing": if all { "all" } else { "navigable" }},
            });
            let mut files = vec![
                ("docs.json".to_owned(), config.to_string()),
                ("api.json".to_owned(), SPEC.to_owned()),
            ];
            for ((page, front), present) in PAGES.iter().zip(front).zip(present) {
                if present {
                    files.push((
                        format!("{page}.mdx"),
                        format!("---\n{front}\n---\n\nText.\n"),
                    ));
                }
            }
            files
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_repositories_satisfy_the_invariants(files in repository()) {
        let tree = SourceTree::from_files(files);
        prop_assert!(laws::check(&tree).is_some());
    }

    #[test]
    fn mutated_configurations_satisfy_the_invariants(
        files in repository(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{}\",:a/é*0-9]{0,3}"), 1..4),
    ) {
        let mut files = files;
        for (at, text) in cuts {
            let docs = &mut files[0].1;
            let mut from = at.index(docs.len().max(1));
            while !docs.is_char_boundary(from) {
                from -= 1;
            }
            let to = (from + 1..=docs.len()).find(|at| docs.is_char_boundary(*at)).unwrap_or(from);
            docs.replace_range(from..to, &text);
        }
        laws::check(&SourceTree::from_files(files));
    }
}

#[test]
fn real_sites_satisfy_the_invariants() {
    for site in ["mcp", "fastmcp", "trigger", "polar", "mintlify"] {
        let Some(root) = svc_test_support::reference_path(&format!("corpus/sites/{site}")) else {
            continue;
        };
        let tree = svc_source::load(&root, &svc_source::LoadOptions::default());
        let tree = tree.expect("the site can be read").value;
        let resolved = laws::check(&tree).expect("it has a docs.json");
        assert!(resolved.value.routes.len() > 100, "{site}");
    }
}
