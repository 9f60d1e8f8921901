//! API URLs of forges, derived from repository URLs.

use super::*;

fn of(kind: ForgeKind, repository: &str, url: Option<&str>) -> String {
    let repository = Repository::try_from(repository.to_owned()).expect("an address");
    match Forge::new(kind, &repository, url, Secret::new("secret")) {
        Ok(Forge::Rest(rest)) => format!("{} {}", rest.api, rest.name),
        Ok(Forge::Hook(_)) => "a hook".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_api_is_derived_from_the_repository_url() {
    use ForgeKind::{GitHub, GitLab, Gitea};
    for (kind, repository, url, expected) in [
        (
            GitHub,
            "https://github.com/a/b.git",
            None,
            "https://api.github.com a/b",
        ),
        (
            GitHub,
            "ssh://git@github.com/a/b",
            None,
            "https://api.github.com a/b",
        ),
        (
            GitHub,
            "https://ghe.example.com/a/b",
            None,
            "https://ghe.example.com/api/v3 a/b",
        ),
        (
            GitLab,
            "https://gitlab.com/a/b/c.git",
            None,
            "https://gitlab.com/api/v4 a/b/c",
        ),
        (
            GitLab,
            "https://x.example/gitlab/a/b",
            Some("https://x.example/gitlab/"),
            "https://x.example/gitlab/api/v4 a/b",
        ),
        (
            Gitea,
            "ssh://git@code.example:2222/a/b.git",
            None,
            "https://code.example/api/v1 a/b",
        ),
        (
            Gitea,
            "http://127.0.0.1:3000/a/b",
            None,
            "http://127.0.0.1:3000/api/v1 a/b",
        ),
        (
            Gitea,
            "file:///srv/git/a/b",
            Some("https://code.example"),
            "the repository URL does not end in `owner/repository`",
        ),
        (
            Gitea,
            "file:///a/b",
            Some("https://code.example"),
            "https://code.example/api/v1 a/b",
        ),
    ] {
        assert_eq!(of(kind, repository, url), expected, "{repository}");
    }
}

#[test]
fn urls_without_a_host_are_rejected() {
    use ForgeKind::GitHub;
    let no_name = "the repository URL does not end in `owner/repository`";
    for (repository, url, expected) in [
        (
            "file:///srv/b",
            None,
            "the repository URL has no host; set the URL of the forge",
        ),
        ("https://github.com/b", None, no_name),
        ("https://github.com/a/b/c", None, no_name),
        ("https://github.com/a//b", None, no_name),
        (
            "https://github.com/a/b",
            Some("ftp://x"),
            "the URL of the forge cannot be used: invalid URL: its scheme is neither `http` nor `https`",
        ),
    ] {
        assert_eq!(of(GitHub, repository, url), expected, "{repository}");
    }
}

#[test]
fn debug_output_contains_no_token() {
    let repository = Repository::try_from("https://github.com/a/b".to_owned()).expect("an address");
    let forge = Forge::new(ForgeKind::GitHub, &repository, None, Secret::new("hunter2"));
    assert!(!format!("{forge:?}").contains("hunter2"));
}
