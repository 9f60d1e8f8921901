//! Pages and labeled queries in German, Japanese, Korean and Chinese.

use std::io;
use std::sync::Arc;

use serde_json::Value;
use svc_search::{Document, Section};
use svc_tests::sites;

use crate::set::{Group, LabeledQuery, Set, json, page_paths};

const LANGUAGES: &[&str] = &["de", "ja", "ko", "zh"];

pub(crate) fn group() -> io::Result<Option<Group>> {
    let mut sets = Vec::new();
    for language in LANGUAGES {
        let file = format!("tests/bench/search/languages/{language}.json");
        let fixture = json(&sites::workspace().join(file))?;
        let pages = items(&fixture["pages"]).map(|page| Arc::new(document(page, language)));
        let queries = items(&fixture["queries"]).map(|query| LabeledQuery {
            text: text(&query["query"]),
            paths: page_paths(items(&query["paths"]).filter_map(Value::as_str)),
            slices: vec![
                "all".to_owned(),
                text(&query["kind"]),
                (*language).to_owned(),
            ],
        });
        sets.push(Set::new(
            language,
            language,
            pages.collect(),
            queries.collect(),
        ));
    }
    Ok(Some(Group {
        name: "languages",
        sets,
    }))
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn document(page: &Value, language: &str) -> Document {
    let sections = items(&page["sections"]).map(|section| Section {
        id: text(&section["id"]),
        headings: items(&section["headings"]).map(text).collect(),
        text: text(&section["text"]),
        code: text(&section["code"]),
        ..Section::default()
    });
    Document {
        path: text(&page["path"]),
        title: text(&page["title"]),
        language: Some(language.to_owned()),
        sections: sections.collect(),
        ..Document::default()
    }
}
