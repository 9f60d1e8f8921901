//! `[projects.source]`: where the files of a project come from.

use std::path::PathBuf;

use super::Secret;
use super::codes::{MISSING, MISSING_DIR, SECRET};
use super::decode::{Cx, Fields, Text};
use super::read::display_path;
use super::secret;
use super::table::{DefaultValue, ExclusiveKeys, KeySchema, TableSchema, ValueType, key};

/// Where the files of a project come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceSettings {
    /// A folder of this machine.
    Dir {
        /// The folder that holds `docs.json`.
        path: PathBuf,
        /// Whether a change is deployed at once.
        watch: bool,
    },
    /// A Git repository.
    Git(GitSource),
}

/// A Git repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSource {
    /// Its address, as `git clone` takes it.
    pub url: String,
    /// The branch of the live site.
    pub branch: String,
    /// The folder that holds `docs.json`, with `/` and without one at its ends; empty for the root.
    pub subdir: String,
    /// How the server shows who it is.
    pub credentials: Option<Credentials>,
    /// Whether all commits are fetched, so that pages know when they were changed.
    pub history: bool,
}

impl GitSource {
    /// What there is with nothing more than an address.
    pub fn with_defaults(address: &str) -> Self {
        Self {
            url: address.to_owned(),
            branch: "main".to_owned(),
            subdir: String::new(),
            credentials: None,
            history: false,
        }
    }
}

/// How a server shows a Git repository who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Over HTTPS.
    Token {
        /// The name that goes with the token.
        user: String,
        /// The token.
        token: Secret,
    },
    /// Over SSH.
    Key {
        /// File of the private key.
        file: PathBuf,
        /// File of the keys of known hosts; the user's own without it.
        known_hosts: Option<PathBuf>,
    },
}

impl Credentials {
    /// As what fetches and pushes takes them.
    pub(crate) fn of_git(own: Option<&Self>) -> svc_git::Credentials {
        match own {
            None => svc_git::Credentials::None,
            Some(Self::Token { user, token }) => svc_git::Credentials::Token {
                user: user.clone(),
                token: svc_git::Secret::new(token.expose()),
            },
            Some(Self::Key { file, known_hosts }) => svc_git::Credentials::Key {
                file: file.clone(),
                known_hosts: known_hosts.clone(),
            },
        }
    }
}

/// Beside `ssh_key`, wherever the server asks a repository.
pub(super) const KNOWN_HOSTS: KeySchema = key(
    "known_hosts",
    ValueType::Path,
    "File of the keys of known hosts for SSH.",
)
.default(DefaultValue::Described(
    "the file of the user who runs the server",
))
.with("ssh_key");

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.source",
    about: "Where the files of a project come from: a folder or a Git repository.",
    keys: &[
        key("folder", ValueType::Path, "A folder of this machine, which holds `docs.json`.")
            .example("\"/srv/handbook\""),
        key("watch", ValueType::Boolean, "Whether a change in the folder is deployed at once.")
            .default(DefaultValue::Boolean(false))
            .with("folder"),
        key(
            "git",
            ValueType::Text(""),
            "Address of a Git repository: `https://…`, `ssh://…`, `git@host:path` or a path of this machine.",
        )
        .example("\"https://git.example.com/team/handbook.git\""),
        key("branch", ValueType::Text(BRANCH), "The branch of the live site.")
            .default(DefaultValue::Text("main"))
            .with("git"),
        key(
            "subfolder",
            ValueType::Text(""),
            "The folder of the repository that holds `docs.json`.",
        )
        .default(DefaultValue::Described("the root of the repository"))
        .example("\"packages/docs\"")
        .with("git"),
        key(
            "history",
            ValueType::Boolean,
            "Whether all commits are fetched, so that pages know when they were changed.",
        )
        .default(DefaultValue::Boolean(false))
        .with("git"),
        key("user", ValueType::Text(""), "The name that goes with the token.")
            .default(DefaultValue::Text("git"))
            .with("git"),
        key("token_file", ValueType::Path, "File that holds a token for HTTPS.").with("git"),
        key(
            "token_env",
            ValueType::Text(secret::VARIABLE),
            "Variable of the environment that holds a token for HTTPS.",
        )
        .example("\"HANDBOOK_TOKEN\"")
        .with("git"),
        key("token", ValueType::Forbidden, ""),
        key("ssh_key", ValueType::Path, "File of the private key for SSH.").with("git"),
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
    let folder = fields.has("folder").then(|| decode_dir(cx, fields));
    let git = fields.has("git").then(|| decode_git(cx, fields));
    folder.or(git).flatten()
}

fn decode_dir(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<SourceSettings> {
    let watch = cx.flag(fields, "watch");
    let path = cx.path(fields, "folder")?;
    if !(cx.environment.is_dir)(&path) {
        let place = fields.get("folder").map_or(fields.span, |node| node.span);
        let message = format!("there is no folder `{}`", display_path(&path));
        let hint = "paths begin at the folder of this file; the project is served once the folder is there";
        cx.report(&MISSING_DIR, place, message, hint);
    }
    Some(SourceSettings::Dir { path, watch })
}

fn decode_git(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<SourceSettings> {
    let address = cx
        .text(fields, "git")
        .filter(|text| is_valid_url(cx, *text));
    let address = address.and_then(|text| match text.text.starts_with('.') {
        // Other paths begin at the folder of the file too.
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
        url: address?,
        branch,
        subdir: subfolder,
        credentials,
        history,
    }))
}

/// Whether an address carries a password or a token before its host.
pub(super) fn has_credentials(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let authority = rest.split('/').next().unwrap_or("");
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    // A user alone is a token over HTTP, and a name over SSH.
    user.is_some_and(|user| user.contains(':') || scheme.starts_with("http"))
}

fn is_valid_url(cx: &mut Cx<'_>, text: Text<'_>) -> bool {
    if has_credentials(text.text) {
        let message = "the address of the repository holds a password or a token";
        let hint = "remove it, write `token_file = \"…\"` or `token_env = \"NAME\"`, and change the secret, as others may have read it";
        cx.report(&SECRET, text.span, message, hint);
        return false;
    }
    let schemes = ["https://", "http://", "ssh://", "file://", "/", "./", "../"];
    let known = schemes.iter().any(|scheme| text.text.starts_with(scheme));
    // `git@host:path`, and no `ext::` and the like, which name programs.
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
        let hint = "write `https://host/path`, `ssh://host/path`, `git@host:path` or a path of this machine";
        cx.refuse(text, "git", hint);
    }
    fits
}

fn branch(cx: &mut Cx<'_>, fields: Fields<'_>) -> String {
    let usual = fields.default_text("branch").unwrap_or_default().to_owned();
    let Some(text) = cx.text(fields, "branch") else {
        return usual;
    };
    let name = text.text;
    let odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let bad = name.starts_with(['-', '/']) || name.contains("..") || name.contains(odd);
    if bad || name.len() > 250 {
        cx.refuse(text, "branch", "write the name of a branch: `main`");
        return usual;
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
        let hint =
            "write a path inside the repository without `/` at its beginning: `packages/docs`";
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
        let hint = "add `token_file = \"…\"` or `token_env = \"NAME\"`, or remove it";
        cx.report(&MISSING, fields.key_span("user"), message, hint);
    }
    let user = user.or_else(|| fields.default_text("user").map(str::to_owned));
    Some(Credentials::Token {
        user: user.unwrap_or_default(),
        token: token?,
    })
}
