//! What the stages store for the next build.

use std::sync::Arc;

use svc_diagnostics::{Diagnostic, SourceFile};
use svc_nav::Audience;

use crate::dates::LastModified;
use crate::dependencies::DependencySet;
use crate::remote::RemoteStage;

/// Diagnostics and dependencies of the stages.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    /// Diagnostics of reading the directory.
    pub(crate) source: Vec<Diagnostic>,
    pub(super) config: ConfigStage,
    pub(super) pages: Vec<Diagnostic>,
    pub(super) documents: Arc<Vec<ReadDocument>>,
    pub(crate) remote: RemoteStage,
    pub(super) map: Vec<Diagnostic>,
    pub(super) audience: Audience,
    /// Dates of the last changes; `None` when no page shows them.
    pub(crate) last_modified: Option<LastModified>,
}

impl Stages {
    /// The diagnostics of all stages, in order.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let documents = self.documents.iter().flat_map(|read| &read.diagnostics);
        let before = [
            &self.source,
            &self.config.encoding,
            &self.config.diagnostics,
            &self.pages,
        ];
        let after = [&self.remote.diagnostics, &self.map];
        let all = before.into_iter().flatten().chain(documents);
        all.chain(after.into_iter().flatten()).cloned().collect()
    }
}

/// Diagnostics and dependencies of the configuration.
#[derive(Debug, Default, Clone)]
pub(super) struct ConfigStage {
    /// Diagnostics about the encoding of the file, whose text was converted.
    pub(super) encoding: Vec<Diagnostic>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) dependencies: DependencySet,
}

/// A file that looks like an OpenAPI document or should be a list of MCP tools, and its
/// diagnostics.
#[derive(Debug)]
pub(super) struct ReadDocument {
    pub(super) file: SourceFile,
    pub(super) is_tool_list: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
}
