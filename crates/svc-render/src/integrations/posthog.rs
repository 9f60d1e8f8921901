//! PostHog.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "posthog",
    title: "PostHog",
    js: include_str!("posthog.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let host = api_host(
        settings
            .text("apiHost")
            .unwrap_or("https://us.i.posthog.com"),
    );
    let assets = match host.strip_suffix(CLOUD) {
        Some(region) => format!("{region}-assets{CLOUD}"),
        None => host.to_owned(),
    };
    ServiceLoad::new(&format!("{assets}/static/array.js"))
        .setting("key", settings.text("apiKey").unwrap_or_default())
        .setting("host", host)
        .flag(
            "recording",
            settings.flag("sessionRecording").unwrap_or(true),
        )
        .script_from(host)
        .connect_to(&assets)
        .connect_to(host)
}

/// End of the origins of the cloud; its scripts are on another host.
const CLOUD: &str = ".i.posthog.com";

/// The host that the library sends to: it replaces the older ones of the cloud.
fn api_host(url: &str) -> &str {
    match url.trim_end_matches('/') {
        "https://app.posthog.com" | "https://us.posthog.com" => "https://us.i.posthog.com",
        "https://eu.posthog.com" => "https://eu.i.posthog.com",
        url => url,
    }
}
