//! `[projects.pull_requests]`: what the forge shows about the previews of pull requests.

use svc_admin_api::agent_job::Repository;

use super::codes::{CONFLICT, MISSING};
use super::decode::{Cx, Fields};
use super::project_agent::{FORGE, FORGE_URL, built_in_forge, repository, url_of};
use super::table::{DefaultValue, ExclusiveKeys, TableSchema, ValueType, key};
use super::{ForgeApi, Secret, SourceSettings, secret};

/// What the forge shows about the previews of pull requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequestSettings {
    /// Repository of the pull requests.
    pub repository: Repository,
    /// API of the forge.
    pub forge: ForgeApi,
    /// URL of the forge; `None` if it is at the host of the repository.
    pub forge_url: Option<String>,
    /// Token for the forge.
    pub token: Secret,
    /// Whether a comment on each pull request describes its preview.
    pub comment: bool,
    /// Whether the commit of a preview has a status.
    pub status: bool,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.pull_requests",
    about: "What the forge shows about the previews of pull and merge requests: a status of the commit, and one comment. Requires `[projects.previews]` and `[admin]`.",
    keys: &[
        FORGE.required(),
        FORGE_URL,
        key(
            "repository",
            ValueType::Text("^(https?|ssh|git|file)://"),
            "Full URL of the repository of the pull requests.",
        )
        .default(DefaultValue::Described("the one in `[projects.source]`"))
        .example("\"https://git.example.com/team/handbook.git\""),
        key(
            "token_file",
            ValueType::Path,
            "File that contains a token with permission to set statuses of commits and to comment on pull requests.",
        )
        .example("\"/etc/svc/handbook.token\""),
        key(
            "token_env",
            ValueType::Text(secret::VARIABLE),
            "Environment variable that contains the token.",
        )
        .example("\"HANDBOOK_TOKEN\""),
        key("token", ValueType::Forbidden, ""),
        key(
            "comment",
            ValueType::Boolean,
            "Whether a comment on each pull request lists its changed pages and new problems.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "status",
            ValueType::Boolean,
            "Whether the commit of a preview has a status that links to it.",
        )
        .default(DefaultValue::Boolean(true)),
    ],
    choices: &[ExclusiveKeys {
        keys: &["token_file", "token_env"],
        required: true,
    }],
};

pub(super) fn decode(
    cx: &mut Cx<'_>,
    project: Fields<'_>,
    source: Option<&SourceSettings>,
) -> Option<PullRequestSettings> {
    let fields = cx.open(project.get("pull_requests")?, &TABLE)?;
    let forge = built_in_forge(cx, fields);
    let token = secret::decode(cx, fields, "token");
    let (comment, status) = (cx.flag(fields, "comment"), cx.flag(fields, "status"));
    if !comment && !status {
        let message = "`projects.pull_requests` has no effect without a comment and a status";
        let hint = "remove `comment = false` or `status = false`, or remove the table";
        cx.report(&CONFLICT, fields.span, message, hint);
    }
    let repository = match cx.text(fields, "repository") {
        Some(text) => repository(cx, text),
        None => {
            let git = match source {
                Some(SourceSettings::Git(git)) => Some(&*git.url),
                _ => None,
            };
            let defaults = git.and_then(|url| Repository::try_from(full_url(url)).ok());
            if defaults.is_none() && git.is_some() && !fields.has("repository") {
                let message = "`repository` is missing in `projects.pull_requests`";
                let hint = "add the full URL of the repository: `https://git.example.com/team/handbook.git`";
                cx.report(&MISSING, fields.span, message, hint);
            }
            defaults
        }
    };
    let (forge, forge_url) = forge?;
    Some(PullRequestSettings {
        repository: repository?,
        forge,
        forge_url,
        token: token?,
        comment,
        status,
    })
}

/// The URL of a repository: `git@host:path` is short for one with SSH.
fn full_url(text: &str) -> String {
    match text.split_once(':') {
        Some((host, path)) if !text.contains("://") && host.contains('@') => {
            format!("ssh://{host}/{path}")
        }
        _ => url_of(text),
    }
}
