//! Deliveries and the resulting deployments, with a folder as source. Tests with a repository are
//! elsewhere.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use svc_site::LoadOptions;
use svc_test_support::log::LogCapture;

use super::*;
use crate::deploy::{DeployerOptions, DeploymentState, FileJournal, ProjectConfig, Publisher};
use crate::settings::{
    GitSettings, GitSource, HostPattern, PreviewSettings, Secret, WebhookSettings,
};
use crate::webhook::signature;
use crate::{Served, SiteHandle};

const SECRET: &str = "a secret of this test";
const COMMIT: &str = "2222222222222222222222222222222222222222";
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// A publisher that serves nothing.
struct Nowhere;

impl Publisher for Nowhere {
    fn publish(&self, _: &str, _: &PublishTarget, _: &SiteHandle) {}
    fn updated(&self, _: &str, _: &PublishTarget) {}
    fn hide(&self, _: &str, _: &PublishTarget) {}
}

struct Scene {
    base: tempfile::TempDir,
    project: ProjectSettings,
    sites: Sites,
}

impl Scene {
    fn new() -> Self {
        let base = tempfile::tempdir().expect("a folder");
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": ["index"]}}"##;
        let docs = base.path().join("docs");
        fs::create_dir(&docs).expect("a folder");
        fs::write(docs.join("docs.json"), config).expect("written");
        fs::write(docs.join("index.mdx"), "Text.").expect("written");
        let project = ProjectSettings {
            keep: 2,
            webhook: Some(WebhookSettings {
                secret: Secret::new(SECRET),
            }),
            previews: Some(PreviewSettings {
                host: HostPattern::parse("{preview}.preview.example.com").expect("a pattern"),
                branches: vec!["*".to_owned()],
                requests: true,
                forks: true,
                integrations: false,
                expire: Duration::from_secs(3600),
                max: 5,
                guessable: true,
                passwords: Vec::new(),
            }),
            ..ProjectSettings::with_defaults(
                "docs",
                Host::parse("docs.example.com").expect("a host"),
                SourceSettings::Git(GitSource::with_defaults("git@github.com:acme/docs.git")),
            )
        };
        Self {
            base,
            project,
            sites: Sites::default(),
        }
    }

    /// Starts a server with the data of an earlier one.
    fn start(&self) -> (Deployer, Receiver) {
        let data = self.base.path().join("data");
        fs::create_dir_all(&data).expect("a folder");
        let options = DeployerOptions {
            journal: Box::new(FileJournal::open(&data.join("journal")).expect("a journal")),
            data,
            publisher: Box::new(Nowhere),
            max_builds: 1,
            repositories: Arc::default(),
            share: Box::new(|_| {}),
            cluster: None,
        };
        let plan = ProjectConfig {
            id: "docs".to_owned(),
            source: SourceSettings::Dir {
                path: self.base.path().join("docs"),
                watch: false,
            },
            git: GitSettings::default(),
            load: LoadOptions::default(),
            private_previews: false,
            preview_integrations: false,
            stop_on_errors: false,
            max_retained: 2,
            poll: None,
        };
        let deployer = Deployer::start(options, vec![plan]).expect("a deployer");
        let receiver = Receiver::new(deployer.clone(), self.sites.clone(), [7; 32]);
        receiver.set_projects(std::slice::from_ref(&self.project));
        (deployer, receiver)
    }
}

fn send(receiver: &Receiver, kind: &str, body: &str) -> Result<WebhookOutcome, WebhookRejection> {
    let code = signature::hex(&[body.as_bytes()], SECRET.as_bytes());
    let mut head = HeaderMap::new();
    for (name, value) in [
        ("x-github-event", kind),
        ("x-hub-signature-256", &format!("sha256={code}")),
        ("content-type", "application/json"),
    ] {
        head.insert(name, HeaderValue::from_str(value).expect("a value"));
    }
    receiver.receive("docs", &head, body.as_bytes())
}

fn deployed(deployer: &Deployer, result: Result<WebhookOutcome, WebhookRejection>) -> Deployment {
    let id = result.expect("taken").deployment.expect("a deployment");
    let deployment = deployer.wait(&id, WAIT_TIMEOUT).expect("finished");
    assert_eq!(
        deployment.state,
        DeploymentState::Live,
        "{}",
        deployment.summary
    );
    deployment
}

fn ignored(result: Result<WebhookOutcome, WebhookRejection>) -> String {
    let result = result.expect("taken");
    assert_eq!(result.deployment, None, "{}", result.sentence);
    result.sentence
}

const REPOSITORY: &str = r#""repository":{"clone_url":"https://github.com/acme/docs.git"}"#;

fn push(branch: &str, after: &str) -> String {
    format!(r#"{{"ref":"refs/heads/{branch}","after":"{after}",{REPOSITORY}}}"#)
}

/// A pull request from a fork, updated in `minute` of a past hour.
fn request(action: &str, minute: u8) -> String {
    format!(
        r#"{{"action":"{action}","number":12,"pull_request":{{"updated_at":"2024-01-01T10:{minute:02}:00Z",
        "head":{{"ref":"x","sha":"{COMMIT}","repo":{{"id":2}}}},"base":{{"ref":"main","repo":{{"id":1}}}}}},{REPOSITORY}}}"#
    )
}

fn previews(deployer: &Deployer) -> Vec<String> {
    let targets = deployer.targets("docs").into_iter();
    let names = targets.filter_map(|target| match target {
        PublishTarget::Preview { name } => Some(name),
        PublishTarget::Live => None,
    });
    names.collect()
}

#[test]
fn pushes_deploy_the_site_and_its_previews() {
    let log = LogCapture::default();
    let _scope = log.enter();
    let scene = Scene::new();
    let (deployer, receiver) = scene.start();
    let live = deployed(&deployer, send(&receiver, "push", &push("main", COMMIT)));
    assert_eq!(
        (live.target, live.trigger),
        (PublishTarget::Live, Trigger::Push)
    );
    assert_eq!(live.reference, Reference::default());
    let preview = send(&receiver, "push", &push("feature/x", COMMIT));
    let preview = deployed(&deployer, preview);
    assert_eq!(preview.reference.branch.as_deref(), Some("feature/x"));
    assert!(!preview.foreign);
    assert_eq!(
        preview.host.as_deref(),
        Some("feature-x.preview.example.com")
    );
    assert_eq!(previews(&deployer), ["feature-x"]);
    let gone = push("feature/x", "0000000000000000000000000000000000000000");
    ignored(send(&receiver, "push", &gone));
    assert_eq!(previews(&deployer), [""; 0]);
    let removed = "INFO the preview feature-x is removed: its branch was deleted project=\"docs\"";
    assert!(log.lines().iter().any(|line| line == removed), "{log:?}");
    assert!(!log.text().contains(SECRET));
}

#[test]
fn deliveries_for_other_repositories_are_rejected() {
    let scene = Scene::new();
    let (_deployer, receiver) = scene.start();
    let status = |it: Result<WebhookOutcome, WebhookRejection>| it.expect_err("refused").status;
    let other = push("main", COMMIT).replace("acme", "eve");
    assert_eq!(
        status(send(&receiver, "push", &other)),
        StatusCode::FORBIDDEN
    );
    let nameless = r#"{"ref":"refs/heads/main","after":""}"#;
    assert_eq!(
        status(send(&receiver, "push", nameless)),
        StatusCode::FORBIDDEN
    );
    let mut head = HeaderMap::new();
    head.insert("x-github-event", HeaderValue::from_static("push"));
    let unsigned = receiver.receive("docs", &head, b"{}");
    assert_eq!(status(unsigned), StatusCode::UNAUTHORIZED);
    assert_eq!(
        status(receiver.receive("other", &head, b"{}")),
        StatusCode::NOT_FOUND
    );
    let mut without = scene.project.clone();
    without.webhook = None;
    receiver.set_projects(&[without]);
    assert_eq!(
        status(receiver.receive("docs", &head, b"{}")),
        StatusCode::NOT_FOUND
    );
}

#[test]
fn a_fork_preview_is_created_and_removed() {
    let scene = Scene::new();
    let (deployer, receiver) = scene.start();
    let result = send(&receiver, "pull_request", &request("opened", 1));
    let result = deployed(&deployer, result);
    assert_eq!(
        result.reference.reference.as_deref(),
        Some("refs/pull/12/head")
    );
    assert!(result.foreign);
    assert_eq!(previews(&deployer), ["pr-12"]);
    // A repeated delivery for an existing preview triggers a fetch.
    deployed(
        &deployer,
        send(&receiver, "pull_request", &request("opened", 1)),
    );
    ignored(send(&receiver, "pull_request", &request("closed", 3)));
    assert_eq!(previews(&deployer), [""; 0]);
    let reopened = send(&receiver, "pull_request", &request("reopened", 4));
    // Only its time could show that it is newer, but it is older than the maximum clock skew.
    assert!(ignored(reopened).contains("closed after"));
}

#[test]
fn outdated_deliveries_restore_nothing() {
    let scene = Scene::new();
    let (deployer, receiver) = scene.start();
    deployed(
        &deployer,
        send(&receiver, "pull_request", &request("opened", 1)),
    );
    ignored(send(&receiver, "pull_request", &request("closed", 3)));
    for (body, why) in [
        (request("opened", 1), "newer delivery"),
        (request("synchronize", 2), "newer delivery"),
        (request("closed", 3), "already processed"),
    ] {
        let reason = ignored(send(&receiver, "pull_request", &body));
        assert!(reason.contains(why), "{reason}");
    }
    deployer.stop();
    // The restarted server only has the journal.
    let (deployer, receiver) = scene.start();
    let reason = ignored(send(&receiver, "pull_request", &request("opened", 1)));
    assert!(reason.contains("closed after"), "{reason}");
    assert_eq!(previews(&deployer), [""; 0]);
    let reopened = request("reopened", 4).replace("2024-01-01", "2099-01-01");
    deployed(&deployer, send(&receiver, "pull_request", &reopened));
    assert_eq!(previews(&deployer), ["pr-12"]);
}

#[test]
fn previews_outlive_a_restart_and_expire() {
    let scene = Scene::new();
    let (deployer, receiver) = scene.start();
    let preview = deployed(&deployer, send(&receiver, "push", &push("a", COMMIT)));
    deployer.stop();
    let (deployer, receiver) = scene.start();
    assert_eq!(previews(&deployer), ["a"]);
    receiver.expire_previews(preview.queued + 3_599_999);
    assert_eq!(previews(&deployer), ["a"]);
    // A push restarts the expiry time.
    let renewed = deployed(&deployer, send(&receiver, "push", &push("a", COMMIT)));
    receiver.expire_previews(preview.queued + 3_600_000);
    assert_eq!(previews(&deployer), ["a"]);
    receiver.expire_previews(renewed.queued + 3_600_000);
    assert_eq!(previews(&deployer), [""; 0]);
    deployer.stop();
    assert_eq!(previews(&scene.start().0), [""; 0]);
}

#[test]
fn a_preview_does_not_use_a_host_of_another_project() {
    let scene = Scene::new();
    let (deployer, receiver) = scene.start();
    let taken = Served::pending("other");
    scene.sites.set("a.preview.example.com", taken);
    deployed(&deployer, send(&receiver, "push", &push("a", COMMIT)));
    let names = previews(&deployer);
    assert!(names[0].starts_with("a-"), "{names:?}");
}

#[test]
fn a_failed_delivery_can_be_repeated() {
    let scene = Scene::new();
    let (deployer, receiver) = scene.start();
    deployer.stop();
    let body = push("a", COMMIT);
    for _ in 0..2 {
        let error = send(&receiver, "push", &body).expect_err("refused");
        assert_eq!(error.status, StatusCode::SERVICE_UNAVAILABLE);
    }
}
