//! Sidebars, which become tabs, and links of the header.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::config::{Config, Locale};
use crate::codes::MIGRATE_MISSING;
use crate::navigation::{NavNode, by_dir, language_entry};
use crate::path::{title_of, url_key};
use crate::site::{self, SitePlan};

/// Maximum nesting depth of groups.
const MAX_DEPTH: usize = 16;

/// `navigation` of docs.json.
pub(super) fn navigation(config: &Config<'_>, locales: &[Locale], plan: &mut SitePlan) -> Value {
    let mut all = Vec::new();
    for (index, locale) in locales.iter().enumerate() {
        let others: Vec<&str> = locales.iter().map(|it| it.dir.as_str()).collect();
        let content = content(config, locale, &others, plan);
        if content.is_empty() {
            continue;
        }
        if locales.len() == 1 {
            return Value::Object(content);
        }
        all.push(language_entry(&locale.lang, index == 0, content));
    }
    json!({ "languages": all })
}

/// The navigation of one language.
fn content(
    config: &Config<'_>,
    locale: &Locale,
    locales: &[&str],
    plan: &mut SitePlan,
) -> Map<String, Value> {
    // Slugs by the keys of URLs, and those of this language.
    let mut urls: BTreeMap<String, String> = BTreeMap::new();
    let mut slugs: BTreeSet<String> = BTreeSet::new();
    for page in &plan.pages {
        for url in &page.old_urls {
            urls.entry(url_key(url))
                .or_insert_with(|| page.slug.clone());
        }
        let first = page.slug.split('/').next().unwrap_or_default();
        let dir = locales.iter().find(|dir| **dir == first).copied();
        if dir.unwrap_or("") == locale.dir {
            slugs.insert(page.slug.clone());
        }
    }
    let mut builder = Builder {
        urls: &urls,
        titles: BTreeMap::new(),
        missing: BTreeSet::new(),
        used: BTreeSet::new(),
    };
    let nav = nav_links(&locale.theme);
    let mut sections: Vec<(String, Vec<NavNode>)> = Vec::new();
    match locale.theme.get("sidebar") {
        Some(Value::Array(items)) => {
            let nodes = builder.items(items, "", 0);
            sections.push((String::new(), nodes));
        }
        Some(Value::Object(sidebars)) => {
            for (prefix, sidebar) in sidebars {
                builder.used.clear();
                let (items, base) = match sidebar {
                    Value::Array(items) => (Some(items), ""),
                    other => (
                        other.get("items").and_then(Value::as_array),
                        other.get("base").and_then(Value::as_str).unwrap_or(""),
                    ),
                };
                let nodes = items.map_or_else(Vec::new, |items| builder.items(items, base, 0));
                if !nodes.is_empty() {
                    sections.push((prefix.clone(), nodes));
                }
            }
            // In the order of the header.
            let order = |prefix: &str| nav.iter().position(|link| link.is_below(prefix));
            sections.sort_by_key(|section| order(&section.0).unwrap_or(usize::MAX));
        }
        _ => {}
    }
    for id in std::mem::take(&mut builder.missing) {
        let message = format!("the page `{id}` of the sidebar does not exist");
        let diagnostic = config.diagnostic(&MIGRATE_MISSING, "sidebar", message);
        plan.diagnostics
            .push(diagnostic.hint("remove it from the navigation"));
    }
    let titles = std::mem::take(&mut builder.titles);
    for page in &mut plan.pages {
        if let Some(title) = titles.get(&page.slug) {
            page.sidebar_title = Some(title.clone());
        }
    }
    if sections.is_empty() {
        let all: Vec<&str> = slugs.iter().map(String::as_str).collect();
        sections.push((String::new(), by_dir(&all, &locale.dir)));
    }
    with_index(locale, &urls, &mut sections);
    if sections.len() == 1 {
        let (_, nodes) = sections.remove(0);
        return site::navigation(&nodes, false, plan);
    }
    let tabs: Vec<Value> = sections
        .iter()
        .map(|(prefix, nodes)| {
            let link = nav.iter().find(|link| link.is_below(prefix));
            let name = url_key(prefix);
            let name = name.rsplit('/').next().filter(|name| !name.is_empty());
            let default = name.map_or_else(|| "Guide".to_owned(), title_of);
            let title = link.map_or(default, |link| link.text.clone());
            let mut tab = Map::new();
            tab.insert("tab".to_owned(), json!(title));
            tab.extend(site::navigation(nodes, false, plan));
            Value::Object(tab)
        })
        .collect();
    let mut out = Map::new();
    out.insert("tabs".to_owned(), Value::Array(tabs));
    out
}

/// The first page of a language, which sidebars do not list.
fn with_index(
    locale: &Locale,
    urls: &BTreeMap<String, String>,
    sections: &mut [(String, Vec<NavNode>)],
) {
    let Some(index) = urls.get(&locale.dir).cloned() else {
        return;
    };
    let is_listed = sections
        .iter()
        .flat_map(|section| &section.1)
        .any(|node| contains(node, &index));
    if let Some((_, nodes)) = sections.first_mut().filter(|_| !is_listed) {
        nodes.insert(0, NavNode::Page(index));
    }
}

fn contains(node: &NavNode, slug: &str) -> bool {
    match node {
        NavNode::Page(page) => page == slug,
        NavNode::Group { root, items, .. } => {
            root.as_deref() == Some(slug) || items.iter().any(|item| contains(item, slug))
        }
        NavNode::Link { .. } => false,
    }
}

/// A link of the header.
pub(super) struct NavLink {
    pub(super) text: String,
    pub(super) link: String,
    pattern: String,
}

impl NavLink {
    /// Whether the link leads to the pages of a sidebar.
    fn is_below(&self, prefix: &str) -> bool {
        let prefix = prefix.trim_matches('/');
        let starts = |path: &str| {
            let path = path.trim_start_matches('^').trim_start_matches('/');
            let rest = path.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        !prefix.is_empty() && (starts(&self.link) || starts(&self.pattern))
    }
}

/// The links of the header, with those of its menus.
pub(super) fn nav_links(theme: &Value) -> Vec<NavLink> {
    let mut out = Vec::new();
    let items = theme.get("nav").and_then(Value::as_array);
    for item in items.into_iter().flatten() {
        let below = item.get("items").and_then(Value::as_array);
        for link in std::iter::once(item).chain(below.into_iter().flatten()) {
            let text = |key: &str| link.get(key).and_then(Value::as_str);
            if let (Some(name), Some(target)) = (text("text"), text("link")) {
                out.push(NavLink {
                    text: name.to_owned(),
                    link: target.to_owned(),
                    pattern: text("activeMatch").unwrap_or_default().to_owned(),
                });
            }
        }
    }
    out
}

struct Builder<'a> {
    urls: &'a BTreeMap<String, String>,
    titles: BTreeMap<String, String>,
    missing: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl Builder<'_> {
    fn items(&mut self, items: &[Value], base: &str, depth: usize) -> Vec<NavNode> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        items
            .iter()
            .flat_map(|item| self.item(item, base, depth))
            .collect()
    }

    fn item(&mut self, item: &Value, base: &str, depth: usize) -> Vec<NavNode> {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let base = text("base").unwrap_or(base);
        let title = crate::markdown::plain_title(text("text").unwrap_or_default());
        let is_external = |link: &str| svc_data::url_scheme(link).is_some();
        let link = text("link").map(|link| match base.is_empty() || is_external(link) {
            true => link.to_owned(),
            false => format!(
                "{}/{}",
                base.trim_end_matches('/'),
                link.trim_start_matches('/')
            )
            .replace("-/", "-"),
        });
        let own = match &link {
            Some(url) if is_external(url) => Some(NavNode::Link {
                title: title.clone(),
                url: url.clone(),
            }),
            Some(url) => self.page(url, &title),
            None => None,
        };
        let Some(items) = item.get("items").and_then(Value::as_array) else {
            return own.into_iter().collect();
        };
        let mut items = self.items(items, base, depth + 1);
        let root = match own {
            Some(NavNode::Page(slug)) => Some(slug),
            other => {
                items.splice(0..0, other);
                None
            }
        };
        if title.is_empty() {
            let root = root.map(NavNode::Page);
            return root.into_iter().chain(items).collect();
        }
        let node = NavNode::Group {
            title,
            icon: None,
            root,
            is_expanded: depth > 0 && item.get("collapsed").and_then(Value::as_bool) != Some(true),
            items,
        };
        node.first_page()
            .is_some()
            .then_some(node)
            .into_iter()
            .collect()
    }

    /// A page, once in each sidebar: other links to it lead to its sections.
    fn page(&mut self, url: &str, title: &str) -> Option<NavNode> {
        let path = url.split(['#', '?']).next().unwrap_or(url);
        let Some(slug) = self.urls.get(&url_key(path)) else {
            self.missing.insert(url.to_owned());
            return None;
        };
        if !self.used.insert(slug.clone()) {
            return None;
        }
        if !title.is_empty() {
            self.titles
                .entry(slug.clone())
                .or_insert_with(|| title.to_owned());
        }
        Some(NavNode::Page(slug.clone()))
    }
}
