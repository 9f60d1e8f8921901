//! Decoding of bytes to text.

use svc_diagnostics::{Checked, Diagnostic, SourceFile};

use crate::codes::ENCODING;

/// Decodes the text of a file. Any encoding but UTF-8 is reported as an error that names it.
pub(super) fn decode(path: &str, bytes: &[u8]) -> Checked<SourceFile> {
    let foreign = match svc_diagnostics::decode(bytes.to_vec()) {
        Ok(text) => return Checked::clean(SourceFile::new(path, text)),
        Err(foreign) => foreign,
    };
    let file = SourceFile::new(path, foreign.text);
    let message = format!("`{path}` {}", foreign.problem);
    let problem = Diagnostic::new(&ENCODING, message)
        .at(file.location(foreign.span))
        .pointer("")
        .hint(foreign.hint);
    Checked {
        value: file,
        diagnostics: vec![problem],
    }
}
