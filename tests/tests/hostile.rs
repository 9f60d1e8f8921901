//! Robustness against hostile repositories: every page is rendered, and no text becomes code.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

// Long because it is a flat list of hostile inputs, each next to its check.

use std::panic::catch_unwind;

use proptest::prelude::*;
use svc_tests::loaded_site::{LoadedSite, program_errors};
use svc_tests::markup::tags;
use svc_tests::random::Random;
use svc_tests::sites;

/// Tokens that break pages.
const MDX_TOKENS: &[&str] = &[
    "<",
    ">",
    "{",
    "}",
    "</",
    "/>",
    "<Card",
    "</Card>",
    "<Tabs>",
    "<>",
    "</>",
    "`",
    "```\n",
    "~~~",
    "$$",
    "$",
    "*",
    "**",
    "_",
    "[",
    "]",
    "](",
    "![",
    "|",
    "\n\n",
    "\n",
    "    ",
    "\t",
    "> ",
    "- ",
    "1. ",
    "---\n",
    "+++\n",
    "import x from \"/snippets/note.mdx\"\n",
    "export const a = ",
    "=>",
    "{/*",
    "*/}",
    "<!--",
    "-->",
    "\\",
    "&#0;",
    "&amp",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "é",
    "𝒳",
    "\r",
    "\r\n",
    "{...a}",
    "={",
    "=\"",
    "{`${",
    "`}",
    "[^1]",
    "[^1]: ",
    "{{product}}",
    "{#id}",
    "<script>",
    "<Snippet file=\"note.mdx\" />",
    "| --- |\n",
    "# ",
    "====\n",
    "\u{2028}",
];

/// Tokens that break JSON and YAML.
const DATA_TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "null",
    "true",
    "1e999",
    "-",
    "\\u0000",
    "\\ud800",
    "\n",
    "$ref",
    "\"$ref\": \"#\"",
    "\"pages\": ",
    "[[",
    "{}",
    "0",
    "\u{0}",
    "&a ",
    "*a ",
    "<<: ",
    "|\n",
    "- ",
    "  ",
    "\t",
    "'",
    "!!binary ",
    "---\n",
    "...\n",
    "#/components/schemas/Order",
    "é",
    "..",
    "../../etc/passwd",
    "://",
    "javascript:",
    "%00",
    "GET /",
    "openapi",
    "type",
    "\"hidden\": 1",
];

/// Returns the fixture as files in memory.
fn kitchen() -> Vec<(String, String)> {
    let root = sites::workspace().join("tests/fixtures/kitchen");
    let mut files = Vec::new();
    let mut waiting = vec![root.clone()];
    while let Some(dir) = waiting.pop() {
        for entry in std::fs::read_dir(dir)
            .expect("the fixture is there")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(&root).expect("a file of the fixture");
                let text = std::fs::read_to_string(&path).expect("a text");
                files.push((name.to_string_lossy().into_owned(), text));
            }
        }
    }
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    files
}

fn file_of<'a>(files: &'a [(String, String)], name: &str) -> &'a str {
    let entry = files.iter().find(|file| file.0 == name);
    entry.map_or_else(|| panic!("the fixture has no {name}"), |file| &file.1)
}

/// Loads a site from these files and renders all pages; `what` identifies the inputs in the panic
/// message.
fn survives(what: &str, files: Vec<(String, String)>) -> usize {
    let result = catch_unwind(|| {
        let site =
            LoadedSite::of_files(files).expect("a site is assembled whatever the files hold");
        let mut diagnostics = site.diagnostics.clone();
        diagnostics.extend(site.render_all());
        let entries = site.site.map.to_json();
        assert!(entries.is_array());
        (site.site.map.routes.len(), program_errors(&diagnostics))
    });
    match result {
        Ok((routes, mistakes)) => {
            assert!(mistakes.is_empty(), "{what}: {}", mistakes.join("\n"));
            routes
        }
        Err(_) => panic!("{what}: loading or rendering panicked"),
    }
}

/// Renders texts as pages of one site, a few hundred at a time.
fn pages_survive(what: &str, texts: &[String]) {
    let shared: Vec<(String, String)> = kitchen()
        .into_iter()
        .filter(|file| file.0.starts_with("snippets/"))
        .collect();
    for (number, chunk) in texts.chunks(200).enumerate() {
        let names: Vec<String> = (0..chunk.len()).map(|at| format!("p{at}")).collect();
        let mut config: serde_json::Value = serde_json::from_str(
            r##"{"theme": "svc", "name": "H", "colors": {"primary": "#123456"}, "navigation": {"pages": []}}"##,
        )
        .expect("a configuration");
        config["navigation"]["pages"] = names.clone().into();
        let mut files = shared.clone();
        files.push(("docs.json".to_owned(), config.to_string()));
        let pages = names.iter().zip(chunk);
        files.extend(pages.map(|(name, text)| (format!("{name}.mdx"), text.clone())));
        let routes = survives(&format!("{what}, part {number}"), files);
        assert!(
            routes >= chunk.len(),
            "{what}: {routes} routes for {} pages",
            chunk.len()
        );
    }
    eprintln!("{what}: {} texts", texts.len());
}

/// Returns the text truncated at every `step`th byte, moved to the next character boundary.
fn cuts(text: &str, step: usize) -> impl Iterator<Item = String> {
    let ends = (0..text.len()).step_by(step).map(|mut at| {
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    });
    ends.map(|at| text[..at].to_owned())
}

fn mutants(text: &str, tokens: &[&str], count: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let once = random.mutate(text, tokens);
            if random.below(3) == 0 {
                random.mutate(&once, tokens)
            } else {
                once
            }
        })
        .collect()
}

#[test]
fn truncated_pages_are_rendered() {
    let files = kitchen();
    let page = file_of(&files, "kitchen-sink.mdx");
    pages_survive("cut pages", &cuts(page, 29).collect::<Vec<_>>());
}

#[test]
fn pages_with_inserted_tokens_are_rendered() {
    let files = kitchen();
    let page = file_of(&files, "kitchen-sink.mdx");
    pages_survive("mutated pages", &mutants(page, MDX_TOKENS, 300, 1));
}

#[test]
fn mutated_real_pages_are_rendered() {
    for (seed, name) in (10_u64..).zip(sites::NAMES) {
        let Some(root) = sites::site(name) else {
            continue;
        };
        let site = LoadedSite::load(&root).expect("the repository can be read");
        let small: Vec<&str> = site
            .site
            .pages
            .iter()
            .map(|page| &**page.file.text())
            .filter(|text| (400..6_000).contains(&text.len()))
            .collect();
        let mut random = Random::new(seed);
        let mut texts = Vec::new();
        for number in 0..40 {
            let Some(text) = random.pick(&small) else {
                continue;
            };
            texts.extend(mutants(text, MDX_TOKENS, 2, seed * 1000 + number));
        }
        if let Some(text) = random.pick(&small) {
            texts.extend(cuts(text, 97));
        }
        pages_survive(&format!("broken pages of {name}"), &texts);
    }
}

#[test]
fn mutated_snippets_are_rendered() {
    let files = kitchen();
    for name in ["snippets/values.jsx", "snippets/note.mdx"] {
        let text = file_of(&files, name).to_owned();
        let broken: Vec<String> = cuts(&text, 13)
            .chain(mutants(&text, MDX_TOKENS, 15, 3))
            .collect();
        for (number, text) in broken.iter().enumerate() {
            let mut files = files.clone();
            files.retain(|file| file.0 != name && !file.0.starts_with("api/"));
            files.push((name.to_owned(), text.clone()));
            survives(&format!("{name} {number}"), files);
        }
        eprintln!("{name}: {} texts", broken.len());
    }
}

#[test]
fn mutated_configurations_are_rendered() {
    let files = kitchen();
    let config = file_of(&files, "docs.json");
    let mut broken: Vec<String> = cuts(config, 97).collect();
    broken.extend(mutants(config, DATA_TOKENS, 100, 4));
    broken.extend(values_replaced(config));
    for (number, text) in broken.iter().enumerate() {
        let mut files = files.clone();
        files.retain(|file| file.0 != "docs.json" && file.0 != "kitchen-sink.mdx");
        files.push(("docs.json".to_owned(), text.clone()));
        survives(&format!("docs.json {number}: {text}"), files);
    }
    eprintln!("configurations: {}", broken.len());
}

#[test]
fn mutated_real_configurations_are_rendered() {
    for (seed, name) in (20_u64..).zip(sites::NAMES) {
        let Some(root) = sites::site(name) else {
            continue;
        };
        let config = std::fs::read_to_string(root.join("docs.json")).unwrap_or_default();
        for (number, text) in mutants(&config, DATA_TOKENS, 12, seed)
            .into_iter()
            .enumerate()
        {
            let files = [
                ("docs.json", text.as_str()),
                ("index.mdx", "# Here"),
                ("a/b.mdx", "# There"),
            ];
            let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
            survives(&format!("{name} {number}"), files.to_vec());
        }
    }
}

/// Returns copies of the document, each with one value replaced by a value of another type.
fn values_replaced(json: &str) -> Vec<String> {
    let document: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let mut pointers = Vec::new();
    collect(&document, String::new(), &mut pointers);
    let strange = [
        serde_json::json!(null),
        serde_json::json!(-1.5),
        serde_json::json!([[[]]]),
        serde_json::json!({"": {"a": 1}}),
        serde_json::json!("../../\u{0}é</script>"),
        serde_json::json!(true),
    ];
    let replaced = pointers
        .iter()
        .zip(strange.iter().cycle())
        .map(|(pointer, value)| {
            let mut copy = document.clone();
            if let Some(target) = copy.pointer_mut(pointer) {
                *target = value.clone();
            }
            copy.to_string()
        });
    replaced.collect()
}

fn collect(value: &serde_json::Value, pointer: String, into: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(value, format!("{pointer}/{key}"), into);
            }
        }
        serde_json::Value::Array(array) => {
            for (at, value) in array.iter().enumerate() {
                collect(value, format!("{pointer}/{at}"), into);
            }
        }
        _ => {}
    }
    into.push(pointer);
}

/// Renders API documents, several per site.
fn documents_survive(what: &str, ending: &str, texts: &[String]) {
    for (number, chunk) in texts.chunks(10).enumerate() {
        let groups: Vec<serde_json::Value> = (0..chunk.len())
            .map(|at| serde_json::json!({"group": format!("G{at}"), "openapi": format!("d{at}.{ending}")}))
            .collect();
        let config = serde_json::json!({
            "theme": "svc", "name": "H", "colors": {"primary": "#123456"},
            "navigation": {"groups": groups}
        });
        let mut files = vec![("docs.json".to_owned(), config.to_string())];
        files.push(("index.mdx".to_owned(), "Text.".to_owned()));
        let documents = chunk.iter().enumerate();
        files.extend(documents.map(|(at, text)| (format!("d{at}.{ending}"), text.clone())));
        survives(&format!("{what}, part {number}"), files);
    }
    eprintln!("{what}: {} texts", texts.len());
}

#[test]
fn mutated_api_documents_are_rendered() {
    let files = kitchen();
    let text = file_of(&files, "api/orders.yaml");
    let mut broken: Vec<String> = cuts(text, 97).collect();
    broken.extend(mutants(text, DATA_TOKENS, 120, 5));
    documents_survive("API documents in YAML", "yaml", &broken);
    let value = svc_data::parse_yaml(
        &svc_diagnostics::SourceFile::new("orders.yaml", text),
        &svc_data::Limits::default(),
    );
    let json = serde_json::to_string(&to_json(&value.value)).expect("JSON");
    let mut broken = values_replaced(&json);
    broken.extend(cuts(&json, 97));
    documents_survive("API documents in JSON", "json", &broken);
}

#[test]
fn mutated_real_api_documents_are_rendered() {
    let Some(dir) = svc_test_support::reference_path("corpus/specs") else {
        return;
    };
    let mut paths: Vec<_> = std::fs::read_dir(dir)
        .expect("a directory")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    for ending in ["json", "yaml"] {
        let mut broken = Vec::new();
        for (seed, path) in (30_u64..).zip(&paths) {
            if path.extension().is_none_or(|extension| extension != ending) {
                continue;
            }
            let text = std::fs::read_to_string(path).unwrap_or_default();
            if (1..40_000).contains(&text.len()) {
                broken.extend(mutants(&text, DATA_TOKENS, 2, seed));
            }
        }
        documents_survive(&format!("real API documents in {ending}"), ending, &broken);
    }
}

#[test]
fn bombs_are_rendered_in_time() {
    let size = 40_000;
    let fill = |part: &str| part.repeat(size / part.len());
    let parts = [
        "> ",
        "- ",
        "1. ",
        "*a **b ",
        "***",
        "_",
        "[",
        "![",
        "[a](",
        "[[]",
        "](",
        "<A>",
        "<A><B/>",
        "</A>",
        "<A",
        "<A b=\"",
        "{",
        "}",
        "{[",
        "{`${",
        "${",
        "`",
        "``",
        "` `` ",
        "$",
        "$$",
        "$$\n",
        "~",
        "~~",
        "|",
        "|\n",
        "| a ",
        "&",
        "&amp;",
        "&#",
        "<!--",
        "{/*",
        "\\",
        "\n",
        "\r",
        "\t",
        "    ",
        "#",
        "# a\n",
        "=\n",
        "a\n=\n",
        "```\n",
        "~~~\n",
        "---\n",
        "+++\n",
        "[^1]",
        "[^1]: a\n",
        "[a]: b\n",
        "[a]\n",
        "import a from \"a\"\n",
        "export const a = [\n\n",
        "export ",
        "import ",
        "http://a.",
        "www.",
        "a@b.c ",
        "<Tabs>",
        "<Card>\n",
        "{{a}}",
        "{a.",
        "{(",
        "{a=>",
        "{[1,",
        "{\"a\"+",
        "{!",
        "{a?",
        "<>",
        "<a.b",
        "- a\n",
        "> a\n",
        "* * ",
        "\u{0}",
        "\"",
        "'",
        "<Steps><Step title=\"a\">",
        "<Note>\n\n",
        "<div style=\"",
        "é",
        "&nbsp;",
        "[a][",
        "- [ ] ",
        ":::\n",
        "{#a}",
    ];
    let mut texts: Vec<String> = parts.iter().map(|part| fill(part)).collect();
    let half = size / 2;
    for (open, close) in [
        ("[", "]"),
        ("<A>", "</A>"),
        ("{", "}"),
        ("*", "*"),
        ("(", ")"),
        ("<>", "</>"),
        ("$", "$"),
    ] {
        let count = half / open.len();
        texts.push([&open.repeat(count), "a", &close.repeat(count)].concat());
    }
    for (open, close) in [
        ("{", "}"),
        ("{[", "]}"),
        ("{(", ")}"),
        ("{\"", "\"}"),
        ("{`", "`}"),
        ("{1+", "1}"),
    ] {
        let inner = "a,".repeat(half / 2);
        texts.push([open, &inner, close].concat());
    }
    texts.push(format!(
        "| a | b |\n| - | - |\n{}",
        "| 1 | 2 |\n".repeat(size / 10)
    ));
    texts.push(
        (0..3_000)
            .map(|at| format!("[^{at}]"))
            .chain((0..3_000).map(|at| format!("\n\n[^{at}]: x")))
            .collect(),
    );
    texts.push(
        (0..3_000)
            .map(|at| format!("## same\n\n[a{at}]: /b\n\n"))
            .collect(),
    );
    texts.push(
        [
            "<Twice/>\n".repeat(2_000),
            "export const Twice = () => <div>{[1,2].map(a => <Twice/>)}</div>".to_owned(),
        ]
        .concat(),
    );
    texts.push("export const f = () => f()\n\n{f()}\n".to_owned());
    texts.push(
        "{\"a\".repeat(1e9)}\n\n{Array(1e9).fill(0).map(x => <p>1</p>)}\n\n{[...".to_owned()
            + &"[".repeat(500)
            + "\n",
    );
    texts.push(format!(
        "{{{}}}",
        (0..60).fold("\"aaaaaaaaaa\"".to_owned(), |text, _| format!(
            "({text}+{{}}.x)"
        ))
    ));
    texts.push(
        "export let a = \"aaaaaaaaaaaaaaaa\";\n\n".to_owned()
            + "{(() => { let b = a; for (let i = 0; i < 60; i++) { b = b + b; } return b; })()}\n",
    );
    texts.push("{(() => { while (true) {} })()}\n\n{(() => { for (;;) {} })()}\n".to_owned());
    texts.push(
        "import A from \"/snippets/note.mdx\"\n\n".to_owned()
            + &"<A who={<A who={<A/>}/>}/>\n\n".repeat(500),
    );
    pages_survive("bombs", &texts);
}

#[test]
fn recursive_snippets_are_limited() {
    let config = r##"{"theme": "svc", "name": "H", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index"]}}"##;
    let mut files = vec![
        ("docs.json".to_owned(), config.to_owned()),
        ("index.mdx".to_owned(), "import A from \"/snippets/a.mdx\"\nimport D0 from \"/snippets/d0.mdx\"\n\n<A/>\n\n<D0/>\n".to_owned()),
        ("snippets/a.mdx".to_owned(), "import B from \"/snippets/b.mdx\"\n\n<B/><B/>\n".to_owned()),
        ("snippets/b.mdx".to_owned(), "import A from \"/snippets/a.mdx\"\n\n<A/><A/>\n".to_owned()),
    ];
    // Each includes the next one ten times: 10^12 snippets without a limit.
    for at in 0..12 {
        let next = at + 1;
        let text = format!(
            "import D{next} from \"/snippets/d{next}.mdx\"\n\n{}\n",
            format!("<D{next}/>\n\n").repeat(10)
        );
        files.push((format!("snippets/d{at}.mdx"), text));
    }
    files.push(("snippets/d12.mdx".to_owned(), "The end.\n".to_owned()));
    assert_eq!(survives("snippets", files), 1);
}

#[test]
fn data_bombs_are_parsed_in_time() {
    let deep =
        |open: &str, close: &str, count| format!("{}1{}", open.repeat(count), close.repeat(count));
    let lol = (1..30).fold("a: &a0 [x, x]\n".to_owned(), |text, at| {
        let before = at - 1;
        format!("{text}b{at}: &a{at} [*a{before}, *a{before}, *a{before}, *a{before}]\n")
    });
    let schema = (0..200).map(|at| {
        let next = at + 1;
        format!("    S{at}:\n      allOf: [{{ $ref: '#/components/schemas/S{next}' }}, {{ $ref: '#/components/schemas/S{next}' }}]\n      properties: {{ a: {{ $ref: '#/components/schemas/S{next}' }}, b: {{ $ref: '#/components/schemas/S{next}' }} }}\n")
    });
    let schema: String = schema.collect();
    let bombs = [
        format!("openapi: 3.1.0\n{lol}"),
        format!("openapi: 3.1.0\ninfo: {}\npaths: {{}}\n", deep("[", "]", 5_000)),
        format!("openapi: 3.1.0\ninfo: {{ title: t, version: '1' }}\npaths:\n  /a:\n    get:\n      responses:\n        '200':\n          description: d\n          content:\n            application/json:\n              schema: {{ $ref: '#/components/schemas/S0' }}\ncomponents:\n  schemas:\n{schema}    S200: {{ type: string }}\n"),
        "openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths:\n  /a: { $ref: '#/paths/~1b' }\n  /b: { $ref: '#/paths/~1a' }\ncomponents: { schemas: { A: { $ref: '#/components/schemas/A' } } }\n".to_owned(),
    ];
    documents_survive("API bombs", "yaml", &bombs);
    let front: Vec<String> = [
        lol,
        deep("[", "]", 20_000),
        deep("{a: ", "}", 20_000),
        "- ".repeat(20_000),
        "? ".repeat(20_000),
        "a: |\n".repeat(5_000),
    ]
    .iter()
    .map(|text| format!("---\ntitle: A\n{text}\n---\n\nText.\n"))
    .collect();
    pages_survive("front matter bombs", &front);
    for (open, close) in [
        ("[", "]"),
        ("{\"pages\": [", "]}"),
        ("{\"group\": \"a\", \"pages\": [", "]}"),
        ("{\"tab\": \"a\", \"tabs\": [", "]}"),
    ] {
        let config = format!(
            r##"{{"theme": "svc", "name": "H", "colors": {{"primary": "#123456"}}, "navigation": {{"pages": [{}]}}}}"##,
            deep(open, close, 3_000)
        );
        let files = [
            ("docs.json".to_owned(), config),
            ("index.mdx".to_owned(), "Text.".to_owned()),
        ];
        survives("configuration bomb", files.to_vec());
    }
}

fn to_json(node: &svc_data::Node) -> serde_json::Value {
    node.to_json()
}

/// Returns whether a browser would run a script for this URL.
fn is_script(url: &str) -> bool {
    let bare: String = url
        .trim_start_matches(|letter: char| letter <= ' ')
        .chars()
        .filter(|letter| !matches!(letter, '\t' | '\n' | '\r'))
        .flat_map(char::to_lowercase)
        .collect();
    [
        "javascript:",
        "vbscript:",
        "data:text/html",
        "data:application/",
    ]
    .iter()
    .any(|bad| bare.starts_with(bad))
}

fn urls() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "javascript:", "JaVaScRiPt:", "java\tscript:", "java&Tab;script:", "\u{1}javascript:", " javascript:",
            "javascript&colon;", "&#106;avascript:", "data:text/html,", "vbscript:", "alert(1)", "//", "/", "#", "?",
            "\"", "'", "<", ">", "\\", "%6a", "\u{a0}", "\u{feff}", "https:", ")", "(", "{", "}", "`", "\\u006a", "\n",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z/:.]{0,6}",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a site that contains `text` wherever an author can write text.
fn site_with_text(text: &str) -> Vec<(String, String)> {
    let quoted = json(text);
    let config = serde_json::json!({
        "theme": "svc", "name": text, "description": text, "colors": {"primary": "#123456"},
        "favicon": text, "logo": {"light": text, "dark": text, "href": text},
        "navbar": {"links": [{"label": text, "href": text, "icon": text}], "primary": {"type": "button", "label": text, "href": text}},
        "footer": {"socials": {"x": text, "website": text}, "links": [{"header": text, "items": [{"label": text, "href": text}]}]},
        "banner": {"content": text}, "variables": {"v": text}, "search": {"prompt": text},
        "redirects": [{"source": "/old", "destination": text}],
        "seo": {"metatags": {"og:title": text}},
        "fonts": {"family": text}, "errors": {"404": {"title": text, "description": text}},
        "navigation": {
            "global": {"anchors": [{"anchor": text, "href": text, "icon": text}]},
            "groups": [{"group": text, "icon": text, "tag": text, "pages": ["index", "more"]}, {"group": "A", "openapi": "a.json"}]
        }
    });
    let page = format!(
        "---\ntitle: {quoted}\ndescription: {quoted}\nicon: {quoted}\ntag: {quoted}\n---\n\nimport S from \"/snippets/s.mdx\"\n\nexport const x = {quoted};\n\n{{x}} <a href={{x}}>a</a> <img src={{x}} alt={{x}} title={{x}} />\n\n<S v={{x}} />\n\n<Card title={{x}} href={{x}} img={{x}} icon={{x}} cta={{x}}>c</Card>\n\n<iframe src={{x}} title={{x}} />\n\n<div id={{x}} className={{x}} style={{{{ background: x, color: x }}}}>d</div>\n\n<form action={{x}}><button formAction={{x}}>b</button></form>\n\n<svg><a href={{x}} xlinkHref={{x}}>s</a><path d={{x}} /></svg>\n\n<ParamField path={{x}} type={{x}} default={{x}}>p</ParamField>\n\n<Tooltip tip={{x}} headline={{x}} cta={{x}} href={{x}}>t</Tooltip> <Badge color={{x}}>b</Badge> <Icon icon={{x}} color={{x}} />\n\n<Tabs><Tab title={{x}} icon={{x}}>t</Tab></Tabs>\n\n<Accordion title={{x}} description={{x}}>a</Accordion>\n\n<Update label={{x}} description={{x}} tags={{[x]}}>u</Update>\n\n<Frame caption={{x}}>f</Frame>\n\n<GitHub.Repo repo={{x}} /> <Color variant=\"compact\"><Color.Item name={{x}} value={{x}} /></Color>\n\n<Latex>{{x}}</Latex>\n\n{{{{v}}}}\n"
    );
    let line = text.replace(['\n', '\r'], " ");
    let more = format!(
        "## Heading\n\n[l]({line})\n\n[m](<{line}>)\n\n![i](<{line}> \"{line}\")\n\n[r]\n\n[r]: <{line}>\n\n<a href=\"{line}\">q</a>\n\n```js {line}\n{text}\n```\n\n`` {line} ``\n\n$${line}$$\n\n{line}\n"
    );
    let api = serde_json::json!({
        "openapi": "3.1.0", "info": {"title": text, "version": text, "description": text},
        "servers": [{"url": text}],
        "paths": {format!("/{text}"): {"get": {
            "summary": text, "description": text, "operationId": text, "tags": [text],
            "externalDocs": {"url": text},
            "parameters": [{"name": text, "in": "query", "description": text, "schema": {"type": text, "default": text, "enum": [text], "pattern": text}}],
            "responses": {text: {"description": text, "content": {text: {"schema": {"type": "object", "properties": {text: {"type": "string", "description": text, "example": text}}}}}}}
        }}}
    });
    let files = [
        ("docs.json", config.to_string()),
        ("index.mdx", page),
        ("more.mdx", more),
        ("snippets/s.mdx", "<a href={v}>{v}</a>\n".to_owned()),
        ("a.json", api.to_string()),
    ];
    files.map(|(path, text)| (path.to_owned(), text)).to_vec()
}

/// Returns all rendered documents of the site.
fn documents(files: Vec<(String, String)>) -> Vec<String> {
    let site = LoadedSite::of_files(files).expect("a site");
    let mistakes = program_errors(&site.render_all());
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let paths: Vec<String> = site.site.map.routes.keys().cloned().collect();
    let mut documents: Vec<String> = paths.iter().filter_map(|path| site.page(path)).collect();
    assert!(documents.len() >= 2, "{paths:?}");
    documents.push(String::from_utf8_lossy(&site.site.not_found("/gone")).into_owned());
    documents
}

#[test]
fn all_inputs_of_the_properties_are_rendered() {
    let pages = documents(site_with_text("https://zebra.example/a"));
    assert!(pages.len() >= 4, "only {} documents", pages.len());
    let all = pages.concat();
    let occurrences: Vec<String> = tags(&all)
        .iter()
        .flat_map(|tag| {
            let own = tag
                .attributes
                .iter()
                .filter(|attribute| attribute.1.contains("zebra"));
            own.map(|attribute| format!("{} {}", tag.name, attribute.0))
                .collect::<Vec<_>>()
        })
        .collect();
    for expected in [
        "a href",
        "img src",
        "iframe src",
        "img alt",
        "div id",
        "div class",
        "meta content",
    ] {
        assert!(
            occurrences.iter().any(|occurrence| occurrence == expected),
            "no {expected} in {occurrences:#?}"
        );
    }
    let text = svc_tests::markup::normalized_text(&all);
    let shown = text.matches("zebra").count();
    assert!(shown > 30, "shown only {shown} times");
    assert!(is_script(" java\nScript:x") && !is_script("/javascript:"));
}

/// Attributes that contain a URL.
const URL_ATTRIBUTES: &[&str] = &[
    "href",
    "src",
    "action",
    "formaction",
    "xlink:href",
    "data",
    "poster",
    "srcset",
    "cite",
    "background",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_url_runs_a_script(url in urls()) {
        for html in documents(site_with_text(&url)) {
            for tag in tags(&html) {
                for name in URL_ATTRIBUTES {
                    let bad = tag.get(name).is_some_and(is_script);
                    prop_assert!(!bad, "{url:?} became {tag:?}");
                }
                let refresh = tag.name == "meta" && tag.get("http-equiv").is_some_and(|kind| kind.eq_ignore_ascii_case("refresh"));
                prop_assert!(!refresh, "{url:?} became {tag:?}");
            }
        }
    }

    #[test]
    fn no_text_becomes_markup(before in "\\PC{0,8}", after in "\\PC{0,8}", opening in prop::sample::select(vec![
        "", "\"", "'", "</script>", "</style>", "-->", "</title>", "\">", "'>", "]]>", "</textarea>", "`", "}", "<!--",
    ])) {
        // If this element or attribute can be injected, any other can be too.
        let text = format!("{before}{opening}<svc-canary onfocus=x onsvc=\"1\"> onsvc=1 \" onsvc=1 ' onsvc=1 x={after}");
        for html in documents(site_with_text(&text)) {
            for tag in tags(&html) {
                prop_assert!(tag.name != "svc-canary", "{text:?} became {tag:?}");
                let handler = tag.attributes.iter().find(|attribute| attribute.0.starts_with("on"));
                prop_assert!(handler.is_none(), "{text:?} became {tag:?}");
            }
        }
    }
}
