//! Diagnostic codes of this crate.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

pub(crate) static TOO_LARGE: DiagnosticCode = diagnostic_code!(
    error,
    "source-too-large",
    "a text file exceeds the size limit"
);
pub(crate) static FILE_LIMIT: DiagnosticCode = diagnostic_code!(
    fatal,
    "source-too-many-files",
    "the repository exceeds the limit of files"
);
pub(crate) static INVALID_UTF8: DiagnosticCode =
    diagnostic_code!(warning, "source-not-utf8", "a text file is not valid UTF-8");
pub(crate) static UNREADABLE: DiagnosticCode = diagnostic_code!(
    error,
    "source-unreadable",
    "a file or folder cannot be read"
);
pub(crate) static ESCAPING_LINK: DiagnosticCode = diagnostic_code!(
    warning,
    "source-link-outside",
    "a symbolic link points outside of the repository"
);
pub(crate) static OLD_IGNORE: DiagnosticCode = diagnostic_code!(
    info,
    "source-old-ignore-file",
    "an ignore file has its old name"
);
pub(crate) static BAD_NAME: DiagnosticCode =
    diagnostic_code!(warning, "source-bad-name", "a file name is not valid UTF-8");
pub(crate) static DUPLICATE_PAGE: DiagnosticCode = diagnostic_code!(
    warning,
    "source-duplicate-page",
    "two files produce the same page"
);
pub(crate) static SAME_LETTERS: DiagnosticCode = diagnostic_code!(
    warning,
    "source-same-letters",
    "the file names of two pages differ only in case"
);
pub(crate) static UNCLOSED: DiagnosticCode = diagnostic_code!(
    error,
    "front-matter-unclosed",
    "the front matter has no closing fence"
);
pub(crate) static EXPECTED_MAP: DiagnosticCode = diagnostic_code!(
    error,
    "front-matter-not-a-map",
    "the front matter is not a map of keys and values"
);
pub(crate) static WRONG_TYPE: DiagnosticCode = diagnostic_code!(
    error,
    "front-matter-wrong-type",
    "a front matter field has the wrong type"
);
pub(crate) static UNKNOWN_MODE: DiagnosticCode = diagnostic_code!(
    warning,
    "front-matter-unknown-mode",
    "the page mode is unknown"
);
pub(crate) static UNKNOWN_KEY: DiagnosticCode = diagnostic_code!(
    info,
    "front-matter-unknown-key",
    "a front matter field is unknown and similar to a known one"
);
/// All diagnostic codes of this crate.
pub static CODES: &[&DiagnosticCode] = &[
    &TOO_LARGE,
    &FILE_LIMIT,
    &INVALID_UTF8,
    &UNREADABLE,
    &ESCAPING_LINK,
    &OLD_IGNORE,
    &BAD_NAME,
    &DUPLICATE_PAGE,
    &SAME_LETTERS,
    &UNCLOSED,
    &EXPECTED_MAP,
    &WRONG_TYPE,
    &UNKNOWN_MODE,
    &UNKNOWN_KEY,
];
