//! Programs on one PostgreSQL database, with one project from a repository.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use svc_server::request_server;
use svc_test_support::program::{self, url_in_line};

pub(crate) const SITE: &str = "docs.example.com";

/// A running server.
pub(crate) struct PeerServer {
    running: program::Program,
    pub(crate) data: PathBuf,
    pub(crate) sites: SocketAddr,
    pub(crate) admin: SocketAddr,
}

/// Writes the settings of a server in a directory, which has a repository `origin.git` and a file
/// `store` with the URL of the database. `more` is for the project. Returns the path of the file.
pub(crate) fn config(dir: &Path, name: &str, more: &str) -> PathBuf {
    config_with(dir, name, "", more)
}

/// As [`config`], with further tables of the server.
fn config_with(dir: &Path, name: &str, tables: &str, more: &str) -> PathBuf {
    let text = format!(
        r#"
listen = "127.0.0.1:0"
data = "{name}"
[outbound]
offline = true
[admin]
listen = "127.0.0.1:0"
store_file = "store"
{tables}[[projects]]
id = "docs"
hosts = ["{SITE}"]
web_fonts = false
[projects.source]
git = "{}"
[projects.previews]
host = "{{preview}}.preview.example.com"
guessable = true
branches = ["*"]
{more}"#,
        dir.join("origin.git").display()
    );
    let path = dir.join(format!("{name}.toml"));
    fs::write(&path, text).unwrap();
    path
}

impl PeerServer {
    /// Starts a server with the settings of [`config`]. It appends to `NAME.log`.
    pub(crate) fn start(dir: &Path, name: &str, more: &str) -> Self {
        Self::start_with(dir, name, "", more)
    }

    /// As [`start`](Self::start), with further tables of the server.
    pub(crate) fn start_with(dir: &Path, name: &str, tables: &str, more: &str) -> Self {
        let log = dir.join(format!("{name}.log"));
        let log = File::options().create(true).append(true).open(log);
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        let config = config_with(dir, name, tables, more);
        command.arg("--config").arg(config);
        command.stdin(Stdio::null()).stderr(log.unwrap());
        let mut program = program::Program::start(&mut command);
        let lines = [program.next_line(), program.next_line()];
        let [sites, admin] = lines.map(|line| url_in_line(&line).parse().unwrap());
        Self {
            running: program,
            data: dir.join(name),
            sites,
            admin,
        }
    }

    /// Writes other settings and has the server reload them.
    pub(crate) fn reload(&self, dir: &Path, name: &str, more: &str) {
        config(dir, name, more);
        self.running.signal("-HUP");
    }

    /// Sends a request of the `svc` command line.
    pub(crate) fn command(&self, path: &str, body: &Value) -> Value {
        request_server(&self.data, "POST", path, body).unwrap()
    }
}
