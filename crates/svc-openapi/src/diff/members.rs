//! Members of objects and arrays.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use svc_data::Node;

use super::flat_schema::{FlatSchema, Seed};
use super::schema::{MAX_NAMES, MAX_VARIANTS, at_keyword, extend_path};
use super::{Comparer, DiffLocation, Effect, Pair, PayloadDirection};
use crate::reference;

impl<'a> Comparer<'a> {
    pub(super) fn properties(
        &mut self,
        pair: &Pair<'a>,
        old: &FlatSchema<'a>,
        new: &FlatSchema<'a>,
    ) {
        let direction = pair.context.direction;
        let before = self.described(old, true, direction);
        let after = self.described(new, false, direction);
        let required = |flat: &FlatSchema<'a>| -> IndexSet<&'a str> {
            let lists = flat.all("required").filter_map(Node::as_array);
            lists
                .flatten()
                .filter_map(Node::as_str)
                .take(MAX_NAMES)
                .collect()
        };
        let (needed, needs) = (required(old), required(new));
        let closed = new
            .all("additionalProperties")
            .any(|node| node.as_bool() == Some(false));
        for (name, seeds) in &before.visible {
            let longer = extend_path(&pair.path, name);
            if let Some(others) = after.visible.get(name) {
                self.pair((seeds.clone(), others.clone()), &pair.context, &longer);
                continue;
            }
            let hidden = after.hidden.contains(name);
            let (effect, rest) = match direction {
                PayloadDirection::Sent if closed && !hidden => {
                    (Effect::Breaking, "; it is rejected")
                }
                PayloadDirection::Sent => (Effect::Unknown, "; it may be ignored or rejected"),
                PayloadDirection::Received if needed.contains(name) => (Effect::Breaking, ""),
                PayloadDirection::Received => (Effect::Unknown, "; it was not always present"),
            };
            let message = format!("no longer has the property `{name}`");
            let removed = seeds
                .first()
                .map(|seed| self.old.locate(&seed.pointer, seed.node.span));
            self.member(
                pair,
                ("property-removed", effect),
                "properties",
                (&message, rest),
                (removed, None),
            );
        }
        for (name, seeds) in &after.visible {
            if before.visible.contains_key(name) {
                continue;
            }
            let location = seeds
                .first()
                .map(|seed| self.new.locate(&seed.pointer, seed.node.span));
            let (rule, effect, rest) =
                if direction == PayloadDirection::Sent && needs.contains(name) {
                    ("property-required", Effect::Breaking, "; it is required")
                } else {
                    ("property-added", Effect::Compatible, "")
                };
            let message = format!("has the new property `{name}`");
            self.member(
                pair,
                (rule, effect),
                "properties",
                (&message, rest),
                (None, location),
            );
        }
        for name in needs.difference(&needed) {
            // A new required property is already reported above.
            let is_new = after.visible.contains_key(name) && !before.visible.contains_key(name);
            if is_new || after.hidden.contains(name) {
                continue;
            }
            let (effect, message) = match direction {
                PayloadDirection::Sent => (
                    direction.narrowing_effect(),
                    format!("now requires the property `{name}`"),
                ),
                PayloadDirection::Received => (
                    direction.narrowing_effect(),
                    format!("now always has the property `{name}`"),
                ),
            };
            self.note(pair, ("property-required", effect), "required", &message);
        }
        for name in needed.difference(&needs) {
            let is_gone = before.visible.contains_key(name) && !after.visible.contains_key(name);
            if is_gone || before.hidden.contains(name) {
                continue;
            }
            let message = match direction {
                PayloadDirection::Sent => format!("no longer requires the property `{name}`"),
                PayloadDirection::Received => format!("no longer always has the property `{name}`"),
            };
            self.note(
                pair,
                ("property-optional", direction.widening_effect()),
                "required",
                &message,
            );
        }
    }

    /// Reports a member that only one side has; `key` is its keyword on the other side.
    pub(super) fn member(
        &mut self,
        pair: &Pair<'a>,
        rule: (&'static str, Effect),
        key: &str,
        (message, rest): (&str, &str),
        (old, new): (Option<DiffLocation>, Option<DiffLocation>),
    ) {
        let old = old.or_else(|| at_keyword(&self.old, &pair.old, key));
        let new = new.or_else(|| at_keyword(&self.new, &pair.new, key));
        let message = format!(
            "{} {message} {}{rest}",
            pair.subject(),
            pair.context.direction.as_phrase()
        );
        let operation = Arc::clone(&pair.context.operation);
        self.report(rule, &operation, message, (old, new));
    }

    /// The properties of all parts in this direction.
    fn described(
        &mut self,
        flat: &FlatSchema<'a>,
        older: bool,
        direction: PayloadDirection,
    ) -> PropertySets<'a> {
        let document = self.document(older);
        let mut sets = PropertySets::default();
        for part in &flat.parts {
            for (name, seed) in part.members("properties") {
                if !self.step(1) || sets.visible.len() >= MAX_NAMES {
                    return sets;
                }
                let target = reference::resolve(&document.root, seed.node);
                let key = match direction {
                    PayloadDirection::Sent => "readOnly",
                    PayloadDirection::Received => "writeOnly",
                };
                let flag = |node: &Node| node.get(key).and_then(Node::as_bool) == Some(true);
                if flag(seed.node) || flag(target) {
                    sets.hidden.insert(name);
                    continue;
                }
                sets.visible.entry(name).or_default().push(seed);
            }
        }
        let PropertySets {
            visible: shown,
            hidden,
        } = &mut sets;
        shown.retain(|name, _| !hidden.contains(name));
        sets
    }

    pub(super) fn additional(
        &mut self,
        pair: &Pair<'a>,
        old: &FlatSchema<'a>,
        new: &FlatSchema<'a>,
    ) {
        let key = "additionalProperties";
        let of = |flat: &FlatSchema<'a>| {
            let closed = |node: &Node| node.as_bool() == Some(false);
            let forbidden =
                flat.all(key).any(closed) || flat.all("unevaluatedProperties").any(closed);
            let has_keywords = |seed: &Seed<'a>| {
                seed.node
                    .as_object()
                    .is_some_and(|object| !object.is_empty())
            };
            let seeds = flat
                .parts
                .iter()
                .filter_map(|part| part.child(key))
                .filter(has_keywords);
            (forbidden, seeds.collect::<Vec<_>>())
        };
        let ((was_closed, before), (is_closed, after)) = (of(old), of(new));
        match (was_closed, is_closed) {
            (false, true) => self.report_range_change(
                pair,
                "additional",
                true,
                key,
                "can no longer have other properties",
            ),
            (true, false) => self.report_range_change(
                pair,
                "additional",
                false,
                key,
                "can now have other properties",
            ),
            (true, true) => {}
            (false, false) => match (before.is_empty(), after.is_empty()) {
                (true, true) => {}
                (false, false) => {
                    self.pair(
                        (before, after),
                        &pair.context,
                        &extend_path(&pair.path, "{key}"),
                    );
                }
                (true, false) => self.report_range_change(
                    pair,
                    "additional",
                    true,
                    key,
                    "now declares its other properties",
                ),
                (false, true) => self.report_range_change(
                    pair,
                    "additional",
                    false,
                    key,
                    "can now have any other properties",
                ),
            },
        }
        let patterns = |flat: &FlatSchema<'a>| -> IndexMap<&'a str, Seed<'a>> {
            let members = flat
                .parts
                .iter()
                .flat_map(|part| part.members("patternProperties"));
            members.take(MAX_NAMES).collect()
        };
        let (before, after) = (patterns(old), patterns(new));
        for (pattern, seed) in &before {
            match after.get(pattern) {
                Some(other) => {
                    let pair_of = (vec![seed.clone()], vec![other.clone()]);
                    self.pair(pair_of, &pair.context, &extend_path(&pair.path, "{key}"));
                }
                None => {
                    let message = format!("no longer declares properties that match `{pattern}`");
                    self.report_range_change(
                        pair,
                        "additional",
                        false,
                        "patternProperties",
                        &message,
                    );
                }
            }
        }
        for pattern in after
            .keys()
            .filter(|pattern| !before.contains_key(*pattern))
        {
            let message = format!("now declares properties that match `{pattern}`");
            self.report_range_change(pair, "additional", true, "patternProperties", &message);
        }
    }

    pub(super) fn arrays(&mut self, pair: &Pair<'a>, old: &FlatSchema<'a>, new: &FlatSchema<'a>) {
        let items = |flat: &FlatSchema<'a>| -> Vec<Seed<'a>> {
            let has_keywords = |seed: &Seed<'a>| {
                seed.node
                    .as_object()
                    .is_some_and(|object| !object.is_empty())
            };
            let items = flat.parts.iter().filter_map(|part| part.child("items"));
            items.filter(has_keywords).collect()
        };
        let (before, after) = (items(old), items(new));
        match (before.is_empty(), after.is_empty()) {
            (true, true) => {}
            (false, false) => {
                self.pair((before, after), &pair.context, &format!("{}[]", pair.path));
            }
            (true, false) => {
                self.report_range_change(pair, "items", true, "items", "now declares its items");
            }
            (false, true) => {
                self.report_range_change(pair, "items", false, "items", "can now have any items");
            }
        }
        let first = |flat: &FlatSchema<'a>| -> Vec<Seed<'a>> {
            let own = flat
                .parts
                .iter()
                .find(|part| part.node.get("prefixItems").is_some());
            own.into_iter()
                .flat_map(|part| part.items("prefixItems"))
                .take(MAX_VARIANTS)
                .collect()
        };
        let (before, after) = (first(old), first(new));
        if before.len() != after.len() {
            let message = format!(
                "has {} prefix items instead of {}",
                after.len(),
                before.len()
            );
            self.note(pair, ("items", Effect::Unknown), "prefixItems", &message);
        }
        for (at, (old, new)) in before.into_iter().zip(after).enumerate() {
            self.pair(
                (vec![old], vec![new]),
                &pair.context,
                &format!("{}[{at}]", pair.path),
            );
        }
    }
}

/// Properties that are part of a direction, and those that are not.
#[derive(Default)]
struct PropertySets<'a> {
    visible: IndexMap<&'a str, Vec<Seed<'a>>>,
    hidden: HashSet<&'a str>,
}
