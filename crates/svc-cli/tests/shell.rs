//! Keys, jobs and projects on the command line, with a store and with a server.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread;

use serde_json::Value;
use svc_server::{Limits, Projects, Settings};
use tokio::sync::oneshot;

const SERVER: &str = r#"
listen = "127.0.0.1:0"
data = "data"
[admin]
listen = "127.0.0.1:0"
[agent]
command = ["false"]
sandbox = "none"
model = "scripted"
[[projects]]
id = "docs"
hosts = ["docs.example.com"]
source.folder = "site"
[projects.agent]
repository = "file:///nowhere"
branch = "main"
forge_command = ["false"]
"#;

/// A server with its data directory.
struct TestServer {
    dir: tempfile::TempDir,
    admin: String,
    addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl TestServer {
    fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("site");
        fs::create_dir(&site).unwrap();
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;
        fs::write(site.join("docs.json"), config).unwrap();
        fs::write(site.join("index.mdx"), "Words.\n").unwrap();
        let path = dir.path().join("server.toml");
        fs::write(&path, SERVER).unwrap();
        let read = Settings::from_file(&path).unwrap();
        let problems = read.render_text();
        let settings = read.settings.expect(&problems);
        let (stop, shutdown) = oneshot::channel();
        let (send, receive) = channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .enable_all()
                .thread_stack_size(8 << 20)
                .build()
                .unwrap();
            runtime.block_on(async {
                let projects = Projects::start(settings, Limits::default());
                let projects = projects.await.unwrap();
                let addrs = (projects.admin_addr().0.unwrap(), projects.local_addr());
                send.send(addrs).unwrap();
                let stop = async {
                    let _ = shutdown.await;
                };
                projects.run(|| None, stop).await;
            });
        });
        let (admin, addr) = receive.recv().unwrap();
        Self {
            admin: format!("http://{admin}"),
            addr: addr.unwrap(),
            dir,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    fn svc(&self, arguments: &[&str]) -> Output {
        run(arguments, self.dir.path(), None, "")
    }

    /// The first page of the site, as HTML.
    fn page(&self) -> String {
        let mut stream = TcpStream::connect(self.addr).unwrap();
        let head = "GET / HTTP/1.1\r\nhost: docs.example.com\r\nconnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    /// Runs `svc` against the server with a key.
    fn remote(&self, key: &str, arguments: &[&str]) -> Output {
        let all = [arguments, &["--server", &self.admin]].concat();
        run(&all, self.dir.path(), Some(key), "")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

fn run(arguments: &[&str], dir: &Path, key: Option<&str>, input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
    command.args(arguments).current_dir(dir);
    command.env_remove("SVC_KEY");
    if let Some(key) = key {
        command.env("SVC_KEY", key);
    }
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that does not read its input may have exited.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn out(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&out(output)).unwrap()
}

#[test]
fn projects_and_keys_are_managed_on_the_command_line() {
    let scene = TestServer::start();
    let projects = out(&scene.svc(&["projects", "list"]));
    assert_eq!(projects, "docs  docs  file:///nowhere\n");
    let projects = json(&scene.svc(&["projects", "list", "--json"]));
    assert_eq!(projects.pointer("/0/agent/model").unwrap(), "scripted");

    let create = ["keys", "create", "docs", "--name", "CI"];
    let secret =
        out(&scene.svc(&[&create[..], &["--scope", "write", "--expires", "90d"]].concat()));
    let secret = secret.trim();
    assert!(secret.starts_with("svc_") && secret.len() == 42, "{secret}");
    let keys = json(&scene.svc(&["keys", "list", "docs", "--json"]));
    let id = keys.pointer("/0/id").and_then(Value::as_str).unwrap();
    assert_eq!(keys.pointer("/0/scope").unwrap(), "write");
    assert!(keys.pointer("/0/hash").is_none());
    let output = out(&scene.svc(&["keys", "list", "docs"]));
    assert!(
        output.contains("until 20") && !output.contains(secret),
        "{output}"
    );

    let list = ["jobs", "list", "docs"];
    assert_eq!(out(&scene.remote(secret, &list)), "");
    out(&scene.svc(&["keys", "revoke", "docs", id]));
    assert!(refused(&scene.remote(secret, &list)).contains("401"));
    let output = out(&scene.svc(&["keys", "list", "docs"]));
    assert!(output.contains("revoked 20"), "{output}");

    let unknown = refused(&scene.svc(&["keys", "revoke", "docs", "nobody"]));
    assert_eq!(unknown, "svc: `docs` has no key and no token `nobody`\n");
    let scope = refused(&scene.svc(&[&create[..], &["--scope", "all"]].concat()));
    assert!(scope.contains("`read`, `write`"), "{scope}");
    let other = refused(&scene.svc(&["keys", "list", "other"]));
    assert_eq!(other, "svc: there is no project `other`\n");
}

#[test]
fn tokens_for_readers_are_managed_like_keys() {
    let scene = TestServer::start();
    let create = ["keys", "create", "docs", "--name", "crawler", "--reader"];
    let groups = ["--group", "staff", "--group", "partners"];
    let secret = out(&scene.svc(&[&create[..], &groups, &["--expires", "7d"]].concat()));
    let secret = secret.trim();
    assert!(secret.starts_with("svcr_"), "{secret}");
    let keys = json(&scene.svc(&["keys", "list", "docs", "--json"]));
    assert_eq!(keys.pointer("/0/scope").unwrap(), "reader");
    assert_eq!(keys.pointer("/0/groups/0").unwrap(), "partners");
    assert!(keys.pointer("/0/hash").is_none());
    let id = keys.pointer("/0/id").and_then(Value::as_str).unwrap();
    let output = out(&scene.svc(&["keys", "list", "docs"]));
    assert!(output.contains("reader  until 20"), "{output}");
    assert!(output.contains("partners,staff") && !output.contains(secret));
    // It is no key.
    let list = ["jobs", "list", "docs"];
    assert!(refused(&scene.remote(secret, &list)).contains("401"));
    out(&scene.svc(&["keys", "revoke", "docs", id]));
    let output = out(&scene.svc(&["keys", "list", "docs"]));
    assert!(output.contains("revoked 20"), "{output}");

    let wrong = refused(&scene.svc(&[&create[..], &["--group", "a,b"]].concat()));
    assert!(wrong.contains("`a,b` is not a group"), "{wrong}");
    let unknown = ["keys", "create", "other", "--name", "x", "--reader"];
    let unknown = refused(&scene.svc(&unknown));
    assert_eq!(unknown, "svc: the project does not exist\n");
}

#[test]
fn jobs_are_created_in_the_store_and_on_the_server() {
    let scene = TestServer::start();
    let create = ["keys", "create", "docs", "--name", "a", "--scope", "write"];
    let key = out(&scene.svc(&create));
    let key = key.trim();
    let create_job = ["jobs", "create", "docs", "Mend the links", "--ref", "next"];
    let here = out(&scene.svc(&create_job));
    let there = out(&scene.remote(key, &create_job));
    let (here, there) = (here.trim(), there.trim());
    // Jobs created with one backend are visible with the other.
    let shown = json(&scene.remote(key, &["jobs", "show", "docs", here, "--json"]));
    assert_eq!(shown.pointer("/source/ref").unwrap(), "next");
    assert!(out(&scene.svc(&["jobs", "show", "docs", there])).contains("file:///nowhere"));
    for output in [
        out(&scene.svc(&["jobs", "list", "docs"])),
        out(&scene.remote(key, &["jobs", "list", "docs", "--limit", "2"])),
    ] {
        assert!(output.contains(here) && output.contains(there), "{output}");
    }
    // The repository does not exist, so the agents of the server fail.
    let mut status = Value::Null;
    for _ in 0..600 {
        let shown = json(&scene.svc(&["jobs", "show", "docs", here, "--json"]));
        status = shown.get("status").cloned().unwrap();
        if status != "active" {
            break;
        }
        thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(status, "failed");
    assert!(out(&scene.svc(&["jobs", "log", "docs", here])).contains("failed"));
    let message = ["jobs", "message", "docs", here, "Go on"];
    for refusal in [scene.svc(&message), scene.remote(key, &message)] {
        assert!(refused(&refusal).contains("completed"), "{refusal:?}");
    }
    let archived = out(&scene.remote(key, &["jobs", "archive", "docs", here]));
    assert!(archived.contains("archived"), "{archived}");
    let repeated = refused(&scene.svc(&["jobs", "archive", "docs", here]));
    assert!(repeated.contains("archived"), "{repeated}");
}

#[test]
fn errors_are_printed_as_sentences() {
    let dir = tempfile::tempdir().unwrap();
    let missing = run(&["projects", "list"], dir.path(), None, "");
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    let text = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(
        text.contains("server.toml") && text.contains("--store"),
        "{text}"
    );
    let store = ["--store", "sqlite:kept.sqlite"];
    let empty = run(
        &[&["jobs", "create", "docs"][..], &store].concat(),
        dir.path(),
        None,
        "",
    );
    assert!(refused(&empty).contains("prompt"), "{empty:?}");
    let none = run(
        &[&["jobs", "create", "docs"][..], &store].concat(),
        dir.path(),
        None,
        "Do it\n",
    );
    assert_eq!(none.status.code(), Some(1), "{none:?}");
    let remote = ["jobs", "list", "docs", "--server", "http://127.0.0.1:8081"];
    let keyless = run(&remote, dir.path(), None, "");
    assert!(String::from_utf8_lossy(&keyless.stderr).contains("SVC_KEY"));
}

#[test]
fn deployments_are_triggered_and_shown() {
    let scene = TestServer::start();
    let result = scene.svc(&["deploy", "docs", "--wait"]);
    assert!(out(&result).starts_with("docs "), "{result:?}");
    let shown = out(&scene.svc(&["status"]));
    assert!(
        shown.starts_with("docs ") && shown.contains(" live"),
        "{shown}"
    );
    let shown = out(&scene.svc(&["status", "--json"]));
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["projects"][0]["previews"], serde_json::json!([]));
    let failure = scene.svc(&["deploy", "docs", "--preview", "x"]);
    assert_eq!(failure.status.code(), Some(1), "{failure:?}");
    let why = String::from_utf8_lossy(&failure.stderr).into_owned();
    assert_eq!(
        why,
        "svc: a project with a folder as source has no previews\n"
    );
    let both = scene.svc(&["deploy", "docs", "--preview", "x", "--branch", "y"]);
    assert_eq!(both.status.code(), Some(2), "{both:?}");
}

#[test]
fn the_status_is_printed_again_when_it_changes() {
    let scene = TestServer::start();
    out(&scene.svc(&["deploy", "docs", "--wait"]));
    let mut watching = Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(["status", "docs", "--watch", "--json"])
        .current_dir(scene.dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (send, receive) = channel();
    let stdout = watching.stdout.take().unwrap();
    thread::spawn(move || {
        let documents = serde_json::Deserializer::from_reader(stdout).into_iter::<Value>();
        for document in documents.flatten() {
            if send.send(document).is_err() {
                return;
            }
        }
    });
    let next = || receive.recv_timeout(std::time::Duration::from_secs(60));
    let first = next().unwrap();
    let count = |document: &Value| document["deployments"].as_array().unwrap().len();
    fs::write(scene.dir.path().join("site/index.mdx"), "Other words.\n").unwrap();
    out(&scene.svc(&["deploy", "docs", "--wait"]));
    let mut changed = next().unwrap();
    while changed["deployments"][0]["state"] != "live" {
        changed = next().unwrap();
    }
    assert_eq!(count(&changed), count(&first) + 1);
    watching.kill().unwrap();
    watching.wait().unwrap();
    // A finished deployment does not change anymore.
    let id = changed["deployments"][0]["id"].as_str().unwrap();
    let shown = out(&scene.svc(&["status", id, "--watch"]));
    assert!(shown.contains(" live"), "{shown}");
    let missing = scene.svc(&["status", "none", "--watch"]);
    assert_eq!(missing.status.code(), Some(1), "{missing:?}");
}

#[test]
fn an_earlier_deployment_is_rolled_back_to() {
    let scene = TestServer::start();
    out(&scene.svc(&["deploy", "docs", "--wait"]));
    let why = refused(&scene.svc(&["rollback", "docs"]));
    assert!(why.contains("no deployment to roll back to"), "{why}");
    let page = scene.dir.path().join("site/index.mdx");
    fs::write(&page, "Other words.\n").unwrap();
    out(&scene.svc(&["deploy", "docs", "--wait"]));
    assert!(scene.page().contains("Other words."));
    let shown = out(&scene.svc(&["rollback", "docs"]));
    assert!(
        shown.contains("live") && shown.contains("rollback"),
        "{shown}"
    );
    let shown = scene.page();
    assert!(
        shown.contains("Words.") && !shown.contains("Other"),
        "{shown}"
    );
    assert!(out(&scene.svc(&["status", "docs"])).contains("(rollback, "));
    let why = refused(&scene.svc(&["rollback", "docs", "nothing"]));
    assert!(why.contains("nothing"), "{why}");
}

#[test]
fn a_store_that_a_server_uses_is_not_moved() {
    let server = TestServer::start();
    let output = server.svc(&["store", "move", "--to", "sqlite:b.sqlite"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("a server uses the data folder"), "{text}");
    assert!(!server.dir.path().join("b.sqlite").exists());
}
