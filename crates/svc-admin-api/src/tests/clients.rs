//! Concurrent clients and long sequences of calls, compared with a simple model.

use std::pin::Pin;
use std::task::{Poll, Waker};

use http::Response;
use proptest::prelude::*;
use serde_json::Value;

use super::world::{World, block_on, request};
use crate::agent_job::{JobStore as _, Link};
use crate::handle;

const LINK: &str = "https://git.example/docs/pull/1";

/// An action of a client on the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Get,
    Message,
    Cancel,
    Archive,
    /// A worker claims the job.
    Claim,
    /// The worker finishes, with or without a pull request.
    Finish(bool),
    /// The worker fails.
    Fail,
}

/// Result of an action as seen by the client.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Observation {
    /// Status, and whether there is a pull request.
    Job(&'static str, bool),
    Refused,
    /// Whether the worker's call succeeded.
    Worker(bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Model {
    status: &'static str,
    claimed: bool,
    pull_request: bool,
}

impl Model {
    const START: Self = Self {
        status: "active",
        claimed: false,
        pull_request: false,
    };

    fn observation(self) -> Observation {
        Observation::Job(self.status, self.pull_request && self.status != "active")
    }

    fn after(mut self, deed: Action) -> (Self, Observation) {
        let seen = match (deed, self.status) {
            (Action::Get, _) => self.observation(),
            (Action::Message, "completed") => {
                (self.status, self.claimed) = ("active", false);
                self.observation()
            }
            (Action::Archive, "completed" | "failed") => {
                self.status = "archived";
                self.observation()
            }
            (Action::Cancel, "active") => {
                self.status = "failed";
                self.observation()
            }
            (Action::Message | Action::Cancel | Action::Archive, _) => Observation::Refused,
            (Action::Claim, "active") if !self.claimed => {
                self.claimed = true;
                Observation::Worker(true)
            }
            (Action::Finish(pull_request), "active") if self.claimed => {
                (self.status, self.pull_request) = ("completed", self.pull_request || pull_request);
                Observation::Worker(true)
            }
            (Action::Fail, "active") if self.claimed => {
                self.status = "failed";
                Observation::Worker(true)
            }
            _ => Observation::Worker(false),
        };
        (self, seen)
    }
}

/// A client in the middle of an action.
type Client<'a> = Pin<Box<dyn Future<Output = Observation> + 'a>>;

fn client<'a>(world: &'a World, key: &'a str, job: &'a str, deed: Action) -> Client<'a> {
    Box::pin(async move {
        let id = crate::JobId::parse(job).unwrap();
        let line = match deed {
            Action::Get => format!("GET /v2/agent/docs/job/{job}"),
            Action::Message => format!("POST /v2/agent/docs/job/{job}/message"),
            Action::Cancel => format!("POST /v2/agent/docs/job/{job}/cancel"),
            Action::Archive => format!("POST /v2/agent/docs/job/{job}/archive"),
            Action::Claim => {
                let lease = world.lease("w");
                let claimed = world.store.claim(&lease, world.now()).await;
                return Observation::Worker(claimed.unwrap().is_some());
            }
            Action::Finish(changed) => {
                let link = changed.then(|| Link::try_from(LINK.to_owned()).unwrap());
                let result = world.store.finish(&id, "w", link.as_ref()).await;
                return Observation::Worker(result.unwrap());
            }
            Action::Fail => {
                return Observation::Worker(world.store.fail(&id, "w", "no").await.unwrap());
            }
        };
        let body = (deed == Action::Message).then_some(r#"{"prompt":"more"}"#);
        seen(&handle(request(key, &line, body), &world.context()).await)
    })
}

fn seen(response: &Response<bytes::Bytes>) -> Observation {
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    match response.status().as_u16() {
        200 => {
            let status = ["active", "completed", "archived", "failed"]
                .into_iter()
                .find(|status| body["status"] == *status)
                .unwrap();
            assert_eq!(body["archivedAt"].is_string(), status == "archived");
            Observation::Job(status, body["prLink"] == LINK)
        }
        409 => Observation::Refused,
        other => panic!("{other}: {body}"),
    }
}

/// Polls the clients in the order of a schedule until all are done.
fn interleave(clients: Vec<Client<'_>>, schedule: &[usize]) -> Vec<Observation> {
    let mut task = std::task::Context::from_waker(Waker::noop());
    let mut observations: Vec<Option<Observation>> = clients.iter().map(|_| None).collect();
    let mut clients: Vec<Option<Client<'_>>> = clients.into_iter().map(Some).collect();
    let count = clients.len();
    let rounds = schedule.iter().copied().chain((0..count).cycle());
    for at in rounds {
        if let Some(client) = &mut clients[at % count]
            && let Poll::Ready(seen) = client.as_mut().poll(&mut task)
        {
            observations[at % count] = Some(seen);
            clients[at % count] = None;
            if clients.iter().all(Option::is_none) {
                break;
            }
        }
    }
    observations.into_iter().map(Option::unwrap).collect()
}

/// Possible states of the model after the actions in any order that explains the observations.
fn explained(from: &[Model], deeds: &[Action], observations: &[Observation]) -> Vec<Model> {
    let all = (1_usize << deeds.len()) - 1;
    let mut reached: Vec<Vec<Model>> = vec![Vec::new(); all + 1];
    reached[0] = from.to_vec();
    for done in 0..all {
        for model in reached[done].clone() {
            for (at, deed) in deeds.iter().enumerate() {
                let (next, seen) = model.after(*deed);
                let then = done | 1 << at;
                if then != done && seen == observations[at] && !reached[then].contains(&next) {
                    reached[then].push(next);
                }
            }
        }
    }
    reached.pop().unwrap_or_default()
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        2 => Just(Action::Get),
        2 => Just(Action::Message),
        1 => Just(Action::Cancel),
        1 => Just(Action::Archive),
        4 => Just(Action::Claim),
        3 => any::<bool>().prop_map(Action::Finish),
        1 => Just(Action::Fail),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn sequential_calls_match_the_model(deeds in prop::collection::vec(action(), 1..50)) {
        let (world, key) = World::with_docs();
        let mut model = Model::START;
        let job = world.job(&key);
        for deed in deeds {
            let (next, expected_result) = model.after(deed);
            model = next;
            prop_assert_eq!(block_on(client(&world, &key, &job, deed)), expected_result, "{:?}", deed);
        }
    }

    #[test]
    fn eight_concurrent_calls_are_linearizable(
        rounds in prop::collection::vec(prop::collection::vec(action(), 8), 1..4),
        schedule in prop::collection::vec(0_usize..8, 0..60),
    ) {
        let (mut world, key) = World::with_docs();
        let job = world.job(&key);
        world.store.yields = true;
        let mut models = vec![Model::START];
        for deeds in rounds {
            let clients = deeds.iter().map(|deed| client(&world, &key, &job, *deed));
            let observations = interleave(clients.collect(), &schedule);
            models = explained(&models, &deeds, &observations);
            prop_assert!(!models.is_empty(), "no order explains {:?}: {:?}", deeds, observations);
        }
    }

    #[test]
    fn a_job_has_one_worker_for_any_number_of_claims(
        schedule in prop::collection::vec(0_usize..8, 0..40),
    ) {
        let (mut world, key) = World::with_docs();
        let jobs = [world.job(&key), world.job(&key), world.job(&key)];
        world.store.yields = true;
        let claims = (0..8).map(|_| client(&world, &key, &jobs[0], Action::Claim));
        let observations = interleave(claims.collect(), &schedule);
        let got = observations.iter().filter(|seen| **seen == Observation::Worker(true)).count();
        prop_assert_eq!(got, jobs.len());
    }
}

#[test]
fn the_linearizability_check_rejects_impossible_results() {
    let deeds = [Action::Claim, Action::Claim];
    let both = [Observation::Worker(true), Observation::Worker(true)];
    assert!(explained(&[Model::START], &deeds, &both).is_empty());
    let one = [Observation::Worker(false), Observation::Worker(true)];
    assert_eq!(explained(&[Model::START], &deeds, &one).len(), 1);
}
