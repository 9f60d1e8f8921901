//! Settings that the conversion drops.

use std::collections::BTreeSet;

use svc_diagnostics::{Diagnostic, SourceFile};

use crate::codes::DROPPED;
use svc_data::{Node, Value};

/// The path prefixes of tabs and anchors: the groups that they own are now inside of the tab.
const REPLACED_KEYS: &[(&str, &str)] = &[("tabs", "url"), ("anchors", "url")];

/// Reports every setting of `old` that has no part left in `new`, outermost first.
pub(super) fn report(file: &SourceFile, old: &Node, new: &Node, into: &mut Vec<Diagnostic>) {
    let mut retained = BTreeSet::new();
    collect(new, &mut retained);
    let mut walk = Walk {
        file,
        retained,
        names: Vec::new(),
        into,
    };
    walk.inside(old);
}

fn collect(tree: &Node, retained: &mut BTreeSet<u32>) {
    retained.insert(tree.span.start);
    match &tree.value {
        Value::Array(items) => {
            for item in items {
                collect(item, retained);
            }
        }
        Value::Object(object) => {
            for member in object.as_map().values() {
                // A value may have become a key.
                retained.insert(member.key_span.start);
                collect(&member.value, retained);
            }
        }
        _ => {}
    }
}

struct Walk<'a> {
    file: &'a SourceFile,
    retained: BTreeSet<u32>,
    names: Vec<String>,
    into: &'a mut Vec<Diagnostic>,
}

impl Walk<'_> {
    fn inside(&mut self, tree: &Node) {
        match &tree.value {
            Value::Object(object) => {
                for (key, member) in object.members() {
                    self.names.push(key.to_owned());
                    let replaced = REPLACED_KEYS.iter().any(|(list, name)| {
                        *name == key && self.names.first().is_some_and(|first| first == list)
                    });
                    if !replaced {
                        self.value(&member.value);
                    }
                    self.names.pop();
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.names.push(index.to_string());
                    self.value(item);
                    self.names.pop();
                }
            }
            _ => {}
        }
    }

    fn value(&mut self, tree: &Node) {
        if is_empty(tree) {
            return;
        }
        if self.is_retained(tree) {
            self.inside(tree);
            return;
        }
        let message = format!(
            "`{}` has no counterpart and is dropped",
            crate::text::shorten(&self.names.join("."))
        );
        let pointer: String = self
            .names
            .iter()
            .map(|name| format!("/{}", svc_data::escape_pointer(name)))
            .collect();
        let diagnostic = Diagnostic::new(&DROPPED, message)
            .at(self.file.location(tree.span))
            .pointer(pointer)
            .hint("check the site without it; svc has no such feature");
        self.into.push(diagnostic);
    }

    /// Whether the value or a part of it is still there.
    fn is_retained(&self, tree: &Node) -> bool {
        if self.retained.contains(&tree.span.start) {
            return true;
        }
        match &tree.value {
            Value::Array(items) => items.iter().any(|item| self.is_retained(item)),
            Value::Object(object) => object
                .as_map()
                .values()
                .any(|member| self.is_retained(&member.value)),
            _ => false,
        }
    }
}

fn is_empty(tree: &Node) -> bool {
    match &tree.value {
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}
