//! `svc openapi upgrade`.

use std::io;
use std::path::PathBuf;

use clap::Args;
use svc_diagnostics::{Severity, render_text};
use svc_openapi::OutputFormat;

use crate::commands::output::{count, eprint_escaped, print, with_path};
use crate::exit::Exit;

/// Convert Swagger 2.0 or OpenAPI 3.0 to OpenAPI 3.1.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 written, 1 the document cannot be converted and nothing is written, 2 a file cannot be read or written."
)]
pub(crate) struct Arguments {
    /// Document, or its URL
    file: String,
    /// Output file, `.json` or `.yaml`. Default: standard output
    #[arg(short, long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let file = super::document::read_or_fetch(&arguments.file)?;
    let extension = arguments
        .out
        .as_ref()
        .and_then(|path| path.extension()?.to_str());
    let is_json = match extension {
        Some("json") => true,
        Some("yaml" | "yml") => false,
        _ => file
            .text()
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with('{'),
    };
    let format = if is_json {
        OutputFormat::Json
    } else {
        OutputFormat::Yaml
    };
    let upgraded = svc_openapi::upgrade(&file, format);
    if !upgraded.diagnostics.is_empty() {
        eprint_escaped(&render_text(&upgraded.diagnostics, &|path| {
            (*path == **file.path()).then(|| &**file.text())
        }));
        eprint_escaped(&format!("{}\n", count(&upgraded.diagnostics)));
    }
    let failed = upgraded
        .diagnostics
        .iter()
        .any(|problem| problem.severity >= Severity::Error);
    let Some(text) = upgraded.value.filter(|_| !failed) else {
        return Ok(Exit::Problems);
    };
    match &arguments.out {
        None => print(&text)?,
        Some(path) => svc_source::write_atomic(path, text.as_bytes())
            .map_err(|error| with_path(path, &error))?,
    }
    Ok(Exit::Success)
}
