//! Limits on the work and the size of one page.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

use crate::evaluate::EvalLimits;

/// Maximum size of the HTML of one page in bytes.
const MAX_OUTPUT: usize = 8 * 1024 * 1024;
/// Maximum number of nodes of one page; a snippet counts each time it is rendered.
const MAX_NODES: usize = 400_000;
/// Maximum nesting depth of elements, snippets and calls.
pub(crate) const MAX_DEPTH: usize = 120;
/// Maximum nesting depth of snippets.
pub(crate) const MAX_SNIPPETS: usize = 16;
/// Number of evaluations per page that get the full step limit; later ones get a small one.
const MAX_FULL_EVALUATIONS: usize = 400;
/// Maximum number of unknown icons of a page with a suggestion; each one is compared with all
/// names.
const MAX_ICON_SUGGESTIONS: u32 = 20;

/// The page exceeds a size limit.
pub(crate) static PAGE_TOO_LARGE: DiagnosticCode =
    diagnostic_code!(error, "page-too-large", "a page exceeds the size limit");

/// Work and output of a page so far.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    depth: usize,
    bytes: usize,
    nodes: usize,
    evaluations: usize,
    icon_suggestions: u32,
}

impl Budget {
    /// Spends one node and `bytes` bytes of output. Returns whether the page is within its limits.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.nodes += 1;
        self.is_within_limits()
    }

    /// Whether the page is within its limits.
    pub(super) const fn is_within_limits(&self) -> bool {
        self.bytes <= MAX_OUTPUT && self.nodes <= MAX_NODES
    }

    /// Enters an element. Returns false if it is nested too deeply; otherwise [`Self::leave`]
    /// follows.
    pub(crate) fn enter(&mut self) -> bool {
        let enters = self.can_enter();
        self.depth += usize::from(enters);
        enters
    }

    /// Whether [`Self::enter`] would succeed.
    pub(crate) const fn can_enter(&self) -> bool {
        self.depth < MAX_DEPTH
    }

    /// Leaves the element of the last successful [`Self::enter`].
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Limits of the next evaluation.
    pub(crate) fn evaluation(&mut self) -> EvalLimits {
        self.evaluations += 1;
        let limits = EvalLimits::default();
        if self.evaluations <= MAX_FULL_EVALUATIONS {
            limits
        } else {
            EvalLimits {
                steps: 2_000,
                ..limits
            }
        }
    }

    /// Whether a similar name may be searched for one more unknown icon.
    pub(crate) fn icon_suggestion(&mut self) -> bool {
        self.icon_suggestions += 1;
        self.icon_suggestions <= MAX_ICON_SUGGESTIONS
    }
}
