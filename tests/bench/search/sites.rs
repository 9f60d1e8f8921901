//! Real sites, and the documentation of this project, with queries labeled by hand.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_search::Document;
use svc_tests::sites;

use crate::markdown;
use crate::set::{Group, LabeledQuery, Set, page_paths};

/// Directories that are no pages of the default language.
const SKIPPED_DIRS: &[&str] = &["es", "fr", "node_modules", "snippets", "zh"];

pub(crate) fn group() -> io::Result<Option<Group>> {
    let real = sites::NAMES.iter().map(|name| (*name, sites::site(name)));
    let own = [("docs", Some(sites::docs()))];
    let mut sets = Vec::new();
    for (name, root) in real.chain(own) {
        if let Some(root) = root {
            let pages = site_documents(&root)?;
            let labels = sites::workspace().join(format!("tests/bench/search/labels/{name}.csv"));
            let queries = queries(&fs::read_to_string(labels)?);
            sets.push(Set::new(name, "en", pages, queries));
        }
    }
    Ok(Some(Group {
        name: "sites",
        sets,
    }))
}

/// Returns the pages of a site.
fn site_documents(root: &Path) -> io::Result<Vec<Arc<Document>>> {
    let mut files = Vec::new();
    collect(root, &mut files)?;
    files.sort();
    let mut documents = Vec::new();
    for file in files {
        let path = file.strip_prefix(root).unwrap_or(&file).with_extension("");
        let path = format!("/{}", path.to_string_lossy());
        let path = path.strip_suffix("/index").unwrap_or(&path);
        let document = markdown::document(path, &fs::read_to_string(&file)?);
        documents.push(Arc::new(document));
    }
    Ok(documents)
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_page = path
            .extension()
            .is_some_and(|own| own == "md" || own == "mdx");
        if path.is_dir() {
            if !name.starts_with('.') && !SKIPPED_DIRS.contains(&&*name) {
                collect(&path, files)?;
            }
        } else if is_page {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads labels: lines of query, paths and kind, after a header.
fn queries(csv: &str) -> Vec<LabeledQuery> {
    let query = |line: &str| {
        let [text, paths, kind]: [String; 3] = fields(line).try_into().ok()?;
        Some(LabeledQuery {
            text,
            paths: page_paths(paths.split(' ')),
            slices: vec!["all".to_owned(), kind],
        })
    };
    csv.lines().skip(1).filter_map(query).collect()
}

/// Returns the fields of a line of CSV. Quoted fields may contain commas and doubled quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = fields.len() - 1;
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => fields[last].push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields[last].push(letter),
        }
    }
    fields
}
