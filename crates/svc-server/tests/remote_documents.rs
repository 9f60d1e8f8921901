//! Remote OpenAPI documents, from a stub server.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use svc_diagnostics::{Diagnostic, Severity};
use svc_fetch::{FetchLimits, Policy};
use svc_server::{
    AllowedHosts, DeployRequest, Deployer, DeployerOptions, Deployment, DeploymentState,
    FetchPolicy, FileJournal, Limits, ProjectConfig, Projects, PublishTarget, Publisher,
    RemoteDocumentCache, RemoteDocumentOptions, RunOptions, Settings, SiteHandle, Sites,
    SourceSettings, Trigger, prepare, run_site,
};
use svc_site::{LoadOptions, RemoteState, Resource, Site};
use svc_test_support::api::StubApi;
use svc_test_support::client::get;

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// Response of the stub server; a test can change it while it runs.
type ResponseText = Arc<Mutex<String>>;

fn document(summary: &str) -> String {
    format!(
        r##"{{"openapi": "3.1.0", "info": {{"title": "Pets", "version": "1"}}, "servers": [{{"url": "/v1"}}],
        "paths": {{"/pets": {{"get": {{"summary": "{summary}", "x-svc": {{"content": "<Card title=\"Run\">{{1 + 1}}</Card>\n\n**Bold** words"}},
        "responses": {{"200": {{"description": "ok"}}}}}}}}}}}}"##
    )
}

fn ok(body: &str, etag: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\netag: \"{etag}\"\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

fn status(line: &str) -> String {
    format!("HTTP/1.1 {line}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

fn serving(first: &str) -> (StubApi, ResponseText) {
    let response: ResponseText = Arc::new(Mutex::new(first.to_owned()));
    let shared = Arc::clone(&response);
    let api = StubApi::new(move |request, socket| {
        let now = shared.lock().unwrap().clone();
        let tag = now.lines().find_map(|line| line.strip_prefix("etag: "));
        let known = tag.is_some_and(|tag| request.contains(&format!("if-none-match: {tag}")));
        let now = if known {
            status("304 Not Modified")
        } else {
            now
        };
        let _ = socket.write_all(now.as_bytes());
    });
    (api, response)
}

fn repository(addr: SocketAddr) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let config = format!(
        r##"{{"theme": "svc", "name": "Acme", "colors": {{"primary": "#0a7d4f"}}, "navigation": {{"groups": [
        {{"group": "Start", "pages": ["index"]}}, {{"group": "Pets", "openapi": "http://{addr}/openapi.json?v=1", "pages": ["GET /pets"]}}]}}}}"##
    );
    std::fs::write(dir.path().join("docs.json"), config).unwrap();
    std::fs::write(dir.path().join("index.mdx"), "# Hello\n").unwrap();
    dir
}

fn options(data: Option<&Path>) -> RemoteDocumentOptions {
    let defaults = RemoteDocumentOptions::default();
    RemoteDocumentOptions {
        cache_dir: data.map(Path::to_path_buf),
        policy: Policy::from_rules(["127.0.0.1"]).unwrap(),
        allows_http: true,
        fetch_policy: FetchPolicy::All,
        limits: FetchLimits {
            first_byte_timeout: WAIT_TIMEOUT,
            total_timeout: WAIT_TIMEOUT,
            max_body_bytes: 100_000,
            ..defaults.limits
        },
        ..defaults
    }
}

/// Loads the site like a program that was just started.
fn load(root: &Path, options: RemoteDocumentOptions) -> (Site, Vec<Diagnostic>) {
    let load = LoadOptions {
        remote: Some(RemoteDocumentCache::new(options).source()),
        ..LoadOptions::default()
    };
    let checked = svc_site::load(root, &load).unwrap();
    (checked.value, checked.diagnostics)
}

fn page_of(site: &Site) -> Option<&String> {
    site.map.routes.keys().find(|path| *path != "/")
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics.iter().map(|item| item.code.id).collect()
}

#[test]
fn a_remote_document_has_pages_like_a_local_one() {
    let (api, _) = serving(&ok(&document("List pets"), "1"));
    let dir = repository(api.addr);
    let (site, diagnostics) = load(dir.path(), options(None));
    assert_eq!(codes(&diagnostics), [""; 0]);
    let path = page_of(&site).unwrap();
    assert_eq!(path, "/api-reference/list-pets");
    let html = String::from_utf8(site.page(path).unwrap().html.bytes.to_vec()).unwrap();
    assert!(html.contains("List pets"));
    // Remote text is Markdown: neither components nor expressions are evaluated.
    assert!(html.contains("<strong>Bold</strong>"), "{html}");
    assert!(!html.contains("svc-card"));
    assert!(html.contains("{1 + 1}"));
    // A relative server URL is resolved against the URL of the document.
    let Resource::Page(route) = site.find(path) else {
        panic!("it is a page");
    };
    let call = site.playground_spec(route).unwrap();
    let server = format!("http://{}/v1", api.addr);
    assert!(call.contains(&server), "{call}");
    assert_eq!(site.plain_origins(route), [format!("http://{}", api.addr)]);
}

// spec: nav.openapi.hosted accepts
#[test]
fn a_cached_copy_is_used_while_the_document_is_unavailable() {
    let (api, response) = serving(&ok(&document("List pets"), "1"));
    let (dir, data) = (repository(api.addr), tempfile::tempdir().unwrap());
    let reload = || load(dir.path(), options(Some(data.path())));
    assert_eq!(codes(&reload().1), [""; 0]);
    // The document is unchanged.
    let (site, diagnostics) = reload();
    assert!(page_of(&site).is_some());
    assert_eq!(codes(&diagnostics), [""; 0]);
    assert!(api.requests()[1].contains("if-none-match: \"1\""));
    let elsewhere = "HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let wrong = [
        (status("500 Internal Server Error"), "responded with 500"),
        (String::new(), "is incomplete"),
        (ok("{\"openapi\": \"3.1.0\", ", "2"), "cannot be read"),
        (
            ok("<html>Sign in</html>", "3"),
            "is not an OpenAPI 3 document",
        ),
        (ok(&" ".repeat(200_000), "4"), "larger than 100000 bytes"),
        (elsewhere.to_owned(), "a private network"),
    ];
    for (next, reason) in wrong {
        *response.lock().unwrap() = next;
        let (site, diagnostics) = reload();
        assert!(page_of(&site).is_some(), "{reason}");
        assert_eq!(codes(&diagnostics), ["remote-stale"], "{reason}");
        assert!(
            diagnostics[0].message.contains(reason),
            "{}",
            diagnostics[0].message
        );
        assert!(diagnostics[0].message.contains("group `Pets`"));
        assert_eq!(
            diagnostics[0].pointer.as_deref(),
            Some("/navigation/groups/1/openapi")
        );
    }
    // The valid copy was not overwritten.
    let offline = RemoteDocumentOptions {
        offline: true,
        ..options(Some(data.path()))
    };
    let requests = api.requests().len();
    let (site, diagnostics) = load(dir.path(), offline);
    assert!(page_of(&site).is_some());
    assert_eq!(codes(&diagnostics), [""; 0]);
    assert_eq!(api.requests().len(), requests);
    *response.lock().unwrap() = ok(&document("Every pet"), "5");
    let (site, diagnostics) = reload();
    assert_eq!(page_of(&site).unwrap(), "/api-reference/every-pet");
    assert_eq!(codes(&diagnostics), [""; 0]);
}

// spec: nav.openapi.hosted refuses
#[test]
fn without_a_copy_the_pages_are_omitted_with_one_error() {
    let (api, response) = serving(&status("404 Not Found"));
    let dir = repository(api.addr);
    let (site, diagnostics) = load(dir.path(), options(None));
    assert_eq!(site.map.routes.keys().collect::<Vec<_>>(), ["/"]);
    assert_eq!(codes(&diagnostics), ["remote-missing"]);
    assert_eq!(diagnostics[0].severity, Severity::Error);
    let url = format!("http://{}/", api.addr);
    assert!(
        diagnostics[0]
            .message
            .starts_with(&format!("the OpenAPI document `{url}")),
        "{}",
        diagnostics[0].message
    );
    assert!(
        diagnostics[0]
            .message
            .contains("` of group `Pets` is not available: ")
    );
    assert!(diagnostics[0].message.contains("responded with 404"));
    let location = diagnostics[0].location.as_ref().unwrap();
    assert_eq!(&*location.file, "docs.json");
    *response.lock().unwrap() = ok(&document("List pets"), "1");
    let offline = RemoteDocumentOptions {
        offline: true,
        ..options(None)
    };
    let (_, diagnostics) = load(dir.path(), offline);
    assert!(
        diagnostics[0].message.contains("`--offline`"),
        "{}",
        diagnostics[0].message
    );
}

#[test]
fn an_unresponsive_document_server_times_out() {
    let api = StubApi::new(|_, socket| {
        let mut rest = Vec::new();
        let _ = socket.read_to_end(&mut rest);
    });
    let dir = repository(api.addr);
    let mut options = options(None);
    options.limits.first_byte_timeout = Duration::from_millis(300);
    let (_, diagnostics) = load(dir.path(), options);
    assert!(
        diagnostics[0].message.contains("took too long"),
        "{}",
        diagnostics[0].message
    );
}

#[test]
fn http_urls_and_private_addrs_are_rejected() {
    let (api, _) = serving(&ok(&document("List pets"), "1"));
    let dir = repository(api.addr);
    let strict = RemoteDocumentOptions {
        allows_http: false,
        ..options(None)
    };
    let (_, diagnostics) = load(dir.path(), strict);
    assert_eq!(codes(&diagnostics), ["remote-without-encryption"]);
    let public = RemoteDocumentOptions {
        policy: Policy::default(),
        ..options(None)
    };
    let (_, diagnostics) = load(dir.path(), public);
    assert!(
        diagnostics[0].message.contains("this machine"),
        "{}",
        diagnostics[0].message
    );
    assert_eq!(api.requests().len(), 0);
}

#[test]
fn a_start_with_a_cached_copy_sends_no_request() {
    let (api, response) = serving(&ok(&document("List pets"), "1"));
    let (dir, data) = (repository(api.addr), tempfile::tempdir().unwrap());
    let missing = || RemoteDocumentOptions {
        fetch_policy: FetchPolicy::Missing,
        ..options(Some(data.path()))
    };
    load(dir.path(), missing());
    assert_eq!(api.requests().len(), 1);
    *response.lock().unwrap() = status("500 Internal Server Error");
    let (site, diagnostics) = load(dir.path(), missing());
    assert!(page_of(&site).is_some());
    assert_eq!(codes(&diagnostics), [""; 0]);
    assert_eq!(api.requests().len(), 1);
}

#[test]
fn a_failed_document_is_not_fetched_on_every_load() {
    let (api, _) = serving(&status("404 Not Found"));
    let missing = RemoteDocumentOptions {
        fetch_policy: FetchPolicy::Missing,
        ..options(None)
    };
    let source = RemoteDocumentCache::new(missing).source();
    let addr = BTreeSet::from([format!("http://{}/a", api.addr)]);
    source.get(&addr);
    source.get(&addr);
    assert_eq!(api.requests().len(), 1);
}

#[test]
fn a_served_site_shows_a_change_without_restart() {
    let (api, response) = serving(&ok(&document("List pets"), "1"));
    let (dir, data) = (repository(api.addr), tempfile::tempdir().unwrap());
    let options = RunOptions {
        root: dir.path().to_owned(),
        load: LoadOptions::default(),
        limits: Limits::default(),
        hosts: AllowedHosts::default(),
        watch: false,
        relay: None,
        github: None,
        remote_documents: RemoteDocumentOptions {
            fetch_policy: FetchPolicy::Missing,
            refresh_interval: Some(Duration::from_millis(50)),
            ..options(Some(data.path()))
        },
        editor_url: None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let any = ([127, 0, 0, 1], 0).into();
        let prepared = prepare(&options, &[any]).await.unwrap();
        let addr = prepared.server.local_addr().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        let task = tokio::spawn(run_site(prepared, options, stopped));
        let until = async |path: &'static str| {
            for _ in 0..400 {
                let get = move || get(addr, &addr.to_string(), path);
                let head = tokio::task::spawn_blocking(get).await.unwrap();
                if head.starts_with("HTTP/1.1 200") {
                    return true;
                }
                tokio::time::sleep(Duration::from_millis(25)).await;
            }
            false
        };
        assert!(until("/api-reference/list-pets").await);
        *response.lock().unwrap() = ok(&document("Every pet"), "2");
        assert!(until("/api-reference/every-pet").await);
        // An invalid document does not remove pages.
        *response.lock().unwrap() = ok("{", "3");
        let requests = api.requests().len();
        for _ in 0..400 {
            if api.requests().len() > requests {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        assert!(api.requests().len() > requests);
        assert!(until("/api-reference/every-pet").await);
        drop(stop);
        task.await.unwrap();
    });
}

/// Records published sites.
#[derive(Default)]
struct TestPublisher(Arc<Mutex<Option<SiteHandle>>>);

impl Publisher for TestPublisher {
    fn publish(&self, _: &str, _: &PublishTarget, current: &SiteHandle) {
        *self.0.lock().unwrap() = Some(current.clone());
    }
    fn updated(&self, _: &str, _: &PublishTarget) {}
    fn hide(&self, _: &str, _: &PublishTarget) {}
}

/// The published site of a project.
type PublishedSite = Arc<Mutex<Option<SiteHandle>>>;

/// Starts a deployer of one project with a folder as source.
fn start(
    dir: &Path,
    data: &Path,
    documents: &RemoteDocumentCache,
    shown: &PublishedSite,
) -> Deployer {
    let plan = ProjectConfig {
        id: "docs".to_owned(),
        source: SourceSettings::Dir {
            path: dir.to_owned(),
            watch: false,
        },
        git: svc_server::GitSettings::default(),
        load: LoadOptions {
            remote: Some(documents.source()),
            ..LoadOptions::default()
        },
        private_previews: false,
        preview_integrations: false,
        stop_on_errors: false,
        max_retained: 3,
        poll: None,
    };
    let options = DeployerOptions {
        data: data.to_owned(),
        journal: Box::new(FileJournal::open(&data.join("journal")).unwrap()),
        publisher: Box::new(TestPublisher(Arc::clone(shown))),
        max_builds: 1,
        repositories: Arc::default(),
        share: Box::new(|_| ()),
        cluster: None,
    };
    Deployer::start(options, vec![plan]).unwrap()
}

fn deploy(deployer: &Deployer, trigger: Trigger) -> Option<Deployment> {
    let id = deployer
        .trigger(DeployRequest::live("docs", trigger))
        .unwrap();
    deployer.wait(&id, WAIT_TIMEOUT)
}

fn has(shown: &PublishedSite, path: &str) -> bool {
    let current: Option<SiteHandle> = shown.lock().unwrap().clone();
    current.is_some_and(|current| current.get().map.routes.contains_key(path))
}

/// A cache of documents with the options of a multi-project server.
fn documents_of_deployments(data: &Path) -> RemoteDocumentCache {
    RemoteDocumentCache::new(RemoteDocumentOptions {
        fetch_policy: FetchPolicy::Deferred,
        ..options(Some(&data.join("hosted")))
    })
}

/// Waits for a condition; returns whether it was met.
fn until(is_so: impl Fn() -> bool) -> bool {
    let end = Instant::now() + WAIT_TIMEOUT;
    while !is_so() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    is_so()
}

#[test]
fn a_deployment_of_unchanged_files_uses_a_changed_document() {
    let (api, response) = serving(&ok(&document("List pets"), "1"));
    let (dir, data) = (repository(api.addr), tempfile::tempdir().unwrap());
    let documents = documents_of_deployments(data.path());
    let shown = PublishedSite::default();
    let deployer = start(dir.path(), data.path(), &documents, &shown);
    assert!(until(|| has(&shown, "/api-reference/list-pets")));
    // The cached documents are those that were used.
    let repeated = deploy(&deployer, Trigger::Command).unwrap();
    assert_eq!(repeated.summary, "nothing changed");
    *response.lock().unwrap() = ok(&document("Every pet"), "2");
    deploy(&deployer, Trigger::Command).unwrap();
    assert!(has(&shown, "/api-reference/every-pet"));
    // A change that was found by polling changes the site, not the files.
    *response.lock().unwrap() = ok(&document("All pets"), "3");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let refreshed = runtime.block_on(documents.refresh(&documents.requested_urls()));
    assert_eq!(refreshed.changed.len(), 1);
    deploy(&deployer, Trigger::Poll);
    assert!(has(&shown, "/api-reference/all-pets"));
    deployer.stop();
}

#[test]
fn documents_that_no_site_uses_are_removed() {
    let (api, _) = serving(&ok(&document("List pets"), "1"));
    let (dir, data) = (repository(api.addr), tempfile::tempdir().unwrap());
    let documents = documents_of_deployments(data.path());
    let shown = PublishedSite::default();
    let deployer = start(dir.path(), data.path(), &documents, &shown);
    deploy(&deployer, Trigger::Command).unwrap();
    let config = dir.path().join("docs.json");
    let first = std::fs::read_to_string(&config).unwrap();
    let file = |version| {
        let addr = format!("http://{}/openapi.json?v={version}", api.addr);
        BTreeSet::from([addr])
    };
    for version in 2..4 {
        let text = first.replace("?v=1", &format!("?v={version}"));
        std::fs::write(&config, text).unwrap();
        let result = deploy(&deployer, Trigger::Command).unwrap();
        assert_eq!(result.state, DeploymentState::Live);
        assert!(has(&shown, "/api-reference/list-pets"));
        assert!(until(|| documents.requested_urls() == file(version)));
        let result = deploy(&deployer, Trigger::Command).unwrap();
        assert_eq!(result.summary, "nothing changed");
    }
    // A rollback uses the documents of its site again; the copy still exists.
    let requests = api.requests().len();
    deployer.rollback("docs", None).unwrap();
    assert!(has(&shown, "/api-reference/list-pets"));
    assert_eq!(documents.requested_urls(), file(2));
    assert_eq!(api.requests().len(), requests);
    deployer.stop();
}

#[test]
fn a_start_uses_cached_documents_and_fetches_missing_ones_afterwards() {
    let (starting, shown) = (Arc::new(AtomicBool::new(false)), PublishedSite::default());
    let waited_in_vain = Arc::new(AtomicBool::new(false));
    let api = {
        let (starting, shown) = (Arc::clone(&starting), Arc::clone(&shown));
        let waited_in_vain = Arc::clone(&waited_in_vain);
        StubApi::new(move |_, socket| {
            // Responds as soon as the site is loaded.
            if starting.load(Ordering::SeqCst) && !until(|| shown.lock().unwrap().is_some()) {
                waited_in_vain.store(true, Ordering::SeqCst);
            }
            let _ = socket.write_all(ok(&document("List pets"), "1").as_bytes());
        })
    };
    let (dir, data) = (repository(api.addr), tempfile::tempdir().unwrap());
    let cache_dir = data.path().join("hosted");
    let restart = || {
        let mut options = RemoteDocumentOptions {
            fetch_policy: FetchPolicy::Deferred,
            ..options(Some(&cache_dir))
        };
        options.limits.first_byte_timeout = 2 * WAIT_TIMEOUT;
        options.limits.total_timeout = 2 * WAIT_TIMEOUT;
        let documents = RemoteDocumentCache::new(options);
        start(dir.path(), data.path(), &documents, &shown)
    };
    let deployer = restart();
    assert!(until(|| has(&shown, "/api-reference/list-pets")));
    deploy(&deployer, Trigger::Command).unwrap();
    deployer.stop();
    drop(deployer);
    std::fs::remove_dir_all(&cache_dir).unwrap();
    *shown.lock().unwrap() = None;
    starting.store(true, Ordering::SeqCst);
    let deployer = restart();
    assert!(until(|| has(&shown, "/api-reference/list-pets")));
    assert!(!waited_in_vain.load(Ordering::SeqCst));
    deployer.stop();
}

/// Settings of a server with a folder for each project, which retries immediately.
fn settings(data: &Path, projects: &[(&str, &Path)]) -> Settings {
    let file = data.join("server.toml");
    let mut text = "listen = \"127.0.0.1:0\"\ndata = \"data\"\n\n[outbound]\nremote_allow = [\"127.0.0.1\"]\nremote_http = true\n".to_owned();
    for (id, dir) in projects {
        let dir = dir.display();
        let hosts = format!("id = \"{id}\"\nhosts = [\"{id}.example.com\"]");
        let source = format!("[projects.source]\nfolder = '{dir}'");
        writeln!(text, "\n[[projects]]\n{hosts}\n\n{source}").unwrap();
    }
    std::fs::write(&file, text).unwrap();
    let mut settings = Settings::from_file(&file).unwrap().settings.unwrap();
    settings.outbound.remote_refresh = Duration::from_millis(50);
    settings
}

/// Runs work on a multi-project server.
async fn while_it_runs(settings: Settings, task: impl FnOnce(&Sites, &Deployer) + Send + 'static) {
    let projects = Projects::start(settings, Limits::default());
    let projects = projects.await.unwrap();
    let (sites, deployer) = (projects.sites().clone(), projects.deployer().clone());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    let running = tokio::spawn(projects.run(|| None, stopped));
    let task = tokio::task::spawn_blocking(move || task(&sites, &deployer));
    task.await.unwrap();
    drop(stop);
    running.await.unwrap();
}

fn serves(sites: &Sites, project: &str, path: &str) -> bool {
    let served = sites.get(&format!("{project}.example.com")).unwrap();
    let site = served.current.map(|current| current.get());
    site.is_some_and(|site| site.map.routes.contains_key(path))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_multi_project_server_refreshes_documents() {
    let (api, response) = serving(&ok(&document("List pets"), "1"));
    let (dir, data) = (repository(api.addr), tempfile::tempdir().unwrap());
    let settings = settings(data.path(), &[("docs", dir.path())]);
    let task = move |sites: &Sites, deployer: &Deployer| {
        let has = |path: &str| serves(sites, "docs", path);
        assert!(until(|| has("/api-reference/list-pets")));
        *response.lock().unwrap() = ok(&document("Every pet"), "2");
        assert!(until(|| has("/api-reference/every-pet")));
        let all = deployer.list(Some("docs"));
        let live = all
            .iter()
            .find(|item| item.state == DeploymentState::Live)
            .unwrap();
        assert_eq!(live.trigger, Trigger::Poll);
    };
    while_it_runs(settings, task).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unresponsive_document_server_does_not_delay_other_projects() {
    let is_silent = Arc::new(AtomicBool::new(false));
    let (waiting, max) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let api = {
        let (is_silent, max) = (Arc::clone(&is_silent), Arc::clone(&max));
        StubApi::new(move |_, socket| {
            if !is_silent.load(Ordering::SeqCst) {
                let _ = socket.write_all(ok(&document("List pets"), "1").as_bytes());
                return;
            }
            let now = waiting.fetch_add(1, Ordering::SeqCst) + 1;
            max.fetch_max(now, Ordering::SeqCst);
            // Until the fetch times out.
            let _ = socket.read(&mut [0]);
            waiting.fetch_sub(1, Ordering::SeqCst);
        })
    };
    let (first, other) = (repository(api.addr), repository(api.addr));
    let data = tempfile::tempdir().unwrap();
    let settings = settings(data.path(), &[("one", first.path()), ("two", other.path())]);
    let task = move |sites: &Sites, _: &Deployer| {
        for project in ["one", "two"] {
            assert!(until(|| serves(sites, project, "/api-reference/list-pets")));
        }
        is_silent.store(true, Ordering::SeqCst);
        assert!(until(|| max.load(Ordering::SeqCst) == 2));
    };
    while_it_runs(settings, task).await;
}

#[test]
fn files_of_forks_cause_no_requests() {
    let (api, _) = serving(&ok(&document("List pets"), "1"));
    let documents = RemoteDocumentCache::new(options(None));
    let copies = documents.source().cache_only();
    let addr = BTreeSet::from([format!("http://{}/a", api.addr)]);
    let states = copies.get(&addr);
    assert!(matches!(
        states.values().next(),
        Some(RemoteState::Missing { .. })
    ));
    copies.refresh();
    assert!(documents.requested_urls().is_empty());
    assert!(api.requests().is_empty());
}
