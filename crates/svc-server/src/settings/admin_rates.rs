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

const fn rate(name: &'static str, about: &'static str, defaults: u32) -> KeySchema {
    key(name, ValueType::Count(1, MAX_RATE), about).default(DefaultValue::Count(defaults))
}

pub(super) fn decode(cx: &mut Cx<'_>, admin: Fields<'_>) -> RateLimits {
    let defaults = RateLimits::default();
    let Some(fields) = admin.get("rates").and_then(|node| cx.open(node, &TABLE)) else {
        return defaults;
    };
    let mut read = |key: &str, period: Duration, defaults: Quota| {
        if !fields.has(key) {
            return defaults;
        }
        let count = cx.count(fields, key);
        count
            .and_then(|count| u32::try_from(count).ok())
            .map_or(defaults, |count| Quota::per(count, period))
    };
    RateLimits {
        key: read("requests_per_minute", MINUTE, defaults.key),
        unauthenticated: read(
            "unauthenticated_per_minute",
            MINUTE,
            defaults.unauthenticated,
        ),
        public: read("public_per_minute", MINUTE, defaults.public),
        prompts: read("prompts_per_hour", HOUR, defaults.prompts),
        updates: read("deployments_per_minute", MINUTE, defaults.updates),
        previews: read("previews_per_minute", MINUTE, defaults.previews),
        new_keys: read("keys_per_hour", HOUR, defaults.new_keys),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_rates_are_the_defaults() {
        let defaults = RateLimits::default();
        let all = [
            (defaults.key, MINUTE),
            (defaults.unauthenticated, MINUTE),
            (defaults.public, MINUTE),
            (defaults.prompts, HOUR),
            (defaults.updates, MINUTE),
            (defaults.previews, MINUTE),
            (defaults.new_keys, HOUR),
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
