//! Compares URLs of repositories.

/// Whether one of the URLs that a forge names belongs to the repository that a project is fetched
/// from. Scheme, port and user are ignored. A local repository has no host to compare and matches
/// every URL.
pub fn is_same_repository<'a>(source: &str, mut urls: impl Iterator<Item = &'a str>) -> bool {
    match normalize_url(source) {
        Some(source) => urls.any(|url| normalize_url(url).as_ref() == Some(&source)),
        None => true,
    }
}

/// Normalized host and path, which are equal for all URLs of a repository.
fn normalize_url(url: &str) -> Option<(String, String)> {
    let (authority, path) = match url.split_once("://") {
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("file") => return None,
        Some((_, rest)) => rest.split_once('/')?,
        // `git@host:path`, but not a local path.
        None => url
            .split_once(':')
            .filter(|(host, _)| !host.contains('/'))?,
    };
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(host) => host.split(']').next()?,
        None => host.split(':').next()?,
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    // Alternative hosts of forges for SSH over port 443.
    let host = match host.as_str() {
        "ssh.github.com" => "github.com",
        "altssh.gitlab.com" => "gitlab.com",
        host => host,
    };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    (!host.is_empty() && !path.is_empty()).then(|| (host.to_owned(), path.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, other: &str) -> bool {
        is_same_repository(one, [other].into_iter())
    }

    #[test]
    fn scheme_port_and_user_are_ignored() {
        let url = "https://github.com/acme/docs.git";
        for source in [
            "https://github.com/acme/docs",
            "https://GitHub.com/Acme/Docs.git/",
            "https://token@github.com/acme/docs.git",
            "https://github.com:443/acme/docs",
            "ssh://git@github.com:22/acme/docs.git",
            "ssh://git@ssh.github.com:443/acme/docs.git",
            "git@github.com:acme/docs.git",
            "github.com:acme/docs",
        ] {
            assert!(same(source, url), "{source}");
        }
    }

    #[test]
    fn another_host_or_path_is_another_repository() {
        let source = "git@github.com:acme/docs.git";
        for url in [
            "https://github.com/acme/docs2.git",
            "https://github.com/acme2/docs.git",
            "https://github.com.evil.example/acme/docs.git",
            "https://evil.example/github.com/acme/docs.git",
            "https://github.com@evil.example/acme/docs.git",
            "https://gitlab.com/acme/docs.git",
            "file:///acme/docs.git",
            "/acme/docs.git",
            "",
        ] {
            assert!(!same(source, url), "{url}");
        }
        assert!(!is_same_repository(source, std::iter::empty()));
    }

    #[test]
    fn a_local_repository_matches_every_url() {
        for source in ["/srv/docs.git", "file:///srv/docs.git", "../docs.git"] {
            assert!(same(source, "https://github.com/acme/docs.git"), "{source}");
        }
    }
}
