//! The engines compared on a group of sets.

use std::io;

use svc_search::Document;

use crate::engines::{Cost, Engines, Measurement, Response};
use crate::figures::{Figures, MAX_VISIBLE_RESULTS, is_success};
use crate::set::{Group, LabeledQuery, Set};
use crate::table;

/// Number of results in the list of failures.
const MAX_SHOWN_RESULTS: usize = 3;

/// A part of the queries and the figures of each engine.
pub(crate) type Slice = (String, Vec<Figures>);

/// Results of a group.
pub(crate) struct Evaluation {
    engines: Vec<&'static str>,
    slices: Vec<Slice>,
    costs: Vec<Cost>,
    /// Queries for which the first engine has no relevant page among the visible results.
    pub(crate) failures: Vec<String>,
}

impl Evaluation {
    /// Indexes all sets of a group and runs their queries.
    pub(crate) fn new(group: &Group, engines: &Engines) -> io::Result<Self> {
        let names = engines.names();
        let mut evaluation = Self {
            slices: slices(group, names.len()),
            costs: vec![Cost::default(); names.len()],
            failures: Vec::new(),
            engines: names,
        };
        for set in &group.sets {
            eprintln!("{}, {} pages …", set.name, set.pages.len());
            let texts: Vec<&str> = set
                .queries
                .iter()
                .map(|query| query.text.as_str())
                .collect();
            let measurements = engines.measure(set, &texts)?;
            evaluation.add(set, &measurements);
        }
        Ok(evaluation)
    }

    fn add(&mut self, set: &Set, measurements: &[Measurement]) {
        for (at, query) in set.queries.iter().enumerate() {
            let responses = measurements.iter().map(|engine| &engine.responses[at]);
            let relevance: Vec<Vec<bool>> = responses
                .map(|response| relevance(set, query, response))
                .collect();
            for (_, figures) in slices_of(query, &mut self.slices) {
                for (figures, relevance) in figures.iter_mut().zip(&relevance) {
                    figures.add(relevance, query.paths.len());
                }
            }
            if let Some(first) = measurements.first()
                && !is_success(&relevance[0])
            {
                let line = failure(set, query, &first.responses[at]);
                let others = self.engines.iter().zip(&relevance).skip(1);
                let others =
                    others.map(|(name, relevance)| format!(", {name} {}", rank(relevance)));
                let rank = rank(&relevance[0]);
                self.failures.push(format!(
                    "{line}\n  ranks: svc {rank}{}",
                    others.collect::<String>()
                ));
            }
        }
        for (cost, measurement) in self.costs.iter_mut().zip(measurements) {
            cost.add(&measurement.cost);
        }
    }

    pub(crate) fn print(&self, group: &Group) {
        let sum = |count: fn(&Set) -> usize| group.sets.iter().map(count).sum::<usize>();
        let (pages, removed) = (sum(|set| set.pages.len()), sum(|set| set.removed));
        let text_bytes = sum(Set::text_bytes);
        println!("## {}\n", group.name);
        println!(
            "{pages} pages with {} of text; {removed} queries without a page\n",
            table::megabytes(text_bytes)
        );
        table::print_figures(&self.slices, &self.engines);
        table::print_costs(&self.costs, &self.engines, text_bytes);
    }
}

/// Returns the slices of a group: first those that each query names first.
fn slices(group: &Group, engines: usize) -> Vec<Slice> {
    let mut slices: Vec<Slice> = Vec::new();
    let queries = || group.sets.iter().flat_map(|set| &set.queries);
    let depth = queries().map(|query| query.slices.len()).max().unwrap_or(0);
    for depth in 0..depth {
        for name in queries().filter_map(|query| query.slices.get(depth)) {
            if slices.iter().all(|slice| slice.0 != *name) {
                slices.push((name.clone(), vec![Figures::default(); engines]));
            }
        }
    }
    slices
}

/// Returns the slices to which a query counts.
fn slices_of<'a>(
    query: &LabeledQuery,
    slices: &'a mut [Slice],
) -> impl Iterator<Item = &'a mut Slice> {
    slices
        .iter_mut()
        .filter(|slice| query.slices.contains(&slice.0))
}

fn relevance(set: &Set, query: &LabeledQuery, response: &Response) -> Vec<bool> {
    let pages = response.pages.iter().map(|&page| page_at(set, page));
    let is_relevant =
        |page: Option<&Document>| page.is_some_and(|page| query.paths.contains(&page.path));
    pages.map(is_relevant).collect()
}

fn page_at(set: &Set, number: usize) -> Option<&Document> {
    set.pages.get(number).map(AsRef::as_ref)
}

/// Returns the rank of the first relevant page.
fn rank(relevance: &[bool]) -> String {
    let at = relevance.iter().position(|is_relevant| *is_relevant);
    at.map_or_else(|| "-".to_owned(), |at| (at + 1).to_string())
}

/// Describes a query, its relevant pages and the first results.
fn failure(set: &Set, query: &LabeledQuery, response: &Response) -> String {
    let relevant: Vec<&str> = query.paths.iter().map(String::as_str).collect();
    let mut lines = vec![
        format!("{} [{}] {}", set.name, query.slices.join(", "), query.text),
        format!(
            "  relevant: {}",
            relevant[..relevant.len().min(MAX_VISIBLE_RESULTS)].join(" ")
        ),
    ];
    for &page in response.pages.iter().take(MAX_SHOWN_RESULTS) {
        if let Some(page) = page_at(set, page) {
            lines.push(format!("  result: {} ({})", page.path, page.title));
        }
    }
    lines.join("\n")
}
