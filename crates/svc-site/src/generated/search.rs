//! `search-index.json`, the index of the search dialog.

use serde_json::{Map, Value, json};
use svc_nav::Route;

use crate::Site;
use crate::parallel::threads;
use crate::summary::Summary;

/// Maximum bytes of text in the index, because browsers load all of it.
const MAX_TEXT_BYTES: usize = 16 << 20;

pub(super) fn index(site: &Site) -> String {
    site.summarize_all(threads());
    let routes = &site.map.routes;
    let max = MAX_TEXT_BYTES / routes.len().max(1);
    let mut out = String::from("{\"pages\":[");
    for (index, route) in routes
        .values()
        .enumerate()
        .filter(|(_, route)| route.visibility.search)
    {
        let Some(summary) = site.summary(index) else {
            continue;
        };
        if !out.ends_with('[') {
            out.push(',');
        }
        // Serialized page by page: a tree of the whole index would need several times its size.
        out.push_str(&entry(route, summary, max).to_string());
    }
    out.push_str("]}");
    out
}

fn entry(route: &Route, summary: &Summary, max: usize) -> Value {
    let mut page = Map::new();
    page.insert(
        "path".to_owned(),
        json!(svc_source::encoded_path(&route.path)),
    );
    page.insert("title".to_owned(), json!(route.title));
    let sections = summary.sections.iter();
    let headings = sections
        .clone()
        .filter_map(|section| Some(json!({"id": section.id, "text": section.headings.last()?})));
    page.insert("headings".to_owned(), headings.collect());
    let lead = svc_render::summary(route).unwrap_or_default();
    let text = format!(
        "{lead}{}{}",
        if lead.is_empty() { "" } else { " " },
        sections
            .map(|section| section.text.as_str())
            .collect::<String>()
    );
    page.insert(
        "text".to_owned(),
        json!(&text[..text.floor_char_boundary(max)]),
    );
    let fields = [("language", &route.language), ("version", &route.version)];
    for (key, value) in fields {
        if let Some(value) = value {
            page.insert(key.to_owned(), json!(value));
        }
    }
    if let Some(boost) = route.boost {
        page.insert("boost".to_owned(), json!(boost));
    }
    Value::Object(page)
}
