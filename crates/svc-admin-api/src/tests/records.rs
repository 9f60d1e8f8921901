//! Accounts, sessions and deployments in the store.

use std::time::Duration;

use super::world::{CLI, START, block_on};
use crate::account::{Account, AccountStore as _, PasswordChange, Session};
use crate::audit::AuditStore as _;
use crate::deployment::{
    DeploymentRecord, DeploymentStatus, DeploymentStore as _, MAX_DEPLOYMENTS, Progress,
};
use crate::project::{ProjectRecord, ProjectStore as _};
use crate::{Change, ChangeResult, MemoryStore, ProjectId, StatusId, Timestamp};

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(START).plus(Duration::from_secs(seconds))
}

fn put(store: &MemoryStore, name: &str, seconds: u64) -> Account {
    let account = Account {
        name: name.to_owned(),
        password: Some("$argon2id$".to_owned()),
        created_at: at(seconds),
        disabled_at: None,
    };
    let change = Change::new(&CLI, at(seconds), None, "putAccount", Some(name));
    let outcome = block_on(store.put_account(&account, &change)).unwrap();
    assert_eq!(outcome, ChangeResult::Done(()));
    account
}

fn session(hash: u8, account: &str, until: u64) -> Session {
    Session {
        hash: [hash; 32],
        account: account.to_owned(),
        csrf: "form".to_owned(),
        created_at: at(0),
        last_seen_at: at(0),
        until: at(until),
    }
}

#[test]
fn replacing_an_account_preserves_its_creation_time() {
    let store = MemoryStore::default();
    let first = put(&store, "ada", 1);
    put(&store, "Bob", 2);
    put(&store, "ada", 3);
    assert_eq!(block_on(store.account("ada")).unwrap(), Some(first));
    assert_eq!(block_on(store.account("bob")).unwrap(), None);
    let names = block_on(store.accounts()).unwrap().into_iter();
    assert_eq!(
        names.map(|name| name.name).collect::<Vec<_>>(),
        ["Bob", "ada"]
    );
}

#[test]
fn a_password_is_replaced_only_if_it_is_unchanged() {
    let store = MemoryStore::default();
    put(&store, "ada", 0);
    put(&store, "bob", 0);
    for (hash, name) in [(1, "ada"), (2, "ada"), (3, "bob")] {
        let new = session(hash, name, 9);
        assert_eq!(
            block_on(store.create_session(&new)).unwrap(),
            ChangeResult::Done(())
        );
    }
    let there = || {
        let one = |hash| block_on(store.session(&[hash; 32])).unwrap().is_some();
        [1, 2, 3].map(one)
    };
    let replace = |before: &str, after: &str, change: Option<&Change>| {
        let new = PasswordChange {
            account: "ada".to_owned(),
            old_hash: before.to_owned(),
            new_hash: after.to_owned(),
        };
        block_on(store.replace_password(&new, change)).unwrap()
    };
    let change = Change::new(&CLI, at(1), None, "changePassword", None);
    let entries = || block_on(store.entries(None, None, 99)).unwrap().len();
    assert_eq!(
        replace("other", "$argon2id$b", Some(&change)),
        ChangeResult::NotFound
    );
    assert_eq!(
        replace("$argon2id$", "$argon2id$b", None),
        ChangeResult::Done(())
    );
    assert_eq!((there(), entries()), ([true; 3], 2));
    assert_eq!(
        replace("$argon2id$", "x", Some(&change)),
        ChangeResult::NotFound
    );
    assert_eq!(
        replace("$argon2id$b", "c", Some(&change)),
        ChangeResult::Done(())
    );
    assert_eq!((there(), entries()), ([false, false, true], 3));
    let ada = block_on(store.account("ada")).unwrap().unwrap();
    assert_eq!(ada.password.as_deref(), Some("c"));
}

#[test]
fn the_oldest_audit_entries_are_deleted_in_batches() {
    let store = MemoryStore::default();
    // The clock was wrong for some time.
    for seconds in [5, 1, 9, 2, 3] {
        let entry = Change::new(&CLI, at(seconds), None, "putAccount", None).entry;
        block_on(store.record(&entry)).unwrap();
    }
    let times = || {
        let entries = block_on(store.entries(None, None, 99)).unwrap().into_iter();
        entries.map(|record| record.entry.at).collect::<Vec<_>>()
    };
    let forget = |before, max| block_on(store.delete_entries(at(before), max)).unwrap();
    assert_eq!(forget(1, 9), 0);
    assert_eq!(forget(5, 2), 2);
    assert_eq!(times(), [at(3), at(9), at(5)]);
    assert_eq!((forget(5, 2), forget(5, 2)), (1, 0));
    assert_eq!(times(), [at(9), at(5)]);
    // Sequence numbers of deleted entries are not reused.
    let entry = Change::new(&CLI, at(9), None, "putAccount", None).entry;
    block_on(store.record(&entry)).unwrap();
    assert_eq!(
        block_on(store.entries(None, None, 1)).unwrap()[0].sequence,
        6
    );
}

#[test]
fn sessions_are_created_used_and_ended() {
    let store = MemoryStore::default();
    let begin = |item: &Session| block_on(store.create_session(item)).unwrap();
    assert_eq!(begin(&session(1, "ada", 9)), ChangeResult::NotFound);
    put(&store, "ada", 0);
    put(&store, "bob", 0);
    assert_eq!(begin(&session(1, "ada", 9)), ChangeResult::Done(()));
    assert_eq!(begin(&session(1, "bob", 9)), ChangeResult::AlreadyExists);
    for (hash, account) in [(2, "ada"), (3, "bob"), (4, "bob")] {
        assert_eq!(
            begin(&session(hash, account, hash.into())),
            ChangeResult::Done(())
        );
    }
    let seen = |hash: u8| {
        let session = block_on(store.session(&[hash; 32])).unwrap();
        session.map(|item| (item.account, item.last_seen_at))
    };
    for seconds in [5, 4] {
        block_on(store.touch_session(&[1; 32], at(seconds))).unwrap();
    }
    assert_eq!(seen(1), Some(("ada".to_owned(), at(5))));
    block_on(store.end_session(&[4; 32])).unwrap();
    assert_eq!(seen(4), None);
    assert_eq!(block_on(store.delete_expired_sessions(at(2))).unwrap(), 1);
    assert_eq!((seen(2), seen(3)), (None, Some(("bob".to_owned(), at(0)))));
    assert_eq!(block_on(store.end_sessions("ada")).unwrap(), 1);
    assert_eq!(block_on(store.end_sessions("ada")).unwrap(), 0);
    assert_eq!((seen(1), seen(3).is_some()), (None, true));
}

#[test]
fn the_full_log_has_entries_without_a_project() {
    let store = MemoryStore::default();
    put(&store, "ada", 1);
    let docs = ProjectId::parse("docs").unwrap();
    let project = ProjectRecord {
        id: docs.clone(),
        name: "Docs".to_owned(),
        agent: None,
        created_at: at(2),
    };
    let change = Change::new(&CLI, at(2), &docs, "putProject", None);
    block_on(store.put_project(&project, &change)).unwrap();
    let actions = |project: Option<&ProjectId>| {
        let entries = block_on(store.entries(project, None, 9))
            .unwrap()
            .into_iter();
        entries.map(|entry| entry.entry.action).collect::<Vec<_>>()
    };
    assert_eq!(actions(None), ["putProject", "putAccount"]);
    assert_eq!(actions(Some(&docs)), ["putProject"]);
}

fn deployment(project: &str, name: usize, seconds: u64) -> DeploymentRecord {
    DeploymentRecord::from(DeploymentStatus {
        id: StatusId::parse(&format!("d{name:04}")).unwrap(),
        project_id: ProjectId::parse(project).unwrap(),
        created_at: at(seconds),
        ended_at: None,
        status: Progress::Queued,
        summary: "waiting".to_owned(),
        logs: Vec::new(),
        source: "api".to_owned(),
        commit: None,
        author: None,
        preview_url: None,
    })
}

#[test]
fn deployments_are_replaced_and_paginated() {
    let store = MemoryStore::default();
    for name in 0..7 {
        // Two per second: the id determines the order.
        let one = deployment("docs", name, name as u64 / 2);
        block_on(store.put_deployment(&one)).unwrap();
        block_on(store.put_deployment(&deployment("other", name + 10, 0))).unwrap();
    }
    let mut latest = deployment("docs", 3, 1);
    (latest.status.status, latest.status.ended_at) = (Progress::Success, Some(at(8)));
    block_on(store.put_deployment(&latest)).unwrap();
    assert_eq!(
        block_on(store.deployment(&latest.status.id)).unwrap(),
        Some(latest)
    );
    let docs = ProjectId::parse("docs").unwrap();
    let (mut before, mut names) = (None, Vec::new());
    loop {
        let part = block_on(store.deployments(&docs, before, 3)).unwrap();
        names.extend(part.iter().map(|one| one.status.id.to_string()));
        let Some(last) = part.last() else { break };
        before = Some((last.status.created_at, last.status.id.clone()));
    }
    let expected_result = [
        "d0006", "d0005", "d0004", "d0003", "d0002", "d0001", "d0000",
    ];
    assert_eq!(names, expected_result);
}

#[test]
fn the_oldest_deployments_are_deleted_beyond_the_limit() {
    let store = MemoryStore::default();
    block_on(store.put_deployment(&deployment("other", 5_000, 0))).unwrap();
    for name in 0..=MAX_DEPLOYMENTS {
        let one = deployment("docs", name, name as u64);
        block_on(store.put_deployment(&one)).unwrap();
    }
    let known = |name| {
        let id = deployment("docs", name, 0).status.id;
        block_on(store.deployment(&id)).unwrap().is_some()
    };
    let retained = [0, 1, MAX_DEPLOYMENTS, 5_000].map(known);
    assert_eq!(retained, [false, true, true, true]);
}
