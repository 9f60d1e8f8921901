//! Finds and ranks pages.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis;
use crate::expand::TokenMatches;
use crate::index::Index;
use crate::query::{Query, QueryToken, QueryTokens};
use crate::results::{Hit, Results};
use crate::score::Scores;
use crate::visibility::VisiblePages;

/// Number of pages whose titles and positions are compared with the query.
const MAX_CANDIDATES: usize = 100;
/// Maximum number of sections of a page in the results.
const MAX_SECTIONS: usize = 3;
/// Number of terms of a word whose positions are compared.
const MAX_POSITION_TERMS: usize = 8;
/// Minimum share of the words, by importance and of those of the page with most, that a page must
/// contain.
const MIN_COVERAGE: f64 = 0.3;

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
    ///     let sections = vec![section];
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
        let parsed = QueryTokens::new(query.text);
        let words = self.match_tokens(&parsed);
        if words.iter().all(|word| word.matches.is_empty()) {
            return Results::default();
        }
        let visible = VisiblePages::new(self, query);
        let phrases = self.sections_with_phrases(&parsed);
        let is_allowed = |section| {
            phrases
                .as_ref()
                .is_none_or(|sections| sections.contains(&section))
        };
        let scores = self.score(&words, &visible, is_allowed);
        let mut hits = self.page_hits(&scores, &words);
        let order = |a: &Hit, b: &Hit| b.score.total_cmp(&a.score).then(a.page.cmp(&b.page));
        let candidates = hits.len().min(MAX_CANDIDATES);
        if candidates < hits.len() {
            hits.select_nth_unstable_by(candidates, order);
        }
        let end = query.offset.saturating_add(query.limit);
        let (first, rest) = hits.split_at_mut(candidates);
        self.compare_titles_and_positions(&parsed, &words, first);
        first.sort_unstable_by(order);
        if end > candidates {
            rest.sort_unstable_by(order);
        }
        let total = hits.len();
        hits.truncate(end);
        hits.drain(..query.offset.min(hits.len()));
        for hit in &mut hits {
            hit.sections = self.best_sections(hit, &scores);
        }
        Results {
            correction: self.correct(&parsed, &words, &visible),
            terms: self.matched_terms(&words),
            hits,
            total,
        }
    }

    /// The pages with enough of the words, each with its best section.
    fn page_hits(&self, scores: &Scores, words: &[TokenMatches]) -> Vec<Hit> {
        let total: f64 = words.iter().map(|word| word.importance).sum();
        let most = scores.found.iter().copied().fold(0.0, f64::max);
        let share = self.weights.page;
        let mut hits = Vec::new();
        for ((number, page), &found) in (0..).zip(&self.pages).zip(&scores.found) {
            if found == 0.0 || found < most * MIN_COVERAGE {
                continue;
            }
            let sections = self.sections_of(number);
            let first = sections.start;
            let mut best = (first, 0.0);
            for section in sections {
                let score = scores.sections[section as usize];
                if score > best.1 {
                    best = (section, score);
                }
            }
            let coverage = found / total;
            let score = scores.pages[number as usize] * share + best.1 * (1.0 - share);
            hits.push(Hit {
                page: number,
                sections: vec![best.0 - first],
                score: score * coverage * coverage * f64::from(page.boost),
            });
        }
        hits
    }

    /// Multiplies the scores of the best pages by factors for their titles and headings and for the
    /// distance of the words.
    fn compare_titles_and_positions(
        &self,
        query: &QueryTokens,
        words: &[TokenMatches],
        hits: &mut [Hit],
    ) {
        let w = &self.weights;
        let nearness = self.nearness(words, hits);
        for (hit, nearness) in hits.iter_mut().zip(nearness) {
            let mut factor = 1.0 + nearness * w.near;
            let title = Overlap::new(&query.words, &self.titles[hit.page as usize]);
            factor += w.title_part * title.of_text * title.of_query;
            if title.of_query == 1.0 {
                factor += w.title_all;
                if title.of_text == 1.0 {
                    factor += w.title_exact;
                }
            }
            let heading = hit.sections.first().and_then(|section| {
                let section = self.page(hit.page).sections.get(*section as usize)?;
                section.headings.last()
            });
            if let Some(heading) = heading {
                let heading = Overlap::new(&query.words, &analysis::tokens(heading));
                factor += w.heading_exact * heading.of_text * heading.of_query;
            }
            hit.score *= factor;
        }
    }

    /// For each hit how near to each other the words of the query are in its best section: 1 if
    /// they follow each other in the order of the query.
    fn nearness(&self, words: &[TokenMatches], hits: &[Hit]) -> Vec<f64> {
        let section = |hit: &Hit| {
            let first = self.sections_of(hit.page).start;
            first + hit.sections.first().copied().unwrap_or(0)
        };
        let mut sections: Vec<u32> = hits.iter().map(section).collect();
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
        let nearness = |hit: &Hit| {
            let (mut sum, mut pairs) = (0.0, 0.0);
            for pair in positions.windows(2) {
                pairs += 1.0;
                if let [a, b] = pair
                    && let (Some(a), Some(b)) = (a.get(&section(hit)), b.get(&section(hit)))
                {
                    sum += pair_nearness(a, b);
                }
            }
            if pairs == 0.0 { 0.0 } else { sum / pairs }
        };
        hits.iter().map(nearness).collect()
    }

    /// The best sections of a page; those after the first have at least half of its score.
    fn best_sections(&self, hit: &Hit, scores: &Scores) -> Vec<u32> {
        let sections = self.sections_of(hit.page);
        let first = sections.start;
        let mut scored: Vec<(f64, u32)> = sections
            .map(|section| (scores.sections[section as usize], section - first))
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let least = scored.first().map_or(0.0, |(score, _)| score / 2.0);
        let mut best: Vec<u32> = scored
            .into_iter()
            .take_while(|(score, _)| *score > 0.0 && *score >= least)
            .map(|(_, section)| section)
            .take(MAX_SECTIONS)
            .collect();
        if best.is_empty() {
            best.push(0);
        }
        best
    }

    /// The query with the best similar word in place of each word that no page contains. Only words
    /// of visible pages are suggested.
    fn correct(
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

    fn matched_terms(&self, words: &[TokenMatches]) -> BTreeSet<String> {
        let matches = words.iter().flat_map(|word| &word.matches);
        matches
            .map(|matched| self.dictionary.get(matched.term).to_owned())
            .collect()
    }
}

/// How much of a query is in a title, and how much of the title in the query.
struct Overlap {
    of_text: f64,
    of_query: f64,
}

impl Overlap {
    fn new(query: &[QueryToken], text: &[String]) -> Self {
        let is_match = |word: &QueryToken, own: &String| {
            *own == word.text
                || word.is_open && own.starts_with(&word.text)
                || is_inflection(own, &word.text)
        };
        let in_text = |word: &&QueryToken| text.iter().any(|own| is_match(word, own));
        let in_query = |own: &&String| query.iter().any(|word| is_match(word, own));
        let share = |count: usize, all: usize| {
            let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
            count / f64::from(u32::try_from(all.max(1)).unwrap_or(u32::MAX))
        };
        Self {
            of_text: share(text.iter().filter(in_query).count(), text.len()),
            of_query: share(query.iter().filter(in_text).count(), query.len()),
        }
    }
}

/// Whether two words differ only in a few last letters.
fn is_inflection(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.len() >= 4 && long.len() - short.len() <= 3 && long.starts_with(short)
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
