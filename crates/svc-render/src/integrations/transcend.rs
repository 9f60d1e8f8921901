//! Transcend, which manages consent.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "transcend",
    title: "Transcend",
    js: include_str!("transcend.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let bundle = settings.text("bundleId").unwrap_or_default();
    ServiceLoad::new(&format!("https://transcend-cdn.com/cm/{bundle}/airgap.js"))
        .attribute("data-cfasync", "false")
        .setting(
            "purpose",
            settings.text("analyticsPurpose").unwrap_or("Analytics"),
        )
        .connect(&[
            "https://transcend-cdn.com",
            "https://telemetry.transcend.io",
            "https://telemetry.us.transcend.io",
        ])
        .images(&["https://transcend-cdn.com"])
        .frames(&["https://sync-transcend-cdn.com"])
}
