//! Pages and the queries whose relevant pages are known.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use svc_search::Document;

/// A query with the pages that a reader who types it wants.
#[derive(Debug, Clone)]
pub(crate) struct LabeledQuery {
    pub(crate) text: String,
    /// Paths of the relevant pages.
    pub(crate) paths: BTreeSet<String>,
    /// Parts of the result to which the query counts.
    pub(crate) slices: Vec<String>,
}

/// Pages that are searched together.
pub(crate) struct Set {
    pub(crate) name: String,
    /// Language of all pages as a BCP 47 tag.
    pub(crate) language: String,
    pub(crate) pages: Vec<Arc<Document>>,
    pub(crate) queries: Vec<LabeledQuery>,
    /// Number of queries that were removed because none of their pages exists.
    pub(crate) removed: usize,
}

impl Set {
    /// Creates a set of the queries for which there is at least one page.
    pub(crate) fn new(
        name: &str,
        language: &str,
        pages: Vec<Arc<Document>>,
        mut queries: Vec<LabeledQuery>,
    ) -> Self {
        let paths: BTreeSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
        for query in &mut queries {
            query.paths.retain(|path| paths.contains(path.as_str()));
        }
        let all = queries.len();
        queries.retain(|query| !query.paths.is_empty());
        Self {
            name: name.to_owned(),
            language: language.to_owned(),
            removed: all - queries.len(),
            pages,
            queries,
        }
    }

    /// Bytes of text and code of all pages.
    pub(crate) fn text_bytes(&self) -> usize {
        let sections = self.pages.iter().flat_map(|page| page.sections.iter());
        sections
            .map(|section| section.text.len() + section.code.len())
            .sum()
    }
}

/// Sets whose figures are reported together.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) sets: Vec<Set>,
}

/// Returns the directory of a manual in `SVC_SEARCH_CORPUS`; `None`, with a note on standard error,
/// if it is missing.
pub(crate) fn corpus(name: &str) -> Option<PathBuf> {
    let dir = std::env::var_os("SVC_SEARCH_CORPUS").map(|root| PathBuf::from(root).join(name));
    let dir = dir.filter(|dir| dir.is_dir());
    if dir.is_none() {
        eprintln!("{name}: skipped, because SVC_SEARCH_CORPUS names no directory with it");
    }
    dir
}

/// Parses JSON.
pub(crate) fn json(path: &std::path::Path) -> io::Result<serde_json::Value> {
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

/// Returns the paths of labels without their fragments: pages are compared, not sections.
pub(crate) fn page_paths<'a>(labels: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let pages = labels.filter_map(|label| label.split('#').next());
    pages.map(str::to_owned).collect()
}
