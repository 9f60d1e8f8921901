//! The site as a ZIP archive that works from `file:` URLs.

use std::io;
use std::path::Path;

use svc_site::{ExportOptions, RedirectFormat, Site};

use super::Output;

/// Writes the archive. The files are written to a temporary directory first.
pub(super) fn write(site: &Site, output: &Path) -> io::Result<Output> {
    let dir = tempfile::tempdir()?;
    let options = ExportOptions {
        redirects: [RedirectFormat::Html].into(),
        ..ExportOptions::default()
    };
    let report = svc_site::export(site, dir.path(), &options)?;
    let bytes = svc_site::archive(dir.path(), &report.manifest, output)?;
    Ok(Output {
        pages: report.pages,
        bytes,
        broken: report.broken,
        diagnostics: report.diagnostics,
    })
}
