//! A PostgreSQL cluster for tests, in a temporary directory with a Unix socket.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A cluster that is stopped and deleted when it is dropped. It syncs to disk like a real one.
#[derive(Debug)]
pub struct PgCluster {
    dir: tempfile::TempDir,
    programs: PathBuf,
    /// Number of databases so far.
    databases: AtomicU32,
}

static SHARED: Mutex<Weak<PgCluster>> = Mutex::new(Weak::new());

impl PgCluster {
    /// The cluster that the tests of a process share. Returns `None` and prints a message if
    /// PostgreSQL is not installed.
    ///
    /// # Panics
    /// When PostgreSQL is installed but does not start.
    pub fn shared() -> Option<Arc<Self>> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cluster) = shared.upgrade() {
            return Some(cluster);
        }
        let cluster = Arc::new(Self::start()?);
        *shared = Arc::downgrade(&cluster);
        Some(cluster)
    }

    /// A cluster for a single test. Returns `None` and prints a message if PostgreSQL is not
    /// installed.
    ///
    /// # Panics
    /// When PostgreSQL is installed but does not start.
    pub fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            crate::skip("PostgreSQL is not installed (`apt-get install postgresql`)");
            return None;
        };
        let dir = tempfile::Builder::new().prefix("svc-pg-").tempdir();
        let cluster = Self {
            dir: dir.expect("a temporary folder"),
            programs,
            databases: AtomicU32::new(0),
        };
        if is_root() {
            let dir = cluster.dir.path();
            assert_success(Command::new("chown").arg("postgres").arg(dir).output());
        }
        let data = cluster.data();
        let mut make = cluster.program("initdb");
        make.args([
            "--auth=trust",
            "--username=svc",
            "--encoding=UTF8",
            "--no-sync",
            "-D",
        ]);
        assert_success(make.arg(&data).output());
        cluster.control(&["start"]);
        Some(cluster)
    }

    /// Creates a database and returns its URL.
    ///
    /// # Panics
    /// When the database cannot be created.
    pub fn create_database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        let mut make = self.program("createdb");
        let socket = self.dir.path();
        assert_success(
            make.args(["--username=svc", "--host"])
                .arg(socket)
                .arg(&name)
                .output(),
        );
        format!("postgres://svc@localhost/{name}?host={}", socket.display())
    }

    /// Crashes the cluster and starts it again.
    ///
    /// # Panics
    /// When the cluster does not start.
    pub fn crash(&self) {
        self.control(&["restart", "-m", "immediate"]);
    }

    /// Crashes the cluster; [`resume`](Self::resume) starts it again.
    ///
    /// # Panics
    /// When the cluster does not stop.
    pub fn stop(&self) {
        self.control(&["stop", "-m", "immediate"]);
    }

    /// Starts the cluster after [`stop`](Self::stop).
    ///
    /// # Panics
    /// When the cluster does not start.
    pub fn resume(&self) {
        self.control(&["start"]);
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    fn control(&self, what: &[&str]) {
        let socket = self.dir.path().display();
        let options = format!("-k {socket} -c listen_addresses='' -c max_connections=200");
        let mut control = self.program("pg_ctl");
        control.args(what).arg("-w").arg("-D").arg(self.data());
        control.arg("-l").arg(self.dir.path().join("log"));
        if what.first() != Some(&"stop") {
            control.arg("-o").arg(options);
        }
        // Its output is not captured: the server would keep the pipe open.
        let status = control
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status();
        assert!(status.expect("pg_ctl").success(), "pg_ctl {what:?}");
    }

    /// A program of PostgreSQL. They refuse to run as root.
    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        command.current_dir(self.dir.path());
        command
    }
}

impl Drop for PgCluster {
    fn drop(&mut self) {
        let mut stop = self.program("pg_ctl");
        stop.args(["stop", "-m", "immediate", "-D"])
            .arg(self.data());
        // The cluster may not be running.
        let _ = stop.output();
    }
}

/// Directory of the newest installed version, as packaged by Debian.
fn programs() -> Option<PathBuf> {
    let mut installed: Vec<(u32, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten() {
        let version = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        let programs = entry.path().join("bin");
        if let Some(version) = version
            && Path::is_file(&programs.join("initdb"))
        {
            installed.push((version, programs));
        }
    }
    installed.into_iter().max().map(|(_, programs)| programs)
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

fn assert_success(output: std::io::Result<Output>) {
    let output = output.expect("the program");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}
