//! Schemas, compared by the values that they allow.
//!
//! A schema is the list of parts that apply together (the schema itself, the target of its `$ref`,
//! the members of `allOf`), so moving a part into a component or an `allOf` is no change. Pairs are
//! queued and each pair of locations is compared once, so cycles end, and the depth of a document
//! does not use the stack.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexSet;
use svc_data::Node;

use super::flat_schema::{FlatSchema, Seed};
use super::{ChangeContext, Comparer, DiffLocation, Effect, Pair, PayloadDirection, Side, limits};
use crate::ApiDocument;
use crate::reference;

/// Maximum number of parts of a schema.
const MAX_PARTS: usize = 1_000;
/// Maximum number of alternatives of a schema.
pub(super) const MAX_VARIANTS: usize = 300;
/// Maximum number of properties and values of a schema.
pub(super) const MAX_NAMES: usize = 20_000;
/// Maximum length in bytes of a printed property path.
const MAX_PATH_BYTES: usize = 160;

pub(super) const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const INTEGER: u8 = 4;
const FRACTION: u8 = 8;
const STRING: u8 = 16;
const ARRAY: u8 = 32;
const OBJECT: u8 = 64;
pub(super) const ALL: u8 = 127;

impl<'a> Comparer<'a> {
    /// Queues two schemas for comparison.
    pub(super) fn pair(
        &mut self,
        (old, new): (Vec<Seed<'a>>, Vec<Seed<'a>>),
        context: &ChangeContext,
        path: &str,
    ) {
        if !self.step(1) || (old.is_empty() && new.is_empty()) {
            return;
        }
        let resolve = |seeds: Vec<Seed<'a>>, document| -> Vec<Seed<'a>> {
            seeds.iter().map(|seed| seed.resolved(document)).collect()
        };
        let old = resolve(old, self.old.document);
        let new = resolve(new, self.new.document);
        let pointers = |seeds: &[Seed<'a>]| -> Vec<usize> {
            seeds
                .iter()
                .map(|seed| std::ptr::from_ref(seed.node).addr())
                .collect()
        };
        if !self
            .visited
            .insert((context.direction, pointers(&old), pointers(&new)))
        {
            return;
        }
        // A component is reported by its name, because it may be part of many operations.
        let named = new
            .first()
            .filter(|_| new.len() == 1)
            .and_then(|seed| component(&seed.pointer));
        let (context, path) = match named {
            Some(name) => {
                let what = format!("`{name}`").into();
                (
                    ChangeContext {
                        subject: what,
                        ..context.clone()
                    },
                    String::new(),
                )
            }
            None => (context.clone(), path.to_owned()),
        };
        self.queue.push_back(Pair {
            old,
            new,
            context,
            path,
        });
    }

    /// Compares all queued schemas.
    pub(super) fn schemas(&mut self) {
        while let Some(pair) = self.queue.pop_front() {
            if !self.step(1) {
                self.queue.clear();
                return;
            }
            let old = self.flatten(&pair.old, true);
            let new = self.flatten(&pair.new, false);
            self.schema(&pair, &old, &new);
        }
    }

    pub(super) fn document(&self, older: bool) -> &'a ApiDocument {
        if older {
            self.old.document
        } else {
            self.new.document
        }
    }

    /// Collects the parts of schemas that apply together.
    fn flatten(&mut self, seeds: &[Seed<'a>], older: bool) -> FlatSchema<'a> {
        let document = self.document(older);
        let mut flat = FlatSchema::default();
        let mut known: HashSet<usize> = HashSet::new();
        let mut stack: Vec<Seed<'a>> = seeds.iter().rev().cloned().collect();
        while let Some(seed) = stack.pop() {
            let new = known.insert(std::ptr::from_ref(seed.node).addr());
            if !new || flat.parts.len() >= MAX_PARTS || !self.step(1) {
                continue;
            }
            flat.never |= seed.node.as_bool() == Some(false);
            let mut inner: Vec<Seed<'a>> = Vec::new();
            if let Some(target) = reference::of(seed.node)
                && let Ok((node, pointer)) = reference::target(&document.root, target)
            {
                let pointer = pointer.into_owned();
                inner.push(Seed { node, pointer });
            }
            inner.extend(seed.items("allOf").take(MAX_PARTS));
            for key in ["oneOf", "anyOf"] {
                let (mut choice, mut null) = (Vec::new(), false);
                for variant in seed.items(key).take(MAX_VARIANTS) {
                    let shape = reference::resolve(&document.root, variant.node);
                    if shape.get("type").and_then(Node::as_str) == Some("null") {
                        null = true;
                    } else {
                        choice.push(variant);
                    }
                }
                flat.nullable |= null;
                match choice.len() {
                    0 => {}
                    // `anyOf: [X, null]` is equivalent to X.
                    1 => inner.append(&mut choice),
                    _ => flat.choices.push(choice),
                }
            }
            stack.extend(inner.into_iter().rev());
            flat.parts.push(seed);
        }
        flat
    }

    /// The allowed types.
    fn types(&mut self, flat: &FlatSchema<'a>, older: bool, depth: usize) -> u8 {
        if flat.never {
            return 0;
        }
        let mut types = ALL;
        for part in &flat.parts {
            types &= stated_types(part.node);
        }
        for choice in &flat.choices {
            let mut any = 0;
            for variant in choice {
                any |= if depth < 4 {
                    let inner = self.flatten(std::slice::from_ref(variant), older);
                    self.types(&inner, older, depth + 1)
                } else {
                    ALL
                };
            }
            types &= any;
        }
        if flat.nullable { types | NULL } else { types }
    }

    /// Whether a schema allows arrays or objects.
    pub(super) fn is_compound(&mut self, seeds: &[Seed<'a>], older: bool) -> bool {
        let flat = self.flatten(seeds, older);
        self.types(&flat, older, 0) & (ARRAY | OBJECT) != 0
    }

    fn schema(&mut self, pair: &Pair<'a>, old: &FlatSchema<'a>, new: &FlatSchema<'a>) {
        if self.became_choice(pair, old, new) {
            return;
        }
        if !self.compare_types(pair, old, new) {
            return;
        }
        self.enums(pair, old, new);
        self.limits(pair, old, new);
        self.notes(pair, old, new);
        self.properties(pair, old, new);
        self.additional(pair, old, new);
        self.arrays(pair, old, new);
        self.choices(pair, old, new);
        self.others(pair, old, new);
    }

    /// Reports a change of a schema; `key` is the changed keyword, for its location.
    pub(super) fn note(
        &mut self,
        pair: &Pair<'a>,
        rule: (&'static str, Effect),
        key: &str,
        message: &str,
    ) {
        let locations = (
            at_keyword(&self.old, &pair.old, key),
            at_keyword(&self.new, &pair.new, key),
        );
        let message = format!(
            "{} {message} {}",
            pair.subject(),
            pair.context.direction.as_phrase()
        );
        let operation = Arc::clone(&pair.context.operation);
        self.report(rule, &operation, message, locations);
    }

    /// Reports that fewer or more values are allowed than before.
    pub(super) fn report_range_change(
        &mut self,
        pair: &Pair<'a>,
        rule: &'static str,
        less: bool,
        key: &str,
        message: &str,
    ) {
        let direction = pair.context.direction;
        let effect = if less {
            direction.narrowing_effect()
        } else {
            direction.widening_effect()
        };
        self.note(pair, (rule, effect), key, message);
    }

    /// Compares the types. False if they have nothing in common, so that nothing else can be
    /// compared.
    fn compare_types(
        &mut self,
        pair: &Pair<'a>,
        old: &FlatSchema<'a>,
        new: &FlatSchema<'a>,
    ) -> bool {
        let before = self.types(old, true, 0);
        let after = self.types(new, false, 0);
        let (removed, more) = (before & !after, after & !before);
        if removed & !NULL == 0 && more & !NULL == 0 {
            if removed == NULL {
                self.report_range_change(pair, "nullable", true, "type", "can no longer be null");
            } else if more == NULL {
                self.report_range_change(pair, "nullable", false, "type", "can now be null");
            }
            return true;
        }
        let message = format!("was {} and is now {}", names(before), names(after));
        let effect = match (removed, more) {
            (_, 0) => pair.context.direction.narrowing_effect(),
            (0, _) => pair.context.direction.widening_effect(),
            _ => Effect::Breaking,
        };
        self.note(pair, ("type", effect), "type", &message);
        before & after & !NULL != 0
    }

    fn enums(&mut self, pair: &Pair<'a>, old: &FlatSchema<'a>, new: &FlatSchema<'a>) {
        let (before, after) = (values(old), values(new));
        match (before, after) {
            (Some(before), Some(after)) => {
                if !self.step(before.len() + after.len()) {
                    return;
                }
                let removed: Vec<&String> = before.difference(&after).collect();
                let more: Vec<&String> = after.difference(&before).collect();
                if !removed.is_empty() {
                    let message = format!("can no longer be {}", list_values(&removed));
                    self.report_range_change(pair, "enum-removed", true, "enum", &message);
                }
                if !more.is_empty() {
                    let message = format!("can now be {}", list_values(&more));
                    self.report_range_change(pair, "enum-added", false, "enum", &message);
                }
            }
            (None, Some(after)) => {
                let after: Vec<&String> = after.iter().collect();
                let message = format!("is now one of {}", list_values(&after));
                self.report_range_change(pair, "enum-removed", true, "enum", &message);
            }
            (Some(_), None) => {
                self.report_range_change(pair, "enum-added", false, "enum", "can now be any value");
            }
            (None, None) => {}
        }
    }

    fn limits(&mut self, pair: &Pair<'a>, old: &FlatSchema<'a>, new: &FlatSchema<'a>) {
        for limits::LimitChange { key, less, message } in limits::compare(old, new) {
            match less {
                Some(less) => self.report_range_change(pair, "limit", less, key, &message),
                None => self.note(pair, ("limit", Effect::Unknown), key, &message),
            }
        }
    }

    /// Compares annotations: keywords that do not change the allowed values.
    fn notes(&mut self, pair: &Pair<'a>, old: &FlatSchema<'a>, new: &FlatSchema<'a>) {
        let (before, after) = (old.last("default"), new.last("default"));
        let same = match (before, after) {
            (None, None) => true,
            (Some(before), Some(after)) => self.same(before, after),
            _ => false,
        };
        if !same {
            let text = |node: Option<&Node>| {
                node.map_or("none".to_owned(), |node| format!("`{}`", short(node)))
            };
            let effect = match pair.context.direction {
                PayloadDirection::Sent => Effect::Unknown,
                PayloadDirection::Received => Effect::Compatible,
            };
            let message = format!(
                "has the default {} instead of {}",
                text(after),
                text(before)
            );
            self.note(pair, ("default", effect), "default", &message);
        }
        let flag =
            |flat: &FlatSchema<'a>, key| flat.last(key).and_then(Node::as_bool) == Some(true);
        if flag(old, "deprecated") != flag(new, "deprecated") {
            let state = if flag(new, "deprecated") {
                "is now"
            } else {
                "is no longer"
            };
            let message = format!("{state} deprecated");
            self.note(
                pair,
                ("deprecated", Effect::Compatible),
                "deprecated",
                &message,
            );
        }
    }

    /// Compares keywords whose meaning is not analyzed, only for equality.
    fn others(&mut self, pair: &Pair<'a>, old: &FlatSchema<'a>, new: &FlatSchema<'a>) {
        const KEYS: [&str; 12] = [
            "not",
            "if",
            "then",
            "else",
            "contains",
            "minContains",
            "maxContains",
            "propertyNames",
            "dependentRequired",
            "dependentSchemas",
            "contentEncoding",
            "contentMediaType",
        ];
        for key in KEYS {
            let same = match (old.last(key), new.last(key)) {
                (None, None) => true,
                (Some(before), Some(after)) => self.same(before, after),
                _ => false,
            };
            if !same && self.steps > 0 {
                let message = format!("has a different `{key}`");
                self.note(pair, ("keyword", Effect::Unknown), key, &message);
            }
        }
    }
}

/// The location of a keyword of a schema; that of the schema if it has no such keyword.
pub(super) fn at_keyword(side: &Side<'_>, seeds: &[Seed<'_>], key: &str) -> Option<DiffLocation> {
    let own = seeds.iter().find_map(|seed| seed.child(key));
    let seed = own.as_ref().or(seeds.first())?;
    Some(side.locate(&seed.pointer, seed.node.span))
}

/// The name of the component schema at a pointer.
pub(super) fn component(pointer: &str) -> Option<String> {
    reference::schema_name(&format!("#{pointer}"))
}

/// Appends a member to a property path; the start of a long path is cut.
pub(super) fn extend_path(path: &str, name: &str) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    let longer = format!("{path}{dot}{name}");
    if longer.len() <= MAX_PATH_BYTES {
        return longer;
    }
    let from = longer
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| longer.len() - at <= MAX_PATH_BYTES);
    format!("…{}", longer.get(from.unwrap_or(0)..).unwrap_or_default())
}

/// The types that a schema object declares.
pub(super) fn stated_types(node: &Node) -> u8 {
    let Some(written) = node.get("type") else {
        return ALL;
    };
    let of = |name: &str| match name {
        "null" => NULL,
        "boolean" => BOOLEAN,
        "integer" => INTEGER,
        "number" => INTEGER | FRACTION,
        "string" => STRING,
        "array" => ARRAY,
        "object" => OBJECT,
        _ => 0,
    };
    let types = match written.as_array() {
        Some(list) => list
            .iter()
            .filter_map(Node::as_str)
            .fold(0, |types, name| types | of(name)),
        None => written.as_str().map_or(0, of),
    };
    let nullable = node.get("nullable").and_then(Node::as_bool) == Some(true);
    match (types, nullable) {
        (0, _) => ALL,
        (types, true) => types | NULL,
        (types, false) => types,
    }
}

/// The names of types: `string or null`.
pub(super) fn names(types: u8) -> String {
    let labels = [
        (BOOLEAN, "boolean"),
        (INTEGER | FRACTION, "number"),
        (INTEGER, "integer"),
        (STRING, "string"),
        (ARRAY, "array"),
        (OBJECT, "object"),
        (NULL, "null"),
    ];
    if types == ALL {
        return "any type".to_owned();
    }
    let mut rest = types;
    let mut matching = Vec::new();
    for (bits, name) in labels {
        if rest & bits == bits {
            matching.push(name);
            rest &= !bits;
        }
    }
    if matching.is_empty() {
        return "no type".to_owned();
    }
    matching.join(" or ")
}

/// The values of `enum` and `const` as text, without null, which is compared with the types.
fn values(flat: &FlatSchema<'_>) -> Option<IndexSet<String>> {
    let lists = flat.all("enum").filter_map(Node::as_array);
    let single = flat.all("const").map(std::slice::from_ref);
    lists
        .chain(single)
        .fold(None, |known: Option<IndexSet<String>>, list| {
            let list = list.iter().filter(|node| !node.is_null()).take(MAX_NAMES);
            let list: IndexSet<String> = list.map(short).collect();
            Some(match known {
                Some(known) => known.intersection(&list).cloned().collect(),
                None => list,
            })
        })
}

/// A value as text, cut if it is long.
fn short(node: &Node) -> String {
    let text = match node.as_str() {
        Some(text) => text.to_owned(),
        None => crate::weight::bounded_json(node)
            .unwrap_or_default()
            .to_string(),
    };
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

fn list_values(values: &[&String]) -> String {
    const MAX_VALUES: usize = 8;
    let shown: Vec<String> = values
        .iter()
        .take(MAX_VALUES)
        .map(|value| format!("`{value}`"))
        .collect();
    let more = values.len().saturating_sub(MAX_VALUES);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    shown.join(", ") + &rest
}
