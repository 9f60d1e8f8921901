//! State that the islands of a page share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::sandbox::ComponentSession;

/// State that the islands of a page share.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    pub(super) session: Option<Box<dyn ComponentSession>>,
    /// URLs of modules that the session has loaded.
    pub(super) loaded: BTreeSet<String>,
    pub(super) count: u32,
    /// Number of expressions and calls that the evaluator left to the engine.
    pub(super) fallbacks: usize,
    pub(super) failed: BTreeSet<(String, String)>,
    pub(super) failures: usize,
    /// Modules for the browser, by URL path.
    pub(crate) modules: BTreeMap<String, Arc<str>>,
    /// String literals of these modules, which may contain class names.
    pub(crate) strings: String,
}
