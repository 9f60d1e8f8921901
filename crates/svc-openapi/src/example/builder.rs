//! Generation of a value: the one that the author wrote, or else one that all parts of the schema
//! allow.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value as Json;
use svc_data::Node;

use super::check::Check;
use super::shape::{Choice, NodeSet, Part, Rule, Shape};
use super::{number, size, string};
use crate::view::type_set::{ALL, ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING};
use crate::weight::bounded_json;
use crate::{ApiDocument, Direction};

/// Placeholder for any value.
const ANY_VALUE: &str = "<any>";
/// The name of a member with an arbitrary name.
pub(super) const ANY_KEY: &str = "{key}";
/// Maximum depth of nested values.
const MAX_LEVEL: usize = 40;
/// Maximum depth of nested choices.
const MAX_CALLS: usize = 150;
/// Maximum number of alternatives that are tried.
const MAX_TRIES: usize = 12;
/// Number of failures after which a choice is no longer tried.
const MAX_FAILURES: usize = 2;
/// Maximum number of values of an enumeration that are considered.
const MAX_ENUM_VALUES: usize = 1_000;

/// A generated value.
#[derive(Debug, Clone, Default)]
pub(super) struct BuiltExample {
    pub(super) value: Json,
    /// Whether it matches the schema, as far as is known; a value of the author always does.
    pub(super) sound: bool,
    /// Whether the author wrote it or a part of it.
    pub(super) written: bool,
}

impl BuiltExample {
    pub(super) const fn new(value: Json) -> Self {
        Self {
            value,
            sound: true,
            written: false,
        }
    }

    /// The result if no value matches.
    pub(super) const fn impossible() -> Self {
        Self {
            value: Json::Null,
            sound: false,
            written: false,
        }
    }
}

/// Size limits of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Depth down to which optional properties and items are shown.
    pub(super) depth: usize,
    pub(super) bytes: usize,
    pub(super) values: usize,
}

/// State of the generation of one example; the results of checks are shared by all attempts.
pub(super) struct ExampleBuilder<'d> {
    pub(super) document: &'d ApiDocument,
    pub(super) direction: Direction,
    pub(super) check: Check<'d>,
    pub(super) remaining: Limits,
    /// Whether a limit was exceeded.
    pub(super) spent: bool,
    /// Whether optional parts were left out because of the depth.
    pub(super) cut: bool,
    /// Targets of the references around the current value.
    pub(super) open: Vec<&'d Node>,
    /// Index of the value to choose, where values must be unique.
    pub(super) nth: usize,
    /// Depth of the choices and schemas that are being generated.
    calls: usize,
    /// The alternative that matched, by the location of the choice, and the number of failures.
    picks: HashMap<(usize, bool), (usize, usize)>,
    /// Bounds of the minimum depth, by the nodes of schemas that apply together; see
    /// [`ExampleBuilder::ends_within`].
    pub(super) min_depths: HashMap<NodeSet, (usize, usize)>,
    /// Shapes by the nodes of their schemas, each with its cost in steps.
    pub(super) shapes: HashMap<NodeSet, (Rc<Shape<'d>>, usize)>,
}

impl<'d> ExampleBuilder<'d> {
    pub(super) fn new(document: &'d ApiDocument, direction: Direction) -> Self {
        Self {
            document,
            direction,
            check: Check::new(&document.root, direction),
            remaining: Limits {
                depth: 0,
                bytes: 0,
                values: 0,
            },
            spent: false,
            cut: false,
            open: Vec::new(),
            nth: 0,
            calls: 0,
            picks: HashMap::new(),
            min_depths: HashMap::new(),
            shapes: HashMap::new(),
        }
    }

    /// A value of a schema, within limits.
    pub(super) fn attempt(&mut self, node: &'d Node, limits: Limits) -> BuiltExample {
        self.remaining = limits;
        (self.spent, self.cut, self.nth) = (false, false, 0);
        self.open.clear();
        self.picks.clear();
        // A component is open inside of itself even without a reference to it.
        let mut shape = self.shape(&[node]);
        Rc::make_mut(&mut shape).targets.push(node);
        self.build(&shape, 0)
    }

    /// Builds a value of a shape.
    pub(super) fn build(&mut self, shape: &Shape<'d>, level: usize) -> BuiltExample {
        let values = self.remaining.values.checked_sub(1);
        if values.is_none() || self.check.is_spent() {
            self.spent = true;
        }
        if self.spent || level > MAX_LEVEL {
            return BuiltExample::impossible();
        }
        self.remaining.values = values.unwrap_or(0);
        match written(&shape.parts) {
            Some(value) if size::take(&value, &mut self.remaining.bytes) => BuiltExample {
                value,
                sound: true,
                written: true,
            },
            _ => self.choose(shape, level),
        }
    }

    /// Runs `task` one call deeper; None if the calls are too deep.
    pub(super) fn nest<T>(&mut self, task: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.calls >= MAX_CALLS {
            return None;
        }
        self.calls += 1;
        let result = task(self);
        self.calls -= 1;
        Some(result)
    }

    /// Makes the next choice of a shape, then builds the value.
    fn choose(&mut self, shape: &Shape<'d>, level: usize) -> BuiltExample {
        let Some(choice) = shape.choices.get(shape.chosen).map(Rc::clone) else {
            return self.finish(shape, level);
        };
        let choice_key = (
            std::ptr::from_ref(choice.owner).addr(),
            choice.rule == Rule::One,
        );
        let recursive = self.is_open(shape);
        let terse = recursive || level >= self.remaining.depth;
        let (pick, failures) = self.picks.get(&choice_key).copied().unwrap_or_default();
        let cut = self.cut;
        let order = self.order(&choice, pick, terse);
        // More levels would not change where a recursive schema ends.
        self.cut = if recursive { cut } else { self.cut };
        let tries = if failures < MAX_FAILURES {
            MAX_TRIES
        } else {
            1
        };
        let before = self.remaining;
        let mut fallback: Option<BuiltExample> = None;
        for at in order.into_iter().take(tries) {
            self.remaining = before;
            let made = self.nest(|maker| maker.option(shape, &choice, at, level));
            let Some((made, alone)) = made.flatten() else {
                continue;
            };
            // A placeholder that the other alternatives reject is no better than a value that
            // matches several.
            let filler = fallback.is_some() && is_placeholder(&made.value);
            if made.sound && alone && !filler {
                // An alternative that matches in a terse value may not match elsewhere.
                let pick = if terse { pick } else { at };
                self.picks.insert(choice_key, (pick, failures));
                return made;
            }
            // A value that matches several alternatives is better than none.
            if fallback
                .as_ref()
                .is_none_or(|before| made.sound && !before.sound)
            {
                fallback = Some(made);
            }
            if self.spent {
                break;
            }
        }
        let Some(made) = fallback else {
            return if shape.null {
                self.leaf(Json::Null)
            } else {
                BuiltExample::impossible()
            };
        };
        self.picks.insert(choice_key, (pick, failures + 1));
        made
    }

    /// The value of a chosen alternative, and whether it matches no alternative that is excluded.
    /// None if there is no value.
    fn option(
        &mut self,
        shape: &Shape<'d>,
        choice: &Choice<'d>,
        at: usize,
        level: usize,
    ) -> Option<(BuiltExample, bool)> {
        let option = choice.options.get(at)?;
        let mut next = shape.clone();
        next.chosen += 1;
        let own = next.parts.len();
        self.extend(&mut next, &option.seeds);
        if next.impossible || (next.types() == 0 && !next.nullable()) {
            return None;
        }
        next.tags.extend(option.tag.clone());
        match next.parts.get(own..).and_then(written) {
            Some(Json::Object(members)) if shape.has(&["properties"]) => {
                next.preset.extend(members);
            }
            Some(value) if size::take(&value, &mut self.remaining.bytes) => {
                let alone = self.others(choice, at, &value).is_empty();
                let example = BuiltExample {
                    value,
                    sound: true,
                    written: true,
                };
                return Some((example, alone));
            }
            _ => {}
        }
        let before = self.remaining;
        let mut example = self.choose(&next, level);
        if !example.sound {
            return Some((example, true));
        }
        let mut others = self.others(choice, at, &example.value);
        if !others.is_empty() && example.value.is_object() {
            // Members that the other alternatives require are left out if they are optional.
            for other in &others {
                let other = self.shape(&[other]);
                next.forbidden.extend(other.all("required").flat_map(names));
            }
            self.remaining = before;
            example = self.choose(&next, level);
            others = self.others(choice, at, &example.value);
        }
        Some((example, others.is_empty()))
    }

    /// Schemas that a value of the chosen alternative must not match, but does.
    fn others(&mut self, choice: &Choice<'d>, at: usize, value: &Json) -> Vec<&'d Node> {
        let rivals: Vec<&'d Node> = match choice.rule {
            Rule::Any => Vec::new(),
            Rule::If if at == 0 => Vec::new(),
            Rule::If => choice.owner.get("if").into_iter().collect(),
            Rule::One => {
                let rivals = choice.options.iter().enumerate();
                rivals
                    .filter(|(other, _)| *other != at)
                    .flat_map(|(_, option)| option.seeds.clone())
                    .collect()
            }
        };
        let mut fitting = rivals;
        fitting.retain(|rival| self.check.fits(rival, value));
        fitting
    }

    /// The order in which alternatives are tried: as written, but first the one that matched
    /// before, and last the recursive ones. A terse value tries those of the smallest depth first.
    fn order(&mut self, choice: &Choice<'d>, pick: usize, terse: bool) -> Vec<usize> {
        let mut ranked: Vec<(bool, usize, bool, usize)> = Vec::new();
        for (at, option) in choice.options.iter().enumerate() {
            let shape = self.shape(&option.seeds);
            let recursive = self.is_open(&shape);
            let height = if recursive || terse {
                self.min_depth(&option.seeds)
            } else {
                0
            };
            ranked.push((recursive, height, at != pick, at));
        }
        let first = ranked
            .iter()
            .min_by_key(|(recursive, _, other, at)| (*recursive, *other, *at));
        let first = first.map(|(_, _, _, at)| *at);
        ranked.sort_unstable();
        self.cut |= terse && ranked.first().map(|(_, _, _, at)| *at) != first;
        ranked.into_iter().map(|(_, _, _, at)| at).collect()
    }

    /// Whether the shape is (a part of) one of the schemas around it.
    pub(super) fn is_open(&self, shape: &Shape<'d>) -> bool {
        let open = |target: &&'d Node| self.open.iter().any(|open| std::ptr::eq(*open, *target));
        shape.targets.iter().any(open)
    }

    /// The value of a shape without open choices.
    fn finish(&mut self, shape: &Shape<'d>, level: usize) -> BuiltExample {
        let recursive = self.is_open(shape);
        let outer = self.open.len();
        self.open.extend(&shape.targets);
        let terse = recursive || level >= self.remaining.depth;
        let example = self.plain(shape, level, terse, recursive);
        self.open.truncate(outer);
        example
    }

    fn plain(
        &mut self,
        shape: &Shape<'d>,
        level: usize,
        terse: bool,
        recursive: bool,
    ) -> BuiltExample {
        let null = shape.nullable();
        if shape.impossible {
            return BuiltExample::impossible();
        }
        if let Some(made) = self.enum_value(shape, null) {
            return made;
        }
        // A recursive or too deep schema ends with null if it allows it.
        if null && (recursive || (terse && shape.is_deep())) {
            self.cut |= !recursive;
            return self.leaf(Json::Null);
        }
        let types = shape.types();
        let nth = self.nth;
        let before = self.remaining;
        let mut made = BuiltExample::impossible();
        for turn in 0..3 {
            self.remaining = before;
            self.nth = nth + turn;
            made = self.typed(shape, types, level, terse);
            let refused = shape.all("not").collect::<Vec<_>>();
            let refused = refused
                .into_iter()
                .any(|not| self.check.fits(not, &made.value));
            made.sound &= !refused;
            if !refused {
                break;
            }
        }
        self.nth = nth;
        if !made.sound && null {
            return self.leaf(Json::Null);
        }
        made
    }

    /// A value of the first type that has one.
    fn typed(&mut self, shape: &Shape<'d>, types: u8, level: usize, terse: bool) -> BuiltExample {
        if types == ALL & !NULL {
            return self.leaf(ANY_VALUE.into());
        }
        let mut first: Option<BuiltExample> = None;
        for kind in [BOOLEAN, STRING, NUMBER, OBJECT, ARRAY] {
            let example = match types & kind {
                0 => continue,
                BOOLEAN => self.leaf(self.nth.is_multiple_of(2).into()),
                STRING => self.string(shape),
                INTEGER | NUMBER => {
                    let (value, sound) = number::value(shape, types & kind == INTEGER, self.nth);
                    BuiltExample {
                        sound,
                        ..self.leaf(value)
                    }
                }
                OBJECT => self.object(shape, level, terse),
                ARRAY => self.array(shape, level, terse),
                _ => continue,
            };
            if example.sound {
                return example;
            }
            first.get_or_insert(example);
        }
        first.unwrap_or_else(BuiltExample::impossible)
    }

    fn string(&mut self, shape: &Shape<'d>) -> BuiltExample {
        let (text, sound) = string::text(shape, &mut self.check, self.nth);
        BuiltExample {
            sound,
            ..self.leaf(text.into())
        }
    }

    /// A value without children, if it is within the limits.
    pub(super) fn leaf(&mut self, value: Json) -> BuiltExample {
        if size::take(&value, &mut self.remaining.bytes) {
            return BuiltExample::new(value);
        }
        self.spent = true;
        BuiltExample::impossible()
    }

    /// The value of `enum` or `const` that all parts allow.
    fn enum_value(&mut self, shape: &Shape<'d>, null: bool) -> Option<BuiltExample> {
        let constant = shape.all("const").next();
        let list = shape.all("enum").find_map(Node::as_array);
        let values: Vec<&'d Node> = match (constant, list) {
            (Some(constant), _) => vec![constant],
            (None, Some(list)) => list.iter().take(MAX_ENUM_VALUES).collect(),
            (None, None) => return None,
        };
        let mut fitting: Vec<Json> = Vec::new();
        for node in values.iter().filter(|node| !node.is_null()) {
            let Some(value) = bounded_json(node) else {
                continue;
            };
            let fits = shape
                .parts
                .iter()
                .all(|part| self.check.fits(part.node, &value));
            if fits {
                fitting.push(value);
            }
            if fitting.len() > self.nth || self.check.is_spent() {
                break;
            }
        }
        let count = fitting.len().max(1);
        let chosen = fitting.into_iter().nth(self.nth % count);
        let only_null = values.iter().all(|node| node.is_null());
        Some(match chosen {
            Some(value) => self.leaf(value),
            None if null || only_null => self.leaf(Json::Null),
            None => BuiltExample {
                value: values
                    .first()
                    .and_then(|node| bounded_json(node))
                    .unwrap_or_default(),
                ..BuiltExample::impossible()
            },
        })
    }
}

/// The value that the author wrote: the example of the outermost part, with the objects of several
/// members of `allOf` merged, or else the default.
fn written(parts: &[Part<'_>]) -> Option<Json> {
    let example = |part: &Part<'_>| {
        let first = || part.node.get("examples")?.as_array()?.first().cloned();
        part.node.get("example").cloned().or_else(first)
    };
    let last = parts
        .iter()
        .rev()
        .find_map(|part| Some((part, example(part)?)));
    let Some((part, last)) = last else {
        let default = parts.iter().rev().find_map(|part| part.node.get("default"));
        return default.and_then(bounded_json);
    };
    if !part.member || last.as_object().is_none() {
        return bounded_json(&last);
    }
    let mut joined = serde_json::Map::new();
    for node in parts.iter().filter_map(example) {
        if let Some(Json::Object(members)) = bounded_json(&node) {
            joined.extend(members);
        }
    }
    Some(Json::Object(joined))
}

/// Whether a value is a placeholder.
fn is_placeholder(value: &Json) -> bool {
    match value {
        Json::String(text) => text == ANY_VALUE,
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.keys().all(|key| key == ANY_KEY),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// The strings of an array.
pub(super) fn names(list: &Node) -> impl Iterator<Item = &str> {
    let list = list.as_array().unwrap_or_default();
    list.iter().filter_map(Node::as_str)
}
