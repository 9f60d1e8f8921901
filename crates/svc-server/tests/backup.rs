//! `svc-server backup` while a server is used, `verify` and `restore`, also when they are killed.
#![expect(clippy::print_stdout, reason = "long runs quote their numbers")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use svc_admin_api::key::{KeyStore as _, NewKey, create_key};
use svc_admin_api::{ProjectId, RateLimiter, RateLimits};
use svc_server::{SystemClock, SystemRandom, request_server};
use svc_store::Database;
use svc_test_support::git::BareRepo;
use svc_test_support::postgres::PgCluster;
use svc_test_support::wait::wait_until;

use crate::admin::rig::{Client, SHELL, block_on, wish};
use crate::peer_server::{PeerServer, SITE, config};

/// Name of the server.
const NAME: &str = "one";
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
/// Backups with kills in CI and with `SVC_THOROUGH=1`.
const BACKUPS: [usize; 2] = [4, 20];

/// A repository, the settings of a server on it, and where its store is.
struct Scene {
    dir: tempfile::TempDir,
    origin: BareRepo,
    store_url: String,
}

impl Scene {
    /// `None` without Git. The store is in `NAME/admin.sqlite` unless a URL is given.
    fn new(store_url: Option<String>) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&dir.path().join("origin.git"))?;
        let sqlite = || format!("sqlite:{}", dir.path().join("one/admin.sqlite").display());
        let store_url = store_url.unwrap_or_else(sqlite);
        fs::write(dir.path().join("store"), &store_url).unwrap();
        let scene = Self {
            dir,
            origin,
            store_url,
        };
        scene.commit("Version 0.");
        Some(scene)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn commit(&self, text: &str) {
        use svc_test_support::git::File;
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": ["index"]}}"##;
        let files = [
            File::Text("docs.json", config),
            File::Text("index.mdx", text),
            File::Text("snippets/other.mdx", "Text of a snippet."),
            File::Link("linked.mdx", "snippets/other.mdx"),
        ];
        let tree = self.origin.tree(&files);
        let commit = self.origin.git(&["commit-tree", "-m", text, &tree]);
        self.origin.git(&["update-ref", "refs/heads/main", &commit]);
    }

    fn start(&self) -> PeerServer {
        PeerServer::start(self.dir.path(), NAME, "")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        command(self.dir.path(), arguments)
    }

    /// Restores a backup to another directory and another store, and starts a server there, which
    /// cannot reach the repository.
    fn restored(&self, file: &str, store_url: Option<&str>) -> (PeerServer, PathBuf) {
        let dir = self.path("restored");
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir(&dir).unwrap();
        let sqlite = format!("sqlite:{}", dir.join(NAME).join("admin.sqlite").display());
        fs::write(dir.join("store"), store_url.unwrap_or(&sqlite)).unwrap();
        succeeds(&verify(file));
        succeeds(&command(&dir, &["restore", file, "--replace"]).output());
        (PeerServer::start(&dir, NAME, ""), dir)
    }
}

/// A command of the server in a directory.
fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command.args(arguments).arg("--config");
    command.arg(config(dir, NAME, ""));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    command
}

fn verify(file: &str) -> std::io::Result<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command.args(["verify", file]).output()
}

fn succeeds(output: &std::io::Result<Output>) {
    let output = output.as_ref().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// The page, its feeds for machines and a file, as they are served.
fn site(server: &PeerServer) -> Option<Vec<(u16, Vec<u8>)>> {
    let paths = [
        "/",
        "/index.md",
        "/llms.txt",
        "/llms-full.txt",
        "/sitemap.xml",
        "/nothing",
    ];
    let get = |path: &&str| {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {SITE}\r\nconnection: close\r\n\r\n");
        let response = Client::new(server.sites).try_raw(request.as_bytes(), false);
        response
            .ok()
            .map(|response| (response.status, response.body))
    };
    paths.iter().map(get).collect()
}

fn shows(server: &PeerServer, text: &str) {
    wait_until(text, WAIT_TIMEOUT, || {
        let pages = site(server).unwrap_or_default();
        pages
            .first()
            .is_some_and(|(_, body)| String::from_utf8_lossy(body).contains(text))
    });
}

/// Names of the keys in a store.
fn keys(url: &str) -> BTreeSet<String> {
    block_on(async {
        let store = Database::open(url).await.unwrap();
        let docs = ProjectId::parse("docs").unwrap();
        let keys = store.keys(&docs).await.unwrap();
        store.close().await;
        keys.into_iter().map(|key| key.name).collect()
    })
}

/// What writers have done and the server has acknowledged.
#[derive(Default)]
struct Writes {
    is_over: AtomicBool,
    keys: Mutex<BTreeSet<String>>,
    deployments: Mutex<BTreeSet<String>>,
    count: AtomicUsize,
}

/// Ends the writers, also if the test fails.
struct EndGuard<'a>(&'a AtomicBool);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Writes {
    const fn end_when_dropped(&self) -> EndGuard<'_> {
        EndGuard(&self.is_over)
    }
}

/// Creates keys in the store of a running server.
async fn write_keys(url: &str, writes: &Writes) {
    let store = Database::open(url).await.unwrap();
    let (clock, limits) = (
        SystemClock::default(),
        RateLimiter::new(RateLimits::UNLIMITED),
    );
    while !writes.is_over.load(Ordering::SeqCst) {
        let number = writes.count.fetch_add(1, Ordering::SeqCst);
        let new = NewKey {
            name: format!("key {number}"),
            ..wish("docs")
        };
        let created = create_key(&store, &clock, &SystemRandom, &limits, &SHELL, &new).await;
        if created.is_ok() {
            writes.keys.lock().unwrap().insert(new.name);
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    store.close().await;
}

/// Commits and deploys new versions.
fn deploy(scene: &Scene, server: &PeerServer, writes: &Writes) {
    let mut number = 0;
    while !writes.is_over.load(Ordering::SeqCst) {
        number += 1;
        scene.commit(&format!("Version {number}."));
        let body = serde_json::json!({});
        let reply = request_server(&server.data, "POST", "/projects/docs/deployments", &body);
        let id = reply.unwrap()["deployments"][0]
            .as_str()
            .unwrap()
            .to_owned();
        writes.deployments.lock().unwrap().insert(id.clone());
        wait_until(&id, WAIT_TIMEOUT, || {
            let reply = request_server(&server.data, "GET", &format!("/deployments/{id}"), &body);
            let state = reply.unwrap()["deployment"]["state"].clone();
            state != "queued" && state != "building"
        });
    }
}

/// Kills a command after a while; `true` if it had not ended before.
fn kill_after(mut child: Child, delay: Duration) -> bool {
    thread::sleep(delay);
    let was_running = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    child.wait().unwrap();
    was_running
}

/// Backups under load, some of them killed, are complete or absent, and what they restore knows all
/// that was acknowledged before.
fn check_backups(scene: &Scene, other_store: Option<&str>) {
    let tries = BACKUPS[usize::from(std::env::var_os("SVC_THOROUGH").is_some())];
    let server = scene.start();
    shows(&server, "Version 0.");
    let writes = Writes::default();
    let file = scene.path("svc.tar.gz");
    let name = file.to_str().unwrap();
    let (mut killed, mut restored) = (0, 0);
    thread::scope(|scope| {
        let _end = writes.end_when_dropped();
        scope.spawn(|| block_on(write_keys(&scene.store_url, &writes)));
        scope.spawn(|| deploy(scene, &server, &writes));
        for number in 0..tries {
            let _ = fs::remove_file(&file);
            let mut command = scene.command(&["backup", name]);
            let delay = Duration::from_millis(37 * (number as u64 + 1) % 160);
            if kill_after(command.spawn().unwrap(), delay) {
                killed += 1;
            }
            // Complete or absent.
            if file.exists() {
                succeeds(&verify(name));
            }
            let known_keys = writes.keys.lock().unwrap().clone();
            let known_deployments = writes.deployments.lock().unwrap().clone();
            let mut command = scene.command(&["backup", name, "--replace"]);
            succeeds(&command.output());
            let (copy, dir) = scene.restored(name, other_store);
            restored += 1;
            let restored_keys = keys(&fs::read_to_string(dir.join("store")).unwrap());
            assert!(restored_keys.is_superset(&known_keys), "a key is lost");
            // A server remembers the last 200; IDs of later deployments sort after them.
            for id in known_deployments.iter().rev().take(100) {
                let path = format!("/deployments/{id}");
                request_server(&copy.data, "GET", &path, &serde_json::json!({})).unwrap();
            }
            shows(&copy, "Version ");
        }
    });
    println!(
        "{restored} backups restored, {killed} killed, {} keys, {} deployments",
        writes.keys.lock().unwrap().len(),
        writes.deployments.lock().unwrap().len()
    );
    // Without writes, the restored server serves the same bytes.
    let expected = site(&server).unwrap();
    succeeds(&scene.command(&["backup", name, "--replace"]).output());
    let (copy, _) = scene.restored(name, other_store);
    wait_until("the restored site", WAIT_TIMEOUT, || {
        site(&copy).is_some_and(|site| site[0].0 == 200)
    });
    assert_eq!(site(&copy).unwrap(), expected);
    assert!(!scene.path("one/backup/files").exists());
}

#[test]
fn a_backup_under_load_with_kills_knows_all_acknowledged_writes() {
    if let Some(scene) = Scene::new(None) {
        check_backups(&scene, None);
    }
}

#[test]
fn a_backup_of_postgresql_is_restored_to_another_database() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    let (one, two) = (cluster.create_database(), cluster.create_database());
    if let Some(scene) = Scene::new(Some(one)) {
        check_backups(&scene, Some(&two));
    }
}

/// A restore that is killed at any moment changes nothing, or the server refuses to start until it
/// has been run again.
#[test]
fn a_restore_that_is_killed_is_completed_by_the_next_one() {
    let Some(scene) = Scene::new(None) else {
        return;
    };
    let server = scene.start();
    shows(&server, "Version 0.");
    let file = scene.path("svc.tar.gz");
    let name = file.to_str().unwrap();
    succeeds(&scene.command(&["backup", name]).output());
    scene.commit("Version 1.");
    server.command("/projects/docs/deployments", &serde_json::json!({}));
    shows(&server, "Version 1.");
    drop(server);
    let tries = BACKUPS[usize::from(std::env::var_os("SVC_THOROUGH").is_some())];
    fs::rename(scene.path("origin.git"), scene.path("away.git")).unwrap();
    let (mut refused, mut old, mut new) = (0, 0, 0);
    for number in 0..tries {
        let mut command = scene.command(&["restore", name, "--replace"]);
        let delay = Duration::from_millis(11 * (number as u64 + 1) % 67);
        kill_after(command.spawn().unwrap(), delay);
        if scene.path("one/restore/state.json").exists() {
            let output = scene.command(&[]).output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(text.contains("was interrupted"), "{text}");
            refused += 1;
        } else {
            let server = scene.start();
            wait_until("a site", WAIT_TIMEOUT, || {
                site(&server).is_some_and(|site| site[0].0 == 200)
            });
            let page = String::from_utf8(site(&server).unwrap().remove(0).1).unwrap();
            match page.contains("Version 0.") {
                true => new += 1,
                false => old += 1,
            }
            assert!(page.contains("Version "), "{page}");
        }
    }
    println!("{tries} kills: {refused} interrupted, {old} before, {new} complete");
    succeeds(&scene.command(&["restore", name, "--replace"]).output());
    shows(&scene.start(), "Version 0.");
}
