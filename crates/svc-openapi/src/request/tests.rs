//! Tests of requests of whole operations, and of their samples.

use serde_json::{Value, json};

use super::{Content, Inputs, Part, Request, Scope, language, request, sample};
use crate::tests::document;
use crate::{ApiDocument, ParameterLocation};

/// The edge case whose file name begins with `number`.
fn edge(number: &str) -> Option<ApiDocument> {
    let dir = svc_test_support::reference_path("oracle/openapi/edge")?;
    let mut files = std::fs::read_dir(dir).expect("the folder can be read");
    let file = files.find_map(|file| {
        let file = file.expect("the entry can be read").path();
        let name = file.file_name()?.to_str()?;
        name.starts_with(number).then_some(file)
    });
    let text = std::fs::read_to_string(file.expect("the case exists")).expect("it can be read");
    Some(document(&text))
}

fn inputs(values: &[(ParameterLocation, &str, Value)]) -> Inputs {
    Inputs {
        server: "https://h.test".to_owned(),
        parameters: values
            .iter()
            .map(|(location, name, value)| ((*location, (*name).to_owned()), value.clone()))
            .collect(),
        ..Inputs::default()
    }
}

#[test]
fn paths_follow_their_styles() {
    let Some(document) = edge("14") else { return };
    let values = inputs(&[
        (ParameterLocation::Path, "m", json!(["a", "b"])),
        (ParameterLocation::Path, "l", json!(["c", "d"])),
        (ParameterLocation::Path, "o", json!({"x": 1, "y": 2})),
    ]);
    let built = request(&document, &document.operations[0], &values);
    assert_eq!(built.url, "https://h.test/p/;m=a;m=b/.c,d/x,1,y,2");
}

#[test]
fn queries_follow_their_styles() {
    let Some(document) = edge("15") else { return };
    let values = inputs(&[
        (ParameterLocation::Query, "f", json!({"a": "x&y"})),
        (ParameterLocation::Query, "s", json!([1, 2])),
        (ParameterLocation::Query, "p", json!([1, 2])),
        (ParameterLocation::Query, "r", json!("a/b?c=d")),
        (ParameterLocation::Query, "d", json!(["a", "b c"])),
    ]);
    let built = request(&document, &document.operations[0], &values);
    let query = "f%5Ba%5D=x%26y&s=1%202&p=1%7C2&r=a/b?c=d&d=a&d=b%20c";
    assert_eq!(built.url, format!("https://h.test/p?{query}"));
}

#[test]
fn a_parameter_with_content_is_sent_as_json() {
    let Some(document) = edge("16") else { return };
    let operation = &document.operations[0];
    let built = request(
        &document,
        operation,
        &Inputs::examples(&document, operation, Scope::All),
    );
    assert_eq!(built.url, "https://h.test/p?filter=%7B%22a%22%3A1%7D");
}

#[test]
fn cookies_and_headers_take_lists() {
    let Some(document) = edge("17") else { return };
    let values = inputs(&[
        (ParameterLocation::Cookie, "c", json!(["a", "b"])),
        (ParameterLocation::Header, "X-L", json!(["a", "b c"])),
    ]);
    let built = request(&document, &document.operations[0], &values);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        built.headers,
        [pair("X-L", "a,b c"), pair("Cookie", "c=a,b")]
    );
}

#[test]
fn the_parts_of_a_form_have_types_and_files() {
    let Some(document) = edge("29") else { return };
    let operation = &document.operations[0];
    let built = request(
        &document,
        operation,
        &Inputs::examples(&document, operation, Scope::All),
    );
    let Content::Multipart(parts) = built.content else {
        panic!("{built:?}");
    };
    let shown: Vec<String> = parts
        .iter()
        .map(
            |Part {
                 name,
                 value,
                 file,
                 content_type,
             }| {
                let kind = content_type.as_deref().unwrap_or("-");
                format!(
                    "{name} {} {kind} {}",
                    if *file { "file" } else { "text" },
                    value.len()
                )
            },
        )
        .collect();
    let names: Vec<String> = shown
        .iter()
        .map(|line| {
            line.rsplit_once(' ')
                .map_or("", |(start, _)| start)
                .to_owned()
        })
        .collect();
    assert_eq!(
        names,
        [
            "meta text application/json",
            "file file image/png",
            "file31 file image/png",
            "many file application/octet-stream",
            "tags text -",
            "b64 text -",
        ]
    );
    assert!(built.headers.is_empty());
}

const SHOP: &str = r#"
openapi: 3.1.0
info: {title: t, version: '1'}
servers: [{url: "https://{region}.h.test/v1/", variables: {region: {default: eu}}}]
security: [{key: [], token: []}]
paths:
  /orders/{id}:
    post:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}, example: "a b"}
        - {name: dry, in: query, schema: {type: boolean}, example: true}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties: {name: {type: string, example: "it's \"$5\""}, tags: {type: array, items: {type: string}}}
      responses: {'200': {description: ok}}
  /form:
    post:
      security: [{basic: []}]
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: {type: object, properties: {a: {type: string, example: "x & y"}, o: {type: object, properties: {k: {type: integer, example: 1}}}}}
            encoding: {o: {style: deepObject, explode: true}}
      responses: {'200': {description: ok}}
  /xml:
    put:
      security: [{}]
      requestBody:
        content:
          application/xml:
            schema: {$ref: '#/components/schemas/Book'}
      responses: {'200': {description: ok}}
components:
  securitySchemes:
    key: {type: apiKey, in: query, name: api_key}
    token: {type: http, scheme: bearer, x-default: abc}
    basic: {type: http, scheme: basic}
  schemas:
    Book:
      type: object
      properties:
        id: {type: integer, example: 7, xml: {attribute: true}}
        title: {type: string, example: "A < B", xml: {prefix: b, namespace: "urn:books"}}
        authors: {type: array, example: [x, y], xml: {wrapped: true}, items: {type: string, xml: {name: author}}}
"#;

fn shop(path: &str, scope: Scope) -> Request {
    let document = document(SHOP);
    let operation = document
        .operations
        .iter()
        .find(|operation| operation.path == path);
    let operation = operation.expect("the operation exists");
    request(
        &document,
        operation,
        &Inputs::examples(&document, operation, scope),
    )
}

#[test]
fn servers_security_and_bodies_come_together() {
    let built = shop("/orders/{id}", Scope::All);
    assert_eq!(built.method, "POST");
    assert_eq!(
        built.url,
        "https://eu.h.test/v1/orders/a%20b?dry=true&api_key=<api-key>"
    );
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        built.headers,
        [
            pair("Authorization", "Bearer abc"),
            pair("Content-Type", "application/json")
        ]
    );
    assert_eq!(
        built.content,
        Content::Json(json!({"name": "it's \"$5\"", "tags": ["<string>"]}))
    );
}

#[test]
fn only_required_values_on_request() {
    let built = shop("/orders/{id}", Scope::Required);
    assert_eq!(
        built.url,
        "https://eu.h.test/v1/orders/a%20b?api_key=<api-key>"
    );
    assert_eq!(built.content, Content::Json(json!({"name": "it's \"$5\""})));
}

#[test]
fn forms_are_escaped_and_follow_their_encoding() {
    let built = shop("/form", Scope::All);
    assert_eq!(built.content.text(), "a=x%20%26%20y&o%5Bk%5D=1");
    assert_eq!(built.headers[0].1, "Basic <base64 of username:password>");
}

#[test]
fn xml_has_attributes_wrappers_and_prefixes() {
    let built = shop("/xml", Scope::All);
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<Book id=\"7\">
  <b:title xmlns:b=\"urn:books\">A &lt; B</b:title>
  <authors>
    <author>x</author>
    <author>y</author>
  </authors>
</Book>";
    assert_eq!(built.content.text(), expected);
}

#[test]
fn a_password_is_encoded() {
    let document = document(SHOP);
    let operation = &document.operations[1];
    let mut values = Inputs::examples(&document, operation, Scope::All);
    values
        .credentials
        .insert("basic".to_owned(), "user:pass?".to_owned());
    let built = request(&document, operation, &values);
    assert_eq!(built.headers[0].1, "Basic dXNlcjpwYXNzPw==");
}

fn text(name: &str, request: &Request) -> String {
    let language = language(name).expect("the language is known");
    sample(language, request)
        .into_iter()
        .map(|token| token.text)
        .collect()
}

#[test]
fn curl_is_quoted_for_the_shell() {
    let expected = r#"curl --request POST \
  --url 'https://eu.h.test/v1/orders/a%20b?dry=true&api_key=<api-key>' \
  --header 'Authorization: Bearer abc' \
  --header 'Content-Type: application/json' \
  --data-raw '{
  "name": "it'\''s \"$5\"",
  "tags": [
    "<string>"
  ]
}'"#;
    assert_eq!(text("curl", &shop("/orders/{id}", Scope::All)), expected);
}

#[test]
fn python_gets_a_native_payload() {
    let expected = r#"import requests

url = "https://eu.h.test/v1/orders/a%20b?dry=true&api_key=<api-key>"
headers = {
    "Authorization": "Bearer abc",
    "Content-Type": "application/json",
}
payload = {
    "name": "it's \"$5\"",
    "tags": [
        "<string>"
    ]
}

response = requests.request("POST", url, headers=headers, json=payload)

print(response.text)"#;
    assert_eq!(text("PY", &shop("/orders/{id}", Scope::All)), expected);
}

#[test]
fn scripts_send_large_integers_as_text() {
    for (number, is_exact) in [
        ("9007199254740991", true),
        ("-9007199254740991", true),
        ("1e20", true),
        ("9007199254740992", false),
        ("-9007199254740992", false),
        ("18446744073709551615", false),
        ("-9223372036854775808", false),
    ] {
        let mut request = shop("/orders/{id}", Scope::All);
        let body = format!("{{\"list\": [{{\"id\": {number}}}]}}");
        request.content = Content::Json(serde_json::from_str(&body).expect("it is JSON"));
        let raw = format!("  body: `{}`,\n", request.content.text());
        for name in ["javascript", "typescript", "node"] {
            let text = text(name, &request);
            assert_eq!(text.contains("JSON.stringify({"), is_exact, "{text}");
            assert_eq!(text.contains(&raw), !is_exact, "{text}");
        }
        // Python integers have arbitrary precision.
        assert!(text("python", &request).contains("json=payload"));
    }
}

#[test]
fn parts_of_a_form_retain_their_types() {
    let document = document(
        r##"
openapi: 3.1.0
info: {title: t, version: '1'}
servers: [{url: 'https://a.test'}]
paths:
  /a:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: {type: object, properties: {meta: {type: object, properties: {a: {type: integer, example: 1}}}, note: {type: string, example: hi}, file: {type: string, format: binary}}}
            encoding: {meta: {contentType: application/json}}
      responses: {'200': {description: ok}}
"##,
    );
    let operation = &document.operations[0];
    let inputs = Inputs::examples(&document, operation, Scope::All);
    let built = request(&document, operation, &inputs);
    let php = text("php", &built);
    for expected in [
        r#". 'form-data; name="meta"' . "\r\n";"#,
        r#"$body .= "Content-Type: " . 'application/json' . "\r\n";"#,
        r#"file_get_contents('file.bin')"#,
        r#""Content-Type: multipart/form-data; boundary=$boundary","#,
        "CURLOPT_POSTFIELDS => $body,",
    ] {
        assert!(php.contains(expected), "{expected} in {php}");
    }
    let ruby = text("ruby", &built);
    for expected in [
        r#"body << "Content-Type: " << 'application/json' << "\r\n""#,
        "File.binread('file.bin')",
        r#"request["Content-Type"] = "multipart/form-data; boundary=#{boundary}""#,
        "request.body = body",
        "require \"securerandom\"",
    ] {
        assert!(ruby.contains(expected), "{expected} in {ruby}");
    }
    assert!(!ruby.contains("set_form"), "{ruby}");
}

#[test]
fn every_language_has_all_parts_of_a_request() {
    for language in super::LANGUAGES {
        for path in ["/orders/{id}", "/form", "/xml"] {
            let request = shop(path, Scope::All);
            let text = text(language.name, &request);
            assert!(!text.contains("{{"), "{}: {text}", language.name);
            assert!(text.contains("h.test/v1"), "{}: {text}", language.name);
            let method = &request.method;
            assert!(text.contains(method.as_str()), "{}: {text}", language.name);
        }
    }
}

#[test]
fn names_and_aliases_of_languages_are_different() {
    let mut names: Vec<&str> = super::LANGUAGES
        .iter()
        .flat_map(|language| language.aliases.iter().copied().chain([language.name]))
        .collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn empty_fields_have_readable_placeholders() {
    let document = document(
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a/{id}/{kind}:\n    get:\n      security: [{basic: []}]\n      parameters:\n        - {name: id, in: path, required: true, schema: {type: string}}\n        - {name: q, in: query, schema: {type: string}}\n        - {name: r, in: query, schema: {type: string}, example: '<b>'}\n      responses: {}\ncomponents: {securitySchemes: {basic: {type: http, scheme: basic}}}\n",
    );
    let operation = &document.operations[0];
    let inputs = Inputs::examples(&document, operation, Scope::All);
    let built = request(&document, operation, &inputs);
    assert_eq!(built.url, "{baseUrl}/a/{id}/{kind}?q=<string>&r=%3Cb%3E");
    let code = |name: &str| -> String {
        let language = language(name).expect("it is known");
        let tokens = sample(language, &built);
        tokens.into_iter().map(|token| token.text).collect()
    };
    assert!(
        code("curl").contains("--user '<username>:<password>'"),
        "{}",
        code("curl")
    );
    let python = code("python");
    assert!(
        python.contains("Basic <base64 of username:password>"),
        "{python}"
    );
}
