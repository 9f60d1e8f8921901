//! Tests of diagrams: supported input, rejected input, and the cost of hostile input.

#![expect(clippy::print_stdout, reason = "a measured test says what it found")]

use std::time::Instant;

use super::DiagramCache;
use super::rendered::MARK;

#[track_caller]
fn svg(source: &str) -> String {
    match DiagramCache::new().render(source) {
        Ok(diagram) => diagram.inner("p-").into_string(),
        Err(problem) => panic!("{source}: {problem:?}"),
    }
}

const KINDS: &[&str] = &[
    "flowchart LR\n  A[Start] --> B{Choice}\n  B -->|yes| C([End])\n  B -.-> D[(Data)]\n  subgraph S [Group]\n    D ==> E((x))\n  end",
    "graph TD; A-->B; A-->C; B-->D; C-->D",
    "sequenceDiagram\n  autonumber\n  participant A as Alice\n  actor B\n  A->>+B: Hello\n  Note over A,B: both\n  alt ok\n    B-->>-A: Hi\n  else no\n    B--xA: No\n  end\n  loop often\n    A-)B: async\n  end\n  rect rgb(200, 220, 255)\n    A->>A: self\n  end",
    "classDiagram\n  class Animal {\n    +String name\n    +eat() void\n  }\n  Animal <|-- Duck\n  Animal \"1\" *-- \"many\" Leg : has",
    "stateDiagram-v2\n  [*] --> Idle\n  Idle --> Busy : work\n  state Busy {\n    [*] --> One\n  }\n  Busy --> [*]",
    "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  CUSTOMER {\n    string name\n    int id PK\n  }",
    "gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section One\n  First :a1, 2024-01-01, 30d\n  Second :after a1, 20d",
    "pie title Pets\n  \"Dogs\" : 386\n  \"Cats\" : 85",
    "gitGraph\n  commit\n  branch develop\n  commit\n  checkout main\n  merge develop",
    "mindmap\n  root((Mind))\n    One\n      Two\n    Three",
    "timeline\n  title T\n  2002 : A\n  2004 : B : C",
    "journey\n  title Day\n  section Go\n    Walk: 5: Me",
    "quadrantChart\n  title T\n  x-axis Low --> High\n  y-axis Low --> High\n  A: [0.3, 0.6]",
    "xychart-beta\n  title \"S\"\n  x-axis [a, b]\n  y-axis 0 --> 10\n  bar [5, 6]",
];

#[test]
fn every_diagram_type_is_rendered_deterministically() {
    for source in KINDS {
        let first = svg(source);
        assert_eq!(first, svg(source), "{source}");
        assert!(first.contains("<text"), "{first}");
        assert!(!first.contains(MARK), "{first}");
        for hostile in [
            "<script",
            "<style",
            "<image",
            "<foreignObject",
            "href",
            "font-family",
            "#0102",
            "#0101",
            "NaN",
        ] {
            assert!(!first.contains(hostile), "{hostile} in {source}: {first}");
        }
    }
}

#[test]
fn a_node_can_be_named_end() {
    let source = "flowchart TD\n  subgraph S\n  A --> End\n  end\n  End --> B([Done])\n  End -- late --> C\n  END\n";
    let diagram = svg(source);
    for label in [">End<", ">END<", ">Done<", ">late<"] {
        assert!(diagram.contains(label), "{label}: {diagram}");
    }
}

#[test]
fn unclosed_activations_are_rendered_deterministically() {
    let source = "sequenceDiagram\n A->>+B: b\n A->>+C: c\n A->>+D: d\n A->>+E: e\n A->>+F: f";
    let first = svg(source);
    for _ in 0..8 {
        assert_eq!(svg(source), first);
    }
}

#[test]
fn themed_diagrams_use_the_colors_of_the_page() {
    let flow = svg("flowchart LR\n  A[Start] --> B");
    assert!(flow.contains("fill=\"var(--svc-text)\""), "{flow}");
    assert!(
        flow.contains("stroke=\"var(--svc-border-strong)\""),
        "{flow}"
    );
    // All colors are variables, so both color schemes work.
    for part in flow.split("fill=\"").skip(1) {
        assert!(
            part.starts_with("var(") || part.starts_with("none"),
            "{part:.60}"
        );
    }
    let cache = DiagramCache::new();
    assert!(!cache.render("flowchart LR\nA-->B").expect("drawn").paper);
    assert!(cache.render("pie\n\"a\" : 1").expect("drawn").paper);
}

#[test]
fn text_is_readable_on_colors_of_the_author() {
    let html = svg("flowchart LR\n A-->B\n style A fill:#ffeecc\n style B fill:#112233");
    assert!(html.contains("fill=\"#ffeecc\""), "{html}");
    assert!(html.contains("fill=\"#111111\""), "{html}");
    assert!(html.contains("fill=\"#ffffff\""), "{html}");
    let html = svg("sequenceDiagram\n box rgb(1, 2, 3) T\n participant A\n end\n A->>A: x");
    assert!(!html.contains("rgb"), "half a colour is none: {html}");
}

#[test]
fn diagrams_of_a_page_have_distinct_ids() {
    let diagram = DiagramCache::new().render(KINDS[2]).expect("drawn");
    let (one, two) = (diagram.inner("a-"), diagram.inner("b-"));
    let ids = |html: &str| {
        let all = html.split(" id=\"").skip(1);
        all.filter_map(|part| part.split('"').next().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let (one_ids, two_ids) = (ids(one.as_str()), ids(two.as_str()));
    assert!(!one_ids.is_empty());
    assert!(one_ids.iter().all(|id| !two_ids.contains(id)));
    for part in one.as_str().split("url(#").skip(1) {
        let name = part.split(')').next().unwrap_or("");
        assert!(one_ids.iter().any(|id| id == name), "{name}: {one_ids:?}");
    }
}

#[test]
fn activation_marks_at_arrows_are_supported() {
    let html = svg("sequenceDiagram\n participant A\n participant B\n A->>+B: go\n B-->>-A: done");
    assert!(!html.contains("+B"), "{html}");
    assert!(
        html.contains("var(--svc-note-bg)"),
        "the bar is drawn: {html}"
    );
}

#[test]
fn labels_are_escaped() {
    for source in [
        "flowchart LR\n A[\"<script>alert(1)</script>\"] --> B[\"<img src=x onerror=alert(1)>\"]",
        "flowchart LR\n A[\"</text></svg><script>x</script>\"] --> B",
        "sequenceDiagram\n A->>B: <foreignObject><b onclick='x'>y</b>",
        "flowchart LR\n A-->B\n click A \"javascript:alert(1)\" \"<b>\"",
        "flowchart LR\n A-->B\n click A href \"https://example.com\" _blank",
        "flowchart LR\n A-->B\n style A fill:url(https://example.com/x)",
        "flowchart LR\n A-->B\n style A fill:#fff\" onload=\"alert(1),stroke:red;x:expression(1)",
        "flowchart LR\n A-->B\n classDef x fill:red\"><script>alert(1)</script>\n class A x",
        "classDiagram\n class A {\n +x: \"<iframe src=x>\"\n }",
        "%%{init: {\"themeCSS\": \"* { background: url(https://example.com) }\"}}%%\nflowchart LR\n A-->B",
        "%%{init: {\"securityLevel\": \"loose\", \"htmlLabels\": true}}%%\nflowchart LR\n A[\"<a href='javascript:x'>y</a>\"]-->B",
    ] {
        let Ok(diagram) = DiagramCache::new().render(source) else {
            continue;
        };
        let html = diagram.inner("p-").into_string();
        for tag in html.split('<').skip(1) {
            let tag = tag.split('>').next().unwrap_or("");
            let name = tag.trim_start_matches('/').split(' ').next().unwrap_or("");
            assert!(super::write::is_known(name), "{name} in {source}: {html}");
            for hostile in [" on", "href", "javascript", "url(h", "style="] {
                assert!(!tag.contains(hostile), "{tag} in {source}");
            }
        }
    }
}

#[test]
fn errors_have_a_line() {
    let problem = |source: &str| DiagramCache::new().render(source).expect_err("no diagram");
    let error = problem("flowchart TD\n subgraph a\n b-->c");
    assert_eq!(
        (error.reason.as_str(), error.line),
        ("a block has no `end`", Some(2))
    );
    let error = problem("sequenceDiagram\n participant A\n A->>C: x");
    assert_eq!(error.line, Some(3), "{error:?}");
    assert!(error.reason.contains("`C`"), "{error:?}");
    assert!(!problem("no diagram at all").reason.is_empty());
    assert!(!problem("").reason.is_empty());
}

#[test]
fn a_diagram_is_cached_by_its_source() {
    let cache = DiagramCache::new();
    let first = cache.render(KINDS[0]).expect("drawn");
    let second = cache.render(KINDS[0]).expect("drawn");
    assert!(std::sync::Arc::ptr_eq(&first, &second));
}

#[test]
fn hostile_diagrams_are_rejected_quickly() {
    let many = |head: &str, line: &dyn Fn(usize) -> String, times: usize, tail: &str| {
        let body: String = (0..times).map(line).collect();
        format!("{head}\n{body}{tail}")
    };
    let same = |text: &'static str| move |_: usize| text.to_owned();
    let list = |name: &str| {
        (0..2_000)
            .map(|n| format!("{name}{n}"))
            .collect::<Vec<_>>()
            .join(" & ")
    };
    let bombs = [
        many(
            "flowchart TD",
            &|n| format!("N{n} --> N{}\n", n + 1),
            10_000,
            "",
        ),
        many(
            "flowchart TD",
            &|n| format!("N{n} --> N{}\n", n + 1),
            149,
            "",
        ),
        many(
            "flowchart TD",
            &|n| format!("N{n} --> N{}\n", (n + 1) % 140),
            140,
            "",
        ),
        many(
            "flowchart LR",
            &|n| format!("N{} -->|label {n}| N{}\n", n * 37 % 40, n * 53 % 41),
            70,
            "",
        ),
        many("flowchart TD", &|n| format!("A --> N{n}\n"), 69, ""),
        many("flowchart TD", &same("subgraph a\n"), 400, ""),
        many("sequenceDiagram", &same("loop x\n"), 400, ""),
        many(
            "sequenceDiagram",
            &|n| format!("A{n}->>A{}: x\n", n + 1),
            500,
            "",
        ),
        many(
            "sequenceDiagram",
            &|n| format!("A->>B: message {n}\n"),
            590,
            "",
        ),
        many("stateDiagram-v2", &|n| format!("state S{n} {{\n"), 400, ""),
        many(
            "mindmap",
            &|n| format!("{}n{n}\n", " ".repeat(n + 1)),
            190,
            "",
        ),
        many("pie", &|n| format!("\"s{n}\" : {n}\n"), 990, ""),
        many(
            "gantt\ndateFormat YYYY-MM-DD",
            &|n| format!("T{n} :2024-01-01, 999999999d\n"),
            20,
            "",
        ),
        format!("flowchart TD\n{} --> {}", list("a"), list("b")),
        format!("flowchart TD\nA[\"$${}$$\"] --> B", "\\sqrt{".repeat(3_000)),
        format!("flowchart TD\nA[{}] --> B", "wort ".repeat(3_900)),
        format!("flowchart TD\nA[{}] --> B", "<br>".repeat(4_000)),
        format!("flowchart TD\nA{} --> B", "[".repeat(10_000)),
        format!(
            "%%{{init: {}}}%%\nflowchart TD\nA-->B",
            "{\"a\":".repeat(2_000)
        ),
        format!("%%{{init: {}}}%%\nflowchart TD\nA-->B", "[".repeat(15_000)),
        "sequenceDiagram\nautonumber 18446744073709551615\nA->>B: x\nB->>A: y".to_owned(),
        "gantt\ndateFormat YYYY-MM-DD\nT :a, 0001-01-01, 999999999999d".to_owned(),
        "flowchart TD\n\u{202e}\u{0}é👩‍👩‍👧[\u{feff}] --> ﷽\u{e000}".to_owned(),
        "block-beta\ncolumns 999999999\na b".to_owned(),
        "block-beta\ncolumns 999\na:999 space:999 b".to_owned(),
        "packet-beta\n0-4294967295: \"x\"".to_owned(),
        "radar-beta\naxis a, b\ncurve c{1e308, -1e308}".to_owned(),
        "xychart-beta\ny-axis 0 --> 1e308\nbar [1e308, -1e308]".to_owned(),
        "---\n".repeat(500),
    ];
    for bomb in bombs {
        let begin = Instant::now();
        let result = DiagramCache::new().render(&bomb);
        let took = begin.elapsed();
        println!(
            "{:.40} {took:?} {:?}",
            bomb.replace('\n', " "),
            result.as_ref().map(|_| ())
        );
        if let Ok(diagram) = result {
            assert!(diagram.inner("p").len() < 3 << 20, "{bomb:.40}");
        }
    }
}

#[test]
fn diagrams_of_real_sites_are_rendered() {
    let Some(sites) = svc_test_support::reference_path("corpus/sites") else {
        return;
    };
    let mut sources = std::collections::BTreeSet::new();
    let mut dirs = vec![sites];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path
                .extension()
                .is_some_and(|end| end == "mdx" || end == "md")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                let parsed = svc_mdx::parse(&text, &svc_mdx::Options::default());
                svc_mdx::walk(&parsed.value.children, |node, _| {
                    if let svc_mdx::Kind::Code { lang, value, .. } = &node.kind
                        && lang.as_deref() == Some("mermaid")
                    {
                        sources.insert(value.to_string());
                    }
                    true
                });
            }
        }
    }
    let cache = DiagramCache::new();
    let failed: Vec<_> = sources
        .iter()
        .filter_map(|source| Some((source, cache.render(source).err()?)))
        .collect();
    println!(
        "{} of {} distinct diagrams are drawn",
        sources.len() - failed.len(),
        sources.len()
    );
    for (source, problem) in &failed {
        println!("{problem:?}\n{source}\n");
    }
    assert!(sources.len() > 100, "{}", sources.len());
    assert!(
        failed.len() * 50 <= sources.len(),
        "{} failed",
        failed.len()
    );
}

#[test]
fn labels_show_text_without_markup() {
    let html = svg(
        "flowchart LR\n  A[\"MCPClient <i>Sync/Async bridge</i>\"] --> B[\"<b>Agent</b><br/>loop\"]",
    );
    assert!(html.contains("bridge") && html.contains("Agent"), "{html}");
    assert!(!html.contains("&lt;"), "{html}");
    let html = svg(
        "classDiagram\n  class Shape {\n    <<abstract>>\n    +draw()\n  }\n  Shape <|-- Circle : \"is a\"",
    );
    assert!(html.contains("abstract") && html.contains("is a"), "{html}");
    assert!(!html.contains("&quot;"), "{html}");
}
