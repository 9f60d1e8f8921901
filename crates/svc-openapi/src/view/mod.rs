//! Resolved views of schemas.
//!
//! A schema is treated as a list of parts that apply together: the object itself, the target of its
//! `$ref`, the members of `allOf` ([`flatten`]). The view merges the keywords of the parts
//! ([`merge`]). A property that several parts describe is a list of parts too, so schemas are never
//! copied into a combined one.

mod budget;
mod constraint;
mod direction;
mod flat_schema;
mod flatten;
pub(crate) mod kind;
mod level;
mod merge;
mod outline;
mod schema_path;
mod subschemas;
pub(crate) mod type_set;
mod types;
mod viewer;

pub use budget::Budget;
pub use direction::Direction;
pub use outline::{MAX_LEVEL_ENTRIES, SchemaLevel, property_names, schema_level, schema_outline};
pub use schema_path::SchemaPath;
pub use types::{Constraint, Kind, PropertyView, SchemaView, VariantView};

use svc_data::Node;

use crate::ApiDocument;
pub(crate) use level::{Choice, FileKind, Level, Levels, Seeds};
use schema_path::TracedSchema;
use viewer::Viewer;

/// Maximum number of levels of properties, items and variants that are expanded.
pub const MAX_DEPTH: usize = 10;

/// Depths that are tried in turn while the budget suffices; most schemas end at the first ones.
const DEPTHS: [usize; 5] = [2, 3, 4, 6, MAX_DEPTH];
/// Number of views that are built even if the budget of the page is used up.
const MIN_VIEWS: usize = 20;

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

#[cfg(test)]
mod tests;
