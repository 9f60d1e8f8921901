//! GitHub: `GET` and `POST /repos/{owner}/{repo}/pulls`.

use http::HeaderName;
use http::header::{ACCEPT, AUTHORIZATION};

use super::description::{Description, Finding, short};
use super::rest::part;

static HEADERS: [(HeaderName, &str); 2] = [
    (ACCEPT, "application/vnd.github+json"),
    (
        HeaderName::from_static("x-github-api-version"),
        "2022-11-28",
    ),
];

pub(super) static GITHUB: Description = Description {
    name: "GitHub",
    api: "/api/v3",
    // Of GitHub itself; an Enterprise Server has it below its home page.
    api_of: Some(("github.com", "https://api.github.com")),
    groups: false,
    token: (AUTHORIZATION, "Bearer "),
    headers: &HEADERS,
    requests: |name| format!("/repos/{name}/pulls"),
    finding: Finding::List(|name, wanted| {
        let owner = name.split('/').next().unwrap_or_default();
        format!(
            "?state=open&head={owner}:{}&base={}&per_page=1",
            part(wanted.branch),
            part(wanted.base)
        )
    }),
    body: short,
    link: "html_url",
};
