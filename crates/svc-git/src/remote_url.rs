//! Where a repository is.

use std::fmt;
use std::path::PathBuf;

use svc_fetch::Url;

use crate::GitError;

/// Where a repository is. Every form that would run a command is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteUrl {
    /// A folder of this machine.
    Local(PathBuf),
    /// A server that speaks HTTP.
    Http(Url),
    /// A server that speaks SSH.
    Ssh(SshRemote),
}

/// A repository behind SSH.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SshRemote {
    /// Who signs in; the name of the account that the server runs as where there is none.
    pub user: Option<String>,
    /// The host.
    pub host: String,
    /// Port where it is not 22.
    pub port: Option<u16>,
    /// Where the repository is on the host.
    pub path: String,
}

impl RemoteUrl {
    /// Reads an address.
    ///
    /// # Errors
    /// [`GitError::Address`] with what to write instead.
    pub fn parse(text: &str, allow_http: bool) -> Result<Self, GitError> {
        let wrong = |why| Err(GitError::InvalidUrl(why));
        if text.is_empty() {
            return wrong("it is empty");
        }
        if text.starts_with('-') {
            return wrong("it begins with `-`, which would be an option");
        }
        if text.chars().any(char::is_control) {
            return wrong("it holds a control character");
        }
        if text.starts_with('/') {
            return Ok(Self::Local(PathBuf::from(text)));
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            return match scheme.to_ascii_lowercase().as_str() {
                "https" => parse_http(text),
                "http" if allow_http => parse_http(text),
                "http" => wrong(
                    "`http` is not encrypted, so everybody on the way could read the token; write `https`",
                ),
                "ssh" | "git+ssh" | "ssh+git" => parse_ssh(rest),
                "file" => match rest.strip_prefix("localhost").unwrap_or(rest) {
                    path if path.starts_with('/') => Ok(Self::Local(PathBuf::from(path))),
                    _ => wrong("a `file` address names a folder with `file:///…`"),
                },
                "git" => wrong("`git://` is neither encrypted nor signed; write `https://`"),
                _ => wrong("it begins with none of `https://`, `ssh://`, `file://` and `/`"),
            };
        }
        if text.contains("::") {
            return wrong("addresses with `::` run a command and are never used");
        }
        // user@host:path, as Git itself writes it.
        match text.split_once(':') {
            Some((before, path)) if !before.contains('/') => {
                let (user, host) = match before.rsplit_once('@') {
                    Some((user, host)) => (Some(user), host),
                    None => (None, before),
                };
                check_ssh(user, host, None, path)
            }
            _ => wrong("write `https://…`, `ssh://…`, `user@host:path`, or a path from `/`"),
        }
    }
}

fn parse_http(text: &str) -> Result<RemoteUrl, GitError> {
    let mut url = svc_fetch::parse_url(text).map_err(|error| match error {
        svc_fetch::FetchError::InvalidUrl("it holds a user name or a password") => GitError::InvalidUrl(
            "it holds a user name or a password, which would be shown; use `token_file` or `token_env`",
        ),
        svc_fetch::FetchError::InvalidUrl(why) => GitError::InvalidUrl(why),
        _ => GitError::InvalidUrl("its port belongs to another protocol"),
    })?;
    if url.query().is_some() {
        return Err(GitError::InvalidUrl("it holds a `?`"));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(RemoteUrl::Http(url))
}

fn parse_ssh(rest: &str) -> Result<RemoteUrl, GitError> {
    let Some((authority, path)) = rest.split_once('/') else {
        return Err(GitError::InvalidUrl(
            "it names no repository after the host",
        ));
    };
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    // An IPv6 address stands in brackets.
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
    // `/~user/x` is relative to a home folder; everything else is a path from the root.
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
        return Err(GitError::InvalidUrl("its user is not a plain name"));
    }
    if !plain(host, b":") {
        return Err(GitError::InvalidUrl("its host is not a plain name"));
    }
    if path.is_empty() || path == "/" || path.starts_with('-') {
        return Err(GitError::InvalidUrl(
            "it names no repository after the host",
        ));
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
                // Relative to the home folder of the user, which `/~/` is the other spelling of.
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
    fn every_usual_form_is_read() {
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
    fn what_could_run_something_is_refused() {
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
