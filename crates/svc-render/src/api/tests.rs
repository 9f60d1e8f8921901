//! Requests beside an endpoint follow the settings of the site.

use crate::testing::site;

const PETS: &str = r#"//- /pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
 "paths": {"/pets": {"post": {"summary": "Add", "x-codeSamples": [{"lang": "bash", "label": "By hand", "source": "pets add"}],
   "parameters": [{"name": "note", "in": "query", "schema": {"type": "string"}, "example": "soon"}, {"name": "key", "in": "query", "required": true, "schema": {"type": "string"}, "example": "k1"}],
   "requestBody": {"content": {"application/json": {"schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "example": "Rex"}, "age": {"type": "integer", "example": 7}}}}}},
   "responses": {"200": {"description": "ok"}}}}}}
"#;

/// The text of the page of the operation, and of one that is described by hand, on a site with such
/// examples.
fn page(examples: &str, body: &str) -> String {
    let files = format!(
        "{PETS}//- /docs.json\n{{\"theme\": \"svc\", \"name\": \"T\", \"colors\": {{\"primary\": \"#112233\"}}, \"api\": {{\"examples\": {examples}, \"mdx\": {{\"server\": \"https://hand.test/v1\"}}}}, \"navigation\": {{\"pages\": [\"a\", \"b\"]}}}}\n//- /a.mdx\n---\ntitle: A\nopenapi: POST /pets\n---\n{body}\n//- /b.mdx\n---\ntitle: B\napi: PUT /things/{{id}}\n---\n<ParamField path=\"id\" placeholder=\"t1\" />\n<ParamField body=\"size\" type=\"integer\" placeholder=\"5\" />\n{body}\n"
    );
    let text = |path: &str| crate::markdown::strip_tags(&site(&files, path).html);
    format!("{}\nby hand: {}", text("/a"), text("/b"))
}

/// Where some words stand, in order.
fn places(html: &str, words: &[&str]) -> Vec<usize> {
    words
        .iter()
        .map(|word| {
            html.find(word)
                .unwrap_or_else(|| panic!("{word} in {html}"))
        })
        .collect()
}

#[test]
fn requests_are_shown_in_the_languages_of_the_site() {
    // spec: view.api.examples accepts
    let html = page(r#"{"languages": ["go", "curl", "py", "nonsense"]}"#, "");
    // The sample of the author comes first and takes the place of the one in its language.
    let found = places(&html, &["pets add", "http.NewRequest", "import requests"]);
    assert!(found.is_sorted(), "{found:?}");
    let operation = html.split("by hand").next().unwrap_or_default();
    assert!(!operation.contains("--request POST"), "{operation}");
    assert!(html.contains("soon") && html.contains("Rex"));
    let usual = page("{}", "");
    places(
        &usual,
        &["import requests", "fetch", "net/http", "Net::HTTP"],
    );
}

#[test]
fn optional_values_are_left_out_when_asked() {
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
fn nothing_is_made_where_the_site_or_the_page_has_its_own() {
    let html = page(r#"{"autogenerate": false}"#, "");
    assert!(
        html.contains("pets add") && !html.contains("import requests"),
        "{html}"
    );
    let own = "<RequestExample>\n```bash Own\nown request\n```\n</RequestExample>";
    let html = page("{}", own);
    assert!(
        html.contains("own request") && html.contains("pets add"),
        "{html}"
    );
    assert!(!html.contains("import requests"), "{html}");
}

#[test]
fn an_endpoint_described_by_hand_has_requests_too() {
    let html = page(r#"{"languages": ["bash", "python"]}"#, "");
    let address = "https://hand.test/v1/things/t1";
    assert!(html.contains(address), "{html}");
    let after = html.split(address).nth(1).unwrap_or_default();
    assert!(after.contains("size"), "{after}");
}
