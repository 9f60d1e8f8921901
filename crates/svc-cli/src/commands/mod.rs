//! The commands: each module has its arguments and `run`.

pub(crate) mod build;
mod color;
mod control;
pub(crate) mod deploy;
pub(crate) mod dev;
pub(crate) mod dump;
pub(crate) mod jobs;
pub(crate) mod keys;
pub(crate) mod migrate;
pub(crate) mod nav;
pub(crate) mod openapi;
pub(crate) mod projects;
pub(crate) mod rollback;
pub(crate) mod serve;
mod serve_loop;
pub(crate) mod status;
mod store_cli;
mod timings;
pub(crate) mod validate;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_diagnostics::{Diagnostic, Severity, escape_control_chars, render_text};
use svc_server::{FetchPolicy, RemoteDocumentArgs, RemoteDocumentCache, RemoteDocumentOptions};
use svc_server::{dates, pluralize};
use svc_site::{LoadOptions, RemoteDocuments, Site};

use crate::args::Command;
use crate::exit::Exit;

pub(crate) fn run(command: &Command) -> io::Result<Exit> {
    match command {
        Command::Validate(arguments) => validate::run(arguments),
        Command::Dev(arguments) => dev::run(arguments),
        Command::Build(arguments) => build::run(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Deploy(arguments) => deploy::run(arguments),
        Command::Status(arguments) => status::run(arguments),
        Command::Rollback(arguments) => rollback::run(arguments),
        Command::Projects(arguments) => projects::run(arguments),
        Command::Keys(arguments) => keys::run(arguments),
        Command::Jobs(arguments) => jobs::run(arguments),
        Command::Nav(arguments) => nav::run(arguments),
        Command::Openapi(arguments) => openapi::run(arguments),
        Command::Dump(arguments) => dump::run(arguments),
        Command::Migrate(arguments) => migrate::run(arguments),
    }
}

/// Prints text. A closed pipe (`| head`) is not an error.
fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Prints to standard error with control characters escaped, because quoted text may be untrusted.
fn eprint_escaped(text: &str) {
    let mut text = escape_control_chars(text);
    if color::has_colors(&io::stderr()) {
        text = color::colorize(&text);
    }
    // There is no way to report an error of standard error.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Data directory of a site, in the user's state directory.
fn data_dir(site: &Path) -> Option<PathBuf> {
    svc_server::data_dir(None, site, |name| std::env::var_os(name).map(PathBuf::from))
}

/// Source of remote OpenAPI documents.
fn remote_documents(
    flags: &RemoteDocumentArgs,
    site: &Path,
    offline: bool,
    fetch_policy: FetchPolicy,
) -> Option<Arc<dyn RemoteDocuments>> {
    let options = RemoteDocumentOptions {
        fetch_policy,
        ..flags.options(data_dir(site), offline)
    };
    Some(RemoteDocumentCache::new(options).source())
}

/// Options for loading a site in order to print it: remote documents are only fetched if they are
/// not cached.
fn load_options(site: &Path) -> LoadOptions {
    LoadOptions {
        last_modified: dates(site, data_dir(site).as_deref()),
        remote: remote_documents(
            &RemoteDocumentArgs::default(),
            site,
            false,
            FetchPolicy::Missing,
        ),
        ..LoadOptions::default()
    }
}

/// Checks that a folder has a configuration file. The error contains the next step.
fn check_site_dir(root: &Path) -> io::Result<()> {
    svc_server::check_dir(root).map_err(io::Error::other)
}

/// Loads a site for printing. Fatal diagnostics are printed and end the command.
fn load_site(
    root: &Path,
    options: &LoadOptions,
) -> io::Result<Result<(Site, Vec<Diagnostic>), Exit>> {
    check_site_dir(root)?;
    let checked = svc_site::load(root, options)?;
    if checked.has(Severity::Fatal) {
        eprint_escaped(&render_text(&checked.diagnostics, &|path| {
            checked.value.text_of(path)
        }));
        return Ok(Err(Exit::Problems));
    }
    Ok(Ok((checked.value, checked.diagnostics)))
}

/// Exit status for diagnostics; `strict` also fails on warnings.
fn exit_for(diagnostics: &[Diagnostic], strict: bool) -> Exit {
    let least = match strict {
        true => Severity::Warning,
        false => Severity::Error,
    };
    match diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity >= least)
    {
        true => Exit::Problems,
        false => Exit::Success,
    }
}

/// Counts diagnostics: `3 errors, 1 warning`, or `no problems`.
fn count(diagnostics: &[Diagnostic]) -> String {
    let names = [
        (Severity::Fatal, "fatal problem"),
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Info, "note"),
    ];
    let parts: Vec<String> = names
        .into_iter()
        .map(|(severity, name)| {
            (
                diagnostics
                    .iter()
                    .filter(|d| d.severity == severity)
                    .count(),
                name,
            )
        })
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| pluralize(count, name))
        .collect();
    if parts.is_empty() {
        "no problems".to_owned()
    } else {
        parts.join(", ")
    }
}
