//! Moves snapshots to and from the object store.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use svc_admin_api::{Random as _, StoreError};
use svc_objects::{ObjectError, archive};
use svc_store::SnapshotRecord;

use super::{Cluster, now};
use crate::admin::SystemRandom;
use crate::data_files;
use crate::deploy::Snapshots;

/// Directory of the objects with snapshots.
pub(super) const OBJECTS_DIR: &str = "snapshots";
/// Directory of what a snapshot needs besides its files, beside the snapshots.
const DETAILS_DIR: &str = "snapshot-details";
/// Maximum size of a file with details in bytes.
const MAX_DETAILS_BYTES: u64 = 256 << 20;

/// Why a snapshot could not be moved.
#[derive(Debug, thiserror::Error)]
pub(in crate::deploy) enum TransferError {
    /// The object store or a local file failed.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The database failed.
    #[error("the database is not available: {0}")]
    Store(#[from] StoreError),
    /// No server has uploaded the snapshot, or it is not retained anymore.
    #[error("the files `{0}` are not retained in the object store")]
    Unknown(String),
}

impl TransferError {
    /// Whether a retry may succeed.
    pub(in crate::deploy) const fn is_transient(&self) -> bool {
        match self {
            Self::Object(error) => error.is_transient(),
            Self::Store(error) => matches!(error, StoreError::Unavailable(_)),
            Self::Unknown(_) => false,
        }
    }
}

/// What a snapshot needs besides its files, as repositories are not shared.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct SnapshotDetails {
    /// Dates of the last changes by path.
    dates: BTreeMap<String, String>,
}

/// A local file that is removed when it is dropped.
struct TransferFile(PathBuf);

impl Drop for TransferFile {
    fn drop(&mut self) {
        // It may not have been created.
        let _ = fs::remove_file(&self.0);
    }
}

impl Cluster {
    fn transfer_file(&self) -> TransferFile {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        TransferFile(self.0.dir.join(number.to_string()))
    }

    /// Uploads a snapshot, unless the object store has it. The result is for the release that names
    /// it.
    pub(in crate::deploy) fn upload(
        &self,
        project: &str,
        (key, dir): (&str, &Path),
        dates: BTreeMap<String, String>,
    ) -> Result<SnapshotRecord, TransferError> {
        let known = self.block_on(self.0.database.use_snapshot(project, key, now()))?;
        if let Some(known) = known
            && self.block_on(self.0.objects.has(&known.object))?
        {
            return Ok(known);
        }
        let file = self.transfer_file();
        let details = serde_json::to_string(&SnapshotDetails { dates }).unwrap_or_default();
        let packed = archive::pack(dir, &details, &file.0).map_err(ObjectError::from)?;
        // A name is never used twice, so that deleting an old object cannot affect a new one.
        let mut unique = [0; 6];
        SystemRandom
            .fill(&mut unique)
            .map_err(|error| ObjectError::from(std::io::Error::other(error)))?;
        let (sum, unique) = (hex::encode(packed.sum), hex::encode(unique));
        let object = format!("{OBJECTS_DIR}/{project}/{sum}-{unique}");
        self.block_on(self.0.objects.put(&object, &file.0))?;
        Ok(SnapshotRecord {
            project: project.to_owned(),
            key: key.to_owned(),
            object,
            sum: packed.sum,
            size: packed.size,
            used_at: now(),
        })
    }

    /// Downloads a snapshot.
    pub(in crate::deploy) fn download(
        &self,
        project: &str,
        key: &str,
        into: &Snapshots,
    ) -> Result<(), TransferError> {
        let known = self.block_on(self.0.database.use_snapshot(project, key, now()))?;
        let known = known.ok_or_else(|| TransferError::Unknown(key.to_owned()))?;
        let packed = archive::Packed {
            sum: known.sum,
            size: known.size,
        };
        let file = self.transfer_file();
        self.block_on(self.0.objects.get(&known.object, &file.0, &packed))?;
        let io = ObjectError::from;
        let partial = into.begin().map_err(io)?;
        let details = archive::unpack(&file.0, partial.path(), archive::MAX_TOTAL_BYTES);
        let details = details.map_err(io)?;
        let path = details_file(into, key);
        let dir = path.parent().unwrap_or(&path);
        fs::create_dir_all(dir).map_err(io)?;
        data_files::replace(&path, details.as_bytes()).map_err(io)?;
        into.finalize(partial, key).map_err(io)?;
        Ok(())
    }
}

fn details_file(snapshots: &Snapshots, key: &str) -> PathBuf {
    snapshots.sibling(DETAILS_DIR).join(format!("{key}.json"))
}

/// Dates of the files of a snapshot of another server; `None` for a snapshot of this one.
pub(in crate::deploy) fn downloaded_dates(
    snapshots: &Snapshots,
    key: &str,
) -> Option<BTreeMap<String, String>> {
    let path = details_file(snapshots, key);
    let fits = fs::metadata(&path).is_ok_and(|meta| meta.len() <= MAX_DETAILS_BYTES);
    let text = fits.then(|| fs::read(&path).ok()).flatten()?;
    let details: SnapshotDetails = serde_json::from_slice(&text).ok()?;
    Some(details.dates)
}

/// Removes the details of snapshots that are not retained.
pub(in crate::deploy) fn prune_details(snapshots: &Snapshots, is_retained: impl Fn(&str) -> bool) {
    let entries = fs::read_dir(snapshots.sibling(DETAILS_DIR));
    for entry in entries.into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_name().and_then(|name| name.to_str());
        // Others are being written.
        let key = name.and_then(|name| name.strip_suffix(".json"));
        if key.is_some_and(|key| !is_retained(key)) {
            // Retried after the next deployment.
            let _ = fs::remove_file(path);
        }
    }
}
