//! Adobe Experience Platform tags, which load what their property contains.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "adobe",
    title: "Adobe Experience Platform",
    js: "",
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    ServiceLoad::new(settings.text("launchUrl").unwrap_or_default())
        .connect(&[
            "https://*.adobedc.net",
            "https://*.demdex.net",
            "https://*.omtrdc.net",
        ])
        .images(&["https://*.demdex.net", "https://*.omtrdc.net"])
        .frames(&["https://*.demdex.net"])
}
