//! The engines that are compared: each indexes the same pages in the same run.

mod pagefind;
mod svc;
mod tantivy;

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use crate::set::Set;

/// Results of one query.
pub(crate) struct Response {
    /// Numbers of the pages, the best first.
    pub(crate) pages: Vec<usize>,
    pub(crate) time: Duration,
}

/// An index of a set.
pub(crate) trait SearchIndex {
    /// Runs queries one after the other.
    fn search(&self, queries: &[&str]) -> io::Result<Vec<Response>>;
    /// Memory of the index, or bytes of its files.
    fn bytes(&self) -> u64;
}

/// The engines of a run.
pub(crate) struct Engines {
    pagefind: Option<pagefind::Pagefind>,
}

/// What an engine did with a set.
pub(crate) struct Measurement {
    /// One for each query.
    pub(crate) responses: Vec<Response>,
    pub(crate) cost: Cost,
}

/// What an index needs. Costs of several sets can be added.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cost {
    pub(crate) times: Vec<Duration>,
    pub(crate) build_time: Duration,
    /// Processor time of all threads and child processes.
    pub(crate) build_processor_time: Duration,
    pub(crate) index_bytes: u64,
}

impl Engines {
    /// Prepares the engines that are available.
    pub(crate) fn new() -> io::Result<Self> {
        let pagefind = pagefind::Pagefind::install()?;
        Ok(Self { pagefind })
    }

    /// Names in the order of [`Engines::measure`].
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let names = ["svc", "tantivy", "Pagefind"];
        let count = if self.pagefind.is_some() { 3 } else { 2 };
        names.into_iter().take(count).collect()
    }

    /// Indexes the pages of a set with the engine of this project and runs the queries.
    pub(crate) fn measure_svc(set: &Set, queries: &[&str]) -> io::Result<Measurement> {
        measure(queries, || Ok(Box::new(svc::SvcIndex::new(set))))
    }

    /// Indexes the pages of a set with each engine and runs the queries.
    pub(crate) fn measure(&self, set: &Set, queries: &[&str]) -> io::Result<Vec<Measurement>> {
        let mut measurements = vec![
            Self::measure_svc(set, queries)?,
            measure(queries, || Ok(Box::new(tantivy::TantivyIndex::new(set)?)))?,
        ];
        if let Some(pagefind) = &self.pagefind {
            // Its input has to be written first, which is no part of indexing.
            let site = pagefind.write(set)?;
            let measurement = measure(queries, || Ok(Box::new(site.index()?)))?;
            measurements.push(measurement);
        }
        Ok(measurements)
    }
}

fn measure<'a>(
    queries: &[&str],
    build: impl FnOnce() -> io::Result<Box<dyn SearchIndex + 'a>>,
) -> io::Result<Measurement> {
    let (start, processor) = (Instant::now(), processor_time());
    let index = build()?;
    let mut cost = Cost {
        build_time: start.elapsed(),
        build_processor_time: processor_time().saturating_sub(processor),
        index_bytes: index.bytes(),
        ..Cost::default()
    };
    let responses = index.search(queries)?;
    cost.times = responses.iter().map(|response| response.time).collect();
    Ok(Measurement { responses, cost })
}

impl Cost {
    pub(crate) fn add(&mut self, other: &Self) {
        self.times.extend_from_slice(&other.times);
        self.build_time += other.build_time;
        self.build_processor_time += other.build_processor_time;
        self.index_bytes += other.index_bytes;
    }
}

/// Returns the processor time of this program and of its child processes that have ended; 0 on
/// systems without `/proc`.
fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name before the last parenthesis may contain spaces. The unit is a hundredth of a second.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let times = fields.split_whitespace().skip(11).take(4);
    let ticks: u64 = times.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
