//! Hightouch Events.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "hightouch",
    title: "Hightouch",
    js: include_str!("hightouch.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let host = settings
        .text("apiHost")
        .unwrap_or("us-east-1.hightouch-events.com");
    ServiceLoad::new("https://cdn.hightouch-events.com/browser/release/v1-latest/events.min.js")
        .setting("key", settings.text("writeKey").unwrap_or_default())
        .setting("host", host)
        .connect(&["https://cdn.hightouch-events.com"])
        .connect_to(&format!("https://{host}"))
}
