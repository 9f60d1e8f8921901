//! Which terms and sections each shard contains.

use std::ops::Range;

use crate::expand::MIN_CORRECTION_RATIO;
use crate::index::Index;

/// Bytes of text of the terms of a shard.
const MAX_TERMS_BYTES: usize = 6_000;
/// The same for shards that are loaded together, to correct typing errors.
const MAX_SIMILAR_BYTES: usize = 48_000;
/// Terms of up to so many letters share shards. A word needs only those of similar length.
const SIMILAR_LETTERS: [usize; 4] = [7, 11, 17, usize::MAX];
/// Number of shards of postings, and of positions, if they have neither too few nor too many bytes.
const USUAL_POSTINGS: usize = 400;
const MIN_POSTINGS_BYTES: usize = 4_000;
const MAX_POSTINGS_BYTES: usize = 16_000;
/// Number of shards of texts, if they have neither too few nor too many bytes.
const USUAL_TEXTS: usize = 3_000;
const MIN_TEXTS_BYTES: usize = 4_000;
const MAX_TEXTS_BYTES: usize = 16_000;

/// The terms, stems and sections of all shards.
pub(super) struct Ranges {
    pub(super) terms: Vec<Range<u32>>,
    pub(super) similar: Vec<SimilarTerms>,
    pub(super) stems: Vec<Range<u32>>,
    pub(super) postings: Vec<Range<u32>>,
    pub(super) positions: Vec<Range<u32>>,
    pub(super) texts: Vec<Range<u32>>,
}

/// Terms of similar length that a word with a typing error may mean.
pub(super) struct SimilarTerms {
    pub(super) terms: Vec<u32>,
    /// Whether rare words are also corrected to them.
    pub(super) is_common: bool,
    pub(super) min_letters: usize,
    pub(super) max_letters: usize,
}

impl Ranges {
    pub(super) fn new(index: &Index) -> Self {
        let terms = || (0..).take(index.term_count());
        let stems = (0..).take(index.stems.len());
        let term_lens = terms().map(|term| index.dictionary.get(term).len());
        let stem_lens = stems.map(|stem| index.stems.get(stem).len());
        let postings = terms().map(|term| index.frequency(term) as usize * 2);
        let positions = terms().map(|term| index.position_bytes(term).len());
        Self {
            terms: split(term_lens, MAX_TERMS_BYTES),
            similar: split_by_length(index),
            stems: split(stem_lens, MAX_TERMS_BYTES),
            postings: split(postings.clone(), postings_bytes(postings)),
            positions: split(positions.clone(), postings_bytes(positions)),
            texts: split_pages(index),
        }
    }
}

fn split_by_length(index: &Index) -> Vec<SimilarTerms> {
    let mut groups = vec![Vec::new(); SIMILAR_LETTERS.len() * 2];
    for term in (0..).take(index.term_count()) {
        let letters = index.dictionary.get(term).chars().count();
        let group = SIMILAR_LETTERS.partition_point(|&max| max < letters);
        let is_common = index.frequency(term) >= MIN_CORRECTION_RATIO;
        groups[group * 2 + usize::from(is_common)].push(term);
    }
    let mut out = Vec::new();
    for (number, group) in groups.into_iter().enumerate() {
        let lens = group.iter().map(|&term| index.dictionary.get(term).len());
        for range in split(lens, MAX_SIMILAR_BYTES) {
            let terms = group[range.start as usize..range.end as usize].to_vec();
            let letters = terms
                .iter()
                .map(|&term| index.dictionary.get(term).chars().count());
            out.push(SimilarTerms {
                is_common: number % 2 == 1,
                min_letters: letters.clone().min().unwrap_or(0),
                max_letters: letters.max().unwrap_or(0),
                terms,
            });
        }
    }
    out
}

fn postings_bytes(sizes: impl Iterator<Item = usize>) -> usize {
    let total: usize = sizes.sum();
    (total / USUAL_POSTINGS).clamp(MIN_POSTINGS_BYTES, MAX_POSTINGS_BYTES)
}

/// Splits items of these sizes into ranges of at most `max`; items above it are alone.
fn split(sizes: impl Iterator<Item = usize>, max: usize) -> Vec<Range<u32>> {
    let mut out: Vec<Range<u32>> = Vec::new();
    let mut total = 0;
    for (item, size) in (0..).zip(sizes) {
        total += size;
        match out.last_mut() {
            Some(last) if total <= max => last.end = item + 1,
            _ => {
                out.push(item..item + 1);
                total = size;
            }
        }
    }
    out
}

/// Splits the sections. Pages are together if they fit into a shard.
fn split_pages(index: &Index) -> Vec<Range<u32>> {
    let sizes: Vec<Vec<usize>> = index
        .pages
        .iter()
        .map(|page| {
            let sections = page.sections.iter();
            sections.map(|s| s.text.len() + s.code.len()).collect()
        })
        .collect();
    let total: usize = sizes.iter().flatten().sum();
    let max = (total / USUAL_TEXTS).clamp(MIN_TEXTS_BYTES, MAX_TEXTS_BYTES);
    let mut out: Vec<Range<u32>> = Vec::new();
    let mut size = 0;
    let mut section = 0;
    for sizes in sizes {
        let page: usize = sizes.iter().sum();
        if size + page > max {
            size = max;
        }
        for own in sizes {
            size += own;
            match out.last_mut() {
                Some(last) if size <= max => last.end = section + 1,
                _ => {
                    out.push(section..section + 1);
                    size = own;
                }
            }
            section += 1;
        }
    }
    out
}
