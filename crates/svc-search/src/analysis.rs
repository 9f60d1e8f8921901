//! The terms of one page.

use std::collections::BTreeMap;

use crate::document::{Document, Section};
use crate::synonyms::Synonyms;
use crate::terms::{Term, TermKind, terms};
use crate::weights::Weights;

/// Distance of positions between fields, so that words of different fields are not neighbors.
const FIELD_GAP: u32 = 16;

/// The terms of a page with their weights. It depends on the page alone, so that it can be cached
/// while other pages change.
///
/// ```
/// use svc_search::{Analysis, Document, Index, Weights};
/// let page = std::sync::Arc::new(Document::default());
/// let analysis = Analysis::new(&page, &Weights::default());
/// let index = Index::from_analyses(vec![page], &[&analysis], &Weights::default());
/// assert_eq!(index.page_count(), 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    pub(crate) sections: Vec<Vec<(Box<str>, Occurrences)>>,
    /// Words of the title, without parts and compounds.
    pub(crate) title: Vec<String>,
}

/// Occurrences of a term in a section.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Occurrences {
    /// Saturated weight, 1 to 255.
    pub(crate) impact: u8,
    /// Ascending positions.
    pub(crate) positions: Vec<u32>,
}

impl Analysis {
    /// Splits a page into terms.
    pub fn new(page: &Document, weights: &Weights) -> Self {
        Self::with_synonyms(page, weights, &Synonyms::default())
    }

    /// Splits a page into terms and adds the synonyms of its words.
    pub fn with_synonyms(page: &Document, weights: &Weights, synonyms: &Synonyms) -> Self {
        let sections = page.sections.iter().enumerate();
        let sections = sections.map(|(index, section)| {
            section_terms(page, index == 0, section, weights, synonyms).finish()
        });
        Self {
            sections: sections.collect(),
            title: tokens(&page.title),
        }
    }
}

/// The words of a short text, without parts and compounds.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    terms(text, 0, &mut |term: Term<'_>| {
        if term.kind == TermKind::Word {
            out.push(term.text.to_owned());
        }
    });
    out
}

/// Weights of a field.
#[derive(Clone, Copy)]
struct Field {
    weight: f64,
    /// Factor for the synonyms of its words.
    synonyms: f64,
    /// How much long fields count less, 0 to 1.
    length: f64,
    usual: f64,
}

fn section_terms<'w>(
    page: &Document,
    is_first: bool,
    section: &Section,
    weights: &'w Weights,
    synonyms: &'w Synonyms,
) -> Collector<'w> {
    let title = |weight| Field {
        weight,
        synonyms: weights.synonyms,
        length: weights.title_length,
        usual: weights.usual_title,
    };
    let text = |weight| Field {
        weight,
        synonyms: weights.synonyms,
        length: weights.text_length,
        usual: weights.usual_text,
    };
    let without_synonyms = |field: Field| Field {
        synonyms: 0.0,
        ..field
    };
    let mut collector = Collector {
        weights,
        synonyms,
        terms: BTreeMap::new(),
        position: 0,
    };
    if is_first {
        collector.add([page.title.as_str()], title(weights.title));
        let keywords = page.keywords.iter().map(String::as_str);
        collector.add(keywords, title(weights.keywords));
    }
    if let Some((own, outer)) = section.headings.split_last() {
        collector.add([own.as_str()], title(weights.heading));
        let outer = outer.iter().map(String::as_str);
        collector.add(outer, without_synonyms(title(weights.outer_heading)));
    }
    let identifiers = section.identifiers.iter().map(String::as_str);
    collector.add(identifiers, without_synonyms(title(weights.identifiers)));
    collector.add([section.text.as_str()], text(weights.text));
    let code = without_synonyms(text(weights.code));
    collector.add([section.code.as_str()], code);
    collector
}

/// Collects the terms of a section.
struct Collector<'w> {
    weights: &'w Weights,
    synonyms: &'w Synonyms,
    /// Weight and positions of each term.
    terms: BTreeMap<Box<str>, (f64, Vec<u32>)>,
    position: u32,
}

impl Collector<'_> {
    fn add<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>, field: Field) {
        let mut found: Vec<(Box<str>, u32, TermKind)> = Vec::new();
        let mut members: BTreeMap<&str, u32> = BTreeMap::new();
        let mut length = 0;
        for text in texts {
            let start = self.position;
            let first = found.len();
            self.position = terms(text, start, &mut |term: Term<'_>| {
                found.push((term.text.into(), term.position, term.kind));
            });
            length += self.position - start;
            self.position += FIELD_GAP;
            if field.synonyms > 0.0 && !self.synonyms.is_empty() {
                let words = found[first..]
                    .iter()
                    .filter(|(_, _, kind)| *kind == TermKind::Word);
                let words: Vec<&str> = words.map(|(text, ..)| &**text).collect();
                for (member, count) in self.synonyms.of(&words) {
                    *members.entry(member).or_default() += count;
                }
            }
        }
        let norm = 1.0 - field.length + field.length * f64::from(length) / field.usual;
        for (text, position, kind) in found {
            let factor = match kind {
                TermKind::Word => 1.0,
                TermKind::Part => self.weights.part,
                TermKind::Compound => self.weights.compound,
            };
            let entry = self.terms.entry(text).or_default();
            entry.0 += factor * field.weight / norm;
            entry.1.push(position);
        }
        for (member, count) in members {
            let weight = field.weight / norm * field.synonyms * f64::from(count);
            let start = self.position;
            let terms_of_page = &mut self.terms;
            self.position = FIELD_GAP
                + terms(member, start, &mut |term: Term<'_>| {
                    let entry = terms_of_page.entry(term.text.into()).or_default();
                    entry.0 += weight;
                    entry.1.push(term.position);
                });
        }
    }

    fn finish(self) -> Vec<(Box<str>, Occurrences)> {
        let saturation = self.weights.saturation;
        let terms = self.terms.into_iter();
        let terms = terms.map(|(text, (weight, mut positions))| {
            positions.sort_unstable();
            positions.dedup();
            let share = weight / (weight + saturation);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 1 and 255"
            )]
            let impact = (share * 255.0).ceil().clamp(1.0, 255.0) as u8;
            (text, Occurrences { impact, positions })
        });
        terms.collect()
    }
}
