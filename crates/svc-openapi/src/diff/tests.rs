//! Tests of the comparison: a small pair for each rule.

use svc_diagnostics::SourceFile;

use super::{Change, Effect, diff};
use crate::ApiDocument;

const HEAD: &str = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n";

fn read(name: &str, text: &str) -> ApiDocument {
    crate::parse(&SourceFile::new(name, text))
        .value
        .unwrap_or_else(|| panic!("{text} is a document"))
}

fn changes(old: &str, new: &str) -> Vec<Change> {
    let of = |name: &str, text: &str| read(name, &format!("{HEAD}{text}"));
    diff(&of("old.yaml", old), &of("new.yaml", new))
}

/// `rule effect` of all changes.
fn rule_effects(old: &str, new: &str) -> Vec<String> {
    let changes = changes(old, new);
    changes
        .iter()
        .map(|change| format!("{} {}", change.rule, change.effect.as_str()))
        .collect()
}

fn request(schema: &str) -> String {
    format!(
        "paths: {{/a: {{post: {{requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}}}}}}}\n"
    )
}

fn response(schema: &str) -> String {
    format!(
        "paths: {{/a: {{post: {{responses: {{'200': {{content: {{application/json: {{schema: {schema}}}}}}}}}}}}}}}\n"
    )
}

/// The changes of a schema in a request body and in a response.
fn schemas(old: &str, new: &str) -> (Vec<String>, Vec<String>) {
    (
        rule_effects(&request(old), &request(new)),
        rule_effects(&response(old), &response(new)),
    )
}

/// Asserts that a change narrows: it breaks only requests, and its reverse only responses.
fn narrows(rule: &str, old: &str, new: &str) {
    let (breaking, fine) = (format!("{rule} breaking"), format!("{rule} not breaking"));
    assert_eq!(
        schemas(old, new),
        (vec![breaking.clone()], vec![fine.clone()]),
        "{old} to {new}"
    );
    let (request, response) = schemas(new, old);
    let back = |list: Vec<String>| {
        list.iter()
            .filter_map(|item| item.split_once(' ').map(|two| two.1.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (back(request), back(response)),
        (vec!["not breaking".to_owned()], vec!["breaking".to_owned()]),
        "{new} to {old}"
    );
}

fn both(old: &str, new: &str, expected: &str) {
    let expected = vec![expected.to_owned()];
    assert_eq!(
        schemas(old, new),
        (expected.clone(), expected),
        "{old} to {new}"
    );
}

#[test]
fn operations_are_added_and_removed() {
    let old = "paths: {/a: {get: {}, put: {deprecated: true}}, '/b/{id}': {get: {}}}\nwebhooks: {w: {post: {}}}\n";
    let new = "paths: {/a: {get: {deprecated: true}, post: {}}, '/b/{name}': {get: {}}}\n";
    let changes = changes(old, new);
    let rules: Vec<_> = changes
        .iter()
        .map(|change| (change.rule, change.effect, change.operation.as_str()))
        .collect();
    assert_eq!(
        rules,
        [
            ("operation-deprecated", Effect::Compatible, "GET /a"),
            ("operation-removed", Effect::Breaking, "PUT /a"),
            ("operation-removed", Effect::Breaking, "webhook w"),
            ("operation-added", Effect::Compatible, "POST /a"),
        ]
    );
    assert_eq!(
        changes[1].message,
        "the deprecated operation `PUT /a` was removed"
    );
    let location = changes[1].old.as_ref().expect("it stood somewhere");
    assert_eq!(
        (location.pointer.as_str(), location.location.start.line),
        ("/paths/~1a/put", 3)
    );
    assert!(changes[1].new.is_none() && changes[3].old.is_none());
}

#[test]
fn changes_of_operation_ids_are_reported() {
    let of = |id: &str| format!("paths: {{/a: {{get: {{operationId: {id}}}}}}}\n");
    assert_eq!(rule_effects(&of("x"), &of("y")), ["operation-id unknown"]);
}

#[test]
fn parameters_are_compared_by_location_and_name() {
    let of = |list: &str| {
        format!(
            "paths: {{'/a/{{id}}': {{get: {{parameters: [{{name: id, in: path}}, {list}]}}}}}}\n"
        )
    };
    let q = |rest: &str| of(&format!("{{name: q, in: query{rest}}}"));
    assert_eq!(
        rule_effects(&of(""), &q(", required: true")),
        ["parameter-required breaking"]
    );
    assert_eq!(
        rule_effects(&of(""), &q("")),
        ["parameter-added not breaking"]
    );
    assert_eq!(rule_effects(&q(""), &of("")), ["parameter-removed unknown"]);
    assert_eq!(
        rule_effects(&q(""), &q(", required: true")),
        ["parameter-required breaking"]
    );
    assert_eq!(
        rule_effects(&q(", required: true"), &q("")),
        ["parameter-required not breaking"]
    );
    assert_eq!(
        rule_effects(&q(""), &q(", deprecated: true")),
        ["parameter-deprecated not breaking"]
    );
    let array = ", schema: {type: array, items: {type: string}}";
    assert_eq!(
        rule_effects(&q(array), &q(&format!("{array}, explode: false"))),
        ["parameter-style breaking"]
    );
    let plain = ", schema: {type: string}";
    assert_eq!(
        rule_effects(&q(plain), &q(&format!("{plain}, explode: false"))),
        [""; 0]
    );
    assert_eq!(
        rule_effects(&q(plain), &q(", schema: {type: integer}")),
        ["type breaking"]
    );
    let header = |name: &str| of(&format!("{{name: {name}, in: header}}"));
    assert_eq!(rule_effects(&header("X-A"), &header("x-a")), [""; 0]);
    let named = changes(&q(plain), &q(", schema: {type: string, maxLength: 5}"));
    assert_eq!(
        named[0].message,
        "the query parameter `q` of `GET /a/{id}` has the new limit `maxLength` `5` in requests"
    );
    assert_eq!(
        named[0]
            .new
            .as_ref()
            .map(|location| location.pointer.as_str()),
        Some("/paths/~1a~1{id}/get/parameters/1/schema/maxLength")
    );
}

#[test]
fn bodies_are_compared_by_media_type() {
    let of = |body: &str| format!("paths: {{/a: {{post: {{requestBody: {body}}}}}}}\n");
    let content = |types: &str| of(&format!("{{content: {{{types}}}}}"));
    let none = "paths: {/a: {post: {}}}\n";
    assert_eq!(
        rule_effects(none, &of("{required: true, content: {}}")),
        ["body-added breaking"]
    );
    assert_eq!(
        rule_effects(none, &of("{content: {}}")),
        ["body-added not breaking"]
    );
    assert_eq!(
        rule_effects(&of("{content: {}}"), none),
        ["body-removed unknown"]
    );
    assert_eq!(
        rule_effects(&of("{content: {}}"), &of("{content: {}, required: true}")),
        ["body-required breaking"]
    );
    assert_eq!(
        rule_effects(&content("a/b: {}"), &content("a/b: {}, a/c: {}")),
        ["media-type-added not breaking"]
    );
    assert_eq!(
        rule_effects(&content("a/b: {}, a/c: {}"), &content("a/b: {}")),
        ["media-type-removed breaking"]
    );
    assert_eq!(
        rule_effects(&content("a/b: {}"), &content("'a/*': {}")),
        ["media-type-added not breaking"]
    );
}

#[test]
fn responses_are_compared_by_status() {
    let of = |list: &str| format!("paths: {{/a: {{get: {{responses: {{{list}}}}}}}}}\n");
    assert_eq!(
        rule_effects(&of("'200': {}, '404': {}"), &of("'200': {}")),
        ["response-removed not breaking"]
    );
    assert_eq!(
        rule_effects(&of("'200': {}"), &of("'201': {}")),
        ["response-removed breaking", "response-added not breaking"]
    );
    let header = |rest: &str| of(&format!("'200': {{headers: {{X-A: {{{rest}}}}}}}"));
    assert_eq!(
        rule_effects(&header("required: true"), &of("'200': {}")),
        ["header-removed breaking"]
    );
    assert_eq!(
        rule_effects(&header(""), &of("'200': {}")),
        ["header-removed unknown"]
    );
    assert_eq!(
        rule_effects(&header("required: true"), &header("")),
        ["header-required breaking"]
    );
    assert_eq!(
        rule_effects(&of("'200': {}"), &header("")),
        ["header-added not breaking"]
    );
    assert_eq!(
        rule_effects(
            &header("schema: {type: integer}"),
            &header("schema: {type: number}")
        ),
        ["type breaking"]
    );
}

#[test]
fn types_and_null_depend_on_the_direction() {
    narrows("type", "{type: number}", "{type: integer}");
    narrows("type", "{type: [string, integer]}", "{type: string}");
    narrows("type", "{}", "{type: string}");
    narrows("nullable", "{type: [string, 'null']}", "{type: string}");
    narrows(
        "nullable",
        "{anyOf: [{type: string}, {type: 'null'}]}",
        "{type: string}",
    );
    both("{type: string}", "{type: integer}", "type breaking");
    // Three equivalent notations.
    for other in [
        "{type: string, nullable: true}",
        "{oneOf: [{type: 'null'}, {type: string}]}",
    ] {
        assert_eq!(
            schemas("{type: [string, 'null']}", other),
            (vec![], vec![]),
            "{other}"
        );
    }
}

#[test]
fn values_and_limits_depend_on_the_direction() {
    narrows("enum-removed", "{enum: [a, b]}", "{enum: [a]}");
    narrows("enum-removed", "{type: string}", "{type: string, const: a}");
    assert_eq!(schemas("{enum: [a]}", "{const: a}"), (vec![], vec![]));
    for (wide, tight) in [
        ("minimum: 1", "minimum: 2"),
        ("maximum: 2", "maximum: 1"),
        ("maximum: 2", "exclusiveMaximum: 2"),
        ("maxLength: 5", "maxLength: 4"),
        ("minLength: 0", "minLength: 1"),
        ("maxItems: 5", "maxItems: 4"),
        ("minProperties: 1", "minProperties: 2"),
        ("multipleOf: 2", "multipleOf: 4"),
        ("uniqueItems: false", "uniqueItems: true"),
        ("x: 1", "pattern: a"),
        ("x: 1", "format: email"),
        ("format: int64", "format: int32"),
    ] {
        narrows("limit", &format!("{{{wide}}}"), &format!("{{{tight}}}"));
    }
    both("{pattern: a}", "{pattern: b}", "limit unknown");
    both("{format: date}", "{format: time}", "limit unknown");
    assert_eq!(
        schemas(
            "{exclusiveMinimum: 3}",
            "{minimum: 3, exclusiveMinimum: true}"
        ),
        (vec![], vec![])
    );
}

#[test]
fn properties_depend_on_the_direction() {
    let of = |rest: &str| format!("{{type: object, properties: {{a: {{type: string}}{rest}");
    let (one, two) = (of("}}"), of(", b: {type: string}}}"));
    let needed = of(", b: {type: string}}, required: [b]}");
    let expected =
        |request: &str, response: &str| (vec![request.to_owned()], vec![response.to_owned()]);
    assert_eq!(
        schemas(&one, &two),
        expected("property-added not breaking", "property-added not breaking")
    );
    assert_eq!(schemas(&one, &needed).0, ["property-required breaking"]);
    assert_eq!(
        schemas(&two, &one),
        expected("property-removed unknown", "property-removed unknown")
    );
    assert_eq!(schemas(&needed, &one).1[0], "property-removed breaking");
    assert_eq!(
        schemas(&two, &needed),
        expected(
            "property-required breaking",
            "property-required not breaking"
        )
    );
    assert_eq!(
        schemas(&needed, &two),
        expected(
            "property-optional not breaking",
            "property-optional breaking"
        )
    );
    let closed = of("}, additionalProperties: false}");
    assert_eq!(
        schemas(&two, &closed).0,
        ["property-removed breaking", "additional breaking"]
    );
    narrows("additional", &one, &closed);
    narrows(
        "additional",
        "{type: object}",
        "{type: object, additionalProperties: {type: string}}",
    );
    narrows(
        "items",
        "{type: array}",
        "{type: array, items: {type: string}}",
    );
    // A property of the other direction is not compared.
    let hidden = of(", b: {type: string, readOnly: true}}, required: [b]}");
    assert_eq!(
        schemas(&one, &hidden),
        (vec![], vec!["property-added not breaking".to_owned()])
    );
}

#[test]
fn nested_changes_have_their_path() {
    let of = |kind: &str| {
        request(&format!(
            "{{properties: {{owner: {{properties: {{tags: {{items: {{type: {kind}}}}}}}}}}}}}"
        ))
    };
    let changes = changes(&of("string"), &of("boolean"));
    assert_eq!(
        changes[0].message,
        "`owner.tags[]` of the request body of `POST /a` was string and is now boolean in requests"
    );
}

#[test]
fn variants_are_matched_by_name_then_content_then_position() {
    narrows(
        "variant-removed",
        "{oneOf: [{title: A}, {title: B}, {title: C}]}",
        "{oneOf: [{title: C}, {title: A}]}",
    );
    narrows(
        "variant-removed",
        "{anyOf: [{type: string}, {type: integer}]}",
        "{type: string}",
    );
    narrows(
        "variant-removed",
        "{oneOf: [{title: A}, {title: B}]}",
        "{oneOf: [{title: A}]}",
    );
    let change = schemas(
        "{oneOf: [{title: A, type: string}, {title: B}]}",
        "{oneOf: [{title: B}, {title: A, type: integer}]}",
    );
    assert_eq!(change.0, ["type breaking"]);
    both(
        "{oneOf: [{title: A}, {title: B}], discriminator: {propertyName: x}}",
        "{oneOf: [{title: A}, {title: B}], discriminator: {propertyName: y}}",
        "discriminator breaking",
    );
    both(
        "{not: {type: string}}",
        "{not: {type: integer}}",
        "keyword unknown",
    );
}

#[test]
fn defaults_and_deprecation_are_reported() {
    let (request, response) = schemas("{default: 1}", "{default: 2}");
    assert_eq!(
        (request, response),
        (
            vec!["default unknown".to_owned()],
            vec!["default not breaking".to_owned()]
        )
    );
    both(
        "{type: string}",
        "{type: string, deprecated: true}",
        "deprecated not breaking",
    );
}

#[test]
fn an_equivalent_notation_is_no_change() {
    let old = "paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}\ncomponents: {schemas: {A: {type: object, required: [x], properties: {x: {type: string}, y: {$ref: '#/components/schemas/A'}}}}}\n";
    let new = "paths: {/a: {$ref: '#/components/pathItems/P'}}\ncomponents:\n  pathItems: {P: {post: {requestBody: {$ref: '#/components/requestBodies/R'}}}}\n  requestBodies: {R: {content: {application/json: {schema: {allOf: [{$ref: '#/components/schemas/B'}, {required: [x]}]}}}}}\n  schemas: {B: {type: object, properties: {x: {type: string}, y: {$ref: '#/components/schemas/C'}}}, C: {allOf: [{$ref: '#/components/schemas/B'}], required: [x]}}\n";
    assert_eq!(rule_effects(old, new), [""; 0]);
}

#[test]
fn a_shared_schema_is_reported_once_per_direction_and_cycles_end() {
    let of = |kind: &str| {
        format!(
            "paths:\n  /a: {{post: {{requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/N'}}}}}}}}}}}}\n  /b: {{post: {{requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/N'}}}}}}}}, responses: {{'200': {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/N'}}}}}}}}}}}}}}\ncomponents: {{schemas: {{N: {{properties: {{v: {{type: {kind}}}, next: {{$ref: '#/components/schemas/N'}}}}}}}}}}\n"
        )
    };
    let changes = changes(&of("string"), &of("integer"));
    let messages: Vec<_> = changes
        .iter()
        .map(|change| (change.operation.as_str(), change.message.as_str()))
        .collect();
    assert_eq!(
        messages,
        [
            (
                "POST /a",
                "`v` of `N` was string and is now integer in requests"
            ),
            (
                "POST /b",
                "`v` of `N` was string and is now integer in responses"
            ),
        ]
    );
}

#[test]
fn webhooks_and_callbacks_have_the_opposite_direction() {
    let hook = |schema: &str| {
        format!(
            "webhooks: {{w: {{post: {{requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}}}}}}}\n"
        )
    };
    assert_eq!(
        rule_effects(&hook("{enum: [a, b]}"), &hook("{enum: [a]}")),
        ["enum-removed not breaking"]
    );
    assert_eq!(
        rule_effects(&hook("{enum: [a]}"), &hook("{enum: [a, b]}")),
        ["enum-added breaking"]
    );
    let back = |schema: &str| {
        format!(
            "paths: {{/a: {{get: {{callbacks: {{c: {{'$url': {{post: {{requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}}}}}}}}}}}}}}}\n"
        )
    };
    assert_eq!(
        rule_effects(&back("{enum: [a]}"), &back("{enum: [a, b]}")),
        ["enum-added breaking"]
    );
    let none = "paths: {/a: {get: {}}}\n";
    assert_eq!(
        rule_effects(&back("{}"), none),
        ["callback-removed breaking"]
    );
    assert_eq!(
        rule_effects(none, &back("{}")),
        ["callback-added not breaking"]
    );
}

#[test]
fn security_is_narrowed_and_widened() {
    let schemes = "components: {securitySchemes: {A: {type: http, scheme: bearer}, B: {type: apiKey, in: query, name: k}, O: {type: oauth2, flows: {}}}}\n";
    let of =
        |security: &str| format!("paths: {{/a: {{get: {{security: {security}}}}}}}\n{schemes}");
    assert_eq!(
        rule_effects(&of("[]"), &of("[{A: []}]")),
        ["security-narrowed breaking"]
    );
    assert_eq!(
        rule_effects(&of("[{A: []}]"), &of("[{}, {A: []}]")),
        ["security-widened not breaking"]
    );
    assert_eq!(
        rule_effects(&of("[{A: []}]"), &of("[{A: []}, {B: []}]")),
        ["security-widened not breaking"]
    );
    assert_eq!(
        rule_effects(&of("[{A: []}, {B: []}]"), &of("[{B: []}]")),
        ["security-narrowed breaking"]
    );
    assert_eq!(
        rule_effects(&of("[{A: []}]"), &of("[{A: [], B: []}]")),
        ["security-narrowed breaking"]
    );
    assert_eq!(
        rule_effects(&of("[{O: [r]}]"), &of("[{O: [r, w]}]")),
        ["security-narrowed breaking"]
    );
    assert_eq!(
        rule_effects(&of("[{O: [r, w]}]"), &of("[{O: [r]}]")),
        ["security-widened not breaking"]
    );
    let root = |security: &str| {
        format!("security: {security}\npaths: {{/a: {{get: {{}}}}, /b: {{get: {{}}}}}}\n{schemes}")
    };
    let changes = changes(&root("[{A: []}]"), &root("[{B: []}]"));
    assert_eq!(changes.len(), 2);
    assert_eq!(
        changes[0].message,
        "all operations without `security` of their own can no longer be called with `A` alone"
    );
    let scheme = |rest: &str, name: &str| {
        format!(
            "paths: {{/a: {{get: {{security: [{{{name}: []}}]}}}}}}\ncomponents: {{securitySchemes: {{{name}: {{type: apiKey, in: header, name: {rest}}}}}}}\n"
        )
    };
    assert_eq!(
        rule_effects(&scheme("a", "K"), &scheme("b", "K")),
        ["scheme-changed breaking"]
    );
    assert_eq!(rule_effects(&scheme("a", "K"), &scheme("a", "L")), [""; 0]);
}

#[test]
fn servers_are_compared_by_url() {
    let of = |list: &str| format!("paths: {{/a: {{get: {{}}}}}}\nservers: [{list}]\n");
    let (a, b) = ("{url: 'https://a.org'}", "{url: 'https://b.org'}");
    assert_eq!(
        rule_effects(&of(a), &of(b)),
        ["server-removed breaking", "server-added not breaking"]
    );
    let variable = |rest: &str| {
        of(&format!(
            "{{url: 'https://{{v}}.org', variables: {{v: {{{rest}}}}}}}"
        ))
    };
    let changed = rule_effects(
        &variable("default: x, enum: [x, y]"),
        &variable("default: z, enum: [y, z]"),
    );
    assert_eq!(
        changed,
        ["server-variable breaking", "server-variable unknown"]
    );
    let own = |url: &str| format!("paths: {{/a: {{get: {{servers: [{{url: '{url}'}}]}}}}}}\n");
    let changes = changes(&own("https://a.org"), &own("https://b.org"));
    assert_eq!(
        changes[0].message,
        "the server `https://a.org` of `GET /a` was removed"
    );
}

#[test]
fn comparison_of_hostile_documents_ends() {
    // Cycles of different lengths visit each combination.
    let cycle = |length: usize| {
        let schema = |at: usize| {
            format!(
                "S{at}: {{properties: {{n: {{$ref: '#/components/schemas/S{}'}}}}}}",
                (at + 1) % length
            )
        };
        let schemas: Vec<String> = (0..length).map(schema).collect();
        format!(
            "paths: {{/a: {{post: {{requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/S0'}}}}}}}}}}}}}}\ncomponents: {{schemas: {{{}}}}}\n",
            schemas.join(", ")
        )
    };
    assert_eq!(rule_effects(&cycle(211), &cycle(223)), [""; 0]);
    let wide = |number: usize| {
        let variants: Vec<String> = (0..300)
            .map(|at| format!("{{enum: [{at}, {number}]}}"))
            .collect();
        format!("{{oneOf: [{}]}}", variants.join(", "))
    };
    assert!(!schemas(&wide(1000), &wide(2000)).0.is_empty());
    let deep = |kind: &str| {
        format!(
            "{}{{type: {kind}}}{}",
            "{items: ".repeat(60),
            "}".repeat(60)
        )
    };
    assert_eq!(
        schemas(&deep("string"), &deep("integer")).0,
        ["type breaking"]
    );
}

#[test]
fn real_documents_equal_themselves() {
    let Some(dir) = svc_test_support::reference_path("corpus/specs") else {
        return;
    };
    let mut compared = 0;
    for entry in std::fs::read_dir(dir).expect("it is a folder") {
        let path = entry.expect("it can be listed").path();
        if path.ends_with("manifest.json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it is text");
        // The largest documents add nothing to the test.
        if text.len() > 1_000_000 {
            continue;
        }
        let Some(document) = crate::parse(&SourceFile::new("a.yaml", text)).value else {
            continue;
        };
        assert_eq!(diff(&document, &document), [], "{}", path.display());
        compared += 1;
    }
    assert!(compared >= 45, "{compared}");
}

#[test]
fn a_real_document_that_was_edited_differs_where_it_was() {
    let Some(path) = svc_test_support::reference_path("corpus/specs/swagger-petstore3.yaml") else {
        return;
    };
    let text = std::fs::read_to_string(path).expect("it is text");
    let edits = [
        ("        - photoUrls\n", ""),
        ("          example: doggie", "          maxLength: 40"),
        (
            "            - sold\n      xml",
            "            - sold\n            - lost\n      xml",
        ),
        (
            "          required: false\n          explode: true",
            "          required: true\n          explode: true",
        ),
        ("            default: available\n", ""),
    ];
    let mut edited = text.clone();
    for (from, to) in edits {
        assert!(edited.contains(from), "{from}");
        edited = edited.replacen(from, to, 1);
    }
    let changes = diff(&read("old", &text), &read("new", &edited));
    let mut messages: Vec<_> = changes
        .iter()
        .map(|change| format!("{}: {}", change.effect.as_str(), change.message))
        .collect();
    messages.sort();
    assert_eq!(
        messages,
        [
            "breaking: `Pet` no longer always has the property `photoUrls` in responses",
            "breaking: `status` of `Pet` can now be `lost` in responses",
            "breaking: the query parameter `status` of `GET /pet/findByStatus` is now required",
            "not breaking: `Pet` no longer requires the property `photoUrls` in requests",
            "not breaking: `name` of `Pet` has the new limit `maxLength` `40` in responses",
            "not breaking: `status` of `Pet` can now be `lost` in requests",
            "unknown: the query parameter `status` of `GET /pet/findByStatus` has the default none instead of `available` in requests",
            "breaking: `name` of `Pet` has the new limit `maxLength` `40` in requests",
        ]
        .map(str::to_owned)
        .into_iter()
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>()
    );
}
