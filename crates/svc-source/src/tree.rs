//! The files of a repository in memory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use svc_diagnostics::SourceFile;

use crate::ignore::{IGNORE_FILES, Ignore};
use crate::image;
use crate::mount::{Mount, Mounts};

/// Contents of a file.
#[derive(Debug, Clone)]
pub enum Contents {
    /// A text: a page, a snippet, JSON, YAML, CSS, a script or plain text.
    Text(SourceFile),
    /// Bytes in memory: those of [`SourceTree::insert_bytes`], or a config file that is not UTF-8.
    Bytes(Arc<[u8]>),
    /// Any other file; it stays on disk.
    Disk {
        /// Path on disk.
        path: PathBuf,
        /// Size in bytes.
        len: u64,
        /// Time of the last modification; `None` if the file system does not provide it.
        modified: Option<SystemTime>,
        /// Width and height in pixels if the file is an image; otherwise `None`.
        dimensions: Option<(u32, u32)>,
    },
}

/// All files of a repository that are not ignored, sorted by path. Paths are relative to the root,
/// with `/`.
///
/// ```
/// use svc_source::{Difference, SourceTree};
/// let mut tree = SourceTree::from_files([("a.mdx", "# A"), ("b/c.mdx", "# C")]);
/// assert_eq!(tree.text("a.mdx").map(|file| &**file.text()), Some("# A"));
/// assert_eq!(tree.under("b").map(|(path, _)| path).collect::<Vec<_>>(), ["b/c.mdx"]);
/// assert!(!tree.is_empty() && tree.contains("a.mdx") && tree.get("x").is_none());
/// let before = tree.clone();
/// tree.insert_text("a.mdx", "# New");
/// tree.insert_bytes("logo.png", *b"png");
/// assert_eq!((tree.len(), tree.iter().len()), (3, 3));
/// assert_eq!(tree.differences(&before).len(), 2);
/// assert_eq!(tree.image_size("logo.png"), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct SourceTree {
    files: Vec<(Arc<str>, Contents)>,
    /// Whether some files were reached through links.
    linked: bool,
    /// Paths of texts that are not UTF-8.
    foreign: Arc<BTreeSet<Arc<str>>>,
    /// Directory that the files were loaded from.
    root: Option<Arc<Path>>,
    /// Directories with files of other revisions.
    mounts: Mounts,
}

/// Difference of a path between two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// The path exists only in the later tree.
    Added,
    /// The path exists only in the earlier tree.
    Removed,
    /// The contents differ.
    Changed,
}

impl Contents {
    /// Returns true if the contents are certainly the same. Texts are compared by their allocation,
    /// which a reload retains for equal texts. Files on disk are compared by their metadata and, if
    /// both trees were loaded from the same directory, by their paths, because a link may have a
    /// new target.
    fn is_same(&self, other: &Self, same_dir: bool) -> bool {
        match (self, other) {
            (Self::Text(first), Self::Text(second)) => Arc::ptr_eq(first.text(), second.text()),
            (Self::Bytes(first), Self::Bytes(second)) => first == second,
            (
                Self::Disk {
                    path,
                    len,
                    modified,
                    dimensions: image,
                },
                Self::Disk {
                    path: other_path,
                    len: other_len,
                    modified: other_modified,
                    dimensions: other_image,
                },
            ) => {
                (!same_dir || path == other_path)
                    && len == other_len
                    && modified == other_modified
                    && image == other_image
            }
            _ => false,
        }
    }
}

impl Contents {
    /// Returns the same contents for a file with another path on disk.
    pub(crate) fn with_path(&self, new_path: &Path) -> Self {
        let mut contents = self.clone();
        if let Self::Disk { path, .. } = &mut contents {
            new_path.clone_into(path);
        }
        contents
    }
}

impl SourceTree {
    /// Creates a tree in memory. Built-in ignore rules apply. The last of equal paths is used.
    pub fn from_files<P: AsRef<str>, T: AsRef<str>>(
        files: impl IntoIterator<Item = (P, T)>,
    ) -> Self {
        let files = files.into_iter().map(|(path, text)| {
            let path: Arc<str> = path.as_ref().trim_start_matches('/').into();
            let file = SourceFile::new(path.clone(), text.as_ref());
            (path, Contents::Text(file))
        });
        let mut tree = Self::from_contents(files.collect());
        let mut ignore = Ignore::new();
        for name in IGNORE_FILES {
            if let Some(file) = tree.text(name) {
                ignore.add(file.text());
            }
        }
        tree.files.retain(|(path, _)| !ignore.skips_file(path));
        tree
    }

    /// Returns the tree after some of its files got other paths; `new_path` returns `None` for a
    /// file that stays. Files that are ignored at their new path are missing.
    ///
    /// ```
    /// use svc_source::SourceTree;
    /// let tree = SourceTree::from_files([("a.mdx", "A"), ("b.mdx", "B")]);
    /// let renamed = tree.with_paths(&|path| (path == "a.mdx").then_some("c/a.mdx"));
    /// assert!(renamed.contains("c/a.mdx") && renamed.contains("b.mdx") && renamed.len() == 2);
    /// ```
    #[must_use]
    pub fn with_paths<'p>(&'p self, new_path: &dyn Fn(&'p str) -> Option<&'p str>) -> Self {
        let ignore = self.root().map_or_else(Ignore::new, Ignore::load);
        let files = self.files.iter().filter_map(|(path, contents)| {
            let Some(new) = new_path(path) else {
                return Some((path.clone(), contents.clone()));
            };
            if ignore.skips_file(new) {
                return None;
            }
            let contents = match contents {
                Contents::Text(file) => {
                    Contents::Text(SourceFile::new(new, Arc::clone(file.text())))
                }
                other => other.clone(),
            };
            Some((new.into(), contents))
        });
        let files = Self::from_contents(files.collect()).files;
        Self {
            files,
            ..self.clone()
        }
    }

    /// Creates a tree from contents in any order.
    pub(crate) fn from_contents(mut files: Vec<(Arc<str>, Contents)>) -> Self {
        files.reverse();
        files.sort_by(|left, right| left.0.cmp(&right.0));
        files.dedup_by(|later, first| later.0 == first.0);
        Self {
            files,
            linked: false,
            foreign: Arc::default(),
            root: None,
            mounts: Mounts::default(),
        }
    }

    /// Sets the directory the tree was loaded from. `linked` is true if links lead to some files,
    /// and `foreign` are the texts that are not UTF-8.
    pub(crate) fn read_from(
        mut self,
        root: &Path,
        linked: bool,
        foreign: BTreeSet<Arc<str>>,
    ) -> Self {
        self.linked = linked;
        self.foreign = Arc::new(foreign);
        self.root = Some(root.into());
        self
    }

    pub(crate) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Returns true if a text is not UTF-8. It has to be read on every reload so that it is
    /// reported.
    pub(crate) fn is_foreign(&self, path: &str) -> bool {
        self.foreign.contains(path)
    }

    pub(crate) const fn has_links(&self) -> bool {
        self.linked
    }

    /// Adds the files of another revision below the directory of `mount`, in which there must be no
    /// files. Texts that are equal to those at the same path of this tree share their memory.
    ///
    /// ```
    /// use svc_source::{Mount, SourceTree, pages};
    /// let mut tree = SourceTree::from_files([("a.mdx", "A"), ("b.mdx", "B")]);
    /// let old = SourceTree::from_files([("a.mdx", "A"), ("snippets/s.mdx", "S")]);
    /// tree.mount(Mount::new("v1", "1.0", "release/1.x", "c0ffee"), &old);
    /// assert_eq!(tree.mounts().root_of("v1/a.mdx"), "v1");
    /// assert_eq!(tree.mounts().label("v1/a.mdx").as_deref(), Some("release/1.x:a.mdx"));
    /// let index = pages(&tree).value;
    /// assert!(index.get("v1/a").is_some() && index.is_snippet("v1/snippets/s.mdx"));
    /// assert_eq!(tree.unmounted().len(), 2);
    /// assert_eq!(tree.mounted("v1").len(), 2);
    /// ```
    pub fn mount(&mut self, mut mount: Mount, files: &Self) {
        let dir = Arc::clone(&mount.dir);
        mount.source.clone_from(&files.root);
        let moved = files.files.iter().map(|(path, contents)| {
            let name: Arc<str> = format!("{dir}/{path}").into();
            let contents = match contents {
                Contents::Text(file) => {
                    let shared = self.text(path).map(SourceFile::text);
                    let shared = shared.filter(|text| **text == *file.text());
                    let text = Arc::clone(shared.unwrap_or_else(|| file.text()));
                    Contents::Text(SourceFile::new(name.clone(), text))
                }
                other => other.clone(),
            };
            (name, contents)
        });
        let moved: Vec<_> = moved.collect();
        self.files.extend(moved);
        self.files.sort_by(|left, right| left.0.cmp(&right.0));
        self.mounts.add(mount);
    }

    /// Directories with files of other revisions.
    pub const fn mounts(&self) -> &Mounts {
        &self.mounts
    }

    /// The tree without files of other revisions.
    #[must_use]
    pub fn unmounted(&self) -> Self {
        if self.mounts.is_empty() {
            return self.clone();
        }
        let mut tree = self.clone();
        tree.files
            .retain(|(path, _)| self.mounts.root_of(path).is_empty());
        tree.mounts = Mounts::default();
        tree
    }

    /// The files of another revision, by the paths that they have in it. Empty if there is no such
    /// mount.
    #[must_use]
    pub fn mounted(&self, dir: &str) -> Self {
        let Some(mount) = self.mounts.iter().find(|mount| *mount.dir == *dir) else {
            return Self::default();
        };
        let files = self.under(dir).filter_map(|(path, contents)| {
            let path: Arc<str> = path.get(dir.len() + 1..)?.into();
            let contents = match contents {
                Contents::Text(file) => {
                    Contents::Text(SourceFile::new(path.clone(), Arc::clone(file.text())))
                }
                other => other.clone(),
            };
            Some((path, contents))
        });
        let mut tree = Self::from_contents(files.collect());
        tree.root.clone_from(&mount.source);
        tree
    }

    /// Replaces texts by equal ones of an earlier tree, so that they share their memory and are
    /// known to be unchanged.
    pub fn share_texts(&mut self, earlier: &Self) {
        for (path, contents) in &mut self.files {
            if let (Contents::Text(file), Some(known)) = (&mut *contents, earlier.text(path))
                && **file.text() == **known.text()
            {
                *file = known.clone();
            }
        }
    }

    /// Replaces the contents of an existing file.
    pub(crate) fn replace(&mut self, path: &str, contents: Contents) {
        if let Ok(at) = self.find(path) {
            self.files[at].1 = contents;
        }
    }

    /// Returns the differences from an earlier tree, sorted by path.
    pub fn differences(&self, earlier: &Self) -> Vec<(Arc<str>, Difference)> {
        let mut differences = Vec::new();
        let same_dir = self.root == earlier.root;
        let (mut old, mut new) = (earlier.files.iter(), self.files.iter());
        let (mut left, mut right) = (old.next(), new.next());
        loop {
            match (left, right) {
                (None, None) => return differences,
                (Some((path, _)), next) if next.is_none_or(|(other, _)| path < other) => {
                    differences.push((Arc::clone(path), Difference::Removed));
                    left = old.next();
                }
                (before, Some((path, _))) if before.is_none_or(|(other, _)| path < other) => {
                    differences.push((Arc::clone(path), Difference::Added));
                    right = new.next();
                }
                (before, after) => {
                    if let (Some((path, was)), Some((_, is))) = (before, after)
                        && !is.is_same(was, same_dir)
                    {
                        differences.push((Arc::clone(path), Difference::Changed));
                    }
                    (left, right) = (old.next(), new.next());
                }
            }
        }
    }

    /// Adds or replaces a file in memory, for tests and for fetched files.
    pub fn insert_bytes(&mut self, path: &str, bytes: impl Into<Arc<[u8]>>) {
        self.insert(path, Contents::Bytes(bytes.into()));
    }

    /// Adds or replaces a text, for tests and for fetched documents.
    pub fn insert_text(&mut self, path: &str, text: impl Into<Arc<str>>) {
        self.insert(path, Contents::Text(SourceFile::new(path, text)));
    }

    fn insert(&mut self, path: &str, contents: Contents) {
        match self.find(path) {
            Ok(at) => self.files[at].1 = contents,
            Err(at) => self.files.insert(at, (path.into(), contents)),
        }
    }

    fn find(&self, path: &str) -> Result<usize, usize> {
        self.files.binary_search_by(|(name, _)| (**name).cmp(path))
    }

    /// Returns the contents of a file, or `None` if there is no such file.
    pub fn get(&self, path: &str) -> Option<&Contents> {
        self.find(path).ok().map(|at| &self.files[at].1)
    }

    /// Returns the stored path and the contents of a file.
    pub fn get_key_value(&self, path: &str) -> Option<(&str, &Contents)> {
        self.find(path)
            .ok()
            .map(|at| (&*self.files[at].0, &self.files[at].1))
    }

    /// Returns the text of a file; `None` if there is no such file or it is not a text.
    pub fn text(&self, path: &str) -> Option<&SourceFile> {
        match self.get(path) {
            Some(Contents::Text(file)) => Some(file),
            _ => None,
        }
    }

    /// Returns width and height of an image in pixels; `None` if they are unknown.
    pub fn image_size(&self, path: &str) -> Option<(u32, u32)> {
        match self.get(path)? {
            Contents::Disk { dimensions, .. } => *dimensions,
            Contents::Bytes(bytes) => image::size(bytes),
            Contents::Text(file) => {
                let svg = path.to_ascii_lowercase().ends_with(".svg");
                image::size(file.text().as_bytes()).filter(|_| svg)
            }
        }
    }

    /// Returns true if there is such a file.
    pub fn contains(&self, path: &str) -> bool {
        self.find(path).is_ok()
    }

    /// Iterates over all files, sorted by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Contents)> {
        self.files
            .iter()
            .map(|(path, contents)| (&**path, contents))
    }

    /// Iterates over the files of a directory and below it, sorted by path. `dir` has no trailing
    /// slash.
    pub fn under(&self, dir: &str) -> impl Iterator<Item = (&str, &Contents)> {
        let prefix = if dir.is_empty() {
            String::new()
        } else {
            format!("{dir}/")
        };
        let start = self.files.partition_point(|(name, _)| **name < *prefix);
        let rest = self.files.get(start..).unwrap_or_default();
        rest.iter()
            .take_while(move |(name, _)| name.starts_with(&prefix))
            .map(|(path, contents)| (&**path, contents))
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns true if there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_and_the_last_of_equal_paths_is_used() {
        let tree = SourceTree::from_files([("b", "1"), ("/a/c", "2"), ("b", "3")]);
        let names: Vec<&str> = tree.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a/c", "b"]);
        assert_eq!(
            tree.text("b").map(|file| file.text().to_string()),
            Some("3".into())
        );
        assert!(!tree.contains("c"));
    }

    #[test]
    fn under_lists_only_files_below_the_directory() {
        let tree = SourceTree::from_files([("a/x", ""), ("a-b", ""), ("a/y/z", ""), ("b", "")]);
        let names: Vec<&str> = tree.under("a").map(|(name, _)| name).collect();
        assert_eq!(names, ["a/x", "a/y/z"]);
        assert_eq!(tree.under("").count(), 4);
    }

    #[test]
    fn inserting_preserves_the_order() {
        let mut tree = SourceTree::from_files([("a", ""), ("c", "")]);
        tree.insert_bytes("b", *b"\0");
        tree.insert_text("a", "new");
        assert_eq!(tree.len(), 3);
        assert!(matches!(tree.get("b"), Some(Contents::Bytes(_))));
        assert!(tree.text("a").is_some_and(|file| &**file.text() == "new"));
    }
}
