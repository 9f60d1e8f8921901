//! `svc openapi diff`.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use svc_diagnostics::render_text;
use svc_openapi::{ApiDocument, Change, DiffLocation, Effect};

use crate::commands::{eprint_escaped, print};
use crate::exit::Exit;

/// Tell what changed between two versions of a document, and what breaks its users.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 told, 1 something of --fail-on changed, 2 a document cannot be read."
)]
pub(crate) struct Arguments {
    /// The older document
    old: PathBuf,
    /// The newer document
    new: PathBuf,
    /// How changes are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// End with status 1 when there are such changes
    #[arg(long, value_enum)]
    fail_on: Option<FailOn>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One line a change, the breaking ones first, with the places below
    Text,
    /// One JSON object
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FailOn {
    /// Changes that break users
    Breaking,
    /// Changes that may break users too
    Unknown,
    /// Any change
    Any,
}

const EFFECTS: [Effect; 3] = [Effect::Breaking, Effect::Unknown, Effect::Compatible];

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let (old, new) = (read(&arguments.old)?, read(&arguments.new)?);
    let mut changes = svc_openapi::diff(&old, &new);
    // Within one effect they stay in the order of the document.
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

/// A document; without one the problems are shown.
fn read(path: &Path) -> io::Result<ApiDocument> {
    let file = super::read(path)?;
    let checked = svc_openapi::parse(&file);
    checked.value.ok_or_else(|| {
        let lines = |asked: &str| (asked == &**file.path()).then_some(&**file.text());
        eprint_escaped(&render_text(&checked.diagnostics, &lines));
        let message = format!("{} is no OpenAPI document", path.display());
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

fn text(changes: &[Change]) -> String {
    let mut out = String::new();
    for change in changes {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{:12}  {}", change.effect.as_str(), change.message);
        let places = [&change.old, &change.new].map(|place| place.as_ref().map(format_location));
        let [old, new] = places.map(|place| place.unwrap_or_else(|| "-".to_owned()));
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

fn format_location(place: &DiffLocation) -> String {
    let at = &place.location;
    format!("{}:{}:{}", at.file, at.start.line, at.start.column)
}

fn json(changes: &[Change]) -> Value {
    let place = |place: &DiffLocation| {
        json!({
            "file": &*place.location.file,
            "line": place.location.start.line,
            "column": place.location.start.column,
            "pointer": place.pointer,
        })
    };
    let one = |change: &Change| {
        json!({
            "effect": change.effect.as_str(),
            "rule": change.rule,
            "operation": change.operation,
            "message": change.message,
            "old": change.old.as_ref().map(place),
            "new": change.new.as_ref().map(place),
        })
    };
    json!({
        "breaking": count(changes, Effect::Breaking),
        "unknown": count(changes, Effect::Unknown),
        "notBreaking": count(changes, Effect::Compatible),
        "changes": changes.iter().map(one).collect::<Vec<_>>(),
    })
}
