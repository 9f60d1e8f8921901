//! Tags, and the groups of tags.

use indexmap::IndexMap;
use svc_data::Node;
use svc_diagnostics::{Diagnostic, Span};

use super::{Reader, below, text};
use crate::Tag;
use crate::codes;

impl Reader<'_> {
    pub(super) fn tags(&mut self, root: &Node) -> Vec<Tag> {
        let list = root
            .get("tags")
            .and_then(Node::as_array)
            .unwrap_or_default();
        let mut tags: Vec<Tag> = Vec::with_capacity(list.len());
        let mut spans: IndexMap<String, Span> = IndexMap::new();
        for (at, node) in list.iter().enumerate() {
            let pointer = format!("/tags/{at}");
            let Some(name) = text(node, "name") else {
                continue;
            };
            let span = node.get("name").map_or(node.span, |node| node.span);
            if let Some(first) = spans.get(&name) {
                let diagnostic =
                    Diagnostic::new(&codes::TAG, format!("the tag `{name}` is not unique"))
                        .at(self.line_index.location(span))
                        .pointer(below(&pointer, "name"))
                        .label(self.line_index.location(*first), "first here")
                        .hint("keep one of them");
                self.diagnostics.push(diagnostic);
            } else {
                spans.insert(name.clone(), span);
            }
            // Fields of 3.2 have no meaning in an older document.
            let newer = |key: &str| text(node, key).filter(|_| self.newer);
            tags.push(Tag {
                group: text(node, "x-group")
                    .or_else(|| text(node, "x-displayName"))
                    .or_else(|| newer("summary")),
                description: text(node, "description"),
                parent: newer("parent"),
                kind: newer("kind"),
                name,
            });
        }
        self.parents(list, &spans);
        tags
    }

    /// Reports parents of tags that are not declared or form a cycle.
    fn parents(&mut self, list: &[Node], spans: &IndexMap<String, Span>) {
        if !self.newer {
            return;
        }
        let parent_of: IndexMap<String, String> = list
            .iter()
            .filter_map(|node| Some((text(node, "name")?, text(node, "parent")?)))
            .collect();
        for (at, node) in list.iter().enumerate() {
            let (Some(name), Some(parent)) = (text(node, "name"), text(node, "parent")) else {
                continue;
            };
            let circle = || {
                let mut now = &parent;
                for _ in 0..64 {
                    if *now == name {
                        return true;
                    }
                    let Some(next) = parent_of.get(now) else {
                        return false;
                    };
                    now = next;
                }
                false
            };
            let problem = if !spans.contains_key(&parent) {
                let hint = self.suggest(&parent, spans.keys().map(String::as_str), || {
                    format!("declare `{parent}` in `tags`")
                });
                Some((
                    format!("the parent `{parent}` of the tag `{name}` is not declared"),
                    hint,
                ))
            } else if circle() {
                let hint = "remove `parent` from one of the tags".to_owned();
                Some((format!("the tag `{name}` is its own ancestor"), hint))
            } else {
                None
            };
            if let Some((message, hint)) = problem {
                let span = node.get("parent").map_or(node.span, |node| node.span);
                self.report(
                    &codes::TAG,
                    &format!("/tags/{at}/parent"),
                    span,
                    message,
                    hint,
                );
            }
        }
    }
}

/// The groups of `x-tagGroups` by tag; a tag is in the first group that contains it.
pub(super) fn groups(root: &Node) -> IndexMap<String, String> {
    let mut groups = IndexMap::new();
    let list = root.get("x-tagGroups").and_then(Node::as_array);
    for group in list.unwrap_or_default() {
        let Some(name) = text(group, "name") else {
            continue;
        };
        for tag in strings(group.get("tags")) {
            groups.entry(tag).or_insert_with(|| name.clone());
        }
    }
    groups
}

/// The strings of an array, or a single string.
pub(super) fn strings(node: Option<&Node>) -> Vec<String> {
    match node.map(|node| (node, node.as_array())) {
        Some((_, Some(items))) => items.iter().filter_map(Node::to_text).collect(),
        Some((node, None)) => node.as_str().map(str::to_owned).into_iter().collect(),
        None => Vec::new(),
    }
}
