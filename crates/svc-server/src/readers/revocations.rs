//! Sessions that have ended before their time.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::session::{MAX_AGE_SECONDS, OidcProof};
use super::used_ids::digest;

/// Name of the file in the data directory.
const FILE: &str = "readers.revoked";
/// Maximum number of revocations.
const MAX_REVOCATIONS: usize = 1_000_000;

/// Sessions that have ended, by digests of what they have in common. They are stored in a file, so
/// that a restart does not bring sessions back.
#[derive(Debug)]
pub(super) struct Revocations {
    file: PathBuf,
    /// Digests, and the second at which their sessions ended.
    ended: Mutex<BTreeMap<[u8; 32], i64>>,
}

/// What the sessions of a revocation have in common.
#[derive(Debug, Clone, Copy)]
pub(super) enum RevokedSessions<'a> {
    /// The user at the provider.
    Subject(&'a str),
    /// The session at the provider.
    SessionId(&'a str),
}

impl RevokedSessions<'_> {
    /// What stands for the sessions in the file and in the database.
    pub(super) fn digest(self, project: &str) -> [u8; 32] {
        match self {
            Self::Subject(subject) => digest(&[project, "sub", subject]),
            Self::SessionId(id) => digest(&[project, "sid", id]),
        }
    }
}

impl Revocations {
    /// Reads the file of a data directory, without revocations of sessions that have ended anyway.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub(super) fn open(data: &Path, now: i64) -> io::Result<Self> {
        let file = data.join(FILE);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let entry = |line: &str| {
            let (digest, at) = line.split_once(' ')?;
            let digest = hex::decode(digest).ok()?.try_into().ok()?;
            Some((digest, at.parse().ok()?))
        };
        let mut ended: BTreeMap<[u8; 32], i64> = BTreeMap::new();
        for (digest, at) in text.lines().filter_map(entry) {
            if now.saturating_sub(at) < MAX_AGE_SECONDS {
                let known = ended.entry(digest).or_insert(at);
                *known = at.max(*known);
            }
        }
        if !text.is_empty() {
            let mut text = String::new();
            for (digest, at) in &ended {
                // Writing to a string does not fail.
                let _ = writeln!(text, "{} {at}", hex::encode(digest));
            }
            fs::write(&file, text)?;
        }
        let ended = Mutex::new(ended);
        Ok(Self { file, ended })
    }

    /// Ends the sessions of a [digest](RevokedSessions::digest) that were confirmed until a time.
    ///
    /// # Errors
    /// If the revocation cannot be stored. It has effect until the server ends.
    pub(super) fn record(&self, digest: [u8; 32], at: i64, now: i64) -> io::Result<()> {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.len() >= MAX_REVOCATIONS {
            ended.retain(|_, at| now.saturating_sub(*at) < MAX_AGE_SECONDS);
        }
        if ended.len() >= MAX_REVOCATIONS {
            return Err(io::Error::other("too many sessions are revoked"));
        }
        if ended.get(&digest).is_some_and(|known| *known >= at) {
            return Ok(());
        }
        ended.insert(digest, at);
        let mut options = fs::OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let line = format!("{} {at}\n", hex::encode(digest));
        options.open(&self.file)?.write_all(line.as_bytes())
    }

    /// Whether the provider has ended a session since it was confirmed.
    pub(super) fn contains(&self, project: &str, proof: &OidcProof) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.is_empty() {
            return false;
        }
        let subject = RevokedSessions::Subject(&proof.subject);
        let id = proof.session_id.as_deref().map(RevokedSessions::SessionId);
        let mut all = id.into_iter().chain([subject]);
        all.any(|sessions| {
            let at = ended.get(&sessions.digest(project));
            at.is_some_and(|at| proof.verified_at <= *at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proof(subject: &str, id: &str, verified_at: i64) -> OidcProof {
        OidcProof {
            subject: subject.to_owned(),
            session_id: Some(id.to_owned()),
            email: None,
            groups: [].into(),
            verified_at,
            renew_at: i64::MAX,
        }
    }

    #[test]
    fn revocations_outlive_the_server() {
        let dir = tempfile::tempdir().unwrap();
        let revocations = Revocations::open(dir.path(), 0).unwrap();
        let contains = |revocations: &Revocations, subject, id, at| {
            revocations.contains("docs", &proof(subject, id, at))
        };
        for sessions in [
            RevokedSessions::SessionId("s"),
            RevokedSessions::Subject("u"),
        ] {
            let digest = sessions.digest("docs");
            revocations.record(digest, 100, 100).unwrap();
            revocations.record(digest, 50, 100).unwrap();
        }
        for revocations in [
            revocations,
            Revocations::open(dir.path(), 200).unwrap(),
            Revocations::open(dir.path(), 200).unwrap(),
        ] {
            assert!(contains(&revocations, "x", "s", 100));
            assert!(contains(&revocations, "u", "x", 99));
            assert!(!contains(&revocations, "x", "s", 101), "a later session");
            assert!(!contains(&revocations, "s", "u", 50), "other kinds");
            assert!(!revocations.contains("blog", &proof("u", "s", 50)));
        }
        let later = Revocations::open(dir.path(), 100 + MAX_AGE_SECONDS).unwrap();
        assert!(!contains(&later, "u", "s", 100));
    }
}
