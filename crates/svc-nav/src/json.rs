//! The navigation as JSON.

use serde_json::{Map, Value};

use crate::{NavEntry, SiteMap};

impl SiteMap {
    /// Converts the navigation to JSON in reading order, one object per entry: `trail` and `href`
    /// with `title`, `sidebarTitle`, `openapi` and `root` where present, or `trail` and `link`.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn to_json(&self) -> Value {
        Value::Array(self.entries.iter().map(entry).collect())
    }
}

fn entry(entry: &NavEntry) -> Value {
    let mut object = Map::new();
    let trail = entry
        .trail
        .iter()
        .map(|part| Value::String(part.to_string()))
        .collect();
    object.insert("trail".to_owned(), Value::Array(trail));
    if entry.root {
        object.insert("root".to_owned(), Value::Bool(true));
    }
    let fields = [
        ("href", &entry.href),
        ("title", &entry.title),
        ("sidebarTitle", &entry.sidebar_title),
        ("openapi", &entry.openapi),
        ("link", &entry.link),
    ];
    for (key, value) in fields {
        if let Some(value) = value {
            object.insert(key.to_owned(), Value::String(value.clone()));
        }
    }
    Value::Object(object)
}
