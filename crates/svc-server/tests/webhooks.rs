//! Webhooks over HTTP: deliveries and their responses.

use crate::serving;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use serving::RunningServer;
use svc_server::{
    BodyRouter, Deployer, DeployerOptions, DeploymentState, FileJournal, Host, ProjectConfig,
    ProjectSettings, PublishTarget, Publisher, Secret, Served, SiteHandle, Sites, SourceSettings,
    WebhookLimits, WebhookSettings, Webhooks,
};

const SECRET: &str = "a secret of this test";
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// Publishes all targets at the hosts of the only project.
#[derive(Clone)]
struct Hosts(Sites, Arc<OnceLock<BodyRouter>>);

impl Publisher for Hosts {
    fn publish(&self, project: &str, _: &PublishTarget, current: &SiteHandle) {
        let mut entry = Served::new(current.clone(), project);
        entry.body_router = self.1.get().cloned();
        self.0.set("docs.example", entry);
    }

    fn updated(&self, _: &str, _: &PublishTarget) {}
    fn hide(&self, _: &str, _: &PublishTarget) {}
}

/// A server with one project whose source is a folder.
struct TestServer {
    base: tempfile::TempDir,
    deployer: Deployer,
    serving: RunningServer,
}

fn project(dir: &Path, base_path: &str, webhook: bool) -> ProjectSettings {
    ProjectSettings {
        site: svc_site::SiteOptions {
            base_path: base_path.to_owned(),
            ..svc_site::SiteOptions::default()
        },
        keep: 2,
        webhook: webhook.then(|| WebhookSettings {
            secret: Secret::new(SECRET),
        }),
        ..ProjectSettings::with_defaults(
            "docs",
            Host::parse("docs.example").unwrap(),
            SourceSettings::Dir {
                path: dir.to_owned(),
                watch: false,
            },
        )
    }
}

impl TestServer {
    fn start(base_path: &str, webhook: bool, limits: WebhookLimits) -> Self {
        let base = tempfile::tempdir().unwrap();
        let (docs, data) = (base.path().join("docs"), base.path().join("data"));
        fs::create_dir(&docs).unwrap();
        fs::create_dir(&data).unwrap();
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": ["index"]}}"##;
        fs::write(docs.join("docs.json"), config).unwrap();
        fs::write(docs.join("index.mdx"), "Version one.").unwrap();
        let project = project(&docs, base_path, webhook);
        let sites = Sites::default();
        let stage = Hosts(sites.clone(), Arc::default());
        let options = DeployerOptions {
            journal: Box::new(FileJournal::open(&data.join("journal")).unwrap()),
            data,
            publisher: Box::new(stage.clone()),
            max_builds: 1,
            repositories: Arc::default(),
            share: Box::new(|_| {}),
            cluster: None,
        };
        let plan = ProjectConfig {
            id: project.id.clone(),
            source: project.source.clone(),
            git: svc_server::GitSettings::default(),
            load: svc_site::LoadOptions::from(svc_site::SiteOptions {
                base_path: base_path.to_owned(),
                ..svc_site::SiteOptions::default()
            }),
            private_previews: false,
            preview_integrations: false,
            stop_on_errors: false,
            max_retained: 2,
            poll: None,
        };
        let deployer = Deployer::start(options, Vec::new()).unwrap();
        let webhooks = Webhooks::new(deployer.clone(), sites.clone(), limits, [7; 32]);
        webhooks.set_projects(std::slice::from_ref(&project));
        let _ = stage.1.set(webhooks.body_router(&project));
        deployer.set_projects(vec![plan]).unwrap();
        let request = svc_server::DeployRequest::live("docs", svc_server::Trigger::Command);
        let id = deployer.trigger(request).unwrap();
        assert_eq!(
            deployer.wait(&id, WAIT_TIMEOUT).unwrap().state,
            DeploymentState::Live
        );
        let (responder, posts) = (sites.responder(), sites.body_router());
        Self {
            base,
            deployer,
            serving: RunningServer::start(serving::limits(), responder, Some(posts)),
        }
    }

    fn defaults() -> Self {
        Self::start("", true, WebhookLimits::default())
    }

    /// Sends raw bytes and reads the complete response.
    fn raw(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(self.serving.addr).unwrap();
        stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
        stream.write_all(request).unwrap();
        let mut response = Vec::new();
        // The server may close the connection before everything was sent.
        let _ = stream.read_to_end(&mut response);
        let response = String::from_utf8_lossy(&response).into_owned();
        let status = response.get(9..12).and_then(|status| status.parse().ok());
        (status.unwrap_or(0), response)
    }

    fn post(&self, path: &str, heads: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut head =
            format!("POST {path} HTTP/1.1\r\nhost: docs.example\r\nconnection: close\r\n");
        for (name, value) in heads {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
        self.raw(head.as_bytes())
    }

    fn signed(&self, path: &str, kind: &str, body: &str) -> (u16, String) {
        let signature = format!("sha256={}", code(body));
        let heads = [
            ("x-github-event", kind),
            ("x-hub-signature-256", &signature),
            ("content-type", "application/json"),
        ];
        self.post(path, &heads, body)
    }

    fn page(&self, path: &str) -> String {
        let head =
            format!("GET {path} HTTP/1.1\r\nhost: docs.example\r\nconnection: close\r\n\r\n");
        self.raw(head.as_bytes()).1
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.serving.stop();
        self.deployer.stop();
    }
}

fn code(body: &str) -> String {
    let mut code = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    code.update(body.as_bytes());
    let bytes = code.finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn json(response: &str) -> serde_json::Value {
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

const PATH: &str = "/_svc/webhook";
const PUSH: &str =
    r#"{"ref":"refs/heads/main","after":"2222222222222222222222222222222222222222"}"#;

#[test]
fn a_signed_push_deploys_the_current_state() {
    let server = TestServer::defaults();
    fs::write(server.base.path().join("docs/index.mdx"), "Version two.").unwrap();
    let (status, response) = server.signed(PATH, "push", PUSH);
    assert_eq!(status, 202, "{response}");
    assert!(
        response.contains("content-type: application/json"),
        "{response}"
    );
    let response = json(&response);
    let id = response["deployment"].as_str().unwrap();
    let result = server.deployer.wait(id, WAIT_TIMEOUT).unwrap();
    assert_eq!(result.state, DeploymentState::Live);
    assert!(server.page("/").contains("Version two."));
    // A repeated delivery deploys nothing new.
    let (status, response) = server.signed(PATH, "push", PUSH);
    assert_eq!(status, 202);
    let id = json(&response)["deployment"].as_str().unwrap().to_owned();
    let repeated = server.deployer.wait(&id, WAIT_TIMEOUT).unwrap();
    assert_eq!(repeated.summary, "nothing changed");
}

#[test]
fn the_endpoint_is_at_the_root_and_below_the_base_path() {
    let server = TestServer::start("/docs", true, WebhookLimits::default());
    for path in [PATH, "/docs/_svc/webhook", "/docs/_svc/webhook/"] {
        let (status, response) = server.signed(path, "ping", "{}");
        assert_eq!(status, 200, "{path}");
        assert_eq!(json(&response)["message"], "deliveries arrive");
    }
    assert_eq!(server.signed("/other/_svc/webhook", "ping", "{}").0, 405);
    for path in [PATH, "/docs/_svc/webhook"] {
        let looked = server.page(path).to_ascii_lowercase();
        assert!(looked.starts_with("http/1.1 405"), "{looked}");
        assert!(looked.contains("\r\nallow: post\r\n"), "{looked}");
        assert!(looked.contains("the webhook endpoint"), "{looked}");
    }
    let without = TestServer::start("/docs", false, WebhookLimits::default());
    assert!(without.page(PATH).starts_with("HTTP/1.1 404"));
    let elsewhere = "POST /_svc/webhook HTTP/1.1\r\nhost: other.example\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(server.raw(elsewhere.as_bytes()).0, 421);
}

#[test]
fn unsigned_deliveries_reveal_nothing() {
    let server = TestServer::defaults();
    let bodies = [
        server.post(PATH, &[("x-github-event", "push")], PUSH),
        server.post(
            PATH,
            &[("x-gitlab-event", "Push Hook"), ("x-gitlab-token", "x")],
            PUSH,
        ),
        server.post(
            PATH,
            &[("x-gitea-event", "push"), ("x-gitea-signature", &code("x"))],
            "not JSON",
        ),
    ];
    for (status, response) in &bodies {
        assert_eq!(*status, 401, "{response}");
        assert_eq!(json(response), json(&bodies[0].1));
    }
    let without = TestServer::start("", false, WebhookLimits::default());
    assert_eq!(without.signed(PATH, "push", PUSH).0, 404);
    assert_eq!(server.post(PATH, &[], PUSH).0, 400);
}

#[test]
fn deliveries_have_limits() {
    let server = TestServer::start(
        "",
        true,
        WebhookLimits {
            body_bytes: 1000,
            body_timeout: Duration::from_millis(300),
            ..WebhookLimits::default()
        },
    );
    let head = "POST /_svc/webhook HTTP/1.1\r\nhost: docs.example\r\nx-github-event: push\r\n";
    // Rejected because of its length, before the body is sent.
    let (status, _) = server.raw(format!("{head}content-length: 1001\r\n\r\n").as_bytes());
    assert_eq!(status, 413);
    let piece = format!("400\r\n{}\r\n", "x".repeat(1024));
    let (status, _) =
        server.raw(format!("{head}transfer-encoding: chunked\r\n\r\n{piece}0\r\n\r\n").as_bytes());
    assert_eq!(status, 413);
    let (status, _) = server.raw(format!("{head}content-length: 10\r\n\r\n12345").as_bytes());
    assert_eq!(status, 408);
    let signature = format!("sha256={}", code("<a/>"));
    let heads = [
        ("x-github-event", "push"),
        ("x-hub-signature-256", signature.as_str()),
        ("content-type", "text/xml"),
    ];
    assert_eq!(server.post(PATH, &heads, "<a/>").0, 415);
}

#[test]
fn deliveries_per_addr_are_rate_limited() {
    let server = TestServer::start(
        "",
        true,
        WebhookLimits {
            burst: 2,
            interval: Duration::from_secs(600),
            ..WebhookLimits::default()
        },
    );
    assert_eq!(server.signed(PATH, "ping", "{}").0, 200);
    assert_eq!(
        server.post(PATH, &[("x-github-event", "ping")], "{}").0,
        401
    );
    let (status, response) = server.signed(PATH, "ping", "{}");
    assert_eq!(status, 429);
    assert!(response.contains("retry-after: "), "{response}");
}
