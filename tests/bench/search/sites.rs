//! Real sites, and the documentation of this project, with queries labeled by hand.

use std::io;
use std::path::Path;
use std::sync::Arc;

use svc_search::Document;
use svc_tests::loaded_site::{LoadedSite, threads};
use svc_tests::sites;

use crate::set::{Group, LabeledQuery, Set, page_paths};

/// Language of the labels.
const LANGUAGE: &str = "en";

pub(crate) fn group() -> io::Result<Option<Group>> {
    let real = sites::NAMES.iter().map(|name| (*name, sites::site(name)));
    let own = [("docs", Some(sites::docs()))];
    let mut sets = Vec::new();
    for (name, root) in real.chain(own) {
        if let Some(root) = root {
            let pages = site_documents(&root)?;
            let labels = sites::workspace().join(format!("tests/bench/search/labels/{name}.csv"));
            let queries = queries(&labels)?;
            sets.push(Set::new(name, LANGUAGE, pages, queries));
        }
    }
    Ok(Some(Group {
        name: "sites",
        sets,
    }))
}

/// Returns the pages of a site as its search has them, in the language of the labels.
fn site_documents(root: &Path) -> io::Result<Vec<Arc<Document>>> {
    let site = LoadedSite::load(root)?.site;
    site.render_all(threads(), &|| true);
    let mut documents = site.search_documents();
    let is_other = |language: &str| language != LANGUAGE;
    documents.retain(|page| !page.language.as_deref().is_some_and(is_other));
    Ok(documents)
}

/// A line of a file with labels.
#[derive(serde::Deserialize)]
struct Label {
    query: String,
    paths: String,
    kind: String,
}

/// Reads labels.
fn queries(path: &Path) -> io::Result<Vec<LabeledQuery>> {
    let mut reader = csv::Reader::from_path(path)?;
    let labels: Result<Vec<Label>, csv::Error> = reader.deserialize().collect();
    let query = |label: Label| LabeledQuery {
        paths: page_paths(label.paths.split(' ')),
        text: label.query,
        slices: vec!["all".to_owned(), label.kind],
    };
    Ok(labels?.into_iter().map(query).collect())
}
