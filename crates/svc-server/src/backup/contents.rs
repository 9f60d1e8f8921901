//! Checks whether a server can use what an archive has.

use std::path::Path;

use svc_store::check_store_file;

use super::stage::live_snapshots;
use super::{BackupError, BackupInfo, JOURNAL, STORE, archive};
use crate::data_files;
use crate::deploy::{Deployment, parse_journal};

/// Maximum size of the journal in bytes.
const MAX_JOURNAL_BYTES: u64 = 1 << 30;

/// Checks all checksums of an archive, the integrity of its store, and its journal.
///
/// # Errors
/// If the archive is damaged.
pub(crate) async fn verify(file: &Path) -> Result<BackupInfo, BackupError> {
    let dir = tempfile::tempdir().map_err(BackupError::io(file))?;
    let is_wanted = |path: &str| [STORE, JOURNAL].contains(&path);
    let info = archive::read(file, dir.path(), is_wanted).map_err(BackupError::reading(file))?;
    check(file, dir.path(), &info).await?;
    Ok(info)
}

/// Checks the extracted store and journal of an archive, and returns its deployments.
pub(super) async fn check(
    archive: &Path,
    dir: &Path,
    info: &BackupInfo,
) -> Result<Vec<Deployment>, BackupError> {
    let damaged = |reason: String| BackupError::Damaged {
        archive: archive.to_owned(),
        reason,
    };
    let store = dir.join(STORE);
    if info.has_store != store.is_file() {
        return Err(damaged(format!("it has no `{STORE}`")));
    }
    if info.has_store {
        check_store_file(&store).await?;
    }
    let journal = dir.join(JOURNAL);
    if !journal.is_file() {
        return Ok(Vec::new());
    }
    let text = data_files::read(&journal, MAX_JOURNAL_BYTES);
    let contents = parse_journal(&text.map_err(BackupError::io(&journal))?);
    if contents.deployments.len() != info.deployments {
        return Err(damaged(format!("lines of `{JOURNAL}` cannot be read")));
    }
    Ok(contents.deployments.into_values().collect())
}

/// Live deployments whose files are missing in a restored directory.
pub(super) fn missing_snapshots(dir: &Path, deployments: &[Deployment]) -> Vec<String> {
    live_snapshots(deployments)
        .filter(|snapshot| !dir.join(snapshot).is_dir())
        .map(|snapshot| snapshot.display().to_string())
        .collect()
}
