//! Servers that share a database and an object store.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use svc_test_support::git::{self, BareRepo};
use svc_test_support::postgres::PgCluster;
use svc_test_support::wait::wait_until;

use super::storage::Storage;
use crate::admin::peers::{SECRET, WEBHOOK};
use crate::admin::rig::Client;
use crate::peer_server::{PeerServer, SITE};

/// Timeout for eventual results on a busy machine.
pub(super) const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

pub(super) struct Scene {
    pub(super) dir: tempfile::TempDir,
    pub(super) origin: BareRepo,
    pub(super) storage: Storage,
    pub(super) database: PgCluster,
    pub(super) store_url: String,
}

impl Scene {
    /// `None` without Git, PostgreSQL or the object store.
    pub(super) fn new(storage: impl FnOnce(&Path) -> Option<Storage>) -> Option<Self> {
        let database = PgCluster::start()?;
        let dir = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&dir.path().join("origin.git"))?;
        let store_url = database.create_database();
        fs::write(dir.path().join("store"), &store_url).unwrap();
        fs::write(dir.path().join("secret"), SECRET).unwrap();
        let storage = storage(dir.path())?;
        let scene = Self {
            dir,
            origin,
            storage,
            database,
            store_url,
        };
        scene.commit("main", "The first words.");
        Some(scene)
    }

    /// Commits a text to a branch and returns the ID of the commit.
    pub(super) fn commit(&self, branch: &str, text: &str) -> String {
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": ["index"]}}"##;
        let files = [
            git::File::Text("docs.json", config),
            git::File::Text("index.mdx", text),
            git::File::Text("snippets/other.mdx", "Text of a snippet."),
            git::File::Link("linked.mdx", "snippets/other.mdx"),
        ];
        let tree = self.origin.tree(&files);
        let commit = self.origin.git(&["commit-tree", "-m", text, &tree]);
        let reference = format!("refs/heads/{branch}");
        self.origin.git(&["update-ref", &reference, &commit]);
        commit
    }

    pub(super) fn start(&self, name: &str) -> PeerServer {
        PeerServer::start_with(self.dir.path(), name, &self.storage.table(), WEBHOOK)
    }

    pub(super) fn log(&self, name: &str) -> String {
        let path = self.dir.path().join(format!("{name}.log"));
        fs::read_to_string(path).unwrap_or_default()
    }

    pub(super) fn logs(&self) -> String {
        let mut text = String::new();
        for name in ["one", "two", "three", "four"] {
            text.push_str(&format!("{name}:\n{}\n", self.log(name)));
        }
        text
    }

    /// Waits until all servers serve a text at a host. Returns how long the last one took.
    pub(super) fn shows(&self, servers: &[&PeerServer], host: &str, text: &str) -> Duration {
        let begin = Instant::now();
        for server in servers {
            let end = Instant::now() + WAIT_TIMEOUT;
            while !server
                .try_page(host)
                .is_some_and(|page| page.contains(text))
            {
                assert!(
                    Instant::now() < end,
                    "{text} is not at {host}: {}",
                    self.logs()
                );
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        begin.elapsed()
    }

    pub(super) fn is_gone(&self, servers: &[&PeerServer], host: &str) {
        for server in servers {
            wait_until(&format!("{host} is there"), WAIT_TIMEOUT, || {
                server.page(host).status == 421
            });
        }
    }

    /// How often each snapshot was released, by all servers. Fences of a target must differ.
    pub(super) fn releases(&self, names: &[&str]) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for name in names {
            let log = self.log(name);
            for line in log.lines().filter(|line| line.contains(", fence ")) {
                let key = line.split("released ").nth(1).unwrap();
                let key = key.split(' ').next().unwrap();
                *counts.entry(key.to_owned()).or_default() += 1;
            }
        }
        counts
    }
}

impl PeerServer {
    /// The page at a host; `None` if the server cannot be reached or has none.
    pub(super) fn try_page(&self, host: &str) -> Option<String> {
        let request = format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        let response = Client::new(self.sites).try_raw(request.as_bytes(), false);
        let response = response.ok().filter(|response| response.status == 200)?;
        Some(response.text())
    }

    /// Readiness of the server.
    pub(super) fn ready(&self) -> (u16, Value) {
        let request = format!("GET /_svc/ready HTTP/1.1\r\nhost: {SITE}\r\n\r\n");
        let response = Client::new(self.sites).raw(request.as_bytes(), false);
        (response.status, response.json())
    }

    /// A metric without labels.
    pub(super) fn metric(&self, name: &str) -> String {
        let response =
            Client::new(self.admin).raw(b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n", false);
        let text = response.text();
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let value = lines.find_map(|(key, value)| (key == name).then_some(value));
        value.unwrap_or_else(|| panic!("{name}: {text}")).to_owned()
    }

    /// Waits until a status of readiness names a reason.
    pub(super) fn is_degraded(&self, reason: &str) {
        wait_until(reason, WAIT_TIMEOUT, || {
            let (status, document) = self.ready();
            assert_eq!(status, 200, "{document}");
            document["status"] == "degraded" && document["reasons"][0] == reason
        });
    }

    pub(super) fn is_ready(&self) {
        wait_until("ready", WAIT_TIMEOUT, || {
            self.ready().1["status"] == "ready"
        });
    }
}
