//! Plausible Analytics.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "plausible",
    title: "Plausible",
    js: "",
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let host = settings.text("server").unwrap_or("plausible.io");
    ServiceLoad::new(&format!("https://{host}/js/script.js"))
        .attribute("data-domain", settings.text("domain").unwrap_or_default())
        .connect_to(&format!("https://{host}"))
}
