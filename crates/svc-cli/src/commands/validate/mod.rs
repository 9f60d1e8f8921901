//! `svc validate`.

pub(super) mod fix;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use svc_server::{FetchPolicy, RemoteDocumentArgs};
use svc_site::LoadOptions;

use self::fix::Fixes;
use super::output::exit_for;
use super::progress::Progress;
use super::report::{Format, Report};
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
    /// Fix the problems that have only one solution
    #[arg(long)]
    fix: bool,
    /// With `--fix`: show the changes as a unified diff and write nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// Fail on warnings
    #[arg(long)]
    strict: bool,
    /// Do not fetch remote OpenAPI documents; use cached copies
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    remote_documents: RemoteDocumentArgs,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let start = Instant::now();
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
    let progress = Progress::start();
    let validated = svc_site::validate(path, &load).map_err(with_path)?;
    drop(progress);
    let validated = match arguments.fix {
        true => {
            let is_dry_run = arguments.dry_run;
            Fixes { dir, is_dry_run }.apply(validated, &load)?
        }
        false => validated,
    };
    let command = fix_command("validate", path);
    let report = Report {
        diagnostics: &validated.diagnostics,
        pages: validated.pages,
        dir,
        start,
        fix_command: (!arguments.fix).then_some(&*command),
        text: &|| validated.render_text(),
    };
    report.print(arguments.format)?;
    Ok(exit_for(&validated.diagnostics, arguments.strict))
}

/// The command that applies fixes, for the path that was checked.
pub(super) fn fix_command(name: &str, path: &Path) -> String {
    let command = format!("svc {name} --fix");
    match path.to_str() {
        None | Some(".") => command,
        Some(path) => format!("{command} {path}"),
    }
}
