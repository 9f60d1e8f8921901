//! Pages of the deployments, the projects and the audit log.

use http::StatusCode;
use svc_admin_api::Change;
use svc_admin_api::audit::{Actor, AuditStore as _, Initiator};
use svc_admin_api::deployment::Progress;
use svc_admin_api::key::KeyStore as _;
use svc_tests::dashboard::World;

use super::{ORIGIN, TestResult};

const PAGE: &str = "/projects/docs/deployments";

#[tokio::test]
async fn a_deployment_is_triggered_and_followed() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let response = anna.post(PAGE, &[]).await?;
    assert_eq!(
        response.header("location"),
        format!("{PAGE}/deployment-3?done=deploying")
    );
    let page = anna.get(response.header("location")).await?.body;
    for text in [
        "The deployment is queued.",
        "Queued</span>",
        "asked for\n",
        "data-live",
        "Requested by anna",
    ] {
        assert!(page.contains(text), "{text}");
    }
    world.sites.newest("docs", |listed| {
        let status = &mut listed.record.status;
        status.status = Progress::Failure;
        status.ended_at = Some(status.created_at);
        status.summary = "no <docs.json>".to_owned();
    });
    // The URL still contains the id of the request, which has finished.
    let page = anna.get(response.header("location")).await?.body;
    assert!(!page.contains("The deployment is queued."));
    assert!(page.contains("No &#60;docs.json&#62;") && page.contains("is-bad"));
    assert!(!page.contains("data-live") && !page.contains("Roll back"));
    let list = anna.get(PAGE).await?.body;
    assert!(list.contains("Fix the example of the quickstart") && list.contains("Live</span>"));
    let entries = world.store.entries(None, None, 1).await?;
    assert_eq!(entries[0].entry.action, "updateProject");
    assert_eq!(entries[0].entry.subject.as_deref(), Some("deployment-3"));
    Ok(())
}

#[tokio::test]
async fn a_branch_is_previewed_or_the_reason_is_shown() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let result = anna
        .post(PAGE, &[("what", "preview"), ("branch", "new")])
        .await?;
    assert_eq!(result.status, StatusCode::SEE_OTHER);
    let page = anna.get(result.header("location")).await?.body;
    assert!(page.contains("href=\"https://new.preview.example\""));
    for (branch, text) in [
        ("nowhere", "There is no branch <code>nowhere</code>."),
        ("-x", "A branch must be a valid Git branch name"),
        ("", "A branch must be a valid Git branch name"),
    ] {
        let response = anna
            .post(PAGE, &[("what", "preview"), ("branch", branch)])
            .await?;
        assert_eq!(
            response.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{branch}"
        );
        assert!(response.body.contains(text), "{branch}");
    }
    Ok(())
}

#[tokio::test]
async fn rolling_back_requires_confirmation() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let before = format!("{PAGE}/dep_7Qm2Xk91");
    assert!(anna.get(&before).await?.body.contains("Roll back to this"));
    let confirmation = anna.get(&format!("{before}/roll-back")).await?.body;
    assert!(confirmation.contains("Roll back to this deployment?"));
    assert!(confirmation.contains("Add the guide to storage"));
    let lost = anna.get(&format!("{PAGE}/dep_7Qm2Xk90/roll-back")).await?;
    assert_eq!(lost.status, StatusCode::CONFLICT);
    let other = anna
        .post("/projects/blog/deployments/dep_7Qm2Xk91/roll-back", &[])
        .await?;
    assert_eq!(other.status, StatusCode::NOT_FOUND);
    let response = anna.post(&format!("{before}/roll-back"), &[]).await?;
    assert_eq!(
        response.header("location"),
        format!("{before}?done=rolled-back")
    );
    assert!(anna.get(&before).await?.body.contains("Live</span>"));
    let entries = world.store.entries(None, None, 1).await?;
    assert_eq!(entries[0].entry.action, "rollBackDeployment");
    Ok(())
}

#[tokio::test]
async fn pages_link_to_the_site_and_show_the_servers() -> TestResult {
    const SITE: &str = "href=\"https://docs.example.com/\"";
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let live = format!("{PAGE}/dep_7Qm2Xk92");
    for page in ["/", "/projects/docs", PAGE, &*live] {
        assert!(anna.get(page).await?.body.contains(SITE), "{page}");
    }
    let before = anna.get(&format!("{PAGE}/dep_7Qm2Xk91")).await?.body;
    assert!(!before.contains(SITE), "readers see another one");
    let list = anna.get(PAGE).await?.body;
    assert_eq!(list.matches("is-live").count(), 1);
    assert!(!list.contains("web-1"), "there is only one server");
    world.sites.newest("docs", |listed| {
        listed.record.server = Some("web-1 (3f2a)".to_owned());
    });
    for page in [PAGE, &*live] {
        assert!(
            anna.get(page).await?.body.contains("web-1 (3f2a)"),
            "{page}"
        );
    }
    anna.post(PAGE, &[("what", "preview"), ("branch", "new")])
        .await?;
    let list = anna.get(PAGE).await?.body;
    assert!(list.contains("href=\"https://new.preview.example\""));
    Ok(())
}

#[tokio::test]
async fn the_selected_color_scheme_is_used() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    assert!(anna.get("/").await?.body.contains("data-theme=\"system\""));
    let chosen = anna
        .post(
            "/theme",
            &[("theme", "dark"), ("to", "/projects/docs/keys")],
        )
        .await?;
    assert_eq!(chosen.header("location"), "/projects/docs/keys");
    let cookie = chosen.header("set-cookie").to_owned();
    assert!(cookie.starts_with("svc_theme=dark;"), "{cookie}");
    let elsewhere = anna
        .post(
            "/theme",
            &[("theme", "dark"), ("to", "https://evil.example")],
        )
        .await?;
    assert_eq!(elsewhere.header("location"), "/");
    let unknown = anna.post("/theme", &[("theme", "pink")]).await?;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    Ok(())
}

#[tokio::test]
async fn project_and_overview_pages_have_links() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let page = anna.get("/").await?.body;
    for text in [
        "Documentation",
        "Blog",
        "Fix the example",
        "No deployment is known yet",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let page = anna.get("/projects/docs").await?.body;
    for text in [
        "Deploy now",
        "href=\"/projects/docs/keys\"",
        "set up the project",
        "https://git.example.com/team/docs.git",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let empty = World::empty(ORIGIN).await?;
    let page = empty.anna().await?.get("/").await?.body;
    assert!(page.contains("No project yet") && page.contains("[[projects]]"));
    Ok(())
}

#[tokio::test]
async fn the_audit_log_is_filtered_and_paginated() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    for _ in 0..60 {
        world.pass(std::time::Duration::from_secs(60));
        anna.post(PAGE, &[]).await?;
    }
    let page = anna.get("/audit?project=docs").await?.body;
    assert_eq!(page.matches("requested the deployment").count(), 50);
    let next = page
        .split("/audit?before=")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let next = format!(
        "/audit?before={}",
        next.ok_or("another page")?.replace("&amp;", "&")
    );
    let page = anna.get(&next).await?.body;
    assert_eq!(page.matches("requested the deployment").count(), 10);
    assert!(page.contains("set up the project") && !page.contains("signed in"));
    assert!(page.contains("Newest") && !page.contains("Older"));
    let blog = anna.get("/audit?project=blog").await?.body;
    assert!(!blog.contains("requested the deployment"));
    assert!(anna.get("/audit").await?.body.contains("From 192.0.2.1"));
    Ok(())
}

#[tokio::test]
async fn the_audit_log_shows_key_names_and_failures() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let fields = [("name", "CI of docs"), ("scope", "write"), ("days", "30")];
    anna.post("/projects/docs/keys", &fields).await?;
    let project = svc_admin_api::ProjectId::parse("docs").ok_or("a name")?;
    let keys = world.store.keys(&project).await?;
    let key = keys.last().ok_or("a key")?;
    let by = Initiator {
        actor: Actor::Key(key.id.clone()),
        from: None,
    };
    let mut entry = Change::new(&by, world.now(), &project, "createAgentJob", Some("docs")).entry;
    entry.status = 400;
    world.store.record(&entry).await?;
    let page = anna.get("/audit").await?.body;
    for text in [
        "created the key <a href=\"/projects/docs/keys\"><code>CI of docs</code>",
        "is-key\">Key CI of docs</span> tried to create a job <span class=\"dash-badge is-bad\">Refused, 400",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains(key.id.as_str()));
    Ok(())
}

#[tokio::test]
async fn deployments_can_be_searched() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    anna.post(PAGE, &[]).await?;
    let (commit, trigger) = ("Fix the example of the quickstart", "Requested by anna");
    for (search, expected) in [
        ("", (true, true)),
        ("?q=QUICKSTART", (true, false)),
        ("?q=anna+queued", (false, true)),
        ("?q=nowhere", (false, false)),
    ] {
        let page = anna.get(&format!("{PAGE}{search}")).await?.body;
        let shown = (page.contains(commit), page.contains(trigger));
        assert_eq!(shown, expected, "{search}: {page}");
        let none = page.contains("No deployment matches the search");
        assert_eq!(none, expected == (false, false), "{search}");
    }
    Ok(())
}
