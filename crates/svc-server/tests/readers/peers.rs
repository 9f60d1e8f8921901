//! Readers of two servers on one database: what each of them gets from every surface while sites are
//! deployed, rolled back and previewed.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use svc_test_support::git::{self, BareRepo};
use svc_test_support::postgres::PgCluster;
use svc_test_support::wait::wait_until;

use crate::peer_server::{PeerServer, SITE};

use super::crawl::{check_marks, crawl, may_see};
use super::rig::{Endpoint, PASSWORD, access, cheap_hash, digest, write_site};

const PREVIEW: &str = "feature.preview.example.com";
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
/// Pages for each group besides those of [`write_site`], and the number of requests that all crawls
/// together must send at least: in CI and with `SVC_THOROUGH=1`.
const SIZES: [(usize, usize); 2] = [(6, 5_000), (30, 20_000)];
const GROUPS: [&str; 4] = ["-", "", "staff", "admin"];

const READERS: &str = "[projects.readers]\npassword_file = \"passwords\"\n";
const NAMES: [&str; 2] = ["one", "other"];
const RELOAD_INTERVAL: Duration = Duration::from_millis(200);

/// A reader, or nobody.
struct Role {
    headers: String,
    groups: &'static [&'static str],
    is_signed_in: bool,
}

pub(crate) struct Scene {
    pub(crate) dir: tempfile::TempDir,
    origin: BareRepo,
    /// Pages for each group.
    pages: usize,
    _cluster: Arc<PgCluster>,
}

/// Text that is only on one page.
fn canary(group: &str, number: usize) -> String {
    let group = match group {
        "-" => "open",
        "" => "member",
        group => group,
    };
    format!("Zq{group}{number:03}canary")
}

impl Scene {
    /// With a number of pages for each group. `None` without Git or PostgreSQL.
    pub(crate) fn new(pages: usize) -> Option<Self> {
        let cluster = PgCluster::shared()?;
        let dir = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&dir.path().join("origin.git"))?;
        let hash = cheap_hash(PASSWORD);
        for (file, text) in [
            ("store", cluster.create_database()),
            (
                "passwords",
                format!("ada:{hash}:staff,admin,vip\nsam:{hash}:staff\nmia:{hash}\n"),
            ),
            ("tokens", format!("ci:{}:staff\n", digest("token-ci"))),
        ] {
            fs::write(dir.path().join(file), text).unwrap();
        }
        Some(Self {
            dir,
            origin,
            pages,
            _cluster: cluster,
        })
    }

    /// Commits the site with a word on each page.
    pub(crate) fn commit(&self, branch: &str, word: &str) {
        let site = self.dir.path().join("site");
        write_site(&site);
        let mut pages = Vec::new();
        for group in GROUPS {
            let access = access(group);
            for number in 0..self.pages {
                let canary = canary(group, number);
                let text = format!(
                    "---\ntitle: {canary}\n{access}---\n\nText of {canary}, {word}.\n\n## Part {canary}\n"
                );
                let name = format!("many/p{}", pages.len());
                fs::create_dir_all(site.join("many")).unwrap();
                fs::write(site.join(format!("{name}.mdx")), text).unwrap();
                pages.push(Value::String(name));
            }
        }
        let config = site.join("docs.json");
        let mut read: Value = serde_json::from_str(&fs::read_to_string(&config).unwrap()).unwrap();
        let groups = read["navigation"]["groups"].as_array_mut().unwrap();
        groups.push(json!({"group": "Many", "pages": pages}));
        fs::write(&config, read.to_string()).unwrap();

        let mut files = Vec::new();
        let mut dirs = vec![site.clone()];
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    dirs.push(path);
                } else {
                    let name = path.strip_prefix(&site).unwrap();
                    let text = fs::read_to_string(&path).unwrap();
                    files.push((name.to_str().unwrap().to_owned(), text));
                }
            }
        }
        let files: Vec<git::File<'_>> = files
            .iter()
            .map(|(name, text)| git::File::Text(name, text))
            .collect();
        let tree = self.origin.tree(&files);
        let commit = self.origin.git(&["commit-tree", "-m", word, &tree]);
        let reference = format!("refs/heads/{branch}");
        self.origin.git(&["update-ref", &reference, &commit]);
    }

    fn start(&self, name: &str) -> PeerServer {
        PeerServer::start(self.dir.path(), name, READERS)
    }
}

/// A host of a server.
fn at(server: &PeerServer, host: &str) -> Endpoint {
    Endpoint {
        addr: server.sites,
        host: host.to_owned(),
    }
}

/// Waits until both servers serve a word at a host.
fn wait_for(servers: &[PeerServer; 2], host: &str, word: &str) {
    let is_shown = |server| at(server, host).get("/many/p0", "").body.contains(word);
    let all = || servers.iter().all(is_shown);
    wait_until(&format!("{word} at {host}"), WAIT_TIMEOUT, all);
}

/// Crawls a host of both servers in each role. Returns the number of requests.
fn crawl_all(scene: &Scene, servers: &[PeerServer; 2], host: &str, roles: &[Role]) -> usize {
    let guesses: Vec<String> = (0..scene.pages * GROUPS.len())
        .flat_map(|page| [format!("/many/p{page}"), format!("/many/p{page}.md")])
        .collect();
    let mut requests = 0;
    for server in servers {
        for role in roles {
            let crawl = crawl(&at(server, host), &role.headers, &guesses, &mut |_| {});
            requests += crawl.requests;
            check_marks(&crawl, role.groups, role.is_signed_in);
            for group in GROUPS {
                let may_see = may_see(group, role.groups, role.is_signed_in);
                for number in 0..scene.pages {
                    crawl.check(&canary(group, number), may_see);
                }
            }
        }
    }
    requests
}

/// Crawls while both servers reload settings that differ from the last ones.
fn crawl_while_reloading(scene: &Scene, servers: &[PeerServer; 2], roles: &[Role]) -> usize {
    let dir = scene.dir.path();
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let tokens = format!("{READERS}token_file = \"tokens\"\n");
            for more in [&*tokens, READERS].into_iter().cycle() {
                for (server, name) in servers.iter().zip(NAMES) {
                    server.reload(dir, name, more);
                }
                if ends.load(Ordering::Relaxed) {
                    break;
                }
                thread::sleep(RELOAD_INTERVAL);
            }
        });
        let requests = crawl_all(scene, servers, SITE, roles);
        ends.store(true, Ordering::Relaxed);
        requests
    })
}

/// Checks that both servers have reloaded settings with tokens.
fn wait_for_tokens(scene: &Scene, servers: &[PeerServer; 2]) {
    let headers = "authorization: Bearer token-ci\r\n";
    let settings = format!("{READERS}token_file = \"tokens\"\n");
    for (server, name) in servers.iter().zip(NAMES) {
        server.reload(scene.dir.path(), name, &settings);
    }
    let has_tokens = |server| at(server, SITE).get("/staff-only", headers).status == 200;
    let all = || servers.iter().all(has_tokens);
    wait_until("both servers have tokens", WAIT_TIMEOUT, all);
}

#[test]
fn two_servers_show_each_role_only_its_pages_through_deployments_roll_backs_reloads_and_previews() {
    let (pages, min_requests) = SIZES[usize::from(std::env::var_os("SVC_THOROUGH").is_some())];
    let Some(scene) = Scene::new(pages) else {
        return;
    };
    scene.commit("main", "wordone");
    let servers = NAMES.map(|name| scene.start(name));
    wait_for(&servers, SITE, "wordone");
    let role = |name: &str, groups| Role {
        // A session of one server is one of the other, which the crawls of both show.
        headers: at(&servers[0], SITE).cookie(name),
        groups,
        is_signed_in: true,
    };
    let roles = [
        Role {
            headers: String::new(),
            groups: &[],
            is_signed_in: false,
        },
        role("mia", &[]),
        role("sam", &["staff"]),
        role("ada", &["staff", "admin", "vip"]),
    ];
    let mut requests = crawl_all(&scene, &servers, SITE, &roles);

    // During and after a deployment.
    scene.commit("main", "wordtwo");
    servers[0].command("/projects/docs/deployments", &json!({}));
    requests += crawl_all(&scene, &servers, SITE, &roles);
    wait_for(&servers, SITE, "wordtwo");
    requests += crawl_all(&scene, &servers, SITE, &roles);

    requests += crawl_while_reloading(&scene, &servers, &roles);
    wait_for_tokens(&scene, &servers);

    servers[1].command("/projects/docs/rollback", &json!({}));
    requests += crawl_all(&scene, &servers, SITE, &roles);
    wait_for(&servers, SITE, "wordone");
    requests += crawl_all(&scene, &servers, SITE, &roles);

    scene.commit("feature", "wordthree");
    servers[1].command("/projects/docs/previews", &json!({ "branch": "feature" }));
    wait_for(&servers, PREVIEW, "wordthree");
    requests += crawl_all(&scene, &servers, PREVIEW, &roles);
    assert!(requests >= min_requests, "only {requests} requests");
}
