//! The bar with method and path.

use crate::html::Html;

/// Method in lower case, path with its parameters marked, and the address it is relative to.
pub(super) fn bar(method: &str, path: &str, server: Option<&str>) -> Html {
    let mut out = Html::new();
    out.lit("<div class=\"svc-endpoint\"><span class=\"svc-method method-pill\"");
    out.attr("data-method", method)
        .lit(">")
        .esc(&method.to_uppercase())
        .lit("</span>");
    out.lit("<code class=\"svc-endpoint-path\" tabindex=\"0\">");
    if let Some(server) = server.filter(|server| !server.is_empty() && *server != "/") {
        out.lit("<span class=\"svc-endpoint-server\">");
        out.esc(server.trim_end_matches('/')).lit("</span>");
    }
    let mut rest = path;
    while let Some(open) = rest.find('{') {
        let close = rest[open..]
            .find('}')
            .map_or(rest.len(), |end| open + end + 1);
        out.esc(&rest[..open])
            .lit("<span class=\"svc-endpoint-variable\">");
        out.esc(&rest[open..close]).lit("</span>");
        rest = &rest[close..];
    }
    out.esc(rest).lit("</code></div>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn variables_are_marked_and_an_open_brace_does_no_harm() {
        let html = bar("get", "/a/{id}/<b>/{c", None).into_string();
        assert!(html.contains("<span class=\"svc-endpoint-variable\">{id}</span>/&lt;b&gt;/"));
        assert!(html.contains("<span class=\"svc-endpoint-variable\">{c</span>"));
        assert!(html.contains(">GET</span>"));
    }
}
