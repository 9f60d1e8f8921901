//! Dates of the last change of files: a single walk through the history, newest commit first.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use serde::{Deserialize, Serialize};

use crate::commit::format_day;
use crate::objects::{Entry, Objects};
use crate::{GitError, RepositoryLimits, result_cache};

/// Dates by file path.
pub(crate) type Dates = BTreeMap<String, String>;

/// Maximum number of trees that are cached during a walk.
const MAX_CACHED_TREES: usize = 8_192;
/// Maximum number of ancestors that are searched for cached dates.
const MAX_ANCESTORS: usize = 1_000;

/// Result of a walk.
#[derive(Debug, Default, Serialize, Deserialize)]
struct WalkResult {
    days: Dates,
    /// Whether all files have a date. Otherwise the walk was aborted or history is missing, and
    /// later commits must not reuse the result, because these files would never get a date.
    all: bool,
}

/// Cached dates of a commit; `None` if there are none.
pub(crate) fn cached(cache_dir: &Path, commit: ObjectId, subfolder: &str) -> Option<Dates> {
    result_cache::read(cache_dir, commit, subfolder).map(|result: WalkResult| result.days)
}

/// Dates of the last change of the files in a subfolder. `cache_dir` is the cache directory.
pub(crate) fn dates(
    objects: &Objects,
    commit: ObjectId,
    subfolder: &str,
    cache_dir: Option<&Path>,
    limits: &RepositoryLimits,
) -> Result<Dates, GitError> {
    if let Some(known) = cache_dir.and_then(|cache_dir| cached(cache_dir, commit, subfolder)) {
        return Ok(known);
    }
    let start = cache_dir.and_then(|cache_dir| {
        let read = |id: ObjectId| result_cache::read(cache_dir, id, subfolder);
        let all = |result: WalkResult| result.all.then_some(result.days);
        dated_ancestor(objects, commit, &|id| read(id).and_then(all))
    });
    let result = Walk::new(objects, subfolder, limits).run(commit, start)?;
    if let Some(cache_dir) = cache_dir {
        result_cache::store(cache_dir, commit, subfolder, &result);
    }
    Ok(result.days)
}

/// The nearest ancestor with cached dates.
fn dated_ancestor(
    objects: &Objects,
    commit: ObjectId,
    read: &impl Fn(ObjectId) -> Option<Dates>,
) -> Option<(ObjectId, Dates)> {
    let mut id = commit;
    for _ in 0..MAX_ANCESTORS {
        id = objects.commit(id).ok()?.parents.first().copied()?;
        if let Some(dates) = read(id) {
            return Some((id, dates));
        }
    }
    None
}

/// A commit that has not been visited yet, ordered by time.
#[derive(Debug, PartialEq, Eq)]
struct PendingCommit {
    time: i64,
    id: ObjectId,
    day: i64,
    tree: ObjectId,
    parents: Vec<ObjectId>,
}

impl Ord for PendingCommit {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.time, self.id).cmp(&(other.time, other.id))
    }
}

impl PartialOrd for PendingCommit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Walk<'a> {
    objects: &'a Objects,
    subfolder: &'a str,
    limits: &'a RepositoryLimits,
    trees: HashMap<ObjectId, Rc<Vec<Entry>>>,
    /// Files without a date so far.
    undated: HashSet<String>,
    dates: Dates,
}

impl<'a> Walk<'a> {
    fn new(objects: &'a Objects, subfolder: &'a str, limits: &'a RepositoryLimits) -> Self {
        Self {
            objects,
            subfolder,
            limits,
            trees: HashMap::new(),
            undated: HashSet::new(),
            dates: Dates::new(),
        }
    }

    /// Walks the history. `cached` is an ancestor of `head` and its dates, which apply to files that
    /// have not changed since.
    fn run(
        mut self,
        head: ObjectId,
        cached: Option<(ObjectId, Dates)>,
    ) -> Result<WalkResult, GitError> {
        let end = Instant::now() + self.limits.dates_timeout;
        let shallow: HashSet<ObjectId> = self.objects.shallow().into_iter().collect();
        let first = self.load_commit(head)?;
        let Some(subtree) = self.subfolder_tree(first.tree)? else {
            return Ok(self.into_result());
        };
        self.visit_changed_files(&mut String::new(), subtree, &[], 0, &mut |walk, path| {
            walk.undated.insert(path.to_owned());
        })?;
        let mut queue = BinaryHeap::from([first]);
        let mut seen = HashSet::from([head]);
        // Queued commits that are covered by the known dates.
        let mut old = HashSet::new();
        // Queued commits that are not covered by the known dates.
        let mut new = HashSet::from([head]);
        if let Some((id, _)) = &cached {
            seen.insert(*id);
            old.insert(*id);
            queue.push(self.load_commit(*id)?);
        }
        let mut visited = 0;
        while let Some(next) = queue.pop() {
            let is_old = old.contains(&next.id);
            if !is_old {
                new.remove(&next.id);
                visited += 1;
                // Unvisited commits may have changed files, so the known dates cannot be used for
                // the rest.
                if visited > self.limits.max_commits || Instant::now() > end {
                    return Ok(self.into_result());
                }
            }
            let missing = shallow.contains(&next.id);
            let parents = if missing { &[][..] } else { &next.parents };
            let mut before = Vec::new();
            for parent in parents {
                // The object is missing, so the rest of the history is unknown.
                let Ok(parent) = self.load_commit(*parent) else {
                    return Ok(self.into_result());
                };
                if !is_old {
                    before.push(self.subfolder_tree(parent.tree)?);
                }
                let id = parent.id;
                if is_old {
                    old.insert(id);
                    // The commit may have been queued as a descendant's parent before.
                    new.remove(&id);
                }
                if seen.insert(id) {
                    if !is_old {
                        new.insert(id);
                    }
                    queue.push(parent);
                }
            }
            // Changes of a commit are unknown without its parents.
            if !is_old
                && !missing
                && let Some(subtree) = self.subfolder_tree(next.tree)?
            {
                let day = format_day(next.day);
                self.visit_changed_files(
                    &mut String::new(),
                    subtree,
                    &before,
                    0,
                    &mut |walk, path| {
                        if walk.undated.remove(path) {
                            walk.dates.insert(path.to_owned(), day.clone());
                        }
                    },
                )?;
            }
            if self.undated.is_empty() || new.is_empty() {
                break;
            }
        }
        if let Some((_, cached)) = cached {
            for (path, day) in cached {
                if self.undated.remove(&path) {
                    self.dates.insert(path, day);
                }
            }
        }
        Ok(self.into_result())
    }

    fn into_result(self) -> WalkResult {
        WalkResult {
            all: self.undated.is_empty(),
            days: self.dates,
        }
    }

    fn load_commit(&self, id: ObjectId) -> Result<PendingCommit, GitError> {
        let commit = self.objects.commit(id)?;
        Ok(PendingCommit {
            time: commit.time,
            id,
            day: commit.time.saturating_add(commit.offset),
            tree: commit.tree,
            parents: commit.parents,
        })
    }

    fn tree(&mut self, id: ObjectId) -> Result<Rc<Vec<Entry>>, GitError> {
        if let Some(tree) = self.trees.get(&id) {
            return Ok(Rc::clone(tree));
        }
        let tree = Rc::new(self.objects.tree(id)?);
        if self.trees.len() >= MAX_CACHED_TREES {
            self.trees.clear();
        }
        self.trees.insert(id, Rc::clone(&tree));
        Ok(tree)
    }

    /// Tree of the subfolder in the tree of a commit.
    fn subfolder_tree(&mut self, tree: ObjectId) -> Result<Option<ObjectId>, GitError> {
        let mut id = tree;
        for part in self.subfolder.split('/').filter(|part| !part.is_empty()) {
            let tree = self.tree(id)?;
            let matched = tree.iter().find(|entry| entry.name == part.as_bytes());
            match matched {
                Some(entry) if entry.kind == EntryKind::Tree => id = entry.id,
                _ => return Ok(None),
            }
        }
        Ok(Some(id))
    }

    /// Visits the files of a tree that differ from those in all of the other trees.
    fn visit_changed_files(
        &mut self,
        path: &mut String,
        tree: ObjectId,
        before: &[Option<ObjectId>],
        depth: usize,
        visit: &mut dyn FnMut(&mut Self, &str),
    ) -> Result<(), GitError> {
        if before.contains(&Some(tree)) {
            return Ok(());
        }
        if depth > self.limits.max_depth {
            return Err(GitError::too_deep(self.limits));
        }
        let entries = self.tree(tree)?;
        let mut others = Vec::new();
        for tree in before {
            let tree = match tree {
                Some(tree) => self.tree(*tree)?,
                None => Rc::default(),
            };
            others.push(tree);
        }
        let mut others: Vec<_> = others.iter().map(|tree| TreeIndex::new(tree)).collect();
        for entry in entries.iter() {
            let before: Vec<_> = others
                .iter_mut()
                .map(|tree| tree.find(&entry.name))
                .collect();
            if before.iter().flatten().any(|old| old.id == entry.id) {
                continue;
            }
            // Pages have valid UTF-8 names.
            let Ok(name) = std::str::from_utf8(&entry.name) else {
                continue;
            };
            let length = path.len();
            path.push_str(name);
            match entry.kind {
                EntryKind::Tree => {
                    let subtree = |old: &Entry| (old.kind == EntryKind::Tree).then_some(old.id);
                    let before: Vec<_> = before.iter().map(|old| old.and_then(subtree)).collect();
                    path.push('/');
                    self.visit_changed_files(path, entry.id, &before, depth + 1, visit)?;
                }
                EntryKind::Commit => {}
                _ => visit(self, path),
            }
            path.truncate(length);
        }
        Ok(())
    }
}

/// Index of the entries of a tree by name.
struct TreeIndex<'a>(HashMap<&'a [u8], &'a Entry>);

impl<'a> TreeIndex<'a> {
    fn new(tree: &'a [Entry]) -> Self {
        Self(
            tree.iter()
                .map(|entry| (entry.name.as_slice(), entry))
                .collect(),
        )
    }

    fn find(&mut self, name: &[u8]) -> Option<&'a Entry> {
        self.0.get(name).copied()
    }
}
