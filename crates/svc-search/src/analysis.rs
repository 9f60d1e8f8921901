//! The terms of one page.

use std::collections::{BTreeMap, HashMap};

use crate::document::{Document, Section};
use crate::postings::write_number;
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
    /// The terms of all sections, one after the other. A site has many millions of them.
    text: String,
    terms: Vec<Occurrences>,
    /// Positions of all terms, one after the other.
    positions: Vec<u8>,
    /// End of each section in `terms`.
    sections: Vec<usize>,
    /// Words of the title, without parts and compounds.
    pub(crate) title: Vec<String>,
}

/// Occurrences of a term in a section.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Occurrences {
    /// End of the term in the text of all terms.
    text_end: usize,
    /// End of its positions in those of all terms.
    positions_end: usize,
    /// Saturated weight, 1 to 255.
    impact: u8,
}

/// A term of a section.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectionTerm<'a> {
    pub(crate) text: &'a str,
    /// Saturated weight, 1 to 255.
    pub(crate) impact: u8,
    /// The differences of its ascending positions, as numbers of the index.
    pub(crate) positions: &'a [u8],
}

impl Analysis {
    /// Splits a page into terms.
    pub fn new(page: &Document, weights: &Weights) -> Self {
        Self::with_synonyms(page, weights, &Synonyms::default())
    }

    /// Splits a page into terms and adds the synonyms of its words.
    pub fn with_synonyms(page: &Document, weights: &Weights, synonyms: &Synonyms) -> Self {
        let mut analysis = Self {
            text: String::new(),
            terms: Vec::new(),
            positions: Vec::new(),
            sections: Vec::with_capacity(page.sections.len()),
            title: tokens(&page.title),
        };
        for (index, section) in page.sections.iter().enumerate() {
            section_terms(page, index == 0, section, weights, synonyms).finish(&mut analysis);
            analysis.sections.push(analysis.terms.len());
        }
        analysis.text.shrink_to_fit();
        analysis.terms.shrink_to_fit();
        analysis.positions.shrink_to_fit();
        analysis
    }

    /// The terms of each section, in the order in which they first occur.
    pub(crate) fn sections(&self) -> impl Iterator<Item = impl Iterator<Item = SectionTerm<'_>>> {
        let mut first = 0_usize;
        self.sections.iter().map(move |&end| {
            let before = first.checked_sub(1).and_then(|last| self.terms.get(last));
            let (mut text, mut positions) =
                before.map_or((0, 0), |term| (term.text_end, term.positions_end));
            let terms = self.terms.get(std::mem::replace(&mut first, end)..end);
            terms.unwrap_or(&[]).iter().map(move |term| SectionTerm {
                text: &self.text[std::mem::replace(&mut text, term.text_end)..term.text_end],
                impact: term.impact,
                positions: &self.positions
                    [std::mem::replace(&mut positions, term.positions_end)..term.positions_end],
            })
        })
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
        numbers: HashMap::new(),
        term_weights: Vec::new(),
        occurrences: Vec::new(),
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

/// The terms of a field in order.
#[derive(Default)]
struct FieldTerms {
    /// Their texts, one after the other.
    text: String,
    /// End of the text, position and kind of each.
    terms: Vec<(usize, u32, TermKind)>,
}

impl FieldTerms {
    fn push(&mut self, term: &Term<'_>) {
        self.text.push_str(term.text);
        let entry = (self.text.len(), term.position, term.kind);
        self.terms.push(entry);
    }

    fn iter(&self) -> impl Iterator<Item = (&str, u32, TermKind)> {
        let mut start = 0;
        self.terms.iter().map(move |&(end, position, kind)| {
            let text = &self.text[std::mem::replace(&mut start, end)..end];
            (text, position, kind)
        })
    }
}

/// Collects the terms of a section.
struct Collector<'w> {
    weights: &'w Weights,
    synonyms: &'w Synonyms,
    /// The number of each term.
    numbers: HashMap<Box<str>, usize>,
    /// The weight of each term.
    term_weights: Vec<f64>,
    /// Number and position of each occurrence.
    occurrences: Vec<(usize, u32)>,
    position: u32,
}

impl Collector<'_> {
    fn add<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>, field: Field) {
        let mut found = FieldTerms::default();
        let mut members: BTreeMap<&str, u32> = BTreeMap::new();
        let mut length = 0;
        for text in texts {
            let start = self.position;
            let first = found.terms.len();
            self.position = terms(text, start, &mut |term: Term<'_>| found.push(&term));
            length += self.position - start;
            self.position += FIELD_GAP;
            if field.synonyms > 0.0 && !self.synonyms.is_empty() {
                let words = found.iter().skip(first);
                let words = words.filter(|(.., kind)| *kind == TermKind::Word);
                let words: Vec<&str> = words.map(|(text, ..)| text).collect();
                for (member, count) in self.synonyms.of(&words) {
                    *members.entry(member).or_default() += count;
                }
            }
        }
        let norm = 1.0 - field.length + field.length * f64::from(length) / field.usual;
        for (text, position, kind) in found.iter() {
            let factor = match kind {
                TermKind::Word => 1.0,
                TermKind::Part => self.weights.part,
                TermKind::Compound => self.weights.compound,
            };
            let weight = factor * field.weight / norm;
            self.add_term(text, weight, position);
        }
        for (member, count) in members {
            let weight = field.weight / norm * field.synonyms * f64::from(count);
            let (start, mut found) = (self.position, FieldTerms::default());
            let end = terms(member, start, &mut |term: Term<'_>| found.push(&term));
            for (text, position, _) in found.iter() {
                self.add_term(text, weight, position);
            }
            self.position = end + FIELD_GAP;
        }
    }

    fn add_term(&mut self, text: &str, weight: f64, position: u32) {
        let number = match self.numbers.get(text) {
            Some(number) => *number,
            None => {
                let number = self.term_weights.len();
                self.numbers.insert(text.into(), number);
                self.term_weights.push(0.0);
                number
            }
        };
        self.term_weights[number] += weight;
        self.occurrences.push((number, position));
    }

    fn finish(mut self, analysis: &mut Analysis) {
        let mut texts: Vec<(Box<str>, usize)> = self.numbers.into_iter().collect();
        texts.sort_unstable_by_key(|(_, number)| *number);
        self.occurrences.sort_unstable();
        self.occurrences.dedup();
        let mut occurrences = self.occurrences.iter().peekable();
        let saturation = self.weights.saturation;
        for ((text, number), weight) in texts.into_iter().zip(self.term_weights) {
            analysis.text.push_str(&text);
            let mut last = 0;
            while let Some((_, position)) = occurrences.next_if(|(other, _)| *other == number) {
                write_number(&mut analysis.positions, position - last);
                last = *position;
            }
            let share = weight / (weight + saturation);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 1 and 255"
            )]
            let impact = (share * 255.0).ceil().clamp(1.0, 255.0) as u8;
            analysis.terms.push(Occurrences {
                text_end: analysis.text.len(),
                positions_end: analysis.positions.len(),
                impact,
            });
        }
    }
}
