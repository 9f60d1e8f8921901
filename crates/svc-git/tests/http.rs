//! Repositories over HTTP, served by Git's `http-backend`.

use crate::support;

use std::fs;
use std::time::Duration;

use support::File::{Bytes, Text};
use support::http::{Server, ServerOptions};
use support::{Fixture, check_branch_lifecycle, files, listing, with_token};
use svc_git::{GitError, Options, Repository, RepositoryLimits};

fn plain() -> Options {
    Options {
        allow_http: true,
        ..Options::default()
    }
}

/// A fixture with a server.
fn served(manner: ServerOptions) -> Option<(Fixture, Server)> {
    let fixture = Fixture::new()?;
    let server = Server::start(fixture.dir.path().to_owned(), manner);
    Some((fixture, server))
}

/// Incompressible bytes.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn a_branch_is_followed_with_every_protocol_variant() {
    for old in [false, true] {
        for filter in ["true", "false"] {
            for (history, subfolder) in [(false, ""), (true, "")] {
                let Some((fixture, server)) = served(ServerOptions {
                    old,
                    ..ServerOptions::default()
                }) else {
                    return;
                };
                fixture.git(&["config", "uploadpack.allowFilter", filter]);
                fixture.git(&["config", "uploadpack.allowAnySHA1InWant", filter]);
                let options = Options {
                    history,
                    subfolder: subfolder.to_owned(),
                    ..plain()
                };
                check_branch_lifecycle(&fixture, &server.url(), &options);
            }
        }
    }
}

#[test]
fn branches_tags_and_commits_share_a_shallow_store() {
    for old in [false, true] {
        let Some((fixture, server)) = served(ServerOptions {
            old,
            ..ServerOptions::default()
        }) else {
            return;
        };
        fixture.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let first = fixture.commit_on("release/1.x", &[Text("docs.json", "1"), Text("same", "=")]);
        fixture.git(&["tag", "-a", "-m", "tag", "v1.0", &first]);
        let second = fixture.commit_on("release/1.x", &[Text("docs.json", "2"), Text("same", "=")]);
        let third = fixture.commit_on("release/1.x", &[Text("docs.json", "3"), Text("same", "=")]);
        fixture.commit_on("main", &[Text("docs.json", "4"), Text("same", "=")]);
        let repository = fixture.open(&server.url(), &plain());
        let read = |name: &str| {
            let commit = repository.fetch(name).expect(name);
            let bytes = repository
                .read(&commit.id, "docs.json")
                .expect("it is read");
            let text = String::from_utf8(bytes.expect("a file")).expect("a text");
            (commit.id.to_string(), text)
        };
        assert_eq!(read("main").1, "4");
        assert_eq!(read("release/1.x"), (third, "3".to_owned()));
        assert_eq!(read("v1.0"), (first, "1".to_owned()));
        // No reference leads to this commit directly.
        assert_eq!(read(&second), (second.clone(), "2".to_owned()));
        let main = repository.fetch("main").expect("a commit").id;
        assert_eq!(repository.read(&main, "x/y").expect("it is read"), None);
        let missing = repository.fetch("v1.O").expect_err("no such tag");
        assert!(
            missing.to_string().ends_with("did you mean `v1.0`?"),
            "{missing}"
        );
    }
}

#[test]
fn only_files_of_the_subfolder_are_fetched_if_the_server_supports_it() {
    for (old, filter) in [(false, true), (true, true), (false, false)] {
        let Some((fixture, server)) = served(ServerOptions {
            old,
            ..ServerOptions::default()
        }) else {
            return;
        };
        fixture.git(&[
            "config",
            "uploadpack.allowFilter",
            if filter { "true" } else { "false" },
        ]);
        fixture.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let docs = noise(1_000, 1);
        let app = noise(400_000, 2);
        fixture.commit(
            "2024-01-01T12:00:00Z",
            &[
                Bytes("docs/site/a.png", docs.clone()),
                Bytes("app/b.bin", app.clone()),
            ],
        );
        let options = Options {
            subfolder: "docs/site".to_owned(),
            ..plain()
        };
        let repository = fixture.open(&server.url(), &options);
        let (_, exported) = files(&fixture, &repository, "main");
        assert_eq!(exported, ["a.png"]);
        assert_eq!(
            server.taken() < 20_000,
            filter,
            "old {old}, filter {filter}"
        );
        // The next fetch transfers only new objects.
        let more = noise(1_000, 3);
        fixture.commit(
            "2024-01-02T12:00:00Z",
            &[
                Bytes("docs/site/a.png", docs),
                Bytes("docs/site/c.png", more),
                Bytes("app/b.bin", app),
            ],
        );
        let (_, exported) = files(&fixture, &repository, "main");
        assert_eq!(exported, ["a.png", "c.png"]);
        assert!(server.taken() < 20_000, "old {old}, filter {filter}");
        let gone = Options {
            subfolder: "docs/sit".to_owned(),
            ..plain()
        };
        drop(repository);
        let repository = fixture.open(&server.url(), &gone);
        let error = repository.fetch("main").expect_err("no such folder");
        assert_eq!(error.to_string(), "the commit has no folder `docs/sit`");
    }
}

#[test]
fn a_huge_file_is_omitted_and_a_huge_pack_is_rejected() {
    let Some((fixture, server)) = served(ServerOptions::default()) else {
        return;
    };
    fixture.commit(
        "2024-01-01T12:00:00Z",
        &[
            Text("docs.json", "{}"),
            Bytes("huge.bin", noise(3 << 20, 7)),
        ],
    );
    let limits = RepositoryLimits {
        max_file_bytes: 1 << 20,
        max_fetch_bytes: 2 << 20,
        ..RepositoryLimits::default()
    };
    let options = Options {
        limits: limits.clone(),
        ..plain()
    };
    let repository = fixture.open(&server.url(), &options);
    let commit = repository.fetch("main").expect("a commit");
    let into = fixture.path("out");
    let diagnostics = repository.export(&commit.id, &into, None).expect("files");
    assert_eq!(listing(&into), ["docs.json"]);
    assert_eq!(diagnostics.len(), 1);
    assert!(
        diagnostics[0]
            .message
            .contains("`huge.bin` has more than 1048576 bytes"),
        "{}",
        diagnostics[0].message
    );
    assert!(server.taken() < 1 << 20, "the server left it out");
    drop(repository);
    // A server without filters sends too much.
    fixture.git(&["config", "uploadpack.allowFilter", "false"]);
    fs::remove_dir_all(fixture.path("store")).expect("removed");
    let repository = fixture.open(&server.url(), &options);
    let error = repository.fetch("main").expect_err("too large");
    assert_eq!(
        error.to_string(),
        "the repository is too large: more than 2097152 bytes to fetch"
    );
    assert_eq!(
        listing(&fixture.path("store/objects")),
        Vec::<String>::new()
    );
    drop(repository);
    let small = Options {
        limits: RepositoryLimits {
            max_object_bytes: 1 << 20,
            ..RepositoryLimits::default()
        },
        ..plain()
    };
    let repository = fixture.open(&server.url(), &small);
    let error = repository.fetch("main").expect_err("too large");
    assert!(error.to_string().contains("bytes in one file"), "{error}");
}

#[test]
fn a_huge_file_is_omitted_and_not_fetched_twice() {
    for (old, history, subfolder) in [
        (false, true, ""),
        (false, false, "docs"),
        (true, true, "docs"),
    ] {
        let Some((fixture, server)) = served(ServerOptions {
            old,
            ..ServerOptions::default()
        }) else {
            return;
        };
        fixture.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let huge = noise(3 << 20, 7);
        let commit = |day: &str, text: &str| {
            let (huge, text) = (
                Bytes("docs/huge.bin", huge.clone()),
                Text("docs/a.mdx", text),
            );
            fixture.commit(day, &[huge, text, Text("docs/docs.json", "{}")])
        };
        commit("2024-01-01T12:00:00Z", "one");
        let options = Options {
            history,
            subfolder: subfolder.to_owned(),
            limits: RepositoryLimits {
                max_file_bytes: 1 << 20,
                max_object_bytes: 1 << 20,
                ..RepositoryLimits::default()
            },
            ..plain()
        };
        for text in ["one", "two"] {
            // The limit is stored, so it applies in a new process.
            let repository = fixture.open(&server.url(), &options);
            let fetched = repository.fetch("main").expect("a commit");
            let into = fixture.path(text);
            let diagnostics = repository.export(&fetched.id, &into, None).expect("files");
            let docs = match subfolder {
                "" => into.join("docs"),
                _ => into,
            };
            assert_eq!(listing(&docs), ["a.mdx", "docs.json"]);
            assert_eq!(
                fs::read_to_string(docs.join("a.mdx")).expect("a file"),
                text
            );
            assert_eq!(support::codes(&diagnostics), ["git-file-too-large"]);
            assert!(
                diagnostics[0]
                    .message
                    .contains("huge.bin` has more than 1048576 bytes"),
                "{}",
                diagnostics[0].message
            );
            let taken = server.taken();
            assert!(text == "one" || taken < 1 << 20, "{taken}");
            commit("2024-01-02T12:00:00Z", "two");
        }
        // With a higher limit the file is fetched.
        let options = Options {
            limits: RepositoryLimits::default(),
            ..options
        };
        let repository = fixture.open(&server.url(), &options);
        assert_eq!(files(&fixture, &repository, "main").1.len(), 3);
    }
}

#[test]
fn tokens_give_access_and_are_never_shown() {
    let expected = "Basic eC1hY2Nlc3MtdG9rZW46czNjcjN0";
    let Some((fixture, server)) = served(ServerOptions {
        authorization: Some(expected.to_owned()),
        ..ServerOptions::default()
    }) else {
        return;
    };
    fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
    let result = fixture.open(&server.url(), &plain()).fetch("main");
    let result = result.expect_err("no token").to_string();
    assert!(
        result.contains("401") && result.contains("token_file"),
        "{result}"
    );
    let with = |token: &str| with_token(token, plain());
    let error = fixture.open(&server.url(), &with("wr0ng")).fetch("main");
    let error = error.expect_err("a wrong token");
    assert!(matches!(error, GitError::Unauthorized { .. }));
    assert!(!format!("{error} {error:?}").contains("wr0ng"));
    let options = with("s3cr3t\n");
    let repository = fixture.open(&server.url(), &options);
    assert_eq!(files(&fixture, &repository, "main").1, ["docs.json"]);
    assert!(!format!("{options:?} {repository:?}").contains("s3cr3t"));
}

#[test]
fn redirects_to_another_host_are_rejected() {
    let Some((fixture, server)) = served(ServerOptions::default()) else {
        return;
    };
    fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
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
    let error = fixture.open(&old.url(), &plain()).fetch("main");
    let error = error.expect_err("another host").to_string();
    assert!(
        error.starts_with("`127.0.0.1` redirects to `http://localhost:"),
        "{error}"
    );
    assert!(
        server.requests.lock().expect("a lock").is_empty(),
        "no request was sent"
    );
    let moved = format!("http://127.0.0.1:{}/renamed.git/info/refs", old.port);
    old.manner.lock().expect("a lock").redirect = Some(moved);
    let error = fixture.open(&old.url(), &plain()).fetch("main");
    assert!(
        error
            .expect_err("a circle")
            .to_string()
            .contains("too many redirects")
    );
}

#[test]
fn an_interrupted_fetch_leaves_nothing_and_the_next_one_works() {
    let Some((fixture, server)) = served(ServerOptions::default()) else {
        return;
    };
    fixture.commit("2024-01-01T12:00:00Z", &[Bytes("a.bin", noise(100_000, 5))]);
    let repository = fixture.open(&server.url(), &plain());
    for limit in [0, 3, 10, 500, 50_000] {
        server.manner.lock().expect("a lock").breaks_after = Some(limit);
        let error = repository.fetch("main").expect_err("interrupted");
        assert!(!error.to_string().is_empty());
        assert_eq!(
            listing(&fixture.path("store/objects")),
            Vec::<String>::new(),
            "{error}"
        );
    }
    server.manner.lock().expect("a lock").breaks_after = None;
    assert_eq!(files(&fixture, &repository, "main").1, ["a.bin"]);
}

#[test]
fn a_silent_server_runs_into_the_fetch_timeout() {
    let Some((fixture, server)) = served(ServerOptions {
        sleeps: true,
        ..ServerOptions::default()
    }) else {
        return;
    };
    let options = Options {
        limits: RepositoryLimits {
            fetch_timeout: Duration::from_secs(1),
            ..RepositoryLimits::default()
        },
        ..plain()
    };
    let error = fixture.open(&server.url(), &options).fetch("main");
    assert_eq!(
        error.expect_err("silence").to_string(),
        "fetching took longer than 1 seconds"
    );
}

#[test]
fn a_corrupt_store_is_recreated() {
    let Some((fixture, server)) = served(ServerOptions::default()) else {
        return;
    };
    fixture.commit(
        "2024-01-01T12:00:00Z",
        &[Text("docs.json", "{}"), Bytes("a", noise(9_999, 3))],
    );
    let url = server.url();
    let store = fixture.path("store");
    files(&fixture, &fixture.open(&url, &plain()), "main");
    let packs = || -> Vec<_> {
        let entries = fs::read_dir(store.join("objects/pack")).expect("a folder");
        entries
            .map(|entry| entry.expect("an entry").path())
            .collect()
    };
    // Corrupt bytes in a pack.
    let pack = packs()
        .into_iter()
        .find(|p| p.extension().is_some_and(|e| e == "pack"));
    let pack = pack.expect("a pack");
    let mut bytes = fs::read(&pack).expect("bytes");
    for byte in bytes.iter_mut().skip(12) {
        *byte ^= 0x5a;
    }
    fs::remove_file(&pack).expect("removed");
    fs::write(&pack, bytes).expect("written");
    assert_eq!(
        files(&fixture, &fixture.open(&url, &plain()), "main")
            .1
            .len(),
        2
    );
    // Missing and overwritten files.
    for pack in packs() {
        fs::remove_file(pack).expect("removed");
    }
    assert_eq!(
        files(&fixture, &fixture.open(&url, &plain()), "main")
            .1
            .len(),
        2
    );
    fs::write(store.join("config"), "[core\n").expect("written");
    assert_eq!(
        files(&fixture, &fixture.open(&url, &plain()), "main")
            .1
            .len(),
        2
    );
    fs::write(store.join("svc.json"), "{").expect("written");
    fs::write(store.join("shallow.lock"), "").expect("written");
    fs::write(store.join("objects/pack/.tmpXYZ"), "half").expect("written");
    assert_eq!(
        files(&fixture, &fixture.open(&url, &plain()), "main")
            .1
            .len(),
        2
    );
    assert!(!store.join("objects/pack/.tmpXYZ").exists());
    assert!(!store.join("shallow.lock").exists());
}

#[test]
fn a_store_belongs_to_one_process_and_one_remote() {
    let Some((fixture, server)) = served(ServerOptions::default()) else {
        return;
    };
    fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
    let first = fixture.open(&server.url(), &plain());
    let store = fixture.path("store");
    let second = Repository::open(&store, &server.url(), &plain());
    assert!(matches!(second, Err(GitError::Busy)));
    first.fetch("main").expect("a commit");
    drop(first);
    let other = format!("http://127.0.0.1:{}/other.git", server.port);
    let repository = fixture.open(&other, &plain());
    assert_eq!(listing(&store.join("objects")), Vec::<String>::new());
    assert!(matches!(
        repository.fetch("main"),
        Err(GitError::NotFound(_))
    ));
}

#[test]
fn a_server_without_git_is_reported() {
    let Some((fixture, server)) = served(ServerOptions::default()) else {
        return;
    };
    let url = format!("http://127.0.0.1:{}/nothing.git", server.port);
    let error = fixture
        .open(&url, &plain())
        .fetch("main")
        .expect_err("nothing");
    assert!(matches!(error, GitError::NotFound(_)), "{error}");
    let result = Repository::open(&fixture.path("x"), &server.url(), &Options::default());
    assert!(
        result
            .expect_err("not encrypted")
            .to_string()
            .contains("not encrypted")
    );
}
