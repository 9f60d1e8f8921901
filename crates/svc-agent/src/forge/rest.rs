//! Common code of forges with a JSON API.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::Value;
use svc_admin_api::agent_job::Link;
use svc_data::percent;
use svc_fetch::{Client, Request, RequestBody, Url};
use svc_git::Secret;

use super::ForgeError;
use super::api::ForgeApi;

/// A repository on a forge with a JSON API, and its credentials.
#[derive(Debug, Clone)]
pub struct RestForge {
    /// The kind of forge.
    pub(super) forge_api: &'static ForgeApi,
    /// Base URL of the API, without a trailing slash.
    pub(super) api: String,
    /// Name of the repository: `owner/name`, with any number of groups on GitLab.
    pub(super) name: String,
    pub(super) token: Secret,
}

/// A request to a forge.
pub(super) struct ForgeRequest<'a> {
    pub(super) forge: &'static str,
    pub(super) method: Method,
    /// Path below the base URL of the API.
    pub(super) path: String,
    /// Header of the token, and the prefix of its value.
    pub(super) token: (HeaderName, &'static str),
    pub(super) headers: &'a [(HeaderName, &'static str)],
    pub(super) body: Option<Value>,
}

impl RestForge {
    /// Sends the request and returns the body of a successful response.
    pub(super) async fn send(
        &self,
        client: &Client,
        request: ForgeRequest<'_>,
    ) -> Result<Value, ForgeError> {
        let forge = request.forge;
        let failed = |error| ForgeError::Fetch { forge, error };
        let url = svc_fetch::parse_url(&format!("{}{}", self.api, request.path)).map_err(failed)?;
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, HeaderValue::from_static("svc-agent"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        for (name, value) in request.headers {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
        let (name, before) = request.token;
        let mut token = HeaderValue::from_str(&format!("{before}{}", self.token.reveal()))
            .map_err(|_| ForgeError::InvalidResponse {
                forge,
                what: "the token must be a single line of visible characters",
            })?;
        token.set_sensitive(true);
        headers.insert(name, token);
        let body = match &request.body {
            None => RequestBody::Empty,
            Some(value) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                RequestBody::Bytes(Bytes::from(value.to_string()))
            }
        };
        let request = Request {
            method: request.method,
            headers,
            body,
            // The token must not be sent elsewhere; the operator configures the new URL of a moved
            // forge.
            follow_redirects: false,
            ..Request::get(url)
        };
        let response = client.send(request).await.map_err(failed)?;
        let status = response.status;
        let bytes = response.body.bytes().await.map_err(failed)?;
        let value = serde_json::from_slice::<Value>(&bytes).ok();
        if !status.is_success() {
            let message = value.as_ref().map(error_message).unwrap_or_default();
            return Err(ForgeError::from_response(forge, status, &message));
        }
        value.ok_or(ForgeError::InvalidResponse {
            forge,
            what: "not JSON",
        })
    }
}

/// The message of an error response: `message`, and GitHub's `errors`.
fn error_message(value: &Value) -> String {
    let mut texts = Vec::new();
    for key in ["message", "error", "error_description"] {
        match value.get(key) {
            Some(Value::String(text)) => texts.push(text.clone()),
            Some(other @ (Value::Array(_) | Value::Object(_))) => texts.push(other.to_string()),
            _ => {}
        }
    }
    let more = value.get("errors").and_then(Value::as_array);
    for error in more.into_iter().flatten() {
        let text = error.get("message").unwrap_or(error);
        texts.push(
            text.as_str()
                .map_or_else(|| text.to_string(), str::to_owned),
        );
    }
    texts.join("\n")
}

/// The URL in a field of a response.
pub(super) fn parse_link(
    forge: &'static str,
    value: &Value,
    field: &str,
) -> Result<Link, ForgeError> {
    let text = value.get(field).and_then(Value::as_str).unwrap_or_default();
    Link::try_from(text.to_owned()).map_err(|_| ForgeError::InvalidResponse {
        forge,
        what: "no URL of a pull request",
    })
}

/// Joins a path to the home page URL of a forge.
pub(super) fn join_url(home: &Url, path: &str) -> String {
    let mut home = home.clone();
    home.set_query(None);
    format!("{}{path}", home.as_str().trim_end_matches('/'))
}

/// Name of a repository: its path without that of the forge's home page and without `.git`.
pub(super) fn repository_name(repository: &Url, home: &Url) -> Option<String> {
    let path = repository.path().trim_matches('/');
    let prefix = home.path().trim_matches('/');
    let path = match path.strip_prefix(prefix) {
        Some(rest) if prefix.is_empty() || rest.starts_with('/') => rest.trim_matches('/'),
        _ => path,
    };
    let path = path.strip_suffix(".git").unwrap_or(path);
    let good = |part: &str| {
        let plain =
            |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'%' | b'~');
        !matches!(part, "" | "." | "..") && part.bytes().all(plain)
    };
    (path.contains('/') && path.split('/').all(good)).then(|| path.to_owned())
}

/// Percent-encodes a text as a path segment or query value.
pub(super) fn percent_encode(text: &str) -> Cow<'_, str> {
    percent::encode(text, percent::COMPONENT)
}
