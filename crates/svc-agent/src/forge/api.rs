//! Descriptions of JSON APIs of forges, and finding and opening pull requests with them.

use http::{HeaderName, Method, StatusCode};
use serde_json::{Value, json};
use svc_admin_api::agent_job::Link;
use svc_fetch::Client;

use super::rest::{ForgeRequest, RestForge, parse_link};
use super::{ForgeError, PullRequestSpec};

/// Description of a forge's API.
#[derive(Debug)]
pub(super) struct ForgeApi {
    /// Name for messages.
    pub(super) name: &'static str,
    /// Path of the API below the home page.
    pub(super) api: &'static str,
    /// A host whose API has another URL, with that URL.
    pub(super) api_host: Option<(&'static str, &'static str)>,
    /// Whether repositories can be in nested groups.
    pub(super) groups: bool,
    /// Header of the token, and the prefix of its value.
    pub(super) token: (HeaderName, &'static str),
    /// Additional request headers.
    pub(super) headers: &'static [(HeaderName, &'static str)],
    /// Path of the pull requests of a repository.
    pub(super) requests: fn(&str) -> String,
    pub(super) lookup: Lookup,
    /// Body of the request that opens a pull request.
    pub(super) body: fn(&PullRequestSpec<'_>) -> Value,
    /// Field with the URL of a pull request.
    pub(super) link: &'static str,
}

/// How to find the open pull request of a branch.
#[derive(Debug)]
pub(super) enum Lookup {
    /// The first entry of a list, with this query.
    List(fn(&str, &PullRequestSpec<'_>) -> String),
    /// The last pull request of the branch, which may be closed or merged, with this path.
    Last(fn(&PullRequestSpec<'_>) -> String),
}

impl ForgeApi {
    /// Finds the open pull request of a branch.
    pub(super) async fn find(
        &self,
        rest: &RestForge,
        client: &Client,
        spec: &PullRequestSpec<'_>,
    ) -> Result<Option<Link>, ForgeError> {
        let more = match self.lookup {
            Lookup::List(query) => query(&rest.name, spec),
            Lookup::Last(path) => path(spec),
        };
        let response = rest.send(client, self.request(rest, Method::GET, &more, None));
        match (&self.lookup, response.await) {
            (Lookup::List(_), Ok(Value::Array(all))) => {
                let first = all.first();
                first
                    .map(|one| parse_link(self.name, one, self.link))
                    .transpose()
            }
            (Lookup::List(_), Ok(_)) => Err(ForgeError::InvalidResponse {
                forge: self.name,
                what: "not a list",
            }),
            (Lookup::Last(_), Ok(one)) => match one.get("state").and_then(Value::as_str) {
                Some("open") => parse_link(self.name, &one, self.link).map(Some),
                _ => Ok(None),
            },
            (Lookup::Last(_), Err(error)) if error.has_status(StatusCode::NOT_FOUND) => Ok(None),
            (_, Err(error)) => Err(error),
        }
    }

    /// Opens a pull request.
    pub(super) async fn open(
        &self,
        rest: &RestForge,
        client: &Client,
        spec: &PullRequestSpec<'_>,
    ) -> Result<Link, ForgeError> {
        let body = Some((self.body)(spec));
        let opened = rest.send(client, self.request(rest, Method::POST, "", body));
        parse_link(self.name, &opened.await?, self.link)
    }

    fn request(
        &self,
        rest: &RestForge,
        method: Method,
        more: &str,
        body: Option<Value>,
    ) -> ForgeRequest<'static> {
        ForgeRequest {
            forge: self.name,
            method,
            path: format!("{}{more}", (self.requests)(&rest.name)),
            token: self.token.clone(),
            headers: self.headers,
            body,
        }
    }
}

/// Body with the field names `head` and `base`.
pub(super) fn pull_request_body(spec: &PullRequestSpec<'_>) -> Value {
    json!({
        "title": spec.title,
        "head": spec.branch,
        "base": spec.base,
        "body": spec.text,
    })
}
