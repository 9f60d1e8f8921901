//! GitHub: `GET` and `POST /repos/{owner}/{repo}/pulls`.

use http::header::ACCEPT;
use http::{HeaderName, Method};
use serde_json::{Value, json};
use svc_admin_api::agent_job::Link;
use svc_fetch::Client;

use super::rest::{Question, Rest, bearer, link, part};
use super::{ForgeError, Wanted};

pub(super) const NAME: &str = "GitHub";

static HEADERS: [(HeaderName, &str); 2] = [
    (ACCEPT, "application/vnd.github+json"),
    (
        HeaderName::from_static("x-github-api-version"),
        "2022-11-28",
    ),
];

fn question(rest: &Rest, method: Method, query: &str, body: Option<Value>) -> Question<'static> {
    Question {
        forge: NAME,
        method,
        path: format!("/repos/{}/pulls{query}", rest.name),
        token: bearer(),
        headers: &HEADERS,
        body,
    }
}

pub(super) async fn find(
    rest: &Rest,
    client: &Client,
    wanted: &Wanted<'_>,
) -> Result<Option<Link>, ForgeError> {
    let owner = rest.name.split('/').next().unwrap_or_default();
    let query = format!(
        "?state=open&head={owner}:{}&base={}&per_page=1",
        part(wanted.branch),
        part(wanted.base)
    );
    let found = rest.ask(client, question(rest, Method::GET, &query, None));
    match found.await? {
        Value::Array(all) => all
            .first()
            .map(|one| link(NAME, one, "html_url"))
            .transpose(),
        _ => Err(ForgeError::Garbage {
            forge: NAME,
            what: "it is not a list",
        }),
    }
}

pub(super) async fn open(
    rest: &Rest,
    client: &Client,
    wanted: &Wanted<'_>,
) -> Result<Link, ForgeError> {
    let body = json!({
        "title": wanted.title,
        "head": wanted.branch,
        "base": wanted.base,
        "body": wanted.text,
    });
    let opened = rest.ask(client, question(rest, Method::POST, "", Some(body)));
    link(NAME, &opened.await?, "html_url")
}
