//! LogRocket.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "logrocket",
    title: "LogRocket",
    js: include_str!("logrocket.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    ServiceLoad::new("https://cdn.logr-in.com/LogRocket.min.js")
        .attribute("crossorigin", "anonymous")
        .setting("id", settings.text("appId").unwrap_or_default())
        .connect(&["https://*.logr-in.com"])
}
