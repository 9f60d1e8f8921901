//! Dates of the last changes of files, read from the Git history.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_git::{CommitId, Head, WorkTree};

use crate::versions;

/// Dates of the last changes by file path, and the history that they come from.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastModified {
    pub(crate) dates: Arc<BTreeMap<String, String>>,
    /// Directory of the repository and its head commit; `None` unless the dates were read from a
    /// history.
    origin: Option<(PathBuf, Head)>,
}

/// Source of the dates on which files were last changed. A history is read only if a page shows the
/// date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LastModifiedSource {
    /// The history of the repository that contains the loaded directory.
    #[default]
    Enclosing,
    /// The history of the repository that contains `path`: the loaded directory, or the one of
    /// which that is a copy.
    Dir {
        /// A directory in the repository.
        path: PathBuf,
        /// Directory in which the dates are cached, so that the history is not walked again.
        cache: PathBuf,
    },
    /// Fixed dates, such as `2026-03-05`, by file path.
    Fixed(Arc<BTreeMap<String, String>>),
}

/// The dates of the last changes of the files below `root`, by path relative to it. Empty without a
/// history. Dates in `previous` are reused if they come from the same commit.
pub(crate) fn last_modified(
    root: &Path,
    dates: &LastModifiedSource,
    previous: Option<&LastModified>,
) -> LastModified {
    if let LastModifiedSource::Fixed(days) = dates {
        return LastModified {
            dates: Arc::clone(days),
            origin: None,
        };
    }
    let Some((dir, tree, head)) = find_repository(root, dates) else {
        return LastModified::default();
    };
    let origin = Some((dir.to_owned(), head));
    match previous.filter(|previous| previous.origin == origin) {
        Some(previous) => previous.clone(),
        None => {
            let cache = match dates {
                LastModifiedSource::Dir { cache, .. } => Some(&**cache),
                _ => None,
            };
            LastModified {
                dates: Arc::new(tree.dates(head, cache)),
                origin,
            }
        }
    }
}

/// The directory whose history is read, its repository and the head commit.
fn find_repository<'a>(
    root: &'a Path,
    dates: &'a LastModifiedSource,
) -> Option<(&'a Path, WorkTree, Head)> {
    let dir = match dates {
        LastModifiedSource::Enclosing => root,
        LastModifiedSource::Dir { path: dir, .. } => dir,
        LastModifiedSource::Fixed(_) => return None,
    };
    let tree = WorkTree::discover(dir)?;
    let head = tree.head()?;
    Some((dir, tree, head))
}

/// The commits that a site depends on besides its files: the head of the history that its dates come
/// from, and those of versions with a `ref`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryHead {
    head: Option<Head>,
    versions: Vec<Option<CommitId>>,
}

impl HistoryHead {
    /// The current head commit of the history that `dates` selects for the directory `root`, and the
    /// commits of the versions of the site in it.
    pub fn of(root: &Path, dates: &LastModifiedSource) -> Self {
        Self {
            head: find_repository(root, dates).map(|(_, _, head)| head),
            versions: versions::heads(root),
        }
    }

    /// Whether versions have the same commits.
    pub fn same_versions(&self, other: &Self) -> bool {
        self.versions == other.versions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, Site, load, rebuild_with_dates};

    #[test]
    fn fixed_dates_are_used_and_a_dir_without_history_has_none() {
        let dir = tempfile::tempdir().expect("a directory");
        let of = |dates: &LastModifiedSource| last_modified(dir.path(), dates, None).dates;
        assert_eq!(*of(&LastModifiedSource::Enclosing), BTreeMap::new());
        let known = BTreeMap::from([("a.mdx".to_owned(), "2026-03-05".to_owned())]);
        assert_eq!(
            *of(&LastModifiedSource::Fixed(Arc::new(known.clone()))),
            known
        );
    }

    #[test]
    fn only_pages_that_show_a_date_are_rendered_with_new_dates() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path();
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["a", "b"]}"##;
        let write =
            |name: &str, text: &str| std::fs::write(root.join(name), text).expect("written");
        write(
            "docs.json",
            &format!("{config}, \"metadata\": {{\"timestamp\": true}}}}"),
        );
        write("a.mdx", "---\ntitle: A\n---\nText.\n");
        write("b.mdx", "---\ntitle: B\n---\nText.\n");
        let options = |day: &str| {
            let days = [("a.mdx", "2024-01-01"), ("b.mdx", day)];
            let days = days.map(|(path, day)| (path.to_owned(), day.to_owned()));
            LoadOptions {
                last_modified: LastModifiedSource::Fixed(Arc::new(BTreeMap::from(days))),
                ..LoadOptions::default()
            }
        };
        let text = |site: &Site, path: &str| {
            String::from_utf8_lossy(&site.page(path).expect("a page").html.bytes).into_owned()
        };
        let site = load(root, &options("2024-01-01")).expect("a site").value;
        let old = ["/a", "/b"].map(|path| text(&site, path));
        let same = rebuild_with_dates(&site, root, &options("2024-01-01"));
        assert!(same.expect("a site").is_none());
        let rebuilt = rebuild_with_dates(&site, root, &options("2025-02-03"));
        let rebuilt = rebuilt.expect("a site").expect("another one").value;
        assert!(rebuilt.cached_page("/a").is_some() && rebuilt.cached_page("/b").is_none());
        let fresh = load(root, &options("2025-02-03")).expect("a site").value;
        let new = ["/a", "/b"].map(|path| text(&rebuilt, path));
        assert_eq!(new, ["/a", "/b"].map(|path| text(&fresh, path)));
        assert_eq!(new[0], old[0]);
        assert!(new[1].contains("2025-02-03") && !old[1].contains("2025-02-03"));
        let map = rebuilt.generated_file(crate::GeneratedFile::Sitemap, "https://x.org");
        let map = String::from_utf8_lossy(&map.bytes).into_owned();
        assert!(
            map.contains("<loc>https://x.org/b</loc><lastmod>2025-02-03</lastmod>"),
            "{map}"
        );
        // Without `metadata.timestamp` new dates do not change the site.
        write("docs.json", &format!("{config}}}"));
        let silent = load(root, &options("2024-01-01")).expect("a site").value;
        let rebuilt = rebuild_with_dates(&silent, root, &options("2025-02-03"));
        assert!(rebuilt.expect("a site").is_none());
    }
}
