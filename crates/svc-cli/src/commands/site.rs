//! Loading of sites.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_diagnostics::{Diagnostic, Severity, render_text};
use svc_server::{
    FetchPolicy, RemoteDocumentArgs, RemoteDocumentCache, RemoteDocumentOptions, dates,
};
use svc_site::{LoadOptions, RemoteDocuments, Site, SiteOptions};

use super::output::{eprint_escaped, exit_for, print};
use super::progress::Progress;
use crate::exit::Exit;

/// Data directory of a site, in the user's state directory.
pub(super) fn data_dir(site: &Path) -> Option<PathBuf> {
    svc_server::data_dir(None, site, |name| std::env::var_os(name).map(PathBuf::from))
}

/// Source of remote OpenAPI documents.
pub(super) fn remote_documents(
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

/// Options for loading a site in order to print it, with the dates of the last changes.
pub(super) fn load_options(site: &Path) -> LoadOptions {
    LoadOptions {
        last_modified: dates(site, data_dir(site).as_deref()),
        ..check_options(site)
    }
}

/// Options for loading a site in order to check it: remote documents are only fetched if they are
/// not cached.
pub(super) fn check_options(site: &Path) -> LoadOptions {
    LoadOptions {
        remote: remote_documents(
            &RemoteDocumentArgs::default(),
            site,
            false,
            FetchPolicy::Missing,
        ),
        ..LoadOptions::default()
    }
}

/// Options for loading a site in order to export it. Files in `outputs` that exist are not files of
/// the site.
pub(super) fn export_options<'a>(
    site: &Path,
    options: SiteOptions,
    (documents, offline): (&RemoteDocumentArgs, bool),
    outputs: impl IntoIterator<Item = &'a PathBuf>,
) -> LoadOptions {
    let mut load = LoadOptions {
        site: SiteOptions {
            export: true,
            ..options
        },
        last_modified: dates(site, data_dir(site).as_deref()),
        remote: remote_documents(documents, site, offline, FetchPolicy::All),
        ..LoadOptions::default()
    };
    let outputs = outputs.into_iter();
    load.source.excluded = outputs
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    load
}

/// Reports the problems of an export: all of them, or only those that concern protected pages.
pub(super) fn report_export(site: &Site, diagnostics: &[Diagnostic], is_verbose: bool) {
    if is_verbose {
        eprint_escaped(&render_text(diagnostics, &|path| site.text_of(path)));
    } else if let Some(notice) = svc_server::protection_notice(diagnostics) {
        eprint_escaped(&notice);
    }
}

/// Ends an export: names the command that prints the problems unless they were printed, and the
/// number of pages that could not be rendered, which is a failure.
pub(super) fn finish_export(
    dir: &Path,
    diagnostics: &[Diagnostic],
    broken: usize,
    is_verbose: bool,
    is_strict: bool,
) -> io::Result<Exit> {
    if !diagnostics.is_empty() && !is_verbose {
        print(&format!(
            "run `svc validate {}` to see the problems\n",
            dir.display()
        ))?;
    }
    if broken > 0 {
        eprint_escaped(&format!(
            "svc: {} could not be rendered\n",
            svc_server::pluralize(broken, "page")
        ));
        return Ok(Exit::Problems);
    }
    Ok(exit_for(diagnostics, is_strict))
}

/// Checks that a folder has a configuration file. The error contains the next step.
pub(super) fn check_site_dir(root: &Path) -> io::Result<()> {
    svc_server::check_dir(root).map_err(io::Error::other)
}

/// Loads a site for printing. Fatal diagnostics are printed and end the command; the progress is
/// removed from the terminal first.
pub(super) fn load_site(
    root: &Path,
    options: &LoadOptions,
    progress: &mut Option<Progress>,
) -> io::Result<Result<(Site, Vec<Diagnostic>), Exit>> {
    check_site_dir(root)?;
    let checked = svc_site::load(root, options)?;
    if checked.has(Severity::Fatal) {
        *progress = None;
        eprint_escaped(&render_text(&checked.diagnostics, &|path| {
            checked.value.text_of(path)
        }));
        return Ok(Err(Exit::Problems));
    }
    Ok(Ok((checked.value, checked.diagnostics)))
}
