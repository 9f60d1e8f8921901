//! Diagnostics of this crate.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

/// The document has no readable root object.
pub(crate) static UNREADABLE: DiagnosticCode =
    diagnostic_code!(fatal, "config-unreadable", "docs.json is not a JSON object");
/// The file is not UTF-8.
pub(crate) static ENCODING: DiagnosticCode = diagnostic_code!(
    error,
    "config-encoding",
    "a configuration is not written in UTF-8"
);
/// The document is too deep or too large once all references are resolved.
pub(crate) static LIMIT: DiagnosticCode = diagnostic_code!(
    error,
    "config-limit",
    "a configuration exceeds a safety limit"
);
/// The file of a `$ref` does not exist.
pub(crate) static REF_MISSING: DiagnosticCode = diagnostic_code!(
    error,
    "config-ref-missing",
    "the file of a `$ref` does not exist"
);
/// A `$ref` points outside of the repository.
pub(crate) static REF_ESCAPES: DiagnosticCode = diagnostic_code!(
    error,
    "config-ref-outside",
    "a `$ref` points outside of the repository"
);
/// A `$ref` refers to a file that is being resolved.
pub(crate) static REF_CYCLE: DiagnosticCode =
    diagnostic_code!(error, "config-ref-cycle", "a `$ref` refers to itself");
/// The file of a `$ref` is not JSON.
pub(crate) static REF_INVALID: DiagnosticCode = diagnostic_code!(
    error,
    "config-ref-invalid",
    "the file of a `$ref` is not valid JSON"
);
/// A value of the wrong type.
pub(crate) static TYPE: DiagnosticCode =
    diagnostic_code!(error, "config-type", "a value has the wrong type");
/// A value of the wrong type that is ignored.
pub(crate) static TYPE_IGNORED: DiagnosticCode = diagnostic_code!(
    warning,
    "config-type-ignored",
    "a value of the wrong type is ignored"
);
/// A required key is missing.
pub(crate) static MISSING: DiagnosticCode =
    diagnostic_code!(error, "config-missing", "a required key is missing");
/// A text or list is empty.
pub(crate) static EMPTY: DiagnosticCode =
    diagnostic_code!(error, "config-empty", "a text or list is empty");
/// An empty list where one is allowed.
pub(crate) static EMPTY_LIST: DiagnosticCode =
    diagnostic_code!(warning, "config-empty-list", "a list has no entries");
/// A value that is not in its list of allowed values.
pub(crate) static INVALID_VALUE: DiagnosticCode = diagnostic_code!(
    error,
    "config-invalid-value",
    "a value is not one of the allowed values"
);
/// A value that is not in a list that others may extend.
pub(crate) static UNKNOWN_VALUE: DiagnosticCode = diagnostic_code!(
    warning,
    "config-unknown-value",
    "a name is unknown and may have no effect"
);
/// A color that is not `#` and hex digits.
pub(crate) static COLOR: DiagnosticCode =
    diagnostic_code!(error, "config-color", "a color is not a hex code");
/// An invalid URL or link.
pub(crate) static URL: DiagnosticCode =
    diagnostic_code!(error, "config-url", "a URL or link is not valid");
/// An invalid link that is ignored.
pub(crate) static URL_IGNORED: DiagnosticCode = diagnostic_code!(
    warning,
    "config-url-ignored",
    "a link is not valid and is ignored"
);
/// An unknown key.
pub(crate) static UNKNOWN_KEY: DiagnosticCode = diagnostic_code!(
    warning,
    "config-unknown-key",
    "a key is unknown and has no effect"
);
/// A key that is accepted but not implemented.
pub(crate) static UNSUPPORTED: DiagnosticCode = diagnostic_code!(
    warning,
    "config-unsupported",
    "a key is accepted but has no effect yet"
);
/// A value that is accepted but rendered differently.
pub(crate) static INEFFECTIVE: DiagnosticCode = diagnostic_code!(
    warning,
    "config-not-shown",
    "a value is accepted, but shown differently"
);
/// A Mintlify spelling of an svc name.
pub(crate) static ALIAS: DiagnosticCode =
    diagnostic_code!(info, "config-alias", "an older spelling is used");
/// The file is `mint.json`.
pub(crate) static LEGACY: DiagnosticCode =
    diagnostic_code!(info, "config-legacy-file", "mint.json is read as docs.json");
/// A duplicate entry.
pub(crate) static DUPLICATE: DiagnosticCode =
    diagnostic_code!(error, "config-duplicate", "an entry appears twice");
/// A duplicate default entry; the first one is used.
pub(crate) static DUPLICATE_DEFAULT: DiagnosticCode = diagnostic_code!(
    warning,
    "config-duplicate-default",
    "more than one entry is the default"
);
/// A value that violates a rule of its key.
pub(crate) static VALUE: DiagnosticCode =
    diagnostic_code!(error, "config-value", "a value is not allowed");
/// An image path without a file extension.
pub(crate) static IMAGE: DiagnosticCode = diagnostic_code!(
    warning,
    "config-image-extension",
    "the path of an image has no file extension"
);
/// An icon name with the prefix `fa-`.
pub(crate) static ICON: DiagnosticCode =
    diagnostic_code!(error, "config-icon", "an icon name has the prefix `fa-`");
/// An icon name that the library does not have.
pub(crate) static ICON_UNKNOWN: DiagnosticCode = diagnostic_code!(
    warning,
    "config-icon-unknown",
    "the icon library has no such icon"
);
/// A referenced file that does not exist.
pub(crate) static FILE_MISSING: DiagnosticCode = diagnostic_code!(
    warning,
    "config-file-missing",
    "a file that the configuration refers to does not exist"
);
/// More than one kind of children at one level.
pub(crate) static MIXED: DiagnosticCode = diagnostic_code!(
    error,
    "nav-mixed-patterns",
    "one level of the navigation mixes several kinds of elements"
);
/// A menu item with content that Mintlify does not document.
pub(crate) static MENU: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-menu-content",
    "a menu item contains more than groups, pages or a link"
);
/// Content beside `href`.
pub(crate) static LINK_CONTENT: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-link-content",
    "an element has both a link and content"
);
/// Content beside `ref`.
pub(crate) static REF_CONTENT: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-version-ref-content",
    "a version has both a `ref` and content"
);
/// `ref` where it has no effect.
pub(crate) static REF_POSITION: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-version-ref-position",
    "the `ref` of a version has no effect at this level"
);
/// A `ref` that cannot be a branch, tag or commit.
pub(crate) static REF_NAME: DiagnosticCode = diagnostic_code!(
    error,
    "nav-version-ref-name",
    "the `ref` of a version is not the name of a branch, tag or commit"
);
/// A group without pages.
pub(crate) static GROUP_PAGES: DiagnosticCode = diagnostic_code!(
    error,
    "nav-group-pages",
    "a group has no pages, no OpenAPI document and no root"
);

/// A setting of `mint.json` without a counterpart.
pub(crate) static DROPPED: DiagnosticCode = diagnostic_code!(
    info,
    "config-migrate-dropped",
    "a setting of mint.json has no counterpart"
);
/// `$ref` in `mint.json`.
pub(crate) static MIGRATE_REF: DiagnosticCode = diagnostic_code!(
    warning,
    "config-migrate-reference",
    "a `$ref` in mint.json is not migrated"
);
/// A key is set in both spellings in one object.
pub(crate) static DUPLICATE_SPELLING: DiagnosticCode = diagnostic_code!(
    warning,
    "config-migrate-both",
    "a key is set in its old and in its new spelling"
);

/// All diagnostics of this crate.
pub static CODES: &[&DiagnosticCode] = &[
    &UNREADABLE,
    &ENCODING,
    &LIMIT,
    &REF_MISSING,
    &REF_ESCAPES,
    &REF_CYCLE,
    &REF_INVALID,
    &TYPE,
    &TYPE_IGNORED,
    &MISSING,
    &EMPTY,
    &EMPTY_LIST,
    &INVALID_VALUE,
    &UNKNOWN_VALUE,
    &COLOR,
    &URL,
    &URL_IGNORED,
    &UNKNOWN_KEY,
    &UNSUPPORTED,
    &INEFFECTIVE,
    &ALIAS,
    &LEGACY,
    &DUPLICATE,
    &DUPLICATE_DEFAULT,
    &VALUE,
    &IMAGE,
    &ICON,
    &ICON_UNKNOWN,
    &FILE_MISSING,
    &MIXED,
    &MENU,
    &LINK_CONTENT,
    &REF_CONTENT,
    &REF_POSITION,
    &REF_NAME,
    &GROUP_PAGES,
    &DROPPED,
    &MIGRATE_REF,
    &DUPLICATE_SPELLING,
];
