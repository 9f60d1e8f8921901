//! Authentication and authorization.

use std::time::Duration;

use http::{HeaderValue, Request};

use super::world::{CLI, World, block_on, guarded, new_key, request};
use crate::key::{NewKey, revoke_key};
use crate::{OPERATIONS, ProjectId};

/// Invalid values of `Authorization`, each with a description.
fn forms(world: &World, good: &str) -> Vec<(&'static str, Vec<HeaderValue>)> {
    let project = ProjectId::parse("docs").unwrap();
    let (revoked, revoked_secret) = world.create_key(&new_key("docs"));
    let revoke = revoke_key(&world.store, &world.clock, &CLI, &project, &revoked.id);
    assert!(block_on(revoke).unwrap());
    let expired = world.create_key(&NewKey {
        expires_at: Some(world.now().plus(Duration::from_secs(60))),
        ..new_key("docs")
    });
    world.pass(Duration::from_secs(60));
    let unknown = crate::key::KeySecret::generate(&super::world::TestRandom::new(99)).unwrap();
    let last = if good.ends_with('0') { "1" } else { "0" };
    let bad_sum = format!("{}{last}", &good[..41]);
    let header = |text: String| vec![HeaderValue::from_bytes(text.as_bytes()).unwrap()];
    let bearer = |text: &str| header(format!("Bearer {text}"));
    vec![
        ("no header", Vec::new()),
        ("empty", header(String::new())),
        ("only the scheme", header("Bearer".into())),
        ("scheme and space", header("Bearer ".into())),
        ("lower case alone", header("bearer".into())),
        ("no scheme", header(good.to_owned())),
        ("Basic", header("Basic c3ZjOnN2Yw==".into())),
        ("Basic with the key", header(format!("Basic {good}"))),
        ("Digest", header(format!("Digest {good}"))),
        ("other word", header(format!("Token {good}"))),
        ("checksum", bearer(&bad_sum)),
        ("unknown", bearer(unknown.reveal())),
        ("revoked", bearer(revoked_secret.reveal())),
        ("expired", bearer(expired.1.reveal())),
        ("prefix only", bearer("svc_")),
        ("prefix in capitals", bearer(&good.replace("svc_", "SVC_"))),
        ("without prefix", bearer(&good[4..])),
        ("one short", bearer(&good[..41])),
        ("one long", bearer(&format!("{good}0"))),
        ("space before", bearer(&format!(" {good}"))),
        ("space after", bearer(&format!("{good} "))),
        ("in quotes", bearer(&format!("\"{good}\""))),
        ("with a parameter", bearer(&format!("{good}, x=1"))),
        ("two headers", [bearer(good), bearer(good)].concat()),
        ("not text", header(format!("Bearer {good}\u{e9}"))),
        ("a megabyte", bearer(&"a".repeat(1 << 20))),
        ("tab instead of space", header(format!("Bearer\t{good}"))),
    ]
}

#[test]
fn all_invalid_credentials_have_the_same_response() {
    // spec: admin.status.401, admin.auth.bearer refuses
    // spec: admin.status.401 accepts
    let (world, good) = World::with_docs();
    let forms = forms(&world, &good);
    assert!(forms.len() >= 25);
    let mut seen = Vec::new();
    for line in guarded() {
        for (what, values) in &forms {
            // A key in the query is not accepted.
            let (method, path) = line.split_once(' ').unwrap();
            let path = format!("{path}?key={good}&authorization=Bearer%20{good}");
            let mut request = Request::builder().method(method).uri(path);
            for value in values {
                request = request.header("authorization", value);
            }
            let response = world.send(request.body("{}".into()).unwrap());
            assert_eq!(response.status(), 401, "{what}: {line}");
            let headers = format!("{:?}", response.headers());
            seen.push((headers, response.into_body()));
        }
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "all refusals are the same bytes");
    assert!(seen[0].0.contains("www-authenticate"));
}

#[test]
fn every_operation_accepts_a_valid_key() {
    // spec: admin.auth.bearer accepts
    let (world, good) = World::with_docs();
    for line in guarded() {
        for scheme in ["Bearer", "bearer", "BEARER"] {
            let mut request = request("", &line, Some("{}"));
            let value = format!("{scheme} {good}").parse().unwrap();
            request.headers_mut().insert("authorization", value);
            assert_ne!(world.send(request).status(), 401, "{line}");
        }
    }
}

#[test]
fn every_operation_checks_scopes_and_networks() {
    // spec: admin.status.403 accepts
    let mut world = World::new();
    world.project("docs");
    let with = |scopes: &[&str], networks: &[&str]| {
        let new = NewKey {
            scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
            networks: networks.iter().map(|&network| network.to_owned()).collect(),
            ..new_key("docs")
        };
        world.create_key(&new).1.reveal().to_owned()
    };
    let keys = [
        // A key, whether it may write, and whether it may be used from each of the three addresses.
        (with(&["read"], &[]), false, [true, true, true]),
        (with(&["write"], &[]), true, [true, true, true]),
        (
            with(&["read", "write"], &["192.0.2.0/24"]),
            true,
            [true, false, false],
        ),
        (
            with(&["read"], &["198.51.100.7", "2001:db8::/32"]),
            false,
            [false, true, true],
        ),
    ];
    let peers = ["192.0.2.9", "198.51.100.7", "2001:db8::5"];
    for (key, write, allowed_from) in &keys {
        for (peer, is_allowed) in peers.iter().zip(allowed_from) {
            world.peer = peer.parse().unwrap();
            for line in guarded() {
                let (status, body) = world.call_json(key, &line, Some("{}"));
                let allowed = *is_allowed && (*write || line.starts_with("GET"));
                assert_eq!(status == 403, !allowed, "{line} {peer}: {body}");
            }
        }
    }
    // IPv4-mapped IPv6 addresses are treated as IPv4.
    world.peer = "::ffff:192.0.2.77".parse().unwrap();
    let line = "GET /v2/agent/docs/jobs";
    assert_eq!(world.call_json(&keys[2].0, line, None).0, 200);
}

#[test]
fn a_revoked_key_is_rejected_by_the_next_request() {
    let (world, good) = World::with_docs();
    let (key, other) = world.create_key(&new_key("docs"));
    let line = "GET /v2/agent/docs/jobs";
    assert_eq!(world.call_json(other.reveal(), line, None).0, 200);
    let project = ProjectId::parse("docs").unwrap();
    let revoke = || revoke_key(&world.store, &world.clock, &CLI, &project, &key.id);
    assert!(block_on(revoke()).unwrap());
    assert_eq!(world.call_json(other.reveal(), line, None).0, 401);
    assert!(block_on(revoke()).unwrap(), "doing it twice does no harm");
    assert_eq!(
        world.call_json(&good, line, None).0,
        200,
        "the other key goes on"
    );
}

#[test]
fn the_response_to_head_is_that_to_get_without_a_body() {
    let (world, good) = World::with_docs();
    for operation in OPERATIONS.iter().filter(|one| one.method.as_str() == "GET") {
        let path = operation
            .path
            .replace("{projectId}", "docs")
            .replace(['{', '}'], "");
        let get = world.call(&good, &format!("GET {path}"), None);
        let head = world.call(&good, &format!("HEAD {path}"), None);
        assert_eq!(get.status(), head.status());
        assert_eq!(
            head.headers()["content-length"],
            get.body().len().to_string()
        );
    }
}
