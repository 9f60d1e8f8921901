//! The administration of a multi-project server: its addresses, its deployments, and several
//! servers on one database.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use svc_admin_api::deployment::DeploymentStore as _;
use svc_admin_api::key::{Key, create_key, revoke_key};
use svc_admin_api::project::ProjectStore as _;
use svc_admin_api::{DeploymentStatus, ProjectId, RateLimiter, RateLimits};
use svc_server::{
    AdminSettings, Host, OutboundSettings, ProjectSettings, Projects, Secret, Settings,
    SourceSettings, SystemClock, SystemRandom,
};
use svc_store::Database;
use svc_test_support::log::LogCapture;
use svc_test_support::postgres::PgCluster;
use tokio::sync::oneshot;

use super::rig::{Client, SHELL, TestResponse, block_on, wish};
use crate::serving::limits;

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// Creates a site of one page in a directory.
fn site(dir: &Path, name: &str, text: &str) {
    fs::create_dir_all(dir).unwrap();
    let config = format!(
        r##"{{"theme": "svc", "name": "{name}", "colors": {{"primary": "#000000"}}, "navigation": {{"pages": ["index"]}}}}"##
    );
    fs::write(dir.join("docs.json"), config).unwrap();
    fs::write(dir.join("index.mdx"), text).unwrap();
}

fn git(dir: &Path, arguments: &[&str]) {
    let author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    let output = Command::new("git")
        .args(author)
        .args(arguments)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Creates a repository with a site of one page.
pub(crate) fn repository(dir: &Path, text: &str) {
    site(dir, "Docs", text);
    git(dir, &["init", "-q", "-b", "main"]);
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-qm", "Begin"]);
}

/// Creates a repository to clone from and push to, with a site of one page.
pub(crate) fn bare_repository(dir: &Path) -> PathBuf {
    repository(&dir.join("work"), "Words.\n");
    git(dir, &["clone", "-q", "--bare", "work", "docs.git"]);
    dir.join("docs.git")
}

/// Directories of projects.
pub(crate) struct Scene(tempfile::TempDir);

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self(tempfile::tempdir().unwrap());
        scene.write("one", "first words");
        scene.write("two", "other words");
        scene
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, project: &str, text: &str) {
        site(&self.path(project), project, text);
    }

    pub(crate) fn settings(&self, data: &str, store: &str) -> Settings {
        let project = |id: &str| ProjectSettings {
            site: svc_site::SiteOptions {
                without_web_fonts: true,
                ..svc_site::SiteOptions::default()
            },
            ..ProjectSettings::with_defaults(
                id,
                Host::parse(&format!("{id}.example.com")).unwrap(),
                SourceSettings::Dir {
                    path: self.path(id),
                    watch: false,
                },
            )
        };
        let data = self.path(data);
        Settings {
            listen: "127.0.0.1:0".parse().unwrap(),
            outbound: OutboundSettings {
                relay: None,
                offline: true,
                ..OutboundSettings::default()
            },
            admin: Some(AdminSettings {
                listen: "127.0.0.1:0".parse().ok(),
                host: Host::parse("admin.example.com").ok(),
                store: Secret::new(store),
                rates: RateLimits::UNLIMITED,
                ..AdminSettings::with_defaults(&data)
            }),
            projects: vec![project("one"), project("two")],
            ..Settings::with_defaults(&data)
        }
    }

    pub(crate) fn sqlite(&self) -> String {
        format!("sqlite:{}", self.path("admin.sqlite").display())
    }
}

/// A running server.
pub(crate) struct TestServer {
    pub(crate) sites: SocketAddr,
    pub(crate) admin: SocketAddr,
    pub(crate) log: LogCapture,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn start(settings: Settings) -> Self {
        let (stop, shutdown) = oneshot::channel();
        let (send, receive) = channel();
        let log = LogCapture::default();
        let captured = log.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .thread_stack_size(8 << 20)
                .enable_all()
                .on_thread_start(move || captured.enter_thread())
                .build()
                .unwrap();
            runtime.block_on(async {
                let projects = Projects::start(settings, limits()).await.unwrap();
                let (admin, _) = projects.admin_addr();
                let addrs = (projects.local_addr().unwrap(), admin.unwrap());
                send.send(addrs).unwrap();
                let stop = async {
                    let _ = shutdown.await;
                };
                projects.run(|| None, stop).await;
            });
        });
        let (sites, admin) = receive.recv().unwrap();
        Self {
            sites,
            admin,
            log,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub(crate) fn call(&self, key: &str, line: &str) -> TestResponse {
        Client::new(self.admin).call(key, line, "")
    }

    /// Sends a request to the listener of the sites.
    pub(crate) fn at(&self, host: &str, line: &str, headers: &str) -> TestResponse {
        let text = format!("{line} HTTP/1.1\r\nhost: {host}\r\n{headers}\r\n");
        Client::new(self.sites).raw(text.as_bytes(), false)
    }

    pub(crate) fn update(&self, key: &str, project: &str) -> String {
        let response = self.call(key, &format!("POST /v1/project/update/{project}"));
        assert_eq!(response.status, 202, "{response:?}");
        response.json()["statusId"].as_str().unwrap().to_owned()
    }

    fn status(&self, key: &str, id: &str) -> Value {
        let response = self.call(key, &format!("GET /v1/project/update-status/{id}"));
        assert_eq!(response.status, 200, "{response:?}");
        response.json()
    }

    /// Waits until a deployment has finished, and returns its status.
    pub(crate) fn decided(&self, key: &str, id: &str) -> Value {
        let end = Instant::now() + WAIT_TIMEOUT;
        loop {
            let status = self.status(key, id);
            if !["queued", "in_progress"].contains(&status["status"].as_str().unwrap()) {
                return status;
            }
            assert!(Instant::now() < end, "{status}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a site contains a text.
    pub(crate) fn shows(&self, host: &str, text: &str) -> bool {
        let end = Instant::now() + WAIT_TIMEOUT;
        while Instant::now() < end {
            let page = self.at(host, "GET /", "");
            if page.status == 200 && String::from_utf8_lossy(&page.body).contains(text) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Accesses a store directly, beside the server.
pub(crate) fn with_store<T>(store: &str, act: impl AsyncFnOnce(&Database) -> T) -> T {
    block_on(async {
        let database = Database::open(store).await.unwrap();
        let result = act(&database).await;
        database.close().await;
        result
    })
}

pub(crate) fn key(store: &str, project: &str) -> (Key, String) {
    with_store(store, async |database| {
        let clock = SystemClock::default();
        let counts = RateLimiter::new(RateLimits::UNLIMITED);
        let new = wish(project);
        // A start on a slow machine may continue before the projects are saved in the store.
        let end = Instant::now() + WAIT_TIMEOUT;
        while database.project(&new.project).await.unwrap().is_none() {
            assert!(Instant::now() < end, "the store does not know {project}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let result = create_key(database, &clock, &SystemRandom, &counts, &SHELL, &new).await;
        let (key, secret) = result.unwrap();
        (key, secret.reveal().to_owned())
    })
}

#[test]
fn the_administration_has_a_separate_listener_and_host() {
    // spec: admin.listen accepts and refuses
    let scene = Scene::new();
    let server = TestServer::start(scene.settings("data", &scene.sqlite()));
    let (_, key) = key(&scene.sqlite(), "one");
    let line = "GET /v2/agent/one/jobs";
    let bearer = format!("authorization: Bearer {key}\r\n");
    assert_eq!(server.call(&key, line).status, 200);
    assert_eq!(server.at("admin.example.com", line, &bearer).status, 200);
    assert!(server.shows("one.example.com", "first words"));
    for (host, status) in [("one.example.com", 404), ("else.example.com", 421)] {
        for path in ["/v2/agent/one/jobs", "/openapi/admin.json", "/sign-in"] {
            let response = server.at(host, &format!("GET {path}"), &bearer);
            assert_eq!(response.status, status, "{host}{path}: {response:?}");
        }
    }
    let page = server.at("admin.example.com", "GET /sign-in", "");
    assert_eq!(page.status, 200, "{page:?}");
    assert!(page.has("content-security-policy:"));
    let page = Client::new(server.admin).send("GET /", b"", b"");
    assert!(
        page.status == 303 && page.has("location: /sign-in"),
        "{page:?}"
    );
    // The host of the administration serves no site.
    let missing = server.at("admin.example.com", "GET /index.md", "");
    assert_eq!(missing.status, 404);
}

#[test]
fn an_api_client_deploys_and_reads_the_result() {
    let scene = Scene::new();
    let store = scene.sqlite();
    let server = TestServer::start(scene.settings("data", &store));
    let (_, token) = key(&store, "one");
    assert!(server.shows("one.example.com", "first words"));
    scene.write("one", "second words");
    // The deployment waits for a Git command, which the caller can see.
    let lock = scene.path("one").join(".git/index.lock");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    fs::write(&lock, "").unwrap();
    let id = server.update(&token, "one");
    let end = Instant::now() + WAIT_TIMEOUT;
    let waits = |status: &Value| status["summary"].to_string().contains("Git command");
    while !waits(&server.status(&token, &id)) {
        assert!(Instant::now() < end, "{}", server.status(&token, &id));
        std::thread::sleep(Duration::from_millis(20));
    }
    fs::remove_file(lock).unwrap();
    let status = server.decided(&token, &id);
    assert_eq!(status["status"], "success", "{status}");
    assert_eq!(
        (&status["source"], &status["projectId"]),
        (&"api".into(), &"one".into())
    );
    assert!(status["endedAt"].is_string() && !status["logs"].as_array().unwrap().is_empty());
    assert!(server.shows("one.example.com", "second words"));
    // A site that cannot be read.
    fs::write(scene.path("one").join("docs.json"), "{").unwrap();
    let broken = server.update(&token, "one");
    let status = server.decided(&token, &broken);
    assert_eq!(status["status"], "failure", "{status}");
    assert!(status["logs"].to_string().contains("docs.json"), "{status}");
    assert!(server.shows("one.example.com", "second words"));
    // A folder has no previews.
    let body = r#"{"branch":"b"}"#;
    let preview = Client::new(server.admin).call(&token, "POST /v1/project/preview/one", body);
    assert_eq!(preview.status, 409, "{preview:?}");
    // A deployment of another project is not found.
    let (_, other) = key(&store, "two");
    let response = server.call(&other, &format!("GET /v1/project/update-status/{id}"));
    assert_eq!(response.status, 404);
    assert_eq!(written(&store, "one", &id), "success");
    assert_eq!(written(&store, "one", &broken), "failure");
}

/// The deployments of a project in a store.
pub(crate) async fn deployments(database: &Database, project: &str) -> Vec<DeploymentStatus> {
    let project = ProjectId::parse(project).unwrap();
    let records = database.deployments(&project, None, 50).await.unwrap();
    records.into_iter().map(|record| record.status).collect()
}

/// Waits until the store contains the final state of a deployment.
pub(crate) fn written(store: &str, project: &str, id: &str) -> String {
    let end = Instant::now() + WAIT_TIMEOUT;
    with_store(store, async |database| {
        loop {
            let known = deployments(database, project).await;
            let status = known.iter().find(|known| known.id.as_str() == id);
            if let Some(status) = status.filter(|status| status.ended_at.is_some()) {
                let status = serde_json::to_value(status.status).unwrap();
                return status.as_str().unwrap().to_owned();
            }
            assert!(Instant::now() < end, "{id} is not in the store: {known:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
}

#[test]
fn a_revoked_key_is_rejected_immediately_and_no_key_is_logged_or_stored() {
    let scene = Scene::new();
    let store = scene.sqlite();
    let server = TestServer::start(scene.settings("data", &store));
    let (known, secret) = key(&store, "one");
    let line = "GET /v2/agent/one/jobs";
    assert_eq!(server.call(&secret, line).status, 200);
    revoke(&store, &known);
    let response = within(Duration::from_secs(1), || {
        server.call(&secret, line).status == 401
    });
    assert!(response, "a second is over");
    assert!(!server.log.text().contains(&secret));
    drop(server);
    for file in files(scene.0.path()) {
        let bytes = fs::read(&file).unwrap();
        let half = &secret.as_bytes()[16..];
        assert!(
            !bytes.windows(half.len()).any(|part| part == half),
            "{}",
            file.display()
        );
    }
}

#[test]
fn two_servers_of_one_database_deploy_together_and_reject_revoked_keys() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    let scene = Scene::new();
    let store = cluster.create_database();
    let first = TestServer::start(scene.settings("data-one", &store));
    let two = TestServer::start(scene.settings("data-two", &store));
    let (known, secret) = key(&store, "one");
    assert!(first.shows("one.example.com", "first words"));
    assert!(two.shows("one.example.com", "first words"));
    scene.write("one", "second words");
    let id = first.update(&secret, "one");
    assert_eq!(first.decided(&secret, &id)["status"], "success");
    assert!(
        two.shows("one.example.com", "second words"),
        "{:?}",
        two.log
    );
    // A deployment of one server can be read from the other.
    let known_there = within(Duration::from_secs(10), || {
        let response = two.call(&secret, &format!("GET /v1/project/update-status/{id}"));
        response.status == 200 && response.json()["status"] == "success"
    });
    assert!(known_there, "the other server does not know {id}");
    // Neither built it twice: the echo of a notification is ignored.
    let deployments = |server: &TestServer| {
        let log = server.log.lines();
        let live = log
            .iter()
            .filter(|line| line.contains("project=\"one\"") && line.contains(" live: "));
        live.count()
    };
    assert_eq!(
        (deployments(&first), deployments(&two)),
        (2, 2),
        "{:?} {:?}",
        first.log,
        two.log
    );
    let line = "GET /v2/agent/one/jobs";
    assert_eq!(
        (
            first.call(&secret, line).status,
            two.call(&secret, line).status
        ),
        (200, 200)
    );
    revoke(&store, &known);
    let reply = within(Duration::from_secs(1), || {
        first.call(&secret, line).status == 401 && two.call(&secret, line).status == 401
    });
    assert!(reply, "a second is over");
}

pub(crate) fn revoke(store: &str, key: &Key) {
    with_store(store, async |database| {
        let clock = SystemClock::default();
        let result = revoke_key(database, &clock, &SHELL, &key.project, &key.id).await;
        assert!(result.unwrap());
    });
}

pub(crate) fn within(timeout: Duration, mut test: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + timeout;
    loop {
        if test() {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            paths.extend(files(&entry.path()));
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
    paths
}
