//! `[outside]`: what may be asked of other machines.

use std::time::Duration;

use svc_fetch::Policy;

use super::decode::{Cx, Fields};
use super::table::{DefaultValue, TableSchema, ValueType, key};
use crate::REMOTE_REFRESH_INTERVAL;

/// What may be asked of other machines, besides the repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboundSettings {
    /// What the relay of the playground may reach besides the public internet; nothing when there
    /// is no relay.
    pub relay: Option<Policy>,
    /// Where hosted OpenAPI documents may come from besides the public internet.
    pub remote: Policy,
    /// Whether they may stand behind `http://`.
    pub remote_http: bool,
    /// How often they are asked for again.
    pub remote_refresh: Duration,
    /// Whether nothing is asked of other machines.
    pub offline: bool,
}

impl Default for OutboundSettings {
    fn default() -> Self {
        Self {
            relay: Some(Policy::default()),
            remote: Policy::default(),
            remote_http: false,
            remote_refresh: REMOTE_REFRESH_INTERVAL,
            offline: false,
        }
    }
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "outside",
    about: "What may be asked of other machines, besides the repositories of projects.",
    keys: &[
        key(
            "relay",
            ValueType::Boolean,
            "Whether requests of the playground are passed on. Otherwise browsers send them themselves.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "relay_allow",
            ValueType::Texts(""),
            "Hosts and networks that the relay may reach although they are not public.",
        )
        .example("[\"api.internal\", \"10.1.0.0/16\"]"),
        key(
            "hosted_allow",
            ValueType::Texts(""),
            "Hosts and networks that hosted OpenAPI documents may come from although they are not public.",
        )
        .example("[\"api.internal\"]"),
        key(
            "hosted_http",
            ValueType::Boolean,
            "Whether hosted OpenAPI documents may stand behind `http://`.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "hosted_every",
            ValueType::Duration(5),
            "How often hosted OpenAPI documents are asked for again.",
        )
        .default(DefaultValue::Text("10m")),
        key(
            "offline",
            ValueType::Boolean,
            "Asks no other machine for anything: no relay, no numbers of repositories on GitHub, and of hosted OpenAPI documents only the copies.",
        )
        .default(DefaultValue::Boolean(false)),
    ],
    choices: &[],
};

pub(super) fn decode(cx: &mut Cx<'_>, server: Fields<'_>) -> OutboundSettings {
    let Some(fields) = server.get("outside").and_then(|node| cx.open(node, &TABLE)) else {
        return OutboundSettings::default();
    };
    let offline = cx.flag(fields, "offline");
    let relay = cx.flag(fields, "relay");
    let usual = OutboundSettings::default();
    let relayed = policy(cx, fields, "relay_allow");
    OutboundSettings {
        relay: (relay && !offline).then_some(relayed),
        remote: policy(cx, fields, "hosted_allow"),
        remote_http: cx.flag(fields, "hosted_http"),
        remote_refresh: cx
            .duration(fields, "hosted_every")
            .unwrap_or(usual.remote_refresh),
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
