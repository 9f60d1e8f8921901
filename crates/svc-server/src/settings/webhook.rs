//! `[projects.webhook]`: what the forge calls after a push.

use super::Secret;
use super::codes::WEAK_SECRET;
use super::decode::{Cx, Fields};
use super::secret;
use super::table::{ExclusiveKeys, TableSchema, ValueType, key};

/// Characters that a secret has at least: whoever has seen one signed call can try secrets as fast as
/// his machines go.
const MIN_SECRET_CHARS: usize = 16;

/// What the forge calls after a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSettings {
    /// What signs the calls.
    pub secret: Secret,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.webhook",
    about: "What the forge calls after a push: `POST /_svc/webhook` at any host of the project.",
    keys: &[
        key(
            "secret_file",
            ValueType::Path,
            "File that holds the secret with which the forge signs its calls.",
        )
        .example("\"/etc/svc/handbook.secret\""),
        key(
            "secret_env",
            ValueType::Text(secret::VARIABLE),
            "Variable of the environment that holds this secret.",
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
    let length = secret.expose().len();
    if length < MIN_SECRET_CHARS {
        let message = format!(
            "the secret of the webhook has {length} characters; with fewer than {MIN_SECRET_CHARS} it can be guessed"
        );
        let hint =
            "take a random one, for example of `openssl rand -hex 32`, here and at the forge";
        cx.report(&WEAK_SECRET, fields.span, message, hint);
    }
    Some(WebhookSettings { secret })
}
