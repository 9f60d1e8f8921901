//! Servers of an operation.

use svc_openapi::{ApiDocument, Operation, Server};

use super::parts::{described, limit, limits_box, opens};
use crate::ctx::Ctx;
use crate::html::Html;

/// Maximum number of servers per page.
const MAX_SERVERS: usize = 50;

/// Renders the servers in a collapsible section; empty for a single server without description and
/// variables.
pub(super) fn list(cx: &mut Ctx<'_>, document: &ApiDocument, operation: &Operation) -> Html {
    let servers = document.servers_of(operation);
    let plain = |server: &Server| server.description.is_none() && server.variables.is_empty();
    let mut out = Html::new();
    if servers.len() < 2 && servers.iter().all(plain) {
        return out;
    }
    out.lit("<details class=\"svc-api-nested svc-api-servers\"")
        .flag("open", opens(cx))
        .lit("><summary>")
        .esc(cx.texts.playground.server);
    if let Some(first) = servers.first() {
        out.lit(" <span class=\"svc-part-note\">").esc(&first.url);
        if servers.len() > 1 {
            out.lit(" +").esc(&(servers.len() - 1).to_string());
        }
        out.lit("</span>");
    }
    out.lit("</summary>");
    for server in servers.iter().take(MAX_SERVERS) {
        out.lit("<div class=\"svc-api-server\"><code>")
            .esc(&server.url)
            .lit("</code>");
        out.add(&described(cx, server.description.as_deref()));
        for variable in &server.variables {
            let mut limits = Html::new();
            limit(&mut limits, &variable.name, &variable.default);
            if !variable.values.is_empty() {
                limits
                    .lit("<p class=\"svc-api-values\">")
                    .esc(cx.texts.allowed);
                for value in &variable.values {
                    limits.lit(" <code>").esc(value).lit("</code>");
                }
                limits.lit("</p>");
            }
            out.add(&limits_box(limits));
            out.add(&described(cx, variable.description.as_deref()));
        }
        out.lit("</div>");
    }
    out.lit("</details>");
    out
}
