//! `svc validate`.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;
use svc_diagnostics::Severity;
use svc_server::{FetchPolicy, RemoteDocumentArgs, pluralize};
use svc_site::LoadOptions;

use super::color;
use super::output::{count, exit_for, print};
use super::site::{check_site_dir, remote_documents};
use crate::exit::Exit;

/// Check docs.json, pages, links and OpenAPI documents.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no errors, 1 errors (with --strict also warnings), 2 the path cannot be read."
)]
pub(crate) struct Arguments {
    /// Folder, docs.json, page or OpenAPI document
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Fail on warnings
    #[arg(long)]
    strict: bool,
    /// Do not fetch remote OpenAPI documents; use cached copies
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    remote_documents: RemoteDocumentArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Text with source lines
    Human,
    /// JSON object
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let path = &arguments.path;
    let with_path =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    if path.is_dir() {
        check_site_dir(path)?;
    }
    let site = svc_site::site_dir(path);
    let dir = match path.parent() {
        Some(parent) if path.is_file() => site.as_deref().unwrap_or(parent),
        _ => path,
    };
    // Checking a single page must not wait for servers.
    let policy = match site {
        Some(_) => FetchPolicy::Missing,
        None => FetchPolicy::All,
    };
    let load = LoadOptions {
        remote: remote_documents(&arguments.remote_documents, dir, arguments.offline, policy),
        ..LoadOptions::default()
    };
    let validated = svc_site::validate(path, &load).map_err(with_path)?;
    let (errors, warnings) = (
        validated.count(Severity::Error) + validated.count(Severity::Fatal),
        validated.count(Severity::Warning),
    );
    match arguments.format {
        Format::Human => {
            let mut text = validated.render_text();
            if color::has_colors(&io::stdout()) {
                text = color::colorize(&text);
            }
            if !text.is_empty() {
                text.push('\n');
            }
            let pages = if validated.pages > 0 {
                format!("{}: ", pluralize(validated.pages, "page"))
            } else {
                String::new()
            };
            print(&format!("{text}{pages}{}\n", count(&validated.diagnostics)))?;
        }
        Format::Json => {
            let value = json!({
                "pages": validated.pages,
                "errors": errors,
                "warnings": warnings,
                "diagnostics": svc_diagnostics::render_json(&validated.diagnostics),
            });
            print(&format!("{value:#}\n"))?;
        }
    }
    Ok(exit_for(&validated.diagnostics, arguments.strict))
}
