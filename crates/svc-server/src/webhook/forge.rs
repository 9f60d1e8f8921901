//! The webhook format of a forge.

use std::borrow::Cow;

use http::{HeaderMap, StatusCode};

use super::event::Event;

/// Webhook format of a forge.
pub(super) struct Forge {
    /// Display name.
    pub(super) name: &'static str,
    /// Whether the headers are those of the forge.
    pub(super) is_sender: fn(&HeaderMap) -> bool,
    /// Whether the signature is valid.
    pub(super) is_authentic: fn(&Message<'_>) -> bool,
    /// Parses the event. Called after the signature was verified.
    pub(super) event: fn(&Message<'_>) -> Result<ParsedEvent, WebhookRejection>,
}

/// A received delivery.
pub(super) struct Message<'a> {
    pub(super) head: &'a HeaderMap,
    pub(super) body: &'a [u8],
    pub(super) secret: &'a [u8],
    /// Seconds since the Unix epoch.
    pub(super) now: i64,
}

impl Message<'_> {
    /// Value of a header; `None` if it is missing or not valid text.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.get(name)?.to_str().ok()
    }
}

/// An event and the URLs of its repository.
pub(super) struct ParsedEvent {
    pub(super) event: Event,
    pub(super) repository: Vec<String>,
}

/// Rejection of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRejection {
    /// Status of the response.
    pub status: StatusCode,
    /// Message for the list of deliveries of the forge.
    pub sentence: Cow<'static, str>,
}

impl WebhookRejection {
    pub(super) fn new(status: StatusCode, sentence: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            sentence: sentence.into(),
        }
    }

    pub(super) fn bad_request(sentence: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence)
    }
}
