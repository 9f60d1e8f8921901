//! Microsoft Clarity.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "clarity",
    title: "Microsoft Clarity",
    js: include_str!("clarity.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let id = settings.text("projectId").unwrap_or_default();
    ServiceLoad::new(&format!("https://www.clarity.ms/tag/{id}"))
        .scripts(&["https://scripts.clarity.ms"])
        .connect(&["https://*.clarity.ms"])
        .images(&["https://*.clarity.ms", "https://c.bing.com"])
}
