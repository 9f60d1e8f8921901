//! Backups: what a server stores, as it was at one moment, in one file.
//!
//! A backup is a tar archive that is compressed with gzip. `backup.json` describes it, and
//! `SHA256SUMS`, its last entry, has the checksum of every other file in the format of `sha256sum`,
//! so that a backup can be read and checked without this program. It contains
//!
//! - `admin.sqlite`: the store of the administration, also if that is PostgreSQL;
//! - `deployments.journal`, `server.id`, `readers.key` and `readers.revoked`;
//! - for each project the files of its deployments that are retained, their reports, the dates of
//!   their pages and the fetched API documents.
//!
//! It contains no settings, no repositories, which are fetched again, and no caches.

mod archive;
mod contents;
mod error;
mod restore;
mod stage;
mod sums;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_source::AtomicFile;

pub(crate) use contents::verify;
pub(crate) use error::BackupError;
pub(crate) use restore::{is_interrupted, restore};

use crate::{Settings, permissions};

/// The store in an archive.
const STORE: &str = "admin.sqlite";
/// The journal of the deployments.
const JOURNAL: &str = "deployments.journal";
/// Other files of the data directory.
const FILES: &[&str] = &["server.id", "readers.key", "readers.revoked"];
/// Directory with a directory for each project.
const PROJECTS: &str = "projects";
/// Directory of a project with a directory for each snapshot.
const SNAPSHOTS: &str = "snapshots";
/// Directories of a project with files only.
const FILE_DIRS: &[&str] = &[
    "deployments",
    "snapshot-details",
    "hosted",
    "git/dates",
    "git/problems",
    "git-previews/dates",
    "git-previews/problems",
];
/// Directory for the files of a backup that is being written.
const STAGE_DIR: &str = "backup";
/// Version of the format.
const FORMAT: u32 = 1;

/// Where a server stores its data.
#[derive(Debug, Clone)]
pub(crate) struct StoredData {
    /// Data directory.
    pub(crate) data: PathBuf,
    /// URL of the store; `None` without administration.
    pub(crate) store: Option<String>,
}

impl StoredData {
    /// The locations in settings.
    pub(crate) fn of(settings: &Settings) -> Self {
        let admin = settings.admin.as_ref();
        Self {
            data: settings.data.clone(),
            store: admin.map(|admin| admin.store.reveal().to_owned()),
        }
    }
}

/// What an archive says about itself: `backup.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BackupInfo {
    /// Version of the format.
    format: u32,
    /// Version of the program that wrote it.
    pub(crate) version: String,
    /// Time in seconds since the Unix epoch.
    pub(crate) created: i64,
    /// Number of projects with files.
    pub(crate) projects: usize,
    /// Number of deployments in the journal.
    pub(crate) deployments: usize,
    /// Whether there is a store.
    pub(crate) has_store: bool,
    /// Symbolic links by path, which have no checksum.
    links: std::collections::BTreeMap<String, String>,
}

/// Result of a backup.
#[derive(Debug)]
pub(crate) struct Backup {
    pub(crate) info: BackupInfo,
    /// Size of the archive in bytes.
    pub(crate) size: u64,
    /// What the backup does not have although the journal names it.
    pub(crate) warnings: Vec<String>,
}

/// Writes a backup to a file, while the server runs. The file appears when it is complete. The
/// store is read before the journal, so that every deployment that the store names is in the
/// journal.
///
/// # Errors
/// If the file exists and `replaces` is false, if another backup is being written, or if the data
/// cannot be read or the file cannot be written.
pub(crate) async fn back_up(
    stored: &StoredData,
    file: &Path,
    replaces: bool,
) -> Result<Backup, BackupError> {
    if !replaces && fs::symlink_metadata(file).is_ok() {
        return Err(BackupError::Refused(format!(
            "`{}` exists; choose another name, or replace it with `--replace`",
            file.display()
        )));
    }
    if !stored.data.is_dir() {
        return Err(BackupError::Refused(format!(
            "the data folder `{}` does not exist; check `data` in the settings",
            stored.data.display()
        )));
    }
    let stage = stage::StageDir::create(&stored.data)?;
    let staged = stage::fill(stored, stage.path()).await?;
    let mut new = AtomicFile::create_private(file).map_err(BackupError::io(file))?;
    let written = archive::write(stage.path(), staged.info, new.file());
    let info = written.map_err(BackupError::io(file))?;
    let saved = new.commit().map_err(BackupError::io(file))?;
    let size = saved.metadata().map_err(BackupError::io(file))?.len();
    Ok(Backup {
        info,
        size,
        warnings: staged.warnings,
    })
}

/// Creates a private directory, or empties it.
fn create_empty(dir: &Path) -> Result<(), BackupError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BackupError::io(dir)(error)),
        _ => permissions::create(dir).map_err(BackupError::io(dir)),
    }
}
