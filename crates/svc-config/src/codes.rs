//! The codes of this crate.

use svc_diagnostics::DiagnosticCode;

/// There is no object to read.
pub(crate) static UNREADABLE: DiagnosticCode =
    DiagnosticCode::fatal("config-unreadable", "docs.json is not a JSON object");
/// Not UTF-8.
pub(crate) static ENCODING: DiagnosticCode =
    DiagnosticCode::error("config-encoding", "a configuration is not written in UTF-8");
/// Too deep or too large once all references are followed.
pub(crate) static LIMIT: DiagnosticCode =
    DiagnosticCode::error("config-limit", "a configuration exceeds a safety limit");
/// `$ref` names a file that is not there.
pub(crate) static REF_MISSING: DiagnosticCode = DiagnosticCode::error(
    "config-ref-missing",
    "a `$ref` names a file that does not exist",
);
/// `$ref` leaves the repository.
pub(crate) static REF_ESCAPES: DiagnosticCode =
    DiagnosticCode::error("config-ref-outside", "a `$ref` points outside of the repository");
/// `$ref` leads back to a file that is being read.
pub(crate) static REF_CYCLE: DiagnosticCode = DiagnosticCode::error("config-ref-cycle", "a `$ref` refers to itself");
/// `$ref` names a file that is not JSON.
pub(crate) static REF_INVALID: DiagnosticCode = DiagnosticCode::error(
    "config-ref-invalid",
    "a `$ref` names a file that is not valid JSON",
);
/// A value of the wrong type.
pub(crate) static TYPE: DiagnosticCode = DiagnosticCode::error("config-type", "a value has the wrong type");
/// A value of the wrong type where the value is left out without harm.
pub(crate) static TYPE_IGNORED: DiagnosticCode = DiagnosticCode::warning(
    "config-type-ignored",
    "a value of the wrong type is ignored",
);
/// A required key is missing.
pub(crate) static MISSING: DiagnosticCode = DiagnosticCode::error("config-missing", "a required key is missing");
/// A text is empty or too short.
pub(crate) static EMPTY: DiagnosticCode = DiagnosticCode::error("config-empty", "a text or list is empty");
/// An empty list where one is allowed but useless.
pub(crate) static EMPTY_LIST: DiagnosticCode = DiagnosticCode::warning("config-empty-list", "a list has no entries");
/// A word that is not in the list.
pub(crate) static INVALID_VALUE: DiagnosticCode = DiagnosticCode::error("config-invalid-value", "a value is not one of the allowed values");
/// A word that may come from elsewhere.
pub(crate) static UNKNOWN_VALUE: DiagnosticCode = DiagnosticCode::warning(
    "config-unknown-value",
    "a name is unknown and may have no effect",
);
/// A colour that is not `#` and digits.
pub(crate) static COLOR: DiagnosticCode = DiagnosticCode::error("config-color", "a color is not a hex code");
/// A URL or link that is none.
pub(crate) static URL: DiagnosticCode = DiagnosticCode::error("config-url", "a URL or link is not valid");
/// A link that is left out.
pub(crate) static URL_IGNORED: DiagnosticCode =
    DiagnosticCode::warning("config-url-ignored", "a link is not valid and is ignored");
/// An unknown key.
pub(crate) static UNKNOWN_KEY: DiagnosticCode =
    DiagnosticCode::warning("config-unknown-key", "a key is unknown and has no effect");
/// A key that is understood but does nothing yet.
pub(crate) static UNSUPPORTED: DiagnosticCode = DiagnosticCode::warning(
    "config-unsupported",
    "a key is accepted but has no effect yet",
);
/// A value that readers see otherwise.
pub(crate) static INEFFECTIVE: DiagnosticCode = DiagnosticCode::warning(
    "config-not-shown",
    "a value is accepted, but shown differently",
);
/// The reference's spelling of one of our names.
pub(crate) static ALIAS: DiagnosticCode = DiagnosticCode::info("config-alias", "an older spelling is used");
/// `mint.json`.
pub(crate) static LEGACY: DiagnosticCode = DiagnosticCode::info("config-legacy-file", "mint.json is read as docs.json");
/// The same thing twice.
pub(crate) static DUPLICATE: DiagnosticCode = DiagnosticCode::error("config-duplicate", "duplicate entry");
/// The same thing twice, harmlessly.
pub(crate) static DUPLICATE_DEFAULT: DiagnosticCode = DiagnosticCode::warning(
    "config-duplicate-default",
    "more than one entry is the default",
);
/// A value that breaks a rule of its own.
pub(crate) static VALUE: DiagnosticCode = DiagnosticCode::error("config-value", "a value is not allowed");
/// A picture without file extension.
pub(crate) static IMAGE: DiagnosticCode = DiagnosticCode::warning(
    "config-image-extension",
    "the path of an image has no file extension",
);
/// An icon name with the prefix `fa-`.
pub(crate) static ICON: DiagnosticCode = DiagnosticCode::error("config-icon", "an icon name has the prefix `fa-`");
/// An icon name that the library does not have.
pub(crate) static ICON_UNKNOWN: DiagnosticCode =
    DiagnosticCode::warning("config-icon-unknown", "the icon library has no such icon");
/// A file that is named but not there.
pub(crate) static FILE_MISSING: DiagnosticCode = DiagnosticCode::warning(
    "config-file-missing",
    "a file that the configuration names does not exist",
);
/// An accent colour that cannot be read on the page.
pub(crate) static CONTRAST: DiagnosticCode = DiagnosticCode::info(
    "config-contrast",
    "an accent color has too little contrast with the background",
);
/// Several patterns at one level.
pub(crate) static MIXED: DiagnosticCode = DiagnosticCode::error(
    "nav-mixed-patterns",
    "one level of the navigation mixes several kinds of elements",
);
/// A menu item with something the specification does not allow.
pub(crate) static MENU: DiagnosticCode = DiagnosticCode::warning(
    "nav-menu-content",
    "a menu item contains more than groups, pages or a link",
);
/// Content beside `href`.
pub(crate) static LINK_CONTENT: DiagnosticCode =
    DiagnosticCode::warning("nav-link-content", "an element has both a link and content");
/// A group without pages.
pub(crate) static GROUP_PAGES: DiagnosticCode = DiagnosticCode::error(
    "nav-group-pages",
    "a group has no pages, no OpenAPI document and no root",
);

/// All codes of this crate.
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
    &CONTRAST,
    &MIXED,
    &MENU,
    &LINK_CONTENT,
    &GROUP_PAGES,
    &crate::migrate::DROPPED,
    &crate::migrate::JSON_REF,
    &crate::migrate::DUPLICATE_SPELLING,
];
