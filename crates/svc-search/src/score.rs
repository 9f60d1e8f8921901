//! Scores of sections and pages for the words of a query.

use std::mem::take;
use std::ops::Range;

use crate::expand::TokenMatches;
use crate::index::Index;
use crate::postings::{Posting, Postings};
use crate::visibility::VisiblePages;

/// Number of sections that are scored together, so that their scores stay in the cache of the
/// processor. A page is never divided.
const MAX_BLOCK_SECTIONS: u32 = 2_048;
/// Minimum share of the words, by importance and of those of the page with most, that a page must
/// contain. The second value applies if fewer than [`MIN_PAGES`] pages have so many.
const MIN_COVERAGE: [f64; 2] = [0.75, 0.3];
/// Number of pages with many of the words that are enough.
const MIN_PAGES: usize = 30;
/// Sums in different orders differ by less than this factor.
const ROUNDING: f64 = 1.0 + 1e-9;

/// Scores of a query.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    /// The visible pages with enough words of the query, and some others, in the order of the index.
    pub(crate) pages: Vec<PageSum>,
    /// The greatest [`PageSum::found`].
    most: f64,
    /// Minimum share of it that pages must have.
    min_coverage: f64,
    /// The sum over all words for each section of these pages.
    sections: Vec<f64>,
}

/// Sums over the words of a query.
#[derive(Debug)]
pub(crate) struct PageSum {
    pub(crate) page: u32,
    /// Sum of the score of the best section for each word.
    pub(crate) score: f64,
    /// Sum of the importance of the words that the page contains.
    pub(crate) found: f64,
    /// The section with the greatest sum over all words, counted over all pages, and its sum.
    pub(crate) best: (u32, f64),
    /// The first of its sections in [`Scores::sections`].
    first: usize,
}

impl Scores {
    /// Whether a page has enough words.
    fn is_enough(&self, found: f64) -> bool {
        found >= self.most * self.min_coverage
    }

    /// What a page must have of more important words to have enough with this word and the others.
    fn missing(&self, word: &TokenCursor<'_>) -> f64 {
        self.most * self.min_coverage - word.rest * ROUNDING
    }

    /// The pages with enough words, and their numbers in [`Self::pages`].
    pub(crate) fn with_enough(&self) -> impl Iterator<Item = (usize, &PageSum)> {
        let pages = self.pages.iter().enumerate();
        pages.filter(|(_, page)| self.is_enough(page.found))
    }

    /// The sections of a page, with their scores; 0 without words of the query.
    pub(crate) fn sections(
        &self,
        index: &Index,
        page: &PageSum,
    ) -> impl Iterator<Item = (u32, f64)> {
        let scores = self.sections.get(page.first..).unwrap_or(&[]);
        index.sections_of(page.page).zip(scores.iter().copied())
    }
}

/// The postings of a term and the factor for their impacts.
struct TermCursor<'i> {
    postings: Postings<'i>,
    next: Option<Posting>,
    factor: f64,
}

impl TermCursor<'_> {
    /// Skips the sections before `first`.
    #[inline]
    fn skip_to(&mut self, first: u32) {
        if self.next.is_none_or(|next| next.section >= first) {
            return;
        }
        self.postings.skip_towards(first);
        self.next = self.postings.next();
        while self.next.is_some_and(|next| next.section < first) {
            self.next = self.postings.next();
        }
    }
}

/// The terms of a word, and how much the word counts.
struct TokenCursor<'i> {
    importance: f64,
    /// Sum of the importance of this word and of those that are less important.
    rest: f64,
    terms: Vec<TermCursor<'i>>,
}

impl Index {
    /// Scores visible sections. `is_allowed` restricts them further. If there are enough pages with
    /// almost all words, others are not found.
    pub(crate) fn score(
        &self,
        words: &[TokenMatches],
        visible: &VisiblePages,
        is_allowed: impl Fn(u32) -> bool,
    ) -> Scores {
        let [min_coverage, less] = MIN_COVERAGE;
        let scores = self.score_pages(words, visible, &is_allowed, min_coverage);
        if scores.with_enough().nth(MIN_PAGES - 1).is_some() {
            return scores;
        }
        self.score_pages(words, visible, &is_allowed, less)
    }

    /// The most important word comes first. Once a page has so many words that a page with the
    /// others alone would not have enough, the others count only on pages with the words before.
    fn score_pages(
        &self,
        words: &[TokenMatches],
        visible: &VisiblePages,
        is_allowed: impl Fn(u32) -> bool,
        min_coverage: f64,
    ) -> Scores {
        let mut cursors = self.cursors(words);
        let mut scores = Scores {
            min_coverage,
            ..Scores::default()
        };
        let mut block = Block::default();
        while let Some(section) = next_section(&cursors, &scores) {
            let Some(&first) = self.section_pages.get(section as usize) else {
                break;
            };
            block.start(self.block(first));
            for word in &mut cursors {
                block.select_ranges(self, scores.missing(word));
                let most = block.add_token(word, |section| {
                    let page = self.section_pages[section as usize];
                    (visible.contains(page) && is_allowed(section)).then_some(page)
                });
                scores.most = scores.most.max(most);
            }
            block.finish(self, &mut scores);
        }
        scores
    }

    fn cursors(&self, words: &[TokenMatches]) -> Vec<TokenCursor<'_>> {
        let mut words: Vec<&TokenMatches> = words.iter().collect();
        words.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        let rest = |at: usize| words.iter().skip(at).map(|word| word.importance).sum();
        let cursor = |(at, word): (usize, &&TokenMatches)| TokenCursor {
            importance: word.importance,
            rest: rest(at),
            terms: word
                .matches
                .iter()
                .map(|matched| {
                    let mut postings = self.postings(matched.term);
                    TermCursor {
                        next: postings.next(),
                        postings,
                        factor: matched.weight * word.importance / 255.0,
                    }
                })
                .collect(),
        };
        words.iter().enumerate().map(cursor).collect()
    }

    /// The pages of the block that begins with a page, and their sections.
    fn block(&self, first: u32) -> (Range<u32>, Range<u32>) {
        let start = self.sections_of(first).start;
        let limit = start.saturating_add(MAX_BLOCK_SECTIONS);
        // The page of the first section after the limit belongs to the next block.
        let end = self.section_pages.get(limit as usize).copied();
        let end = end.map_or_else(|| to_number(self.page_count()), |page| page.max(first + 1));
        (first..end, start..self.sections_of(end - 1).end)
    }
}

/// The next section with an essential word.
fn next_section(words: &[TokenCursor<'_>], scores: &Scores) -> Option<u32> {
    let essential = words.iter().filter(|word| scores.missing(word) <= 0.0);
    let next = essential.flat_map(|word| &word.terms);
    let next = next.filter_map(|term| term.next);
    next.map(|posting| posting.section).min()
}

fn to_number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Scores of adjacent pages. All lists are reused by the next block, and are 0 between blocks.
#[derive(Default)]
struct Block {
    pages: Range<u32>,
    sections: Range<u32>,
    /// Sum over all words for each section.
    section_sums: Vec<f64>,
    /// Sum over all words of the score of the best section for each page.
    page_sums: Vec<f64>,
    /// Importance of the words of each page.
    found: Vec<f64>,
    /// The best scores for one word, and where they are not 0.
    section_best: Vec<f64>,
    page_best: Vec<f64>,
    touched_sections: Vec<u32>,
    touched_pages: Vec<u32>,
    /// Sections of the pages that may still have enough words.
    ranges: Vec<Range<u32>>,
}

impl Block {
    fn start(&mut self, (pages, sections): (Range<u32>, Range<u32>)) {
        for sums in [&mut self.section_sums, &mut self.section_best] {
            sums.resize(sums.len().max(sections.len()), 0.0);
        }
        for sums in [&mut self.page_sums, &mut self.page_best, &mut self.found] {
            sums.resize(sums.len().max(pages.len()), 0.0);
        }
        self.pages = pages;
        self.sections = sections;
    }

    /// Selects the pages that have so much of the words before.
    fn select_ranges(&mut self, index: &Index, missing: f64) {
        self.ranges.clear();
        if missing <= 0.0 {
            self.ranges.push(self.sections.clone());
            return;
        }
        let found = self.pages.clone().zip(&self.found);
        for (page, _) in found.filter(|(_, found)| **found >= missing) {
            let sections = index.sections_of(page);
            match self.ranges.last_mut() {
                Some(last) if last.end == sections.start => last.end = sections.end,
                _ => self.ranges.push(sections),
            }
        }
    }

    /// Adds the postings of a word in the selected pages. `page_of` returns the page of a section
    /// that may be found. Returns the greatest importance of the words of a page with this word.
    fn add_token(
        &mut self,
        word: &mut TokenCursor<'_>,
        page_of: impl Fn(u32) -> Option<u32>,
    ) -> f64 {
        let first_section = self.sections.start;
        let is_single = word.terms.len() == 1;
        let mut touched = take(&mut self.touched_sections);
        let ranges = take(&mut self.ranges);
        for term in &mut word.terms {
            for range in &ranges {
                term.skip_to(range.start);
                while let Some(posting) = term.next.filter(|posting| posting.section < range.end) {
                    term.next = term.postings.next();
                    let score = f64::from(posting.impact) * term.factor;
                    if is_single {
                        self.add_section(posting.section, score, &page_of);
                        continue;
                    }
                    let best = &mut self.section_best[(posting.section - first_section) as usize];
                    if *best == 0.0 {
                        touched.push(posting.section);
                    }
                    *best = best.max(score);
                }
            }
        }
        self.ranges = ranges;
        for section in touched.drain(..) {
            let score = take(&mut self.section_best[(section - first_section) as usize]);
            self.add_section(section, score, &page_of);
        }
        self.touched_sections = touched;
        let mut most = 0.0_f64;
        for page in self.touched_pages.drain(..) {
            let page = page as usize;
            self.page_sums[page] += take(&mut self.page_best[page]);
            self.found[page] += word.importance;
            most = most.max(self.found[page]);
        }
        most
    }

    /// Adds the score of a section for a word.
    #[inline]
    fn add_section(&mut self, section: u32, score: f64, page_of: impl Fn(u32) -> Option<u32>) {
        let Some(page) = page_of(section) else {
            return;
        };
        let page = page - self.pages.start;
        self.section_sums[(section - self.sections.start) as usize] += score;
        let best = &mut self.page_best[page as usize];
        if *best == 0.0 {
            self.touched_pages.push(page);
        }
        *best = best.max(score);
    }

    /// Appends the pages that may have enough words.
    fn finish(&mut self, index: &Index, scores: &mut Scores) {
        let sums = self.found.iter_mut().zip(&mut self.page_sums);
        for (page, (found, score)) in self.pages.clone().zip(sums) {
            let (found, score) = (take(found), take(score));
            if found == 0.0 {
                continue;
            }
            let sections = index.sections_of(page);
            let at = |section: u32| (section - self.sections.start) as usize;
            let sums = &mut self.section_sums[at(sections.start)..at(sections.end)];
            if scores.is_enough(found) {
                let first = (sections.start, 0.0);
                let sums_of = sections.zip(sums.iter().copied());
                scores.pages.push(PageSum {
                    page,
                    score,
                    found,
                    best: sums_of.fold(
                        first,
                        |best, next| if next.1 > best.1 { next } else { best },
                    ),
                    first: scores.sections.len(),
                });
                scores.sections.extend_from_slice(sums);
            }
            sums.fill(0.0);
        }
    }
}
