//! Schemas level by level, for pages: the content of a level and the paths of the next ones.
//!
//! A page shows one level and fetches the next one on demand. The subschemas of a level are only
//! outlines: type, texts and limits, and the path of their content.

use svc_data::Node;

use super::flat_schema::{FlatSchema, Part};
use super::schema_path::{SchemaPath, TracedSchema, inner_path};
use super::subschemas::items_of;
use super::viewer::{LevelWindow, Viewer};
use super::{Budget, Direction, Kind, SchemaView};
use crate::ApiDocument;

/// Maximum number of properties and alternatives of one response.
pub const MAX_LEVEL_ENTRIES: usize = 60;
/// Maximum depth of nested arrays and choices that an outline expands.
const MAX_NESTING: usize = 3;

/// A level of a schema: its properties, items and alternatives, each as an outline.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaLevel {
    /// The view of the schema. The content of an outline is at its [`SchemaView::path`].
    pub view: SchemaView,
    /// Index of the first property or alternative that is left out; None if there are no more.
    pub next: Option<usize>,
}

/// The schema at a path with its properties and alternatives from index `from`, each as an outline.
/// None if there is no schema at the path.
///
/// Example: [`SchemaPath`](crate::SchemaPath#example).
pub fn schema_level(
    document: &ApiDocument,
    schema_path: &SchemaPath,
    direction: Direction,
    from: usize,
    budget: &mut Budget,
) -> Option<SchemaLevel> {
    let (view, lazy) = view_window(document, schema_path, direction, (1, from), budget)?;
    let next = lazy.more.then_some(lazy.end);
    Some(SchemaLevel { view, next })
}

/// The schema at a path as an outline: its type, texts and limits, and the path of its content.
/// None if there is no schema at the path.
///
/// Example: [`SchemaPath`](crate::SchemaPath#example).
pub fn schema_outline(
    document: &ApiDocument,
    schema_path: &SchemaPath,
    direction: Direction,
    budget: &mut Budget,
) -> Option<SchemaView> {
    view_window(document, schema_path, direction, (0, 0), budget).map(|(view, _)| view)
}

/// The names of the properties at a path, including those of its alternatives, up to `max`.
///
/// Example: [`SchemaPath`](crate::SchemaPath#example).
pub fn property_names<'d>(
    document: &'d ApiDocument,
    schema_path: &SchemaPath,
    max: usize,
) -> Vec<&'d str> {
    let mut names = Vec::new();
    let mut open: Vec<&Node> = schema_path
        .parts()
        .iter()
        .filter_map(|part| document.node(part))
        .collect();
    // Enough for real schemas; recursive ones end here.
    for _ in 0..100 {
        let Some(node) = open.pop().filter(|_| names.len() < max) else {
            break;
        };
        let node = document.resolve(node);
        let own = node.get("properties").and_then(Node::as_object);
        for (name, _) in own.into_iter().flat_map(|own| own.iter()) {
            if names.len() < max && !names.contains(&name) {
                names.push(name);
            }
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            let list = node.get(key).and_then(Node::as_array).unwrap_or_default();
            open.extend(list.iter().take(50).rev());
        }
    }
    names
}

fn view_window(
    document: &ApiDocument,
    schema_path: &SchemaPath,
    direction: Direction,
    (depth_limit, from): (usize, usize),
    budget: &mut Budget,
) -> Option<(SchemaView, LevelWindow)> {
    let seed =
        |part: &crate::SchemaRef| Some(TracedSchema::at(document.node(part)?, part.pointer()));
    let seeds = schema_path
        .parts()
        .iter()
        .map(seed)
        .collect::<Option<Vec<_>>>()?;
    let lazy = LevelWindow {
        from,
        end: from.saturating_add(MAX_LEVEL_ENTRIES),
        ..LevelWindow::default()
    };
    let mut viewer = Viewer {
        document,
        direction,
        depth_limit,
        budget: Budget {
            exceeded: false,
            ..budget.clone()
        },
        stop_early: false,
        cut: false,
        path: Vec::new(),
        top: schema_path.component_name(),
        window: Some(lazy),
    };
    let view = viewer.view(&seeds, 0, 0);
    *budget = viewer.budget;
    Some((view, viewer.window.unwrap_or(lazy)))
}

impl<'a> Viewer<'a> {
    /// The content, as far as it determines the type of the schema; the rest is a path.
    pub(super) fn outline(
        &mut self,
        flat: &FlatSchema<'a>,
        seeds: &[TracedSchema<'a>],
        (level, depth): (usize, usize),
        view: &mut SchemaView,
    ) {
        let mut more = view.recursive.is_some() || flat.parts.iter().any(has_members);
        let items: Vec<TracedSchema<'a>> = flat.parts.iter().filter_map(items_of).collect();
        let entered = self.enter();
        if entered {
            if !items.is_empty() {
                let items = self.view(&items, level + 1, depth);
                more |= items.truncated;
                view.items = Some(Box::new(items));
            }
            if !flat.choices.is_empty() {
                self.choices(flat, level, depth, view);
                let sets = std::iter::once(&view.variants).chain(&view.further_variants);
                more |= sets.flatten().any(|variant| has_details(&variant.schema));
            }
        } else {
            more |= !flat.choices.is_empty();
            if let Some(item) = items.last() {
                let item = self.unexpanded(item.node);
                more |= matches!(item.base, Kind::Object | Kind::Array | Kind::Any);
                view.items = Some(Box::new(item));
            }
        }
        self.leave(entered);
        view.truncated = more;
        if more {
            view.path = inner_path(&self.document.root, seeds);
        }
    }

    /// Enters an array or a choice of the current level; false if there is no level or it is too
    /// deep.
    pub(super) fn enter(&mut self) -> bool {
        let window = self.window.as_mut().filter(|lazy| lazy.nest < MAX_NESTING);
        window.is_some_and(|lazy| {
            lazy.nest += 1;
            true
        })
    }

    /// Reverts [`Self::enter`].
    pub(super) fn leave(&mut self, entered: bool) {
        if let Some(lazy) = self.window.as_mut().filter(|_| entered) {
            lazy.nest -= 1;
        }
    }

    /// Whether the next property or alternative of the level is in the requested range.
    pub(super) fn is_in_window(&mut self, depth: usize) -> bool {
        let level = depth == 0 && self.depth_limit > 0;
        let Some(lazy) = self.window.as_mut().filter(|_| level) else {
            return true;
        };
        let at = lazy.next;
        lazy.next += 1;
        lazy.more |= at >= lazy.end;
        (lazy.from..lazy.end).contains(&at)
    }
}

/// Whether a part has properties or items with their own names or numbers, or alternatives with a
/// discriminator.
fn has_members(part: &Part<'_>) -> bool {
    let filled = |key: &str| {
        let node = part.get(key);
        let object = node.and_then(Node::as_object);
        object.is_some_and(|object| !object.is_empty())
    };
    filled("properties")
        || filled("additionalProperties")
        || filled("patternProperties")
        || part.get("prefixItems").is_some()
        || part.get("discriminator").is_some()
}

/// Whether a variant has more than the name of its type.
fn has_details(view: &SchemaView) -> bool {
    view.truncated
        || view.recursive.is_some()
        || view.description.is_some()
        || view.format.is_some()
        || !view.enum_values.is_empty()
        || !view.constraints.is_empty()
        || view.items.as_deref().is_some_and(has_details)
}
