//! README.md is true: its links lead to files, its commands exist, and it names every command.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use svc_mdx::{Kind, Node, Options, parse, walk};
use svc_tests::sites;

fn readme() -> Vec<Node> {
    let text = fs::read_to_string(sites::workspace().join("README.md")).expect("it can be read");
    parse(&text, &Options::default()).value.children
}

#[test]
fn links_of_the_readme_lead_to_files() {
    let mut count = 0;
    walk(&readme(), |node, _| {
        if let Kind::Link { url, .. } | Kind::Image { url, .. } = &node.kind
            && !url.contains("://")
        {
            let path = sites::workspace().join(&**url);
            assert!(path.is_file(), "{url}");
            count += 1;
        }
        true
    });
    assert!(count > 10, "only {count} links");
}

/// Every feature is described in the documentation.
#[test]
fn features_of_the_readme_link_their_documentation() {
    let mut count = 0;
    let nodes = readme();
    let heading = nodes
        .iter()
        .position(|node| matches!(node.kind, Kind::Heading { .. }) && text(node) == "Features");
    let list = nodes[heading.expect("a heading")..]
        .iter()
        .find(|node| matches!(node.kind, Kind::List { .. }));
    for item in list.expect("a list").children() {
        let mut is_linked = false;
        walk(item.children(), |node, _| {
            if let Kind::Link { url, .. } = &node.kind {
                is_linked |= url.starts_with("docs/");
            }
            true
        });
        assert!(is_linked, "{}", text(item));
        count += 1;
    }
    assert!(count > 8, "only {count} features");
}

#[test]
fn the_readme_names_each_command() {
    let mut named = BTreeSet::new();
    walk(&readme(), |item, _| {
        if matches!(item.kind, Kind::ListItem { .. }) && text(item).starts_with("Commands:") {
            walk(item.children(), |code, _| {
                if let Kind::InlineCode(text) = &code.kind {
                    named.insert(text.trim_start_matches("svc ").to_owned());
                }
                true
            });
        }
        true
    });
    let command = svc_cli::command();
    let all: BTreeSet<String> = command
        .get_subcommands()
        .filter(|command| !command.is_hide_set() && command.get_name() != "help")
        .map(|command| command.get_name().to_owned())
        .collect();
    assert_eq!(named, all);
}

fn text(node: &Node) -> String {
    let mut all = String::new();
    walk(std::slice::from_ref(node), |node, _| {
        if let Kind::Text(part) | Kind::InlineCode(part) = &node.kind {
            all.push_str(part);
        }
        true
    });
    all
}

/// The examples of the documentation are compiled, so those of the READMEs are too.
#[test]
fn each_crate_has_a_readme_whose_example_is_one_of_its_documentation() {
    let squeezed = |text: &str| -> String { text.split_whitespace().collect() };
    let mut examples = 0;
    for entry in fs::read_dir(sites::workspace().join("crates")).expect("it can be listed") {
        let dir = entry.expect("it can be listed").path();
        let readme = fs::read_to_string(dir.join("README.md"));
        let readme = readme.unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
        let mut documentation = String::new();
        for path in source_files(&dir.join("src")) {
            let text = fs::read_to_string(path).expect("it can be read");
            let lines = text.lines().map(str::trim_start);
            let lines = lines.filter_map(|line| {
                line.strip_prefix("//!")
                    .or_else(|| line.strip_prefix("///"))
            });
            documentation.extend(lines.map(squeezed));
        }
        walk(
            &parse(&readme, &Options::default()).value.children,
            |node, _| {
                if let Kind::Code { lang, value, .. } = &node.kind
                    && lang.as_deref() == Some("rust")
                {
                    for line in value.lines() {
                        assert!(
                            documentation.contains(&squeezed(line)),
                            "{}: {line}",
                            dir.display()
                        );
                    }
                    examples += 1;
                }
                true
            },
        );
    }
    assert!(examples > 15, "only {examples} examples");
}

/// The Rust files of a directory and the directories in it.
fn source_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}
