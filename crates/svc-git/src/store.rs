//! The bare repository of fetched objects. Only this crate writes to it, one process at a time. A
//! store with any inconsistency is deleted and created again.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use gix::ObjectId;
use serde::{Deserialize, Serialize};
use svc_source::write_atomic;

use crate::objects::Objects;
use crate::protocol::ShallowInfo;
use crate::{GitError, Options};

/// Time to wait for the lock of a store.
const LOCK_TIMEOUT: Duration = Duration::from_secs(3);
/// Number of packs after which everything is fetched again, which is cheaper than many small packs.
const MAX_PACKS: usize = 50;
/// Maximum number of fetched commits that are sent as haves.
const MAX_TIPS: usize = 32;

/// Configuration for which a store was created. A different one recreates the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StoreConfig {
    format: u32,
    #[serde(rename = "address")]
    remote: String,
    history: bool,
    subfolder: String,
    program: bool,
    file_bytes: u64,
}

/// Persistent state of a store.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StoreState {
    #[serde(rename = "purpose")]
    config: StoreConfig,
    /// Object filter of the fetches: `blob:none`.
    filter: Option<String>,
    /// Fetched commits, the newest last.
    tips: Vec<String>,
    /// Blobs that exceed the size limit and are not fetched.
    left_out: BTreeSet<String>,
}

/// Opens the lock file without following symbolic links.
fn open_lock(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        let flags = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or_default();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    options.open(path)
}

/// A locked store.
#[derive(Debug)]
pub(crate) struct Store {
    dir: PathBuf,
    state: StoreState,
    max_object_bytes: usize,
    _lock: File,
}

impl Store {
    /// Opens or creates the store in a directory. A store of another remote or with other options
    /// is deleted.
    pub(crate) fn open(dir: &Path, remote: &str, options: &Options) -> Result<Self, GitError> {
        fs::create_dir_all(dir).map_err(GitError::file(dir))?;
        let path = dir.join("svc.lock");
        let lock = open_lock(&path).map_err(GitError::file(&path))?;
        // A child process that is being started holds the file descriptors of this process briefly.
        let end = Instant::now() + LOCK_TIMEOUT;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < end => {
                    thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => return Err(GitError::Busy),
                Err(TryLockError::Error(error)) => return Err(GitError::Io { path, error }),
            }
        }
        let config = StoreConfig {
            format: 1,
            remote: remote.to_owned(),
            history: options.history,
            subfolder: options.subfolder.clone(),
            program: options.git_program.is_some(),
            file_bytes: options.limits.max_file_bytes,
        };
        let read = || -> Option<StoreState> {
            let text = fs::read(dir.join("svc.json")).ok()?;
            serde_json::from_slice(&text).ok()
        };
        let stored_state = read().filter(|state| state.config == config);
        let fresh = stored_state.is_none();
        let mut store = Self {
            dir: dir.to_owned(),
            state: stored_state.unwrap_or(StoreState {
                config,
                filter: None,
                tips: Vec::new(),
                left_out: BTreeSet::new(),
            }),
            max_object_bytes: options.limits.max_object_bytes,
            _lock: lock,
        };
        if fresh || store.packs() > MAX_PACKS {
            store.clear()?;
        }
        store.sweep();
        Ok(store)
    }

    /// Deletes all contents of the store.
    pub(crate) fn clear(&mut self) -> Result<(), GitError> {
        let entries = fs::read_dir(&self.dir).map_err(GitError::file(&self.dir))?;
        for entry in entries {
            let entry = entry.map_err(GitError::file(&self.dir))?;
            let path = entry.path();
            // Cached results belong to commits, which do not change.
            let retained = ["svc.lock", "dates", "problems"];
            if retained.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let removed = match is_dir {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            removed.map_err(GitError::file(path))?;
        }
        self.state.filter = None;
        self.state.tips.clear();
        self.state.left_out.clear();
        for dir in ["objects/pack", "objects/info", "refs/heads"] {
            let path = self.dir.join(dir);
            fs::create_dir_all(&path).map_err(GitError::file(path))?;
        }
        // Only the program `git` reads more of it than that the repository is bare.
        let config = match self.state.config.program {
            false => "[core]\n\trepositoryformatversion = 0\n\tbare = true\n".to_owned(),
            true => format!(
                "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\turl = \"{}\"\n\tpromisor = true\n\tpartialclonefilter = blob:none\n",
                self.state
                    .config
                    .remote
                    .replace('\\', "\\\\")
                    .replace('"', "\\\"")
            ),
        };
        self.write("config", config.as_bytes())?;
        self.write("HEAD", b"ref: refs/heads/none\n")?;
        self.save()
    }

    /// Removes leftovers of an interrupted fetch.
    fn sweep(&self) {
        let pack = self.dir.join("objects/pack");
        for dir in [&self.dir, &pack, &self.dir.join("refs/svc")] {
            for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let is_leftover = name.starts_with("tmp_")
                    || name.starts_with(".tmp")
                    || (name.ends_with(".lock") && name != "svc.lock")
                    || (dir == &pack && !name.starts_with("pack-"));
                if is_leftover {
                    // Files that cannot be removed do no harm.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    fn packs(&self) -> usize {
        let entries = fs::read_dir(self.dir.join("objects/pack"));
        let is_pack = |entry: &fs::DirEntry| entry.path().extension().is_some_and(|e| e == "pack");
        entries
            .into_iter()
            .flatten()
            .flatten()
            .filter(is_pack)
            .count()
    }

    /// Directory of the bare repository.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Object filter of the store.
    pub(crate) fn filter(&self) -> Option<&str> {
        self.state.filter.as_deref()
    }

    /// Stores the object filter.
    pub(crate) fn set_filter(&mut self, filter: Option<String>) -> Result<(), GitError> {
        if self.state.filter == filter {
            return Ok(());
        }
        self.state.filter = filter;
        self.save()
    }

    /// Whether a blob is too large to be fetched; for `None`, whether there is any such blob.
    pub(crate) fn leaves_out(&self, id: Option<ObjectId>) -> bool {
        let left_out = &self.state.left_out;
        id.map_or(!left_out.is_empty(), |id| {
            left_out.contains(&id.to_string())
        })
    }

    /// Records blobs that are too large to be fetched.
    pub(crate) fn leave_out(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        self.state
            .left_out
            .extend(ids.iter().map(ObjectId::to_string));
        self.save()
    }

    /// Opens the object database.
    pub(crate) fn objects(&self) -> Result<Objects, GitError> {
        Objects::open_store(&self.dir, self.max_object_bytes)
    }

    /// Fetched commits.
    pub(crate) fn tips(&self) -> Vec<ObjectId> {
        let parse = |text: &String| ObjectId::from_hex(text.as_bytes()).ok();
        self.state.tips.iter().filter_map(parse).collect()
    }

    /// Records that a commit was fetched with all its objects.
    pub(crate) fn add_tip(&mut self, id: ObjectId) -> Result<(), GitError> {
        let id = id.to_string();
        self.state.tips.retain(|tip| *tip != id);
        self.state.tips.push(id);
        let surplus = self.state.tips.len().saturating_sub(MAX_TIPS);
        self.state.tips.drain(..surplus);
        self.save()
    }

    /// Adds a pack after verifying and indexing it.
    pub(crate) fn receive(&self, pack: &mut dyn Read) -> Result<(), GitError> {
        let pack_dir = self.dir.join("objects/pack");
        let options = gix_pack::bundle::write::Options {
            thread_limit: Some(1),
            alloc_limit_bytes: Some(self.max_object_bytes),
            ..gix_pack::bundle::write::Options::default()
        };
        // Existing objects can be the bases of deltas in the pack.
        let objects = self.objects()?.repository().objects.clone();
        let outcome = gix_pack::Bundle::write_to_directory(
            &mut BufReader::with_capacity(64 << 10, pack),
            Some(&pack_dir),
            &mut gix::progress::Discard,
            &AtomicBool::new(false),
            Some(objects),
            gix::hash::Kind::Sha1,
            options,
        );
        let outcome = outcome.map_err(|error| {
            let text = format!("{error:?} {error:#}").to_lowercase();
            match text.contains("limit") || text.contains("too large to fit") {
                true => GitError::TooLarge {
                    max: self.max_object_bytes as u64,
                    what: "bytes in one file, which the server does not omit",
                },
                false => GitError::corrupt(format!("invalid pack: {error}")),
            }
        })?;
        // Packs without references are never removed, so the `.keep` file is not needed.
        if let Some(path) = outcome.keep_path {
            let _ = fs::remove_file(path);
        }
        Ok(())
    }

    /// Commits whose parents were not fetched.
    pub(crate) fn shallow(&self) -> Vec<ObjectId> {
        let text = fs::read_to_string(self.dir.join("shallow")).unwrap_or_default();
        let parse = |line: &str| ObjectId::from_hex(line.trim().as_bytes()).ok();
        text.lines().filter_map(parse).collect()
    }

    /// Updates the shallow boundary after a fetch.
    pub(crate) fn update_shallow(&self, boundary: &ShallowInfo) -> Result<(), GitError> {
        if boundary.shallow.is_empty() && boundary.unshallow.is_empty() {
            return Ok(());
        }
        let mut ids = self.shallow();
        ids.retain(|id| !boundary.unshallow.contains(id));
        ids.extend(&boundary.shallow);
        ids.sort();
        ids.dedup();
        let text: String = ids.iter().map(|id| format!("{id}\n")).collect();
        self.write("shallow", text.as_bytes())
    }

    fn save(&self) -> Result<(), GitError> {
        let text = serde_json::to_vec(&self.state).map_err(GitError::corrupt)?;
        self.write("svc.json", &text)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), GitError> {
        let path = self.dir.join(name);
        write_atomic(&path, bytes).map_err(GitError::file(path))
    }
}
