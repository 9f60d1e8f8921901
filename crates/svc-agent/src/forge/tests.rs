//! Where forges are, as addresses of repositories say it.

use super::*;

fn of(kind: ForgeKind, repository: &str, address: Option<&str>) -> String {
    let repository = Repository::try_from(repository.to_owned()).expect("an address");
    match Forge::new(kind, &repository, address, Secret::new("secret")) {
        Ok(Forge::Rest(rest)) => format!("{} {}", rest.api, rest.name),
        Ok(Forge::Hook(_)) => "a hook".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_api_is_found_from_the_address_of_the_repository() {
    use ForgeKind::{GitHub, GitLab, Gitea};
    for (kind, repository, address, expected) in [
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
            "the address of the repository does not end in `owner/repository`",
        ),
        (
            Gitea,
            "file:///a/b",
            Some("https://code.example"),
            "https://code.example/api/v1 a/b",
        ),
    ] {
        assert_eq!(of(kind, repository, address), expected, "{repository}");
    }
}

#[test]
fn what_says_no_place_is_refused() {
    use ForgeKind::GitHub;
    let no_name = "the address of the repository does not end in `owner/repository`";
    for (repository, address, expected) in [
        (
            "file:///srv/b",
            None,
            "the address of the repository names no host; name the address of the forge",
        ),
        ("https://github.com/b", None, no_name),
        ("https://github.com/a/b/c", None, no_name),
        ("https://github.com/a//b", None, no_name),
        (
            "https://github.com/a/b",
            Some("ftp://x"),
            "the address of the forge cannot be used: invalid URL: its scheme is neither `http` nor `https`",
        ),
    ] {
        assert_eq!(of(GitHub, repository, address), expected, "{repository}");
    }
}

#[test]
fn no_token_is_in_what_programmers_print() {
    let repository = Repository::try_from("https://github.com/a/b".to_owned()).expect("an address");
    let forge = Forge::new(ForgeKind::GitHub, &repository, None, Secret::new("hunter2"));
    assert!(!format!("{forge:?}").contains("hunter2"));
}
