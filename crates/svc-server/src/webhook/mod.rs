//! Webhooks: deliveries of a forge are parsed into an [`Event`].
//!
//! [`read_webhook`] is a pure function of the headers, the body, the secret and the time. It
//! detects the forge from the headers, verifies the signature over the raw bytes, and only then
//! parses them. Each forge has its own module, listed in [`FORGES`].
//!
//! [`Webhooks`] handles the deliveries: `route` receives the request, `receiver` uses
//! [`previews`](crate::previews) to decide what the event changes and the
//! [`Deployer`](crate::Deployer) to perform it, and `recent_deliveries` detects duplicates.

mod body;
mod event;
mod forge;
mod gitea;
mod github;
mod gitlab;
mod receiver;
mod recent_deliveries;
mod repository;
mod route;
mod signature;
mod timestamp;

use http::{HeaderMap, StatusCode};

use crate::settings::Secret;

pub use event::{Delivery, Event, PullRequest};
pub use forge::WebhookRejection;
use forge::{Forge, Message};
pub use repository::is_same_repository;
pub(crate) use route::PATH;
pub use route::{WebhookLimits, Webhooks};

/// All forges. Gitea and Forgejo also send the headers of GitHub, so they come first.
static FORGES: &[&Forge] = &[
    &gitea::FORGEJO,
    &gitea::GITEA,
    &gitlab::GITLAB,
    &github::GITHUB,
];

/// Parses a delivery; `now` is in seconds since the Unix epoch.
///
/// # Errors
/// If the forge is unknown, the signature is invalid, or the body does not match the event.
pub fn read_webhook(
    head: &HeaderMap,
    body: &[u8],
    secret: &Secret,
    now: i64,
) -> Result<Delivery, WebhookRejection> {
    let message = Message {
        head,
        body,
        secret: secret.reveal().as_bytes(),
        now,
    };
    let forge = FORGES.iter().find(|forge| (forge.is_sender)(head));
    let Some(forge) = forge else {
        return Err(WebhookRejection::bad_request(
            "unknown forge; supported: GitHub, GitLab, Gitea and Forgejo",
        ));
    };
    // An empty secret would be known to everyone.
    if secret.reveal().is_empty() || !(forge.is_authentic)(&message) {
        // One message for every reason, so that it does not help an attacker.
        return Err(WebhookRejection::new(
            StatusCode::UNAUTHORIZED,
            "the signature is missing or wrong; the secret at the forge must be the one of this project",
        ));
    }
    let parsed = (forge.event)(&message)?;
    Ok(Delivery {
        forge: forge.name,
        event: parsed.event,
        repository: parsed.repository,
    })
}

#[cfg(test)]
mod tests;
