//! Docusaurus.

mod blog;
mod docs;
mod sidebar;
mod theme;

use serde_json::{Map, Value, json};
use svc_diagnostics::{Diagnostic, SourceFile};

use self::docs::Instance;
use crate::codes::{MIGRATE_CONFIG, MIGRATE_SETTING};
use crate::markdown::{Dialect, Line, diagnostic_at_line};
use crate::navigation::{NavNode, language_entry};
use crate::path::{file_name, join, parent};
use crate::site::{SitePlan, build, navigation};
use crate::{Migration, Repository};

/// Components of Docusaurus and their names here; without a name, only the content stays.
const COMPONENTS: &[(&str, &str)] = &[
    ("TabItem", "Tab"),
    ("Admonition", "Callout"),
    ("Link", "a"),
    ("TOCInline", ""),
    ("DocCardList", ""),
    ("BrowserOnly", ""),
];

/// Path of the configuration file, at the root or in a folder of the root.
pub(crate) fn config_path(repository: &Repository) -> Option<&str> {
    let is_config = |path: &&str| {
        path.matches('/').count() < 2 && file_name(path).starts_with("docusaurus.config.")
    };
    let mut paths: Vec<&str> = repository.below("").filter(is_config).collect();
    paths.sort_by_key(|path| path.matches('/').count());
    paths.first().copied()
}

/// The configuration and its file.
struct Config<'a> {
    file: &'a SourceFile,
    value: Value,
    /// Folder of the configuration file.
    dir: String,
}

impl Config<'_> {
    fn text(&self, pointer: &str) -> Option<&str> {
        self.value.pointer(pointer)?.as_str()
    }

    /// Name and options of presets or plugins, which are strings or pairs.
    fn modules(&self, key: &str) -> Vec<(String, Value)> {
        let all = self.value.get(key).and_then(Value::as_array);
        let entry = |item: &Value| match item {
            Value::String(name) => Some((name.clone(), Value::Null)),
            Value::Array(pair) => {
                let name = pair.first()?.as_str()?;
                Some((name.to_owned(), pair.get(1).cloned().unwrap_or(Value::Null)))
            }
            _ => None,
        };
        all.into_iter().flatten().filter_map(entry).collect()
    }

    /// A diagnostic at the first line that contains a text.
    fn diagnostic(
        &self,
        code: &'static svc_diagnostics::DiagnosticCode,
        near: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        diagnostic_at_line(self.file, code, message, |line| line.contains(near))
    }
}

/// Converts a repository.
pub(crate) fn migrate(repository: &Repository) -> Migration {
    let file = config_path(repository).and_then(|path| repository.text(path));
    let Some(file) = file else {
        return Migration {
            diagnostics: vec![
                Diagnostic::new(&MIGRATE_CONFIG, "there is no `docusaurus.config.js`")
                    .hint("name the folder that contains it"),
            ],
            ..Migration::default()
        };
    };
    let config = Config {
        file,
        value: crate::js::default_export(repository, file),
        dir: parent(file.path()).to_owned(),
    };
    let base = config
        .text("/baseUrl")
        .unwrap_or("/")
        .trim_matches('/')
        .to_owned();
    let mut plan = SitePlan {
        base,
        roots: vec![join(&config.dir, "static"), config.dir.clone()],
        ..SitePlan::default()
    };
    if !config.value.is_object() {
        let message = "the configuration is not literal and cannot be read";
        let hint = "export an object; default values are used for everything else";
        plan.diagnostics
            .push(config.diagnostic(&MIGRATE_CONFIG, "", message).hint(hint));
    }
    let locales = locales(repository, &config);
    let instances = docs::instances(repository, &config);
    let mut languages = Vec::new();
    for (index, locale) in locales.iter().enumerate() {
        let prefix = if index == 0 { "" } else { locale.as_str() };
        let areas: Vec<Map<String, Value>> = instances
            .iter()
            .map(|instance| area(repository, &config, instance, (prefix, locale), &mut plan))
            .filter(|area| !area.is_empty())
            .collect();
        if !areas.is_empty() {
            languages.push((locale.clone(), areas));
        }
    }
    docs::add_fallbacks(&locales, &mut plan);
    let posts = blog::pages(repository, &config, &mut plan);
    docs::site_pages(repository, &config, &mut plan);
    assets(repository, &config, &mut plan);
    plan.config = theme::settings(repository, &config, &mut plan);
    plan.navigation = root(languages, posts, &mut plan);
    redirects(&config, &mut plan);
    report(&config, &mut plan);
    let dialect = Dialect {
        directives: true,
        mdx: true,
        components: COMPONENTS,
        ..Dialect::default()
    };
    let prepare = |_: &SourceFile, lines: Vec<Line>, _: &mut Vec<Diagnostic>| lines;
    build(repository, plan, &dialect, &prepare)
}

/// The languages, the default one first.
fn locales(repository: &Repository, config: &Config<'_>) -> Vec<String> {
    let default = config
        .text("/i18n/defaultLocale")
        .unwrap_or("en")
        .to_owned();
    let mut out = vec![default];
    let dir = join(&config.dir, "i18n");
    for path in repository.below(&dir) {
        let name = path[dir.len()..].trim_start_matches('/').split('/').next();
        let listed = config
            .value
            .pointer("/i18n/locales")
            .and_then(Value::as_array);
        let name = name.unwrap_or_default().to_owned();
        let is_listed = listed.is_none_or(|all| all.iter().any(|one| one.as_str() == Some(&name)));
        if path.contains("/docusaurus-plugin-content-docs") && is_listed && !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// The navigation of one instance of the plugin for documentation, in one language.
fn area(
    repository: &Repository,
    config: &Config<'_>,
    instance: &Instance,
    (prefix, locale): (&str, &str),
    plan: &mut SitePlan,
) -> Map<String, Value> {
    let mut versions = Vec::new();
    for version in docs::versions(repository, config, instance) {
        let docs = docs::pages(
            repository,
            config,
            instance,
            &version,
            (prefix, locale),
            plan,
        );
        let nodes = sidebar::nodes(repository, config, instance, &version, &docs, plan);
        if nodes.is_empty() {
            continue;
        }
        let tabs = nodes.len() > 1
            && nodes
                .iter()
                .all(|node| matches!(node, NavNode::Group { .. }))
            && sidebar::count(repository, config, instance, &version) > 1;
        let content = navigation(&nodes, tabs, plan);
        versions.push((version, content));
    }
    if versions.len() == 1 {
        return versions.remove(0).1;
    }
    let entry = |(version, content): (docs::Version, Map<String, Value>)| {
        let mut entry = Map::new();
        entry.insert("version".to_owned(), json!(version.label));
        if version.is_default {
            entry.insert("default".to_owned(), json!(true));
        }
        entry.extend(content);
        Value::Object(entry)
    };
    let all: Vec<Value> = versions.into_iter().map(entry).collect();
    let mut out = Map::new();
    if !all.is_empty() {
        out.insert("versions".to_owned(), Value::Array(all));
    }
    out
}

/// `navigation` of docs.json from the areas of all languages.
fn root(
    languages: Vec<(String, Vec<Map<String, Value>>)>,
    posts: Vec<NavNode>,
    plan: &mut SitePlan,
) -> Value {
    let mut out = Vec::new();
    let has_languages = languages.len() > 1;
    for (index, (locale, mut areas)) in languages.into_iter().enumerate() {
        let posts = if index == 0 {
            posts.clone()
        } else {
            Vec::new()
        };
        let mut content = if areas.len() == 1 && posts.is_empty() {
            areas.remove(0)
        } else {
            let mut tabs = Vec::new();
            for (index, area) in areas.into_iter().enumerate() {
                let name = area.get("$name").and_then(Value::as_str).map(str::to_owned);
                let default = if index == 0 {
                    "Docs".to_owned()
                } else {
                    format!("Docs {}", index + 1)
                };
                let mut tab = Map::new();
                tab.insert("tab".to_owned(), json!(name.unwrap_or(default)));
                tab.extend(area);
                tabs.push(Value::Object(tab));
            }
            if !posts.is_empty() {
                let mut tab = Map::new();
                tab.insert("tab".to_owned(), json!("Blog"));
                tab.extend(navigation(&posts, false, plan));
                tabs.push(Value::Object(tab));
            }
            let mut content = Map::new();
            content.insert("tabs".to_owned(), Value::Array(tabs));
            content
        };
        content.remove("$name");
        if !has_languages {
            return Value::Object(content);
        }
        out.push(language_entry(&locale, index == 0, content));
    }
    json!({ "languages": out })
}

/// Files of `static` are served at the root.
fn assets(repository: &Repository, config: &Config<'_>, plan: &mut SitePlan) {
    let dir = join(&config.dir, "static");
    for path in repository.below(&dir) {
        let below = path[dir.len()..].trim_start_matches('/');
        let is_code = [".css", ".js", ".mjs", ".md", ".mdx"]
            .iter()
            .any(|end| below.ends_with(end));
        if !is_code && !file_name(below).starts_with('.') {
            plan.assets.push((path.to_owned(), below.to_owned()));
        }
    }
}

/// Redirects of the plugin `client-redirects`.
fn redirects(config: &Config<'_>, plan: &mut SitePlan) {
    for (name, options) in config.modules("plugins") {
        if !name.contains("client-redirects") {
            continue;
        }
        let all = options.get("redirects").and_then(Value::as_array);
        for redirect in all.into_iter().flatten() {
            let Some(to) = redirect.get("to").and_then(Value::as_str) else {
                continue;
            };
            let from: Vec<&str> = match redirect.get("from") {
                Some(Value::String(from)) => vec![from],
                Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            for from in from {
                plan.redirects.push((from.to_owned(), to.to_owned()));
            }
        }
        let extensions = options.get("fromExtensions").and_then(Value::as_array);
        for extension in extensions.into_iter().flatten().filter_map(Value::as_str) {
            for page in &mut plan.pages {
                let first = page.old_urls.first().cloned().unwrap_or_default();
                if !first.is_empty() {
                    page.old_urls
                        .push(format!("{}.{extension}", first.trim_end_matches('/')));
                }
            }
        }
        if options.get("createRedirects").is_some() {
            let message = "redirects that a function creates are not converted";
            let hint = "add a redirect with a pattern to docs.json";
            let diagnostic = config.diagnostic(&MIGRATE_SETTING, "createRedirects", message);
            plan.diagnostics.push(diagnostic.hint(hint));
        }
    }
}

/// Reports plugins without an equivalent.
fn report(config: &Config<'_>, plan: &mut SitePlan) {
    let known = [
        "plugin-content-docs",
        "client-redirects",
        "plugin-ideal-image",
        "plugin-sitemap",
        "search-local",
        "plugin-pwa",
        "plugin-google",
        "npm2yarn",
    ];
    for (name, _) in config.modules("plugins") {
        if !known.iter().any(|known| name.contains(known)) {
            let message = format!("the plugin `{name}` has no equivalent");
            let diagnostic = config.diagnostic(&MIGRATE_SETTING, &name, message);
            plan.diagnostics
                .push(diagnostic.hint("check the pages that use it"));
        }
    }
    for key in ["scripts", "stylesheets", "headTags", "clientModules"] {
        if config.value.get(key).is_some() {
            let message = format!("the setting `{key}` has no equivalent");
            let hint = "put scripts and styles that you still need into files of the repository";
            plan.diagnostics
                .push(config.diagnostic(&MIGRATE_SETTING, key, message).hint(hint));
        }
    }
}
