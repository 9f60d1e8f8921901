//! Finds and ranks pages.

use std::collections::BTreeMap;

use crate::expand::{TokenKind, TokenMatches};
use crate::index::Index;
use crate::query::{Query, QueryTokens};
use crate::results::{Hit, MatchedTerm, Results};
use crate::score::{PageSum, Scores};
use crate::visibility::VisiblePages;
use crate::vocabulary::Vocabulary;

/// Number of pages whose titles and positions are compared with the query.
const MAX_CANDIDATES: usize = 30;
/// Maximum number of sections of a page in the results.
const MAX_SECTIONS: usize = 3;
/// Number of terms of a word whose positions are compared.
const MAX_POSITION_TERMS: usize = 8;
/// Minimum importance of a word that is marked, as a share of that of the most important word.
const MIN_MARKED_IMPORTANCE: f64 = 0.1;

impl Index {
    /// Finds pages.
    ///
    /// Every word of the query counts more the rarer it is, and more in titles and headings than in
    /// text. Pages that contain all words come first. Words are also found by other forms, and the
    /// last one by its beginning; a word that no page contains by similar words.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use svc_search::{Document, Index, Query, Section, Weights};
    /// let page = |path: &str, title: &str, text: &str| {
    ///     let section = Section { text: text.into(), ..Section::default() };
    ///     let sections = [section].into();
    ///     Arc::new(Document { path: path.into(), title: title.into(), sections, ..Document::default() })
    /// };
    /// let pages = vec![
    ///     page("/limits", "Rate limits", "Requests are limited to 100 a second."),
    ///     page("/errors", "Errors", "An error contains a message. 429 means that a rate limit is exceeded."),
    /// ];
    /// let index = Index::new(pages, &Weights::default());
    /// let results = index.search(&Query::new("rate limti"));
    /// assert_eq!(index.page(results.hits[0].page).path, "/limits");
    /// assert_eq!(results.total, 2);
    /// assert_eq!(results.correction.as_deref(), Some("rate limit"));
    /// ```
    pub fn search(&self, query: &Query<'_>) -> Results {
        let Some(QueryScores {
            parsed,
            words,
            visible,
            scores,
        }) = self.score_query(query)
        else {
            return Results::default();
        };
        let mut pages = self.page_scores(&scores, &words);
        let order =
            |a: &PageScore, b: &PageScore| b.score.total_cmp(&a.score).then(a.page.cmp(&b.page));
        let candidates = pages.len().min(MAX_CANDIDATES);
        if candidates < pages.len() {
            pages.select_nth_unstable_by(candidates, order);
        }
        let end = query.offset.saturating_add(query.limit);
        let (first, rest) = pages.split_at_mut(candidates);
        self.compare_titles_and_positions(&words, first);
        first.sort_unstable_by(order);
        if end > candidates {
            rest.sort_unstable_by(order);
        }
        let hits = pages.iter().take(end).skip(query.offset).map(|page| Hit {
            page: page.page,
            sections: self.best_sections(page, &scores),
            coverage: page.coverage,
            score: page.score,
        });
        Results {
            correction: self.correct(&parsed, &words, &visible),
            terms: self.matched_terms(&words),
            hits: hits.collect(),
            total: pages.len(),
        }
    }

    /// Scores what a query may return; `None` if no page has any of its words.
    pub(crate) fn score_query(&self, query: &Query<'_>) -> Option<QueryScores> {
        let parsed = QueryTokens::new(query.text);
        let words = Vocabulary::new(self, query).match_tokens(&parsed);
        if words.iter().all(|word| word.matches.is_empty()) {
            return None;
        }
        let visible = VisiblePages::new(self, query);
        let phrases = self.sections_with_phrases(&parsed);
        let is_allowed = |section| {
            phrases
                .as_ref()
                .is_none_or(|sections| sections.contains(&section))
        };
        let scores = self.score(&words, &visible, is_allowed);
        Some(QueryScores {
            parsed,
            words,
            visible,
            scores,
        })
    }

    /// The pages with enough of the words.
    pub(crate) fn page_scores(&self, scores: &Scores, words: &[TokenMatches]) -> Vec<PageScore> {
        let total: f64 = words.iter().map(|word| word.importance).sum();
        let share = self.weights.page;
        let page_score = |(sum, page): (usize, &PageSum)| {
            let coverage = page.found / total;
            let score = page.score * share + page.best.1 * (1.0 - share);
            let boost = f64::from(self.boosts[page.page as usize]);
            PageScore {
                page: page.page,
                sum,
                section: page.best.0,
                coverage,
                score: score * coverage * coverage * boost,
            }
        };
        scores.with_enough().map(page_score).collect()
    }

    /// Multiplies the scores of the best pages by factors for their titles and headings and for the
    /// distance of the words.
    fn compare_titles_and_positions(&self, words: &[TokenMatches], pages: &mut [PageScore]) {
        let w = &self.weights;
        let nearness = self.nearness(words, pages);
        for (page, nearness) in pages.iter_mut().zip(nearness) {
            let mut factor = 1.0 + nearness * w.near;
            let title = Overlap::new(words, &self.titles[page.page as usize]);
            factor += w.title_part * title.of_text * title.of_query;
            if title.of_query == 1.0 {
                factor += w.title_all;
                if title.of_text == 1.0 {
                    factor += w.title_exact;
                }
            }
            let number = page.section - self.sections_of(page.page).start;
            let section = self.page(page.page).sections.get(number as usize);
            if let Some(heading) = section.and_then(|section| section.headings.last()) {
                let heading = Overlap::new(words, &self.title_terms(heading));
                factor += w.heading_exact * heading.of_text * heading.of_query;
            }
            page.score *= factor;
        }
    }

    /// For each page how near to each other the words of the query are in its best section: 1 if
    /// they follow each other in the order of the query.
    fn nearness(&self, words: &[TokenMatches], pages: &[PageScore]) -> Vec<f64> {
        let mut sections: Vec<u32> = pages.iter().map(|page| page.section).collect();
        sections.sort_unstable();
        let mut positions: Vec<BTreeMap<u32, Vec<u32>>> = Vec::new();
        if words.len() > 1 {
            for word in words {
                let mut of_word: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
                for matched in word.matches.iter().take(MAX_POSITION_TERMS) {
                    self.positions(matched.term, &sections, &mut |section, position| {
                        of_word.entry(section).or_default().push(position);
                    });
                }
                of_word.values_mut().for_each(|list| list.sort_unstable());
                positions.push(of_word);
            }
        }
        let nearness = |page: &PageScore| {
            let (mut sum, mut pairs) = (0.0, 0.0);
            for pair in positions.windows(2) {
                pairs += 1.0;
                if let [a, b] = pair
                    && let (Some(a), Some(b)) = (a.get(&page.section), b.get(&page.section))
                {
                    sum += pair_nearness(a, b);
                }
            }
            if pairs == 0.0 { 0.0 } else { sum / pairs }
        };
        pages.iter().map(nearness).collect()
    }

    /// The best sections of a page; those after the first have at least half of its score.
    fn best_sections(&self, page: &PageScore, scores: &Scores) -> Vec<u32> {
        let first = self.sections_of(page.page).start;
        let sections = scores.pages.get(page.sum);
        let sections = || {
            sections
                .into_iter()
                .flat_map(|sum| scores.sections(self, sum))
        };
        let own = sections().find(|(section, _)| *section == page.section);
        let least = own.map_or(0.0, |(_, score)| score / 2.0);
        let others = sections().filter(|(section, _)| *section != page.section);
        let others = others.filter(|(_, score)| *score > 0.0 && *score >= least);
        let mut others: Vec<(u32, f64)> = others.collect();
        others.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        others.truncate(MAX_SECTIONS - 1);
        let others = others.into_iter().map(|(section, _)| section);
        let all = std::iter::once(page.section).chain(others);
        all.map(|section| section - first).collect()
    }

    /// The query with the best similar word in place of each word that no page contains. Only words
    /// of visible pages are suggested.
    pub(crate) fn correct(
        &self,
        query: &QueryTokens,
        words: &[TokenMatches],
        visible: &VisiblePages,
    ) -> Option<String> {
        let mut corrected = String::new();
        let mut end = 0;
        for word in words.iter().filter(|word| !word.corrections.is_empty()) {
            let Some(original) = word.word.and_then(|number| query.words.get(number)) else {
                continue;
            };
            let best = word.corrections.iter().copied().find(|&term| {
                let mut pages = self
                    .postings(term)
                    .map(|p| self.section_pages[p.section as usize]);
                pages.any(|page| visible.contains(page))
            })?;
            corrected.push_str(query.text.get(end..original.span.start)?);
            corrected.push_str(self.dictionary.get(best));
            end = original.span.end;
        }
        if end == 0 {
            return None;
        }
        corrected.push_str(query.text.get(end..)?);
        Some(corrected)
    }

    /// The terms to mark. Stop words are not marked beside other words.
    pub(crate) fn matched_terms(&self, words: &[TokenMatches]) -> BTreeMap<String, MatchedTerm> {
        let most = words.iter().map(|word| word.importance).fold(0.0, f64::max);
        let mut out: BTreeMap<String, MatchedTerm> = BTreeMap::new();
        for (token, word) in words.iter().enumerate() {
            if word.importance < most * MIN_MARKED_IMPORTANCE {
                continue;
            }
            for matched in &word.matches {
                let importance = word.importance * matched.weight;
                let text = self.dictionary.get(matched.term);
                if out
                    .get(text)
                    .is_none_or(|term| term.importance < importance)
                {
                    out.insert(text.to_owned(), MatchedTerm { token, importance });
                }
            }
        }
        out
    }
}

/// A query, the terms that match its words, and the scores of the pages with these.
pub(crate) struct QueryScores {
    pub(crate) parsed: QueryTokens,
    pub(crate) words: Vec<TokenMatches>,
    pub(crate) visible: VisiblePages,
    pub(crate) scores: Scores,
}

/// A page with words of the query.
pub(crate) struct PageScore {
    pub(crate) page: u32,
    /// Number of its sums in [`Scores::pages`].
    pub(crate) sum: usize,
    /// Its best section, counted over all pages.
    section: u32,
    coverage: f64,
    score: f64,
}

/// How much of a query is in a title, and how much of the title in the query.
struct Overlap {
    of_text: f64,
    of_query: f64,
}

impl Overlap {
    fn new(query: &[TokenMatches], text: &[u32]) -> Self {
        let query = query.iter().filter(|token| token.kind == TokenKind::Word);
        let has = |token: &TokenMatches, term: u32| token.matches.iter().any(|m| m.term == term);
        let in_text = |token: &&TokenMatches| text.iter().any(|&term| has(token, term));
        let in_query = |term: &&u32| query.clone().any(|token| has(token, **term));
        let share = |count: usize, all: usize| {
            let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
            count / f64::from(u32::try_from(all.max(1)).unwrap_or(u32::MAX))
        };
        Self {
            of_text: share(text.iter().filter(in_query).count(), text.len()),
            of_query: share(query.clone().filter(in_text).count(), query.clone().count()),
        }
    }
}

/// 1 if a position of `b` follows one of `a`, less with their distance, half as much in the other
/// order.
fn pair_nearness(a: &[u32], b: &[u32]) -> f64 {
    let mut best = 0.0_f64;
    for &position in a {
        let next = b.partition_point(|&other| other <= position);
        if let Some(&after) = b.get(next) {
            best = best.max(1.0 / f64::from(after - position));
        }
        if let Some(&before) = next.checked_sub(1).and_then(|i| b.get(i)) {
            best = best.max(0.5 / f64::from((position - before).max(1)));
        }
    }
    best
}
