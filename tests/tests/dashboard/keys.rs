//! The page of the keys.

use http::StatusCode;
use svc_admin_api::audit::{Actor, AuditStore as _};
use svc_admin_api::key::{KeySecret, KeyStore as _, Scope};
use svc_admin_api::{MemoryStore, ProjectId};
use svc_tests::dashboard::World;

use super::{ORIGIN, TestResult};

const PAGE: &str = "/projects/docs/keys";

fn docs() -> ProjectId {
    ProjectId::parse("docs").expect("a name")
}

async fn actions(store: &MemoryStore) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let entries = store.entries(Some(&docs()), None, 10).await?;
    let by = Actor::Person("anna".to_owned());
    let matching = entries.into_iter().filter(|entry| entry.entry.actor == by);
    Ok(matching.map(|entry| entry.entry.action).collect())
}

#[tokio::test]
async fn a_key_is_shown_once_and_works() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let page = anna.get(PAGE).await?.body;
    assert!(page.contains("<code>docs</code>") && page.contains("No active key"));
    let fields = [
        ("name", "CI & <b>more</b>"),
        ("scope", "read"),
        ("networks", "192.0.2.0/24\r\n2001:db8::/32"),
        ("days", "30"),
    ];
    let result = anna.post(PAGE, &fields).await?;
    assert_eq!(
        (result.status, result.header("cache-control")),
        (StatusCode::OK, "no-store")
    );
    let secret = result.body.split("<code>svc_").nth(1).ok_or("the key")?;
    let secret = format!("svc_{}", secret.split('<').next().unwrap_or_default());
    let secret = KeySecret::parse(&secret).ok_or(secret)?;
    let key = world.store.key_by_lookup(secret.lookup()).await?;
    let key = key.ok_or("the kept key")?;
    assert!(key.matches(&secret));
    assert_eq!((key.scope, key.networks.len()), (Scope::Read, 2));
    let life = key
        .expires_at
        .map(|end| end.millis() - world.now().millis());
    assert_eq!(life, Some(30 * 86_400_000));
    assert!(
        result.body.contains("CI &#38; &#60;b&#62;more&#60;/b&#62;"),
        "{}",
        result.body
    );
    let list = anna.get(PAGE).await?.body;
    assert!(!list.contains(secret.reveal()), "shown twice");
    assert!(list.contains(secret.lookup()) && list.contains("Never used"));
    assert!(list.contains("192.0.2.0/24, 2001:db8::/32"));
    world.store.touch_key(&key.id, world.now()).await?;
    assert!(anna.get(PAGE).await?.body.contains("Used <time"));
    assert_eq!(actions(&world.store).await?, ["createKey"]);
    Ok(())
}

#[tokio::test]
async fn invalid_input_is_reported_and_retained_in_the_form() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    for (fields, text) in [
        (
            [("name", " "), ("scope", "read"), ("networks", "")],
            "name of a key",
        ),
        (
            [("name", "a"), ("scope", "admin"), ("networks", "")],
            "scopes of a key",
        ),
        (
            [
                ("name", "<i>x"),
                ("scope", "read"),
                ("networks", "0.0.0.0/0"),
            ],
            "<code>0.0.0.0/0</code> is not a network",
        ),
    ] {
        let response = anna.post(PAGE, &fields).await?;
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(response.body.contains(text) && response.body.contains("role=\"alert\""));
        assert!(!response.body.contains("<i>x"));
        assert!(
            response
                .body
                .contains("<details class=\"dash-card dash-fold\" open")
        );
    }
    let response = anna
        .post("/projects/other/keys", &[("name", "a"), ("scope", "read")])
        .await?;
    assert_eq!(response.status, StatusCode::NOT_FOUND);
    assert!(world.store.keys(&docs()).await?.is_empty());
    assert_eq!(actions(&world.store).await?, [""; 0]);
    Ok(())
}

#[tokio::test]
async fn a_key_is_revoked_after_confirmation() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    anna.post(PAGE, &[("name", "CI"), ("scope", "write")])
        .await?;
    let key = world.store.keys(&docs()).await?.remove(0);
    let path = format!("{PAGE}/{}/revoke", key.id);
    let confirmation = anna.get(&path).await?.body;
    assert!(confirmation.contains("Revoke “CI”?") && confirmation.contains("never"));
    assert!(
        world.store.keys(&docs()).await?[0].is_live(world.now()),
        "the confirmation page changes nothing"
    );
    let other = anna.post(&path.replace("docs", "blog"), &[]).await?;
    assert_eq!(other.status, StatusCode::NOT_FOUND);
    let response = anna.post(&path, &[]).await?;
    assert_eq!(
        response.header("location"),
        "/projects/docs/keys?done=revoked"
    );
    assert!(!world.store.keys(&docs()).await?[0].is_live(world.now()));
    let list = anna.get(response.header("location")).await?.body;
    assert!(list.contains("The key was revoked.") && list.contains("Revoked</span>"));
    assert_eq!(actions(&world.store).await?, ["revokeKey", "createKey"]);
    Ok(())
}

#[tokio::test]
async fn creating_keys_is_rate_limited() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let fields = [("name", "a"), ("scope", "read")];
    for _ in 0..10 {
        assert_eq!(anna.post(PAGE, &fields).await?.status, StatusCode::OK);
    }
    let response = anna.post(PAGE, &fields).await?;
    assert_eq!(response.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.header("retry-after"), "360");
    assert!(response.body.contains("Try again in 6 minutes."));
    Ok(())
}
