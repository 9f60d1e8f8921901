//! GitLab: `GET` and `POST /projects/{id}/merge_requests`.

use http::{HeaderName, Method};
use serde_json::json;

use super::api::{ForgeApi, Lookup, ReviewApi};
use super::rest::percent_encode;

pub(super) static GITLAB: ForgeApi = ForgeApi {
    name: "GitLab",
    api: "/api/v4",
    api_host: None,
    groups: true,
    token: (HeaderName::from_static("private-token"), ""),
    headers: &[],
    requests: |name| format!("/projects/{}/merge_requests", percent_encode(name)),
    lookup: Lookup::List(|_, spec| {
        format!(
            "?state=opened&source_branch={}&target_branch={}&per_page=1",
            percent_encode(spec.branch),
            percent_encode(spec.base)
        )
    }),
    body: |spec| {
        json!({
            "title": spec.title,
            "source_branch": spec.branch,
            "target_branch": spec.base,
            "description": spec.text,
            "remove_source_branch": true,
        })
    },
    link: "web_url",
    review: ReviewApi {
        states: ["running", "success", "failed"],
        context: "name",
        statuses: |name, commit| format!("/projects/{}/statuses/{commit}", percent_encode(name)),
        comments: |name, number| {
            let name = percent_encode(name);
            format!("/projects/{name}/merge_requests/{number}/notes")
        },
        list: "?sort=asc&order_by=created_at&per_page=100",
        has_pages: true,
        comment: |name, number, id| {
            let name = percent_encode(name);
            format!("/projects/{name}/merge_requests/{number}/notes/{id}")
        },
        edit: Method::PUT,
        line: |name, commit, path, line| format!("/{name}/-/blob/{commit}/{path}?plain=1#L{line}"),
    },
};
