//! `nav` of mkdocs.yml, `.pages` files, and the order without either.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use svc_data::{Limits, parse_yaml};

use super::config::Config;
use super::languages::Languages;
use crate::Repository;
use crate::codes::MIGRATE_MISSING;
use crate::navigation::{NavNode, language_entry};
use crate::path::{file_name, join, markdown_stem, resolve};
use crate::site::{self, SitePlan, slug_of};

/// Maximum nesting depth of sections.
const MAX_DEPTH: usize = 16;

/// `navigation` of docs.json.
pub(super) fn navigation(
    repository: &Repository,
    config: &Config,
    languages: &Languages,
    plan: &mut SitePlan,
) -> Value {
    let tabs = config.has_feature("navigation.tabs");
    let mut builder = Builder {
        repository,
        config,
        pages: plan
            .pages
            .iter()
            .map(|page| (page.slug.clone(), page.source.clone()))
            .collect(),
        titles: BTreeMap::new(),
        used: BTreeSet::new(),
        missing: Vec::new(),
        prefix: String::new(),
    };
    let mut out = Map::new();
    if languages.all.is_empty() {
        let nodes = builder.site();
        builder.finish(plan);
        return Value::Object(site::navigation(&nodes, tabs, plan));
    }
    let mut all = Vec::new();
    for language in &languages.all {
        builder.prefix = match language.is_default {
            true => String::new(),
            false => language.locale.clone(),
        };
        builder.used.clear();
        let nodes = builder.site();
        let nodes: Vec<NavNode> = nodes
            .into_iter()
            .filter(|node| builder.prefix.is_empty() || node.first_page().is_some())
            .collect();
        if nodes.is_empty() {
            continue;
        }
        let content = site::navigation(&nodes, tabs, plan);
        all.push(language_entry(
            &language.locale,
            language.is_default,
            content,
        ));
    }
    builder.finish(plan);
    out.insert("languages".to_owned(), Value::Array(all));
    Value::Object(out)
}

struct Builder<'a> {
    repository: &'a Repository,
    config: &'a Config,
    /// Old paths by slug.
    pages: BTreeMap<String, String>,
    /// Titles in the navigation by slug.
    titles: BTreeMap<String, String>,
    used: BTreeSet<String>,
    missing: Vec<String>,
    /// Prefix of the language.
    prefix: String,
}

impl Builder<'_> {
    fn site(&mut self) -> Vec<NavNode> {
        match self.config.value.get("nav").and_then(Value::as_array) {
            Some(nav) => self.items(&nav.clone(), "", 0),
            None => self.dir("", 0),
        }
    }

    /// Sets the titles in the plan and reports pages that do not exist.
    fn finish(self, plan: &mut SitePlan) {
        for page in &mut plan.pages {
            page.sidebar_title = self.titles.get(&page.slug).cloned();
        }
        for path in self.missing {
            let message = format!("the page `{path}` of the navigation does not exist");
            let name = file_name(&path).to_owned();
            let diagnostic = self.config.diagnostic(&MIGRATE_MISSING, &name, message);
            plan.diagnostics
                .push(diagnostic.hint("remove it, or add the file if it is generated"));
        }
    }

    fn items(&mut self, items: &[Value], dir: &str, depth: usize) -> Vec<NavNode> {
        let mut out = Vec::new();
        if depth > MAX_DEPTH {
            return out;
        }
        // Pages named anywhere in the list are not part of its wildcards.
        let named: Vec<&str> = items.iter().filter_map(page_of).collect();
        for path in named {
            if let Some(slug) = self.slug(dir, path) {
                self.used.insert(slug);
            }
        }
        for item in items {
            match item {
                Value::String(path) => self.entry(None, path, dir, depth, &mut out),
                Value::Object(map) => {
                    for (title, value) in map {
                        match value {
                            Value::String(path) => {
                                self.entry(Some(title), path, dir, depth, &mut out);
                            }
                            Value::Array(items) => {
                                let items = self.items(items, dir, depth + 1);
                                out.extend(self.section(title, items));
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// A section; its index page becomes the page of its title.
    fn section(&mut self, title: &str, mut items: Vec<NavNode>) -> Option<NavNode> {
        let first = items.first()?.first_page().map(str::to_owned);
        let title = match title {
            "" => first
                .as_ref()
                .and_then(|slug| self.pages.get(slug))
                .and_then(|source| site::title_of_page(self.repository, source))
                .unwrap_or_else(|| "Pages".to_owned()),
            title => title.to_owned(),
        };
        let has_indexes = self.config.has_feature("navigation.indexes")
            || self.config.plugin("section-index").is_some();
        let is_index = matches!(items.first(), Some(NavNode::Page(slug))
            if has_indexes && file_name(slug) == "index" && items.len() > 1);
        let root = if is_index { first } else { None };
        if is_index {
            items.remove(0);
        }
        let is_expanded = self.config.has_feature("navigation.expand");
        Some(NavNode::Group {
            title,
            icon: None,
            root,
            is_expanded,
            items,
        })
    }

    fn slug(&self, dir: &str, path: &str) -> Option<String> {
        let path = resolve("", &join(dir, path))?;
        markdown_stem(&path)?;
        let slug = slug_of(&path);
        let translated = slug_of(&join(&self.prefix, &path));
        [translated, slug]
            .into_iter()
            .find(|slug| self.pages.contains_key(slug))
    }

    fn entry(
        &mut self,
        title: Option<&str>,
        path: &str,
        dir: &str,
        depth: usize,
        out: &mut Vec<NavNode>,
    ) {
        if path.contains("://") || path.starts_with("mailto:") {
            let title = title.unwrap_or(path).to_owned();
            out.push(NavNode::Link {
                title,
                url: path.to_owned(),
            });
        } else if let Some(slug) = self.slug(dir, path) {
            self.used.insert(slug.clone());
            if let Some(title) = title {
                self.titles.insert(slug.clone(), title.to_owned());
            }
            out.push(NavNode::Page(slug));
        } else if path == "..." || path.starts_with("... ") || path == "*" || path == "*.md" {
            let rest = self.unlisted(dir, depth + 1);
            out.extend(rest);
        } else if markdown_stem(path).is_none() {
            let below = resolve("", &join(dir, path)).unwrap_or_default();
            let items = self.dir(&below, depth + 1);
            if items.is_empty() {
                self.missing.push(path.to_owned());
            }
            let name = crate::path::title_of(file_name(&below));
            out.extend(self.section(title.unwrap_or(&name), items));
        } else {
            self.missing.push(path.to_owned());
        }
    }

    /// The pages of a folder that are not used yet: index first, then pages, then folders.
    fn dir(&mut self, dir: &str, depth: usize) -> Vec<NavNode> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        if let Some((_, items)) = self.pages_file(dir) {
            return self.items(&items, dir, depth + 1);
        }
        self.unlisted(dir, depth)
    }

    fn unlisted(&mut self, dir: &str, depth: usize) -> Vec<NavNode> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        let full = join(&self.prefix, dir);
        let start = if full.is_empty() {
            String::new()
        } else {
            format!("{full}/")
        };
        let (mut pages, mut dirs) = (Vec::new(), BTreeSet::new());
        for slug in self.pages.keys().filter(|slug| slug.starts_with(&start)) {
            match slug[start.len()..].split_once('/') {
                Some((dir, _)) => {
                    dirs.insert(dir.to_owned());
                }
                None => pages.push(slug.clone()),
            }
        }
        pages.sort_by_key(|slug| (file_name(slug) != "index", slug.clone()));
        let mut out = Vec::new();
        for slug in pages {
            if self.used.insert(slug.clone()) {
                out.push(NavNode::Page(slug));
            }
        }
        for name in dirs {
            let below = join(dir, &name);
            let title = self.pages_file(&below).and_then(|(title, _)| title);
            let items = self.dir(&below, depth + 1);
            let title = title.unwrap_or_else(|| crate::path::title_of(&name));
            out.extend(self.section(&title, items));
        }
        out
    }

    /// Title and entries of a `.pages` or `.nav.yml` file.
    fn pages_file(&self, dir: &str) -> Option<(Option<String>, Vec<Value>)> {
        let dir = join(&self.config.docs_dir, dir);
        let file = [".pages", ".nav.yml"]
            .into_iter()
            .find_map(|name| self.repository.text(&join(&dir, name)))?;
        let value = parse_yaml(file, &Limits::default()).value.to_json();
        let title = value
            .get("title")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let nav = value
            .get("nav")
            .or_else(|| value.get("arrange"))
            .and_then(Value::as_array);
        match nav {
            Some(nav) => Some((title, nav.clone())),
            None => title.map(|title| (Some(title), vec![json!("...")])),
        }
    }
}

/// The page that an entry names.
fn page_of(item: &Value) -> Option<&str> {
    let path = match item {
        Value::String(path) => path.as_str(),
        Value::Object(map) => map.values().next()?.as_str()?,
        _ => return None,
    };
    markdown_stem(path).map(|_| path)
}
