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
async fn the_cookie_is_for_this_host_alone_and_no_script() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut person = world.stranger();
    let answer = person.post("/sign-in", &[NAME, PASSWORD]).await?;
    assert_eq!(
        (answer.status.as_u16(), answer.header("location")),
        (303, "/")
    );
    let cookie = answer.header("set-cookie");
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
    let answer = local.stranger().post("/sign-in", &[NAME, PASSWORD]).await?;
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.starts_with("svc_session=") && !cookie.contains("Secure"),
        "{cookie}"
    );
    Ok(())
}

#[tokio::test]
async fn a_session_that_was_planted_is_worth_nothing() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let planted = "__Host-svc_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let mut person = world.stranger();
    person.cookie = Some(planted.to_owned());
    assert_eq!(person.get("/").await?.status, StatusCode::SEE_OTHER);
    person.post("/sign-in", &[NAME, PASSWORD]).await?;
    let first = person.cookie.clone().ok_or("signed in")?;
    assert_ne!(first, planted);
    // Signing in again gives another token, and the one before ends.
    let again = person.post("/sign-in", &[NAME, PASSWORD]).await?;
    assert_eq!(again.status, StatusCode::SEE_OTHER);
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
    let kept = here.cookie.clone();
    let answer = here.post("/sign-out", &[]).await?;
    assert_eq!(answer.header("location"), "/sign-in?done=out");
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    here.cookie = kept;
    assert_eq!(here.get("/").await?.status, StatusCode::SEE_OTHER);
    assert_eq!(there.get("/").await?.status, StatusCode::OK);
    let (mut third, other) = (world.anna().await?, there.cookie.clone());
    let answer = third.post("/sign-out", &[("everywhere", "yes")]).await?;
    assert_eq!(answer.header("location"), "/sign-in?done=everywhere");
    there.cookie = other;
    assert_eq!(there.get("/").await?.status, StatusCode::SEE_OTHER);
    Ok(())
}

#[tokio::test]
async fn a_disabled_account_is_out_at_once() -> TestResult {
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
    let answer = world.stranger().post("/sign-in", &[NAME, PASSWORD]).await?;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    Ok(())
}

#[tokio::test]
async fn wrong_names_and_wrong_passwords_look_the_same() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut bodies = Vec::new();
    let mut times = Vec::new();
    for fields in [
        [NAME, ("password", "not the password")],
        [("name", "nobody"), ("password", "not the password")],
    ] {
        let start = Instant::now();
        let answer = world.stranger().post("/sign-in", &fields).await?;
        times.push(start.elapsed());
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.headers.get("set-cookie").is_none());
        bodies.push(answer.body.replace("nobody", "anna"));
    }
    assert_eq!(bodies[0], bodies[1]);
    // Both hash once; without that one of them would be a thousand times faster.
    assert!(times[1] * 10 > times[0], "{times:?}");
    Ok(())
}

#[tokio::test]
async fn guessing_becomes_slow_for_the_account_and_for_the_network() -> TestResult {
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
        let answer = attempt("anna", "guess", [192, 0, 2, last]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = attempt("anna", ACCOUNT.1, [192, 0, 2, 9]).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.headers()["retry-after"], "1");
    let text = String::from_utf8_lossy(answer.body()).into_owned();
    assert!(text.contains("Try again in 1 second."), "{text}");
    world.pass(Duration::from_secs(2));
    let answer = attempt("anna", ACCOUNT.1, [192, 0, 2, 9]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "the owner gets in");
    for number in 0..10 {
        let answer = attempt(&format!("name{number}"), "guess", [203, 0, 113, 5]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = attempt("anna", ACCOUNT.1, [203, 0, 113, 5]).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    Ok(())
}

#[tokio::test]
async fn after_signing_in_only_pages_of_ours_are_opened() -> TestResult {
    let world = World::new(ORIGIN).await?;
    for (to, place) in [
        ("/projects/docs/keys", "/projects/docs/keys"),
        ("//evil.example", "/"),
        ("https://evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("/sign-out", "/"),
    ] {
        let fields = [NAME, PASSWORD, ("to", to)];
        let answer = world.stranger().post("/sign-in", &fields).await?;
        assert_eq!(answer.header("location"), place);
    }
    let mut anna = world.anna().await?;
    let answer = anna.get("/sign-in?to=//evil.example").await?;
    assert_eq!(answer.header("location"), "/");
    Ok(())
}

#[tokio::test]
async fn signing_in_and_out_stands_in_the_log_without_secrets() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    anna.post("/sign-out", &[]).await?;
    let entries = world.store.entries(None, None, 2).await?;
    let actions: Vec<&str> = entries
        .iter()
        .map(|one| one.entry.action.as_str())
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
async fn whoever_does_not_get_in_stands_in_the_log_with_the_account_that_was_tried() -> TestResult {
    let world = World::new(ORIGIN).await?;
    for fields in [
        [NAME, ("password", "not the password")],
        // A password in the wrong field is no name to remember.
        [("name", ACCOUNT.1), ("password", "not the password")],
        [("name", "hunter2-is-my-password"), ("password", "x")],
    ] {
        let answer = world.stranger().post("/sign-in", &fields).await?;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let entries = world.store.entries(None, None, 9).await?;
    let refused = entries
        .iter()
        .filter(|one| one.entry.action == "refuseSignIn");
    let refused: Vec<_> = refused.collect();
    let subjects: Vec<Option<&str>> = refused
        .iter()
        .map(|one| one.entry.subject.as_deref())
        .collect();
    // Of what cannot be a name nothing is tried.
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
async fn many_guesses_leave_few_entries() -> TestResult {
    let world = World::new(ORIGIN).await?;
    for _ in 0..20 {
        world.pass(Duration::from_secs(20 * 60));
        let fields = [NAME, ("password", "guess")];
        let answer = world.stranger().post("/sign-in", &fields).await?;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let entries = world.store.entries(None, None, 99).await?;
    let refused = entries
        .iter()
        .filter(|one| one.entry.action == "refuseSignIn");
    assert_eq!(refused.count(), 7, "1 to 5, 8 and 16");
    Ok(())
}
