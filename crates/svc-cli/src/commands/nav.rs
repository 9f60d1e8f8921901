//! `svc nav`.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::output::print;
use super::progress::Progress;
use super::site::{load_options, load_site};
use crate::exit::Exit;

/// Print the navigation in reading order.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder with docs.json
    #[arg(default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One line per entry: position, path, title
    Text,
    /// JSON array, one entry per line
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let load = load_options(&arguments.dir);
    let site = match load_site(&arguments.dir, &load, &mut Progress::start())? {
        Ok((site, _)) => site,
        Err(exit) => return Ok(exit),
    };
    let entries = site.map.to_json();
    let entries = entries.as_array().map_or(&[][..], Vec::as_slice);
    print(&match arguments.format {
        Format::Json => lines(entries),
        Format::Text => entries.iter().map(text).collect(),
    })?;
    Ok(Exit::Success)
}

fn lines(entries: &[Value]) -> String {
    let lines: Vec<String> = entries.iter().map(spaced).collect();
    if lines.is_empty() {
        "[]\n".to_owned()
    } else {
        format!("[\n{}\n]\n", lines.join(",\n"))
    }
}

/// Formats an entry on one line with a space after every comma and colon.
fn spaced(entry: &Value) -> String {
    match entry {
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::String(key.clone()), spaced(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

fn text(entry: &Value) -> String {
    let field = |key: &str| entry.get(key).and_then(Value::as_str);
    let trail: Vec<&str> = entry["trail"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let path = field("href").or_else(|| field("link")).unwrap_or("-");
    let title = field("sidebarTitle")
        .or_else(|| field("title"))
        .unwrap_or("");
    let trail = match trail.is_empty() {
        true => "-".to_owned(),
        false => trail.join(" > "),
    };
    format!("{trail}\t{path}\t{title}\n")
}
