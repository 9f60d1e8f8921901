//! Signing in and out.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use http::{Request, StatusCode, header};
use svc_admin_api::Change;
use svc_admin_api::account::AccountStore as _;
use svc_admin_api::audit::{Actor, AuditStore as _, Initiator};
use svc_tests::dashboard::{ACCOUNT, World, form};

use super::{ORIGIN, TestResult};

const HOUR: Duration = Duration::from_secs(3600);
const NAME: (&str, &str) = ("name", ACCOUNT.0);
const PASSWORD: (&str, &str) = ("password", ACCOUNT.1);

#[tokio::test]
async fn the_cookie_is_host_only_and_hidden_from_scripts() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut person = world.stranger();
    let response = person.post("/sign-in", &[NAME, PASSWORD]).await?;
    assert_eq!(
        (response.status.as_u16(), response.header("location")),
        (303, "/")
    );
    let cookie = response.header("set-cookie");
    let (pair, rest) = cookie.split_once("; ").ok_or("a cookie with attributes")?;
    let token = pair.strip_prefix("__Host-svc_session=").ok_or("the name")?;
    assert_eq!(token.len(), 43, "256 bits: {token}");
    let mut parts: Vec<&str> = rest.split("; ").collect();
    parts.sort_unstable();
    assert_eq!(
        parts,
        [
            "HttpOnly",
            "Max-Age=604800",
            "Path=/",
            "SameSite=Lax",
            "Secure"
        ]
    );
    let local = World::new("http://127.0.0.1:8081").await?;
    let response = local.stranger().post("/sign-in", &[NAME, PASSWORD]).await?;
    let cookie = response.header("set-cookie");
    assert!(
        cookie.starts_with("svc_session=") && !cookie.contains("Secure"),
        "{cookie}"
    );
    Ok(())
}

#[tokio::test]
async fn session_fixation_is_prevented() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let planted = "__Host-svc_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let mut person = world.stranger();
    person.cookie = Some(planted.to_owned());
    assert_eq!(person.get("/").await?.status, StatusCode::SEE_OTHER);
    person.post("/sign-in", &[NAME, PASSWORD]).await?;
    let first = person.cookie.clone().ok_or("signed in")?;
    assert_ne!(first, planted);
    // A second sign-in issues a new token and ends the previous session.
    let second = person.post("/sign-in", &[NAME, PASSWORD]).await?;
    assert_eq!(second.status, StatusCode::SEE_OTHER);
    assert_ne!(person.cookie.as_deref(), Some(first.as_str()));
    assert_eq!(person.get("/").await?.status, StatusCode::OK);
    for old in [planted, &first] {
        person.cookie = Some(old.to_owned());
        assert_eq!(person.get("/").await?.status, StatusCode::SEE_OTHER);
    }
    Ok(())
}

#[tokio::test]
async fn a_session_ends_when_it_is_idle_and_after_a_week() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    for _ in 0..15 {
        world.pass(11 * HOUR);
        assert_eq!(anna.get("/").await?.status, StatusCode::OK);
    }
    world.pass(4 * HOUR);
    assert_eq!(anna.get("/").await?.status, StatusCode::SEE_OTHER, "a week");
    let mut anna = world.anna().await?;
    world.pass(13 * HOUR);
    assert_eq!(anna.get("/").await?.status, StatusCode::SEE_OTHER, "idle");
    Ok(())
}

#[tokio::test]
async fn signing_out_ends_the_session_at_the_server() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let (mut here, mut there) = (world.anna().await?, world.anna().await?);
    let old_cookie = here.cookie.clone();
    let response = here.post("/sign-out", &[]).await?;
    assert_eq!(response.header("location"), "/sign-in?done=out");
    assert!(response.header("set-cookie").contains("Max-Age=0"));
    here.cookie = old_cookie;
    assert_eq!(here.get("/").await?.status, StatusCode::SEE_OTHER);
    assert_eq!(there.get("/").await?.status, StatusCode::OK);
    let (mut third, other) = (world.anna().await?, there.cookie.clone());
    let response = third.post("/sign-out", &[("everywhere", "yes")]).await?;
    assert_eq!(response.header("location"), "/sign-in?done=everywhere");
    there.cookie = other;
    assert_eq!(there.get("/").await?.status, StatusCode::SEE_OTHER);
    Ok(())
}

#[tokio::test]
async fn disabling_an_account_ends_its_sessions() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let mut account = world.store.account("anna").await?.ok_or("the account")?;
    account.disabled_at = Some(world.now());
    let by = Initiator {
        actor: Actor::Cli,
        from: None,
    };
    let change = Change::new(&by, world.now(), None, "disableAccount", Some("anna"));
    world.store.put_account(&account, &change).await?;
    assert_eq!(anna.get("/").await?.status, StatusCode::SEE_OTHER);
    let response = world.stranger().post("/sign-in", &[NAME, PASSWORD]).await?;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    Ok(())
}

#[tokio::test]
async fn unknown_names_and_wrong_passwords_are_indistinguishable() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut bodies = Vec::new();
    let mut times = Vec::new();
    for fields in [
        [NAME, ("password", "not the password")],
        [("name", "nobody"), ("password", "not the password")],
    ] {
        let start = Instant::now();
        let response = world.stranger().post("/sign-in", &fields).await?;
        times.push(start.elapsed());
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(response.headers.get("set-cookie").is_none());
        bodies.push(response.body.replace("nobody", "anna"));
    }
    assert_eq!(bodies[0], bodies[1]);
    // Both compute one hash; without it one would be a thousand times faster.
    assert!(times[1] * 10 > times[0], "{times:?}");
    Ok(())
}

#[tokio::test]
async fn sign_in_is_rate_limited_per_account_and_network() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let attempt = async |name: &str, password: &str, peer: [u8; 4]| {
        let fields = form("", &[("name", name), ("password", password)]);
        let request = Request::post("/sign-in")
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(fields)
            .expect("a request");
        world.send_from(request, IpAddr::from(peer)).await
    };
    for last in 1..=5 {
        let response = attempt("anna", "guess", [192, 0, 2, last]).await;
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    let response = attempt("anna", ACCOUNT.1, [192, 0, 2, 9]).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.headers()["retry-after"], "1");
    let text = String::from_utf8_lossy(response.body()).into_owned();
    assert!(text.contains("Try again in 1 second."), "{text}");
    world.pass(Duration::from_secs(2));
    let response = attempt("anna", ACCOUNT.1, [192, 0, 2, 9]).await;
    assert_eq!(
        response.status(),
        StatusCode::SEE_OTHER,
        "the owner gets in"
    );
    for number in 0..10 {
        let response = attempt(&format!("name{number}"), "guess", [203, 0, 113, 5]).await;
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    let response = attempt("anna", ACCOUNT.1, [203, 0, 113, 5]).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    Ok(())
}

#[tokio::test]
async fn sign_in_redirects_only_within_the_dashboard() -> TestResult {
    let world = World::new(ORIGIN).await?;
    for (to, location) in [
        ("/projects/docs/keys", "/projects/docs/keys"),
        ("//evil.example", "/"),
        ("https://evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("/sign-out", "/"),
    ] {
        let fields = [NAME, PASSWORD, ("to", to)];
        let response = world.stranger().post("/sign-in", &fields).await?;
        assert_eq!(response.header("location"), location);
    }
    let mut anna = world.anna().await?;
    let response = anna.get("/sign-in?to=//evil.example").await?;
    assert_eq!(response.header("location"), "/");
    Ok(())
}

#[tokio::test]
async fn sign_in_and_sign_out_are_logged_without_secrets() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    anna.post("/sign-out", &[]).await?;
    let entries = world.store.entries(None, None, 2).await?;
    let actions: Vec<&str> = entries
        .iter()
        .map(|entry| entry.entry.action.as_str())
        .collect();
    assert_eq!(actions, ["signOut", "signIn"]);
    for logged in &entries {
        assert_eq!(logged.entry.actor, Actor::Person("anna".to_owned()));
        assert_eq!(logged.entry.from, Some(world.peer));
        assert_eq!(logged.entry.project, None);
    }
    let text = format!("{entries:?}");
    assert!(!text.contains(ACCOUNT.1), "{text}");
    Ok(())
}

#[tokio::test]
async fn a_failed_sign_in_is_logged_with_the_account() -> TestResult {
    let world = World::new(ORIGIN).await?;
    for fields in [
        [NAME, ("password", "not the password")],
        // A password in the name field is not logged as a name.
        [("name", ACCOUNT.1), ("password", "not the password")],
        [("name", "hunter2-is-my-password"), ("password", "x")],
    ] {
        let response = world.stranger().post("/sign-in", &fields).await?;
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let entries = world.store.entries(None, None, 9).await?;
    let refused = entries
        .iter()
        .filter(|entry| entry.entry.action == "refuseSignIn");
    let refused: Vec<_> = refused.collect();
    let subjects: Vec<Option<&str>> = refused
        .iter()
        .map(|entry| entry.entry.subject.as_deref())
        .collect();
    // Invalid names are not looked up.
    assert_eq!(subjects, [None, Some("anna")]);
    for logged in refused {
        assert_eq!(logged.entry.actor, Actor::Anonymous);
        assert_eq!(logged.entry.from, Some(world.peer));
        assert_eq!(logged.entry.status, 422);
    }
    let text = format!("{entries:?}");
    assert!(!text.contains(ACCOUNT.1) && !text.contains("hunter2"));
    let page = world.anna().await?.get("/audit").await?.body;
    for line in [
        "Somebody</span> tried to sign in as <code>anna</code>",
        "Somebody</span> tried to sign in with an unknown account name",
        "Refused, 422",
        "From 192.0.2.1",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    Ok(())
}

#[tokio::test]
async fn repeated_failures_are_logged_with_exponential_backoff() -> TestResult {
    let world = World::new(ORIGIN).await?;
    for _ in 0..20 {
        world.pass(Duration::from_secs(20 * 60));
        let fields = [NAME, ("password", "guess")];
        let response = world.stranger().post("/sign-in", &fields).await?;
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let entries = world.store.entries(None, None, 99).await?;
    let refused = entries
        .iter()
        .filter(|entry| entry.entry.action == "refuseSignIn");
    assert_eq!(refused.count(), 7, "1 to 5, 8 and 16");
    Ok(())
}
