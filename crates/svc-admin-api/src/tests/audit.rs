//! The audit log.

use super::world::{CLI, World, block_on, new_key};
use crate::ProjectId;
use crate::audit::{Actor, AuditEntry, AuditStore as _};
use crate::key::{NewKey, revoke_key};

fn log(world: &World) -> Vec<AuditEntry> {
    let docs = ProjectId::parse("docs").unwrap();
    let mut entries = block_on(world.store.entries(Some(&docs), None, 1_000)).unwrap();
    entries.reverse();
    entries.into_iter().map(|logged| logged.entry).collect()
}

#[test]
fn every_change_adds_an_entry_with_actor_action_subject_and_status() {
    let world = World::new();
    let docs = world.project("docs");
    let (key, secret) = world.create_key(&new_key("docs"));
    let (reader, weak) = world.create_key(&NewKey {
        scopes: vec!["read".to_owned()],
        ..new_key("docs")
    });
    let (good, weak) = (secret.reveal(), weak.reveal());
    let job = world.job(good);
    let archive = format!("POST /v2/agent/docs/job/{job}/archive");
    let message = format!("POST /v2/agent/docs/job/{job}/message");
    let hidden = "the hidden prompt";
    world.call(good, &archive, None);
    world.finish_job(None);
    world.call(
        good,
        &message,
        Some(&format!("{{\"prompt\":\"{hidden}\"}}")),
    );
    world.call(good, "POST /v2/agent/docs/job", Some("{}"));
    world.call(good, "POST /v2/agent/other/job", Some("{}"));
    world.call(
        good,
        &format!("POST /v2/agent/docs/job/{}/archive", "%00"),
        None,
    );
    world.call(weak, "POST /v1/project/update/docs", None);
    world.call(good, "POST /v1/project/update/docs", None);
    world.call(
        good,
        "POST /v1/project/preview/docs",
        Some(r#"{"branch":"a"}"#),
    );
    // Reads and unauthenticated calls add no entry.
    world.call(good, "GET /v2/agent/docs/jobs", None);
    world.call("", &archive, None);
    let revoke = revoke_key(&world.store, &world.clock, &CLI, &docs, &reader.id);
    assert!(block_on(revoke).unwrap());
    let entries = log(&world);
    let lines: Vec<(&str, Option<&str>, u16)> = entries
        .iter()
        .map(|entry| {
            (
                entry.action.as_str(),
                entry.subject.as_deref(),
                entry.status,
            )
        })
        .collect();
    let job = Some(job.as_str());
    let expected_result = [
        ("putProject", None, 200),
        ("createKey", Some(key.id.as_str()), 200),
        ("createKey", Some(reader.id.as_str()), 200),
        ("createAgentJob", job, 201),
        ("archiveAgentJob", job, 409),
        ("messageAgentJob", job, 200),
        ("createAgentJob", Some("docs"), 400),
        ("createAgentJob", Some("other"), 404),
        ("archiveAgentJob", None, 404),
        ("updateProject", Some("docs"), 403),
        ("updateProject", Some("deployment-0"), 202),
        ("createPreview", Some("deployment-1"), 202),
        ("revokeKey", Some(reader.id.as_str()), 200),
    ];
    assert_eq!(lines, expected_result);
    for entry in &entries {
        let by_key = entry.from == Some(world.peer);
        assert_eq!(matches!(entry.actor, Actor::Key(_)), by_key);
        assert_eq!(
            (entry.at, entry.project.as_ref()),
            (world.now(), Some(&docs))
        );
    }
    let weak_call = entries.iter().find(|entry| entry.status == 403).unwrap();
    assert_eq!(weak_call.actor, Actor::Key(reader.id));
    // No entry contains a secret, a part of one, or a prompt.
    let text = format!("{entries:?}") + &serde_json::to_string(&entries).unwrap();
    for secret in [good, weak] {
        assert!(!text.contains(&secret[4..12]) && !text.contains(&secret[21..]));
    }
    assert!(!text.contains(hidden) && !text.contains("svc_"));
}

#[test]
fn replayed_and_rate_limited_calls_add_no_entry() {
    use crate::rate_limit::{Quota, RateLimits};
    let world = World::limited(RateLimits {
        key: Quota::per(3, std::time::Duration::from_secs(60)),
        ..RateLimits::default()
    });
    world.project("docs");
    let key = world.key("docs");
    for _ in 0..9 {
        let body = Some(r#"{"prompt":"x"}"#);
        let mut request = super::world::request(&key, "POST /v2/agent/docs/job", body);
        request
            .headers_mut()
            .insert("idempotency-key", "a".parse().unwrap());
        world.send(request);
    }
    assert_eq!(log(&world).len(), 3, "project, key, one job");
}

#[test]
fn the_audit_log_is_paginated() {
    let (world, key) = World::with_docs();
    for _ in 0..5 {
        world.job(&key);
    }
    let docs = ProjectId::parse("docs").unwrap();
    let mut before = None;
    let mut numbers = Vec::new();
    loop {
        let part = block_on(world.store.entries(Some(&docs), before, 2)).unwrap();
        numbers.extend(part.iter().map(|logged| logged.sequence));
        let Some(last) = part.last() else { break };
        before = Some(last.sequence);
    }
    assert_eq!(numbers, [7, 6, 5, 4, 3, 2, 1]);
    let other = ProjectId::parse("other").unwrap();
    assert!(
        block_on(world.store.entries(Some(&other), None, 9))
            .unwrap()
            .is_empty()
    );
}
