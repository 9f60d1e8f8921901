//! Copies of stores between SQLite and PostgreSQL.

use std::path::Path;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use svc_admin_api::MemoryStore;
use svc_store::{Database, TransferError, back_up_store, check_store_file, copy_store};
use svc_test_support::postgres::PgCluster;

use crate::store::operations::{Operation, apply, dump, operation};
use crate::store::world::{TestDatabase, at, put_project, run};

/// Applies the same operations to both stores; the results must be equal.
async fn change_both(
    memory: &MemoryStore,
    store: &Database,
    operations: &[Operation],
    passed: &mut [u64; 2],
) {
    let [in_memory, in_store] = passed;
    for operation in operations {
        let expected = apply(memory, operation, in_memory).await;
        assert_eq!(
            apply(store, operation, in_store).await,
            expected,
            "{operation:?}"
        );
    }
}

fn sqlite_url(dir: &Path, name: &str) -> String {
    format!("sqlite:{}", dir.join(name).display())
}

/// A sequence of operations and the records without which most of them fail.
fn operations(runner: &mut TestRunner) -> Vec<Operation> {
    let tree = prop::collection::vec(operation(), 200).new_tree(runner);
    let begin = [
        Operation::PutProject(0, true),
        Operation::PutProject(1, true),
        Operation::PutAccount(0, false),
    ];
    begin.into_iter().chain(tree.unwrap().current()).collect()
}

#[test]
fn a_store_moves_to_postgresql_and_back_between_changes() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    let mut runner = TestRunner::deterministic();
    for _ in 0..3 {
        let dir = tempfile::tempdir().unwrap();
        let (first, last) = (sqlite_url(dir.path(), "a"), sqlite_url(dir.path(), "b"));
        let postgres = cluster.create_database();
        let (memory, mut passed) = (MemoryStore::default(), [0, 0]);
        run(async {
            let mut from: Option<&String> = None;
            for url in [&first, &postgres, &last] {
                if let Some(from) = from {
                    assert!(copy_store(from, url, false).await.unwrap() > 0);
                }
                let store = Database::open(url).await.unwrap();
                // Numbers that the database assigns go on where they were.
                let changes = operations(&mut runner);
                change_both(&memory, &store, &changes, &mut passed).await;
                let expected = dump(&memory, passed[0]).await;
                assert_eq!(dump(&store, passed[0]).await, expected);
                let key = store.shared_key("readers", url).await.unwrap();
                assert_eq!(key, first);
                store.add_action("one", at(0), url.clone()).await.unwrap();
                store.close().await;
                from = Some(url);
            }
            let store = Database::open(&last).await.unwrap();
            store.put_server("two", "two", at(0)).await.unwrap();
            let actions = store.actions("two").await.unwrap();
            let actions: Vec<(u64, String)> = actions
                .into_iter()
                .map(|action| (action.number, action.document))
                .collect();
            assert_eq!(actions, [(1, first), (2, postgres), (3, last)]);
            store.close().await;
        });
    }
}

#[test]
fn a_store_with_rows_is_only_replaced_if_that_is_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let from = sqlite_url(dir.path(), "from");
    run(async {
        let store = Database::open(&from).await.unwrap();
        put_project(&store, "new").await;
        let expected = dump(&store, 0).await;
        store.close().await;
        for to in TestDatabase::all() {
            let store = to.open().await;
            put_project(&store, "old").await;
            let before = dump(&store, 0).await;
            let error = copy_store(&from, &to.url(), false).await.unwrap_err();
            assert_eq!(error, TransferError::NotEmpty("projects".to_owned()));
            assert_eq!(dump(&store, 0).await, before);
            store.close().await;
            assert_eq!(copy_store(&from, &to.url(), true).await, Ok(2));
            let store = to.open().await;
            assert_eq!(dump(&store, 0).await, expected);
            store.close().await;
        }
        let missing = sqlite_url(dir.path(), "missing");
        let error = copy_store(&missing, &from, true).await.unwrap_err();
        assert!(error.to_string().contains("does not exist"), "{error}");
        assert!(!dir.path().join("missing").exists());
    });
}

#[test]
fn a_backup_is_the_state_of_one_moment_while_the_store_changes() {
    run(async {
        for from in TestDatabase::all() {
            let dir = tempfile::tempdir().unwrap();
            let file = dir.path().join("backup.sqlite");
            let store = from.open().await;
            let writer = store.clone();
            let writing = tokio::spawn(async move {
                for number in 0.. {
                    // Each change writes a project and an audit entry.
                    put_project(&writer, &format!("p{number}")).await;
                }
            });
            while dump(&store, 0).await.len() < 20 {
                tokio::task::yield_now().await;
            }
            let acknowledged = projects(&store).await;
            back_up_store(&from.url(), &file).await.unwrap();
            writing.abort();
            let _ = writing.await;
            let version = check_store_file(&file).await.unwrap();
            assert!(version >= 7, "{version}");
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
            let copy = sqlite_url(dir.path(), "backup.sqlite");
            let copy = Database::open(&copy).await.unwrap();
            let copied = projects(&copy).await;
            assert!(copied >= acknowledged, "{copied} of {acknowledged}");
            assert_eq!(audit_entries(&copy).await, copied);
            copy.close().await;
            store.close().await;
        }
    });
}

async fn projects(store: &Database) -> usize {
    use svc_admin_api::project::ProjectStore as _;
    store.projects().await.unwrap().len()
}

async fn audit_entries(store: &Database) -> usize {
    use svc_admin_api::audit::AuditStore as _;
    store.entries(None, None, 1_000_000).await.unwrap().len()
}
