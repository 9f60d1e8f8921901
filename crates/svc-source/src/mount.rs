//! Directories of a tree with the files of other revisions of the repository.

use std::path::Path;
use std::sync::Arc;

use crate::{normalize, resolve_import};

/// A directory with the files of another revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The directory, without slashes at its ends.
    pub dir: Arc<str>,
    /// Name of the version that shows the files.
    pub version: Arc<str>,
    /// Branch, tag or commit of the files, as it is written.
    pub reference: Arc<str>,
    /// Id of the commit.
    pub commit: Arc<str>,
    /// Directory that the files were loaded from; `None` if they are in memory.
    pub(crate) source: Option<Arc<Path>>,
}

impl Mount {
    /// Creates a mount of a version: its directory, name, reference and commit.
    pub fn new(dir: &str, version: &str, reference: &str, commit: &str) -> Self {
        Self {
            dir: dir.into(),
            version: version.into(),
            reference: reference.into(),
            commit: commit.into(),
            source: None,
        }
    }

    /// Whether the files are in memory.
    pub const fn is_in_memory(&self) -> bool {
        self.source.is_none()
    }

    fn contains(&self, path: &str) -> bool {
        let rest = path.strip_prefix(&*self.dir);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The mounts of a tree. Paths that a file writes relative to the root are relative to the mount
/// that contains the file.
///
/// ```
/// use svc_source::{Mount, Mounts};
/// let mut mounts = Mounts::default();
/// mounts.add(Mount::new("v1", "v1", "release/1.x", "c0ffee"));
/// assert_eq!(mounts.root_of("v1/a.mdx"), "v1");
/// assert_eq!(mounts.from_root("v1/a.mdx", "/images/b.png"), "v1/images/b.png");
/// assert_eq!(mounts.from_root("a.mdx", "/images/b.png"), "images/b.png");
/// assert_eq!(mounts.import("v1/a.mdx", "/snippets/b.mdx"), "v1/snippets/b.mdx");
/// assert_eq!(mounts.import("v1/a.mdx", "../../b.mdx"), "v1/b.mdx");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mounts(Arc<Vec<Mount>>);

impl Mounts {
    /// Adds a mount.
    pub fn add(&mut self, mount: Mount) {
        Arc::make_mut(&mut self.0).push(mount);
    }

    /// Iterates over all mounts.
    pub fn iter(&self) -> impl Iterator<Item = &Mount> {
        self.0.iter()
    }

    /// Whether there are no mounts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mount that contains a file or directory; `None` for those of the site itself.
    pub fn of(&self, path: &str) -> Option<&Mount> {
        self.0.iter().find(|mount| mount.contains(path))
    }

    /// The directory that paths in a file are relative to: that of its mount, or the empty path.
    pub fn root_of(&self, path: &str) -> &str {
        self.of(path).map_or("", |mount| &mount.dir)
    }

    /// The path of a file relative to its root.
    pub fn relative<'p>(&self, path: &'p str) -> &'p str {
        match self.root_of(path).len() {
            0 => path,
            len => path.get(len + 1..).unwrap_or_default(),
        }
    }

    /// Name of a file of a mount in messages: `release/1.x:guides/a.mdx`. `None` for other files.
    pub fn label(&self, path: &str) -> Option<String> {
        let mount = self.of(path)?;
        Some(format!("{}:{}", mount.reference, self.relative(path)))
    }

    /// The path of a file by its name in messages, see [`Self::label`].
    pub fn path(&self, label: &str) -> Option<String> {
        self.0.iter().find_map(|mount| {
            let path = label.strip_prefix(&*mount.reference)?.strip_prefix(':')?;
            Some(format!("{}/{path}", mount.dir))
        })
    }

    /// Resolves a path that the file `from` writes relative to the root.
    pub fn from_root(&self, from: &str, path: &str) -> String {
        match self.root_of(from) {
            "" => normalize(path),
            // `..` at the root is ignored, so the path stays in the mount.
            root => format!("{root}/{}", normalize(path)),
        }
    }

    /// Resolves a path that the file `from` writes relative to its directory.
    pub fn from_dir(&self, from: &str, path: &str) -> String {
        let dir = self
            .relative(from)
            .rsplit_once('/')
            .map_or("", |(dir, _)| dir);
        self.from_root(from, &format!("{dir}/{path}"))
    }

    /// Like [`resolve_import`], within the mount of the importing file.
    pub fn import(&self, from: &str, specifier: &str) -> String {
        self.from_root(from, &resolve_import(self.relative(from), specifier))
    }
}
