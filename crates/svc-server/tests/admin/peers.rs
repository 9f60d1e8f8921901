//! Two programs on one PostgreSQL database: both perform what a forge, a command or a user requests
//! from one of them.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use serde_json::{Value, json};
use svc_server::request_server;
use svc_test_support::git::{self, BareRepo};
use svc_test_support::postgres::PgCluster;

use super::rig::{Client, TestResponse};
use super::server::within;
use crate::peer_server::{self, PeerServer, SITE};

pub(crate) const SECRET: &str = "a secret of this test";
pub(crate) const WEBHOOK: &str = "[projects.webhook]\nsecret_file = \"secret\"\n";
const PREVIEW: &str = "feature.preview.example.com";
/// Timeout for eventual results on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// A repository and the directories of two servers.
struct Scene {
    dir: tempfile::TempDir,
    origin: BareRepo,
    _cluster: Arc<PgCluster>,
}

impl Scene {
    /// `None` without Git or PostgreSQL.
    fn new() -> Option<Self> {
        let cluster = PgCluster::shared()?;
        let dir = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&dir.path().join("origin.git"))?;
        fs::write(dir.path().join("store"), cluster.create_database()).unwrap();
        fs::write(dir.path().join("secret"), SECRET).unwrap();
        let scene = Self {
            dir,
            origin,
            _cluster: cluster,
        };
        scene.commit("main", "The first words.");
        Some(scene)
    }

    /// Commits a text to a branch.
    fn commit(&self, branch: &str, text: &str) {
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": ["index"]}}"##;
        let files = [
            git::File::Text("docs.json", config),
            git::File::Text("index.mdx", text),
        ];
        let tree = self.origin.tree(&files);
        let commit = self.origin.git(&["commit-tree", "-m", text, &tree]);
        let reference = format!("refs/heads/{branch}");
        self.origin.git(&["update-ref", &reference, &commit]);
    }

    fn config(&self, name: &str) -> PathBuf {
        peer_server::config(self.dir.path(), name, WEBHOOK)
    }

    fn start(&self, name: &str) -> PeerServer {
        PeerServer::start(self.dir.path(), name, WEBHOOK)
    }

    fn logs(&self) -> String {
        let read = |name: &str| {
            let path = self.dir.path().join(format!("{name}.log"));
            fs::read_to_string(path).unwrap_or_default()
        };
        format!("one:\n{}\nother:\n{}", read("one"), read("other"))
    }

    /// Waits until all servers serve a text at a host.
    fn shows(&self, servers: &[&PeerServer], host: &str, text: &str) {
        for server in servers {
            let shown = within(WAIT_TIMEOUT, || {
                let page = server.page(host);
                page.status == 200 && page.text().contains(text)
            });
            assert!(shown, "{text} is not at {host}: {}", self.logs());
        }
    }
}

/// Sites and webhooks of a server.
impl PeerServer {
    pub(crate) fn page(&self, host: &str) -> TestResponse {
        let request = format!("GET / HTTP/1.1\r\nhost: {host}\r\n\r\n");
        Client::new(self.sites).raw(request.as_bytes(), false)
    }

    /// Sends the webhook of GitHub for a push to a branch.
    pub(crate) fn push(&self, branch: &str, after: &str) {
        let body = format!(
            r#"{{"ref":"refs/heads/{branch}","after":"{after}","deleted":{}}}"#,
            after.starts_with('0')
        );
        let mut code = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
        code.update(body.as_bytes());
        let code = code.finalize().into_bytes();
        let code: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
        let request = format!(
            "POST /_svc/webhook HTTP/1.1\r\nhost: {SITE}\r\ncontent-type: application/json\r\n\
             x-github-event: push\r\nx-hub-signature-256: sha256={code}\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        let response = Client::new(self.sites).raw(request.as_bytes(), false);
        assert!(response.status < 300, "{}", response.text());
    }
}

#[test]
fn both_servers_perform_the_actions_of_one() {
    let Some(scene) = Scene::new() else { return };
    let (first, other) = (scene.start("one"), scene.start("other"));
    let both = [&first, &other];
    scene.shows(&both, SITE, "The first words.");

    scene.commit("main", "Words of a push.");
    first.push("main", "");
    scene.shows(&both, SITE, "Words of a push.");

    scene.commit("feature", "Words of a branch.");
    other.push("feature", "");
    scene.shows(&both, PREVIEW, "Words of a branch.");
    first.push("feature", &"0".repeat(40));
    for server in both {
        let gone = within(WAIT_TIMEOUT, || server.page(PREVIEW).status == 421);
        assert!(gone, "{}", scene.logs());
    }
    other.command("/projects/docs/previews", &json!({ "branch": "feature" }));
    scene.shows(&both, PREVIEW, "Words of a branch.");

    scene.commit("main", "Words of a command.");
    other.command("/projects/docs/deployments", &json!({}));
    scene.shows(&both, SITE, "Words of a command.");

    first.command("/projects/docs/rollback", &json!({}));
    scene.shows(&both, SITE, "Words of a push.");
    // An earlier delivery does not undo the rollback on either server.
    other.push("main", "");
    let looked = within(WAIT_TIMEOUT, || {
        both.iter().all(|server| {
            let all = request_server(&server.data, "GET", "/deployments", &Value::Null).unwrap();
            let newest = &all["deployments"][0];
            newest["trigger"] == "push" && newest["state"] == "superseded"
        })
    });
    assert!(looked, "{}", scene.logs());
    scene.shows(&both, SITE, "Words of a push.");
}

#[test]
fn a_server_catches_up_on_missed_actions() {
    let Some(scene) = Scene::new() else { return };
    let server = scene.start("one");
    let other = scene.start("other");
    scene.commit("feature", "Words of a branch.");
    server.push("feature", "");
    scene.shows(&[&server, &other], PREVIEW, "Words of a branch.");
    drop(other);
    server.push("feature", &"0".repeat(40));
    scene.commit("second", "Words of another branch.");
    server.push("second", "");
    scene.commit("main", "Second words.");
    server.push("main", "");
    scene.shows(&[&server], SITE, "Second words.");
    server.command("/projects/docs/rollback", &json!({}));
    scene.shows(&[&server], SITE, "The first words.");
    let other = scene.start("other");
    let both = [&server, &other];
    scene.shows(
        &both,
        "second.preview.example.com",
        "Words of another branch.",
    );
    let gone = within(WAIT_TIMEOUT, || other.page(PREVIEW).status == 421);
    assert!(gone, "{}", scene.logs());
    scene.shows(&both, SITE, "The first words.");
}

#[test]
fn the_dashboard_shows_the_server_of_deployments_and_rolls_back_on_all() {
    const PASSWORD: &str = "a very good password";
    let Some(scene) = Scene::new() else { return };
    let (one, other) = (scene.start("one"), scene.start("other"));
    let both = [&one, &other];
    let mut create = Command::new(env!("CARGO_BIN_EXE_svc-server"))
        .args(["admin", "create", "anna", "--config"])
        .arg(scene.config("one"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    writeln!(create.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    assert!(create.wait().unwrap().success());
    let mut client = Client::new(one.admin);
    let form_headers =
        "sec-fetch-site: same-origin\r\ncontent-type: application/x-www-form-urlencoded\r\n";
    let form = format!("name=anna&password={}", PASSWORD.replace(' ', "+"));
    let entered = client.send("POST /sign-in", form_headers.as_bytes(), form.as_bytes());
    assert_eq!(entered.status, 303, "{}", entered.text());
    let cookie = format!("cookie: {}\r\n", entered.cookie);
    let mut get = |path: &str| {
        let page = client.send(&format!("GET {path}"), cookie.as_bytes(), b"");
        page.text()
    };
    let id = |server: &PeerServer| {
        let id = fs::read_to_string(server.data.join("server.id")).unwrap();
        format!("({})", &id[..4])
    };
    let list = "/projects/docs/deployments";
    let named = within(WAIT_TIMEOUT, || {
        let page = get(list);
        let rows = page.split("<li").filter(|row| row.contains("is-live"));
        let rows: Vec<&str> = rows.collect();
        both.iter()
            .all(|server| rows.iter().any(|row| row.contains(&id(server))))
    });
    assert!(named, "{}", get(list));

    // A user deploys on one server, and rolls back there to a deployment of the other.
    scene.commit("main", "Second words.");
    let token = get(list);
    let token = token.split("name=\"csrf\" value=\"").nth(1).unwrap();
    let token = token.split('"').next().unwrap().to_owned();
    let post = |path: &str| {
        let headers = format!("{cookie}{form_headers}");
        let form = format!("csrf={token}");
        let line = format!("POST {path}");
        let response = Client::new(one.admin).send(&line, headers.as_bytes(), form.as_bytes());
        assert_eq!(response.status, 303, "{}", response.text());
    };
    post(list);
    scene.shows(&both, SITE, "Second words.");
    let is_shown = within(WAIT_TIMEOUT, || {
        let page = get(list);
        page.matches("Requested by anna").count() == 2
    });
    assert!(is_shown, "{}", get(list));
    let all = request_server(&other.data, "GET", "/deployments", &Value::Null).unwrap();
    let all = all["deployments"].as_array().unwrap();
    let first = all.iter().find(|one| one["trigger"] == "start").unwrap();
    let name = fs::read_to_string(other.data.join("server.id")).unwrap();
    let first = format!("{list}/{}-{name}", first["id"].as_str().unwrap());
    assert!(within(WAIT_TIMEOUT, || get(&first).contains("/roll-back")));
    post(&format!("{first}/roll-back"));
    scene.shows(&both, SITE, "The first words.");
}
