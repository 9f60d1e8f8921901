//! Source tree of a site that records accesses, so that caches of rendered pages can be invalidated
//! precisely.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use svc_diagnostics::SourceFile;
use svc_source::{Mounts, SourceTree};

/// Inputs that a page was rendered from, besides the site's settings and the page itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// Files whose contents were read, including missing files.
    pub contents: BTreeSet<Box<str>>,
    /// Paths whose existence was checked.
    pub presence: BTreeSet<Box<str>>,
    /// Paths that were checked for a page.
    pub pages: BTreeSet<Box<str>>,
    /// Whether the list of all file names was read.
    pub names: bool,
    /// Whether the result depends on who reads the page.
    pub audience: bool,
}

/// Source tree that records accesses. Clones share the record.
#[derive(Debug, Clone)]
pub struct TrackedFiles<'a> {
    tree: &'a SourceTree,
    dependencies: Rc<RefCell<Dependencies>>,
}

impl<'a> TrackedFiles<'a> {
    /// Wraps a source tree; the record is empty.
    pub fn new(tree: &'a SourceTree) -> Self {
        Self {
            tree,
            dependencies: Rc::default(),
        }
    }

    /// Accesses through this value and its clones so far.
    pub fn dependencies(&self) -> Dependencies {
        self.dependencies.borrow().clone()
    }

    /// Directories with files of other revisions. The configuration depends on them, and articles on
    /// the configuration.
    pub(crate) const fn mounts(&self) -> &'a Mounts {
        self.tree.mounts()
    }

    pub(crate) fn text(&self, path: &str) -> Option<&'a SourceFile> {
        record(&mut self.dependencies.borrow_mut().contents, path);
        self.tree.text(path)
    }

    pub(crate) fn image_size(&self, path: &str) -> Option<(u32, u32)> {
        record(&mut self.dependencies.borrow_mut().contents, path);
        self.tree.image_size(path)
    }

    /// Records that the contents of `path` affect the output.
    pub(crate) fn record_contents(&self, path: &str) {
        record(&mut self.dependencies.borrow_mut().contents, path);
    }

    pub(crate) fn contains(&self, path: &str) -> bool {
        record(&mut self.dependencies.borrow_mut().presence, path);
        self.tree.contains(path)
    }

    /// Paths of all files.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.dependencies.borrow_mut().names = true;
        self.tree.iter().map(|(path, _)| path)
    }

    /// Records that the audience of the site affects the output.
    pub(crate) fn record_audience(&self) {
        self.dependencies.borrow_mut().audience = true;
    }

    /// Records a check whether `path` is the route of a page.
    pub(crate) fn record_page(&self, path: &str) {
        record(&mut self.dependencies.borrow_mut().pages, path);
    }
}

fn record(set: &mut BTreeSet<Box<str>>, path: &str) {
    if !set.contains(path) {
        set.insert(path.into());
    }
}
