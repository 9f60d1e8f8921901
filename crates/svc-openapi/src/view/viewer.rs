//! State of building a view.

use svc_data::Node;

use super::{Budget, Direction};
use crate::ApiDocument;

/// A target that is being expanded, and its level of properties and items.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) target: &'a Node,
    pub(super) level: usize,
}

/// State of building a level.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LevelWindow {
    /// Index of the first requested property or alternative.
    pub(super) from: usize,
    /// Index after the last requested one.
    pub(super) end: usize,
    /// Index of the next one.
    pub(super) next: usize,
    /// Whether there are more after the end.
    pub(super) more: bool,
    /// Depth of arrays and choices around the current schema.
    pub(super) nest: usize,
}

/// State of building a view.
#[derive(Debug)]
pub(super) struct Viewer<'a> {
    pub(super) document: &'a ApiDocument,
    pub(super) direction: Direction,
    pub(super) depth_limit: usize,
    pub(super) budget: Budget,
    /// Whether to stop when the budget is exceeded, because the view is then discarded.
    pub(super) stop_early: bool,
    /// Whether the depth limit left parts out.
    pub(super) cut: bool,
    /// Targets of references that are being expanded.
    pub(super) path: Vec<Entry<'a>>,
    /// Name of the top schema, if it is a component.
    pub(super) top: Option<String>,
    /// The window of a level; schemas below the depth limit are outlines with paths.
    pub(super) window: Option<LevelWindow>,
}

impl Viewer<'_> {
    pub(super) const fn is_spent(&self) -> bool {
        self.budget.nodes == 0 || (self.stop_early && self.budget.exceeded)
    }
}
