//! Relative server URLs of remote documents.

/// The absolute URL of a server that a remote document declares by a path; None for all others.
pub(super) fn resolve_server_url(document: &str, server: &str) -> Option<String> {
    if server.contains("://") || server.starts_with('{') {
        return None;
    }
    let (scheme, rest) = document.split_once("://")?;
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let host = rest.split('/').next().unwrap_or(rest);
    Some(match server.strip_prefix("//") {
        Some(other) => format!("{scheme}://{other}"),
        None if server.starts_with('/') => format!("{scheme}://{host}{server}"),
        None => {
            let dir = rest.rsplit_once('/').map_or(host, |(dir, _)| dir);
            let below = server.trim_start_matches("./");
            format!("{scheme}://{dir}/{below}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::resolve_server_url;

    #[test]
    fn a_relative_server_url_resolves_against_the_document() {
        let of = |server| resolve_server_url("https://a.test:8443/v1/openapi.json?x=/y", server);
        for (server, expected) in [
            ("/", "https://a.test:8443/"),
            ("/v2", "https://a.test:8443/v2"),
            ("./api", "https://a.test:8443/v1/api"),
            ("api", "https://a.test:8443/v1/api"),
            ("//b.test/x", "https://b.test/x"),
        ] {
            assert_eq!(of(server).as_deref(), Some(expected), "{server}");
        }
        assert_eq!(of("https://b.test"), None);
        assert_eq!(of("{base}/x"), None);
        assert_eq!(resolve_server_url("openapi.json", "/v1"), None);
        assert_eq!(
            resolve_server_url("https://a.test", "v1").as_deref(),
            Some("https://a.test/v1")
        );
    }
}
