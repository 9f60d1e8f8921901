//! Common code of commands that access the store of the administration.

use std::io;
use std::time::Duration;

use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::{ProjectId, Timestamp};
use svc_diagnostics::escape_control_chars;
use svc_server::StoreArgs;
use svc_store::Database;

/// Runs a future to completion.
pub(super) fn block_on<T>(future: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?
        .block_on(future)
}

/// Opens the store.
pub(super) async fn open_store(store: &StoreArgs) -> io::Result<Database> {
    let database = Database::open(&store.url()?).await;
    database.map_err(io::Error::other)
}

/// Initiator for the audit log: a user of the command line.
pub(super) const fn initiator() -> Initiator {
    Initiator {
        actor: Actor::Cli,
        from: None,
    }
}

/// Parses a project id.
pub(super) fn parse_project(text: &str) -> Result<ProjectId, String> {
    ProjectId::parse(text).ok_or_else(|| "invalid project name".to_owned())
}

/// Parses a duration such as `30d` or `12h`.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    svc_server::duration(text)
        .ok_or_else(|| "must be a number and a unit: `30m`, `12h`, `90d`".to_owned())
}

/// Formats a timestamp, or `none` if there is none.
pub(super) fn format_time(at: Option<Timestamp>, none: &str) -> String {
    at.map_or_else(|| none.to_owned(), |at| at.to_string())
}

/// Formats rows as a table with aligned columns.
pub(super) fn format_table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    escape_control_chars(&rows.iter().map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_columns_are_aligned() {
        let rows = [["a", "bcd", ""], ["éfg", "\u{1b}", "i"]];
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
            .collect();
        assert_eq!(format_table(&rows), "a    bcd\néfg  ␛    i\n");
        assert_eq!(format_table(&[]), "");
    }
}
