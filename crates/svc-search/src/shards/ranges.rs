//! Which terms and sections each shard contains.

use std::ops::Range;

use crate::expand::MIN_CORRECTION_RATIO;
use crate::index::Index;

/// Bytes of text of the terms of a shard.
const MAX_TERMS_BYTES: usize = 8_000;
/// Bytes of the postings of a shard.
const MAX_POSTINGS_BYTES: usize = 6_000;
/// Bytes of the positions of a shard.
const MAX_POSITIONS_BYTES: usize = 6_000;
/// Number of shards of texts, if they have neither too few nor too many bytes.
const USUAL_TEXTS: usize = 3_000;
const MIN_TEXTS_BYTES: usize = 4_000;
const MAX_TEXTS_BYTES: usize = 16_000;

/// The terms, stems and sections of all shards.
pub(super) struct Ranges {
    pub(super) terms: Vec<Range<u32>>,
    /// Terms that may correct a rare word.
    pub(super) common: Vec<Vec<u32>>,
    pub(super) stems: Vec<Range<u32>>,
    pub(super) titles: Vec<Range<u32>>,
    pub(super) postings: Vec<Range<u32>>,
    pub(super) positions: Vec<Range<u32>>,
    pub(super) texts: Vec<Range<u32>>,
}

impl Ranges {
    pub(super) fn new(index: &Index) -> Self {
        let count = index.term_count();
        let terms = || (0..).take(count);
        let stems = (0..).take(index.stems.len());
        let common: Vec<u32> = terms()
            .filter(|&term| index.frequency(term) >= MIN_CORRECTION_RATIO)
            .collect();
        let common_len = |range: &Range<u32>| {
            let range = range.start as usize..range.end as usize;
            common[range].to_vec()
        };
        let text_len = |term: u32| index.dictionary.get(term).len();
        let of_terms = split(terms().map(text_len), MAX_TERMS_BYTES);
        Self {
            common: split(
                common.iter().map(|&term| text_len(term)),
                MAX_TERMS_BYTES * 2,
            )
            .iter()
            .map(common_len)
            .collect(),
            stems: split(
                stems.map(|stem| index.stems.get(stem).len()),
                MAX_TERMS_BYTES,
            ),
            titles: of_terms.clone(),
            terms: of_terms,
            postings: split(
                terms().map(|term| index.frequency(term) as usize * 2),
                MAX_POSTINGS_BYTES,
            ),
            positions: split(
                terms().map(|term| index.position_bytes(term).len()),
                MAX_POSITIONS_BYTES,
            ),
            texts: split_pages(index),
        }
    }
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
