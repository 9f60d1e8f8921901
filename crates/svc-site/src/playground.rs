//! What the playground needs around its pages: the page for authorization servers, the servers that
//! a page may call, and its files in an export.

use svc_nav::{OperationRef, Route};
use svc_openapi::Server;

use crate::Site;

/// Where authorization servers send readers of the playground back to.
pub const CALLBACK_PATH: &str = "/_svc/oauth.html";

/// Origins that one page may name.
const MAX_ORIGINS: usize = 20;

impl Site {
    /// The page at [`CALLBACK_PATH`].
    pub fn callback_page(&self) -> String {
        svc_render::callback_page(&self.context())
    }

    /// The origins without TLS (`http://localhost:3000`) that the playground of a page calls.
    /// Those with TLS need no list: pages may fetch from any of them.
    pub fn plain_origins(&self, route: &Route) -> Vec<String> {
        let mut found = Vec::new();
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
        let mut take = |address: &str| {
            if let Some(origin) = plain_origin(address)
                && found.len() < MAX_ORIGINS
                && !found.contains(&origin)
            {
                found.push(origin);
            }
        };
        for server in servers.unwrap_or_default() {
            server_urls(server).iter().for_each(|address| take(address));
        }
        if route.operation.is_none()
            && let Some(written) = self
                .page_of(route)
                .and_then(|page| page.front_matter.api.as_deref())
        {
            take(written.split_whitespace().nth(1).unwrap_or_default());
            self.config
                .api
                .mdx_servers
                .iter()
                .for_each(|server| take(server));
        }
        found
    }
}

/// The address of a server with the defaults of its variables, and with each of the values that a
/// variable may have.
fn server_urls(server: &Server) -> Vec<String> {
    let mut all = vec![server.default_url()];
    for variable in &server.variables {
        for value in variable.values.iter().take(MAX_ORIGINS) {
            let mut other = server.clone();
            for own in other
                .variables
                .iter_mut()
                .filter(|own| own.name == variable.name)
            {
                own.default.clone_from(value);
            }
            all.push(other.default_url());
        }
    }
    all
}

/// `http://host:port` of an address of that scheme. Anything that could end the source of a policy
/// is no origin.
fn plain_origin(address: &str) -> Option<String> {
    let rest = address.trim().strip_prefix("http://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?.to_ascii_lowercase();
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    (!host.is_empty() && host.bytes().all(good)).then(|| format!("http://{host}"))
}

/// The file with the words of the playground that a page names, if it has a playground.
pub(crate) fn messages_file(html: &[u8]) -> Option<String> {
    const MARK: &[u8] = b" data-texts=\"";
    let at = memchr::memmem::find(html, MARK)?;
    let rest = html.get(at + MARK.len()..)?;
    let end = rest.iter().position(|byte| *byte == b'"')?;
    let address = std::str::from_utf8(rest.get(..end)?).ok()?;
    Some(address.rsplit('/').next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_origins_without_surprises_are_taken() {
        let origin = |address| plain_origin(address).unwrap_or_default();
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
    fn the_words_of_a_page_are_found() {
        let html = br#"<div data-svc-playground data-texts="/docs/_svc/assets/words.12.json" x>"#;
        assert_eq!(messages_file(html).as_deref(), Some("words.12.json"));
        assert_eq!(messages_file(b"<p>data-texts</p>"), None);
    }
}
