//! The navigation of `mint.json`: a list of groups, and tabs and anchors that own the groups whose
//! pages begin with their path prefix.

use super::document::{NewDocument, OldDocument, each, rename};
use svc_data::{Member, Node, Value};
use svc_diagnostics::Span;

use crate::tree::{Map, object, string};

pub(super) fn convert(old: &mut OldDocument, new: &mut NewDocument) {
    let primary = old.take_path(&["primaryTab", "name"]);
    old.take("primaryTab");
    let tabs = items(old.take("tabs"));
    let anchors = items(old.take("anchors"));
    let Some(list) = old.take("navigation") else {
        return;
    };
    let span = list.value.span;
    let Value::Array(groups) = list.value.value else {
        // The value already has the newer form.
        new.put(&["navigation"], list.value);
        return;
    };
    let mut groups: Vec<Node> = groups.into_iter().map(group).collect();

    let mut sections = Vec::new();
    let mut links = Vec::new();
    for (entry, key) in tabs
        .into_iter()
        .map(|tab| (tab, "tab"))
        .chain(anchors.into_iter().map(|a| (a, "anchor")))
    {
        let entry = rename(entry, &[("name", key), ("url", "href")]);
        let url = entry
            .get("href")
            .and_then(Node::as_str)
            .unwrap_or("")
            .to_owned();
        let prefix = url.trim_matches('/');
        let local = !url.contains("://") && !prefix.is_empty();
        let (inside, outside): (Vec<Node>, Vec<Node>) = groups
            .into_iter()
            .partition(|group| local && begins_with(group, prefix));
        groups = outside;
        if inside.is_empty() && key == "anchor" {
            links.push(plain_anchor(entry));
        } else {
            sections.push(section(entry, inside, key));
        }
    }

    if sections.is_empty() {
        new.put(&["navigation", "groups"], array(span, groups));
    } else {
        let mut all = Vec::new();
        if !groups.is_empty() {
            let name = primary.unwrap_or_else(|| string(span, "Documentation"));
            let mut first = Map::new();
            first.insert(
                "tab",
                Member {
                    key_span: span,
                    value: name,
                },
            );
            first.insert(
                "groups",
                Member {
                    key_span: span,
                    value: array(span, groups),
                },
            );
            all.push(Node {
                span,
                value: Value::Object(first.into()),
            });
        }
        all.extend(sections);
        new.put(&["navigation", "tabs"], array(span, all));
    }
    if !links.is_empty() {
        new.put(&["navigation", "global", "anchors"], array(span, links));
    }
}

fn items(member: Option<Member>) -> Vec<Node> {
    match member.map(|member| member.value.value) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

const fn array(span: Span, items: Vec<Node>) -> Node {
    Node {
        span,
        value: Value::Array(items),
    }
}

/// Merges `iconType` into the icon, also in nested groups.
fn group(mut tree: Node) -> Node {
    let Some(map) = tree.as_map_mut() else {
        return tree;
    };
    icon(map);
    if let Some(pages) = map.get_mut("pages") {
        let old = std::mem::replace(&mut pages.value, object(pages.key_span));
        pages.value = each(old, group);
    }
    tree
}

fn icon(map: &mut Map) {
    let Some(style) = map.remove("iconType") else {
        return;
    };
    let Some(icon) = map.get_mut("icon") else {
        return;
    };
    if icon.value.as_str().is_some() {
        let span = icon.value.span;
        let name = std::mem::replace(&mut icon.value, object(span));
        let mut object = Map::new();
        object.insert(
            "name",
            Member {
                key_span: span,
                value: name,
            },
        );
        object.insert("style", style);
        icon.value = Node {
            span,
            value: Value::Object(object.into()),
        };
    }
}

/// Retains the keys of a link for all pages.
fn plain_anchor(mut entry: Node) -> Node {
    if let Some(map) = entry.as_map_mut() {
        icon(map);
        clean(map);
    }
    entry
}

fn clean(map: &mut Map) {
    // Gradients, versions and default states of the older anchors have no counterpart.
    map.retain(|key, _| matches!(key, "tab" | "anchor" | "href" | "icon" | "openapi"));
}

/// A tab with its groups; without groups it stays a link.
fn section(entry: Node, groups: Vec<Node>, key: &str) -> Node {
    let mut entry = rename(entry, &[(key, "tab")]);
    let span = entry.span;
    if let Some(map) = entry.as_map_mut() {
        icon(map);
        clean(map);
        if !groups.is_empty() {
            map.remove("href");
            map.insert(
                "groups",
                Member {
                    key_span: span,
                    value: array(span, groups),
                },
            );
        }
    }
    entry
}

/// Whether the path of the first page of a group is below `prefix`.
fn begins_with(group: &Node, prefix: &str) -> bool {
    let mut tree = group;
    loop {
        let Some(Value::Array(pages)) = tree.get("pages").map(|pages| &pages.value) else {
            return false;
        };
        let Some(first) = pages.first() else {
            return false;
        };
        if let Some(path) = first.as_str() {
            let path = path.trim_start_matches('/');
            return path
                .strip_prefix(prefix)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        }
        tree = first;
    }
}
