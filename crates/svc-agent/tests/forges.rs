//! Forges over HTTP: requests, and handling of their responses.

use crate::support;

use serde_json::{Value, json};
use support::server::Server;
use support::{World, link, reason};
use svc_admin_api::agent_job::Repository;
use svc_agent::{Forge, ForgeKind, RunOutcome};
use svc_fetch::{Client, FetchLimits, Policy};
use svc_git::{Credentials, Secret};
use svc_test_support::request::RecordedRequest;

const TOKEN: &str = "forge-token-of-the-test";
const BRANCH: &str = "svc/job-job_1";
/// `Basic` credentials `svc:git-token-of-the-test`.
const BASIC: &str = "Basic c3ZjOmdpdC10b2tlbi1vZi10aGUtdGVzdA==";

/// Runs a job whose repository and forge are on a test server.
async fn run(
    kind: ForgeKind,
    script: &str,
    respond: impl Fn(usize, &RecordedRequest) -> (u16, String) + Send + Sync + 'static,
) -> Option<(World, Server, RunOutcome, String)> {
    let mut world = World::new(script).await?;
    let server = Server::start(world.path("repositories"), Some(BASIC), respond);
    let repository = Repository::try_from(server.repository()).expect("an address");
    let forge = Forge::new(kind, &repository, None, Secret::new(TOKEN)).expect("a forge");
    let credentials = Credentials::Token {
        user: "svc".to_owned(),
        token: Secret::new("git-token-of-the-test"),
    };
    world.put(forge, credentials);
    let policy = Policy::from_rules(["127.0.0.1"]).expect("a policy");
    world.options.client = Client::new(policy, FetchLimits::default());
    let id = world
        .job_at(
            &server.repository(),
            Some("main"),
            "job_1",
            "Write \"it\"\nnow",
        )
        .await;
    let outcome = world.run().await;
    let log = world.log(&id).await;
    for secret in [TOKEN, "git-token-of-the-test", "c3Zj"] {
        assert!(!log.contains(secret), "{log}");
        assert!(!format!("{:?}{:?}", world.state(&id).await, world.options).contains(secret));
    }
    Some((world, server, outcome, log))
}

fn lines(server: &Server) -> Vec<String> {
    server
        .requests()
        .iter()
        .map(RecordedRequest::line)
        .collect()
}

fn body(request: &RecordedRequest) -> Value {
    serde_json::from_slice(&request.body).expect("JSON")
}

#[tokio::test]
async fn github_requests_follow_its_documentation() {
    let pull = json!({
        "url": "https://api.example/repos/team/docs/pulls/7",
        "html_url": "https://github.example/team/docs/pull/7",
        "number": 7,
        "state": "open",
    });
    let respond = move |_, request: &RecordedRequest| match request.method.as_str() {
        "GET" => (200, "[]".to_owned()),
        _ => (201, pull.to_string()),
    };
    let Some((world, server, outcome, log)) = run(ForgeKind::GitHub, "echo x > x", respond).await
    else {
        return;
    };
    assert_eq!(
        link(&outcome).as_deref(),
        Some("https://github.example/team/docs/pull/7"),
        "{log}"
    );
    assert_eq!(
        lines(&server),
        [
            "GET /api/v3/repos/team/docs/pulls?state=open&head=team:svc%2Fjob-job_1&base=main&per_page=1",
            "POST /api/v3/repos/team/docs/pulls",
        ]
    );
    for request in server.requests() {
        assert_eq!(request.header("authorization"), format!("Bearer {TOKEN}"));
        assert_eq!(request.header("accept"), "application/vnd.github+json");
        assert_eq!(request.header("x-github-api-version"), "2022-11-28");
        assert!(!request.header("user-agent").is_empty());
    }
    let request = &server.requests()[1];
    assert_eq!(request.header("content-type"), "application/json");
    let text = "Opened by the agent job `job_1`.\n\n> Write \"it\"\n> now\n";
    assert_eq!(
        body(request),
        json!({"title": "Write \"it\"", "head": BRANCH, "base": "main", "body": text})
    );
    assert_eq!(world.git(&["show", &format!("{BRANCH}:x")]), "x");
}

#[tokio::test]
async fn gitlab_requests_follow_its_documentation() {
    let pull = json!({
        "id": 1, "iid": 3, "state": "opened",
        "web_url": "https://gitlab.example/team/docs/-/merge_requests/3",
    });
    let respond = move |_, request: &RecordedRequest| match request.method.as_str() {
        "GET" => (200, "[]".to_owned()),
        _ => (201, pull.to_string()),
    };
    let Some((_, server, ended, log)) = run(ForgeKind::GitLab, "echo x > x", respond).await else {
        return;
    };
    let expected = "https://gitlab.example/team/docs/-/merge_requests/3";
    assert_eq!(link(&ended).as_deref(), Some(expected), "{log}");
    assert_eq!(
        lines(&server),
        [
            "GET /api/v4/projects/team%2Fdocs/merge_requests?state=opened&source_branch=svc%2Fjob-job_1&target_branch=main&per_page=1",
            "POST /api/v4/projects/team%2Fdocs/merge_requests",
        ]
    );
    for request in server.requests() {
        assert_eq!(request.header("private-token"), TOKEN);
    }
    let sent_request = body(&server.requests()[1]);
    assert_eq!(sent_request["source_branch"], BRANCH);
    assert_eq!(sent_request["target_branch"], "main");
    assert_eq!(sent_request["title"], "Write \"it\"");
    assert_eq!(sent_request["remove_source_branch"], true);
}

#[tokio::test]
async fn gitea_requests_follow_its_documentation() {
    let pull = json!({"number": 4, "state": "open", "html_url": "https://gitea.example/team/docs/pulls/4"});
    for (status, before) in [
        (404, json!({"message": "pull request does not exist"})),
        // The last pull request of the branch was merged.
        (
            200,
            json!({"state": "closed", "html_url": "https://gitea.example/team/docs/pulls/2"}),
        ),
    ] {
        let pull = pull.clone();
        let respond = move |_, request: &RecordedRequest| match request.method.as_str() {
            "GET" => (status, before.to_string()),
            _ => (201, pull.to_string()),
        };
        let Some((_, server, outcome, log)) = run(ForgeKind::Gitea, "echo x > x", respond).await
        else {
            return;
        };
        let expected = "https://gitea.example/team/docs/pulls/4";
        assert_eq!(link(&outcome).as_deref(), Some(expected), "{log}");
        assert_eq!(
            lines(&server),
            [
                "GET /api/v1/repos/team/docs/pulls/main/svc/job-job_1",
                "POST /api/v1/repos/team/docs/pulls",
            ]
        );
        for request in server.requests() {
            assert_eq!(request.header("authorization"), format!("token {TOKEN}"));
        }
        let sent_request = body(&server.requests()[1]);
        assert_eq!(
            (&sent_request["head"], &sent_request["base"]),
            (&json!(BRANCH), &json!("main"))
        );
    }
}

#[tokio::test]
async fn an_existing_pull_request_is_reused() {
    use ForgeKind::{GitHub, GitLab, Gitea};
    let expected = "https://forge.example/team/docs/pull/5";
    for (kind, existing) in [
        (
            GitHub,
            json!([{"html_url": expected}, {"html_url": "https://forge.example/6"}]),
        ),
        (GitLab, json!([{"web_url": expected}])),
        (Gitea, json!({"state": "open", "html_url": expected})),
    ] {
        let respond = move |_, _: &RecordedRequest| (200, existing.to_string());
        let Some((_, server, outcome, log)) = run(kind, "echo x > x", respond).await else {
            return;
        };
        assert_eq!(link(&outcome).as_deref(), Some(expected), "{log}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn error_responses_of_a_forge_are_reported_with_their_status() {
    use ForgeKind::{GitHub, GitLab, Gitea};
    let before = "the pull request for the branch `svc/job-job_1` could not be opened: ";
    for (kind, status, text, expected) in [
        (
            GitHub,
            422,
            json!({"message": "Validation Failed", "errors": [{"resource": "PullRequest", "code": "custom", "message": "No commits between main and x"}]}).to_string(),
            "GitHub responded with 422 Unprocessable Entity: Validation Failed; No commits between main and x",
        ),
        (GitHub, 401, json!({"message": "Bad credentials"}).to_string(), "GitHub responded with 401 Unauthorized: Bad credentials"),
        (GitLab, 409, json!({"message": ["Another open merge request exists"]}).to_string(), "GitLab responded with 409 Conflict: [\"Another open merge request exists\"]"),
        (Gitea, 403, "<html>".to_owned(), "Gitea responded with 403 Forbidden"),
        (Gitea, 201, "<html>".to_owned(), "invalid response of Gitea: not JSON"),
        (GitLab, 201, "[]".to_owned(), "invalid response of GitLab: no URL of a pull request"),
        (GitHub, 201, json!({"html_url": "javascript:alert(1)"}).to_string(), "invalid response of GitHub: no URL of a pull request"),
        (GitHub, 302, String::new(), "GitHub responded with 302 Found"),
        (GitHub, 422, json!({"message": TOKEN}).to_string(), "GitHub responded with 422 Unprocessable Entity: ***"),
    ] {
        let respond = move |_, request: &RecordedRequest| match request.method.as_str() {
            "GET" if kind == Gitea => (404, "{}".to_owned()),
            "GET" => (200, "[]".to_owned()),
            _ => (status, text.clone()),
        };
        let Some((world, server, outcome, log)) = run(kind, "echo x > x", respond).await else {
            return;
        };
        let failure = reason(outcome);
        assert_eq!(failure, format!("{before}{expected}"));
        assert!(log.contains(&format!("svc: failed: {failure}")), "{log}");
        assert_eq!(server.requests().len(), 2, "{:?}", lines(&server));
        assert_eq!(world.branches(), ["main", BRANCH]);
    }
}

#[tokio::test]
async fn a_transient_error_of_a_forge_is_retried() {
    let respond = |number, request: &RecordedRequest| match (number, request.method.as_str()) {
        (1, _) => (503, "{\"message\": \"down\"}".to_owned()),
        // The pull request was opened, but the response failed.
        (3, _) => (500, String::new()),
        (4, _) => (
            200,
            json!([{"html_url": "https://forge.example/9"}]).to_string(),
        ),
        _ => (200, "[]".to_owned()),
    };
    let Some((_, server, ended, log)) = run(ForgeKind::GitHub, "echo x > x", respond).await else {
        return;
    };
    assert_eq!(
        link(&ended).as_deref(),
        Some("https://forge.example/9"),
        "{log}"
    );
    assert_eq!(server.requests().len(), 4);
    assert!(
        log.contains("GitHub responded with 503 Service Unavailable: down; retrying"),
        "{log}"
    );
}

#[tokio::test]
async fn a_persistent_error_of_a_forge_fails_the_job() {
    let respond = |_, _: &RecordedRequest| (500, String::new());
    let Some((_, server, outcome, _)) = run(ForgeKind::GitHub, "echo x > x", respond).await else {
        return;
    };
    assert!(reason(outcome).ends_with("GitHub responded with 500 Internal Server Error"));
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn a_forge_on_a_private_host_needs_permission() {
    let Some(mut world) = World::new("echo x > x").await else {
        return;
    };
    let url = format!("file://{}", world.bare().display());
    let server = Server::start(world.path("repositories"), None, |_, _| {
        (200, "[]".to_owned())
    });
    let repository = Repository::try_from("https://forge.example/team/docs".to_owned());
    let home = format!("http://127.0.0.1:{}", server.port);
    let forge = Forge::new(
        ForgeKind::GitHub,
        &repository.expect("an address"),
        Some(&home),
        Secret::new(TOKEN),
    );
    world.put(forge.expect("a forge"), Credentials::None);
    world.job_at(&url, None, "job_1", "Do it").await;
    let failure = reason(world.run().await);
    assert!(
        failure.contains("the operator has not allowed it"),
        "{failure}"
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn credentials_reach_neither_the_agent_nor_its_log() {
    let script =
        "env; cat .git/config; git config --list --show-origin; cat ../git/config; ps axww -o args
        tr '\\0' '\\n' < /proc/$PPID/cmdline; echo forge-token-of-the-test
        echo https://svc:git-token-of-the-test@127.0.0.1/; grep -r git-token .. ; echo x > x";
    let respond = |_, _: &RecordedRequest| {
        (
            200,
            json!([{"html_url": "https://forge.example/9"}]).to_string(),
        )
    };
    let Some((_, _, outcome, log)) = run(ForgeKind::GitHub, script, respond).await else {
        return;
    };
    assert!(link(&outcome).is_some(), "{log}");
    // Only secrets that the agent knows itself can occur and be redacted.
    assert_eq!(log.matches("***").count(), 2, "{log}");
    assert!(log.contains("\n***\nhttps://***@127.0.0.1/\n"), "{log}");
}

#[tokio::test]
async fn wrong_credentials_fail_the_job() {
    let Some(world) = World::new("").await else {
        return;
    };
    let server = Server::start(world.path("repositories"), Some(BASIC), |_, _| {
        (200, String::new())
    });
    world
        .job_at(&server.repository(), None, "job_1", "Do it")
        .await;
    let failure = reason(world.run().await);
    assert!(failure.starts_with("`git ls-remote` failed: "), "{failure}");
}
