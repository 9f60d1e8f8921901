//! Shards of the texts of sections, for results.

use std::ops::Range;

use super::bytes::{write_len, write_texts};
use crate::index::Index;

/// Paths and titles of the pages of `sections`, and the contents of these.
pub(super) fn texts(index: &Index, sections: Range<u32>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut strings: Vec<&str> = Vec::new();
    let mut last = None;
    write_len(&mut out, sections.len());
    for section in sections {
        let page = index.section_pages[section as usize];
        let document = index.page(page);
        if last != Some(page) {
            last = Some(page);
            strings.extend([document.path.as_str(), &document.title]);
        }
        let number = section - index.sections_of(page).start;
        let Some(part) = document.sections.get(number as usize) else {
            continue;
        };
        write_len(&mut out, part.headings.len());
        strings.push(&part.id);
        strings.extend(part.headings.iter().map(String::as_str));
        strings.extend([part.text.as_str(), &part.code]);
    }
    write_texts(&mut out, strings);
    out
}
