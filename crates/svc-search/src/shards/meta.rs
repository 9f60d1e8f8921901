//! The shard that is loaded first: what all searches need.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::bytes::{write_gaps, write_len, write_numbers, write_texts};
use super::ranges::Ranges;
use crate::expand::MIN_CORRECTION_RATIO;
use crate::index::Index;
use crate::stopwords::STOPWORDS;

pub(super) fn meta(index: &Index, ranges: &Ranges) -> Vec<u8> {
    let mut out = Vec::new();
    write_weights(&mut out, index);
    write_texts(&mut out, STOPWORDS.iter().copied());
    write_len(&mut out, MIN_CORRECTION_RATIO as usize);
    for terms in [
        &ranges.terms,
        &ranges.postings,
        &ranges.positions,
        &ranges.texts,
    ] {
        write_starts(&mut out, terms);
    }
    let first_terms = ranges
        .terms
        .iter()
        .map(|terms| index.dictionary.get(terms.start));
    write_texts(&mut out, first_terms);
    let first_stems = ranges
        .stems
        .iter()
        .map(|stems| index.stems.get(stems.start));
    write_texts(&mut out, first_stems);
    write_len(&mut out, ranges.similar.len());
    for similar in &ranges.similar {
        write_len(&mut out, usize::from(similar.is_common));
        write_len(&mut out, similar.min_letters);
        write_len(&mut out, similar.max_letters);
    }
    write_pages(&mut out, index);
    out
}

/// The weights that a search needs; the others are part of the impacts.
fn write_weights(out: &mut Vec<u8>, index: &Index) {
    let w = &index.weights;
    let weights = [
        ("stem", w.stem),
        ("stem_of_unknown", w.stem_of_unknown),
        ("prefix", w.prefix),
        ("prefix_of_word", w.prefix_of_word),
        ("edit", w.edit),
        ("edit_of_word", w.edit_of_word),
        ("edit_prefix", w.edit_prefix),
        ("joined", w.joined),
        ("compound_word", w.compound_word),
        ("compound_parts", w.compound_parts),
        ("compound_parts_similar", w.compound_parts_similar),
        ("stopword", w.stopword),
        ("page", w.page),
        ("title_part", w.title_part),
        ("title_all", w.title_all),
        ("title_exact", w.title_exact),
        ("heading_exact", w.heading_exact),
        ("near", w.near),
    ];
    write_texts(out, weights.iter().map(|(name, _)| *name));
    for (_, weight) in weights {
        out.extend_from_slice(&weight.to_le_bytes());
    }
}

fn write_starts(out: &mut Vec<u8>, ranges: &[Range<u32>]) {
    write_len(out, ranges.len());
    write_gaps(out, ranges.iter().map(|range| range.start));
}

/// The number of sections, the boost and the facets of each page. Many pages have the same facets.
fn write_pages(out: &mut Vec<u8>, index: &Index) {
    let pages = &index.pages;
    write_len(out, pages.len());
    for (page, _) in (0..).zip(pages) {
        write_len(out, index.sections_of(page).len());
    }
    for page in pages {
        out.extend_from_slice(&page.boost.to_le_bytes());
    }
    let facets: BTreeSet<&(String, String)> = pages.iter().flat_map(|page| &page.facets).collect();
    let names = facets.iter().map(|(name, _)| name.as_str());
    write_texts(out, names);
    let values = facets.iter().map(|(_, value)| value.as_str());
    write_texts(out, values);
    let numbers: BTreeMap<&(String, String), u32> = facets.into_iter().zip(0..).collect();
    let sets = pages.iter().map(|page| {
        let numbers = page.facets.iter().filter_map(|facet| numbers.get(facet));
        numbers.copied().collect::<BTreeSet<u32>>()
    });
    let sets: Vec<BTreeSet<u32>> = sets.collect();
    let distinct: BTreeSet<&BTreeSet<u32>> = sets.iter().collect();
    write_len(out, distinct.len());
    for set in &distinct {
        write_len(out, set.len());
        write_gaps(out, set.iter().copied());
    }
    let numbers: BTreeMap<&BTreeSet<u32>, u32> = distinct.into_iter().zip(0..).collect();
    write_numbers(out, sets.iter().filter_map(|set| numbers.get(set).copied()));
}
