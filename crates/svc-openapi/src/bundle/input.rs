//! Input files and references to their values.

use std::rc::Rc;

use svc_data::{Node, at_pointer};
use svc_diagnostics::SourceFile;

/// A parsed file.
pub(super) struct InputFile {
    /// Path from the directory of the document.
    pub(super) path: String,
    pub(super) file: SourceFile,
    pub(super) root: Node,
}

/// The target of a reference.
pub(super) struct ResolvedRef {
    pub(super) part: Rc<InputFile>,
    pub(super) pointer: String,
}

impl ResolvedRef {
    pub(super) fn node(&self) -> Option<&Node> {
        at_pointer(&self.part.root, &self.pointer)
    }
}
