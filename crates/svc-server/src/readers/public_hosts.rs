//! Public URLs of a site.

use http::request::Parts;

use crate::Host;
use crate::service::Peer;
use crate::sites::{canonical, port, requested_host};

/// Hosts of a site. URLs that other servers get are made from these, never from a host that only a
/// request names.
#[derive(Debug, Clone, Default)]
pub(crate) struct PublicHosts {
    /// Hosts at which readers sign in.
    pub(crate) hosts: Vec<Host>,
    /// Public origin of the site in the settings; empty for none.
    pub(crate) origin: String,
}

impl PublicHosts {
    /// The origin that the browser of a request shows, such as `https://docs.example.com`. `None`
    /// for a host that is not one of the site.
    pub(super) fn origin(&self, parts: &Parts) -> Option<String> {
        let requested = requested_host(parts)?;
        let name = canonical(requested)?;
        let host = self.hosts.iter().find(|host| host.as_str() == name)?;
        let url = url::Url::parse(&self.origin).ok();
        if let Some(url) = url.filter(|url| url.host_str() == Some(host.as_str())) {
            return Some(url.origin().ascii_serialization());
        }
        let is_encrypted = parts.extensions.get::<Peer>()?.is_encrypted;
        let scheme = if is_encrypted { "https" } else { "http" };
        let colon = match port(requested) {
            None => String::new(),
            Some(port) => format!(":{port}"),
        };
        Some(format!("{scheme}://{host}{colon}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(host: &str, is_encrypted: bool, configured: Option<&str>) -> Option<String> {
        let (mut parts, ()) = http::Request::builder()
            .header("host", host)
            .body(())
            .unwrap()
            .into_parts();
        parts.extensions.insert(Peer {
            is_trusted: is_encrypted,
            is_encrypted,
        });
        let hosts = PublicHosts {
            hosts: vec![Host::parse("docs.example.com").unwrap()],
            origin: configured.unwrap_or_default().to_owned(),
        };
        hosts.origin(&parts)
    }

    #[test]
    fn an_origin_has_a_host_of_the_site() {
        let https = Some("https://docs.example.com".to_owned());
        assert_eq!(origin("Docs.example.com.", true, None), https);
        let http = Some("http://docs.example.com:8080".to_owned());
        assert_eq!(origin("docs.example.com:8080", false, None), http);
        for host in ["evil.example", "docs.example.com.evil.example", ""] {
            assert_eq!(origin(host, true, None), None, "{host}");
        }
        for port in ["x", "80@evil.example", "80/evil", "", "99999"] {
            let host = format!("docs.example.com:{port}");
            assert_eq!(origin(&host, true, None), https, "{host}");
        }
        let configured = Some("https://docs.example.com");
        assert_eq!(origin("docs.example.com:8080", false, configured), https);
        let other = Some("https://other.example.com");
        assert_eq!(origin("docs.example.com", true, other), https);
    }
}
