//! Making keys.

use std::time::Duration;

use super::world::{SHELL, World, block_on, wish};
use crate::ProjectId;
use crate::key::{KeyRefused, KeyStore as _, NewKey, Scope, create_key, revoke_key};
use crate::limits::{Rate, Rates};

fn make(world: &World, new: &NewKey) -> Result<(crate::key::Key, crate::key::Secret), KeyRefused> {
    block_on(create_key(
        &world.store,
        &world.clock,
        &world.dice,
        &world.limits,
        &SHELL,
        new,
    ))
}

#[test]
fn what_does_not_fit_makes_no_key() {
    let world = World::new();
    world.project("docs");
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let wishes = [
        NewKey {
            name: String::new(),
            ..wish("docs")
        },
        NewKey {
            name: " ".to_owned(),
            ..wish("docs")
        },
        NewKey {
            name: "a\nb".to_owned(),
            ..wish("docs")
        },
        NewKey {
            name: "x".repeat(101),
            ..wish("docs")
        },
        NewKey {
            scopes: Vec::new(),
            ..wish("docs")
        },
        NewKey {
            scopes: words(&["read", "admin"]),
            ..wish("docs")
        },
        NewKey {
            networks: words(&["0.0.0.0/0"]),
            ..wish("docs")
        },
        NewKey {
            networks: words(&["::/0"]),
            ..wish("docs")
        },
        NewKey {
            networks: words(&["here"]),
            ..wish("docs")
        },
        NewKey {
            networks: words(&["10.0.0.1"; 65]),
            ..wish("docs")
        },
        NewKey {
            expires_at: Some(world.now()),
            ..wish("docs")
        },
        wish("nothing"),
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
    let (_, secret) = world.make(&NewKey {
        scopes: vec!["read".to_owned()],
        ..wish("docs")
    });
    world.pass(Duration::from_secs(1));
    let (second, _) = world.make(&wish("docs"));
    let keys = block_on(world.store.keys(&docs)).unwrap();
    assert_eq!((keys.len(), &keys[0].id), (2, &second.id));
    assert_eq!((keys[1].scope, keys[1].last_used_at), (Scope::Read, None));
    let kept = format!("{keys:?}") + &serde_json::to_string(&keys).unwrap();
    let text = secret.reveal();
    assert!(!kept.contains(&text[12..28]) && !kept.contains(&text[20..]));
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
    let (_, secret) = world.make(&NewKey {
        expires_at: Some(end),
        ..wish("docs")
    });
    let ask = || {
        world
            .call(secret.reveal(), "GET /v2/agent/docs/jobs", None)
            .status()
    };
    world.pass(Duration::from_millis(59_999));
    assert_eq!(ask(), 200);
    world.pass(Duration::from_millis(1));
    assert_eq!(ask(), 401);
}

#[test]
fn a_key_of_another_project_cannot_be_revoked() {
    let world = World::new();
    world.project("docs");
    let other = world.project("other");
    let (key, secret) = world.make(&wish("docs"));
    let revoked = revoke_key(&world.store, &world.clock, &SHELL, &other, &key.id);
    assert_eq!(block_on(revoked), Ok(false));
    assert_eq!(
        world
            .call(secret.reveal(), "GET /v2/agent/docs/jobs", None)
            .status(),
        200
    );
}

#[test]
fn a_project_makes_so_many_keys_an_hour() {
    let world = World::limited(Rates {
        new_keys: Rate::per(2, Duration::from_secs(3600)),
        ..Rates::default()
    });
    world.project("docs");
    assert!(make(&world, &wish("docs")).is_ok() && make(&world, &wish("docs")).is_ok());
    assert_eq!(
        make(&world, &wish("docs")).err(),
        Some(KeyRefused::TooMany(1800))
    );
    world.pass(Duration::from_secs(1800));
    assert!(make(&world, &wish("docs")).is_ok());
}
