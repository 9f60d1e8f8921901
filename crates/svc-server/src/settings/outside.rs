//! `[outside]`: what may be asked of other machines.

use std::time::Duration;

use svc_fetch::Policy;

use super::decode::{Cx, Fields};
use super::table::{Form, Initial, Table, key};
use crate::HOSTED_EVERY;

/// What may be asked of other machines, besides the repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideSettings {
    /// What the relay of the playground may reach besides the public internet; nothing when there
    /// is no relay.
    pub relay: Option<Policy>,
    /// Where hosted OpenAPI documents may come from besides the public internet.
    pub hosted: Policy,
    /// Whether they may stand behind `http://`.
    pub hosted_http: bool,
    /// How often they are asked for again.
    pub hosted_every: Duration,
    /// Whether nothing is asked of other machines.
    pub offline: bool,
}

impl Default for OutsideSettings {
    fn default() -> Self {
        Self {
            relay: Some(Policy::default()),
            hosted: Policy::default(),
            hosted_http: false,
            hosted_every: HOSTED_EVERY,
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
            "hosted_allow",
            Form::Texts(""),
            "Hosts and networks that hosted OpenAPI documents may come from although they are not public.",
        )
        .example("[\"api.internal\"]"),
        key(
            "hosted_http",
            Form::Boolean,
            "Whether hosted OpenAPI documents may stand behind `http://`.",
        )
        .default(Initial::Boolean(false)),
        key(
            "hosted_every",
            Form::Duration(5),
            "How often hosted OpenAPI documents are asked for again.",
        )
        .default(Initial::Text("10m")),
        key(
            "offline",
            Form::Boolean,
            "Asks no other machine for anything: no relay, no numbers of repositories on GitHub, and of hosted OpenAPI documents only the copies.",
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
    let usual = OutsideSettings::default();
    let relayed = policy(cx, fields, "relay_allow");
    OutsideSettings {
        relay: (relay && !offline).then_some(relayed),
        hosted: policy(cx, fields, "hosted_allow"),
        hosted_http: cx.flag(fields, "hosted_http"),
        hosted_every: cx
            .duration(fields, "hosted_every")
            .unwrap_or(usual.hosted_every),
        offline,
    }
}

/// Hosts and networks that may be reached besides the public internet.
fn policy(cx: &mut Cx<'_>, fields: Fields<'_>, key: &str) -> Policy {
    let mut policy = Policy::default();
    for text in cx.texts(fields, key).unwrap_or_default() {
        if let Err(error) = policy.allow(text.text) {
            let hint = error.to_string();
            let hint = hint.split_once("; ").map_or("", |(_, hint)| hint);
            cx.refuse(text, key, hint);
        }
    }
    policy
}
