//! ReadMe: repositories of the bidirectional synchronization, and exports.

mod block;
mod code;
mod magic;
mod media;
mod openapi;
mod pages;

use svc_diagnostics::{Diagnostic, SourceFile};

use crate::codes::MIGRATE_CONFIG;
use crate::markdown::{Dialect, Line};
use crate::site::{SitePlan, build};
use crate::{Migration, Repository};

/// Components of ReadMe and their names here. Attributes after the name replace the old ones.
const COMPONENTS: &[(&str, &str)] = &[
    ("Cards", "Columns cols={3}"),
    ("Card", "Card"),
    ("Columns", "Columns cols={2}"),
    ("Column", "Column"),
    ("Tabs", "Tabs"),
    ("Tab", "Tab"),
    ("Accordion", "Accordion"),
    ("Callout", "Callout"),
    ("Anchor", "a"),
    ("Table", "table className=\"table\""),
    ("Thead", "thead"),
    ("Tbody", "tbody"),
    ("Tr", "tr"),
    ("Td", "td"),
    ("Th", "th"),
    ("Glossary", ""),
];

/// Path of the file that orders the pages.
pub(crate) fn config_path(repository: &Repository) -> Option<&str> {
    pages::order_path(repository)
}

/// Converts a repository.
pub(crate) fn migrate(repository: &Repository) -> Migration {
    let Some(path) = config_path(repository) else {
        return Migration {
            diagnostics: vec![
                Diagnostic::new(&MIGRATE_CONFIG, "there is no `docs/_order.yaml`")
                    .hint("name the folder that contains `docs` and `reference`"),
            ],
            ..Migration::default()
        };
    };
    let root = pages::root_of(path);
    let mut plan = SitePlan {
        roots: vec![root.to_owned()],
        ..SitePlan::default()
    };
    pages::pages(repository, root, &mut plan);
    let dialect = Dialect {
        alerts: true,
        custom_tags: true,
        components: COMPONENTS,
        ..Dialect::default()
    };
    let prepare = |file: &SourceFile, lines: Vec<Line>, diagnostics: &mut Vec<Diagnostic>| {
        block::prepare(file, lines, diagnostics)
    };
    build(repository, plan, &dialect, &prepare)
}
