//! What a caller has to show.

use svc_openapi::{ApiDocument, Operation, SecurityKind};

use super::{described, section};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{Field, field};

/// One field per scheme; several alternatives are named as such.
pub(super) fn authorization(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    operation: &Operation,
) -> Html {
    let mut rows = Html::new();
    let alternatives = operation.security.len();
    for (at, schemes) in operation.security.iter().enumerate() {
        if at > 0 {
            rows.lit("<p class=\"svc-api-also\">")
                .esc(cx.texts.or)
                .lit("</p>");
        }
        if schemes.is_empty() && alternatives > 1 {
            rows.lit("<p class=\"svc-api-also\">")
                .esc(cx.texts.no_authorization)
                .lit("</p>");
        }
        for name in schemes {
            let Some(scheme) = document.security_schemes.get(name) else {
                continue;
            };
            let (header, location, kind) = match &scheme.kind {
                SecurityKind::ApiKey { name, location } => {
                    (name.as_str(), location.word(), "string")
                }
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
            let body = described(cx, scheme.description.as_deref());
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
    }
    section(cx.texts.authorization, None, &rows)
}
