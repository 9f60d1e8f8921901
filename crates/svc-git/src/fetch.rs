//! Fetching with Git's protocol.

use std::time::Instant;

use gix::ObjectId;

use crate::protocol::{self, Greeting, Reference, Wanted};
use crate::store::Store;
use crate::transport::{self, Transport};
use crate::{Address, GitError, Options};

/// Near names that are told.
const MOST_NEAR: usize = 3;

/// The references that a name may mean, the best first.
pub(crate) fn candidates(name: &str) -> Result<Vec<String>, GitError> {
    let full = match name {
        "HEAD" => return Ok(vec![name.to_owned()]),
        _ if name.starts_with("refs/") => vec![name.to_owned()],
        _ => vec![format!("refs/heads/{name}"), format!("refs/tags/{name}")],
    };
    let bad = |name: &String| gix::validate::reference::name(name.as_str().into()).is_err();
    match full.iter().any(bad) || name.len() > 250 {
        true => Err(GitError::BadReference(crate::error::shown(name))),
        false => Ok(full),
    }
}

/// The reference that was meant.
pub(crate) fn choose(found: &[Reference], candidates: &[String]) -> Option<Reference> {
    let exact = |name: &String| found.iter().find(|one| one.name == *name);
    candidates.iter().find_map(exact).cloned()
}

/// Says that there is no such branch, and which ones there are.
pub(crate) fn unknown(name: &str, branches: &[Reference]) -> GitError {
    if branches.is_empty() {
        return GitError::Empty;
    }
    let short = |name: &'_ str| name.strip_prefix("refs/heads/").unwrap_or(name).to_owned();
    let name = short(name);
    let mut names: Vec<String> = branches.iter().map(|one| short(&one.name)).collect();
    names.sort();
    names.truncate(10_000);
    let close = svc_diagnostics::did_you_mean(&name, names.iter().map(String::as_str));
    let near = match close {
        Some(close) => vec![close.to_owned()],
        // The usual ones, or the first.
        None => {
            let usual = |name: &&String| matches!(name.as_str(), "main" | "master");
            let mut near: Vec<_> = names.iter().filter(usual).cloned().collect();
            near.extend(names.iter().filter(|name| !usual(name)).cloned());
            near.truncate(MOST_NEAR);
            near
        }
    };
    GitError::NoReference { name, near }
}

/// Fetches what a name stands for, with everything that is wanted of it.
pub(crate) fn fetch(
    store: &mut Store,
    address: &Address,
    options: &Options,
    name: &str,
) -> Result<ObjectId, GitError> {
    let end = Instant::now() + options.limits.time;
    let fetched = Fetch {
        address,
        options,
        end,
    }
    .run(store, name);
    fetched.map_err(|error| late(error, options, end))
}

/// All branches.
pub(crate) fn branches(address: &Address, options: &Options) -> Result<Vec<Reference>, GitError> {
    let end = Instant::now() + options.limits.time;
    let read = || {
        let mut transport = way(address, options, end)?;
        let greeting = transport.greet()?;
        protocol::references(&mut *transport, &greeting, &["refs/heads/"])
    };
    read().map_err(|error| late(error, options, end))
}

/// What breaks off when time is over broke off because of that.
fn late(error: GitError, options: &Options, end: Instant) -> GitError {
    match error {
        GitError::Protocol { .. } | GitError::Network(_) | GitError::TooSlow(_)
            if Instant::now() >= end =>
        {
            GitError::TooSlow(options.limits.time.as_secs())
        }
        error => error,
    }
}

fn way(address: &Address, options: &Options, end: Instant) -> Result<Box<dyn Transport>, GitError> {
    let way = transport::to(address, options, end)?;
    way.ok_or(GitError::Address("it is a folder, which is not fetched"))
}

struct Fetch<'a> {
    address: &'a Address,
    options: &'a Options,
    end: Instant,
}

impl Fetch<'_> {
    fn run(&self, store: &mut Store, name: &str) -> Result<ObjectId, GitError> {
        let candidates = candidates(name)?;
        let mut transport = way(self.address, self.options, self.end)?;
        let greeting = transport.greet()?;
        let prefixes: Vec<&str> = candidates.iter().map(String::as_str).collect();
        let found = protocol::references(&mut *transport, &greeting, &prefixes)?;
        let Some(reference) = choose(&found, &candidates) else {
            let heads = protocol::references(&mut *transport, &greeting, &["refs/heads/"])?;
            return Err(unknown(name, &heads));
        };
        let commit = reference.commit();
        if !store.tips().contains(&commit) || !store.objects()?.has(commit) {
            self.commit(store, &mut *transport, &greeting, reference.id)?;
        }
        let commit = store.objects()?.peel(commit)?;
        self.files(store, transport, greeting, commit)?;
        store.add_tip(commit)?;
        Ok(commit)
    }

    /// Brings a commit, its folders, and its files where the server cannot leave them out.
    fn commit(
        &self,
        store: &mut Store,
        transport: &mut dyn Transport,
        greeting: &Greeting,
        id: ObjectId,
    ) -> Result<(), GitError> {
        let partial = greeting.can("filter") && greeting.gives_single_objects();
        let filter = match partial {
            false => None,
            true if self.options.history || !self.options.subfolder.is_empty() => {
                Some("blob:none".to_owned())
            }
            true => Some(format!("blob:limit={}", self.options.limits.file_bytes)),
        };
        let known = store.objects()?;
        let mut haves = store.tips();
        haves.retain(|tip| known.has(*tip));
        // What was left out before would be missing for ever.
        if !haves.is_empty() && filter.as_deref() != store.filter() {
            store.clear()?;
            haves.clear();
        }
        let wanted = Wanted {
            wants: vec![id],
            haves,
            shallow: store.shallow(),
            only_tip: !self.options.history,
            filter: filter.clone(),
        };
        store.set_filter(filter)?;
        self.bring(store, transport, greeting, &wanted)
    }

    /// Brings the files that are wanted and not there.
    fn files(
        &self,
        store: &mut Store,
        mut transport: Box<dyn Transport>,
        greeting: Greeting,
        commit: ObjectId,
    ) -> Result<(), GitError> {
        let objects = store.objects()?;
        let tree = objects.commit(commit)?.tree;
        let folder = objects.folder(tree, &self.options.subfolder)?;
        let Some(folder) = folder else {
            return Err(GitError::NoSubfolder(self.options.subfolder.clone()));
        };
        let limits = &self.options.limits;
        let mut missing = objects.missing(folder, limits)?;
        missing.retain(|id| !store.leaves_out(Some(*id)));
        match store.filter() {
            _ if missing.is_empty() => return Ok(()),
            Some("blob:none") => {}
            // Larger than the limit; the export says so.
            Some(_) => return Ok(()),
            None => {
                return Err(GitError::Broken(format!(
                    "{} files are missing",
                    missing.len()
                )));
            }
        }
        let wanted = Wanted {
            wants: missing,
            // Whatever belongs to these objects, no other files.
            filter: Some("blob:none".to_owned()),
            ..Wanted::default()
        };
        let brought = match greeting.second {
            true => self.bring(store, &mut *transport, &greeting, &wanted),
            // The older version ends with one answer.
            false => {
                drop(transport);
                self.bring_anew(store, &wanted)
            }
        };
        let Err(too_large @ GitError::TooLarge { .. }) = brought else {
            return brought;
        };
        // How large files are that have a name only the server knows; it leaves nothing out that
        // was asked for by name, but of a folder it does.
        let most = limits.file_bytes.min(limits.object_bytes as u64);
        let wanted = Wanted {
            wants: vec![folder],
            filter: Some(format!("blob:limit={most}")),
            ..Wanted::default()
        };
        if self.bring_anew(store, &wanted).is_err() {
            return Err(too_large);
        }
        store.leave_out(&store.objects()?.missing(folder, limits)?)
    }

    /// As [`Self::bring`], with a connection of its own.
    fn bring_anew(&self, store: &Store, wanted: &Wanted) -> Result<(), GitError> {
        let mut transport = way(self.address, self.options, self.end)?;
        let greeting = transport.greet()?;
        self.bring(store, &mut *transport, &greeting, wanted)
    }

    fn bring(
        &self,
        store: &Store,
        transport: &mut dyn Transport,
        greeting: &Greeting,
        wanted: &Wanted,
    ) -> Result<(), GitError> {
        let most = self.options.limits.fetch_bytes;
        let receive = |pack: &mut dyn std::io::Read| store.receive(pack);
        let (boundary, ()) =
            protocol::objects(transport, greeting, wanted, most, self.end, receive)?;
        store.set_boundary(&boundary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_branches_first_and_tricks_mean_nothing() {
        assert_eq!(
            candidates("main").expect("a name"),
            ["refs/heads/main", "refs/tags/main"]
        );
        assert_eq!(
            candidates("refs/pull/1/head").expect("a name"),
            ["refs/pull/1/head"]
        );
        for bad in [
            "", "a b", "a..b", "a\nb", "x.lock", "a:b", "a^", "refs/", "*", "@{", "a//b",
        ] {
            assert!(candidates(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_missing_branch_names_those_that_are_like_it() {
        let heads: Vec<Reference> = ["refs/heads/zebra", "refs/heads/main", "refs/heads/a"]
            .map(|name| Reference {
                name: name.to_owned(),
                id: ObjectId::null(gix::hash::Kind::Sha1),
                peeled: None,
            })
            .into();
        let shown = |name: &str| unknown(name, &heads).to_string();
        assert_eq!(
            shown("mian"),
            "the repository has no branch `mian`; there is `main`"
        );
        assert!(
            shown("quux").ends_with("there are `main`, `a`, `zebra`"),
            "{}",
            shown("quux")
        );
        assert!(matches!(unknown("main", &[]), GitError::Empty));
    }
}
