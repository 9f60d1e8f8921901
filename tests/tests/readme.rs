//! README.md is true: its links lead to files, its commands exist, and it names every command.

use std::collections::BTreeSet;
use std::fs;

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
