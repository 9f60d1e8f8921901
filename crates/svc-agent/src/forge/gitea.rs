//! Gitea and Forgejo: `GET /repos/{owner}/{repo}/pulls/{base}/{head}` and
//! `POST /repos/{owner}/{repo}/pulls`.

use http::Method;
use http::header::AUTHORIZATION;

use super::api::{ForgeApi, Lookup, ReviewApi, pull_request_body};
use super::rest::percent_encode;

pub(super) static GITEA: ForgeApi = ForgeApi {
    name: "Gitea",
    api: "/api/v1",
    api_host: None,
    groups: false,
    token: (AUTHORIZATION, "token "),
    headers: &[],
    requests: |name| format!("/repos/{name}/pulls"),
    // The branch of a job is the rest of the path, with the slash that it has.
    lookup: Lookup::Last(|spec| format!("/{}/{}", percent_encode(spec.base), spec.branch)),
    body: pull_request_body,
    link: "html_url",
    review: ReviewApi {
        states: ["pending", "success", "failure"],
        context: "context",
        statuses: |name, commit| format!("/repos/{name}/statuses/{commit}"),
        comments: |name, number| format!("/repos/{name}/issues/{number}/comments"),
        list: "",
        has_pages: false,
        comment: |name, _, id| format!("/repos/{name}/issues/comments/{id}"),
        edit: Method::PATCH,
        line: |name, commit, path, line| {
            format!("/{name}/src/commit/{commit}/{path}?display=source#L{line}")
        },
    },
};
