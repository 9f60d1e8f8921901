//! Schemas level by level, for pages: what is on a level, and where the rest is found.
//!
//! A page shows a level and asks for the next one when its reader wants it. What is inside of a
//! level is only an outline: its type, texts and limits, and the place of what is inside.

use svc_data::Node;

use super::flatten::{FlatSchema, Part};
use super::schema_path::{SchemaPath, TracedSchema, inner_path};
use super::subschemas::items_of;
use super::{Budget, Direction, Kind, SchemaView, Viewer};
use crate::ApiDocument;

/// Properties and alternatives of one level that are shown together at most.
pub const MAX_LEVEL_ENTRIES: usize = 60;
/// Lists in lists and choices in choices that an outline looks into.
const MAX_NESTING: usize = 3;

/// One level of a schema: its properties, items and alternatives, each as an outline.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaLevel {
    /// The schema. What is inside of an outline stands at its [`SchemaView::place`].
    pub view: SchemaView,
    /// There are more properties or alternatives, from this one on.
    pub next: Option<usize>,
}

/// The schema at a place with its properties and alternatives from number `from` on, each of them
/// as an outline. `None` when there is nothing at the place.
pub fn schema_level(
    document: &ApiDocument,
    place: &SchemaPath,
    direction: Direction,
    from: usize,
    budget: &mut Budget,
) -> Option<SchemaLevel> {
    let (view, lazy) = view_window(document, place, direction, (1, from), budget)?;
    let next = lazy.more.then_some(lazy.end);
    Some(SchemaLevel { view, next })
}

/// The schema at a place as an outline: its type, texts and limits, and the place of what is inside.
pub fn schema_outline(
    document: &ApiDocument,
    place: &SchemaPath,
    direction: Direction,
    budget: &mut Budget,
) -> Option<SchemaView> {
    view_window(document, place, direction, (0, 0), budget).map(|(view, _)| view)
}

/// The names of the properties at a place, of its alternatives too, at most `most` of them.
pub fn property_names<'d>(
    document: &'d ApiDocument,
    place: &SchemaPath,
    most: usize,
) -> Vec<&'d str> {
    let mut names = Vec::new();
    let mut open: Vec<&Node> = place
        .parts()
        .iter()
        .filter_map(|part| document.node(part))
        .collect();
    // Enough for real schemas; those that contain themselves end here.
    for _ in 0..100 {
        let Some(node) = open.pop().filter(|_| names.len() < most) else {
            break;
        };
        let node = document.resolve(node);
        let own = node.get("properties").and_then(Node::as_object);
        for (name, _) in own.into_iter().flat_map(|own| own.iter()) {
            if names.len() < most && !names.contains(&name) {
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
    place: &SchemaPath,
    direction: Direction,
    (depth_limit, from): (usize, usize),
    budget: &mut Budget,
) -> Option<(SchemaView, LevelWindow)> {
    let seed =
        |part: &crate::SchemaRef| Some(TracedSchema::at(document.node(part)?, part.pointer()));
    let seeds = place.parts().iter().map(seed).collect::<Option<Vec<_>>>()?;
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
        top: place.component_name(),
        window: Some(lazy),
    };
    let view = viewer.view(&seeds, 0, 0);
    *budget = viewer.budget;
    Some((view, viewer.window.unwrap_or(lazy)))
}

/// The making of one level.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LevelWindow {
    /// The first property or alternative that is asked for.
    from: usize,
    /// The first one behind those.
    end: usize,
    /// The number of the next one.
    next: usize,
    /// There are some behind the end.
    more: bool,
    /// Lists and choices around the present schema.
    nest: usize,
}

impl<'a> Viewer<'a> {
    /// What is inside, as far as the type of the schema tells of it; for the rest there is a place.
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

    /// Goes into a list or a choice of the present level, if there is one and it is not too deep.
    pub(super) fn enter(&mut self) -> bool {
        let room = self.window.as_mut().filter(|lazy| lazy.nest < MAX_NESTING);
        room.is_some_and(|lazy| {
            lazy.nest += 1;
            true
        })
    }

    /// Ends what [`Self::enter`] began.
    pub(super) fn leave(&mut self, entered: bool) {
        if let Some(lazy) = self.window.as_mut().filter(|_| entered) {
            lazy.nest -= 1;
        }
    }

    /// Whether the next property or alternative of the level is one of those that are asked for.
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

/// Whether a part has properties or items with names or numbers of their own, or alternatives that
/// are found by the value of a property.
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

/// Whether an alternative is more than the name of its type.
fn has_details(view: &SchemaView) -> bool {
    view.truncated
        || view.recursive.is_some()
        || view.description.is_some()
        || view.format.is_some()
        || !view.enum_values.is_empty()
        || !view.constraints.is_empty()
        || view.items.as_deref().is_some_and(has_details)
}
