//! Versions in snapshots of servers: directories beside the files of the site.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_source::read_regular;

use super::VersionRequest;
use super::problem::{VersionProblem, not_stored};

/// Directory of a snapshot with one directory for each version with a `ref`. Its name begins with a
/// dot, so it is not part of the site.
pub const VERSIONS_DIR: &str = ".svc-versions";
/// File with the commits of the versions.
const INDEX: &str = "versions.json";
/// Maximum size of the file in bytes.
const MAX_INDEX_BYTES: u64 = 1 << 20;

/// Commit of a version, or why it has none.
pub type VersionFiles = Result<String, VersionProblem>;

/// The versions of a snapshot.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct StoredVersions {
    /// By the directory of the version.
    versions: BTreeMap<String, StoredVersion>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredVersion {
    #[serde(rename = "ref")]
    reference: String,
    #[serde(flatten)]
    state: StoredState,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredState {
    Commit(String),
    Problem(VersionProblem),
}

impl StoredVersions {
    /// Reads the versions of a snapshot. Empty if it has none.
    pub(super) fn read(root: &Path) -> Self {
        let text = read_regular(&root.join(VERSIONS_DIR).join(INDEX), MAX_INDEX_BYTES);
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// The commit of a version.
    pub(super) fn commit(&self, request: &VersionRequest) -> Result<String, VersionProblem> {
        let stored = self.versions.get(&request.dir);
        let stored = stored.filter(|stored| stored.reference == request.reference.name);
        match stored.map(|stored| &stored.state) {
            Some(StoredState::Commit(commit)) => Ok(commit.clone()),
            Some(StoredState::Problem(problem)) => Err(problem.clone()),
            None => Err(not_stored()),
        }
    }
}

/// Directory of the files of a version in a snapshot.
pub(super) fn version_path(root: &Path, dir: &str) -> PathBuf {
    root.join(VERSIONS_DIR).join(dir)
}

/// Stores the versions of a snapshot: `write` writes the files of a version to an empty directory
/// that does not exist yet. What the snapshot has at that path itself is removed first.
///
/// # Errors
/// When the disk fails, or `write` does.
pub fn write_versions<E: From<io::Error>>(
    snapshot: &Path,
    requests: &[VersionRequest],
    mut write: impl FnMut(&VersionRequest, &Path) -> Result<VersionFiles, E>,
) -> Result<(), E> {
    let dir = snapshot.join(VERSIONS_DIR);
    match fs::symlink_metadata(&dir) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(&dir)?,
        Ok(_) => fs::remove_file(&dir)?,
        Err(_) => {}
    }
    if requests.is_empty() {
        return Ok(());
    }
    fs::create_dir(&dir)?;
    let mut stored = StoredVersions::default();
    for request in requests {
        if request.dir.is_empty() || stored.versions.contains_key(&request.dir) {
            // Loading the site reports it.
            continue;
        }
        let state = match write(request, &version_path(snapshot, &request.dir))? {
            Ok(commit) => StoredState::Commit(commit),
            Err(problem) => StoredState::Problem(problem),
        };
        let version = StoredVersion {
            reference: request.reference.name.clone(),
            state,
        };
        stored.versions.insert(request.dir.clone(), version);
    }
    let text = serde_json::to_vec(&stored).map_err(io::Error::other)?;
    fs::write(dir.join(INDEX), text)?;
    Ok(())
}
