//! `svc store move`, also when it is killed.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use svc_admin_api::ProjectId;
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::key::{KeyStore as _, NewKey, create_key};
use svc_admin_api::project::{ProjectRecord, ProjectStore as _};
use svc_admin_api::{Change, RateLimiter, RateLimits, Timestamp};
use svc_server::{SystemClock, SystemRandom};
use svc_store::Database;
use svc_test_support::postgres::PgCluster;

use crate::program::{assert_contains, err, out, svc};

const KEYS: usize = 300;

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}

fn docs() -> ProjectId {
    ProjectId::parse("docs").unwrap()
}

/// A store with keys.
fn fill(url: &str) {
    let by = Initiator {
        actor: Actor::Cli,
        from: None,
    };
    block_on(async {
        let store = Database::open(url).await.unwrap();
        let project = ProjectRecord {
            id: docs(),
            name: "Docs".to_owned(),
            agent: None,
            created_at: Timestamp::from_millis(1_795_219_200_000),
        };
        let change = Change::new(&by, project.created_at, &project.id, "putProject", None);
        store.put_project(&project, &change).await.unwrap();
        let limits = RateLimiter::new(RateLimits::UNLIMITED);
        for number in 0..KEYS {
            let new = NewKey {
                project: docs(),
                name: format!("key {number}"),
                scopes: vec!["read".to_owned()],
                networks: Vec::new(),
                expires_at: None,
            };
            let clock = SystemClock::default();
            create_key(&store, &clock, &SystemRandom, &limits, &by, &new)
                .await
                .unwrap();
        }
        store.close().await;
    });
}

/// Hashes of the keys of a store.
fn keys(url: &str) -> BTreeSet<[u8; 32]> {
    block_on(async {
        let store = Database::open(url).await.unwrap();
        let keys = store.keys(&docs()).await.unwrap();
        store.close().await;
        keys.into_iter().map(|key| key.hash).collect()
    })
}

#[test]
fn a_killed_move_leaves_the_new_store_empty_or_complete_and_can_be_repeated() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let sqlite = |name: &str| format!("sqlite:{}", dir.path().join(name).display());
    let from = sqlite("a.sqlite");
    fill(&from);
    let expected = keys(&from);
    assert_eq!(expected.len(), KEYS);
    for to in [cluster.create_database(), sqlite("b.sqlite")] {
        let mut kills = 0;
        for number in 0..8 {
            let mut child = Command::new(env!("CARGO_BIN_EXE_svc"))
                .args(["store", "move", "--replace", "--from", &from, "--to", &to])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            thread::sleep(Duration::from_millis(10 + 17 * number));
            kills += usize::from(child.try_wait().unwrap().is_none());
            let _ = child.kill();
            child.wait().unwrap();
            let found = keys(&to);
            assert!(found.is_empty() || found == expected, "{}", found.len());
            assert_eq!(keys(&from), expected);
        }
        assert!(kills > 0, "every move was complete before its kill");
        let moved = svc(
            &["store", "move", "--replace", "--from", &from, "--to", &to],
            dir.path(),
        );
        assert!(moved.status.success(), "{}", err(&moved));
        assert_contains(&out(&moved), "copied ");
        assert_eq!(keys(&to), expected);
        let again = svc(&["store", "move", "--from", &from, "--to", &to], dir.path());
        assert_eq!(again.status.code(), Some(2));
        assert_contains(&err(&again), "`--replace`");
        // And back.
        let back = sqlite("c.sqlite");
        let url = dir.path().join("url");
        fs::write(&url, format!("{back}\n")).unwrap();
        let url = url.to_str().unwrap();
        let moved = svc(
            &[
                "store",
                "move",
                "--replace",
                "--from",
                &to,
                "--to-file",
                url,
            ],
            dir.path(),
        );
        assert!(moved.status.success(), "{}", err(&moved));
        assert_eq!(keys(&back), expected);
    }
}

#[test]
fn a_move_needs_a_store_and_another_one() {
    let dir = tempfile::tempdir().unwrap();
    let refuses = |arguments: &[&str], reason: &str, dir: &Path| {
        let output = svc(&[&["store", "move"], arguments].concat(), dir);
        assert_eq!(output.status.code(), Some(2), "{reason}");
        assert!(err(&output).contains(reason), "{reason}: {}", err(&output));
    };
    refuses(&["--to", "sqlite:a"], "`--config` or the store", dir.path());
    let url = ["--from", "sqlite:a", "--to"];
    refuses(&[&url[..], &["sqlite:a"]].concat(), "the same", dir.path());
    refuses(
        &[&url[..], &["sqlite:b"]].concat(),
        "does not exist",
        dir.path(),
    );
    refuses(
        &[&url[..], &["mysql://x:secret@y/z"]].concat(),
        "sqlite:",
        dir.path(),
    );
    let settings = "data = \"data\"\n[[projects]]\nid = \"docs\"\nhosts = [\"docs.example.com\"]\nsource.folder = \"site\"\n";
    fs::create_dir(dir.path().join("site")).unwrap();
    fs::write(dir.path().join("server.toml"), settings).unwrap();
    refuses(&["--to", "sqlite:a"], "`[admin]` is missing", dir.path());
    assert!(!dir.path().join("a").exists());
}
