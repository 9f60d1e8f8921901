//! Google Tag Manager, which loads what its container contains.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "gtm",
    title: "Google Tag Manager",
    js: include_str!("gtm.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let id = settings.text("tagId").unwrap_or_default();
    ServiceLoad::new(&format!("https://www.googletagmanager.com/gtm.js?id={id}"))
        .connect(&[
            "https://www.googletagmanager.com",
            "https://*.google-analytics.com",
            "https://*.analytics.google.com",
        ])
        .images(&[
            "https://www.googletagmanager.com",
            "https://*.google-analytics.com",
        ])
        .frames(&["https://www.googletagmanager.com"])
}
