//! A schema as the parts that a value must match together.

use std::rc::Rc;

use svc_data::Node;

use crate::Direction;
use crate::view::type_set::{ALL, ARRAY, NULL, NUMBER, OBJECT, STRING, stated_types, suggested};

/// A part of a schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'d> {
    pub(super) node: &'d Node,
    /// Whether it is one of several members of `allOf`.
    pub(super) member: bool,
}

/// The condition of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// The value matches the chosen alternative and no other one (`oneOf`).
    One,
    /// The value matches the chosen alternative (`anyOf`), or a schema that extends this one.
    Any,
    /// The first alternative is `if` with `then`, the second one `else`.
    If,
}

/// Alternatives, one of which is chosen.
#[derive(Debug, Clone)]
pub(super) struct Choice<'d> {
    pub(super) owner: &'d Node,
    pub(super) rule: Rule,
    /// Whether null is allowed too.
    pub(super) null: bool,
    pub(super) options: Vec<Alternative<'d>>,
}

/// An alternative: schemas that apply if it is chosen.
#[derive(Debug, Clone)]
pub(super) struct Alternative<'d> {
    pub(super) seeds: Vec<&'d Node>,
    /// Discriminator property and value of the alternative.
    pub(super) tag: Option<(&'d str, String)>,
}

/// All parts of a schema and its open choices.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape<'d> {
    pub(super) parts: Vec<Part<'d>>,
    pub(super) choices: Vec<Rc<Choice<'d>>>,
    /// Number of choices that are already made.
    pub(super) chosen: usize,
    /// Targets of the references.
    pub(super) targets: Vec<&'d Node>,
    /// Whether no value matches.
    pub(super) impossible: bool,
    /// Whether a choice is between other schemas that extend this one.
    pub(super) has_forms: bool,
    /// Required types that override those of the parts.
    pub(super) types: Option<u8>,
    /// Whether null matches regardless of the choices.
    pub(super) null: bool,
    /// Discriminator properties with their values for the chosen alternatives.
    pub(super) tags: Vec<(&'d str, String)>,
    /// Properties that are not allowed.
    pub(super) forbidden: Vec<&'d str>,
    /// Members that the author wrote for a chosen alternative.
    pub(super) preset: serde_json::Map<String, serde_json::Value>,
}

/// Identity of a set of schemas that apply together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum NodeSet {
    Single(usize),
    Several(Box<[usize]>),
}

impl NodeSet {
    pub(super) fn of(seeds: &[&Node]) -> Self {
        let pointer = |seed: &Node| std::ptr::from_ref(seed).addr();
        match seeds {
            [only] => Self::Single(pointer(only)),
            _ => Self::Several(seeds.iter().map(|seed| pointer(seed)).collect()),
        }
    }
}

impl<'d> Shape<'d> {
    /// The values of a keyword in all parts.
    pub(super) fn all(&self, key: &'static str) -> impl Iterator<Item = &'d Node> {
        self.parts.iter().filter_map(move |part| part.node.get(key))
    }

    /// Whether a part has one of the keywords.
    pub(super) fn has(&self, keys: &[&'static str]) -> bool {
        keys.iter().any(|key| self.all(key).next().is_some())
    }

    /// The largest (or smallest) number of a keyword.
    pub(super) fn bound(&self, key: &'static str, use_max: bool) -> Option<f64> {
        let numbers = self.all(key).filter_map(Node::as_number);
        numbers
            .map(svc_data::Number::as_f64)
            .reduce(|a, b| if use_max { a.max(b) } else { a.min(b) })
    }

    /// A count such as `minItems`.
    pub(super) fn count(&self, key: &'static str, use_max: bool) -> Option<usize> {
        let bound = self.bound(key, use_max).filter(|bound| *bound >= 0.0)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to what fits"
        )]
        Some(bound.min(1e9) as usize)
    }

    /// The types that all parts allow, without null.
    pub(super) fn types(&self) -> u8 {
        if let Some(types) = self.types {
            return types;
        }
        let mut types = ALL;
        let mut stated = false;
        for own in self.parts.iter().filter_map(|part| stated_types(part.node)) {
            types &= own | NULL;
            stated = true;
        }
        if stated {
            return types & !NULL;
        }
        let implied = suggested(|keys| self.has(keys));
        if implied == ALL && self.has(&["required", "propertyNames"]) {
            return OBJECT;
        }
        implied & !NULL
    }

    /// Whether null matches all parts and all open choices.
    pub(super) fn nullable(&self) -> bool {
        if self.null {
            return true;
        }
        let mut left = self.choices.iter().skip(self.chosen).peekable();
        let mut stated = left.peek().is_some();
        if !left.all(|choice| choice.null) {
            return false;
        }
        for part in &self.parts {
            let nullable = part.node.get("nullable").and_then(Node::as_bool) == Some(true);
            let types = stated_types(part.node);
            if types.is_some_and(|types| types & NULL == 0) && !nullable {
                return false;
            }
            stated |= nullable || types.is_some_and(|types| types & NULL != 0);
            let listed = part.node.get("enum").and_then(Node::as_array);
            if listed.is_some_and(|list| !nullable && !list.iter().any(Node::is_null)) {
                return false;
            }
            if part.node.get("const").is_some_and(|value| !value.is_null()) {
                return false;
            }
        }
        stated
    }

    /// Whether values are objects or arrays of any content.
    pub(super) fn is_deep(&self) -> bool {
        let types = self.types();
        types != ALL & !NULL
            && types & (OBJECT | ARRAY) != 0
            && types & (STRING | NUMBER) == 0
            && self.has(&[
                "properties",
                "items",
                "prefixItems",
                "additionalProperties",
                "patternProperties",
            ])
    }

    /// Whether the schema itself or every member of `allOf` has an annotation.
    pub(super) fn has_annotation(&self, key: &str) -> bool {
        let is = |part: &Part<'_>| part.node.get(key).and_then(Node::as_bool) == Some(true);
        let mut members = self.parts.iter().filter(|part| part.member).peekable();
        self.parts.iter().any(|part| !part.member && is(part))
            || (members.peek().is_some() && members.all(is))
    }

    /// Whether it is not part of that direction.
    pub(super) fn is_hidden(&self, direction: Direction) -> bool {
        self.has_annotation(match direction {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
        })
    }
}
