//! Merges the keywords of all parts into one view.

use indexmap::IndexMap;
use serde_json::Value as Json;
use svc_data::Node;

use super::flat_schema::{Alternative, FlatSchema, Part};
use super::kind::{expands, name_kind, shallow, types};
use super::schema_path::TracedSchema;
use super::subschemas::{Discriminator, MAX_NAMES, Subschemas};
use super::type_set::ALL;
use super::viewer::Viewer;
use super::{Direction, Kind, PropertyView, SchemaView, VariantView, constraint};
use crate::weight::weight;
use crate::{extension, reference};

/// Maximum number of additional examples of a schema.
const MAX_EXAMPLES: usize = 10;

impl<'a> Viewer<'a> {
    /// The view of schemas that apply together. `level` counts properties and items, `depth`
    /// variants too.
    pub(super) fn view(
        &mut self,
        seeds: &[TracedSchema<'a>],
        level: usize,
        depth: usize,
    ) -> SchemaView {
        let span = seeds.first().map(|seed| seed.node.span).unwrap_or_default();
        if self.is_spent() {
            self.budget.exceeded = true;
            return SchemaView {
                span,
                truncated: true,
                kind: "any".to_owned(),
                ..SchemaView::default()
            };
        }
        self.budget.nodes -= 1;
        let open = self.path.len();
        let flat = self.flatten(seeds, level);
        let (mut view, types) = self.own_view(&flat);
        view.span = span;
        if let Some((target, name)) = &flat.recursive {
            view.recursive = Some(name.clone());
            if types == ALL {
                view.base = shallow(target);
            }
        }
        if depth < self.depth_limit {
            self.children(&flat, level, depth, &mut view);
        } else if self.window.is_some() {
            self.outline(&flat, seeds, (level, depth), &mut view);
        } else {
            view.truncated =
                flat.parts.iter().any(|part| expands(part.node)) || !flat.choices.is_empty();
            self.cut |= view.truncated;
            let item = flat.parts.iter().rev().find_map(|part| part.get("items"));
            view.items = item.map(|item| Box::new(self.unexpanded(item)));
        }
        self.path.truncate(open);
        name_kind(&mut view, types);
        view
    }

    /// The view of the keywords of a schema without its subschemas, and the allowed types.
    pub(super) fn own_view(&mut self, flat: &FlatSchema<'a>) -> (SchemaView, u8) {
        let mut view = SchemaView {
            ref_name: flat.name.clone(),
            ..SchemaView::default()
        };
        self.texts(flat, &mut view);
        self.values(flat, &mut view);
        let types = types(flat, &mut view);
        view.constraints = constraint::merge(&flat.parts);
        view.rules = constraint::rules(&flat.parts);
        (view, types)
    }

    /// Only type and name, for the items of an array at the depth limit.
    pub(super) fn unexpanded(&self, node: &Node) -> SchemaView {
        let target = reference::resolve(&self.document.root, node);
        let base = shallow(target);
        SchemaView {
            kind: base.as_str().to_owned(),
            base,
            ref_name: reference::of(node).map(reference::name),
            // Neither its children nor its values were visited.
            truncated: true,
            span: node.span,
            ..SchemaView::default()
        }
    }

    fn texts(&mut self, flat: &FlatSchema<'a>, view: &mut SchemaView) {
        let last = |key: &str| {
            let parts = flat.parts.iter().rev();
            let mut texts = parts.filter_map(|part| Some((part.member, part.get(key)?.as_str()?)));
            texts.next().map(|(_, text)| text)
        };
        let mut descriptions: Vec<&str> = Vec::new();
        for part in flat.parts.iter().filter(|part| part.docs) {
            let text = part.get("description").and_then(Node::as_str).unwrap_or("");
            let text = text.trim();
            let is_known = descriptions.iter().any(|known| known.contains(text));
            if !text.is_empty() && !is_known && descriptions.len() < 16 {
                descriptions.retain(|known| !text.contains(known));
                descriptions.push(text);
            }
        }
        let bytes = descriptions.iter().map(|text| text.len()).sum();
        if !descriptions.is_empty() && self.budget.take(bytes) {
            // Separate paragraphs: a single line break would join the descriptions.
            view.description = Some(descriptions.join("\n\n"));
        }
        let mut notes = flat
            .parts
            .iter()
            .filter_map(|part| extension::enum_notes(part.node));
        if let Some(notes) = notes
            .next_back()
            .filter(|notes| self.budget.take(notes.len()))
        {
            let text = view
                .description
                .take()
                .map(|text| text + "\n\n")
                .unwrap_or_default();
            view.description = Some(text + &notes);
        }
        let own_title = flat
            .parts
            .iter()
            .rev()
            .find(|part| part.docs || !part.member);
        view.title = own_title
            .and_then(|part| part.get("title"))
            .and_then(Node::as_str)
            .or_else(|| last("title"))
            .filter(|title| title.len() <= 1_000)
            .map(str::to_owned);
        let short = |key: &str| {
            last(key)
                .filter(|text| text.len() <= 1_000)
                .map(str::to_owned)
        };
        view.format = short("format");
        view.media_type = short("contentMediaType");
        view.deprecated = annotated(flat, "deprecated", true);
        view.read_only = annotated(flat, "readOnly", false);
        view.write_only = annotated(flat, "writeOnly", false);
        let own = |key: &str| {
            let parts = flat.parts.iter().rev();
            let mut badges = parts.map(|part| extension::texts(part.node, key));
            badges.find(|badges| !badges.is_empty()).unwrap_or_default()
        };
        let keys = &*self.document.badge_keys;
        if !keys.is_empty() {
            let parts = flat.parts.iter().rev();
            let mut badges = parts.map(|part| extension::badges_of(part.node, keys));
            view.badges = badges.find(|badges| !badges.is_empty()).unwrap_or_default();
        }
        view.pre = own("pre");
        view.post = own("post");
    }

    fn values(&mut self, flat: &FlatSchema<'a>, view: &mut SchemaView) {
        view.default = self.last(flat, "default");
        view.constant = self.last(flat, "const");
        view.prefill = self.last(flat, "x-default");
        view.example = self.example(flat);
        view.further_examples = self.further_examples(flat);
        let lists = flat
            .parts
            .iter()
            .filter_map(|part| part.get("enum")?.as_array());
        let mut values: Option<Vec<&Node>> = None;
        for list in lists {
            values = Some(match values {
                None => list.iter().take(MAX_NAMES).collect(),
                Some(before) if list.len() <= MAX_NAMES => before
                    .into_iter()
                    .filter(|node| list.iter().any(|other| other.value == node.value))
                    .collect(),
                Some(before) => before,
            });
            if !self.budget.step() {
                break;
            }
        }
        for node in values.unwrap_or_default() {
            if let Some(value) = self.copy(node) {
                if value.is_null() {
                    view.nullable = true;
                } else {
                    view.enum_values.push(value);
                }
            }
        }
        match &view.constant {
            Some(Json::Null) => view.nullable = true,
            Some(constant) if view.enum_values.is_empty() => {
                view.enum_values.push(constant.clone());
            }
            _ => {}
        }
    }

    /// Copies a value, if it is within the budget.
    fn copy(&mut self, node: &Node) -> Option<Json> {
        let bytes = weight(node, crate::MAX_EXAMPLE_BYTES)?;
        self.budget.take(bytes).then(|| node.to_json())
    }

    /// The value of the outermost part that has the keyword.
    fn last(&mut self, flat: &FlatSchema<'a>, key: &str) -> Option<Json> {
        let node = flat.parts.iter().rev().find_map(|part| part.get(key))?;
        self.copy(node)
    }

    /// The example of the outermost part; objects of several parts are merged.
    fn example(&mut self, flat: &FlatSchema<'a>) -> Option<Json> {
        let of = |part: &Part<'a>| {
            let first = part
                .get("examples")
                .and_then(Node::as_array)
                .and_then(<[Node]>::first);
            part.get("example").or(first)
        };
        let examples: Vec<(bool, &Node)> = flat
            .parts
            .iter()
            .filter_map(|part| Some((part.member, of(part)?)))
            .collect();
        let (member, last) = *examples.last()?;
        if !member || last.as_object().is_none() {
            return self.copy(last);
        }
        let mut joined = serde_json::Map::new();
        for (_, node) in examples {
            if let Some(Json::Object(object)) = self.copy(node) {
                joined.extend(object);
            }
        }
        Some(Json::Object(joined))
    }

    /// The second and later `examples` of the outermost part that has an example.
    fn further_examples(&mut self, flat: &FlatSchema<'a>) -> Vec<Json> {
        let mut parts = flat.parts.iter().rev();
        let last =
            parts.find(|part| part.get("example").is_some() || part.get("examples").is_some());
        let list = last.filter(|part| part.get("example").is_none());
        let list = list.and_then(|part| part.get("examples")?.as_array());
        let further = list.unwrap_or_default().iter().skip(1).take(MAX_EXAMPLES);
        further.filter_map(|node| self.copy(node)).collect()
    }

    fn children(
        &mut self,
        flat: &FlatSchema<'a>,
        level: usize,
        depth: usize,
        view: &mut SchemaView,
    ) {
        let Subschemas {
            required,
            properties,
            items,
            prefix_items,
            additional,
            patterns,
            additional_allowed,
        } = self.subschemas(flat);
        view.required = required.keys().map(|name| (*name).to_owned()).collect();
        view.additional_allowed = additional_allowed;
        // On a level every property is expanded independently.
        let around = self.window.map(|_| std::mem::take(&mut self.path));
        for (name, nodes) in properties {
            if !self.is_in_window(depth) {
                continue;
            }
            if self.is_spent() {
                self.budget.exceeded = true;
                view.truncated = true;
                break;
            }
            let schema = self.view(&nodes, level + 1, depth + 1);
            let left_out = match self.direction {
                Direction::Request => schema.read_only,
                Direction::Response => schema.write_only,
            };
            if left_out {
                view.required.retain(|required| required != name);
                continue;
            }
            view.properties.push(PropertyView {
                name: name.to_owned(),
                required: required.contains_key(name),
                deprecated: schema.deprecated,
                schema,
            });
        }
        for item in prefix_items {
            if self.is_in_window(depth) {
                let item = self.view(&[item], level + 1, depth + 1);
                view.prefix_items.push(item);
            }
        }
        for (name, nodes) in patterns {
            if self.is_in_window(depth) {
                let schema = self.view(&nodes, level + 1, depth + 1);
                view.patterns.push(PropertyView {
                    name: name.to_owned(),
                    required: false,
                    deprecated: schema.deprecated,
                    schema,
                });
            }
        }
        if !additional.is_empty() && self.is_in_window(depth) {
            view.additional = Some(Box::new(self.view(&additional, level + 1, depth + 1)));
        }
        if let Some(around) = around {
            self.path = around;
        }
        if !items.is_empty() {
            // The items of an array are on the same level, up to a maximum nesting.
            let same = self.enter();
            let depth = if same { depth } else { depth + 1 };
            view.items = Some(Box::new(self.view(&items, level + 1, depth)));
            self.leave(same);
        }
        self.choices(flat, level, depth, view);
    }

    pub(super) fn choices(
        &mut self,
        flat: &FlatSchema<'a>,
        level: usize,
        depth: usize,
        view: &mut SchemaView,
    ) {
        let Discriminator { property, values } = Discriminator::of(flat);
        view.discriminator = property;
        let mut sets = Vec::new();
        for choice in &flat.choices {
            sets.push(self.variants(
                choice,
                &values,
                view.discriminator.is_some(),
                (level, depth),
            ));
        }
        let outlined = self.window.is_some() && depth >= self.depth_limit;
        if flat.choices.is_empty() && view.discriminator.is_some() && !outlined {
            let set = self.descendants(flat, &values, view.base, (level, depth));
            if !set.is_empty() {
                sets.push(set);
            }
        }
        for set in &mut sets {
            // A variant that the schema around it forbids is left out.
            let allowed = |variant: &VariantView| {
                let own = &variant.schema.enum_values;
                own.is_empty() || own.iter().any(|value| view.enum_values.contains(value))
            };
            if !view.enum_values.is_empty() && set.iter().any(allowed) {
                set.retain(allowed);
            }
        }
        let mut sets = sets.into_iter();
        view.variants = sets.next().unwrap_or_default();
        view.further_variants = sets.collect();
        let variants = view
            .variants
            .iter()
            .filter(|variant| variant.schema.base != Kind::Never);
        let mut bases = variants.map(|variant| variant.schema.base);
        if view.base == Kind::Any && view.recursive.is_none() && !view.variants.is_empty() {
            let first = bases.next().unwrap_or_default();
            view.base = if bases.all(|base| base == first) {
                first
            } else {
                Kind::Union
            };
        }
    }

    fn variants(
        &mut self,
        choice: &[Alternative<'a>],
        values: &IndexMap<String, &str>,
        discriminated: bool,
        (level, depth): (usize, usize),
    ) -> Vec<VariantView> {
        let mut variants = Vec::with_capacity(choice.len());
        let mut first = None;
        for (at, alternative) in choice.iter().enumerate() {
            if !self.is_in_window(depth) {
                continue;
            }
            first.get_or_insert(at);
            if self.is_spent() {
                self.budget.exceeded = true;
                break;
            }
            let seed = &alternative.seed;
            let schema = self.view(std::slice::from_ref(seed), level, depth + 1);
            let name = reference::of(seed.node).map(reference::name);
            let value = name
                .as_ref()
                .and_then(|name| values.get(name))
                .map(|value| (*value).to_owned());
            let discriminator_value = value.or_else(|| name.filter(|_| discriminated));
            variants.push(VariantView {
                title: String::new(),
                discriminator_value,
                schema,
            });
        }
        title_variants(&mut variants, first.unwrap_or_default());
        variants
    }

    /// Variants of a parent: the schemas of its discriminator mapping, and those that refer to it
    /// in `allOf`. Empty if the parent is only a part of another schema.
    fn descendants(
        &mut self,
        flat: &FlatSchema<'a>,
        values: &IndexMap<String, &str>,
        view_base: Kind,
        (level, depth): (usize, usize),
    ) -> Vec<VariantView> {
        let mut variants = Vec::new();
        let mut first = None;
        for (at, (name, node)) in self
            .descendant_schemas(flat, values)
            .into_iter()
            .enumerate()
        {
            if !self.is_in_window(depth) {
                continue;
            }
            first.get_or_insert(at);
            if self.is_spent() {
                self.budget.exceeded = true;
                break;
            }
            self.top = Some(name.clone());
            let seed = TracedSchema::component(node, &name);
            let mut schema = self.view(&[seed], level, depth + 1);
            self.top = None;
            if schema.base == Kind::Any && view_base == Kind::Object {
                // Its keywords are those of the parent.
                schema.base = Kind::Object;
                Kind::Object.as_str().clone_into(&mut schema.kind);
            }
            let value = values.get(&name).map_or(name, |value| (*value).to_owned());
            variants.push(VariantView {
                title: String::new(),
                discriminator_value: Some(value),
                schema,
            });
        }
        title_variants(&mut variants, first.unwrap_or_default());
        variants
    }
}

/// Whether the schema itself or every (with `any`: one) member of `allOf` has an annotation.
pub(super) fn annotated(flat: &FlatSchema<'_>, key: &str, any: bool) -> bool {
    let is = |part: &&Part<'_>| part.get(key).and_then(Node::as_bool) == Some(true);
    let mut members = flat.parts.iter().filter(|part| part.member).peekable();
    flat.parts
        .iter()
        .filter(|part| any || !part.member)
        .any(|part| is(&part))
        || (members.peek().is_some() && members.all(|part| is(&part)))
}

/// Sets the titles: that of the schema, or its component name, or its type if that is unique, or
/// else a number that counts from `first`.
fn title_variants(variants: &mut [VariantView], first: usize) {
    let kinds: Vec<String> = variants
        .iter()
        .map(|variant| variant.schema.kind.clone())
        .collect();
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for kind in &kinds {
        *counts.entry(kind).or_default() += 1;
    }
    for (at, variant) in variants.iter_mut().enumerate() {
        let schema = &variant.schema;
        let kind = kinds
            .get(at)
            .filter(|kind| counts.get(kind.as_str()) == Some(&1));
        let name = schema.title.as_ref().or(schema.ref_name.as_ref()).or(kind);
        variant.title = name
            .cloned()
            .unwrap_or_else(|| format!("Option {}", first + at + 1));
    }
}
