//! Sessions that have ended before their time.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use svc_admin_api::ReaderSessionId;
use svc_admin_api::reader::digest;

use super::session::{MAX_AGE_SECONDS, OidcProof, ReaderSession};

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
    /// The session itself.
    Id(&'a ReaderSessionId),
    /// The project.
    All,
}

impl RevokedSessions<'_> {
    /// What stands for the sessions in the file and in the database.
    pub(super) fn digest(self, project: &str) -> [u8; 32] {
        match self {
            Self::Subject(subject) => digest(&[project, "sub", subject]),
            Self::SessionId(id) => digest(&[project, "sid", id]),
            Self::Id(id) => digest(&[project, "id", id.as_str()]),
            Self::All => digest(&[project, "all"]),
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

    /// Whether a session has ended since it began or since the provider has confirmed it. `proof`
    /// is what the provider says, of a session or of an access token.
    pub(super) fn contains(
        &self,
        project: &str,
        session: Option<&ReaderSession>,
        proof: Option<&OidcProof>,
    ) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.is_empty() {
            return false;
        }
        let is_ended = |sessions: RevokedSessions<'_>, since: i64| {
            let at = ended.get(&sessions.digest(project));
            at.is_some_and(|at| since <= *at)
        };
        let has_ended = session.is_some_and(|session| {
            let since = proof.map_or(session.signed_in_at, |proof| proof.verified_at);
            let mut id = session.id.iter();
            // Clocks of servers differ, and an ID is not used again.
            id.any(|id| is_ended(RevokedSessions::Id(id), i64::MIN))
                || is_ended(RevokedSessions::All, since)
        });
        has_ended
            || proof.is_some_and(|proof| {
                let mut id = proof.session_id.iter();
                is_ended(RevokedSessions::Subject(&proof.subject), proof.verified_at)
                    || id.any(|id| is_ended(RevokedSessions::SessionId(id), proof.verified_at))
            })
    }
}

#[cfg(test)]
mod tests {
    use svc_admin_api::ProjectId;
    use svc_admin_api::reader::{all_sessions_digest, session_digest};

    use super::super::session::SignInProof;
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
            revocations.contains("docs", None, Some(&proof(subject, id, at)))
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
            assert!(!revocations.contains("blog", None, Some(&proof("u", "s", 50))));
        }
        let later = Revocations::open(dir.path(), 100 + MAX_AGE_SECONDS).unwrap();
        assert!(!contains(&later, "u", "s", 100));
    }

    #[test]
    fn one_session_ends_or_all_of_a_project() {
        let dir = tempfile::tempdir().unwrap();
        let revocations = Revocations::open(dir.path(), 0).unwrap();
        let [one, other] =
            [0, 200].map(|at| ReaderSession::begin("ada", SignInProof::Password, at));
        let contains = |session: &ReaderSession| revocations.contains("docs", Some(session), None);
        let id = RevokedSessions::Id(one.id.as_ref().unwrap());
        revocations.record(id.digest("blog"), 100, 100).unwrap();
        assert!(!contains(&one) && !contains(&other), "another project");
        revocations.record(id.digest("docs"), 100, 100).unwrap();
        assert!(contains(&one) && !contains(&other));
        let all = RevokedSessions::All.digest("docs");
        revocations.record(all, 199, 199).unwrap();
        assert!(!contains(&other), "it began later");
        revocations.record(all, 200, 200).unwrap();
        assert!(contains(&other));
    }

    #[test]
    fn digests_are_those_of_the_administration() {
        let project = ProjectId::parse("docs").unwrap();
        let id = ReaderSessionId::parse("session_a").unwrap();
        assert_eq!(
            RevokedSessions::Id(&id).digest("docs"),
            session_digest(&project, &id)
        );
        assert_eq!(
            RevokedSessions::All.digest("docs"),
            all_sessions_digest(&project)
        );
    }
}
