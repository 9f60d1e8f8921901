//! `[outbound]`: options for outgoing requests.

use std::time::Duration;

use svc_fetch::Policy;

use super::decode::{Cx, Fields};
use super::table::{DefaultValue, TableSchema, ValueType, key};
use crate::REMOTE_REFRESH_INTERVAL;

/// Options for outgoing requests, except those to repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboundSettings {
    /// Hosts and networks outside of the public internet that the relay of the playground can
    /// reach; `None` if the relay is disabled.
    pub relay: Option<Policy>,
    /// Hosts and networks outside of the public internet that may serve remote OpenAPI documents.
    pub remote: Policy,
    /// Whether remote OpenAPI documents may use `http://` URLs.
    pub remote_http: bool,
    /// Interval at which remote OpenAPI documents are fetched again.
    pub remote_refresh: Duration,
    /// Whether outgoing requests are disabled.
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
    name: "outbound",
    about: "Options for outgoing requests, except those to the repositories of projects.",
    keys: &[
        key(
            "relay",
            ValueType::Boolean,
            "Whether the server relays requests of the API playground. If not, browsers send them directly.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "relay_allow",
            ValueType::Texts(""),
            "Hosts and networks outside of the public internet that the relay can reach.",
        )
        .example("[\"api.internal\", \"10.1.0.0/16\"]"),
        key(
            "remote_allow",
            ValueType::Texts(""),
            "Hosts and networks outside of the public internet from which remote OpenAPI documents can be fetched.",
        )
        .example("[\"api.internal\"]"),
        key(
            "remote_http",
            ValueType::Boolean,
            "Whether remote OpenAPI documents can have `http://` URLs.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "remote_refresh",
            ValueType::Duration(5),
            "Interval at which remote OpenAPI documents are fetched again.",
        )
        .default(DefaultValue::Text("10m")),
        key(
            "offline",
            ValueType::Boolean,
            "Whether to disable outgoing requests: no relay, no statistics of GitHub repositories, and only cached copies of remote OpenAPI documents.",
        )
        .default(DefaultValue::Boolean(false)),
    ],
    choices: &[],
};

pub(super) fn decode(cx: &mut Cx<'_>, server: Fields<'_>) -> OutboundSettings {
    let Some(fields) = server
        .get("outbound")
        .and_then(|node| cx.open(node, &TABLE))
    else {
        return OutboundSettings::default();
    };
    let offline = cx.flag(fields, "offline");
    let relay = cx.flag(fields, "relay");
    let defaults = OutboundSettings::default();
    let relayed = policy(cx, fields, "relay_allow");
    OutboundSettings {
        relay: (relay && !offline).then_some(relayed),
        remote: policy(cx, fields, "remote_allow"),
        remote_http: cx.flag(fields, "remote_http"),
        remote_refresh: cx
            .duration(fields, "remote_refresh")
            .unwrap_or(defaults.remote_refresh),
        offline,
    }
}

/// Policy that allows the public internet and the hosts and networks of a key.
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
