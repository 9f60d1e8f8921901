//! Fetching with the program `git`.

use crate::support;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use support::File::{Bytes, Text};
use support::http::{Server, ServerOptions};
use support::ssh::{SshOptions as _, Sshd};
use support::{Fixture, check_branch_lifecycle, files, listing, with_token};
use svc_git::{GitError, Options, RepositoryLimits};

fn with_program() -> Options {
    Options {
        allow_http: true,
        git_program: Some(PathBuf::from("git")),
        ..Options::default()
    }
}

#[test]
fn a_branch_is_followed_with_and_without_history() {
    for (old, history) in [(false, false), (false, true), (true, false)] {
        let Some(fixture) = Fixture::new() else {
            return;
        };
        let server = Server::start(
            fixture.dir.path().to_owned(),
            ServerOptions {
                old,
                ..ServerOptions::default()
            },
        );
        let options = Options {
            history,
            ..with_program()
        };
        check_branch_lifecycle(&fixture, &server.url(), &options);
    }
}

#[test]
fn a_branch_is_followed_over_ssh() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let Some(sshd) = Sshd::start(fixture.dir.path(), true) else {
        return;
    };
    let options = Options {
        git_program: Some(PathBuf::from("git")),
        ..sshd.options("key")
    };
    check_branch_lifecycle(&fixture, &sshd.url(&fixture.bare()), &options);
}

#[test]
fn only_the_subfolder_is_exported_with_its_dates() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let server = Server::start(fixture.dir.path().to_owned(), ServerOptions::default());
    let large: Vec<u8> = (0..400_000_u32)
        .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect();
    fixture.commit(
        "2024-01-01T12:00:00Z",
        &[Text("docs/a", "1"), Bytes("app/b", large)],
    );
    let options = Options {
        subfolder: "docs".to_owned(),
        history: true,
        ..with_program()
    };
    let repository = fixture.open(&server.url(), &options);
    let (commit, exported) = files(&fixture, &repository, "main");
    assert_eq!(exported, ["a"]);
    assert!(server.taken() < 50_000);
    let dates = repository.dates(&commit.id).expect("dates");
    assert_eq!(dates.get("a").map(String::as_str), Some("2024-01-01"));
}

#[test]
fn tokens_are_passed_in_the_environment_and_never_shown() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let server = Server::start(
        fixture.dir.path().to_owned(),
        ServerOptions {
            authorization: Some("Basic eC1hY2Nlc3MtdG9rZW46czNjcjN0".to_owned()),
            ..ServerOptions::default()
        },
    );
    fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
    let error = fixture.open(&server.url(), &with_program()).fetch("main");
    let error = error.expect_err("no token");
    assert!(matches!(error, GitError::Unauthorized { .. }), "{error}");
    let with = |token: &str| with_token(token, with_program());
    let error = fixture.open(&server.url(), &with("wr0ng")).fetch("main");
    let error = error.expect_err("a wrong token");
    assert!(!format!("{error} {error:?}").contains("wr0ng"), "{error:?}");
    let repository = fixture.open(&server.url(), &with("s3cr3t"));
    assert_eq!(files(&fixture, &repository, "main").1, ["docs.json"]);
    for file in ["config", "svc.json"] {
        let text = fs::read_to_string(fixture.path("store").join(file)).expect("a file");
        assert!(
            !text.contains("s3cr3t") && !text.contains("czNjcjN0"),
            "{file}"
        );
    }
}

#[test]
fn redirects_are_not_followed() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
    let server = Server::start(fixture.dir.path().to_owned(), ServerOptions::default());
    let old = Server::start(
        fixture.dir.path().to_owned(),
        ServerOptions {
            redirect: Some(format!(
                "http://localhost:{}/origin.git/info/refs",
                server.port
            )),
            ..ServerOptions::default()
        },
    );
    assert!(
        fixture
            .open(&old.url(), &with_program())
            .fetch("main")
            .is_err()
    );
    assert!(server.requests.lock().expect("a lock").is_empty());
}

#[test]
fn limits_are_enforced_and_no_process_remains() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let server = Server::start(
        fixture.dir.path().to_owned(),
        ServerOptions {
            sleeps: true,
            ..ServerOptions::default()
        },
    );
    let options = Options {
        limits: RepositoryLimits {
            fetch_timeout: Duration::from_secs(1),
            ..RepositoryLimits::default()
        },
        ..with_program()
    };
    let error = fixture.open(&server.url(), &options).fetch("main");
    assert_eq!(
        error.expect_err("silence").to_string(),
        "fetching took longer than 1 seconds"
    );
    let missing = Options {
        git_program: Some(PathBuf::from("/nothing/git")),
        ..with_program()
    };
    let error = fixture.open(&server.url(), &missing).fetch("main");
    assert!(
        error
            .expect_err("no program")
            .to_string()
            .starts_with("/nothing/git: ")
    );
}

#[test]
fn leftovers_of_an_interrupted_program_are_ignored() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let server = Server::start(fixture.dir.path().to_owned(), ServerOptions::default());
    fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
    let repository = fixture.open(&server.url(), &with_program());
    files(&fixture, &repository, "main");
    drop(repository);
    let store = fixture.path("store");
    for lock in [
        "shallow.lock",
        "packed-refs.lock",
        "config.lock",
        "HEAD.lock",
    ] {
        fs::write(store.join(lock), "").expect("written");
    }
    let heads = store.join("refs/svc/heads");
    fs::create_dir_all(&heads).expect("a folder");
    fs::write(heads.join("main.lock"), "").expect("written");
    fixture.commit("2024-01-02T12:00:00Z", &[Text("a", "{}")]);
    let repository = fixture.open(&server.url(), &with_program());
    assert_eq!(files(&fixture, &repository, "main").1, ["a"]);
    // A branch where a folder of branches was.
    fixture.git(&["update-ref", "refs/heads/x/y", "main"]);
    files(&fixture, &repository, "x/y");
    fixture.git(&["update-ref", "-d", "refs/heads/x/y"]);
    fixture.git(&["update-ref", "refs/heads/x", "main"]);
    files(&fixture, &repository, "x");
    assert!(!listing(&store).is_empty());
}
