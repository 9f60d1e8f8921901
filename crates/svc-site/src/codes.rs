//! Diagnostic codes of this crate, and the list of the codes of all stages.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

/// Rendering a page panicked.
pub(crate) static INTERNAL: DiagnosticCode = diagnostic_code!(
    error,
    "internal-error",
    "a page could not be rendered because of a bug in svc"
);
/// The repository has no configuration file.
pub(crate) static MISSING_CONFIG: DiagnosticCode =
    diagnostic_code!(fatal, "site-no-config", "the folder has no docs.json");
/// The target of an internal link does not exist.
pub(crate) static BROKEN_LINK: DiagnosticCode = diagnostic_code!(
    warning,
    "link-broken",
    "the target of a link does not exist"
);
/// The fragment of an internal link does not exist on its page.
pub(crate) static BROKEN_FRAGMENT: DiagnosticCode = diagnostic_code!(
    warning,
    "link-fragment",
    "the fragment of a link does not exist on the page"
);
/// The destination of a redirect does not exist.
pub(crate) static BROKEN_REDIRECT: DiagnosticCode = diagnostic_code!(
    warning,
    "redirect-broken",
    "the destination of a redirect does not exist"
);
/// The target of an internal link is a file that is never served.
pub(crate) static UNSERVED_FILE: DiagnosticCode = diagnostic_code!(
    warning,
    "link-file",
    "the target of a link is a file that is not served"
);
/// A color of the configuration has too little contrast with what is on it or behind it.
pub(crate) static LOW_CONTRAST: DiagnosticCode = diagnostic_code!(
    error,
    "a11y-contrast",
    "a color of docs.json has too little contrast"
);
/// A color of the configuration that is hard to read where pages show it, found when the site is
/// loaded.
pub(crate) static CONFIG_CONTRAST: DiagnosticCode = diagnostic_code!(
    info,
    "config-contrast",
    "a color of docs.json is hard to read where pages show it"
);
/// The site is built for a group that no page names.
pub(crate) static UNKNOWN_GROUP: DiagnosticCode = diagnostic_code!(
    warning,
    "audience-unknown-group",
    "the site is built for a group of readers that no page names"
);
/// The validated file is not an OpenAPI document.
pub(crate) static INVALID_OPENAPI: DiagnosticCode = diagnostic_code!(
    error,
    "site-not-openapi",
    "the file is not an OpenAPI document"
);

/// An image of the configuration is invalid or too large.
pub(crate) static UNUSABLE_IMAGE: DiagnosticCode = diagnostic_code!(
    warning,
    "image-unusable",
    "an image in docs.json is invalid or too large"
);
/// A font of the configuration is invalid or too large.
pub(crate) static UNUSABLE_FONT: DiagnosticCode = diagnostic_code!(
    warning,
    "font-unusable",
    "a font in docs.json is invalid or too large"
);

/// A remote OpenAPI document could not be fetched, and its cached copy is used.
pub(crate) static REMOTE_STALE: DiagnosticCode = diagnostic_code!(
    warning,
    "remote-stale",
    "a remote OpenAPI document could not be fetched, so the cached copy is used"
);
/// A remote OpenAPI document could not be fetched and is not cached.
pub(crate) static REMOTE_MISSING: DiagnosticCode = diagnostic_code!(
    error,
    "remote-missing",
    "a remote OpenAPI document could not be fetched and is not cached"
);
/// The URL of a remote OpenAPI document uses `http`.
pub(crate) static REMOTE_UNENCRYPTED: DiagnosticCode = diagnostic_code!(
    error,
    "remote-without-encryption",
    "the URL of a remote OpenAPI document uses http"
);
/// The number of remote OpenAPI documents exceeds
/// [`MAX_REMOTE_DOCUMENTS`](crate::MAX_REMOTE_DOCUMENTS).
pub(crate) static REMOTE_LIMIT: DiagnosticCode = diagnostic_code!(
    error,
    "remote-too-many",
    "the number of remote OpenAPI documents exceeds the limit"
);

/// The path of a page is not a valid file name.
pub(crate) static UNWRITABLE: DiagnosticCode = diagnostic_code!(
    error,
    "export-name",
    "the path of a page is not a valid file name, so exports omit the page"
);

/// A redirect cannot be expressed in the format of a host.
pub(crate) static REDIRECT_UNSUPPORTED: DiagnosticCode = diagnostic_code!(
    warning,
    "redirect-left-out",
    "a redirect cannot be expressed in the format of a host"
);

/// A file with active content is omitted from an export.
pub(crate) static ACTIVE_FILE: DiagnosticCode = diagnostic_code!(
    warning,
    "export-active-file",
    "an XML document or SVG image with active content is not exported"
);

/// A skill for agents is invalid.
pub(crate) static INVALID_SKILL: DiagnosticCode = diagnostic_code!(
    warning,
    "skill-invalid",
    "a skill for agents has no valid name or description, or is too long"
);

/// A page is older than the page that it was translated from.
pub(crate) static OUTDATED_TRANSLATION: DiagnosticCode = diagnostic_code!(
    info,
    "translation-outdated",
    "a page is older than the page that it was translated from",
);
/// The record of translations is invalid.
pub(crate) static INVALID_LOCK: DiagnosticCode = diagnostic_code!(
    warning,
    "translation-lock",
    "the record of translations, i18n.lock.json, is invalid",
);

/// The revision of a version cannot be read.
pub(crate) static VERSION_REF_MISSING: DiagnosticCode = diagnostic_code!(
    error,
    "version-ref-missing",
    "the branch, tag or commit of a version does not exist or cannot be read"
);
/// The revision of a version has no configuration.
pub(crate) static VERSION_REF_CONFIG: DiagnosticCode = diagnostic_code!(
    error,
    "version-ref-no-config",
    "the branch, tag or commit of a version has no docs.json"
);
/// The URLs of a version are those of other pages.
pub(crate) static VERSION_REF_PATH: DiagnosticCode = diagnostic_code!(
    error,
    "version-ref-path",
    "the URLs of a version with `ref` are in use"
);
/// The versions exceed a limit.
pub(crate) static VERSION_REF_LIMIT: DiagnosticCode = diagnostic_code!(
    error,
    "version-ref-limit",
    "there are too many versions with `ref`, or one is too large"
);

/// The diagnostic codes of this crate.
pub static CODES: &[&DiagnosticCode] = &[
    &INTERNAL,
    &MISSING_CONFIG,
    &BROKEN_LINK,
    &BROKEN_FRAGMENT,
    &BROKEN_REDIRECT,
    &UNSERVED_FILE,
    &LOW_CONTRAST,
    &CONFIG_CONTRAST,
    &UNKNOWN_GROUP,
    &INVALID_OPENAPI,
    &UNUSABLE_IMAGE,
    &UNUSABLE_FONT,
    &REMOTE_STALE,
    &REMOTE_MISSING,
    &REMOTE_UNENCRYPTED,
    &REMOTE_LIMIT,
    &UNWRITABLE,
    &REDIRECT_UNSUPPORTED,
    &ACTIVE_FILE,
    &INVALID_SKILL,
    &OUTDATED_TRANSLATION,
    &INVALID_LOCK,
    &VERSION_REF_MISSING,
    &VERSION_REF_CONFIG,
    &VERSION_REF_PATH,
    &VERSION_REF_LIMIT,
];
