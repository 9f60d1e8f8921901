//! Measures of ranked results, with relevant pages that are all equally relevant.

use std::time::Duration;

/// Number of results that count.
pub(crate) const MAX_RESULTS: usize = 10;
/// Number of results that a reader sees without scrolling.
pub(crate) const MAX_VISIBLE_RESULTS: usize = 5;

/// Sums over some queries.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) queries: u32,
    ndcg: f64,
    reciprocal_rank: f64,
    success_at_5: f64,
    recall: f64,
}

impl Figures {
    /// Adds a query: whether each result is relevant, and how many pages are.
    pub(crate) fn add(&mut self, relevance: &[bool], relevant: usize) {
        let relevance = &relevance[..relevance.len().min(MAX_RESULTS)];
        let relevant = relevant.min(MAX_RESULTS);
        let ranks = (1..)
            .zip(relevance)
            .filter(|(_, is_relevant)| **is_relevant);
        let ranks: Vec<u32> = ranks.map(|(rank, _)| rank).collect();
        let ideal: f64 = (1..).take(relevant).map(gain).sum();
        self.queries += 1;
        self.ndcg += ranks.iter().copied().map(gain).sum::<f64>() / ideal;
        self.recall += number(ranks.len()) / number(relevant);
        if let Some(&first) = ranks.first() {
            self.reciprocal_rank += 1.0 / f64::from(first);
        }
        if is_success(relevance) {
            self.success_at_5 += 1.0;
        }
    }

    /// Returns the means: nDCG@10, MRR, success@5 and recall@10.
    pub(crate) fn means(&self) -> [f64; 4] {
        let sums = [
            self.ndcg,
            self.reciprocal_rank,
            self.success_at_5,
            self.recall,
        ];
        sums.map(|sum| sum / f64::from(self.queries.max(1)))
    }
}

/// Whether a reader sees a relevant page without scrolling.
pub(crate) fn is_success(relevance: &[bool]) -> bool {
    relevance
        .iter()
        .take(MAX_VISIBLE_RESULTS)
        .any(|is_relevant| *is_relevant)
}

/// Gain of a relevant page at a rank.
fn gain(rank: u32) -> f64 {
    1.0 / f64::from(rank + 1).log2()
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
