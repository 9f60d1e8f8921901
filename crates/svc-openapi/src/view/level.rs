//! A single level of a schema: its own keywords and its direct subschemas.
//!
//! A view expands a schema completely; this module is for callers that visit the levels themselves.
//! They may visit a schema repeatedly and identify it by [`Seeds`].

use svc_data::Node;

use super::flat_schema::{FlatSchema, Part};
use super::kind::{name_kind, type_names};
use super::merge::annotated;
use super::schema_path::TracedSchema;
use super::subschemas::Discriminator;
use super::viewer::{Entry, Viewer};
use super::{Budget, Direction, Kind, SchemaView};
use crate::{ApiDocument, reference};

/// Schemas that apply together.
pub(crate) type Seeds<'a> = Vec<&'a Node>;

/// Encoding of the content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Raw bytes.
    Binary,
    /// Base64 in a string.
    Base64,
}

/// Schemas without their paths.
fn nodes(seeds: Vec<TracedSchema<'_>>) -> Seeds<'_> {
    seeds.into_iter().map(|seed| seed.node).collect()
}

/// A level of a schema.
#[derive(Debug)]
pub(crate) struct Level<'a> {
    /// The keywords of the schema; its subschemas are not expanded.
    pub(crate) view: SchemaView,
    /// Names of the allowed types, without null; empty for all of them.
    pub(crate) types: Vec<&'static str>,
    /// The encoding, if it is the content of a file.
    pub(crate) file: Option<FileKind>,
    /// Properties of this direction. `view.required` has the names of the required ones.
    pub(crate) properties: Vec<(&'a str, Seeds<'a>)>,
    /// Schemas of the items of an array.
    pub(crate) items: Seeds<'a>,
    /// Schemas of the first items of an array.
    pub(crate) prefix_items: Vec<Seeds<'a>>,
    /// Schemas of additional properties.
    pub(crate) additional: Seeds<'a>,
    /// Choices; of each one, one alternative applies.
    pub(crate) choices: Vec<Vec<Choice<'a>>>,
    /// The parts, inner ones first.
    parts: Vec<&'a Node>,
}

/// An alternative.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    /// Title of the schema, or else its component name, or else its type or `Option 2`.
    pub(crate) title: String,
    /// The discriminator value of the alternative.
    pub(crate) value: Option<String>,
    /// The schema of the alternative.
    pub(crate) schema: &'a Node,
}

impl<'a> Level<'a> {
    /// The value of a key of `xml` in the outermost part that has it.
    pub(crate) fn xml(&self, key: &str) -> Option<&'a Node> {
        let mut parts = self.parts.iter().rev();
        parts.find_map(|part| part.get("xml")?.get(key))
    }
}

/// Builds levels.
#[derive(Debug)]
pub(crate) struct Levels<'a> {
    viewer: Viewer<'a>,
}

impl<'a> Levels<'a> {
    pub(crate) fn new(document: &'a ApiDocument, direction: Direction) -> Self {
        Self {
            viewer: Viewer {
                document,
                direction,
                depth_limit: 0,
                budget: Budget::default(),
                stop_early: false,
                cut: false,
                path: Vec::new(),
                top: None,
                window: None,
            },
        }
    }

    /// Schemas with references resolved, so that equal seeds are equal schemas.
    pub(crate) fn resolved(&self, seeds: &[&'a Node]) -> Seeds<'a> {
        let root = &self.viewer.document.root;
        let mut resolved: Seeds<'a> = Vec::with_capacity(seeds.len());
        for seed in seeds {
            let bare = |node: &&&Node| node.as_object().is_some_and(|object| object.len() == 1);
            let target = Some(seed)
                .filter(bare)
                .map_or(*seed, |seed| reference::resolve(root, seed));
            if !resolved.iter().any(|known| std::ptr::eq(*known, target)) {
                resolved.push(target);
            }
        }
        resolved
    }

    fn flatten(&mut self, seeds: &[&'a Node], level: usize) -> FlatSchema<'a> {
        let seeds: Vec<TracedSchema<'a>> = seeds
            .iter()
            .map(|node| TracedSchema::unknown(node))
            .collect();
        self.viewer.flatten(&seeds, level)
    }

    /// The level of a schema.
    pub(crate) fn level(&mut self, seeds: &[&'a Node]) -> Level<'a> {
        let flat = self.flatten(seeds, 0);
        let level = self.of(flat);
        self.viewer.path.clear();
        level
    }

    fn of(&mut self, flat: FlatSchema<'a>) -> Level<'a> {
        let (mut view, types) = self.named(&flat);
        let viewer = &mut self.viewer;
        let mut inside = viewer.subschemas(&flat);
        view.additional_allowed = inside.additional_allowed;
        let Discriminator { property, values } = Discriminator::of(&flat);
        let discriminated = property.is_some();
        view.discriminator = property;
        let mut sets: Vec<Vec<(Option<String>, &'a Node)>> = Vec::new();
        for choice in &flat.choices {
            // A schema that was reached from one of its alternatives is already decided.
            let chosen = |node: &Node| {
                let target = reference::resolve(&viewer.document.root, node);
                let own = |entry: &Entry<'_>| std::ptr::eq(entry.target, target);
                viewer.path.iter().any(own)
                    || flat
                        .parts
                        .iter()
                        .any(|part| std::ptr::eq(part.node, target))
            };
            if choice
                .iter()
                .any(|alternative| chosen(alternative.seed.node))
            {
                continue;
            }
            let set = choice.iter().map(|alternative| {
                let name = reference::of(alternative.seed.node).map(reference::name);
                let value = name.as_ref().and_then(|name| values.get(name));
                let value = value.map(|value| (*value).to_owned());
                let value = value.or_else(|| name.filter(|_| discriminated));
                (value, alternative.seed.node)
            });
            sets.push(set.collect());
        }
        if flat.choices.is_empty() && discriminated {
            let schemas = viewer.descendant_schemas(&flat, &values).into_iter();
            let set: Vec<_> = schemas
                .map(|(name, node)| {
                    let value = values.get(&name).map(|value| (*value).to_owned());
                    (Some(value.unwrap_or(name)), node)
                })
                .collect();
            if !set.is_empty() {
                sets.push(set);
            }
        }
        viewer.path.clear();
        let choices = sets.into_iter().map(|set| self.titled(set)).collect();
        let direction = self.viewer.direction;
        let mut properties = Vec::with_capacity(inside.properties.len());
        let unnamed = inside.unnamed();
        let mut required = inside.required;
        for (name, seeds) in inside.properties {
            let nodes = nodes(seeds);
            if self.travels(&nodes, direction) {
                properties.push((name, nodes));
            } else {
                required.shift_remove(name);
            }
        }
        view.required = required.keys().map(|name| (*name).to_owned()).collect();
        Level {
            file: file_kind(&view, &flat.parts),
            types: type_names(types),
            view,
            properties,
            items: nodes(inside.items),
            prefix_items: inside
                .prefix_items
                .into_iter()
                .map(|seed| vec![seed.node])
                .collect(),
            additional: nodes(unnamed),
            choices,
            parts: flat.parts.into_iter().map(|part| part.node).collect(),
        }
    }

    /// The view of the schema itself, with the name of its type.
    fn named(&mut self, flat: &FlatSchema<'a>) -> (SchemaView, u8) {
        let (mut view, types) = self.viewer.own_view(flat);
        let item = flat.parts.iter().rev().find_map(|part| part.get("items"));
        view.items = item.map(|item| Box::new(self.viewer.unexpanded(item)));
        name_kind(&mut view, types);
        (view, types)
    }

    /// Whether a property is part of a direction.
    fn travels(&mut self, seeds: &[&'a Node], direction: Direction) -> bool {
        let flat = self.flatten(seeds, 1);
        self.viewer.path.clear();
        let key = match direction {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
        };
        !annotated(&flat, key, false)
    }

    fn titled(&mut self, set: Vec<(Option<String>, &'a Node)>) -> Vec<Choice<'a>> {
        let named: Vec<(Option<String>, String)> = set
            .iter()
            .map(|(_, node)| {
                let flat = self.flatten(&[node], 0);
                self.viewer.path.clear();
                let (view, _) = self.named(&flat);
                (view.title.or(view.ref_name), view.kind)
            })
            .collect();
        let alone = |kind: &str| named.iter().filter(|(_, other)| other == kind).count() == 1;
        let title = |at: usize| {
            let (name, kind) = named.get(at)?;
            name.clone().or_else(|| alone(kind).then(|| kind.clone()))
        };
        let titles: Vec<_> = (0..set.len()).map(title).collect();
        let titled = set.into_iter().zip(titles).enumerate();
        titled
            .map(|(at, ((value, schema), title))| Choice {
                title: title.unwrap_or_else(|| format!("Option {}", at + 1)),
                value,
                schema,
            })
            .collect()
    }
}

/// The encoding if a schema is the content of a file (OAS 3.1.2 "Working with Binary Data").
fn file_kind(view: &SchemaView, parts: &[Part<'_>]) -> Option<FileKind> {
    let encoding = parts
        .iter()
        .rev()
        .find_map(|part| part.get("contentEncoding")?.as_str());
    let based = matches!(encoding, Some("base64" | "base64url"));
    let media = view.media_type.as_deref();
    let opaque = media.is_some_and(|kind| !kind.contains("json") && !kind.starts_with("text/"));
    match view.format.as_deref() {
        Some("binary") => Some(FileKind::Binary),
        Some("base64") => Some(FileKind::Base64),
        _ if view.base == Kind::File && !based => Some(FileKind::Binary),
        _ if opaque && based => Some(FileKind::Base64),
        _ if opaque && encoding.is_none() => Some(FileKind::Binary),
        _ => None,
    }
}
