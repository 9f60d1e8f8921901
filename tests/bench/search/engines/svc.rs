//! The engine of this project with its default weights.

use std::io;
use std::time::Instant;

use svc_search::{Analysis, ENGLISH_SYNONYMS, Index, Query, Synonyms, Weights};

use super::{Response, SearchIndex};
use crate::figures::MAX_RESULTS;
use crate::set::Set;

pub(super) struct SvcIndex(Index);

impl SvcIndex {
    pub(super) fn new(set: &Set) -> Self {
        let weights = Weights::default();
        let is_english = set.language == "en";
        let groups = ENGLISH_SYNONYMS.iter().filter(|_| is_english);
        let synonyms = Synonyms::new(groups.map(|group| group.iter().copied()));
        let pages = set.pages.iter();
        let analyses = pages.map(|page| Analysis::with_synonyms(page, &weights, &synonyms));
        let analyses: Vec<Analysis> = analyses.collect();
        let analyses: Vec<&Analysis> = analyses.iter().collect();
        Self(Index::from_analyses(set.pages.clone(), &analyses, &weights))
    }
}

impl SearchIndex for SvcIndex {
    fn search(&self, queries: &[&str]) -> io::Result<Vec<Response>> {
        let response = |text: &&str| {
            let query = Query {
                limit: MAX_RESULTS,
                ..Query::new(text)
            };
            let start = Instant::now();
            let results = self.0.search(&query);
            Response {
                time: start.elapsed(),
                pages: results.hits.iter().map(|hit| hit.page as usize).collect(),
            }
        };
        Ok(queries.iter().map(response).collect())
    }

    fn bytes(&self) -> u64 {
        self.0.memory() as u64
    }
}
