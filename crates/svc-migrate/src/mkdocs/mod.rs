//! MkDocs, in particular Material for MkDocs.

mod blog;
mod config;
mod include;
mod languages;
mod nav;
mod theme;

use svc_diagnostics::{Diagnostic, SourceFile};

use self::config::Config;
pub(crate) use self::config::config_path;
use self::languages::Languages;
use crate::codes::{MIGRATE_CONFIG, MIGRATE_SETTING};
use crate::markdown::{Dialect, Line};
use crate::path::{file_name, join, markdown_stem};
use crate::site::{PagePlan, SitePlan, build, slug_of};
use crate::{Migration, Repository};

/// Plugins that need nothing or are converted.
const PLUGINS: &[&str] = &[
    "search",
    "redirects",
    "i18n",
    "blog",
    "macros",
    "minify",
    "awesome-pages",
    "awesome-nav",
    "section-index",
    "tags",
    "offline",
    "privacy",
    "optimize",
    "meta",
    "git-revision-date",
    "git-revision-date-localized",
    "glightbox",
    "exclude",
    "mike",
    "social",
    "autorefs",
    "literate-nav",
    "projects",
    "include-markdown",
];

/// Plugins that are converted only in part, and what to do.
const PARTIAL_PLUGINS: &[(&str, &str)] = &[
    (
        "tags",
        "tags become keywords of pages; pages that list tags are not generated",
    ),
    (
        "include-markdown",
        "move shared text into files below `snippets` and import them",
    ),
    (
        "mike",
        "the versions that mike has built are branches; deploy them as projects of their own",
    ),
    (
        "mkdocstrings",
        "generate MDX pages from the code and add them to the repository",
    ),
    ("gen-files", "add the generated pages to the repository"),
    ("mkdocs-jupyter", "convert the notebooks to Markdown"),
];

/// Converts a repository.
pub(crate) fn migrate(repository: &Repository) -> Migration {
    let Some(config) = Config::load(repository) else {
        return Migration {
            diagnostics: vec![
                Diagnostic::new(&MIGRATE_CONFIG, "there is no `mkdocs.yml`")
                    .hint("name the folder that contains it"),
            ],
            ..Migration::default()
        };
    };
    let mut plan = SitePlan {
        base: crate::path::url_path(config.text("site_url").unwrap_or_default()).to_owned(),
        roots: vec![config.docs_dir.clone()],
        diagnostics: config.diagnostics.clone(),
        ..SitePlan::default()
    };
    let languages = Languages::of(&config);
    files(repository, &config, &languages, &mut plan);
    blog::old_urls(repository, &config, &mut plan);
    plan.config = theme::settings(repository, &config, &mut plan);
    plan.navigation = nav::navigation(repository, &config, &languages, &mut plan);
    redirects(&config, &mut plan);
    report_settings(&config, &mut plan);
    let dialect = Dialect {
        python: true,
        marks: config.has_extension("pymdownx.caret")
            || config.has_extension("pymdownx.tilde")
            || config.has_extension("pymdownx.mark"),
        macros: config.macros(),
        ..Dialect::default()
    };
    let includes = include::Includes::new(repository, &config);
    let prepare = |file: &SourceFile, lines: Vec<Line>, diagnostics: &mut Vec<Diagnostic>| {
        includes.expand(file, lines, diagnostics)
    };
    build(repository, plan, &dialect, &prepare)
}

/// The pages and assets below the folder of pages.
fn files(repository: &Repository, config: &Config, languages: &Languages, plan: &mut SitePlan) {
    for path in repository.below(&config.docs_dir) {
        let below = path[config.docs_dir.len()..].trim_start_matches('/');
        if config.is_excluded(below) {
            continue;
        }
        match markdown_stem(below) {
            Some(stem) if repository.text(path).is_some() => {
                let (prefix, stem) = languages.split(stem);
                let url = join(prefix, &old_url(stem, config.has_directory_urls()));
                let mut old_urls = vec![url.clone()];
                if url.ends_with('/') || url.is_empty() {
                    old_urls.push(format!("{url}index.html"));
                }
                plan.pages.push(PagePlan {
                    source: path.to_owned(),
                    slug: slug_of(&join(prefix, stem)),
                    old_urls,
                    sidebar_title: None,
                });
            }
            Some(_) => {}
            None if is_code(below) => {}
            None => {
                let new = match below.strip_prefix("snippets/") {
                    Some(rest) => format!("snippet-pages/{rest}"),
                    None => below.to_owned(),
                };
                plan.assets.push((path.to_owned(), new));
            }
        }
    }
    // A page of the same URL: `a.md` and `a/index.md`, or README.md and index.md.
    let mut seen = std::collections::BTreeSet::new();
    plan.pages
        .sort_by_key(|page| (file_name(&page.source) == "README.md", page.source.clone()));
    plan.pages.retain(|page| seen.insert(page.slug.clone()));
    plan.pages.sort_by(|a, b| a.source.cmp(&b.source));
    // Translations that do not exist show the page of the default language.
    languages.add_fallbacks(plan);
}

/// Styles, scripts and templates apply to the old theme only.
fn is_code(path: &str) -> bool {
    let ends = [".css", ".js", ".ts", ".jsx", ".tsx", ".py", ".scss"];
    ends.iter().any(|end| path.ends_with(end)) || file_name(path) == ".pages"
}

/// The URL path of a page below the site, without leading slash.
fn old_url(stem: &str, directory_urls: bool) -> String {
    let name = file_name(stem);
    let is_index = name == "index" || name == "README";
    match (is_index, directory_urls) {
        (true, _) => {
            let dir = crate::path::parent(stem);
            if dir.is_empty() {
                String::new()
            } else {
                format!("{dir}/")
            }
        }
        (false, true) => format!("{stem}/"),
        (false, false) => format!("{stem}.html"),
    }
}

/// Redirects of the plugin `redirects`.
fn redirects(config: &Config, plan: &mut SitePlan) {
    let Some(options) = config.plugin("redirects") else {
        return;
    };
    let maps = options
        .get("redirect_maps")
        .and_then(|maps| maps.as_object());
    for (old, new) in maps.into_iter().flatten() {
        let Some(new) = new.as_str() else {
            continue;
        };
        let stem = markdown_stem(old).unwrap_or(old.trim_end_matches(".html"));
        let source = old_url(stem, config.has_directory_urls());
        let (path, fragment) = match new.find('#') {
            Some(at) => new.split_at(at),
            None => (new, ""),
        };
        let target = match markdown_stem(path) {
            Some(stem) if !new.contains("://") => {
                format!("{}{fragment}", crate::site::page_path(&slug_of(stem)))
            }
            _ => new.to_owned(),
        };
        plan.redirects.push((source, target));
    }
    if config.has_mike() {
        for name in ["latest", "stable"] {
            plan.redirects
                .push((format!("{name}/:path*"), "/:path*".to_owned()));
        }
    }
}

/// Reports settings and plugins without an equivalent.
fn report_settings(config: &Config, plan: &mut SitePlan) {
    let mut report = |key: &str, message: String, hint: &str| {
        plan.diagnostics
            .push(config.diagnostic(&MIGRATE_SETTING, key, message).hint(hint));
    };
    for (name, _) in &config.plugins {
        let name = name.trim_start_matches("material/");
        let partial = PARTIAL_PLUGINS.iter().find(|entry| entry.0 == name);
        if let Some((_, hint)) = partial {
            report(
                name,
                format!("the plugin `{name}` is converted only in part"),
                hint,
            );
        } else if !PLUGINS.contains(&name) {
            let hint = "check the pages that use it";
            report(name, format!("the plugin `{name}` has no equivalent"), hint);
        }
    }
    let settings = [
        (
            "extra_css",
            "write styles for the new theme into a `.css` file of the repository",
        ),
        (
            "extra_javascript",
            "put scripts that you still need into a `.js` file of the repository",
        ),
        ("hooks", "write what the hooks produce into the pages"),
        ("copyright", "use `footer.links` for a link to the license"),
        ("extra_templates", "use components"),
    ];
    for (key, hint) in settings {
        if config.value.get(key).is_some() {
            report(key, format!("the setting `{key}` has no equivalent"), hint);
        }
    }
    let theme = config.value.get("theme");
    if theme.and_then(|theme| theme.get("custom_dir")).is_some() {
        let hint = "use components and styles for what the templates change";
        report(
            "custom_dir",
            "templates in `theme.custom_dir` have no equivalent".to_owned(),
            hint,
        );
    }
}
