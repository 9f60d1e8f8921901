//! `svc validate`.

use crate::example_site::{CONFIG, site};
use crate::program::{assert_contains, err, out, svc};

#[test]
fn a_good_site_is_valid() {
    let dir = site("---\ntitle: Home\n---\n\nSee [start](/start#first).\n");
    let output = svc(&["validate"], dir.path());
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        out(&output),
        err(&output)
    );
    assert!(
        out(&output).ends_with("2 pages: no problems\n"),
        "{}",
        out(&output)
    );
}

// spec: site.strict accepts
#[test]
fn warnings_fail_only_with_strict() {
    let dir = site("---\ntitle: Home\n---\n\nSee [start](/strat).\n");
    let output = svc(&["validate"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert_contains(&out(&output), "warning[link-broken]");
    assert_contains(&out(&output), "--> index.mdx:5:5");
    assert_contains(&out(&output), "did you mean `/start`?");
    assert_eq!(
        svc(&["validate", "--strict"], dir.path()).status.code(),
        Some(1)
    );
}

#[test]
fn problems_are_json_for_programs() {
    let dir = site("---\ntitle: Home\n---\n");
    let broken = CONFIG.replace("\"start\"", "\"strat\"");
    std::fs::write(dir.path().join("docs.json"), broken).unwrap();
    let output = svc(&["validate", ".", "--format", "json"], dir.path());
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["errors"], 1);
    assert_eq!(value["diagnostics"][0]["file"], "docs.json");
    assert_eq!(value["diagnostics"][0]["line"], 2);
}

#[test]
fn a_missing_path_has_another_exit_status() {
    let dir = site("");
    let output = svc(&["validate", "nowhere"], dir.path());
    assert_eq!(output.status.code(), Some(2));
    assert_contains(&err(&output), "nowhere");
    assert_eq!(
        svc(&["validate", "--formt", "json"], dir.path())
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn a_directory_without_configuration_is_reported_with_a_hint() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("docs")).unwrap();
    std::fs::write(dir.path().join("docs/docs.json"), CONFIG).unwrap();
    for command in [
        &["nav"][..],
        &["validate"],
        &["build", "--out", "x"],
        &["serve"],
        &["dev"],
        &["dump", "routes"],
    ] {
        let output = svc(command, dir.path());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(
            err(&output).contains("docs.json") && err(&output).contains("docs`"),
            "{}",
            err(&output)
        );
    }
}

#[test]
fn one_page_is_checked_within_its_site() {
    let dir = site("---\ntitle: Home\n---\n\n[Start](/strat) <Snippet file=\"a.mdx\" />\n");
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("guides/a.mdx", "[Home](/) [Start](../start)\n");
    write("snippets/a.mdx", "[Nowhere](/nowhere)\n");
    let output_text = |path: &str, inside: &str| {
        let output = svc(&["validate", path, "--strict"], &dir.path().join(inside));
        (output.status.code(), out(&output), err(&output))
    };
    let (status, text, _) = output_text("index.mdx", "");
    assert_eq!(status, Some(1));
    assert!(
        text.contains("did you mean `/start`?") && text.contains("1 page: 1 warning\n"),
        "{text}"
    );
    assert_eq!(
        output_text("a.mdx", "guides"),
        (Some(0), "1 page: no problems\n".to_owned(), String::new())
    );
    let (_, text, _) = output_text("snippets/a.mdx", "");
    assert!(
        text.contains("--> snippets/a.mdx:1:1") && text.ends_with("\n1 warning\n"),
        "{text}"
    );
    write("node_modules/b.mdx", "B");
    let (status, _, text) = output_text("node_modules/b.mdx", "");
    assert_eq!(status, Some(2));
    assert!(text.contains("excluded from its site"), "{text}");
    let lonely = tempfile::tempdir().unwrap();
    std::fs::write(lonely.path().join("a.mdx"), "A").unwrap();
    let output = svc(&["validate", "a.mdx"], lonely.path());
    assert_eq!(output.status.code(), Some(2));
    assert_contains(&err(&output), "no parent folder of this page");
}

#[test]
fn svg_with_excessive_cost_is_rejected() {
    let filter = |inside: &str| {
        format!("<filter id='f'>{inside}</filter><rect width='100' height='100' filter='url(#f)'/>")
    };
    let arcs = "a1e9 1e9 0 1 1 9 9".repeat(50_000);
    let images = [
        filter("<feTurbulence numOctaves='999999999' baseFrequency='0.9'/>"),
        filter("<feMorphology radius='99999'/>"),
        filter("<feConvolveMatrix order='99'/>"),
        format!("<path d='M0 0{arcs}' stroke='#000'/>"),
        format!("<path d='M0 0{arcs}' stroke='#000' stroke-dasharray='0.0001'/>"),
    ];
    for content in images {
        let dir = site("Words.\n");
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>{content}</svg>"
        );
        let config = CONFIG.replacen('{', "{\"favicon\": \"/i.svg\", ", 1);
        std::fs::write(dir.path().join("i.svg"), svg).unwrap();
        std::fs::write(dir.path().join("docs.json"), config).unwrap();
        let output = svc(&["validate"], dir.path());
        let output_text = err(&output) + &out(&output);
        assert!(
            output_text.contains("`favicon` cannot be used"),
            "{output_text}"
        );
        let output = svc(&["build", "--out", "out"], dir.path());
        let output_text = err(&output) + &out(&output);
        assert!(dir.path().join("out/index.html").is_file(), "{output_text}");
    }
}

#[test]
fn an_uninterruptible_component_is_stopped() {
    let page = "export const Loop = () => { const [n] = useState(0); \
                Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1); return <b>{n}</b>; };\n\n\
                Before.\n\n<Loop />\n\nAfter.\n";
    let dir = site(page);
    let output = svc(&["validate"], dir.path());
    let output_text = err(&output) + &out(&output);
    assert!(
        output_text.contains("`Loop` could not be rendered"),
        "{output_text}"
    );
    svc(&["build", "--out", "out"], dir.path());
    let html = std::fs::read_to_string(dir.path().join("out/index.html")).unwrap();
    assert!(
        html.contains("Before.") && html.contains("After."),
        "{html}"
    );
}
