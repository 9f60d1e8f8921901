//! Incremental reloading of a directory.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use svc_diagnostics::{Checked, Diagnostic, SourceFile};

use crate::ignore::{IGNORE_FILES, Ignore};
use crate::load::{EXPORT_MARKER, FileEntry, ReadOutcome, is_export, load_with, read};
use crate::{Contents, LoadOptions, SourceTree};

/// Changes in a directory since it was loaded.
///
/// ```
/// use svc_source::Changes;
/// let mut changes = Changes::none();
/// assert!(changes.is_empty());
/// changes.add("a.mdx".to_owned());
/// changes.merge(Changes::none());
/// assert!(!changes.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes {
    /// These files and directories, as paths relative to the root with `/`. A directory includes
    /// its contents.
    Paths(BTreeSet<String>),
    /// Any file may have changed.
    Unknown,
}

/// Maximum number of paths that are tracked individually.
const MAX_PATHS: usize = 5_000;

impl Changes {
    /// Creates an empty set of changes.
    pub const fn none() -> Self {
        Self::Paths(BTreeSet::new())
    }

    /// Returns true if nothing has changed.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Paths(paths) if paths.is_empty())
    }

    /// Adds a path. If there are too many paths, the changes become [`Changes::Unknown`].
    pub fn add(&mut self, path: String) {
        if let Self::Paths(paths) = self {
            paths.insert(path);
            if paths.len() > MAX_PATHS {
                *self = Self::Unknown;
            }
        }
    }

    /// Adds other changes.
    pub fn merge(&mut self, other: Self) {
        match other {
            Self::Paths(paths) => paths.into_iter().for_each(|path| self.add(path)),
            Self::Unknown => *self = Self::Unknown,
        }
    }

    /// Returns true if a file may have changed.
    fn affects(&self, path: &str) -> bool {
        let Self::Paths(paths) = self else {
            return true;
        };
        let parents = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        paths.contains(path)
            || paths.contains("")
            || parents.into_iter().any(|parent| paths.contains(parent))
    }
}

/// Reloads a directory. The result equals that of [`crate::load`], but files that cannot have
/// changed are not read, and unchanged texts share their memory with `before`, the previous result.
///
/// # Errors
/// Returns an error if the directory cannot be listed.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let dir = tempfile::tempdir()?;
/// # let root = dir.path();
/// use svc_source::{Changes, LoadOptions, load, reload};
/// std::fs::write(root.join("a.mdx"), "# A")?;
/// let options = LoadOptions::default();
/// let tree = load(root, &options)?.value;
/// std::fs::write(root.join("b.mdx"), "# B")?;
/// let mut changes = Changes::none();
/// changes.add("b.mdx".to_owned());
/// let tree = reload(root, &options, (&tree, &[]), &changes)?.value;
/// assert_eq!(tree.len(), 2);
/// # Ok(())
/// # }
/// ```
pub fn reload(
    root: &Path,
    options: &LoadOptions,
    before: (&SourceTree, &[Diagnostic]),
    changes: &Changes,
) -> io::Result<Checked<SourceTree>> {
    let (tree, problems) = before;
    let root = root.canonicalize()?;
    if let Changes::Paths(paths) = changes
        && let Some(value) = reload_paths(&root, options, before, paths)
    {
        return Ok(Checked {
            value,
            diagnostics: problems.to_vec(),
        });
    }
    let known = |file: &FileEntry| {
        let contents = tree
            .get(&file.name)
            .filter(|_| !tree.is_foreign(&file.name))?;
        if !file.linked && !changes.affects(&file.name) {
            return Some(contents.clone());
        }
        reread(file, contents, options)
    };
    load_with(&root, options, &known)
}

/// Loads a snapshot with the help of another one. The result equals that of [`crate::load`], but
/// files that are hard links to the same file in both directories are not read, and equal texts
/// share their memory with `other`. The files of the other snapshot must not have been modified
/// since it was loaded.
///
/// # Errors
/// Returns an error if the directory cannot be listed.
pub fn load_reusing_hardlinks(
    root: &Path,
    options: &LoadOptions,
    other: &SourceTree,
) -> io::Result<Checked<SourceTree>> {
    let root = root.canonicalize()?;
    // If the directory is the same, it is unknown which files were modified.
    let other_root = other.root().filter(|dir| **dir != *root);
    let known = |file: &FileEntry| {
        let contents = other
            .get(&file.name)
            .filter(|_| !other.is_foreign(&file.name))?;
        let one = other_root
            .is_some_and(|dir| !file.linked && is_same_file(&dir.join(&*file.name), &file.path));
        match one {
            true => Some(contents.with_path(&file.path)),
            false => reread(file, contents, options),
        }
    };
    load_with(&root, options, &known)
}

/// Returns true if both paths refer to the same file of the file system.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |path: &Path| {
        let meta = fs::symlink_metadata(path).ok()?;
        meta.is_file().then(|| (meta.dev(), meta.ino()))
    };
    identity(one).is_some_and(|id| identity(other) == Some(id))
}

/// File identity is not available on other systems.
#[cfg(not(unix))]
fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}

/// Reads a file and returns the previous contents if the text is unchanged.
fn reread(file: &FileEntry, contents: &Contents, options: &LoadOptions) -> Option<Contents> {
    match (contents, read(file, options)) {
        (Contents::Text(old), ReadOutcome::Text(_, new)) if **old.text() == *new => {
            Some(contents.clone())
        }
        (_, ReadOutcome::Text(_, new)) => {
            Some(Contents::Text(SourceFile::new(file.name.clone(), new)))
        }
        (_, ReadOutcome::Other(contents)) => Some(contents),
        // The caller reads the file once more and reports the problem.
        (_, ReadOutcome::Failed(_) | ReadOutcome::Foreign(..)) => None,
    }
}

/// Returns the tree if only contents of files changed; `None` if files were added or removed, so
/// that the directory has to be listed.
fn reload_paths(
    root: &Path,
    options: &LoadOptions,
    (tree, problems): (&SourceTree, &[Diagnostic]),
    paths: &BTreeSet<String>,
) -> Option<SourceTree> {
    if tree.has_links() {
        return None;
    }
    let is_marker = |path: &String| path.ends_with(EXPORT_MARKER);
    if IGNORE_FILES.iter().any(|name| paths.contains(*name)) || paths.iter().any(is_marker) {
        return None;
    }
    let ignore = Ignore::load(root);
    let mut out = tree.clone();
    for path in paths {
        if tree.is_foreign(path) {
            return None;
        }
        let on_disk = root.join(path);
        let kind = fs::symlink_metadata(&on_disk).map(|meta| meta.file_type());
        let Some(contents) = tree.get(path) else {
            let ignored = match &kind {
                // The path was created and removed between two checks, as temporary files of
                // editors are.
                Err(_) => tree.under(path).next().is_none() && !is_named(problems, path),
                Ok(kind) => {
                    let ignored = match kind.is_dir() {
                        true => ignore.skips_dir(path),
                        false => ignore.skips_file(path),
                    };
                    ignored || in_export(root, path)
                }
            };
            if ignored {
                continue;
            }
            return None;
        };
        if !kind.is_ok_and(|kind| kind.is_file()) {
            return None;
        }
        let (name, _) = tree.get_key_value(path)?;
        let file = FileEntry {
            name: name.into(),
            path: on_disk,
            linked: false,
        };
        match (contents, read(&file, options)) {
            (Contents::Text(old), ReadOutcome::Text(_, new)) if **old.text() == *new => {}
            (_, ReadOutcome::Text(_, new)) => {
                out.replace(path, Contents::Text(SourceFile::new(file.name, new)));
            }
            (_, ReadOutcome::Other(contents)) => out.replace(path, contents),
            (_, ReadOutcome::Failed(_) | ReadOutcome::Foreign(..)) => return None,
        }
    }
    Some(out)
}

/// Returns true if a diagnostic refers to a path or to a file below it.
fn is_named(problems: &[Diagnostic], path: &str) -> bool {
    let below = |file: &str| {
        file.strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    problems.iter().any(|problem| {
        problem.message.contains(path)
            || problem.location.as_ref().is_some_and(|at| below(&at.file))
    })
}

/// Returns true if a path below the root is an exported site or is inside of one.
fn in_export(root: &Path, path: &str) -> bool {
    let dirs = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let mut dirs = dirs.chain([path]);
    dirs.any(|dir| is_export(&root.join(dir)))
}

/// Ignore rules of a site for file watchers.
#[derive(Debug, Clone)]
pub struct IgnoreRules {
    root: PathBuf,
    ignore: Ignore,
}

impl IgnoreRules {
    /// Creates the built-in rules and those of the ignore files of a directory.
    pub fn load(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            ignore: Ignore::load(root),
        }
    }

    /// Returns true if everything in a directory is ignored. `path` is relative to the root, with
    /// `/`.
    pub fn skips_dir(&self, path: &str) -> bool {
        self.ignore.skips_dir(path) || in_export(&self.root, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("the path has a parent")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    fn paths(names: &[&str]) -> Changes {
        Changes::Paths(names.iter().map(|name| (*name).to_owned()).collect())
    }

    fn names(tree: &SourceTree) -> Vec<String> {
        tree.iter().map(|(path, _)| path.to_owned()).collect()
    }

    /// Reloads, compares the result with that of a full load, and returns the differences from
    /// `before`.
    fn reload_and_compare(
        root: &Path,
        before: &mut Checked<SourceTree>,
        changes: &Changes,
    ) -> Vec<String> {
        let options = LoadOptions::default();
        let previous = (&before.value, &before.diagnostics[..]);
        let reloaded = reload(root, &options, previous, changes).expect("it can be listed");
        let fresh = load(root, &options).expect("it can be listed");
        assert_eq!(names(&reloaded.value), names(&fresh.value));
        assert_eq!(reloaded.diagnostics, fresh.diagnostics);
        for (path, contents) in fresh.value.iter() {
            if let Contents::Text(file) = contents {
                let reloaded_file = reloaded.value.text(path).expect("it is a text");
                assert_eq!(reloaded_file.text(), file.text(), "{path}");
            }
        }
        let differences = reloaded.value.differences(&before.value);
        *before = reloaded;
        differences
            .iter()
            .map(|(path, kind)| format!("{kind:?} {path}"))
            .collect()
    }

    #[test]
    fn reload_gives_the_same_result_as_load() {
        let dir = tempfile::tempdir().expect("it can be made");
        let root = dir.path();
        write(root, "a.mdx", "a");
        write(root, "b/c.mdx", "c");
        let mut tree = load(root, &LoadOptions::default()).expect("it can be listed");
        let tree = &mut tree;
        write(root, "a.mdx", "a2");
        assert_eq!(
            reload_and_compare(root, tree, &paths(&["a.mdx"])),
            ["Changed a.mdx"]
        );
        // The file was written with the same text.
        write(root, "a.mdx", "a2");
        assert!(reload_and_compare(root, tree, &paths(&["a.mdx", "a.mdx~"])).is_empty());
        assert!(reload_and_compare(root, tree, &Changes::Unknown).is_empty());
        write(root, "d.mdx", "d");
        fs::remove_file(root.join("b/c.mdx")).expect("it is there");
        let changes = paths(&["d.mdx", "b/c.mdx"]);
        assert_eq!(
            reload_and_compare(root, tree, &changes),
            ["Removed b/c.mdx", "Added d.mdx"]
        );
        // A new directory is reported without its files.
        write(root, "e/f.mdx", "f");
        assert_eq!(
            reload_and_compare(root, tree, &paths(&["e"])),
            ["Added e/f.mdx"]
        );
        fs::write(root.join("a.mdx"), b"\xff").expect("it can be written");
        assert_eq!(
            reload_and_compare(root, tree, &paths(&["a.mdx"])),
            ["Changed a.mdx"]
        );
        assert_eq!(tree.diagnostics.len(), 1);
        write(root, "d.mdx", "d2");
        reload_and_compare(root, tree, &paths(&["d.mdx"]));
        reload_and_compare(root, tree, &Changes::Unknown);
        write(root, "a.mdx", "ÿ");
        reload_and_compare(root, tree, &paths(&["a.mdx"]));
        assert!(tree.diagnostics.is_empty());
        fs::remove_file(root.join("a.mdx")).expect("it is there");
        assert_eq!(
            reload_and_compare(root, tree, &paths(&["a.mdx"])),
            ["Removed a.mdx"]
        );
        write(root, ".svcignore", "e/\n");
        let changed = reload_and_compare(root, tree, &paths(&[".svcignore"]));
        assert_eq!(changed, ["Added .svcignore", "Removed e/f.mdx"]);
        write(root, "e/g.mdx", "g");
        assert!(reload_and_compare(root, tree, &paths(&["e/g.mdx", "e"])).is_empty());
        write(root, "h/i.md", "i");
        assert_eq!(
            reload_and_compare(root, tree, &paths(&["h"])),
            ["Added h/i.md"]
        );
        write(root, "h/.svc-export", "");
        let marker = paths(&["h/.svc-export"]);
        assert_eq!(reload_and_compare(root, tree, &marker), ["Removed h/i.md"]);
        write(root, "h/j/k.md", "k");
        assert!(reload_and_compare(root, tree, &paths(&["h/j", "h/j/k.md"])).is_empty());
        assert!(IgnoreRules::load(root).skips_dir("h/j"));
        fs::remove_file(root.join("h/.svc-export")).expect("it is there");
        let changed = reload_and_compare(root, tree, &marker);
        assert_eq!(changed, ["Added h/i.md", "Added h/j/k.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_target_of_a_link_changes_both_files() {
        let dir = tempfile::tempdir().expect("it can be made");
        let root = dir.path();
        write(root, "a.mdx", "a");
        std::os::unix::fs::symlink("a.mdx", root.join("b.mdx")).expect("it can be linked");
        let mut tree = load(root, &LoadOptions::default()).expect("it can be listed");
        write(root, "a.mdx", "a2");
        let changed = reload_and_compare(root, &mut tree, &paths(&["a.mdx"]));
        assert_eq!(changed, ["Changed a.mdx", "Changed b.mdx"]);
    }

    #[cfg(unix)]
    #[test]
    fn files_that_two_snapshots_share_by_hard_links_are_not_read() {
        let dir = tempfile::tempdir().expect("it can be made");
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        write(&one, "same.mdx", "same");
        write(&one, "equal.mdx", "equal");
        write(&one, "b/changed.mdx", "old");
        write(&one, "gone.mdx", "gone");
        write(&one, "b/picture.png", "a picture");
        fs::create_dir_all(two.join("b")).expect("it can be made");
        for name in ["same.mdx", "b/picture.png"] {
            fs::hard_link(one.join(name), two.join(name)).expect("it can be linked");
        }
        write(&two, "equal.mdx", "equal");
        write(&two, "b/changed.mdx", "new");
        write(&two, "new.mdx", "new");
        let options = LoadOptions::default();
        let first = load(&one, &options).expect("it can be listed").value;
        let reloaded = load_reusing_hardlinks(&two, &options, &first).expect("it can be listed");
        let fresh = load(&two, &options).expect("it can be listed");
        assert_eq!(names(&reloaded.value), names(&fresh.value));
        for (path, contents) in fresh.value.iter() {
            match (contents, reloaded.value.get(path).expect("it is there")) {
                (Contents::Text(file), Contents::Text(reloaded_file)) => {
                    assert_eq!(reloaded_file.text(), file.text());
                }
                (
                    Contents::Disk { path, len, .. },
                    Contents::Disk {
                        path: reloaded_path,
                        len: length,
                        ..
                    },
                ) => {
                    assert_eq!((path, len), (reloaded_path, length));
                }
                other => panic!("{other:?}"),
            }
        }
        let differences: Vec<String> = reloaded
            .value
            .differences(&first)
            .iter()
            .map(|(path, kind)| format!("{kind:?} {path}"))
            .collect();
        assert_eq!(
            differences,
            ["Changed b/changed.mdx", "Removed gone.mdx", "Added new.mdx"]
        );
        // A shared file is not read, because snapshots are not modified after they are written.
        fs::write(two.join("same.mdx"), "else").expect("it can be written");
        let reloaded = load_reusing_hardlinks(&two, &options, &first).expect("it can be listed");
        assert_eq!(
            &**reloaded.value.text("same.mdx").expect("a text").text(),
            "same"
        );
        // If the directory is the same, all files are read.
        let reloaded = load_reusing_hardlinks(&one, &options, &first).expect("it can be listed");
        assert_eq!(
            &**reloaded.value.text("same.mdx").expect("a text").text(),
            "else"
        );
    }
}
