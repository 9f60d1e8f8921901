//! Responses when a dependency fails.

use super::world::{World, guarded};
use crate::{Random, RandomError, StoreError, handle};

#[test]
fn an_unavailable_store_is_503_and_a_corrupt_one_500() {
    // spec: admin.status.503, admin.status.500 accepts
    let (world, key) = World::with_docs();
    for (fault, expected_result) in [
        (
            StoreError::Unavailable("10.0.0.5:5432 refused".to_owned()),
            503,
        ),
        (
            StoreError::Corrupt("relation \"jobs\" is missing".to_owned()),
            500,
        ),
    ] {
        *world.store.fault.lock().unwrap() = Some(fault);
        for line in guarded() {
            let (status, body) = world.call_json(&key, &line, Some(r#"{"prompt":"x"}"#));
            assert_eq!(status, expected_result, "{line}");
            let error = body["error"].as_str().unwrap();
            assert!(
                !error.contains("jobs") && !error.contains("5432"),
                "{error}"
            );
        }
        *world.store.fault.lock().unwrap() = None;
    }
    assert_eq!(
        world.call_json(&key, "GET /v2/agent/docs/jobs", None).0,
        200
    );
}

struct NoRandom;

impl Random for NoRandom {
    fn fill(&self, _: &mut [u8]) -> Result<(), RandomError> {
        Err(RandomError)
    }
}

#[test]
fn without_random_numbers_no_job_is_created() {
    let (world, key) = World::with_docs();
    let context = crate::Context {
        random: &NoRandom,
        ..world.context()
    };
    let body = Some(r#"{"prompt":"x"}"#);
    let request = super::world::request(&key, "POST /v2/agent/docs/job", body);
    let response = super::world::block_on(handle(request, &context));
    assert_eq!(response.status(), 503);
    let (_, list) = world.call_json(&key, "GET /v2/agent/docs/jobs", None);
    assert_eq!(list["jobs"].as_array().unwrap().len(), 0);
}

#[test]
fn the_future_of_a_request_can_go_to_another_thread() {
    fn send<T: Send>(_: &T) {}
    let world = World::new();
    let context = world.context();
    let request = super::world::request("", "GET /v2/openapi.json", None);
    send(&handle(request, &context));
}
