//! Pages and policies of the playground: the callback page for authorization servers, the servers
//! that a page may call, and the playground's files in an export.

use svc_nav::{OperationRef, Route};
use svc_openapi::Server;

use crate::Site;

/// URL path of the OAuth redirect URI of the playground.
pub const CALLBACK_PATH: &str = "/_svc/oauth.html";

/// Maximum number of origins in the policy of a page.
const MAX_ORIGINS: usize = 20;

impl Site {
    /// HTML of the page at [`CALLBACK_PATH`].
    pub fn callback_page(&self) -> String {
        svc_render::callback_page(&self.context())
    }

    /// The `http://` origins that the playground of a page calls, such as `http://localhost:3000`.
    /// Origins with TLS are not listed, because pages may fetch from all of them.
    pub fn plain_origins(&self, route: &Route) -> Vec<String> {
        let mut origins = Vec::new();
        let servers = route.operation.as_ref().and_then(|operation| {
            let OperationRef::Operation {
                document,
                method,
                path,
            } = operation
            else {
                return None;
            };
            let document = self.catalog.documents.get(*document)?;
            Some(document.servers_of(document.operation(method, path)?))
        });
        let mut take = |url: &str| {
            if let Some(origin) = plain_origin(url)
                && origins.len() < MAX_ORIGINS
                && !origins.contains(&origin)
            {
                origins.push(origin);
            }
        };
        for server in servers.unwrap_or_default() {
            server_urls(server).iter().for_each(|url| take(url));
        }
        if route.operation.is_none()
            && let Some(api) = self
                .page_of(route)
                .and_then(|page| page.front_matter.api.as_deref())
        {
            take(api.split_whitespace().nth(1).unwrap_or_default());
            self.config
                .api
                .mdx_servers
                .iter()
                .for_each(|server| take(server));
        }
        origins
    }
}

/// The URL of a server with the default values of its variables, and with each allowed value of
/// each variable.
fn server_urls(server: &Server) -> Vec<String> {
    let mut all = vec![server.default_url()];
    for variable in &server.variables {
        for value in variable.values.iter().take(MAX_ORIGINS) {
            let mut other = server.clone();
            for other_variable in other
                .variables
                .iter_mut()
                .filter(|other_variable| other_variable.name == variable.name)
            {
                other_variable.default.clone_from(value);
            }
            all.push(other.default_url());
        }
    }
    all
}

/// The origin `http://host:port` of a URL with that scheme. `None` for other URLs and for hosts
/// with characters that could end a source of the policy.
fn plain_origin(url: &str) -> Option<String> {
    let rest = url.trim().strip_prefix("http://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?.to_ascii_lowercase();
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    (!host.is_empty() && host.bytes().all(good)).then(|| format!("http://{host}"))
}

/// Name of the file with the playground's messages that a page refers to. `None` without a
/// playground.
pub(crate) fn messages_file(html: &[u8]) -> Option<String> {
    const MARK: &[u8] = b" data-texts=\"";
    let at = memchr::memmem::find(html, MARK)?;
    let rest = html.get(at + MARK.len()..)?;
    let end = rest.iter().position(|byte| *byte == b'"')?;
    let path = std::str::from_utf8(rest.get(..end)?).ok()?;
    Some(path.rsplit('/').next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_http_origins_are_accepted() {
        let origin = |url| plain_origin(url).unwrap_or_default();
        assert_eq!(
            origin("http://Localhost:3000/v1?x"),
            "http://localhost:3000"
        );
        assert_eq!(origin("http://[::1]:80/"), "http://[::1]:80");
        for bad in [
            "https://a.test",
            "/v1",
            "http://",
            "http://a;script-src *",
            "http://*",
            "http://a b",
            "http://{host}/",
        ] {
            assert_eq!(plain_origin(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_messages_file_of_a_page_is_extracted() {
        let html = br#"<div data-svc-playground data-texts="/docs/_svc/assets/words.12.json" x>"#;
        assert_eq!(messages_file(html).as_deref(), Some("words.12.json"));
        assert_eq!(messages_file(b"<p>data-texts</p>"), None);
    }
}
