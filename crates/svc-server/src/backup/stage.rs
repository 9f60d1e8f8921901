//! Collects the files of a backup in a directory beside the data, as hard links where files do not
//! change: a deployment that is removed meanwhile stays in the backup.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use svc_objects::archive::create_link;
use svc_store::back_up_store;

use super::{
    BackupError, BackupInfo, FILE_DIRS, FILES, FORMAT, JOURNAL, PROJECTS, SNAPSHOTS, STAGE_DIR,
    STORE, StoredData, create_empty,
};
use crate::deploy::{Deployment, DeploymentState, parse_journal};
use crate::{VERSION, data_files, permissions};

/// How often the journal is read again because deployments were removed while they were copied.
const MAX_ATTEMPTS: usize = 20;
/// Maximum size of a file that is copied, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// The directory of the backup that is being written, locked against other backups. Its contents
/// are removed when it is dropped.
pub(super) struct StageDir {
    dir: PathBuf,
    _lock: File,
}

impl StageDir {
    /// Creates the directory. What an interrupted backup has left is removed.
    pub(super) fn create(data: &Path) -> Result<Self, BackupError> {
        let base = data.join(STAGE_DIR);
        permissions::create(&base).map_err(BackupError::io(&base))?;
        let path = base.join("lock");
        let lock = data_files::open(&path).map_err(BackupError::io(&path))?;
        if lock.try_lock().is_err() {
            let text = "another backup of this server is being written; wait until it is complete";
            return Err(BackupError::Refused(text.to_owned()));
        }
        // Backups by root must not lock out those of the user of the server.
        permissions::give_all_to_owner(&path, data).map_err(BackupError::io(&path))?;
        let dir = base.join("files");
        create_empty(&dir)?;
        Ok(Self { dir, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.dir
    }
}

impl Drop for StageDir {
    fn drop(&mut self) {
        // The next backup removes what is left.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// The files of a backup.
pub(super) struct Stage {
    pub(super) info: BackupInfo,
    pub(super) warnings: Vec<String>,
}

/// Copies everything that a backup has to a directory.
pub(super) async fn fill(stored: &StoredData, into: &Path) -> Result<Stage, BackupError> {
    let data = &stored.data;
    if let Some(url) = &stored.store {
        back_up_store(url, &into.join(STORE)).await?;
    }
    let mut attempts = 0;
    let deployments = loop {
        attempts += 1;
        link_projects(data, into).map_err(BackupError::io(data))?;
        let deployments = copy_journal(data, into)?;
        let is_missing = |snapshot: &PathBuf| !into.join(snapshot).is_dir();
        // A snapshot that does not exist anymore was damaged before.
        let is_removed = live_snapshots(&deployments)
            .filter(is_missing)
            .any(|snapshot| data.join(snapshot).is_dir());
        if !is_removed {
            break deployments;
        }
        if attempts == MAX_ATTEMPTS {
            let text = "deployments are removed faster than they can be copied; try again later";
            return Err(BackupError::Refused(text.to_owned()));
        }
    };
    for name in FILES {
        copy_file(&data.join(name), &into.join(name))?;
    }
    let missing = live_snapshots(&deployments).filter(|snapshot| !into.join(snapshot).is_dir());
    let warnings = missing.map(|snapshot| {
        let shown = snapshot.display();
        format!("the files of a live deployment are missing: `{shown}`; deploy the project again")
    });
    let projects = fs::read_dir(into.join(PROJECTS)).map_or(0, Iterator::count);
    Ok(Stage {
        warnings: warnings.collect(),
        info: BackupInfo {
            format: FORMAT,
            version: VERSION.clone(),
            created: jiff::Timestamp::now().as_second(),
            projects,
            deployments: deployments.len(),
            has_store: stored.store.is_some(),
            links: std::collections::BTreeMap::new(),
        },
    })
}

/// Paths of the snapshots of the live deployments in the data directory.
pub(super) fn live_snapshots(deployments: &[Deployment]) -> impl Iterator<Item = PathBuf> {
    let live = deployments
        .iter()
        .filter(|item| item.state == DeploymentState::Live && item.removed.is_none());
    live.filter_map(|item| {
        let key = item.snapshot.as_ref()?;
        let dir = Path::new(PROJECTS).join(&item.project).join(SNAPSHOTS);
        Some(dir.join(key))
    })
}

fn link_projects(data: &Path, into: &Path) -> io::Result<()> {
    for project in subdirs(&data.join(PROJECTS))? {
        let name = project.file_name().unwrap_or_default();
        let target = into.join(PROJECTS).join(name);
        for snapshot in subdirs(&project.join(SNAPSHOTS))? {
            let name = snapshot.file_name().unwrap_or_default();
            let target = target.join(SNAPSHOTS).join(name);
            if target.is_dir() || name.to_string_lossy().starts_with('.') {
                continue;
            }
            match link_tree(&snapshot, &target) {
                // It was removed meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::remove_dir_all(&target)?;
                }
                result => result?,
            }
        }
        for dir in FILE_DIRS {
            link_files(&project.join(dir), &target.join(dir))?;
        }
    }
    Ok(())
}

/// The directories in a directory, without links to directories.
fn subdirs(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut dirs = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            dirs.push(entry.path());
        }
    }
    Ok(dirs)
}

fn link_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            link_tree(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            create_link(&fs::read_link(entry.path())?, &target)?;
        } else {
            link_file(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Links the files of a directory without subdirectories. Files that are being written or removed
/// are left out; an existing link is replaced, because the file may have been.
fn link_files(from: &Path, to: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if !entry.file_type()?.is_file() || name.to_string_lossy().starts_with('.') {
            continue;
        }
        fs::create_dir_all(to)?;
        let target = to.join(name);
        for removed in [fs::remove_file(&target), link_file(&entry.path(), &target)] {
            match removed {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                result => result?,
            }
        }
    }
    Ok(())
}

/// Links a file, or copies it on file systems without hard links.
fn link_file(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => fs::copy(from, to).map(drop),
        result => result,
    }
}

/// Copies the complete lines of the journal, to which the server appends.
fn copy_journal(data: &Path, into: &Path) -> Result<Vec<Deployment>, BackupError> {
    let path = data.join(JOURNAL);
    let mut text = match data_files::read(&path, MAX_FILE_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(BackupError::io(&path))?,
    };
    let end = text.iter().rposition(|byte| *byte == b'\n');
    text.truncate(end.map_or(0, |end| end + 1));
    fs::write(into.join(JOURNAL), &text).map_err(BackupError::io(into))?;
    Ok(parse_journal(&text).deployments.into_values().collect())
}

/// Copies a file, if it exists, that the server may replace or append to.
fn copy_file(from: &Path, to: &Path) -> Result<(), BackupError> {
    match data_files::read(from, MAX_FILE_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        bytes => {
            let bytes = bytes.map_err(BackupError::io(from))?;
            fs::write(to, bytes).map_err(BackupError::io(to))
        }
    }
}
