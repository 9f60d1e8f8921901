//! Validation of values against schemas, to decide between alternatives and to report examples of
//! authors.

use std::collections::HashMap;

use regex::{Regex, RegexBuilder};
use serde_json::Value as Json;
use svc_data::{Node, Number, Object, Value};

use super::pattern;
use crate::view::type_set::{type_of, types_in};
use crate::{Direction, reference};

/// Maximum depth of nested schemas.
const MAX_NESTING: usize = 120;
/// Maximum number of steps of an example: visited schemas and compared values.
const MAX_STEPS: usize = 60_000;
/// Maximum size of a compiled pattern in bytes.
const MAX_PATTERN_BYTES: usize = 1 << 19;

/// Validates values; shared by all attempts for one example.
pub(crate) struct Check<'d> {
    root: &'d Node,
    /// Direction of the value; None for an example of the author, which may be for both.
    direction: Option<Direction>,
    steps: usize,
    /// Whether a check was skipped because of its cost.
    cut: bool,
    /// Path into the value and reason of a mismatch; only for examples of the author.
    path: Vec<String>,
    mismatch: Option<Mismatch>,
    /// Compiled patterns by their span; None for invalid ones.
    patterns: HashMap<usize, Option<Regex>>,
}

/// Why a value does not match.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// Names and indexes on the path from the whole value to the mismatched one.
    pub(crate) path: Vec<String>,
    /// The violation, as a clause.
    pub(crate) reason: String,
}

impl<'d> Check<'d> {
    pub(super) fn new(root: &'d Node, direction: Direction) -> Self {
        Self {
            direction: Some(direction),
            steps: MAX_STEPS,
            ..Self::of_author(root)
        }
    }

    /// Creates a lenient check for examples that authors wrote.
    pub(crate) fn of_author(root: &'d Node) -> Self {
        Self {
            root,
            direction: None,
            steps: 0,
            cut: false,
            path: Vec::new(),
            mismatch: None,
            patterns: HashMap::new(),
        }
    }

    /// Why an example of the author does not match. None if it matches, and if the remaining steps
    /// do not suffice. The used steps are consumed.
    pub(crate) fn mismatch(
        &mut self,
        node: &'d Node,
        value: &Json,
        left: &mut usize,
    ) -> Option<Mismatch> {
        self.steps = MAX_STEPS.min(*left);
        let given = self.steps;
        (self.cut, self.mismatch) = (false, None);
        self.path.clear();
        let fits = self.fits(node, value);
        *left -= given - self.steps;
        let mismatch = self.mismatch.take();
        mismatch.filter(|_| !fits && !self.cut)
    }

    /// Consumes one step; false if none is left.
    pub(super) const fn step(&mut self) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        true
    }

    /// Consumes some steps; false, without consuming any, if there are not more than that.
    pub(super) const fn steps(&mut self, steps: usize) -> bool {
        if self.steps <= steps {
            return false;
        }
        self.steps -= steps;
        true
    }

    pub(super) const fn steps_left(&self) -> usize {
        self.steps
    }

    pub(super) const fn steps_taken(&self) -> usize {
        MAX_STEPS - self.steps
    }

    pub(super) const fn is_spent(&self) -> bool {
        self.steps == 0
    }

    /// Whether a value matches. Unknown and invalid keywords are ignored.
    pub(super) fn fits(&mut self, node: &'d Node, value: &Json) -> bool {
        self.fits_at(node, value, 0)
    }

    fn fits_at(&mut self, node: &'d Node, value: &Json, depth: usize) -> bool {
        if depth > MAX_NESTING || !self.step() {
            self.cut = true;
            return false;
        }
        let object = match &node.value {
            Value::Object(object) => object,
            Value::Bool(allowed) => return *allowed,
            _ => return true,
        };
        if value.is_null() && object.get("nullable").and_then(Node::as_bool) == Some(true) {
            // In 3.0 null must be declared beside the type.
            if object.get("type").is_some() || self.direction.is_none() {
                return true;
            }
        }
        object.iter().all(|(key, keyword_value)| {
            let fits = self.keyword(object, key, keyword_value, value, depth + 1);
            if !fits && self.direction.is_none() {
                self.note(key, keyword_value, value);
            }
            fits
        })
    }

    /// Records why a value does not match. Mismatches of single alternatives are not a reason by
    /// themselves.
    fn note(&mut self, key: &str, keyword_value: &Node, value: &Json) {
        let alternatives = matches!(
            key,
            "anyOf" | "oneOf" | "not" | "if" | "contains" | "propertyNames" | "dependentSchemas"
        );
        if self.mismatch.is_some() && !alternatives {
            return;
        }
        // Inside of alternatives the path is longer than it is here.
        self.mismatch = Some(Mismatch {
            path: self.path.clone(),
            reason: reason(key, keyword_value, value),
        });
    }

    /// Like [`Self::fits_at`], for a part of the value.
    fn part_fits(&mut self, name: &str, node: &'d Node, value: &Json, depth: usize) -> bool {
        if self.direction.is_some() {
            return self.fits_at(node, value, depth);
        }
        self.path.push(name.to_owned());
        let fits = self.fits_at(node, value, depth);
        self.path.pop();
        fits
    }

    fn keyword(
        &mut self,
        schema: &'d Object,
        key: &str,
        keyword_value: &'d Node,
        value: &Json,
        depth: usize,
    ) -> bool {
        let list = || keyword_value.as_array().unwrap_or_default();
        // A keyword of a wrong type is reported elsewhere and ignored here.
        if matches!(key, "enum" | "anyOf" | "oneOf" | "allOf") && keyword_value.as_array().is_none()
        {
            return true;
        }
        match key {
            "$ref" => {
                let target = keyword_value
                    .as_str()
                    .and_then(|keyword_value| reference::target(self.root, keyword_value).ok());
                target.is_none_or(|(target, _)| self.fits_at(target, value, depth))
            }
            "type" => types_in(keyword_value).is_none_or(|types| types & type_of(value) != 0),
            "enum" => list().iter().any(|known| equal(known, value)),
            "const" => equal(keyword_value, value),
            "allOf" => list().iter().all(|node| self.fits_at(node, value, depth)),
            "anyOf" => list().iter().any(|node| self.fits_at(node, value, depth)),
            "oneOf" => {
                let mut fitting = 0;
                for node in list() {
                    fitting += usize::from(self.fits_at(node, value, depth));
                }
                fitting == 1 || (self.direction.is_none() && fitting > 1)
            }
            "not" => !self.fits_at(keyword_value, value, depth),
            "if" => {
                let branch = if self.fits_at(keyword_value, value, depth) {
                    "then"
                } else {
                    "else"
                };
                let branch = schema.get(branch);
                branch.is_none_or(|branch| self.fits_at(branch, value, depth))
            }
            _ => match value {
                Json::String(text) => self.text(key, keyword_value, text),
                Json::Number(number) => {
                    number_fits(schema, key, keyword_value, number.as_f64().unwrap_or(0.0))
                }
                Json::Array(items) => self.array(schema, key, keyword_value, items, depth),
                Json::Object(members) => self.object(schema, key, keyword_value, members, depth),
                Json::Null | Json::Bool(_) => true,
            },
        }
    }

    fn text(&mut self, key: &str, keyword_value: &'d Node, text: &str) -> bool {
        match key {
            "minLength" => meets_min(keyword_value, text.chars().count()),
            "maxLength" => meets_max(keyword_value, text.chars().count()),
            "pattern" => self.matches(keyword_value, text),
            _ => true,
        }
    }

    /// Whether a text matches a pattern; true for an invalid pattern.
    pub(super) fn matches(&mut self, pattern: &'d Node, text: &str) -> bool {
        let Some(source) = pattern.as_str() else {
            return true;
        };
        self.steps = self.steps.saturating_sub(1 + text.len() / 64);
        let pointer = std::ptr::from_ref(pattern).addr();
        let steps = &mut self.steps;
        let compiled = self.patterns.entry(pointer).or_insert_with(|| {
            *steps = steps.saturating_sub(200);
            let plain = pattern::without_look_around(source)?;
            RegexBuilder::new(&plain)
                .size_limit(MAX_PATTERN_BYTES)
                .nest_limit(pattern::MAX_NESTING)
                .build()
                .ok()
        });
        compiled
            .as_ref()
            .is_none_or(|pattern| pattern.is_match(text))
    }

    fn array(
        &mut self,
        schema: &'d Object,
        key: &str,
        keyword_value: &'d Node,
        items: &[Json],
        depth: usize,
    ) -> bool {
        match key {
            "minItems" => meets_min(keyword_value, items.len()),
            "maxItems" => meets_max(keyword_value, items.len()),
            "uniqueItems" => {
                let once = |(at, item): (usize, &Json)| !items.iter().take(at).any(|b| b == item);
                keyword_value.as_bool() != Some(true) || items.iter().enumerate().all(once)
            }
            "prefixItems" => {
                let pairs = keyword_value
                    .as_array()
                    .unwrap_or_default()
                    .iter()
                    .zip(items);
                pairs
                    .into_iter()
                    .enumerate()
                    .all(|(at, (node, item))| self.part_fits(&at.to_string(), node, item, depth))
            }
            "items" => {
                let first = schema.get("prefixItems").and_then(Node::as_array);
                let first = first.unwrap_or_default().len();
                let mut items = items.iter().enumerate().skip(first);
                items.all(|(at, item)| self.part_fits(&at.to_string(), keyword_value, item, depth))
            }
            "contains" => {
                let mut count = 0;
                for item in items {
                    count += usize::from(self.fits_at(keyword_value, item, depth));
                }
                let min = schema.get("minContains");
                let max = schema.get("maxContains");
                min.map_or(count > 0, |min| meets_min(min, count))
                    && max.is_none_or(|max| meets_max(max, count))
            }
            _ => true,
        }
    }

    fn object(
        &mut self,
        schema: &'d Object,
        key: &str,
        keyword_value: &'d Node,
        members: &serde_json::Map<String, Json>,
        depth: usize,
    ) -> bool {
        match key {
            "minProperties" => meets_min(keyword_value, members.len()),
            "maxProperties" => meets_max(keyword_value, members.len()),
            "required" => keyword_value
                .as_array()
                .unwrap_or_default()
                .iter()
                .all(|name| {
                    let missing = name.as_str().filter(|name| !members.contains_key(*name));
                    missing.is_none_or(|name| self.is_hidden(schema, name))
                }),
            "properties" => keyword_value.as_object().is_none_or(|properties| {
                members.iter().all(|(name, value)| {
                    let node = properties.get(name);
                    node.is_none_or(|node| self.part_fits(name, node, value, depth))
                })
            }),
            "patternProperties" | "additionalProperties" => members.iter().all(|(name, value)| {
                if key == "patternProperties" {
                    let patterns = self.patterns_of(schema, name);
                    return patterns
                        .into_iter()
                        .all(|node| self.part_fits(name, node, value, depth));
                }
                self.is_declared(schema, name) || self.part_fits(name, keyword_value, value, depth)
            }),
            "propertyNames" => members
                .keys()
                .all(|name| self.fits_at(keyword_value, &Json::String(name.clone()), depth)),
            "dependentRequired" => keyword_value.as_object().is_none_or(|lists| {
                lists.iter().all(|(name, list)| {
                    let mut names = list.as_array().unwrap_or_default().iter();
                    !members.contains_key(name)
                        || names.all(|n| n.as_str().is_none_or(|n| members.contains_key(n)))
                })
            }),
            "dependentSchemas" => keyword_value.as_object().is_none_or(|schemas| {
                let value = Json::Object(members.clone());
                schemas.iter().all(|(name, node)| {
                    !members.contains_key(name) || self.fits_at(node, &value, depth)
                })
            }),
            _ => true,
        }
    }

    /// Whether `properties` or `patternProperties` describe a name.
    pub(super) fn is_declared(&mut self, schema: &'d Object, name: &str) -> bool {
        let own = schema.get("properties").and_then(Node::as_object);
        own.is_some_and(|own| own.get(name).is_some()) || !self.patterns_of(schema, name).is_empty()
    }

    /// The schemas of `patternProperties` that apply to a name.
    pub(super) fn patterns_of(&mut self, schema: &'d Object, name: &str) -> Vec<&'d Node> {
        let patterns = schema.get("patternProperties").and_then(Node::as_object);
        let mut matching = Vec::new();
        for (pattern, node) in patterns.into_iter().flat_map(|patterns| patterns.iter()) {
            let pointer = std::ptr::from_ref(node).addr();
            let compiled = self
                .patterns
                .entry(pointer)
                .or_insert_with(|| Regex::new(pattern).ok());
            if compiled.as_ref().is_some_and(|own| own.is_match(name)) {
                matching.push(node);
            }
        }
        matching
    }

    /// Whether a required property is not part of this direction.
    fn is_hidden(&mut self, schema: &'d Object, name: &str) -> bool {
        let Some(node) = schema.get("properties").and_then(|own| own.get(name)) else {
            return false;
        };
        let keywords: &[&str] = match self.direction {
            Some(Direction::Request) => &["readOnly"],
            Some(Direction::Response) => &["writeOnly"],
            None => &["readOnly", "writeOnly"],
        };
        let target = reference::resolve(self.root, node);
        let is =
            |node: &Node, keyword: &str| node.get(keyword).and_then(Node::as_bool) == Some(true);
        keywords
            .iter()
            .any(|keyword| is(node, keyword) || is(target, keyword))
    }
}

/// The violation of a keyword, as a clause.
fn reason(key: &str, keyword_value: &Node, value: &Json) -> String {
    const MAX_QUOTED_CHARS: usize = 80;
    match key {
        "type" => {
            let own = keyword_value
                .as_array()
                .unwrap_or(std::slice::from_ref(keyword_value));
            let names: Vec<&str> = own.iter().filter_map(Node::as_str).collect();
            format!("its type must be `{}`", names.join("` or `"))
        }
        "enum" => "it is not one of the allowed values".to_owned(),
        "anyOf" | "oneOf" => format!("it does not match any alternative of `{key}`"),
        "additionalProperties" => "it has a property that is not declared".to_owned(),
        "required" => {
            let missing = |name: &&str| value.get(name).is_none();
            let mut names = keyword_value.as_array().unwrap_or_default().iter();
            let name = names.find_map(|name| name.as_str().filter(missing));
            format!("`{}` is missing", name.unwrap_or_default())
        }
        _ => match keyword_value
            .to_text()
            .filter(|text| text.len() <= MAX_QUOTED_CHARS)
        {
            Some(text) => format!("its `{key}` is `{text}`"),
            None => format!("`{key}` does not allow it"),
        },
    }
}

/// Whether a number is within a limit of its schema.
pub(super) fn number_fits(schema: &Object, key: &str, keyword_value: &Node, value: f64) -> bool {
    let strict = |key: &str| schema.get(key).and_then(Node::as_bool) == Some(true);
    let Some(limit) = keyword_value.as_number().map(Number::as_f64) else {
        return true;
    };
    match key {
        "minimum" if strict("exclusiveMinimum") => value > limit,
        "maximum" if strict("exclusiveMaximum") => value < limit,
        "minimum" => value >= limit,
        "maximum" => value <= limit,
        "exclusiveMinimum" => value > limit,
        "exclusiveMaximum" => value < limit,
        "multipleOf" => is_multiple(value, limit),
        _ => true,
    }
}

/// Whether a number is a multiple, up to the precision of floats.
fn is_multiple(value: f64, of: f64) -> bool {
    let quotient = value / of;
    of <= 0.0 || (quotient - quotient.round()).abs() < 1e-9
}

fn meets_min(keyword_value: &Node, count: usize) -> bool {
    let number = keyword_value.as_number().map(Number::as_f64);
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    number.is_none_or(|least| count as f64 >= least)
}

fn meets_max(keyword_value: &Node, count: usize) -> bool {
    let number = keyword_value.as_number().map(Number::as_f64);
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    number.is_none_or(|max| count as f64 <= max)
}

/// Whether a node of the document equals a value.
fn equal(node: &Node, value: &Json) -> bool {
    match (&node.value, value) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == b,
        (Value::Number(a), Json::Number(b)) => {
            b.as_f64().is_some_and(|b| a.as_f64().total_cmp(&b).is_eq())
        }
        (Value::String(a), Json::String(b)) => **a == **b,
        (Value::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => false,
    }
}
