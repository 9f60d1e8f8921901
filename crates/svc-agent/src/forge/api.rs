//! What a forge says in its own way, and finding and opening pull requests by that.

use http::{HeaderName, Method, StatusCode};
use serde_json::{Value, json};
use svc_admin_api::agent_job::Link;
use svc_fetch::Client;

use super::rest::{ForgeRequest, RestForge, parse_link};
use super::{ForgeError, PullRequestSpec};

/// A forge that is asked over HTTP with JSON.
#[derive(Debug)]
pub(super) struct ForgeApi {
    /// Its name in messages.
    pub(super) name: &'static str,
    /// The path of its API below its home page.
    pub(super) api: &'static str,
    /// A host whose API stands elsewhere, and where.
    pub(super) api_host: Option<(&'static str, &'static str)>,
    /// Whether a repository may lie in groups inside groups.
    pub(super) groups: bool,
    /// How the token is sent: the header, and what stands before the token.
    pub(super) token: (HeaderName, &'static str),
    /// Further headers of every question.
    pub(super) headers: &'static [(HeaderName, &'static str)],
    /// The path of the pull requests of a repository.
    pub(super) requests: fn(&str) -> String,
    pub(super) lookup: Lookup,
    /// What opens a pull request.
    pub(super) body: fn(&PullRequestSpec<'_>) -> Value,
    /// The field of a pull request with its address.
    pub(super) link: &'static str,
}

/// How the open pull request of a branch is found.
#[derive(Debug)]
pub(super) enum Lookup {
    /// As the first of a list; of the name of the repository and what is wanted, the query.
    List(fn(&str, &PullRequestSpec<'_>) -> String),
    /// As the last one of the branch, which may be closed or merged; the rest of its path.
    Last(fn(&PullRequestSpec<'_>) -> String),
}

impl ForgeApi {
    /// The open pull request of a branch.
    pub(super) async fn find(
        &self,
        rest: &RestForge,
        client: &Client,
        wanted: &PullRequestSpec<'_>,
    ) -> Result<Option<Link>, ForgeError> {
        let more = match self.lookup {
            Lookup::List(query) => query(&rest.name, wanted),
            Lookup::Last(path) => path(wanted),
        };
        let found = rest.send(client, self.request(rest, Method::GET, &more, None));
        match (&self.lookup, found.await) {
            (Lookup::List(_), Ok(Value::Array(all))) => {
                let first = all.first();
                first
                    .map(|one| parse_link(self.name, one, self.link))
                    .transpose()
            }
            (Lookup::List(_), Ok(_)) => Err(ForgeError::InvalidResponse {
                forge: self.name,
                what: "it is not a list",
            }),
            (Lookup::Last(_), Ok(one)) => match one.get("state").and_then(Value::as_str) {
                Some("open") => parse_link(self.name, &one, self.link).map(Some),
                _ => Ok(None),
            },
            (Lookup::Last(_), Err(error)) if error.has_status(StatusCode::NOT_FOUND) => Ok(None),
            (_, Err(error)) => Err(error),
        }
    }

    /// Opens one.
    pub(super) async fn open(
        &self,
        rest: &RestForge,
        client: &Client,
        wanted: &PullRequestSpec<'_>,
    ) -> Result<Link, ForgeError> {
        let body = Some((self.body)(wanted));
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

/// What opens a pull request where heads and bases are named so.
pub(super) fn pull_request_body(wanted: &PullRequestSpec<'_>) -> Value {
    json!({
        "title": wanted.title,
        "head": wanted.branch,
        "base": wanted.base,
        "body": wanted.text,
    })
}
