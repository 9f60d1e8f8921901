//! When files were changed last, as the history of a repository has it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_git::{Head, WorkTree};

/// The days of the last changes, by the paths of files, and where they come from.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastModified {
    pub(crate) dates: Arc<BTreeMap<String, String>>,
    /// The folder in a repository and the commit, where they were read from a history.
    origin: Option<(PathBuf, Head)>,
}

/// Whose history tells when files were changed. It is only read where a page shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LastModifiedSource {
    /// That of the repository around the folder that is loaded.
    #[default]
    Enclosing,
    /// That of the repository around a folder: the loaded one, or one of which that is a copy.
    Dir {
        /// The folder.
        path: PathBuf,
        /// Where it is kept what the history told, so that it is not walked again.
        cache: PathBuf,
    },
    /// It is known: days, `2026-03-05`, by the path of the file.
    Fixed(Arc<BTreeMap<String, String>>),
}

/// The day of the last change of every file below a folder, by its path from there. Nothing where
/// there is no history. The history is walked once: what is `known` of the same commit is taken.
pub(crate) fn last_modified(
    root: &Path,
    dates: &LastModifiedSource,
    known: Option<&LastModified>,
) -> LastModified {
    if let LastModifiedSource::Fixed(days) = dates {
        return LastModified {
            dates: Arc::clone(days),
            origin: None,
        };
    }
    let Some((folder, tree, head)) = find_repository(root, dates) else {
        return LastModified::default();
    };
    let from = Some((folder.to_owned(), head));
    match known.filter(|known| known.origin == from) {
        Some(known) => known.clone(),
        None => {
            let kept = match dates {
                LastModifiedSource::Dir { cache: kept, .. } => Some(&**kept),
                _ => None,
            };
            LastModified {
                dates: Arc::new(tree.dates(head, kept)),
                origin: from,
            }
        }
    }
}

/// The folder whose history tells, the repository around it, and its commit.
fn find_repository<'a>(
    root: &'a Path,
    dates: &'a LastModifiedSource,
) -> Option<(&'a Path, WorkTree, Head)> {
    let folder = match dates {
        LastModifiedSource::Enclosing => root,
        LastModifiedSource::Dir { path: folder, .. } => folder,
        LastModifiedSource::Fixed(_) => return None,
    };
    let tree = WorkTree::discover(folder)?;
    let head = tree.head()?;
    Some((folder, tree, head))
}

/// The commit that the days of a folder come from: as long as it is the same, so are they.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryHead(Option<Head>);

impl HistoryHead {
    /// What it is now.
    pub fn of(root: &Path, dates: &LastModifiedSource) -> Self {
        Self(find_repository(root, dates).map(|(_, _, head)| head))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, Site, load, rebuild_with_dates};

    #[test]
    fn known_days_win_and_a_folder_without_history_has_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |dates: &LastModifiedSource| last_modified(folder.path(), dates, None).dates;
        assert_eq!(*of(&LastModifiedSource::Enclosing), BTreeMap::new());
        let known = BTreeMap::from([("a.mdx".to_owned(), "2026-03-05".to_owned())]);
        assert_eq!(
            *of(&LastModifiedSource::Fixed(Arc::new(known.clone()))),
            known
        );
    }

    #[test]
    fn new_days_are_drawn_where_they_are_shown_and_nowhere_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
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
        let made = rebuild_with_dates(&site, root, &options("2025-02-03"));
        let made = made.expect("a site").expect("another one").value;
        assert!(made.cached_page("/a").is_some() && made.cached_page("/b").is_none());
        let fresh = load(root, &options("2025-02-03")).expect("a site").value;
        let new = ["/a", "/b"].map(|path| text(&made, path));
        assert_eq!(new, ["/a", "/b"].map(|path| text(&fresh, path)));
        assert_eq!(new[0], old[0]);
        assert!(new[1].contains("2025-02-03") && !old[1].contains("2025-02-03"));
        let map = made.generated_file(crate::GeneratedFile::Sitemap, "https://x.org");
        let map = String::from_utf8_lossy(&map.bytes).into_owned();
        assert!(
            map.contains("<loc>https://x.org/b</loc><lastmod>2025-02-03</lastmod>"),
            "{map}"
        );
        // Nobody sees days that no page tells.
        write("docs.json", &format!("{config}}}"));
        let silent = load(root, &options("2024-01-01")).expect("a site").value;
        let made = rebuild_with_dates(&silent, root, &options("2025-02-03"));
        assert!(made.expect("a site").is_none());
    }
}
