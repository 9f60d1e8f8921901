//! OAuth 2.0 flows of a security scheme.

use svc_data::Node;

use crate::ApiDocument;

/// Maximum number of scopes of a flow.
const MAX_SCOPES: usize = 1_000;

/// An OAuth 2.0 flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthFlow {
    /// `authorizationCode`, `clientCredentials`, `implicit`, `password`, `deviceAuthorization`.
    pub name: &'static str,
    /// Keys and values of the URLs that are set, for example `tokenUrl`.
    pub urls: Vec<(&'static str, String)>,
    /// Scopes with their descriptions.
    pub scopes: Vec<(String, String)>,
}

/// The flows of a scheme of type `oauth2`; empty for any other type.
///
/// # Example
///
/// ```
/// use svc_openapi::{SourceFile, oauth_flows, parse};
/// let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}, "components": {"securitySchemes": {
///     "login": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://a.example/token", "scopes": {}}}}}}}"#;
/// let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// assert_eq!(oauth_flows(&document, "login")[0].name, "clientCredentials");
/// ```
pub fn oauth_flows(document: &ApiDocument, scheme: &str) -> Vec<OAuthFlow> {
    let schemes = document.root.get("components");
    let node = schemes.and_then(|components| components.get("securitySchemes")?.get(scheme));
    let flows = node.and_then(|node| document.resolve(node).get("flows"));
    let names = [
        "authorizationCode",
        "clientCredentials",
        "implicit",
        "password",
        "deviceAuthorization",
    ];
    let flow = |name: &'static str| {
        let node = flows?.get(name)?;
        let url = |key: &'static str| Some((key, node.get(key)?.as_str()?.to_owned()));
        let keys = [
            "authorizationUrl",
            "deviceAuthorizationUrl",
            "tokenUrl",
            "refreshUrl",
        ];
        let scopes = node.get("scopes").and_then(Node::as_object);
        let scopes = scopes.into_iter().flat_map(|scopes| scopes.iter());
        let scope = |(name, text): (&str, &Node)| {
            (
                name.to_owned(),
                text.as_str().unwrap_or_default().to_owned(),
            )
        };
        Some(OAuthFlow {
            name,
            urls: keys.into_iter().filter_map(url).collect(),
            scopes: scopes.take(MAX_SCOPES).map(scope).collect(),
        })
    };
    names.into_iter().filter_map(flow).collect()
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::SourceFile;

    use super::*;

    #[test]
    fn flows_have_urls_and_scopes() {
        let text = r#"{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}, "components": {"securitySchemes": {
            "o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://a.test/t", "scopes": {"pets:read": "Read pets"}}, "other": {}}},
            "k": {"type": "apiKey", "in": "header", "name": "k"}}}}"#;
        let document = crate::parse(&SourceFile::new("a.json", text));
        let document = document.value.expect("it is a document");
        let expected = OAuthFlow {
            name: "clientCredentials",
            urls: vec![("tokenUrl", "https://a.test/t".to_owned())],
            scopes: vec![("pets:read".to_owned(), "Read pets".to_owned())],
        };
        assert_eq!(oauth_flows(&document, "o"), [expected]);
        assert!(oauth_flows(&document, "k").is_empty());
        assert!(oauth_flows(&document, "none").is_empty());
    }
}
