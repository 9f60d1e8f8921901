//! Finds and ranks sections instead of pages, for readers who pay for what they read.

use crate::index::Index;
use crate::query::Query;
use crate::rank::QueryScores;
use crate::results::{SectionHit, SectionResults};

/// Share of the score of the whole page in that of a section: a section seldom repeats what its
/// page is about.
const PAGE_SHARE: f64 = 0.3;

impl Index {
    /// Finds sections. Words count as in [`search`](Self::search), but a page takes as many places
    /// as it has sections that match, and a section of a page with few words of the query can come
    /// before others. The browser has no such search.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use svc_search::{Document, Index, Query, Section, Weights};
    /// let section = |text: &str| Section { text: text.into(), ..Section::default() };
    /// let page = Document {
    ///     sections: [section("Rates."), section("The limit of rates."), section("A limit.")].into(),
    ///     ..Document::default()
    /// };
    /// let index = Index::new(vec![Arc::new(page)], &Weights::default());
    /// let results = index.search_sections(&Query::new("rate limit"));
    /// let sections: Vec<u32> = results.hits.iter().map(|hit| hit.section).collect();
    /// assert_eq!((sections[0], results.total), (1, 3));
    /// assert_eq!(results.matches("a limit")[0].span, 2..7);
    /// ```
    pub fn search_sections(&self, query: &Query<'_>) -> SectionResults {
        let Some(QueryScores {
            parsed,
            words,
            visible,
            scores,
        }) = self.score_query(query)
        else {
            return SectionResults::default();
        };
        let mut hits = Vec::new();
        for page in self.page_scores(&scores, &words) {
            let Some(sum) = scores.pages.get(page.sum) else {
                continue;
            };
            let first = self.sections_of(page.page).start;
            let boost = f64::from(self.boosts[page.page as usize]);
            let sections = scores.sections(self, sum);
            let sections = sections.filter(|(_, score)| *score > 0.0);
            hits.extend(sections.map(|(section, score)| SectionHit {
                page: page.page,
                section: section - first,
                score: (score + sum.score * PAGE_SHARE) * boost,
            }));
        }
        let order = |a: &SectionHit, b: &SectionHit| {
            let place = |hit: &SectionHit| (hit.page, hit.section);
            b.score.total_cmp(&a.score).then(place(a).cmp(&place(b)))
        };
        let total = hits.len();
        // Common words are in most sections, of which a reader wants a few.
        let end = query.offset.saturating_add(query.limit);
        if end < total {
            hits.select_nth_unstable_by(end, order);
            hits.truncate(end);
        }
        hits.sort_unstable_by(order);
        let hits = hits.into_iter().skip(query.offset);
        SectionResults {
            hits: hits.collect(),
            total,
            correction: self.correct(&parsed, &words, &visible),
            terms: self.matched_terms(&words),
        }
    }
}
