//! Fetches Git repositories, which are stored beside the snapshots of their project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};
use svc_diagnostics::{Diagnostic, Severity, SourceFile};
use svc_git::{CommitId, GitError, Options, PreviousExport, Repository, RepositoryLimits};
use svc_site::{LastModifiedSource, MAX_VERSION_REFS, VersionProblem, VersionRequest};

use super::super::{Commit, FetchSourceError, PublishTarget, Reference, Snapshot, Snapshots};
use crate::deploy::cluster::downloaded_dates;
use crate::settings::{Credentials, GitSettings, GitSource};

/// Number of digits of a commit ID.
const DIGITS: usize = 40;

/// Fetches a revision and writes its files, unless the snapshot exists already.
pub(super) fn fetch(
    source: &GitSource,
    settings: &GitSettings,
    (target, reference, foreign): (&PublishTarget, &Reference, bool),
    into: &Snapshots,
    log: &dyn Fn(&str),
) -> Result<Snapshot, FetchSourceError> {
    let options = options(source, settings);
    let store = repository_dir(into, target);
    let name = reference
        .reference
        .as_deref()
        .or(reference.branch.as_deref());
    let name = name.unwrap_or(&source.branch);
    let sentence = |error: GitError| FetchSourceError(error.to_string());
    let repository = Repository::open(&store, &source.url, &options).map_err(sentence)?;
    let attempt = || -> Result<Snapshot, GitError> {
        let commit = repository.fetch(name)?;
        log(&format!("`{name}` is at {}: {}", commit.id, commit.message));
        let versions = fetch_versions(&repository, &commit.id, foreign, log)?;
        let key = base_key(&commit.id, source, settings) + &versions_key(&versions);
        // Computing dates takes long the first time; they are cached afterwards.
        let dates = match source.history {
            true => Some(Arc::new(repository.dates(&commit.id)?)),
            false => None,
        };
        let known = repository
            .cached_diagnostics(&commit.id)
            .filter(|_| into.has(&key));
        let (dir, mut diagnostics) = match known {
            Some(problems) => (into.path(&key), problems),
            None => export(
                &repository,
                previous_snapshot(source, settings, into),
                into,
                (&commit.id, &versions),
                &key,
            )?,
        };
        diagnostics.extend(version_diagnostics(&repository, &versions));
        Ok(Snapshot {
            dir,
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
        // The local repository was corrupt and has been deleted.
        Err(GitError::Corrupt(reason)) => {
            log(&format!("fetching the full repository: {reason}"));
            attempt().map_err(sentence)
        }
        result => result.map_err(sentence),
    }
}

fn export(
    repository: &Repository,
    before: Option<(CommitId, PathBuf)>,
    into: &Snapshots,
    (commit, versions): (&CommitId, &[Version]),
    key: &str,
) -> Result<(PathBuf, Vec<Diagnostic>), GitError> {
    let storage = |error| GitError::Io {
        path: into.sibling(""),
        error,
    };
    let partial = into.begin().map_err(storage)?;
    let before = before.as_ref().map(|(commit, dir)| PreviousExport {
        commit: *commit,
        dir,
    });
    let problems = repository.export(commit, partial.path(), before)?;
    export_versions(repository, commit, versions, partial.path())?;
    let dir = into.finalize(partial, key).map_err(storage)?;
    Ok((dir, problems))
}

/// A version with a `ref`, and its commit or why it has none.
type Version = (VersionRequest, Result<CommitId, VersionProblem>);

/// Fetches the revisions of the versions with a `ref` in the configuration of a commit.
fn fetch_versions(
    repository: &Repository,
    commit: &CommitId,
    foreign: bool,
    log: &dyn Fn(&str),
) -> Result<Vec<Version>, GitError> {
    let lookup = |path: &str| {
        let bytes = repository.read(commit, path).ok().flatten()?;
        Some(SourceFile::new(path, String::from_utf8(bytes).ok()?))
    };
    let mut requests = svc_site::version_requests(&lookup);
    // The rest is reported when the site is loaded.
    requests.truncate(MAX_VERSION_REFS);
    let mut versions = Vec::new();
    for request in requests {
        let name = &request.reference.name;
        let fetched = match foreign {
            true => Err(VersionProblem::of_fork()),
            false => match repository.fetch(name) {
                Ok(fetched) => {
                    log(&format!(
                        "`{name}` is at {}: {}",
                        fetched.id, fetched.message
                    ));
                    Ok(fetched.id)
                }
                // The site would lose the version until the next deployment.
                Err(error) if error.is_transient() => return Err(error),
                Err(error) => Err(VersionProblem::of(name, &error)),
            },
        };
        versions.push((request, fetched));
    }
    Ok(versions)
}

/// Writes the files of versions beside those of the site. Files that are equal to those of the site
/// are hard links to them.
fn export_versions(
    repository: &Repository,
    commit: &CommitId,
    versions: &[Version],
    snapshot: &Path,
) -> Result<(), GitError> {
    let site = PreviousExport {
        commit: *commit,
        dir: snapshot,
    };
    let requests: Vec<VersionRequest> = versions
        .iter()
        .map(|(request, _)| request.clone())
        .collect();
    let write = |request: &VersionRequest, dir: &Path| {
        let version = versions.iter().find(|(known, _)| known == request);
        let commit = match version.map(|(_, commit)| commit) {
            Some(Ok(commit)) => commit,
            Some(Err(problem)) => return Ok(Err(problem.clone())),
            None => return Err(WriteError::Io(io::ErrorKind::NotFound.into())),
        };
        match repository.export(commit, dir, Some(site)) {
            Ok(_) => Ok(Ok(commit.to_string())),
            Err(error @ (GitError::Corrupt(_) | GitError::Io { .. })) => {
                Err(WriteError::Git(error))
            }
            Err(error) => Ok(Err(VersionProblem::of(&request.reference.name, &error))),
        }
    };
    svc_site::write_versions(snapshot, &requests, write).map_err(|error| match error {
        WriteError::Git(error) => error,
        WriteError::Io(error) => GitError::Io {
            path: snapshot.to_owned(),
            error,
        },
    })
}

/// Why versions could not be written.
enum WriteError {
    Git(GitError),
    Io(io::Error),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Problems of writing the files of versions, as notes that name the revision.
fn version_diagnostics(repository: &Repository, versions: &[Version]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (request, commit) in versions {
        let Ok(commit) = commit else { continue };
        for mut problem in repository.cached_diagnostics(commit).unwrap_or_default() {
            if let Some(at) = &mut problem.location {
                at.file = format!("{}:{}", request.reference.name, at.file).into();
            }
            problem.severity = Severity::Info;
            diagnostics.push(problem);
        }
    }
    diagnostics
}

/// The newest snapshot with the same subdirectory and limits.
fn previous_snapshot(
    source: &GitSource,
    settings: &GitSettings,
    into: &Snapshots,
) -> Option<(CommitId, PathBuf)> {
    let read = |key: String| {
        let commit = CommitId::parse(key.get(..DIGITS)?)?;
        let rest = key.strip_prefix(&base_key(&commit, source, settings))?;
        let same = rest.is_empty() || rest.starts_with(VERSIONS_MARK);
        let time = fs::metadata(into.path(&key)).and_then(|data| data.modified());
        let time = time.unwrap_or(SystemTime::UNIX_EPOCH);
        same.then(|| (time, commit, into.path(&key)))
    };
    let all = into.keys().into_iter().filter_map(read);
    let newest = all.max_by_key(|(time, commit, _)| (*time, *commit))?;
    Some((newest.1, newest.2))
}

/// Source of the dates of files in a snapshot.
pub(super) fn dates(source: &GitSource, snapshots: &Snapshots, key: &str) -> LastModifiedSource {
    let commit = key.get(..DIGITS).and_then(CommitId::parse);
    // A commit may have been fetched for the site and for a preview.
    let stores = [REPOSITORY_DIR, PREVIEWS_REPOSITORY_DIR].map(|name| snapshots.sibling(name));
    let known = commit.filter(|_| source.history).and_then(|commit| {
        let mut stores = stores.iter();
        stores
            .find_map(|store| svc_git::cached_dates(store, &commit, &source.subdir))
            // This server may not have the commit.
            .or_else(|| downloaded_dates(snapshots, key))
    });
    LastModifiedSource::Fixed(Arc::new(known.unwrap_or_default()))
}

/// Directories of the repositories for the site and for previews. They are separate because a
/// repository is used by one thread at a time, and previews must not delay the site.
const REPOSITORY_DIR: &str = "git";
const PREVIEWS_REPOSITORY_DIR: &str = "git-previews";

fn repository_dir(snapshots: &Snapshots, target: &PublishTarget) -> PathBuf {
    snapshots.sibling(match target {
        PublishTarget::Live => REPOSITORY_DIR,
        PublishTarget::Preview { .. } => PREVIEWS_REPOSITORY_DIR,
    })
}

/// First character of the part of the name of a snapshot that stands for versions; not a hexadecimal
/// digit.
const VERSIONS_MARK: char = 'v';

/// End of the name of a snapshot: the versions with a `ref` and their commits. Empty without them.
fn versions_key(versions: &[Version]) -> String {
    if versions.is_empty() {
        return String::new();
    }
    let mut digest = Sha256::new();
    for (request, commit) in versions {
        let commit = commit
            .as_ref()
            .map_or_else(|_| "-".to_owned(), CommitId::to_string);
        digest.update(format!(
            "{}\0{}\0{commit}\0",
            request.dir, request.reference.name
        ));
    }
    let full = digest.finalize();
    let digits = hex::encode(full.get(..8).unwrap_or_default());
    format!("{VERSIONS_MARK}{digits}")
}

/// Start of the name of a snapshot: the commit, and everything else that affects its files: the
/// subdirectory unless it is the root, and the size limit unless it is the default.
fn base_key(commit: &CommitId, source: &GitSource, settings: &GitSettings) -> String {
    let mut text = source.subdir.clone();
    if settings.file_bytes != GitSettings::default().file_bytes {
        text.push_str(&format!("\0{}", settings.file_bytes));
    }
    if text.is_empty() {
        return commit.to_string();
    }
    let digest = Sha256::digest(text);
    let digits = hex::encode(digest.get(..8).unwrap_or_default());
    format!("{commit}{digits}")
}

/// Whether HTTP without encryption is allowed: the operator chose the URL, but a token must not be
/// sent in clear text.
fn may_be_plain(source: &GitSource) -> bool {
    let rest = source.url.strip_prefix("http://").unwrap_or_default();
    let host = rest.split('/').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    !matches!(source.credentials, Some(Credentials::Token { .. }))
        || matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

fn options(source: &GitSource, settings: &GitSettings) -> Options {
    let defaults = RepositoryLimits::default();
    let file_bytes = usize::try_from(settings.file_bytes).unwrap_or(usize::MAX);
    Options {
        credentials: Credentials::of_git(source.credentials.as_ref()),
        git_program: settings.program.clone(),
        allow_http: may_be_plain(source),
        history: source.history,
        subfolder: source.subdir.clone(),
        limits: RepositoryLimits {
            fetch_timeout: settings.timeout,
            max_fetch_bytes: settings.total_bytes.saturating_mul(2),
            // An object must be able to hold the largest allowed file.
            max_object_bytes: file_bytes.max(defaults.max_object_bytes),
            max_file_bytes: settings.file_bytes,
            max_total_bytes: settings.total_bytes,
            ..defaults
        },
        ..Options::default()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::settings::Secret;

    fn source(url: &str, credentials: Option<Credentials>) -> GitSource {
        GitSource {
            url: url.to_owned(),
            branch: "main".to_owned(),
            subdir: "docs".to_owned(),
            credentials,
            history: true,
        }
    }

    fn token() -> Option<Credentials> {
        Some(Credentials::Token {
            user: "ada".to_owned(),
            token: Secret::new("s3cr3t"),
        })
    }

    /// The error of fetching a source.
    fn failure(source: &GitSource, settings: &GitSettings) -> String {
        let dir = tempfile::tempdir().unwrap();
        let snapshots = Snapshots::open(&dir.path().join("snapshots")).unwrap();
        let reference = Reference::default();
        let request = (&PublishTarget::Live, &reference, false);
        let fetched = fetch(source, settings, request, &snapshots, &|_| ());
        fetched.unwrap_err().0
    }

    #[test]
    fn all_settings_reach_the_fetch() {
        let settings = GitSettings {
            program: Some("/opt/git".into()),
            file_bytes: 1 << 30,
            total_bytes: 3 << 30,
            timeout: Duration::from_secs(7),
        };
        let with = |credentials| options(&source("https://a.example/b", credentials), &settings);
        let fetch_options = with(None);
        assert_eq!(fetch_options.credentials, svc_git::Credentials::None);
        assert_eq!(
            fetch_options.git_program.as_deref(),
            Some(Path::new("/opt/git"))
        );
        assert!(fetch_options.history);
        assert_eq!(fetch_options.subfolder, "docs");
        let limits = &fetch_options.limits;
        assert_eq!(limits.fetch_timeout, Duration::from_secs(7));
        assert_eq!(
            (
                limits.max_file_bytes,
                limits.max_total_bytes,
                limits.max_fetch_bytes
            ),
            (1 << 30, 3 << 30, 6 << 30)
        );
        assert_eq!(limits.max_object_bytes, 1 << 30);
        let small = options(&source("/x", None), &GitSettings::default());
        assert_eq!(
            small.limits.max_object_bytes,
            RepositoryLimits::default().max_object_bytes
        );
        let svc_git::Credentials::Token { user, token } = with(token()).credentials else {
            unreachable!("a token stays one");
        };
        assert_eq!((&*user, token.reveal()), ("ada", "s3cr3t"));
        let (file, known_hosts) = (PathBuf::from("/key"), Some(PathBuf::from("/known")));
        let key = Credentials::Key {
            file: file.clone(),
            known_hosts: known_hosts.clone(),
        };
        let key = with(Some(key)).credentials;
        assert_eq!(key, svc_git::Credentials::Key { file, known_hosts });
    }

    #[test]
    fn a_token_requires_https_or_a_local_host() {
        for (url, plain) in [
            ("http://git.example/a", false),
            ("http://git.example:3000/a", false),
            ("http://localhost.example/a", false),
            ("http://localhost@git.example/a", false),
            ("http://127.0.0.1.example/a", false),
            ("http://localhost:3000/a", true),
            ("http://127.0.0.1/a", true),
            ("http://[::1]:3000/a", true),
        ] {
            let with = source(url, token());
            let settings = GitSettings::default();
            assert_eq!(options(&with, &settings).allow_http, plain, "{url}");
            let without = source(url, None);
            assert!(options(&without, &settings).allow_http, "{url}");
            if !plain {
                let reason = failure(&with, &settings);
                assert!(reason.contains("invalid repository URL"), "{reason}");
            }
        }
    }

    #[test]
    fn the_token_is_sent_and_the_configured_git_program_is_used() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/a.git", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") {
                stream.read_exact(&mut byte).unwrap();
                head.push(byte[0]);
            }
            let response = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(response).unwrap();
            String::from_utf8(head).unwrap().to_lowercase()
        });
        let source = source(&url, token());
        let reason = failure(&source, &GitSettings::default());
        assert!(
            reason.contains("rejected the credentials") && !reason.contains("s3cr3t"),
            "{reason}"
        );
        let head = server.join().unwrap();
        // `ada:s3cr3t`.
        assert!(
            head.contains("authorization: basic ywrhonmzy3izda=="),
            "{head}"
        );
        let settings = GitSettings {
            program: Some("/nothing/git".into()),
            ..GitSettings::default()
        };
        let reason = failure(&source, &settings);
        assert!(reason.starts_with("/nothing/git: "), "{reason}");
    }
}
