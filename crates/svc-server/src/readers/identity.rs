//! Who sends a request.

use std::collections::{BTreeSet, HashMap};

use http::request::Parts;
use http::{HeaderName, header};
use sha2::{Digest as _, Sha256};

use super::session::{CookieScope, ReaderSession};
use crate::service::Peer;
use crate::{ReaderCredential, ReaderSettings};

/// Maximum number of groups of a reader.
const MAX_GROUPS: usize = 1_000;

/// A reader who has signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reader {
    pub(super) name: String,
    pub(super) email: Option<String>,
    pub(super) groups: BTreeSet<String>,
    /// The session, if the reader signed in with a password.
    pub(super) session: Option<ReaderSession>,
}

/// Finds the reader of a request.
#[derive(Debug)]
pub(super) struct Identification {
    settings: ReaderSettings,
    /// Numbers of the tokens in the settings by their SHA-256.
    tokens: HashMap<String, usize>,
    key: [u8; 32],
}

impl Identification {
    pub(super) fn new(settings: ReaderSettings, key: [u8; 32]) -> Self {
        let tokens = settings.tokens.iter().enumerate();
        let tokens = tokens.map(|(at, token)| (token.hash.reveal().to_ascii_lowercase(), at));
        Self {
            tokens: tokens.collect(),
            settings,
            key,
        }
    }

    pub(super) const fn settings(&self) -> &ReaderSettings {
        &self.settings
    }

    pub(super) const fn key(&self) -> &[u8; 32] {
        &self.key
    }

    /// The reader with a password and this name.
    pub(super) fn with_password(&self, name: &str) -> Option<&ReaderCredential> {
        let mut readers = self.settings.passwords.iter();
        readers.find(|reader| reader.name == name)
    }

    /// The reader of a request: that of a token, else that which a trusted proxy names, else that
    /// of a session. A token that is not valid means that nobody has signed in.
    pub(super) fn reader(&self, parts: &Parts, scope: CookieScope<'_>, now: i64) -> Option<Reader> {
        if let Some(token) = bearer(parts)
            && !self.tokens.is_empty()
        {
            return self.with_token(token, now);
        }
        if let Some(reader) = self.named_by_proxy(parts) {
            return Some(reader);
        }
        let find = |name: &str| self.with_password(name);
        let session = ReaderSession::read(&parts.headers, scope, &self.key, now, find)?;
        let credential = find(&session.name)?;
        Some(Reader {
            name: credential.name.clone(),
            email: None,
            groups: credential.groups.clone(),
            session: Some(session),
        })
    }

    fn with_token(&self, token: &str, now: i64) -> Option<Reader> {
        // Looking up the digest takes no time that tells something about tokens.
        let digest = hex(&Sha256::digest(token));
        let token = self.settings.tokens.get(*self.tokens.get(&digest)?)?;
        let is_valid = token.until.is_none_or(|until| now < until);
        is_valid.then(|| Reader {
            name: token.name.clone(),
            email: None,
            groups: token.groups.clone(),
            session: None,
        })
    }

    fn named_by_proxy(&self, parts: &Parts) -> Option<Reader> {
        let headers = self.settings.header.as_ref()?;
        parts
            .extensions
            .get::<Peer>()
            .filter(|peer| peer.is_trusted)?;
        let name = single(parts, &headers.user)?;
        let optional = |name: &Option<HeaderName>| single(parts, name.as_ref()?);
        let groups = optional(&headers.groups).unwrap_or_default();
        let groups = groups.split(',').map(str::trim);
        let groups = groups.filter(|group| !group.is_empty()).take(MAX_GROUPS);
        Some(Reader {
            name: name.to_owned(),
            email: optional(&headers.email).map(str::to_owned),
            groups: groups.map(str::to_owned).collect(),
            session: None,
        })
    }
}

/// The value of a header that a request has once. A second one comes from the client.
fn single<'p>(parts: &'p Parts, name: &HeaderName) -> Option<&'p str> {
    let mut values = parts.headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?.trim();
    (values.next().is_none() && !value.is_empty()).then_some(value)
}

fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}
