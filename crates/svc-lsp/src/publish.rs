//! Diagnostics that the client shows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use lsp_types::PublishDiagnosticsParams;
use svc_diagnostics::{Diagnostic, SourceFile};

use crate::convert::diagnostic;
use crate::position::LineIndex;
use crate::project::MAX_DIAGNOSTICS;
use crate::uri::uri_of;
use crate::workspace::Workspace;

impl Workspace {
    /// Publishes the diagnostics of files for which they changed, and those of changed documents.
    pub(crate) fn publish(&mut self) {
        let current = self.diagnostics();
        let changed = std::mem::take(&mut self.changed);
        let before = std::mem::take(&mut self.published);
        let mut files: BTreeSet<&PathBuf> = changed.iter().collect();
        let differs = |path: &&PathBuf| current.get(*path) != before.get(*path);
        files.extend(current.keys().chain(before.keys()).filter(differs));
        let all: Vec<PublishDiagnosticsParams> = files
            .into_iter()
            .filter_map(|path| {
                let diagnostics = current.get(path).map_or(&[][..], Vec::as_slice);
                self.params(path, diagnostics)
            })
            .collect();
        for params in all {
            self.send("textDocument/publishDiagnostics", params);
        }
        self.published = current;
    }

    /// The diagnostics of all sites and documents by file, each from the nearest site.
    fn diagnostics(&self) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
        let mut all = BTreeMap::new();
        for project in self.projects.values() {
            for (file, diagnostics) in project.diagnostics(&self.documents) {
                let path = project.absolute(&file);
                let nearest = self.nearest_project(&path);
                if nearest.is_some_and(|nearest| nearest.root == project.root) {
                    all.insert(path, diagnostics);
                }
            }
        }
        for (path, document) in &self.documents {
            let is_data = path
                .extension()
                .is_some_and(|ending| ending == "json" || ending == "yaml" || ending == "yml");
            // OpenAPI documents are checked outside of sites, too.
            if is_data
                && self.nearest_project(path).is_none()
                && svc_openapi::looks_like_openapi(&document.text)
            {
                let name = path.to_string_lossy().into_owned();
                let file = SourceFile::new(name, document.text.clone());
                let mut diagnostics = svc_openapi::parse(&file).diagnostics;
                diagnostics.truncate(MAX_DIAGNOSTICS);
                all.insert(path.clone(), diagnostics);
            }
        }
        all
    }

    /// The notification for a file. `None` if the file has no URI.
    fn params(
        &self,
        path: &PathBuf,
        diagnostics: &[Diagnostic],
    ) -> Option<PublishDiagnosticsParams> {
        let document = self.documents.get(path);
        let uri = match document {
            Some(document) => document.uri.clone(),
            None => uri_of(path)?,
        };
        let project = self.nearest_project(path);
        let name = project.and_then(|project| project.relative(path));
        let text = match document {
            Some(document) => &*document.text,
            None => project
                .zip(name.as_deref())
                .and_then(|(project, name)| project.site.text_of(name))
                .unwrap_or_default(),
        };
        let index = LineIndex::new(text, self.client.encoding);
        let convert = |one: &Diagnostic| diagnostic(self, project, &index, one);
        Some(PublishDiagnosticsParams {
            uri,
            diagnostics: diagnostics.iter().map(convert).collect(),
            version: document.map(|document| document.version),
        })
    }
}
