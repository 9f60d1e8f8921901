//! Webhooks: what a forge says about a repository becomes an [`Event`].
//!
//! [`read`] is a pure function of the head, the body, the secret and the time. It recognises the
//! forge by the headers, looks at the signature over the bytes as they came, and only then reads
//! them. One room per forge, listed in [`FORGES`].
//!
//! [`Webhooks`] is what stands around that: `route` takes the request, `receiver` asks
//! [`previews`](crate::previews) what the event means and the [`Deployer`](crate::Deployer) to do
//! it, and `recent` knows what has been said before.

mod body;
mod event;
mod gitea;
mod github;
mod gitlab;
mod receiver;
mod recent_deliveries;
mod repository;
mod route;
mod signature;
mod timestamp;

use std::borrow::Cow;

use http::{HeaderMap, StatusCode};

use crate::settings::Secret;

pub use event::{Delivery, Event, PullRequest};
pub use repository::is_same_repository;
pub(crate) use route::PATH;
pub use route::{WebhookLimits, Webhooks};

/// How one forge speaks.
struct Forge {
    /// Its name for people.
    name: &'static str,
    /// Whether the headers are its.
    is_sender: fn(&HeaderMap) -> bool,
    /// Whether the sender knows the secret.
    is_authentic: fn(&Message<'_>) -> bool,
    /// What it says; called after the sender has proved to know the secret.
    event: fn(&Message<'_>) -> Result<ParsedEvent, WebhookRejection>,
}

/// Every forge. Gitea and Forgejo send the headers of GitHub besides their own, so they come first.
static FORGES: &[&Forge] = &[
    &gitea::FORGEJO,
    &gitea::GITEA,
    &gitlab::GITLAB,
    &github::GITHUB,
];

/// A request as it came.
struct Message<'a> {
    head: &'a HeaderMap,
    body: &'a [u8],
    secret: &'a [u8],
    /// Seconds since 1970.
    now: i64,
}

impl Message<'_> {
    /// The text of a header; nothing when it is missing or no text.
    fn header(&self, name: &str) -> Option<&str> {
        self.head.get(name)?.to_str().ok()
    }
}

/// An event, and the addresses of the repository it is about.
struct ParsedEvent {
    event: Event,
    repository: Vec<String>,
}

/// Why a request is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRejection {
    /// The status of the answer.
    pub status: StatusCode,
    /// A sentence for the person who looks at the deliveries of the forge.
    pub sentence: Cow<'static, str>,
}

impl WebhookRejection {
    fn new(status: StatusCode, sentence: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            sentence: sentence.into(),
        }
    }

    fn bad_request(sentence: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence)
    }
}

/// Reads one delivery; `now` is in seconds since 1970.
///
/// # Errors
/// When no forge speaks so, the sender does not know the secret, or the body is not what the forge
/// sends.
pub fn read_webhook(
    head: &HeaderMap,
    body: &[u8],
    secret: &Secret,
    now: i64,
) -> Result<Delivery, WebhookRejection> {
    let message = Message {
        head,
        body,
        secret: secret.expose().as_bytes(),
        now,
    };
    let forge = FORGES.iter().find(|forge| (forge.is_sender)(head));
    let Some(forge) = forge else {
        return Err(WebhookRejection::bad_request(
            "no header says which forge sends this: GitHub, GitLab, Gitea and Forgejo are known",
        ));
    };
    // An empty secret is known to everybody.
    if secret.expose().is_empty() || !(forge.is_authentic)(&message) {
        // One sentence for every reason: it must not help with guessing.
        return Err(WebhookRejection::new(
            StatusCode::UNAUTHORIZED,
            "the signature is missing or wrong; the secret at the forge has to be the one of this project",
        ));
    }
    let said = (forge.event)(&message)?;
    Ok(Delivery {
        forge: forge.name,
        event: said.event,
        repository: said.repository,
    })
}

#[cfg(test)]
mod tests;
