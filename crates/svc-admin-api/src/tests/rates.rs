//! Rate limits.

use std::time::Duration;

use super::world::{World, request};
use crate::rate_limit::{Quota, RateLimits};

const LIST: &str = "GET /v2/agent/docs/jobs";
const CREATE: &str = "POST /v2/agent/docs/job";
const BODY: Option<&str> = Some(r#"{"prompt":"x"}"#);

/// A quota per ten seconds.
const fn few(burst: u32) -> Quota {
    Quota::per(burst, Duration::from_secs(10))
}

#[test]
fn a_key_has_to_wait_and_others_do_not() {
    // spec: admin.status.429 accepts
    let world = World::limited(RateLimits {
        key: few(5),
        ..RateLimits::default()
    });
    world.project("docs");
    let (key, other) = (world.key("docs"), world.key("docs"));
    for _ in 0..5 {
        assert_eq!(world.call_json(&key, LIST, None).0, 200);
    }
    let response = world.call(&key, LIST, None);
    assert_eq!(response.status(), 429);
    assert_eq!(response.headers()["retry-after"], "2");
    assert_eq!(world.call_json(&other, LIST, None).0, 200);
    world.pass(Duration::from_secs(2));
    assert_eq!(world.call_json(&key, LIST, None).0, 200);
    assert_eq!(world.call_json(&key, LIST, None).0, 429);
}

#[test]
fn unauthenticated_requests_are_limited_per_network() {
    let mut world = World::limited(RateLimits {
        unauthenticated: few(5),
        ..RateLimits::default()
    });
    world.project("docs");
    let (key, used) = (world.key("docs"), world.key("docs"));
    assert_eq!(world.call_json(&used, LIST, None).0, 200);
    for _ in 0..5 {
        assert_eq!(world.call_json("svc_wrong", LIST, None).0, 401);
    }
    assert_eq!(world.call_json("", LIST, None).0, 429);
    assert_eq!(
        world.call_json(&key, LIST, None).0,
        429,
        "keys of that network are not checked"
    );
    assert_eq!(
        world.call_json(&used, LIST, None).0,
        200,
        "except for keys that were valid before"
    );
    world.peer = [192, 0, 2, 2].into();
    assert_eq!(world.call_json(&key, LIST, None).0, 200);
    assert_eq!(world.call_json("svc_wrong", LIST, None).0, 401);
    world.peer = [192, 0, 2, 1].into();
    world.pass(Duration::from_secs(10));
    assert_eq!(world.call_json(&key, LIST, None).0, 200);
}

#[test]
fn authenticated_requests_do_not_count_as_unauthenticated() {
    let world = World::limited(RateLimits {
        unauthenticated: few(1),
        ..RateLimits::default()
    });
    world.project("docs");
    let key = world.key("docs");
    for _ in 0..50 {
        assert_eq!(world.call_json(&key, LIST, None).0, 200);
    }
}

#[test]
fn prompts_and_deployments_are_limited_per_project() {
    let world = World::limited(RateLimits {
        prompts: few(3),
        updates: few(2),
        previews: few(1),
        ..RateLimits::default()
    });
    world.project("docs");
    world.project("other");
    // Both keys of a project share its quota.
    let keys = [world.key("docs"), world.key("docs")];
    let other = world.key("other");
    let count = |line: &str, body: Option<&str>| {
        let turns = (0..6).map(|turn| world.call_json(&keys[turn % 2], line, body).0);
        turns.filter(|status| *status != 429).count()
    };
    // Requests rejected for another reason are not counted.
    assert_eq!(count(CREATE, Some("{}")), 6);
    assert_eq!(count("POST /v2/agent/docs/job/none/message", BODY), 6);
    assert_eq!(count(CREATE, BODY), 3);
    assert_eq!(count("POST /v1/project/update/docs", None), 2);
    assert_eq!(
        count("POST /v1/project/preview/docs", Some(r#"{"branch":"a"}"#)),
        1
    );
    assert_eq!(
        world.call_json(&other, "POST /v2/agent/other/job", BODY).0,
        201
    );
}

#[test]
fn a_repeated_call_does_not_count() {
    let world = World::limited(RateLimits {
        prompts: few(2),
        ..RateLimits::default()
    });
    world.project("docs");
    let key = world.key("docs");
    for _ in 0..9 {
        let mut request = request(&key, CREATE, BODY);
        request
            .headers_mut()
            .insert("idempotency-key", "a".parse().unwrap());
        assert_eq!(world.send(request).status(), 201);
    }
    assert_eq!(world.call_json(&key, CREATE, BODY).0, 201);
    assert_eq!(world.call_json(&key, CREATE, BODY).0, 429);
}

#[test]
fn public_operations_have_a_separate_limit() {
    let world = World::limited(RateLimits {
        public: few(2),
        ..RateLimits::default()
    });
    world.project("docs");
    let key = world.key("docs");
    let line = "GET /v2/openapi.json";
    let status = || world.call("", line, None).status().as_u16();
    assert_eq!([status(), status(), status()], [200, 200, 429]);
    assert_eq!(world.call_json(&key, LIST, None).0, 200);
}

#[test]
fn a_clock_set_back_does_not_block_clients() {
    use std::sync::atomic::Ordering;
    let world = World::limited(RateLimits::default());
    world.project("docs");
    let key = world.key("docs");
    for hours in [0, -1, 24, -48, 12] {
        world
            .clock
            .0
            .fetch_add(hours * 3_600_000, Ordering::Relaxed);
        assert_eq!(world.call_json(&key, LIST, None).0, 200, "{hours}");
    }
}
