//! Hotjar.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "hotjar",
    title: "Hotjar",
    js: include_str!("hotjar.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let (id, version) = (settings.text("hjid"), settings.text("hjsv"));
    let (id, version) = (id.unwrap_or_default(), version.unwrap_or_default());
    ServiceLoad::new(&format!(
        "https://static.hotjar.com/c/hotjar-{id}.js?sv={version}"
    ))
    .setting("id", id)
    .setting("version", version)
    .scripts(&["https://script.hotjar.com"])
    .connect(&[
        "https://*.hotjar.com",
        "https://*.hotjar.io",
        "wss://*.hotjar.com",
    ])
    .images(&["https://*.hotjar.com"])
    .frames(&["https://*.hotjar.com"])
}
