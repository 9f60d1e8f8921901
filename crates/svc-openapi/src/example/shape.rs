//! A schema as the parts that a value must match together.

use std::rc::Rc;

use svc_data::{Node, Value};

use super::builder::ExampleBuilder;
use crate::view::kind::{ALL, ARRAY, NULL, NUMBER, OBJECT, STRING, stated_types};
use crate::{Direction, reference};

/// Maximum depth of nested references and `allOf`s.
const MAX_HOPS: usize = 48;
/// Maximum number of parts and alternatives of a schema.
const MAX_PARTS: usize = 200;

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
    has_forms: bool,
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
        let address = |seed: &Node| std::ptr::from_ref(seed).addr();
        match seeds {
            [only] => Self::Single(address(only)),
            _ => Self::Several(seeds.iter().map(|seed| address(seed)).collect()),
        }
    }
}

/// How a part was reached.
#[derive(Debug, Clone, Copy)]
struct Traversal {
    hops: usize,
    member: bool,
    /// Through `allOf`.
    joined: bool,
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
        let suggested = crate::view::kind::suggested(|keys| self.has(keys));
        if suggested == ALL && self.has(&["required", "propertyNames"]) {
            return OBJECT;
        }
        suggested & !NULL
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

impl<'d> ExampleBuilder<'d> {
    /// The shape of schemas that apply together. A cached shape costs the same number of steps, so
    /// that the cache does not change results.
    pub(super) fn shape(&mut self, seeds: &[&'d Node]) -> Rc<Shape<'d>> {
        let nodes = NodeSet::of(seeds);
        if let Some((shape, steps)) = self.shapes.get(&nodes)
            && self.check.steps(*steps)
        {
            return Rc::clone(shape);
        }
        let before = self.check.steps_left();
        let mut shape = Shape::default();
        self.extend(&mut shape, seeds);
        shape.null = shape.nullable();
        let shape = Rc::new(shape);
        // The forms of a schema are different inside of them.
        if !shape.has_forms && !self.check.is_spent() {
            let steps = before - self.check.steps_left();
            self.shapes.insert(nodes, (Rc::clone(&shape), steps));
        }
        shape
    }

    /// Adds schemas that apply too.
    pub(super) fn extend(&mut self, shape: &mut Shape<'d>, seeds: &[&'d Node]) {
        let traversal = Traversal {
            hops: 0,
            member: seeds.len() > 1,
            joined: false,
        };
        for seed in seeds {
            self.add(seed, None, traversal, shape);
        }
    }

    fn add(
        &mut self,
        node: &'d Node,
        name: Option<&str>,
        traversal: Traversal,
        shape: &mut Shape<'d>,
    ) {
        if traversal.hops > MAX_HOPS || shape.parts.len() >= MAX_PARTS || !self.check.step() {
            return;
        }
        let object = match &node.value {
            Value::Object(object) => object,
            Value::Bool(false) => {
                shape.impossible = true;
                return;
            }
            _ => return,
        };
        if shape.parts.iter().any(|part| std::ptr::eq(part.node, node)) {
            return;
        }
        let traversal = Traversal {
            hops: traversal.hops + 1,
            ..traversal
        };
        if let Some(reference) = reference::of(node)
            && let Ok((target, _)) = reference::target(&self.document.root, reference)
            && !shape.targets.iter().any(|met| std::ptr::eq(*met, target))
        {
            shape.targets.push(target);
            let name = reference::schema_name(reference);
            self.add(target, name.as_deref(), traversal, shape);
        }
        let members = object
            .get("allOf")
            .and_then(Node::as_array)
            .unwrap_or_default();
        let wrapper = members.len() == 1 && object.get("properties").is_none();
        for member in members {
            let traversal = Traversal {
                member: traversal.member || !wrapper,
                joined: true,
                ..traversal
            };
            self.add(member, None, traversal, shape);
        }
        shape.parts.push(Part {
            node,
            member: traversal.member,
        });
        for (key, rule) in [("oneOf", Rule::One), ("anyOf", Rule::Any)] {
            if let Some(list) = object.get(key).and_then(Node::as_array) {
                self.alternatives(node, rule, list, traversal, shape);
            }
        }
        if object.get("discriminator").is_some() && !traversal.joined {
            shape.has_forms = true;
            self.descendants(node, name, shape);
        }
        self.condition(node, shape);
        if let Some(not) = object.get("not") {
            forbid(not, &mut shape.forbidden);
        }
    }

    /// Alternatives without null; a single remaining one is not a choice.
    fn alternatives(
        &mut self,
        owner: &'d Node,
        rule: Rule,
        list: &'d [Node],
        traversal: Traversal,
        shape: &mut Shape<'d>,
    ) {
        let tags = Tags::of(owner);
        let mut options = Vec::new();
        let mut null = false;
        for node in list.iter().take(MAX_PARTS) {
            if !self.check.step() {
                break;
            }
            let target = reference::resolve(&self.document.root, node);
            if crate::view::is_null(target) {
                null = true;
                continue;
            }
            options.push(Alternative {
                seeds: vec![node],
                tag: reference::of(node).and_then(|target| tags.tag(&reference::name(target))),
            });
        }
        match options.as_slice() {
            [] if !null => {}
            [only] if only.tag.is_none() && !null => {
                for seed in only.seeds.clone() {
                    self.add(seed, None, traversal, shape);
                }
            }
            _ => shape.choices.push(Rc::new(Choice {
                owner,
                rule,
                null,
                options,
            })),
        }
    }

    /// Adds the forms of a schema: those that refer to it in `allOf`, or that its discriminator
    /// maps.
    fn descendants(&mut self, owner: &'d Node, name: Option<&str>, shape: &mut Shape<'d>) {
        if owner.get("oneOf").or_else(|| owner.get("anyOf")).is_some() {
            return;
        }
        let document = self.document;
        let own = name.map(str::to_owned);
        let Some(own) = own.or_else(|| crate::view::document_name(document, owner)) else {
            return;
        };
        let tags = Tags::of(owner);
        let implied = document.children.get(&own).into_iter().flatten();
        let mut names: Vec<String> = Vec::new();
        for name in tags.names().chain(implied.cloned()).take(MAX_PARTS) {
            if name != own && !names.contains(&name) {
                names.push(name);
            }
        }
        let mut options = Vec::new();
        for name in names {
            let Some(node) = document.schema_node(&name) else {
                continue;
            };
            let met = |known: &&Node| std::ptr::eq(*known, node);
            if !shape.targets.iter().any(met) && !self.open.iter().any(met) {
                options.push(Alternative {
                    seeds: vec![node],
                    tag: tags.tag(&name),
                });
            }
        }
        if !options.is_empty() {
            // The schema itself, if none of its forms can be built.
            options.push(Alternative {
                seeds: Vec::new(),
                tag: None,
            });
            shape.choices.push(Rc::new(Choice {
                owner,
                rule: Rule::Any,
                null: true,
                options,
            }));
        }
    }

    fn condition(&self, owner: &'d Node, shape: &mut Shape<'d>) {
        let (Some(when), then, other) = (owner.get("if"), owner.get("then"), owner.get("else"))
        else {
            return;
        };
        if then.is_none() && other.is_none() {
            return;
        }
        let options = [
            [Some(when), then].into_iter().flatten().collect(),
            other.into_iter().collect(),
        ];
        shape.choices.push(Rc::new(Choice {
            owner,
            rule: Rule::If,
            null: true,
            options: options.map(|seeds| Alternative { seeds, tag: None }).into(),
        }));
    }
}

/// A discriminator.
struct Tags<'d> {
    property: Option<&'d str>,
    mapping: Vec<(&'d str, String)>,
}

impl<'d> Tags<'d> {
    fn of(owner: &'d Node) -> Self {
        let discriminator = owner.get("discriminator");
        let property = discriminator.and_then(|node| node.get("propertyName")?.as_str());
        let mapping = discriminator
            .and_then(|node| node.get("mapping")?.as_object())
            .into_iter()
            .flat_map(|mapping| mapping.iter())
            .take(MAX_PARTS)
            .filter_map(|(value, target)| Some((value, reference::name(target.as_str()?))));
        Self {
            property,
            mapping: mapping.collect(),
        }
    }

    fn names(&self) -> impl Iterator<Item = String> {
        self.mapping.iter().map(|(_, name)| name.clone())
    }

    /// The property and its value for a component: the mapped value, or else the name.
    fn tag(&self, name: &str) -> Option<(&'d str, String)> {
        let mapped = self.mapping.iter().find(|(_, own)| own == name);
        let value = mapped.map_or(name, |(value, _)| value);
        Some((self.property?, value.to_owned()))
    }
}

/// Properties that a simple `not` excludes: the last one of a list of names that exclude each
/// other.
fn forbid<'d>(not: &'d Node, forbidden: &mut Vec<&'d str>) {
    let single = not.as_object().filter(|object| object.len() == 1);
    let Some((key, list)) = single.and_then(|object| object.iter().next()) else {
        return;
    };
    let list = list.as_array().unwrap_or_default();
    if key == "required" {
        forbidden.extend(list.last().and_then(Node::as_str));
    } else if key == "anyOf" {
        for not in list.iter().take(MAX_PARTS) {
            let names = not.get("required").and_then(Node::as_array);
            forbidden.extend(names.and_then(<[Node]>::last).and_then(Node::as_str));
        }
    }
}
