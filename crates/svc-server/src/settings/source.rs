//! `[projects.source]`: where the files of a project come from.

use std::path::PathBuf;

use super::Secret;
use super::codes::{MISSING, MISSING_DIR, SECRET};
use super::decode::{Cx, Fields, Text};
use super::environment::display_path;
use super::secret;
use super::table::{DefaultValue, ExclusiveKeys, KeySchema, TableSchema, ValueType, key};

/// Source of the files of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceSettings {
    /// A directory on this machine.
    Dir {
        /// Directory that contains `docs.json`.
        path: PathBuf,
        /// Whether a change is deployed immediately.
        watch: bool,
    },
    /// A Git repository.
    Git(GitSource),
}

/// A Git repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSource {
    /// Remote URL, as accepted by `git clone`.
    pub url: String,
    /// Branch of the production site.
    pub branch: String,
    /// Directory that contains `docs.json`, separated by `/` and without a leading or trailing
    /// slash; empty for the root.
    pub subdir: String,
    /// Credentials for the remote; `None` for anonymous access.
    pub credentials: Option<Credentials>,
    /// Whether the full history is fetched, for the dates of the last changes of pages.
    pub history: bool,
}

impl GitSource {
    /// Default settings for a remote.
    pub fn with_defaults(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            branch: "main".to_owned(),
            subdir: String::new(),
            credentials: None,
            history: false,
        }
    }
}

/// Credentials for a Git remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Token for HTTPS.
    Token {
        /// User name for the token.
        user: String,
        /// The token.
        token: Secret,
    },
    /// SSH key.
    Key {
        /// File of the private key.
        file: PathBuf,
        /// File of known host keys; `None` for the default file of the user.
        known_hosts: Option<PathBuf>,
    },
}

impl Credentials {
    /// Converts the credentials for `svc_git`.
    pub(crate) fn of_git(credentials: Option<&Self>) -> svc_git::Credentials {
        match credentials {
            None => svc_git::Credentials::None,
            Some(Self::Token { user, token }) => svc_git::Credentials::Token {
                user: user.clone(),
                token: token.clone(),
            },
            Some(Self::Key { file, known_hosts }) => svc_git::Credentials::Key {
                file: file.clone(),
                known_hosts: known_hosts.clone(),
            },
        }
    }
}

/// Key for known hosts, used together with `ssh_key`.
pub(super) const KNOWN_HOSTS: KeySchema = key(
    "known_hosts",
    ValueType::Path,
    "File of known host keys for SSH.",
)
.default(DefaultValue::Described(
    "the default file of the server's user",
))
.with("ssh_key");

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.source",
    about: "Source of the files of a project: a folder or a Git repository.",
    keys: &[
        key("folder", ValueType::Path, "Folder on this machine that contains `docs.json`.")
            .example("\"/srv/handbook\""),
        key("watch", ValueType::Boolean, "Whether to deploy changes in the folder immediately.")
            .default(DefaultValue::Boolean(false))
            .with("folder"),
        key(
            "git",
            ValueType::Text(""),
            "URL of a Git repository: `https://…`, `ssh://…`, `git@host:path` or a path on this machine.",
        )
        .example("\"https://git.example.com/team/handbook.git\""),
        key("branch", ValueType::Text(BRANCH), "Branch of the production site.")
            .default(DefaultValue::Text("main"))
            .with("git"),
        key(
            "subfolder",
            ValueType::Text(""),
            "Folder of the repository that contains `docs.json`.",
        )
        .default(DefaultValue::Described("the root of the repository"))
        .example("\"packages/docs\"")
        .with("git"),
        key(
            "history",
            ValueType::Boolean,
            "Whether to fetch all commits, for the dates of the last changes of pages.",
        )
        .default(DefaultValue::Boolean(false))
        .with("git"),
        key("user", ValueType::Text(""), "User name for the token.")
            .default(DefaultValue::Text("git"))
            .with("git"),
        key("token_file", ValueType::Path, "File that contains a token for HTTPS.").with("git"),
        key(
            "token_env",
            ValueType::Text(secret::VARIABLE),
            "Environment variable that contains a token for HTTPS.",
        )
        .example("\"HANDBOOK_TOKEN\"")
        .with("git"),
        key("token", ValueType::Forbidden, ""),
        key("ssh_key", ValueType::Path, "File of the SSH private key.").with("git"),
        KNOWN_HOSTS,
    ],
    choices: &[
        ExclusiveKeys { keys: &["folder", "git"], required: true },
        ExclusiveKeys { keys: &["token_file", "token_env", "ssh_key"], required: false },
    ],
};

const BRANCH: &str = r"^[^-/\s~^:?*\[\\][^\s~^:?*\[\\]*$";

pub(super) fn decode(cx: &mut Cx<'_>, project: Fields<'_>) -> Option<SourceSettings> {
    let fields = cx.open(project.get("source")?, &TABLE)?;
    let dir = fields.has("folder").then(|| decode_dir(cx, fields));
    let git = fields.has("git").then(|| decode_git(cx, fields));
    dir.or(git).flatten()
}

fn decode_dir(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<SourceSettings> {
    let watch = cx.flag(fields, "watch");
    let path = cx.path(fields, "folder")?;
    if !(cx.environment.is_dir)(&path) {
        let span = fields.get("folder").map_or(fields.span, |node| node.span);
        let message = format!("folder `{}` does not exist", display_path(&path));
        let hint = "create it; paths are relative to the folder of this file";
        cx.report(&MISSING_DIR, span, message, hint);
    }
    Some(SourceSettings::Dir { path, watch })
}

fn decode_git(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<SourceSettings> {
    let url = cx
        .text(fields, "git")
        .filter(|text| is_valid_url(cx, *text));
    let url = url.and_then(|text| match text.text.starts_with('.') {
        // Other paths are relative to the directory of the file, too.
        true => {
            let path = cx.path(fields, "git")?;
            let path = std::path::absolute(&path).unwrap_or(path);
            Some(path.to_str()?.to_owned())
        }
        false => Some(text.text.to_owned()),
    });
    let branch = branch(cx, fields);
    let subfolder = subdir(cx, fields);
    let history = cx.flag(fields, "history");
    let credentials = credentials(cx, fields);
    Some(SourceSettings::Git(GitSource {
        url: url?,
        branch,
        subdir: subfolder,
        credentials,
        history,
    }))
}

/// Whether a URL contains a password or a token.
pub(super) fn has_credentials(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let authority = rest.split('/').next().unwrap_or("");
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    // A user name alone is a token over HTTP and a name over SSH.
    user.is_some_and(|user| user.contains(':') || scheme.starts_with("http"))
}

fn is_valid_url(cx: &mut Cx<'_>, text: Text<'_>) -> bool {
    if has_credentials(text.text) {
        let message = "the URL of the repository contains a password or a token";
        let hint = "remove it, write `token_file = \"…\"` or `token_env = \"NAME\"`, and change the secret, because it may have leaked";
        cx.report(&SECRET, text.span, message, hint);
        return false;
    }
    let schemes = ["https://", "http://", "ssh://", "file://", "/", "./", "../"];
    let known = schemes.iter().any(|scheme| text.text.starts_with(scheme));
    // Accepts `git@host:path`, but not `ext::` and similar, which run programs.
    let short = || {
        let (before, path) = text.text.split_once(':')?;
        let (user, host) = before.split_once('@')?;
        let plain = |part: &str| {
            !part.is_empty()
                && !part.starts_with('-')
                && part
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
        };
        (plain(user) && plain(host) && !path.is_empty() && !path.starts_with(':')).then_some(())
    };
    let fits =
        !text.text.chars().any(|c| c.is_control() || c == ' ') && (known || short().is_some());
    if !fits {
        let hint = "write `https://host/path`, `ssh://host/path`, `git@host:path` or a path on this machine";
        cx.refuse(text, "git", hint);
    }
    fits
}

fn branch(cx: &mut Cx<'_>, fields: Fields<'_>) -> String {
    let defaults = fields.default_text("branch").unwrap_or_default().to_owned();
    let Some(text) = cx.text(fields, "branch") else {
        return defaults;
    };
    let name = text.text;
    let odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let bad = name.starts_with(['-', '/']) || name.contains("..") || name.contains(odd);
    if bad || name.len() > 250 {
        cx.refuse(text, "branch", "write the name of a branch: `main`");
        return defaults;
    }
    name.to_owned()
}

fn subdir(cx: &mut Cx<'_>, fields: Fields<'_>) -> String {
    let Some(text) = cx.text(fields, "subfolder") else {
        return String::new();
    };
    let path = text.text.strip_prefix("./").unwrap_or(text.text);
    let path = path.strip_suffix('/').unwrap_or(path);
    let odd = |part: &str| matches!(part, "" | "." | "..") || part.eq_ignore_ascii_case(".git");
    if path.split('/').any(odd) || path.contains(|c: char| c.is_control() || c == '\\') {
        let hint = "write a path inside of the repository without a leading `/`: `packages/docs`";
        cx.refuse(text, "subfolder", hint);
        return String::new();
    }
    path.to_owned()
}

fn credentials(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<Credentials> {
    let user = cx.text(fields, "user").map(|text| text.text.to_owned());
    let known_hosts = cx.path(fields, "known_hosts");
    if let Some(file) = cx.path(fields, "ssh_key") {
        return Some(Credentials::Key { file, known_hosts });
    }
    let token = secret::decode(cx, fields, "token");
    if user.is_some()
        && !["token", "token_file", "token_env"]
            .iter()
            .any(|key| fields.has(key))
    {
        let message = "`user` has no effect without a token";
        let hint = "add `token_file = \"…\"` or `token_env = \"NAME\"`, or remove `user`";
        cx.report(&MISSING, fields.key_span("user"), message, hint);
    }
    let user = user.or_else(|| fields.default_text("user").map(str::to_owned));
    Some(Credentials::Token {
        user: user.unwrap_or_default(),
        token: token?,
    })
}
