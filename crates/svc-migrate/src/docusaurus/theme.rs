//! Appearance, header and footer.

use serde_json::{Map, Value, json};

use super::Config;
use crate::Repository;
use crate::codes::MIGRATE_SETTING;
use crate::path::{join, resolve};
use crate::site::SitePlan;

/// The settings of docs.json.
pub(super) fn settings(
    repository: &Repository,
    config: &Config<'_>,
    plan: &mut SitePlan,
) -> Map<String, Value> {
    let mut out = crate::site::settings(config.text("/title"), config.text("/tagline"));
    let primary = primary_color(repository, config);
    out.insert(
        "colors".to_owned(),
        json!({ "primary": primary.unwrap_or("#2e8555") }),
    );
    let image = |path: &str| {
        let path = path.trim_start_matches('/');
        let source = resolve(&join(&config.dir, "static"), path)?;
        repository.contains(&source).then(|| format!("/{path}"))
    };
    let light = config.text("/themeConfig/navbar/logo/src").and_then(image);
    let dark = config
        .text("/themeConfig/navbar/logo/srcDark")
        .and_then(image);
    match (light, dark) {
        (Some(light), Some(dark)) => {
            out.insert("logo".to_owned(), json!({ "light": light, "dark": dark }));
        }
        (Some(logo), None) => {
            out.insert("logo".to_owned(), json!(logo));
        }
        _ => {}
    }
    if let Some(path) = config.text("/favicon").and_then(image) {
        out.insert("favicon".to_owned(), json!(path));
    }
    let links = navbar(config);
    if !links.is_empty() {
        out.insert("navbar".to_owned(), json!({ "links": links }));
    }
    let columns = footer(config, plan);
    if !columns.is_empty() {
        out.insert("footer".to_owned(), json!({ "links": columns }));
    }
    for (pointer, key, hint) in [
        (
            "/themeConfig/footer/copyright",
            "copyright",
            "use `footer.links` for a link to the license",
        ),
        (
            "/themeConfig/announcementBar",
            "announcementBar",
            "write the text into `banner.content` of docs.json",
        ),
        (
            "/themeConfig/algolia",
            "algolia",
            "the search of svc needs no service; remove the account",
        ),
    ] {
        if config.value.pointer(pointer).is_some() {
            let message = format!("the setting `{key}` is not converted");
            plan.diagnostics
                .push(config.diagnostic(&MIGRATE_SETTING, key, message).hint(hint));
        }
    }
    out
}

/// The color of the theme in a style sheet.
fn primary_color<'a>(repository: &'a Repository, config: &Config<'_>) -> Option<&'a str> {
    let dir = join(&config.dir, "src");
    let sheets: Vec<&'a str> = repository
        .below(&dir)
        .filter(|path| path.ends_with(".css"))
        .filter_map(|path| repository.text(path).map(|file| &**file.text()))
        .collect();
    sheets.into_iter().find_map(|text| {
        let (_, rest) = text.split_once("--ifm-color-primary:")?;
        let value = rest.split([';', '}']).next()?.trim();
        let hex = value.strip_prefix('#')?;
        let is_hex = hex.chars().all(|c| c.is_ascii_hexdigit());
        (is_hex && [3, 6].contains(&hex.len())).then_some(value)
    })
}

/// Links to other sites; documents and versions are in the navigation.
fn navbar(config: &Config<'_>) -> Vec<Value> {
    let items = config
        .value
        .pointer("/themeConfig/navbar/items")
        .and_then(Value::as_array);
    let mut out = Vec::new();
    for item in items.into_iter().flatten() {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let Some(href) = text("href") else {
            continue;
        };
        if href.contains("github.com") {
            out.push(json!({ "type": "github", "href": href }));
        } else if let Some(label) = text("label") {
            out.push(json!({ "label": label, "href": href }));
        }
    }
    out
}

fn footer(config: &Config<'_>, plan: &mut SitePlan) -> Vec<Value> {
    let columns = config
        .value
        .pointer("/themeConfig/footer/links")
        .and_then(Value::as_array);
    let mut out = Vec::new();
    for column in columns.into_iter().flatten() {
        let items = column.get("items").and_then(Value::as_array);
        let items: Vec<Value> = items
            .into_iter()
            .flatten()
            .filter(|item| {
                // docs.json allows only encrypted links in the footer.
                let href = item.get("href").and_then(Value::as_str).unwrap_or_default();
                let is_plain = href.starts_with("http:");
                if is_plain {
                    let message = format!("the footer link `{href}` is left out");
                    let hint = "write it with `https:`";
                    let diagnostic = config.diagnostic(&MIGRATE_SETTING, href, message);
                    plan.diagnostics.push(diagnostic.hint(hint));
                }
                !is_plain
            })
            .filter_map(|item| {
                let text = |key: &str| item.get(key).and_then(Value::as_str);
                let to = text("to").map(|to| format!("/{}", to.trim_start_matches('/')));
                let href = text("href").map(str::to_owned).or(to)?;
                Some(json!({ "label": text("label")?, "href": href }))
            })
            .collect();
        if items.is_empty() {
            continue;
        }
        match column.get("title").and_then(Value::as_str) {
            Some(title) => out.push(json!({ "header": title, "items": items })),
            None => out.push(json!({ "items": items })),
        }
    }
    out
}
