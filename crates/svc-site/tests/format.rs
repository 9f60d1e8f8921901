//! Formatted repositories are served as the same sites.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::path::{Path, PathBuf};

use svc_site::{LoadOptions, Site, assemble};
use svc_source::SourceTree;

/// Pages of each site, if `SVC_THOROUGH` does not select all.
const SAMPLE: usize = 40;

fn site(tree: SourceTree) -> Site {
    assemble(tree, &LoadOptions::default()).unwrap().value
}

/// Formats all files and returns how many of them changed.
fn format(tree: &mut SourceTree) -> usize {
    let texts: Vec<(String, String)> = tree
        .iter()
        .filter_map(|(path, _)| Some((path.to_owned(), tree.text(path)?.text().to_string())))
        .collect();
    let mut changed = 0;
    for (path, text) in texts {
        let Some(formatted) = svc_site::format(&path, &text) else {
            continue;
        };
        if formatted.value != text {
            changed += 1;
            tree.insert_text(&path, formatted.value);
        }
    }
    changed
}

fn check(root: &Path) -> (usize, usize) {
    let read = svc_source::load(root, &svc_source::LoadOptions::default());
    let mut tree = read.unwrap().value;
    let before = site(tree.clone());
    let changed = format(&mut tree);
    let after = site(tree);
    let routes: Vec<&String> = before.map.routes.keys().collect();
    assert!(routes.iter().copied().eq(after.map.routes.keys()));
    let step = match std::env::var_os("SVC_THOROUGH") {
        Some(_) => 1,
        None => routes.len().div_ceil(SAMPLE).max(1),
    };
    let mut pages = 0;
    for route in routes.into_iter().step_by(step) {
        let html = |site: &Site| {
            let page = site.page(route).unwrap();
            String::from_utf8_lossy(&page.html.bytes).into_owned()
        };
        let (old, new) = (html(&before), html(&after));
        let at = old
            .bytes()
            .zip(new.bytes())
            .position(|(old, new)| old != new);
        let at = at.unwrap_or(0).saturating_sub(80);
        let part = |text: &str| text.chars().skip(at).take(300).collect::<String>();
        assert!(old == new, "{route}:\n{}\n\n{}", part(&old), part(&new));
        pages += 1;
    }
    (changed, pages)
}

#[test]
#[expect(clippy::print_stdout, reason = "figures must be seen")]
fn pages_have_the_same_html() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let names = ["mcp", "fastmcp", "trigger", "polar", "mintlify"];
    let real = names.map(|name| svc_test_support::reference_path(&format!("corpus/sites/{name}")));
    let all: Vec<PathBuf> = real.into_iter().flatten().chain([docs]).collect();
    for root in all.iter().filter(|root| root.is_dir()) {
        let (changed, pages) = check(root);
        println!(
            "{}: {changed} files formatted, {pages} pages equal",
            root.display()
        );
    }
}
