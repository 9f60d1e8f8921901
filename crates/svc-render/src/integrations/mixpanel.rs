//! Mixpanel.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "mixpanel",
    title: "Mixpanel",
    js: include_str!("mixpanel.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let host = match settings.text("region") {
        Some("eu") => "https://api-eu.mixpanel.com",
        Some("in") => "https://api-in.mixpanel.com",
        _ => "https://api-js.mixpanel.com",
    };
    ServiceLoad::new("https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js")
        .setting("token", settings.text("projectToken").unwrap_or_default())
        .setting("host", host)
        .connect(&[host])
}
