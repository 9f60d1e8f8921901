//! The listener that redirects from HTTP to HTTPS.

use std::sync::Arc;

use http::request::Parts;
use http::{HeaderValue, StatusCode, header};

use super::Challenges;
use crate::service::{Reply, Responder};
use crate::sites::{canonical, requested_host};
use crate::{Body, reply};

/// Port of HTTPS, which URLs omit.
const HTTPS_PORT: u16 = 443;

/// Redirects every request to the same URL with `https` and this port, which is the one that clients
/// connect to; except those of challenges.
pub(crate) fn https_redirect(port: u16, challenges: Challenges) -> Responder {
    Arc::new(move |parts: &Parts| {
        if let Some(text) = challenges.key_authorization(parts.uri.path()) {
            let mut response = http::Response::new(Body::full(text));
            let media_type = HeaderValue::from_static("application/octet-stream");
            response
                .headers_mut()
                .insert(header::CONTENT_TYPE, media_type);
            reply::secure(response.headers_mut());
            return Reply::Ready(response);
        }
        let Some(host) = requested_host(parts).and_then(canonical) else {
            let reason = "The request names no host.";
            return Reply::Ready(reply::plain(StatusCode::BAD_REQUEST, reason));
        };
        let target = parts.uri.path_and_query();
        let target = target.map_or("/", http::uri::PathAndQuery::as_str);
        let location = match port {
            HTTPS_PORT => format!("https://{host}{target}"),
            port => format!("https://{host}:{port}{target}"),
        };
        Reply::Ready(reply::redirect(StatusCode::PERMANENT_REDIRECT, &location))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(port: u16, uri: &str, host: &str) -> Option<String> {
        let request = http::Request::get(uri).header("host", host);
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let response = https_redirect(port, Challenges::default())(&parts).finish();
        let location = response.headers().get(header::LOCATION)?;
        location.to_str().ok().map(str::to_owned)
    }

    #[test]
    fn only_scheme_and_port_of_the_url_change() {
        let to = |port, uri, host| location(port, uri, host).unwrap();
        assert_eq!(
            to(443, "/a/b?c=d", "Docs.example.com:80"),
            "https://docs.example.com/a/b?c=d"
        );
        assert_eq!(to(8443, "/", "[::1]:8080"), "https://[::1]:8443/");
        assert_eq!(location(443, "/", ""), None);
    }
}
