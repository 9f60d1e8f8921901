//! Restores a backup into the data directory of a server that is stopped.
//!
//! The archive is unpacked and checked beside the data before anything is changed. A restore that is
//! interrupted leaves a file with what it was doing; the server does not start until the restore has
//! been run again and completes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_source::{sync_dir, write_atomic};
use svc_store::copy_store;

use super::contents::{check, missing_snapshots};
use super::{
    BackupError, BackupInfo, FILES, JOURNAL, PROJECTS, STORE, StoredData, archive, create_empty,
};
use crate::permissions;
use crate::projects::lock;

/// Directory of a restore in the data directory.
const RESTORE_DIR: &str = "restore";
/// The file in it that exists while the data directory is changed.
const STATE: &str = "state.json";

/// Result of a restore.
#[derive(Debug)]
pub(crate) struct Restored {
    pub(crate) info: BackupInfo,
    /// Where the data from before the restore is; `None` if there was none.
    pub(crate) replaced: Option<PathBuf>,
    /// Live deployments whose files the archive does not have.
    pub(crate) missing: Vec<String>,
}

/// How far a restore is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct RestoreState {
    /// Suffix of the names to which the old files are moved.
    suffix: String,
    /// Whether all old files have been moved.
    old_are_moved: bool,
}

/// A file or directory that is replaced.
struct Replacement {
    /// Its name in the archive; `None` if it is only moved away.
    name: Option<&'static str>,
    path: PathBuf,
    /// Where the old one is moved to.
    aside: PathBuf,
}

/// Whether a restore of a data directory was begun and not completed.
pub(crate) fn is_interrupted(data: &Path) -> bool {
    data.join(RESTORE_DIR).join(STATE).exists()
}

/// Restores an archive.
///
/// # Errors
/// If a server uses the data directory, if it has data and `replaces` is false, or if the archive is
/// damaged; nothing is changed then. Also if a file cannot be moved; the restore can then be run
/// again.
pub(crate) async fn restore(
    file: &Path,
    stored: &StoredData,
    replaces: bool,
) -> Result<Restored, BackupError> {
    let data = &stored.data;
    permissions::create_private_dir(data).map_err(BackupError::io(data))?;
    check_owner(data)?;
    let _lock = lock(data).map_err(|error| BackupError::Refused(error.to_string()))?;
    let dir = data.join(RESTORE_DIR);
    let before = read_state(&dir)?;
    let state = before.clone().unwrap_or_else(|| RestoreState {
        suffix: unused_suffix(data),
        old_are_moved: false,
    });
    let replacements = replacements(stored, &state.suffix);
    let existing = replacements.iter().find(|item| exists(&item.path));
    if let (Some(item), false, None) = (existing, replaces, &before) {
        return Err(BackupError::Refused(format!(
            "there is data already: `{}`; add `--replace` to move it away",
            item.path.display()
        )));
    }
    let new = dir.join("new");
    create_empty(&new)?;
    let info = archive::read(file, &new, |_| true).map_err(BackupError::reading(file))?;
    let deployments = check(file, &new, &info).await?;
    check_store(stored, &info)?;
    let missing = missing_snapshots(&new, &deployments);
    permissions::give_all_to_owner(&dir, data).map_err(BackupError::io(&dir))?;
    write_state(&dir, &state)?;
    if let Some(url) = postgres_url(stored)
        && info.has_store
    {
        let from = format!("sqlite:{}", new.join(STORE).display());
        let copied = copy_store(&from, url, replaces || before.is_some()).await;
        if copied.is_err() && before.is_none() {
            // Nothing was changed.
            let _ = fs::remove_dir_all(&dir);
        }
        copied?;
    }
    let mut replaced = None;
    if !state.old_are_moved {
        for item in replacements.iter().filter(|item| exists(&item.path)) {
            replace(&item.path, &item.aside)?;
            replaced = Some(item.aside.clone());
        }
        let state = RestoreState {
            old_are_moved: true,
            ..state
        };
        write_state(&dir, &state)?;
    }
    for item in &replacements {
        remove(&item.path)?;
        let Some(name) = item.name else { continue };
        let from = new.join(name);
        if exists(&from) {
            replace(&from, &item.path)?;
        }
    }
    fs::remove_dir_all(&dir).map_err(BackupError::io(&dir))?;
    sync_dir(&dir);
    Ok(Restored {
        info,
        replaced: replaced.and_then(|path| path.parent().map(Path::to_path_buf)),
        missing,
    })
}

/// A name that no earlier restore has used.
fn unused_suffix(data: &Path) -> String {
    let now = jiff::Timestamp::now().as_second();
    let names = (0_u32..).map(|number| match number {
        0 => format!("replaced-{now}"),
        number => format!("replaced-{now}-{number}"),
    });
    let mut unused = names.filter(|name| !exists(&data.join(name)));
    unused.next().unwrap_or_default()
}

/// Files of another user would be unusable for the server; those of root are given to its user.
fn check_owner(data: &Path) -> Result<(), BackupError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let owner = fs::metadata(data).map_err(BackupError::io(data))?.uid();
        if ![0, owner].contains(&rustix::process::geteuid().as_raw()) {
            return Err(BackupError::Refused(format!(
                "the data folder `{}` belongs to another user; run the command as that user or as root",
                data.display()
            )));
        }
    }
    #[cfg(not(unix))]
    let _ = data;
    Ok(())
}

/// The accounts and keys of an archive must not be dropped silently.
fn check_store(stored: &StoredData, info: &BackupInfo) -> Result<(), BackupError> {
    match info.has_store && stored.store.is_none() {
        true => Err(BackupError::Refused(
            "the backup has a store, but `[admin]` is missing in the settings; add it".to_owned(),
        )),
        false => Ok(()),
    }
}

fn postgres_url(stored: &StoredData) -> Option<&str> {
    let url = stored.store.as_deref()?;
    (!url.starts_with("sqlite:")).then_some(url)
}

/// What a restore replaces. A database is moved together with its write-ahead log.
fn replacements(stored: &StoredData, suffix: &str) -> Vec<Replacement> {
    let data = &stored.data;
    let in_data = |name: &'static str| Replacement {
        name: Some(name),
        path: data.join(name),
        aside: data.join(suffix).join(name),
    };
    let names = [JOURNAL, PROJECTS].iter().chain(FILES);
    let mut all: Vec<Replacement> = names.map(|name| in_data(name)).collect();
    let path = stored
        .store
        .as_deref()
        .and_then(|url| url.strip_prefix("sqlite:"));
    if let Some(path) = path {
        for end in ["-wal", "-shm", ""] {
            let path = PathBuf::from(format!("{path}{end}"));
            let file = path.file_name().unwrap_or_default();
            // On the same file system.
            let dir = path.parent().unwrap_or(data);
            all.push(Replacement {
                name: end.is_empty().then_some(STORE),
                aside: dir.join(suffix).join(file),
                path,
            });
        }
    }
    all
}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn remove(path: &Path) -> Result<(), BackupError> {
    let removed = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        _ => fs::remove_file(path),
    };
    removed.map_err(BackupError::io(path))
}

/// Renames a file or directory; a file is copied if the other path is on another file system.
fn replace(from: &Path, to: &Path) -> Result<(), BackupError> {
    let parent = to.parent().unwrap_or(to);
    permissions::create(parent).map_err(BackupError::io(parent))?;
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let bytes = fs::read(from).map_err(BackupError::io(from))?;
            let copied = crate::data_files::replace(to, &bytes);
            copied.map(drop).map_err(BackupError::io(to))?;
        }
        result => result.map_err(BackupError::io(to))?,
    }
    sync_dir(to);
    Ok(())
}

fn read_state(dir: &Path) -> Result<Option<RestoreState>, BackupError> {
    let path = dir.join(STATE);
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BackupError::io(&path)(error)),
        Ok(text) => {
            let state = serde_json::from_slice(&text).map_err(io::Error::from);
            state.map(Some).map_err(BackupError::io(&path))
        }
    }
}

fn write_state(dir: &Path, state: &RestoreState) -> Result<(), BackupError> {
    let path = dir.join(STATE);
    let text = serde_json::to_vec(state).map_err(io::Error::from);
    let written = text.and_then(|text| write_atomic(&path, &text));
    written.map_err(BackupError::io(&path))
}
