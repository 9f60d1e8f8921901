//! What the forges have in common that are asked over HTTP with JSON.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::Value;
use svc_admin_api::agent_job::Link;
use svc_fetch::{Client, Request, RequestBody, Url};
use svc_git::Secret;

use super::ForgeError;
use super::api::ForgeApi;

/// A repository at a forge, and who asks.
#[derive(Debug, Clone)]
pub struct RestForge {
    /// Which forge it is.
    pub(super) forge_api: &'static ForgeApi,
    /// Where the API begins, without a slash at the end.
    pub(super) api: String,
    /// The repository: `owner/name`, at GitLab with as many groups as there are.
    pub(super) name: String,
    pub(super) token: Secret,
}

/// A question to a forge.
pub(super) struct ForgeRequest<'a> {
    pub(super) forge: &'static str,
    pub(super) method: Method,
    /// What follows the address of the API.
    pub(super) path: String,
    /// How the token is sent: the header, and what stands before the token.
    pub(super) token: (HeaderName, &'static str),
    pub(super) headers: &'a [(HeaderName, &'static str)],
    pub(super) body: Option<Value>,
}

impl RestForge {
    /// Asks, and gives the answer of a success.
    pub(super) async fn send(
        &self,
        client: &Client,
        question: ForgeRequest<'_>,
    ) -> Result<Value, ForgeError> {
        let forge = question.forge;
        let failed = |error| ForgeError::Fetch { forge, error };
        let url =
            svc_fetch::parse_url(&format!("{}{}", self.api, question.path)).map_err(failed)?;
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, HeaderValue::from_static("svc-agent"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        for (name, value) in question.headers {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
        let (name, before) = question.token;
        let mut token = HeaderValue::from_str(&format!("{before}{}", self.token.reveal()))
            .map_err(|_| ForgeError::InvalidResponse {
                forge,
                what: "its token is no single line of plain characters",
            })?;
        token.set_sensitive(true);
        headers.insert(name, token);
        let body = match &question.body {
            None => RequestBody::Empty,
            Some(value) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                RequestBody::Bytes(Bytes::from(value.to_string()))
            }
        };
        let request = Request {
            method: question.method,
            headers,
            body,
            // A forge that has moved is to be named as it is now: the token is for nobody else.
            follow_redirects: false,
            ..Request::get(url)
        };
        let answer = client.send(request).await.map_err(failed)?;
        let status = answer.status;
        let bytes = answer.body.bytes().await.map_err(failed)?;
        let value = serde_json::from_slice::<Value>(&bytes).ok();
        if !status.is_success() {
            let message = value.as_ref().map(error_message).unwrap_or_default();
            return Err(ForgeError::from_response(forge, status, &message));
        }
        value.ok_or(ForgeError::InvalidResponse {
            forge,
            what: "it is not JSON",
        })
    }
}

/// What a forge says of a request that it refuses: `message`, and what GitHub adds in `errors`.
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

/// The link in a field of an answer.
pub(super) fn parse_link(
    forge: &'static str,
    value: &Value,
    field: &str,
) -> Result<Link, ForgeError> {
    let text = value.get(field).and_then(Value::as_str).unwrap_or_default();
    Link::try_from(text.to_owned()).map_err(|_| ForgeError::InvalidResponse {
        forge,
        what: "it names no pull request",
    })
}

/// An address below the home page of a forge.
pub(super) fn join_url(home: &Url, path: &str) -> String {
    let mut home = home.clone();
    home.set_query(None);
    format!("{}{path}", home.as_str().trim_end_matches('/'))
}

/// The name of a repository: its path, without that of the forge's home page and without `.git`.
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

/// A text as one part of a path or a query.
pub(super) fn percent_encode(text: &str) -> String {
    let mut part = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            part.push(char::from(byte));
        } else {
            part.push_str(&format!("%{byte:02X}"));
        }
    }
    part
}
