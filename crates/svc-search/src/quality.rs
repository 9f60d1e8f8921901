//! How good results are, measured on labeled queries.

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
    /// Share of the relevant pages that are among the first ten.
    pub recall_at_10: f64,
}

impl Quality {
    /// Compares the results of a query, the best first, with the relevant pages. A page that occurs
    /// again counts once.
    pub fn of(relevant: &[&str], results: &[&str]) -> Self {
        let mut out = Self::default();
        if relevant.is_empty() {
            return out;
        }
        let (mut gain, mut position, mut retrieved) = (0.0, 1.0, 0.0);
        for (at, path) in results.iter().enumerate().take(10) {
            if relevant.contains(path) && !results[..at].contains(path) {
                gain += discount(position);
                retrieved += 1.0;
                if at < 5 {
                    out.success_at_5 = 1.0;
                }
                if out.reciprocal_rank == 0.0 {
                    out.reciprocal_rank = 1.0 / position;
                }
            }
            position += 1.0;
        }
        let (mut ideal, mut position, mut count) = (0.0, 1.0, 0.0);
        for _ in relevant.iter().take(10) {
            ideal += discount(position);
            position += 1.0;
        }
        relevant.iter().for_each(|_| count += 1.0);
        out.ndcg = gain / ideal;
        out.recall_at_10 = retrieved / count;
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

/// The gain of a relevant page at a position that begins with 1.
fn discount(position: f64) -> f64 {
    1.0 / (position + 1.0).log2()
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
