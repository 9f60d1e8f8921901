//! GitHub: `GET` and `POST /repos/{owner}/{repo}/pulls`.

use http::header::{ACCEPT, AUTHORIZATION};
use http::{HeaderName, Method};

use super::api::{ForgeApi, Lookup, ReviewApi, pull_request_body};
use super::rest::percent_encode;

static HEADERS: [(HeaderName, &str); 2] = [
    (ACCEPT, "application/vnd.github+json"),
    (
        HeaderName::from_static("x-github-api-version"),
        "2022-11-28",
    ),
];

pub(super) static GITHUB: ForgeApi = ForgeApi {
    name: "GitHub",
    api: "/api/v3",
    // github.com only; GitHub Enterprise Server has its API below the home page.
    api_host: Some(("github.com", "https://api.github.com")),
    groups: false,
    token: (AUTHORIZATION, "Bearer "),
    headers: &HEADERS,
    requests: |name| format!("/repos/{name}/pulls"),
    lookup: Lookup::List(|name, spec| {
        let owner = name.split('/').next().unwrap_or_default();
        format!(
            "?state=open&head={owner}:{}&base={}&per_page=1",
            percent_encode(spec.branch),
            percent_encode(spec.base)
        )
    }),
    body: pull_request_body,
    link: "html_url",
    review: ReviewApi {
        states: ["pending", "success", "failure"],
        context: "context",
        statuses: |name, commit| format!("/repos/{name}/statuses/{commit}"),
        comments: |name, number| format!("/repos/{name}/issues/{number}/comments"),
        list: "?per_page=100",
        has_pages: true,
        comment: |name, _, id| format!("/repos/{name}/issues/comments/{id}"),
        edit: Method::PATCH,
        // Without `plain`, Markdown is rendered and has no lines.
        line: |name, commit, path, line| format!("/{name}/blob/{commit}/{path}?plain=1#L{line}"),
    },
};
