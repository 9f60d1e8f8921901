//! `svc build`.

use std::process::Command;

use svc_test_support::git::{BareRepo, File};

use crate::example_site::{CONFIG, site};
use crate::program::{assert_contains, err, out, svc};

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
