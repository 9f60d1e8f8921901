//! Collects the parts of a schema that apply together.

use svc_data::{Node, Value};

use super::flat_schema::{Alternative, FlatSchema, Part, marks};
use super::schema_path::TracedSchema;
use super::type_set::is_null;
use super::viewer::{Entry, Viewer};
use crate::reference;

/// Maximum length of a chain of references and `allOf`s.
const MAX_HOPS: usize = 48;
/// Maximum number of parts of a schema.
const MAX_PARTS: usize = 500;

/// How a schema was reached.
#[derive(Debug, Clone, Copy)]
struct Traversal {
    level: usize,
    hops: usize,
    docs: bool,
    member: bool,
    /// Through `allOf`, where a repeated target adds nothing.
    joined: bool,
    /// Whether the name of a referenced component becomes that of the whole schema.
    named: bool,
}

impl<'a> Viewer<'a> {
    pub(super) fn flatten(&mut self, seeds: &[TracedSchema<'a>], level: usize) -> FlatSchema<'a> {
        let mut flat = FlatSchema::default();
        let traversal = Traversal {
            level,
            hops: 0,
            docs: true,
            member: seeds.len() > 1,
            joined: false,
            named: true,
        };
        for seed in seeds {
            let name = self.top.take();
            if name.is_some() {
                self.path.push(Entry {
                    target: seed.node,
                    level,
                });
                flat.name.clone_from(&name);
            }
            self.add(seed, name, traversal, &mut flat);
        }
        flat
    }

    fn add(
        &mut self,
        seed: &TracedSchema<'a>,
        name: Option<String>,
        traversal: Traversal,
        flat: &mut FlatSchema<'a>,
    ) {
        let node = seed.node;
        if traversal.hops > MAX_HOPS || flat.parts.len() >= MAX_PARTS || !self.budget.step() {
            self.budget.exceeded = true;
            return;
        }
        let object = match &node.value {
            Value::Object(object) => object,
            Value::Bool(false) => {
                flat.impossible = true;
                return;
            }
            _ => return,
        };
        let traversal = Traversal {
            hops: traversal.hops + 1,
            ..traversal
        };
        let describes = object.get("description").is_some();
        if let Some(reference) = reference::of(node) {
            let docs = traversal.docs && !describes;
            self.follow(seed, reference, Traversal { docs, ..traversal }, flat);
        }
        let members = object
            .get("allOf")
            .and_then(Node::as_array)
            .unwrap_or_default();
        // In 3.0 an `allOf` around a single schema is used to put keys beside a reference.
        let wrapper = members.len() == 1 && object.get("properties").is_none();
        for (at, member) in members.iter().enumerate() {
            let traversal = Traversal {
                docs: traversal.docs && !(wrapper && describes),
                member: traversal.member || !wrapper,
                joined: true,
                named: traversal.named && wrapper,
                ..traversal
            };
            self.add(&seed.item("allOf", at, member), None, traversal, flat);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(list) = object.get(key).and_then(Node::as_array) {
                self.choice(seed, key, list, traversal, flat);
            }
        }
        flat.parts.push(Part {
            node,
            seed: seed.clone(),
            docs: traversal.docs,
            member: traversal.member,
            name,
            keys: marks(object),
        });
    }

    fn follow(
        &mut self,
        seed: &TracedSchema<'a>,
        reference: &str,
        traversal: Traversal,
        flat: &mut FlatSchema<'a>,
    ) {
        let Ok((target, pointer)) = reference::target(&self.document.root, reference) else {
            return;
        };
        let name = reference::name(reference);
        if traversal.named && flat.name.is_none() {
            flat.name = Some(name.clone());
        }
        let met = self
            .path
            .iter()
            .rev()
            .find(|entry| std::ptr::eq(entry.target, target));
        match met {
            Some(entry) if entry.level < traversal.level || !traversal.joined => {
                flat.recursive.get_or_insert((target, name));
            }
            // The same level through `allOf`: its keywords are already present.
            Some(_) => {}
            None => {
                self.path.push(Entry {
                    target,
                    level: traversal.level,
                });
                let target = seed.target(target, &pointer);
                self.add(&target, reference::schema_name(reference), traversal, flat);
            }
        }
    }

    /// Alternatives without null; a single remaining one is not a choice.
    fn choice(
        &mut self,
        seed: &TracedSchema<'a>,
        key: &'static str,
        list: &'a [Node],
        traversal: Traversal,
        flat: &mut FlatSchema<'a>,
    ) {
        let mut alternatives = Vec::new();
        self.alternatives((seed, key), list, 0, &mut alternatives, flat);
        if alternatives
            .iter()
            .all(|alternative| is_required_only(alternative.seed.node))
        {
            return;
        }
        match alternatives.as_slice() {
            [] => {}
            [only] => self.add(&only.seed, None, traversal, flat),
            _ => flat.choices.push(alternatives),
        }
    }

    /// Flattens nested choices into one.
    fn alternatives(
        &mut self,
        (seed, key): (&TracedSchema<'a>, &'static str),
        list: &'a [Node],
        depth: usize,
        alternatives: &mut Vec<Alternative<'a>>,
        flat: &mut FlatSchema<'a>,
    ) {
        for (at, node) in list.iter().enumerate() {
            let seed = seed.item(key, at, node);
            if alternatives.len() >= MAX_PARTS || !self.budget.step() {
                self.budget.exceeded = true;
                return;
            }
            if is_null(reference::resolve(&self.document.root, node)) {
                flat.null = true;
                continue;
            }
            let inner = node
                .as_object()
                .filter(|object| object.len() == 1)
                .and_then(|object| {
                    let mut keys = ["oneOf", "anyOf"].into_iter();
                    keys.find_map(|key| Some((key, object.get(key)?.as_array()?)))
                });
            match inner.filter(|_| depth < 8) {
                Some((key, inner)) => {
                    self.alternatives((&seed, key), inner, depth + 1, alternatives, flat);
                }
                None => alternatives.push(Alternative { seed }),
            }
        }
    }
}

/// Whether a schema is only a condition such as "one of these two keys is required", which is not a
/// form of its own.
fn is_required_only(node: &Node) -> bool {
    node.as_object().is_some_and(|object| {
        !object.is_empty()
            && object
                .iter()
                .all(|(key, _)| matches!(key, "required" | "not"))
    })
}
