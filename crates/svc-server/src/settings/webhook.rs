//! `[projects.webhook]`: the webhook of the forge.

use super::Secret;
use super::codes::WEAK_SECRET;
use super::decode::{Cx, Fields};
use super::secret;
use super::table::{ExclusiveKeys, TableSchema, ValueType, key};

/// Minimum length of a webhook secret: a captured request lets an attacker try secrets offline.
const MIN_SECRET_CHARS: usize = 16;

/// Settings of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSettings {
    /// Secret that signs requests.
    pub secret: Secret,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.webhook",
    about: "Webhook that the forge calls after a push: `POST /_svc/webhook` at any host of the project.",
    keys: &[
        key(
            "secret_file",
            ValueType::Path,
            "File that contains the secret with which the forge signs requests.",
        )
        .example("\"/etc/svc/handbook.secret\""),
        key(
            "secret_env",
            ValueType::Text(secret::VARIABLE),
            "Environment variable that contains the secret.",
        )
        .example("\"HANDBOOK_WEBHOOK\""),
        key("secret", ValueType::Forbidden, ""),
    ],
    choices: &[ExclusiveKeys {
        keys: &["secret_file", "secret_env"],
        required: true,
    }],
};

pub(super) fn decode(cx: &mut Cx<'_>, project: Fields<'_>) -> Option<WebhookSettings> {
    let fields = cx.open(project.get("webhook")?, &TABLE)?;
    let secret = secret::decode(cx, fields, "secret")?;
    let length = secret.reveal().len();
    if length < MIN_SECRET_CHARS {
        let message = format!(
            "the webhook secret has {length} characters; it must have at least {MIN_SECRET_CHARS} to be safe"
        );
        let hint =
            "use a random secret here and at the forge, for example from `openssl rand -hex 32`";
        cx.report(&WEAK_SECRET, fields.span, message, hint);
    }
    Some(WebhookSettings { secret })
}
