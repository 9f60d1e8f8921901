//! Resolved views of schemas.
//!
//! A schema is treated as a list of parts that apply together: the object itself, the target of its
//! `$ref`, the members of `allOf` ([`flatten`]). The view merges the keywords of the parts
//! ([`merge`]). A property that several parts describe is a list of parts too, so schemas are never
//! copied into a combined one.

mod constraint;
mod flatten;
pub(crate) mod kind;
mod level;
mod merge;
mod outline;
mod schema_path;
mod subschemas;
mod types;

pub use outline::{MAX_LEVEL_ENTRIES, SchemaLevel, property_names, schema_level, schema_outline};
pub use schema_path::SchemaPath;
pub use types::{Constraint, Direction, Kind, PropertyView, SchemaView, VariantView};

use svc_data::{Node, Value};

use crate::ApiDocument;
use flatten::Entry;
pub(crate) use flatten::is_null;
pub(crate) use kind::stated_types;
pub(crate) use level::{Choice, FileKind, Level, Levels, Seeds};
use outline::LevelWindow;
use schema_path::TracedSchema;

/// Maximum number of levels of properties, items and variants that are expanded.
pub const MAX_DEPTH: usize = 10;

/// Depths that are tried in turn while the budget suffices; most schemas end at the first ones.
const DEPTHS: [usize; 5] = [2, 3, 4, 6, MAX_DEPTH];
/// Number of views that are built even if the budget of the page is used up.
const MIN_VIEWS: usize = 20;

/// Budget of expansion that the views of a page share.
#[derive(Debug, Clone)]
pub struct Budget {
    /// Remaining views.
    nodes: usize,
    /// Remaining schema objects to visit.
    steps: usize,
    /// Remaining bytes of texts and values to copy.
    bytes: usize,
    /// Whether the budget was exceeded.
    exceeded: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            nodes: 5_000,
            steps: 200_000,
            bytes: 8 << 20,
            exceeded: false,
        }
    }
}

impl Budget {
    /// Creates a budget of about this number of views.
    ///
    /// Example: [`SchemaView`](crate::SchemaView#example).
    pub fn new(nodes: usize) -> Self {
        Self {
            nodes,
            ..Self::default()
        }
    }

    /// Consumes one step; false if none is left.
    const fn step(&mut self) -> bool {
        if self.steps == 0 {
            self.exceeded = true;
            return false;
        }
        self.steps -= 1;
        true
    }

    /// Consumes bytes; false if fewer are left.
    const fn take(&mut self, bytes: usize) -> bool {
        if self.bytes < bytes {
            self.exceeded = true;
            return false;
        }
        self.bytes -= bytes;
        true
    }
}

/// The view of a schema with a budget of its own.
///
/// Example: [`SchemaView`](crate::SchemaView#example).
pub fn schema_view(
    document: &ApiDocument,
    node: &Node,
    direction: Direction,
    depth_limit: usize,
) -> SchemaView {
    schema_view_within(
        document,
        node,
        direction,
        depth_limit,
        &mut Budget::default(),
    )
}

/// The view of a schema within a shared budget, of which it may use half. The depth is reduced to
/// the budget, which keeps the first levels complete even for wide schemas.
///
/// Example: [`SchemaView`](crate::SchemaView#example).
pub fn schema_view_within(
    document: &ApiDocument,
    node: &Node,
    direction: Direction,
    depth_limit: usize,
    budget: &mut Budget,
) -> SchemaView {
    let max_depth = depth_limit.clamp(1, MAX_DEPTH);
    let share = Budget {
        nodes: (budget.nodes / 2).max(MIN_VIEWS),
        exceeded: false,
        ..budget.clone()
    };
    let top = document_name(document, node);
    let attempt = |depth_limit: usize, give_up: bool| {
        let (budget, top) = (share.clone(), top.clone());
        let path = Vec::new();
        let mut viewer = Viewer {
            document,
            direction,
            depth_limit,
            budget,
            stop_early: give_up,
            cut: false,
            path,
            top,
            window: None,
        };
        let view = viewer.view(&[TracedSchema::unknown(node)], 0, 0);
        (view, viewer.budget, viewer.cut)
    };
    let mut best = attempt(1, false);
    for limit in DEPTHS.into_iter().map(|limit| limit.min(max_depth)) {
        if !best.2 || best.1.exceeded {
            break;
        }
        let next = attempt(limit, true);
        if next.1.exceeded {
            break;
        }
        best = next;
    }
    let (view, rest, _) = best;
    let used = share.nodes.saturating_sub(rest.nodes);
    *budget = Budget {
        nodes: budget.nodes.saturating_sub(used),
        exceeded: false,
        ..rest
    };
    view
}

/// The name of a component schema, by its address in memory.
pub(crate) fn document_name(document: &ApiDocument, node: &Node) -> Option<String> {
    let schemas = document
        .root
        .get("components")?
        .get("schemas")?
        .as_object()?;
    schemas
        .iter()
        .find(|(_, schema)| std::ptr::eq(*schema, node))
        .map(|(name, _)| name.to_owned())
}

/// State of building a view.
#[derive(Debug)]
struct Viewer<'a> {
    document: &'a ApiDocument,
    direction: Direction,
    depth_limit: usize,
    budget: Budget,
    /// Whether to stop when the budget is exceeded, because the view is then discarded.
    stop_early: bool,
    /// Whether the depth limit left parts out.
    cut: bool,
    /// Targets of references that are being expanded.
    path: Vec<Entry<'a>>,
    /// Name of the top schema, if it is a component.
    top: Option<String>,
    /// The window of a level; schemas below the depth limit are outlines with paths.
    window: Option<LevelWindow>,
}

impl Viewer<'_> {
    const fn is_spent(&self) -> bool {
        self.budget.nodes == 0 || (self.stop_early && self.budget.exceeded)
    }
}

/// Converts a value to JSON without spans; None if it exceeds the size of examples.
pub(crate) fn bounded_json(node: &Node) -> Option<serde_json::Value> {
    weight(node, crate::MAX_EXAMPLE_BYTES).map(|_| node.to_json())
}

/// The approximate size of a value as text; None if it exceeds the limit. Spans are no measure:
/// those of YAML aliases are those of their anchors.
fn weight(node: &Node, limit: usize) -> Option<usize> {
    let mut left = limit;
    weigh(node, &mut left)?;
    Some(limit - left)
}

fn weigh(node: &Node, left: &mut usize) -> Option<()> {
    let own = match &node.value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 8,
        Value::String(text) => text.len() + 3,
        Value::Array(_) | Value::Object(_) => 2,
    };
    *left = left.checked_sub(own)?;
    match &node.value {
        Value::Array(items) => items.iter().try_for_each(|item| weigh(item, left)),
        Value::Object(object) => object.iter().try_for_each(|(key, value)| {
            *left = left.checked_sub(key.len() + 4)?;
            weigh(value, left)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(()),
    }
}

#[cfg(test)]
mod tests;
