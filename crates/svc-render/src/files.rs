//! The files of a site as rendering sees them: what is asked of them is written down, so that
//! whoever keeps what was drawn knows what it depends on.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use svc_diagnostics::SourceFile;
use svc_source::SourceTree;

/// What a drawing was made from, besides the settings of the site and the page itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// Files whose contents were looked at, or which were looked for.
    pub contents: BTreeSet<Box<str>>,
    /// Paths of which only was asked whether a file is there.
    pub presence: BTreeSet<Box<str>>,
    /// Addresses of which was asked whether a page is there.
    pub pages: BTreeSet<Box<str>>,
    /// Whether the names of all files were looked at.
    pub names: bool,
}

/// The files of a site.
#[derive(Debug, Clone)]
pub struct TrackedFiles<'a> {
    tree: &'a SourceTree,
    dependencies: Rc<RefCell<Dependencies>>,
}

impl<'a> TrackedFiles<'a> {
    /// Nothing has been asked yet.
    pub fn new(tree: &'a SourceTree) -> Self {
        Self {
            tree,
            dependencies: Rc::default(),
        }
    }

    /// What has been asked of these files and their clones.
    pub fn dependencies(&self) -> Dependencies {
        self.dependencies.borrow().clone()
    }

    pub(crate) fn text(&self, path: &str) -> Option<&'a SourceFile> {
        record(&mut self.dependencies.borrow_mut().contents, path);
        self.tree.text(path)
    }

    pub(crate) fn image_size(&self, path: &str) -> Option<(u32, u32)> {
        record(&mut self.dependencies.borrow_mut().contents, path);
        self.tree.image_size(path)
    }

    /// Notes that what a file holds has an effect.
    pub(crate) fn record_contents(&self, path: &str) {
        record(&mut self.dependencies.borrow_mut().contents, path);
    }

    pub(crate) fn contains(&self, path: &str) -> bool {
        record(&mut self.dependencies.borrow_mut().presence, path);
        self.tree.contains(path)
    }

    /// The paths of all files.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.dependencies.borrow_mut().names = true;
        self.tree.iter().map(|(path, _)| path)
    }

    /// Notes that it was asked whether a page is at an address.
    pub(crate) fn record_page(&self, path: &str) {
        record(&mut self.dependencies.borrow_mut().pages, path);
    }
}

fn record(set: &mut BTreeSet<Box<str>>, path: &str) {
    if !set.contains(path) {
        set.insert(path.into());
    }
}
