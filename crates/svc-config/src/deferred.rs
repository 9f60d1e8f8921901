//! Checks of names that run after the whole document is decoded.

use svc_diagnostics::Span;

/// The scheduled checks, and the kinds of names that are checked.
#[derive(Debug, Default)]
pub(crate) struct DeferredChecks {
    pub(crate) files: bool,
    pub(crate) icons: bool,
    pub(crate) checks: Vec<DeferredCheck>,
}

/// A name that is checked after the whole document is decoded.
#[derive(Debug)]
pub(crate) struct DeferredCheck {
    pub(crate) kind: CheckKind,
    pub(crate) span: Span,
    pub(crate) pointer: String,
    /// The key, for messages.
    pub(crate) key: String,
    pub(crate) value: String,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum CheckKind {
    File,
    /// The name of its library; None for the library of the site.
    Icon(Option<&'static str>),
}
