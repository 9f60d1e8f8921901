//! Properties of every index and query.

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

    /// The text of pages that a reader may not see has no effect but on the order.
    #[test]
    fn hidden_pages_are_not_found(pages in documents(), query in text()) {
        let index = index(pages.clone());
        let query = Query { audiences: Some(&[0, 2]), limit: 100, ..Query::new(&query) };
        let results = index.search(&query);
        for hit in &results.hits {
            prop_assert_ne!(index.page(hit.page).audience, 1);
        }
        prop_assert_eq!(results.total, results.hits.len());
        if let Some(correction) = results.correction {
            let visible = pages.iter().filter(|page| page.audience != 1);
            let texts: Vec<String> = visible.map(|page| format!("{page:?}").to_lowercase()).collect();
            for word in correction.split_whitespace().filter(|word| !query.text.contains(word)) {
                prop_assert!(texts.iter().any(|text| text.contains(word)), "{}", word);
            }
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
