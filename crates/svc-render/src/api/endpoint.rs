//! The endpoint bar with method and path.

use crate::html::Html;

/// Content of an endpoint bar.
pub(super) struct EndpointBar<'a> {
    /// Method in lower case, or `webhook`.
    pub(super) method: &'a str,
    /// Path with parameters in braces.
    pub(super) path: &'a str,
    /// Base URL of the path.
    pub(super) server: Option<&'a str>,
    /// Whether the base URL is shown as well, and not only copied (`api.url`).
    pub(super) full: bool,
    /// Whether requests can be sent.
    pub(super) callable: bool,
    /// Whether the playground is expanded by default (`x-svc.playground.expand`).
    pub(super) expand: bool,
}

/// A bar without buttons, for endpoints that cannot be called.
pub(super) fn plain(method: &str, path: &str) -> Html {
    let of = EndpointBar {
        method,
        path,
        server: None,
        full: false,
        callable: false,
        expand: false,
    };
    bar(&of, &Html::new(), &Html::new())
}

/// Renders the path with highlighted parameters and the server URL. `attributes` are set on the
/// bar, `buttons` are at its end.
pub(super) fn bar(of: &EndpointBar<'_>, attributes: &Html, buttons: &Html) -> Html {
    let mut out = Html::new();
    out.lit("<div class=\"svc-endpoint\"")
        .add(attributes)
        .lit("><span class=\"svc-method method-pill\"");
    out.attr("data-method", of.method)
        .lit(">")
        .esc(&of.method.to_uppercase())
        .lit("</span>");
    // Spaces separate the parts when they are copied or read as text.
    out.lit(" <code class=\"svc-endpoint-path\" data-svc-copy-text");
    out.attr_if("title", of.server.filter(|_| !of.full))
        .lit(">");
    let server = of.server;
    if let Some(server) = server.filter(|server| !server.is_empty() && *server != "/") {
        out.lit("<span class=\"svc-endpoint-server\"")
            .flag("data-full", of.full)
            .lit(">");
        out.esc(server.trim_end_matches('/')).lit("</span>");
    }
    let mut rest = of.path;
    while let Some(open) = rest.find('{') {
        let close = rest[open..]
            .find('}')
            .map_or(rest.len(), |end| open + end + 1);
        out.esc(&rest[..open])
            .lit("<span class=\"svc-endpoint-variable\">");
        out.esc(&rest[open..close]).lit("</span>");
        rest = &rest[close..];
    }
    out.esc(rest).lit("</code>").add(buttons).lit("</div>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn path_parameters_are_marked_and_an_unclosed_brace_is_literal() {
        let html = plain("get", "/a/{id}/<b>/{c").into_string();
        assert!(html.contains("<span class=\"svc-endpoint-variable\">{id}</span>/&lt;b&gt;/"));
        assert!(html.contains("<span class=\"svc-endpoint-variable\">{c</span>"));
        assert!(html.contains(">GET</span>"));
    }
}
