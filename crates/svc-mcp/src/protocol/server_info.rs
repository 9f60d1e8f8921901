//! What the server says about itself.

use serde_json::{Value, json};
use svc_site::Site;

use super::Context;
use super::version::SUPPORTED_VERSIONS;

/// Maximum number of characters of the instructions of the site.
const MAX_INSTRUCTION_CHARS: usize = 2_000;

/// Name and version of the server.
pub(crate) fn short(site: &Site) -> Value {
    json!({"name": site.config.name, "version": env!("CARGO_PKG_VERSION")})
}

/// Name, version, description and URL of the server.
pub(crate) fn full(cx: &Context<'_>) -> Value {
    let mut info = short(cx.site);
    info["title"] = json!(cx.site.config.name);
    if let Some(description) = &cx.site.config.description {
        info["description"] = json!(description);
    }
    let url = cx.site.public_url(cx.origin, "/");
    if url.contains("://") {
        info["websiteUrl"] = json!(url);
    }
    info
}

/// What the server offers besides the base protocol.
pub(crate) fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}})
}

/// The result of `server/discover`.
pub(crate) fn discover(cx: &Context<'_>) -> Value {
    json!({
        "supportedVersions": SUPPORTED_VERSIONS,
        "capabilities": capabilities(),
        "instructions": instructions(cx),
    })
}

/// The result of `initialize`.
pub(crate) fn initialize(cx: &Context<'_>, version: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": capabilities(),
        "serverInfo": full(cx),
        "instructions": instructions(cx),
    })
}

/// How a language model uses the tools, and what the site asks of it.
fn instructions(cx: &Context<'_>) -> String {
    let site = cx.site;
    let mut out = format!("Documentation of {}", site.config.name.trim());
    if let Some(description) = &site.config.description {
        out.push_str(": ");
        out.push_str(description.trim());
    }
    let root = site.public_url(cx.origin, "/");
    out.push_str(&format!(
        "\nBegin with `search`; its excerpts often suffice. `read` gives a section by its address, `/path#section`. Answers stay within `max_tokens` and say how to get the rest. Link pages as {}/path.",
        root.trim_end_matches('/')
    ));
    let own = &site.config.markdown.instructions;
    let own = own.iter().flat_map(|text| text.lines()).collect::<Vec<_>>();
    if !own.is_empty() {
        let own = own.join("\n");
        out.push('\n');
        out.extend(own.chars().take(MAX_INSTRUCTION_CHARS));
    }
    out
}
