//! Prints the navigation of a directory as a tree: `cargo run -p svc-nav --example site_map --
//! docs`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the tree is the result"
)]

use std::io;
use std::path::Path;

use svc_diagnostics::Severity;
use svc_nav::{NavNode, NodeKind, SiteMap, resolve};
use svc_openapi::ApiCatalog;
use svc_source::{Contents, LoadOptions, SourceTree, load, pages};

fn main() -> io::Result<()> {
    let dir = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let tree = load(Path::new(&dir), &LoadOptions::default())?.value;
    let Some(map) = site_map(&tree) else {
        return Err(io::Error::other("there is no readable docs.json"));
    };
    for node in &map.tree {
        print(node, 0);
    }
    let outside = map.routes.values().filter(|route| !route.in_navigation);
    println!(
        "{} routes, {} of them not in a menu",
        map.routes.len(),
        outside.count()
    );
    Ok(())
}

/// Runs the stages in order: configuration, pages, documents, map. Each stage returns its result
/// and its diagnostics; errors are printed, and the result is usable in any case.
fn site_map(tree: &SourceTree) -> Option<SiteMap> {
    let file = tree.text("docs.json")?;
    let config = svc_config::parse(file, &|path| tree.text(path).cloned()).value?;
    let documents = tree.iter().filter_map(|(_, contents)| match contents {
        Contents::Text(file) if svc_openapi::looks_like_openapi(file.text()) => {
            svc_openapi::parse(file).value
        }
        _ => None,
    });
    let catalog = ApiCatalog::new(documents.collect());
    let resolved = resolve(&config, &pages(tree).value, &catalog);
    for problem in &resolved.diagnostics {
        if problem.severity >= Severity::Error {
            eprintln!("{}: {}", problem.location_string(), problem.message);
        }
    }
    Some(resolved.value)
}

fn print(node: &NavNode, depth: usize) {
    let kind = match node.kind {
        NodeKind::Element(kind) => kind.as_str(),
        NodeKind::Page => "page",
        NodeKind::Link => "link",
    };
    let hidden = if node.hidden { " (hidden)" } else { "" };
    let target = node.target().unwrap_or("-");
    println!(
        "{:indent$}{kind} {} → {target}{hidden}",
        "",
        node.name,
        indent = depth * 2
    );
    for child in &node.children {
        print(child, depth + 1);
    }
}
