//! Complete sites for tests: from a directory or from files in memory.

use std::io;
use std::path::Path;
use std::sync::Arc;

use svc_diagnostics::{Checked, Diagnostic};
use svc_site::{ExportOptions, ExportReport, LoadOptions, Site};
use svc_source::SourceTree;

/// A site and the diagnostics of loading it.
#[derive(Debug)]
pub struct LoadedSite {
    /// The site.
    pub site: Arc<Site>,
    /// Diagnostics of all stages before rendering.
    pub diagnostics: Vec<Diagnostic>,
}

impl From<Checked<Site>> for LoadedSite {
    fn from(checked: Checked<Site>) -> Self {
        // Sites of tests are trusted; the child processes of a server have their own tests.
        svc_site::worker::trust_components();
        Self {
            site: Arc::new(checked.value),
            diagnostics: checked.diagnostics,
        }
    }
}

impl LoadedSite {
    /// Loads a repository.
    ///
    /// # Errors
    /// Fails if the directory cannot be read.
    pub fn load(root: &Path) -> io::Result<Self> {
        Ok(svc_site::load(root, &LoadOptions::default())?.into())
    }

    /// Loads a site from files in memory: paths and texts.
    ///
    /// # Errors
    /// Fails if the site cannot be assembled.
    pub fn of_files<P: AsRef<str>, T: AsRef<str>>(
        files: impl IntoIterator<Item = (P, T)>,
    ) -> io::Result<Self> {
        let tree = SourceTree::from_files(files);
        Ok(svc_site::assemble(tree, &LoadOptions::default())?.into())
    }

    /// Returns the document at a canonical path; `None` if there is none.
    pub fn page(&self, path: &str) -> Option<String> {
        let page = self.site.page(path)?;
        Some(String::from_utf8_lossy(&page.html.bytes).into_owned())
    }

    /// Renders every page and the page for unknown paths; returns the diagnostics of pages.
    pub fn render_all(&self) -> Vec<Diagnostic> {
        self.site.render_all(threads(), &|| true);
        assert!(
            !self.site.not_found("/no/such/page").is_empty(),
            "no page for unknown paths"
        );
        self.site.page_diagnostics(threads())
    }

    /// Exports the site to a directory.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn export(&self, out: &Path) -> io::Result<ExportReport> {
        svc_site::export(&self.site, out, &ExportOptions::default())
    }
}

/// Returns the diagnostics that report a bug of this program, one line each.
pub fn program_errors(diagnostics: &[Diagnostic]) -> Vec<String> {
    let own = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == "internal-error");
    own.map(|diagnostic| format!("{} {}", diagnostic.location_string(), diagnostic.message))
        .collect()
}

/// Returns the number of processors.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
