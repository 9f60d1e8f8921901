//! Appearance and links of the theme.

use serde_json::{Map, Value, json};

use super::config::Config;
use crate::Repository;
use crate::codes::MIGRATE_SETTING;
use crate::path::{join, resolve};
use crate::site::SitePlan;

/// Colors of Material for MkDocs.
const COLORS: &[(&str, &str)] = &[
    ("red", "#ef5552"),
    ("pink", "#e92063"),
    ("purple", "#ab47bd"),
    ("deep purple", "#7e56c2"),
    ("indigo", "#4051b5"),
    ("blue", "#2094f3"),
    ("light blue", "#02a6f2"),
    ("cyan", "#00bdd6"),
    ("teal", "#009485"),
    ("green", "#4cae4f"),
    ("light green", "#8bc34b"),
    ("lime", "#cbdc38"),
    ("yellow", "#ffec3d"),
    ("amber", "#ffc105"),
    ("orange", "#ffa724"),
    ("deep orange", "#ff6e42"),
    ("brown", "#795649"),
    ("grey", "#757575"),
    ("blue grey", "#546d78"),
    ("black", "#000000"),
];

/// Names of icons and keys of `footer.socials`.
const SOCIALS: &[(&str, &str)] = &[
    ("github", "github"),
    ("x-twitter", "x"),
    ("twitter", "x"),
    ("linkedin", "linkedin"),
    ("discord", "discord"),
    ("slack", "slack"),
    ("youtube", "youtube"),
    ("facebook", "facebook"),
    ("instagram", "instagram"),
    ("medium", "medium"),
    ("telegram", "telegram"),
    ("reddit", "reddit"),
    ("bluesky", "bluesky"),
    ("hacker-news", "hacker-news"),
    ("globe", "website"),
    ("link", "website"),
    ("house", "website"),
];

/// The settings of docs.json.
pub(super) fn settings(
    repository: &Repository,
    config: &Config,
    plan: &mut SitePlan,
) -> Map<String, Value> {
    let name = config.text("site_name").filter(|name| !name.is_empty());
    let description = config.text("site_description").map(str::trim);
    let mut out = crate::site::settings(name, description);
    out.insert("colors".to_owned(), colors(config));
    for key in ["logo", "favicon"] {
        let path = config
            .value
            .pointer(&format!("/theme/{key}"))
            .and_then(Value::as_str);
        if let Some(path) = path.and_then(|path| image(repository, config, path, plan)) {
            out.insert(key.to_owned(), json!(path));
        }
    }
    if let Some(url) = config.text("repo_url") {
        let link = match url.contains("github.com") {
            true => json!({ "type": "github", "href": url }),
            false => {
                json!({ "label": config.text("repo_name").unwrap_or("Repository"), "href": url })
            }
        };
        out.insert("navbar".to_owned(), json!({ "links": [link] }));
    }
    let socials = socials(config, plan);
    if !socials.is_empty() {
        out.insert("footer".to_owned(), json!({ "socials": socials }));
    }
    let property = config
        .value
        .pointer("/extra/analytics/property")
        .and_then(Value::as_str);
    if let Some(id) = property.filter(|id| id.starts_with("G-")) {
        out.insert(
            "integrations".to_owned(),
            json!({ "ga4": { "measurementId": id } }),
        );
    }
    out
}

fn colors(config: &Config) -> Value {
    let palette = config.value.pointer("/theme/palette");
    let all: Vec<&Value> = match palette {
        Some(Value::Array(all)) => all.iter().collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    };
    let hex = |entry: &Value, key: &str| {
        let name = entry.get(key).and_then(Value::as_str)?;
        COLORS
            .iter()
            .find(|color| color.0 == name)
            .map(|color| color.1)
    };
    let of_scheme = |dark: bool| {
        all.iter()
            .filter(|entry| entry.get("primary").is_some())
            .find(|entry| (entry.get("scheme").and_then(Value::as_str) == Some("slate")) == dark)
    };
    // A black header is no color for links.
    let color = |entry: &&&Value| {
        hex(entry, "primary")
            .filter(|hex| *hex != "#000000")
            .or_else(|| hex(entry, "accent"))
    };
    let primary = of_scheme(false)
        .or_else(|| of_scheme(true))
        .as_ref()
        .and_then(color);
    let mut out = Map::new();
    out.insert("primary".to_owned(), json!(primary.unwrap_or("#4051b5")));
    if let Some(dark) = of_scheme(true)
        .as_ref()
        .and_then(color)
        .filter(|dark| Some(*dark) != primary)
    {
        out.insert("light".to_owned(), json!(dark));
    }
    Value::Object(out)
}

/// The new path of an image of the theme, in the folder of pages or of templates.
fn image(
    repository: &Repository,
    config: &Config,
    path: &str,
    plan: &mut SitePlan,
) -> Option<String> {
    if path.contains("://") {
        return Some(path.to_owned());
    }
    let custom = config
        .value
        .pointer("/theme/custom_dir")
        .and_then(Value::as_str);
    let custom = custom.and_then(|dir| resolve(&config.dir, dir));
    for dir in [Some(config.docs_dir.clone()), custom]
        .into_iter()
        .flatten()
    {
        let source = resolve("", &join(&dir, path))?;
        if repository.contains(&source) {
            let new = resolve("", path)?;
            if !plan.assets.iter().any(|asset| asset.0 == source) {
                plan.assets.push((source, new.clone()));
            }
            return Some(format!("/{new}"));
        }
    }
    None
}

fn socials(config: &Config, plan: &mut SitePlan) -> Map<String, Value> {
    let mut out = Map::new();
    let all = config
        .value
        .pointer("/extra/social")
        .and_then(Value::as_array);
    for item in all.into_iter().flatten() {
        let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
        let icon = text("icon").rsplit('/').next().unwrap_or_default();
        let icon = icon.trim_start_matches("mark-").trim_end_matches("-24");
        let link = text("link");
        match SOCIALS.iter().find(|entry| entry.0 == icon) {
            Some((_, key)) if !out.contains_key(*key) => {
                out.insert((*key).to_owned(), json!(link));
            }
            _ => {
                let message = format!("the link to `{link}` is left out");
                let hint = "add it to `footer.links` of docs.json";
                let diagnostic = config.diagnostic(&MIGRATE_SETTING, "social", message);
                plan.diagnostics.push(diagnostic.hint(hint));
            }
        }
    }
    out
}
