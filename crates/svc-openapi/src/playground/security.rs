//! Security alternatives.

use serde_json::{Map, Value, json};
use svc_data::Node;

use super::text;
use crate::{ApiDocument, Operation, SecurityKind, SecurityScheme};

/// Maximum number of alternatives, and of schemes of an alternative.
const MAX_ALTERNATIVES: usize = 50;
/// Maximum number of scopes.
const MAX_SCOPES: usize = 200;

/// The alternatives, one of which is required. Each is the list of schemes that are required
/// together; an empty list requires none.
pub(super) fn alternatives(document: &ApiDocument, operation: &Operation, share: usize) -> Value {
    let alternatives = operation.security.iter().enumerate();
    let alternatives = alternatives
        .take((MAX_ALTERNATIVES / share).max(1))
        .map(|(at, names)| {
            let known = names
                .iter()
                .take(MAX_ALTERNATIVES)
                .filter_map(|name| Some((name, document.security_schemes.get(name)?)));
            let schemes = known.map(|(name, known)| {
                let scopes = operation
                    .scopes
                    .iter()
                    .find(|scopes| scopes.alternative == at && scopes.scheme == *name);
                let scopes = scopes.map(|scopes| scopes.scopes.as_slice());
                scheme(document, name, known, scopes.unwrap_or_default(), share)
            });
            schemes.collect::<Value>()
        });
    alternatives.collect()
}

fn scheme(
    document: &ApiDocument,
    name: &str,
    known: &SecurityScheme,
    scopes: &[String],
    share: usize,
) -> Value {
    let mut out = json!({ "name": name });
    let source = document
        .root
        .get("components")
        .and_then(|components| components.get("securitySchemes")?.get(name))
        .map(|node| document.resolve(node));
    match &known.kind {
        SecurityKind::ApiKey { name, location } => {
            out["type"] = "apiKey".into();
            out["in"] = location.as_str().into();
            out["parameter"] = name.as_str().into();
        }
        SecurityKind::Basic => {
            out["type"] = "http".into();
            out["scheme"] = "basic".into();
        }
        SecurityKind::Bearer { format } => {
            out["type"] = "http".into();
            out["scheme"] = "bearer".into();
            if let Some(format) = format {
                out["bearerFormat"] = text::short(format, 100).into();
            }
        }
        SecurityKind::Http(scheme) => {
            out["type"] = "http".into();
            out["scheme"] = scheme.as_str().into();
        }
        SecurityKind::OAuth2 => {
            out["type"] = "oauth2".into();
            let flows = source.and_then(|source| source.get("flows"));
            out["flows"] = self::flows(flows, share);
        }
        SecurityKind::OpenIdConnect { url } => {
            out["type"] = "openIdConnect".into();
            out["openIdConnectUrl"] = url.as_str().into();
        }
        SecurityKind::MutualTls => out["type"] = "mutualTLS".into(),
        SecurityKind::Other(_) => out["type"] = "other".into(),
    }
    if !scopes.is_empty() {
        let scopes = scopes.iter().take(MAX_SCOPES / share.min(100));
        out["scopes"] = scopes.map(String::as_str).collect();
    }
    let description = text::plain(known.description.as_deref(), 600 / share);
    if !description.is_empty() {
        out["description"] = description.into();
    }
    if let Some(value) = known.default.as_ref().filter(|value| value.len() < 4_000) {
        out["value"] = value.as_str().into();
    }
    out
}

/// The known flows with their URLs as written.
fn flows(flows: Option<&Node>, share: usize) -> Value {
    let mut out = Map::new();
    let names = [
        "authorizationCode",
        "clientCredentials",
        "implicit",
        "password",
        "deviceAuthorization",
    ];
    for name in names {
        let Some(flow) = flows.and_then(|flows| flows.get(name)) else {
            continue;
        };
        let mut shown = Map::new();
        let urls = [
            "authorizationUrl",
            "deviceAuthorizationUrl",
            "tokenUrl",
            "refreshUrl",
        ];
        for key in urls {
            let flow_url = flow.get(key).and_then(Node::as_str);
            if let Some(flow_url) = flow_url.filter(|flow_url| flow_url.len() < 2_000) {
                shown.insert(key.into(), flow_url.into());
            }
        }
        let scopes = flow.get("scopes").and_then(Node::as_object);
        let scopes: Map<String, Value> = scopes
            .into_iter()
            .flat_map(|scopes| scopes.iter())
            .take(MAX_SCOPES / share.min(100))
            .map(|(name, node)| {
                let description = text::plain(node.as_str(), 120 / share);
                (name.to_owned(), description.into())
            })
            .collect();
        shown.insert("scopes".into(), scopes.into());
        out.insert(name.into(), shown.into());
    }
    Value::Object(out)
}
