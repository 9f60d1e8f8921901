//! `svc openapi diff`.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use svc_diagnostics::render_text;
use svc_openapi::{ApiDocument, Change, DiffLocation, Effect};

use crate::commands::output::{eprint_escaped, print};
use crate::exit::Exit;

/// Report the changes between two versions of a document, and which are breaking.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 success, 1 there are changes of the kind of --fail-on, 2 a document cannot be read."
)]
pub(crate) struct Arguments {
    /// Older document
    old: PathBuf,
    /// Newer document
    new: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Exit with status 1 if there are such changes
    #[arg(long, value_enum)]
    fail_on: Option<FailOn>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One line per change, breaking ones first, followed by its locations
    Text,
    /// JSON object
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FailOn {
    /// Breaking changes
    Breaking,
    /// Breaking and possibly breaking changes
    Unknown,
    /// Any change
    Any,
}

const EFFECTS: [Effect; 3] = [Effect::Breaking, Effect::Unknown, Effect::Compatible];

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let (old, new) = (read(&arguments.old)?, read(&arguments.new)?);
    let mut changes = svc_openapi::diff(&old, &new);
    // The sort is stable, so changes with the same effect stay in document order.
    changes.sort_by_key(|change| std::cmp::Reverse(change.effect));
    print(&match arguments.format {
        Format::Text => text(&changes),
        Format::Json => format!("{:#}\n", json(&changes)),
    })?;
    let least = match arguments.fail_on {
        None => return Ok(Exit::Success),
        Some(FailOn::Breaking) => Effect::Breaking,
        Some(FailOn::Unknown) => Effect::Unknown,
        Some(FailOn::Any) => Effect::Compatible,
    };
    let fails = changes.iter().any(|change| change.effect >= least);
    Ok(if fails { Exit::Problems } else { Exit::Success })
}

/// Parses a document. Prints its diagnostics if it is invalid.
fn read(path: &Path) -> io::Result<ApiDocument> {
    let file = super::document::read(path)?;
    let checked = svc_openapi::parse(&file);
    checked.value.ok_or_else(|| {
        let lines = |path: &str| (path == &**file.path()).then_some(&**file.text());
        eprint_escaped(&render_text(&checked.diagnostics, &lines));
        let message = format!("{} is not an OpenAPI document", path.display());
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

fn text(changes: &[Change]) -> String {
    let mut out = String::new();
    for change in changes {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{:12}  {}", change.effect.as_str(), change.message);
        let locations =
            [&change.old, &change.new].map(|location| location.as_ref().map(format_location));
        let [old, new] = locations.map(|location| location.unwrap_or_else(|| "-".to_owned()));
        let _ = writeln!(out, "{:14}{old} => {new}", "");
    }
    let counts: Vec<String> = EFFECTS
        .iter()
        .map(|effect| format!("{} {}", count(changes, *effect), effect.as_str()))
        .collect();
    let _ = writeln!(out, "{}", counts.join(", "));
    out
}

fn count(changes: &[Change], effect: Effect) -> usize {
    changes
        .iter()
        .filter(|change| change.effect == effect)
        .count()
}

fn format_location(location: &DiffLocation) -> String {
    let at = &location.location;
    format!("{}:{}:{}", at.file, at.start.line, at.start.column)
}

fn json(changes: &[Change]) -> Value {
    let location = |location: &DiffLocation| {
        json!({
            "file": &*location.location.file,
            "line": location.location.start.line,
            "column": location.location.start.column,
            "pointer": location.pointer,
        })
    };
    let to_json = |change: &Change| {
        json!({
            "effect": change.effect.as_str(),
            "rule": change.rule,
            "operation": change.operation,
            "message": change.message,
            "old": change.old.as_ref().map(location),
            "new": change.new.as_ref().map(location),
        })
    };
    json!({
        "breaking": count(changes, Effect::Breaking),
        "unknown": count(changes, Effect::Unknown),
        "notBreaking": count(changes, Effect::Compatible),
        "changes": changes.iter().map(to_json).collect::<Vec<_>>(),
    })
}
