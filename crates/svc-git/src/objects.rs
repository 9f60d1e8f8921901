//! Reads objects. Their content is untrusted.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use gix::objs::{Kind, TreeRefIter};

use crate::GitError;

/// Object database of a repository.
pub(crate) struct Objects {
    repository: gix::Repository,
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Objects")
    }
}

/// Entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: EntryKind,
    pub(crate) id: ObjectId,
}

/// Fields of a commit that exports and dates need.
#[derive(Debug)]
pub(crate) struct ParsedCommit {
    pub(crate) tree: ObjectId,
    pub(crate) parents: Vec<ObjectId>,
    /// Author time in seconds since 1970.
    pub(crate) time: i64,
    /// UTC offset of the author in seconds.
    pub(crate) offset: i64,
}

impl Objects {
    /// Opens the object database of a store.
    pub(crate) fn open_store(dir: &Path, object_bytes: usize) -> Result<Self, GitError> {
        let options = open_options(object_bytes).open_path_as_is(true);
        let repository = gix::open_opts(dir, options).map_err(GitError::corrupt)?;
        Ok(Self { repository })
    }

    /// Opens an existing repository: a bare one, a work tree, or its `.git` directory.
    pub(crate) fn open(dir: &Path, object_bytes: usize) -> Result<Self, GitError> {
        if !dir.is_dir() {
            let message = format!("`{}` is not a folder", dir.display());
            return Err(GitError::NotFound(message));
        }
        let result = gix::open_opts(dir, open_options(object_bytes));
        let result = result
            .or_else(|_| gix::open_opts(dir, open_options(object_bytes).open_path_as_is(true)));
        let repository = result.map_err(|error| {
            let message = format!("`{}` is not a repository: {error}", dir.display());
            GitError::NotFound(message)
        })?;
        Ok(Self { repository })
    }

    pub(crate) const fn repository(&self) -> &gix::Repository {
        &self.repository
    }

    pub(crate) fn has(&self, id: ObjectId) -> bool {
        self.repository.has_object(id)
    }

    /// Reads an object and checks its kind.
    pub(crate) fn get(&self, id: ObjectId, kind: Kind) -> Result<Vec<u8>, GitError> {
        // The well-known id of the empty tree; servers do not send the object.
        if kind == Kind::Tree && id.is_empty_tree() {
            return Ok(Vec::new());
        }
        let object = self
            .repository
            .try_find_object(id)
            .map_err(GitError::corrupt)?;
        let Some(object) = object else {
            return Err(GitError::Corrupt(format!("{kind} {id} is missing")));
        };
        if object.kind != kind {
            return Err(GitError::Corrupt(format!("{id} is not a {kind}")));
        }
        Ok(object.detach().data)
    }

    /// Size of an object in bytes; `None` if it is missing.
    pub(crate) fn size(&self, id: ObjectId) -> Result<Option<u64>, GitError> {
        let header = self
            .repository
            .try_find_header(id)
            .map_err(GitError::corrupt)?;
        Ok(header.map(|header| header.size()))
    }

    /// Reads a blob and verifies that its content matches its id.
    pub(crate) fn blob(&self, id: ObjectId) -> Result<Vec<u8>, GitError> {
        let data = self.get(id, Kind::Blob)?;
        let hash = gix::objs::compute_hash(id.kind(), Kind::Blob, &data);
        match hash {
            Ok(hash) if hash == id => Ok(data),
            _ => Err(GitError::Corrupt(format!(
                "the content of blob {id} does not match its id"
            ))),
        }
    }

    /// Reads the entries of a tree.
    pub(crate) fn tree(&self, id: ObjectId) -> Result<Vec<Entry>, GitError> {
        let data = self.get(id, Kind::Tree)?;
        let mut entries = Vec::new();
        for entry in TreeRefIter::from_bytes(&data, id.kind()) {
            let entry = entry.map_err(|_| GitError::Corrupt(format!("tree {id} is malformed")))?;
            entries.push(Entry {
                name: entry.filename.to_vec(),
                kind: entry.mode.kind(),
                id: entry.oid.to_owned(),
            });
        }
        Ok(entries)
    }

    /// Reads a commit.
    pub(crate) fn commit(&self, id: ObjectId) -> Result<ParsedCommit, GitError> {
        let data = self.get(id, Kind::Commit)?;
        let read = || gix::objs::CommitRefIter::from_bytes(&data, id.kind());
        let tree = read().tree_id();
        let tree = tree.map_err(|_| GitError::Corrupt(format!("commit {id} is malformed")))?;
        let time = read().committer().ok().and_then(|sig| sig.time().ok());
        Ok(ParsedCommit {
            tree,
            parents: read().parent_ids().collect(),
            time: time.map_or(0, |time| time.seconds),
            offset: time.map_or(0, |time| i64::from(time.offset)),
        })
    }

    /// Resolves tags to the commit they point to.
    pub(crate) fn peel(&self, id: ObjectId) -> Result<ObjectId, GitError> {
        let mut id = id;
        // A tag can point to another tag.
        for _ in 0..8 {
            let object = self
                .repository
                .try_find_object(id)
                .map_err(GitError::corrupt)?;
            let Some(object) = object else {
                return Err(GitError::Corrupt(format!("commit {id} is missing")));
            };
            match object.kind {
                Kind::Commit => return Ok(id),
                Kind::Tag => {
                    let target = gix::objs::TagRefIter::from_bytes(&object.data, id.kind());
                    let target = target.target_id();
                    id = target.map_err(|_| GitError::Corrupt(format!("tag {id} is malformed")))?;
                }
                Kind::Tree | Kind::Blob => break,
            }
        }
        Err(GitError::NotFound(format!("{id} is not a commit")))
    }

    /// Tree of a subfolder in a commit; `None` if it does not exist.
    pub(crate) fn subtree(&self, tree: ObjectId, path: &str) -> Result<Option<ObjectId>, GitError> {
        let mut id = tree;
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let entries = self.tree(id)?;
            let fits = |entry: &&Entry| entry.name == part.as_bytes();
            match entries.iter().find(fits) {
                Some(entry) if entry.kind == EntryKind::Tree => id = entry.id,
                _ => return Ok(None),
            }
        }
        Ok(Some(id))
    }

    /// Commits at the boundary of a shallow clone.
    pub(crate) fn shallow(&self) -> Vec<ObjectId> {
        let commits = self.repository.shallow_commits().ok().flatten();
        commits
            .map(|commits| commits.iter().copied().collect())
            .unwrap_or_default()
    }

    /// Blobs below a tree that are not in the database.
    pub(crate) fn missing_blobs(
        &self,
        tree: ObjectId,
        limits: &crate::RepositoryLimits,
    ) -> Result<Vec<ObjectId>, GitError> {
        let mut missing = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        let mut pending = vec![(tree, 0)];
        let mut entries = 0_usize;
        while let Some((tree, depth)) = pending.pop() {
            if !seen.insert(tree) {
                continue;
            }
            if depth > limits.max_depth {
                return Err(GitError::too_deep(limits));
            }
            for entry in self.tree(tree)? {
                entries += 1;
                match entry.kind {
                    EntryKind::Tree => pending.push((entry.id, depth + 1)),
                    EntryKind::Commit => {}
                    _ if self.has(entry.id) => {}
                    _ => missing.push(entry.id),
                }
            }
            if entries > limits.max_files.saturating_mul(2) {
                return Err(GitError::too_many_files(limits));
            }
        }
        missing.sort();
        missing.dedup();
        Ok(missing)
    }
}

/// Options that read only the configuration of the repository itself.
fn open_options(object_bytes: usize) -> gix::open::Options {
    gix::open::Options::isolated()
        .with(gix::sec::Trust::Full)
        .config_overrides([
            format!("gitoxide.objects.allocLimit={object_bytes}"),
            "core.deltaBaseCacheLimit=64m".to_owned(),
        ])
}

/// Normalizes the path of a folder in a repository to `docs/site`, without leading and trailing
/// slashes.
pub(crate) fn normalize_subfolder(text: &str) -> Result<String, GitError> {
    let trimmed = text.strip_prefix("./").unwrap_or(text).trim_matches('/');
    let bad = |part: &str| matches!(part, "" | "." | "..") || part.contains(['\\', '\0']);
    if !trimmed.is_empty() && trimmed != "." && trimmed.split('/').any(bad) {
        return Err(GitError::InvalidSubfolder(text.to_owned()));
    }
    Ok(if trimmed == "." {
        String::new()
    } else {
        trimmed.to_owned()
    })
}

/// Root directory of the repository that contains a directory.
pub(crate) fn find_root(dir: &Path) -> Option<PathBuf> {
    let dir = dir.canonicalize().ok()?;
    let begins = |dir: &&Path| dir.join(".git").exists();
    dir.ancestors().find(begins).map(Path::to_owned)
}
