//! Who sends a request.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use http::request::Parts;
use http::{HeaderName, header};
use svc_admin_api::reader::ReaderTokenSecret;

use super::claims::MAX_GROUPS;
use super::cookies::CookieScope;
use super::session::{OidcProof, ReaderSession, SignInProof};
use crate::service::Peer;
use crate::{ReaderCredential, ReaderSettings};

/// Maximum number of sessions whose signatures are not verified again; about 8 MB.
const MAX_VERIFIED: usize = 4_096;

/// A reader who has signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reader {
    pub(super) name: String,
    pub(super) email: Option<String>,
    pub(super) groups: BTreeSet<String>,
    /// The session, unless each request says who sends it.
    pub(super) session: Option<ReaderSession>,
    /// What an access token of an OpenID Connect provider says.
    pub(super) token: Option<OidcProof>,
}

impl Reader {
    /// What an OpenID Connect provider says about the reader.
    pub(super) fn oidc(&self) -> Option<&OidcProof> {
        let session = self.session.as_ref();
        let proof = session.and_then(|session| session.proof.oidc());
        proof.or(self.token.as_ref())
    }
}

/// Finds the reader of a request.
#[derive(Debug)]
pub(super) struct Identification {
    settings: ReaderSettings,
    /// Numbers of the tokens in the settings by their SHA-256.
    tokens: HashMap<String, usize>,
    key: [u8; 32],
    /// What sessions of the OpenID Connect provider are bound to.
    oidc_secret: Option<Vec<u8>>,
    /// Sessions whose signatures were verified, by their cookies.
    verified: Mutex<HashMap<String, ReaderSession>>,
}

impl Identification {
    pub(super) fn new(
        settings: ReaderSettings,
        key: [u8; 32],
        oidc_secret: Option<Vec<u8>>,
    ) -> Self {
        let tokens = settings.tokens.iter().enumerate();
        let tokens = tokens.map(|(at, token)| (token.hash.reveal().to_ascii_lowercase(), at));
        Self {
            tokens: tokens.collect(),
            settings,
            key,
            oidc_secret,
            verified: Mutex::default(),
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
    /// of a session. A token that is not valid means that nobody has signed in. Access tokens of an
    /// OpenID Connect provider, and tokens of the store, are verified elsewhere.
    pub(super) fn reader(&self, parts: &Parts, scope: CookieScope<'_>, now: i64) -> Option<Reader> {
        if let Some(token) = bearer(parts)
            && (!self.tokens.is_empty()
                || self.oidc_secret.is_some()
                || token.starts_with(ReaderTokenSecret::PREFIX))
        {
            return self.with_token(token, now);
        }
        if let Some(reader) = self.named_by_proxy(parts) {
            return Some(reader);
        }
        let cookie = ReaderSession::find(&parts.headers, scope)?;
        let session = self.session(cookie, now)?;
        let (email, groups) = match &session.proof {
            SignInProof::Password => (None, self.with_password(&session.name)?.groups.clone()),
            SignInProof::Oidc(proof) => (proof.email.clone(), proof.groups.clone()),
            SignInProof::Handover(proof) => (proof.email.clone(), proof.groups.clone()),
        };
        Some(Reader {
            name: session.name.clone(),
            email,
            groups,
            session: Some(session),
            token: None,
        })
    }

    /// The session of a cookie. Its signature is verified once while the settings are the same.
    fn session(&self, cookie: String, now: i64) -> Option<ReaderSession> {
        let secret = |session: &ReaderSession| self.secret(session, now);
        let known = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = known.get(&cookie) {
            let is_valid = session.is_live(now) && secret(session).is_some();
            return is_valid.then(|| session.clone());
        }
        drop(known);
        let session = ReaderSession::read(&cookie, &self.key, now, secret)?;
        let mut known = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_VERIFIED {
            known.clear();
        }
        known.insert(cookie, session.clone());
        Some(session)
    }

    /// What a session is bound to; `None` if readers cannot sign in in this way any more.
    pub(super) fn secret(&self, session: &ReaderSession, now: i64) -> Option<Vec<u8>> {
        match &session.proof {
            SignInProof::Password => {
                let credential = self.with_password(&session.name)?;
                let is_valid = credential.until.is_none_or(|until| now < until);
                is_valid.then(|| credential.hash.reveal().as_bytes().to_vec())
            }
            SignInProof::Oidc(_) => self.oidc_secret.clone(),
            SignInProof::Handover(_) => {
                let handover = self.settings.handover.as_ref()?;
                Some(handover.public_key.to_vec())
            }
        }
    }

    pub(super) fn with_token(&self, token: &str, now: i64) -> Option<Reader> {
        // Looking up the digest takes no time that tells something about tokens.
        let digest = hex::encode(ReaderTokenSecret::hash_of(token));
        let token = self.settings.tokens.get(*self.tokens.get(&digest)?)?;
        let is_valid = token.until.is_none_or(|until| now < until);
        is_valid.then(|| Reader {
            name: token.name.clone(),
            email: None,
            groups: token.groups.clone(),
            session: None,
            token: None,
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
            token: None,
        })
    }
}

/// The value of a header that a request has once. A second one comes from the client.
fn single<'p>(parts: &'p Parts, name: &HeaderName) -> Option<&'p str> {
    let mut values = parts.headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?.trim();
    (values.next().is_none() && !value.is_empty()).then_some(value)
}

/// The bearer token of a request.
pub(super) fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
