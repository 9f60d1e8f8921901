//! Parses the body of an authenticated delivery.

use std::borrow::Cow;

use http::{StatusCode, header};
use serde::de::DeserializeOwned;

use super::forge::{Message, WebhookRejection};

/// Parses the JSON document, with only the needed fields. GitHub, Gitea and Forgejo can also send
/// it in the form field `payload`.
pub(super) fn document<T: DeserializeOwned>(message: &Message<'_>) -> Result<T, WebhookRejection> {
    let kind = message.head.get(header::CONTENT_TYPE);
    let kind = kind
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let text = if kind.eq_ignore_ascii_case("application/json") {
        Cow::Borrowed(message.body)
    } else if kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        let field = url::form_urlencoded::parse(message.body).find(|(name, _)| name == "payload");
        let (_, payload) = field
            .ok_or_else(|| WebhookRejection::bad_request("the form field `payload` is missing"))?;
        Cow::Owned(payload.into_owned().into_bytes())
    } else {
        return Err(WebhookRejection::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the content type must be `application/json` or `application/x-www-form-urlencoded`",
        ));
    };
    serde_json::from_slice(&text).map_err(|error| {
        // Messages of the library contain names of fields and types, but never contents of the
        // body.
        let (line, column) = (error.line(), error.column());
        let problem = match error.classify() {
            serde_json::error::Category::Data => "does not match the event",
            _ => "is not valid JSON",
        };
        WebhookRejection::bad_request(format!("the body {problem} (line {line}, column {column})"))
    })
}
