//! `[projects.source]`: where the files of a project come from.

use std::path::PathBuf;

use super::Secret;
use super::codes::{FOLDER, MISSING, SECRET};
use super::decode::{Cx, Fields, Text};
use super::read::shown;
use super::secret;
use super::table::{Choice, Form, Initial, Key, Table, key};

/// Where the files of a project come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceSettings {
    /// A folder of this machine.
    Folder {
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
    pub address: String,
    /// The branch of the live site.
    pub branch: String,
    /// The folder that holds `docs.json`, with `/` and without one at its ends; empty for the root.
    pub subfolder: String,
    /// How the server shows who it is.
    pub credentials: Option<Credentials>,
    /// Whether all commits are fetched, so that pages know when they were changed.
    pub history: bool,
}

impl GitSource {
    /// What there is with nothing more than an address.
    pub fn usual(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            branch: "main".to_owned(),
            subfolder: String::new(),
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
pub(super) const KNOWN_HOSTS: Key = key(
    "known_hosts",
    Form::Path,
    "File of the keys of known hosts for SSH.",
)
.default(Initial::Words("the file of the user who runs the server"))
.with("ssh_key");

pub(super) static TABLE: Table = Table {
    name: "projects.source",
    about: "Where the files of a project come from: a folder or a Git repository.",
    keys: &[
        key("folder", Form::Path, "A folder of this machine, which holds `docs.json`.")
            .example("\"/srv/handbook\""),
        key("watch", Form::Boolean, "Whether a change in the folder is deployed at once.")
            .default(Initial::Boolean(false))
            .with("folder"),
        key(
            "git",
            Form::Text(""),
            "Address of a Git repository: `https://…`, `ssh://…`, `git@host:path` or a path of this machine.",
        )
        .example("\"https://git.example.com/team/handbook.git\""),
        key("branch", Form::Text(BRANCH), "The branch of the live site.")
            .default(Initial::Text("main"))
            .with("git"),
        key(
            "subfolder",
            Form::Text(""),
            "The folder of the repository that holds `docs.json`.",
        )
        .default(Initial::Words("the root of the repository"))
        .example("\"packages/docs\"")
        .with("git"),
        key(
            "history",
            Form::Boolean,
            "Whether all commits are fetched, so that pages know when they were changed.",
        )
        .default(Initial::Boolean(false))
        .with("git"),
        key("user", Form::Text(""), "The name that goes with the token.")
            .default(Initial::Text("git"))
            .with("git"),
        key("token_file", Form::Path, "File that holds a token for HTTPS.").with("git"),
        key(
            "token_env",
            Form::Text(secret::VARIABLE),
            "Variable of the environment that holds a token for HTTPS.",
        )
        .example("\"HANDBOOK_TOKEN\"")
        .with("git"),
        key("token", Form::Refused, ""),
        key("ssh_key", Form::Path, "File of the private key for SSH.").with("git"),
        KNOWN_HOSTS,
    ],
    choices: &[
        Choice { keys: &["folder", "git"], required: true },
        Choice { keys: &["token_file", "token_env", "ssh_key"], required: false },
    ],
};

const BRANCH: &str = r"^[^-/\s~^:?*\[\\][^\s~^:?*\[\\]*$";

pub(super) fn decode(cx: &mut Cx<'_>, project: Fields<'_>) -> Option<SourceSettings> {
    let fields = cx.open(project.get("source")?, &TABLE)?;
    let folder = fields.has("folder").then(|| folder(cx, fields));
    let git = fields.has("git").then(|| git(cx, fields));
    folder.or(git).flatten()
}

fn folder(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<SourceSettings> {
    let watch = cx.flag(fields, "watch");
    let path = cx.path(fields, "folder")?;
    if !(cx.around.is_folder)(&path) {
        let place = fields.get("folder").map_or(fields.place, |node| node.span);
        let message = format!("there is no folder `{}`", shown(&path));
        let hint = "paths begin at the folder of this file; the project is served once the folder is there";
        cx.report(&FOLDER, place, message, hint);
    }
    Some(SourceSettings::Folder { path, watch })
}

fn git(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<SourceSettings> {
    let address = cx
        .text(fields, "git")
        .filter(|text| address_fits(cx, *text));
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
    let subfolder = subfolder(cx, fields);
    let history = cx.flag(fields, "history");
    let credentials = credentials(cx, fields);
    Some(SourceSettings::Git(GitSource {
        address: address?,
        branch,
        subfolder,
        credentials,
        history,
    }))
}

/// Whether an address carries a password or a token before its host.
pub(super) fn names_a_password(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let authority = rest.split('/').next().unwrap_or("");
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    // A user alone is a token over HTTP, and a name over SSH.
    user.is_some_and(|user| user.contains(':') || scheme.starts_with("http"))
}

fn address_fits(cx: &mut Cx<'_>, text: Text<'_>) -> bool {
    if names_a_password(text.text) {
        let message = "the address of the repository holds a password or a token";
        let hint = "remove it, write `token_file = \"…\"` or `token_env = \"NAME\"`, and change the secret, as others may have read it";
        cx.report(&SECRET, text.place, message, hint);
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

fn subfolder(cx: &mut Cx<'_>, fields: Fields<'_>) -> String {
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
        cx.report(&MISSING, fields.key_place("user"), message, hint);
    }
    let user = user.or_else(|| fields.default_text("user").map(str::to_owned));
    Some(Credentials::Token {
        user: user.unwrap_or_default(),
        token: token?,
    })
}
