//! Diagnostic codes of this crate.

use svc_diagnostics::DiagnosticCode;

use crate::{article, code, components, ctx, icons, islands, markdown};

/// All diagnostic codes of this crate, including those of components and icons.
pub static CODES: &[&DiagnosticCode] = &[
    &article::BAD_EXPRESSION,
    &article::BAD_MODULE,
    &article::IMPORT_CYCLE,
    &article::MISSING_EXPORT,
    &article::MISSING_IMPORT,
    &article::UNKNOWN_COMPONENT,
    &article::UNKNOWN_VARIABLE,
    &code::BAD_GRAMMAR,
    &code::UNAVAILABLE_THEME,
    &components::BAD_PROP,
    &components::MISSING_PROP,
    &components::INVALID_DIAGRAM,
    &components::UNKNOWN_PLACEMENT,
    &components::UNKNOWN_PROP,
    &components::UNKNOWN_READER,
    &ctx::PAGE_TOO_LARGE,
    &icons::PAID_ICON,
    &icons::UNKNOWN_ICON,
    &islands::COMPONENT_FAILED,
    &islands::MODULE_INVALID,
    &markdown::BLOCKED_ATTRIBUTE,
    &markdown::BLOCKED_ELEMENT,
    &markdown::INVALID_FORMULA,
    &markdown::UNSAFE_URL,
];
