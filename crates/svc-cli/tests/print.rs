//! Commands that print: the navigation, stages, help and versions.

use std::path::Path;

use crate::example_site::{CONFIG, site};
use crate::program::{err, out, svc};

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

#[test]
fn internal_processes_are_not_in_the_help() {
    for arguments in [&["--help"][..], &["help"], &["build", "--help"]] {
        let output = svc(arguments, Path::new("/"));
        assert!(!out(&output).contains("worker"), "{}", out(&output));
    }
}
