//! `[projects.agent]`: the repository for agents.

use svc_admin_api::agent_job::{Branch, Repository};

use super::codes::{CONFLICT, MISSING, SECRET};
use super::decode::{Cx, Fields, Text};
use super::table::{DefaultValue, ExclusiveKeys, KeySchema, TableSchema, ValueType, key};
use super::{Credentials, Secret, SourceSettings, secret, source};

/// The repository for agents, and the forge at which pull requests are opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectAgentSettings {
    /// Repository to clone and push to.
    pub repository: Repository,
    /// Default branch of jobs; `None` for the default branch of the repository.
    pub branch: Option<Branch>,
    /// Forge or program that opens pull requests.
    pub forge: ForgeSettings,
    /// Token for the forge.
    pub token: Option<Secret>,
    /// Git credentials: the same token, or a separate SSH key.
    pub credentials: Option<Credentials>,
}

/// How pull requests are opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgeSettings {
    /// A forge with a supported API.
    BuiltIn {
        /// API of the forge.
        kind: ForgeApi,
        /// URL of the forge; `None` if it is at the host of the repository.
        url: Option<String>,
    },
    /// A program that reads the pull request as JSON and prints its URL.
    Command(Vec<String>),
}

/// APIs of supported forges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForgeApi {
    /// GitHub and GitHub Enterprise.
    GitHub,
    /// GitLab.
    GitLab,
    /// Gitea and Forgejo.
    Gitea,
}

/// Key for the API of a forge.
pub(super) const FORGE: KeySchema = key(
    "forge",
    ValueType::Text("^(github|gitlab|gitea|forgejo)$"),
    "API of the forge of the pull requests: `github`, `gitlab`, `gitea` or `forgejo`.",
)
.example("\"github\"");

/// Key for the URL of a forge, used together with `forge`.
pub(super) const FORGE_URL: KeySchema = key(
    "forge_url",
    ValueType::Text("^https?://"),
    "URL of the forge, if it is not at the host of the repository.",
)
.example("\"https://git.example.com\"")
.with("forge");

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.agent",
    about: "The repository for agents, and the forge at which pull requests are opened. The table `[agent]` configures the program.",
    keys: &[
        key(
            "repository",
            ValueType::Text("^(/|(https?|ssh|git|file)://)"),
            "Full URL of the repository, or the path of a repository on this machine.",
        )
        .default(DefaultValue::Described("the one in `[projects.source]`"))
        .example("\"https://git.example.com/team/handbook.git\""),
        key(
            "branch",
            ValueType::Text(""),
            "Default branch of jobs.",
        )
        .default(DefaultValue::Described("the one in `[projects.source]`"))
        .example("\"main\""),
        FORGE,
        FORGE_URL,
        key(
            "forge_command",
            ValueType::Texts(""),
            "A program that opens pull requests, and its arguments. It reads the request as JSON from standard input and prints the URL.",
        )
        .example("[\"/usr/local/bin/open-request\"]"),
        key("user", ValueType::Text(""), "User name for the token over Git.")
            .default(DefaultValue::Text("git")),
        key(
            "token_file",
            ValueType::Path,
            "File that contains a token with permission to push to the repository and open pull requests.",
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
            "ssh_key",
            ValueType::Path,
            "File of an SSH private key with permission to push to the repository. The token is then used for the forge only.",
        )
        .example("\"/etc/svc/handbook_agent\""),
        source::KNOWN_HOSTS,
    ],
    choices: &[
        ExclusiveKeys {
            keys: &["forge", "forge_command"],
            required: true,
        },
        ExclusiveKeys {
            keys: &["user", "ssh_key"],
            required: false,
        },
        ExclusiveKeys {
            keys: &["token_file", "token_env"],
            required: false,
        },
    ],
};

pub(super) fn decode(
    cx: &mut Cx<'_>,
    project: Fields<'_>,
    source: Option<&SourceSettings>,
) -> Option<ProjectAgentSettings> {
    let fields = cx.open(project.get("agent")?, &TABLE)?;
    let git = match source {
        Some(SourceSettings::Git(git)) => Some(git),
        _ => None,
    };
    let defaults = git.and_then(|git| Repository::try_from(url_of(&git.url)).ok());
    let repository = match cx.text(fields, "repository") {
        Some(text) => repository(cx, text),
        None => {
            if defaults.is_none() && source.is_some() && !fields.has("repository") {
                let message = "`repository` is missing in `projects.agent`";
                let hint = "add the full URL of the repository: the source of the project is not a repository";
                cx.report(&MISSING, fields.span, message, hint);
            }
            defaults
        }
    };
    let branch = match cx.text(fields, "branch") {
        Some(text) => {
            let read = Branch::try_from(text.text.to_owned());
            if read.is_err() {
                cx.refuse(text, "branch", "write the name of a branch: `main`");
            }
            read.ok()
        }
        None => git.and_then(|git| Branch::try_from(git.branch.clone()).ok()),
    };
    let token = secret::decode(cx, fields, "token");
    let credentials = credentials(cx, fields, repository.as_ref(), token.as_ref());
    let forge = forge(cx, fields);
    let keys = ["token", "token_file", "token_env"];
    if fields.has("forge") && !keys.iter().any(|key| fields.has(key)) {
        let message = "`token_file` or `token_env` is missing in `projects.agent`";
        let hint = "add a token: the forge requires it to open pull requests";
        cx.report(&MISSING, fields.span, message, hint);
    }
    Some(ProjectAgentSettings {
        repository: repository?,
        branch,
        forge: forge?,
        token,
        credentials,
    })
}

/// The repository in the key `repository`.
pub(super) fn repository(cx: &mut Cx<'_>, text: Text<'_>) -> Option<Repository> {
    if source::has_credentials(text.text) {
        let message = "the URL of the repository contains a password or a token";
        let hint = "remove it, write `token_file = \"…\"` or `token_env = \"NAME\"`, and change the secret, because it may have leaked";
        cx.report(&SECRET, text.span, message, hint);
        return None;
    }
    let read = Repository::try_from(url_of(text.text));
    if read.is_err() {
        let hint = "write a full URL, `https://git.example.com/team/handbook.git`, or a path, `/srv/handbook.git`";
        cx.refuse(text, "repository", hint);
    }
    read.ok()
}

/// The path as a URL, because a source can also be a repository on this machine.
pub(super) fn url_of(text: &str) -> String {
    let path = text
        .starts_with('/')
        .then(|| url::Url::from_file_path(text));
    match path {
        Some(Ok(url)) => url.into(),
        _ => text.to_owned(),
    }
}

fn credentials(
    cx: &mut Cx<'_>,
    fields: Fields<'_>,
    repository: Option<&Repository>,
    token: Option<&Secret>,
) -> Option<Credentials> {
    let user = cx.text(fields, "user").map(|text| text.text);
    let known_hosts = cx.path(fields, "known_hosts");
    if let Some(file) = cx.path(fields, "ssh_key") {
        let other = repository.filter(|one| !one.as_str().starts_with("ssh://"));
        if let Some(other) = other {
            let message = format!("`ssh_key` has no effect with the repository `{other}`");
            let hint = "write the URL with `ssh://` in `repository`, or remove the key";
            cx.report(&CONFLICT, fields.key_span("ssh_key"), message, hint);
        }
        return Some(Credentials::Key { file, known_hosts });
    }
    let user = user.or_else(|| fields.default_text("user"));
    token.map(|token| Credentials::Token {
        user: user.unwrap_or_default().to_owned(),
        token: token.clone(),
    })
}

fn forge(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<ForgeSettings> {
    if let Some((kind, url)) = built_in_forge(cx, fields) {
        return Some(ForgeSettings::BuiltIn { kind, url });
    }
    let command = cx.texts(fields, "forge_command")?;
    let command: Vec<String> = command.iter().map(|text| text.text.to_owned()).collect();
    (!command.is_empty()).then_some(ForgeSettings::Command(command))
}

/// The API and the URL of a forge in the keys `forge` and `forge_url`.
pub(super) fn built_in_forge(
    cx: &mut Cx<'_>,
    fields: Fields<'_>,
) -> Option<(ForgeApi, Option<String>)> {
    let base = cx.text(fields, "forge_url").map(|text| {
        let url = url::Url::parse(text.text).ok();
        let plain = url.is_some_and(|url| {
            matches!(url.scheme(), "https" | "http")
                && url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none()
        });
        if !plain {
            let hint = "write the URL of the forge: `https://git.example.com`";
            cx.refuse(text, "forge_url", hint);
        }
        text.text.trim_end_matches('/').to_owned()
    });
    let text = cx.text(fields, "forge")?;
    let kind = match text.text {
        "github" => ForgeApi::GitHub,
        "gitlab" => ForgeApi::GitLab,
        "gitea" | "forgejo" => ForgeApi::Gitea,
        _ => {
            let hint = "write `github`, `gitlab`, `gitea` or `forgejo`";
            cx.refuse(text, "forge", hint);
            return None;
        }
    };
    Some((kind, base))
}
