//! When files were changed last, as the history of a repository has it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_git::WorkTree;

/// Days of the last changes, by the paths of files.
pub(crate) type Days = BTreeMap<String, String>;

/// Whose history tells when files were changed. It is only read where a page shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Dates {
    /// That of the repository around the folder that is loaded.
    #[default]
    Around,
    /// That of the repository around another folder, of which the loaded one is a copy.
    AroundOther(PathBuf),
    /// It is known: days, `2026-03-05`, by the path of the file.
    Known(Arc<BTreeMap<String, String>>),
}

/// The day of the last change of every file below a folder, by its path from there. Nothing where
/// there is no history.
pub(crate) fn days(root: &Path, dates: &Dates) -> Days {
    let folder = match dates {
        Dates::Around => root,
        Dates::AroundOther(folder) => folder,
        Dates::Known(days) => return days.as_ref().clone(),
    };
    let around = WorkTree::around(folder);
    let days = around.and_then(|tree| Some(tree.dates(tree.head()?)));
    days.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days_win_and_a_folder_without_history_has_none() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(days(folder.path(), &Dates::Around), BTreeMap::new());
        let known = BTreeMap::from([("a.mdx".to_owned(), "2026-03-05".to_owned())]);
        let dates = Dates::Known(Arc::new(known.clone()));
        assert_eq!(days(folder.path(), &dates), known);
    }
}
