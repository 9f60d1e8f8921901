//! Members of objects and arrays.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use svc_data::Node;

use super::schema::{Flat, NAMES, Pair, Seed, VARIANTS, at_keyword, longer};
use super::{Comparer, Effect, Place, Way};
use crate::reference;

impl<'a> Comparer<'a> {
    pub(super) fn properties(&mut self, pair: &Pair<'a>, old: &Flat<'a>, new: &Flat<'a>) {
        let way = pair.seen.way;
        let before = self.described(old, true, way);
        let after = self.described(new, false, way);
        let required = |flat: &Flat<'a>| -> IndexSet<&'a str> {
            let lists = flat.all("required").filter_map(Node::as_array);
            lists
                .flatten()
                .filter_map(Node::as_str)
                .take(NAMES)
                .collect()
        };
        let (needed, needs) = (required(old), required(new));
        let closed = new
            .all("additionalProperties")
            .any(|node| node.as_bool() == Some(false));
        for (name, seeds) in &before.shown {
            let longer = longer(&pair.way, name);
            if let Some(others) = after.shown.get(name) {
                self.pair((seeds.clone(), others.clone()), &pair.seen, &longer);
                continue;
            }
            let hidden = after.hidden.contains(name);
            let (effect, rest) = match way {
                Way::Sent if closed && !hidden => (Effect::Breaking, "; it is refused"),
                Way::Sent => (Effect::Unknown, "; it may be ignored or refused"),
                Way::Received if needed.contains(name) => (Effect::Breaking, ""),
                Way::Received => (Effect::Unknown, "; it was not always there"),
            };
            let message = format!("no longer has the property `{name}`");
            let gone = seeds
                .first()
                .map(|seed| self.old.place(&seed.pointer, seed.node.span));
            self.member(
                pair,
                ("property-removed", effect),
                "properties",
                (&message, rest),
                (gone, None),
            );
        }
        for (name, seeds) in &after.shown {
            if before.shown.contains_key(name) {
                continue;
            }
            let place = seeds
                .first()
                .map(|seed| self.new.place(&seed.pointer, seed.node.span));
            let (rule, effect, rest) = if way == Way::Sent && needs.contains(name) {
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
                (None, place),
            );
        }
        for name in needs.difference(&needed) {
            // A property that is new and required was told above.
            let is_new = after.shown.contains_key(name) && !before.shown.contains_key(name);
            if is_new || after.hidden.contains(name) {
                continue;
            }
            let (effect, message) = match way {
                Way::Sent => (
                    way.narrowed(),
                    format!("now requires the property `{name}`"),
                ),
                Way::Received => (
                    way.narrowed(),
                    format!("now always has the property `{name}`"),
                ),
            };
            self.note(pair, ("property-required", effect), "required", &message);
        }
        for name in needed.difference(&needs) {
            let is_gone = before.shown.contains_key(name) && !after.shown.contains_key(name);
            if is_gone || before.hidden.contains(name) {
                continue;
            }
            let message = match way {
                Way::Sent => format!("no longer requires the property `{name}`"),
                Way::Received => format!("no longer always has the property `{name}`"),
            };
            self.note(
                pair,
                ("property-optional", way.widened()),
                "required",
                &message,
            );
        }
    }

    /// Tells a member that only one side has; `key` is where it would stand on the other one.
    pub(super) fn member(
        &mut self,
        pair: &Pair<'a>,
        rule: (&'static str, Effect),
        key: &str,
        (message, rest): (&str, &str),
        (old, new): (Option<Place>, Option<Place>),
    ) {
        let old = old.or_else(|| at_keyword(&self.old, &pair.old, key));
        let new = new.or_else(|| at_keyword(&self.new, &pair.new, key));
        let message = format!("{} {message} {}{rest}", pair.what(), pair.seen.way.words());
        let operation = Arc::clone(&pair.seen.operation);
        self.tell(rule, &operation, message, (old, new));
    }

    /// The properties of all parts that travel this way.
    fn described(&mut self, flat: &Flat<'a>, older: bool, way: Way) -> Described<'a> {
        let document = self.document(older);
        let mut found = Described::default();
        for part in &flat.parts {
            for (name, seed) in part.members("properties") {
                if !self.step(1) || found.shown.len() >= NAMES {
                    return found;
                }
                let target = reference::resolve(&document.root, seed.node);
                let key = match way {
                    Way::Sent => "readOnly",
                    Way::Received => "writeOnly",
                };
                let flag = |node: &Node| node.get(key).and_then(Node::as_bool) == Some(true);
                if flag(seed.node) || flag(target) {
                    found.hidden.insert(name);
                    continue;
                }
                found.shown.entry(name).or_default().push(seed);
            }
        }
        let Described { shown, hidden } = &mut found;
        shown.retain(|name, _| !hidden.contains(name));
        found
    }

    pub(super) fn additional(&mut self, pair: &Pair<'a>, old: &Flat<'a>, new: &Flat<'a>) {
        let key = "additionalProperties";
        let of = |flat: &Flat<'a>| {
            let closed = |node: &Node| node.as_bool() == Some(false);
            let forbidden =
                flat.all(key).any(closed) || flat.all("unevaluatedProperties").any(closed);
            let says = |seed: &Seed<'a>| {
                seed.node
                    .as_object()
                    .is_some_and(|object| !object.is_empty())
            };
            let seeds = flat
                .parts
                .iter()
                .filter_map(|part| part.child(key))
                .filter(says);
            (forbidden, seeds.collect::<Vec<_>>())
        };
        let ((was_closed, before), (is_closed, after)) = (of(old), of(new));
        match (was_closed, is_closed) {
            (false, true) => self.moved(
                pair,
                "additional",
                true,
                key,
                "can no longer have other properties",
            ),
            (true, false) => self.moved(
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
                    self.pair((before, after), &pair.seen, &longer(&pair.way, "{key}"));
                }
                (true, false) => self.moved(
                    pair,
                    "additional",
                    true,
                    key,
                    "describes its other properties now",
                ),
                (false, true) => self.moved(
                    pair,
                    "additional",
                    false,
                    key,
                    "can now have any other properties",
                ),
            },
        }
        let patterns = |flat: &Flat<'a>| -> IndexMap<&'a str, Seed<'a>> {
            let members = flat
                .parts
                .iter()
                .flat_map(|part| part.members("patternProperties"));
            members.take(NAMES).collect()
        };
        let (before, after) = (patterns(old), patterns(new));
        for (pattern, seed) in &before {
            match after.get(pattern) {
                Some(other) => {
                    let pair_of = (vec![seed.clone()], vec![other.clone()]);
                    self.pair(pair_of, &pair.seen, &longer(&pair.way, "{key}"));
                }
                None => {
                    let message = format!("no longer describes properties like `{pattern}`");
                    self.moved(pair, "additional", false, "patternProperties", &message);
                }
            }
        }
        for pattern in after
            .keys()
            .filter(|pattern| !before.contains_key(*pattern))
        {
            let message = format!("now describes properties like `{pattern}`");
            self.moved(pair, "additional", true, "patternProperties", &message);
        }
    }

    pub(super) fn arrays(&mut self, pair: &Pair<'a>, old: &Flat<'a>, new: &Flat<'a>) {
        let items = |flat: &Flat<'a>| -> Vec<Seed<'a>> {
            let says = |seed: &Seed<'a>| {
                seed.node
                    .as_object()
                    .is_some_and(|object| !object.is_empty())
            };
            let items = flat.parts.iter().filter_map(|part| part.child("items"));
            items.filter(says).collect()
        };
        let (before, after) = (items(old), items(new));
        match (before.is_empty(), after.is_empty()) {
            (true, true) => {}
            (false, false) => self.pair((before, after), &pair.seen, &format!("{}[]", pair.way)),
            (true, false) => self.moved(pair, "items", true, "items", "describes its items now"),
            (false, true) => self.moved(pair, "items", false, "items", "can now have any items"),
        }
        let first = |flat: &Flat<'a>| -> Vec<Seed<'a>> {
            let own = flat
                .parts
                .iter()
                .find(|part| part.node.get("prefixItems").is_some());
            own.into_iter()
                .flat_map(|part| part.items("prefixItems"))
                .take(VARIANTS)
                .collect()
        };
        let (before, after) = (first(old), first(new));
        if before.len() != after.len() {
            let message = format!(
                "has {} named items instead of {}",
                after.len(),
                before.len()
            );
            self.note(pair, ("items", Effect::Unknown), "prefixItems", &message);
        }
        for (at, (old, new)) in before.into_iter().zip(after).enumerate() {
            self.pair(
                (vec![old], vec![new]),
                &pair.seen,
                &format!("{}[{at}]", pair.way),
            );
        }
    }
}

/// Properties that travel one way, and those that do not.
#[derive(Default)]
struct Described<'a> {
    shown: IndexMap<&'a str, Vec<Seed<'a>>>,
    hidden: HashSet<&'a str>,
}
