//! Fetches with Git's protocol.

use std::time::Instant;

use gix::ObjectId;

use crate::advertisement::{Advertisement, Reference};
use crate::protocol::{self, FetchArgs};
use crate::store::Store;
use crate::transport::{HttpTransport, SshTransport, Transport};
use crate::{GitError, Options, RemoteUrl};

/// Maximum number of suggested branches.
const MAX_SUGGESTIONS: usize = 3;

/// References that a name can refer to, in order of preference.
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

/// The first candidate that exists.
pub(crate) fn choose(references: &[Reference], candidates: &[String]) -> Option<Reference> {
    let exact = |name: &String| references.iter().find(|reference| reference.name == *name);
    candidates.iter().find_map(exact).cloned()
}

/// The id of a commit as a reference to it; `None` for other names.
pub(crate) fn commit_reference(name: &str) -> Option<Reference> {
    let id = ObjectId::from_hex(name.as_bytes()).ok()?;
    Some(Reference {
        name: name.to_owned(),
        id,
        peeled: None,
    })
}

/// Error for a missing branch or tag, with suggestions.
pub(crate) fn unknown_reference(name: &str, branches: &[Reference]) -> GitError {
    // A repository with tags only has nothing that is developed.
    if branches
        .iter()
        .all(|branch| branch.name.starts_with("refs/tags/"))
    {
        return GitError::Empty;
    }
    let short = |name: &'_ str| {
        let prefixes = ["refs/heads/", "refs/tags/", "refs/remotes/origin/"];
        let mut short = prefixes
            .iter()
            .filter_map(|prefix| name.strip_prefix(prefix));
        short.next().unwrap_or(name).to_owned()
    };
    let name = short(name);
    let mut names: Vec<String> = branches.iter().map(|branch| short(&branch.name)).collect();
    names.retain(|name| !name.ends_with("^{}"));
    names.sort();
    names.dedup();
    names.truncate(10_000);
    let close = svc_diagnostics::did_you_mean(&name, names.iter().map(String::as_str));
    let near = match close {
        Some(close) => vec![close.to_owned()],
        // Without similar names the common ones are suggested, or the first ones.
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

/// Fetches a reference with all objects that the options require.
pub(crate) fn fetch(
    store: &mut Store,
    remote: &RemoteUrl,
    options: &Options,
    name: &str,
) -> Result<ObjectId, GitError> {
    let end = Instant::now() + options.limits.fetch_timeout;
    let fetched = Fetch {
        remote,
        options,
        deadline: end,
    }
    .run(store, name);
    fetched.map_err(|error| map_timeout(error, options, end))
}

/// Lists all branches.
pub(crate) fn branches(remote: &RemoteUrl, options: &Options) -> Result<Vec<Reference>, GitError> {
    let end = Instant::now() + options.limits.fetch_timeout;
    let read = || {
        let mut transport = connect(remote, options, end)?;
        let advertisement = transport.handshake()?;
        protocol::references(&mut *transport, &advertisement, &["refs/heads/"])
    };
    read().map_err(|error| map_timeout(error, options, end))
}

/// Replaces errors after the deadline with a timeout error, because the deadline aborts the
/// connection.
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
    remote: &RemoteUrl,
    options: &Options,
    end: Instant,
) -> Result<Box<dyn Transport>, GitError> {
    match remote {
        RemoteUrl::Http(url) => {
            let transport = HttpTransport::new(url.clone(), options, end)?;
            Ok(Box::new(transport))
        }
        RemoteUrl::Ssh(ssh) => Ok(Box::new(SshTransport::new(
            ssh.clone(),
            options.clone(),
            end,
        ))),
        RemoteUrl::Local(_) => Err(GitError::InvalidUrl(
            "it is a folder, which cannot be fetched",
        )),
    }
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
        let advertisement = transport.handshake()?;
        let prefixes: Vec<&str> = candidates.iter().map(String::as_str).collect();
        let references = protocol::references(&mut *transport, &advertisement, &prefixes)?;
        let by_id = || commit_reference(name).filter(|_| advertisement.allows_any_object());
        let Some(reference) = choose(&references, &candidates).or_else(by_id) else {
            let all = ["refs/heads/", "refs/tags/"];
            let all = protocol::references(&mut *transport, &advertisement, &all)?;
            return Err(unknown_reference(name, &all));
        };
        let commit = reference.commit();
        if !store.tips().contains(&commit) || !store.objects()?.has(commit) {
            self.fetch_commit(store, &mut *transport, &advertisement, reference.id)?;
        }
        let commit = store.objects()?.peel(commit)?;
        self.fetch_files(store, transport, advertisement, commit)?;
        store.add_tip(commit)?;
        Ok(commit)
    }

    /// Fetches a commit and its trees, and its blobs if the server does not support filters.
    fn fetch_commit(
        &self,
        store: &mut Store,
        transport: &mut dyn Transport,
        advertisement: &Advertisement,
        id: ObjectId,
    ) -> Result<(), GitError> {
        let partial = advertisement.supports("filter") && advertisement.allows_any_object();
        let filter = match partial {
            false => None,
            true if self.options.history || !self.options.subfolder.is_empty() => {
                Some("blob:none".to_owned())
            }
            true => Some(format!("blob:limit={}", self.options.limits.max_file_bytes)),
        };
        let objects = store.objects()?;
        let mut haves = store.tips();
        haves.retain(|tip| objects.has(*tip));
        // Objects that the previous filter omitted would never be fetched.
        if !haves.is_empty() && filter.as_deref() != store.filter() {
            store.clear()?;
            haves.clear();
        }
        let args = FetchArgs {
            wants: vec![id],
            haves,
            shallow: store.shallow(),
            only_tip: !self.options.history,
            filter: filter.clone(),
        };
        store.set_filter(filter)?;
        self.fetch_objects(store, transport, advertisement, &args)
    }

    /// Fetches the missing files of the subfolder.
    fn fetch_files(
        &self,
        store: &mut Store,
        mut transport: Box<dyn Transport>,
        advertisement: Advertisement,
        commit: ObjectId,
    ) -> Result<(), GitError> {
        let objects = store.objects()?;
        let tree = objects.commit(commit)?.tree;
        let subtree = objects.subtree(tree, &self.options.subfolder)?;
        let Some(subtree) = subtree else {
            return Err(GitError::SubfolderNotFound(self.options.subfolder.clone()));
        };
        let limits = &self.options.limits;
        let mut missing = objects.missing_blobs(subtree, limits)?;
        missing.retain(|id| !store.leaves_out(Some(*id)));
        match store.filter() {
            _ if missing.is_empty() => return Ok(()),
            Some("blob:none") => {}
            // Exceeds the limit; the export reports it.
            Some(_) => return Ok(()),
            None => {
                return Err(GitError::Corrupt(format!(
                    "{} files are missing",
                    missing.len()
                )));
            }
        }
        let args = FetchArgs {
            wants: missing,
            // Only the requested objects are sent, without other blobs.
            filter: Some("blob:none".to_owned()),
            ..FetchArgs::default()
        };
        let fetched = match advertisement.is_v2 {
            true => self.fetch_objects(store, &mut *transport, &advertisement, &args),
            // A connection of version 0 ends after one response.
            false => {
                drop(transport);
                self.fetch_objects_reconnecting(store, &args)
            }
        };
        let Err(too_large @ GitError::TooLarge { .. }) = fetched else {
            return fetched;
        };
        // The sizes of the missing blobs are unknown. A size filter does not apply to objects that
        // are requested by id, but to the contents of a tree.
        let max = limits.max_file_bytes.min(limits.max_object_bytes as u64);
        let args = FetchArgs {
            wants: vec![subtree],
            filter: Some(format!("blob:limit={max}")),
            ..FetchArgs::default()
        };
        if self.fetch_objects_reconnecting(store, &args).is_err() {
            return Err(too_large);
        }
        store.leave_out(&store.objects()?.missing_blobs(subtree, limits)?)
    }

    /// Like [`Self::fetch_objects`], over a new connection.
    fn fetch_objects_reconnecting(&self, store: &Store, args: &FetchArgs) -> Result<(), GitError> {
        let mut transport = connect(self.remote, self.options, self.deadline)?;
        let advertisement = transport.handshake()?;
        self.fetch_objects(store, &mut *transport, &advertisement, args)
    }

    fn fetch_objects(
        &self,
        store: &Store,
        transport: &mut dyn Transport,
        advertisement: &Advertisement,
        args: &FetchArgs,
    ) -> Result<(), GitError> {
        let max = self.options.limits.max_fetch_bytes;
        let receive = |pack: &mut dyn std::io::Read| store.receive(pack);
        let boundary =
            protocol::fetch_pack(transport, advertisement, args, max, self.deadline, receive)?;
        store.update_shallow(&boundary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_resolve_to_branches_first_and_invalid_names_are_rejected() {
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
    fn a_missing_branch_suggests_similar_names() {
        let heads: Vec<Reference> = ["refs/heads/zebra", "refs/heads/main", "refs/heads/a"]
            .map(|name| Reference {
                name: name.to_owned(),
                id: ObjectId::null(gix::hash::Kind::Sha1),
                peeled: None,
            })
            .into();
        let message = |name: &str| unknown_reference(name, &heads).to_string();
        assert_eq!(
            message("mian"),
            "the repository has no branch `mian`; did you mean `main`?"
        );
        assert!(
            message("quux").ends_with("there are `main`, `a`, `zebra`"),
            "{}",
            message("quux")
        );
        assert!(matches!(unknown_reference("main", &[]), GitError::Empty));
    }
}
