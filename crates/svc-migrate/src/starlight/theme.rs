//! Appearance and links.

use serde_json::{Map, Value, json};

use super::Config;
use crate::Repository;
use crate::codes::MIGRATE_SETTING;
use crate::path::{join, resolve};
use crate::site::SitePlan;
use crate::social::SocialLinks;

/// The settings of docs.json.
pub(super) fn settings(
    repository: &Repository,
    config: &Config<'_>,
    plan: &mut SitePlan,
) -> Map<String, Value> {
    let title = match config.value.get("title") {
        Some(Value::String(title)) => Some(title.as_str()),
        Some(Value::Object(all)) => all.values().find_map(Value::as_str),
        _ => None,
    };
    let description = config.value.get("description").and_then(Value::as_str);
    let mut out = crate::site::settings(title, description);
    // Accent color of Starlight; style sheets are not converted.
    out.insert(
        "colors".to_owned(),
        json!({ "primary": "#5b4bd8", "light": "#b3a9ff" }),
    );
    let image = |pointer: &str| {
        let path = config.value.pointer(pointer)?.as_str()?;
        let source = resolve(&config.dir, path.trim_start_matches('/'))?;
        let asset = plan.assets.iter().find(|asset| asset.0 == source)?;
        repository
            .contains(&source)
            .then(|| format!("/{}", asset.1))
    };
    let (light, dark) = (image("/logo/light"), image("/logo/dark"));
    if let Some(logo) = image("/logo/src") {
        out.insert("logo".to_owned(), json!(logo));
    } else if let (Some(light), Some(dark)) = (light, dark) {
        out.insert("logo".to_owned(), json!({ "light": light, "dark": dark }));
    }
    let favicon = config
        .value
        .get("favicon")
        .and_then(Value::as_str)
        .unwrap_or("/favicon.svg");
    let favicon = favicon.trim_start_matches('/');
    if repository.contains(&join(&config.dir, &format!("public/{favicon}"))) {
        out.insert("favicon".to_owned(), json!(format!("/{favicon}")));
    }
    social(config, plan).insert(&mut out, Vec::new());
    out
}

/// Links of `social`, a list or a mapping: GitHub goes to the header, the others to the footer.
fn social(config: &Config<'_>, plan: &mut SitePlan) -> SocialLinks {
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    let all: Vec<(String, String)> = match config.value.get("social") {
        Some(Value::Array(all)) => all
            .iter()
            .filter_map(|item| Some((text(item, "icon")?, text(item, "href")?)))
            .collect(),
        Some(Value::Object(all)) => all
            .iter()
            .filter_map(|(icon, href)| Some((icon.clone(), href.as_str()?.to_owned())))
            .collect(),
        _ => Vec::new(),
    };
    let links = crate::social::sort(all);
    for href in &links.other {
        let message = format!("the link to `{href}` is left out");
        let hint = "add it to `footer.links` of docs.json";
        let diagnostic = config.diagnostic(&MIGRATE_SETTING, "social", message);
        plan.diagnostics.push(diagnostic.hint(hint));
    }
    links
}
