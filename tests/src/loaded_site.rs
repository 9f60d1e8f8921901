//! Whole sites for tests: from a folder or from files in memory.

use std::io;
use std::path::Path;
use std::sync::Arc;

use svc_diagnostics::{Checked, Diagnostic};
use svc_site::{ExportOptions, ExportReport, LoadOptions, Site};
use svc_source::SourceTree;

/// A site and what was found while it was loaded.
#[derive(Debug)]
pub struct LoadedSite {
    /// The site.
    pub site: Arc<Site>,
    /// Problems of all stages before rendering.
    pub diagnostics: Vec<Diagnostic>,
}

impl From<Checked<Site>> for LoadedSite {
    fn from(checked: Checked<Site>) -> Self {
        // Sites of tests are harmless; the children of a server have tests of their own.
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
    /// When the folder cannot be read.
    pub fn load(root: &Path) -> io::Result<Self> {
        Ok(svc_site::load(root, &LoadOptions::default())?.into())
    }

    /// The site of files in memory: paths and texts.
    ///
    /// # Errors
    /// When the site cannot be assembled at all.
    pub fn of_files<P: AsRef<str>, T: AsRef<str>>(
        files: impl IntoIterator<Item = (P, T)>,
    ) -> io::Result<Self> {
        let tree = SourceTree::from_files(files);
        Ok(svc_site::assemble(tree, &LoadOptions::default())?.into())
    }

    /// The document at a canonical path.
    pub fn page(&self, path: &str) -> Option<String> {
        let page = self.site.page(path)?;
        Some(String::from_utf8_lossy(&page.html.bytes).into_owned())
    }

    /// Draws every page, the one for wrong addresses too, and gives the problems of pages.
    pub fn render_all(&self) -> Vec<Diagnostic> {
        self.site.render_all(threads(), &|| true);
        assert!(
            !self.site.not_found("/no/such/page").is_empty(),
            "no page for wrong addresses"
        );
        self.site.page_diagnostics(threads())
    }

    /// Writes the site into a folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn export(&self, out: &Path) -> io::Result<ExportReport> {
        svc_site::export(&self.site, out, &ExportOptions::default())
    }
}

/// The problems that are a mistake of the program, one line each.
pub fn own_mistakes(diagnostics: &[Diagnostic]) -> Vec<String> {
    let own = diagnostics
        .iter()
        .filter(|found| found.code.id == "internal-error");
    own.map(|found| format!("{} {}", found.location_string(), found.message))
        .collect()
}

/// One thread per processor.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
