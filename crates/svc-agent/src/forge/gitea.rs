//! Gitea and Forgejo: `GET /repos/{owner}/{repo}/pulls/{base}/{head}` and
//! `POST /repos/{owner}/{repo}/pulls`.

use http::header::AUTHORIZATION;

use super::description::{Description, Finding, short};
use super::rest::part;

pub(super) static GITEA: Description = Description {
    name: "Gitea",
    api: "/api/v1",
    api_of: None,
    groups: false,
    token: (AUTHORIZATION, "token "),
    headers: &[],
    requests: |name| format!("/repos/{name}/pulls"),
    // The branch of a job is the rest of the path, with the slash that it has.
    finding: Finding::Last(|wanted| format!("/{}/{}", part(wanted.base), wanted.branch)),
    body: short,
    link: "html_url",
};
