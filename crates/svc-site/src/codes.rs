//! The problems this crate finds, and the list of all problems there are.

use svc_diagnostics::DiagnosticCode;

/// A page could not be rendered because of a mistake in this program.
pub(crate) static INTERNAL: DiagnosticCode = DiagnosticCode::error(
    "internal-error",
    "a page could not be rendered because of a bug in svc",
);
/// No configuration file.
pub(crate) static MISSING_CONFIG: DiagnosticCode =
    DiagnosticCode::fatal("site-no-config", "the folder has no docs.json");
/// A link to nowhere.
pub(crate) static BROKEN_LINK: DiagnosticCode =
    DiagnosticCode::warning("link-broken", "the target of a link does not exist");
/// A link to a heading that is not there.
pub(crate) static BROKEN_FRAGMENT: DiagnosticCode = DiagnosticCode::warning(
    "link-fragment",
    "the anchor of a link does not exist on its page",
);
/// A redirect to nowhere.
pub(crate) static BROKEN_REDIRECT: DiagnosticCode = DiagnosticCode::warning(
    "redirect-broken",
    "the destination of a redirect does not exist",
);
/// A link to a file that readers do not get.
pub(crate) static UNSERVED_FILE: DiagnosticCode = DiagnosticCode::warning(
    "link-file",
    "the target of a link is a file that is not served",
);
/// The file given is not an OpenAPI document.
pub(crate) static INVALID_OPENAPI: DiagnosticCode =
    DiagnosticCode::error("site-not-openapi", "the file is not an OpenAPI document");

/// A picture of the configuration is broken or too large.
pub(crate) static UNUSABLE_IMAGE: DiagnosticCode = DiagnosticCode::warning(
    "picture-unusable",
    "an image of docs.json is broken or too large",
);
/// A font of the configuration is broken or too large.
pub(crate) static UNUSABLE_FONT: DiagnosticCode = DiagnosticCode::warning(
    "font-unusable",
    "a font that docs.json names is broken or too large",
);

/// A copy of a hosted document is shown.
pub(crate) static REMOTE_STALE: DiagnosticCode = DiagnosticCode::warning(
    "hosted-stale",
    "a remote OpenAPI document could not be fetched and its cached copy is shown",
);
/// A hosted document was never there.
pub(crate) static REMOTE_MISSING: DiagnosticCode = DiagnosticCode::error(
    "hosted-missing",
    "a remote OpenAPI document could not be fetched and is not cached",
);
/// A hosted document without encryption.
pub(crate) static REMOTE_UNENCRYPTED: DiagnosticCode = DiagnosticCode::error(
    "hosted-without-encryption",
    "the URL of a remote OpenAPI document begins with `http:`",
);
/// Too many hosted documents.
pub(crate) static REMOTE_LIMIT: DiagnosticCode = DiagnosticCode::error(
    "hosted-too-many",
    "a site refers to more remote OpenAPI documents than the limit",
);

/// A path that no file can have.
pub(crate) static UNWRITABLE: DiagnosticCode = DiagnosticCode::error(
    "export-name",
    "a page is not exported because its path is not a valid file name",
);

/// A redirect that a host cannot be told.
pub(crate) static REDIRECT_UNSUPPORTED: DiagnosticCode = DiagnosticCode::warning(
    "redirect-left-out",
    "a redirect cannot be expressed for a hosting platform",
);

/// A document that needs a policy.
pub(crate) static ACTIVE_FILE: DiagnosticCode = DiagnosticCode::warning(
    "export-active-file",
    "an XML document or an SVG image with scripts is not exported",
);

/// All codes of this crate.
pub static CODES: &[&DiagnosticCode] = &[
    &INTERNAL,
    &MISSING_CONFIG,
    &BROKEN_LINK,
    &BROKEN_FRAGMENT,
    &BROKEN_REDIRECT,
    &UNSERVED_FILE,
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
];

/// The codes of all stages, in their order.
pub fn all_codes() -> Vec<&'static DiagnosticCode> {
    [
        svc_data::CODES,
        svc_source::CODES,
        svc_config::CODES,
        svc_openapi::CODES,
        svc_git::CODES,
        svc_nav::CODES,
    ]
    .into_iter()
    .chain([svc_render::CODES, CODES])
    .flatten()
    .copied()
    .collect()
}
