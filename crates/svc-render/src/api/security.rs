//! Authorization section: the security schemes of an operation.

use svc_openapi::{ApiDocument, Operation, SecurityKind, SecurityScheme, oauth_flows};

use super::description_links::described_blocks;
use super::parts::{limit, limits_box, section};
use crate::ctx::{Ctx, Panel};
use crate::html::Html;
use crate::markdown::plain_text;
use crate::ui::{Field, PanelOptions, field, panels};

/// Maximum length in characters of a description that is not collapsed.
const MAX_TEXT: usize = 300;
/// Maximum number of alternatives per page.
const MAX_ALTERNATIVES: usize = 20;

/// Renders one field per scheme; alternatives are shown as a selection.
pub(super) fn authorization(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    operation: &Operation,
) -> Html {
    let known = |names: &&Vec<String>| {
        names.is_empty()
            || names
                .iter()
                .any(|name| document.security_schemes.contains_key(name))
    };
    let alternatives = operation.security.iter().enumerate();
    let alternatives: Vec<(usize, &Vec<String>)> = alternatives
        .filter(|(_, names)| known(names))
        .take(MAX_ALTERNATIVES)
        .collect();
    let mut shown = Vec::new();
    for (at, names) in alternatives {
        let body = scheme_group(cx, document, operation, (at, names));
        let title = title(names);
        shown.push(Panel {
            title: if names.is_empty() {
                cx.texts.no_authorization.to_owned()
            } else {
                title
            },
            body,
            ..Panel::default()
        });
    }
    let body = match shown.as_slice() {
        [only] => only.body.clone(),
        _ => {
            let look = PanelOptions {
                class: "svc-api-media",
                label: cx.texts.authorization,
                dropdown: shown.len() > 3,
                sync: true,
                ..PanelOptions::default()
            };
            panels(cx, &shown, look)
        }
    };
    section(cx, (cx.texts.authorization, "authorization"), None, &body)
}

/// Joins the names of schemes that are required together.
fn title(names: &[String]) -> String {
    let names = names.iter().map(|name| name.replace(['_', '-'], " "));
    names.collect::<Vec<_>>().join(" & ")
}

/// Renders the schemes of one alternative.
fn scheme_group(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    operation: &Operation,
    (at, names): (usize, &[String]),
) -> Html {
    let mut rows = Html::new();
    let is_alternative = operation.security.len() > 1;
    if names.len() > 1 && !is_alternative {
        rows.lit("<p class=\"svc-api-also\">")
            .esc(&title(names))
            .lit("</p>");
    }
    if names.is_empty() && is_alternative {
        rows.lit("<p class=\"svc-api-also\">")
            .esc(cx.texts.no_authorization)
            .lit("</p>");
    }
    for name in names {
        let Some(scheme) = document.security_schemes.get(name) else {
            continue;
        };
        let (header, location, kind) = match &scheme.kind {
            SecurityKind::ApiKey { name, location } => (name.as_str(), location.as_str(), "string"),
            SecurityKind::Basic => ("Authorization", "header", "Basic user:password"),
            SecurityKind::Bearer { .. } => ("Authorization", "header", "Bearer token"),
            SecurityKind::OAuth2 => ("Authorization", "header", "OAuth 2.0 token"),
            SecurityKind::OpenIdConnect { .. } => {
                ("Authorization", "header", "OpenID Connect token")
            }
            SecurityKind::Http(scheme) => ("Authorization", "header", scheme.as_str()),
            SecurityKind::MutualTls => (cx.texts.client_certificate, "TLS", "mutual TLS"),
            SecurityKind::Other(kind) => (name.as_str(), "request", kind.as_str()),
        };
        let scopes = operation.scopes.iter();
        let mut scopes = scopes.filter(|scopes| scopes.alternative == at && scopes.scheme == *name);
        let scopes = scopes.next().map_or(&[][..], |scopes| &scopes.scopes);
        let mut body = description(cx, scheme);
        body.add(&scope_list(cx, document, (name, scheme), scopes));
        let row = Field {
            name: header,
            kind: Some(kind),
            location: Some(location),
            required: !operation.security.iter().any(Vec::is_empty),
            id: &format!("authorization-{name}"),
            body,
            ..Field::default()
        };
        rows.add(&field(cx, &row));
    }
    rows
}

/// Renders the description of a scheme, collapsed below its first sentences if it is long. It is
/// not added to the search text, because it is the same on all pages.
fn description(cx: &mut Ctx<'_>, scheme: &SecurityScheme) -> Html {
    let text = scheme.description.as_deref().unwrap_or_default();
    let html = described_blocks(cx, text);
    let line = plain_text(&html);
    let Some((end, _)) = line.char_indices().nth(MAX_TEXT) else {
        return html;
    };
    let line = line.get(..end).unwrap_or_default();
    let (end, more) = match line.rfind(". ") {
        Some(end) => (end + 1, ""),
        None => (line.rfind(' ').unwrap_or(end), "…"),
    };
    let mut out =
        Html::literal("<details class=\"svc-api-text\"><summary class=\"svc-api-excerpt\">");
    out.esc(line.get(..end).unwrap_or_default())
        .lit(more)
        .lit("</summary>")
        .add(&html)
        .lit("</details>");
    out
}

/// Renders the required scopes and the OAuth URLs of a token.
fn scope_list(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    (name, scheme): (&str, &SecurityScheme),
    scopes: &[String],
) -> Html {
    let flows = oauth_flows(document, name);
    let mut out = Html::new();
    if !scopes.is_empty() {
        out.lit("<div class=\"svc-api-scopes\"><span class=\"svc-api-of\">")
            .esc(cx.texts.playground.scopes)
            .lit("</span><ul>");
        for scope in scopes {
            cx.out.text.push_line(scope);
            let mut all = flows.iter().flat_map(|flow| &flow.scopes);
            let text = all.find(|(name, _)| name == scope).map(|(_, text)| text);
            out.lit("<li><code>").esc(scope).lit("</code>");
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                out.lit(" ").esc(&crate::markdown::document_text(text));
            }
            out.lit("</li>");
        }
        out.lit("</ul></div>");
    }
    let mut limits = Html::new();
    match &scheme.kind {
        SecurityKind::Bearer {
            format: Some(format),
        } => limit(&mut limits, "bearerFormat", format),
        SecurityKind::OpenIdConnect { url } => limit(&mut limits, "openIdConnectUrl", url),
        _ => {}
    }
    out.add(&limits_box(limits));
    for flow in &flows {
        let mut limits = Html::new();
        limit(&mut limits, cx.texts.playground.flow, flow.name);
        for (key, url) in &flow.urls {
            limit(&mut limits, key, url);
        }
        out.add(&limits_box(limits));
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::site;

    const SPEC: &str = r##"//- /pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
 "servers": [{"url": "https://{region}.pets.test", "description": "By <b>region</b>", "variables": {"region": {"default": "eu", "enum": ["eu", "us"], "description": "Where"}}}, {"url": "https://test.pets.test", "description": "For tests"}],
 "components": {"securitySchemes": {
   "key_one": {"type": "apiKey", "in": "header", "name": "X-Key"}, "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
   "oauth": {"type": "oauth2", "description": "LONG", "flows": {"clientCredentials": {"tokenUrl": "https://pets.test/token", "scopes": {"pets:read": "Read <i>pets</i>", "other": "Other"}}}}}},
 "paths": {"/pets": {"get": {"summary": "List", "security": [{"key_one": [], "token": []}, {"oauth": ["pets:read"]}], "responses": {"200": {"description": "ok"}}},
   "post": {"summary": "Add", "security": [{"key_one": [], "token": []}], "responses": {"200": {"description": "ok"}}}}}}
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"openapi": "pets.json"}}
"##;

    #[test]
    fn alternatives_scopes_and_flows_are_shown() {
        let text = "Long text. ".repeat(60);
        let html = site(&SPEC.replace("LONG", text.trim()), "/api-reference/list").html;
        for expected in [
            "key one &amp; token</label>",
            "oauth</label>",
            "bearerFormat <code>JWT</code>",
            "<code>pets:read</code> Read pets",
            "tokenUrl <code>https://pets.test/token</code>",
            "<code>clientCredentials</code>",
            "<details class=\"svc-api-text\"><summary class=\"svc-api-excerpt\">Long text.",
            "<h2 class=\"api-section-heading\" id=\"authorization\">",
        ] {
            assert!(html.contains(expected), "{expected} in {html}");
        }
        assert!(!html.contains("<code>other</code>"));
        let html = site(SPEC, "/api-reference/add").html;
        assert!(
            html.contains("<p class=\"svc-api-also\">key one &amp; token</p>"),
            "{html}"
        );
    }

    #[test]
    fn servers_have_their_texts_and_variables() {
        let html = site(SPEC, "/api-reference/list").html;
        for expected in [
            "<code>https://{region}.pets.test</code>",
            "By <b>region</b>",
            "region <code>eu</code>",
            "<code>us</code>",
            "<p>Where</p>",
            "<code>https://test.pets.test</code>",
            "<p>For tests</p>",
        ] {
            assert!(html.contains(expected), "{expected} in {html}");
        }
    }
}
