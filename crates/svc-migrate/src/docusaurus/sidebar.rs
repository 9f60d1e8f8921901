//! Sidebars.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_data::{Limits, parse};

use super::Config;
use super::docs::{Doc, Instance, Version, number_of, without_number};
use crate::Repository;
use crate::codes::MIGRATE_MISSING;
use crate::navigation::NavNode;
use crate::path::{file_name, join, parent, resolve};
use crate::site::SitePlan;

/// Maximum nesting depth of categories.
const MAX_DEPTH: usize = 16;

/// The value of the sidebar file of a version; null if pages are listed automatically.
fn sidebars(
    repository: &Repository,
    config: &Config<'_>,
    instance: &Instance,
    version: &Version,
) -> Value {
    let path = if version.name == "current" {
        let path = instance.options.get("sidebarPath").and_then(Value::as_str);
        path.and_then(|path| resolve(&config.dir, path))
    } else {
        let prefix = match instance.id.as_str() {
            "default" => String::new(),
            id => format!("{id}_"),
        };
        let name = format!(
            "{prefix}versioned_sidebars/version-{}-sidebars.json",
            version.name
        );
        Some(join(&config.dir, &name))
    };
    let file = path.and_then(|path| {
        let ends = ["", ".js", ".ts", ".json"];
        ends.iter()
            .find_map(|end| repository.text(&format!("{path}{end}")))
    });
    file.map_or(Value::Null, |file| {
        crate::js::default_export(repository, file)
    })
}

/// The number of sidebars of a version.
pub(super) fn count(
    repository: &Repository,
    config: &Config<'_>,
    instance: &Instance,
    version: &Version,
) -> usize {
    sidebars(repository, config, instance, version)
        .as_object()
        .map_or(1, |all| all.len())
}

/// The navigation of a version. Several sidebars become groups, which are shown as tabs.
pub(super) fn nodes(
    repository: &Repository,
    config: &Config<'_>,
    instance: &Instance,
    version: &Version,
    docs: &[Doc],
    plan: &mut SitePlan,
) -> Vec<NavNode> {
    let value = sidebars(repository, config, instance, version);
    let mut builder = Builder {
        repository,
        docs,
        dir: &version.dir,
        route: join(&instance.route, &version.path),
        missing: BTreeSet::new(),
        categories: Vec::new(),
    };
    let nodes = match value.as_object() {
        None => builder.generated("", 0),
        Some(all) if all.len() == 1 => all
            .values()
            .next()
            .map(|items| builder.items(items, 0))
            .unwrap_or_default(),
        Some(all) => all
            .iter()
            .map(|(name, items)| NavNode::group(label(config, name), builder.items(items, 0)))
            .filter(|node| node.first_page().is_some())
            .collect(),
    };
    for id in builder.missing {
        let message = format!("the page `{id}` of the sidebar does not exist");
        let diagnostic = config.diagnostic(&MIGRATE_MISSING, "sidebarPath", message);
        plan.diagnostics
            .push(diagnostic.hint("remove it from the navigation"));
    }
    plan.redirects.extend(builder.categories);
    nodes
}

/// The name of a sidebar: the label of its link in the header.
fn label(config: &Config<'_>, name: &str) -> String {
    let items = config
        .value
        .pointer("/themeConfig/navbar/items")
        .and_then(Value::as_array);
    let item = items
        .into_iter()
        .flatten()
        .find(|item| item.get("sidebarId").and_then(Value::as_str) == Some(name));
    let label = item
        .and_then(|item| item.get("label"))
        .and_then(Value::as_str);
    label.map_or_else(
        || crate::path::title_of(name.strip_suffix("Sidebar").unwrap_or(name)),
        str::to_owned,
    )
}

struct Builder<'a> {
    repository: &'a Repository,
    docs: &'a [Doc],
    dir: &'a str,
    route: String,
    missing: BTreeSet<String>,
    /// Redirects from generated pages of categories.
    categories: Vec<(String, String)>,
}

impl Builder<'_> {
    fn page(&mut self, id: &str) -> Option<NavNode> {
        let doc = self.docs.iter().find(|doc| doc.id == id);
        // A page can also be named by its path.
        let doc = doc.or_else(|| {
            self.docs
                .iter()
                .find(|doc| crate::path::markdown_stem(&doc.below) == Some(id))
        });
        match doc {
            Some(doc) => Some(NavNode::Page(doc.slug.clone())),
            None => {
                self.missing.insert(id.to_owned());
                None
            }
        }
    }

    fn items(&mut self, items: &Value, depth: usize) -> Vec<NavNode> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        match items {
            Value::Array(all) => all.iter().flat_map(|item| self.item(item, depth)).collect(),
            Value::Object(map) if !map.contains_key("type") => map
                .iter()
                .filter(|(name, _)| *name != "$call")
                .map(|(label, items)| NavNode::group(label, self.items(items, depth + 1)))
                .filter(|node| node.first_page().is_some())
                .collect(),
            item => self.item(item, depth),
        }
    }

    fn item(&mut self, item: &Value, depth: usize) -> Vec<NavNode> {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        match (item, text("type")) {
            (Value::String(id), _) => self.page(id).into_iter().collect(),
            (_, Some("doc" | "ref")) => text("id")
                .and_then(|id| self.page(id))
                .into_iter()
                .collect(),
            (_, Some("link")) => match (text("label"), text("href")) {
                (Some(title), Some(url)) => {
                    vec![NavNode::Link {
                        title: title.to_owned(),
                        url: url.to_owned(),
                    }]
                }
                _ => Vec::new(),
            },
            (_, Some("autogenerated")) => {
                let dir = text("dirName").unwrap_or(".");
                self.generated(if dir == "." { "" } else { dir }, depth + 1)
            }
            (_, Some("category")) => self.category(item, depth).into_iter().collect(),
            (Value::Object(map), None) if !map.is_empty() => self.items(item, depth + 1),
            _ => Vec::new(),
        }
    }

    fn category(&mut self, item: &Value, depth: usize) -> Option<NavNode> {
        let title = item
            .get("label")
            .and_then(Value::as_str)
            .unwrap_or("Pages")
            .to_owned();
        let items = item.get("items").map(|items| self.items(items, depth + 1));
        let items = items.unwrap_or_default();
        let link = item.get("link");
        let text = |key: &str| link.and_then(|link| link.get(key)).and_then(Value::as_str);
        let mut root = None;
        match text("type") {
            Some("doc") => {
                if let Some(NavNode::Page(slug)) = text("id").and_then(|id| self.page(id)) {
                    root = Some(slug);
                }
            }
            Some("generated-index") => self.category_url(&title, text("slug"), &items),
            _ => {}
        }
        let is_expanded = item.get("collapsed").and_then(Value::as_bool) == Some(false);
        let node = NavNode::Group {
            title,
            icon: None,
            root,
            is_expanded,
            items,
        };
        node.first_page()?;
        Some(node)
    }

    /// Redirects the URL of a generated page to the first page of the category.
    fn category_url(&mut self, title: &str, slug: Option<&str>, items: &[NavNode]) {
        let Some(first) = items.iter().find_map(NavNode::first_page) else {
            return;
        };
        let words: Vec<String> = title
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let slug = slug.map_or_else(
            || format!("category/{}", words.join("-")),
            |slug| slug.trim_matches('/').to_owned(),
        );
        self.categories
            .push((join(&self.route, &slug), crate::site::page_path(first)));
    }

    /// The pages and folders of a folder, by position and then by name.
    fn generated(&mut self, dir: &str, depth: usize) -> Vec<NavNode> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        let start = if dir.is_empty() {
            String::new()
        } else {
            format!("{dir}/")
        };
        let mut entries: Vec<(f64, String, NavNode)> = Vec::new();
        let mut dirs = BTreeSet::new();
        for doc in self.docs.iter().filter(|doc| !doc.is_unlisted) {
            let Some(rest) = doc.below.strip_prefix(&start) else {
                continue;
            };
            match rest.split_once('/') {
                Some((name, _)) => {
                    dirs.insert(name.to_owned());
                }
                None => {
                    let position = doc.position.unwrap_or(f64::MAX);
                    entries.push((position, rest.to_owned(), NavNode::Page(doc.slug.clone())));
                }
            }
        }
        for name in dirs {
            let below = join(dir, &name);
            let data = self.category_file(&below);
            let items = self.generated(&below, depth + 1);
            let entry = |key: &str| data.get(key);
            let title = entry("label").and_then(Value::as_str);
            let title = title.unwrap_or_else(|| without_number(&name)).to_owned();
            let position = entry("position")
                .and_then(Value::as_f64)
                .or_else(|| number_of(&name));
            let link = entry("link").cloned().unwrap_or(Value::Null);
            let (root, items) = self.root_page(&below, &link, items);
            if link.get("type").and_then(Value::as_str) == Some("generated-index") {
                self.category_url(&title, link.get("slug").and_then(Value::as_str), &items);
            }
            let is_expanded = entry("collapsed").and_then(Value::as_bool) == Some(false);
            let node = NavNode::Group {
                title,
                icon: None,
                root,
                is_expanded,
                items,
            };
            if node.first_page().is_some() {
                entries.push((position.unwrap_or(f64::MAX), name, node));
            }
        }
        entries.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        entries.into_iter().map(|(_, _, node)| node).collect()
    }

    /// The index page of a folder becomes the page of its title.
    fn root_page(
        &mut self,
        dir: &str,
        link: &Value,
        mut items: Vec<NavNode>,
    ) -> (Option<String>, Vec<NavNode>) {
        let name = without_number(file_name(dir)).to_lowercase();
        let index = self.docs.iter().find(|doc| {
            let stem = crate::path::markdown_stem(file_name(&doc.below)).unwrap_or_default();
            let stem = without_number(stem).to_lowercase();
            parent(&doc.below) == dir && (stem == "index" || stem == "readme" || stem == name)
        });
        let index = index.map(|doc| doc.slug.clone());
        let named = link.get("id").and_then(Value::as_str).and_then(|id| {
            self.docs
                .iter()
                .find(|doc| doc.id == id)
                .map(|doc| doc.slug.clone())
        });
        let Some(root) = named.or(index) else {
            return (None, items);
        };
        if items.len() > 1 {
            items.retain(|node| *node != NavNode::Page(root.clone()));
        }
        (Some(root), items)
    }

    fn category_file(&self, dir: &str) -> Value {
        let dir = join(self.dir, dir);
        let ends = ["json", "yml", "yaml"];
        let file = ends.iter().find_map(|end| {
            self.repository
                .text(&join(&dir, &format!("_category_.{end}")))
        });
        file.map_or(Value::Null, |file| {
            parse(file, &Limits::default()).value.to_json()
        })
    }
}
