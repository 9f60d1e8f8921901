//! `[projects.agent]`: the repository that agents work on.

use svc_admin_api::agent_job::{Branch, Repository};

use super::codes::{CONFLICT, MISSING, SECRET};
use super::decode::{Cx, Fields};
use super::table::{DefaultValue, ExclusiveKeys, TableSchema, ValueType, key};
use super::{Credentials, Secret, SourceSettings, secret, source};

/// The repository that agents work on, and where pull requests are opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectAgentSettings {
    /// The repository.
    pub repository: Repository,
    /// The branch that agents work on when a job names none.
    pub branch: Option<Branch>,
    /// What opens pull requests.
    pub forge: ForgeSettings,
    /// The token for the forge.
    pub token: Option<Secret>,
    /// How the server shows the repository who it is: with the same token, or with a key of its
    /// own.
    pub credentials: Option<Credentials>,
}

/// What opens pull requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgeSettings {
    /// A forge with an interface that is known.
    BuiltIn {
        /// Which interface.
        kind: ForgeApi,
        /// Its home page, when not at the host of the repository.
        url: Option<String>,
    },
    /// A program, which gets the pull request as JSON and prints its address.
    Command(Vec<String>),
}

/// The interfaces of forges that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForgeApi {
    /// GitHub, and GitHub Enterprise.
    GitHub,
    /// GitLab.
    GitLab,
    /// Gitea and Forgejo.
    Gitea,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.agent",
    about: "The repository that agents work on, and where pull requests are opened. The table `[agent]` \
            says which program works.",
    keys: &[
        key(
            "repository",
            ValueType::Text("^(/|(https?|ssh|git|file)://)"),
            "Full address of the repository, or the path of one on this machine.",
        )
        .default(DefaultValue::Described("the one in `[projects.source]`"))
        .example("\"https://git.example.com/team/handbook.git\""),
        key(
            "branch",
            ValueType::Text(""),
            "The branch that agents work on when a job names none.",
        )
        .default(DefaultValue::Described("the one in `[projects.source]`"))
        .example("\"main\""),
        key(
            "forge",
            ValueType::Text("^(github|gitlab|gitea|forgejo)$"),
            "The interface of the forge that opens pull requests: `github`, `gitlab`, `gitea` or `forgejo`.",
        )
        .example("\"github\""),
        key(
            "forge_address",
            ValueType::Text("^https?://"),
            "Address of the forge, as people open it, when it is not at the host of the repository.",
        )
        .example("\"https://git.example.com\"")
        .with("forge"),
        key(
            "forge_command",
            ValueType::Texts(""),
            "A program that opens pull requests, and its arguments. It gets the request as JSON on its \
             standard input and prints the address.",
        )
        .example("[\"/usr/local/bin/open-request\"]"),
        key("user", ValueType::Text(""), "The name that goes with the token for Git.")
            .default(DefaultValue::Text("git")),
        key(
            "token_file",
            ValueType::Path,
            "File that holds a token that may push to the repository and open pull requests.",
        )
        .example("\"/etc/svc/handbook.token\""),
        key(
            "token_env",
            ValueType::Text(secret::VARIABLE),
            "Variable of the environment that holds this token.",
        )
        .example("\"HANDBOOK_TOKEN\""),
        key("token", ValueType::Forbidden, ""),
        key(
            "ssh_key",
            ValueType::Path,
            "File of the private key for SSH, which may push to the repository. The token then is for \
             the forge alone.",
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
    let usual = git.and_then(|git| Repository::try_from(url_of(&git.url)).ok());
    let repository = match cx.text(fields, "repository") {
        Some(text) if source::has_credentials(text.text) => {
            let message = "the address of the repository holds a password or a token";
            let hint = "remove it, write `token_file = \"…\"` or `token_env = \"NAME\"`, and change the secret, as others may have read it";
            cx.report(&SECRET, text.span, message, hint);
            None
        }
        Some(text) => {
            let read = Repository::try_from(url_of(text.text));
            if read.is_err() {
                let hint = "write a full address, `https://git.example.com/team/handbook.git`, or a path, `/srv/handbook.git`";
                cx.refuse(text, "repository", hint);
            }
            read.ok()
        }
        None => {
            if usual.is_none() && source.is_some() && !fields.has("repository") {
                let message = "`repository` is missing in `projects.agent`";
                let hint =
                    "add the full address of the repository: the source of the project is none";
                cx.report(&MISSING, fields.span, message, hint);
            }
            usual
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
    let named = ["token", "token_file", "token_env"];
    if fields.has("forge") && !named.iter().any(|key| fields.has(key)) {
        let message = "`token_file` or `token_env` is missing in `projects.agent`";
        let hint = "a forge opens pull requests only for those whom it knows: add a token";
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

/// An address of a path, as a source may name a repository of this machine too.
fn url_of(text: &str) -> String {
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
            let hint = "write its address with `ssh://` in `repository`, or remove the key";
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
    let address = cx.text(fields, "forge_address").map(|text| {
        let url = url::Url::parse(text.text).ok();
        let plain = url.is_some_and(|url| {
            matches!(url.scheme(), "https" | "http")
                && url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none()
        });
        if !plain {
            let hint = "write the address of the forge: `https://git.example.com`";
            cx.refuse(text, "forge_address", hint);
        }
        text.text.trim_end_matches('/').to_owned()
    });
    if let Some(text) = cx.text(fields, "forge") {
        let kind = match text.text {
            "github" => ForgeApi::GitHub,
            "gitlab" => ForgeApi::GitLab,
            "gitea" | "forgejo" => ForgeApi::Gitea,
            _ => {
                let hint = "write `github`, `gitlab`, `gitea` or `forgejo`; for others there is `forge_command`";
                cx.refuse(text, "forge", hint);
                return None;
            }
        };
        return Some(ForgeSettings::BuiltIn { kind, url: address });
    }
    let command = cx.texts(fields, "forge_command")?;
    let command: Vec<String> = command.iter().map(|text| text.text.to_owned()).collect();
    (!command.is_empty()).then_some(ForgeSettings::Command(command))
}
