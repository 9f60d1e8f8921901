//! The terms of pages, which the index of the next site reuses.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use svc_search::{Analysis, Document, Index, Synonyms, Weights};

/// Maximum bytes of text of all pages up to which their terms stay in memory, where they need about
/// twice as much. Larger sites are analyzed again after each change.
const MAX_CACHED_TEXT: usize = 16 << 20;

/// The terms of the pages of the last index. A site hands it to the next one, whose index analyzes
/// only the pages that changed.
#[derive(Debug, Default)]
pub(crate) struct AnalysisCache(Mutex<Analyses>);

#[derive(Debug, Default)]
struct Analyses {
    synonyms: Synonyms,
    /// By path.
    pages: HashMap<String, (Arc<Document>, Arc<Analysis>)>,
}

impl AnalysisCache {
    /// Indexes documents. The result does not depend on what is in the cache.
    pub(crate) fn index(&self, documents: Vec<Arc<Document>>, synonyms: Synonyms) -> Index {
        let weights = Weights::default();
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before = std::mem::take(&mut *lock());
        if before.synonyms != synonyms {
            before.pages.clear();
        }
        let analyses = documents
            .iter()
            .map(|page| match before.pages.remove(&page.path) {
                Some((old, analysis)) if old == *page => analysis,
                _ => Arc::new(Analysis::with_synonyms(page, &weights, &synonyms)),
            });
        let analyses: Vec<Arc<Analysis>> = analyses.collect();
        let borrowed: Vec<&Analysis> = analyses.iter().map(AsRef::as_ref).collect();
        let sections = documents.iter().flat_map(|page| &*page.sections);
        let text: usize = sections
            .map(|section| section.text.len() + section.code.len())
            .sum();
        if text <= MAX_CACHED_TEXT {
            let pages = documents.iter().zip(&analyses);
            let pages = pages.map(|(page, analysis)| {
                (page.path.clone(), (Arc::clone(page), Arc::clone(analysis)))
            });
            *lock() = Analyses {
                synonyms,
                pages: pages.collect(),
            };
        }
        Index::from_analyses(documents, &borrowed, &weights)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use svc_search::{Document, Index, Query, Section, Synonyms};

    use super::AnalysisCache;

    fn page(path: &str, text: &str) -> Arc<Document> {
        let section = Section {
            text: text.to_owned(),
            ..Section::default()
        };
        Arc::new(Document {
            path: path.to_owned(),
            sections: [section].into(),
            ..Document::default()
        })
    }

    fn analysis(cache: &AnalysisCache, path: &str) -> usize {
        let analyses = cache.0.lock().expect("no thread failed");
        Arc::as_ptr(&analyses.pages[path].1).addr()
    }

    #[test]
    fn only_changed_pages_are_analyzed_again() {
        let cache = AnalysisCache::default();
        let total = |index: &Index, text: &str| index.search(&Query::new(text)).total;
        let synonyms = || Synonyms::new([["rope", "line"]]);
        cache.index(vec![page("/a", "mast"), page("/b", "sail")], synonyms());
        let (a, b) = (analysis(&cache, "/a"), analysis(&cache, "/b"));
        let index = cache.index(vec![page("/b", "anchor"), page("/a", "mast")], synonyms());
        assert_eq!(analysis(&cache, "/a"), a);
        assert_ne!(analysis(&cache, "/b"), b);
        assert_eq!(
            ["mast", "anchor", "sail"].map(|text| total(&index, text)),
            [1, 1, 0]
        );
        // Synonyms are part of the analysis.
        let index = cache.index(vec![page("/a", "mast")], Synonyms::new([["mast", "pole"]]));
        assert_eq!(total(&index, "pole"), 1);
    }
}
