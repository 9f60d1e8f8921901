//! The engine of this project with its default weights.

use std::io;
use std::time::Instant;

use svc_search::{Index, Query, Weights};

use super::{Response, SearchIndex};
use crate::figures::MAX_RESULTS;
use crate::set::Set;

pub(super) struct SvcIndex(Index);

impl SvcIndex {
    pub(super) fn new(set: &Set) -> Self {
        Self(Index::new(set.pages.clone(), &Weights::default()))
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
