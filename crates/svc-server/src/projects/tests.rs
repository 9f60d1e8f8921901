//! A multi-project server over the network.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use svc_test_support::log::LogCapture;

use super::*;
use crate::settings::{Host, OutboundSettings, SourceSettings};

const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

struct Scene {
    base: tempfile::TempDir,
}

impl Scene {
    fn new(projects: &[&str]) -> Self {
        let scene = Self {
            base: tempfile::tempdir().unwrap(),
        };
        for project in projects {
            scene.write(project, 0);
        }
        scene
    }

    fn dir(&self, project: &str) -> PathBuf {
        self.base.path().join(project)
    }

    /// Writes a site with a number in its page, style sheet, script and image.
    fn write(&self, project: &str, number: usize) {
        let dir = self.dir(project);
        fs::create_dir_all(&dir).unwrap();
        let config = format!(
            r##"{{"theme": "svc", "name": "{project}", "colors": {{"primary": "#000000"}}, "navigation": {{"pages": ["index"]}}}}"##
        );
        let files = [
            ("docs.json", config),
            (
                "index.mdx",
                format!("NUMBER-{number}- ![picture](/a.svg)\n"),
            ),
            (
                "style.css",
                format!("b {{ content: 'NUMBER-{number}-' }}\n"),
            ),
            ("own.js", format!("window.own = 'NUMBER-{number}-';\n")),
            (
                "a.svg",
                format!(
                    "<svg xmlns='http://www.w3.org/2000/svg'><!--NUMBER-{number}-{}--></svg>",
                    " ".repeat(number)
                ),
            ),
        ];
        for (name, text) in files {
            fs::write(dir.join(name), text).unwrap();
        }
    }

    /// Adds a repository to the page of a site.
    fn show(&self, project: &str, repository: &str) {
        let text = format!("NUMBER-0- <GitHub.Repo repo=\"acme/{repository}\" />\n");
        fs::write(self.dir(project).join("index.mdx"), text).unwrap();
    }

    fn settings(&self, projects: &[&str]) -> Settings {
        let project = |id: &&str| ProjectSettings {
            site: SiteOptions {
                without_web_fonts: true,
                ..SiteOptions::default()
            },
            ..ProjectSettings::with_defaults(
                id,
                Host::parse(&format!("{id}.example.com")).unwrap(),
                SourceSettings::Dir {
                    path: self.dir(id),
                    watch: false,
                },
            )
        };
        Settings {
            listen: "127.0.0.1:0".parse().unwrap(),
            outbound: OutboundSettings {
                relay: None,
                offline: true,
                ..OutboundSettings::default()
            },
            projects: projects.iter().map(project).collect(),
            ..Settings::with_defaults(&self.base.path().join("data"))
        }
    }
}

/// Status and body of a response.
fn get(addr: SocketAddr, host: &str, path: &str) -> (u16, String) {
    let text = svc_test_support::client::get(addr, host, path);
    let status = text.split(' ').nth(1).unwrap().parse().unwrap();
    (status, text)
}

fn number(text: &str) -> usize {
    let rest = text.split_once("NUMBER-").expect("a number").1;
    rest.split_once('-').unwrap().0.parse().unwrap()
}

/// URLs of the local files that a page loads.
fn files(html: &str) -> Vec<String> {
    html.split('"')
        .filter(|part| part.starts_with('/') && part.contains("?v=") && !part.contains("/_svc/"))
        .map(str::to_owned)
        .collect()
}

async fn start(settings: Settings) -> Projects {
    Projects::start(settings, Limits::default()).await.unwrap()
}

fn deploy(deployer: &Deployer, project: &str) -> crate::Deployment {
    let request = DeployRequest::live(project, Trigger::Command);
    let id = deployer.trigger(request).unwrap();
    deployer.wait(&id, WAIT_TIMEOUT).unwrap()
}

async fn blocking<T: Send + 'static>(task: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(task).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn projects_are_selected_by_host_and_pages_never_mix_deployments() {
    let scene = Scene::new(&["one", "two"]);
    let projects = start(scene.settings(&["one", "two"])).await;
    let addr = projects.local_addr().unwrap();
    let deployer = projects.deployer().clone();
    let (stop, shutdown) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(projects.run(|| None, async {
        let _ = shutdown.await;
    }));
    blocking(move || {
        for project in ["one", "two"] {
            deploy(&deployer, project);
            let host = format!("{project}.example.com");
            let (status, text) = get(addr, &host, "/");
            assert_eq!(status, 200);
            assert!(text.contains(&format!("<title>{project}")) || text.contains(project));
        }
        assert_eq!(get(addr, "three.example.com", "/").0, 421);
        // A page of each deployment whose files are requested after the next one is live.
        let mut last: Option<(usize, String)> = None;
        for round in 1..6 {
            scene.write("one", round);
            assert_eq!(deploy(&deployer, "one").state, crate::DeploymentState::Live);
            let (_, html) = get(addr, "one.example.com", "/");
            assert_eq!(number(&html), round);
            for (expected, html) in last.iter().chain([&(round, html.clone())]) {
                let files = files(html);
                assert_eq!(files.len(), 3, "{files:?}");
                for file in files {
                    let (status, text) = get(addr, "one.example.com", &file);
                    assert_eq!((status, number(&text)), (200, *expected), "{file}");
                    assert!(text.contains("immutable"));
                }
            }
            last = Some((round, html));
        }
        let (_, text) = get(addr, "one.example.com", "/style.css?v=nothing");
        assert_eq!(number(&text), 5);
        assert!(text.contains("no-cache"));
    })
    .await;
    stop.send(()).unwrap();
    task.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_data_directory_is_locked() {
    let scene = Scene::new(&["one"]);
    let first = start(scene.settings(&["one"])).await;
    let second = Projects::start(scene.settings(&["one"]), Limits::default());
    let error = second.await.unwrap_err();
    assert!(error.to_string().contains("another server"), "{error}");
    // A server that is stopping is waited for.
    let ending = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(first);
    });
    drop(start(scene.settings(&["one"])).await);
    ending.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_settings_move_hosts_and_remove_projects() {
    let scene = Scene::new(&["one", "two"]);
    let projects = start(scene.settings(&["one", "two"])).await;
    let (deployer, host_table) = (
        projects.deployer().clone(),
        Arc::clone(&projects.host_table),
    );
    let (sites, documents) = (projects.sites().clone(), projects.remote_documents.clone());
    blocking(move || {
        deploy(&deployer, "one");
        deploy(&deployer, "two");
        // The host of one project moves to the other, whose own host is removed.
        let mut settings = scene.settings(&["two"]);
        settings.projects[0].hosts = scene.settings(&["one"]).projects[0].hosts.clone();
        apply_settings(&host_table, &deployer, &documents, Some(settings));
        assert_eq!(&*sites.get("one.example.com").unwrap().project, "two");
        assert!(sites.get("one.example.com").unwrap().current.is_some());
        assert!(sites.get("two.example.com").is_none());
        // Invalid settings change nothing.
        apply_settings(&host_table, &deployer, &documents, None);
        assert!(sites.get("one.example.com").is_some());
        let newest = deployer.list(Some("two"))[0].clone();
        assert_eq!(newest.trigger, Trigger::Signal);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_settings_apply_to_remote_documents_and_required_restarts_are_logged() {
    let scene = Scene::new(&["one", "two"]);
    let log = LogCapture::default();
    let first = scene.settings(&["one", "two"]);
    let projects = Projects::start(first.clone(), Limits::default());
    let projects = projects.await.unwrap();
    let (deployer, host_table) = (
        projects.deployer().clone(),
        Arc::clone(&projects.host_table),
    );
    let documents = projects.remote_documents.clone();
    blocking(move || {
        let allows = |project| Some(documents.source(project)?.allows_http());
        let _scope = log.enter();
        assert_eq!((allows("one"), allows("two")), (Some(false), Some(false)));
        let mut settings = scene.settings(&["one"]);
        settings.outbound.remote_http = true;
        apply_settings(&host_table, &deployer, &documents, Some(settings.clone()));
        assert_eq!((allows("one"), allows("two")), (Some(true), None));
        assert!(!log.text().contains("restart the server"), "{log:?}");
        settings.listen = "127.0.0.2:0".parse().unwrap();
        settings.data = scene.base.path().join("other");
        settings.admin = Some(crate::AdminSettings::with_defaults(&settings.data));
        apply_settings(&host_table, &deployer, &documents, Some(settings));
        for key in ["`listen`", "`data`", "`[admin]`"] {
            let line = format!("{key} has changed; restart the server to apply it");
            assert!(log.text().contains(&line), "{}", log.text());
        }
        assert_eq!(host_table.settings().data, first.data);
        deployer.stop();
    })
    .await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_control_socket_deploys_lists_and_rolls_back() {
    use std::os::unix::fs::PermissionsExt as _;

    use crate::control::{ControlError, request_server, socket_path};
    use serde_json::{Value, json};

    let scene = Scene::new(&["one"]);
    let data: PathBuf = scene.base.path().join("data");
    fs::create_dir_all(&data).unwrap();
    // Left behind by a killed server.
    drop(std::os::unix::net::UnixListener::bind(socket_path(&data)).unwrap());
    let projects = start(scene.settings(&["one"])).await;
    let deployer = projects.deployer().clone();
    let mode = fs::metadata(socket_path(&data))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let (stop, shutdown) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(projects.run(|| None, async {
        let _ = shutdown.await;
    }));
    let socket = socket_path(&data);
    blocking(move || {
        let request =
            |method: &str, path: &str, body: Value| request_server(&data, method, path, &body);
        deploy(&deployer, "one");
        scene.write("one", 7);
        let created = request("POST", "/projects/one/deployments", json!({})).unwrap();
        let id = created["deployments"][0].as_str().unwrap().to_owned();
        deployer.wait(&id, WAIT_TIMEOUT).unwrap();
        let status = request("GET", &format!("/deployments/{id}"), json!({})).unwrap();
        assert_eq!(status["deployment"]["state"], "live");
        assert_eq!(status["deployment"]["kept"], true);
        assert!(status["report"]["log"].as_array().unwrap().len() > 2);
        let back = request("POST", "/projects/one/rollback", json!({})).unwrap();
        assert_eq!(back["deployment"]["state"], "live");
        let all = request("GET", "/deployments?project=one", json!({})).unwrap();
        assert_eq!(all["deployments"][0]["id"], back["deployment"]["id"]);
        let list = request("GET", "/projects", json!({})).unwrap();
        assert_eq!(list["projects"][0]["id"], "one");
        for (path, expected) in [
            ("/projects/oen/deployments", "did you mean `one`"),
            ("/projects/one/deployments", "not a branch"),
            ("/projects/one/rollback/x", "not found"),
        ] {
            let error = request("POST", path, json!({"branch": "x"})).unwrap_err();
            assert!(
                matches!(&error, ControlError::Rejected(why) if why.contains(expected)),
                "{error}"
            );
        }
    })
    .await;
    stop.send(()).unwrap();
    task.await.unwrap();
    // The task that owns it ends a moment later.
    for _ in 0..200 {
        if !socket.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the socket is still there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn expired_previews_are_removed_while_the_server_runs() {
    use crate::{PublishTarget, Reference};

    let scene = Scene::new(&["one"]);
    let mut projects = start(scene.settings(&["one"])).await;
    projects.maintenance_interval = Duration::from_millis(5);
    let deployer = projects.deployer().clone();
    let (stop, shutdown) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(projects.run(|| None, async {
        let _ = shutdown.await;
    }));
    blocking(move || {
        deploy(&deployer, "one");
        // The settings disable previews. The second one is removed in a later round.
        for name in ["a", "b"] {
            let request = DeployRequest {
                target: PublishTarget::Preview { name: name.into() },
                reference: Reference {
                    branch: Some(name.to_owned()),
                    reference: None,
                },
                ..DeployRequest::live("one", Trigger::Push)
            };
            let id = deployer.trigger(request).unwrap();
            deployer.wait(&id, WAIT_TIMEOUT).unwrap();
            let end = Instant::now() + WAIT_TIMEOUT;
            while deployer.get(&id).unwrap().removed.is_none() {
                assert!(Instant::now() < end, "{name} stays");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        assert_eq!(deployer.targets("one"), [PublishTarget::Live]);
    })
    .await;
    stop.send(()).unwrap();
    task.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repository_stars_appear_on_all_sites_but_previews_fetch_none() {
    use svc_test_support::api::StubApi;

    use crate::PublishTarget;

    let api = StubApi::new(|request, socket| {
        let body = match request.contains("/repos/acme/pets ") {
            true => r#"{"description": "", "stargazers_count": 1234, "forks_count": 7}"#,
            false => r#"{"description": "", "stargazers_count": 5678, "forks_count": 7}"#,
        };
        let length = body.len();
        let head = "HTTP/1.1 200 OK\r\nconnection: close";
        let _ = write!(socket, "{head}\r\ncontent-length: {length}\r\n\r\n{body}");
    });
    let scene = Scene::new(&["one", "two", "three"]);
    scene.show("one", "pets");
    scene.show("two", "shops");
    let mut settings = scene.settings(&["one", "two", "three"]);
    settings.outbound.offline = false;
    let mut projects = start(settings.clone()).await;
    projects.maintenance_interval = Duration::from_millis(20);
    projects.github = GitHub::new(GitHubOptions {
        api: format!("http://{}", api.addr),
        policy: svc_fetch::Policy::from_rules(["127.0.0.1"]).unwrap(),
        ..GitHubOptions::cached_in(Some(&settings.data))
    });
    let (deployer, host_table) = (
        projects.deployer().clone(),
        Arc::clone(&projects.host_table),
    );
    let (documents, addr) = (
        projects.remote_documents.clone(),
        projects.local_addr().unwrap(),
    );
    let first = deployer.clone();
    blocking(move || deploy(&first, "three")).await;
    let (stop, shutdown) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(projects.run(|| None, async {
        let _ = shutdown.await;
    }));
    let (scene, settings) = blocking(move || {
        let site = || {
            let mut sites = deployer.sites().into_iter();
            let (_, site) = sites.find(|(id, _)| id == "three").unwrap();
            Arc::as_ptr(&site)
        };
        let untouched = site();
        let shows = |project: &str, text: &str| {
            let host = format!("{project}.example.com");
            let end = Instant::now() + WAIT_TIMEOUT;
            while !get(addr, &host, "/").1.contains(text) {
                assert!(Instant::now() < end, "{project} does not show {text}");
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        shows("one", "1.2k");
        shows("two", "5.7k");
        // With or without a change, a deployment shows the cached information.
        let result = deploy(&deployer, "one");
        assert_eq!(result.summary, "nothing changed");
        scene.write("one", 3);
        scene.show("one", "pets");
        deploy(&deployer, "one");
        let (_, html) = get(addr, "one.example.com", "/");
        assert!(html.contains("1.2k"), "{html}");
        assert_eq!(site(), untouched, "it names none and is left alone");
        // Repositories in a preview are not fetched.
        scene.show("three", "else");
        let preview = DeployRequest {
            target: PublishTarget::Preview { name: "a".into() },
            ..DeployRequest::live("three", Trigger::Push)
        };
        let id = deployer.trigger(preview).unwrap();
        deployer.wait(&id, WAIT_TIMEOUT).unwrap();
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(api.requests().len(), 2, "{:?}", api.requests());
        // No requests are sent after the settings disable them.
        settings.outbound.offline = true;
        apply_settings(&host_table, &deployer, &documents, Some(settings.clone()));
        deploy(&deployer, "three");
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(api.requests().len(), 2, "{:?}", api.requests());
        (scene, settings)
    })
    .await;
    stop.send(()).unwrap();
    task.await.unwrap();
    // Cached information is shown from the start.
    let projects = start(settings).await;
    let sites = projects.deployer().sites();
    let one = sites.iter().find(|(id, _)| id == "one").unwrap();
    let html = one.1.page("/").unwrap().html.bytes.to_vec();
    assert!(String::from_utf8(html).unwrap().contains("1.2k"));
    drop(scene);
}
