//! mdBook.

mod admonition;
mod chapters;
mod config;
mod prepare;

use svc_diagnostics::{Diagnostic, SourceFile};

use self::config::Config;
use crate::codes::MIGRATE_CONFIG;
use crate::markdown::{Dialect, Line};
use crate::path::join;
use crate::site::{SitePlan, build};
use crate::{Migration, Repository};

/// Path of the configuration file, at the root or in a folder of the root.
pub(crate) fn config_path(repository: &Repository) -> Option<&str> {
    let is_config = |path: &&str| {
        path.matches('/').count() < 2
            && crate::path::file_name(path) == "book.toml"
            && repository.text(path).is_some()
    };
    let paths = repository.below("").filter(is_config);
    paths.min_by_key(|path| path.matches('/').count())
}

/// Converts a repository.
pub(crate) fn migrate(repository: &Repository) -> Migration {
    let file = config_path(repository).and_then(|path| repository.text(path));
    let Some(file) = file else {
        return Migration {
            diagnostics: vec![
                Diagnostic::new(&MIGRATE_CONFIG, "there is no `book.toml`")
                    .hint("name the folder that contains it"),
            ],
            ..Migration::default()
        };
    };
    let config = Config::new(file);
    let mut plan = SitePlan {
        base: crate::path::url_path(config.text("/output/html/site-url").unwrap_or("")).to_owned(),
        roots: vec![config.source.clone()],
        ..SitePlan::default()
    };
    plan.navigation = chapters::navigation(repository, &config, &mut plan);
    plan.config = config::settings(repository, &config, &plan);
    config::redirects(&config, &mut plan);
    config::report(&config, &mut plan);
    let dialect = Dialect {
        directives: true,
        alerts: true,
        definition_lists: true,
        custom_tags: true,
        ..Dialect::default()
    };
    let preparation = prepare::Preparation {
        repository,
        hidden: config.hidden_lines(),
        has_math: config.flag("/output/html/mathjax-support"),
    };
    let prepare = |file: &SourceFile, lines: Vec<Line>, diagnostics: &mut Vec<Diagnostic>| {
        preparation.page(file, lines, diagnostics)
    };
    build(repository, plan, &dialect, &prepare)
}

impl Config<'_> {
    /// Path of a file of the book in the repository.
    fn path(&self, path: &str) -> Option<String> {
        crate::path::resolve(&self.source, path)
    }

    fn summary_path(&self) -> String {
        join(&self.source, "SUMMARY.md")
    }
}
