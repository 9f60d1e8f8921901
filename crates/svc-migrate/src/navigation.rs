//! Navigation as `navigation` of docs.json.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::path::{file_name, join, title_of};

/// An entry of a navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NavNode {
    /// A page by its slug.
    Page(String),
    /// A group.
    Group {
        title: String,
        icon: Option<String>,
        root: Option<String>,
        is_expanded: bool,
        items: Vec<Self>,
    },
    /// A link to another site.
    Link { title: String, url: String },
}

impl NavNode {
    pub(crate) fn group(title: impl Into<String>, items: Vec<Self>) -> Self {
        Self::Group {
            title: title.into(),
            icon: None,
            root: None,
            is_expanded: false,
            items,
        }
    }

    /// The slug of the first page.
    pub(crate) fn first_page(&self) -> Option<&str> {
        match self {
            Self::Page(slug) => Some(slug),
            Self::Group { root, items, .. } => root
                .as_deref()
                .or_else(|| items.iter().find_map(Self::first_page)),
            Self::Link { .. } => None,
        }
    }
}

/// The pages of a folder that has no navigation of its own: index first, then pages, then folders
/// as groups, each by name. `slugs` are all below `dir`.
pub(crate) fn by_dir(slugs: &[&str], dir: &str) -> Vec<NavNode> {
    let mut pages: Vec<&str> = Vec::new();
    let mut dirs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for slug in slugs {
        let rest = slug
            .strip_prefix(dir)
            .unwrap_or(slug)
            .trim_start_matches('/');
        match rest.split_once('/') {
            Some((name, _)) => dirs.entry(name).or_default().push(slug),
            None => pages.push(slug),
        }
    }
    pages.sort_by_key(|slug| (file_name(slug) != "index", *slug));
    let pages = pages.into_iter().map(|slug| NavNode::Page(slug.to_owned()));
    let groups = dirs.into_iter().map(|(name, slugs)| {
        let items = by_dir(&slugs, &join(dir, name));
        NavNode::group(title_of(name), items)
    });
    pages.chain(groups).collect()
}

/// The language of docs.json for a code: without its region if docs.json does not have it. A code
/// that is not known at all is kept and reported with the errors of the new site.
pub(crate) fn language(code: &str) -> String {
    let find = |code: &str| {
        svc_config::LANGUAGE_CODES
            .iter()
            .find(|known| known.eq_ignore_ascii_case(code))
    };
    let base = code.split('-').next().unwrap_or(code);
    let known = find(code).or_else(|| find(base));
    known.map_or_else(|| code.to_owned(), |known| (*known).to_owned())
}

/// An entry of `languages` of docs.json with its content.
pub(crate) fn language_entry(code: &str, is_default: bool, content: Map<String, Value>) -> Value {
    let mut entry = Map::new();
    entry.insert("language".to_owned(), json!(language(code)));
    if is_default {
        entry.insert("default".to_owned(), json!(true));
    }
    entry.extend(content);
    Value::Object(entry)
}

/// Converts entries. With `tabs`, groups at the top become tabs. Links become pages with `url`,
/// which are added to `external`.
pub(crate) fn to_json(
    nodes: &[NavNode],
    tabs: bool,
    external: &mut Vec<(String, String, String)>,
) -> Map<String, Value> {
    let mut out = Map::new();
    let groups = nodes
        .iter()
        .filter(|node| matches!(node, NavNode::Group { .. }))
        .count();
    if !tabs || groups < 2 {
        out.insert("pages".to_owned(), pages(nodes, external));
        return out;
    }
    let mut entries: Vec<Value> = Vec::new();
    let mut loose: Vec<NavNode> = Vec::new();
    for node in nodes {
        match node {
            NavNode::Group {
                title,
                icon,
                root,
                items,
                ..
            } => {
                flush(&mut loose, &mut entries, external);
                let mut items = items.clone();
                if let Some(root) = root {
                    items.insert(0, NavNode::Page(root.clone()));
                }
                let mut tab = Map::new();
                tab.insert("tab".to_owned(), json!(title));
                if let Some(icon) = icon {
                    tab.insert("icon".to_owned(), json!(icon));
                }
                tab.insert("pages".to_owned(), pages(&items, external));
                entries.push(Value::Object(tab));
            }
            NavNode::Link { title, url } => {
                flush(&mut loose, &mut entries, external);
                entries.push(json!({ "tab": title, "href": url }));
            }
            page @ NavNode::Page(_) => loose.push(page.clone()),
        }
    }
    flush(&mut loose, &mut entries, external);
    out.insert("tabs".to_owned(), Value::Array(entries));
    out
}

/// Pages between the groups at the top become a tab.
fn flush(
    loose: &mut Vec<NavNode>,
    entries: &mut Vec<Value>,
    external: &mut Vec<(String, String, String)>,
) {
    if loose.is_empty() {
        return;
    }
    let nodes = std::mem::take(loose);
    let first = nodes
        .iter()
        .find_map(NavNode::first_page)
        .unwrap_or_default();
    let name = crate::path::url_key(first);
    let title = match name.rsplit('/').next() {
        Some("") | None => "Home".to_owned(),
        Some(name) => title_of(name),
    };
    entries.push(json!({ "tab": title, "pages": pages(&nodes, external) }));
}

fn pages(nodes: &[NavNode], external: &mut Vec<(String, String, String)>) -> Value {
    let mut out = Vec::new();
    for node in nodes {
        match node {
            NavNode::Page(slug) => out.push(json!(slug)),
            NavNode::Link { title, url } => out.push(json!(link_page(title, url, external))),
            NavNode::Group {
                title,
                icon,
                root,
                is_expanded,
                items,
            } => {
                let mut group = Map::new();
                group.insert("group".to_owned(), json!(title));
                if let Some(icon) = icon {
                    group.insert("icon".to_owned(), json!(icon));
                }
                if let Some(root) = root {
                    group.insert("root".to_owned(), json!(root));
                }
                if *is_expanded {
                    group.insert("expanded".to_owned(), json!(true));
                }
                group.insert("pages".to_owned(), pages(items, external));
                out.push(Value::Object(group));
            }
        }
    }
    Value::Array(out)
}

/// The slug of the page that stands for a link.
fn link_page(title: &str, url: &str, external: &mut Vec<(String, String, String)>) -> String {
    if let Some((slug, ..)) = external
        .iter()
        .find(|entry| entry.1 == title && entry.2 == url)
    {
        return slug.clone();
    }
    let is_name = |c: char| c.is_ascii_alphanumeric();
    let words = title.split(|c| !is_name(c)).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-").to_lowercase();
    let name = if name.is_empty() {
        "link".to_owned()
    } else {
        name
    };
    let mut slug = format!("links/{name}");
    let mut number = 2;
    while external.iter().any(|entry| entry.0 == slug) {
        slug = format!("links/{name}-{number}");
        number += 1;
    }
    external.push((slug.clone(), title.to_owned(), url.to_owned()));
    slug
}
