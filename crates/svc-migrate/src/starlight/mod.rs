//! Starlight, the documentation theme of Astro.

mod pages;
mod sidebar;
mod theme;

use serde_json::{Value, json};
use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile};

use crate::codes::{MIGRATE_CONFIG, MIGRATE_SETTING};
use crate::markdown::{Dialect, Line, diagnostic_at_line};
use crate::navigation::language_entry;
use crate::path::{file_name, join, parent};
use crate::site::{SitePlan, build, navigation};
use crate::{Migration, Repository};

/// Components of Starlight and their names here. Attributes after the name replace the old ones.
const COMPONENTS: &[(&str, &str)] = &[
    ("TabItem", "Tab"),
    ("Code", "CodeBlock"),
    ("CardGrid", "Columns cols={2}"),
    ("LinkCard", "Card"),
    ("Aside", "Callout"),
    ("LinkButton", "a"),
    ("Image", "img"),
    ("Fragment", ""),
];

/// Path of the configuration file, at the root or in a folder of the root.
pub(crate) fn config_path(repository: &Repository) -> Option<&str> {
    let is_config = |path: &&str| {
        let is_named =
            path.matches('/').count() < 2 && file_name(path).starts_with("astro.config.");
        is_named
            && repository
                .text(path)
                .is_some_and(|file| file.text().contains("starlight"))
    };
    let mut paths: Vec<&str> = repository.below("").filter(is_config).collect();
    paths.sort_by_key(|path| path.matches('/').count());
    paths.first().copied()
}

/// The options of Astro and of Starlight.
struct Config<'a> {
    file: &'a SourceFile,
    astro: Value,
    value: Value,
    /// Folder of the configuration file.
    dir: String,
}

impl Config<'_> {
    fn diagnostic(
        &self,
        code: &'static DiagnosticCode,
        near: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        let fits = |line: &str| line.trim_start().starts_with(near);
        diagnostic_at_line(self.file, code, message, fits)
    }
}

/// A language of the site.
struct Locale {
    /// Folder and segment of URLs; empty for the language at the root.
    dir: String,
    lang: String,
}

/// Converts a repository.
pub(crate) fn migrate(repository: &Repository) -> Migration {
    let file = config_path(repository).and_then(|path| repository.text(path));
    let Some(file) = file else {
        return Migration {
            diagnostics: vec![
                Diagnostic::new(
                    &MIGRATE_CONFIG,
                    "there is no `astro.config.mjs` with Starlight",
                )
                .hint("name the folder that contains it"),
            ],
            ..Migration::default()
        };
    };
    let astro = crate::js::default_export(repository, file);
    let all = astro.get("integrations").and_then(Value::as_array);
    let value = all
        .into_iter()
        .flatten()
        .find(|item| item.get("$call").and_then(Value::as_str) == Some("starlight"));
    let config = Config {
        file,
        value: value.cloned().unwrap_or(Value::Null),
        dir: parent(file.path()).to_owned(),
        astro,
    };
    let mut plan = SitePlan {
        base: config
            .astro
            .get("base")
            .and_then(Value::as_str)
            .unwrap_or("")
            .trim_matches('/')
            .to_owned(),
        roots: vec![join(&config.dir, "public"), config.dir.clone()],
        ..SitePlan::default()
    };
    if config.value.is_null() {
        let message = "the options of `starlight()` are not literal and cannot be read";
        let hint = "write them as an object; default values are used";
        plan.diagnostics.push(
            config
                .diagnostic(&MIGRATE_CONFIG, "starlight(", message)
                .hint(hint),
        );
    }
    let locales = locales(&config);
    let docs = pages::pages(repository, &config, &locales, &mut plan);
    plan.config = theme::settings(repository, &config, &mut plan);
    plan.navigation = languages(&config, &locales, &docs, &mut plan);
    redirects(&config, &mut plan);
    report(&config, &mut plan);
    let dialect = Dialect {
        directives: true,
        mdx: true,
        has_plain_markdown: true,
        components: COMPONENTS,
        ..Dialect::default()
    };
    let prepare = |file: &SourceFile, lines: Vec<Line>, _: &mut Vec<Diagnostic>| {
        pages::with_hero(file, lines)
    };
    build(repository, plan, &dialect, &prepare)
}

/// The languages; the default one is first.
fn locales(config: &Config<'_>) -> Vec<Locale> {
    let default = config
        .value
        .get("defaultLocale")
        .and_then(Value::as_str)
        .unwrap_or("root");
    let all = config.value.get("locales").and_then(Value::as_object);
    let mut out: Vec<(bool, Locale)> = Vec::new();
    for (key, value) in all.into_iter().flatten() {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let dir = if key == "root" {
            String::new()
        } else {
            key.clone()
        };
        let lang = text("lang").unwrap_or_else(|| key.clone());
        out.push((key != default, Locale { dir, lang }));
    }
    out.sort_by_key(|entry| entry.0);
    if out.is_empty() {
        out.push((
            false,
            Locale {
                dir: String::new(),
                lang: "en".to_owned(),
            },
        ));
    }
    out.into_iter().map(|(_, locale)| locale).collect()
}

fn languages(
    config: &Config<'_>,
    locales: &[Locale],
    docs: &[pages::Doc],
    plan: &mut SitePlan,
) -> Value {
    let mut all = Vec::new();
    for (index, locale) in locales.iter().enumerate() {
        let nodes = sidebar::nodes(config, locale, docs, plan);
        if nodes.is_empty() {
            continue;
        }
        let content = navigation(&nodes, false, plan);
        if locales.len() == 1 {
            return Value::Object(content);
        }
        all.push(language_entry(&locale.lang, index == 0, content));
    }
    json!({ "languages": all })
}

/// `redirects` of Astro.
fn redirects(config: &Config<'_>, plan: &mut SitePlan) {
    let all = config.astro.get("redirects").and_then(Value::as_object);
    for (old, new) in all.into_iter().flatten() {
        let target = new
            .as_str()
            .or_else(|| new.get("destination").and_then(Value::as_str));
        // `[slug]` and `[...slug]` are parameters.
        let pattern = |path: &str| {
            path.replace("[...", "\u{1}[")
                .split('/')
                .map(|part| {
                    match part
                        .strip_prefix("\u{1}[")
                        .and_then(|name| name.strip_suffix(']'))
                    {
                        Some(name) => format!(":{name}*"),
                        None => match part
                            .strip_prefix('[')
                            .and_then(|name| name.strip_suffix(']'))
                        {
                            Some(name) => format!(":{name}"),
                            None => part.to_owned(),
                        },
                    }
                })
                .collect::<Vec<_>>()
                .join("/")
        };
        if let Some(target) = target {
            plan.redirects.push((pattern(old), pattern(target)));
        }
    }
}

/// Reports settings without an equivalent.
fn report(config: &Config<'_>, plan: &mut SitePlan) {
    for (key, hint) in [
        (
            "components",
            "write MDX components for what the overrides change",
        ),
        ("plugins", "check the pages that use them"),
        (
            "customCss",
            "write styles for the new theme into a `.css` file of the repository",
        ),
        (
            "head",
            "use `seo.metatags` for meta tags, and files of the repository for scripts",
        ),
    ] {
        let value = config.value.get(key);
        if value.is_some_and(|value| !value.is_null()) {
            let message = format!("the setting `{key}` of Starlight is not converted");
            plan.diagnostics
                .push(config.diagnostic(&MIGRATE_SETTING, key, message).hint(hint));
        }
    }
}
