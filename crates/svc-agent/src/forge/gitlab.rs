//! GitLab: `GET` and `POST /projects/{id}/merge_requests`.

use http::HeaderName;
use serde_json::json;

use super::description::{Description, Finding};
use super::rest::part;

pub(super) static GITLAB: Description = Description {
    name: "GitLab",
    api: "/api/v4",
    api_of: None,
    groups: true,
    token: (HeaderName::from_static("private-token"), ""),
    headers: &[],
    requests: |name| format!("/projects/{}/merge_requests", part(name)),
    finding: Finding::List(|_, wanted| {
        format!(
            "?state=opened&source_branch={}&target_branch={}&per_page=1",
            part(wanted.branch),
            part(wanted.base)
        )
    }),
    body: |wanted| {
        json!({
            "title": wanted.title,
            "source_branch": wanted.branch,
            "target_branch": wanted.base,
            "description": wanted.text,
            "remove_source_branch": true,
        })
    },
    link: "web_url",
};
