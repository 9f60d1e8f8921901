//! All operations of a store as data. Results on a database must equal those on the store in
//! memory.

use std::time::Duration;

use proptest::prelude::*;
use svc_admin_api::account::{Account, PasswordChange, Session};
use svc_admin_api::agent_job::{JobQuery, Link, Prompt, Status};
use svc_admin_api::audit::{Actor, AuditEntry};
use svc_admin_api::deployment::{DeploymentRecord, DeploymentStatus, Progress};
use svc_admin_api::idempotency::RecordedResponse;
use svc_admin_api::reader::{
    ReaderSession, ReaderToken, SignInMethod, all_sessions_digest, session_digest,
};
use svc_admin_api::{
    Change, KeyId, ProjectId, ReaderSessionId, ReaderTokenId, StatusId, Store, Timestamp,
};

use crate::store::world::{at, idempotency_key, job, job_id, key, lease, project, project_id};

/// An operation. Small numbers represent ids, so that operations interact.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    PutProject(u8, bool),
    CreateKey(u8, u8),
    RevokeKey(u8, u8),
    TouchKey(u8, u64),
    Keys(u8, u8),
    CreateJob(u8, u8, Option<(u8, u8)>),
    Message(u8, u8, Option<(u8, u8)>),
    Archive(u8, u8, Option<(u8, u8)>),
    Cancel(u8, u8, Option<(u8, u8)>),
    Jobs(u8, Option<u8>, Option<(u64, u8)>, usize),
    Job(u8, u8),
    Claim(u8, u64),
    Renew(u8, u8, u64),
    Release(u8, u8),
    Finish(u8, u8, bool),
    Fail(u8, u8),
    FailLost,
    ArchiveBefore(u64),
    AppendLog(u8, u8, String),
    Log(u8, u8, usize),
    Reserve(u8, u8),
    Settle(u8, u8, bool),
    Forget,
    Record(Option<u8>, u8),
    Entries(Option<u8>, Option<u64>, usize),
    ForgetEntries(u64, usize),
    PutAccount(u8, bool),
    ReplacePassword(u8, bool, bool),
    CreateSession(u8, u8, u64),
    TouchSession(u8, u64),
    Session(u8),
    EndSession(u8),
    EndSessions(u8),
    ForgetSessions,
    PutDeployment(u8, u8, u64, bool),
    Deployments(u8, Option<(u64, u8)>, usize),
    CreateReaderToken(u8, u8),
    RevokeReaderToken(u8, u8),
    TouchReaderToken(u8, u64),
    ReaderTokens(u8, u8),
    RecordReaderSession(u8, u8, u64, bool),
    RevokeReaderSessions(u8, u8, u64),
    ReaderSessions(u8, usize),
    /// Advances the clock.
    Pass(u64),
}

pub(crate) fn operation() -> impl Strategy<Value = Operation> {
    let of = 0_u8..2;
    let job = 0_u8..4;
    let token = 0_u8..3;
    let seconds = 0_u64..200;
    let once = || prop::option::weighted(0.4, (0_u8..3, 0_u8..2));
    let jobs = prop_oneof![
        6 => (of.clone(), job.clone(), once()).prop_map(|(a, b, c)| Operation::CreateJob(a, b, c)),
        3 => (of.clone(), job.clone(), once()).prop_map(|(a, b, c)| Operation::Message(a, b, c)),
        3 => (of.clone(), job.clone(), once()).prop_map(|(a, b, c)| Operation::Archive(a, b, c)),
        1 => (of.clone(), job.clone(), once()).prop_map(|(a, b, c)| Operation::Cancel(a, b, c)),
        2 => (
            of.clone(),
            prop::option::of(0_u8..4),
            prop::option::of((seconds.clone(), job.clone())),
            0_usize..5
        )
            .prop_map(|(a, b, c, d)| Operation::Jobs(a, b, c, d)),
        3 => (of.clone(), job.clone()).prop_map(|(a, b)| Operation::Job(a, b)),
        6 => (token.clone(), seconds.clone()).prop_map(|(a, b)| Operation::Claim(a, b)),
        2 => (job.clone(), token.clone(), seconds.clone()).prop_map(|(a, b, c)| Operation::Renew(a, b, c)),
        2 => (job.clone(), token.clone()).prop_map(|(a, b)| Operation::Release(a, b)),
        6 => (job.clone(), token.clone(), any::<bool>()).prop_map(|(a, b, c)| Operation::Finish(a, b, c)),
        3 => (job.clone(), token.clone()).prop_map(|(a, b)| Operation::Fail(a, b)),
        1 => Just(Operation::FailLost),
        1 => seconds.clone().prop_map(Operation::ArchiveBefore),
        4 => (job.clone(), token.clone(), "[aä\u{0}\n😀]{0,8}|x{3000,5000}")
            .prop_map(|(a, b, c)| Operation::AppendLog(a, b, c)),
        2 => (of.clone(), job.clone(), 0_usize..9_000).prop_map(|(a, b, c)| Operation::Log(a, b, c)),
    ];
    let others = prop_oneof![
        2 => (0_u8..3, any::<bool>()).prop_map(|(a, b)| Operation::PutProject(a, b)),
        2 => (of.clone(), 0_u8..3).prop_map(|(a, b)| Operation::CreateKey(a, b)),
        2 => (of.clone(), 0_u8..3).prop_map(|(a, b)| Operation::RevokeKey(a, b)),
        2 => (0_u8..3, seconds.clone()).prop_map(|(a, b)| Operation::TouchKey(a, b)),
        2 => (of.clone(), 0_u8..3).prop_map(|(a, b)| Operation::Keys(a, b)),
        2 => (0_u8..3, 0_u8..2).prop_map(|(a, b)| Operation::Reserve(a, b)),
        2 => (0_u8..3, 0_u8..2, any::<bool>()).prop_map(|(a, b, c)| Operation::Settle(a, b, c)),
        1 => Just(Operation::Forget),
        1 => (prop::option::of(of.clone()), 0_u8..4).prop_map(|(a, b)| Operation::Record(a, b)),
        2 => (prop::option::of(of.clone()), prop::option::of(0_u64..20), 0_usize..9)
            .prop_map(|(a, b, c)| Operation::Entries(a, b, c)),
        1 => (seconds.clone(), 0_usize..6).prop_map(|(a, b)| Operation::ForgetEntries(a, b)),
        2 => (0_u8..2, any::<bool>()).prop_map(|(a, b)| Operation::PutAccount(a, b)),
        2 => (0_u8..2, any::<bool>(), any::<bool>())
            .prop_map(|(a, b, c)| Operation::ReplacePassword(a, b, c)),
        3 => (0_u8..4, 0_u8..2, seconds.clone()).prop_map(|(a, b, c)| Operation::CreateSession(a, b, c)),
        1 => (0_u8..4, seconds.clone()).prop_map(|(a, b)| Operation::TouchSession(a, b)),
        2 => (0_u8..4).prop_map(Operation::Session),
        1 => (0_u8..4).prop_map(Operation::EndSession),
        1 => (0_u8..2).prop_map(Operation::EndSessions),
        1 => Just(Operation::ForgetSessions),
        3 => (of.clone(), 0_u8..5, seconds.clone(), any::<bool>())
            .prop_map(|(a, b, c, d)| Operation::PutDeployment(a, b, c, d)),
        2 => (of.clone(), prop::option::of((seconds.clone(), 0_u8..5)), 0_usize..4)
            .prop_map(|(a, b, c)| Operation::Deployments(a, b, c)),
        2 => (0_u64..90).prop_map(Operation::Pass),
        // A bit more than a day: recorded responses expire.
        1 => Just(Operation::Pass(90_000)),
    ];
    let readers = prop_oneof![
        2 => (of.clone(), 0_u8..3).prop_map(|(a, b)| Operation::CreateReaderToken(a, b)),
        2 => (of.clone(), 0_u8..3).prop_map(|(a, b)| Operation::RevokeReaderToken(a, b)),
        1 => (0_u8..3, seconds.clone()).prop_map(|(a, b)| Operation::TouchReaderToken(a, b)),
        2 => (of.clone(), 0_u8..3).prop_map(|(a, b)| Operation::ReaderTokens(a, b)),
        4 => (of.clone(), 0_u8..4, seconds.clone(), any::<bool>())
            .prop_map(|(a, b, c, d)| Operation::RecordReaderSession(a, b, c, d)),
        2 => (of.clone(), 0_u8..4, seconds)
            .prop_map(|(a, b, c)| Operation::RevokeReaderSessions(a, b, c)),
        3 => (of, 0_usize..4).prop_map(|(a, b)| Operation::ReaderSessions(a, b)),
    ];
    prop_oneof![6 => jobs, 4 => others, 1 => readers]
}

fn project_name(number: u8) -> String {
    format!("project-{number}")
}

fn job_name(number: u8) -> String {
    format!("job_{number}")
}

fn token(number: u8) -> String {
    format!("token {number}")
}

fn entry(project: Option<u8>, actor: u8, now: Timestamp) -> AuditEntry {
    AuditEntry {
        at: now,
        actor: match actor {
            0 => Actor::Cli,
            1 => Actor::Person("Ada Ä".to_owned()),
            3 => Actor::Anonymous,
            _ => Actor::Key(KeyId::parse("key_a").unwrap()),
        },
        from: (actor > 0).then(|| [192, 0, 2, actor].into()),
        project: project.map(|number| project_id(&project_name(number))),
        action: "record".to_owned(),
        subject: (actor > 1).then(|| "x".to_owned()),
        status: 404,
    }
}

fn reader_token(name: u8, project: &ProjectId, seconds: u64) -> ReaderToken {
    ReaderToken {
        id: ReaderTokenId::parse(&format!("token_{name}")).unwrap(),
        project: project.clone(),
        name: format!("token ä {name}"),
        hash: [name; 32],
        groups: (0..name).map(|group| format!("group {group}")).collect(),
        created_at: at(seconds),
        expires_at: (name > 1).then(|| at(seconds + 100)),
        revoked_at: None,
        last_used_at: None,
    }
}

fn reader_session_id(name: u8) -> ReaderSessionId {
    ReaderSessionId::parse(&format!("session_{name}")).unwrap()
}

fn reader_session(
    (name, project): (u8, &ProjectId),
    now: Timestamp,
    length: u64,
    is_oidc: bool,
) -> ReaderSession {
    ReaderSession {
        id: reader_session_id(name),
        project: project.clone(),
        name: format!("reader ä {length}"),
        email: is_oidc.then(|| "ada@example.com".to_owned()),
        method: match is_oidc {
            true => SignInMethod::Oidc,
            false => SignInMethod::Password,
        },
        signed_in_at: now,
        seen_at: now,
        expires_at: now.plus(Duration::from_secs(length)),
        confirmed_at: now,
        subject: is_oidc.then_some([1; 32]),
        provider_session: (is_oidc && name > 1).then_some([2; 32]),
    }
}

/// Performs an operation and returns its result as text.
pub(crate) async fn apply<S: Store>(store: &S, deed: &Operation, passed: &mut u64) -> String {
    let seconds = *passed;
    let now = at(seconds);
    let change = |of: u8, action: &str, header: Option<(u8, u8)>| {
        let entry = AuditEntry {
            action: action.to_owned(),
            ..entry(Some(of), 2, now)
        };
        let once = header
            .map(|(name, request)| idempotency_key(&format!("once-{name}"), request, seconds));
        Change {
            at: now,
            entry,
            idempotency_key: once,
        }
    };
    let of = |number: u8| project_id(&project_name(number));
    let named = |number: u8| job_id(&job_name(number));
    match deed.clone() {
        Operation::PutProject(number, agent) => {
            let mut new = project(&project_name(number), &format!("{agent}"));
            new.created_at = now;
            if !agent {
                new.agent = None;
            }
            let change = change(number, "putProject", None);
            format!("{:?}", store.put_project(&new, &change).await)
        }
        Operation::CreateKey(number, name) => {
            let mut new = key(&name.to_string(), &project_name(number));
            new.created_at = now;
            new.networks
                .extend(svc_admin_api::key::Network::parse("192.0.2.0/24"));
            new.networks
                .extend(svc_admin_api::key::Network::parse("2001:db8::1"));
            let change = change(number, "createKey", None);
            format!("{:?}", store.create_key(&new, &change).await)
        }
        Operation::RevokeKey(number, name) => {
            let id = key(&name.to_string(), "x").id;
            let change = change(number, "revokeKey", None);
            format!("{:?}", store.revoke_key(&of(number), &id, &change).await)
        }
        Operation::TouchKey(name, seconds) => {
            let id = key(&name.to_string(), "x").id;
            format!("{:?}", store.touch_key(&id, at(seconds)).await)
        }
        Operation::Keys(number, name) => {
            let lookup = format!("look{name}");
            let result = store.key_by_lookup(&lookup).await;
            format!("{result:?} {:?}", store.keys(&of(number)).await)
        }
        Operation::CreateJob(number, name, header) => {
            let mut new = job(&job_name(name), &project_name(number), seconds);
            new.job.created_at = now;
            let change = change(number, "createJob", header);
            format!("{:?}", store.create_job(&new, &change).await)
        }
        Operation::Message(number, name, header) => {
            let prompt = Prompt::try_from(format!("more at {seconds}")).unwrap();
            let change = change(number, "message", header);
            let done = store
                .message(&of(number), &named(name), &prompt, &change)
                .await;
            format!("{done:?} {:?}", store.prompts(&named(name)).await)
        }
        Operation::Archive(number, name, header) => {
            let change = change(number, "archive", header);
            format!(
                "{:?}",
                store.archive(&of(number), &named(name), &change).await
            )
        }
        Operation::Cancel(number, name, header) => {
            let change = change(number, "cancel", header);
            format!(
                "{:?}",
                store.cancel(&of(number), &named(name), &change).await
            )
        }
        Operation::Jobs(number, status, after, limit) => {
            let query = JobQuery {
                project: of(number),
                status: status.map(|index| Status::ALL[usize::from(index)]),
                after: after.map(|(seconds, name)| (at(seconds), named(name))),
                limit,
            };
            format!("{:?}", store.jobs(&query).await)
        }
        Operation::Job(number, name) => format!("{:?}", store.job(&of(number), &named(name)).await),
        Operation::Claim(worker, length) => {
            let lease = lease(&token(worker), seconds + length);
            format!("{:?}", store.claim(&lease, now).await)
        }
        Operation::Renew(name, worker, length) => {
            let lease = lease(&token(worker), seconds + length);
            format!("{:?}", store.renew(&named(name), &lease).await)
        }
        Operation::Release(name, worker) => {
            format!("{:?}", store.release(&named(name), &token(worker)).await)
        }
        Operation::Finish(name, worker, changed) => {
            let link = Link::try_from(format!("https://git.example/pull/{seconds}")).unwrap();
            let link = changed.then_some(&link);
            format!(
                "{:?}",
                store.finish(&named(name), &token(worker), link).await
            )
        }
        Operation::Fail(name, worker) => {
            let (id, token) = (named(name), token(worker));
            format!("{:?}", store.fail(&id, &token, "why ä").await)
        }
        Operation::FailLost => format!("{:?}", store.fail_abandoned(now).await),
        Operation::ArchiveBefore(created) => {
            format!("{:?}", store.archive_before(at(created), now).await)
        }
        Operation::AppendLog(name, worker, text) => {
            let (id, token) = (named(name), token(worker));
            format!("{:?}", store.append_log(&id, &token, &text).await)
        }
        Operation::Log(number, name, from) => {
            format!("{:?}", store.log(&of(number), &named(name), from).await)
        }
        Operation::Reserve(name, request) => {
            let once = idempotency_key(&format!("once-{name}"), request, seconds);
            format!("{:?}", store.reserve(&once, now).await)
        }
        Operation::Settle(name, request, done) => {
            let once = idempotency_key(&format!("once-{name}"), request, seconds);
            let response = RecordedResponse {
                status: 202,
                body: "{\"a\":\"ä\"}".to_owned(),
            };
            let entry = entry(Some(0), 2, now);
            let done = done.then_some((&response, &entry));
            format!("{:?}", store.complete(&once, done).await)
        }
        Operation::Forget => {
            // The store in memory deletes expired records while reading, so counts may differ.
            let forgotten = store.delete_expired(now).await;
            format!("{:?}", forgotten.map(|_| ()))
        }
        Operation::Record(number, actor) => {
            format!("{:?}", store.record(&entry(number, actor, now)).await)
        }
        Operation::Entries(number, before, limit) => {
            let number = number.map(of);
            format!("{:?}", store.entries(number.as_ref(), before, limit).await)
        }
        Operation::ForgetEntries(before, max) => {
            format!("{:?}", store.delete_entries(at(before), max).await)
        }
        Operation::ReplacePassword(name, back, noted) => {
            let mut hashes = ["$argon2id$ä".to_owned(), "$argon2id$b".to_owned()];
            if back {
                hashes.reverse();
            }
            let [before, after] = hashes;
            let new = PasswordChange {
                account: format!("person {name}"),
                old_hash: before,
                new_hash: after,
            };
            let mut change = change(0, "changePassword", None);
            change.entry.project = None;
            let done = store.replace_password(&new, noted.then_some(&change)).await;
            format!("{done:?} {:?}", store.account(&new.account).await)
        }
        Operation::PutAccount(name, disabled) => {
            let account = Account {
                name: format!("person {name}"),
                password: (!disabled).then(|| "$argon2id$ä".to_owned()),
                created_at: now,
                disabled_at: disabled.then_some(now),
            };
            let mut change = change(0, "putAccount", None);
            change.entry.project = None;
            let done = store.put_account(&account, &change).await;
            let result = store.account(&account.name).await;
            format!("{done:?} {result:?} {:?}", store.accounts().await)
        }
        Operation::CreateSession(hash, name, length) => {
            let session = Session {
                hash: [hash; 32],
                account: format!("person {name}"),
                csrf: format!("{length}"),
                created_at: now,
                last_seen_at: now,
                until: now.plus(Duration::from_secs(length)),
            };
            format!("{:?}", store.create_session(&session).await)
        }
        Operation::TouchSession(hash, seconds) => {
            format!("{:?}", store.touch_session(&[hash; 32], at(seconds)).await)
        }
        Operation::Session(hash) => format!("{:?}", store.session(&[hash; 32]).await),
        Operation::EndSession(hash) => format!("{:?}", store.end_session(&[hash; 32]).await),
        Operation::EndSessions(name) => {
            format!("{:?}", store.end_sessions(&format!("person {name}")).await)
        }
        Operation::ForgetSessions => format!("{:?}", store.delete_expired_sessions(now).await),
        Operation::PutDeployment(number, name, seconds, done) => {
            let deployment = DeploymentRecord {
                server: done.then(|| "one".to_owned()),
                live: done,
                ..DeploymentRecord::from(DeploymentStatus {
                    id: StatusId::parse(&format!("deployment-{name}")).unwrap(),
                    project_id: of(number),
                    created_at: at(seconds),
                    ended_at: done.then_some(now),
                    status: if done {
                        Progress::Success
                    } else {
                        Progress::Queued
                    },
                    summary: "a \u{0} b".to_owned(),
                    logs: vec!["one".to_owned()],
                    source: "api".to_owned(),
                    commit: None,
                    author: None,
                    preview_url: None,
                })
            };
            let put = store.put_deployment(&deployment).await;
            format!(
                "{put:?} {:?}",
                store.deployment(&deployment.status.id).await
            )
        }
        Operation::Deployments(number, before, limit) => {
            let before = before.map(|(seconds, name)| {
                let id = StatusId::parse(&format!("deployment-{name}")).unwrap();
                (at(seconds), id)
            });
            format!("{:?}", store.deployments(&of(number), before, limit).await)
        }
        Operation::CreateReaderToken(number, name) => {
            let token = ReaderToken {
                created_at: now,
                ..reader_token(name, &of(number), seconds)
            };
            let change = change(number, "createReaderToken", None);
            // Secrets are random, so a store need not accept one twice.
            let known = store.reader_token(&token.hash).await.unwrap();
            if known.is_some() {
                return "known".to_owned();
            }
            format!("{:?}", store.create_reader_token(&token, &change).await)
        }
        Operation::RevokeReaderToken(number, name) => {
            let id = reader_token(name, &of(number), 0).id;
            let change = change(number, "revokeReaderToken", None);
            let revoked = store.revoke_reader_token(&of(number), &id, &change).await;
            format!("{revoked:?}")
        }
        Operation::TouchReaderToken(name, seconds) => {
            let id = reader_token(name, &of(0), 0).id;
            format!("{:?}", store.touch_reader_token(&id, at(seconds)).await)
        }
        Operation::ReaderTokens(number, name) => {
            let hash = reader_token(name, &of(number), 0).hash;
            let result = store.reader_token(&hash).await;
            format!("{result:?} {:?}", store.reader_tokens(&of(number)).await)
        }
        Operation::RecordReaderSession(number, name, length, is_oidc) => {
            let session = reader_session((name, &of(number)), now, length, is_oidc);
            format!("{:?}", store.record_reader_session(&session, now).await)
        }
        Operation::RevokeReaderSessions(number, which, before) => {
            let digest = match which {
                0 => session_digest(&of(number), &reader_session_id(1)),
                1 => [1; 32],
                2 => [2; 32],
                _ => all_sessions_digest(&of(number)),
            };
            let change = change(number, "endReaderSession", None);
            let change = (which % 2 == 0).then_some(&change);
            let before = at(before.min(seconds));
            let revoked = store.revoke_reader_sessions(digest, now, before, change);
            format!("{:?}", revoked.await)
        }
        Operation::ReaderSessions(number, limit) => {
            let sessions = store.reader_sessions(&of(number), now, limit).await;
            format!("{sessions:?}")
        }
        Operation::Pass(more) => {
            *passed += more;
            String::new()
        }
    }
}

/// Dumps all readable data as text.
pub(crate) async fn dump<S: Store>(store: &S, passed: u64) -> Vec<String> {
    let mut deeds = vec![Operation::Entries(None, None, 1_000)];
    for number in 0..3 {
        deeds.push(Operation::Jobs(number, None, None, 100));
        deeds.push(Operation::Deployments(number, None, 100));
        deeds.push(Operation::Keys(number, number));
        deeds.push(Operation::ReaderTokens(number, number));
        deeds.push(Operation::ReaderSessions(number, 100));
        deeds.push(Operation::Entries(Some(number), None, 1_000));
        for status in 0..4 {
            deeds.push(Operation::Jobs(number, Some(status), None, 100));
        }
        for name in 0..4 {
            deeds.push(Operation::Job(number, name));
            deeds.push(Operation::Log(number, name, 0));
        }
    }
    deeds.extend((0..4).map(Operation::Session));
    let mut lines = vec![format!("{:?}", store.projects().await)];
    lines.push(format!("{:?}", store.accounts().await));
    for name in 0..4 {
        lines.push(format!(
            "{:?}",
            store.prompts(&job_id(&job_name(name))).await
        ));
    }
    for deed in deeds {
        lines.push(apply(store, &deed, &mut passed.clone()).await);
    }
    lines
}
