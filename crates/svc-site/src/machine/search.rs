//! `search-index.json`: what the search box of the site reads.

use serde_json::{Map, Value, json};

use crate::Site;
use crate::load::threads;

pub(super) fn index(site: &Site) -> String {
    site.summarise_all(threads());
    let pages: Vec<Value> = site
        .map
        .routes
        .values()
        .enumerate()
        .filter(|(_, route)| route.discovery.search)
        .filter_map(|(index, route)| {
            let summary = site.summary(index)?;
            let mut page = Map::new();
            page.insert("path".to_owned(), json!(route.path));
            page.insert("title".to_owned(), json!(route.title));
            let headings = summary
                .headings
                .iter()
                .map(|(id, text)| json!({"id": id, "text": text}));
            page.insert("headings".to_owned(), headings.collect());
            let lead = route.description.as_deref().unwrap_or("");
            let text = format!(
                "{lead}{}{}",
                if lead.is_empty() { "" } else { " " },
                summary.text
            );
            page.insert("text".to_owned(), json!(text));
            let fields = [("language", &route.language), ("version", &route.version)];
            for (key, value) in fields {
                if let Some(value) = value {
                    page.insert(key.to_owned(), json!(value));
                }
            }
            if let Some(boost) = route.boost {
                page.insert("boost".to_owned(), json!(boost));
            }
            Some(Value::Object(page))
        })
        .collect();
    json!({ "pages": pages }).to_string()
}
