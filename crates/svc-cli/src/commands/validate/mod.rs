//! `svc validate`.

pub(super) mod fix;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use svc_server::{FetchPolicy, RemoteDocumentArgs};
use svc_site::{LoadOptions, Validation};

use self::fix::Fixes;
use super::output::{exit_for, with_path};
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
    let validated = svc_site::validate(path, &load).map_err(|error| with_path(path, &error))?;
    drop(progress);
    let outcome = CheckOutcome {
        validation: validated,
        dir,
        start,
        fix_command: &fix_command("validate", path),
    };
    let fixes = arguments.fix.then_some(Fixes {
        dir,
        is_dry_run: arguments.dry_run,
    });
    outcome.finish(fixes, &load, (arguments.format, arguments.strict))
}

/// What a check has found, and how to report it.
pub(super) struct CheckOutcome<'a> {
    pub(super) validation: Validation,
    /// Folder that the paths of the diagnostics are relative to.
    pub(super) dir: &'a Path,
    /// When the command began.
    pub(super) start: Instant,
    /// The command that applies fixes.
    pub(super) fix_command: &'a str,
}

impl CheckOutcome<'_> {
    /// Applies the fixes if they are wanted, and prints what is left. `load` are the options of the
    /// check, and `strict` is whether warnings fail.
    pub(super) fn finish(
        self,
        fixes: Option<Fixes<'_>>,
        load: &LoadOptions,
        (format, strict): (Format, bool),
    ) -> io::Result<Exit> {
        let fix_command = fixes.is_none().then_some(self.fix_command);
        let validated = match fixes {
            Some(fixes) => fixes.apply(self.validation, load)?,
            None => self.validation,
        };
        let report = Report {
            diagnostics: &validated.diagnostics,
            pages: validated.pages,
            dir: self.dir,
            start: self.start,
            fix_command,
            text: &|| validated.render_text(),
        };
        report.print(format)?;
        Ok(exit_for(&validated.diagnostics, strict))
    }
}

/// The command that applies fixes, for the path that was checked.
pub(super) fn fix_command(name: &str, path: &Path) -> String {
    let command = format!("svc {name} --fix");
    match path.to_str() {
        None | Some(".") => command,
        Some(path) => format!("{command} {path}"),
    }
}
