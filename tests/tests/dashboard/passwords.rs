//! The page that changes the own password, and the renewal of password hashes.

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

/// Returns whether the account can sign in with a password.
async fn can_sign_in(world: &World, password: &str) -> Result<bool, BoxError> {
    let fields = [("name", ACCOUNT.0), ("password", password)];
    let response = world.stranger().post("/sign-in", &fields).await?;
    Ok(response.status == StatusCode::SEE_OTHER)
}

async fn actions(world: &World) -> Result<Vec<String>, BoxError> {
    let entries = world.store.entries(None, None, 99).await?;
    let names = entries
        .into_iter()
        .map(|entry| format!("{} {}", entry.entry.action, entry.entry.status));
    Ok(names.collect())
}

#[tokio::test]
async fn a_new_password_ends_all_other_sessions() -> TestResult {
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
    let response = here.post("/password", &fields).await?;
    assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.body);
    let result = here.get(response.header("location")).await?;
    assert!(result.body.contains("Your password was changed."));
    // The session goes on under another token.
    assert_ne!(here.cookie, before);
    assert_eq!(there.get("/").await?.status, StatusCode::SEE_OTHER);
    let mut old = world.stranger();
    old.cookie = before;
    assert_eq!(old.get("/").await?.status, StatusCode::SEE_OTHER);
    assert!(!can_sign_in(&world, ACCOUNT.1).await?);
    assert!(can_sign_in(&world, NEW).await?);
    let entries = world.store.entries(None, None, 99).await?;
    let changed = entries
        .iter()
        .find(|item| item.entry.action == "changePassword");
    let entry = &changed.ok_or("an entry")?.entry;
    assert_eq!(entry.actor, Actor::Person("anna".to_owned()));
    assert_eq!((entry.from, entry.status), (Some(world.peer), 200));
    let text = format!("{entries:?}");
    assert!(!text.contains(NEW) && !text.contains(ACCOUNT.1));
    here.csrf = result.csrf();
    let log = here.get("/audit").await?.body;
    assert!(log.contains("anna</span> changed their password"), "{log}");
    Ok(())
}

#[tokio::test]
async fn an_invalid_form_changes_nothing_and_shows_the_reason() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let (mut anna, mut other) = (world.anna().await?, world.anna().await?);
    let previous = hash(&world.store).await?;
    let long = "x".repeat(1_025);
    for (old, new, repeated, text) in [
        ("wrong", NEW, NEW, "The old password is incorrect."),
        ("", NEW, NEW, "The old password is incorrect."),
        (ACCOUNT.1, NEW, "an even better passwort", "do not match"),
        (ACCOUNT.1, "short", "short", "at least 12 characters"),
        (ACCOUNT.1, "", "", "at least 12 characters"),
        (ACCOUNT.1, &*long, &*long, "at most 1024 bytes"),
    ] {
        let fields = [("old", old), ("new", new), ("again", repeated)];
        let response = anna.post("/password", &fields).await?;
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(response.body.contains(text), "{text}: {}", response.body);
        assert!(response.body.contains("role=\"alert\""));
        // The response does not contain the passwords.
        assert!(!response.body.contains(NEW) && !response.body.contains(ACCOUNT.1));
        assert!(response.headers.get("set-cookie").is_none());
    }
    assert_eq!(hash(&world.store).await?, previous);
    assert_eq!(other.get("/").await?.status, StatusCode::OK);
    let logged = actions(&world).await?;
    let rejections = logged.iter().filter(|item| *item == "changePassword 422");
    assert_eq!(rejections.count(), 2, "{logged:?}");
    let log = anna.get("/audit").await?.body;
    assert!(
        log.contains("anna</span> entered an incorrect old password"),
        "{log}"
    );
    Ok(())
}

#[tokio::test]
async fn attempts_at_the_old_password_are_rate_limited() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let change = async |anna: &mut Person<'_>, old: &str| {
        let fields = [("old", old), ("new", NEW), ("again", NEW)];
        anna.post("/password", &fields).await
    };
    for _ in 0..5 {
        let response = change(&mut anna, "guess").await?;
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let response = change(&mut anna, ACCOUNT.1).await?;
    assert_eq!(response.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.header("retry-after"), "1");
    assert!(response.body.contains("Try again in 1 second."));
    // The limit applies to this browser; the owner can still sign in elsewhere.
    assert!(can_sign_in(&world, ACCOUNT.1).await?);
    world.pass(Duration::from_secs(2));
    let response = change(&mut anna, ACCOUNT.1).await?;
    assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.body);
    assert!(can_sign_in(&world, NEW).await?);
    Ok(())
}

/// Stores the account of the tests with this password hash.
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
async fn an_account_without_password_shows_the_reason() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    put(&world, None).await?;
    let page = anna.get("/password").await?;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains("This account has no password here"));
    assert!(!page.body.contains("type=\"password\""));
    let fields = [("old", ""), ("new", NEW), ("again", NEW)];
    let response = anna.post("/password", &fields).await?;
    assert_eq!(response.status, StatusCode::CONFLICT);
    let account = world.store.account(ACCOUNT.0).await?.ok_or("the account")?;
    assert_eq!(account.password, None);
    Ok(())
}

/// Returns a hash of the password with lower costs than the present ones, as an earlier version may
/// have created.
fn cheap() -> Result<String, BoxError> {
    let costs = Params::new(64, 1, 1, None)?;
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, costs);
    let hash: PasswordHash = hasher.hash_password_with_salt(ACCOUNT.1.as_bytes(), &[7; 16])?;
    Ok(hash.to_string())
}

#[tokio::test]
async fn a_hash_with_other_costs_is_renewed_at_sign_in() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let present = hash(&world.store).await?;
    let cheap = cheap()?;
    put(&world, Some(cheap.clone())).await?;
    assert!(!can_sign_in(&world, "not the password").await?);
    assert_eq!(hash(&world.store).await?, cheap, "it was not shown");
    let mut before = world.anna().await?;
    let new = hash(&world.store).await?;
    assert_ne!(new, cheap);
    let costs = |hash: &str| hash.split('$').take(4).collect::<Vec<_>>().join("$");
    assert_eq!(costs(&new), costs(&present));
    // Session and audit log are not affected, and the hash is not renewed again.
    assert_eq!(before.get("/").await?.status, StatusCode::OK);
    assert!(can_sign_in(&world, ACCOUNT.1).await?);
    assert_eq!(hash(&world.store).await?, new);
    assert!(
        !actions(&world)
            .await?
            .iter()
            .any(|action| action.contains("Password"))
    );
    Ok(())
}
