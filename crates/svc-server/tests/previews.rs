//! Previews of a project with a repository: from a delivery of a forge to the served pages.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use sha2::Digest as _;
use svc_fetch::Policy;
use svc_server::{
    Deployer, Deployment, DeploymentState, GitSource, Host, HostPattern, Limits, OutboundSettings,
    PreviewSettings, ProjectSettings, Projects, ReaderCredential, ReaderSettings, Secret, Settings,
    SourceSettings, WebhookSettings,
};
use svc_test_support::git::{self, BareRepo};

const SECRET: &str = "a secret of this test";
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
/// Token of a reader.
const TOKEN: &str = "a-token-of-this-test";
const LIVE: &str = "docs.example";
const FORK: &str = "pr-12.preview.example";

/// A file, or the target of a symbolic link.
enum File<'a> {
    Text(&'a str, String),
    Link(&'a str, String),
}

/// A directory with a bare repository and the data of a server.
struct Scene {
    base: tempfile::TempDir,
    origin: BareRepo,
}

impl Scene {
    /// `None` without Git.
    fn new() -> Option<Self> {
        let base = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&base.path().join("origin.git"))?;
        Some(Self { base, origin })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base.path().join(name)
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.origin.git(arguments)
    }

    /// Points a ref to a commit of exactly these files.
    fn commit(&self, reference: &str, files: &[File<'_>]) {
        let files = files.iter().map(|file| match file {
            File::Text(path, text) => git::File::Text(path, text),
            File::Link(path, target) => git::File::Link(path, target),
        });
        let tree = self.origin.tree(&files.collect::<Vec<_>>());
        let commit = self.git(&["commit-tree", "-m", "A change", &tree]);
        self.git(&["update-ref", reference, &commit]);
    }

    /// Commits a site with one page.
    fn site(&self, reference: &str, body: &str, more: Vec<File<'_>>) {
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": ["index"]}}"##;
        let mut files = vec![
            File::Text("docs.json", config.to_owned()),
            File::Text("index.mdx", format!("---\ntitle: Home\n---\n{body}\n")),
            File::Text("own.js", "window.own = 1;".to_owned()),
            File::Text("style.css", "body { color: red }".to_owned()),
        ];
        files.extend(more);
        self.commit(reference, &files);
    }

    fn settings(&self, relay: Option<Policy>) -> Settings {
        let project = ProjectSettings {
            site: svc_site::SiteOptions {
                origin: "https://docs.example".to_owned(),
                without_web_fonts: true,
                ..svc_site::SiteOptions::default()
            },
            keep: 3,
            webhook: Some(WebhookSettings {
                secret: Secret::new(SECRET),
            }),
            previews: Some(PreviewSettings {
                host: HostPattern::parse("{preview}.preview.example").unwrap(),
                branches: vec!["*".to_owned(), "!wip/*".to_owned()],
                requests: true,
                forks: true,
                integrations: false,
                expire: Duration::from_secs(3600),
                max: 3,
                guessable: true,
                passwords: Vec::new(),
            }),
            ..ProjectSettings::with_defaults(
                "docs",
                Host::parse(LIVE).unwrap(),
                SourceSettings::Git(GitSource::with_defaults(
                    self.path("origin.git").to_str().unwrap(),
                )),
            )
        };
        Settings {
            listen: "127.0.0.1:0".parse().unwrap(),
            keep: 3,
            outbound: OutboundSettings {
                relay,
                offline: false,
                ..OutboundSettings::default()
            },
            projects: vec![project],
            ..Settings::with_defaults(&self.path("data"))
        }
    }

    /// Starts a server that serves the site of the branch `main`.
    fn start(&self, relay: Option<Policy>) -> TestServer {
        self.start_with(self.settings(relay))
    }

    fn start_with(&self, settings: Settings) -> TestServer {
        svc_site::worker::start_with(env!("CARGO_BIN_EXE_svc-server").into());
        let (stop, shutdown) = tokio::sync::oneshot::channel();
        let (send, receive) = channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let limits = Limits {
                    drain: Duration::from_secs(1),
                    ..Limits::default()
                };
                let projects = Projects::start(settings, limits).await.unwrap();
                let deployer = projects.deployer().clone();
                send.send((projects.local_addr().unwrap(), deployer))
                    .unwrap();
                let stop = async {
                    let _ = shutdown.await;
                };
                projects.run(|| None, stop).await;
            });
        });
        let (addr, deployer) = receive.recv().unwrap();
        let server = TestServer {
            addr,
            deployer,
            stop: Some(stop),
            thread: Some(thread),
        };
        let end = std::time::Instant::now() + WAIT_TIMEOUT;
        while server.get(LIVE, "/").0 != 200 {
            assert!(std::time::Instant::now() < end, "the site does not come");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }
}

struct TestServer {
    addr: SocketAddr,
    deployer: Deployer,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    fn exchange(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.addr).unwrap();
        stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        let response = String::from_utf8_lossy(&response).into_owned();
        (response.get(9..12).unwrap().parse().unwrap(), response)
    }

    fn get(&self, host: &str, path: &str) -> (u16, String) {
        self.exchange(&format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        ))
    }

    fn deliver(&self, heads: &str, body: &str) -> (u16, serde_json::Value) {
        let (status, response) = self.exchange(&format!(
            "POST /_svc/webhook HTTP/1.1\r\nhost: {LIVE}\r\nconnection: close\r\ncontent-type: application/json\r\n{heads}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        ));
        let body = response.split_once("\r\n\r\n").unwrap().1;
        (status, serde_json::from_str(body).unwrap())
    }

    /// Sends a signed delivery of GitHub.
    fn github(&self, kind: &str, body: &str) -> (u16, serde_json::Value) {
        let mut code = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
        code.update(body.as_bytes());
        let code = code.finalize().into_bytes();
        let code: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
        let heads = format!("x-github-event: {kind}\r\nx-hub-signature-256: sha256={code}");
        self.deliver(&heads, body)
    }

    /// Waits for the deployment in a response.
    fn deployed(&self, (status, response): (u16, serde_json::Value)) -> Deployment {
        assert_eq!(status, 202, "{response}");
        let id = response["deployment"].as_str().unwrap();
        let result = self.deployer.wait(id, WAIT_TIMEOUT).unwrap();
        assert_eq!(result.state, DeploymentState::Live, "{}", result.summary);
        result
    }

    fn push(&self, branch: &str) -> Deployment {
        let body = format!(r#"{{"ref":"refs/heads/{branch}","after":""}}"#);
        self.deployed(self.github("push", &body))
    }

    /// Sends a pull request from a fork.
    fn request(&self, action: &str) -> (u16, serde_json::Value) {
        let body = format!(
            r#"{{"action":"{action}","number":12,"pull_request":{{"head":{{"ref":"x","repo":{{"id":2}}}},"base":{{"ref":"main","repo":{{"id":1}}}}}}}}"#
        );
        self.github("pull_request", &body)
    }

    fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop();
    }
}

#[test]
fn a_signed_push_deploys_new_contents() {
    let Some(scene) = Scene::new() else { return };
    scene.site("refs/heads/main", "Version one.", Vec::new());
    let server = scene.start(None);
    assert!(server.get(LIVE, "/").1.contains("Version one."));
    scene.site("refs/heads/main", "Version two.", Vec::new());
    let result = server.push("main");
    assert!(server.get(LIVE, "/").1.contains("Version two."));
    let commit = result.commit.unwrap();
    assert_eq!(commit.id, scene.git(&["rev-parse", "main"]));
    assert_eq!((&*commit.author, &*commit.message), ("Ada", "A change"));
}

#[test]
fn a_branch_has_a_preview_until_it_is_deleted() {
    let Some(scene) = Scene::new() else { return };
    scene.site("refs/heads/main", "Version one.", Vec::new());
    scene.site("refs/heads/feature/x", "Something new.", Vec::new());
    let mut server = scene.start(None);
    server.push("feature/x");
    let host = "feature-x.preview.example";
    let (status, page) = server.get(host, "/");
    assert_eq!(status, 200);
    assert!(page.contains("Something new.") && page.contains("own.js"));
    assert!(page.contains("x-robots-tag: noindex, nofollow"), "{page}");
    assert!(!page.contains("rel=\"canonical\""), "{page}");
    assert!(!page.to_lowercase().contains("set-cookie"));
    let live = server.get(LIVE, "/").1;
    assert!(live.contains("Version one.") && !live.contains("x-robots-tag"));
    assert!(live.contains("rel=\"canonical\""));
    assert!(server.get(host, "/robots.txt").1.contains("Disallow: /\n"));
    assert_eq!(server.get(host, "/sitemap.xml").0, 404);
    // After a restart, it is served before anything is fetched.
    server.stop();
    let away = scene.path("away.git");
    fs::rename(scene.path("origin.git"), &away).unwrap();
    let server = scene.start(None);
    assert!(server.get(host, "/").1.contains("Something new."));
    fs::rename(&away, scene.path("origin.git")).unwrap();
    scene.git(&["update-ref", "-d", "refs/heads/feature/x"]);
    let body = r#"{"ref":"feature/x","ref_type":"branch"}"#;
    assert_eq!(server.github("delete", body).0, 200);
    assert_eq!(server.get(host, "/").0, 421);
    assert_eq!(server.get(LIVE, "/").0, 200);
}

#[test]
fn requests_have_previews_until_they_are_closed() {
    let Some(scene) = Scene::new() else { return };
    scene.site("refs/heads/main", "Version one.", Vec::new());
    scene.site("refs/pull/12/head", "From a fork.", Vec::new());
    scene.site("refs/merge-requests/3/head", "Merge me.", Vec::new());
    let server = scene.start(None);
    let result = server.deployed(server.request("opened"));
    assert!(result.foreign);
    let page = server.get(FORK, "/").1;
    assert!(page.contains("From a fork.") && page.contains("noindex"));
    assert!(
        !page.contains("own.js") && !page.contains("style.css"),
        "{page}"
    );
    assert!(server.get(LIVE, "/").1.contains("own.js"));
    scene.site("refs/pull/12/head", "From a fork, again.", Vec::new());
    server.deployed(server.request("synchronize"));
    assert!(server.get(FORK, "/").1.contains("From a fork, again."));
    assert_eq!(server.request("closed").0, 200);
    assert_eq!(server.get(FORK, "/").0, 421);
    // GitLab uses another term and another ref.
    let merge = |action: &str| {
        let body = format!(
            r#"{{"object_kind":"merge_request","object_attributes":{{"iid":3,"source_branch":"wip/y","source_project_id":1,"target_project_id":1,"action":"{action}"}}}}"#
        );
        let heads = format!("x-gitlab-event: Merge Request Hook\r\nx-gitlab-token: {SECRET}");
        server.deliver(&heads, &body)
    };
    let result = server.deployed(merge("open"));
    assert!(!result.foreign);
    let page = server.get("pr-3.preview.example", "/").1;
    assert!(page.contains("Merge me.") && page.contains("own.js"));
    assert_eq!(merge("merge").0, 200);
    assert_eq!(server.get("pr-3.preview.example", "/").0, 421);
}

#[cfg(unix)]
#[test]
fn the_control_socket_creates_and_lists_previews() {
    use serde_json::{Value, json};

    let Some(scene) = Scene::new() else { return };
    scene.site("refs/heads/main", "Version one.", Vec::new());
    scene.site("refs/heads/feature/x", "Something new.", Vec::new());
    scene.site("refs/heads/wip/y", "Nothing yet.", Vec::new());
    let server = scene.start(None);
    let data = scene.path("data");
    let request = |method: &str, path: &str, body: Value| {
        svc_server::request_server(&data, method, path, &body).map_err(|reason| reason.to_string())
    };
    let previews = || {
        let all = request("GET", "/projects", json!({})).unwrap();
        all["projects"][0]["previews"].as_array().unwrap().clone()
    };
    assert!(previews().is_empty());
    let make = |branch: &str| request("POST", "/projects/docs/previews", json!({"branch": branch}));
    let created = make("feature/x").unwrap();
    let url = "https://feature-x.preview.example/";
    assert_eq!(created["address"], url);
    let id = created["deployments"][0].as_str().unwrap();
    let result = server.deployer.wait(id, WAIT_TIMEOUT).unwrap();
    assert_eq!(result.state, DeploymentState::Live, "{}", result.summary);
    let list = previews();
    let [one] = list.as_slice() else {
        panic!("{list:?}")
    };
    assert_eq!(one["reference"]["branch"], "feature/x");
    assert_eq!(
        (&one["state"], &one["trigger"], &one["address"]),
        (&json!("live"), &json!("command"), &json!(url))
    );
    let expires = one["expires"].as_u64().unwrap();
    assert_eq!(expires, result.queued + 3_600_000);
    for (branch, reason) in [
        ("wip/y", "the settings allow no preview of this branch"),
        ("main", "this is the production branch"),
    ] {
        assert_eq!(make(branch).unwrap_err(), reason);
    }
    let unknown = request("POST", "/projects/x/previews", json!({"branch": "a"}));
    assert_eq!(unknown.unwrap_err(), "there is no project `x`");
}

/// Counts connections.
fn canary() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&count);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            seen.fetch_add(1, Ordering::SeqCst);
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nCANARY");
        }
    });
    (addr, count)
}

/// A page with a component that is interactive only if scripts of the repository are allowed.
const COMPONENT_PAGE: &str = "export const Own = () => {\n  const [n, set] = useState(0);\n  return <button onClick={() => set(n + 1)}>Own ran</button>;\n};\n\n<Own />\n";

/// An OpenAPI document with the server `addr`.
fn api(addr: SocketAddr) -> String {
    format!(
        r#"{{"openapi": "3.1.0", "info": {{"title": "A", "version": "1"}}, "servers": [{{"url": "http://{addr}"}}], "paths": {{"/secrets": {{"get": {{"summary": "Secrets", "responses": {{"200": {{"description": "Fine"}}}}}}}}}}}}"#
    )
}

#[test]
fn a_hostile_fork_reaches_no_secrets_other_projects_or_network() {
    let Some(scene) = Scene::new() else { return };
    let (addr, connections) = canary();
    let page = "---\nopenapi: GET /secrets\n---\n".to_owned();
    let calls = || {
        vec![
            File::Text("api.json", api(addr)),
            File::Text("call.mdx", page.clone()),
            File::Text("own.mdx", COMPONENT_PAGE.to_owned()),
        ]
    };
    scene.site("refs/heads/main", "CANARY of the live site.", calls());
    fs::write(scene.path("secret.txt"), "CANARY of the disk").unwrap();
    let policy = Policy::from_rules(["127.0.0.1"]).unwrap();
    let server = scene.start(Some(policy));
    scene.site("refs/heads/neighbour", "CANARY of a neighbour.", Vec::new());
    let neighbour = server.push("neighbour");
    let snapshots = scene.path("data/projects/docs/snapshots");
    let key = neighbour.snapshot.unwrap();
    let outside = |path: PathBuf| path.to_str().unwrap().to_owned();
    let mut files = calls();
    files.extend([
        File::Link("a.txt", outside(scene.path("secret.txt"))),
        File::Link("b.mdx", format!("../{key}/index.mdx")),
        File::Link("c.mdx", outside(snapshots.join(&key).join("index.mdx"))),
        File::Link("d", outside(scene.base.path().to_owned())),
        File::Link("e.json", outside(scene.path("data/deployments.journal"))),
        File::Link("f.svg", "../../../../../secret.txt".to_owned()),
        File::Text("g.mdx", format!("import X from '../{key}/index.mdx'\n\n<X />\n\n![x](../../secret.txt)\n")),
        File::Text("h.mdx", "<script src=\"/own.js\"></script>\n\n<img src=\"/x\" onerror=\"alert(1)\" />\n\n<script>{`alert(1)`}</script>\n".to_owned()),
        File::Text("i.mdx", format!("---\nopenapi: http://{addr}/i.json GET /x\n---\n")),
    ]);
    let config = format!(
        r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#070"}}, "favicon": "../../secret.txt", "logo": "/d/secret.txt",
        "navigation": {{"groups": [{{"group": "G", "pages": ["index", "b", "c", "g", "h", "i", "own", "call", "d/secret"]}}, {{"group": "H", "openapi": "http://{addr}/hosted.json"}}, {{"group": "I", "openapi": "e.json"}}]}}}}"##
    );
    files.push(File::Text("docs.json", config));
    scene.commit("refs/pull/12/head", &{
        files.push(File::Text("index.mdx", "Hostile.".to_owned()));
        files.push(File::Text("own.js", "window.own = 1;".to_owned()));
        files
    });
    assert!(server.get(LIVE, "/own").1.contains("/_svc/islands/"));
    let before = connections.load(Ordering::SeqCst);
    let result = server.deployed(server.request("opened"));
    assert!(result.foreign);
    assert!(server.get(FORK, "/").1.contains("Hostile."));
    let mut pages = 0;
    for path in [
        "/",
        "/a.txt",
        "/b",
        "/b.md",
        "/c",
        "/c.md",
        "/d/secret.txt",
        "/d/secret",
        "/e.json",
        "/f.svg",
        "/g",
        "/g.md",
        "/h",
        "/i",
        "/own",
        "/call",
        "/llms.txt",
        "/llms-full.txt",
        "/search.json",
        "/favicon.ico",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/d/data/deployments.journal",
    ] {
        let (status, response) = server.get(FORK, path);
        assert!(status < 500, "{path}: {response}");
        assert!(!response.contains("CANARY"), "{path}: {response}");
        // As text they are harmless.
        let is_page = response.contains("content-type: text/html");
        for harm in [
            "src=\"/own.js",
            "onerror=",
            "<script>alert",
            "/_svc/islands/",
        ] {
            assert!(!is_page || !response.contains(harm), "{path}: {response}");
        }
        pages += usize::from(status == 200);
    }
    assert!(pages >= 5, "{pages} pages of it are shown");
    assert_eq!(
        connections.load(Ordering::SeqCst),
        before,
        "nobody was asked"
    );
    // The relay reaches the API of the production site, but nothing from the fork.
    let relay = |host: &str| {
        server.exchange(&format!(
            "POST /_svc/relay HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nsvc-page: /call\r\nsvc-url: http://{addr}/secrets\r\nsvc-method: GET\r\nsvc-headers: %5B%5D\r\ncontent-length: 0\r\n\r\n"
        ))
    };
    let (status, response) = relay(FORK);
    assert_eq!(status, 404, "{response}");
    assert_eq!(connections.load(Ordering::SeqCst), before);
    let (status, response) = relay(LIVE);
    assert!(status == 200 && response.contains("CANARY"), "{response}");
    let report = server.deployer.report(&result.id).unwrap();
    assert!(!format!("{report:?}").contains("CANARY"), "{report:?}");
}

#[test]
fn a_preview_lists_what_it_changes_and_the_live_site_has_no_such_path() {
    let Some(scene) = Scene::new() else { return };
    scene.site("refs/heads/main", "One.\n\nTwo.", Vec::new());
    scene.site("refs/heads/x", "One.\n\nThree.", Vec::new());
    let server = scene.start(None);
    server.push("x");
    let host = "x.preview.example";
    let page = server.get(host, "/").1;
    assert!(
        page.contains("src=\"/_svc/changes/change_marks.js\"")
            || page.contains("\"/_svc/changes/change_marks.js\""),
        "{page}"
    );
    assert!(
        page.contains("<p data-svc-block=\"1\">Three.</p>"),
        "{page}"
    );
    for name in ["change_marks.js", "change_marks.css"] {
        assert_eq!(server.get(host, &format!("/_svc/changes/{name}")).0, 200);
        assert_eq!(server.get(LIVE, &format!("/_svc/changes/{name}")).0, 404);
    }
    let changes = || {
        let (status, response) = server.get(host, "/_svc/changes?path=%2F");
        assert_eq!(status, 200, "{response}");
        assert!(response.contains("x-robots-tag: noindex"), "{response}");
        let body = response.split_once("\r\n\r\n").unwrap().1;
        let changes: serde_json::Value = serde_json::from_str(body).unwrap();
        (changes["changes"].clone(), response)
    };
    let (found, response) = changes();
    let expected =
        serde_json::json!([{"kind": "changed", "first": 1, "count": 1, "removed": 0, "texts": []}]);
    assert_eq!(found, expected);
    // It is cached by its entity tag.
    let head = response.to_lowercase();
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: "));
    let again = format!(
        "GET /_svc/changes?path=%2F HTTP/1.1\r\nhost: {host}\r\nif-none-match: {}\r\nconnection: close\r\n\r\n",
        tag.unwrap()
    );
    assert_eq!(server.exchange(&again).0, 304);
    for path in [
        "/_svc/changes?path=/none",
        "/_svc/changes",
        "/_svc/changes?path=",
        "/_svc/changes/x",
    ] {
        assert_eq!(server.get(host, path).0, 404, "{path}");
    }
    let live = server.get(LIVE, "/").1;
    assert!(
        !live.contains("/_svc/changes") && !live.contains("data-svc-block"),
        "{live}"
    );
    assert_eq!(server.get(LIVE, "/_svc/changes?path=/").0, 404);
    // The live site moves on.
    scene.site("refs/heads/main", "One.\n\nThree.", Vec::new());
    server.push("main");
    assert_eq!(changes().0, serde_json::json!([]));
}

#[test]
fn only_readers_of_a_preview_learn_what_it_changes() {
    let Some(scene) = Scene::new() else { return };
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": ["index", "staff"]}}"##;
    let commit = |reference: &str, text: &str| {
        let staff = format!("---\ntitle: Salaries\ngroups: [\"staff\"]\n---\n{text}\n");
        let files = [
            File::Text("docs.json", config.to_owned()),
            File::Text("index.mdx", "---\ntitle: Home\n---\nHello.\n".to_owned()),
            File::Text("staff.mdx", staff),
        ];
        scene.commit(reference, &files);
    };
    commit("refs/heads/main", "Old secret.");
    commit("refs/heads/x", "New secret.");
    let hash = hex::encode(sha2::Sha256::digest(TOKEN));
    let credential = ReaderCredential {
        name: "ci".to_owned(),
        hash: Secret::new(&hash),
        groups: ["staff".to_owned()].into(),
        until: None,
    };
    let mut settings = scene.settings(None);
    settings.projects[0].site.sign_in = true;
    settings.projects[0].readers = Some(ReaderSettings {
        tokens: vec![credential.clone()],
        ..ReaderSettings::default()
    });
    let server = scene.start_with(settings);
    server.push("x");
    let host = "x.preview.example";
    let get = |path: &str, token: &str| {
        server.exchange(&format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
        ))
    };
    assert_eq!(server.get(host, "/_svc/changes?path=/").0, 200);
    let (status, response) = server.get(host, "/_svc/changes?path=/staff");
    assert_eq!(status, 404);
    assert!(!response.contains("secret"), "{response}");
    let (status, response) = get("/_svc/changes?path=/staff", TOKEN);
    assert_eq!(status, 200, "{response}");
    assert!(
        response.contains("\"kind\":\"changed\"") && response.contains("private"),
        "{response}"
    );
    drop(server);
    // With passwords for all pages of previews.
    let mut settings = scene.settings(None);
    settings.projects[0].previews.as_mut().unwrap().passwords = vec![credential];
    let server = scene.start_with(settings);
    server.push("x");
    for path in ["/_svc/changes?path=/", "/_svc/changes/change_marks.js"] {
        let (status, response) = server.get(host, path);
        assert_eq!(status, 401, "{response}");
        assert!(!response.contains("\"kind\""), "{response}");
    }
}
