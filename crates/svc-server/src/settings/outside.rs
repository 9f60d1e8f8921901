//! `[outside]`: what may be asked of other machines.

use svc_fetch::Policy;

use super::decode::{Cx, Fields};
use super::table::{Form, Initial, Table, key};

/// What may be asked of other machines, besides the repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideSettings {
    /// What the relay of the playground may reach besides the public internet; nothing when there
    /// is no relay.
    pub relay: Option<Policy>,
    /// Whether nothing is asked of other machines.
    pub offline: bool,
}

impl Default for OutsideSettings {
    fn default() -> Self {
        Self {
            relay: Some(Policy::default()),
            offline: false,
        }
    }
}

pub(super) static TABLE: Table = Table {
    name: "outside",
    about: "What may be asked of other machines, besides the repositories of projects.",
    keys: &[
        key(
            "relay",
            Form::Boolean,
            "Whether requests of the playground are passed on. Otherwise browsers send them themselves.",
        )
        .default(Initial::Boolean(true)),
        key(
            "relay_allow",
            Form::Texts(""),
            "Hosts and networks that the relay may reach although they are not public.",
        )
        .example("[\"api.internal\", \"10.1.0.0/16\"]"),
        key(
            "offline",
            Form::Boolean,
            "Asks no other machine for anything: no relay, and no numbers of repositories on GitHub.",
        )
        .default(Initial::Boolean(false)),
    ],
    choices: &[],
};

pub(super) fn decode(cx: &mut Cx<'_>, server: Fields<'_>) -> OutsideSettings {
    let Some(fields) = server.get("outside").and_then(|node| cx.open(node, &TABLE)) else {
        return OutsideSettings::default();
    };
    let offline = cx.flag(fields, "offline");
    let relay = cx.flag(fields, "relay");
    let mut policy = Policy::default();
    for text in cx.texts(fields, "relay_allow").unwrap_or_default() {
        if let Err(error) = policy.allow(text.text) {
            let hint = error.to_string();
            let hint = hint.split_once("; ").map_or("", |(_, hint)| hint);
            cx.refuse(text, "relay_allow", hint);
        }
    }
    OutsideSettings {
        relay: (relay && !offline).then_some(policy),
        offline,
    }
}
