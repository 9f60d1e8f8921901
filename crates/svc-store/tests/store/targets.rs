//! Targets of deployments: requests, leases with fences, and releases.

use svc_admin_api::Timestamp;
use svc_store::{Database, SnapshotRecord, TargetClaim, TargetRecord, TargetResult};

use crate::store::world::{TestDatabase, at, run};

fn claim(server: &str, now: u64) -> TargetClaim {
    TargetClaim {
        project: "docs".to_owned(),
        target: "live".to_owned(),
        server: server.to_owned(),
        now: at(now),
        until: at(now + 10),
        polled_before: None,
    }
}

fn snapshot(key: &str, used_at: Timestamp) -> SnapshotRecord {
    SnapshotRecord {
        project: "docs".to_owned(),
        key: key.to_owned(),
        object: format!("snapshots/docs/{key}"),
        sum: [7; 32],
        size: 12,
        used_at,
    }
}

fn result(record: &TargetRecord, key: Option<&str>, now: u64) -> TargetResult {
    TargetResult {
        project: "docs".to_owned(),
        target: "live".to_owned(),
        fence: record.fence,
        built: record.wanted,
        now: at(now),
        failure: key.is_none().then(|| "no commit".to_owned()),
        release: key.map(|key| (format!("release of {key}"), snapshot(key, at(now)))),
    }
}

async fn request(store: &Database, now: u64) -> u64 {
    let document = format!("request at {now}");
    let number = store.request_target("docs", "live", document, at(now));
    number.await.unwrap()
}

#[test]
fn one_server_builds_and_a_lost_lease_cannot_finish() {
    for database in TestDatabase::all() {
        run(async {
            let (one, other) = (database.open().await, database.open().await);
            assert_eq!(request(&one, 1).await, 1);
            let first = one.claim_target(claim("one", 1)).await.unwrap().unwrap();
            assert_eq!((first.wanted, first.built, first.fence), (1, 0, 1));
            assert!(
                other
                    .claim_target(claim("other", 5))
                    .await
                    .unwrap()
                    .is_none()
            );
            assert!(other.pending_targets(at(5)).await.unwrap().is_empty());
            assert!(one.renew_target("docs", "live", 1, at(13)).await.unwrap());
            assert!(
                other
                    .claim_target(claim("other", 12))
                    .await
                    .unwrap()
                    .is_none()
            );

            // The lease ends, and the request is another server's.
            assert_eq!(other.pending_targets(at(14)).await.unwrap().len(), 1);
            assert_eq!(request(&other, 14).await, 2);
            let second = other
                .claim_target(claim("other", 14))
                .await
                .unwrap()
                .unwrap();
            assert_eq!((second.wanted, second.built, second.fence), (2, 0, 2));
            assert!(!one.renew_target("docs", "live", 1, at(30)).await.unwrap());
            assert!(!one.abandon_target("docs", "live", 1).await.unwrap());
            let late = one.finish_target(result(&first, Some("a"), 15)).await;
            assert_eq!(late.unwrap(), None);
            assert!(one.snapshots().await.unwrap().is_empty());
            let number = other.finish_target(result(&second, Some("b"), 15)).await;
            let number = number.unwrap().unwrap();
            // A lease ends once.
            let twice = other.finish_target(result(&second, Some("b"), 16)).await;
            assert_eq!(twice.unwrap(), None);
            let (changed, last) = one.targets_after(0).await.unwrap();
            assert_eq!((changed.len(), last), (1, number));
            assert_eq!((changed[0].built, changed[0].release_number), (2, number));
            assert_eq!(changed[0].release.as_deref(), Some("release of b"));
            assert!(one.targets_after(number).await.unwrap().0.is_empty());
            assert!(one.pending_targets(at(99)).await.unwrap().is_empty());
        });
    }
}

#[test]
fn a_release_without_a_build_ends_leases_and_requests() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            request(&store, 1).await;
            let lease = store.claim_target(claim("one", 1)).await.unwrap().unwrap();
            let number = store.put_release("docs", "live", "roll-back".to_owned());
            let number = number.await.unwrap();
            let late = store.finish_target(result(&lease, Some("a"), 2)).await;
            assert_eq!(late.unwrap(), None);
            let row = store.target("docs", "live").await.unwrap().unwrap();
            assert_eq!((row.built, row.release_number), (1, number));
            assert_eq!(row.release.as_deref(), Some("roll-back"));
            // Without a request, and of another target.
            let other = store.put_release("docs", "preview x", "removed".to_owned());
            assert!(other.await.unwrap() > number);
            assert_eq!(store.target("docs", "x").await.unwrap(), None);
        });
    }
}

#[test]
fn a_check_without_changes_is_silent_and_others_do_not_repeat_it() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            let poll = |now| TargetClaim {
                polled_before: Some(at(now - 60)),
                ..claim("one", now)
            };
            let lease = store.claim_target(poll(100)).await.unwrap().unwrap();
            let (_, before) = store.targets_after(0).await.unwrap();
            let ended = store.finish_target(result(&lease, None, 101)).await;
            assert_eq!(ended.unwrap(), Some(0));
            let row = store.target("docs", "live").await.unwrap().unwrap();
            assert_eq!(row.failure.as_deref(), Some("no commit"));
            assert_eq!(store.targets_after(0).await.unwrap().1, before);
            assert!(store.claim_target(poll(130)).await.unwrap().is_none());
            // What is requested is not a check.
            let lease = store
                .claim_target(claim("one", 130))
                .await
                .unwrap()
                .unwrap();
            let abandoned = store.abandon_target("docs", "live", lease.fence).await;
            assert!(abandoned.unwrap());
            assert!(store.claim_target(poll(170)).await.unwrap().is_some());
        });
    }
}

#[test]
fn a_snapshot_in_use_is_not_deleted() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            for key in ["a", "b"] {
                let lease = store.claim_target(claim("one", 1)).await.unwrap().unwrap();
                store
                    .finish_target(result(&lease, Some(key), 10))
                    .await
                    .unwrap();
            }
            let used = store.use_snapshot("docs", "a", at(50)).await.unwrap();
            assert_eq!(used, Some(snapshot("a", at(50))));
            assert!(
                store
                    .use_snapshot("docs", "c", at(50))
                    .await
                    .unwrap()
                    .is_none()
            );
            assert!(!store.delete_snapshot("docs", "a", at(49)).await.unwrap());
            assert!(store.delete_snapshot("docs", "b", at(49)).await.unwrap());
            assert_eq!(store.snapshots().await.unwrap(), [snapshot("a", at(50))]);
        });
    }
}
