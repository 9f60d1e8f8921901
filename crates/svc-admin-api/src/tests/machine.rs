//! The state machine: every phase with every transition, and invariants of all paths.

use std::collections::VecDeque;
use std::time::Duration;

use proptest::prelude::*;

use super::world::START;
use crate::agent_job::{
    AgentJob, Branch, Job, Lease, Link, MAX_ATTEMPTS, Phase, Repository, Status, Transition,
    TransitionError,
};
use crate::{JobId, ProjectId, Timestamp};

fn now() -> Timestamp {
    Timestamp::from_millis(START)
}

fn lease(token: &str, ahead: u64) -> Lease {
    Lease {
        token: token.to_owned(),
        until: now().plus(Duration::from_millis(ahead)),
    }
}

fn job(phase: Phase) -> Job {
    Job {
        id: JobId::parse("job_1").unwrap(),
        project: ProjectId::parse("docs").unwrap(),
        repository: Repository::try_from("https://git.example/a".to_owned()).unwrap(),
        branch: Some(Branch::try_from("main".to_owned()).unwrap()),
        model: "small".to_owned(),
        created_at: now(),
        turn: 1,
        pull_request: None,
        phase,
    }
}

fn link() -> Link {
    Link::try_from("https://git.example/a/pull/1".to_owned()).unwrap()
}

/// All phases that differ for any transition.
fn phases() -> Vec<Phase> {
    let mut phases = vec![
        Phase::Completed,
        Phase::Failed {
            reason: "x".to_owned(),
        },
        Phase::Archived { at: now() },
    ];
    for attempts in 0..=MAX_ATTEMPTS {
        for lease in [None, Some(lease("mine", 0)), Some(lease("mine", 1))] {
            phases.push(Phase::Active { attempts, lease });
        }
    }
    phases
}

fn steps() -> Vec<Transition> {
    let mut steps = vec![
        Transition::Abandon,
        Transition::Cancel,
        Transition::Message,
        Transition::Archive,
    ];
    for token in ["mine", "other"] {
        steps.push(Transition::Claim(lease(token, 100)));
        steps.push(Transition::Renew(lease(token, 100)));
        for pull_request in [None, Some(link())] {
            let token = token.to_owned();
            steps.push(Transition::Finish {
                token,
                pull_request,
            });
        }
        let token = token.to_owned();
        steps.push(Transition::Release {
            token: token.clone(),
        });
        let reason = "y".to_owned();
        steps.push(Transition::Fail { token, reason });
    }
    steps
}

/// The expected transition table: the status after a transition, or `None` if it is not allowed.
fn expected(phase: &Phase, step: &Transition) -> Option<Status> {
    match (phase, step) {
        (Phase::Active { attempts, lease }, step) => {
            let free = lease.as_ref().is_none_or(|lease| lease.until == now());
            let mine = |token: &str| lease.is_some() && token == "mine";
            match step {
                Transition::Claim(_) => (free && *attempts < 2).then_some(Status::Active),
                Transition::Renew(new) => mine(&new.token).then_some(Status::Active),
                Transition::Release { token } => mine(token).then_some(Status::Active),
                Transition::Finish { token, .. } => mine(token).then_some(Status::Completed),
                Transition::Fail { token, .. } => mine(token).then_some(Status::Failed),
                Transition::Abandon => {
                    (lease.is_some() && free && *attempts == 2).then_some(Status::Failed)
                }
                Transition::Cancel => Some(Status::Failed),
                Transition::Message | Transition::Archive => None,
            }
        }
        (Phase::Completed, Transition::Message) => Some(Status::Active),
        (Phase::Completed | Phase::Failed { .. }, Transition::Archive) => Some(Status::Archived),
        _ => None,
    }
}

#[test]
fn every_phase_allows_exactly_the_transitions_of_the_table() {
    let mut allowed = 0;
    for phase in phases() {
        for step in steps() {
            for pull_request in [None, Some(link())] {
                let before = Job {
                    pull_request,
                    ..job(phase.clone())
                };
                let after = before.apply(&step, now());
                let expected_result = expected(&phase, &step);
                let status = after.as_ref().ok().map(Job::status);
                assert_eq!(status, expected_result, "{phase:?} {step:?}");
                match after {
                    Ok(after) => {
                        allowed += 1;
                        holds(&after);
                        let retained =
                            before.pull_request.is_none() || after.pull_request.is_some();
                        assert!(retained, "{phase:?} {step:?}");
                    }
                    Err(TransitionError::InvalidState(status)) => {
                        assert_eq!(status, before.status());
                    }
                    Err(TransitionError::LeaseLost) => assert_eq!(before.status(), Status::Active),
                }
            }
        }
    }
    assert_eq!(
        allowed,
        2 * (8 + 6 + 6 + 12 + 6 + 1 + 9 + 3),
        "steps that lead on"
    );
}

#[test]
fn a_released_job_does_not_count_as_lost() {
    let mut job = job(Phase::Active {
        attempts: 0,
        lease: None,
    });
    let start = job.clone();
    for _ in 0..10 {
        job = job
            .apply(&Transition::Claim(lease("mine", 1)), now())
            .unwrap();
        let token = "mine".to_owned();
        job = job.apply(&Transition::Release { token }, now()).unwrap();
        assert_eq!(job, start);
    }
}

/// Asserts the invariants of a job.
fn holds(job: &Job) {
    let shown = AgentJob::from(job);
    assert_eq!(
        shown.archived_at.is_some(),
        shown.status == Status::Archived
    );
    assert!(shown.pr_link.is_none() || shown.status != Status::Active);
    assert_eq!(shown.error.is_some(), shown.status == Status::Failed);
    assert_eq!(shown.id, job.id);
}

#[test]
fn all_reachable_phases_are_valid_and_archived_is_final() {
    let start = job(Phase::Active {
        attempts: 0,
        lease: None,
    });
    let mut seen = vec![start.clone()];
    let mut rest = VecDeque::from([start]);
    let later = now().plus(Duration::from_secs(1));
    while let Some(job) = rest.pop_front() {
        holds(&job);
        for time in [now(), later] {
            for step in steps() {
                let Ok(mut next) = job.apply(&step, time) else {
                    continue;
                };
                assert_ne!(job.status(), Status::Archived);
                if job.status() == Status::Failed {
                    assert_eq!(next.status(), Status::Archived);
                }
                // The turn number is unbounded and does not affect transitions.
                next.turn = 1;
                if !seen.contains(&next) {
                    seen.push(next.clone());
                    rest.push_back(next);
                }
            }
        }
    }
    let reached = |status| seen.iter().any(|job| job.status() == status);
    assert!(Status::ALL.into_iter().all(reached));
    assert!(seen.len() > 15, "{}", seen.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn the_invariants_hold_on_every_path(
        path in prop::collection::vec((0..steps().len(), 0..200_u64), 0..50),
    ) {
        let mut job = job(Phase::Active { attempts: 0, lease: None });
        let mut time = now();
        let mut archived = None;
        for (step, passes) in path {
            time = time.plus(Duration::from_millis(passes));
            let turn = job.turn;
            let step = &steps()[step];
            if let Ok(next) = job.apply(step, time) {
                prop_assert!(archived.is_none(), "archived is final");
                job = next;
                prop_assert_eq!(job.turn > turn, *step == Transition::Message);
            }
            holds(&job);
            if archived.is_none() {
                archived = job.archived_at();
            }
            prop_assert_eq!(job.archived_at(), archived);
        }
    }
}
