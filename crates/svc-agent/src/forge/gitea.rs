//! Gitea and Forgejo: `GET /repos/{owner}/{repo}/pulls/{base}/{head}` and
//! `POST /repos/{owner}/{repo}/pulls`.

use http::Method;
use http::header::AUTHORIZATION;
use serde_json::{Value, json};
use svc_admin_api::agent_job::Link;
use svc_fetch::Client;

use super::rest::{Question, Rest, link, part, unless_missing};
use super::{ForgeError, Wanted};

pub(super) const NAME: &str = "Gitea";

fn question(rest: &Rest, method: Method, more: &str, body: Option<Value>) -> Question<'static> {
    Question {
        forge: NAME,
        method,
        path: format!("/repos/{}/pulls{more}", rest.name),
        token: (AUTHORIZATION, "token "),
        headers: &[],
        body,
    }
}

pub(super) async fn find(
    rest: &Rest,
    client: &Client,
    wanted: &Wanted<'_>,
) -> Result<Option<Link>, ForgeError> {
    // The branch of a job is the rest of the path, with the slash that it has.
    let more = format!("/{}/{}", part(wanted.base), wanted.branch);
    let found = rest.ask(client, question(rest, Method::GET, &more, None));
    let Some(found) = unless_missing(found.await)? else {
        return Ok(None);
    };
    // The last one of the branch may be closed or merged.
    match found.get("state").and_then(Value::as_str) {
        Some("open") => link(NAME, &found, "html_url").map(Some),
        _ => Ok(None),
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
