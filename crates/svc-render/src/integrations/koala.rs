//! Koala.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "koala",
    title: "Koala",
    js: include_str!("koala.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let key = settings.text("publicApiKey").unwrap_or_default();
    ServiceLoad::new(&format!("https://cdn.getkoala.com/v1/{key}/sdk.js"))
        .connect(&["https://*.getkoala.com"])
}
