//! HTTP transport over the guarded client.

use std::io::Read;
use std::time::{Duration, Instant};

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, LOCATION, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use svc_fetch::{
    BlockingClient, BlockingResponse, Client, Policy, Request, RequestBody, SystemResolver, Url,
};

use crate::protocol::{Advertisement, Transport, protocol_error};
use crate::{Credentials, GitError, Options};

/// Maximum number of redirects on the same host.
const MAX_REDIRECTS: usize = 3;
/// Time until the head of a response; servers prepare the pack first.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);
const ADVERTISEMENT_TYPE: &str = "application/x-git-upload-pack-advertisement";
const RESULT_TYPE: &str = "application/x-git-upload-pack-result";

/// HTTP connection to a repository.
pub(crate) struct HttpTransport {
    base: Url,
    client: BlockingClient,
    authorization: Option<HeaderValue>,
    version: HeaderValue,
}

/// Value of the `Authorization` header for a user name and a token.
pub(crate) fn basic_auth(user: &str, token: &str) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::from("Basic ");
    for group in format!("{user}:{token}").as_bytes().chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let digit = digits
                .get((bits >> (18 - 6 * index) & 63) as usize)
                .copied();
            let padding = index > group.len();
            text.push(if padding {
                '='
            } else {
                char::from(digit.unwrap_or(b'='))
            });
        }
    }
    text
}

impl HttpTransport {
    pub(crate) fn new(base: Url, options: &Options, end: Instant) -> Result<Self, GitError> {
        // The operator configured the URL, so the host may be private.
        let host = base.host_str().unwrap_or_default();
        let port = base.port_or_known_default().unwrap_or(443);
        let mut policy = Policy::default();
        // A host that the policy does not accept is public or rejected later.
        let _ = policy.allow(&format!("{host}:{port}"));
        let limits = svc_fetch::FetchLimits {
            connect_timeout: Duration::from_secs(15),
            first_byte_timeout: RESPONSE_TIMEOUT,
            idle_timeout: RESPONSE_TIMEOUT,
            total_timeout: end.saturating_duration_since(Instant::now()),
            // The pack is limited after its framing is removed.
            max_body_bytes: u64::MAX,
            ..svc_fetch::FetchLimits::default()
        };
        let client = Client::with_resolver(policy, limits, SystemResolver, options.roots.clone());
        let client = BlockingClient::new(client).map_err(GitError::file("the network"))?;
        let authorization = match &options.credentials {
            Credentials::Token { user, token } => {
                let value = HeaderValue::from_str(&basic_auth(user, token.reveal()));
                let mut value = value
                    .map_err(|_| GitError::InvalidUrl("the token contains invalid characters"))?;
                value.set_sensitive(true);
                Some(value)
            }
            Credentials::None | Credentials::Key { .. } => None,
        };
        Ok(Self {
            base,
            client,
            authorization,
            version: HeaderValue::from_static("version=2"),
        })
    }

    fn send(
        &self,
        method: Method,
        path: &str,
        query: Option<&str>,
        accept: &'static str,
        body: Option<Vec<u8>>,
    ) -> Result<BlockingResponse<'_>, GitError> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url.set_query(query);
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        headers.insert(
            HeaderName::from_static("git-protocol"),
            self.version.clone(),
        );
        // Some servers check for the prefix `git/`.
        let agent = HeaderValue::from_static(concat!("git/2 svc/", env!("CARGO_PKG_VERSION")));
        headers.insert(USER_AGENT, agent);
        if let Some(value) = &self.authorization {
            headers.insert(AUTHORIZATION, value.clone());
        }
        let body = match body {
            None => RequestBody::Empty,
            Some(body) => {
                let kind = HeaderValue::from_static("application/x-git-upload-pack-request");
                headers.insert(CONTENT_TYPE, kind);
                RequestBody::Bytes(body.into())
            }
        };
        Ok(self.client.send(Request {
            method,
            url,
            headers,
            body,
            follow_redirects: false,
        })?)
    }

    /// Checks the status and content type of a response.
    fn check_response(
        &self,
        response: &BlockingResponse<'_>,
        expected: &str,
    ) -> Result<(), GitError> {
        let host = self.host();
        match response.status {
            StatusCode::OK => {}
            status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
                let hint = match self.authorization {
                    Some(_) => "the token may have expired, or may lack access to this repository",
                    None => {
                        "the repository is private or does not exist; set `token_file` or `token_env`"
                    }
                };
                return Err(GitError::Unauthorized {
                    host,
                    response: status.to_string(),
                    hint,
                });
            }
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                let reason = format!("`{host}` responded with {}", response.status);
                return Err(GitError::NotFound(reason));
            }
            status => {
                return Err(GitError::Remote {
                    host,
                    message: status.to_string(),
                });
            }
        }
        let kind = response
            .headers
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default();
        match kind.split(';').next() {
            Some(kind) if kind.trim() == expected => Ok(()),
            _ => Err(protocol_error(
                &host,
                "the response is not from a Git repository",
            )),
        }
    }

    /// Target of a redirect on the same host; `None` if the response is not a redirect.
    fn redirect_target(&self, response: &BlockingResponse<'_>) -> Result<Option<Url>, GitError> {
        if !matches!(response.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        let to = response
            .headers
            .get(LOCATION)
            .and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| response.url.join(to).ok());
        let Some(mut to) = to else {
            return Err(protocol_error(
                &self.host(),
                "its redirect has no valid target",
            ));
        };
        to.set_query(None);
        to.set_fragment(None);
        let base = to.path().strip_suffix("/info/refs").map(str::to_owned);
        // An upgrade to `https` changes the default port.
        let upgraded = self.base.scheme() == "http" && to.scheme() == "https";
        let same = to.host_str() == self.base.host_str()
            && (to.origin() == self.base.origin() || (upgraded && to.port().is_none()));
        match base {
            Some(base) if same => {
                to.set_path(&base);
                Ok(Some(to))
            }
            _ => {
                let _ = (to.set_username(""), to.set_password(None));
                if let Some(base) = base {
                    to.set_path(&base);
                }
                Err(GitError::Redirect {
                    from: self.host(),
                    to: to.into(),
                })
            }
        }
    }
}

impl Transport for HttpTransport {
    fn host(&self) -> String {
        self.base.host_str().unwrap_or_default().to_owned()
    }

    fn handshake(&mut self) -> Result<Advertisement, GitError> {
        for _ in 0..=MAX_REDIRECTS {
            let query = Some("service=git-upload-pack");
            let mut response =
                self.send(Method::GET, "/info/refs", query, ADVERTISEMENT_TYPE, None)?;
            if let Some(to) = self.redirect_target(&response)? {
                drop(response);
                self.base = to;
                continue;
            }
            self.check_response(&response, ADVERTISEMENT_TYPE)?;
            return Advertisement::read(&mut response.body, &self.host());
        }
        Err(GitError::Network(svc_fetch::FetchError::TooManyRedirects(
            self.host(),
        )))
    }

    fn request(&mut self, body: Vec<u8>) -> Result<Box<dyn Read + '_>, GitError> {
        let response = self.send(
            Method::POST,
            "/git-upload-pack",
            None,
            RESULT_TYPE,
            Some(body),
        )?;
        self.check_response(&response, RESULT_TYPE)?;
        Ok(Box::new(response.body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authorization_header_is_base64() {
        assert_eq!(basic_auth("a", "b"), "Basic YTpi");
        assert_eq!(basic_auth("", ""), "Basic Og==");
        assert_eq!(basic_auth("x", ""), "Basic eDo=");
        assert_eq!(basic_auth("user", "päss~?"), "Basic dXNlcjpww6Rzc34/");
    }
}
