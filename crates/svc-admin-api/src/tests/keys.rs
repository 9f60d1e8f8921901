//! Creating keys.

use std::time::Duration;

use super::world::{CLI, World, block_on, new_key};
use crate::ProjectId;
use crate::key::{CreateKeyError, KeyStore as _, NewKey, Scope, create_key, revoke_key};
use crate::rate_limit::{Quota, RateLimits};

fn make(
    world: &World,
    new: &NewKey,
) -> Result<(crate::key::Key, crate::key::KeySecret), CreateKeyError> {
    block_on(create_key(
        &world.store,
        &world.clock,
        &world.dice,
        &world.limits,
        &CLI,
        new,
    ))
}

#[test]
fn invalid_parameters_create_no_key() {
    let world = World::new();
    world.project("docs");
    let strings = |strings: &[&str]| {
        strings
            .iter()
            .map(|&text| text.to_owned())
            .collect::<Vec<_>>()
    };
    let wishes = [
        NewKey {
            name: String::new(),
            ..new_key("docs")
        },
        NewKey {
            name: " ".to_owned(),
            ..new_key("docs")
        },
        NewKey {
            name: "a\nb".to_owned(),
            ..new_key("docs")
        },
        NewKey {
            name: "x".repeat(101),
            ..new_key("docs")
        },
        NewKey {
            scopes: Vec::new(),
            ..new_key("docs")
        },
        NewKey {
            scopes: strings(&["read", "admin"]),
            ..new_key("docs")
        },
        NewKey {
            networks: strings(&["0.0.0.0/0"]),
            ..new_key("docs")
        },
        NewKey {
            networks: strings(&["::/0"]),
            ..new_key("docs")
        },
        NewKey {
            networks: strings(&["here"]),
            ..new_key("docs")
        },
        NewKey {
            networks: strings(&["10.0.0.1"; 65]),
            ..new_key("docs")
        },
        NewKey {
            expires_at: Some(world.now()),
            ..new_key("docs")
        },
        new_key("nothing"),
    ];
    for new in wishes {
        assert!(make(&world, &new).is_err(), "{new:?}");
    }
    let docs = ProjectId::parse("docs").unwrap();
    assert_eq!(block_on(world.store.keys(&docs)), Ok(Vec::new()));
}

#[test]
fn a_key_is_listed_without_its_secret_and_with_its_last_use() {
    let world = World::new();
    let docs = world.project("docs");
    let (_, secret) = world.create_key(&NewKey {
        scopes: vec!["read".to_owned()],
        ..new_key("docs")
    });
    world.pass(Duration::from_secs(1));
    let (second, _) = world.create_key(&new_key("docs"));
    let keys = block_on(world.store.keys(&docs)).unwrap();
    assert_eq!((keys.len(), &keys[0].id), (2, &second.id));
    assert_eq!((keys[1].scope, keys[1].last_used_at), (Scope::Read, None));
    let dump = format!("{keys:?}") + &serde_json::to_string(&keys).unwrap();
    let text = secret.reveal();
    assert!(!dump.contains(&text[12..28]) && !dump.contains(&text[20..]));
    let line = "GET /v2/agent/docs/jobs";
    let used = || {
        block_on(world.store.keys(&docs)).unwrap()[1]
            .last_used_at
            .unwrap()
    };
    world.call(text, line, None);
    let first = world.now();
    assert_eq!(used(), first);
    world.pass(Duration::from_secs(59));
    world.call(text, line, None);
    assert_eq!(used(), first, "known to the minute");
    world.pass(Duration::from_secs(1));
    world.call(text, line, None);
    assert_eq!(used(), world.now());
}

#[test]
fn keys_expire_to_the_millisecond() {
    let world = World::new();
    world.project("docs");
    let end = world.now().plus(Duration::from_secs(60));
    let (_, secret) = world.create_key(&NewKey {
        expires_at: Some(end),
        ..new_key("docs")
    });
    let status = || {
        world
            .call(secret.reveal(), "GET /v2/agent/docs/jobs", None)
            .status()
    };
    world.pass(Duration::from_millis(59_999));
    assert_eq!(status(), 200);
    world.pass(Duration::from_millis(1));
    assert_eq!(status(), 401);
}

#[test]
fn a_key_of_another_project_cannot_be_revoked() {
    let world = World::new();
    world.project("docs");
    let other = world.project("other");
    let (key, secret) = world.create_key(&new_key("docs"));
    let revoked = revoke_key(&world.store, &world.clock, &CLI, &other, &key.id);
    assert_eq!(block_on(revoked), Ok(false));
    assert_eq!(
        world
            .call(secret.reveal(), "GET /v2/agent/docs/jobs", None)
            .status(),
        200
    );
}

#[test]
fn the_rate_of_new_keys_is_limited_per_project() {
    let world = World::limited(RateLimits {
        new_keys: Quota::per(2, Duration::from_secs(3600)),
        ..RateLimits::default()
    });
    world.project("docs");
    assert!(make(&world, &new_key("docs")).is_ok() && make(&world, &new_key("docs")).is_ok());
    assert_eq!(
        make(&world, &new_key("docs")).err(),
        Some(CreateKeyError::TooMany(1800))
    );
    world.pass(Duration::from_secs(1800));
    assert!(make(&world, &new_key("docs")).is_ok());
}
