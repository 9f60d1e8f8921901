//! Diagnostic codes of this crate.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

pub(crate) static MISSING_PAGE: DiagnosticCode = diagnostic_code!(
    error,
    "nav-missing-page",
    "a navigation entry has no page file"
);
pub(crate) static MISSING_OPERATION: DiagnosticCode = diagnostic_code!(
    error,
    "nav-missing-operation",
    "a navigation entry refers to an operation that does not exist"
);
pub(crate) static MISSING_DOCUMENT: DiagnosticCode = diagnostic_code!(
    error,
    "nav-missing-document",
    "an element refers to an OpenAPI document that does not exist"
);
pub(crate) static MISSING_TOOL: DiagnosticCode = diagnostic_code!(
    error,
    "nav-missing-tool",
    "a navigation entry refers to an MCP tool that does not exist"
);
pub(crate) static MISSING_TOOL_LIST: DiagnosticCode = diagnostic_code!(
    error,
    "nav-missing-tool-list",
    "an element refers to a file with MCP tools that does not exist"
);
pub(crate) static PAGE_OPERATION: DiagnosticCode = diagnostic_code!(
    error,
    "nav-page-operation",
    "a page refers to an operation that does not exist"
);
pub(crate) static OPERATION_PATH: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-operation-path",
    "an operation is referred to with a different path than in its document"
);
pub(crate) static SEVERAL_OPERATIONS: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-several-operations",
    "an operation is in several documents and no document is specified"
);
pub(crate) static DOCUMENT_NAME: DiagnosticCode = diagnostic_code!(
    info,
    "nav-document-name",
    "an OpenAPI document is referred to by something other than its path"
);
pub(crate) static GENERATED_PATH: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-generated-address",
    "the path of generated pages is not valid"
);
pub(crate) static METADATA_OPENAPI: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-metadata-openapi",
    "the metadata of an operation contains `openapi`"
);
pub(crate) static REPEATED_PAGE: DiagnosticCode = diagnostic_code!(
    info,
    "nav-repeated-page",
    "a page appears in the navigation more than once"
);
pub(crate) static DUPLICATE_ROUTE: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-duplicate-route",
    "two pages have the same path"
);
pub(crate) static REDIRECT_OVER_PAGE: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-redirect-over-page",
    "the source of a redirect is a page"
);
/// Id of the warning about pages that require protection.
pub const PROTECTED_ID: &str = PROTECTED.id;
pub(crate) static PROTECTED: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-protected",
    "pages are only for readers who sign in, but the settings do not say how they do"
);
pub(crate) static BAD_REDIRECT: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-redirect-never-matches",
    "the source of a redirect never matches"
);
pub(crate) static BAD_DESTINATION: DiagnosticCode = diagnostic_code!(
    error,
    "nav-redirect-destination",
    "the destination of a redirect is not a URL or path"
);
pub(crate) static UNKNOWN_PARAMETER: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-redirect-parameter",
    "the destination of a redirect uses a parameter that its source does not have"
);
pub(crate) static REDIRECT_LOOP: DiagnosticCode = diagnostic_code!(
    error,
    "nav-redirect-loop",
    "a redirect leads back to itself"
);
pub(crate) static TOO_DEEP: DiagnosticCode = diagnostic_code!(
    error,
    "nav-too-deep",
    "elements exceed the maximum nesting depth"
);
pub(crate) static ENTRY_LIMIT: DiagnosticCode = diagnostic_code!(
    error,
    "nav-too-many-entries",
    "the navigation exceeds the maximum number of entries"
);
pub(crate) static TRUNCATED: DiagnosticCode =
    diagnostic_code!(info, "nav-more-problems", "not all problems are listed");
pub(crate) static EMPTY_SITE: DiagnosticCode =
    diagnostic_code!(fatal, "nav-no-route", "the site has no pages");
pub(crate) static EMPTY_DOCUMENT: DiagnosticCode = diagnostic_code!(
    warning,
    "nav-empty-document",
    "an OpenAPI section has no visible operations"
);

/// All diagnostic codes of this crate.
pub static CODES: &[&DiagnosticCode] = &[
    &MISSING_PAGE,
    &MISSING_OPERATION,
    &MISSING_DOCUMENT,
    &MISSING_TOOL,
    &MISSING_TOOL_LIST,
    &PAGE_OPERATION,
    &OPERATION_PATH,
    &SEVERAL_OPERATIONS,
    &DOCUMENT_NAME,
    &GENERATED_PATH,
    &METADATA_OPENAPI,
    &REPEATED_PAGE,
    &DUPLICATE_ROUTE,
    &REDIRECT_OVER_PAGE,
    &PROTECTED,
    &BAD_REDIRECT,
    &BAD_DESTINATION,
    &UNKNOWN_PARAMETER,
    &REDIRECT_LOOP,
    &TOO_DEEP,
    &ENTRY_LIMIT,
    &TRUNCATED,
    &EMPTY_SITE,
    &EMPTY_DOCUMENT,
];
