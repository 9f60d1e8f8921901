//! Clearbit.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "clearbit",
    title: "Clearbit",
    js: "",
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let key = settings.text("publicApiKey").unwrap_or_default();
    ServiceLoad::new(&format!("https://tag.clearbitscripts.com/v1/{key}/tags.js"))
        .attribute("referrerpolicy", "strict-origin-when-cross-origin")
        .scripts(&["https://x.clearbitjs.com"])
        .connect(&["https://x.clearbitjs.com", "https://app.clearbit.com"])
}
