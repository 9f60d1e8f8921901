//! Long sequences of calls, one after another, to a database and to the store in memory.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use svc_admin_api::MemoryStore;
use svc_test_support::postgres::PgCluster;

use crate::operations::{Operation, apply, dump, operation};
use crate::world::{TestDatabase, run};

/// Sequences; `SVC_STORE_CASES` makes it more.
fn cases(usual: u32) -> u32 {
    let more = std::env::var("SVC_STORE_CASES").ok();
    more.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn same_as_memory(usual: u32, place: &mut dyn FnMut() -> TestDatabase) {
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(cases(usual))
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let place = std::cell::RefCell::new(place);
    let deeds = prop::collection::vec(operation(), 1..80);
    let done = runner.run(&deeds, |deeds: Vec<Operation>| {
        let place = (place.borrow_mut())();
        runtime.block_on(async {
            let (memory, store) = (MemoryStore::default(), place.open().await);
            let (mut passed, mut there) = (0, 0);
            // Without these hardly anything would ever happen.
            let begin = [
                Operation::PutProject(0, true),
                Operation::PutAccount(0, false),
            ];
            for deed in begin.iter().chain(&deeds) {
                let wanted = apply(&memory, deed, &mut passed).await;
                let got = apply(&store, deed, &mut there).await;
                prop_assert_eq!(got, wanted, "{:?}", deed);
            }
            let wanted = dump(&memory, passed).await;
            prop_assert_eq!(dump(&store, passed).await, wanted.clone());
            store.close().await;
            // And it is still there when it is opened again.
            let store = place.open().await;
            prop_assert_eq!(dump(&store, passed).await, wanted);
            store.close().await;
            Ok(())
        })
    });
    done.unwrap();
}

#[test]
fn sqlite_says_what_memory_says() {
    same_as_memory(40, &mut TestDatabase::sqlite);
}

#[test]
fn postgresql_says_what_memory_says() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    // A new database takes longer than a sequence.
    let place = TestDatabase::Postgres(cluster.clone(), cluster.create_database());
    same_as_memory(12, &mut || {
        run(place.clear());
        place.clone()
    });
}

#[test]
fn the_sequences_reach_every_answer() {
    use std::collections::BTreeSet;
    // A suite in which nothing ever succeeds would find no difference either.
    let mut runner = TestRunner::deterministic();
    let mut said = BTreeSet::new();
    for _ in 0..200 {
        let tree = prop::collection::vec(operation(), 80)
            .new_tree(&mut runner)
            .unwrap();
        run(async {
            let (memory, mut passed) = (MemoryStore::default(), 0);
            apply(&memory, &Operation::PutProject(0, true), &mut passed).await;
            for deed in tree.current() {
                let name = format!("{deed:?}");
                let name = name.split('(').next().unwrap().to_owned();
                let words = apply(&memory, &deed, &mut passed).await;
                let outcome: String = words.chars().take(12).collect();
                said.insert(format!("{name} {outcome}"));
            }
        });
    }
    for wanted in [
        "Message Ok(Done(Job ",
        "Message Ok(NotAllowe",
        "Message Ok(Again(Ans",
        "Message Ok(OtherRequ",
        "Archive Ok(Done(Job ",
        "Cancel Ok(Done(Job ",
        "CreateJob Ok(Taken)",
        "CreateJob Ok(NotYetAns",
        "Claim Ok(Some(Job",
        "Finish Ok(true)",
        "Renew Ok(true)",
        "Release Ok(true)",
        "FailLost Ok(1)",
        "AppendLog Ok(true)",
        "Reserve Ok(Again(Ans",
        "CreateKey Ok(Taken)",
        "CreateSession Ok(Taken)",
        "ReplacePassword Ok(Done(()))",
        "ReplacePassword Ok(Unknown)",
        "ForgetEntries Ok(2)",
    ] {
        assert!(said.iter().any(|one| one.starts_with(wanted)), "{wanted}");
    }
}
