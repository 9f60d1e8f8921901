//! The navigation of real sites equals the recorded one.
#![allow(clippy::print_stdout, reason = "the differences are worth reading")]

use serde_json::Value;
use svc_config::SiteConfig;
use svc_nav::{SiteMap, resolve};
use svc_openapi::ApiCatalog;
use svc_source::{Contents, LoadOptions, SourceTree, load, pages};
use svc_test_support::shared;

fn catalog(tree: &SourceTree) -> ApiCatalog {
    let documents = tree.iter().filter_map(|(path, contents)| match contents {
        Contents::Text(file)
            if [".json", ".yaml", ".yml"]
                .iter()
                .any(|ending| path.ends_with(ending))
                && svc_openapi::looks_like_openapi(file.text()) =>
        {
            svc_openapi::parse(file).value
        }
        _ => None,
    });
    ApiCatalog::new(documents.collect())
}

fn config(tree: &SourceTree) -> SiteConfig {
    let file = tree.text("docs.json").expect("the site has a docs.json");
    svc_config::parse(file, &|path| tree.text(path).cloned())
        .value
        .expect("it is readable")
}

fn map(site: &str) -> Option<(SiteMap, Vec<svc_diagnostics::Diagnostic>, Vec<Value>)> {
    let root = shared(&format!("corpus/sites/{site}"))?;
    let recorded = std::fs::read_to_string(shared(&format!("oracle/nav/{site}.json"))?).ok()?;
    let tree = load(&root, &LoadOptions::default())
        .expect("the site can be read")
        .value;
    let index = pages(&tree).value;
    let found = resolve(&config(&tree), &index, &catalog(&tree));
    let recorded: Value = serde_json::from_str(&recorded).expect("the record is JSON");
    Some((
        found.value,
        found.diagnostics,
        recorded.as_array().cloned().unwrap_or_default(),
    ))
}

/// The positions of a longest common subsequence.
fn common(left: &[String], right: &[String]) -> Vec<(usize, usize)> {
    let mut table = vec![vec![0_u32; right.len() + 1]; left.len() + 1];
    for (i, a) in left.iter().enumerate().rev() {
        for (j, b) in right.iter().enumerate().rev() {
            table[i][j] = if a == b {
                table[i + 1][j + 1] + 1
            } else {
                table[i + 1][j].max(table[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < left.len() && j < right.len() {
        if left[i] == right[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if table[i + 1][j] >= table[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn key(entry: &Value) -> String {
    format!(
        "{} {} {} {}",
        entry["trail"], entry["href"], entry["link"], entry["root"]
    )
}

fn agree(site: &str) {
    let Some((map, diagnostics, recorded)) = map(site) else {
        println!("skipped: the reference material for {site} is not there");
        return;
    };
    let own = map.to_json().as_array().cloned().unwrap_or_default();
    let left: Vec<String> = own.iter().map(key).collect();
    let right: Vec<String> = recorded.iter().map(key).collect();
    let pairs = common(&left, &right);
    let mut names = 0;
    for (i, j) in &pairs {
        let fields = ["title", "sidebarTitle", "openapi"];
        let wrong: Vec<&str> = fields
            .into_iter()
            .filter(|field| own[*i][*field] != recorded[*j][*field])
            .collect();
        if wrong.is_empty() {
            names += 1;
        } else {
            println!(
                "differs in {wrong:?}:\n  own      {}\n  recorded {}",
                own[*i], recorded[*j]
            );
        }
    }
    for (i, entry) in left
        .iter()
        .enumerate()
        .filter(|(i, _)| pairs.iter().all(|p| p.0 != *i))
    {
        println!("only own {i}: {entry}");
    }
    for (j, entry) in right
        .iter()
        .enumerate()
        .filter(|(j, _)| pairs.iter().all(|p| p.1 != *j))
    {
        println!("only recorded {j}: {entry}");
    }
    for problem in &diagnostics {
        println!(
            "{} {} {}",
            problem.place(),
            problem.code.id,
            problem.message
        );
    }
    let total = own.len().max(recorded.len());
    println!(
        "{site}: {} own, {} recorded, {} equal, {names} in every field; {} routes",
        own.len(),
        recorded.len(),
        pairs.len(),
        map.routes.len()
    );
    assert!(
        pairs.len() * 100 >= total * 98,
        "{site}: {} of {total}",
        pairs.len()
    );
    assert!(
        names * 100 >= total * 98,
        "{site}: {names} of {total} in every field"
    );
}

#[test]
fn mcp_agrees() {
    agree("mcp");
}

#[test]
fn fastmcp_agrees() {
    agree("fastmcp");
}

#[test]
fn trigger_agrees() {
    agree("trigger");
}

#[test]
fn polar_agrees() {
    agree("polar");
}

#[test]
fn mintlify_agrees() {
    agree("mintlify");
}
