//! Invalid bodies and queries.

use bytes::Bytes;
use http::Request;
use proptest::prelude::*;

use super::world::{World, request};

const CREATE: &str = "POST /v2/agent/docs/job";
const PREVIEW: &str = "POST /v1/project/preview/docs";

#[test]
fn invalid_bodies_are_rejected_with_the_reason() {
    // spec: admin.status.400, admin.error accepts
    // spec: admin.deploy.preview, admin.job.model refuses
    let (world, key) = World::with_docs();
    let deep = format!("{{\"prompt\":{}}}", "[".repeat(100_000));
    let many = format!("{{{}\"prompt\":\"x\"}}", "\"a\":1,".repeat(20_000));
    for (body, fragment) in [
        ("", "object"),
        ("null", "object"),
        ("[\"x\"]", "object"),
        ("\"x\"", "object"),
        ("{}", "`prompt`"),
        ("{", "EOF"),
        ("{\"prompt\":\"x\"", "EOF"),
        ("{\"prompt\":\"x\"} x", "trailing"),
        ("{\"prompt\":\"\"}", "1 to 50000"),
        ("{\"prompt\":\"a\\u0000b\"}", "U+0000"),
        ("{\"prompt\":\"\\ud800\"}", ""),
        ("{\"prompt\":7}", "7"),
        ("{\"prompt\":null}", "null"),
        ("{\"prompt\":{\"text\":\"x\"}}", "string"),
        ("{\"prompt\":\"x\",\"prompt\":\"y\"}", "duplicate"),
        ("{\"prompt\":\"x\",\"model\":\"large\"}", "`model`"),
        ("{\"prompt\":\"x\",\"ref\":\"--upload-pack=x\"}", "branch"),
        ("{\"prompt\":\"x\",\"ref\":\"a..b\"}", "branch"),
        ("{\"prompt\":\"x\",\"ref\":5}", "5"),
        (&deep, "sequence"),
        (&many, "`a`"),
    ] {
        let (status, response) = world.call_json(&key, CREATE, Some(body));
        let shown: String = body.chars().take(60).collect();
        assert_eq!(status, 400, "{shown}: {response}");
        let error = response["error"].as_str().unwrap();
        assert!(error.contains(fragment), "{shown}: {error}");
        assert!(error.len() < 1_000);
    }
    let invalid = Request::post("/v2/agent/docs/job")
        .header("authorization", format!("Bearer {key}"))
        .header("content-type", "application/json")
        .body(Bytes::from_static(b"{\"prompt\":\"\xff\"}"));
    assert_eq!(world.send(invalid.unwrap()).status(), 400);
    for body in [
        "{}",
        "{\"branch\":\"\"}",
        "{\"branch\":\"a b\"}",
        "{\"branch\":1}",
    ] {
        assert_eq!(world.call_json(&key, PREVIEW, Some(body)).0, 400, "{body}");
    }
}

#[test]
fn operations_without_a_body_accept_only_empty_ones() {
    let (world, key) = World::with_docs();
    for line in [
        "POST /v1/project/update/docs",
        "POST /v2/agent/docs/job/none/archive",
    ] {
        let none = world.call_json(&key, line, None).0;
        assert_ne!(none, 400);
        assert_eq!(world.call_json(&key, line, Some(" { } ")).0, none);
        for body in ["x", "[]", "{\"a\":1}", "{", "}{"] {
            assert_eq!(world.call_json(&key, line, Some(body)).0, 400, "{body}");
        }
    }
}

#[test]
fn bodies_of_other_content_types_are_rejected() {
    // spec: admin.status.415 accepts
    let (world, key) = World::with_docs();
    let send = |kinds: &[&str]| {
        let mut request = request(&key, CREATE, None);
        for kind in kinds {
            request
                .headers_mut()
                .append("content-type", kind.parse().unwrap());
        }
        *request.body_mut() = Bytes::from_static(b"{\"prompt\":\"x\"}");
        world.send(request).status().as_u16()
    };
    for kinds in [
        &[][..],
        &[""],
        &["text/plain"],
        &["application/x-www-form-urlencoded"],
        &["application/jsonp"],
        &["application/json; charset=utf-16"],
        &["application/json", "text/plain"],
    ] {
        assert_eq!(send(kinds), 415, "{kinds:?}");
    }
    for kind in [
        "application/json",
        "Application/JSON",
        "application/json; charset=UTF-8",
        "application/json;charset=\"utf-8\"",
    ] {
        assert_eq!(send(&[kind]), 201, "{kind}");
    }
}

#[test]
fn oversized_bodies_are_rejected_regardless_of_content() {
    // spec: admin.status.413 accepts
    let (world, key) = World::with_docs();
    let with = |length: usize| {
        let body = format!("{{\"prompt\":\"x\"}}{}", " ".repeat(length - 14));
        assert_eq!(body.len(), length);
        world.call_json(&key, CREATE, Some(&body)).0
    };
    assert_eq!(
        (with(crate::MAX_BODY), with(crate::MAX_BODY + 1)),
        (201, 413)
    );
    let large = "x".repeat(crate::MAX_BODY + 1);
    for line in super::world::guarded() {
        let status = world.call_json(&key, &line, Some(&large)).0;
        let acts = ["message", "cancel", "archive"];
        let exists = !line.contains("/job/") || acts.iter().any(|act| line.ends_with(act));
        assert_eq!(
            status == 413,
            line.starts_with("POST") && exists,
            "{line} {status}"
        );
    }
}

#[test]
fn invalid_queries_are_rejected_with_the_reason() {
    // spec: admin.job.list refuses
    let (world, key) = World::with_docs();
    for (query, fragment) in [
        ("limit=0", "`limit`"),
        ("limit=101", "`limit`"),
        ("limit=-1", "`limit`"),
        ("limit=%2B5", "`limit`"),
        ("limit=", "`limit`"),
        ("limit=1.0", "`limit`"),
        ("limit=99999999999999999999", "`limit`"),
        ("limit=5&limit=5", "twice"),
        ("status=", "`status`"),
        ("status=ACTIVE", "`status`"),
        ("status=active,failed", "`status`"),
        ("cursor=", "`cursor`"),
        ("cursor=MS4x", "`cursor`"),
        ("cursor=%00", "`cursor`"),
        ("state=active", "`state`"),
        ("limit", "`limit`"),
    ] {
        let (status, response) =
            world.call_json(&key, &format!("GET /v2/agent/docs/jobs?{query}"), None);
        assert_eq!(status, 400, "{query}");
        assert!(
            response["error"].as_str().unwrap().contains(fragment),
            "{query}: {response}"
        );
    }
    for query in [
        "",
        "limit=1",
        "limit=100",
        "limit=007",
        "status=failed",
        "&",
    ] {
        let (status, _) = world.call_json(&key, &format!("GET /v2/agent/docs/jobs?{query}"), None);
        assert_eq!(status, 200, "{query}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn no_body_and_no_query_breaks_anything(
        body in prop_oneof![
            "\\PC{0,200}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..200),
            "\\{\"prompt\":\"[^\"\\\\]{0,20}\",?\"?(ref)?\"?:?\"?[a-z.@/]{0,9}\"?\\}".prop_map(String::into_bytes),
        ],
        query in "[a-z0-9%=&+_-]{0,40}",
    ) {
        let (world, key) = World::with_docs();
        for line in [CREATE, PREVIEW, "POST /v1/project/update/docs"] {
            let mut request = request(&key, line, Some(""));
            *request.body_mut() = body.clone().into();
            let status = world.send(request).status().as_u16();
            prop_assert!(matches!(status, 201 | 202 | 400), "{}", status);
        }
        let (status, _) = world.call_json(&key, &format!("GET /v2/agent/docs/jobs?{query}"), None);
        prop_assert!(matches!(status, 200 | 400), "{}", status);
    }
}
