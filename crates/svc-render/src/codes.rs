//! Diagnostic codes of this crate.

use svc_diagnostics::DiagnosticCode;

use crate::{
    accessibility, article, code, components, ctx, icons, integrations, islands, markdown, modules,
    ui,
};

/// All diagnostic codes of this crate, including those of components and icons.
pub static CODES: &[&DiagnosticCode] = &[
    &accessibility::MISSING_ALT,
    &accessibility::MISSING_TITLE,
    &accessibility::HEADING_ORDER,
    &accessibility::EMPTY_HEADING,
    &accessibility::EMPTY_LINK,
    &accessibility::VAGUE_LINK,
    &accessibility::URL_LINK,
    &accessibility::REPEATED_LINK,
    &accessibility::TABLE_HEADER,
    &accessibility::UNNAMED_CONTROL,
    &article::BAD_EXPRESSION,
    &modules::BAD_MODULE,
    &modules::IMPORT_CYCLE,
    &modules::MISSING_EXPORT,
    &modules::MISSING_IMPORT,
    &article::UNKNOWN_COMPONENT,
    &article::UNKNOWN_VARIABLE,
    &code::BAD_GRAMMAR,
    &code::UNAVAILABLE_THEME,
    &components::BAD_PROP,
    &components::MISSING_PROP,
    &ui::INVALID_DIAGRAM,
    &ui::UNKNOWN_PLACEMENT,
    &components::UNKNOWN_PROP,
    &components::UNKNOWN_READER,
    &ctx::PAGE_TOO_LARGE,
    &icons::PAID_ICON,
    &icons::UNKNOWN_ICON,
    &integrations::INTEGRATION,
    &islands::COMPONENT_FAILED,
    &islands::module_graph::MODULE_INVALID,
    &markdown::BLOCKED_ATTRIBUTE,
    &markdown::BLOCKED_ELEMENT,
    &markdown::INVALID_FORMULA,
    &markdown::UNSAFE_URL,
];
