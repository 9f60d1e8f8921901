//! A full disk, a read-only disk, no descriptors and a clock that jumps: sites stay up, the problem
//! is visible, and the server recovers without a restart.
//!
//! The data directory is a small disk in memory in a namespace of its own, so the tests need no
//! privileges. They are skipped where the kernel does not allow such namespaces.

use std::fs;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use svc_server::request_server;
use svc_test_support::program;
use svc_test_support::skip;
use svc_test_support::wait::wait_until;

use crate::deployments::rig::{Harness, Program, Reader, read_whole};
use crate::monitoring::exposition::{self, SeriesValues};

const TIMEOUT: Duration = Duration::from_secs(60);
/// Size of the disk in megabytes.
const DISK_MB: usize = 8;

/// A server in a namespace with a disk of its own.
struct Scene {
    rig: Harness,
    program: Program,
    metrics: SocketAddr,
    log: PathBuf,
}

impl Scene {
    /// `None` with a message if the kernel allows no namespaces. `prefix` are words before the
    /// command of the server.
    fn new(prefix: &str) -> Option<Self> {
        let rig = Harness::new(3);
        rig.settings_with_metrics();
        fs::create_dir(rig.data()).unwrap();
        let mount = format!("mount -t tmpfs -o size={DISK_MB}m tmpfs \"$0\"");
        let probe = Command::new("unshare")
            .args(["-Urm", "sh", "-c", &mount])
            .arg(rig.data())
            .output();
        if !probe.is_ok_and(|output| output.status.success()) {
            skip("the kernel allows no user namespaces with a disk in memory");
            return None;
        }
        let log = rig.data().with_extension("log");
        let mut command = Command::new("unshare");
        command
            .args(["-Urm", "sh", "-c"])
            .arg(format!("{mount} && exec {prefix} \"$1\" --config \"$2\""))
            .arg(rig.data())
            .arg(env!("CARGO_BIN_EXE_svc-server"))
            .arg(rig.config())
            .stderr(fs::File::create(&log).unwrap());
        let mut running = program::Program::start(&mut command);
        let addr = running.url().parse().unwrap();
        let metrics = running.url();
        let metrics = metrics.trim_end_matches("/metrics").parse().unwrap();
        // The disk as its process sees it.
        let root = format!("/proc/{}/root", running.id());
        let data = PathBuf::from(format!("{root}{}", rig.data().display()));
        Some(Self {
            rig,
            program: Program {
                addr,
                data,
                running,
            },
            metrics,
            log,
        })
    }

    fn data(&self) -> &PathBuf {
        &self.program.data
    }

    /// Runs a command of `mount` in the namespace of the server.
    fn mount(&self, arguments: &str) {
        let status = Command::new("nsenter")
            .args(["-t", &self.program.running.id().to_string(), "-U", "-m"])
            .args(["--preserve-credentials", "sh", "-c", arguments])
            .arg(self.rig.data())
            .stderr(Stdio::null())
            .status();
        assert!(status.unwrap().success(), "{arguments}");
    }

    /// Sets the limit of open files of the server.
    fn limit_descriptors(&self, limit: usize) {
        let status = Command::new("prlimit")
            .arg(format!("--nofile={limit}:"))
            .args(["--pid", &self.program.running.id().to_string()])
            .status();
        assert!(status.unwrap().success(), "{limit}");
    }

    fn descriptors(&self) -> usize {
        let dir = format!("/proc/{}/fd", self.program.running.id());
        fs::read_dir(dir).unwrap().count()
    }

    fn metrics(&self) -> SeriesValues {
        let text = svc_test_support::client::get(self.metrics, "metrics.internal", "/metrics");
        exposition::read(text.split_once("\r\n\r\n").unwrap().1)
    }

    fn metric(&self, name: &str) -> f64 {
        self.metrics().get(name).copied().unwrap_or_default()
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Number in the pages that are served, each with its files.
    fn shown(&self) -> Result<usize, String> {
        let mut reader = Reader::new(self.program.addr).unwrap();
        read_whole(&mut reader, "/p1")
    }

    /// Deploys a number; it becomes live.
    fn deploys(&self, number: usize) {
        self.rig.write(number);
        let reply = self.program.deploy();
        assert_eq!(reply["deployment"]["state"], "live", "{reply}");
        assert_eq!(self.shown(), Ok(number));
    }

    /// Deploys a number that fails for a reason, which is visible everywhere.
    fn fails(&self, number: usize, reason: &str, hint: &str) {
        let failed = r#"svc_deployments_total{project="docs",state="failed"}"#;
        let before = (self.shown(), self.metric(failed));
        self.rig.write(number);
        let reply = self.program.deploy();
        let deployment: &Value = &reply["deployment"];
        assert_eq!(deployment["state"], "failed", "{reply}");
        let summary = deployment["summary"].as_str().unwrap();
        assert!(
            summary.contains(reason) && summary.contains(hint),
            "{summary}"
        );
        assert!(self.log().contains(summary), "{}", self.log());
        assert_eq!(self.metric(failed), before.1 + 1.0);
        assert_eq!(self.shown(), before.0, "the previous deployment stays");
    }
}

const FAILED_JOURNAL: &str = "svc_deployment_journal_errors_total";

#[test]
fn a_full_disk_fails_deployments_until_it_has_space() {
    let Some(scene) = Scene::new("") else { return };
    scene.deploys(1);
    assert!(scene.metric("svc_data_free_bytes") > 1e6);
    let filler = scene.data().join("filler");
    let mut file = fs::File::create(&filler).unwrap();
    while file.write_all(&[1; 4096]).is_ok() {}
    assert_eq!(scene.metric("svc_data_free_bytes"), 0.0);
    scene.fails(2, "No space left", "free space on the disk");
    // At some point there is no space for the record of a deployment either.
    let refused = (0..200).find_map(|_| {
        request_server(
            scene.data(),
            "POST",
            "/projects/docs/deployments",
            &serde_json::json!({}),
        )
        .err()
    });
    let refused = refused.expect("the journal is full").to_string();
    assert!(
        refused.contains("cannot record the deployment") && refused.contains("free space"),
        "{refused}"
    );
    assert!(scene.log().contains(&refused), "{}", scene.log());
    assert!(scene.metric(FAILED_JOURNAL) >= 1.0);
    assert_eq!(scene.shown(), Ok(1));
    drop(file);
    fs::remove_file(filler).unwrap();
    scene.deploys(3);
}

#[test]
fn a_read_only_disk_fails_deployments_until_it_is_writable() {
    let Some(scene) = Scene::new("") else { return };
    scene.deploys(1);
    scene.mount("mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\"");
    scene.fails(2, "Read-only file system", "mount the data folder writable");
    scene.mount("umount \"$0\"");
    scene.deploys(3);
}

#[test]
fn without_descriptors_connections_wait_and_are_accepted_later() {
    let Some(scene) = Scene::new("") else { return };
    scene.deploys(1);
    let refused = r#"svc_http_connections_refused_total{listener="sites",reason="error"}"#;
    let mut open = Reader::new(scene.program.addr).unwrap();
    assert_eq!(read_whole(&mut open, "/p1"), Ok(1));
    scene.limit_descriptors(scene.descriptors());
    let waiting = Reader::new(scene.program.addr).unwrap();
    wait_until("the log names the reason", TIMEOUT, || {
        scene.log().contains("Too many open files")
    });
    // Pages of open connections are served from memory.
    assert_eq!(open.get("/p1").unwrap().status, 200);
    scene.limit_descriptors(1024);
    let mut waiting = waiting;
    assert_eq!(read_whole(&mut waiting, "/p1"), Ok(1));
    assert!(scene.metric(refused) >= 1.0);
    scene.deploys(2);
}

#[test]
fn a_clock_that_is_wrong_or_jumps_stops_nothing() {
    let faketime = Command::new("faketime").args(["now", "true"]).status();
    if !faketime.is_ok_and(|status| status.success()) {
        return skip("there is no faketime");
    }
    let time = tempfile::NamedTempFile::new().unwrap();
    fs::write(time.path(), "+0").unwrap();
    // The file is read for each call, so the clock jumps while the server runs.
    let prefix = format!(
        "faketime -f +0 env -u FAKETIME FAKETIME_TIMESTAMP_FILE={} FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1",
        time.path().display()
    );
    let Some(scene) = Scene::new(&prefix) else {
        return;
    };
    let live_since = || scene.metric(r#"svc_deployment_live_timestamp_seconds{project="docs"}"#);
    scene.deploys(1);
    let begin = live_since();
    let mut number = 1;
    for (jump, seconds) in [
        ("-3650d", -315_360_000.0),
        ("+3650d", 315_360_000.0),
        ("+0", 0.0),
    ] {
        fs::write(time.path(), jump).unwrap();
        for _ in 0..2 {
            number += 1;
            scene.deploys(number);
        }
        let shift: f64 = live_since() - begin - seconds;
        assert!(
            shift.abs() < 600.0,
            "the clock of the server has jumped: {shift}"
        );
    }
}
