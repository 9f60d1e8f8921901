//! Measures of ranked results, with relevant pages that are all equally relevant.

use std::time::Duration;

use svc_search::Quality;

/// Number of results that count.
pub(crate) const MAX_RESULTS: usize = 10;
/// Number of results that a reader sees without scrolling.
pub(crate) const MAX_VISIBLE_RESULTS: usize = 5;

/// Figures of some queries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figures(Vec<Quality>);

impl Figures {
    /// Adds a query: whether each result is relevant, and how many pages are.
    pub(crate) fn add(&mut self, relevance: &[bool], relevant: usize) {
        self.0.push(Quality::of_relevance(relevance, relevant));
    }

    pub(crate) const fn queries(&self) -> usize {
        self.0.len()
    }

    /// Returns the means: nDCG@10, MRR, success@5 and recall@10.
    pub(crate) fn means(&self) -> [f64; 4] {
        let mean = Quality::mean(&self.0);
        [
            mean.ndcg,
            mean.reciprocal_rank,
            mean.success_at_5,
            mean.recall_at_10,
        ]
    }
}

/// Whether a reader sees a relevant page without scrolling.
pub(crate) fn is_success(relevance: &[bool]) -> bool {
    relevance
        .iter()
        .take(MAX_VISIBLE_RESULTS)
        .any(|is_relevant| *is_relevant)
}

pub(crate) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Returns the time that `percent` of all queries do not exceed.
pub(crate) fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    let rank = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(rank).copied().unwrap_or_default()
}
