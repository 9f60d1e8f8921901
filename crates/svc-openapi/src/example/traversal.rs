//! Collects the schemas that a value must match together.

use std::rc::Rc;

use svc_data::{Node, Value};

use super::builder::ExampleBuilder;
use super::shape::{Alternative, Choice, NodeSet, Part, Rule, Shape};
use crate::reference;
use crate::view::document_name;
use crate::view::type_set::is_null;

/// Maximum depth of nested references and `allOf`s.
const MAX_HOPS: usize = 48;
/// Maximum number of parts and alternatives of a schema.
const MAX_PARTS: usize = 200;

/// How a part was reached.
#[derive(Debug, Clone, Copy)]
struct Traversal {
    hops: usize,
    member: bool,
    /// Through `allOf`.
    joined: bool,
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
            if is_null(target) {
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
        let Some(own) = own.or_else(|| document_name(document, owner)) else {
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
