//! Locations of Git repositories.

use std::fmt;
use std::path::PathBuf;

use svc_fetch::Url;

use crate::GitError;

/// Location of a repository. Forms that would execute a command are rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteUrl {
    /// A local directory.
    Local(PathBuf),
    /// A server with the HTTP transport.
    Http(Url),
    /// A server with the SSH transport.
    Ssh(SshRemote),
}

/// A repository that is reached over SSH.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SshRemote {
    /// User name on the host; if `None`, the user that runs the server.
    pub user: Option<String>,
    /// Host name or IP address.
    pub host: String,
    /// Port; `None` for the default, 22.
    pub port: Option<u16>,
    /// Path of the repository on the host.
    pub path: String,
}

impl RemoteUrl {
    /// Parses a remote: a URL, `user@host:path` or an absolute path.
    ///
    /// # Errors
    /// [`GitError::InvalidUrl`] with the reason.
    pub fn parse(text: &str, allow_http: bool) -> Result<Self, GitError> {
        let fail = |reason| Err(GitError::InvalidUrl(reason));
        if text.is_empty() {
            return fail("it is empty");
        }
        if text.starts_with('-') {
            return fail("it begins with `-`, which would be an option");
        }
        if text.chars().any(char::is_control) {
            return fail("it contains a control character");
        }
        if text.starts_with('/') {
            return Ok(Self::Local(PathBuf::from(text)));
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            return match scheme.to_ascii_lowercase().as_str() {
                "https" => parse_http(text),
                "http" if allow_http => parse_http(text),
                "http" => fail("`http` is not encrypted and would expose the token; use `https`"),
                "ssh" | "git+ssh" | "ssh+git" => parse_ssh(rest),
                "file" => match rest.strip_prefix("localhost").unwrap_or(rest) {
                    path if path.starts_with('/') => Ok(Self::Local(PathBuf::from(path))),
                    _ => fail("a `file` URL must have the form `file:///…`"),
                },
                "git" => fail("`git://` is neither encrypted nor authenticated; use `https://`"),
                _ => fail("it must begin with `https://`, `ssh://`, `file://` or `/`"),
            };
        }
        if text.contains("::") {
            return fail("remotes with `::` execute a command and are not allowed");
        }
        // `user@host:path`, the SCP-like syntax of Git.
        match text.split_once(':') {
            Some((before, path)) if !before.contains('/') => {
                let (user, host) = match before.rsplit_once('@') {
                    Some((user, host)) => (Some(user), host),
                    None => (None, before),
                };
                check_ssh(user, host, None, path)
            }
            _ => fail("use `https://…`, `ssh://…`, `user@host:path` or an absolute path"),
        }
    }
}

fn parse_http(text: &str) -> Result<RemoteUrl, GitError> {
    let mut url = svc_fetch::parse_url(text).map_err(|error| match error {
        svc_fetch::FetchError::InvalidUrl("it contains a user name or a password") => GitError::InvalidUrl(
            "it contains a user name or a password, which would be visible; use `token_file` or `token_env`",
        ),
        svc_fetch::FetchError::InvalidUrl(reason) => GitError::InvalidUrl(reason),
        _ => GitError::InvalidUrl("its port is reserved for another protocol"),
    })?;
    if url.query().is_some() {
        return Err(GitError::InvalidUrl("it contains a `?`"));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(RemoteUrl::Http(url))
}

fn parse_ssh(rest: &str) -> Result<RemoteUrl, GitError> {
    let Some((authority, path)) = rest.split_once('/') else {
        return Err(GitError::InvalidUrl("its path is missing"));
    };
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    // An IPv6 address is enclosed in brackets.
    let (host, port) = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((host, rest)) => (host, rest.strip_prefix(':')),
        None => match host.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (host, None),
        },
    };
    let port = match port.map(str::parse::<u16>) {
        Some(Err(_)) => return Err(GitError::InvalidUrl("its port is not a number")),
        Some(Ok(port)) => Some(port),
        None => None,
    };
    // `/~user/x` is relative to a home directory; all other paths are absolute.
    let path = match path.starts_with('~') {
        true => path.to_owned(),
        false => format!("/{path}"),
    };
    check_ssh(user, host, port, &path)
}

fn check_ssh(
    user: Option<&str>,
    host: &str,
    port: Option<u16>,
    path: &str,
) -> Result<RemoteUrl, GitError> {
    let plain = |text: &str, more: &[u8]| {
        !text.is_empty()
            && !text.starts_with('-')
            && text.len() <= 253
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b) || more.contains(&b))
    };
    if user.is_some_and(|user| !plain(user, b"+")) {
        return Err(GitError::InvalidUrl(
            "its user name contains invalid characters",
        ));
    }
    if !plain(host, b":") {
        return Err(GitError::InvalidUrl("its host contains invalid characters"));
    }
    if path.is_empty() || path == "/" || path.starts_with('-') {
        return Err(GitError::InvalidUrl("its path is missing"));
    }
    Ok(RemoteUrl::Ssh(SshRemote {
        user: user.map(str::to_owned),
        host: host.to_owned(),
        port,
        path: path.to_owned(),
    }))
}

impl fmt::Display for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(path) => write!(f, "{}", path.display()),
            Self::Http(url) => f.write_str(url.as_str()),
            Self::Ssh(SshRemote {
                user,
                host,
                port,
                path,
            }) => {
                f.write_str("ssh://")?;
                if let Some(user) = user {
                    write!(f, "{user}@")?;
                }
                match host.contains(':') {
                    true => write!(f, "[{host}]")?,
                    false => f.write_str(host)?,
                }
                if let Some(port) = port {
                    write!(f, ":{port}")?;
                }
                // Relative to the home directory of the user; `/~/` is another spelling of it.
                match path.as_bytes().first() {
                    Some(b'/') => f.write_str(path),
                    Some(b'~') => write!(f, "/{path}"),
                    _ => write!(f, "/~/{path}"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_to_string(text: &str) -> String {
        RemoteUrl::parse(text, true).map_or_else(|error| error.to_string(), |a| a.to_string())
    }

    #[test]
    fn all_remote_forms_are_parsed() {
        for (text, expected) in [
            ("https://example.com/a/b.git", "https://example.com/a/b.git"),
            ("https://example.com/a/b/", "https://example.com/a/b"),
            ("http://localhost:3000/a", "http://localhost:3000/a"),
            ("ssh://git@example.com/a/b", "ssh://git@example.com/a/b"),
            ("ssh://example.com:2222/a", "ssh://example.com:2222/a"),
            ("ssh://[::1]:2222/a", "ssh://[::1]:2222/a"),
            ("git@example.com:a/b.git", "ssh://git@example.com/~/a/b.git"),
            ("git@example.com:/srv/b", "ssh://git@example.com/srv/b"),
            ("file:///srv/a", "/srv/a"),
            ("/srv/a b", "/srv/a b"),
        ] {
            assert_eq!(parse_to_string(text), expected, "{text}");
        }
    }

    #[test]
    fn remotes_that_execute_commands_are_rejected() {
        for text in [
            "",
            "-oProxyCommand=id",
            "--upload-pack=touch /tmp/x",
            "ext::sh -c id",
            "ext::https://example.com/a",
            "fd::17",
            "git://example.com/a",
            "ftp://example.com/a",
            "ssh://-oProxyCommand=id/a",
            "ssh://-l@example.com/a",
            "ssh://a;b@example.com/a",
            "ssh://example.com:x/a",
            "ssh://example.com/",
            "ssh://example.com",
            "ssh://$(id)/a",
            "git@-oProxyCommand=id:a",
            "git@example.com:-a",
            "git@example.com:",
            "file://host/a",
            "https://user:secret@example.com/a",
            "https://example.com/a?x",
            "https:///a\nb",
            "a/b",
            "../a",
            "javascript:alert(1)/x y@z",
        ] {
            let read = RemoteUrl::parse(text, true);
            let harmless = matches!(&read, Ok(RemoteUrl::Ssh(ssh)) if text.starts_with("javascript") && ssh.host == "javascript");
            assert!(read.is_err() || harmless, "{text}: {read:?}");
        }
        assert!(RemoteUrl::parse("http://example.com/a", false).is_err());
        let error = parse_to_string("https://user:secret@example.com/a");
        assert!(!error.contains("secret"), "{error}");
    }
}
