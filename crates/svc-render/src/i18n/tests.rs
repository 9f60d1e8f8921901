//! Tests that all languages are complete and that pages contain only their own language.

#![expect(clippy::print_stdout, reason = "measured tests say what they found")]

use std::collections::BTreeSet;
use std::sync::Arc;

use svc_config::LANGUAGE_CODES;
use svc_openapi::ApiCatalog;
use svc_source::SourceTree;

use super::{LANGUAGES, Messages, messages, split_placeholder};
use crate::article::render_article;
use crate::code::Highlighter;
use crate::ctx::{RenderContext, RenderOptions};
use crate::sign_in::{SignInFailure, SignInForm, SignInService};

/// Name and text of each field.
fn fields(texts: &Messages) -> Vec<(String, String)> {
    let all = format!("{texts:#?}");
    let lines = all
        .lines()
        .filter_map(|line| line.trim().split_once(": \""));
    lines
        .map(|(name, text)| (name.to_owned(), text.trim_end_matches("\",").to_owned()))
        .collect()
}

/// The fields whose texts are in pages; the messages of the playground and of the marks of changes
/// are loaded by scripts.
fn fields_of_pages(texts: &Messages) -> Vec<(String, String)> {
    let lines = format!("{:#?}{:#?}", texts.playground, texts.change_marks);
    let count = lines.lines().filter(|line| line.contains(": ")).count();
    let mut all = fields(texts);
    all.truncate(all.len() - count);
    all
}

#[test]
fn every_supported_language_has_messages() {
    let english = messages(Some("en"));
    for code in LANGUAGE_CODES.iter().filter(|code| **code != "en") {
        assert_ne!(messages(Some(code)), english, "{code}");
    }
    assert_eq!(messages(None), english);
    assert_eq!(messages(Some("tlh")), english);
}

#[test]
fn language_files_have_exactly_the_keys_of_the_english_one() {
    for (codes, json) in LANGUAGES {
        let decoded: Result<Messages, _> = serde_json::from_str(json);
        assert!(decoded.is_ok(), "{}.json: {decoded:?}", codes[0]);
    }
}

#[test]
fn every_language_file_is_listed_by_its_first_code() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/i18n");
    let entries = std::fs::read_dir(dir).expect("the directory exists");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("it is readable").file_name())
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned()))
        .collect();
    files.sort();
    let mut list: Vec<_> = LANGUAGES.iter().map(|(codes, _)| codes[0]).collect();
    list.sort_unstable();
    assert_eq!(list, files);
}

#[test]
fn every_code_of_a_language_file_is_a_code_of_docs_json() {
    let codes: Vec<_> = LANGUAGES.iter().flat_map(|(codes, _)| *codes).collect();
    let all: BTreeSet<_> = codes.iter().copied().collect();
    assert_eq!(codes.len(), all.len(), "a code is listed twice");
    assert_eq!(all, LANGUAGE_CODES.iter().collect());
}

#[test]
fn messages_are_not_empty_have_no_markup_and_have_the_same_placeholders() {
    let english = fields(messages(None));
    assert!(english.len() > 70, "{}", english.len());
    for code in LANGUAGE_CODES {
        for ((name, text), (_, model)) in fields(messages(Some(code))).iter().zip(&english) {
            assert!(!text.trim().is_empty(), "{code}: {name}");
            assert_eq!(text.trim(), text, "{code}: {name}");
            assert!(!text.contains(['<', '>', '&']), "{code}: {name}: {text}");
            assert_eq!(
                text.matches("{}").count(),
                model.matches("{}").count(),
                "{code}: {name}"
            );
        }
    }
}

#[test]
fn most_texts_of_a_language_differ_from_english() {
    let english = fields(messages(None));
    for code in LANGUAGE_CODES.iter().filter(|code| **code != "en") {
        let own = fields(messages(Some(code)));
        let same = own
            .iter()
            .zip(&english)
            .filter(|(own, model)| own == model)
            .count();
        // Some messages are the same in both languages: `Version`, `Code`, `Info`.
        assert!(same <= 12, "{code}: {same} texts are English");
    }
}

#[test]
fn placeholders_can_be_anywhere_in_a_message() {
    assert_eq!(split_placeholder("{} göster"), ("", " göster"));
    assert_eq!(split_placeholder("Show {}"), ("Show ", ""));
    assert_eq!(split_placeholder("Copy"), ("Copy", ""));
}

const DOCS: &str = r##"{
  "theme": "svc", "name": "Xyz", "colors": {"primary": "#112233"},
  "styling": {"eyebrows": "breadcrumbs"}, "integrations": {"cookies": {}, "fathom": {"siteId": "A"}}, "redirects": [{"source": "/mcp", "destination": "https://a.b/mcp"}],
  "contextual": {"options": ["copy", "view", "download-pdf", "download-spec", "claude", "mcp", "add-mcp", "cursor"]}, "navigation": {"languages": [
    {"language": "fr", "banner": {"content": "Bonjour", "dismissible": true}, "tabs": [
      {"tab": "Un", "groups": [{"group": "Gr", "pages": ["fr/a", "fr/b", "fr/c"]}, {"group": "Api", "openapi": "o.json"}]},
      {"tab": "Deux", "pages": ["fr/d"]}]},
    {"language": "en", "pages": ["en/a"]}]}
}"##;

const PAGE: &str = r#"---
title: Titre
timestamp: true
lastUpdatedDate: "2026-03-05"
deprecated: true
rss: true
related: [{Lien: /fr/b}]
---
## Partie

<Note>mot</Note> <Tip>mot</Tip> <Warning>mot</Warning> <Info>mot</Info> <Check>mot</Check>
<Danger>mot</Danger>

<Expandable>mot</Expandable>

<ParamField query="q" type="string" default="x" required deprecated>mot</ParamField>

<Tabs><Tab title="T">mot</Tab></Tabs>

<Prompt description="mot" actions={["copy", "cursor"]}>mot</Prompt>

<Update label="mot" tags={["mot"]}>mot</Update>

<View title="mot">mot</View>

<View title="Bien">mot</View>

<img src="https://x.test/a.png" alt="mot" actions />

<iframe src="https://x.test/" />

```mermaid actions={true}
sequenceDiagram
  mot->>mot: mot
```

<RequestExample>
```
mot
```
```
mot
```
</RequestExample>

## [Lien](/fr/b)

| a | b |
|---|---|
| 1 | 2 |

Texte[^1]

[^1]: mot
"#;

const OTHER: &str = "---
title: Titre
---
## Partie

<CodeGroup>
```
mot
```
</CodeGroup>

## Deux

```txt expandable
1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14
```
";

/// A page whose operation is missing.
const LOST: &str = "---
title: Titre
openapi: GET /y
---
";

const API: &str = r##"{
  "openapi": "3.1.0", "info": {"title": "T", "version": "1"},
  "servers": [{"url": "https://a.b"}],
  "paths": {"/x/{p}": {"post": {
    "summary": "Faire", "operationId": "x",
    "security": [{"a": []}, {"b": []}, {}],
    "parameters": [
      {"name": "p", "in": "path", "required": true, "schema": {"type": "string", "enum": ["u"]}},
      {"name": "q", "in": "query", "deprecated": true, "schema": {"type": "string", "default": "v", "example": "w"}},
      {"name": "l", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}},
      {"name": "h", "in": "header", "schema": {"type": "string"}},
      {"name": "c", "in": "cookie", "schema": {"type": "string"}}],
    "requestBody": {"content": {
      "application/json": {"schema": {"type": "object", "properties": {
        "r": {"type": "string", "readOnly": true},
        "n": {"$ref": "#/components/schemas/N"}, "o": {"oneOf": [{"title": "U", "type": "object", "properties": {"k": {"type": "string"}}}, {"title": "D", "type": "string"}]},
        "l": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}}}}}},
      "text/plain": {"schema": {"type": "string"}}}},
    "responses": {"200": {"description": "Bien", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/N"}}}, "links": {"Lien": {"operationId": "Texte"}}},
      "201": {"description": "Bien", "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/N"}}}}}},
    "callbacks": {"k": {"{$request.body#/u}": {"post": {"responses": {"200": {"description": "Bien"}}}}}}
  }}},
  "components": {
    "schemas": {"N": {"type": "object", "properties": {"n": {"$ref": "#/components/schemas/N"}, "s": {"type": "string", "writeOnly": true}, "i": {"type": "string", "readOnly": true}}}},
    "securitySchemes": {"a": {"type": "mutualTLS"}, "b": {"type": "http", "scheme": "bearer"}}}
}"##;

/// All pages of the French site.
fn french_pages() -> Vec<(String, String)> {
    let mut files = vec![
        ("docs.json".to_owned(), DOCS.to_owned()),
        ("o.json".to_owned(), API.to_owned()),
    ];
    for name in ["fr/a", "fr/b", "fr/c", "fr/d", "en/a"] {
        let text = match name {
            "fr/b" => OTHER,
            "fr/c" => LOST,
            _ => PAGE,
        };
        files.push((format!("{name}.mdx"), text.to_owned()));
    }
    let tree = SourceTree::from_files(files);
    let file = tree.text("docs.json").expect("it was added").clone();
    let config = svc_config::parse(&file, &|path| tree.text(path).cloned()).value;
    let config = config.expect("it is an object");
    let pages = svc_source::pages(&tree).value;
    let document = svc_openapi::parse(tree.text("o.json").expect("it was added")).value;
    let catalog = ApiCatalog::new(document.into_iter().collect());
    let site_map = svc_nav::resolve(&config, &pages, &catalog).value;
    let highlighter = Highlighter::default();
    let cache = crate::DiagramCache::new();
    let section = crate::SourceSection {
        id: "partie".to_owned(),
        title: "Partie".to_owned(),
    };
    let outdated = crate::OutdatedTranslation {
        source: "/en/a".to_owned(),
        sections: vec![section],
    };
    let metadata = crate::SiteMetadata {
        outdated: Arc::new([("fr/a.mdx".to_owned(), outdated)].into()),
        ..crate::SiteMetadata::default()
    };
    let options = RenderOptions {
        site: crate::SiteOptions {
            integrations: true,
            ..crate::SiteOptions::default()
        },
        metadata: Arc::new(metadata),
        ..RenderOptions::default()
    };
    let cx = RenderContext {
        config: &config,
        site_map: &site_map,
        pages: &pages,
        tree: crate::TrackedFiles::new(&tree),
        catalog: &catalog,
        options: &options,
        highlighter: &highlighter,
        diagrams: &cache,
        engine: Some(&crate::LocalEngine),
        reader: crate::Reader::Human,
    };
    let mut out = Vec::new();
    for route in site_map.routes.values() {
        if route.language.as_deref() == Some("fr") {
            let article = render_article(&cx, route).value;
            out.push((route.path.clone(), crate::render_page(&cx, route, &article)));
        }
    }
    let form = SignInForm {
        has_password: true,
        has_name: true,
        ..SignInForm::default()
    };
    let failed = |failure| SignInForm {
        failure: Some(failure),
        ..form
    };
    let services = [SignInService {
        name: "fr".to_owned(),
        url: "/fr".to_owned(),
    }];
    for form in [
        SignInForm::default(),
        SignInForm {
            services: &services,
            ..SignInForm::default()
        },
        failed(SignInFailure::Incomplete),
        failed(SignInFailure::NoAccess),
        failed(SignInFailure::TooManyGroups),
        failed(SignInFailure::Wrong),
        failed(SignInFailure::TooMany),
        SignInForm {
            reader: Some("fr"),
            ..form
        },
    ] {
        let html = crate::sign_in_page(&cx, &["xx", "fr"], &form);
        out.push(("/sign-in".to_owned(), html));
    }
    let near: Vec<_> = site_map
        .routes
        .values()
        .filter(|r| r.path == "/fr/a")
        .collect();
    let language = Some("fr".to_owned());
    let [before, after] = crate::not_found(&cx, language.clone());
    let suggestions = crate::suggestions(&cx, "/fr/b", &near, language.as_deref());
    let page = format!("{before}{}{after}", suggestions.into_string());
    out.push(("404".to_owned(), page));
    if let Some(route) = near.first() {
        out.push(("broken".to_owned(), crate::broken_page(&cx, route, "?")));
    }
    out
}

/// Text that readers can see or hear: text nodes, and attributes with names.
fn shown(html: &str) -> BTreeSet<String> {
    let body = html.split_once("<body").map_or(html, |(_, body)| body);
    let mut out = BTreeSet::new();
    // Code is not translated.
    let mut code = false;
    for part in body.split('<').skip(1) {
        let Some((tag, text)) = part.split_once('>') else {
            continue;
        };
        code = (code || tag.starts_with("pre")) && tag != "/pre";
        if code {
            continue;
        }
        if !text.trim().is_empty() {
            out.insert(text.trim().to_owned());
        }
        for name in [
            "aria-label",
            "title",
            "placeholder",
            "alt",
            "data-hide",
            "data-other",
            "data-failed",
            "data-nothing",
            "data-picture",
            "data-enlarge",
            "data-copied",
            "data-light",
            "data-dark",
            "data-system",
        ] {
            if let Some((_, rest)) = tag.split_once(&format!(" {name}=\"")) {
                out.insert(rest.split('"').next().unwrap_or("").to_owned());
            }
        }
    }
    out
}

/// Text of the site itself, and terms of HTTP, JSON Schema and language names.
const WRITTEN: &[&str] = &[
    "body",
    "mot",
    "Fathom",
    "Api",
    // The group of operations without a tag, which svc-nav names in the language of the page.
    "Référence de l’API",
    // The note for programs at the beginning of a page.
    "For AI agents: every page of this documentation is also available as Markdown, which has the same content in fewer tokens, at its URL with the suffix .md, and all pages are listed with their descriptions in",
    "llms.txt",
    "The Markdown of this page is at",
    // Texts that contain a number.
    "Afficher 3 attributs",
    "Un parmi 2",
    "Bien",
    "Bonjour",
    "Deux",
    "Faire",
    "Lien",
    "Ouvrir dans Cursor",
    "Partie",
    "Texte",
    "Titre",
    "Xyz",
    "English",
    "Français",
    "Esc",
    "Authorization",
    "Bearer token",
    "TLS",
    "mutual TLS",
    "POST",
    "post",
    "cURL",
    "Python",
    "JavaScript",
    "PHP",
    "Java",
    "Ruby",
    "curl",
    "path",
    "query",
    "header",
    "cookie",
    "string",
    "string[]",
    "l=a,b",
    "object",
    "object | string",
    "object[]",
    "enum&lt;string&gt;",
    "text/plain",
    "application/json",
    "https://a.b",
    "Connecter à Cursor",
    "Ouvrir dans Claude",
];

/// Whether a text is a message, with or without a value for its placeholder.
fn same(text: &str, own: &str) -> bool {
    let (before, behind) = own.split_once("{}").unwrap_or((own, ""));
    // A text on its own begins with a capital letter.
    let bare = |text: &str| text.trim().trim_end_matches(':').trim().to_lowercase();
    let part = |part: &str| bare(part) == bare(text);
    // A number or a reason may follow.
    let more = text
        .strip_prefix(own)
        .is_some_and(|rest| rest.chars().count() <= 2);
    more || part(before) || part(behind) || part(own.trim_end_matches(':'))
}

#[test]
fn a_french_page_has_no_english_text_of_the_interface() {
    let pages = french_pages();
    assert!(pages.len() >= 6, "{}", pages.len());
    let french = fields_of_pages(messages(Some("fr")));
    let english = fields_of_pages(messages(None));
    let mut seen = BTreeSet::new();
    let mut all = BTreeSet::new();
    for (path, html) in &pages {
        let shown = shown(html);
        all.extend(shown.iter().cloned());
        for ((name, own), (_, model)) in french.iter().zip(&english) {
            if shown
                .iter()
                .any(|text| text.contains(own.trim_end_matches("{}").trim()))
            {
                seen.insert(name.clone());
            }
            // Some words are the same in both languages, and the HTTP header is called
            // `Authorization`.
            if own != model && name != "authorization" {
                assert!(!shown.contains(model), "{path}: {name}: {model}");
            }
        }
    }
    // Words that are also messages of the playground.
    let playground = &messages(Some("fr")).playground;
    let shared = [
        playground.content_type,
        playground.flow,
        playground.scopes,
        playground.server,
    ];
    let rest: BTreeSet<&String> = all
        .iter()
        .filter(|text| !shared.contains(&text.as_str()))
        .filter(|text| text.contains(char::is_alphabetic) && text.chars().count() > 2)
        // Code, and texts that are followed by content of the site.
        .filter(|text| !text.contains(['{', '\'', '\\']) && !text.contains("--"))
        .filter(|text| !text.starts_with(['"', '/']) && !text.contains("&quot;"))
        .filter(|text| !WRITTEN.contains(&text.as_str()))
        .filter(|text| !french.iter().any(|(_, own)| same(text, own)))
        .collect();
    assert!(rest.is_empty(), "{rest:?}");
    let known: BTreeSet<String> = french.into_iter().map(|(name, _)| name).collect();
    let unseen: Vec<_> = known.difference(&seen).collect();
    println!(
        "{} of {} texts were seen, not {unseen:?}",
        seen.len(),
        known.len()
    );
    // The assistant prompt is encoded in a URL, some texts are on separate pages such as those of MCP
    // tools, the script of the search dialog shows texts that are attributes, and three are around
    // a name.
    assert!(unseen.len() <= 19, "{unseen:?}");
}

#[test]
fn direction_follows_the_language() {
    let pages = french_pages();
    assert!(
        pages
            .iter()
            .all(|(_, html)| html.contains("<html lang=\"fr\" dir=\"ltr\""))
    );
}
