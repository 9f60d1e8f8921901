//! `[admin.rates]`: rate limits of the Admin API.

use std::time::Duration;

use svc_admin_api::RateLimits;
use svc_admin_api::rate_limit::Quota;

use super::decode::{Cx, Fields};
use super::table::{DefaultValue, KeySchema, TableSchema, ValueType, key};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const MAX_RATE: u32 = 1_000_000;

pub(super) static TABLE: TableSchema = TableSchema {
    name: "admin.rates",
    about: "Rate limits of the Admin API. Each number is also the size of a burst. Requests above the limit get 429 with `Retry-After`.",
    keys: &[
        rate("requests_per_minute", "Requests with one key.", 600),
        rate(
            "unauthenticated_per_minute",
            "Requests without a valid key from one IP address.",
            60,
        ),
        rate(
            "public_per_minute",
            "Requests for the OpenAPI documents of the API from one IP address.",
            120,
        ),
        rate("prompts_per_hour", "Agent prompts of one project.", 100),
        rate(
            "deployments_per_minute",
            "Production deployments of one project.",
            60,
        ),
        rate(
            "previews_per_minute",
            "Preview deployments of one project.",
            5,
        ),
        rate("keys_per_hour", "API keys created for one project.", 10),
    ],
    choices: &[],
};

const fn rate(name: &'static str, about: &'static str, usual: u32) -> KeySchema {
    key(name, ValueType::Count(1, MAX_RATE), about).default(DefaultValue::Count(usual))
}

pub(super) fn decode(cx: &mut Cx<'_>, admin: Fields<'_>) -> RateLimits {
    let usual = RateLimits::default();
    let Some(fields) = admin.get("rates").and_then(|node| cx.open(node, &TABLE)) else {
        return usual;
    };
    let mut read = |key: &str, period: Duration, usual: Quota| {
        if !fields.has(key) {
            return usual;
        }
        let count = cx.count(fields, key);
        count
            .and_then(|count| u32::try_from(count).ok())
            .map_or(usual, |count| Quota::per(count, period))
    };
    RateLimits {
        key: read("requests_per_minute", MINUTE, usual.key),
        unauthenticated: read("unauthenticated_per_minute", MINUTE, usual.unauthenticated),
        public: read("public_per_minute", MINUTE, usual.public),
        prompts: read("prompts_per_hour", HOUR, usual.prompts),
        updates: read("deployments_per_minute", MINUTE, usual.updates),
        previews: read("previews_per_minute", MINUTE, usual.previews),
        new_keys: read("keys_per_hour", HOUR, usual.new_keys),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_rates_are_the_defaults() {
        let usual = RateLimits::default();
        let all = [
            (usual.key, MINUTE),
            (usual.unauthenticated, MINUTE),
            (usual.public, MINUTE),
            (usual.prompts, HOUR),
            (usual.updates, MINUTE),
            (usual.previews, MINUTE),
            (usual.new_keys, HOUR),
        ];
        for (key, (rate, period)) in TABLE.keys.iter().zip(all) {
            let DefaultValue::Count(count) = key.default else {
                panic!("{} is a number", key.name);
            };
            assert_eq!(
                Quota::per(count, period).interval,
                rate.interval,
                "{}",
                key.name
            );
        }
    }
}
