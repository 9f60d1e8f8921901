//! Amplitude.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "amplitude",
    title: "Amplitude",
    js: include_str!("amplitude.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let key = settings.text("apiKey").unwrap_or_default();
    ServiceLoad::new(&format!("https://cdn.amplitude.com/script/{key}.js"))
        .setting("key", key)
        .connect(&["https://*.amplitude.com"])
}
