//! When files were changed last: one walk through the history, the newest commit first.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use serde::{Deserialize, Serialize};

use crate::commit::day;
use crate::objects::{Entry, Objects};
use crate::{GitError, Limits, kept};

/// Days by the path of a file.
pub(crate) type Dates = BTreeMap<String, String>;

/// Trees that are kept while walking.
const MOST_TREES: usize = 8_192;
/// Commits that are looked at for one whose dates are known.
const MOST_STEPS: usize = 1_000;

/// What a walk came to.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Found {
    days: Dates,
    /// Every file has its day. Otherwise the walk was broken off, or the history is not there: a
    /// later commit must not begin with that, or these files would never get one.
    all: bool,
}

/// What was found before.
pub(crate) fn known(folder: &Path, commit: ObjectId, subfolder: &str) -> Option<Dates> {
    kept::read(folder, commit, subfolder).map(|found: Found| found.days)
}

/// The days on which the files of a folder were changed last. `folder` is where results are kept.
pub(crate) fn dates(
    objects: &Objects,
    commit: ObjectId,
    subfolder: &str,
    folder: Option<&Path>,
    limits: &Limits,
) -> Result<Dates, GitError> {
    if let Some(known) = folder.and_then(|folder| known(folder, commit, subfolder)) {
        return Ok(known);
    }
    let start = folder.and_then(|folder| {
        let read = |id: ObjectId| kept::read(folder, id, subfolder);
        let all = |found: Found| found.all.then_some(found.days);
        ancestor(objects, commit, &|id| read(id).and_then(all))
    });
    let found = Walk::new(objects, subfolder, limits).run(commit, start)?;
    if let Some(folder) = folder {
        kept::keep(folder, commit, subfolder, &found);
    }
    Ok(found.days)
}

/// The nearest commit before one whose dates are known.
fn ancestor(
    objects: &Objects,
    commit: ObjectId,
    read: &impl Fn(ObjectId) -> Option<Dates>,
) -> Option<(ObjectId, Dates)> {
    let mut id = commit;
    for _ in 0..MOST_STEPS {
        id = objects.commit(id).ok()?.parents.first().copied()?;
        if let Some(dates) = read(id) {
            return Some((id, dates));
        }
    }
    None
}

/// A commit that is still to be looked at; the newest comes first.
#[derive(Debug, PartialEq, Eq)]
struct Pending {
    time: i64,
    id: ObjectId,
    day: i64,
    tree: ObjectId,
    parents: Vec<ObjectId>,
}

impl Ord for Pending {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.time, self.id).cmp(&(other.time, other.id))
    }
}

impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Walk<'a> {
    objects: &'a Objects,
    subfolder: &'a str,
    limits: &'a Limits,
    trees: HashMap<ObjectId, Rc<Vec<Entry>>>,
    /// Files whose day is not known yet.
    open: HashSet<String>,
    dates: Dates,
}

impl<'a> Walk<'a> {
    fn new(objects: &'a Objects, subfolder: &'a str, limits: &'a Limits) -> Self {
        Self {
            objects,
            subfolder,
            limits,
            trees: HashMap::new(),
            open: HashSet::new(),
            dates: Dates::new(),
        }
    }

    /// `known` is a commit before `head` and its dates: what has not changed since is as it was.
    fn run(mut self, head: ObjectId, known: Option<(ObjectId, Dates)>) -> Result<Found, GitError> {
        let end = Instant::now() + self.limits.dates_time;
        let shallow: HashSet<ObjectId> = self.objects.shallow().into_iter().collect();
        let first = self.pending(head)?;
        let Some(folder) = self.folder(first.tree)? else {
            return Ok(self.found());
        };
        self.changed(&mut String::new(), folder, &[], 0, &mut |walk, path| {
            walk.open.insert(path.to_owned());
        })?;
        let mut queue = BinaryHeap::from([first]);
        let mut seen = HashSet::from([head]);
        // Commits that the known dates speak of.
        let mut old = HashSet::new();
        // Commits in the queue that they do not.
        let mut new = HashSet::from([head]);
        if let Some((id, _)) = &known {
            seen.insert(*id);
            old.insert(*id);
            queue.push(self.pending(*id)?);
        }
        let mut looked = 0;
        while let Some(next) = queue.pop() {
            let is_old = old.contains(&next.id);
            if !is_old {
                new.remove(&next.id);
                looked += 1;
                // What is known would be wrong of files that the commits left over change.
                if looked > self.limits.commits || Instant::now() > end {
                    return Ok(self.found());
                }
            }
            let missing = shallow.contains(&next.id);
            let parents = if missing { &[][..] } else { &next.parents };
            let mut before = Vec::new();
            for parent in parents {
                // Not there although it should be: the rest of the history is unknown.
                let Ok(parent) = self.pending(*parent) else {
                    return Ok(self.found());
                };
                if !is_old {
                    before.push(self.folder(parent.tree)?);
                }
                let id = parent.id;
                if is_old {
                    old.insert(id);
                    // Perhaps it was met before from a new one.
                    new.remove(&id);
                }
                if seen.insert(id) {
                    if !is_old {
                        new.insert(id);
                    }
                    queue.push(parent);
                }
            }
            // What a commit changed cannot be told without its parents.
            if !is_old
                && !missing
                && let Some(folder) = self.folder(next.tree)?
            {
                let day = day(next.day);
                self.changed(&mut String::new(), folder, &before, 0, &mut |walk, path| {
                    if walk.open.remove(path) {
                        walk.dates.insert(path.to_owned(), day.clone());
                    }
                })?;
            }
            if self.open.is_empty() || new.is_empty() {
                break;
            }
        }
        if let Some((_, known)) = known {
            for (path, day) in known {
                if self.open.remove(&path) {
                    self.dates.insert(path, day);
                }
            }
        }
        Ok(self.found())
    }

    fn found(self) -> Found {
        Found {
            all: self.open.is_empty(),
            days: self.dates,
        }
    }

    fn pending(&self, id: ObjectId) -> Result<Pending, GitError> {
        let commit = self.objects.commit(id)?;
        Ok(Pending {
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
        if self.trees.len() >= MOST_TREES {
            self.trees.clear();
        }
        self.trees.insert(id, Rc::clone(&tree));
        Ok(tree)
    }

    /// The folder within the tree of a commit.
    fn folder(&mut self, tree: ObjectId) -> Result<Option<ObjectId>, GitError> {
        let mut id = tree;
        for part in self.subfolder.split('/').filter(|part| !part.is_empty()) {
            let tree = self.tree(id)?;
            let found = tree.iter().find(|entry| entry.name == part.as_bytes());
            match found {
                Some(entry) if entry.kind == EntryKind::Tree => id = entry.id,
                _ => return Ok(None),
            }
        }
        Ok(Some(id))
    }

    /// Tells the files of a tree that differ from those of every one of some others.
    fn changed(
        &mut self,
        path: &mut String,
        tree: ObjectId,
        before: &[Option<ObjectId>],
        depth: usize,
        tell: &mut dyn FnMut(&mut Self, &str),
    ) -> Result<(), GitError> {
        if before.contains(&Some(tree)) {
            return Ok(());
        }
        if depth > self.limits.depth {
            return Err(crate::export::too_deep(self.limits));
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
        let mut others: Vec<_> = others.iter().map(|tree| Others::new(tree)).collect();
        for entry in entries.iter() {
            let before: Vec<_> = others
                .iter_mut()
                .map(|tree| tree.find(&entry.name))
                .collect();
            if before.iter().flatten().any(|old| old.id == entry.id) {
                continue;
            }
            // A name that is not text is none of a page.
            let Ok(name) = std::str::from_utf8(&entry.name) else {
                continue;
            };
            let length = path.len();
            path.push_str(name);
            match entry.kind {
                EntryKind::Tree => {
                    let folder = |old: &Entry| (old.kind == EntryKind::Tree).then_some(old.id);
                    let before: Vec<_> = before.iter().map(|old| old.and_then(folder)).collect();
                    path.push('/');
                    self.changed(path, entry.id, &before, depth + 1, tell)?;
                }
                EntryKind::Commit => {}
                _ => tell(self, path),
            }
            path.truncate(length);
        }
        Ok(())
    }
}

/// Finds entries of a tree by name.
struct Others<'a>(HashMap<&'a [u8], &'a Entry>);

impl<'a> Others<'a> {
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
