//! The sidebar.

use std::collections::BTreeSet;

use serde_json::Value;

use super::pages::Doc;
use super::{Config, Locale};
use crate::codes::MIGRATE_MISSING;
use crate::navigation::NavNode;
use crate::path::{join, url_key};
use crate::site::SitePlan;

/// Maximum nesting depth of groups.
const MAX_DEPTH: usize = 16;

/// The navigation of a language.
pub(super) fn nodes(
    config: &Config<'_>,
    locale: &Locale,
    docs: &[Doc],
    plan: &mut SitePlan,
) -> Vec<NavNode> {
    let mut builder = Builder {
        locale,
        docs,
        missing: BTreeSet::new(),
    };
    let nodes = match config.value.get("sidebar").and_then(Value::as_array) {
        Some(items) => builder.items(items, 0),
        None => builder.directory("", 0),
    };
    // The first page of a language, which sidebars often do not list.
    let index = docs
        .iter()
        .find(|doc| doc.locale == locale.dir && doc.id.is_empty());
    let mut nodes = nodes;
    if let Some(index) = index
        && !nodes.is_empty()
        && !nodes.contains(&NavNode::Page(index.slug.clone()))
    {
        nodes.insert(0, NavNode::Page(index.slug.clone()));
    }
    if locale.dir.is_empty() {
        for id in builder.missing {
            let message = format!("the page `{id}` of the sidebar does not exist");
            let diagnostic = config.diagnostic(&MIGRATE_MISSING, "sidebar", message);
            plan.diagnostics
                .push(diagnostic.hint("remove it from the navigation"));
        }
    }
    nodes
}

struct Builder<'a> {
    locale: &'a Locale,
    docs: &'a [Doc],
    missing: BTreeSet<String>,
}

impl Builder<'_> {
    fn page(&mut self, id: &str) -> Option<NavNode> {
        let id = url_key(id);
        let doc = self
            .docs
            .iter()
            .find(|doc| doc.locale == self.locale.dir && doc.id == id);
        if doc.is_none() {
            self.missing.insert(id);
        }
        doc.map(|doc| NavNode::Page(doc.slug.clone()))
    }

    fn items(&mut self, items: &[Value], depth: usize) -> Vec<NavNode> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        items
            .iter()
            .flat_map(|item| self.item(item, depth))
            .collect()
    }

    fn item(&mut self, item: &Value, depth: usize) -> Vec<NavNode> {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        if let Some(id) = item.as_str().or_else(|| text("slug")) {
            return self.page(id).into_iter().collect();
        }
        let label = text("label").unwrap_or_default();
        let translated = item
            .pointer("/translations")
            .and_then(|all| all.get(&self.locale.lang).and_then(Value::as_str));
        let title = translated.unwrap_or(label).to_owned();
        if let Some(link) = text("link") {
            return match svc_data::url_scheme(link) {
                Some(_) => vec![NavNode::Link {
                    title,
                    url: link.to_owned(),
                }],
                None => self.page(link).into_iter().collect(),
            };
        }
        let items = match item.get("items").and_then(Value::as_array) {
            Some(items) => self.items(items, depth + 1),
            None => match item
                .pointer("/autogenerate/directory")
                .and_then(Value::as_str)
            {
                Some(dir) => self.directory(dir, depth + 1),
                None => Vec::new(),
            },
        };
        if title.is_empty() {
            return items;
        }
        let is_expanded = item.get("collapsed").and_then(Value::as_bool) != Some(true) && depth > 0;
        let node = NavNode::Group {
            title,
            icon: None,
            root: None,
            is_expanded,
            items,
        };
        node.first_page()
            .is_some()
            .then_some(node)
            .into_iter()
            .collect()
    }

    /// The pages and folders of a folder, by `sidebar.order` and then by name.
    fn directory(&mut self, dir: &str, depth: usize) -> Vec<NavNode> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        let dir = dir.trim_matches('/');
        let start = if dir.is_empty() {
            String::new()
        } else {
            format!("{dir}/")
        };
        let mut entries: Vec<(f64, String, NavNode)> = Vec::new();
        let mut dirs: BTreeSet<String> = BTreeSet::new();
        let own = |doc: &&Doc| doc.locale == self.locale.dir && !doc.is_hidden;
        let mut orders = std::collections::BTreeMap::new();
        for doc in self.docs.iter().filter(own) {
            let rest = if doc.id == dir {
                Some("")
            } else {
                doc.id.strip_prefix(&start)
            };
            let Some(rest) = rest else {
                continue;
            };
            let order = doc.order.unwrap_or(f64::MAX);
            match rest.split_once('/') {
                Some((name, _)) => {
                    let least = orders.entry(name.to_owned()).or_insert(f64::MAX);
                    *least = order.min(*least);
                    dirs.insert(name.to_owned());
                }
                None if self.docs.iter().any(|other| {
                    !rest.is_empty()
                        && other.locale == doc.locale
                        && other.id.starts_with(&format!("{}/", doc.id))
                }) =>
                {
                    dirs.insert(rest.to_owned());
                }
                None => {
                    entries.push((order, rest.to_owned(), NavNode::Page(doc.slug.clone())));
                }
            }
        }
        for name in dirs {
            let items = self.directory(&join(dir, &name), depth + 1);
            let order = orders.get(&name).copied().unwrap_or(f64::MAX);
            entries.push((order, name.clone(), NavNode::group(name, items)));
        }
        entries.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        entries.into_iter().map(|(_, _, node)| node).collect()
    }
}
