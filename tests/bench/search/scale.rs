//! Many pages: those of the manuals several times, each copy with other terms.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::Arc;

use svc_search::{Document, Section};

use crate::engines::Engines;
use crate::hostile;
use crate::set::{Group, Set};
use crate::table;

const PAGES: usize = 25_000;
const QUERIES: usize = 2_000;
/// One of so many terms of a copy differs from the original, so that the number of different terms
/// grows as it does with text that people write.
const CHANGED_SHARE: u64 = 10;
/// Terms that are shorter are not changed.
const MIN_CHANGED_BYTES: usize = 4;

/// Measures the costs of all engines.
pub(crate) fn run(groups: &[Group], engines: &Engines) -> io::Result<()> {
    let sets: Vec<&Set> = groups.iter().flat_map(|group| &group.sets).collect();
    let originals: Vec<&Document> = sets
        .iter()
        .flat_map(|set| &set.pages)
        .map(AsRef::as_ref)
        .collect();
    let pages = (0..PAGES).zip(originals.iter().cycle());
    let pages = pages.map(|(number, page)| Arc::new(copy(page, number / originals.len().max(1))));
    let set = Set::new("scale", "en", pages.collect(), Vec::new());
    if set.pages.is_empty() {
        return Err(io::Error::other("scale: there is no manual"));
    }
    let texts: Vec<&str> = sets
        .iter()
        .flat_map(|set| &set.queries)
        .map(|query| query.text.as_str())
        .collect();
    // At equal distances, so that there are queries of all sets and slices.
    let step = (texts.len() / QUERIES).max(1);
    let texts: Vec<&str> = texts.into_iter().step_by(step).take(QUERIES).collect();
    eprintln!("scale, {} pages …", set.pages.len());
    let measurements = engines.measure(&set, &texts)?;
    let costs: Vec<_> = measurements.into_iter().map(|engine| engine.cost).collect();
    let text_bytes = set.text_bytes();
    println!("## scale\n");
    println!(
        "{} pages with {} of text; {} queries\n",
        set.pages.len(),
        table::megabytes(text_bytes),
        texts.len()
    );
    table::print_costs(&costs, &engines.names(), text_bytes);
    let queries = hostile::queries(&texts);
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    let mut costs = Vec::new();
    let mut names = Vec::new();
    for set in sets.into_iter().take(1).chain([&set]) {
        costs.push(Engines::measure_svc(set, &queries)?.cost);
        names.push(format!("hostile, {} pages", set.pages.len()));
    }
    table::print_times(&costs, &names);
    Ok(())
}

/// Returns a copy of a page with some other terms; copy 0 is the original.
fn copy(page: &Document, number: usize) -> Document {
    let changed = |text: &String| changed(text, number);
    let sections = page.sections.iter().map(|section| Section {
        id: section.id.clone(),
        headings: section.headings.iter().map(changed).collect(),
        text: changed(&section.text),
        code: changed(&section.code),
        identifiers: section.identifiers.iter().map(changed).collect(),
    });
    Document {
        path: format!("{}/{number}", page.path),
        title: changed(&page.title),
        sections: sections.collect(),
        ..page.clone()
    }
}

/// Appends letters to some of the terms, always the same in one copy.
fn changed(text: &str, copy: usize) -> String {
    if copy == 0 {
        return text.to_owned();
    }
    let suffix = u8::try_from(copy % 26).unwrap_or(0);
    let suffix = [char::from(b'a' + suffix), 'q'];
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for part in text.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        let term = part.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        out.push_str(term);
        let mut hasher = DefaultHasher::new();
        (term, copy).hash(&mut hasher);
        if term.len() >= MIN_CHANGED_BYTES && hasher.finish().is_multiple_of(CHANGED_SHARE) {
            out.extend(suffix);
        }
        out.push_str(&part[term.len()..]);
    }
    out
}
