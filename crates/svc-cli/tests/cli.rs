//! The program on the command line.
// Long because every command is tested with the helpers of this file.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use svc_test_support::git::{BareRepo, File};
use svc_test_support::program::Program;

use crate::program::{assert_contains, err, out, svc};

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "start"]}]}}"##;

fn site(index: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write("docs.json", CONFIG);
    write("index.mdx", index);
    let start = "---\ntitle: Start\nsidebarTitle: Begin\n---\n\n## First\n\nText.\n";
    write("start.mdx", start);
    dir
}

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
fn the_navigation_is_printed_with_one_entry_per_line() {
    let dir = site("---\ntitle: Home\n---\n");
    let output = svc(&["nav", "--format", "json"], dir.path());
    let expected = "[\n{\"trail\": [\"group:Guides\"], \"href\": \"/index\", \"title\": \"Home\"},\n{\"trail\": [\"group:Guides\"], \"href\": \"/start\", \"title\": \"Start\", \"sidebarTitle\": \"Begin\"}\n]\n";
    assert_eq!(out(&output), expected);
    let text = out(&svc(&["nav"], dir.path()));
    assert_eq!(
        text,
        "group:Guides\t/index\tHome\ngroup:Guides\t/start\tBegin\n"
    );
    let config = CONFIG
        .replace("\"groups\": [{\"group\": \"Guides\", ", "")
        .replace("}]}}", "}}");
    std::fs::write(dir.path().join("docs.json"), config).unwrap();
    let text = out(&svc(&["nav"], dir.path()));
    assert_eq!(text, "-\t/index\tHome\n-\t/start\tBegin\n");
}

#[test]
fn a_build_writes_the_site() {
    let dir = site("---\ntitle: Home\n---\n\nHello.\n");
    let output = svc(&["build", "--out", "out/site"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(
        out(&output).starts_with("2 pages in out/site: "),
        "{}",
        out(&output)
    );
    let read =
        |path: &str| std::fs::read_to_string(dir.path().join("out/site").join(path)).unwrap();
    assert!(read("index.html").contains("Hello."));
    assert!(read("start/index.html").contains("Text."));
    svc(&["build", "--out", "flat", "--flat"], dir.path());
    assert!(dir.path().join("flat/start.html").is_file());
}

#[test]
fn timings_list_the_stages_of_a_build() {
    let dir = site("---\ntitle: Home\n---\n\nHello.\n");
    let output = svc(&["build", "--out", "plain"], dir.path());
    assert!(!out(&output).contains("Per second"));
    let command = ["build", "--out", "timed", "--timings", "--zip", "site.zip"];
    let output = svc(&command, dir.path());
    let text = out(&output);
    for stage in [
        "load",
        "  files",
        "  configuration",
        "  front matter",
        "  OpenAPI documents",
        "  navigation",
        "export",
        "  pages",
        "  links",
        "archive",
    ] {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{stage}  ")));
        assert!(
            line.is_some_and(|line| line.contains(" ms")),
            "{stage}: {text}"
        );
    }
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
}

#[test]
fn a_build_writes_image_variants_if_enabled() {
    let dir = site("---\ntitle: Home\n---\n\n![Shot](/shot.png)\n");
    let image = include_bytes!("../../../docs/images/screenshot.png");
    std::fs::write(dir.path().join("shot.png"), image).unwrap();
    let command = ["build", "--out", "more", "--image-variants"];
    let output = svc(&command, dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let more = dir.path().join("more");
    let page = std::fs::read_to_string(more.join("index.html")).unwrap();
    let (_, list) = page.split_once("srcset=\"").expect("variants");
    let first = list.split(' ').next().unwrap().trim_start_matches('/');
    let variant = std::fs::read(more.join(first)).unwrap();
    assert!(variant.starts_with(b"RIFF") && variant.len() < image.len());
}

#[test]
fn an_export_is_not_a_source_of_the_next_one() {
    let dir = site("---\ntitle: Home\n---\n\nHello.\n");
    let exists = |path: &str| dir.path().join(path).exists();
    let build = || {
        let command = ["build", "--out", "public", "--zip", "site.zip"];
        let output = svc(&command, dir.path());
        assert!(
            out(&output).starts_with("2 pages in public: "),
            "{}",
            out(&output)
        );
    };
    build();
    // As left by versions that did not write the marker.
    std::fs::remove_file(dir.path().join("public/.svc-export")).unwrap();
    build();
    assert!(exists("public/.svc-export") && !exists("public/public") && !exists("public/site.zip"));
    let output = svc(&["validate"], dir.path());
    assert!(
        out(&output).ends_with("2 pages: no problems\n"),
        "{}",
        out(&output)
    );
}

#[test]
fn an_export_is_not_written_over_the_site() {
    let dir = site("---\ntitle: Home\n---\n");
    let docs = dir.path().join("docs");
    std::fs::create_dir_all(docs.join("guides")).unwrap();
    for file in ["docs.json", "index.mdx", "start.mdx"] {
        std::fs::copy(dir.path().join(file), docs.join(file)).unwrap();
    }
    std::fs::write(docs.join("guides/a.mdx"), "A").unwrap();
    for (path_argument, reason) in [
        (".", "contains the site"),
        ("..", "contains the site"),
        ("guides/..", "contains the site"),
        ("guides", "contains `guides/a.mdx`, a file of the site"),
    ] {
        let output = svc(&["build", "--out", path_argument], &docs);
        assert_eq!(output.status.code(), Some(2), "{path_argument}");
        assert_contains(&err(&output), reason);
    }
    assert!(!docs.join("index.html").exists() && !docs.join("guides/index.html").exists());
}

#[test]
fn a_build_with_errors_fails_and_names_the_command_that_lists_them() {
    let dir = site("---\ntitle: Home\n---\n\n[Start](/strat)\n");
    let build = |arguments: &[&str]| {
        svc(
            &[&["build", "--out", "public"], arguments].concat(),
            dir.path(),
        )
    };
    let output = build(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).ends_with("(1 warning)\nrun `svc validate .` to see the problems\n"));
    assert_eq!(build(&["--strict"]).status.code(), Some(1));
    std::fs::write(dir.path().join("index.mdx"), "<Card>\n\nHello.\n").unwrap();
    assert_eq!(build(&[]).status.code(), Some(1));
    let page = std::fs::read_to_string(dir.path().join("public/index.html")).unwrap();
    assert!(page.contains("Hello."));
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
fn protected_pages_are_reported_and_omitted() {
    let dir = site("---\ntitle: Home\ngroups: [staff]\n---\n\nSECRET\n");
    let output_text = "1 page is only for readers who sign in: `/`";
    let output = svc(&["validate"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(
        out(&output).contains(&format!("warning[nav-protected]: {output_text}")),
        "{}",
        out(&output)
    );
    assert!(
        out(&output).contains("2 pages"),
        "it is checked: {}",
        out(&output)
    );

    let output = svc(&["build", "--out", "public"], dir.path());
    assert_contains(&err(&output), output_text);
    let read = |path: &str| std::fs::read_to_string(dir.path().join(path)).unwrap_or_default();
    let output_text = out(&svc(&["search", ".", "secret"], dir.path()));
    assert!(!output_text.contains("SECRET"), "{output_text}");
    // The root of the site redirects to the first existing page.
    assert!(
        read("public/index.html").contains("url=/start"),
        "{}",
        read("public/index.html")
    );

    let output = svc(&["build", "--out", "all", "--serve-protected"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(read("all/index.html").contains("SECRET"));

    let output = svc(
        &[
            "build",
            "--out",
            "staff",
            "--audience",
            "staff,board",
            "--verbose",
        ],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(read("staff/index.html").contains("SECRET"));
    let unknown = "no page is for the group `board`";
    assert_contains(&err(&output), unknown);
    let output = svc(
        &["build", "--out", "members", "--audience", "signed-in"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(!read("members/index.html").contains("SECRET"));
}

#[test]
fn a_manifest_lists_the_files_and_stale_ones_are_removed() {
    let dir = site("---\ntitle: Home\n---\n\nHello.\n");
    let command = [
        "build",
        "--out",
        "public",
        "--relative",
        "--manifest",
        "files.json",
        "--clean",
        "--redirects",
        "html,vercel",
        "--precompress",
        "gz,br",
    ];
    let output = svc(&command, dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let exists = |path: &str| dir.path().join(path).is_file();
    for path in [
        "public/start/index.html",
        "public/index.html.gz",
        "public/index.html.br",
    ] {
        assert!(exists(path), "{path}");
    }
    let read = |path: &str| std::fs::read_to_string(dir.path().join(path)).unwrap();
    assert!(read("public/index.html").contains("href=\"./start/index.html\""));
    assert!(read("files.json").contains("\"path\":\"start/index.html\""));
    std::fs::write(dir.path().join("public/mine.txt"), "mine").unwrap();
    std::fs::remove_file(dir.path().join("start.mdx")).unwrap();
    let output = svc(&command, dir.path());
    assert_contains(&out(&output), "stale file");
    assert!(!exists("public/start/index.html") && !exists("public/start.md"));
    assert!(exists("public/mine.txt") && exists("public/index.html"));
    let both = svc(
        &["build", "--out", "x", "--relative", "--base-path", "/a"],
        dir.path(),
    );
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn an_archive_contains_exactly_the_written_files() {
    let dir = site("---\ntitle: Home\n---\n\nHello.\n");
    let other = tempfile::tempdir().unwrap();
    let path = |name: &str| other.path().join(name).display().to_string();
    std::fs::create_dir(path("public")).unwrap();
    std::fs::write(path("public/mine.txt"), "mine").unwrap();
    let (public, zip) = (path("public"), path("site.zip"));
    let build = || {
        let command = ["build", "--out", &public, "--relative", "--zip", &zip];
        let output = svc(&command, dir.path());
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let output_text = out(&output);
        assert!(
            output_text.contains(&format!("archive {zip}: ")),
            "{output_text}"
        );
        std::fs::read(&zip).unwrap()
    };
    let bytes = build();
    let holds = |name: &str| {
        bytes
            .windows(name.len())
            .any(|part| part == name.as_bytes())
    };
    assert!(bytes.starts_with(b"PK\x03\x04"));
    assert!(holds("start/index.html") && holds("index.md") && !holds("mine.txt"));
    assert_eq!(build(), bytes);
    assert!(!other.path().join("site.zip.new").exists());
}

#[test]
fn every_stage_can_be_printed() {
    let dir = site("---\ntitle: Home\n---\n\nHello.\n");
    for (arguments, part) in [
        (&["dump", "source"][..], "docs.json"),
        (&["dump", "config"], "\"name\": \"Acme\""),
        (&["dump", "nav"], "group:Guides"),
        (&["dump", "routes"], "/start\tStart\tstart.mdx\n"),
        (&["dump", "openapi"], ""),
        (&["dump", "page", ".", "/start"], "Text."),
        (&["dump", "mdx", "start.mdx"], "First"),
    ] {
        let output = svc(arguments, dir.path());
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?} {}",
            err(&output)
        );
        assert!(
            out(&output).contains(part),
            "{arguments:?} {}",
            out(&output)
        );
    }
    assert_eq!(
        svc(&["dump", "page", ".", "/none"], dir.path())
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn help_and_version_are_there() {
    let dir = site("");
    let help = out(&svc(&["--help"], dir.path()));
    for command in ["validate", "dev", "build", "serve", "nav", "dump"] {
        assert!(help.contains(command), "{help}");
    }
    let version = out(&svc(&["--version"], dir.path()));
    assert!(version.starts_with("svc 0."), "{version}");
    assert!(version.contains("\ncommit: ") && version.contains("\nfeatures: "));
    let script = out(&svc(&["completions", "bash"], dir.path()));
    assert!(script.contains("complete -F _svc"), "{script}");
    let pages = svc(&["man", "--out", "man1"], dir.path());
    assert_eq!(pages.status.code(), Some(0), "{}", err(&pages));
    assert!(dir.path().join("man1/svc-openapi-diff.1").is_file());
}

const API: &str =
    "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get: {}\n    put: {}\n";

#[test]
fn two_versions_of_a_document_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write("old.yaml", API);
    write("new.yaml", &API.replace("put", "post"));
    let output = svc(&["openapi", "diff", "old.yaml", "new.yaml"], dir.path());
    assert_eq!(
        out(&output),
        "breaking      the operation `PUT /a` was removed\n              old.yaml:6:5 => -\n\
         not breaking  the operation `POST /a` was added\n              - => new.yaml:6:5\n\
         1 breaking, 0 unknown, 1 not breaking\n"
    );
    assert_eq!(output.status.code(), Some(0));
    let fails = |arguments: &[&str]| {
        let all = [&["openapi", "diff"], arguments].concat();
        svc(&all, dir.path()).status.code()
    };
    assert_eq!(
        fails(&["old.yaml", "new.yaml", "--fail-on", "breaking"]),
        Some(1)
    );
    assert_eq!(
        fails(&["old.yaml", "old.yaml", "--fail-on", "any"]),
        Some(0)
    );
    assert_eq!(fails(&["old.yaml", "gone.yaml"]), Some(2));
    let output = svc(
        &[
            "openapi", "diff", "old.yaml", "new.yaml", "--format", "json",
        ],
        dir.path(),
    );
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&value["breaking"], &value["notBreaking"]),
        (&1.into(), &1.into())
    );
    let first = &value["changes"][0];
    assert_eq!(
        (&first["rule"], &first["old"]["line"]),
        (&"operation-removed".into(), &6.into())
    );
    assert_eq!(
        (&first["old"]["pointer"], &first["new"]),
        (&"/paths/~1a/put".into(), &serde_json::Value::Null)
    );
    write("new.yaml", "- a\n");
    let output = svc(&["openapi", "diff", "old.yaml", "new.yaml"], dir.path());
    assert_contains(&err(&output), "openapi-not-an-object");
}

#[test]
fn a_document_of_several_files_becomes_one() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    std::fs::create_dir(dir.path().join("api")).unwrap();
    write("secret.yaml", "type: string\n");
    write("api/pet.yaml", "type: object\n");
    let text = "openapi: 3.1.0\npaths: {}\ncomponents: {schemas: {A: {items: {$ref: pet.yaml}}}}\n";
    write("api/api.yaml", text);
    let output = svc(&["openapi", "bundle", "api/api.yaml"], dir.path());
    let expected = "openapi: 3.1.0\npaths: {}\ncomponents:\n  schemas:\n    A:\n      items:\n        $ref: \"#/components/schemas/pet\"\n    pet:\n      type: object\n";
    assert_eq!(
        (out(&output).as_str(), output.status.code()),
        (&expected.replace("3.1.0", "\"3.1.0\"")[..], Some(0))
    );
    let output = svc(
        &["openapi", "bundle", "api/api.yaml", "-o", "out.json"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let json = std::fs::read_to_string(dir.path().join("out.json")).unwrap();
    assert!(json.starts_with("{\n  \"openapi\": \"3.1.0\",\n"), "{json}");
    // Nothing outside of the folder is read, not even through a symbolic link.
    write("api/api.yaml", &text.replace("pet.yaml", "../secret.yaml"));
    let output = svc(
        &["openapi", "bundle", "api/api.yaml", "-o", "no.yaml"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(1));
    assert_contains(&err(&output), "openapi-external-ref");
    assert!(!dir.path().join("no.yaml").exists());
    #[cfg(unix)]
    {
        let link = dir.path().join("api/link.yaml");
        std::os::unix::fs::symlink(dir.path().join("secret.yaml"), link).unwrap();
        write("api/api.yaml", &text.replace("pet.yaml", "link.yaml"));
        let output = svc(&["openapi", "bundle", "api/api.yaml"], dir.path());
        assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    }
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

#[test]
fn internal_processes_are_not_in_the_help() {
    for arguments in [&["--help"][..], &["help"], &["build", "--help"]] {
        let output = svc(arguments, Path::new("/"));
        assert!(!out(&output).contains("worker"), "{}", out(&output));
    }
}

/// Runs `svc dev` with a first port and options, and returns the printed URL.
fn dev(dir: &Path, port: u16, options: &[&str], path: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
    command
        .args(["dev", "--offline", "--port", &port.to_string()])
        .args(options)
        .current_dir(dir)
        .env("PATH", path)
        .env("XDG_STATE_HOME", dir.join("state"));
    let line = Program::start(&mut command).next_line();
    let url = line.strip_prefix("Your site is at ").unwrap();
    url.split_once(' ').unwrap().0.to_owned()
}

#[test]
fn a_preview_uses_the_next_port_if_one_is_in_use() {
    let dir = site("Words.\n");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    // Near the end of the range there may be no next port.
    if port < u16::MAX - 20 {
        let url = dev(dir.path(), port, &[], "");
        let url_port = url.rsplit(':').next().unwrap();
        let url_port: u16 = url_port.parse().unwrap();
        assert!(url_port > port && url_port <= port + 20, "{url}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_preview_opens_a_browser_only_on_request() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = site("Words.\n");
    let programs = tempfile::tempdir().unwrap();
    let (program, shown) = (
        programs.path().join("xdg-open"),
        programs.path().join("shown"),
    );
    let script = format!("#!/bin/sh\necho \"$1\" > '{}'\n", shown.display());
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", programs.path().display());
    dev(dir.path(), 0, &["--open", "--no-open"], &path);
    dev(dir.path(), 0, &[], &path);
    assert!(!shown.exists());
    let url = dev(dir.path(), 0, &["--open"], &path);
    let read = || std::fs::read_to_string(&shown).unwrap_or_default();
    let opened = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        !read().is_empty()
    });
    assert!(opened);
    assert_eq!(read().trim(), url);
}

#[test]
fn dates_are_cached_and_validation_does_not_read_them() {
    let dir = site("Words.\n");
    let Some(bare) = BareRepo::new(&dir.path().join(".git")) else {
        return;
    };
    let config = CONFIG.replacen('{', r#"{"metadata": {"timestamp": true}, "#, 1);
    std::fs::write(dir.path().join("docs.json"), config).unwrap();
    let tree = bare.tree(&[File::Text("index.mdx", "Words.\n")]);
    bare.commit_tree(&tree, "main", "2024-03-05T12:00:00Z");
    let state = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
        command.args(arguments).current_dir(dir.path());
        command.env("XDG_STATE_HOME", state.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", err(&output));
    };
    let is_cached = || {
        let sites = std::fs::read_dir(state.path().join("svc"));
        let mut sites = sites.into_iter().flatten().flatten();
        sites.any(|site| site.path().join("dates").exists())
    };
    run(&["validate"]);
    assert!(!is_cached());
    run(&["build", "--out", "out"]);
    assert!(is_cached());
    let html = std::fs::read_to_string(dir.path().join("out/index.html")).unwrap();
    assert!(html.contains("2024-03-05"));
}
