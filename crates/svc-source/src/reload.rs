//! Reading a folder again after some of its files changed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use svc_diagnostics::{Checked, Diagnostic, SourceFile};

use crate::ignore::{IGNORE_FILES, Ignore};
use crate::load::{EXPORT_MARKER, FileEntry, ReadOutcome, is_export, load_with, read};
use crate::{Contents, LoadOptions, SourceTree};

/// What may have changed in a folder since it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes {
    /// These files and folders, by their paths from the root with `/`; of a folder everything in it.
    Paths(BTreeSet<String>),
    /// Anything.
    Unknown,
}

/// Paths that are looked at one by one.
const MAX_PATHS: usize = 5_000;

impl Changes {
    /// Nothing yet.
    pub const fn none() -> Self {
        Self::Paths(BTreeSet::new())
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Paths(paths) if paths.is_empty())
    }

    /// Adds a path; of very many only that something changed is kept.
    pub fn add(&mut self, path: String) {
        if let Self::Paths(paths) = self {
            paths.insert(path);
            if paths.len() > MAX_PATHS {
                *self = Self::Unknown;
            }
        }
    }

    /// Adds what changed besides.
    pub fn merge(&mut self, other: Self) {
        match other {
            Self::Paths(paths) => paths.into_iter().for_each(|path| self.add(path)),
            Self::Unknown => *self = Self::Unknown,
        }
    }

    /// Whether a file may have changed.
    fn affects(&self, path: &str) -> bool {
        let Self::Paths(paths) = self else {
            return true;
        };
        let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        paths.contains(path)
            || paths.contains("")
            || folders.into_iter().any(|folder| paths.contains(folder))
    }
}

/// Reads a folder again: the same as [`crate::load`] gives, but files that cannot have changed are
/// not read, and texts that are equal keep their memory. `before` is what reading it gave then.
///
/// # Errors
/// When the folder cannot be listed.
pub fn reload(
    root: &Path,
    options: &LoadOptions,
    before: (&SourceTree, &[Diagnostic]),
    changes: &Changes,
) -> io::Result<Checked<SourceTree>> {
    let (tree, problems) = before;
    let root = root.canonicalize()?;
    if let Changes::Paths(paths) = changes
        && let Some(value) = reload_in_place(&root, options, before, paths)
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

/// Reads a snapshot where another one was read: the same as [`crate::load`] gives, but files that
/// are one and the same on the disk in both, by hard links, are not read, and texts that are equal
/// keep their memory. Nobody may have written to the files of the other one since it was read.
///
/// # Errors
/// When the folder cannot be listed.
pub fn load_reusing_hardlinks(
    root: &Path,
    options: &LoadOptions,
    other: &SourceTree,
) -> io::Result<Checked<SourceTree>> {
    let root = root.canonicalize()?;
    // Of a folder that is read again it cannot be known what was written to it.
    let beside = other.root().filter(|folder| **folder != *root);
    let known = |file: &FileEntry| {
        let contents = other
            .get(&file.name)
            .filter(|_| !other.is_foreign(&file.name))?;
        let one = beside.is_some_and(|folder| {
            !file.linked && is_same_file(&folder.join(&*file.name), &file.path)
        });
        match one {
            true => Some(contents.with_path(&file.path)),
            false => reread(file, contents, options),
        }
    };
    load_with(&root, options, &known)
}

/// Whether two paths name one file of the disk.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let look = |path: &Path| {
        let meta = fs::symlink_metadata(path).ok()?;
        meta.is_file().then(|| (meta.dev(), meta.ino()))
    };
    look(one).is_some_and(|found| look(other) == Some(found))
}

/// Other systems do not tell.
#[cfg(not(unix))]
fn is_one_file(_: &Path, _: &Path) -> bool {
    false
}

/// Reads a file of which something is known. A text that is equal stays where it is.
fn reread(file: &FileEntry, contents: &Contents, options: &LoadOptions) -> Option<Contents> {
    match (contents, read(file, options)) {
        (Contents::Text(old), ReadOutcome::Text(_, new)) if **old.text() == *new => {
            Some(contents.clone())
        }
        (_, ReadOutcome::Text(_, new)) => {
            Some(Contents::Text(SourceFile::new(file.name.clone(), new)))
        }
        (_, ReadOutcome::Other(contents)) => Some(contents),
        // Whoever asked reads it once more, and reports it.
        (_, ReadOutcome::Failed(_) | ReadOutcome::Foreign(..)) => None,
    }
}

/// The tree where nothing but contents of files changed; nothing where files came or went, so that
/// the folder has to be listed.
fn reload_in_place(
    root: &Path,
    options: &LoadOptions,
    (tree, problems): (&SourceTree, &[Diagnostic]),
    paths: &BTreeSet<String>,
) -> Option<SourceTree> {
    if tree.has_links() {
        return None;
    }
    let marks = |path: &String| path.ends_with(EXPORT_MARKER);
    if IGNORE_FILES.iter().any(|name| paths.contains(*name)) || paths.iter().any(marks) {
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
                // It came and went between two looks, as the files do that editors write first.
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

/// Whether a problem is about a path or something in it.
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

/// Whether a path below the root is an exported site, or lies in one.
fn in_export(root: &Path, path: &str) -> bool {
    let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let mut folders = folders.chain([path]);
    folders.any(|folder| is_export(&root.join(folder)))
}

/// Which folders are left out of a site, for whoever watches it.
#[derive(Debug, Clone)]
pub struct IgnoreRules {
    root: PathBuf,
    ignore: Ignore,
}

impl IgnoreRules {
    /// By the built-in rules and those that stand in a folder.
    pub fn load(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            ignore: Ignore::load(root),
        }
    }

    /// Whether everything in a folder is left out; its path from the root with `/`.
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
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    fn paths(names: &[&str]) -> Changes {
        Changes::Paths(names.iter().map(|name| (*name).to_owned()).collect())
    }

    fn names(tree: &SourceTree) -> Vec<String> {
        tree.iter().map(|(path, _)| path.to_owned()).collect()
    }

    /// Reads again, compares with reading anew, and gives what differs from before.
    fn again(root: &Path, before: &mut Checked<SourceTree>, changes: &Changes) -> Vec<String> {
        let options = LoadOptions::default();
        let told = (&before.value, &before.diagnostics[..]);
        let made = reload(root, &options, told, changes).expect("it can be listed");
        let fresh = load(root, &options).expect("it can be listed");
        assert_eq!(names(&made.value), names(&fresh.value));
        assert_eq!(made.diagnostics, fresh.diagnostics);
        for (path, contents) in fresh.value.iter() {
            if let Contents::Text(file) = contents {
                let own = made.value.text(path).expect("it is a text");
                assert_eq!(own.text(), file.text(), "{path}");
            }
        }
        let differences = made.value.differences(&before.value);
        *before = made;
        differences
            .iter()
            .map(|(path, kind)| format!("{kind:?} {path}"))
            .collect()
    }

    #[test]
    fn reading_again_gives_what_reading_anew_gives() {
        let folder = tempfile::tempdir().expect("it can be made");
        let root = folder.path();
        write(root, "a.mdx", "a");
        write(root, "b/c.mdx", "c");
        let mut known = load(root, &LoadOptions::default()).expect("it can be listed");
        let known = &mut known;
        write(root, "a.mdx", "a2");
        assert_eq!(again(root, known, &paths(&["a.mdx"])), ["Changed a.mdx"]);
        // Written, but the same.
        write(root, "a.mdx", "a2");
        assert!(again(root, known, &paths(&["a.mdx", "a.mdx~"])).is_empty());
        assert!(again(root, known, &Changes::Unknown).is_empty());
        write(root, "d.mdx", "d");
        fs::remove_file(root.join("b/c.mdx")).expect("it is there");
        let changes = paths(&["d.mdx", "b/c.mdx"]);
        assert_eq!(
            again(root, known, &changes),
            ["Removed b/c.mdx", "Added d.mdx"]
        );
        // What is in a folder that came is told by the folder alone.
        write(root, "e/f.mdx", "f");
        assert_eq!(again(root, known, &paths(&["e"])), ["Added e/f.mdx"]);
        fs::write(root.join("a.mdx"), b"\xff").expect("it can be written");
        assert_eq!(again(root, known, &paths(&["a.mdx"])), ["Changed a.mdx"]);
        assert_eq!(known.diagnostics.len(), 1);
        write(root, "d.mdx", "d2");
        again(root, known, &paths(&["d.mdx"]));
        again(root, known, &Changes::Unknown);
        write(root, "a.mdx", "ÿ");
        again(root, known, &paths(&["a.mdx"]));
        assert!(known.diagnostics.is_empty());
        fs::remove_file(root.join("a.mdx")).expect("it is there");
        assert_eq!(again(root, known, &paths(&["a.mdx"])), ["Removed a.mdx"]);
        write(root, ".svcignore", "e/\n");
        let changed = again(root, known, &paths(&[".svcignore"]));
        assert_eq!(changed, ["Added .svcignore", "Removed e/f.mdx"]);
        write(root, "e/g.mdx", "g");
        assert!(again(root, known, &paths(&["e/g.mdx", "e"])).is_empty());
        write(root, "h/i.md", "i");
        assert_eq!(again(root, known, &paths(&["h"])), ["Added h/i.md"]);
        write(root, "h/.svc-export", "");
        let marker = paths(&["h/.svc-export"]);
        assert_eq!(again(root, known, &marker), ["Removed h/i.md"]);
        write(root, "h/j/k.md", "k");
        assert!(again(root, known, &paths(&["h/j", "h/j/k.md"])).is_empty());
        assert!(IgnoreRules::load(root).skips_dir("h/j"));
        fs::remove_file(root.join("h/.svc-export")).expect("it is there");
        let changed = again(root, known, &marker);
        assert_eq!(changed, ["Added h/i.md", "Added h/j/k.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_behind_a_link_changes_with_it() {
        let folder = tempfile::tempdir().expect("it can be made");
        let root = folder.path();
        write(root, "a.mdx", "a");
        std::os::unix::fs::symlink("a.mdx", root.join("b.mdx")).expect("it can be linked");
        let mut known = load(root, &LoadOptions::default()).expect("it can be listed");
        write(root, "a.mdx", "a2");
        let changed = again(root, &mut known, &paths(&["a.mdx"]));
        assert_eq!(changed, ["Changed a.mdx", "Changed b.mdx"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_two_snapshots_share_on_the_disk_is_not_read_again() {
        let folder = tempfile::tempdir().expect("it can be made");
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
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
        let made = load_reusing_hardlinks(&two, &options, &first).expect("it can be listed");
        let fresh = load(&two, &options).expect("it can be listed");
        assert_eq!(names(&made.value), names(&fresh.value));
        for (path, contents) in fresh.value.iter() {
            match (contents, made.value.get(path).expect("it is there")) {
                (Contents::Text(file), Contents::Text(own)) => assert_eq!(own.text(), file.text()),
                (
                    Contents::Disk { path, len, .. },
                    Contents::Disk {
                        path: own,
                        len: length,
                        ..
                    },
                ) => {
                    assert_eq!((path, len), (own, length));
                }
                other => panic!("{other:?}"),
            }
        }
        let told: Vec<String> = made
            .value
            .differences(&first)
            .iter()
            .map(|(path, kind)| format!("{kind:?} {path}"))
            .collect();
        assert_eq!(
            told,
            ["Changed b/changed.mdx", "Removed gone.mdx", "Added new.mdx"]
        );
        // A file that both share is taken for what it was: it was written once.
        fs::write(two.join("same.mdx"), "else").expect("it can be written");
        let made = load_reusing_hardlinks(&two, &options, &first).expect("it can be listed");
        assert_eq!(
            &**made.value.text("same.mdx").expect("a text").text(),
            "same"
        );
        // In the folder itself everything is read.
        let made = load_reusing_hardlinks(&one, &options, &first).expect("it can be listed");
        assert_eq!(
            &**made.value.text("same.mdx").expect("a text").text(),
            "else"
        );
    }
}
