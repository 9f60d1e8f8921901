//! Gitea and Forgejo. Signatures: `X-Gitea-Signature` and `X-Forgejo-Signature`, the HMAC of the
//! body. Forgejo sends both; each must be valid.

use super::forge::{Forge, Message};
use super::{github, signature};

pub(super) static FORGEJO: Forge = Forge {
    name: "Forgejo",
    is_sender: |head| head.contains_key("x-forgejo-event"),
    is_authentic: |message| is_signed(message, "x-forgejo-signature"),
    event: |message| {
        github::event(
            message,
            message.header("x-forgejo-event").unwrap_or_default(),
        )
    },
};

pub(super) static GITEA: Forge = Forge {
    name: "Gitea",
    is_sender: |head| head.contains_key("x-gitea-event"),
    is_authentic: |message| is_signed(message, "x-gitea-signature"),
    event: |message| github::event(message, message.header("x-gitea-event").unwrap_or_default()),
};

fn is_signed(message: &Message<'_>, header: &str) -> bool {
    let signature = message.header(header);
    signature.is_some_and(|text| signature::is_hex(text, &[message.body], message.secret))
}
