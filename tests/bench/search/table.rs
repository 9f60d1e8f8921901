//! Tables in Markdown.

use std::time::Duration;

use crate::engines::Cost;
use crate::evaluation::Slice;
use crate::figures::{number, percentile};

/// Columns of figures, after slice and engine.
const FIGURES: &[&str] = &[
    "slice",
    "engine",
    "queries",
    "nDCG@10",
    "MRR",
    "success@5",
    "recall@10",
];
/// Columns of costs.
const COSTS: &[&str] = &[
    "engine",
    "query p50",
    "p99",
    "index time",
    "processor time",
    "index size",
    "share of text",
];

/// A table whose first columns are text and whose other columns are numbers.
struct Table {
    rows: Vec<Vec<String>>,
    text_columns: usize,
}

impl Table {
    fn new(header: &[&str], text_columns: usize) -> Self {
        Self {
            rows: vec![header.iter().map(|title| (*title).to_owned()).collect()],
            text_columns,
        }
    }

    fn print(&self) {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = |cells: &[String]| {
            let cells = cells
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(at, (cell, width))| {
                    if at < self.text_columns {
                        format!(" {cell:width$} |")
                    } else {
                        format!(" {cell:>width$} |")
                    }
                });
            println!("|{}", cells.collect::<String>());
        };
        let rule = |(at, width): (usize, &usize)| {
            let end = if at < self.text_columns { "-" } else { ":" };
            format!("{}{end}", "-".repeat(width - 1))
        };
        for (at, row) in self.rows.iter().enumerate() {
            line(row);
            if at == 0 {
                line(&widths.iter().enumerate().map(rule).collect::<Vec<_>>());
            }
        }
        println!();
    }
}

/// Prints the figures of each slice, with one line for each engine.
pub(crate) fn print_figures(slices: &[Slice], engines: &[&str]) {
    let mut table = Table::new(FIGURES, 2);
    for (slice, figures) in slices {
        for (engine, figures) in engines.iter().zip(figures) {
            let mut row = vec![
                slice.clone(),
                (*engine).to_owned(),
                figures.queries().to_string(),
            ];
            row.extend(figures.means().map(|mean| format!("{mean:.3}")));
            table.rows.push(row);
        }
    }
    table.print();
}

/// Prints the cost of each engine for pages with so many bytes of text.
pub(crate) fn print_costs(costs: &[Cost], engines: &[&str], text_bytes: usize) {
    let mut table = Table::new(COSTS, 1);
    for (engine, cost) in engines.iter().zip(costs) {
        let index_bytes = usize::try_from(cost.index_bytes).unwrap_or(usize::MAX);
        table.rows.push(vec![
            (*engine).to_owned(),
            milliseconds(percentile(&cost.times, 50)),
            milliseconds(percentile(&cost.times, 99)),
            format!("{:.2} s", cost.build_time.as_secs_f64()),
            format!("{:.2} s", cost.build_processor_time.as_secs_f64()),
            megabytes(index_bytes),
            format!(
                "{:.0} %",
                number(index_bytes) / number(text_bytes.max(1)) * 100.0
            ),
        ]);
    }
    table.print();
}

/// Prints the times of the queries of each index, and the slowest.
pub(crate) fn print_times(costs: &[Cost], names: &[String]) {
    let mut table = Table::new(&["queries", "p50", "p99", "slowest"], 1);
    for (name, cost) in names.iter().zip(costs) {
        let percentiles = [50, 99, 100].map(|part| milliseconds(percentile(&cost.times, part)));
        table
            .rows
            .push([name.clone()].into_iter().chain(percentiles).collect());
    }
    table.print();
}

pub(crate) fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", number(bytes) / 1e6)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
