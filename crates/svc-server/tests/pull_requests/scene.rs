//! A repository with a forge, and servers that update its pull requests.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use serde_json::{Value, json};
use svc_test_support::git::{self, BareRepo};
use svc_test_support::postgres::PgCluster;

use super::forge::{Forge, ForgeDialect, TOKEN};
use crate::admin::peers::SECRET;
use crate::admin::rig::Client;
use crate::admin::server::within;
use crate::peer_server::{PeerServer, SITE};

/// Timeout for eventual results on a busy machine.
pub(super) const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
pub(super) const PREVIEW: &str = "pr-12.preview.example.com";

/// A repository, its forge, and the directories of servers.
pub(super) struct Scene {
    pub(super) dir: tempfile::TempDir,
    origin: BareRepo,
    pub(super) forge: Forge,
    pub(super) _cluster: Option<Arc<PgCluster>>,
}

impl Scene {
    /// `None` without Git.
    pub(super) fn new(dialect: ForgeDialect) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&dir.path().join("origin.git"))?;
        let store = format!("sqlite:{}", dir.path().join("store.sqlite").display());
        fs::write(dir.path().join("store"), store).unwrap();
        fs::write(dir.path().join("secret"), SECRET).unwrap();
        fs::write(dir.path().join("token"), TOKEN).unwrap();
        let scene = Self {
            dir,
            origin,
            forge: Forge::start(dialect),
            _cluster: None,
        };
        scene.commit("refs/heads/main", &[("index", "Home", "The first words.")]);
        Some(scene)
    }

    /// Commits pages: name, title and text. Returns the ID of the commit.
    pub(super) fn commit(&self, reference: &str, pages: &[(&str, &str, &str)]) -> String {
        let names: Vec<&str> = pages.iter().map(|(name, _, _)| *name).collect();
        let config = format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#070"}}, "navigation": {{"pages": {names:?}}}}}"##
        );
        let pages: Vec<(String, String)> = pages
            .iter()
            .map(|(name, title, text)| {
                let title = Value::from(*title);
                (
                    format!("{name}.mdx"),
                    format!("---\ntitle: {title}\n---\n{text}\n"),
                )
            })
            .collect();
        let mut files = vec![git::File::Text("docs.json", &config)];
        files.extend(pages.iter().map(|(path, text)| git::File::Text(path, text)));
        self.commit_files(reference, &files)
    }

    pub(super) fn commit_files(&self, reference: &str, files: &[git::File<'_>]) -> String {
        let tree = self.origin.tree(files);
        let commit = self.origin.git(&["commit-tree", "-m", "A change", &tree]);
        self.origin.git(&["update-ref", reference, &commit]);
        commit.trim().to_owned()
    }

    pub(super) fn more(&self) -> String {
        format!(
            "forks = true\n[projects.webhook]\nsecret_file = \"secret\"\n\
             [projects.pull_requests]\nforge = \"{}\"\nrepository = \"{}\"\ntoken_file = \"token\"\n",
            self.forge.dialect.name,
            self.forge.repository()
        )
    }

    /// Starts a server that serves the site.
    pub(super) fn start(&self, name: &str) -> PeerServer {
        let server = PeerServer::start(self.dir.path(), name, &self.more());
        let shown = within(WAIT_TIMEOUT, || server.page(SITE).status == 200);
        assert!(shown, "{}", self.log(name));
        server
    }

    pub(super) fn log(&self, name: &str) -> String {
        fs::read_to_string(self.dir.path().join(format!("{name}.log"))).unwrap_or_default()
    }

    /// Sends an event of pull request 12 from a fork.
    pub(super) fn request(&self, server: &PeerServer, action: &str, commit: &str) {
        self.event(server, (action, 12), ("x", 2), commit);
    }

    /// Sends an event of a pull request: its action and number, its branch and the repository of that.
    pub(super) fn event(
        &self,
        server: &PeerServer,
        (action, number): (&str, u64),
        (branch, repository): (&str, u64),
        commit: &str,
    ) {
        let dialect = &self.forge.dialect;
        let body = match dialect.name {
            "gitlab" => json!({
                "object_kind": "merge_request",
                "object_attributes": {
                    "iid": number, "source_branch": branch, "source_project_id": repository,
                    "target_project_id": 1, "last_commit": {"id": commit}, "oldrev": commit,
                    "action": match action {
                        "opened" => "open", "reopened" => "reopen", "closed" => "close", _ => "update",
                    },
                },
            }),
            _ => json!({
                "action": action, "number": number,
                "pull_request": {
                    "head": {"ref": branch, "sha": commit, "repo": {"id": repository}},
                    "base": {"ref": "main", "repo": {"id": 1}},
                },
            }),
        };
        deliver(server, dialect.name, "pull_request", &body.to_string());
    }

    /// Waits until a commit has a state, and returns the sentence and the URL.
    pub(super) fn status(&self, commit: &str, state: usize, name: &str) -> (String, String) {
        let state = self.forge.dialect.states[state];
        let has = || {
            self.forge
                .status(commit)
                .is_some_and(|status| status.0 == state)
        };
        assert!(
            within(WAIT_TIMEOUT, has),
            "{:?} is not {state}: {}",
            self.forge.status(commit),
            self.log(name)
        );
        let (_, sentence, url) = self.forge.status(commit).unwrap();
        (sentence, url)
    }

    /// Waits until the only comment contains a text, and returns it with its ID.
    pub(super) fn comment(&self, text: &str, name: &str) -> (u64, String) {
        let has = || {
            let comments = self.forge.comments();
            comments.iter().any(|(_, comment)| comment.contains(text))
        };
        assert!(
            within(WAIT_TIMEOUT, has),
            "{text}: {:?} {}",
            self.forge.comments(),
            self.log(name)
        );
        let mut comments = self.forge.comments();
        assert_eq!(comments.len(), 1, "{comments:?}");
        comments.remove(0)
    }
}

/// Sends a signed delivery of a forge.
pub(super) fn deliver(server: &PeerServer, forge: &str, kind: &str, body: &str) {
    let mut code = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    code.update(body.as_bytes());
    let code = code.finalize().into_bytes();
    let code: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
    let heads = match forge {
        "github" => format!("x-github-event: {kind}\r\nx-hub-signature-256: sha256={code}"),
        "gitlab" => format!("x-gitlab-event: {kind}\r\nx-gitlab-token: {SECRET}"),
        "gitea" => format!("x-gitea-event: {kind}\r\nx-gitea-signature: {code}"),
        _ => format!("x-forgejo-event: {kind}\r\nx-forgejo-signature: {code}"),
    };
    let request = format!(
        "POST /_svc/webhook HTTP/1.1\r\nhost: {SITE}\r\ncontent-type: application/json\r\n{heads}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let response = Client::new(server.sites).raw(request.as_bytes(), false);
    assert!(response.status < 300, "{}", response.text());
}
