//! The index of all pages.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use crate::analysis::{Analysis, SectionTerm, tokens};
use crate::dictionary::{Dictionary, range_of};
use crate::document::Document;
use crate::postings::{Postings, SkipPoint, read_number, skip_points, write_number};
use crate::stems::{has_stem, stemmer};
use crate::weights::Weights;

/// Class of a term without a stem.
pub(crate) const NO_CLASS: u32 = u32::MAX;
/// Positions of terms in more than one of so many sections are not stored.
const MAX_POSITIONS_SHARE: u32 = 5;
/// Positions of terms in at most so many sections are always stored.
const MIN_POSITIONS_SECTIONS: u32 = 100;

/// Pages that can be searched. The same pages in the same order result in the same index.
#[derive(Debug, Clone)]
pub struct Index {
    pub(crate) pages: Vec<Arc<Document>>,
    /// Terms of the title of each page.
    pub(crate) titles: Vec<Vec<u32>>,
    /// First section of each page, and at the end the number of sections.
    first_sections: Vec<u32>,
    /// Page of each section.
    pub(crate) section_pages: Vec<u32>,
    /// [`Document::boost`] of each page.
    pub(crate) boosts: Vec<f32>,
    pub(crate) dictionary: Dictionary,
    /// Number of sections that contain each term.
    pub(crate) frequencies: Vec<u32>,
    postings: TermLists<u8>,
    /// Places in the postings of frequent terms.
    skip_points: TermLists<SkipPoint>,
    positions: TermLists<u8>,
    /// Stems, sorted, and the terms that have them.
    pub(crate) stems: Dictionary,
    pub(crate) members: Vec<Vec<u32>>,
    /// The stem of each term, or [`NO_CLASS`].
    pub(crate) classes: Vec<u32>,
    pub(crate) weights: Weights,
}

/// A list for each term.
#[derive(Debug, Clone)]
struct TermLists<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T: Copy> TermLists<T> {
    const fn new() -> Self {
        Self {
            items: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn push(&mut self, list: &[T]) {
        self.items.extend_from_slice(list);
        self.ends
            .push(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
    }

    fn get(&self, term: u32) -> &[T] {
        self.items.get(range_of(&self.ends, term)).unwrap_or(&[])
    }

    /// Memory in bytes.
    fn memory(&self) -> usize {
        self.items.len() * size_of::<T>() + self.ends.len() * 4
    }
}

impl Index {
    /// Analyzes and indexes pages.
    pub fn new(pages: Vec<Arc<Document>>, weights: &Weights) -> Self {
        let analyses = pages.iter().map(|page| Analysis::new(page, weights));
        let analyses: Vec<Analysis> = analyses.collect();
        Self::from_analyses(pages, &analyses.iter().collect::<Vec<_>>(), weights)
    }

    /// Indexes pages that were analyzed with the same weights.
    pub fn from_analyses(
        pages: Vec<Arc<Document>>,
        analyses: &[&Analysis],
        weights: &Weights,
    ) -> Self {
        let mut lists: HashMap<&str, TermList> = HashMap::new();
        let mut first_sections = vec![0];
        let mut section_pages = Vec::new();
        let mut section = 0;
        for (page, analysis) in (0..).zip(analyses) {
            for terms in analysis.sections() {
                for term in terms {
                    let list = lists.entry(term.text);
                    list.or_insert_with(|| TermList::new(page))
                        .push(section, &term);
                }
                section_pages.push(page);
                section += 1;
            }
            first_sections.push(section);
        }
        let mut terms: Vec<(&str, TermList)> = lists.into_iter().collect();
        terms.sort_unstable_by_key(|(text, _)| *text);
        let mut index = Self {
            titles: Vec::new(),
            boosts: pages.iter().map(|page| page.boost).collect(),
            pages,
            first_sections,
            section_pages,
            dictionary: Dictionary::default(),
            frequencies: terms.iter().map(|(_, list)| list.count).collect(),
            postings: TermLists::new(),
            skip_points: TermLists::new(),
            positions: TermLists::new(),
            stems: Dictionary::default(),
            members: Vec::new(),
            classes: vec![NO_CLASS; terms.len()],
            weights: *weights,
        };
        let max_sections = (section / MAX_POSITIONS_SHARE).max(MIN_POSITIONS_SECTIONS);
        for (text, list) in &terms {
            index.dictionary.push(text);
            index.postings.push(&list.postings);
            index.skip_points.push(&skip_points(&list.postings));
            let is_common = list.count > max_sections;
            index
                .positions
                .push(if is_common { &[] } else { &list.positions });
        }
        let titles = analyses
            .iter()
            .map(|analysis| index.terms_of(&analysis.title));
        index.titles = titles.collect();
        index.add_stems(&terms);
        index
    }

    fn add_stems(&mut self, terms: &[(&str, TermList)]) {
        let mut stemmers = HashMap::new();
        let mut stems: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (number, (text, list)) in (0..).zip(terms) {
            let page = self.pages.get(list.page as usize);
            let language = page.and_then(|page| page.language.as_deref());
            let stemmer = stemmers
                .entry(language)
                .or_insert_with(|| stemmer(language));
            if let Some(stemmer) = stemmer.as_ref().filter(|_| has_stem(text)) {
                let stem = stemmer.stem(text).into_owned();
                stems.entry(stem).or_default().push(number);
            }
        }
        for (class, (stem, members)) in (0..).zip(stems) {
            self.stems.push(&stem);
            for &member in &members {
                self.classes[member as usize] = class;
            }
            self.members.push(members);
        }
    }

    /// Returns the terms of a title or heading.
    pub(crate) fn title_terms(&self, title: &str) -> Vec<u32> {
        self.terms_of(&tokens(title))
    }

    fn terms_of(&self, tokens: &[String]) -> Vec<u32> {
        let terms = tokens.iter();
        terms
            .filter_map(|token| self.dictionary.find(token))
            .collect()
    }

    /// Returns a page by its number.
    ///
    /// # Panics
    /// If the index has no such page. Numbers in [`Results`](crate::Results) of this index exist.
    pub fn page(&self, page: u32) -> &Document {
        &self.pages[page as usize]
    }

    /// Returns all pages in their order.
    pub fn pages(&self) -> &[Arc<Document>] {
        &self.pages
    }

    /// Returns the number of pages.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns the number of sections.
    pub fn section_count(&self) -> usize {
        self.section_pages.len()
    }

    /// Returns the number of terms.
    pub fn term_count(&self) -> usize {
        self.dictionary.len()
    }

    /// Returns the approximate memory that the index needs beside its pages, in bytes.
    pub fn memory(&self) -> usize {
        let numbers = self.first_sections.len() + self.section_pages.len() + self.classes.len();
        let numbers = numbers + self.boosts.len() + self.frequencies.len();
        let members: usize = self.members.iter().map(|list| list.len() * 4 + 24).sum();
        let titles: usize = self.titles.iter().map(|title| title.len() * 4 + 24).sum();
        self.postings.memory()
            + self.skip_points.memory()
            + self.positions.memory()
            + self.dictionary.memory()
            + self.stems.memory()
            + members
            + numbers * 4
            + titles
    }

    /// Returns the sections of a page, counted over all pages.
    pub(crate) fn sections_of(&self, page: u32) -> Range<u32> {
        let section = |page: usize| self.first_sections.get(page).copied().unwrap_or(0);
        section(page as usize)..section(page as usize + 1)
    }

    /// Number of sections that contain a term.
    pub(crate) fn frequency(&self, term: u32) -> u32 {
        self.frequencies.get(term as usize).copied().unwrap_or(0)
    }

    pub(crate) fn postings(&self, term: u32) -> Postings<'_> {
        Postings::new(self.postings.get(term), self.skip_points.get(term))
    }

    /// Whether the positions of a term are stored.
    pub(crate) fn has_positions(&self, term: u32) -> bool {
        !self.positions.get(term).is_empty()
    }

    /// The positions of a term: for each posting the length of their bytes, and their differences.
    pub(crate) fn position_bytes(&self, term: u32) -> &[u8] {
        self.positions.get(term)
    }

    /// Calls `visit` with each position of a term in `sections`, which are sorted.
    pub(crate) fn positions(&self, term: u32, sections: &[u32], visit: &mut impl FnMut(u32, u32)) {
        let bytes = self.positions.get(term);
        if bytes.is_empty() {
            return;
        }
        let mut at = 0;
        let mut wanted = sections.iter().copied().peekable();
        for posting in self.postings(term) {
            while wanted
                .next_if(|&section| section < posting.section)
                .is_some()
            {}
            let Some(&next) = wanted.peek() else {
                return;
            };
            let len = read_number(bytes, &mut at);
            let end = at.saturating_add(len as usize);
            if next == posting.section {
                let mut position = 0;
                while at < end {
                    position += read_number(bytes, &mut at);
                    visit(next, position);
                }
            }
            at = end;
        }
    }
}

/// The sections of a term while the index is built.
struct TermList {
    /// Page of the first section.
    page: u32,
    count: u32,
    last: u32,
    postings: Vec<u8>,
    positions: Vec<u8>,
}

impl TermList {
    const fn new(page: u32) -> Self {
        Self {
            page,
            count: 0,
            last: 0,
            postings: Vec::new(),
            positions: Vec::new(),
        }
    }

    fn push(&mut self, section: u32, term: &SectionTerm<'_>) {
        write_number(&mut self.postings, section - self.last);
        self.postings.push(term.impact);
        self.last = section;
        self.count += 1;
        let len = u32::try_from(term.positions.len()).unwrap_or(u32::MAX);
        write_number(&mut self.positions, len);
        self.positions.extend_from_slice(term.positions);
    }
}
