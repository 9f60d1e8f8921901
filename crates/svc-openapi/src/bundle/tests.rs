//! Tests of bundling with files in memory.

use svc_diagnostics::{Checked, SourceFile};

use super::{OutputFormat, bundle};
use crate::tests::codes_with_lines;

const HEAD: &str = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n";

fn bundled(files: &[(&str, &str)], notation: OutputFormat) -> Checked<Option<String>> {
    let (name, text) = files[0];
    let text = if name.ends_with(".json") {
        text.to_owned()
    } else {
        format!("{HEAD}{text}")
    };
    let lookup = |path: &str| {
        let file = files.iter().find(|(name, _)| *name == path)?;
        Some(SourceFile::new(path, file.1))
    };
    bundle(&SourceFile::new(name, text), notation, &lookup)
}

/// The result without its head; asserts that there are no diagnostics and that the result is a
/// document.
fn good(files: &[(&str, &str)]) -> String {
    let checked = bundled(files, OutputFormat::Yaml);
    assert_eq!(checked.diagnostics, []);
    let text = checked.value.expect("a document");
    let reparsed = crate::parse(&SourceFile::new("out.yaml", text.as_str()));
    let wrong = reparsed.diagnostics.iter().filter(|diagnostic| {
        !["openapi-missing-field", "openapi-no-servers"].contains(&diagnostic.code.id)
    });
    assert_eq!(
        wrong.collect::<Vec<_>>(),
        Vec::<&svc_diagnostics::Diagnostic>::new(),
        "{text}"
    );
    let (_, rest) = text
        .split_once("version: \"1\"\n")
        .expect("the head comes first");
    rest.to_owned()
}

#[test]
fn referenced_parts_move_to_components() {
    let text = good(&[
        (
            "api.yaml",
            "paths:\n  /a:\n    get:\n      parameters: [{$ref: 'parts/params.yaml#/Limit'}]\n      responses:\n        '200': {description: ok, content: {application/json: {schema: {$ref: './parts/pet.yaml', description: Own}}}}\n        '404': {$ref: 'parts/errors.json#/NotFound'}\n",
        ),
        (
            "parts/params.yaml",
            "Limit: {name: limit, in: query, schema: {type: integer, maximum: 1.50}}\n",
        ),
        (
            "parts/pet.yaml",
            "type: object\nproperties:\n  $ref: {type: string}\n  owner: {$ref: '../people.yaml#/components/schemas/Owner'}\n  pets: {type: array, items: {$ref: '#'}}\nexample: {$ref: 'not/a/file.yaml'}\n",
        ),
        (
            "parts/errors.json",
            r##"{"NotFound": {"$ref": "#/Missing"}, "Missing": {"description": "Not there"}}"##,
        ),
        (
            "people.yaml",
            "components: {schemas: {Owner: {type: object, properties: {pet: {$ref: 'parts/pet.yaml'}}}}}\n",
        ),
    ]);
    assert_eq!(
        text,
        "\
paths:
  /a:
    get:
      parameters:
        - $ref: \"#/components/parameters/Limit\"
      responses:
        \"200\":
          description: ok
          content:
            application/json:
              schema:
                $ref: \"#/components/schemas/pet\"
                description: Own
        \"404\":
          $ref: \"#/components/responses/Missing\"
components:
  schemas:
    pet:
      type: object
      properties:
        $ref:
          type: string
        owner:
          $ref: \"#/components/schemas/Owner\"
        pets:
          type: array
          items:
            $ref: \"#/components/schemas/pet\"
      example:
        $ref: not/a/file.yaml
    Owner:
      type: object
      properties:
        pet:
          $ref: \"#/components/schemas/pet\"
  responses:
    Missing:
      description: Not there
  parameters:
    Limit:
      name: limit
      in: query
      schema:
        type: integer
        maximum: 1.50
"
    );
}

#[test]
fn component_names_are_retained_and_unique() {
    let text = good(&[
        (
            "api.yaml",
            "paths: {}\ncomponents:\n  schemas:\n    A: {$ref: 'x.yaml#/Pet'}\n    B: {$ref: 'x.yaml#/Pet'}\n    Pet: {type: boolean}\n    C: {items: {$ref: 'y.yaml#/Pet'}, allOf: [{$ref: 'x.yaml#/Pet'}, {$ref: 'z.yaml'}]}\n",
        ),
        ("x.yaml", "Pet: {type: string}\n"),
        (
            "y.yaml",
            "Pet: {type: integer, not: {$ref: 'api.yaml#/components/schemas/Pet'}}\n",
        ),
        ("z.yaml", "$ref: 'y.yaml#/Pet'\n"),
    ]);
    assert_eq!(
        text,
        "\
paths: {}
components:
  schemas:
    A:
      type: string
    B:
      $ref: \"#/components/schemas/A\"
    Pet:
      type: boolean
    C:
      items:
        $ref: \"#/components/schemas/Pet_2\"
      allOf:
        - $ref: \"#/components/schemas/A\"
        - $ref: \"#/components/schemas/Pet_2\"
    Pet_2:
      type: integer
      not:
        $ref: \"#/components/schemas/Pet\"
"
    );
}

#[test]
fn parts_without_a_component_section_are_inlined() {
    let text = good(&[
        (
            "api.yaml",
            "tags: [{name: a, description: {$ref: 'texts.yaml#/a'}}]\npaths:\n  $ref: 'paths.yaml'\ncomponents:\n  schemas: {$ref: 'schemas/all.yaml'}\n",
        ),
        ("texts.yaml", "a: \"One\\nTwo\\n\"\n"),
        (
            "paths.yaml",
            "/a: {$ref: 'a.yaml'}\n/b:\n  get: {$ref: 'ops.yaml#/read', summary: Own}\n",
        ),
        (
            "a.yaml",
            "put: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: 'schemas/all.yaml#/Pet'}}}}}}\n",
        ),
        (
            "ops.yaml",
            "read: {summary: Theirs, responses: {'200': {description: ok}}}\n",
        ),
        (
            "schemas/all.yaml",
            "Pet: {properties: {next: {$ref: '#/Pet'}}, discriminator: {propertyName: k, mapping: {a: '#/Pet', b: more.yaml}}}\n",
        ),
        ("schemas/more.yaml", "type: string\n"),
    ]);
    assert!(text.starts_with("tags:\n  - name: a\n    description: |\n      One\n      Two\npaths:\n  /a:\n    $ref: \"#/components/pathItems/a\"\n  /b:\n    get:\n      responses:\n"), "{text}");
    assert!(
        text.contains("      summary: Own\n") && !text.contains("Theirs"),
        "{text}"
    );
    assert!(text.contains("    Pet:\n      properties:\n        next:\n          $ref: \"#/components/schemas/Pet\"\n"), "{text}");
    assert!(text.contains("          a: \"#/components/schemas/Pet\"\n          b: \"#/components/schemas/more\"\n"), "{text}");
    assert!(!text.contains("Pet_2"), "{text}");
}

#[test]
fn references_to_files_are_followed_in_extensions_and_for_whole_maps() {
    let files = [
        (
            "api.yaml",
            r##"paths:
  /a:
    get:
      x-codeSamples:
        - $ref: samples/curl.yml
        - {lang: Go, source: "$ref: x"}
      x-inside: {$ref: "#/kept"}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {$ref: "a.yml#/properties"}}}}}}
"##,
        ),
        (
            "samples/curl.yml",
            "lang: cURL\nsource: curl a\nx: {$ref: more.yml}\n",
        ),
        ("samples/more.yml", "deep: true\n"),
        ("a.yml", "properties: {id: {type: integer}}\n"),
    ];
    let text = good(&files);
    for part in ["lang: cURL", "deep: true", "#/kept", "id:\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains(".yml"), "{text}");
    let absent = "paths: {}\nx-codeSamples: [{$ref: gone.yml}]\n";
    let checked = bundled(&[("api.yaml", absent)], OutputFormat::Yaml);
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        ["openapi-unresolved-ref 4"]
    );
    assert_eq!(
        checked.diagnostics[0].severity,
        svc_diagnostics::Severity::Warning
    );
    assert!(checked.value.unwrap().contains("gone.yml"));
}

#[test]
fn path_items_of_3_0_are_inlined() {
    let root = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/a: {$ref: a.yaml}}\n";
    let lookup = |path: &str| {
        Some(SourceFile::new(
            path,
            "get: {responses: {'200': {description: ok}}}\n",
        ))
    };
    let text = bundle(
        &SourceFile::new("dir/api.yaml", root),
        OutputFormat::Yaml,
        &lookup,
    )
    .value
    .expect("a document");
    assert!(text.ends_with("paths:\n  /a:\n    get:\n      responses:\n        \"200\":\n          description: ok\n"), "{text}");
}

#[test]
fn unresolved_references_are_reported_at_their_location() {
    let checked = bundled(
        &[
            (
                "api.yaml",
                "paths: {}\ncomponents:\n  schemas:\n    A: {items: {$ref: 'https://e.org/a.yaml'}}\n    B: {items: {$ref: '../b.yaml'}}\n    C: {items: {$ref: 'gone.yaml'}}\n    D: {items: {$ref: 'd.yaml#/nowhere'}}\n    E: {items: {$ref: 'd.yaml#/loop'}}\n",
            ),
            ("d.yaml", "loop: {$ref: '#/pool'}\npool: {$ref: '#/loop'}\n"),
        ],
        OutputFormat::Yaml,
    );
    let lines = [
        "openapi-external-ref 6",
        "openapi-external-ref 7",
        "openapi-unresolved-ref 8",
        "openapi-unresolved-ref 9",
        "openapi-ref-cycle 10",
    ];
    assert_eq!(codes_with_lines(&checked.diagnostics), lines);
    let text = checked.value.expect("the rest is there");
    assert!(text.contains("$ref: \"https://e.org/a.yaml\""), "{text}");
}

#[test]
fn a_part_that_contains_itself_inline_is_rejected() {
    let checked = bundled(
        &[
            ("api.yaml", "paths: {/a: {get: {$ref: 'op.yaml'}}}\n"),
            (
                "op.yaml",
                "callbacks: {c: {'{$url}': {post: {$ref: 'op.yaml'}}}}\n",
            ),
        ],
        OutputFormat::Json,
    );
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        ["openapi-ref-cycle 1"]
    );
    let wide = "paths: {/a: {get: {$ref: 'op0.yaml'}}}\n";
    // Each file refers to the next one twice, inline.
    let names: Vec<String> = (0..40).map(|at| format!("op{at}.yaml")).collect();
    let texts: Vec<String> = (0..40).map(|at| format!("callbacks: {{a: {{'$x': {{post: {{$ref: 'op{0}.yaml'}}}}}}, b: {{'$x': {{post: {{$ref: 'op{0}.yaml'}}}}}}}}\n", at + 1)).collect();
    let mut files = vec![("api.yaml", wide)];
    files.extend(
        names
            .iter()
            .zip(&texts)
            .map(|(name, text)| (name.as_str(), text.as_str())),
    );
    let checked = bundled(&files, OutputFormat::Json);
    assert!(
        checked
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code.id == "openapi-bundle-limit")
    );
}

#[test]
fn a_document_of_one_file_is_equivalent_in_both_notations() {
    let Some(dir) = svc_test_support::reference_path("corpus/specs") else {
        return;
    };
    let mut compared = 0;
    let mut paths: Vec<_> = std::fs::read_dir(dir)
        .expect("it is a folder")
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("it is text");
        if path.ends_with("manifest.json") || text.len() > 400_000 || text.contains("digitalocean")
        {
            continue;
        }
        let name = path
            .file_name()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        let file = SourceFile::new(name.as_str(), text);
        let before = svc_data::parse(&file, &svc_data::Limits::default())
            .value
            .to_json();
        for notation in [OutputFormat::Json, OutputFormat::Yaml] {
            let checked = bundle(&file, notation, &|_| None);
            assert_eq!(checked.diagnostics, [], "{name}");
            let text = checked.value.expect("a document");
            let ending = if notation == OutputFormat::Json {
                "out.json"
            } else {
                "out.yaml"
            };
            let reparsed =
                svc_data::parse(&SourceFile::new(ending, text), &svc_data::Limits::default());
            assert_eq!(reparsed.diagnostics, [], "{name}");
            assert!(reparsed.value.to_json() == before, "{name} {notation:?}");
        }
        compared += 1;
    }
    assert!(compared >= 40, "{compared}");
}

#[test]
fn special_strings_survive() {
    let odd = [
        "",
        " a",
        "a ",
        "a\n\nb",
        "a\n b\n",
        "\na\nb",
        "a\n\n",
        "a\r\nb",
        "a\n \nb",
        "- a",
        "a: b",
        "a #b",
        "#",
        "'",
        "\"",
        "\\",
        "true",
        "No",
        "1.0",
        "0x1",
        "~",
        "a\tb",
        "é\u{2028}x\ny",
        "\u{7f}",
        "/a/{b}",
        "*x",
        "&x",
        "!x",
        "%x",
        "@x",
        "a\u{feff}\nb",
        "- \n- ",
    ];
    let list: Vec<String> = odd
        .iter()
        .map(|text| serde_json::to_string(text).expect("a text"))
        .collect();
    let text = format!(
        "{{\"openapi\": \"3.1.0\", \"x-odd\": [{}], \"x-keys\": {{{}}}}}",
        list.join(","),
        list.iter()
            .map(|key| format!("{key}: {key}"))
            .collect::<Vec<_>>()
            .join(",")
    );
    let file = SourceFile::new("a.json", text);
    let before = svc_data::parse(&file, &svc_data::Limits::default())
        .value
        .to_json();
    for notation in [OutputFormat::Json, OutputFormat::Yaml] {
        let out = bundle(&file, notation, &|_| None)
            .value
            .expect("a document");
        let reparsed = svc_data::parse(
            &SourceFile::new("out", out.as_str()),
            &svc_data::Limits::default(),
        );
        assert_eq!(reparsed.value.to_json(), before, "{out}");
    }
}
