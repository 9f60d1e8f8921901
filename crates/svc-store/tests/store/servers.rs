//! Several servers on one PostgreSQL database, and a database that restarts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use svc_admin_api::agent_job::{JobQuery, JobStore as _};
use svc_admin_api::audit::AuditStore as _;
use svc_admin_api::key::KeyStore as _;
use svc_admin_api::project::ProjectStore as _;
use svc_admin_api::reader::ReaderStore as _;
use svc_admin_api::{Change, ChangeResult, StoreError};
use svc_store::{Database, Notice};
use svc_test_support::postgres::PgCluster;
use tokio::sync::broadcast;
use tokio::task::JoinSet;

use crate::store::world::{
    TestDatabase, at, change, idempotency_key, job, key, project_id, put_project, run,
};

fn shared() -> Option<TestDatabase> {
    let cluster = PgCluster::shared()?;
    let url = cluster.create_database();
    Some(TestDatabase::Postgres(cluster, url))
}

#[test]
fn a_revoked_key_is_rejected_by_other_servers_immediately() {
    let Some(database) = shared() else { return };
    run(async {
        let (one, other) = (database.open().await, database.open().await);
        put_project(&one, "docs").await;
        for number in 0..20 {
            let key = key(&number.to_string(), "docs");
            one.create_key(&key, &change("docs", "x", 0)).await.unwrap();
            // Read by both servers, so that it could be cached.
            for store in [&one, &other, &other] {
                let known = store.key_by_lookup(&key.lookup).await.unwrap().unwrap();
                assert!(known.is_live(at(1)));
            }
            let change = change("docs", "revokeKey", 1);
            other
                .revoke_key(&key.project, &key.id, &change)
                .await
                .unwrap();
            let known = one.key_by_lookup(&key.lookup).await.unwrap().unwrap();
            assert!(!known.is_live(at(1)));
        }
    });
}

async fn revoke(store: &Database, digest: u8, time: u64, before: u64) {
    let (time, before) = (at(time), at(before));
    let revoked = store.revoke_reader_sessions([digest; 32], time, before, None);
    revoked.await.unwrap();
}

#[test]
fn readers_of_all_servers_share_ids_and_revocations() {
    for database in TestDatabase::all() {
        run(async {
            let one = database.open().await;
            let other = database.open().await;
            let (id, now) = ([1; 32], at(100));
            assert!(one.claim_reader_id(id, at(200), now).await.unwrap());
            assert!(!other.claim_reader_id(id, at(200), now).await.unwrap());
            assert!(other.claim_reader_id([2; 32], at(200), now).await.unwrap());
            assert!(other.claim_reader_id(id, at(300), at(200)).await.unwrap());

            assert!(one.reader_revocations(0).await.unwrap().is_empty());
            revoke(&one, 3, 100, 0).await;
            revoke(&other, 4, 101, 0).await;
            let all = one.reader_revocations(0).await.unwrap();
            let found: Vec<_> = all.iter().map(|one| (one.digest, one.at)).collect();
            assert_eq!(found, [([3; 32], at(100)), ([4; 32], at(101))]);
            let rest = other.reader_revocations(all[0].number).await.unwrap();
            assert_eq!(rest, all[1..]);
            revoke(&one, 5, 102, 101).await;
            let all = other.reader_revocations(0).await.unwrap();
            let digests: Vec<[u8; 32]> = all.iter().map(|one| one.digest).collect();
            assert_eq!(digests, [[4; 32], [5; 32]], "old ones are deleted");
        });
    }
}

async fn receives(notices: &mut broadcast::Receiver<Notice>, expected: &Notice) -> bool {
    let search = async {
        loop {
            match notices.recv().await {
                Ok(notice) if notice == *expected => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    };
    let received = tokio::time::timeout(Duration::from_secs(5), search).await;
    received.unwrap_or(false)
}

#[test]
fn servers_are_notified_of_actions_and_perform_each_once() {
    for database in TestDatabase::all() {
        run(async {
            let one = database.open().await;
            let is_postgres = matches!(database, TestDatabase::Postgres(..));
            let other = if is_postgres {
                Database::closed()
            } else {
                one.clone()
            };
            // Before the connection can be listening.
            let mut notices = other.subscribe();
            if is_postgres {
                other.open_at(&database.url()).await.unwrap();
                // Sent when the connection is listening.
                assert!(receives(&mut notices, &Notice::Changed).await);
            }
            for (store, id) in [(&one, "one"), (&other, "other")] {
                store.put_server(id, "a name", at(1)).await.unwrap();
            }
            one.add_action("one", at(2), "first".to_owned())
                .await
                .unwrap();
            assert!(receives(&mut notices, &Notice::Action).await);
            other
                .add_action("other", at(3), "second".to_owned())
                .await
                .unwrap();
            let pending = async |store: &Database, id: &str| {
                let actions = store.actions(id).await.unwrap().into_iter();
                let known = actions.map(|one| (one.number, one.server, one.document));
                known.collect::<Vec<_>>()
            };
            let first = pending(&other, "other").await;
            let documents: Vec<&str> = first.iter().map(|(_, _, text)| &**text).collect();
            assert_eq!(documents, ["first", "second"]);
            other.advance("other", first[0].0).await.unwrap();
            // A restart does not reset the position, and positions never decrease.
            other.put_server("other", "new", at(4)).await.unwrap();
            other.advance("other", 0).await.unwrap();
            assert_eq!(pending(&other, "other").await, first[1..]);
            assert_eq!(pending(&one, "one").await, first);
            assert!(pending(&one, "unknown").await.is_empty());
            let names = one.servers().await.unwrap().into_iter();
            let names: Vec<String> = names.map(|known| known.name).collect();
            assert_eq!(names, ["a name", "new"]);
            one.delete_actions(at(3)).await.unwrap();
            assert!(pending(&one, "one").await.is_empty());
            assert_eq!(one.servers().await.unwrap().len(), 1);
            put_project(&one, "docs").await;
            assert!(receives(&mut notices, &Notice::Changed).await);
        });
    }
}

#[test]
fn servers_share_the_key_of_the_first() {
    for database in TestDatabase::all() {
        run(async {
            let one = database.open().await;
            assert_eq!(one.shared_key("a", "first").await.unwrap(), "first");
            let other = match matches!(database, TestDatabase::Postgres(..)) {
                true => database.open().await,
                false => one.clone(),
            };
            assert_eq!(other.shared_key("a", "second").await.unwrap(), "first");
            assert_eq!(other.shared_key("b", "second").await.unwrap(), "second");
        });
    }
}

#[test]
fn a_database_that_restarts_is_unavailable_in_between() {
    let Some(cluster) = PgCluster::start() else {
        return;
    };
    let cluster = Arc::new(cluster);
    let database = TestDatabase::Postgres(cluster.clone(), cluster.create_database());
    run(async {
        let store = database.open().await;
        put_project(&store, "docs").await;
        let mut notices = store.subscribe();
        cluster.stop();
        let start = Instant::now();
        let read = store.projects().await.unwrap_err();
        let written = store.fail_abandoned(at(0)).await.unwrap_err();
        for error in [read, written] {
            assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        }
        assert!(start.elapsed() < Duration::from_secs(20));
        cluster.resume();
        assert_eq!(store.projects().await.unwrap().len(), 1);
        // Notifications in between were lost.
        assert!(receives(&mut notices, &Notice::Changed).await);
        let start = Instant::now();
        loop {
            store.add_action("one", at(0), String::new()).await.unwrap();
            if receives(&mut notices, &Notice::Action).await {
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(20));
        }
    });
}

/// Creates jobs under load until stopped, each with an `Idempotency-Key` and with retries, as API
/// clients do. Returns the acknowledged ids.
async fn create_jobs(store: Database, client: usize, stop: Arc<AtomicBool>) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let header = format!("{client}-{number}");
        for attempt in 0.. {
            // Every attempt has another id; the first one that is written counts.
            let new = job(&format!("job_{client}_{number}_{attempt}"), "docs", 0);
            let change = Change {
                idempotency_key: Some(idempotency_key(&header, 1, 0)),
                ..change("docs", &header, 0)
            };
            match store.create_job(&new, &change).await {
                Ok(ChangeResult::Done(job)) => acknowledged.push(job.id.to_string()),
                Ok(ChangeResult::Replayed(response)) => {
                    let job: svc_admin_api::agent_job::AgentJob =
                        serde_json::from_str(&response.body).unwrap();
                    acknowledged.push(job.id.to_string());
                }
                Err(StoreError::Unavailable(_)) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
                other => panic!("{other:?}"),
            }
            break;
        }
    }
    acknowledged
}

#[test]
fn crashes_of_the_database_neither_lose_nor_duplicate_jobs() {
    let Some(cluster) = PgCluster::start() else {
        return;
    };
    let crashes = std::env::var("SVC_STORE_CRASHES").ok();
    let crashes: usize = crashes.and_then(|text| text.parse().ok()).unwrap_or(3);
    let cluster = Arc::new(cluster);
    let database = TestDatabase::Postgres(cluster.clone(), cluster.create_database());
    run(async {
        let store = database.open().await;
        put_project(&store, "docs").await;
        let stop = Arc::new(AtomicBool::new(false));
        let mut clients = JoinSet::new();
        for client in 0..8 {
            clients.spawn(create_jobs(store.clone(), client, stop.clone()));
        }
        let mut max_recovery = Duration::ZERO;
        for _ in 0..crashes {
            tokio::time::sleep(Duration::from_millis(700)).await;
            let crash = cluster.clone();
            let crashed = tokio::task::spawn_blocking(move || crash.crash());
            crashed.await.unwrap();
            let start = Instant::now();
            while store.projects().await.is_err() {}
            max_recovery = max_recovery.max(start.elapsed());
        }
        stop.store(true, Ordering::Relaxed);
        let mut acknowledged = clients.join_all().await.concat();
        acknowledged.sort();
        let query = JobQuery {
            project: project_id("docs"),
            status: None,
            after: None,
            limit: 1_000_000,
        };
        let mut stored: Vec<String> = store
            .jobs(&query)
            .await
            .unwrap()
            .iter()
            .map(|job| job.id.to_string())
            .collect();
        stored.sort();
        assert_eq!(stored, acknowledged, "lost or doubled");
        let mut entries: BTreeMap<String, usize> = BTreeMap::new();
        for logged in store.entries(None, None, 1_000_000).await.unwrap() {
            *entries.entry(logged.entry.action).or_default() += 1;
        }
        assert!(entries.values().all(|count| *count == 1));
        assert_eq!(entries.len(), stored.len() + 1);
        assert!(
            stored.len() > crashes * 8,
            "{} jobs are no load",
            stored.len()
        );
        println!(
            "{crashes} crashes, {} jobs acknowledged, none lost or doubled, back after {max_recovery:?}",
            stored.len()
        );
    });
}
