//! Scores of all sections and pages for the words of a query.

use crate::expand::TokenMatches;
use crate::index::Index;
use crate::visibility::VisiblePages;

/// Scores of a query.
pub(crate) struct Scores {
    /// Sum over all words for each section.
    pub(crate) sections: Vec<f64>,
    /// For each page the sum over all words of the score of the best section.
    pub(crate) pages: Vec<f64>,
    /// For each page the importance of the words that it contains.
    pub(crate) found: Vec<f64>,
}

impl Index {
    /// Scores all visible sections. `is_allowed` restricts them further.
    pub(crate) fn score(
        &self,
        words: &[TokenMatches],
        visible: &VisiblePages,
        is_allowed: impl Fn(u32) -> bool,
    ) -> Scores {
        let (sections, pages) = (self.section_count(), self.page_count());
        let mut scores = Scores {
            sections: vec![0.0; sections],
            pages: vec![0.0; pages],
            found: vec![0.0; pages],
        };
        // Scores for one word, and where they are not 0.
        let mut section_best = vec![0.0_f64; sections];
        let mut page_best = vec![0.0_f64; pages];
        let mut found = Vec::new();
        for word in words {
            for matched in &word.matches {
                let factor = matched.weight * word.importance / 255.0;
                for posting in self.postings(matched.term) {
                    let best = &mut section_best[posting.section as usize];
                    if *best == 0.0 {
                        found.push(posting.section);
                    }
                    *best = best.max(f64::from(posting.impact) * factor);
                }
            }
            let mut found_pages = Vec::new();
            for section in found.drain(..) {
                let score = std::mem::take(&mut section_best[section as usize]);
                let page = self.section_pages[section as usize];
                if !visible.contains(page) || !is_allowed(section) {
                    continue;
                }
                scores.sections[section as usize] += score;
                let best = &mut page_best[page as usize];
                if *best == 0.0 {
                    found_pages.push(page as usize);
                }
                *best = best.max(score);
            }
            for page in found_pages {
                scores.pages[page] += std::mem::take(&mut page_best[page]);
                scores.found[page] += word.importance;
            }
        }
        scores
    }
}
