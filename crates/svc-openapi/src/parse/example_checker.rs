//! State of checking the examples of a document.

use svc_data::Node;

use crate::example::Check;

/// Maximum number of steps of all checks of a document.
const MAX_STEPS: usize = 3_000_000;

/// State that the checks of all examples share.
pub(super) struct ExampleChecker<'a> {
    pub(super) check: Check<'a>,
    pub(super) remaining: usize,
    pub(super) reported: usize,
}

impl<'a> ExampleChecker<'a> {
    pub(super) fn new(root: &'a Node) -> Self {
        Self {
            check: Check::of_author(root),
            remaining: MAX_STEPS,
            reported: 0,
        }
    }
}
