//! Shards about ranges of terms.

use std::ops::Range;

use super::bytes::{write_gaps, write_len, write_numbers, write_signed, write_sorted};
use crate::index::{Index, NO_CLASS};
use crate::postings::write_number;

/// Texts, frequencies, and the classes with several members.
pub(super) fn terms(index: &Index, terms: Range<u32>) -> Vec<u8> {
    let mut out = Vec::new();
    write_sorted(
        &mut out,
        terms.clone().map(|term| index.dictionary.get(term)),
    );
    write_numbers(&mut out, terms.clone().map(|term| index.frequency(term)));
    let first = terms.start;
    let mut classes: Vec<u32> = terms
        .filter_map(|term| index.classes.get(term as usize).copied())
        .filter(|&class| class != NO_CLASS)
        .collect();
    classes.sort_unstable();
    classes.dedup();
    let members = classes
        .iter()
        .filter_map(|&class| index.members.get(class as usize));
    let members: Vec<&Vec<u32>> = members.filter(|members| members.len() > 1).collect();
    write_len(&mut out, members.len());
    for members in &members {
        write_len(&mut out, members.len());
    }
    let mut last = i64::from(first);
    for &member in members.into_iter().flatten() {
        write_signed(&mut out, i64::from(member) - last);
        last = i64::from(member);
    }
    out
}

/// Numbers, texts and frequencies of terms that may correct words.
pub(super) fn similar(index: &Index, terms: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    write_sorted(
        &mut out,
        terms.iter().map(|&term| index.dictionary.get(term)),
    );
    write_gaps(&mut out, terms.iter().copied());
    write_numbers(&mut out, terms.iter().map(|&term| index.frequency(term)));
    out
}

/// Stems with one of their terms, from which the others follow.
pub(super) fn stems(index: &Index, stems: Range<u32>) -> Vec<u8> {
    let mut out = Vec::new();
    write_sorted(&mut out, stems.clone().map(|stem| index.stems.get(stem)));
    let mut last = 0;
    for stem in stems {
        let members = index.members.get(stem as usize);
        let term = i64::from(members.and_then(|list| list.first()).copied().unwrap_or(0));
        write_signed(&mut out, term - last);
        last = term;
    }
    out
}

/// Numbers of sections and their impacts.
pub(super) fn postings(index: &Index, terms: Range<u32>) -> Vec<u8> {
    let mut out = Vec::new();
    write_len(&mut out, terms.len());
    write_numbers(&mut out, terms.clone().map(|term| index.frequency(term)));
    for term in terms.clone() {
        write_gaps(
            &mut out,
            index.postings(term).map(|posting| posting.section),
        );
    }
    out.extend(terms.flat_map(|term| index.postings(term).map(|posting| posting.impact)));
    out
}

/// Positions in each section of the postings.
pub(super) fn positions(index: &Index, terms: Range<u32>) -> Vec<u8> {
    let mut out = Vec::new();
    write_len(&mut out, terms.len());
    for term in terms.clone() {
        write_len(&mut out, index.position_bytes(term).len());
    }
    for term in terms {
        out.extend_from_slice(index.position_bytes(term));
    }
    out
}

/// The occurrences of each term in titles of pages and own headings of sections, so that these can
/// be compared with a query without loading them.
pub(super) struct Titles {
    /// For each term the number of the page and of the words of its title.
    of_pages: Vec<Vec<(u32, u32)>>,
    /// The same for sections.
    of_sections: Vec<Vec<(u32, u32)>>,
}

impl Titles {
    pub(super) fn new(index: &Index) -> Self {
        let mut out = Self {
            of_pages: vec![Vec::new(); index.term_count()],
            of_sections: vec![Vec::new(); index.term_count()],
        };
        let add = |lists: &mut Vec<Vec<(u32, u32)>>, item: u32, title: &[u32]| {
            let length = u32::try_from(title.len()).unwrap_or(u32::MAX);
            for &term in title {
                lists[term as usize].push((item, length));
            }
        };
        for ((page, document), title) in (0..).zip(&index.pages).zip(&index.titles) {
            add(&mut out.of_pages, page, title);
            for (section, part) in index.sections_of(page).zip(document.sections.iter()) {
                if let Some(heading) = part.headings.last() {
                    add(&mut out.of_sections, section, &index.title_terms(heading));
                }
            }
        }
        out
    }

    pub(super) fn bytes(&self, terms: Range<u32>) -> Vec<u8> {
        let mut out = Vec::new();
        write_len(&mut out, terms.len());
        for lists in [&self.of_pages, &self.of_sections] {
            let lists = &lists[terms.start as usize..terms.end as usize];
            for list in lists {
                write_len(&mut out, list.len());
            }
            for list in lists {
                write_gaps(&mut out, list.iter().map(|(item, _)| *item));
            }
            for (_, length) in lists.iter().flatten() {
                write_number(&mut out, *length);
            }
        }
        out
    }
}
