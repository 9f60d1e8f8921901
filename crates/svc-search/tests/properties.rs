//! Properties of every index and query.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use svc_search::{Analysis, Document, Index, Query, Section, Weights};

use crate::site::index;

const VOCABULARY: &[&str] = &[
    "rate",
    "limit",
    "limits",
    "limited",
    "token",
    "tokens",
    "API",
    "webhook",
    "useEffect",
    "number_of_replicas",
    "設定",
    "キー",
    "Größe",
    "the",
    "of",
    "C#",
    "--dry-run",
    "secret",
];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(VOCABULARY), 0..12).prop_map(|w| w.join(" "))
}

fn document() -> impl Strategy<Value = Document> {
    let section = (text(), text(), text()).prop_map(|(heading, text, code)| Section {
        headings: vec![heading],
        text,
        code,
        ..Section::default()
    });
    let sections = proptest::collection::vec(section, 1..4);
    (text(), sections, 0_u32..3).prop_map(|(title, sections, audience)| Document {
        title,
        sections: sections.into(),
        audience,
        ..Document::default()
    })
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    proptest::collection::vec(document(), 0..12).prop_map(|mut pages| {
        for (number, page) in pages.iter_mut().enumerate() {
            page.path = format!("/{number}");
        }
        pages
    })
}

/// Everything a reader can learn from a query.
fn visible_results(index: &Index, query: &Query<'_>) -> String {
    let results = index.search(query);
    let hits = results.hits.iter().map(|hit| {
        let page = index.page(hit.page);
        format!("{} {:?} {:?}", page.path, hit.sections, page.title)
    });
    format!(
        "{:?} {} {:?}",
        hits.collect::<Vec<_>>(),
        results.total,
        results.correction
    )
}

proptest! {
    #[test]
    fn any_query_has_results_within_the_limit(pages in documents(), query in ".{0,200}") {
        let index = index(pages);
        let results = index.search(&Query::new(&query));
        prop_assert!(results.hits.len() <= 10 && results.hits.len() <= results.total);
    }

    #[test]
    fn an_index_of_old_and_new_analyses_equals_a_new_index(
        before in documents(),
        after in documents(),
        query in text(),
    ) {
        let weights = Weights::default();
        let analyze = |pages: &[Document]| -> Vec<Analysis> {
            pages.iter().map(|page| Analysis::new(page, &weights)).collect()
        };
        let old = analyze(&before);
        // Unchanged pages keep their analysis.
        let mixed: Vec<Analysis> = after.iter().map(|page| {
            let same = before.iter().position(|old| old == page);
            same.map_or_else(|| Analysis::new(page, &weights), |at| old[at].clone())
        }).collect();
        let pages: Vec<Arc<Document>> = after.iter().cloned().map(Arc::new).collect();
        let updated = Index::from_analyses(pages, &mixed.iter().collect::<Vec<_>>(), &weights);
        let fresh = index(after);
        prop_assert_eq!(visible_results(&updated, &Query::new(&query)), visible_results(&fresh, &Query::new(&query)));
        prop_assert_eq!(updated.memory(), fresh.memory());
    }

    #[test]
    fn hidden_pages_have_no_effect(pages in documents(), query in text()) {
        let visible = pages.iter().filter(|page| page.audience != 1).cloned().collect();
        let query = Query { audiences: Some(&[0, 2]), limit: 100, ..Query::new(&query) };
        let results = visible_results(&index(pages), &query);
        prop_assert_eq!(results, visible_results(&index(visible), &query));
    }

    #[test]
    fn an_index_after_many_changes_equals_a_new_index(
        mut pages in documents(),
        changes in proptest::collection::vec((0_usize..4, 0_usize..12, 0_usize..12, document()), 1..20),
        query in text(),
    ) {
        let weights = Weights::default();
        let mut analyses: HashMap<String, Analysis> = pages
            .iter()
            .map(|page| (page.path.clone(), Analysis::new(page, &weights)))
            .collect();
        for (number, (kind, from, to, mut page)) in changes.into_iter().enumerate() {
            let (from, to) = (from % pages.len().max(1), to % pages.len().max(1));
            if kind == 0 || pages.is_empty() {
                page.path = format!("/new/{number}");
                analyses.insert(page.path.clone(), Analysis::new(&page, &weights));
                pages.insert(to, page);
            } else if kind == 1 {
                page.path.clone_from(&pages[from].path);
                analyses.insert(page.path.clone(), Analysis::new(&page, &weights));
                pages[from] = page;
            } else if kind == 2 {
                analyses.remove(&pages.remove(from).path);
            } else {
                let page = pages.remove(from);
                pages.insert(to, page);
            }
            let of_pages: Vec<&Analysis> = pages.iter().map(|page| &analyses[&page.path]).collect();
            let documents = pages.iter().cloned().map(Arc::new).collect();
            let updated = Index::from_analyses(documents, &of_pages, &weights);
            let fresh = index(pages.clone());
            let query = Query::new(&query);
            prop_assert_eq!(visible_results(&updated, &query), visible_results(&fresh, &query));
            prop_assert_eq!(updated.shards(), fresh.shards());
        }
    }

    #[test]
    fn a_word_of_a_page_finds_it(pages in documents(), number in 0_usize..12, word in 0_usize..12) {
        let Some(page) = pages.get(number) else { return Ok(()) };
        let Some(word) = page.title.split(' ').nth(word).filter(|word| !word.is_empty()) else {
            return Ok(());
        };
        let index = index(pages.clone());
        let results = index.search(&Query { limit: 100, ..Query::new(word) });
        let found = results.hits.iter().any(|hit| index.page(hit.page).path == page.path);
        prop_assert!(found, "{word} in {:?}", page.title);
    }
}
