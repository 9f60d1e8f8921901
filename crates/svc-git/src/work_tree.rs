//! The repository around a folder that is worked in: only what it says about dates.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use gix::ObjectId;

use crate::objects::{self, Objects};
use crate::{RepositoryLimits, dates};

/// The repository around a folder. Reading it runs no program and changes nothing.
#[derive(Debug)]
pub struct WorkTree {
    objects: Objects,
    subfolder: String,
}

/// The commit that a work tree stands at. As long as it is the same, so are the dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head(ObjectId);

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl WorkTree {
    /// The repository that a folder lies in.
    pub fn discover(folder: &Path) -> Option<Self> {
        let top = objects::find_root(folder)?;
        let folder = folder.canonicalize().ok()?;
        let inside = folder.strip_prefix(&top).ok()?.to_str()?;
        let objects = Objects::open(&top, RepositoryLimits::default().max_object_bytes).ok()?;
        Some(Self {
            objects,
            subfolder: inside.to_owned(),
        })
    }

    /// The commit it stands at; nothing before the first one.
    pub fn head(&self) -> Option<Head> {
        let id = self.objects.repository().head_id().ok()?;
        Some(Head(id.detach()))
    }

    /// The day of the last change of every file, `2026-03-05`, by its path from the folder. Files
    /// whose history is not there have none. Results are kept in the folder `kept`.
    pub fn dates(&self, head: Head, kept: Option<&Path>) -> BTreeMap<String, String> {
        let limits = RepositoryLimits::default();
        let dates = dates::dates(&self.objects, head.0, &self.subfolder, kept, &limits);
        dates.unwrap_or_default()
    }
}
