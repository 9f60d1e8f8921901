//! GitBook.

mod block;
mod card;
mod config;
mod pages;
mod reference;
mod tag;

use svc_diagnostics::{Diagnostic, SourceFile};

use self::config::Config;
use crate::codes::MIGRATE_CONFIG;
use crate::markdown::{Dialect, Line};
use crate::site::{SitePlan, build};
use crate::{Migration, Repository};

/// Path of the configuration file or of the table of contents.
pub(crate) fn config_path(repository: &Repository) -> Option<&str> {
    config::path(repository)
}

/// Converts a repository.
pub(crate) fn migrate(repository: &Repository) -> Migration {
    let Some(path) = config_path(repository) else {
        return Migration {
            diagnostics: vec![
                Diagnostic::new(
                    &MIGRATE_CONFIG,
                    "there is no `.gitbook.yaml` and no `SUMMARY.md`",
                )
                .hint("name the folder that contains it"),
            ],
            ..Migration::default()
        };
    };
    let config = Config::new(repository, path);
    let mut plan = SitePlan {
        roots: vec![config.root.clone()],
        ..SitePlan::default()
    };
    let titles = pages::pages(repository, &config, &mut plan);
    plan.config = config::settings(repository, &config);
    for (old, new) in &config.redirects {
        let target = match svc_data::url_scheme(new) {
            Some(_) => new.clone(),
            None => crate::path::join(&config.root, new.trim_start_matches("./")),
        };
        plan.redirects.push((old.clone(), target));
    }
    let dialect = Dialect::default();
    let blocks = block::Blocks {
        repository,
        titles: &titles,
    };
    let prepare = |file: &SourceFile, lines: Vec<Line>, diagnostics: &mut Vec<Diagnostic>| {
        blocks.page(file, lines, diagnostics)
    };
    build(repository, plan, &dialect, &prepare)
}
