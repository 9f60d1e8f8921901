//! From bytes to text.

use svc_diagnostics::{Checked, Diagnostic, SourceFile};

use crate::codes::ENCODING;

/// The text of a file; anything but UTF-8 is an error that names the encoding.
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
