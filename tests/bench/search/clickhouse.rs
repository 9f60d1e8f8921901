//! The documentation of ClickHouse with the queries by which its authors judge their own search.
//!
//! Its license is CC BY-NC-SA 4.0: neither pages nor labels may be committed.

use std::fs;
use std::io;
use std::sync::Arc;

use crate::markdown;
use crate::set::{Group, LabeledQuery, Set, corpus, json, page_paths};

pub(crate) fn group() -> io::Result<Option<Group>> {
    let Some(dir) = corpus("clickhouse") else {
        return Ok(None);
    };
    let mut pages = Vec::new();
    for page in json(&dir.join("pages.json"))?
        .as_array()
        .into_iter()
        .flatten()
    {
        let text = |key: &str| page[key].as_str().unwrap_or_default();
        let source = fs::read_to_string(dir.join(text("file")))?;
        let mut document = markdown::document(text("url"), &source);
        text("title").clone_into(&mut document.title);
        pages.push(Arc::new(document));
    }
    let labels = json(&dir.join("labels.json"))?;
    let labels = labels.as_array().into_iter().flatten();
    let queries = labels.map(|label| LabeledQuery {
        text: label["query"].as_str().unwrap_or_default().to_owned(),
        paths: page_paths(
            label["urls"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|url| url.as_str()),
        ),
        slices: vec!["all".to_owned()],
    });
    let queries = queries.collect();
    Ok(Some(Group {
        name: "clickhouse",
        sets: vec![Set::new("clickhouse", "en", pages, queries)],
    }))
}
