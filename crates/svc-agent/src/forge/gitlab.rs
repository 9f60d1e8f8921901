//! GitLab: `GET` and `POST /projects/{id}/merge_requests`.

use http::HeaderName;
use serde_json::json;

use super::api::{ForgeApi, Lookup};
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
};
