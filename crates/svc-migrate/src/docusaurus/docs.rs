//! Pages of the plugin for documentation, with their versions and translations.

use std::collections::BTreeMap;

use serde_json::Value;
use svc_data::Node;

use super::Config;
use crate::Repository;
use crate::codes::MIGRATE_SYNTAX;
use crate::front_matter;
use crate::path::{file_name, join, markdown_stem, resolve};
use crate::site::{PagePlan, SitePlan};

/// An instance of the plugin for documentation.
pub(super) struct Instance {
    pub(super) id: String,
    /// Folder of the pages, from the root of the repository.
    pub(super) path: String,
    pub(super) route: String,
    pub(super) options: Value,
}

/// A version of an instance.
pub(super) struct Version {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) is_default: bool,
    /// Segment of URLs; empty for the default version.
    pub(super) path: String,
    pub(super) dir: String,
}

/// A page in the navigation.
pub(super) struct Doc {
    pub(super) id: String,
    pub(super) slug: String,
    /// Path below the folder of the version.
    pub(super) below: String,
    pub(super) position: Option<f64>,
    pub(super) is_unlisted: bool,
}

/// All instances, with default values.
pub(super) fn instances(repository: &Repository, config: &Config<'_>) -> Vec<Instance> {
    let mut all = Vec::new();
    for (_, options) in config.modules("presets") {
        if options.get("docs") != Some(&Value::Bool(false)) {
            all.push(options.get("docs").cloned().unwrap_or(Value::Null));
        }
    }
    for (name, options) in config.modules("plugins") {
        if name.contains("plugin-content-docs") {
            all.push(options);
        }
    }
    if all.is_empty() {
        all.push(Value::Null);
    }
    let text = |options: &Value, key: &str, default: &str| {
        options
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or(default)
            .to_owned()
    };
    all.into_iter()
        .filter_map(|options| {
            let path = resolve(&config.dir, &text(&options, "path", "docs"))?;
            repository.below(&path).next()?;
            let route = text(&options, "routeBasePath", "docs")
                .trim_matches('/')
                .to_owned();
            Some(Instance {
                id: text(&options, "id", "default"),
                path,
                route,
                options,
            })
        })
        .collect()
}

/// The versions of an instance, the newest first.
pub(super) fn versions(
    repository: &Repository,
    config: &Config<'_>,
    instance: &Instance,
) -> Vec<Version> {
    let prefix = match instance.id.as_str() {
        "default" => String::new(),
        id => format!("{id}_"),
    };
    let file = join(&config.dir, &format!("{prefix}versions.json"));
    let names = repository
        .text(&file)
        .map(|file| crate::js::default_export(repository, file));
    let names: Vec<String> = names
        .as_ref()
        .and_then(Value::as_array)
        .map(|all| {
            all.iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect()
        })
        .unwrap_or_default();
    let option = |name: &str, key: &str| {
        let entry = instance.options.get("versions")?.get(name)?;
        entry.get(key).and_then(Value::as_str).map(str::to_owned)
    };
    let last = instance.options.get("lastVersion").and_then(Value::as_str);
    let last = last
        .or(names.first().map(String::as_str))
        .unwrap_or("current")
        .to_owned();
    let has_current = instance
        .options
        .get("includeCurrentVersion")
        .and_then(Value::as_bool)
        != Some(false);
    let current = has_current.then(|| "current".to_owned());
    let version = |name: String| {
        let is_default = name == last;
        let is_current = name == "current";
        let segment = if is_current { "next" } else { name.as_str() };
        let path = if is_default { "" } else { segment };
        let label = if is_current && !names.is_empty() {
            "Next"
        } else {
            name.as_str()
        };
        let dir = match is_current {
            true => instance.path.clone(),
            false => join(
                &config.dir,
                &format!("{prefix}versioned_docs/version-{name}"),
            ),
        };
        Version {
            label: option(&name, "label").unwrap_or_else(|| label.to_owned()),
            path: option(&name, "path").unwrap_or_else(|| path.to_owned()),
            is_default,
            dir,
            name,
        }
    };
    let mut all: Vec<Version> = names.iter().cloned().chain(current).map(version).collect();
    all.sort_by_key(|version| !version.is_default);
    all
}

/// Adds the pages of a version in a language to the plan.
pub(super) fn pages(
    repository: &Repository,
    config: &Config<'_>,
    instance: &Instance,
    version: &Version,
    (prefix, locale): (&str, &str),
    plan: &mut SitePlan,
) -> Vec<Doc> {
    let plugin = match instance.id.as_str() {
        "default" => "docusaurus-plugin-content-docs".to_owned(),
        id => format!("docusaurus-plugin-content-docs-{id}"),
    };
    let folder = match version.name.as_str() {
        "current" => "current".to_owned(),
        name => format!("version-{name}"),
    };
    let translated = join(&config.dir, &format!("i18n/{locale}/{plugin}/{folder}"));
    let route = join(prefix, &join(&instance.route, &version.path));
    let mut out = Vec::new();
    let dir = if prefix.is_empty() {
        &version.dir
    } else {
        &translated
    };
    for path in repository.below(dir) {
        let below = path[dir.len()..].trim_start_matches('/');
        let hidden = below.split('/').any(|part| part.starts_with('_'));
        match (markdown_stem(below), repository.text(path)) {
            (Some(stem), Some(_)) if hidden => {
                plan.pages
                    .push(PagePlan::snippet(path, &join(&route, stem)));
            }
            (Some(stem), Some(file)) => {
                let data = front_matter::split(file).data;
                if front_matter::is_draft(&data) {
                    continue;
                }
                let doc = doc(stem, below, &data, &route);
                plan.pages.push(PagePlan {
                    source: path.to_owned(),
                    slug: doc.slug.clone(),
                    old_urls: vec![crate::path::url_key(&doc.slug)],
                    sidebar_title: None,
                });
                out.push(doc);
            }
            _ if below.ends_with(".js") || below.ends_with(".jsx") || below.ends_with(".tsx") => {}
            _ if file_name(below).starts_with("_category_") => {}
            _ => plan.assets.push((path.to_owned(), join(&route, below))),
        }
    }
    out
}

fn doc(stem: &str, below: &str, data: &Node, route: &str) -> Doc {
    let parts: Vec<&str> = stem.split('/').map(without_number).collect();
    let (name, dirs) = parts.split_last().unwrap_or((&"", &[]));
    let dir = dirs.join("/");
    let own = front_matter::field(data, "id");
    let base = own.clone().unwrap_or_else(|| (*name).to_owned());
    let lower = name.to_lowercase();
    let is_index = lower == "index"
        || lower == "readme"
        || dirs.last().is_some_and(|last| last.to_lowercase() == lower);
    let slug = match front_matter::field(data, "slug") {
        Some(slug) if slug.starts_with('/') => slug,
        Some(slug) => resolve(&dir, &slug).unwrap_or(slug),
        None if is_index => dir.clone(),
        None => join(&dir, &base),
    };
    let slug = join(route, slug.trim_matches('/'));
    let position = front_matter::field(data, "sidebar_position").and_then(|text| text.parse().ok());
    let number = file_name(stem).len() - name.len();
    let prefix = file_name(stem)[..number].trim_end_matches(|c: char| !c.is_ascii_digit());
    Doc {
        id: join(&dir, &base),
        slug: if slug.is_empty() {
            "index".to_owned()
        } else {
            slug
        },
        below: below.to_owned(),
        position: position.or_else(|| prefix.parse().ok()),
        is_unlisted: data.get("unlisted").and_then(Node::as_bool) == Some(true),
    }
}

/// A name without the number that orders it: `01-intro` is `intro`. Dates and versions stay.
pub(super) fn without_number(name: &str) -> &str {
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = name[digits..].trim_start_matches(['-', '_', '.', ' ']);
    let has_mark = rest.len() < name.len() - digits;
    if digits == 0 || !has_mark || rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit())
    {
        return name;
    }
    rest
}

/// The number that orders a folder.
pub(super) fn number_of(name: &str) -> Option<f64> {
    let rest = without_number(name);
    let number = name[..name.len() - rest.len()].trim_end_matches(|c: char| !c.is_ascii_digit());
    number.parse().ok()
}

/// Translations that do not exist show the page of the default language.
pub(super) fn add_fallbacks(locales: &[String], plan: &mut SitePlan) {
    let known: std::collections::BTreeSet<String> =
        plan.pages.iter().map(|page| page.slug.clone()).collect();
    let others = locales.get(1..).unwrap_or_default();
    let mut added: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (index, page) in plan.pages.iter().enumerate() {
        let is_translation = others
            .iter()
            .any(|locale| page.slug.starts_with(&format!("{locale}/")));
        let Some(url) = page.old_urls.first().filter(|_| !is_translation) else {
            continue;
        };
        for locale in others
            .iter()
            .filter(|locale| !known.contains(&join(locale, &page.slug)))
        {
            added.entry(index).or_default().push(join(locale, url));
        }
    }
    for (index, urls) in added {
        plan.pages[index].old_urls.extend(urls);
    }
}

/// Markdown files of `src/pages`; pages in React are reported.
pub(super) fn site_pages(repository: &Repository, config: &Config<'_>, plan: &mut SitePlan) {
    let dir = join(&config.dir, "src/pages");
    for path in repository.below(&dir) {
        let below = path[dir.len()..].trim_start_matches('/');
        if below.split('/').any(|part| part.starts_with('_')) || below.contains(".test.") {
            continue;
        }
        if let Some(stem) = markdown_stem(below) {
            let slug = crate::site::slug_of(stem);
            if plan.pages.iter().any(|page| page.slug == slug) {
                continue;
            }
            plan.pages.push(PagePlan {
                source: path.to_owned(),
                old_urls: vec![crate::path::url_key(&slug)],
                slug,
                sidebar_title: None,
            });
        } else if let Some(file) = repository.text(path).filter(|_| is_react(below)) {
            let stem = below.rsplit_once('.').map_or(below, |(stem, _)| stem);
            let url = crate::path::url_key(stem);
            let message = format!("the page `/{url}` is a React component and is left out");
            let span = crate::markdown::line_span(file, 1);
            plan.diagnostics.push(
                svc_diagnostics::Diagnostic::new(&MIGRATE_SYNTAX, message)
                    .at(file.location(span))
                    .hint("write an MDX page with `mode: custom` for it"),
            );
        }
    }
}

fn is_react(path: &str) -> bool {
    let ends = [".js", ".jsx", ".tsx"];
    // Files below folders are components more often than pages.
    ends.iter().any(|end| path.ends_with(end)) && path.matches('/').count() < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_order_are_removed_and_dates_stay() {
        for (name, plain) in [
            ("01-intro", "intro"),
            ("2. Setup", "Setup"),
            ("2021-01-02-post", "2021-01-02-post"),
            ("7.0-notes", "7.0-notes"),
            ("3d", "3d"),
        ] {
            assert_eq!(without_number(name), plain);
        }
        assert_eq!(number_of("02-x"), Some(2.0));
    }
}
