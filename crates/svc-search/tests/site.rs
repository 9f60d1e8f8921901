//! A small site.

use std::sync::Arc;

use svc_search::{Document, Index, Query, Results, Section, Weights};

/// Parses pages of the form `/path | Title`, followed by lines of text, `## Heading` and
/// `> identifier`.
pub(crate) fn pages(source: &str) -> Vec<Document> {
    let mut pages: Vec<(Document, Vec<Section>)> = Vec::new();
    for line in source
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        if let Some((path, title)) = line.strip_prefix('/').and_then(|l| l.split_once(" | ")) {
            let page = Document {
                path: format!("/{path}"),
                title: title.to_owned(),
                ..Document::default()
            };
            pages.push((page, vec![Section::default()]));
            continue;
        }
        let (_, sections) = pages.last_mut().unwrap();
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push(Section {
                id: heading.to_lowercase().replace(' ', "-"),
                headings: vec![heading.to_owned()],
                ..Section::default()
            });
            continue;
        }
        let section = sections.last_mut().unwrap();
        match line.strip_prefix("> ") {
            Some(identifier) => section.identifiers.push(identifier.to_owned()),
            None => {
                section.text.push_str(line);
                section.text.push('\n');
            }
        }
    }
    let pages = pages.into_iter().map(|(page, sections)| Document {
        sections: sections.into(),
        ..page
    });
    pages.collect()
}

pub(crate) fn index(pages: Vec<Document>) -> Index {
    Index::new(
        pages.into_iter().map(Arc::new).collect(),
        &Weights::default(),
    )
}

/// The paths that a query finds, with the section of each after `#`.
pub(crate) fn paths(index: &Index, results: &Results) -> Vec<String> {
    let hits = results.hits.iter().map(|hit| {
        let page = index.page(hit.page);
        let id = &page.sections[hit.sections[0] as usize].id;
        match id.as_str() {
            "" => page.path.clone(),
            id => format!("{}#{id}", page.path),
        }
    });
    hits.collect()
}

pub(crate) fn find(index: &Index, text: &str) -> Vec<String> {
    paths(index, &index.search(&Query::new(text)))
}
