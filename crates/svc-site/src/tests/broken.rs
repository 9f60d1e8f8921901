//! What is broken, where it is reported, and what is guessed.

use super::*;

#[test]
fn a_page_in_another_encoding_keeps_its_address() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
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
    let found = validate(folder.path(), &LoadOptions::default()).unwrap();
    let told: Vec<_> = found
        .diagnostics
        .iter()
        .map(|found| (found.location_string(), found.code.id))
        .collect();
    assert_eq!(
        told,
        [("guides/start.mdx:7:6".to_owned(), "source-not-utf8")]
    );
    let site = crate::load(folder.path(), &LoadOptions::default())
        .unwrap()
        .value;
    assert!(html(&site, "/guides/start").contains("A café."));
}

#[test]
fn what_a_broken_link_means_is_guessed_only_where_it_is_likely() {
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
    let found = links::check(&site.value, 1);
    let hints: Vec<(String, &str)> = found
        .iter()
        .map(|found| {
            (
                found.location_string(),
                found.hint.as_deref().unwrap_or_default(),
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
        expected.map(|(place, hint)| (place.to_owned(), hint))
    );
}

#[test]
fn quotation_marks_of_a_heading_need_not_be_those_of_the_link() {
    let site = site_of(&[
        (
            "index.mdx",
            "## What does “holding period” mean?\n\n[a](#what-does-\"holding-period\"-mean) [b](#what-does-holding-period-mean) [c](#what-does-it-mean)\n",
        ),
        ("guides/start.mdx", "Text.\n"),
        ("guides/index.mdx", "Text.\n"),
    ]);
    let found = links::check(&site.value, 1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].message.contains("it-mean"));
}

#[test]
fn redirects_to_nowhere_are_reported() {
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
    let found = links::check(&site.value, 1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].code.id, "redirect-broken");
    assert_eq!(
        found[0].pointer.as_deref(),
        Some("/redirects/0/destination")
    );
    assert_eq!(
        found[0].hint.as_deref(),
        Some("did you mean `/guides/start`?")
    );
}

#[test]
fn links_in_the_texts_of_a_document_have_their_line_there() {
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
    let mut found = site.value.page_diagnostics(1);
    found.extend(links::check(&site.value, 1));
    let places: Vec<(String, &str)> = found
        .iter()
        .map(|found| (found.location_string(), found.code.id))
        .collect();
    assert!(
        places.contains(&("api.yaml:10:15".to_owned(), "link-broken")),
        "{places:?}"
    );
    assert!(
        places
            .iter()
            .any(|(place, code)| place.starts_with("api.yaml:10:") && *code == "component-unknown"),
        "{places:?}"
    );
}
