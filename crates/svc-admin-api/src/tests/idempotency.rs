//! `Idempotency-Key`.

use std::pin::Pin;
use std::task::{Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use super::world::{World, block_on, check_against_documents, request};
use crate::agent_job::JobStore as _;
use crate::handle;
use crate::idempotency::{RESERVATION_TTL, RETENTION};

const CREATE: &str = "POST /v2/agent/docs/job";
const BODY: Option<&str> = Some(r#"{"prompt":"x"}"#);

fn named(key: &str, line: &str, body: Option<&str>, name: &str) -> Request<Bytes> {
    let mut request = request(key, line, body);
    request
        .headers_mut()
        .insert("idempotency-key", name.parse().unwrap());
    request
}

fn parts(response: Response<Bytes>) -> (u16, String, Bytes) {
    let (parts, body) = response.into_parts();
    (parts.status.as_u16(), format!("{:?}", parts.headers), body)
}

fn jobs(world: &World, key: &str) -> usize {
    let (_, list) = world.call_json(key, "GET /v2/agent/docs/jobs?limit=100", None);
    list["jobs"].as_array().unwrap().len()
}

#[test]
fn fifty_concurrent_requests_have_one_effect_and_one_response() {
    let (mut world, key) = World::with_docs();
    for round in 0..4 {
        let name = format!("round-{round}");
        world.store.yields = true;
        let mut responses = all_at_once(&world, 50, || named(&key, CREATE, BODY, &name));
        world.store.yields = false;
        assert_eq!((responses.len(), responses[0].0), (50, 201));
        responses.dedup();
        assert_eq!(responses.len(), 1);
        assert_eq!(jobs(&world, &key), round + 1);
    }
}

/// Sends a request many times with interleaved execution.
fn all_at_once(
    world: &World,
    count: usize,
    make: impl Fn() -> Request<Bytes>,
) -> Vec<(u16, String, Bytes)> {
    let context = world.context();
    let mut open: Vec<Pin<Box<dyn Future<Output = Response<Bytes>> + '_>>> = Vec::new();
    for _ in 0..count {
        open.push(Box::pin(handle(make(), &context)));
    }
    let mut task = std::task::Context::from_waker(Waker::noop());
    let mut responses = Vec::new();
    while !open.is_empty() {
        open.retain_mut(|item| match item.as_mut().poll(&mut task) {
            Poll::Ready(response) => {
                check_against_documents(&http::Method::POST, "/v2/agent/docs/job", &response);
                responses.push(parts(response));
                false
            }
            Poll::Pending => true,
        });
    }
    responses
}

#[test]
fn a_repeated_call_replays_the_first_response() {
    let (world, key) = World::with_docs();
    let job = world.job(&key);
    world.finish_job(None);
    let line = format!("POST /v2/agent/docs/job/{job}/message");
    let first = parts(world.send(named(&key, &line, BODY, "a")));
    assert_eq!(first.0, 200);
    world.finish_job(Some("https://git.example/docs/pull/1"));
    assert_eq!(parts(world.send(named(&key, &line, BODY, "a"))), first);
    let prompts = block_on(world.store.prompts(&crate::JobId::parse(&job).unwrap())).unwrap();
    assert_eq!(prompts.len(), 2);
    let archive = format!("POST /v2/agent/docs/job/{job}/archive");
    let first = parts(world.send(named(&key, &archive, None, "b")));
    assert_eq!(first.0, 200);
    assert_eq!(parts(world.send(named(&key, &archive, None, "b"))), first);
    assert_eq!(world.send(named(&key, &archive, None, "c")).status(), 409);
}

#[test]
fn another_request_with_the_same_key_is_rejected() {
    let (world, key) = World::with_docs();
    let job = world.job(&key);
    assert_eq!(world.send(named(&key, CREATE, BODY, "a")).status(), 201);
    let other = Some(r#"{"prompt":"y"}"#);
    let message = format!("POST /v2/agent/docs/job/{job}/message");
    for (line, body) in [
        (CREATE, other),
        (message.as_str(), BODY),
        ("POST /v1/project/update/docs", None),
        ("POST /v1/project/preview/docs", Some(r#"{"branch":"x"}"#)),
    ] {
        assert_eq!(
            world.send(named(&key, line, body, "a")).status(),
            409,
            "{line}"
        );
    }
    assert_eq!(jobs(&world, &key), 2);
    assert!(world.sites.made.lock().unwrap().is_empty());
    // Another key has its own idempotency keys.
    let second = world.key("docs");
    assert_eq!(world.send(named(&second, CREATE, other, "a")).status(), 201);
}

#[test]
fn errors_are_not_recorded() {
    let (world, key) = World::with_docs();
    let job = world.job(&key);
    let line = format!("POST /v2/agent/docs/job/{job}/archive");
    assert_eq!(world.send(named(&key, &line, None, "a")).status(), 409);
    world.finish_job(None);
    assert_eq!(world.send(named(&key, &line, None, "a")).status(), 200);
}

#[test]
fn recorded_responses_expire_after_a_day() {
    let (world, key) = World::with_docs();
    let send = || parts(world.send(named(&key, CREATE, BODY, "a")));
    let first = send();
    world.pass(RETENTION - Duration::from_millis(1));
    assert_eq!(send(), first);
    world.pass(Duration::from_millis(1));
    assert_ne!(send(), first);
    assert_eq!(jobs(&world, &key), 2);
    use crate::idempotency::IdempotencyStore as _;
    assert_eq!(block_on(world.store.delete_expired(world.now())), Ok(0));
    world.pass(RETENTION);
    assert_eq!(block_on(world.store.delete_expired(world.now())), Ok(1));
}

#[test]
fn invalid_idempotency_keys_are_rejected() {
    let (world, key) = World::with_docs();
    for name in ["", "a b", "a\tb", &"x".repeat(256)] {
        assert_eq!(
            world.send(named(&key, CREATE, BODY, name)).status(),
            400,
            "{name:?}"
        );
    }
    let mut twice = named(&key, CREATE, BODY, "a");
    twice
        .headers_mut()
        .append("idempotency-key", "a".parse().unwrap());
    assert_eq!(world.send(twice).status(), 400);
    assert_eq!(
        world
            .send(named(&key, CREATE, BODY, &"x".repeat(255)))
            .status(),
        201
    );
}

#[test]
fn deployments_are_idempotent() {
    let (mut world, key) = World::with_docs();
    let line = "POST /v1/project/update/docs";
    let first = parts(world.send(named(&key, line, None, "a")));
    assert_eq!(first.0, 202);
    assert_eq!(parts(world.send(named(&key, line, None, "a"))), first);
    assert_eq!(world.sites.made.lock().unwrap().len(), 1);
    // While the first request is in progress, the second one is rejected. An abandoned reservation
    // expires after a minute.
    world.store.yields = true;
    let context = world.context();
    let mut task = std::task::Context::from_waker(Waker::noop());
    let mut hanging = Box::pin(handle(named(&key, line, None, "b"), &context));
    while world.sites.made.lock().unwrap().len() < 2 {
        assert!(hanging.as_mut().poll(&mut task).is_pending());
    }
    let second = block_on(handle(named(&key, line, None, "b"), &context));
    assert_eq!(second.status(), 409);
    drop(hanging);
    world.pass(RESERVATION_TTL);
    assert_eq!(world.send(named(&key, line, None, "b")).status(), 202);
    assert_eq!(world.sites.made.lock().unwrap().len(), 3);
}

#[test]
fn a_failed_trigger_can_be_retried() {
    let (world, key) = World::with_docs();
    let line = "POST /v1/project/update/docs";
    let fault = crate::DeployError::Unavailable("no disk".to_owned());
    *world.sites.fault.lock().unwrap() = Some(fault);
    assert_eq!(world.send(named(&key, line, None, "a")).status(), 503);
    *world.sites.fault.lock().unwrap() = None;
    assert_eq!(world.send(named(&key, line, None, "a")).status(), 202);
}
