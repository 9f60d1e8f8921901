//! The page on which people change their own password, and hashes that are made anew.

use std::time::Duration;

use argon2::password_hash::PasswordHasher as _;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, Version};
use http::StatusCode;
use svc_admin_api::account::{Account, AccountStore as _};
use svc_admin_api::audit::{Actor, AuditStore as _, Initiator};
use svc_admin_api::{Change, MemoryStore};
use svc_tests::dashboard::{ACCOUNT, Person, World};

use super::{ORIGIN, TestResult};

const NEW: &str = "an even better password";
const OLD: (&str, &str) = ("old", ACCOUNT.1);

type BoxError = Box<dyn std::error::Error>;

async fn hash(store: &MemoryStore) -> Result<String, BoxError> {
    let account = store.account(ACCOUNT.0).await?.ok_or("the account")?;
    Ok(account.password.ok_or("a password")?)
}

/// Whether the account can sign in with a password.
async fn lets_in(world: &World, password: &str) -> Result<bool, BoxError> {
    let fields = [("name", ACCOUNT.0), ("password", password)];
    let answer = world.stranger().post("/sign-in", &fields).await?;
    Ok(answer.status == StatusCode::SEE_OTHER)
}

async fn actions(world: &World) -> Result<Vec<String>, BoxError> {
    let entries = world.store.entries(None, None, 99).await?;
    let words = entries
        .into_iter()
        .map(|one| format!("{} {}", one.entry.action, one.entry.status));
    Ok(words.collect())
}

#[tokio::test]
async fn a_new_password_ends_the_old_one_and_all_other_sessions() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let (mut here, mut there) = (world.anna().await?, world.anna().await?);
    let page = here.get("/password").await?;
    assert_eq!(page.status, StatusCode::OK);
    for part in [
        "autocomplete=\"current-password\"",
        "autocomplete=\"new-password\"",
        "minlength=\"12\"",
    ] {
        assert!(page.body.contains(part), "{part}");
    }
    assert!(here.get("/").await?.body.contains("href=\"/password\""));
    let before = here.cookie.clone();
    let fields = [OLD, ("new", NEW), ("again", NEW)];
    let answer = here.post("/password", &fields).await?;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let done = here.get(answer.header("location")).await?;
    assert!(done.body.contains("Your password was changed."));
    // The session goes on under another token.
    assert_ne!(here.cookie, before);
    assert_eq!(there.get("/").await?.status, StatusCode::SEE_OTHER);
    let mut old = world.stranger();
    old.cookie = before;
    assert_eq!(old.get("/").await?.status, StatusCode::SEE_OTHER);
    assert!(!lets_in(&world, ACCOUNT.1).await?);
    assert!(lets_in(&world, NEW).await?);
    let entries = world.store.entries(None, None, 99).await?;
    let changed = entries
        .iter()
        .find(|one| one.entry.action == "changePassword");
    let entry = &changed.ok_or("an entry")?.entry;
    assert_eq!(entry.actor, Actor::Person("anna".to_owned()));
    assert_eq!((entry.from, entry.status), (Some(world.peer), 200));
    let text = format!("{entries:?}");
    assert!(!text.contains(NEW) && !text.contains(ACCOUNT.1));
    here.csrf = done.csrf();
    let log = here.get("/audit").await?.body;
    assert!(log.contains("anna</span> changed their password"), "{log}");
    Ok(())
}

#[tokio::test]
async fn what_does_not_fit_changes_nothing_and_says_why() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let (mut anna, mut other) = (world.anna().await?, world.anna().await?);
    let kept = hash(&world.store).await?;
    let long = "x".repeat(1_025);
    for (old, new, again, text) in [
        ("wrong", NEW, NEW, "The old password is incorrect."),
        ("", NEW, NEW, "The old password is incorrect."),
        (ACCOUNT.1, NEW, "an even better passwort", "do not match"),
        (ACCOUNT.1, "short", "short", "at least 12 characters"),
        (ACCOUNT.1, "", "", "at least 12 characters"),
        (ACCOUNT.1, &*long, &*long, "at most 1024 bytes"),
    ] {
        let fields = [("old", old), ("new", new), ("again", again)];
        let answer = anna.post("/password", &fields).await?;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.body.contains(text), "{text}: {}", answer.body);
        assert!(answer.body.contains("role=\"alert\""));
        // What was typed does not come back.
        assert!(!answer.body.contains(NEW) && !answer.body.contains(ACCOUNT.1));
        assert!(answer.headers.get("set-cookie").is_none());
    }
    assert_eq!(hash(&world.store).await?, kept);
    assert_eq!(other.get("/").await?.status, StatusCode::OK);
    let said = actions(&world).await?;
    let refused = said.iter().filter(|one| *one == "changePassword 422");
    assert_eq!(refused.count(), 2, "{said:?}");
    let log = anna.get("/audit").await?.body;
    assert!(
        log.contains("anna</span> entered an incorrect old password"),
        "{log}"
    );
    Ok(())
}

#[tokio::test]
async fn guessing_the_old_password_becomes_slow() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let change = async |anna: &mut Person<'_>, old: &str| {
        let fields = [("old", old), ("new", NEW), ("again", NEW)];
        anna.post("/password", &fields).await
    };
    for _ in 0..5 {
        let answer = change(&mut anna, "guess").await?;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = change(&mut anna, ACCOUNT.1).await?;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.header("retry-after"), "1");
    assert!(answer.body.contains("Try again in 1 second."));
    // It is counted for this browser; its owner gets in elsewhere meanwhile.
    assert!(lets_in(&world, ACCOUNT.1).await?);
    world.pass(Duration::from_secs(2));
    let answer = change(&mut anna, ACCOUNT.1).await?;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert!(lets_in(&world, NEW).await?);
    Ok(())
}

/// Puts an account of the tests into the store as it is said.
async fn put(world: &World, password: Option<String>) -> TestResult {
    let account = Account {
        name: ACCOUNT.0.to_owned(),
        password,
        created_at: world.now(),
        disabled_at: None,
    };
    let by = Initiator {
        actor: Actor::Cli,
        from: None,
    };
    let change = Change::new(&by, world.now(), None, "putAccount", Some("anna"));
    world.store.put_account(&account, &change).await?;
    Ok(())
}

#[tokio::test]
async fn whoever_signs_in_elsewhere_sees_why_there_is_no_password() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    put(&world, None).await?;
    let page = anna.get("/password").await?;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains("This account has no password here"));
    assert!(!page.body.contains("type=\"password\""));
    let fields = [("old", ""), ("new", NEW), ("again", NEW)];
    let answer = anna.post("/password", &fields).await?;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let account = world.store.account(ACCOUNT.0).await?.ok_or("the account")?;
    assert_eq!(account.password, None);
    Ok(())
}

/// A hash of the password of the tests with lower costs than the present ones, as an earlier
/// version may have made.
fn cheap() -> Result<String, BoxError> {
    let costs = Params::new(64, 1, 1, None)?;
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, costs);
    let hash: PasswordHash = hasher.hash_password_with_salt(ACCOUNT.1.as_bytes(), &[7; 16])?;
    Ok(hash.to_string())
}

#[tokio::test]
async fn a_hash_of_other_costs_is_made_anew_at_the_next_right_sign_in() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let present = hash(&world.store).await?;
    let cheap = cheap()?;
    put(&world, Some(cheap.clone())).await?;
    assert!(!lets_in(&world, "not the password").await?);
    assert_eq!(hash(&world.store).await?, cheap, "it was not shown");
    let mut before = world.anna().await?;
    let new = hash(&world.store).await?;
    assert_ne!(new, cheap);
    let costs = |hash: &str| hash.split('$').take(4).collect::<Vec<_>>().join("$");
    assert_eq!(costs(&new), costs(&present));
    // Neither the session nor the log hears of it, and there is nothing more to do.
    assert_eq!(before.get("/").await?.status, StatusCode::OK);
    assert!(lets_in(&world, ACCOUNT.1).await?);
    assert_eq!(hash(&world.store).await?, new);
    assert!(
        !actions(&world)
            .await?
            .iter()
            .any(|one| one.contains("Password"))
    );
    Ok(())
}
