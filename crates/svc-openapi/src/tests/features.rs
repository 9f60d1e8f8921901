//! Tests of features of the versions of the standard and of extensions, with a small document each.

use serde_json::json;

use super::{check, codes_with_lines, document};
use crate::request::{Inputs, request};
use crate::{OperationKind, ParameterLocation};

const HEAD: &str = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n";
const NEW: &str = "openapi: 3.2.0\ninfo: {title: T, version: '1'}\n";

#[test]
fn older_webhooks_are_read_and_the_standard_ones_win() {
    let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\nx-webhooks:\n  paid: {post: {summary: Paid, responses: {'200': {$ref: '#/components/responses/No'}}}}\n";
    let checked = check(text);
    // Without the diagnostic of the version, but with all others.
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        ["openapi-x-webhooks 4", "openapi-unresolved-ref 5"]
    );
    let document = checked.value.expect("a document");
    let paid = document.webhook("paid").expect("it is a webhook");
    assert_eq!(
        (paid.kind, paid.title()),
        (OperationKind::Webhook, "Paid".to_owned())
    );
    let both = super::document(&format!(
        "{HEAD}webhooks: {{a: {{post: {{summary: New}}}}}}\nx-webhooks: {{a: {{post: {{summary: Old}}}}, b: {{post: {{}}}}}}\n"
    ));
    let names: Vec<_> = both
        .webhooks
        .iter()
        .map(|hook| (hook.path.as_str(), hook.summary.as_deref()))
        .collect();
    assert_eq!(names, [("a", Some("New")), ("b", None)]);
}

#[test]
fn methods_of_3_2_are_operations() {
    let document = document(&format!(
        "{NEW}paths:\n  /a:\n    query: {{summary: Ask}}\n    additionalOperations:\n      COPY: {{summary: Copy}}\n      Link: {{summary: Link}}\n"
    ));
    let methods: Vec<_> = document
        .operations
        .iter()
        .map(|operation| operation.method.as_str())
        .collect();
    assert_eq!(methods, ["query", "copy", "link"]);
    let copy = document.operation("COPY", "/a").expect("by any spelling");
    assert_eq!(
        copy.source.pointer(),
        "/paths/~1a/additionalOperations/COPY"
    );
    assert_eq!(request(&document, copy, &Inputs::default()).method, "COPY");
}

#[test]
fn a_query_string_is_one_value() {
    let text = format!(
        "{NEW}paths:\n  /form: {{get: {{parameters: [{{name: all, in: querystring, content: {{application/x-www-form-urlencoded: {{schema: {{type: object}}}}}}}}]}}}}\n  /json: {{get: {{parameters: [{{name: all, in: querystring, content: {{application/json: {{schema: {{type: object}}}}}}}}]}}}}\n"
    );
    let document = document(&text);
    let value = json!({"a": [1, "x&y"], "b": true});
    let url = |path: &str| {
        let operation = document.operation("get", path).expect("it is there");
        assert!(operation.parameters[0].is_querystring);
        let mut inputs = Inputs::default();
        let key = (ParameterLocation::Query, "all".to_owned());
        inputs.parameters.insert(key, value.clone());
        request(&document, operation, &inputs).url
    };
    // The body of a form.
    assert_eq!(url("/form"), "/form?a=1&a=x%26y&b=true");
    assert_eq!(
        url("/json"),
        "/json?%7B%22a%22%3A%5B1%2C%22x%26y%22%5D%2C%22b%22%3Atrue%7D"
    );
}

#[test]
fn tags_of_3_2_have_parents_kinds_and_summaries() {
    let tags = "tags:\n- {name: shop, summary: Shop}\n- {name: carts, parent: shop, x-group: Carts}\n- {name: hot, kind: badge}\n- {name: loop, parent: pool}\n- {name: pool, parent: loop}\n- {name: lost, parent: shp}\n- {name: hot}\n";
    let checked = check(&format!(
        "{NEW}paths: {{/a: {{get: {{tags: [hot, carts]}}}}}}\n{tags}"
    ));
    let lines = [
        "openapi-tag 8",
        "openapi-tag 9",
        "openapi-tag 10",
        "openapi-tag 11",
    ];
    assert_eq!(codes_with_lines(&checked.diagnostics), lines);
    let hint = checked.diagnostics[2].hint.as_deref();
    assert_eq!(hint, Some("did you mean `shop`?"));
    let document = checked.value.expect("a document");
    let operation = &document.operations[0];
    assert_eq!(document.tag_of(operation), Some("carts"));
    assert_eq!(document.tag_chain("carts"), ["shop", "carts"]);
    assert_eq!(
        (document.label_of("shop"), document.label_of("carts")),
        ("Shop", "Carts")
    );
    assert_eq!(document.tag_chain("loop").len(), 2);
    assert_eq!(document.tag_chain("elsewhere"), ["elsewhere"]);
    // These keys have no meaning in an older document.
    let older = super::document(&format!("{HEAD}paths: {{}}\n{tags}"));
    assert_eq!(
        (older.tag_chain("carts").len(), older.label_of("shop")),
        (1, "shop")
    );
}

#[test]
fn groups_of_path_operation_and_metadata_are_joined() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    x-svc: {{groups: [beta]}}\n    get: {{x-mint: {{groups: [staff, beta], metadata: {{groups: [third]}}}}}}\n    put: {{}}\n"
    );
    let document = document(&text);
    let groups = |method| {
        document
            .operation(method, "/a")
            .expect("it is there")
            .groups
            .clone()
    };
    assert_eq!(groups("get"), ["beta", "staff", "third"]);
    assert_eq!(groups("put"), ["beta"]);
}

#[test]
fn an_extension_with_one_wrong_value_is_ignored_as_a_whole() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    get:\n      x-mint:\n        href: /here\n        content: [5]\n        groups: {{a: b}}\n    put: {{x-svc: true}}\ncomponents: {{schemas: {{S: {{x-svc: {{pre: 5}}}}}}}}\n"
    );
    let checked = check(&text);
    let wrong = [
        "openapi-alias 6",
        "openapi-extension 8",
        "openapi-extension 9",
        "openapi-extension 10",
        "openapi-extension 11",
    ];
    assert_eq!(codes_with_lines(&checked.diagnostics), wrong);
    let pointers: Vec<_> = checked
        .diagnostics
        .iter()
        .filter_map(|diagnostic| diagnostic.pointer.as_deref())
        .collect();
    assert_eq!(pointers[1], "/paths/~1a/get/x-mint/content");
    assert_eq!(
        pointers[3..],
        ["/paths/~1a/put/x-svc", "/components/schemas/S/x-svc/pre"]
    );
    assert_eq!(checked.value.expect("a document").operations[0].href, None);
}

#[test]
fn excluded_operations_are_hidden_and_paths_contain_names_of_tags() {
    let document = document(&format!(
        "{HEAD}tags: [{{name: my tag, x-group: Shown}}]\npaths: {{/a: {{get: {{x-excluded: true}}, put: {{tags: [my tag]}}}}}}\nwebhooks: {{h: {{post: {{x-excluded: true}}}}}}\n"
    ));
    assert!(document.operations[0].hidden && document.webhooks[0].hidden);
    let put = &document.operations[1];
    assert_eq!(document.group_of(put), "Shown");
    assert_eq!(document.page_slug(put, "api"), "api/my-tag/put-a");
}

#[test]
fn links_encodings_and_referenced_examples_are_retained() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    post:\n      requestBody:\n        content:\n          multipart/form-data:\n            encoding: {{photo: {{contentType: 'image/png, image/jpeg', style: form, explode: false, headers: {{X-Part: {{schema: {{type: string}}}}}}}}}}\n            examples: {{big: {{summary: Big, externalValue: 'https://e.org/big.bin'}}, small: {{value: 1}}, r: {{$ref: '#/components/examples/E'}}}}\n      responses:\n        '201':\n          description: Made\n          links:\n            get: {{operationId: getA, parameters: {{id: $response.body#/id, n: 5}}, description: Read it}}\n            put: {{$ref: '#/components/links/L'}}\n    get: {{operationId: getA}}\ncomponents:\n  examples: {{E: {{externalValue: './e.json'}}}}\n  links: {{L: {{operationRef: '#/paths/~1a/post', requestBody: {{a: 1}}}}}}\n"
    );
    let document = document(&text);
    let post = document.operation("post", "/a").expect("it is there");
    let media = &post.request_body.as_ref().expect("a body").content[0];
    let urls: Vec<_> = media
        .external_examples
        .iter()
        .map(|example| (example.name.as_str(), example.url.as_str()))
        .collect();
    assert_eq!(urls, [("big", "https://e.org/big.bin"), ("r", "./e.json")]);
    let photo = &media.encodings["photo"];
    assert_eq!(photo.content_type.as_deref(), Some("image/png, image/jpeg"));
    assert_eq!(
        (photo.style.as_deref(), photo.explode, photo.allow_reserved),
        (Some("form"), Some(false), false)
    );
    assert_eq!(photo.headers[0].name, "X-Part");
    let links = &post.responses[0].links;
    let parameters =
        [("id", "$response.body#/id"), ("n", "5")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(links[0].parameters, parameters);
    let target = |at: usize| {
        document
            .link_target(&links[at])
            .map(|operation| operation.method.as_str())
    };
    assert_eq!((target(0), target(1)), (Some("get"), Some("post")));
    assert_eq!(links[1].request_body.as_deref(), Some("{\"a\":1}"));
}

#[test]
fn path_items_and_callbacks_can_be_references() {
    let text = format!(
        "{HEAD}paths:\n  /a: {{$ref: '#/components/pathItems/A'}}\n  /b: {{get: {{callbacks: {{c: {{$ref: '#/components/callbacks/C'}}, d: {{'{{$url}}': {{$ref: '#/components/pathItems/A'}}}}}}}}}}\ncomponents:\n  pathItems: {{A: {{put: {{summary: Put}}}}}}\n  callbacks: {{C: {{$request.body#/x: {{post: {{}}}}}}}}\n"
    );
    let document = document(&text);
    let put = document.operation("put", "/a").expect("it is there");
    assert_eq!(put.source.pointer(), "/components/pathItems/A/put");
    let callbacks = &document
        .operation("get", "/b")
        .expect("it is there")
        .callbacks;
    let names: Vec<_> = callbacks
        .iter()
        .map(|callback| {
            (
                callback.name.as_str(),
                callback.method.as_str(),
                callback.expression.as_str(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [("c", "post", "$request.body#/x"), ("d", "put", "{$url}")]
    );
}

#[test]
fn variables_of_servers_are_declared_and_have_a_default() {
    let text = format!(
        "{HEAD}paths: {{}}\nservers:\n- url: https://{{region}}.{{plce}}.org\n  variables:\n    region: {{enum: [eu, us]}}\n    place: {{default: x, enum: [y, z]}}\n- {{url: 'https://{{a}}.org', name: Live, variables: {{a: {{default: b}}}}}}\n"
    );
    let checked = check(&text);
    let lines = [
        "openapi-server-variable 5",
        "openapi-server-variable 7",
        "openapi-server-variable 8",
    ];
    assert_eq!(codes_with_lines(&checked.diagnostics), lines);
    let document = checked.value.expect("a document");
    assert_eq!(document.servers[0].default_url(), "https://eu.{plce}.org");
    assert_eq!(document.servers[1].default_url(), "https://b.org");
    assert_eq!(document.servers[1].description.as_deref(), Some("Live"));
}

#[test]
fn security_is_a_list_of_alternatives_and_schemes_are_complete() {
    let text = format!(
        "{HEAD}security: [{{A: []}}]\npaths:\n  /and: {{get: {{security: [{{A: [], B: [r]}}]}}}}\n  /or: {{get: {{security: [{{A: []}}, {{B: []}}]}}}}\n  /optional: {{get: {{security: [{{}}, {{A: []}}]}}}}\n  /none: {{get: {{security: []}}}}\n  /own: {{get: {{}}}}\ncomponents:\n  securitySchemes:\n    A: {{type: apiKey, in: header, name: k}}\n    B: {{type: oauth2, flows: {{}}}}\n    C: {{type: apiKey, in: body}}\n    D: {{type: http}}\n    E: {{type: openIdConnect}}\n    F: {{type: mutualTLS}}\n"
    );
    let checked = check(&text);
    let lines = [
        "openapi-bad-scheme 14",
        "openapi-bad-scheme 14",
        "openapi-bad-scheme 15",
        "openapi-bad-scheme 16",
    ];
    assert_eq!(codes_with_lines(&checked.diagnostics), lines);
    let document = checked.value.expect("a document");
    let security = |path| {
        document
            .operation("get", path)
            .expect("it is there")
            .security
            .clone()
    };
    assert_eq!(security("/and"), [["A", "B"]]);
    assert_eq!(security("/or"), [["A"], ["B"]]);
    assert_eq!(security("/optional"), [vec![], vec!["A"]]);
    assert!(security("/none").is_empty());
    assert_eq!(security("/own"), [["A"]]);
}

#[test]
fn methods_have_a_fixed_order() {
    let text = format!(
        "{HEAD}paths:\n  /a: {{patch: {{}}, trace: {{}}, delete: {{}}, additionalOperations: {{LINK: {{}}}}, post: {{}}, get: {{}}, head: {{}}, options: {{}}, query: {{}}, put: {{}}}}\n"
    );
    let document = document(&text);
    let methods = document.operations.iter().map(|item| item.method.as_str());
    let methods: Vec<&str> = methods.collect();
    let order = "get put post delete options head patch trace";
    assert_eq!(methods[..8].join(" "), order);
    assert_eq!(methods[8..], ["link", "query"]);
}

#[test]
fn names_of_other_tools_are_read() {
    let text = format!(
        "{HEAD}tags: [{{name: a, x-displayName: First}}, {{name: b, x-group: Own, x-displayName: No}}]\nx-tagGroups: [{{name: Core, tags: [a, c]}}, {{name: Rest, tags: [a, b]}}]\npaths:\n  /a: {{x-internal: true, get: {{}}, put: {{}}}}\n  /b: {{get: {{x-internal: true}}, put: {{x-internal: false}}}}\nx-webhooks: {{h: {{post: {{}}}}}}\n"
    );
    let checked = check(&text);
    let reported: Vec<String> = codes_with_lines(&checked.diagnostics);
    assert!(
        reported.contains(&"openapi-internal 6".to_owned()),
        "{reported:?}"
    );
    assert!(
        reported.contains(&"openapi-x-webhooks 8".to_owned()),
        "{reported:?}"
    );
    let document = checked.value.expect("a document");
    let hidden: Vec<bool> = document.operations.iter().map(|item| item.hidden).collect();
    assert_eq!(hidden, [true, true, true, false]);
    assert_eq!(
        (document.label_of("a"), document.label_of("b")),
        ("First", "Own")
    );
    assert_eq!(document.tag_chain("a"), ["Core", "a"]);
    assert_eq!(document.tag_chain("b"), ["Rest", "b"]);
    assert_eq!(document.tag_chain("c"), ["Core", "c"]);
    assert_eq!(document.tag_chain("d"), ["d"]);
}

#[test]
fn ineffective_values_are_reported() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    get:\n      x-codeSamples:\n        - {{lang: Go}}\n        - {{$ref: a.yml}}\n      responses:\n        2xx: {{description: ok, content: {{}}}}\ncomponents:\n  schemas:\n    A: {{properties: {{name: {{}}}}, required: [name, nam]}}\n    B: {{allOf: [{{required: [x], properties: {{y: {{}}}}}}]}}\n    C: {{properties: {{$ref: a.yml}}}}\n"
    );
    let reported = codes_with_lines(&check(&text).diagnostics);
    let expected = [
        "openapi-extension 7",
        "openapi-extension 8",
        "openapi-bad-status 10",
        "openapi-empty-content 10",
        "openapi-required-name 13",
        "openapi-wrong-type 15",
    ];
    for item in expected {
        assert!(reported.contains(&item.to_owned()), "{item}: {reported:?}");
    }
    let names = reported
        .iter()
        .filter(|item| item.starts_with("openapi-required-name"));
    assert_eq!(names.count(), 1, "{reported:?}");
}
