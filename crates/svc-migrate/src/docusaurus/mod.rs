//! Docusaurus.

use crate::path::file_name;
use crate::{Migration, Repository};

/// Path of the configuration file, at the root or in a folder of the root.
pub(crate) fn config_path(repository: &Repository) -> Option<&str> {
    let is_config = |path: &&str| {
        path.matches('/').count() < 2 && file_name(path).starts_with("docusaurus.config.")
    };
    let mut paths: Vec<&str> = repository.below("").filter(is_config).collect();
    paths.sort_by_key(|path| path.matches('/').count());
    paths.first().copied()
}

pub(crate) fn migrate(_repository: &Repository) -> Migration {
    Migration::default()
}
