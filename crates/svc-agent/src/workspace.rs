//! Private directory of a run.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};

use svc_admin_api::Random;

use crate::{WorkTreeLimits, process_group};

/// Number of random bytes in the name of a directory.
const NAME_BYTES: usize = 12;
/// Lock file that marks a directory as in use.
const LOCK_FILE: &str = "lock";

/// Private directory of a run. It is removed when the run ends in any way.
pub(crate) struct Workspace {
    dir: PathBuf,
    /// Identity of the work tree, to detect that it was replaced.
    work_tree: Option<DirId>,
    /// Held while the directory is used.
    _lock: File,
}

impl Workspace {
    /// Creates a workspace.
    pub(crate) fn create(parent: &Path, random: &dyn Random) -> io::Result<Self> {
        create_private_dir(parent, true)?;
        let mut bytes = [0; NAME_BYTES];
        random.fill(&mut bytes).map_err(io::Error::other)?;
        let dir = parent.join(hex::encode(bytes));
        create_private_dir(&dir, false)?;
        let lock = File::create_new(dir.join(LOCK_FILE))?;
        lock.lock()?;
        let mut workspace = Self {
            dir,
            work_tree: None,
            _lock: lock,
        };
        for dir in [
            workspace.files(),
            workspace.home_dir(),
            workspace.temp_dir(),
        ] {
            create_private_dir(&dir, false)?;
        }
        workspace.work_tree = dir_id(&workspace.files());
        Ok(workspace)
    }

    /// Root directory of the workspace.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The clone that the agent works in.
    pub(crate) fn files(&self) -> PathBuf {
        self.dir.join("work")
    }

    /// Git directory of the agent, which may modify it.
    pub(crate) fn agent_git_dir(&self) -> PathBuf {
        self.files().join(".git")
    }

    /// Git directory in which commits are made.
    pub(crate) fn git_dir(&self) -> PathBuf {
        self.dir.join("git")
    }

    pub(crate) fn home_dir(&self) -> PathBuf {
        self.dir.join("home")
    }

    pub(crate) fn temp_dir(&self) -> PathBuf {
        self.dir.join("tmp")
    }

    /// All prompts of the job, as JSON.
    pub(crate) fn prompts(&self) -> PathBuf {
        self.dir.join("prompts.json")
    }

    /// Whether the work tree is the original directory, and not another one or a link.
    pub(crate) fn is_intact(&self) -> bool {
        let now = dir_id(&self.files());
        now.is_some() && now == self.work_tree
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        kill_stragglers(&self.dir);
        remove(&self.dir);
    }
}

/// Kills processes that belong to a directory, if its name is that of a workspace.
pub(crate) fn kill_stragglers(dir: &Path) {
    let name = dir.file_name().and_then(|name| name.to_str());
    let is_workspace =
        |name: &&str| name.len() == 2 * NAME_BYTES && name.bytes().all(|b| b.is_ascii_hexdigit());
    if let Some(name) = name.filter(is_workspace) {
        process_group::kill_stragglers(name);
    }
}

/// Removes directories of workers that are no longer running.
pub(crate) fn remove_stale(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for dir in entries.map(|entry| entry.path()) {
        let in_use = match File::open(dir.join(LOCK_FILE)) {
            Ok(lock) => lock.try_lock().is_err(),
            // A directory without a lock file is being created or removed.
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        if !in_use {
            kill_stragglers(&dir);
            remove(&dir);
        }
    }
}

/// Content of a work tree after the agent.
pub(crate) struct WorkTreeStats {
    /// Whether the work tree contains any entry.
    pub(crate) has_entries: bool,
}

/// Removes everything that Git would treat as a nested repository, and checks the limits. Links are
/// never followed.
pub(crate) fn sanitize_work_tree(
    files: &Path,
    limits: WorkTreeLimits,
) -> Result<WorkTreeStats, String> {
    let mut left = vec![(files.to_owned(), 0_usize)];
    let (mut count, mut bytes) = (0_u64, 0_u64);
    while let Some((dir, depth)) = left.pop() {
        let failed = |error: io::Error| format!("the work tree cannot be read: {error}");
        for entry in fs::read_dir(&dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            if entry.file_name().eq_ignore_ascii_case(".git") {
                remove(&path);
                continue;
            }
            // Metadata of the entry itself; links are not followed.
            let data = entry.metadata().map_err(failed)?;
            count += 1;
            bytes = bytes.saturating_add(data.len());
            if count > limits.max_files {
                return Err(format!(
                    "the work tree has more than {} files",
                    limits.max_files
                ));
            }
            if bytes > limits.max_bytes {
                return Err(format!(
                    "the work tree has more than {} bytes",
                    limits.max_bytes
                ));
            }
            if data.is_dir() {
                if depth >= limits.max_depth {
                    let max_depth = limits.max_depth;
                    return Err(format!(
                        "the work tree has more than {max_depth} levels of folders"
                    ));
                }
                left.push((path, depth + 1));
            }
        }
    }
    Ok(WorkTreeStats {
        has_entries: count > 0,
    })
}

/// Copies a directory of regular files.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    create_private_dir(to, false)?;
    let mut left = vec![PathBuf::new()];
    while let Some(below) = left.pop() {
        for entry in fs::read_dir(from.join(&below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                create_private_dir(&to.join(&path), false)?;
                left.push(path);
            } else if kind.is_file() {
                fs::copy(entry.path(), to.join(&path))?;
            }
        }
    }
    Ok(())
}

/// Removes a file or directory, even if it is read-only.
pub(crate) fn remove(path: &Path) {
    let Ok(data) = fs::symlink_metadata(path) else {
        return;
    };
    if !data.is_dir() {
        let _ = fs::remove_file(path);
        return;
    }
    if fs::remove_dir_all(path).is_ok() {
        return;
    }
    // Entries of read-only directories cannot be removed.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mut left = vec![path.to_owned()];
        while let Some(dir) = left.pop() {
            let _ = fs::set_permissions(&dir, fs::Permissions::from_mode(0o700));
            let entries = fs::read_dir(&dir).into_iter().flatten().flatten();
            let dirs = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            left.extend(dirs.map(|entry| entry.path()));
        }
        let _ = fs::remove_dir_all(path);
    }
}

/// Creates a directory that only its owner can access.
fn create_private_dir(dir: &Path, with_parents: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(with_parents);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(dir)
}

/// Identity of a directory, independent of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DirId(u64, u64);

/// Identity of the directory at a path; `None` if it is not a directory, or a link.
pub(crate) fn dir_id(path: &Path) -> Option<DirId> {
    let data = fs::symlink_metadata(path).ok()?;
    #[cfg(unix)]
    let identity = {
        use std::os::unix::fs::MetadataExt as _;
        DirId(data.dev(), data.ino())
    };
    #[cfg(not(unix))]
    let identity = DirId(0, 0);
    data.is_dir().then_some(identity)
}
