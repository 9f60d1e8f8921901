//! Objects: all required members, and the optional ones within the limits.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value as Json};
use svc_data::Node;

use super::builder::{ANY_KEY, BuiltExample, ExampleBuilder, names};
use super::min_depth::INFINITE_DEPTH;
use super::pattern::matching;
use super::shape::Shape;
use super::size;

/// Maximum number of names of an object.
const MAX_NAMES: usize = 2_000;
/// Maximum number of generated names of an object.
const MAX_EXTRA_MEMBERS: usize = 20;

impl<'d> ExampleBuilder<'d> {
    /// Builds an object; a terse one has only its required members.
    pub(super) fn object(&mut self, shape: &Shape<'d>, level: usize, terse: bool) -> BuiltExample {
        let mut required: IndexSet<&'d str> = shape.all("required").flat_map(names).collect();
        let depending = dependencies(shape);
        // Each round adds a name, so the number of lists bounds the rounds.
        for _ in 0..=depending.len().min(MAX_EXTRA_MEMBERS) {
            for (name, others) in &depending {
                if required.contains(name) {
                    required.extend(others);
                }
            }
        }
        let declared: IndexSet<&'d str> = shape
            .all("properties")
            .filter_map(Node::as_object)
            .flat_map(|properties| properties.iter().map(|(name, _)| name))
            .take(MAX_NAMES)
            .collect();
        let max_members = shape.count("maxProperties", false).unwrap_or(MAX_NAMES);
        let least = shape.count("minProperties", true).unwrap_or(0);
        let mut example = BuiltExample::new(Json::Null);
        let mut members = Map::new();
        let mut open = required.len();
        for name in &declared {
            let is_required = required.contains(name);
            open -= usize::from(is_required);
            let few = terse && members.len() + open >= least;
            if !is_required
                && (few || members.len() + open >= max_members || self.is_excluded(shape, name))
            {
                self.cut |= few && level >= self.remaining.depth;
                continue;
            }
            self.member(shape, name, is_required, level, &mut members, &mut example);
            if self.spent {
                return BuiltExample::impossible();
            }
        }
        for name in required.iter().filter(|name| !declared.contains(*name)) {
            self.member(shape, name, true, level, &mut members, &mut example);
        }
        for (name, value) in &shape.preset {
            if !members.contains_key(name) && size::take(value, &mut self.remaining.bytes) {
                members.insert(name.clone(), value.clone());
                example.written = true;
            }
        }
        let min_members = least.max(usize::from(members.is_empty() && !terse));
        self.cut |= terse && level >= self.remaining.depth && shape.has(&["additionalProperties"]);
        self.add_extra_members(shape, level, min_members.min(max_members), &mut members);
        for (name, others) in &depending {
            let lacks = others.iter().any(|other| !members.contains_key(*other));
            if lacks && !required.contains(name) {
                members.remove(*name);
            }
        }
        example.sound &= (least..=max_members).contains(&members.len());
        example.value = Json::Object(members);
        example
    }

    /// Builds a member. A mismatched one is left out unless it is required.
    fn member(
        &mut self,
        shape: &Shape<'d>,
        name: &str,
        is_required: bool,
        level: usize,
        members: &mut Map<String, Json>,
        example: &mut BuiltExample,
    ) {
        let before = self.remaining;
        let (seeds, allowed) = self.seeds_of(shape, name);
        let own = self.shape(&seeds);
        if own.is_hidden(self.direction) {
            return;
        }
        if !is_required && (!allowed || self.is_left_out(&own, &seeds, level)) {
            return;
        }
        if !size::bytes(&mut self.remaining.bytes, name.len() + 4) {
            self.spent = true;
            return;
        }
        let mut value = match shape.preset.get(name) {
            Some(given) => BuiltExample {
                value: given.clone(),
                sound: true,
                written: true,
            },
            None => self.build(&own, level + 1),
        };
        // The chosen alternatives determine the values of their discriminators.
        for (_, tag) in shape.tags.iter().filter(|(property, _)| *property == name) {
            let tag = Json::from(tag.as_str());
            if seeds.iter().all(|seed| self.check.fits(seed, &tag)) {
                value.value = tag;
                value.sound = true;
            }
        }
        if !value.sound && !is_required {
            self.remaining = before;
            return;
        }
        example.sound &= value.sound && allowed;
        example.written |= value.written;
        members.insert(name.to_owned(), value.value);
    }

    /// Whether an optional property is left out: it is recursive, too deep, or has no matching
    /// value.
    fn is_left_out(&mut self, own: &Shape<'d>, seeds: &[&'d Node], level: usize) -> bool {
        if own.impossible || self.is_open(own) {
            return true;
        }
        let items: Vec<&'d Node> = own.all("items").collect();
        if own.count("minItems", true).is_some() && !items.is_empty() {
            let items = self.shape(&items);
            if self.is_open(&items) {
                return true;
            }
        }
        if level + 1 >= self.remaining.depth && own.is_deep() {
            self.cut = true;
            return true;
        }
        self.min_depth(seeds) >= INFINITE_DEPTH
    }

    fn is_excluded(&self, shape: &Shape<'d>, name: &str) -> bool {
        let depends = |node: &Node| node.get(name).is_some();
        shape.forbidden.contains(&name) || shape.all("dependentSchemas").any(depends)
    }

    /// The schemas that apply to a property, and whether it is allowed at all.
    fn seeds_of(&mut self, shape: &Shape<'d>, name: &str) -> (Vec<&'d Node>, bool) {
        let mut seeds = Vec::new();
        let mut allowed = true;
        for schema in shape.parts.iter().filter_map(|part| part.node.as_object()) {
            if !self.check.step() {
                break;
            }
            let own = schema.get("properties").and_then(|own| own.get(name));
            let patterns = self.check.patterns_of(schema, name);
            if own.is_none()
                && patterns.is_empty()
                && let Some(node) = schema.get("additionalProperties")
            {
                allowed &= node.as_bool() != Some(false);
                let has_keywords = node.as_object().is_some_and(|object| !object.is_empty());
                seeds.extend(has_keywords.then_some(node));
            }
            seeds.extend(patterns);
            seeds.extend(own);
        }
        (seeds, allowed)
    }

    /// Adds members without a declared property until there are enough.
    fn add_extra_members(
        &mut self,
        shape: &Shape<'d>,
        level: usize,
        min_members: usize,
        members: &mut Map<String, Json>,
    ) {
        let patterns = shape.all("patternProperties").filter_map(Node::as_object);
        let mut keys: Vec<String> = patterns
            .flat_map(|patterns| patterns.iter())
            .filter_map(|(pattern, _)| matching(pattern, 0, &mut |_| true))
            .take(MAX_EXTRA_MEMBERS)
            .collect();
        let has_keywords = |node: &Node| node.as_object().is_some_and(|object| !object.is_empty());
        let is_required = shape.count("minProperties", true).unwrap_or(0) > members.len();
        if is_required || shape.all("additionalProperties").any(has_keywords) {
            let lists: Vec<&'d Node> = shape.all("propertyNames").collect();
            for nth in 0..min_members.min(MAX_EXTRA_MEMBERS) {
                let plain = match nth {
                    0 => ANY_KEY.to_owned(),
                    nth => format!("{{key{}}}", nth + 1),
                };
                let value = Json::from(plain.as_str());
                let fits = lists.iter().all(|node| self.check.fits(node, &value));
                keys.push(if fits { plain } else { self.name(&lists, nth) });
            }
        }
        for key in keys {
            if members.len() >= min_members || self.spent {
                break;
            }
            if !members.contains_key(&key) {
                let example = &mut BuiltExample::default();
                self.member(shape, &key, false, level, members, example);
            }
        }
    }

    /// A name that matches `propertyNames`.
    fn name(&mut self, seeds: &[&'d Node], nth: usize) -> String {
        let before = std::mem::replace(&mut self.nth, nth);
        let mut shape = self.shape(seeds);
        if shape.types() & crate::view::type_set::STRING == 0 || !shape.has(&["type"]) {
            Rc::make_mut(&mut shape).types = Some(crate::view::type_set::STRING);
        }
        let result = self.build(&shape, 0);
        self.nth = before;
        match result.value {
            Json::String(name) => name,
            _ => ANY_KEY.to_owned(),
        }
    }
}

/// Names that are required if another one is present.
fn dependencies<'d>(shape: &Shape<'d>) -> IndexMap<&'d str, Vec<&'d str>> {
    let mut dependencies_by_name: IndexMap<&'d str, Vec<&'d str>> = IndexMap::new();
    let lists = shape.all("dependentRequired").filter_map(Node::as_object);
    for (name, list) in lists.flat_map(|lists| lists.iter()).take(MAX_NAMES) {
        dependencies_by_name
            .entry(name)
            .or_default()
            .extend(names(list));
    }
    dependencies_by_name
}
