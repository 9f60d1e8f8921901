//! Evaluates the code of real documentation sites, if they are present next to the workspace.

use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use svc_mdx::{AttributeKind, AttributeValue, Kind, Options, walk};

use super::super::*;

fn pages(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "mdx") {
            out.push(path);
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the counts are the result")]
fn every_export_and_attribute_of_the_real_sites_is_valid() {
    let Some(sites) = svc_test_support::reference_path("corpus/sites") else {
        return;
    };
    let mut files = Vec::new();
    pages(&sites, &mut files);
    let (mut blocks, mut values, mut components, mut attributes) = (0, 0, 0, 0);
    let mut errors = Vec::new();
    for file in &files {
        let Ok(text) = fs::read_to_string(file) else {
            continue;
        };
        let page = svc_mdx::parse(&text, &Options::default()).value;
        walk(&page.children, |node, _| {
            let esm = match &node.kind {
                Kind::Esm(esm) => esm,
                Kind::Element(element) => {
                    for attribute in &element.attributes {
                        let AttributeKind::Named {
                            value: AttributeValue::Expression { value, .. },
                            ..
                        } = &attribute.kind
                        else {
                            continue;
                        };
                        attributes += 1;
                        if let Err(error) = parse::expression(value) {
                            errors.push(format!("{}: {error}: {value}", file.display()));
                        }
                    }
                    return true;
                }
                _ => return true,
            };
            blocks += 1;
            match Module::parse(esm).evaluate(&EmptyScope) {
                Err(error) => errors.push(format!("{}: {error}\n{esm}", file.display())),
                Ok(exported) => {
                    for value in exported.values() {
                        values += 1;
                        if let Value::Function(function) = value {
                            let props = Value::from(IndexMap::new());
                            match super::call(function, &[props]) {
                                Ok(Value::Element(_) | Value::Null) => components += 1,
                                other => errors.push(format!("{}: {other:?}", file.display())),
                            }
                        }
                    }
                }
            }
            true
        });
    }
    println!(
        "{} pages: {blocks} import and export blocks, {values} exported values, {components} \
         components rendered, {attributes} attribute values",
        files.len()
    );
    assert!(
        errors.is_empty(),
        "{} wrong:\n{}",
        errors.len(),
        errors.join("\n")
    );
    assert!(
        attributes > 500 && components > 30,
        "the real sites have more than this"
    );
}
