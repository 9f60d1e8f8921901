//! Tests that compare the module for browsers with the functions of this crate.
// Long because all tests use the same engine and harness.

#![expect(clippy::print_stdout, reason = "measured tests say what they found")]

use rquickjs::{Context, Function, Module, Object, Persistent, Runtime};
use serde_json::{Map, Value, json};

use super::{Content, EncodeSet, Inputs, LANGUAGES, Request, Scope, Style, language, languages};
use super::{request, sample, script, serialize};
use crate::tests::{check, corpus, document};
use crate::{ApiDocument, Direction, Operation, PlaygroundOptions, examples, playground_spec};

/// The function of the tests: it takes and returns JSON.
const HARNESS: &str = r#"
export function run(name, given) {
    const args = parseJson(given);
    const plain = (made) => ({ ...made, content: { ...made.content, value: undefined, text: bodyText(made.content) } });
    const tools = {
        serialize: () => args.map((one) => serialize(...one)),
        request: () => args[1].map((inputs) => plain(request(args[0], inputs))),
        samples: () => args[1].map((inputs) => args[2].map((language) => sample(language, request(args[0], inputs)).map(({ kind, text }) => [kind, text]))),
        problems: () => problems(...args),
        same: () => args,
        json: () => args.map((text) => [jsonText(parseJson(text)), jsonPretty(parseJson(text))]),
    };
    return jsonText(tools[name]());
}
"#;

/// A JavaScript engine with the module.
struct Engine {
    context: Context,
    run: Persistent<Function<'static>>,
    _runtime: Runtime,
}

impl Engine {
    fn new() -> Self {
        let runtime = Runtime::new().expect("an engine starts");
        runtime.set_max_stack_size(4 << 20);
        let context = Context::full(&runtime).expect("it has a context");
        let run = context.with(|ctx| {
            let source = format!("{}{HARNESS}", script());
            let declared = Module::declare(ctx.clone(), "call", source);
            let declared = declared.expect("the module is JavaScript");
            let (module, promise) = declared.eval().expect("the module runs");
            promise.finish::<()>().expect("it ends");
            let run: Function<'_> = module.get("run").expect("it exports functions");
            Persistent::save(&ctx, run)
        });
        Self {
            context,
            run,
            _runtime: runtime,
        }
    }

    fn run(&self, name: &str, arguments: &Value) -> Value {
        self.context.with(|ctx| {
            let run = self.run.clone().restore(&ctx).expect("it is there");
            let given = arguments.to_string();
            let made: Result<String, _> = run.call((name, given));
            let made = made.unwrap_or_else(|_| {
                let thrown = ctx.catch();
                let object: Option<Object<'_>> = thrown.clone().into_object();
                let text = object.and_then(|object| {
                    let message: String = object.get("message").ok()?;
                    let stack: String = object.get("stack").ok()?;
                    Some(format!("{message}\n{stack}"))
                });
                panic!("{name}: {text:?} for {arguments}")
            });
            serde_json::from_str(&made).expect("it gives JSON")
        })
    }
}

/// Converts inputs to the form of the module.
fn inputs_of(inputs: &Inputs) -> Value {
    let parameters = inputs.parameters.iter();
    let parameters: Map<String, Value> = parameters
        .map(|((location, name), value)| (format!("{}:{name}", location.as_str()), value.clone()))
        .collect();
    let credentials = inputs.credentials.iter();
    let credentials: Map<String, Value> = credentials
        .map(|(name, value)| (name.clone(), value.as_str().into()))
        .collect();
    let body = inputs.body.as_ref();
    json!({
        "server": inputs.server,
        "parameters": parameters,
        "body": body.map(|(kind, value)| json!({ "type": kind, "value": value })),
        "credentials": credentials,
    })
}

/// Converts a request to the form of the module.
fn request_of(request: &Request) -> Value {
    let mut content = json!({ "text": request.content.text() });
    content["kind"] = match &request.content {
        Content::Empty => "empty",
        Content::Json(_) => "json",
        Content::Text(_) => "text",
        Content::Form(pairs) => {
            content["pairs"] = json!(pairs);
            "form"
        }
        Content::Multipart(parts) => {
            let parts = parts.iter().map(|part| {
                let mut out = json!({ "name": part.name, "value": part.value, "file": part.file, "type": part.content_type });
                if part.file {
                    out["field"] = json!(part.name);
                    out["index"] = json!(0);
                }
                out
            });
            content["parts"] = parts.collect();
            "multipart"
        }
        Content::File(name) => {
            content["name"] = json!(name);
            "file"
        }
    }
    .into();
    json!({ "method": request.method, "url": request.url, "headers": request.headers, "content": content })
}

/// The input values of an operation: all examples, the required ones, and each additional media
/// type of the body.
fn all_inputs(document: &ApiDocument, operation: &Operation) -> Vec<Inputs> {
    let usual = Inputs::examples(document, operation, Scope::All);
    let mut all = vec![Inputs::examples(document, operation, Scope::Required)];
    let content = operation.request_body.iter().flat_map(|body| &body.content);
    for media in content.take(6) {
        let first = examples(document, media, Direction::Request)
            .into_iter()
            .next();
        let value = first.map_or(Value::Null, |first| first.value);
        let mut other = usual.clone();
        other.body = Some((media.name.clone(), value));
        all.push(other);
    }
    for alternative in operation.security.iter().skip(1).take(3) {
        let mut other = usual.clone();
        other.credentials = alternative
            .iter()
            .map(|name| (name.clone(), "a b<é>\n".to_owned()))
            .collect();
        all.push(other);
    }
    all.insert(0, usual);
    all
}

/// Counts of the comparisons.
#[derive(Default, Debug)]
struct Counts {
    operations: usize,
    requests: usize,
    samples: usize,
    /// Requests that differ only because a browser sorts numeric member names of objects and reads
    /// numbers as floats.
    rounded: usize,
}

/// Compares an operation; the samples only with `samples`.
fn compare(
    engine: &Engine,
    document: &ApiDocument,
    operation: &Operation,
    samples: bool,
    counts: &mut Counts,
) {
    let made = playground_spec(document, operation, &PlaygroundOptions::default());
    let mut inputs = all_inputs(document, operation);
    let given: Vec<Value> = inputs.iter().map(inputs_of).collect();
    let results = engine.run("request", &json!([made, given]));
    for (at, actual) in results.as_array().into_iter().flatten().enumerate() {
        counts.requests += 1;
        let own = &mut inputs[at];
        if request_of(&request(document, operation, own)) == *actual {
            continue;
        }
        // Compare again with the values as the browser reads them.
        counts.rounded += 1;
        *own = rounded(engine, own);
        let expected = request_of(&request(document, operation, own));
        assert_eq!(expected, *actual, "{} {}", operation.method, operation.path);
    }
    if samples {
        let all = languages();
        let entries: Vec<&Value> = LANGUAGES.iter().map(|item| &all[item.name]).collect();
        let given = json!([made, given[..1], entries]);
        let results = engine.run("samples", &given);
        let request = request(document, operation, &inputs[0]);
        for (at, language) in LANGUAGES.iter().enumerate() {
            let expected: Value = sample(language, &request)
                .into_iter()
                .map(|token| json!([format!("{:?}", token.kind).to_lowercase(), token.text]))
                .collect();
            let label = format!("{} {} {}", language.name, operation.method, operation.path);
            assert_eq!(results[0][at], expected, "{label}");
            counts.samples += 1;
        }
    }
    counts.operations += 1;
}

fn rounded(engine: &Engine, inputs: &Inputs) -> Inputs {
    let mut out = inputs.clone();
    for value in out.parameters.values_mut() {
        *value = engine.run("same", value);
    }
    if let Some((_, value)) = &mut out.body {
        *value = engine.run("same", value);
    }
    out
}

fn edge_documents() -> Vec<ApiDocument> {
    let Some(dir) = svc_test_support::reference_path("oracle/openapi/edge") else {
        return Vec::new();
    };
    let files = std::fs::read_dir(dir).expect("the folder can be read");
    let texts = files.map(|file| {
        let path = file.expect("the entry can be read").path();
        std::fs::read_to_string(path).expect("it can be read")
    });
    texts.filter_map(|text| check(&text).value).collect()
}

#[test]
fn edge_cases_give_the_same_requests_and_samples() {
    let (engine, mut counts) = (Engine::new(), Counts::default());
    for document in edge_documents() {
        for operation in &document.operations {
            compare(&engine, &document, operation, true, &mut counts);
        }
    }
    println!("{counts:?}");
    assert_eq!(counts.rounded, 0);
}

#[test]
fn real_operations_give_the_same_requests_and_samples() {
    let (engine, mut counts) = (Engine::new(), Counts::default());
    let thorough = std::env::var_os("SVC_THOROUGH").is_some();
    for (_, document) in corpus::documents() {
        let step = if thorough {
            1
        } else {
            document.operations.len() / 9 + 1
        };
        for operation in document.operations.iter().step_by(step) {
            compare(&engine, &document, operation, true, &mut counts);
        }
    }
    println!("{counts:?}");
    if counts.operations > 0 {
        assert!(counts.operations >= 300, "{counts:?}");
        assert!(counts.rounded * 50 < counts.requests, "{counts:?}");
    }
}

/// Every style with every set of encoded characters, with values of all kinds.
#[test]
fn parameters_are_serialized_alike() {
    let values = [
        json!("blue"),
        json!(""),
        json!("a/b?c=d&e f+g%h#i:é[]@!$'()*,;~\u{1f600}"),
        json!(["blue", "black", "brown"]),
        json!([]),
        json!(["a,b", 1.0, null, true, [1, "x"], {"k": 2.5}]),
        json!({"R": 100, "G": 200, "B": 150}),
        json!({}),
        json!({"k y": "v&1", "z=": ["ü", {"d": [null]}], "__proto__": 1}),
        json!(12.50),
        json!(1e-7),
        json!(3e21),
        json!(-0.0),
        json!(null),
        json!(false),
    ];
    let styles = [
        "matrix",
        "label",
        "simple",
        "form",
        "spaceDelimited",
        "pipeDelimited",
        "deepObject",
        "cookie",
    ];
    let encode_sets = [
        (EncodeSet::Unreserved, json!("")),
        (EncodeSet::Reserved, json!(":/?#[]@!$&'()*+,;=")),
        (EncodeSet::Query, json!(":/?[]@!$'()*,;=")),
        (EncodeSet::Path, json!(":[]@!$&'()*+,;=")),
        (EncodeSet::All, json!(null)),
    ];
    let (mut given, mut expected) = (Vec::new(), Vec::new());
    for value in &values {
        for name in styles {
            let style = Style::from_name(name).expect("it is a style");
            assert_eq!(style.as_str(), name);
            for explode in [false, true] {
                for (encode_set, characters) in &encode_sets {
                    given.push(json!(["co lor", value, name, explode, characters]));
                    expected.push(serialize("co lor", value, style, explode, *encode_set));
                }
            }
        }
    }
    let results = Engine::new().run("serialize", &json!(given));
    for ((actual, expected), given) in results
        .as_array()
        .expect("a list")
        .iter()
        .zip(&expected)
        .zip(&given)
    {
        assert_eq!(actual, expected, "{given}");
    }
    assert_eq!(expected.len(), 1_200);
}

#[test]
fn the_tables_of_the_standards_are_reproduced() {
    let rows = |file: &str| {
        let path = svc_test_support::reference_path(&format!("oracle/openapi/expected/{file}"))?;
        let text = std::fs::read_to_string(path).expect("the table can be read");
        let rows: Vec<Value> = serde_json::from_str(&text).expect("the table is JSON");
        Some(rows)
    };
    let (Some(table), Some(templates)) =
        (rows("oas_style_table.json"), rows("rfc6570_styles.json"))
    else {
        return;
    };
    let (mut given, mut expected) = (Vec::new(), Vec::new());
    for row in table
        .iter()
        .filter(|row| row["oas"] == "3.1.2" && row["expected"].is_string())
    {
        if Style::from_name(row["style"].as_str().unwrap_or_default()).is_none() {
            continue;
        }
        let value = match row["value"].as_str() {
            Some("string") => json!("blue"),
            Some("array") => json!(["blue", "black", "brown"]),
            Some("object") => json!({"R": 100, "G": 200, "B": 150}),
            _ => json!(""),
        };
        given.push(json!(["color", value, row["style"], row["explode"], ""]));
        expected.push(row["expected"].clone());
    }
    for row in &templates {
        let style = row["style"].as_str().unwrap_or_default();
        let unescaped = if style.contains("{+}") {
            ":/?#[]@!$&'()*+,;="
        } else {
            ""
        };
        let mut input = row["input"].clone();
        input.sort_all_objects();
        given.push(json!([
            "color",
            input,
            style.split('+').next(),
            row["explode"],
            unescaped
        ]));
        expected.push(row["expected"].clone());
    }
    assert_eq!(expected.len(), 37 + 80);
    let results = Engine::new().run("serialize", &json!(given));
    assert_eq!(results, Value::Array(expected));
}

const UPLOAD: &str = r"
openapi: 3.1.0
info: {title: t, version: '1'}
servers: [{url: 'https://h.test/'}]
paths:
  /p/{id}:
    post:
      parameters:
        - {name: id, in: path, schema: {}}
        - {name: X-Note, in: header, schema: {}}
      requestBody:
        content:
          multipart/form-data:
            schema: {type: object, properties: {many: {type: array, items: {type: string, format: binary}}, one: {type: string, contentMediaType: image/png}, text: {type: string, format: base64}, tags: {type: array, items: {type: string}}, meta: {type: object}}}
            encoding: {meta: {contentType: 'application/vnd.m+json'}}
          application/octet-stream: {}
          text/csv: {schema: {type: string}}
      responses: {'200': {description: ok}}
components:
  securitySchemes:
    basic: {type: http, scheme: basic}
    oidc: {type: openIdConnect, openIdConnectUrl: 'https://h.test'}
security: [{basic: []}, {oidc: []}]
";

fn uploaded(inputs: &Value) -> Value {
    let document = document(UPLOAD);
    let made = playground_spec(
        &document,
        &document.operations[0],
        &PlaygroundOptions::default(),
    );
    Engine::new().run("request", &json!([made, [inputs]]))[0].clone()
}

/// The form of a body without a schema is a file field, like the samples.
#[test]
fn a_body_without_schema_is_a_file() {
    let document = document(UPLOAD);
    let operation = &document.operations[0];
    let made = playground_spec(&document, operation, &PlaygroundOptions::default());
    let content = &made["body"]["content"][1];
    let row = usize::try_from(content["schema"].as_u64().expect("a row")).expect("small");
    assert_eq!(made["schemas"][row]["file"], "binary");
    let empty = uploaded(&json!({"body": {"type": "application/octet-stream"}}));
    assert_eq!(empty["content"]["name"], "file.bin");
}

#[test]
fn typed_json_is_sent_unchanged() {
    let typed = "{\"a\": 1.0}";
    let body = json!({"type": "application/json", "value": {"a": 1}, "typed": typed});
    assert_eq!(uploaded(&json!({ "body": body }))["content"]["text"], typed);
    let filled = json!({"type": "application/json", "value": {"a": 1}});
    let made = uploaded(&json!({ "body": filled }));
    assert_eq!(made["content"]["text"], "{\n  \"a\": 1\n}");
}

#[test]
fn chosen_files_replace_example_names() {
    let value =
        json!({"many": [], "one": "", "text": "aGk=", "tags": ["a", "b"], "meta": {"a": 1.0}});
    let made = uploaded(&json!({
        "body": {"type": "multipart/form-data", "value": value},
        "files": {"many": ["a.txt", "b.txt"], "one": "me.png"},
    }));
    let parts = made["content"]["parts"].as_array().expect("parts");
    let shown: Vec<String> = parts
        .iter()
        .map(|part| {
            format!(
                "{} {} {} {}",
                part["name"], part["value"], part["type"], part["index"]
            )
            .replace('"', "")
        })
        .collect();
    assert_eq!(
        shown,
        [
            "many a.txt application/octet-stream 0",
            "many b.txt application/octet-stream 1",
            "one me.png image/png 0",
            "text aGk= null null",
            "tags a null null",
            "tags b null null",
            "meta {\\a\\:1} application/vnd.m+json null",
        ]
    );
    let whole =
        uploaded(&json!({"body": {"type": "application/octet-stream"}, "files": {"": "x.bin"}}));
    assert_eq!(whole["content"]["name"], "x.bin");
    let csv = uploaded(&json!({"body": {"type": "text/csv", "value": "a,b"}, "files": {}}));
    assert_eq!(csv["content"]["text"], "a,b");
    assert_eq!(csv["headers"], json!([["Content-Type", "text/csv"]]));
}

#[test]
fn credentials_and_headers_are_valid() {
    let made = uploaded(&json!({
        "server": "https://eu.test//",
        "parameters": {"path:id": "a/b", "header:X-Note": "one\r\nEvil: 1"},
        "credentials": {"basic": {"username": "user", "password": "pa<ss>é"}, "unknown": "x"},
    }));
    assert_eq!(made["url"], "https://eu.test/p/a%2Fb");
    assert_eq!(
        made["headers"],
        json!([
            ["X-Note", "one  Evil: 1"],
            ["Authorization", "Basic dXNlcjpwYTxzcz7DqQ=="]
        ])
    );
    let made = uploaded(&json!({"credentials": {"oidc": "tok"}}));
    assert_eq!(made["headers"], json!([["Authorization", "Bearer tok"]]));
    assert_eq!(made["url"], "/p/{id}");
}

#[test]
fn large_integers_are_sent_as_typed() {
    let engine = Engine::new();
    let texts = [
        "[9007199254740993,-9007199254740993,9007199254740991,123456789012345678901234567890]",
        r#"{"a":9007199254740993,"b":"9007199254740993","12345678901234567":[18446744073709551616]}"#,
        // Texts that look like the markers of large numbers, as values and as names.
        r#"["\u00009007199254740993","\u0000\u0000","\u0000","\"\u00009007199254740993",9007199254740993]"#,
        r#"{"\u00009007199254740993":"9007199254740993\"","x\\":9007199254740993}"#,
        "9007199254740993",
        r#"{"a":[],"b":{},"c":null,"d":[true,1.5,"é"]}"#,
    ];
    let made = engine.run("json", &json!(texts));
    for (at, text) in texts.iter().enumerate() {
        assert_eq!(made[at][0], *text);
        // Except for strings with spaces, only white space differs.
        let pretty = made[at][1].as_str().expect("a text");
        let plain: String = pretty.split(['\n', ' ']).collect();
        assert_eq!(plain, *text);
    }
    let made = uploaded(&json!({
        "parameters": {"path:id": u64::MAX, "query:q": [9_007_199_254_740_993_u64, 1]},
        "body": {"type": "application/json", "value": {"id": i64::MIN}},
    }));
    assert_eq!(made["url"], "/p/18446744073709551615");
    assert_eq!(
        made["content"]["text"],
        "{\n  \"id\": -9223372036854775808\n}"
    );
    let document = document(UPLOAD);
    let operation = &document.operations[0];
    let made = playground_spec(&document, operation, &PlaygroundOptions::default());
    for value in [
        json!({"id": i64::MIN}),
        json!([[9_007_199_254_740_992_u64]]),
        json!({"id": 9_007_199_254_740_991_u64, "n": 1.5}),
    ] {
        let inputs = Inputs {
            body: Some(("application/json".to_owned(), value)),
            ..Inputs::default()
        };
        let request = request(&document, operation, &inputs);
        let language = language("javascript").expect("it is known");
        let entry = &languages()["javascript"];
        let results = engine.run("samples", &json!([made, [inputs_of(&inputs)], [entry]]));
        let pieces = results[0][0].as_array().into_iter().flatten();
        let code: String = pieces.filter_map(|piece| piece[1].as_str()).collect();
        let own = sample(language, &request).into_iter();
        assert_eq!(code, own.map(|token| token.text).collect::<String>());
    }
}

fn problems(schema: &str, value: &str) -> String {
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths: {{/a: {{post: {{requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}, responses: {{'200': {{description: ok}}}}}}}}}}\ncomponents: {{schemas: {{Node: {{type: object, properties: {{next: {{$ref: '#/components/schemas/Node'}}, n: {{type: integer}}}}}}}}}}"
    );
    let document = document(&text);
    let made = playground_spec(
        &document,
        &document.operations[0],
        &PlaygroundOptions::default(),
    );
    let row = &made["body"]["content"][0]["schema"];
    let value: Value = serde_json::from_str(value).expect("the value is JSON");
    let reported = Engine::new().run("problems", &json!([made, row, value]));
    let lines: Vec<String> = reported
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            let path = one["path"].as_array().expect("a path").iter();
            let path: Vec<String> = path.map(|part| part.to_string().replace('"', "")).collect();
            format!("{}:{}", path.join("."), one["key"].as_str().expect("a key"))
        })
        .collect();
    lines.join(" ")
}

#[test]
fn values_are_validated_against_their_schema() {
    let cases = [
        ("{type: string}", "1", ":type"),
        ("{type: string}", "null", ":type"),
        ("{type: [string, 'null']}", "null", ""),
        ("{}", "null", ""),
        ("{type: integer}", "1.5", ":type"),
        (
            "{type: [integer], maximum: 9223372036854775807}",
            "9223372036854775807",
            "",
        ),
        (
            "{type: number, maximum: 9223372036854775806}",
            "9223372036854775807",
            ":maximum",
        ),
        ("{multipleOf: 2}", "9007199254740993", ":multipleOf"),
        ("{multipleOf: 0.5}", "9007199254740993", ""),
        ("{type: string}", "9007199254740993", ":type"),
        (
            "{enum: [9007199254740992, 9007199254740994]}",
            "9007199254740993",
            ":enum",
        ),
        (
            "{enum: [9007199254740992, 9007199254740994]}",
            "9007199254740994",
            "",
        ),
        (
            "{uniqueItems: true}",
            "[9007199254740992, 9007199254740993]",
            "",
        ),
        ("{type: integer}", "1.0", ""),
        ("{type: [string, integer]}", "true", ":type"),
        ("{enum: [a, 1, {b: [2]}]}", "{\"b\": [2]}", ""),
        ("{enum: [a, 1]}", "2", ":enum"),
        ("{const: a}", "\"b\"", ":const"),
        ("{type: number, minimum: 1, maximum: 3}", "0", ":minimum"),
        (
            "{type: number, exclusiveMinimum: 1, exclusiveMaximum: 3}",
            "3",
            ":exclusiveMaximum",
        ),
        ("{type: number, multipleOf: 0.1}", "0.3", ""),
        ("{type: number, multipleOf: 0.1}", "0.35", ":multipleOf"),
        (
            "{type: string, minLength: 2, maxLength: 3}",
            "\"😀\"",
            ":minLength",
        ),
        ("{type: string, maxLength: 3}", "\"abcd\"", ":maxLength"),
        ("{type: string, pattern: '^[a-z]+$'}", "\"aB\"", ":pattern"),
        ("{type: string, pattern: '^\\p{Lu}'}", "\"a\"", ":pattern"),
        ("{type: string, pattern: '(['}", "\"a\"", ""),
        ("{type: string, format: date}", "\"2024-13-01\"", ":format"),
        ("{type: string, format: uuid}", "\"x\"", ":format"),
        ("{type: string, format: email}", "\"a@b\"", ""),
        ("{type: string, format: ipv4}", "\"1.2.3.256\"", ":format"),
        (
            "{type: array, minItems: 1, items: {type: string}}",
            "[]",
            ":minItems",
        ),
        (
            "{type: array, maxItems: 1, uniqueItems: true}",
            "[1, 1]",
            ":maxItems :uniqueItems",
        ),
        (
            "{type: array, prefixItems: [{type: string}], items: {type: integer}}",
            "[1, \"a\"]",
            "0:type 1:type",
        ),
        (
            "{type: object, required: [a, b], properties: {a: {type: string}}}",
            "{\"a\": 1}",
            "b:required a:type",
        ),
        (
            "{type: object, properties: {a: {}}, additionalProperties: false}",
            "{\"b\": 1}",
            "b:unknown",
        ),
        (
            "{type: object, additionalProperties: {type: integer}}",
            "{\"b\": \"x\"}",
            "b:type",
        ),
        (
            "{type: object, minProperties: 1, maxProperties: 1}",
            "{\"a\": 1, \"b\": 2}",
            ":maxProperties",
        ),
        (
            "{type: object, required: [toString]}",
            "{}",
            "toString:required",
        ),
        (
            "{oneOf: [{type: string}, {type: integer, minimum: 3}]}",
            "true",
            ":variant",
        ),
        (
            "{oneOf: [{type: string}, {type: integer, minimum: 3}]}",
            "2",
            ":minimum",
        ),
        (
            "{oneOf: [{type: string}, {type: integer, minimum: 3}]}",
            "4",
            "",
        ),
        (
            "{anyOf: [{required: [a], properties: {a: {}}}, {required: [b, c], properties: {b: {}}}]}",
            "{}",
            "a:required",
        ),
        (
            "{$ref: '#/components/schemas/Node'}",
            "{\"next\": {\"next\": {\"n\": \"x\"}}}",
            "next.next.n:type",
        ),
        ("{type: string, format: binary}", "{}", ""),
        (
            "{allOf: [{type: integer, maximum: 9}, {maximum: 5}]}",
            "7",
            ":maximum",
        ),
    ];
    for (schema, value, expected) in cases {
        assert_eq!(problems(schema, value), expected, "{schema} {value}");
    }
}

#[test]
fn missing_values_of_the_chosen_variant_are_reported() {
    let schema = "{oneOf: [{title: A, type: object, required: [x], properties: {k: {const: a}}}, {title: B, type: object, required: [y, z], properties: {k: {const: b}}}], discriminator: {propertyName: k}}";
    assert_eq!(problems(schema, "{\"k\": \"b\", \"y\": 1}"), "z:required");
}

#[test]
fn matching_a_hostile_pattern_ends() {
    let long = "a".repeat(5_000);
    let optional = format!("{}{}$", "a?".repeat(40), "a".repeat(40));
    for pattern in [
        "(a+)+b",
        "(a|a)*b",
        "(a*)*b",
        "((a{1,99}){1,99})+b",
        "a*a*a*a*a*a*b",
        "(.*)*(.*)*x",
        "^(a?){50}a{50}$",
        "(a+)\\\\1+b",
        &optional,
    ] {
        let schema = format!("{{type: string, pattern: \"{pattern}\"}}");
        let value = format!("\"{long}\"");
        assert_eq!(problems(&schema, &value), "", "{pattern}");
        problems(&schema, "\"aaaaaaaaaaaaaaaaaa\"");
    }
    // A pattern with few alternatives is tested on a text that is not short.
    let value = format!("\"{}\"", "a".repeat(200));
    assert_eq!(
        problems("{type: string, pattern: '^[a-z]*-[a-z]*$'}", &value),
        ":pattern"
    );
    assert_eq!(
        problems(
            "{type: string, pattern: '^(x|y|z){1}([0-9]{4}-){3}$'}",
            &value
        ),
        ":pattern"
    );
}

#[test]
fn the_table_of_languages_is_small_and_complete() {
    let all = languages();
    assert_eq!(all.as_object().map(Map::len), Some(LANGUAGES.len()));
    for name in ["bash", "cpp", "swift"] {
        let language = language(name).expect("it is known");
        assert_eq!(all[name]["template"], language.template);
    }
}
