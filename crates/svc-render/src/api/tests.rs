//! Tests of the samples next to an endpoint (`api.examples`).

use crate::testing::site;

const PETS: &str = r#"//- /pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
 "paths": {"/pets": {"post": {"summary": "Add", "x-codeSamples": [{"lang": "bash", "label": "By hand", "source": "pets add"}],
   "parameters": [{"name": "note", "in": "query", "schema": {"type": "string"}, "example": "soon"}, {"name": "key", "in": "query", "required": true, "schema": {"type": "string"}, "example": "k1"}],
   "requestBody": {"content": {"application/json": {"schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "example": "Rex"}, "age": {"type": "integer", "example": 7}}}}}},
   "responses": {"200": {"description": "ok"}}}}}}
"#;

/// The text of the pages of an operation and of an endpoint described in MDX, on a site with these
/// `api.examples`.
fn page(examples: &str, body: &str) -> String {
    let files = format!(
        "{PETS}//- /docs.json\n{{\"theme\": \"svc\", \"name\": \"T\", \"colors\": {{\"primary\": \"#112233\"}}, \"api\": {{\"examples\": {examples}, \"mdx\": {{\"server\": \"https://hand.test/v1\"}}}}, \"navigation\": {{\"pages\": [\"a\", \"b\"]}}}}\n//- /a.mdx\n---\ntitle: A\nopenapi: POST /pets\n---\n{body}\n//- /b.mdx\n---\ntitle: B\napi: PUT /things/{{id}}\n---\n<ParamField path=\"id\" placeholder=\"t1\" />\n<ParamField body=\"size\" type=\"integer\" placeholder=\"5\" />\n{body}\n"
    );
    let text = |path: &str| crate::html::strip_tags(&site(&files, path).html);
    format!("{}\nby hand: {}", text("/a"), text("/b"))
}

/// Positions of words, in order.
fn spans(html: &str, texts: &[&str]) -> Vec<usize> {
    texts
        .iter()
        .map(|text| {
            html.find(text)
                .unwrap_or_else(|| panic!("{text} in {html}"))
        })
        .collect()
}

#[test]
fn requests_are_shown_in_the_languages_of_the_site() {
    // spec: view.api.examples accepts
    let html = page(r#"{"languages": ["go", "curl", "py", "nonsense"]}"#, "");
    // The author's sample comes first and replaces the generated one of its language.
    let positions = spans(&html, &["pets add", "http.NewRequest", "import requests"]);
    assert!(positions.is_sorted(), "{positions:?}");
    let operation = html.split("by hand").next().unwrap_or_default();
    assert!(!operation.contains("--request POST"), "{operation}");
    assert!(html.contains("soon") && html.contains("Rex"));
    let usual = page("{}", "");
    spans(
        &usual,
        &["import requests", "fetch", "net/http", "Net::HTTP"],
    );
}

#[test]
fn optional_values_are_omitted_if_configured() {
    let html = page(r#"{"defaults": "required", "languages": ["python"]}"#, "");
    let requests = html.split("import requests").nth(1).unwrap_or_default();
    assert!(
        requests.contains("key=k1") && requests.contains("Rex"),
        "{requests}"
    );
    assert!(
        !requests.contains("soon") && !requests.contains("age"),
        "{requests}"
    );
}

#[test]
fn no_samples_are_generated_if_the_site_or_the_page_has_its_own() {
    let html = page(r#"{"autogenerate": false}"#, "");
    assert!(
        html.contains("pets add") && !html.contains("import requests"),
        "{html}"
    );
    let text = "<RequestExample>\n```bash Own\nown request\n```\n</RequestExample>";
    let html = page("{}", text);
    assert!(
        html.contains("own request") && html.contains("pets add"),
        "{html}"
    );
    assert!(!html.contains("import requests"), "{html}");
}

#[test]
fn an_endpoint_described_in_mdx_has_samples() {
    let html = page(r#"{"languages": ["bash", "python"]}"#, "");
    let url = "https://hand.test/v1/things/t1";
    assert!(html.contains(url), "{html}");
    let after = html.split(url).nth(1).unwrap_or_default();
    assert!(after.contains("size"), "{after}");
}

const TEXTS: &str = r##"//- /pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test/v1"}],
 "paths": {"/pets/{id}": {"post": {"summary": "Charge", "description": "<p>To <b>charge</b> a \"pet\" -- now</p>\n\n> [!NOTE]\n> Second text.\n\n<script>alert(1)</script>",
   "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"owner": {"type": "object", "properties": {"name": {"type": "string"}}}}}}}},
   "responses": {"200": {"description": "<p>Ok <b>bold</b></p>"}}}}}}
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "api": {"params": {"expanded": "EXPANDED"}}, "navigation": {"openapi": "pets.json"}}
"##;

#[test]
fn the_first_paragraph_is_the_lead_and_the_rest_follows_the_endpoint() {
    let files = TEXTS.replace("EXPANDED", "closed");
    let html = crate::testing::document(&files, "/api-reference/charge");
    let offsets = spans(
        &html,
        &[
            "<div class=\"svc-lead\"><p>To <b>charge</b> a &quot;pet&quot; -- now</p></div>",
            "class=\"svc-endpoint\"",
            "class=\"svc-callout callout\"",
            "<p>Second text.</p>",
        ],
    );
    assert!(offsets.is_sorted(), "{offsets:?}");
    assert!(!html.contains("alert(1)"), "{html}");
    let text = "To charge a &quot;pet&quot; -- now Second text.";
    for name in ["name=\"description\"", "property=\"og:description\""] {
        let expected = format!("<meta {name} content=\"{text}\">");
        assert!(html.contains(&expected), "{expected} in {html}");
    }
    let data = html.split("application/ld+json").nth(1).unwrap_or_default();
    assert!(
        data.contains(r#""description":"To charge a \"pet\" -- now Second text.""#),
        "{data}"
    );
}

#[test]
fn collapsed_sections_are_open_if_configured() {
    let fold = "<details class=\"svc-api-nested expandable\"";
    for (value, ending) in [("closed", "><summary"), ("all", " open><summary")] {
        let html = site(&TEXTS.replace("EXPANDED", value), "/api-reference/charge").html;
        let section = html.split(fold).nth(1).unwrap_or_default();
        assert!(section.starts_with(ending), "{value}: {html}");
    }
}

#[test]
fn the_bar_shows_the_path_and_copies_the_url() {
    let html = site(TEXTS, "/api-reference/charge").html;
    assert!(
        html.contains("<span class=\"svc-endpoint-server\">https://pets.test/v1</span>/pets/"),
        "{html}"
    );
    let full = TEXTS.replace("\"params\"", "\"url\": \"full\", \"params\"");
    let html = site(&full, "/api-reference/charge").html;
    assert!(html.contains("svc-endpoint-server\" data-full>"), "{html}");
}

#[test]
fn sections_can_be_linked_to() {
    let html = site(&TEXTS.replace("EXPANDED", "all"), "/api-reference/charge").html;
    for id in ["path-parameters", "body", "responses"] {
        let expected = format!("id=\"{id}\"><a href=\"#{id}\">");
        assert!(html.contains(&expected), "{expected} in {html}");
    }
}

#[test]
fn sections_are_in_the_table_of_contents() {
    let files = TEXTS.replace("EXPANDED", "closed");
    let html = crate::testing::document(&files, "/api-reference/charge");
    let (_, contents) = html
        .split_once("svc-toc-small\"")
        .expect("there are contents");
    let (contents, _) = contents.split_once("</details>").expect("they end");
    let links = contents.matches("href=\"#").count();
    assert_eq!(links, 3, "{contents}");
    spans(contents, &["#path-parameters", "#body", "#responses"]);
    // In a single column, the request comes after the endpoint.
    let order = [
        "svc-split-head",
        "svc-endpoint",
        "svc-split-main",
        "svc-split-aside",
    ];
    assert!(spans(&html, &order).is_sorted(), "{html}");
}

#[test]
fn one_button_expands_all_sections() {
    let files = TEXTS.replace("EXPANDED", "closed");
    let html = site(&files, "/api-reference/charge").html;
    let button = "<button type=\"button\" class=\"svc-api-expand\" data-other=\"Collapse all\" hidden>Expand all</button></div>";
    assert_eq!(html.matches(button).count(), 1, "{html}");
    let positions = spans(&html, &["id=\"body\"", button, "svc-api-nested"]);
    assert!(positions.is_sorted(), "{positions:?}");
    let all = site(&TEXTS.replace("EXPANDED", "all"), "/api-reference/charge").html;
    assert!(
        all.contains("data-other=\"Collapse all\" data-open hidden>"),
        "{all}"
    );
    let title = "<summary data-hide=\"Hide attributes\"><span class=\"svc-fold-show\">Show 1 attribute</span></summary>";
    assert!(html.contains(title), "{html}");
}

#[test]
fn values_show_their_rules_and_serialization() {
    let files = r##"//- /pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
 "paths": {"/pets": {"get": {"summary": "List", "parameters": [
   {"name": "fields", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "string", "enum": ["name", "age"], "description": "A field"}}},
   {"name": "matrix", "in": "query", "schema": {"type": "array", "items": {"type": "array", "items": {"type": "integer", "maximum": 91}}}},
   {"name": "range", "in": "query", "style": "deepObject", "schema": {"type": "object", "properties": {"start": {"type": "string"}, "end": {"type": "string"}}}},
   {"name": "sort", "in": "query", "schema": {"type": "string"}, "examples": {"byName": {"summary": "By names", "value": "name:asc"}, "byAge": {"value": "age:desc"}}}],
   "responses": {"200": {"description": "ok", "headers": {"X-Rate": {"schema": {"type": "integer", "minimum": 3}, "example": 4711}}}}}}}}
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"openapi": "pets.json"}}
"##;
    let html = site(files, "/api-reference/list").html;
    for expected in [
        "<span class=\"svc-api-of\">items</span><p>A field</p>",
        "Allowed: <code>name</code> <code>age</code>",
        "sent as <code>fields=name,age</code>",
        "maximum <code>91</code>",
        "sent as <code>range[start]=…&amp;range[end]=…</code>",
        "By names <code>name:asc</code>",
        "byAge <code>age:desc</code>",
        "minimum <code>3</code>",
        "example <code>4711</code>",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}
