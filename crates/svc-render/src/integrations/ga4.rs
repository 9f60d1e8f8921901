//! Google Analytics 4.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "ga4",
    title: "Google Analytics",
    js: include_str!("ga4.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let id = settings.text("measurementId").unwrap_or_default();
    ServiceLoad::new(&format!("https://www.googletagmanager.com/gtag/js?id={id}"))
        .setting("id", id)
        .connect(&[
            "https://*.google-analytics.com",
            "https://*.analytics.google.com",
            "https://www.googletagmanager.com",
        ])
        .images(&[
            "https://*.google-analytics.com",
            "https://www.googletagmanager.com",
        ])
}
