//! GitLab: `GET` and `POST /projects/{id}/merge_requests`.

use http::{HeaderName, Method};
use serde_json::{Value, json};
use svc_admin_api::agent_job::Link;
use svc_fetch::Client;

use super::rest::{Question, Rest, link, part};
use super::{ForgeError, Wanted};

pub(super) const NAME: &str = "GitLab";

fn question(rest: &Rest, method: Method, query: &str, body: Option<Value>) -> Question<'static> {
    Question {
        forge: NAME,
        method,
        path: format!("/projects/{}/merge_requests{query}", part(&rest.name)),
        token: (HeaderName::from_static("private-token"), ""),
        headers: &[],
        body,
    }
}

pub(super) async fn find(
    rest: &Rest,
    client: &Client,
    wanted: &Wanted<'_>,
) -> Result<Option<Link>, ForgeError> {
    let query = format!(
        "?state=opened&source_branch={}&target_branch={}&per_page=1",
        part(wanted.branch),
        part(wanted.base)
    );
    let found = rest.ask(client, question(rest, Method::GET, &query, None));
    match found.await? {
        Value::Array(all) => all
            .first()
            .map(|one| link(NAME, one, "web_url"))
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
        "source_branch": wanted.branch,
        "target_branch": wanted.base,
        "description": wanted.text,
        "remove_source_branch": true,
    });
    let opened = rest.ask(client, question(rest, Method::POST, "", Some(body)));
    link(NAME, &opened.await?, "web_url")
}
