//! How good results are, measured on labeled queries.

/// Number of results that count.
const MAX_RESULTS: usize = 10;
/// Number of results that a reader sees without scrolling.
const MAX_VISIBLE_RESULTS: usize = 5;

/// Quality of the results of a query, or the mean over several queries. All values are from 0 to 1.
///
/// ```
/// use svc_search::Quality;
/// let quality = Quality::of(&["/limits"], &["/errors", "/limits"]);
/// assert_eq!((quality.reciprocal_rank, quality.success_at_5), (0.5, 1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Quality {
    /// nDCG@10: relevant pages count less the further down they are.
    pub ndcg: f64,
    /// One divided by the position of the first relevant page; the mean of it is the MRR.
    pub reciprocal_rank: f64,
    /// Whether one of the first five pages is relevant.
    pub success_at_5: f64,
    /// Share of the relevant pages, at most ten of them, that are among the first ten results.
    pub recall_at_10: f64,
}

impl Quality {
    /// Compares the results of a query, the best first, with the relevant pages. A page that occurs
    /// again counts once.
    pub fn of(relevant: &[&str], results: &[&str]) -> Self {
        let results = results.iter().enumerate();
        let relevance = results.clone().map(|(at, path)| {
            relevant.contains(path) && !results.clone().take(at).any(|(_, other)| other == path)
        });
        Self::of_relevance(&relevance.collect::<Vec<bool>>(), relevant.len())
    }

    /// Like [`of`](Self::of) with whether each result is relevant, and the number of relevant pages.
    pub fn of_relevance(relevance: &[bool], relevant: usize) -> Self {
        let mut out = Self::default();
        let (mut gain, mut ideal, mut retrieved, mut possible) = (0.0, 0.0, 0.0, 0.0);
        for at in 0..MAX_RESULTS {
            let position = f64::from(u32::try_from(at + 1).unwrap_or(u32::MAX));
            let discount = 1.0 / (position + 1.0).log2();
            if at < relevant {
                ideal += discount;
                possible += 1.0;
            }
            if relevance.get(at) == Some(&true) {
                gain += discount;
                retrieved += 1.0;
                if at < MAX_VISIBLE_RESULTS {
                    out.success_at_5 = 1.0;
                }
                if out.reciprocal_rank == 0.0 {
                    out.reciprocal_rank = 1.0 / position;
                }
            }
        }
        if possible > 0.0 {
            out.ndcg = gain / ideal;
            out.recall_at_10 = retrieved / possible;
        }
        out
    }

    /// Returns the mean; zero without values.
    pub fn mean(values: &[Self]) -> Self {
        let mut out = Self::default();
        let mut count = 0.0_f64;
        for value in values {
            out.ndcg += value.ndcg;
            out.reciprocal_rank += value.reciprocal_rank;
            out.success_at_5 += value.success_at_5;
            out.recall_at_10 += value.recall_at_10;
            count += 1.0;
        }
        let count = count.max(1.0);
        Self {
            ndcg: out.ndcg / count,
            reciprocal_rank: out.reciprocal_rank / count,
            success_at_5: out.success_at_5 / count,
            recall_at_10: out.recall_at_10 / count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Quality;

    #[test]
    fn all_relevant_pages_first_is_the_ideal() {
        let quality = Quality::of(&["a", "b"], &["b", "a", "c"]);
        let all = Quality {
            ndcg: 1.0,
            reciprocal_rank: 1.0,
            success_at_5: 1.0,
            recall_at_10: 1.0,
        };
        assert_eq!(quality, all);
        assert_eq!(Quality::of(&["a"], &[]), Quality::default());
    }

    #[test]
    fn later_and_missing_pages_cost() {
        let quality = Quality::of(&["a", "b"], &["x", "a", "a", "y"]);
        assert_eq!((quality.reciprocal_rank, quality.recall_at_10), (0.5, 0.5));
        // 1 / log2(3) of 1 + 1 / log2(3)
        assert!((quality.ndcg - 0.387).abs() < 0.002, "{}", quality.ndcg);
        let late = Quality::of(&["a"], &["1", "2", "3", "4", "5", "a"]);
        assert_eq!((late.success_at_5, late.recall_at_10), (0.0, 1.0));
        let mean = Quality::mean(&[late, Quality::default()]);
        assert_eq!(mean.recall_at_10, 0.5);
    }
}
