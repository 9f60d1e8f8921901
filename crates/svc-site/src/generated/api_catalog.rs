//! `/.well-known/api-catalog`: the APIs that the site documents (RFC 9727), as a linkset (RFC 9264).

use indexmap::IndexMap;
use serde_json::{Value, json};
use svc_openapi::ApiDocument;

use crate::Site;

/// Media type of the catalog.
pub(super) const CONTENT_TYPE: &str =
    "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";

/// The catalog: for each API, its OpenAPI documents and this documentation.
pub(super) fn catalog(site: &Site, origin: &str) -> String {
    let home = site.public_url(origin, "/");
    let mut apis: IndexMap<&str, Vec<Value>> = IndexMap::new();
    for (document, url) in documents(site, origin) {
        let link = json!({ "href": url, "type": content_type(document), "title": document.title });
        apis.entry(anchor(document).unwrap_or(&home))
            .or_default()
            .push(link);
    }
    let contexts: Vec<Value> = apis
        .into_iter()
        .map(|(anchor, links)| {
            json!({
                "anchor": anchor,
                "service-desc": links,
                "service-doc": [{ "href": home, "type": "text/html" }],
            })
        })
        .collect();
    format!("{:#}\n", json!({ "linkset": contexts }))
}

/// Whether the catalog has entries.
pub(super) fn exists(site: &Site) -> bool {
    !site.config.is_protected() && documents(site, "").next().is_some()
}

/// The OpenAPI documents that readers may download, with their URLs.
pub(super) fn documents<'s>(
    site: &'s Site,
    origin: &'s str,
) -> impl Iterator<Item = (&'s ApiDocument, String)> {
    site.open_documents().filter_map(move |document| {
        if document.is_remote() {
            return Some((document, document.path.clone()));
        }
        let path = format!("/{}", document.path.trim_start_matches('/'));
        site.asset(&path)?;
        Some((
            document,
            site.public_url(origin, &svc_source::encoded_path(&path)),
        ))
    })
}

/// The URL of the API: its first server, unless that is relative or a template.
fn anchor(document: &ApiDocument) -> Option<&str> {
    let urls = document.servers.iter().map(|server| &*server.url);
    let mut urls = urls.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    urls.find(|url| !url.contains(|c: char| c.is_whitespace() || "{}\"<>\\".contains(c)))
}

fn content_type(document: &ApiDocument) -> &'static str {
    let path = document.path.split(['?', '#']).next().unwrap_or_default();
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("yaml" | "yml") => "application/yaml",
        _ => "application/json",
    }
}
