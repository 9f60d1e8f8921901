//! OneTrust, which manages consent.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "onetrust",
    title: "OneTrust",
    js: include_str!("onetrust.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    let script = settings.text("scriptSource");
    ServiceLoad::new(script.unwrap_or("https://cdn.cookielaw.org/scripttemplates/otSDKStub.js"))
        .attribute(
            "data-domain-script",
            settings.text("domainScript").unwrap_or_default(),
        )
        .setting("category", settings.text("categoryId").unwrap_or("C0002"))
        .scripts(&["https://geolocation.onetrust.com"])
        .connect(&["https://cdn.cookielaw.org", "https://*.onetrust.com"])
        .images(&["https://cdn.cookielaw.org"])
}
