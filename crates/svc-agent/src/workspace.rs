//! The private folder of a run: made for it, and gone with it.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};

use svc_admin_api::Random;

use crate::{WorkTreeLimits, process_group};

/// Random bytes in the name of a folder.
const NAME_BYTES: usize = 12;
/// What tells that somebody works in a folder.
const LOCK_FILE: &str = "lock";

/// A private folder. It is removed when the run ends, however it ends.
pub(crate) struct Workspace {
    dir: PathBuf,
    /// The work tree as it was made: no other may stand in its place later.
    work_tree: Option<DirId>,
    /// Held as long as the folder is used.
    _lock: File,
}

impl Workspace {
    /// Makes one.
    pub(crate) fn create(parent: &Path, random: &dyn Random) -> io::Result<Self> {
        create_private_dir(parent, true)?;
        let mut bytes = [0; NAME_BYTES];
        random.fill(&mut bytes).map_err(io::Error::other)?;
        let name: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder = parent.join(name);
        create_private_dir(&folder, false)?;
        let lock = File::create_new(folder.join(LOCK_FILE))?;
        lock.lock()?;
        let mut workspace = Self {
            dir: folder,
            work_tree: None,
            _lock: lock,
        };
        for folder in [
            workspace.files(),
            workspace.home_dir(),
            workspace.temp_dir(),
        ] {
            create_private_dir(&folder, false)?;
        }
        workspace.work_tree = dir_id(&workspace.files());
        Ok(workspace)
    }

    /// All of it.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The clone that the agent works in.
    pub(crate) fn files(&self) -> PathBuf {
        self.dir.join("work")
    }

    /// The folder of Git that the agent has: it may do with it what it likes.
    pub(crate) fn agent_git_dir(&self) -> PathBuf {
        self.files().join(".git")
    }

    /// The folder of Git that commits are made in.
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

    /// Whether the work tree is the folder that was made, and no link to another one.
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

/// Ends what runs for a folder, if its name is one that only a run can have.
pub(crate) fn kill_stragglers(folder: &Path) {
    let name = folder.file_name().and_then(|name| name.to_str());
    let ours =
        |name: &&str| name.len() == 2 * NAME_BYTES && name.bytes().all(|b| b.is_ascii_hexdigit());
    if let Some(name) = name.filter(ours) {
        process_group::kill_stragglers(name);
    }
}

/// Removes the folders that workers left which are no more.
pub(crate) fn remove_stale(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for folder in entries.map(|entry| entry.path()) {
        let in_use = match File::open(folder.join(LOCK_FILE)) {
            Ok(lock) => lock.try_lock().is_err(),
            // A folder without a lock was being made or removed.
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        if !in_use {
            kill_stragglers(&folder);
            remove(&folder);
        }
    }
}

/// What is left in a work tree after the agent.
pub(crate) struct WorkTreeStats {
    /// Whether there is anything at all.
    pub(crate) has_entries: bool,
}

/// Removes everything that Git would take for a repository of its own, and checks the limits.
/// Links are never followed.
pub(crate) fn sanitize_work_tree(
    files: &Path,
    limits: WorkTreeLimits,
) -> Result<WorkTreeStats, String> {
    let mut left = vec![(files.to_owned(), 0_usize)];
    let (mut count, mut bytes) = (0_u64, 0_u64);
    while let Some((folder, depth)) = left.pop() {
        let failed = |error: io::Error| format!("the work tree cannot be read: {error}");
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            if entry.file_name().eq_ignore_ascii_case(".git") {
                remove(&path);
                continue;
            }
            // Of the entry itself: what a link leads to is not looked at.
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
                    let most = limits.max_depth;
                    return Err(format!(
                        "the work tree has more than {most} folders within each other"
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

/// Copies a folder of plain files.
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

/// Removes a file or a folder, also one that does not want it.
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
    // Folders that nobody may write to keep what is in them.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mut left = vec![path.to_owned()];
        while let Some(folder) = left.pop() {
            let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            left.extend(folders.map(|entry| entry.path()));
        }
        let _ = fs::remove_dir_all(path);
    }
}

/// Makes a folder that only the own account can look into.
fn create_private_dir(folder: &Path, with_parents: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(with_parents);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// What tells a folder from another one at the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DirId(u64, u64);

/// The folder at a path; nothing when it is no folder, or a link to one.
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
