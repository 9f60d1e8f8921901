//! Projects that come from a Git repository. It lies beside the snapshots of the project.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};
use svc_git::{CommitId, GitError, Limits, Options, Previous, Repository};
use svc_site::Dates;

use super::super::{Commit, FetchFailed, Reference, Snapshot, Snapshots};
use crate::settings::{Credentials, GitSettings, GitSource};

/// Digits of the id of a commit.
const DIGITS: usize = 40;

/// Fetches a state of a repository and writes its files, unless they are there already.
pub(super) fn fetch(
    source: &GitSource,
    settings: &GitSettings,
    reference: &Reference,
    into: &Snapshots,
    tell: &dyn Fn(&str),
) -> Result<Snapshot, FetchFailed> {
    let options = options(source, settings);
    let wanted = reference
        .reference
        .as_deref()
        .or(reference.branch.as_deref());
    let wanted = wanted.unwrap_or(&source.branch);
    let sentence = |error: GitError| FetchFailed(error.to_string());
    let repository = Repository::open(&store(into), &source.address, &options).map_err(sentence)?;
    let attempt = || -> Result<Snapshot, GitError> {
        let commit = repository.fetch(wanted)?;
        tell(&format!(
            "`{wanted}` is at {}: {}",
            commit.id, commit.message
        ));
        let key = key(&commit.id, &source.subfolder);
        // Dates of the first time take a while; they are kept for those after.
        let dates = match source.history {
            true => Some(Arc::new(repository.dates(&commit.id)?)),
            false => None,
        };
        let known = repository.problems(&commit.id).filter(|_| into.has(&key));
        let (folder, diagnostics) = match known {
            Some(problems) => (into.path(&key), problems),
            None => export(&repository, source, into, &commit.id, &key)?,
        };
        Ok(Snapshot {
            folder,
            key,
            commit: Some(Commit {
                id: commit.id.to_string(),
                author: commit.author,
                message: commit.message,
                time: commit.time,
            }),
            dates,
            diagnostics,
        })
    };
    match attempt() {
        // What was fetched is broken and has been thrown away.
        Err(GitError::Broken(why)) => {
            tell(&format!("fetching everything anew: {why}"));
            attempt().map_err(sentence)
        }
        done => done.map_err(sentence),
    }
}

fn export(
    repository: &Repository,
    source: &GitSource,
    into: &Snapshots,
    commit: &CommitId,
    key: &str,
) -> Result<(PathBuf, Vec<svc_diagnostics::Diagnostic>), GitError> {
    let storage = |error| GitError::File {
        path: store(into),
        error,
    };
    let partial = into.begin().map_err(storage)?;
    let before = before(source, into);
    let before = before.as_ref().map(|(commit, folder)| Previous {
        commit: *commit,
        folder,
    });
    let problems = repository.export(commit, partial.path(), before)?;
    let folder = into.keep(partial, key).map_err(storage)?;
    Ok((folder, problems))
}

/// The newest snapshot of the same subfolder.
fn before(source: &GitSource, into: &Snapshots) -> Option<(CommitId, PathBuf)> {
    let read = |key: String| {
        let commit = CommitId::parse(key.get(..DIGITS)?)?;
        let same = key == self::key(&commit, &source.subfolder);
        let made = fs::metadata(into.path(&key)).and_then(|data| data.modified());
        let made = made.unwrap_or(SystemTime::UNIX_EPOCH);
        same.then(|| (made, commit, into.path(&key)))
    };
    let all = into.keys().into_iter().filter_map(read);
    let newest = all.max_by_key(|(made, commit, _)| (*made, *commit))?;
    Some((newest.1, newest.2))
}

/// What is known of the dates of files in a snapshot.
pub(super) fn dates(source: &GitSource, snapshots: &Snapshots, key: &str) -> Dates {
    let commit = key.get(..DIGITS).and_then(CommitId::parse);
    let known = commit
        .filter(|_| source.history)
        .and_then(|commit| svc_git::known_dates(&store(snapshots), &commit, &source.subfolder));
    Dates::Known(Arc::new(known.unwrap_or_default()))
}

/// Where the repository lies.
fn store(snapshots: &Snapshots) -> PathBuf {
    snapshots.beside("git")
}

/// The name of a snapshot: the commit, and the folder of it where it is not all.
fn key(commit: &CommitId, subfolder: &str) -> String {
    if subfolder.is_empty() {
        return commit.to_string();
    }
    let digest = Sha256::digest(subfolder);
    let digits = crate::deploy::hex(digest.get(..8).unwrap_or_default());
    format!("{commit}{digits}")
}

/// Whether the address may be one that is not encrypted: the operator wrote it, but a token must
/// not be shown to everybody on the way.
fn may_be_plain(source: &GitSource) -> bool {
    let rest = source.address.strip_prefix("http://").unwrap_or_default();
    let host = rest.split('/').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    !matches!(source.credentials, Some(Credentials::Token { .. }))
        || matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

fn options(source: &GitSource, settings: &GitSettings) -> Options {
    Options {
        credentials: Credentials::of_git(source.credentials.as_ref()),
        program: settings.program.clone(),
        allow_http: may_be_plain(source),
        history: source.history,
        subfolder: source.subfolder.clone(),
        limits: Limits {
            time: settings.timeout,
            fetch_bytes: settings.total_bytes.saturating_mul(2),
            file_bytes: settings.file_bytes,
            total_bytes: settings.total_bytes,
            ..Limits::default()
        },
        ..Options::default()
    }
}
