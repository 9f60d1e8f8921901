//! The page of the readers.

use http::StatusCode;
use svc_admin_api::ProjectId;
use svc_admin_api::audit::{Actor, AuditStore as _};
use svc_admin_api::key::KeySecret;
use svc_admin_api::reader::{ReaderStore as _, ReaderTokenSecret, SignInMethod};
use svc_tests::dashboard::World;

use super::{ORIGIN, TestResult};

const PAGE: &str = "/projects/docs/readers";

fn docs() -> ProjectId {
    ProjectId::parse("docs").expect("a name")
}

async fn actions(world: &World) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let entries = world.store.entries(Some(&docs()), None, 10).await?;
    let by = Actor::Person("anna".to_owned());
    let matching = entries.into_iter().filter(|entry| entry.entry.actor == by);
    Ok(matching.map(|entry| entry.entry.action).collect())
}

#[tokio::test]
async fn a_token_is_shown_once_and_its_hash_is_stored() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let page = anna.get(PAGE).await?.body;
    assert!(page.contains("No active token") && page.contains("No session"));
    assert!(!page.contains("Nobody signs in"), "readers are set up");
    let fields = [
        ("name", "CI & <b>more</b>"),
        ("groups", "staff, <i>,, partners "),
        ("days", "30"),
    ];
    let result = anna.post(PAGE, &fields).await?;
    assert_eq!(
        (result.status, result.header("cache-control")),
        (StatusCode::OK, "no-store")
    );
    let secret = result.body.split("<code>svcr_").nth(1).ok_or("the token")?;
    let secret = format!("svcr_{}", secret.split('<').next().unwrap_or_default());
    assert!(KeySecret::parse(&secret).is_none(), "it is no key");
    let hash = ReaderTokenSecret::hash_of(&secret);
    let token = world.store.reader_token(&hash).await?.ok_or("a token")?;
    let groups: Vec<&str> = token.groups.iter().map(String::as_str).collect();
    assert_eq!(groups, ["<i>", "partners", "staff"]);
    let life = token
        .expires_at
        .map(|end| end.millis() - world.now().millis());
    assert_eq!(life, Some(30 * 86_400_000));
    let name = "CI &#38; &#60;b&#62;more&#60;/b&#62;";
    assert!(result.body.contains(name), "{}", result.body);
    assert!(result.body.contains("https://docs.example.com/llms.txt"));
    let list = anna.get(PAGE).await?.body;
    assert!(!list.contains(&secret), "shown twice");
    assert!(list.contains("&#60;i&#62;, partners, staff") && list.contains("Never used"));

    let revoke = format!("{PAGE}/tokens/{}/revoke", token.id);
    assert!(anna.get(&revoke).await?.body.contains("cannot be restored"));
    anna.post(&revoke, &[]).await?;
    let token = world.store.reader_token(&hash).await?.ok_or("a token")?;
    assert!(!token.is_live(world.now()));
    assert_eq!(
        actions(&world).await?,
        ["revokeReaderToken", "createReaderToken"]
    );
    let audit = anna.get("/audit").await?.body;
    assert!(
        audit.contains("revoked the token for readers") && audit.contains(name),
        "{audit}"
    );
    Ok(())
}

#[tokio::test]
async fn invalid_tokens_are_reported_and_retained_in_the_form() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let many = (0..101).map(|number| format!("g{number}"));
    let many = many.collect::<Vec<String>>().join(",");
    let long = "x".repeat(101);
    for (name, groups, text) in [
        (" ", "staff", "name of a token"),
        (&*long, "staff", "name of a token"),
        ("a", "b\u{7}c", "is not a group"),
        ("a", &*long, "is not a group"),
        ("a", &*many, "at most 100 groups"),
    ] {
        let fields = [("name", name), ("groups", groups)];
        let result = anna.post(PAGE, &fields).await?;
        assert_eq!(result.status, StatusCode::UNPROCESSABLE_ENTITY, "{name:?}");
        assert!(result.body.contains(text), "{}", result.body);
        assert!(result.body.contains(&format!("value=\"{name}\"")));
    }
    assert!(world.store.reader_tokens(&docs()).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn sessions_are_listed_found_and_ended() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    world.reader("<b>Ada</b>", SignInMethod::Password).await?;
    world.reader("Sam", SignInMethod::Oidc).await?;
    let page = anna.get(PAGE).await?.body;
    assert!(page.contains("&#60;b&#62;Ada&#60;/b&#62;"), "{page}");
    assert!(page.contains("reader@example.com") && page.contains("OpenID Connect"));
    let found = anna.get(&format!("{PAGE}?q=openid")).await?.body;
    assert!(found.contains(">Sam<") && !found.contains("Ada"), "{found}");
    let none = anna.get(&format!("{PAGE}?q=nobody")).await?.body;
    assert!(none.contains("No matching session"), "{none}");

    let sessions = world
        .store
        .reader_sessions(&docs(), world.now(), 10)
        .await?;
    let sam = sessions.iter().find(|session| session.name == "Sam");
    let end = format!("{PAGE}/sessions/{}/end", sam.ok_or("a session")?.id);
    assert!(anna.get(&end).await?.body.contains("Sign out “Sam”?"));
    anna.post(&end, &[]).await?;
    let page = anna
        .get(&format!("{PAGE}?done=reader-signed-out"))
        .await?
        .body;
    assert!(!page.contains(">Sam<") && page.contains("The reader was signed out."));
    assert_eq!(anna.post(&end, &[]).await?.status, StatusCode::NOT_FOUND);
    let all = format!("{PAGE}/sessions/end");
    assert!(anna.get(&all).await?.body.contains("Tokens stay valid"));
    anna.post(&all, &[]).await?;
    assert!(anna.get(PAGE).await?.body.contains("No session"));
    assert_eq!(
        actions(&world).await?,
        ["endReaderSessions", "endReaderSession"]
    );
    Ok(())
}

#[tokio::test]
async fn a_project_without_readers_shows_what_to_do() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let page = "/projects/blog/readers";
    let body = anna.get(page).await?.body;
    assert!(body.contains("Nobody signs in") && body.contains("[projects.readers]"));
    let made = anna.post(page, &[("name", "CI")]).await?;
    assert_eq!(made.status, StatusCode::OK);
    assert!(made.body.contains("It has no effect yet"), "{}", made.body);
    Ok(())
}
