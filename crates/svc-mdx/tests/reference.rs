//! Compares the trees of whole sites with those of `@mdx-js/mdx`.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop, and says what it skipped"
)]

use sha2::{Digest as _, Sha256};
use svc_mdx::{Options, mdast_dump, parse};

fn digest(tree: &str) -> String {
    Sha256::digest(tree.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn trees_agree_with_mdx_js() {
    let Some(shared) = svc_test_support::reference_path("") else {
        return;
    };
    let (mut pages, mut equal, mut noisy, mut refused) = (0, 0, 0, 0);
    for site in ["fastmcp", "mcp", "mintlify", "polar", "trigger"] {
        let expected = std::fs::read_to_string(shared.join(format!("oracle/mdx/{site}.json")));
        let expected: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&expected.unwrap()).unwrap();
        let mut differ = Vec::new();
        for (path, tree) in &expected {
            let page = shared.join("corpus/sites").join(site).join(path);
            let Ok(text) = std::fs::read_to_string(&page) else {
                continue;
            };
            let parsed = parse(&text, &Options::mdx_js());
            let Some(tree) = tree.as_str() else {
                // A page that `@mdx-js/mdx` rejects is rejected at the same line.
                let first = parsed.diagnostics.first().map(|problem| problem.span.start);
                let line = first.map(|at| 1 + text[..at as usize].matches('\n').count() as u64);
                assert_eq!(line, tree["line"].as_u64(), "{site}/{path}");
                refused += 1;
                continue;
            };
            pages += 1;
            if !parsed.diagnostics.is_empty() {
                noisy += 1;
                println!("problem: {site}/{path}: {:?}", parsed.diagnostics[0]);
            }
            if digest(&mdast_dump(&parsed.value)) == tree {
                equal += 1;
            } else {
                differ.push(path.as_str());
            }
        }
        println!("{site}: {} differ of {}", differ.len(), expected.len());
        for path in differ {
            println!("differs: {site}/{path}");
        }
    }
    println!("{equal} of {pages} pages agree; {noisy} good pages with problems; {refused} refused");
    assert!(pages > 2000, "only {pages} pages were found");
    assert!(equal * 1000 >= pages * 998, "{equal} of {pages} agree");
}
