//! The chat of Front.

use svc_config::Integration;

use super::service::{Service, ServiceLoad};

pub(super) static SERVICE: Service = Service {
    name: "frontchat",
    title: "Front Chat",
    js: include_str!("frontchat.js"),
    load,
};

fn load(settings: &Integration) -> ServiceLoad {
    ServiceLoad::new("https://chat-assets.frontapp.com/v1/chat.bundle.js")
        .setting("chat", settings.text("snippetId").unwrap_or_default())
        .connect(&[
            "https://chat.frontapp.com",
            "https://chat-assets.frontapp.com",
            "https://chat-webhook.frontapp.com",
            "https://us-west-1-chat-server.frontapp.com",
            "https://us-west-2-chat-server.frontapp.com",
            "https://eu-west-1-chat-server.frontapp.com",
            "wss://front-us-realtime.ably.io",
            "wss://front-eu-realtime.ably.io",
        ])
        .images(&[
            "https://chat.frontapp.com",
            "https://chat-assets.frontusercontent.com",
        ])
        .styles(&["blob:"])
}
