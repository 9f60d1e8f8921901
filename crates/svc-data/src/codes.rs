//! The codes of this crate.

use svc_diagnostics::Code;

/// A document is not well-formed.
pub(crate) static SYNTAX: Code = Code::error("data-syntax", "the document is not well-formed");
/// A construct that JSON does not allow but whose meaning is clear.
pub(crate) static RELAXED: Code = Code::warning(
    "data-not-strict-json",
    "comments and trailing commas are not JSON",
);
/// The same key twice in one object.
pub(crate) static DUPLICATE: Code =
    Code::error("data-duplicate-key", "a key stands twice in one object");
/// Too large, too deep, too many nodes.
pub(crate) static LIMIT: Code = Code::error("data-limit", "a document exceeds a safety limit");

/// All codes of this crate.
pub static CODES: &[&Code] = &[&SYNTAX, &RELAXED, &DUPLICATE, &LIMIT];
