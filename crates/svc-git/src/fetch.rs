//! Fetching with Git's protocol.

use std::time::Instant;

use gix::ObjectId;

use crate::protocol::{self, Advertisement, FetchArgs, Reference};
use crate::store::Store;
use crate::transport::{self, Transport};
use crate::{GitError, Options, RemoteUrl};

/// Near names that are told.
const MAX_SUGGESTIONS: usize = 3;

/// The references that a name may mean, the best first.
pub(crate) fn candidates(name: &str) -> Result<Vec<String>, GitError> {
    let full = match name {
        "HEAD" => return Ok(vec![name.to_owned()]),
        _ if name.starts_with("refs/") => vec![name.to_owned()],
        _ => vec![format!("refs/heads/{name}"), format!("refs/tags/{name}")],
    };
    let bad = |name: &String| gix::validate::reference::name(name.as_str().into()).is_err();
    match full.iter().any(bad) || name.len() > 250 {
        true => Err(GitError::InvalidReference(crate::error::sanitize_line(
            name,
        ))),
        false => Ok(full),
    }
}

/// The reference that was meant.
pub(crate) fn choose(found: &[Reference], candidates: &[String]) -> Option<Reference> {
    let exact = |name: &String| found.iter().find(|one| one.name == *name);
    candidates.iter().find_map(exact).cloned()
}

/// Says that there is no such branch, and which ones there are.
pub(crate) fn unknown_reference(name: &str, branches: &[Reference]) -> GitError {
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
            near.truncate(MAX_SUGGESTIONS);
            near
        }
    };
    GitError::ReferenceNotFound {
        name,
        suggestions: near,
    }
}

/// Fetches what a name stands for, with everything that is wanted of it.
pub(crate) fn fetch(
    store: &mut Store,
    address: &RemoteUrl,
    options: &Options,
    name: &str,
) -> Result<ObjectId, GitError> {
    let end = Instant::now() + options.limits.fetch_timeout;
    let fetched = Fetch {
        remote: address,
        options,
        deadline: end,
    }
    .run(store, name);
    fetched.map_err(|error| map_timeout(error, options, end))
}

/// All branches.
pub(crate) fn branches(address: &RemoteUrl, options: &Options) -> Result<Vec<Reference>, GitError> {
    let end = Instant::now() + options.limits.fetch_timeout;
    let read = || {
        let mut transport = connect(address, options, end)?;
        let greeting = transport.handshake()?;
        protocol::references(&mut *transport, &greeting, &["refs/heads/"])
    };
    read().map_err(|error| map_timeout(error, options, end))
}

/// What breaks off when time is over broke off because of that.
fn map_timeout(error: GitError, options: &Options, end: Instant) -> GitError {
    match error {
        GitError::Protocol { .. } | GitError::Network(_) | GitError::Timeout(_)
            if Instant::now() >= end =>
        {
            GitError::Timeout(options.limits.fetch_timeout.as_secs())
        }
        error => error,
    }
}

fn connect(
    address: &RemoteUrl,
    options: &Options,
    end: Instant,
) -> Result<Box<dyn Transport>, GitError> {
    let way = transport::connect(address, options, end)?;
    way.ok_or(GitError::InvalidUrl("it is a folder, which is not fetched"))
}

struct Fetch<'a> {
    remote: &'a RemoteUrl,
    options: &'a Options,
    deadline: Instant,
}

impl Fetch<'_> {
    fn run(&self, store: &mut Store, name: &str) -> Result<ObjectId, GitError> {
        let candidates = candidates(name)?;
        let mut transport = connect(self.remote, self.options, self.deadline)?;
        let greeting = transport.handshake()?;
        let prefixes: Vec<&str> = candidates.iter().map(String::as_str).collect();
        let found = protocol::references(&mut *transport, &greeting, &prefixes)?;
        let Some(reference) = choose(&found, &candidates) else {
            let heads = protocol::references(&mut *transport, &greeting, &["refs/heads/"])?;
            return Err(unknown_reference(name, &heads));
        };
        let commit = reference.commit();
        if !store.tips().contains(&commit) || !store.objects()?.has(commit) {
            self.fetch_commit(store, &mut *transport, &greeting, reference.id)?;
        }
        let commit = store.objects()?.peel(commit)?;
        self.fetch_files(store, transport, greeting, commit)?;
        store.add_tip(commit)?;
        Ok(commit)
    }

    /// Brings a commit, its folders, and its files where the server cannot leave them out.
    fn fetch_commit(
        &self,
        store: &mut Store,
        transport: &mut dyn Transport,
        greeting: &Advertisement,
        id: ObjectId,
    ) -> Result<(), GitError> {
        let partial = greeting.supports("filter") && greeting.allows_any_object();
        let filter = match partial {
            false => None,
            true if self.options.history || !self.options.subfolder.is_empty() => {
                Some("blob:none".to_owned())
            }
            true => Some(format!("blob:limit={}", self.options.limits.max_file_bytes)),
        };
        let known = store.objects()?;
        let mut haves = store.tips();
        haves.retain(|tip| known.has(*tip));
        // What was left out before would be missing for ever.
        if !haves.is_empty() && filter.as_deref() != store.filter() {
            store.clear()?;
            haves.clear();
        }
        let wanted = FetchArgs {
            wants: vec![id],
            haves,
            shallow: store.shallow(),
            only_tip: !self.options.history,
            filter: filter.clone(),
        };
        store.set_filter(filter)?;
        self.fetch_objects(store, transport, greeting, &wanted)
    }

    /// Brings the files that are wanted and not there.
    fn fetch_files(
        &self,
        store: &mut Store,
        mut transport: Box<dyn Transport>,
        greeting: Advertisement,
        commit: ObjectId,
    ) -> Result<(), GitError> {
        let objects = store.objects()?;
        let tree = objects.commit(commit)?.tree;
        let folder = objects.subtree(tree, &self.options.subfolder)?;
        let Some(folder) = folder else {
            return Err(GitError::SubfolderNotFound(self.options.subfolder.clone()));
        };
        let limits = &self.options.limits;
        let mut missing = objects.missing_blobs(folder, limits)?;
        missing.retain(|id| !store.leaves_out(Some(*id)));
        match store.filter() {
            _ if missing.is_empty() => return Ok(()),
            Some("blob:none") => {}
            // Larger than the limit; the export says so.
            Some(_) => return Ok(()),
            None => {
                return Err(GitError::Corrupt(format!(
                    "{} files are missing",
                    missing.len()
                )));
            }
        }
        let wanted = FetchArgs {
            wants: missing,
            // Whatever belongs to these objects, no other files.
            filter: Some("blob:none".to_owned()),
            ..FetchArgs::default()
        };
        let brought = match greeting.is_v2 {
            true => self.fetch_objects(store, &mut *transport, &greeting, &wanted),
            // The older version ends with one answer.
            false => {
                drop(transport);
                self.fetch_objects_reconnecting(store, &wanted)
            }
        };
        let Err(too_large @ GitError::TooLarge { .. }) = brought else {
            return brought;
        };
        // How large files are that have a name only the server knows; it leaves nothing out that
        // was asked for by name, but of a folder it does.
        let most = limits.max_file_bytes.min(limits.max_object_bytes as u64);
        let wanted = FetchArgs {
            wants: vec![folder],
            filter: Some(format!("blob:limit={most}")),
            ..FetchArgs::default()
        };
        if self.fetch_objects_reconnecting(store, &wanted).is_err() {
            return Err(too_large);
        }
        store.leave_out(&store.objects()?.missing_blobs(folder, limits)?)
    }

    /// As [`Self::fetch_objects`], with a connection of its own.
    fn fetch_objects_reconnecting(
        &self,
        store: &Store,
        wanted: &FetchArgs,
    ) -> Result<(), GitError> {
        let mut transport = connect(self.remote, self.options, self.deadline)?;
        let greeting = transport.handshake()?;
        self.fetch_objects(store, &mut *transport, &greeting, wanted)
    }

    fn fetch_objects(
        &self,
        store: &Store,
        transport: &mut dyn Transport,
        greeting: &Advertisement,
        wanted: &FetchArgs,
    ) -> Result<(), GitError> {
        let most = self.options.limits.max_fetch_bytes;
        let receive = |pack: &mut dyn std::io::Read| store.receive(pack);
        let (boundary, ()) =
            protocol::fetch_pack(transport, greeting, wanted, most, self.deadline, receive)?;
        store.update_shallow(&boundary)
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
        let shown = |name: &str| unknown_reference(name, &heads).to_string();
        assert_eq!(
            shown("mian"),
            "the repository has no branch `mian`; there is `main`"
        );
        assert!(
            shown("quux").ends_with("there are `main`, `a`, `zebra`"),
            "{}",
            shown("quux")
        );
        assert!(matches!(unknown_reference("main", &[]), GitError::Empty));
    }
}
