//! `svc search test`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use svc_search::{Quality, Query};
use svc_site::Site;

use super::load;
use crate::commands::output::{eprint_escaped, print, with_path};
use crate::exit::Exit;

/// Number of results of each query that are compared with the labels.
const RESULTS: usize = 10;
/// Difference of nDCG from which a query has changed.
const MIN_CHANGE: f64 = 0.001;

/// Measure the quality of the search on labeled queries.
///
/// FILE is CSV with the columns `query` and `paths`; `paths` are the paths of the pages that readers
/// need, separated by spaces.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// CSV file with the columns `query` and `paths`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Folder with docs.json
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
    /// Write the results of this run to a JSON file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compare with a run that was saved; fail if the mean nDCG is lower
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Fail if the mean nDCG is lower
    #[arg(long, value_name = "NUMBER")]
    min_ndcg: Option<f64>,
}

/// A query with the pages that readers need.
#[derive(Debug, Deserialize)]
struct LabeledQuery {
    query: String,
    paths: String,
}

/// The nDCG of each query.
#[derive(Debug, Default, Serialize, Deserialize)]
struct SavedRun {
    ndcg: f64,
    queries: BTreeMap<String, f64>,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let labels = read(&arguments.file)?;
    let site = match load(&arguments.dir)? {
        Ok(site) => site,
        Err(exit) => return Ok(exit),
    };
    check(&site, &labels, &arguments.file);
    let qualities: Vec<Quality> = labels.iter().map(|label| quality(&site, label)).collect();
    let mean = Quality::mean(&qualities);
    let queries = labels.iter().zip(&qualities);
    let current = SavedRun {
        ndcg: mean.ndcg,
        queries: queries
            .map(|(label, quality)| (label.query.clone(), quality.ndcg))
            .collect(),
    };
    let mut out = String::new();
    for (label, quality) in labels.iter().zip(&qualities) {
        if quality.success_at_5 == 0.0 {
            out.push_str(&format!("not in the first five: {}\n", label.query));
        }
    }
    let mut exit = Exit::Success;
    if let Some(path) = &arguments.compare {
        let before: SavedRun = serde_json::from_slice(&read_file(path)?)
            .map_err(|error| with_path(path, &io::Error::from(error)))?;
        out.push_str(&changes(&before, &current));
        if current.ndcg + MIN_CHANGE < before.ndcg {
            exit = Exit::Problems;
        }
    }
    out.push_str(&format!(
        "{} queries: nDCG@10 {:.3}, MRR {:.3}, found@5 {:.3}, recall@10 {:.3}\n",
        labels.len(),
        mean.ndcg,
        mean.reciprocal_rank,
        mean.success_at_5,
        mean.recall_at_10
    ));
    if arguments.min_ndcg.is_some_and(|min| mean.ndcg < min) {
        exit = Exit::Problems;
    }
    if let Some(path) = &arguments.save {
        let text = serde_json::to_string_pretty(&current)? + "\n";
        fs::write(path, text).map_err(|error| with_path(path, &error))?;
    }
    print(&svc_diagnostics::escape_control_chars(&out))?;
    Ok(exit)
}

/// Warns about labels that name no page of the site.
fn check(site: &Site, labels: &[LabeledQuery], file: &Path) {
    for label in labels {
        let paths = label.paths.split_whitespace().map(page_of);
        for path in paths.filter(|path| site.map.route(path).is_none()) {
            let (file, query) = (file.display(), &label.query);
            eprint_escaped(&format!(
                "warning: {file}: `{path}`, a label of `{query}`, is not a page of the site\n"
            ));
        }
    }
}

fn quality(site: &Site, label: &LabeledQuery) -> Quality {
    let results = site.search(&Query {
        limit: RESULTS,
        ..Query::new(&label.query)
    });
    let paths = results.pages.iter();
    let paths = paths.map(|page| page_of(&page.document.path));
    let paths: Vec<&str> = paths.collect();
    let mut relevant: Vec<&str> = label.paths.split_whitespace().map(page_of).collect();
    relevant.sort_unstable();
    relevant.dedup();
    Quality::of(&relevant, &paths)
}

/// The page of a path with a fragment or a slash at the end.
fn page_of(path: &str) -> &str {
    let path = path.split('#').next().unwrap_or(path);
    match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    }
}

/// The queries whose results became better or worse.
fn changes(before: &SavedRun, current: &SavedRun) -> String {
    let mut out = String::new();
    for (query, &ndcg) in &current.queries {
        let Some(&earlier) = before.queries.get(query) else {
            out.push_str(&format!("new:    {ndcg:.3}          {query}\n"));
            continue;
        };
        let verb = match ndcg - earlier {
            change if change > MIN_CHANGE => "better:",
            change if change < -MIN_CHANGE => "worse: ",
            _ => continue,
        };
        out.push_str(&format!("{verb} {earlier:.3} → {ndcg:.3}  {query}\n"));
    }
    let gone = before.queries.keys();
    for query in gone.filter(|query| !current.queries.contains_key(*query)) {
        out.push_str(&format!("gone:                  {query}\n"));
    }
    out
}

fn read(path: &Path) -> io::Result<Vec<LabeledQuery>> {
    let bytes = read_file(path)?;
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let labels: Result<Vec<LabeledQuery>, csv::Error> = reader.deserialize().collect();
    labels.map_err(|error| with_path(path, &io::Error::from(error)))
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path).map_err(|error| with_path(path, &error))
}
