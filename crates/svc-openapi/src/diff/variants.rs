//! Alternatives: `oneOf` and `anyOf`.

use svc_data::Node;

use super::flat_schema::{FlatSchema, Seed};
use super::schema::{ALL, NULL, component, names, stated_types};
use super::{Comparer, Effect, Pair};
use crate::reference;

impl<'a> Comparer<'a> {
    /// Reports a schema that became a choice of several schemas, or the reverse.
    pub(super) fn became_choice(
        &mut self,
        pair: &Pair<'a>,
        old: &FlatSchema<'a>,
        new: &FlatSchema<'a>,
    ) -> bool {
        let bare = |flat: &FlatSchema<'a>| {
            flat.choices.len() == 1
                && flat.parts.iter().all(|part| {
                    stated_types(part.node) == ALL && part.node.get("properties").is_none()
                })
        };
        let (before, after) = match (old.choices.is_empty(), new.choices.is_empty()) {
            (true, false) if bare(new) => {
                let only = |seed| only_member(&self.old.document.root, seed);
                (pair.old.iter().map(only).collect(), new.choices.concat())
            }
            (false, true) if bare(old) => {
                let only = |seed| only_member(&self.new.document.root, seed);
                (old.choices.concat(), pair.new.iter().map(only).collect())
            }
            _ => return false,
        };
        if before.is_empty() || after.is_empty() || (before.len() > 1 && after.len() > 1) {
            return false;
        }
        if (old.nullable, new.nullable) == (true, false) {
            self.report_range_change(pair, "nullable", true, "type", "can no longer be null");
        }
        if (old.nullable, new.nullable) == (false, true)
            && !old
                .parts
                .iter()
                .all(|part| stated_types(part.node) & NULL != 0)
        {
            self.report_range_change(pair, "nullable", false, "type", "can now be null");
        }
        self.variants(pair, before, after);
        true
    }

    pub(super) fn choices(&mut self, pair: &Pair<'a>, old: &FlatSchema<'a>, new: &FlatSchema<'a>) {
        for (old, new) in old.choices.iter().zip(&new.choices) {
            self.variants(pair, old.clone(), new.clone());
        }
        let (before, after) = (old.choices.len(), new.choices.len());
        if before < after {
            self.report_range_change(
                pair,
                "variants",
                true,
                "oneOf",
                "must now be one of several schemas",
            );
        } else if after < before {
            self.report_range_change(
                pair,
                "variants",
                false,
                "oneOf",
                "no longer needs to be one of several schemas",
            );
        }
        let name = |flat: &FlatSchema<'a>| {
            flat.last("discriminator")
                .and_then(|node| node.get("propertyName")?.as_str())
        };
        if let (Some(before), Some(after)) = (name(old), name(new))
            && before != after
        {
            let message = format!("has the discriminator `{after}` instead of `{before}`");
            self.note(
                pair,
                ("discriminator", Effect::Breaking),
                "discriminator",
                &message,
            );
        }
    }

    fn variants(&mut self, pair: &Pair<'a>, old: Vec<Seed<'a>>, new: Vec<Seed<'a>>) {
        let mut rest: Vec<Option<Seed<'a>>> = new.into_iter().map(Some).collect();
        let mut matched = Vec::new();
        let mut unmatched = Vec::new();
        // Matches by name, then by equal content, then by position among those without a name.
        for old in old {
            let name = variant_name(&old);
            let by_name = rest
                .iter()
                .position(|new| name.is_some() && new.as_ref().and_then(variant_name) == name);
            match by_name.and_then(|at| rest.get_mut(at)?.take()) {
                Some(new) => matched.push((old, new)),
                None => unmatched.push(old),
            }
        }
        let mut removed = Vec::new();
        for old in unmatched {
            let mut index = None;
            for (at, new) in rest.iter().enumerate() {
                let Some(new) = new else { continue };
                let before = reference::resolve(&self.old.document.root, old.node);
                let after = reference::resolve(&self.new.document.root, new.node);
                if self.same(before, after) {
                    index = Some(at);
                    break;
                }
            }
            match index.and_then(|at| rest.get_mut(at)?.take()) {
                Some(new) => matched.push((old, new)),
                None => removed.push(old),
            }
        }
        let mut missing = Vec::new();
        for old in removed {
            let nameless = variant_name(&old).is_none();
            let at = rest.iter().position(|new| {
                nameless && new.as_ref().is_some_and(|new| variant_name(new).is_none())
            });
            match at.and_then(|at| rest.get_mut(at)?.take()) {
                Some(new) => matched.push((old, new)),
                None => missing.push(old),
            }
        }
        for (old, new) in matched {
            self.pair((vec![old], vec![new]), &pair.context, &pair.path);
        }
        for old in missing {
            let message = format!("can no longer be {}", describe_schema(&old));
            let location = self.old.locate(&old.pointer, old.node.span);
            let rule = ("variant-removed", pair.context.direction.narrowing_effect());
            self.member(pair, rule, "oneOf", (&message, ""), (Some(location), None));
        }
        for new in rest.into_iter().flatten() {
            let message = format!("can now be {}", describe_schema(&new));
            let location = self.new.locate(&new.pointer, new.node.span);
            let rule = ("variant-added", pair.context.direction.widening_effect());
            self.member(pair, rule, "oneOf", (&message, ""), (None, Some(location)));
        }
    }
}

/// The schema of a list of one, which is equivalent to the schema itself.
fn only_member<'a>(root: &'a Node, seed: &Seed<'a>) -> Seed<'a> {
    let (node, pointer) = match reference::follow(root, seed.node) {
        Some((node, Some(location))) => (node, location.into_owned()),
        _ => (seed.node, seed.pointer.clone()),
    };
    for key in ["oneOf", "anyOf"] {
        if let Some([only]) = node.get(key).and_then(Node::as_array) {
            return Seed {
                node: only,
                pointer: format!("{pointer}/{key}/0"),
            };
        }
    }
    seed.clone()
}

fn variant_name(seed: &Seed<'_>) -> Option<String> {
    let title = || {
        seed.node
            .get("title")
            .and_then(Node::as_str)
            .map(str::to_owned)
    };
    let written = reference::of(seed.node).map(reference::name);
    written.or_else(|| component(&seed.pointer)).or_else(title)
}

fn describe_schema(seed: &Seed<'_>) -> String {
    match variant_name(seed) {
        Some(name) => format!("`{name}`"),
        None => match stated_types(seed.node) {
            ALL => "another schema".to_owned(),
            types => names(types),
        },
    }
}
