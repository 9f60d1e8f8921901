//! Descriptions of JSON APIs of forges.

use http::{HeaderName, Method};
use serde_json::{Value, json};

/// Parameters of a pull request.
#[derive(Debug)]
pub(crate) struct PullRequestSpec<'a> {
    /// The branch with the changes.
    pub(crate) branch: &'a str,
    /// The target branch.
    pub(crate) base: &'a str,
    pub(crate) title: &'a str,
    pub(crate) text: &'a str,
    pub(crate) commit: &'a str,
    pub(crate) job: &'a str,
    pub(crate) project: &'a str,
    pub(crate) repository: &'a str,
}

/// Description of a forge's API.
#[derive(Debug)]
pub(super) struct ForgeApi {
    /// Name for messages.
    pub(super) name: &'static str,
    /// Path of the API below the home page.
    pub(super) api: &'static str,
    /// A host whose API has another URL, with that URL.
    pub(super) api_host: Option<(&'static str, &'static str)>,
    /// Whether repositories can be in nested groups.
    pub(super) groups: bool,
    /// Header of the token, and the prefix of its value.
    pub(super) token: (HeaderName, &'static str),
    /// Additional request headers.
    pub(super) headers: &'static [(HeaderName, &'static str)],
    /// Path of the pull requests of a repository.
    pub(super) requests: fn(&str) -> String,
    pub(super) lookup: Lookup,
    /// Body of the request that opens a pull request.
    pub(super) body: fn(&PullRequestSpec<'_>) -> Value,
    /// Field with the URL of a pull request.
    pub(super) link: &'static str,
    pub(super) review: ReviewApi,
}

/// Statuses of commits, comments on pull requests, and links to lines.
#[derive(Debug)]
pub(super) struct ReviewApi {
    /// Names of the states for pending, success and failure.
    pub(super) states: [&'static str; 3],
    /// Field with the name of a status.
    pub(super) context: &'static str,
    /// Path of the statuses of a commit: repository, commit.
    pub(super) statuses: fn(&str, &str) -> String,
    /// Path of the comments on a pull request: repository, number.
    pub(super) comments: fn(&str, u64) -> String,
    /// Query for a list of the comments, the oldest first, without the page.
    pub(super) list: &'static str,
    /// Whether the list has pages.
    pub(super) has_pages: bool,
    /// Path of a comment: repository, number of the pull request, ID.
    pub(super) comment: fn(&str, u64, &str) -> String,
    /// Method that changes a comment.
    pub(super) edit: Method,
    /// Path of a line of a file on the web site: repository, commit, encoded path, line.
    pub(super) line: fn(&str, &str, &str, u32) -> String,
}

/// How to find the open pull request of a branch.
#[derive(Debug)]
pub(super) enum Lookup {
    /// The first entry of a list, with this query.
    List(fn(&str, &PullRequestSpec<'_>) -> String),
    /// The last pull request of the branch, which may be closed or merged, with this path.
    Last(fn(&PullRequestSpec<'_>) -> String),
}

/// Body with the field names `head` and `base`.
pub(super) fn pull_request_body(spec: &PullRequestSpec<'_>) -> Value {
    json!({
        "title": spec.title,
        "head": spec.branch,
        "base": spec.base,
        "body": spec.text,
    })
}
