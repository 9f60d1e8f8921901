//! Pages of the agent jobs.

use http::StatusCode;
use svc_admin_api::ProjectId;
use svc_admin_api::agent_job::{JobQuery, JobStore as _, Status};
use svc_admin_api::audit::AuditStore as _;
use svc_tests::dashboard::World;

use super::{ORIGIN, TestResult};

const PAGE: &str = "/projects/docs/jobs";
const LINK: &str = "https://git.example.com/team/docs/pulls/7";

#[tokio::test]
async fn a_job_goes_from_its_prompt_to_the_archive() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let empty = anna.get(PAGE).await?.body;
    assert!(empty.contains("No job yet") && empty.contains("placeholder=\"main\""));
    let prompt = "Fix <the> typos\r\nin all guides";
    let result = anna
        .post(PAGE, &[("prompt", prompt), ("branch", "fix/typos")])
        .await?;
    let here = result.header("location").replace("?done=job", "");
    assert_eq!(result.status, StatusCode::SEE_OTHER);
    let page = anna.get(&here).await?.body;
    for text in [
        "<h1>Fix &#60;the&#62; typos</h1>",
        "Fix &#60;the&#62; typos\nin all guides",
        "Waiting</span>",
        "<code>fix/typos</code>",
        "data-live",
        "Refresh",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("Archive</a>") && !page.contains("Follow up"));
    world.work("reading <files>\n", None).await?;
    let page = anna.get(&here).await?.body;
    assert!(page.contains("Working</span>") && page.contains("reading &#60;files&#62;"));
    for act in ["archive", "message"] {
        let response = anna
            .post(&format!("{here}/{act}"), &[("prompt", "more")])
            .await?;
        assert_eq!(response.status, StatusCode::CONFLICT);
        assert!(
            response.body.contains("status of this job is active"),
            "{}",
            response.body
        );
    }
    world.pass(std::time::Duration::from_secs(601));
    world.work("done\n", Some(Ok(LINK))).await?;
    let page = anna.get(&here).await?.body;
    assert!(page.contains("Completed</span>") && page.contains(&format!("href=\"{LINK}\"")));
    assert!(!page.contains("data-live") && page.contains("Follow up"));
    let empty = anna
        .post(&format!("{here}/message"), &[("prompt", " \r\n")])
        .await?;
    assert_eq!(empty.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(empty.body.contains("Enter a prompt."));
    let sent = anna
        .post(&format!("{here}/message"), &[("prompt", "And the notes")])
        .await?;
    assert_eq!(sent.header("location"), format!("{here}?done=message"));
    let page = anna.get(&here).await?.body;
    assert!(page.contains("And the notes") && page.contains("Waiting</span>"));
    assert!(!page.contains(LINK), "the link is of no turn that goes on");
    world
        .work("no\n", Some(Err("the agent <stopped> with 3")))
        .await?;
    let page = anna.get(&here).await?.body;
    assert!(page.contains("The agent &#60;stopped&#62; with 3."));
    assert!(
        anna.get(&format!("{here}/archive"))
            .await?
            .body
            .contains("Archive this job?")
    );
    anna.post(&format!("{here}/archive"), &[]).await?;
    assert!(anna.get(&here).await?.body.contains("Archived</span>"));
    let second = anna.post(&format!("{here}/archive"), &[]).await?;
    assert_eq!(second.status, StatusCode::CONFLICT);
    let entries = world.store.entries(None, None, 3).await?;
    let actions: Vec<&str> = entries
        .iter()
        .map(|entry| entry.entry.action.as_str())
        .collect();
    assert_eq!(
        actions,
        ["archiveAgentJob", "messageAgentJob", "createAgentJob"]
    );
    Ok(())
}

#[tokio::test]
async fn a_running_job_is_canceled_after_confirmation() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let response = anna.post(PAGE, &[("prompt", "Write")]).await?;
    let location = response.header("location").to_owned();
    let here = location.replace("?done=job", "");
    let notice = "The job was created.";
    assert!(anna.get(&location).await?.body.contains(notice));
    world.work("reading\nwriting\n", None).await?;
    let page = anna.get(&location).await?.body;
    assert!(!page.contains(notice), "an agent has it by now");
    assert!(page.contains("Cancel job") && page.matches("dash-line").count() == 2);
    let confirmation = anna.get(&format!("{here}/cancel")).await?.body;
    assert!(confirmation.contains("Cancel this job?"));
    let canceled = anna.post(&format!("{here}/cancel"), &[]).await?;
    assert_eq!(canceled.header("location"), format!("{here}?done=canceled"));
    let page = anna.get(canceled.header("location")).await?.body;
    for text in [
        "The job was canceled.",
        "Failed</span>",
        "The job was canceled.",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("Cancel job"));
    let second = anna.post(&format!("{here}/cancel"), &[]).await?;
    assert_eq!(second.status, StatusCode::CONFLICT);
    assert!(anna.get("/audit").await?.body.contains("canceled the job"));
    Ok(())
}

#[tokio::test]
async fn invalid_input_stays_in_the_form() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    for (prompt, branch, text) in [
        ("", "", "Enter a prompt."),
        ("<b>do", "-x", "A branch must be a valid Git branch name"),
    ] {
        let fields = [("prompt", prompt), ("branch", branch)];
        let response = anna.post(PAGE, &fields).await?;
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(response.body.contains(text), "{text}");
        assert!(!response.body.contains("<b>do"));
    }
    let long = "x".repeat(50_001);
    let response = anna.post(PAGE, &[("prompt", &long)]).await?;
    assert!(
        response
            .body
            .contains("A prompt must have 1 to 50000 characters")
    );
    let blog = anna.post("/projects/blog/jobs", &[("prompt", "x")]).await?;
    assert_eq!(blog.status, StatusCode::CONFLICT);
    let page = anna.get("/projects/blog/jobs").await?.body;
    assert!(page.contains("This project has no agent") && !page.contains("Create job"));
    Ok(())
}

#[tokio::test]
async fn jobs_are_filtered_and_paginated() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    for number in 0..45 {
        let prompt = format!("task-{number:02}");
        anna.post(PAGE, &[("prompt", &prompt)]).await?;
        world.pass(std::time::Duration::from_secs(1));
    }
    world.work("", Some(Ok(LINK))).await?;
    let mut seen = Vec::new();
    let mut next = format!("{PAGE}?status=active");
    while !next.is_empty() {
        let page = anna.get(&next).await?.body;
        let tasks = page.split("\">task-").skip(1);
        seen.extend(tasks.map(|rest| rest[..2].to_owned()));
        let older = page
            .split("\">Older</a>")
            .next()
            .filter(|before| before.len() < page.len());
        let url = older.and_then(|before| before.rsplit("href=\"").next());
        next = url.unwrap_or_default().replace("&#38;", "&");
    }
    let all: Vec<String> = (1..45).rev().map(|number| format!("{number:02}")).collect();
    assert_eq!(seen, all);
    let page = anna.get(&format!("{PAGE}?status=completed")).await?.body;
    assert!(page.contains("task-00") && !page.contains("task-01"));
    assert!(
        anna.get(&format!("{PAGE}?status=failed"))
            .await?
            .body
            .contains("No job has this status")
    );
    Ok(())
}

#[tokio::test]
async fn a_long_log_shows_its_end_unless_all_is_requested() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let response = anna.post(PAGE, &[("prompt", "x")]).await?;
    let here = response.header("location").replace("?done=job", "");
    let log: String = (0..20_000).map(|line| format!("line {line}\n")).collect();
    world.work(&log, None).await?;
    let page = anna.get(&here).await?.body;
    assert!(page.contains("line 19999\n") && !page.contains("line 1\n"));
    assert!(page.contains("Show the full log") && page.len() < 100_000);
    // The number of the first line that is shown is not known.
    assert!(!page.contains("dash-line"));
    let all = anna.get(&format!("{here}?log=all")).await?.body;
    assert!(all.contains("line 1\n") && !all.contains("Show the full log"));
    Ok(())
}

#[tokio::test]
async fn the_rate_limit_of_jobs_applies_to_the_dashboard() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    for _ in 0..100 {
        let response = anna.post(PAGE, &[("prompt", "x")]).await?;
        assert_eq!(response.status, StatusCode::SEE_OTHER);
    }
    let response = anna.post(PAGE, &[("prompt", "x")]).await?;
    assert_eq!(response.status, StatusCode::TOO_MANY_REQUESTS);
    let query = JobQuery {
        project: ProjectId::parse("docs").ok_or("a name")?,
        status: Some(Status::Active),
        after: None,
        limit: 200,
    };
    assert_eq!(world.store.jobs(&query).await?.len(), 100);
    Ok(())
}

#[tokio::test]
async fn jobs_can_be_searched_by_prompt_and_branch() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    for (prompt, branch) in [
        ("Fix the typos of the guides", ""),
        ("Document the flag --dry-run", "docs/dry-run"),
        ("Write a changelog", ""),
    ] {
        anna.post(PAGE, &[("prompt", prompt), ("branch", branch)])
            .await?;
    }
    let listed = |page: &str| -> Vec<bool> {
        let prompts = ["Fix the typos", "Document the flag", "Write a changelog"];
        prompts.map(|prompt| page.contains(prompt)).to_vec()
    };
    for (search, expected) in [
        ("", [true, true, true]),
        ("?q=TYPOS", [true, false, false]),
        ("?q=guides+fix", [true, false, false]),
        ("?q=docs%2Fdry", [false, true, false]),
        ("?q=%25&status=active", [false, false, false]),
        ("?q=the&status=failed", [false, false, false]),
    ] {
        let page = anna.get(&format!("{PAGE}{search}")).await?.body;
        assert_eq!(listed(&page), expected, "{search}");
        let none = page.contains("No job matches the search");
        assert_eq!(none, expected == [false; 3], "{search}");
    }
    let page = anna.get(&format!("{PAGE}?q=%3Cb%3E&status=active")).await?;
    assert!(page.body.contains("value=\"&#60;b&#62;\""), "{}", page.body);
    assert!(page.body.contains("name=\"status\" value=\"active\""));
    Ok(())
}
