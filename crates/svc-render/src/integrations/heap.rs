//! Heap.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "heap",
    title: "Heap",
    js: include_str!("heap.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let id = settings.text("appId").unwrap_or_default();
    ServiceLoad::new(&format!(
        "https://cdn.us.heap-api.com/config/{id}/heap_config.js"
    ))
    .setting("id", id)
    .connect(&["https://*.heap-api.com"])
    .images(&["https://*.heap-api.com"])
}
