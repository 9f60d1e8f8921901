//! Common code of forges with a JSON API.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use serde_json::Value;
use svc_admin_api::agent_job::Link;
use svc_data::percent;
use svc_fetch::{Client, Request, RequestBody, Url};
use svc_git::Secret;

use super::api::{ForgeApi, Lookup, PullRequestSpec};
use super::error::ForgeError;

/// Delay after the limit of requests of a forge is used up.
const RATE_LIMIT_DELAY: Duration = Duration::from_secs(300);

/// A repository on a forge with a JSON API, and its credentials.
#[derive(Debug, Clone)]
pub struct RestForge {
    /// The kind of forge.
    pub(super) forge_api: &'static ForgeApi,
    /// URL of the home page, without a trailing slash.
    pub(super) home: String,
    /// Base URL of the API, without a trailing slash.
    pub(super) api: String,
    /// Name of the repository: `owner/name`, with any number of groups on GitLab.
    pub(super) name: String,
    pub(super) token: Secret,
}

impl RestForge {
    /// Finds the open pull request of a branch.
    pub(super) async fn find(
        &self,
        client: &Client,
        spec: &PullRequestSpec<'_>,
    ) -> Result<Option<Link>, ForgeError> {
        let api = self.forge_api;
        let query = match api.lookup {
            Lookup::List(query) => query(&self.name, spec),
            Lookup::Last(path) => path(spec),
        };
        let path = (api.requests)(&self.name) + &query;
        let response = self.send(client, Method::GET, &path, None).await;
        match (&api.lookup, response) {
            (Lookup::List(_), Ok(Value::Array(all))) => {
                let first = all.first();
                first
                    .map(|item| parse_link(api.name, item, api.link))
                    .transpose()
            }
            (Lookup::List(_), Ok(_)) => Err(ForgeError::InvalidResponse {
                forge: api.name,
                what: "not a list",
            }),
            (Lookup::Last(_), Ok(item)) => match item.get("state").and_then(Value::as_str) {
                Some("open") => parse_link(api.name, &item, api.link).map(Some),
                _ => Ok(None),
            },
            (Lookup::Last(_), Err(error)) if error.has_status(StatusCode::NOT_FOUND) => Ok(None),
            (_, Err(error)) => Err(error),
        }
    }

    /// Opens a pull request.
    pub(super) async fn open(
        &self,
        client: &Client,
        spec: &PullRequestSpec<'_>,
    ) -> Result<Link, ForgeError> {
        let api = self.forge_api;
        let body = Some((api.body)(spec));
        let path = (api.requests)(&self.name);
        let response = self.send(client, Method::POST, &path, body).await?;
        parse_link(api.name, &response, api.link)
    }

    /// Sends a request to a path of the API, with its query, and returns the body of a successful
    /// response.
    pub(super) async fn send(
        &self,
        client: &Client,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, ForgeError> {
        let forge = self.forge_api.name;
        let (token_header, before) = &self.forge_api.token;
        let failed = |error| ForgeError::Fetch { forge, error };
        let url = svc_fetch::parse_url(&format!("{}{path}", self.api)).map_err(failed)?;
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, HeaderValue::from_static("svc-agent"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        for (name, value) in self.forge_api.headers {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
        let mut token = HeaderValue::from_str(&format!("{before}{}", self.token.reveal()))
            .map_err(|_| ForgeError::InvalidResponse {
                forge,
                what: "the token must be a single line of visible characters",
            })?;
        token.set_sensitive(true);
        headers.insert(token_header.clone(), token);
        let body = match body {
            None => RequestBody::Empty,
            Some(value) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                RequestBody::Bytes(Bytes::from(value.to_string()))
            }
        };
        let request = Request {
            method,
            headers,
            body,
            // The token must not be sent elsewhere; the operator configures the new URL of a moved
            // forge.
            follow_redirects: false,
            ..Request::get(url)
        };
        let response = client.send(request).await.map_err(failed)?;
        let status = response.status;
        let retry_after = retry_after(&response.headers);
        let bytes = response.body.bytes().await.map_err(failed)?;
        let value = serde_json::from_slice::<Value>(&bytes).ok();
        if !status.is_success() {
            let message = value.as_ref().map(error_message).unwrap_or_default();
            // A forge may repeat what it received.
            let message = match self.token.reveal() {
                "" => message,
                token => message.replace(token, "***"),
            };
            let error = ForgeError::from_response(forge, status, &message);
            return Err(error.with_retry_after(retry_after));
        }
        value.ok_or(ForgeError::InvalidResponse {
            forge,
            what: "not JSON",
        })
    }
}

/// How long the forge asks to wait: `Retry-After` in seconds, or until the limit of requests that is
/// used up ends.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    if let Some(seconds) = number("retry-after") {
        return Some(Duration::from_secs(seconds));
    }
    let used_up = ["x-ratelimit-remaining", "ratelimit-remaining"];
    let is_used_up = used_up.iter().any(|name| number(name) == Some(0));
    // The time of the end is that of another clock.
    is_used_up.then_some(RATE_LIMIT_DELAY)
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
