//! Subschemas: the keywords of the parts of a schema that contain schemas.

use indexmap::IndexMap;
use svc_data::Node;

use super::flat_schema::{FlatSchema, Part};
use super::schema_path::TracedSchema;
use super::viewer::Viewer;
use crate::reference;

/// Maximum number of names in `required` and of values in `enum`.
pub(super) const MAX_NAMES: usize = 1_000;
/// Maximum number of `prefixItems`.
const MAX_PREFIX_ITEMS: usize = 50;
/// Maximum number of `patternProperties` of a part.
const MAX_PATTERNS: usize = 50;

/// The subschemas of a schema, each as the parts that apply together.
#[derive(Debug, Default)]
pub(super) struct Subschemas<'a> {
    pub(super) required: IndexMap<&'a str, ()>,
    pub(super) properties: IndexMap<&'a str, Vec<TracedSchema<'a>>>,
    pub(super) items: Vec<TracedSchema<'a>>,
    pub(super) prefix_items: Vec<TracedSchema<'a>>,
    /// Schemas of additional properties.
    pub(super) additional: Vec<TracedSchema<'a>>,
    /// Schemas of properties by the pattern of their names.
    pub(super) patterns: IndexMap<&'a str, Vec<TracedSchema<'a>>>,
    pub(super) additional_allowed: Option<bool>,
}

impl<'a> Viewer<'a> {
    pub(super) fn subschemas(&mut self, flat: &FlatSchema<'a>) -> Subschemas<'a> {
        let mut inside = Subschemas::default();
        let mut additional = Vec::new();
        for part in &flat.parts {
            let names = part
                .get("required")
                .and_then(Node::as_array)
                .unwrap_or_default();
            inside.required.extend(
                names
                    .iter()
                    .take(MAX_NAMES)
                    .filter_map(|name| Some((name.as_str()?, ()))),
            );
            let own = part.get("properties").and_then(Node::as_object);
            for (name, node) in own.into_iter().flat_map(|own| own.iter()) {
                if !self.budget.step() {
                    break;
                }
                let seed = part.seed.member("properties", name, node);
                inside.properties.entry(name).or_default().push(seed);
            }
            inside.items.extend(items_of(part));
            let allowed = &mut inside.additional_allowed;
            if let Some(node) = part.get("additionalProperties") {
                match node.as_bool() {
                    Some(false) => *allowed = Some(false),
                    Some(true) => *allowed = allowed.or(Some(true)),
                    None => additional.push(part.seed.key("additionalProperties", node)),
                }
            }
            let patterns = part.get("patternProperties").and_then(Node::as_object);
            let patterns = patterns.into_iter().flat_map(|patterns| patterns.iter());
            for (name, node) in patterns.take(MAX_PATTERNS) {
                let seed = part.seed.member("patternProperties", name, node);
                inside.patterns.entry(name).or_default().push(seed);
            }
        }
        let mut lists = flat.parts.iter().rev();
        let list = lists.find_map(|part| Some((part, part.get("prefixItems")?.as_array()?)));
        if let Some((part, list)) = list {
            let items = list.iter().enumerate().take(MAX_PREFIX_ITEMS);
            let items = items.map(|(at, node)| part.seed.item("prefixItems", at, node));
            inside.prefix_items = items.collect();
        }
        if !additional.is_empty() || !inside.patterns.is_empty() {
            inside.additional_allowed = inside.additional_allowed.or(Some(true));
        }
        if additional.iter().any(has_keywords) {
            inside.additional = additional;
        }
        inside
    }

    /// Variants of a parent that does not list them: the schemas of its discriminator mapping, and
    /// those that refer to it in `allOf`. Empty if the parent is only a part of another schema.
    pub(super) fn descendant_schemas(
        &self,
        flat: &FlatSchema<'a>,
        values: &IndexMap<String, &str>,
    ) -> Vec<(String, &'a Node)> {
        let document = self.document;
        let own = flat.parts.iter().find(|part| {
            !part.member && part.name.is_some() && part.get("discriminator").is_some()
        });
        let Some(parent) = own.and_then(|part| part.name.as_deref()) else {
            return Vec::new();
        };
        let implied = document.children.get(parent).into_iter().flatten();
        let names: IndexMap<&str, ()> = values
            .keys()
            .chain(implied)
            .map(|name| (name.as_str(), ()))
            .collect();
        let outside = |node: &Node| !self.path.iter().any(|at| std::ptr::eq(at.target, node));
        names
            .keys()
            .filter(|name| **name != parent)
            .filter_map(|name| Some(((*name).to_owned(), document.schema_node(name)?)))
            .filter(|(_, node)| outside(node))
            .collect()
    }
}

impl<'a> Subschemas<'a> {
    /// The schemas of properties without a declared name: a form has only one kind of them.
    pub(super) fn unnamed(&mut self) -> Vec<TracedSchema<'a>> {
        let mut schemas = std::mem::take(&mut self.additional);
        let first = self.patterns.first_mut();
        let first = first.map(|(_, seeds)| std::mem::take(seeds));
        schemas.extend(first.into_iter().flatten().filter(has_keywords));
        schemas
    }
}

/// Whether a schema has keywords.
fn has_keywords(seed: &TracedSchema<'_>) -> bool {
    let object = seed.node.as_object();
    object.is_some_and(|object| !object.is_empty())
}

/// The schema of the items of an array.
pub(super) fn items_of<'a>(part: &Part<'a>) -> Option<TracedSchema<'a>> {
    let items = part.get("items").filter(|node| node.as_object().is_some());
    items.map(|node| part.seed.key("items", node))
}

/// The discriminator of the variants of a schema.
#[derive(Debug, Default)]
pub(super) struct Discriminator<'a> {
    /// Name of the property.
    pub(super) property: Option<String>,
    /// Its values by the names of the schemas that they select.
    pub(super) values: IndexMap<String, &'a str>,
}

impl<'a> Discriminator<'a> {
    pub(super) fn of(flat: &FlatSchema<'a>) -> Self {
        let mut parts = flat.parts.iter().rev();
        let Some(node) = parts.find_map(|part| part.get("discriminator")) else {
            return Self::default();
        };
        let mapping = node.get("mapping").and_then(Node::as_object);
        let mut values = IndexMap::new();
        for (value, target) in mapping.into_iter().flat_map(|mapping| mapping.iter()) {
            if let Some(target) = target.as_str() {
                values.entry(reference::name(target)).or_insert(value);
            }
        }
        Self {
            property: node
                .get("propertyName")
                .and_then(Node::as_str)
                .map(str::to_owned),
            values,
        }
    }
}
