//! VitePress.

mod config;
mod home;
mod include;
mod pages;
mod sidebar;
mod theme;

use std::collections::BTreeMap;

use svc_diagnostics::{Diagnostic, SourceFile};

use self::config::Config;
use crate::codes::MIGRATE_CONFIG;
use crate::markdown::{Dialect, Line};
use crate::site::{SitePlan, build};
use crate::{Migration, Repository};

/// Components of the default theme.
const COMPONENTS: &[(&str, &str)] = &[("Badge", "Badge")];

/// Path of the configuration file.
pub(crate) fn config_path(repository: &Repository) -> Option<&str> {
    config::path(repository)
}

/// Converts a repository.
pub(crate) fn migrate(repository: &Repository) -> Migration {
    let file = config_path(repository).and_then(|path| repository.text(path));
    let Some(file) = file else {
        return Migration {
            diagnostics: vec![
                Diagnostic::new(&MIGRATE_CONFIG, "there is no `.vitepress/config`")
                    .hint("name the folder that contains `.vitepress`"),
            ],
            ..Migration::default()
        };
    };
    let config = Config::new(repository, file);
    let mut plan = SitePlan {
        base: config
            .text("/base")
            .unwrap_or("")
            .trim_matches('/')
            .to_owned(),
        roots: vec![
            crate::path::join(&config.source, "public"),
            config.source.clone(),
        ],
        ..SitePlan::default()
    };
    if !config.value.is_object() {
        let message = "the configuration is not literal and cannot be read";
        let diagnostic = config.diagnostic(&MIGRATE_CONFIG, "export default", message);
        plan.diagnostics
            .push(diagnostic.hint("write it as an object; default values are used"));
    }
    let locales = config::locales(repository, &config);
    for locale in locales.iter().filter(|_| locales.len() > 1) {
        let lang = crate::navigation::language(&locale.lang);
        if !svc_config::LANGUAGE_CODES.contains(&lang.as_str()) {
            let message = format!("docs.json does not know the language `{lang}`");
            let diagnostic = config.diagnostic(&MIGRATE_CONFIG, "locales", message);
            plan.diagnostics
                .push(diagnostic.hint("serve its pages as a site of their own"));
        }
    }
    pages::pages(repository, &config, &mut plan);
    plan.config = theme::settings(repository, &config, &locales, &mut plan);
    plan.navigation = sidebar::navigation(&config, &locales, &mut plan);
    theme::report(&config, &mut plan);
    let dialect = Dialect {
        directives: true,
        alerts: true,
        custom_tags: true,
        vue: true,
        macros: Some(BTreeMap::new()),
        components: COMPONENTS,
        ..Dialect::default()
    };
    let includes = include::Includes {
        repository,
        root: &config.source,
    };
    let prepare = |file: &SourceFile, lines: Vec<Line>, diagnostics: &mut Vec<Diagnostic>| {
        let lines = home::with_home(file, lines);
        includes.resolve(file, lines, diagnostics)
    };
    build(repository, plan, &dialect, &prepare)
}
