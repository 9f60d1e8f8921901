//! The files of a repository in memory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use svc_diagnostics::SourceFile;

use crate::ignore::{IGNORE_FILES, Ignore};
use crate::image;

/// What a file holds.
#[derive(Debug, Clone)]
pub enum Contents {
    /// A text that was read: pages, snippets, JSON, YAML, styles, scripts, plain text.
    Text(SourceFile),
    /// Bytes in memory: those of [`SourceTree::insert_bytes`], and a configuration that is not
    /// UTF-8.
    Bytes(Arc<[u8]>),
    /// Everything else stays on disk.
    Disk {
        /// Where.
        path: PathBuf,
        /// Its size in bytes.
        len: u64,
        /// When it was last changed, if the file system says so.
        modified: Option<SystemTime>,
        /// Width and height, if it is a picture.
        dimensions: Option<(u32, u32)>,
    },
}

/// All files of a repository that are not ignored: paths relative to its root, with `/`, sorted.
#[derive(Debug, Clone, Default)]
pub struct SourceTree {
    files: Vec<(Arc<str>, Contents)>,
    /// Whether links lead to some of the files.
    linked: bool,
    /// Texts that were written in another encoding than UTF-8.
    foreign: Arc<BTreeSet<Arc<str>>>,
    /// The folder they were read from.
    root: Option<Arc<Path>>,
}

/// How a path differs between two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Only the later tree has it.
    Added,
    /// Only the earlier tree has it.
    Removed,
    /// It holds something else.
    Changed,
}

impl Contents {
    /// Whether these are certainly the same contents. Texts are compared by their memory: reading
    /// again keeps it where the text is equal. Files on disk are compared by their looks, and where
    /// both were read from one folder by their paths too: a link may lead elsewhere.
    fn is_same(&self, other: &Self, one_folder: bool) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(two)) => Arc::ptr_eq(one.text(), two.text()),
            (Self::Bytes(one), Self::Bytes(two)) => one == two,
            (
                Self::Disk {
                    path,
                    len,
                    modified,
                    dimensions: picture,
                },
                Self::Disk {
                    path: other_path,
                    len: other_len,
                    modified: other_modified,
                    dimensions: other_picture,
                },
            ) => {
                (!one_folder || path == other_path)
                    && len == other_len
                    && modified == other_modified
                    && picture == other_picture
            }
            _ => false,
        }
    }
}

impl Contents {
    /// The same contents in a file that lies elsewhere.
    pub(crate) fn with_path(&self, place: &Path) -> Self {
        let mut contents = self.clone();
        if let Self::Disk { path, .. } = &mut contents {
            place.clone_into(path);
        }
        contents
    }
}

impl SourceTree {
    /// A tree in memory, with the ignore rules of one on disk. Of equal paths the last one counts.
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

    /// A tree of contents, in any order.
    pub(crate) fn from_contents(mut files: Vec<(Arc<str>, Contents)>) -> Self {
        files.reverse();
        files.sort_by(|left, right| left.0.cmp(&right.0));
        files.dedup_by(|later, first| later.0 == first.0);
        Self {
            files,
            linked: false,
            foreign: Arc::default(),
            root: None,
        }
    }

    /// As it was read from a folder; `linked` when links lead to some of its files, and `foreign` are
    /// those in another encoding.
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

    /// Whether a text was written in another encoding: it has to be read again to be reported again.
    pub(crate) fn is_foreign(&self, path: &str) -> bool {
        self.foreign.contains(path)
    }

    pub(crate) const fn has_links(&self) -> bool {
        self.linked
    }

    /// Replaces the contents of a file that is there.
    pub(crate) fn replace(&mut self, path: &str, contents: Contents) {
        if let Ok(at) = self.find(path) {
            self.files[at].1 = contents;
        }
    }

    /// What is not as it was in an earlier tree, sorted by path.
    pub fn differences(&self, earlier: &Self) -> Vec<(Arc<str>, Difference)> {
        let mut found = Vec::new();
        let one_folder = self.root == earlier.root;
        let (mut old, mut new) = (earlier.files.iter(), self.files.iter());
        let (mut left, mut right) = (old.next(), new.next());
        loop {
            match (left, right) {
                (None, None) => return found,
                (Some((path, _)), next) if next.is_none_or(|(other, _)| path < other) => {
                    found.push((Arc::clone(path), Difference::Removed));
                    left = old.next();
                }
                (before, Some((path, _))) if before.is_none_or(|(other, _)| path < other) => {
                    found.push((Arc::clone(path), Difference::Added));
                    right = new.next();
                }
                (before, after) => {
                    if let (Some((path, was)), Some((_, is))) = (before, after)
                        && !is.is_same(was, one_folder)
                    {
                        found.push((Arc::clone(path), Difference::Changed));
                    }
                    (left, right) = (old.next(), new.next());
                }
            }
        }
    }

    /// Adds or replaces one file, for tests and for files fetched from elsewhere.
    pub fn insert_bytes(&mut self, path: &str, bytes: impl Into<Arc<[u8]>>) {
        self.insert(path, Contents::Bytes(bytes.into()));
    }

    /// Adds or replaces one text, for tests and for documents fetched from elsewhere.
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

    /// The contents of a file.
    pub fn get(&self, path: &str) -> Option<&Contents> {
        self.find(path).ok().map(|at| &self.files[at].1)
    }

    /// The path as it is stored, and the contents.
    pub fn get_key_value(&self, path: &str) -> Option<(&str, &Contents)> {
        self.find(path)
            .ok()
            .map(|at| (&*self.files[at].0, &self.files[at].1))
    }

    /// The text of a file, if it is a text.
    pub fn text(&self, path: &str) -> Option<&SourceFile> {
        match self.get(path) {
            Some(Contents::Text(file)) => Some(file),
            _ => None,
        }
    }

    /// Width and height of a picture in pixels, if its file tells them.
    pub fn image_size(&self, path: &str) -> Option<(u32, u32)> {
        match self.get(path)? {
            Contents::Disk {
                dimensions: picture,
                ..
            } => *picture,
            Contents::Bytes(bytes) => image::size(bytes),
            Contents::Text(file) => {
                let svg = path.to_ascii_lowercase().ends_with(".svg");
                image::size(file.text().as_bytes()).filter(|_| svg)
            }
        }
    }

    /// Whether there is such a file.
    pub fn contains(&self, path: &str) -> bool {
        self.find(path).is_ok()
    }

    /// All files, sorted by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Contents)> {
        self.files
            .iter()
            .map(|(path, contents)| (&**path, contents))
    }

    /// The files of one folder and below, sorted by path; the folder without slash at the end.
    pub fn under(&self, folder: &str) -> impl Iterator<Item = (&str, &Contents)> {
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let start = self.files.partition_point(|(name, _)| **name < *prefix);
        let rest = self.files.get(start..).unwrap_or_default();
        rest.iter()
            .take_while(move |(name, _)| name.starts_with(&prefix))
            .map(|(path, contents)| (&**path, contents))
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_and_the_last_of_equal_paths_counts() {
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
    fn a_folder_lists_only_what_is_below_it() {
        let tree = SourceTree::from_files([("a/x", ""), ("a-b", ""), ("a/y/z", ""), ("b", "")]);
        let names: Vec<&str> = tree.under("a").map(|(name, _)| name).collect();
        assert_eq!(names, ["a/x", "a/y/z"]);
        assert_eq!(tree.under("").count(), 4);
    }

    #[test]
    fn inserting_keeps_the_order() {
        let mut tree = SourceTree::from_files([("a", ""), ("c", "")]);
        tree.insert_bytes("b", *b"\0");
        tree.insert_text("a", "new");
        assert_eq!(tree.len(), 3);
        assert!(matches!(tree.get("b"), Some(Contents::Bytes(_))));
        assert!(tree.text("a").is_some_and(|file| &**file.text() == "new"));
    }
}
