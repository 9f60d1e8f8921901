//! The private folder of a run: made for it, and gone with it.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};

use svc_admin_api::Random;

use crate::{Limits, group};

/// Random bytes in the name of a folder.
const NAME: usize = 12;
/// What tells that somebody works in a folder.
const LOCK: &str = "lock";

/// A private folder. It is removed when the run ends, however it ends.
pub(crate) struct Workspace {
    folder: PathBuf,
    /// The work tree as it was made: no other may stand in its place later.
    work_tree: Option<Identity>,
    /// Held as long as the folder is used.
    _lock: File,
}

impl Workspace {
    /// Makes one.
    pub(crate) fn make(parent: &Path, random: &dyn Random) -> io::Result<Self> {
        private(parent, true)?;
        let mut bytes = [0; NAME];
        random.fill(&mut bytes).map_err(io::Error::other)?;
        let name: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder = parent.join(name);
        private(&folder, false)?;
        let lock = File::create_new(folder.join(LOCK))?;
        lock.lock()?;
        let mut workspace = Self {
            folder,
            work_tree: None,
            _lock: lock,
        };
        for folder in [workspace.files(), workspace.home(), workspace.temporary()] {
            private(&folder, false)?;
        }
        workspace.work_tree = identity(&workspace.files());
        Ok(workspace)
    }

    /// All of it.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The clone that the agent works in.
    pub(crate) fn files(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// The folder of Git that the agent has: it may do with it what it likes.
    pub(crate) fn clone_of_agent(&self) -> PathBuf {
        self.files().join(".git")
    }

    /// The folder of Git that commits are made in.
    pub(crate) fn git(&self) -> PathBuf {
        self.folder.join("git")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    pub(crate) fn temporary(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    /// All prompts of the job, as JSON.
    pub(crate) fn prompts(&self) -> PathBuf {
        self.folder.join("prompts.json")
    }

    /// Whether the work tree is the folder that was made, and no link to another one.
    pub(crate) fn is_whole(&self) -> bool {
        let now = identity(&self.files());
        now.is_some() && now == self.work_tree
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        sweep(&self.folder);
        remove(&self.folder);
    }
}

/// Ends what runs for a folder, if its name is one that only a run can have.
pub(crate) fn sweep(folder: &Path) {
    let name = folder.file_name().and_then(|name| name.to_str());
    let ours = |name: &&str| name.len() == 2 * NAME && name.bytes().all(|b| b.is_ascii_hexdigit());
    if let Some(name) = name.filter(ours) {
        group::sweep(name);
    }
}

/// Removes the folders that workers left which are no more.
pub(crate) fn clear(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for folder in entries.map(|entry| entry.path()) {
        let in_use = match File::open(folder.join(LOCK)) {
            Ok(lock) => lock.try_lock().is_err(),
            // A folder without a lock was being made or removed.
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        if !in_use {
            sweep(&folder);
            remove(&folder);
        }
    }
}

/// What is left in a work tree after the agent.
pub(crate) struct Left {
    /// Whether there is anything at all.
    pub(crate) something: bool,
}

/// Removes everything that Git would take for a repository of its own, and checks the limits.
/// Links are never followed.
pub(crate) fn scrub(files: &Path, limits: Limits) -> Result<Left, String> {
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
            if count > limits.files {
                return Err(format!(
                    "the work tree has more than {} files",
                    limits.files
                ));
            }
            if bytes > limits.bytes {
                return Err(format!(
                    "the work tree has more than {} bytes",
                    limits.bytes
                ));
            }
            if data.is_dir() {
                if depth >= limits.depth {
                    let most = limits.depth;
                    return Err(format!(
                        "the work tree has more than {most} folders within each other"
                    ));
                }
                left.push((path, depth + 1));
            }
        }
    }
    Ok(Left {
        something: count > 0,
    })
}

/// Copies a folder of plain files.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    private(to, false)?;
    let mut left = vec![PathBuf::new()];
    while let Some(below) = left.pop() {
        for entry in fs::read_dir(from.join(&below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                private(&to.join(&path), false)?;
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
fn private(folder: &Path, with_parents: bool) -> io::Result<()> {
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
pub(crate) struct Identity(u64, u64);

/// The folder at a path; nothing when it is no folder, or a link to one.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    let data = fs::symlink_metadata(path).ok()?;
    #[cfg(unix)]
    let identity = {
        use std::os::unix::fs::MetadataExt as _;
        Identity(data.dev(), data.ino())
    };
    #[cfg(not(unix))]
    let identity = Identity(0, 0);
    data.is_dir().then_some(identity)
}
