//! Segment, which loads the destinations that are configured there.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "segment",
    title: "Segment",
    js: include_str!("segment.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let key = settings.text("key").unwrap_or_default();
    let cdn = settings.text("cdnUrl").unwrap_or("https://cdn.segment.com");
    let cdn = cdn.trim_end_matches('/');
    ServiceLoad::new(&format!("{cdn}/analytics.js/v1/{key}/analytics.min.js"))
        .setting("key", key)
        .setting("cdn", cdn)
        .connect_to(cdn)
        .connect(&["https://api.segment.io"])
}
