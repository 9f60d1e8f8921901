//! Names of components.

use std::collections::{HashMap, HashSet};

use crate::grammar::ObjectKind;

/// The target of a reference: file, pointer and kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct RefTarget {
    pub(super) path: String,
    pub(super) pointer: String,
    pub(super) kind: ObjectKind,
}

impl RefTarget {
    pub(super) fn new(path: &str, pointer: String, kind: ObjectKind) -> Self {
        let path = path.to_owned();
        Self {
            path,
            pointer,
            kind,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct ComponentNames {
    chosen: HashMap<RefTarget, String>,
    used: HashSet<(ObjectKind, String)>,
    /// The last number that was tried, by the name before it.
    numbers: HashMap<(ObjectKind, String), usize>,
}

impl ComponentNames {
    /// The name of a target; None if it has none yet.
    pub(super) fn get(&self, target: &RefTarget) -> Option<&str> {
        self.chosen.get(target).map(String::as_str)
    }

    /// Reserves a name for a component of the document itself.
    pub(super) fn reserve(&mut self, kind: ObjectKind, name: &str) {
        self.used.insert((kind, name.to_owned()));
    }

    /// Assigns a name to a target, unless it has one.
    pub(super) fn assign(&mut self, target: RefTarget, name: &str) {
        self.reserve(target.kind, name);
        self.chosen.entry(target).or_insert_with(|| name.to_owned());
    }

    /// Chooses a free name: the last segment of the pointer, or else the name of the file; `Pet`,
    /// `Pet_2`, …
    pub(super) fn choose(&mut self, target: &RefTarget) -> String {
        let name_base = target.pointer.rsplit('/').next().unwrap_or_default();
        let name_base = svc_data::unescape_pointer(name_base);
        let file = target.path.rsplit('/').next().unwrap_or_default();
        let stem = file.split('.').next().unwrap_or_default();
        let base = if name_base.is_empty() {
            stem
        } else {
            &name_base
        };
        let allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let mut base: String = base
            .chars()
            .take(100)
            .map(|c| if allowed(c) { c } else { '_' })
            .collect();
        if base.is_empty() {
            base.push_str("part");
        }
        let free = |name: &str| !self.used.contains(&(target.kind, name.to_owned()));
        if free(&base) {
            return base;
        }
        let key = (target.kind, base.clone());
        let mut number = self.numbers.get(&key).copied().unwrap_or(2);
        while !free(&format!("{base}_{number}")) {
            number += 1;
        }
        self.numbers.insert(key, number);
        format!("{base}_{number}")
    }
}
