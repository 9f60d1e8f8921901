//! Appearance, header and footer.

use serde_json::{Map, Value, json};

use super::config::{Config, Locale};
use super::sidebar::{NavLink, nav_links};
use crate::Repository;
use crate::codes::MIGRATE_SETTING;
use crate::path::{join, url_key};
use crate::site::SitePlan;

/// The settings of docs.json.
pub(super) fn settings(
    repository: &Repository,
    config: &Config<'_>,
    locales: &[Locale],
    plan: &mut SitePlan,
) -> Map<String, Value> {
    let root = |key: &str| {
        config
            .text(&format!("/{key}"))
            .or_else(|| config.text(&format!("/locales/root/{key}")))
    };
    let mut out = crate::site::settings(root("title"), root("description"));
    // Colors of the default theme.
    let (light, dark) =
        brand_color(repository, config).map_or(("#3451b2", Some("#a8b1ff")), |own| (own, None));
    let mut colors = json!({ "primary": light });
    if let Some(dark) = dark {
        colors["light"] = json!(dark);
    }
    out.insert("colors".to_owned(), colors);
    let public = join(&config.source, "public");
    let image = |value: Option<&Value>| {
        let path = value?.as_str()?.trim_start_matches('/');
        repository
            .contains(&join(&public, path))
            .then(|| format!("/{path}"))
    };
    let empty = Value::Null;
    let theme = locales.first().map_or(&empty, |locale| &locale.theme);
    let logo = theme.get("logo").unwrap_or(&empty);
    let logo = logo.get("src").unwrap_or(logo);
    if let Some(path) = image(Some(logo)) {
        out.insert("logo".to_owned(), json!(path));
    } else if let (Some(light), Some(dark)) = (image(logo.get("light")), image(logo.get("dark"))) {
        out.insert("logo".to_owned(), json!({ "light": light, "dark": dark }));
    }
    let head = config.value.get("head").and_then(Value::as_array);
    let head: Vec<&Value> = head.into_iter().flatten().collect();
    let icon = head.iter().find_map(|tag| {
        let is_icon = tag.pointer("/1/rel").and_then(Value::as_str) == Some("icon");
        image(tag.pointer("/1/href").filter(|_| is_icon))
    });
    if let Some(path) = icon {
        out.insert("favicon".to_owned(), json!(path));
    }
    let metatags = metatags(&head);
    if !metatags.is_empty() {
        out.insert("seo".to_owned(), json!({ "metatags": metatags }));
    }
    let social = theme.get("socialLinks").and_then(Value::as_array);
    let social = social.into_iter().flatten().filter_map(|item| {
        let text = |key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
        Some((text("icon")?, text("link")?))
    });
    let social = crate::social::sort(social);
    for href in &social.other {
        let message = format!("the link to `{href}` is left out");
        let diagnostic = config.diagnostic(&MIGRATE_SETTING, "socialLinks", message);
        plan.diagnostics
            .push(diagnostic.hint("add it to `footer.links` of docs.json"));
    }
    social.insert(&mut out, navbar(theme, plan));
    out
}

/// Meta tags with a name or a property.
fn metatags(head: &[&Value]) -> Map<String, Value> {
    let mut out = Map::new();
    for tag in head {
        let text = |pointer: &str| tag.pointer(pointer).and_then(Value::as_str);
        let name = text("/1/name").or_else(|| text("/1/property"));
        if let (Some("meta"), Some(name), Some(content)) = (text("/0"), name, text("/1/content")) {
            out.insert(name.to_owned(), json!(content));
        }
    }
    out
}

/// The brand color in a style sheet of the theme.
fn brand_color<'a>(repository: &'a Repository, config: &'a Config<'_>) -> Option<&'a str> {
    let theme = join(&config.theme, "theme");
    let sheets: Vec<&str> = repository
        .below(&theme)
        .filter(|path| path.ends_with(".css") || path.ends_with(".scss"))
        .filter_map(|path| repository.text(path).map(|file| &**file.text()))
        .collect();
    let names = ["--vp-c-brand-1:", "--vp-c-brand:"];
    sheets.into_iter().find_map(|text| {
        let (_, rest) = names.iter().find_map(|name| text.split_once(name))?;
        let value = rest.split([';', '}']).next()?.trim();
        let hex = value.strip_prefix('#')?;
        let is_hex = hex.chars().all(|c| c.is_ascii_hexdigit());
        (is_hex && [3, 6].contains(&hex.len())).then_some(value)
    })
}

/// Links of the header to other sites; links to pages are tabs.
fn navbar(theme: &Value, plan: &SitePlan) -> Vec<Value> {
    let has_sidebars = theme.get("sidebar").is_some_and(Value::is_object);
    let page = |link: &NavLink| {
        let path = link.link.split(['#', '?']).next().unwrap_or_default();
        let key = url_key(path);
        let page = plan
            .pages
            .iter()
            .find(|page| page.old_urls.iter().any(|url| url_key(url) == key));
        page.map(|page| crate::site::page_path(&page.slug))
    };
    let links = nav_links(theme).into_iter().filter_map(|link| {
        let href = match svc_data::url_scheme(&link.link) {
            Some(_) => link.link.clone(),
            None if has_sidebars => return None,
            None => page(&link)?,
        };
        Some(json!({ "label": link.text, "href": href }))
    });
    links.collect()
}

/// Reports settings without an equivalent.
pub(super) fn report(config: &Config<'_>, plan: &mut SitePlan) {
    let scripts = config.value.get("head").and_then(Value::as_array);
    let is_script =
        |tag: &Value| matches!(tag.get(0).and_then(Value::as_str), Some("script" | "style"));
    let has_scripts = scripts.is_some_and(|all| all.iter().any(is_script));
    let has = |pointer: &str| {
        config
            .value
            .pointer(pointer)
            .is_some_and(|value| !value.is_null())
    };
    for (is_set, key, hint) in [
        (
            has_scripts,
            "head",
            "put scripts into a `.js` file and styles into a `.css` file of the repository, or use `integrations`",
        ),
        (
            has("/themeConfig/footer"),
            "footer",
            "use `footer.links` of docs.json for links",
        ),
        (
            has("/themeConfig/search"),
            "search",
            "the search of svc needs no service; remove the account",
        ),
        (
            has("/themeConfig/editLink"),
            "editLink",
            "set the repository of the site on the server",
        ),
        (
            has("/themeConfig/carbonAds"),
            "carbonAds",
            "remove it, or add the script as a `.js` file",
        ),
        (
            has("/markdown/config"),
            "markdown",
            "check the pages that use plugins of markdown-it",
        ),
        (
            has("/transformPageData"),
            "transformPageData",
            "write what it computes into the front matter",
        ),
        (
            has("/transformHead"),
            "transformHead",
            "use `seo.metatags` of docs.json",
        ),
        (
            has("/buildEnd"),
            "buildEnd",
            "svc makes sitemaps and feeds itself",
        ),
    ] {
        if is_set {
            let message = format!("the setting `{key}` is not converted");
            plan.diagnostics
                .push(config.diagnostic(&MIGRATE_SETTING, key, message).hint(hint));
        }
    }
}
