//! Pirsch.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "pirsch",
    title: "Pirsch",
    js: "",
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    ServiceLoad::new("https://api.pirsch.io/pa.js")
        // The library finds its element by this ID.
        .attribute("id", "pianjs")
        .attribute("data-code", settings.text("id").unwrap_or_default())
        .connect(&["https://api.pirsch.io"])
}
