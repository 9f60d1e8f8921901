//! Metadata of a private site for OAuth clients (RFC 9728).

use http::StatusCode;
use http::request::Parts;
use serde_json::{Value, json};
use svc_site::Site;

use super::Readers;
use crate::reply::{self, Response};

/// Well-known path, before the path of the resource.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

impl Readers {
    /// The metadata, if the request is for it. `path` is the whole path of the request: the
    /// well-known path comes before the path of the resource (section 3.1).
    pub(super) fn resource_metadata(
        &self,
        site: &Site,
        parts: &Parts,
        path: &str,
    ) -> Option<Response> {
        let inside = path.strip_prefix(WELL_KNOWN)?;
        let document = self.metadata_of(site, parts, inside)?;
        let mut response = reply::json(StatusCode::OK, &document);
        // Programs in browsers read it, too.
        let origin = http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
        reply::set_header(&mut response, origin, "*");
        Some(response)
    }

    fn metadata_of(&self, site: &Site, parts: &Parts, inside: &str) -> Option<Value> {
        let provider = self.0.provider.as_ref()?;
        let resource = inside.strip_prefix(site.base_path())?.trim_end_matches('/');
        if !site.map.is_withheld() || !matches!(resource, "" | "/mcp") {
            return None;
        }
        let origin = self.0.hosts.origin(parts)?;
        let mut scopes = vec!["openid".to_owned()];
        scopes.extend(provider.settings.scopes.iter().cloned());
        Some(json!({
            "resource": format!("{origin}{}{resource}", site.base_path()),
            "resource_name": site.config.name,
            "authorization_servers": [provider.settings.provider.issuer],
            "scopes_supported": scopes,
            "bearer_methods_supported": ["header"],
        }))
    }

    /// Value of `WWW-Authenticate` for a request without a valid token.
    pub(super) fn challenge(&self, site: &Site, parts: &Parts, path: &str) -> String {
        let resource = if path == "/mcp" { path } else { "" };
        let inside = format!("{}{resource}", site.base_path());
        let known = self.metadata_of(site, parts, &inside).is_some();
        match self.0.hosts.origin(parts).filter(|_| known) {
            Some(origin) => format!("Bearer resource_metadata=\"{origin}{WELL_KNOWN}{inside}\""),
            None => "Bearer".to_owned(),
        }
    }
}
