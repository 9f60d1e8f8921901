//! Repositories over SSH, with a server on the loopback interface.

use crate::support;

use support::File::Text;
use support::ssh::{SshOptions as _, Sshd};
use support::{Fixture, check_branch_lifecycle, files};
use svc_git::{GitError, Options};

#[test]
fn a_branch_is_followed_with_and_without_protocol_version_2() {
    for (version, history) in [(true, true), (true, false), (false, true), (false, false)] {
        let Some(fixture) = Fixture::new() else {
            return;
        };
        let Some(sshd) = Sshd::start(fixture.dir.path(), version) else {
            return;
        };
        let options = Options {
            history,
            ..sshd.options("key")
        };
        check_branch_lifecycle(&fixture, &sshd.url(&fixture.bare()), &options);
    }
}

#[test]
fn only_the_subfolder_is_exported_with_both_protocol_versions() {
    for version in [true, false] {
        let Some(fixture) = Fixture::new() else {
            return;
        };
        let Some(sshd) = Sshd::start(fixture.dir.path(), version) else {
            return;
        };
        fixture.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        fixture.commit(
            "2024-01-01T12:00:00Z",
            &[Text("docs/a", "1"), Text("app/b", "2")],
        );
        let options = Options {
            subfolder: "docs".to_owned(),
            history: true,
            ..sshd.options("key")
        };
        let repository = fixture.open(&sshd.url(&fixture.bare()), &options);
        let (commit, exported) = files(&fixture, &repository, "main");
        assert_eq!(exported, ["a"]);
        assert_eq!(repository.dates(&commit.id).expect("dates").len(), 1);
    }
}

#[test]
fn rejected_key_unknown_host_and_missing_repository_are_distinguished() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let Some(sshd) = Sshd::start(fixture.dir.path(), true) else {
        return;
    };
    fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
    let url = sshd.url(&fixture.bare());
    let error = |url: &str, options: &Options| {
        fixture
            .open(url, options)
            .fetch("main")
            .expect_err("an error")
    };
    let text = error(&url, &sshd.options("other")).to_string();
    assert!(
        text.contains("permission denied") && text.contains("ssh_key"),
        "{text}"
    );
    let missing = error(
        &sshd.url(&fixture.path("nothing.git")),
        &sshd.options("key"),
    );
    assert!(matches!(missing, GitError::NotFound(_)), "{missing}");
    // The host key has changed.
    sshd.trust_host("other");
    let unknown = error(&url, &sshd.options("key")).to_string();
    assert!(unknown.contains("known_hosts"), "{unknown}");
}

#[test]
fn shell_metacharacters_in_names_are_quoted() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let Some(sshd) = Sshd::start(fixture.dir.path(), true) else {
        return;
    };
    fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
    let canary = fixture.path("canary");
    let name = format!(
        "a';touch {};'$(touch {})",
        canary.display(),
        canary.display()
    );
    let repository = fixture.open(&sshd.url(&fixture.path(&name)), &sshd.options("key"));
    assert!(repository.fetch("main").is_err());
    drop(repository);
    assert!(!canary.exists());
    let odd = fixture.path("it's here.git");
    std::fs::rename(fixture.bare(), &odd).expect("renamed");
    let repository = fixture.open(&sshd.url(&odd), &sshd.options("key"));
    assert!(repository.fetch("main").is_ok());
}
