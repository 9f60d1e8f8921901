//! Intercom.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "intercom",
    title: "Intercom",
    js: include_str!("intercom.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let id = settings.text("appId").unwrap_or_default();
    ServiceLoad::new(&format!("https://widget.intercom.io/widget/{id}"))
        .setting("id", id)
        .scripts(&["https://js.intercomcdn.com"])
        .connect(&[
            "https://*.intercom.io",
            "https://*.intercomcdn.com",
            "wss://*.intercom.io",
        ])
        .images(&["https://*.intercomcdn.com", "https://*.intercomassets.com"])
        .frames(&[
            "https://intercom-sheets.com",
            "https://www.intercom-reporting.com",
        ])
}
