//! Eight concurrent clients: their results must equal those of some sequential order.

use std::sync::Arc;

use svc_admin_api::agent_job::{
    Job, JobStore as _, Lease, Link, Prompt, Transition, TransitionError,
};
use svc_admin_api::audit::AuditStore as _;
use svc_admin_api::{Change, ChangeResult};
use svc_store::Database;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::store::world::{
    TestDatabase, at, change, idempotency_key, job, job_id, lease, project_id, put_project, run,
};

const CLIENTS: usize = 8;

/// An action of a client on the job.
#[derive(Debug, Clone)]
enum Action {
    Get,
    Step(Transition),
}

/// Result of an action.
#[derive(Debug, Clone, PartialEq)]
enum Reply {
    Job(Job),
    Refused,
    /// Whether the action of a worker succeeded.
    Worker(bool),
}

/// Result according to the state machine, and the job afterwards.
fn expected(job: &Job, deed: &Action) -> (Job, Reply) {
    let Action::Step(step) = deed else {
        return (job.clone(), Reply::Job(job.clone()));
    };
    let by_worker = !matches!(
        step,
        Transition::Cancel | Transition::Message | Transition::Archive
    );
    match job.apply(step, at(1)) {
        Ok(next) if matches!(step, Transition::Claim(_)) => (next.clone(), Reply::Job(next)),
        Ok(next) if by_worker => (next, Reply::Worker(true)),
        Ok(next) => (next.clone(), Reply::Job(next)),
        Err(_) if by_worker => (job.clone(), Reply::Worker(false)),
        Err(TransitionError::InvalidState(_) | TransitionError::LeaseLost) => {
            (job.clone(), Reply::Refused)
        }
    }
}

async fn perform(store: &Database, deed: Action) -> Reply {
    let (docs, id) = (project_id("docs"), job_id("job_a"));
    let changed = |outcome: ChangeResult<Job>| match outcome {
        ChangeResult::Done(job) => Reply::Job(job),
        ChangeResult::InvalidState(_) => Reply::Refused,
        other => panic!("{other:?}"),
    };
    let Action::Step(step) = deed else {
        return Reply::Job(store.job(&docs, &id).await.unwrap().unwrap());
    };
    match step {
        Transition::Message => {
            let prompt = Prompt::try_from("more".to_owned()).unwrap();
            let change = change("docs", "message", 1);
            changed(store.message(&docs, &id, &prompt, &change).await.unwrap())
        }
        Transition::Cancel => {
            let change = change("docs", "cancel", 1);
            changed(store.cancel(&docs, &id, &change).await.unwrap())
        }
        Transition::Archive => {
            let change = change("docs", "archive", 1);
            changed(store.archive(&docs, &id, &change).await.unwrap())
        }
        Transition::Claim(lease) => match store.claim(&lease, at(1)).await.unwrap() {
            Some(job) => Reply::Job(job),
            None => Reply::Worker(false),
        },
        Transition::Renew(lease) => Reply::Worker(store.renew(&id, &lease).await.unwrap()),
        Transition::Release { token } => Reply::Worker(store.release(&id, &token).await.unwrap()),
        Transition::Finish {
            token,
            pull_request,
        } => {
            let result = store.finish(&id, &token, pull_request.as_ref()).await;
            Reply::Worker(result.unwrap())
        }
        Transition::Fail { token, reason } => {
            Reply::Worker(store.fail(&id, &token, &reason).await.unwrap())
        }
        Transition::Abandon => Reply::Worker(store.fail_abandoned(at(1)).await.unwrap() > 0),
    }
}

/// Possible jobs after the actions in any order that explains the replies. `passes_over`: a claim
/// may return nothing although there is a job, if another transaction is changing it (`SKIP
/// LOCKED`); workers retry soon.
fn explained(from: &[Job], deeds: &[Action], replies: &[Reply], passes_over: bool) -> Vec<Job> {
    let all = (1_usize << deeds.len()) - 1;
    let mut reached: Vec<Vec<Job>> = vec![Vec::new(); all + 1];
    reached[0] = from.to_vec();
    let empty_handed = |deed: &Action, reply: &Reply| {
        matches!(deed, Action::Step(Transition::Claim(_))) && *reply == Reply::Worker(false)
    };
    for done in 0..all {
        for job in reached[done].clone() {
            for (index, deed) in deeds.iter().enumerate() {
                let then = done | 1 << index;
                let (mut next, expected_reply) = expected(&job, deed);
                let passed = passes_over && empty_handed(deed, &replies[index]);
                if passed {
                    next = job.clone();
                }
                let fits = passed || expected_reply == replies[index];
                if then != done && fits && !reached[then].contains(&next) {
                    reached[then].push(next);
                }
            }
        }
    }
    reached.pop().unwrap()
}

/// An action for every number; frequent ones advance the job.
fn action(dice: u64) -> Action {
    let worker = dice / 16 % 3;
    let token = format!("token {worker}");
    // Some leases expire immediately, so that the job changes workers.
    let until = if (dice / 64).is_multiple_of(4) {
        1
    } else {
        100
    };
    let lease = |token: &str| lease(token, until);
    Action::Step(match dice % 16 {
        0 | 1 => return Action::Get,
        2..=4 => Transition::Message,
        5 if (dice / 256).is_multiple_of(4) => Transition::Archive,
        6 if (dice / 256).is_multiple_of(4) => Transition::Cancel,
        5..=9 => Transition::Claim(lease(&token)),
        10 => Transition::Renew(lease(&token)),
        11 => Transition::Abandon,
        12 if (dice / 256).is_multiple_of(4) => Transition::Fail {
            token,
            reason: "no".to_owned(),
        },
        13 if (dice / 256).is_multiple_of(4) => Transition::Release { token },
        _ => Transition::Finish {
            token,
            pull_request: Link::try_from(format!("https://git.example/{worker}")).ok(),
        },
    })
}

/// Performs all actions concurrently.
async fn perform_concurrently(store: &Database, deeds: &[Action]) -> Vec<Reply> {
    let barrier = Arc::new(Barrier::new(deeds.len()));
    let mut clients = JoinSet::new();
    for (index, deed) in deeds.iter().cloned().enumerate() {
        let (store, barrier) = (store.clone(), barrier.clone());
        clients.spawn(async move {
            barrier.wait().await;
            (index, perform(&store, deed).await)
        });
    }
    let mut replies = clients.join_all().await;
    replies.sort_by_key(|(index, _)| *index);
    replies.into_iter().map(|(_, reply)| reply).collect()
}

#[test]
fn eight_concurrent_calls_are_linearizable() {
    for database in TestDatabase::all() {
        run(async {
            let mut dice: u64 = 7;
            for _ in 0..4 {
                let database = match &database {
                    TestDatabase::Sqlite(_) => TestDatabase::sqlite(),
                    TestDatabase::Postgres(..) => {
                        database.clear().await;
                        database.clone()
                    }
                };
                let store = database.open().await;
                put_project(&store, "docs").await;
                let new = job("job_a", "docs", 0);
                let change = change("docs", "createJob", 0);
                store.create_job(&new, &change).await.unwrap();
                let mut jobs = vec![new.job];
                for _ in 0..15 {
                    let deeds: Vec<Action> = (0..CLIENTS)
                        .map(|_| {
                            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                            action(dice >> 33)
                        })
                        .collect();
                    let replies = perform_concurrently(&store, &deeds).await;
                    let passes_over = matches!(database, TestDatabase::Postgres(..));
                    jobs = explained(&jobs, &deeds, &replies, passes_over);
                    assert!(!jobs.is_empty(), "no order explains {deeds:?}: {replies:?}");
                }
                let last = perform(&store, Action::Get).await;
                assert!(jobs.iter().any(|job| Reply::Job(job.clone()) == last));
                store.close().await;
            }
        });
    }
}

#[test]
fn the_linearizability_check_rejects_impossible_results() {
    let start = job("job_a", "docs", 0).job;
    let claim = Action::Step(Transition::Claim(lease("token 0", 100)));
    let (_, got) = expected(&start, &claim);
    let from = std::slice::from_ref(&start);
    let twice = [claim.clone(), claim];
    for passes_over in [false, true] {
        let both = [got.clone(), got.clone()];
        assert!(explained(from, &twice, &both, passes_over).is_empty());
        let replies = [Reply::Worker(false), got.clone()];
        assert_eq!(explained(from, &twice, &replies, passes_over).len(), 1);
    }
    let none = [Reply::Worker(false), Reply::Worker(false)];
    assert!(explained(from, &twice, &none, false).is_empty());
    assert_eq!(explained(from, &twice, &none, true), from);
}

async fn fill(store: &Database, count: usize) {
    put_project(store, "docs").await;
    for number in 0..count {
        let new = job(&format!("job_{number:03}"), "docs", number as u64);
        let result = store
            .create_job(&new, &change("docs", "createJob", 0))
            .await;
        assert!(matches!(result, Ok(ChangeResult::Done(_))));
    }
}

/// Claims jobs until none is left.
async fn claim_all(store: Database, worker: usize) -> Vec<String> {
    let mut got = Vec::new();
    loop {
        let lease = Lease {
            token: format!("{worker} {}", got.len()),
            until: at(100),
        };
        match store.claim(&lease, at(1)).await.unwrap() {
            Some(job) => got.push(job.id.to_string()),
            None => return got,
        }
    }
}

#[test]
fn every_job_has_one_worker_and_is_archived_once() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            fill(&store, 40).await;
            // Two servers, if the database supports it.
            let other = database.open().await;
            let mut workers = JoinSet::new();
            for worker in 0..CLIENTS {
                let shared = matches!(database, TestDatabase::Postgres(..)) && worker % 2 == 0;
                let store = if shared { &other } else { &store };
                workers.spawn(claim_all(store.clone(), worker));
            }
            let mut claimed = workers.join_all().await.concat();
            claimed.sort();
            let all: Vec<String> = (0..40).map(|number| format!("job_{number:03}")).collect();
            assert_eq!(claimed, all);
            let (docs, id) = (project_id("docs"), job_id("job_007"));
            let taken = store.job(&docs, &id).await.unwrap().unwrap();
            let svc_admin_api::agent_job::Phase::Active {
                lease: Some(lease), ..
            } = taken.phase
            else {
                panic!("{taken:?}");
            };
            assert!(store.finish(&id, &lease.token, None).await.unwrap());
            let mut clients = JoinSet::new();
            for _ in 0..CLIENTS {
                let (store, docs, id) = (store.clone(), docs.clone(), id.clone());
                let change = change("docs", "archive", 2);
                clients.spawn(async move { store.archive(&docs, &id, &change).await.unwrap() });
            }
            let outcomes = clients.join_all().await;
            let won = outcomes
                .iter()
                .filter(|outcome| matches!(outcome, ChangeResult::Done(_)));
            assert_eq!(won.count(), 1, "{outcomes:?}");
        });
    }
}

#[test]
fn a_request_sent_fifty_times_has_one_effect_and_one_response() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            put_project(&store, "docs").await;
            let mut clients = JoinSet::new();
            for number in 0..50 {
                let store = store.clone();
                clients.spawn(async move {
                    // Every attempt has a new id, as in the API.
                    let new = job(&format!("job_{number}"), "docs", 0);
                    let change = Change {
                        idempotency_key: Some(idempotency_key("the one", 1, 0)),
                        ..change("docs", "createJob", 0)
                    };
                    match store.create_job(&new, &change).await.unwrap() {
                        ChangeResult::Done(job) => (true, change.recorded_response(&job).body),
                        ChangeResult::Replayed(response) => (false, response.body),
                        other => panic!("{other:?}"),
                    }
                });
            }
            let responses = clients.join_all().await;
            assert_eq!(responses.iter().filter(|(first, _)| *first).count(), 1);
            assert!(responses.iter().all(|(_, body)| *body == responses[0].1));
            let entries = store.entries(None, None, 100).await.unwrap();
            assert_eq!(entries.len(), 2, "project and job");
        });
    }
}
