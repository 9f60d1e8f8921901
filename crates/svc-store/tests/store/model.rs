//! Long sequences of calls on a database and on the store in memory.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use svc_admin_api::MemoryStore;
use svc_test_support::postgres::PgCluster;

use crate::store::operations::{Operation, apply, dump, operation};
use crate::store::world::{TestDatabase, run};

/// Number of sequences; `SVC_STORE_CASES` overrides it.
fn cases(usual: u32) -> u32 {
    let more = std::env::var("SVC_STORE_CASES").ok();
    more.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn same_as_memory(usual: u32, database: &mut dyn FnMut() -> TestDatabase) {
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(cases(usual))
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let database = std::cell::RefCell::new(database);
    let deeds = prop::collection::vec(operation(), 1..80);
    let result = runner.run(&deeds, |deeds: Vec<Operation>| {
        let database = (database.borrow_mut())();
        runtime.block_on(async {
            let (memory, store) = (MemoryStore::default(), database.open().await);
            let (mut passed, mut there) = (0, 0);
            // Without these records almost all calls would fail.
            let begin = [
                Operation::PutProject(0, true),
                Operation::PutAccount(0, false),
            ];
            for deed in begin.iter().chain(&deeds) {
                let expected = apply(&memory, deed, &mut passed).await;
                let got = apply(&store, deed, &mut there).await;
                prop_assert_eq!(got, expected, "{:?}", deed);
            }
            let expected = dump(&memory, passed).await;
            prop_assert_eq!(dump(&store, passed).await, expected.clone());
            store.close().await;
            // The data is unchanged after reopening.
            let store = database.open().await;
            prop_assert_eq!(dump(&store, passed).await, expected);
            store.close().await;
            Ok(())
        })
    });
    result.unwrap();
}

#[test]
fn sqlite_matches_the_store_in_memory() {
    same_as_memory(40, &mut TestDatabase::sqlite);
}

#[test]
fn postgresql_matches_the_store_in_memory() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    // Creating a database takes longer than a sequence.
    let database = TestDatabase::Postgres(cluster.clone(), cluster.create_database());
    same_as_memory(12, &mut || {
        run(database.clear());
        database.clone()
    });
}

#[test]
fn the_sequences_reach_all_results() {
    use std::collections::BTreeSet;
    // Sequences that never succeed would not reveal any difference.
    let mut runner = TestRunner::deterministic();
    let mut results = BTreeSet::new();
    for _ in 0..300 {
        let tree = prop::collection::vec(operation(), 80)
            .new_tree(&mut runner)
            .unwrap();
        run(async {
            let (memory, mut passed) = (MemoryStore::default(), 0);
            apply(&memory, &Operation::PutProject(0, true), &mut passed).await;
            for deed in tree.current() {
                let name = format!("{deed:?}");
                let name = name.split('(').next().unwrap().to_owned();
                let result = apply(&memory, &deed, &mut passed).await;
                let outcome: String = result.chars().take(12).collect();
                results.insert(format!("{name} {outcome}"));
            }
        });
    }
    for expected in [
        "Message Ok(Done(Job ",
        "Message Ok(InvalidSt",
        "Message Ok(Replayed(",
        "Message Ok(KeyReused",
        "Archive Ok(Done(Job ",
        "Cancel Ok(Done(Job ",
        "CreateJob Ok(AlreadyEx",
        "CreateJob Ok(InProgres",
        "Claim Ok(Some(Job",
        "Finish Ok(true)",
        "Renew Ok(true)",
        "Release Ok(true)",
        "FailLost Ok(1)",
        "AppendLog Ok(true)",
        "Reserve Ok(Replayed(",
        "CreateKey Ok(AlreadyEx",
        "CreateSession Ok(AlreadyEx",
        "ReplacePassword Ok(Done(()))",
        "ReplacePassword Ok(NotFound)",
        "ForgetEntries Ok(2)",
        "CreateReaderToken known",
        "RevokeReaderToken Ok(NotFound)",
        "RevokeReaderToken Ok(Done(()))",
        "ReaderSessions Ok([ReaderSe",
    ] {
        assert!(
            results.iter().any(|item| item.starts_with(expected)),
            "{expected}"
        );
    }
}
