//! Versions of a site from other branches and tags of a bare repository.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::serving::{self, RunningServer};
use svc_server::{
    DeployRequest, Deployer, DeployerOptions, DeploymentState, FileJournal, GitSettings, GitSource,
    ProjectConfig, PublishTarget, Publisher, Served, SiteHandle, Sites, SourceSettings, Trigger,
};
use svc_test_support::git::{BareRepo, File};

const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
const OLD: &str = r#"{"navigation": {"pages": ["index", "same"]}}"#;
const SAME: &str = "---\ntitle: Same\n---\nEqual text.\n";

#[derive(Clone)]
struct Hosts(Sites);

impl Publisher for Hosts {
    fn publish(&self, project: &str, _: &PublishTarget, current: &SiteHandle) {
        self.0
            .set("docs.example", Served::new(current.clone(), project));
    }

    fn updated(&self, _: &str, _: &PublishTarget) {}
    fn hide(&self, _: &str, _: &PublishTarget) {}
}

struct TestServer {
    deployer: Deployer,
    serving: RunningServer,
}

fn config(versions: &str) -> String {
    format!(
        r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#070"}}, "navigation": {{"versions": [
            {{"version": "v2", "pages": ["index", "same"]}}{versions}]}}}}"##
    )
}

impl TestServer {
    fn start(repository: &Path, data: &Path) -> Self {
        let sites = Sites::default();
        fs::create_dir_all(data).unwrap();
        let options = DeployerOptions {
            journal: Box::new(FileJournal::open(&data.join("journal")).unwrap()),
            data: data.to_owned(),
            publisher: Box::new(Hosts(sites.clone())),
            max_builds: 1,
            repositories: Arc::default(),
            share: Box::new(|_| {}),
            cluster: None,
        };
        let plan = ProjectConfig {
            id: "docs".to_owned(),
            source: SourceSettings::Git(GitSource {
                url: repository.to_str().unwrap().to_owned(),
                branch: "main".to_owned(),
                subdir: String::new(),
                credentials: None,
                history: false,
            }),
            git: GitSettings::default(),
            load: svc_site::LoadOptions::default(),
            private_previews: false,
            preview_integrations: false,
            stop_on_errors: false,
            max_retained: 5,
            poll: None,
        };
        let deployer = Deployer::start(options, vec![plan]).unwrap();
        let serving = RunningServer::start(serving::limits(), sites.responder(), None);
        Self { deployer, serving }
    }

    fn deploy(&self, foreign: bool) {
        let request = DeployRequest {
            foreign,
            ..DeployRequest::live("docs", Trigger::Command)
        };
        let id = self.deployer.trigger(request).unwrap();
        let done = self.deployer.wait(&id, WAIT_TIMEOUT).unwrap();
        assert_eq!(done.state, DeploymentState::Live, "{done:?}");
    }

    fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.serving.addr).unwrap();
        stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: docs.example\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        let response = String::from_utf8_lossy(&response).into_owned();
        let status = response.get(9..12).and_then(|status| status.parse().ok());
        (status.unwrap_or(0), response)
    }
}

/// The only snapshot with a version whose page has this text.
fn snapshot_with(data: &Path, text: &str) -> PathBuf {
    let snapshots = fs::read_dir(data.join("projects/docs/snapshots"));
    let snapshots = snapshots.unwrap().flatten().map(|entry| entry.path());
    let fits = |dir: &PathBuf| {
        fs::read_to_string(dir.join(".svc-versions/v1/index.mdx"))
            .is_ok_and(|page| page.contains(text))
    };
    snapshots.into_iter().find(fits).unwrap()
}

#[test]
fn a_deployment_contains_other_branches_and_tags() {
    let dir = tempfile::tempdir().unwrap();
    let Some(origin) = BareRepo::new(&dir.path().join("origin.git")) else {
        return;
    };
    let old = |text: &str| {
        origin.commit_on(
            "release/1.x",
            &[
                File::Text("docs.json", OLD),
                File::Text(
                    "index.mdx",
                    &format!("---\ntitle: Home\n---\n{text} [Same](/same)\n"),
                ),
                File::Text("same.mdx", SAME),
            ],
        )
    };
    let first = old("First old text.");
    origin.git(&["tag", "v1.0", &first]);
    old("Second old text.");
    let versions = r#", {"version": "v1", "ref": "release/1.x"}, {"version": "1.0", "ref": "v1.0"}, {"version": "v0", "ref": "relase/1.x"}"#;
    origin.commit_on(
        "main",
        &[
            File::Text("docs.json", &config(versions)),
            File::Text("index.mdx", "---\ntitle: Home\n---\nNew text.\n"),
            File::Text("same.mdx", SAME),
        ],
    );
    let data = dir.path().join("data");
    let server = TestServer::start(origin.path(), &data);
    server.deploy(false);
    let page = |path: &str| {
        let (status, text) = server.get(path);
        assert_eq!(status, 200, "{path}");
        text
    };
    assert!(page("/").contains("New text."));
    assert!(page("/v1").contains("Second old text.") && page("/v1").contains("href=\"/v1/same\""));
    assert!(page("/1.0").contains("First old text."));
    assert_eq!(server.get("/v0").0, 404);
    // The snapshot alone has all that the site needs, also the reason why a version is missing.
    let options = svc_site::LoadOptions {
        versions: svc_site::VersionSource::Snapshot,
        ..svc_site::LoadOptions::default()
    };
    let snapshot = snapshot_with(&data, "Second");
    let loaded = svc_site::load(&snapshot, &options).unwrap();
    let hints: Vec<&str> = loaded
        .diagnostics
        .iter()
        .filter_map(|problem| problem.hint.as_deref())
        .collect();
    assert_eq!(hints, ["did you mean `release/1.x`?"]);
    // Equal files are stored once.
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let inode = |path: &str| fs::metadata(snapshot.join(path)).unwrap().ino();
        assert_eq!(inode("same.mdx"), inode(".svc-versions/v1/same.mdx"));
        assert_eq!(inode("same.mdx"), inode(".svc-versions/1.0/same.mdx"));
    }
    // The branch of a version moves, and the production branch does not.
    old("Third old text.");
    server.deploy(false);
    assert!(page("/v1").contains("Third old text.") && page("/1.0").contains("First old text."));
    // A rollback can restore the version as it was.
    snapshot_with(&data, "Second");
}

#[test]
fn a_fork_cannot_publish_other_branches() {
    let dir = tempfile::tempdir().unwrap();
    let Some(origin) = BareRepo::new(&dir.path().join("origin.git")) else {
        return;
    };
    origin.commit_on(
        "secret",
        &[
            File::Text("docs.json", OLD),
            File::Text("index.mdx", "Secret text."),
        ],
    );
    origin.commit_on(
        "main",
        &[
            File::Text(
                "docs.json",
                &config(r#", {"version": "v1", "ref": "secret"}"#),
            ),
            File::Text("index.mdx", "New text."),
        ],
    );
    let server = TestServer::start(origin.path(), &dir.path().join("data"));
    server.deploy(true);
    assert_eq!(server.get("/").0, 200);
    assert_eq!(server.get("/v1").0, 404);
}
