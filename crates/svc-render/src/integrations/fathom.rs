//! Fathom Analytics.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "fathom",
    title: "Fathom",
    js: "",
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    ServiceLoad::new("https://cdn.usefathom.com/script.js")
        .attribute("data-site", settings.text("siteId").unwrap_or_default())
        .connect(&["https://cdn.usefathom.com"])
        .images(&["https://cdn.usefathom.com"])
}
