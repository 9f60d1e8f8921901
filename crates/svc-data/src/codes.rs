//! Diagnostic codes of this crate.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

/// A document is not well-formed.
pub(crate) static SYNTAX: DiagnosticCode =
    diagnostic_code!(error, "data-syntax", "the document has a syntax error");
/// A construct that JSON does not allow but whose meaning is clear.
pub(crate) static RELAXED: DiagnosticCode = diagnostic_code!(
    warning,
    "data-not-strict-json",
    "a comment, trailing comma or quoting is not allowed in JSON"
);
/// A key occurs more than once in an object.
pub(crate) static DUPLICATE: DiagnosticCode = diagnostic_code!(
    error,
    "data-duplicate-key",
    "a key appears twice in one object"
);
/// Too large, too deep, too many nodes.
pub(crate) static LIMIT: DiagnosticCode =
    diagnostic_code!(error, "data-limit", "a document exceeds a safety limit");

/// All diagnostic codes of this crate.
pub static CODES: &[&DiagnosticCode] = &[&SYNTAX, &RELAXED, &DUPLICATE, &LIMIT];
