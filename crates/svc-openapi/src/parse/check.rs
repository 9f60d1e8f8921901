//! One pass over the whole tree for what can be wrong anywhere: references, keywords of another
//! version, old names of extensions. It knows which objects map names to things, so that a property
//! named `$ref` is a name, and which values are data.

use indexmap::IndexMap;
use svc_data::{Node, Object, Value, at_pointer};
use svc_diagnostics::{Diagnostic, Span};

use super::Reader;
use crate::reference::{self, Problem};
use crate::{codes, extension};

/// What the keys of an object mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Keywords.
    Thing,
    /// Names of things.
    Names,
    /// Names of Example Objects.
    Examples,
}

/// Something that is reported once for the whole document.
#[derive(Debug, Default)]
struct Tally {
    first: Option<(Span, String)>,
    count: usize,
}

#[derive(Debug, Default)]
struct Tallies {
    siblings: Tally,
    dialect: Tally,
    alias: Tally,
}

/// Keys whose objects map names to things.
const NAMES: [&str; 23] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "schemas",
    "responses",
    "headers",
    "requestBodies",
    "securitySchemes",
    "links",
    "callbacks",
    "pathItems",
    "paths",
    "webhooks",
    "content",
    "mediaTypes",
    "encoding",
    "variables",
    "flows",
    "parameters",
    "additionalOperations",
    "dependencies",
];

/// Keys whose values are data.
const DATA: [&str; 11] = [
    "example",
    "default",
    "enum",
    "const",
    "value",
    "mapping",
    "scopes",
    "required",
    "security",
    "dataValue",
    "tags",
];

impl<'a> Reader<'a> {
    pub(super) fn references(&mut self) {
        let mut tallies = Tallies::default();
        let root = self.root;
        self.visit(root, Place::Thing, &mut Vec::new(), &mut tallies);
        self.all_of_cycles();
        let Tallies {
            siblings,
            dialect,
            alias,
        } = tallies;
        self.tally(
            &codes::REF_SIBLINGS,
            siblings,
            "has keys beside `$ref`, which version 3.0 ignores",
            "they are honoured here; other tools need `openapi: 3.1.0`",
        );
        self.tally(
            &codes::DIALECT,
            dialect,
            "uses `nullable` or a boolean `exclusiveMinimum` of version 3.0",
            "write `type: [string, \"null\"]`; it is read as if it were",
        );
        self.tally(&codes::ALIAS, alias, "is named `x-mint`", "name it `x-svc`");
    }

    fn tally(
        &mut self,
        code: &'static svc_diagnostics::Code,
        tally: Tally,
        what: &str,
        hint: &str,
    ) {
        let Some((span, pointer)) = tally.first else {
            return;
        };
        let message = match tally.count {
            1 => format!("this {what}"),
            count => format!("this {what} (in {count} places)"),
        };
        self.report(code, &pointer, span, message, hint);
    }

    /// Depth is bounded by the limits of the tree.
    fn visit(
        &mut self,
        node: &'a Node,
        place: Place,
        path: &mut Vec<Step<'a>>,
        tallies: &mut Tallies,
    ) {
        match &node.value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    if matches!(item.value, Value::Array(_) | Value::Object(_)) {
                        path.push(Step::Index(at));
                        self.visit(item, Place::Thing, path, tallies);
                        path.pop();
                    }
                }
            }
            Value::Object(object) => {
                if place == Place::Thing {
                    self.thing(object, path, tallies);
                }
                for (key, child) in object.iter() {
                    let (Value::Array(_) | Value::Object(_)) = child.value else {
                        continue;
                    };
                    let next = match place {
                        Place::Thing => match place_of(key, child) {
                            Some(next) => next,
                            None => continue,
                        },
                        Place::Names if key.starts_with("x-") => continue,
                        Place::Names => Place::Thing,
                        Place::Examples => {
                            path.push(Step::Key(key));
                            if let Some(object) = child.as_object() {
                                self.thing(object, path, tallies);
                            }
                            path.pop();
                            continue;
                        }
                    };
                    path.push(Step::Key(key));
                    self.visit(child, next, path, tallies);
                    path.pop();
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn thing(&mut self, object: &'a Object, path: &[Step<'a>], tallies: &mut Tallies) {
        let count = |tally: &mut Tally, span: Span, key: &str| {
            tally.count += 1;
            if tally.first.is_none() {
                tally.first = Some((span, super::below(&written(path), key)));
            }
        };
        if let Some(member) = object.member("x-mint") {
            count(&mut tallies.alias, member.key_span, "x-mint");
        }
        for name in extension::NAMES {
            if let Some(node) = object.get(name) {
                self.extension(name, node, path);
            }
        }
        if !self.old {
            let is_true = |key| object.get(key).and_then(Node::as_bool).is_some();
            let keys = ["nullable", "exclusiveMinimum", "exclusiveMaximum"];
            for key in keys.into_iter().filter(|key| is_true(key)) {
                let span = object
                    .member(key)
                    .map(|member| member.key_span)
                    .unwrap_or_default();
                count(&mut tallies.dialect, span, key);
            }
        }
        if let Some(members) = object.get("allOf").and_then(Node::as_array) {
            self.conflicts(object, members, path);
        }
        let Some(member) = object.member("$ref") else {
            return;
        };
        let Some(reference) = member.value.as_str() else {
            return;
        };
        if self.old
            && object
                .iter()
                .any(|(key, _)| key != "$ref" && !key.starts_with("x-"))
        {
            let path_item = matches!(path, [Step::Key("paths"), Step::Key(_)]);
            if !path_item {
                count(&mut tallies.siblings, member.key_span, "$ref");
            }
        }
        let span = member.value.span;
        match reference::target(self.root, reference) {
            Err(Problem::External) => {
                let message = format!("the reference `{reference}` leaves the document");
                let hint =
                    "one document is one file here: `svc openapi bundle` puts local files into it";
                self.report(&codes::EXTERNAL_REF, &at_ref(path), span, message, hint);
            }
            Err(Problem::Unresolved) => {
                let message = format!("the reference `{reference}` leads nowhere");
                let hint = self.near(reference);
                self.report(&codes::UNRESOLVED_REF, &at_ref(path), span, message, hint);
            }
            Ok((target, _)) => {
                if reference::of(target).is_some() && self.is_circle(target) {
                    let message = format!("the reference `{reference}` resolves to itself");
                    let hint = "let it name the object that is meant";
                    self.report(&codes::REF_CYCLE, &at_ref(path), span, message, hint);
                }
            }
        }
    }

    fn extension(&mut self, name: &str, node: &'a Node, path: &[Step<'a>]) {
        for (key, value, wanted) in extension::faults(node) {
            let whole = super::below(&written(path), name);
            let (named, pointer) = if key.is_empty() {
                (name.to_owned(), whole)
            } else {
                (format!("{name}.{key}"), super::below(&whole, key))
            };
            let message = format!("`{named}` has to be {wanted}, but this is {}", value.kind());
            let hint = format!("write {wanted}; all of this `{name}` is ignored");
            self.report(&codes::EXTENSION, &pointer, value.span, message, hint);
        }
    }

    /// Whether references from here never end; a broken one is reported where it stands.
    fn is_circle(&self, node: &Node) -> bool {
        let mut now = node;
        for _ in 0..33 {
            let Some(reference) = reference::of(now) else {
                return false;
            };
            let Ok((next, _)) = reference::target(self.root, reference) else {
                return false;
            };
            now = next;
        }
        true
    }

    fn near(&mut self, reference: &str) -> String {
        let pointer = reference::pointer(reference)
            .unwrap_or_default()
            .into_owned();
        let otherwise = || "define it under `components`, or correct the reference".to_owned();
        let Some((parent, _)) = pointer.rsplit_once('/') else {
            return otherwise();
        };
        let root = self.root;
        let siblings = at_pointer(root, parent).and_then(Node::as_object);
        let keys = siblings
            .into_iter()
            .flat_map(|object| object.iter().map(|(key, _)| key));
        let name = reference::name(reference);
        self.suggest(&name, keys, otherwise)
    }

    /// Properties that parts of an `allOf` give types without a common value.
    fn conflicts(&mut self, own: &'a Object, members: &'a [Node], path: &[Step<'a>]) {
        let mut types: IndexMap<&str, (u8, Span)> = IndexMap::new();
        let mut found = Vec::new();
        let parts = members
            .iter()
            .map(|member| reference::resolve(self.root, member));
        let parts = parts
            .filter_map(Node::as_object)
            .chain(std::iter::once(own));
        for properties in parts.filter_map(|part| part.get("properties")?.as_object()) {
            for (name, node) in properties.iter() {
                if self.compared == 0 {
                    return;
                }
                self.compared -= 1;
                let node = reference::resolve(self.root, node);
                let Some(bits) = crate::view::stated_types(node) else {
                    continue;
                };
                let span = node.get("type").map_or(node.span, |node| node.span);
                let known = types.entry(name).or_insert((bits, span));
                if known.0 & bits == 0 {
                    found.push((name, known.1, span));
                }
                known.0 &= bits;
            }
        }
        for (name, first, span) in found {
            let message = format!("no value of `{name}` fits all parts of this `allOf`");
            let found = Diagnostic::new(&codes::CONFLICT, message)
                .at(self.places.location(span))
                .pointer(written(path))
                .label(self.places.location(first), "another type here")
                .hint("give both parts the same type");
            self.diagnostics.push(found);
        }
    }

    /// Component schemas that are part of their own `allOf`, over any number of steps.
    fn all_of_cycles(&mut self) {
        let schemas = self
            .root
            .get("components")
            .and_then(|node| node.get("schemas"));
        let Some(schemas) = schemas.and_then(Node::as_object) else {
            return;
        };
        let mut edges: IndexMap<&str, Vec<(String, Span)>> = IndexMap::new();
        for (name, node) in schemas.iter() {
            let mut found = Vec::new();
            members(node, 0, &mut found);
            if !found.is_empty() {
                edges.insert(name, found);
            }
        }
        // Depth-first with an own stack: chains may be as long as the document.
        let mut state: IndexMap<&str, bool> = IndexMap::new();
        for start in edges.keys() {
            if state.contains_key(start) {
                continue;
            }
            state.insert(start, true);
            let mut stack = vec![(*start, 0_usize)];
            while let Some((name, at)) = stack.last_mut() {
                let next = edges.get(name).and_then(|list| list.get(*at));
                *at += 1;
                let Some((target, span)) = next else {
                    state.insert(name, false);
                    stack.pop();
                    continue;
                };
                let Some((target, _)) = edges.get_key_value(target.as_str()) else {
                    continue;
                };
                match state.get(target) {
                    None => {
                        state.insert(target, true);
                        stack.push((target, 0));
                    }
                    Some(true) => {
                        let pointer = super::below("/components/schemas", name);
                        let message = "schema cycle through `allOf` can never be resolved";
                        let found = Diagnostic::new(&codes::ALL_OF_CYCLE, message)
                            .at(self.places.location(*span))
                            .pointer(pointer)
                            .hint(format!("remove the part that leads back to `{target}`"));
                        let others = stack.iter().take(8).filter_map(|(name, at)| {
                            edges.get(name)?.get(at.checked_sub(1)?).map(|edge| edge.1)
                        });
                        let found =
                            others
                                .filter(|other| other != span)
                                .fold(found, |found, other| {
                                    found.label(self.places.location(other), "part of the cycle")
                                });
                        self.diagnostics.push(found);
                    }
                    Some(false) => {}
                }
            }
        }
    }
}

/// The component schemas that a schema names in `allOf`, with the places of the references.
fn members(node: &Node, depth: usize, found: &mut Vec<(String, Span)>) {
    for member in node
        .get("allOf")
        .and_then(Node::as_array)
        .unwrap_or_default()
    {
        if let Some(name) = reference::of(member).and_then(reference::schema_name) {
            let span = member.get("$ref").map_or(member.span, |node| node.span);
            found.push((name, span));
        } else if depth < 16 {
            members(member, depth + 1, found);
        }
    }
}

/// One step of the way from the root.
#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

fn written(path: &[Step<'_>]) -> String {
    path.iter().fold(String::new(), |pointer, step| match step {
        Step::Key(key) => super::below(&pointer, key),
        Step::Index(at) => format!("{pointer}/{at}"),
    })
}

fn at_ref(path: &[Step<'_>]) -> String {
    written(path) + "/$ref"
}

/// What stands below a keyword; `None` for data.
fn place_of(key: &str, child: &Node) -> Option<Place> {
    let is_object = child.as_object().is_some();
    if key == "examples" {
        // In schemas an array of values, elsewhere an object.
        return is_object.then_some(Place::Examples);
    }
    if key == "x-webhooks" {
        return Some(Place::Names);
    }
    if key.starts_with("x-") || DATA.contains(&key) {
        return None;
    }
    Some(if is_object && NAMES.contains(&key) {
        Place::Names
    } else {
        Place::Thing
    })
}
