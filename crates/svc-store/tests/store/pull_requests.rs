//! Pull requests that several servers send.

use svc_store::{Database, PullRequestClaim, PullRequestRecord, PullRequestResult};

use super::world::{TestDatabase, at, run};

fn record(document: &str) -> PullRequestRecord {
    PullRequestRecord {
        project: "docs".to_owned(),
        number: 12,
        source: "refs/pull/12/head".to_owned(),
        document: document.to_owned(),
        version: 0,
        comment: None,
        fence: 0,
        attempts: 0,
        failure: None,
        updated_at: at(1),
    }
}

async fn claim(store: &Database, holder: &str, seconds: u64) -> Option<PullRequestRecord> {
    let claim = PullRequestClaim {
        project: "docs".to_owned(),
        number: 12,
        holder: holder.to_owned(),
        now: at(seconds),
        until: at(seconds + 60),
    };
    store.claim_pull_request(claim).await.unwrap()
}

async fn finish(store: &Database, record: &PullRequestRecord, failure: Option<u64>) -> bool {
    let result = PullRequestResult {
        record: record.clone(),
        comment: Some("7".to_owned()),
        failure: failure.map(|seconds| ("it is down".to_owned(), at(seconds))),
        counts: true,
    };
    store.finish_pull_request(result).await.unwrap()
}

#[test]
fn one_server_sends_the_last_document() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            assert!(store.put_pull_request(record("a"), 0).await.unwrap());
            assert!(!store.put_pull_request(record("x"), 0).await.unwrap());
            let first = claim(&store, "one", 10).await.unwrap();
            assert_eq!((&*first.document, first.version), ("a", 1));
            assert_eq!(claim(&store, "other", 20).await, None);
            let pending = store.pending_pull_requests("other", at(20)).await.unwrap();
            assert_eq!(pending, []);
            // A document that is written meanwhile is sent afterwards.
            assert!(store.put_pull_request(record("b"), 1).await.unwrap());
            assert!(finish(&store, &first, None).await);
            let second = claim(&store, "other", 21).await.unwrap();
            assert_eq!((&*second.document, second.version), ("b", 2));
            assert_eq!(second.comment.as_deref(), Some("7"));
            assert!(finish(&store, &second, None).await);
            assert_eq!(claim(&store, "other", 22).await, None);
            let known = store
                .pull_requests_of("docs", "refs/pull/12/head")
                .await
                .unwrap();
            assert_eq!(known.len(), 1);
            assert_eq!(store.delete_pull_requests(at(1)).await.unwrap(), 0);
            assert_eq!(store.delete_pull_requests(at(2)).await.unwrap(), 1);
            assert_eq!(store.pull_request("docs", 12).await.unwrap(), None);
            store.close().await;
        });
    }
}

#[test]
fn a_failure_is_retried_after_its_delay_and_a_lost_lease_changes_nothing() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            store.put_pull_request(record("a"), 0).await.unwrap();
            let first = claim(&store, "one", 10).await.unwrap();
            assert!(finish(&store, &first, Some(50)).await);
            assert_eq!(claim(&store, "one", 49).await, None);
            let second = claim(&store, "one", 50).await.unwrap();
            assert_eq!(
                (second.attempts, second.failure.as_deref()),
                (1, Some("it is down"))
            );
            // Another server takes over after the end of the lease.
            let third = claim(&store, "other", 111).await.unwrap();
            assert!(!store.renew_pull_request(&second, at(900)).await.unwrap());
            assert!(store.renew_pull_request(&third, at(190)).await.unwrap());
            assert_eq!(claim(&store, "one", 189).await, None);
            assert!(!finish(&store, &second, None).await);
            assert!(finish(&store, &third, Some(9_000)).await);
            assert!(!store.renew_pull_request(&third, at(900)).await.unwrap());
            assert_eq!(claim(&store, "one", 200).await, None);
            store.retry_pull_requests().await.unwrap();
            let fourth = claim(&store, "one", 200).await.unwrap();
            assert_eq!(fourth.attempts, 0);
            // A new document is not delayed.
            store.put_pull_request(record("b"), 1).await.unwrap();
            assert!(finish(&store, &fourth, Some(9_000)).await);
            assert_eq!(claim(&store, "one", 201).await.unwrap().document, "b");
            store.close().await;
        });
    }
}
