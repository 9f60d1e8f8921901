//! Pages by section and category, and their order.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use svc_data::{Limits, Node, parse_yaml};
use svc_diagnostics::Diagnostic;

use super::openapi;
use crate::Repository;
use crate::codes::{MIGRATE_MISSING, MIGRATE_SETTING};
use crate::front_matter;
use crate::navigation::NavNode;
use crate::path::{file_name, join, markdown_stem, parent};
use crate::site::{self, PagePlan, SitePlan};

/// Folders with pages, the segment of their URLs, and the name of their tab.
const SECTIONS: [(&str, &str, &str); 4] = [
    ("docs", "docs", "Guides"),
    ("reference", "reference", "API reference"),
    ("recipes", "recipes", "Recipes"),
    ("custom_pages", "page", "Pages"),
];
/// Maximum nesting depth of pages.
const MAX_DEPTH: usize = 12;

/// Path of a file that orders the categories, at the root or in a folder of the root.
pub(super) fn order_path(repository: &Repository) -> Option<&str> {
    let is_order = |path: &&str| {
        let dir = parent(path);
        let section = file_name(dir);
        // The file of a section, or of one of its categories.
        let category = file_name(parent(dir));
        let is_section = |name: &str| name == "docs" || name == "reference";
        file_name(path) == "_order.yaml"
            && path.matches('/').count() <= 3
            && (is_section(section) || is_section(category))
    };
    let paths = repository.below("").filter(is_order);
    paths.min_by_key(|path| path.matches('/').count())
}

/// The folder that contains the sections.
pub(super) fn root_of(order: &str) -> &str {
    let dir = parent(order);
    match file_name(dir) {
        "docs" | "reference" => parent(dir),
        _ => parent(parent(dir)),
    }
}

/// Adds pages, files, settings and the navigation to the plan.
pub(super) fn pages(repository: &Repository, root: &str, plan: &mut SitePlan) {
    let mut builder = Builder {
        repository,
        slugs: BTreeMap::new(),
        hidden: BTreeSet::new(),
        documents: BTreeSet::new(),
        operations: BTreeMap::new(),
        plan,
    };
    let mut tabs: Vec<NavNode> = Vec::new();
    for (folder, segment, title) in SECTIONS {
        let dir = join(root, folder);
        builder.section(&dir, segment);
        let items = builder.folder(&dir, 0);
        if !items.is_empty() {
            tabs.push(NavNode::group(title, items));
        }
    }
    let documents = std::mem::take(&mut builder.documents);
    let tabs = match <[NavNode; 1]>::try_from(tabs) {
        Ok([NavNode::Group { items, .. }]) => items,
        Ok(other) => other.into(),
        Err(tabs) => tabs,
    };
    let has_sections = tabs.iter().all(|node| {
        matches!(node, NavNode::Group { title, .. }
        if SECTIONS.iter().any(|section| section.2 == title))
    });
    plan.navigation = Value::Object(site::navigation(&tabs, has_sections, plan));
    // The start of the site leads to the first page.
    if let Some(first) = tabs.iter().find_map(NavNode::first_page).map(str::to_owned)
        && let Some(page) = plan.pages.iter_mut().find(|page| page.slug == first)
    {
        page.old_urls.push(String::new());
    }
    let mut config = site::settings(None, None);
    config.insert("colors".to_owned(), json!({ "primary": "#018ef5" }));
    if !documents.is_empty() {
        let documents: Vec<String> = documents.into_iter().collect();
        config.insert("api".to_owned(), json!({ "openapi": documents }));
    }
    plan.config = config;
    plan.diagnostics.push(
        Diagnostic::new(
            &MIGRATE_SETTING,
            "the name, the logo and the colors of the site are not in the repository",
        )
        .hint("set `name`, `logo` and `colors` in docs.json"),
    );
}

struct Builder<'a, 'p> {
    repository: &'a Repository,
    /// Slugs of pages by their path.
    slugs: BTreeMap<String, String>,
    /// Paths of pages that are not in the navigation.
    hidden: BTreeSet<String>,
    /// New paths of OpenAPI documents.
    documents: BTreeSet<String>,
    /// Operations of documents by path.
    operations: BTreeMap<String, BTreeMap<String, String>>,
    plan: &'p mut SitePlan,
}

impl Builder<'_, '_> {
    /// Adds the pages and files of a section.
    fn section(&mut self, dir: &str, segment: &str) {
        for path in self.repository.below(dir) {
            let below = path[dir.len()..].trim_start_matches('/');
            let Some(stem) = markdown_stem(below) else {
                let name = file_name(below);
                if !name.starts_with(['_', '.']) {
                    self.plan
                        .assets
                        .push((path.to_owned(), join(file_name(dir), below)));
                }
                continue;
            };
            let Some(file) = self.repository.text(path) else {
                continue;
            };
            let data = front_matter::split(file).data;
            let name = match file_name(stem) {
                "index" => file_name(parent(stem)),
                name => name,
            };
            let name = front_matter::field(&data, "slug").unwrap_or_else(|| name.to_owned());
            let slug = join(segment, &name);
            if self.plan.pages.iter().any(|page| page.slug == slug) {
                let message =
                    format!("two pages have the URL `/{slug}`; the second one is left out");
                let location = file.location(crate::markdown::line_span(file, 1));
                let diagnostic = Diagnostic::new(&MIGRATE_MISSING, message).at(location);
                self.plan
                    .diagnostics
                    .push(diagnostic.hint("give one of them another `slug`"));
                continue;
            }
            if data.get("hidden").and_then(Node::as_bool) == Some(true) {
                self.hidden.insert(path.to_owned());
            }
            if let Some(api) = data.get("api") {
                self.operation(dir, &slug, api);
            }
            self.slugs.insert(path.to_owned(), slug.clone());
            self.plan.pages.push(PagePlan {
                source: path.to_owned(),
                old_urls: vec![slug.clone()],
                slug,
                sidebar_title: None,
            });
        }
    }

    /// The operation that a page describes: `api: {file, operationId}`.
    fn operation(&mut self, dir: &str, slug: &str, api: &Node) {
        let name = front_matter::field(api, "file");
        let id = front_matter::field(api, "operationId");
        let (Some(name), Some(id)) = (name, id) else {
            return;
        };
        let stem = name
            .rsplit_once('.')
            .map_or(name.as_str(), |(stem, _)| stem);
        let paths = [
            name.clone(),
            format!("{stem}.json"),
            format!("{stem}.yaml"),
            format!("{stem}.yml"),
        ];
        let path = paths
            .iter()
            .map(|name| join(dir, name))
            .find(|path| self.repository.text(path).is_some());
        let Some((path, file)) = path.and_then(|path| {
            let file = self.repository.text(&path)?;
            Some((path, file))
        }) else {
            return;
        };
        let operations = self
            .operations
            .entry(path.clone())
            .or_insert_with(|| openapi::operations(file));
        if let Some(operation) = operations.get(&id) {
            let document = join(file_name(dir), file_name(&path));
            let mut fields = Map::new();
            fields.insert(
                "openapi".to_owned(),
                json!(format!("/{document} {operation}")),
            );
            self.plan.fields.insert(slug.to_owned(), fields);
            self.documents.insert(format!("/{document}"));
        }
    }

    /// The pages of a folder in the order of its `_order.yaml`; folders are groups.
    fn folder(&self, dir: &str, depth: usize) -> Vec<NavNode> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        // Names of pages and folders below.
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let start = format!("{dir}/");
        for path in self.slugs.keys() {
            if let Some(rest) = path.strip_prefix(&start) {
                let name = rest.split('/').next().unwrap_or(rest);
                names.insert(markdown_stem(name).unwrap_or(name));
            }
        }
        names.remove("index");
        let order = self.order(dir);
        let mut sorted: Vec<&str> = names.into_iter().collect();
        sorted.sort_by_key(|name| {
            order
                .iter()
                .position(|other| other == name)
                .unwrap_or(usize::MAX)
        });
        sorted
            .into_iter()
            .filter_map(|name| self.node(&join(dir, name), name, depth))
            .collect()
    }

    fn node(&self, path: &str, name: &str, depth: usize) -> Option<NavNode> {
        let page = |ends: [&str; 2]| {
            let paths = ends.map(|end| format!("{path}{end}"));
            let found = self.slugs.keys().find(|other| paths.contains(other))?;
            Some(found.clone())
        };
        let visible = |source: &String| !self.hidden.contains(source);
        let own = page([".md", ".mdx"]).filter(visible);
        let index = page(["/index.md", "/index.mdx"]).filter(visible);
        let slug = |source: &String| self.slugs.get(source).cloned();
        let items = self.folder(path, depth + 1);
        let root = own.as_ref().or(index.as_ref());
        if items.is_empty() {
            return root.and_then(slug).map(NavNode::Page);
        }
        let title = root.and_then(|source| site::title_of_page(self.repository, source));
        Some(NavNode::Group {
            title: title.unwrap_or_else(|| name.to_owned()),
            icon: None,
            root: root.and_then(slug),
            is_expanded: false,
            items,
        })
    }

    /// The names in `_order.yaml`.
    fn order(&self, dir: &str) -> Vec<String> {
        let Some(file) = self.repository.text(&join(dir, "_order.yaml")) else {
            return Vec::new();
        };
        let value = parse_yaml(file, &Limits::default()).value;
        let items = value.as_array().into_iter().flatten();
        items.filter_map(Node::to_text).collect()
    }
}
