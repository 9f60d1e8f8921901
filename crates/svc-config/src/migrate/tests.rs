//! Tests of the migration of older files.

use svc_diagnostics::{Severity, SourceFile};

use super::migrate;
use crate::{SiteConfig, parse};

fn new(path: &str, text: &str) -> String {
    migrate(&SourceFile::new(path, text)).value
}

fn notes(path: &str, text: &str) -> Vec<String> {
    let line = |d: svc_diagnostics::Diagnostic| {
        assert!(d.location.is_some() && d.hint.is_some(), "{d:?}");
        format!("{} {}", d.pointer.as_deref().unwrap_or("?"), d.code.id)
    };
    let diagnostics = migrate(&SourceFile::new(path, text)).diagnostics;
    diagnostics.into_iter().map(line).collect()
}

/// The debug form of a configuration without locations.
fn without_locations(site: &SiteConfig) -> String {
    let mut site = site.clone();
    site.file = SourceFile::new("", "");
    let text = format!("{site:#?}");
    let mut out = String::new();
    let mut skipped: Option<usize> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        match skipped {
            Some(depth) if indent > depth => {}
            Some(_) => skipped = None,
            None if line.trim_end().ends_with("Location {") => skipped = Some(indent),
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// Asserts that the new file means the same as the older one, and that a second migration changes
/// nothing.
fn assert_same_site(old: &str) -> String {
    let text = new("mint.json", old);
    let load = |path: &str, text: &str| {
        let checked = parse(&SourceFile::new(path, text), &|_| None);
        without_locations(&checked.value.expect(text))
    };
    let (before, after) = (load("mint.json", old), load("docs.json", &text));
    // The schema is not part of a configuration, and both names of the theme are equal.
    assert_eq!(before, after, "{old}\n{text}");
    assert_eq!(new("docs.json", &text), text);
    let parsed: serde_json::Value = serde_json::from_str(&text).expect(&text);
    assert!(parsed.is_object());
    text
}

#[test]
fn an_older_file_retains_its_order_and_the_form_of_its_values() {
    let old = r##"{
  "$schema": "https://mintlify.com/schema.json",
  "name": "Acme",
  "logo": {"light":  "/l.svg", "dark": "/d.svg"},
  "colors": {
    "primary": "#0055aa",
    "background": { "light": "#fff" }
  },
  "topbarLinks": [
    { "name": "Blog", "url": "https://a.b" }
  ],
  "tabs": [{ "name": "API", "url": "api" }],
  "navigation": [
    {
      "group": "Start",
      "pages": [
        "index", "more"
      ]
    },
    { "group": "Users", "icon": "user", "iconType": "solid", "pages": ["api/users"] }
  ],
  "modeToggle": { "default": "dark" },
  "feedback": { "thumbsRating": true },
  "footerSocials": { "x": "https://x.com/acme" }
}
"##;
    assert_eq!(
        assert_same_site(old),
        r##"{
  "$schema": "https://svc.dev/schema/docs.json",
  "theme": "svc",
  "name": "Acme",
  "logo": {"light":  "/l.svg", "dark": "/d.svg"},
  "colors": {
    "primary": "#0055aa"
  },
  "background": { "color": { "light": "#fff" } },
  "navbar": {
    "links": [
      { "label": "Blog", "href": "https://a.b" }
    ]
  },
  "navigation": {
    "tabs": [
      {
        "tab": "Documentation",
        "groups": [
          {
            "group": "Start",
            "pages": [
              "index", "more"
            ]
          }
        ]
      },
      {
        "tab": "API",
        "groups": [
          { "group": "Users", "icon": { "name": "user", "style": "solid" }, "pages": ["api/users"] }
        ]
      }
    ]
  },
  "appearance": {
    "default": "dark"
  },
  "footer": { "socials": { "x": "https://x.com/acme" } }
}
"##
    );
    assert_eq!(
        notes("mint.json", old),
        ["/feedback config-migrate-dropped"]
    );
}

#[test]
fn every_older_setting_is_equivalent_after_migration() {
    let around = |member: &str| {
        format!(
            "{{\n\t\"name\": \"A\",\n\t\"navigation\": [{{\"group\": \"G\", \"pages\": [\"a\"]}}],\n\t{member}\n}}"
        )
    };
    for member in [
        r#""theme": "venus""#,
        r#""theme": "quill""#,
        r#""theme": "prism""#,
        r#""layout": "sidenav""#,
        r#""layout": "solidSidenav""#,
        r#""layout": "topnav""#,
        r##""colors": { "primary": "#111", "light": "#222", "dark": "#333", "background": { "dark": "#000" } }"##,
        r#""eyebrow": { "display": "breadcrumbs" }"#,
        r#""codeBlock": { "mode": "auto" }"#,
        r#""codeBlock": { "mode": "dark" }"#,
        r#""api": { "baseUrl": "https://a.b", "auth": { "method": "key", "name": "X" } }"#,
        r#""api": { "baseUrl": ["https://a.b", "https://c.d"], "playground": { "mode": "show" } }"#,
        r#""api": { "playground": { "mode": "hide", "disableProxy": true } }"#,
        r#""api": { "playground": { "mode": "simple", "disableProxy": false } }"#,
        r#""api": { "request": { "example": { "languages": ["curl"] } }, "paramFields": { "expanded": "all" } }"#,
        r#""openapi": ["a.json", "b.yaml"]"#,
        r#""topbarLinks": [{ "name": "a", "url": "/a" }, { "type": "github", "url": "https://github.com/a/b" }]"#,
        r#""topbarCtaButton": { "type": "link", "name": "Go", "url": "https://a.b", "arrow": true }"#,
        r#""topbarCtaButton": { "type": "github", "url": "https://github.com/a/b" }"#,
        r#""font": { "family": "A", "weight": 400.50 }"#,
        r#""font": { "headings": { "family": "H", "url": "/h.woff" }, "body": { "family": "B" } }"#,
        r#""footerSocials": [{ "type": "x", "url": "https://x.com/a" }, { "type": "github", "url": "https://github.com/a" }]"#,
        r#""footerSocials": { "x": "https://x.com/a" }"#,
        r#""footer": { "socials": { "x": "https://x.com/a" }, "links": [{ "title": "T", "links": [{ "label": "l", "url": "/x" }] }] }"#,
        r#""modeToggle": { "default": "light", "isHidden": true }"#,
        r#""background": { "style": "grid" }, "backgroundImage": "/b.png""#,
        r#""metadata": { "og:title": "é \" \\ \n" }"#,
        r#""seo": { "indexHiddenPages": true }"#,
        r#""seo": { "indexHiddenPages": false }"#,
        r#""analytics": { "ga4": { "measurementId": "G-1" } }"#,
        r#""redirects": [{ "source": "/a", "destination": "/b" }]"#,
        r#""primaryTab": { "name": "Docs" }, "tabs": [{ "name": "API", "url": "api" }, { "name": "Out", "url": "https://a.b" }]"#,
        r##""anchors": [{ "name": "Chat", "icon": "discord", "iconType": "brands", "url": "https://d.c", "color": "#fff" }]"##,
        r#""anchors": [{ "name": "Section", "url": "a" }]"#,
        r#""unknown": { "x": [1, 2.50, null] }"#,
        r#""search": { "prompt": "Find" }, "variables": { "a": "b" }"#,
    ] {
        assert_same_site(&around(member));
        // On one line, and with the other line ending.
        assert_same_site(&around(member).replace(['\n', '\t'], ""));
        let windows = assert_same_site(&around(member).replace('\n', "\r\n"));
        assert!(!windows.replace("\r\n", "").contains('\n'), "{windows}");
    }
}

#[test]
fn values_of_wrong_types_do_not_stop_the_conversion() {
    for value in [
        "1",
        "null",
        "[]",
        "{}",
        "\"x\"",
        "[1]",
        "[{}]",
        "[[]]",
        "{\"a\":{}}",
    ] {
        for key in [
            "theme",
            "layout",
            "colors",
            "font",
            "topbarLinks",
            "topbarCtaButton",
            "footerSocials",
            "footer",
            "modeToggle",
            "eyebrow",
            "codeBlock",
            "background",
            "backgroundImage",
            "metadata",
            "seo",
            "analytics",
            "api",
            "openapi",
            "tabs",
            "anchors",
            "primaryTab",
            "navigation",
        ] {
            assert_same_site(&format!(
                "{{\n  \"name\": \"A\",\n  \"{key}\": {value}\n}}\n"
            ));
        }
    }
}

#[test]
fn settings_without_counterpart_are_reported() {
    let text = r##"{"name":"A","layout":"topnav","colors":{"primary":"#000","anchors":{"from":"#111"}},"isWhiteLabeled":true,"sidebar":{},"navigation":[{"group":"G","pages":["a"]}]}"##;
    assert_eq!(
        notes("mint.json", text),
        [
            "/layout config-migrate-dropped",
            "/colors/anchors config-migrate-dropped",
            "/isWhiteLabeled config-migrate-dropped"
        ]
    );
}

#[test]
fn a_reference_is_retained_and_reported() {
    let text = r#"{"name":"A","navigation":{"$ref":"n.json"}}"#;
    assert_eq!(
        notes("mint.json", text),
        ["/navigation config-migrate-reference"]
    );
    assert!(new("mint.json", text).contains(r#""navigation":{"$ref":"n.json"}"#));
}

#[test]
fn docs_json_gets_svc_names_and_nothing_else_changes() {
    let text =
        "{ \"theme\" :\"mint\",\n\n\"$schema\": \"https://mintlify.com/docs.json\", \"x\":[1 ,2] }";
    assert_eq!(
        new("docs/docs.json", text),
        "{ \"theme\" :\"svc\",\n\n\"$schema\": \"https://svc.dev/schema/docs.json\", \"x\":[1 ,2] }"
    );
    let json = r#"{"theme":"maple","$schema":"https://example.com/docs.json"}"#;
    assert_eq!(new("docs.json", json), json);
}

#[test]
fn the_extension_key_is_renamed_in_json_and_yaml() {
    for (path, old, expected) in [
        (
            "a.json",
            r#"{"openapi":"3.1.0","x-mint":{"x":"x-mint"},"p":[{"x-mint":1}]}"#,
            r#"{"openapi":"3.1.0","x-svc":{"x":"x-mint"},"p":[{"x-svc":1}]}"#,
        ),
        (
            "a.yaml",
            "openapi: 3.1.0 # x-mint\nx-mint:\n  content: x-mint\npaths:\n  /a:\n    get: &g\n      'x-mint': {href: /a}\n    put: *g\n",
            "openapi: 3.1.0 # x-mint\nx-svc:\n  content: x-mint\npaths:\n  /a:\n    get: &g\n      'x-svc': {href: /a}\n    put: *g\n",
        ),
        ("a.yml", "x-minty: 1\n", "x-minty: 1\n"),
    ] {
        assert_eq!(new(path, old), expected);
        assert_eq!(new(path, expected), expected);
    }
    let both = r#"{"x-mint":1,"x-svc":2}"#;
    assert_eq!(new("a.json", both), both);
    let diagnostics = migrate(&SourceFile::new("a.json", both)).diagnostics;
    assert_eq!(diagnostics[0].code.id, "config-migrate-both");
}

#[test]
fn a_file_with_errors_is_unchanged_and_reported() {
    for (path, text) in [
        ("mint.json", "{\"name\": \"A\", \"navigation\": ["),
        ("mint.json", "[]"),
        ("docs.json", "{\"theme\": \"mint\" \"name\": 1}"),
        ("a.yaml", "x-mint: [\n"),
        ("mint.json", ""),
    ] {
        let checked = migrate(&SourceFile::new(path, text));
        assert_eq!(checked.value, text);
        let is_reported = checked.has(Severity::Error) || text == "[]";
        assert!(is_reported, "{path} {text}");
    }
}
