//! Invalid input: where it is reported, and which suggestions are made.

use super::*;

#[test]
fn a_page_in_another_encoding_retains_its_path() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    write("docs.json", CONFIG.as_bytes());
    write("index.mdx", b"Text.\n");
    write("guides/index.mdx", b"Text.\n");
    write(
        "guides/start.mdx",
        b"---\ntitle: Start\n---\n\nText.\n\nA caf\xe9.\n",
    );
    let validation = validate(dir.path(), &LoadOptions::default()).unwrap();
    let reported: Vec<_> = validation
        .diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.location_string(), diagnostic.code.id))
        .collect();
    assert_eq!(
        reported,
        [("guides/start.mdx:7:6".to_owned(), "source-not-utf8")]
    );
    let site = crate::load(dir.path(), &LoadOptions::default())
        .unwrap()
        .value;
    assert!(html(&site, "/guides/start").contains("A café."));
}

#[test]
fn a_similar_path_is_suggested_only_if_it_is_likely() {
    let site = site_of(&[
        (
            "index.mdx",
            "[a](/start) [b](/old/start) [c](/guides/strat) ![d](/images/icn.svg) ![e](/logo.svg)\n\n<Frame>\n  <img alt=\"f\"\n    src=\"/x.jpg\" />\n</Frame>\n",
        ),
        ("guides/start.mdx", "Text.\n"),
        ("guides/index.mdx", "Text.\n"),
        ("images/icon.svg", "<svg/>"),
        ("images/logo.svg", "<svg/>"),
    ]);
    let diagnostics = links::check(&site.value, 1);
    let hints: Vec<(String, &str)> = diagnostics
        .iter()
        .map(|diagnostic| {
            (
                diagnostic.location_string(),
                diagnostic.hint.as_deref().unwrap_or_default(),
            )
        })
        .collect();
    let elsewhere = "add the page, correct the link, or add a redirect";
    let expected = [
        ("index.mdx:1:1", "did you mean `/guides/start`?"),
        ("index.mdx:1:13", elsewhere),
        ("index.mdx:1:29", "did you mean `/guides/start`?"),
        ("index.mdx:1:48", "did you mean `/images/icon.svg`?"),
        ("index.mdx:1:70", "did you mean `/images/logo.svg`?"),
        ("index.mdx:5:5", "add the file, or correct the path"),
    ];
    assert_eq!(
        hints,
        expected.map(|(location, hint)| (location.to_owned(), hint))
    );
}

#[test]
fn quotation_marks_of_fragments_need_not_match() {
    let site = site_of(&[
        (
            "index.mdx",
            "## What does “holding period” mean?\n\n[a](#what-does-\"holding-period\"-mean) [b](#what-does-holding-period-mean) [c](#what-does-it-mean)\n",
        ),
        ("guides/start.mdx", "Text.\n"),
        ("guides/index.mdx", "Text.\n"),
    ]);
    let diagnostics = links::check(&site.value, 1);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert!(diagnostics[0].message.contains("it-mean"));
}

#[test]
fn redirects_to_missing_pages_are_reported() {
    let config = CONFIG.replace(
        r#"{"source": "/old", "destination": "/guides/start"}"#,
        r##"{"source": "/old", "destination": "/guides/strat#a"}, {"source": "/b", "destination": "/a.png"},
        {"source": "/c", "destination": "/old"}, {"source": "/d/:x", "destination": "/guides/:x"}, {"source": "/e", "destination": "https://a.test/b"}"##,
    );
    let site = site_of(&[
        ("docs.json", &config),
        ("index.mdx", "Text.\n"),
        ("guides/start.mdx", "Text.\n"),
        ("guides/index.mdx", "Text.\n"),
        ("a.png", "not really"),
    ]);
    let diagnostics = links::check(&site.value, 1);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(diagnostics[0].code.id, "redirect-broken");
    assert_eq!(
        diagnostics[0].pointer.as_deref(),
        Some("/redirects/0/destination")
    );
    assert_eq!(
        diagnostics[0].hint.as_deref(),
        Some("did you mean `/guides/start`?")
    );
}

#[test]
fn links_in_descriptions_are_located_in_the_document() {
    let document = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      x-svc:\n        content: |\n          Words.\n\n          See [there](/nowhere) and <Crad />.\n";
    let site = site_of(&[
        (
            "docs.json",
            &CONFIG.replace(
                r#""navigation": {"groups": ["#,
                r#""navigation": {"groups": [{"group": "API", "openapi": "api.yaml"}, "#,
            ),
        ),
        ("index.mdx", "Text.\n"),
        ("guides/start.mdx", "Text.\n"),
        ("guides/index.mdx", "Text.\n"),
        ("api.yaml", document),
    ]);
    let mut diagnostics = site.value.page_diagnostics(1);
    diagnostics.extend(links::check(&site.value, 1));
    let locations: Vec<(String, &str)> = diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.location_string(), diagnostic.code.id))
        .collect();
    assert!(
        locations.contains(&("api.yaml:10:15".to_owned(), "link-broken")),
        "{locations:?}"
    );
    assert!(
        locations
            .iter()
            .any(|(location, code)| location.starts_with("api.yaml:10:")
                && *code == "component-unknown"),
        "{locations:?}"
    );
}
