//! Links of responses to operations that accept their values (`links`), and links to external
//! examples (`externalValue`), which are never fetched by svc.

use svc_nav::{OperationRef, Route};
use svc_openapi::{ExternalExample, Link, Operation};

use super::parts::{described, limit};
use super::schema_budget::SchemaBudget;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{Field, field};
use crate::url::{printed_path, resolve_url};

/// Maximum number of external examples per body.
const MAX_EXAMPLES: usize = 10;

/// Renders one collapsed section with a field per link.
pub(super) fn list(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    links: &[Link],
    prefix: &str,
) -> Html {
    let mut rows = Html::new();
    for link in links {
        if !sheet.take_link() {
            break;
        }
        let mut body = described(cx, link.description.as_deref());
        body.add(&target(cx, sheet, link));
        let mut values = Html::new();
        for (name, value) in &link.parameters {
            limit(&mut values, name, value);
        }
        if let Some(value) = &link.request_body {
            limit(&mut values, cx.texts.body, value);
        }
        if !values.is_empty() {
            body.lit("<div class=\"svc-api-limits\">")
                .add(&values)
                .lit("</div>");
        }
        cx.out.text.push_line(&link.name);
        sheet.count_row(&body);
        let row = Field {
            name: &link.name,
            id: &format!("{prefix}-link-{}", link.name),
            body,
            ..Field::default()
        };
        rows.add(&field(cx, &row));
    }
    let mut out = Html::new();
    if !rows.is_blank() {
        out.lit("<details class=\"svc-api-nested expandable\"><summary>")
            .esc(cx.texts.links)
            .lit("</summary>")
            .add(&rows)
            .lit("</details>");
    }
    out
}

/// The target operation as a link to its page; as plain text if the document does not contain it.
fn target(cx: &Ctx<'_>, sheet: &SchemaBudget<'_>, link: &Link) -> Html {
    let mut out = Html::literal("<p class=\"svc-api-also\">");
    let Some(operation) = sheet.document.link_target(link) else {
        let name = link.operation_id.as_ref().or(link.operation_ref.as_ref());
        out.lit("<code>")
            .esc(name.map_or("", String::as_str))
            .lit("</code></p>");
        return out;
    };
    let page = page_of(cx, sheet, operation);
    if let Some(page) = page {
        let href = resolve_url(
            &cx.input.options.site.base_path,
            &printed_path(cx.input.config, &page.path),
        );
        out.lit("<a").attr("href", &href).lit(">");
    }
    out.lit("<code>")
        .esc(&operation.method.to_uppercase())
        .lit(" ")
        .esc(&operation.path)
        .lit("</code>");
    if page.is_some() {
        out.lit("</a>");
    }
    if let Some(summary) = &operation.summary {
        out.lit(" ").esc(summary);
    }
    out.lit("</p>");
    out
}

/// The page of an operation; if there are several, the one of this version and language. Pages for
/// other audiences are excluded.
fn page_of<'a>(cx: &Ctx<'a>, sheet: &SchemaBudget<'_>, operation: &Operation) -> Option<&'a Route> {
    let own = sheet.route?;
    let is_wanted = |route: &&Route| {
        let Some(OperationRef::Operation {
            document,
            method,
            path,
        }) = &route.operation
        else {
            return false;
        };
        *document == sheet.document_index
            && *path == operation.path
            && method.eq_ignore_ascii_case(&operation.method)
            && (route.groups.is_none() || route.groups == own.groups)
    };
    let near = |route: &&Route| (&route.version, &route.language) == (&own.version, &own.language);
    let mut first = None;
    for route in cx.input.site_map.routes.values().filter(is_wanted) {
        if near(&route) {
            return Some(route);
        }
        first = first.or(Some(route));
    }
    first
}

/// Renders the URLs of external examples. Relative URLs are resolved against the document.
pub(super) fn examples(
    cx: &Ctx<'_>,
    sheet: &SchemaBudget<'_>,
    examples: &[ExternalExample],
) -> Html {
    let mut out = Html::new();
    for example in examples.iter().take(MAX_EXAMPLES) {
        let url = example.url.trim();
        let away = url.contains("://");
        let dir = sheet.document.path.rsplit_once('/').map_or("", |all| all.0);
        let href = if away || url.starts_with('/') {
            resolve_url(&cx.input.options.site.base_path, url)
        } else {
            let target = format!("{dir}/{}", url.trim_start_matches("./"));
            resolve_url(
                &cx.input.options.site.base_path,
                target.trim_start_matches('/'),
            )
        };
        out.lit("<p class=\"svc-api-also\">")
            .esc(cx.texts.example)
            .lit(" <a")
            .attr("href", &href);
        if away {
            out.lit(" target=\"_blank\" rel=\"noopener noreferrer\"");
        }
        let name = example.summary.as_deref().unwrap_or(&example.name);
        out.lit(">").esc(name).lit("</a></p>");
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::site;

    const SPEC: &str = r##"//- /apis/pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
 "paths": {
  "/pets": {"post": {"summary": "Add", "operationId": "add", "requestBody": {"content": {"application/json": {
     "examples": {"there": {"summary": "A <big> one", "externalValue": "https://files.test/big.json"}, "near": {"externalValue": "./near.json"}, "bad": {"externalValue": "javascript:alert(1)"}}}}},
   "responses": {"201": {"description": "made", "links": {
     "read": {"operationId": "read", "description": "Read **it**", "parameters": {"id": "$response.body#/id"}},
     "again": {"operationRef": "#/paths/~1pets/post", "requestBody": "$request.body"},
     "gone": {"operationId": "nobody"}}}}}},
  "/pets/{id}": {"get": {"summary": "Read a pet", "operationId": "read", "responses": {"200": {"description": "ok"}}}},
  "/hidden": {"get": {"operationId": "lost", "responses": {"200": {"description": "ok"}}}}}}
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"openapi": "apis/pets.json"}}
"##;

    #[test]
    fn links_of_a_response_are_collapsed_and_target_pages() {
        let html = site(SPEC, "/api-reference/add").html;
        let links = html.split("<summary>Links</summary>").nth(1).unwrap_or("");
        assert!(html.contains("<details class=\"svc-api-nested expandable\"><summary>Links"));
        for expected in [
            "id=\"response-link-read\"",
            "<strong>it</strong>",
            "<a href=\"/api-reference/read-a-pet\"><code>GET /pets/{id}</code></a> Read a pet",
            "<span>id <code>$response.body#/id</code></span>",
            "<a href=\"/api-reference/add\"><code>POST /pets</code></a>",
            "<span>Body <code>$request.body</code></span>",
            "<code>nobody</code>",
        ] {
            assert!(links.contains(expected), "{expected} in {html}");
        }
        assert!(!html.contains("nobody</code></a>"));
    }

    #[test]
    fn external_examples_are_links() {
        let html = site(SPEC, "/api-reference/add").html;
        for expected in [
            "<a href=\"https://files.test/big.json\" target=\"_blank\" rel=\"noopener noreferrer\">A &lt;big&gt; one</a>",
            "<a href=\"/apis/near.json\">near</a>",
        ] {
            assert!(html.contains(expected), "{expected} in {html}");
        }
        assert!(!html.contains("href=\"javascript:"), "{html}");
    }
}
