//! A machine that fails around a running server: full and read-only disks, no file descriptors, and
//! jumps of the clock. The site stays up, the problem is named where an operator looks, and the
//! server recovers by itself.

use std::fs::{self, File};
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use svc_server::{ControlError, request_server};
use svc_test_support::git::BareRepo;
use svc_test_support::program::{Program, url_in_line};
use svc_test_support::wait::wait_until;

use crate::admin::rig::{Client, TestResponse};
use crate::peer_server::{SITE, config};

const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// A directory with a repository and the settings of a server.
struct Scene {
    dir: tempfile::TempDir,
    origin: BareRepo,
}

/// A running server, and the shell that has started it in a namespace.
struct Running {
    shell: Option<ChildStdin>,
    program: Program,
    /// Data directory as this process sees it.
    data: PathBuf,
    sites: SocketAddr,
    admin: SocketAddr,
    log: PathBuf,
}

impl Scene {
    fn new() -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&dir.path().join("origin.git"))?;
        let store = dir.path().join("store.sqlite");
        fs::write(
            dir.path().join("store"),
            format!("sqlite:{}", store.display()),
        )
        .unwrap();
        let scene = Self { dir, origin };
        scene.commit("Version 0.");
        Some(scene)
    }

    fn commit(&self, text: &str) {
        use svc_test_support::git::File;
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": ["index"]}}"##;
        // Larger than what is free on a full disk.
        let padding = "A sentence of the page. ".repeat(20_000);
        let body = format!("{text}\n\n{padding}");
        let files = [
            File::Text("docs.json", config),
            File::Text("index.mdx", &body),
        ];
        let tree = self.origin.tree(&files);
        let commit = self.origin.git(&["commit-tree", "-m", text, &tree]);
        self.origin.git(&["update-ref", "refs/heads/main", &commit]);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn program(&self) -> String {
        let config = config(self.dir.path(), "one", "");
        format!(
            "{} --config {}",
            env!("CARGO_BIN_EXE_svc-server"),
            config.display()
        )
    }

    /// Starts the server with a command.
    fn start(&self, command: &mut Command) -> Running {
        let log = self.path("log");
        let errors = File::options()
            .create(true)
            .append(true)
            .open(&log)
            .unwrap();
        let mut program = Program::start(command.stderr(errors));
        let lines = [program.next_line(), program.next_line()];
        let text = || fs::read_to_string(&log).unwrap();
        assert!(!lines[1].is_empty(), "{lines:?} {}", text());
        let [sites, admin] = lines.map(|line| url_in_line(&line).parse().unwrap());
        Running {
            shell: None,
            program,
            data: self.path("one"),
            sites,
            admin,
            log,
        }
    }

    /// Starts the server with small file systems of its own at `mounts`, below the data directory.
    /// `None` if the kernel does not allow it.
    fn start_isolated(&self, mounts: &[(&str, &str)]) -> Option<Running> {
        let allowed = Command::new("unshare").args(["-Urmpf", "true"]).status();
        if !allowed.is_ok_and(|status| status.success()) {
            svc_test_support::skip("the kernel does not allow user namespaces here");
            return None;
        }
        let mut script = String::new();
        for (path, size) in mounts {
            let path = self.path("one").join(path);
            fs::create_dir_all(&path).unwrap();
            let path = path.display();
            script.push_str(&format!(
                "mount -t tmpfs -o size={size},mode=700 tmpfs {path}\n"
            ));
        }
        // The shell reads what to do next; it ends with the test.
        script.push_str(&format!(
            "{} <&- &\nwhile read -r line; do eval \"$line\"; done; kill -9 $!\n",
            self.program()
        ));
        let (input, output) = std::io::pipe().unwrap();
        let mut command = Command::new("unshare");
        command.args(["-Urmpf", "--kill-child", "sh", "-ec", &script]);
        command.stdin(input);
        let mut running = self.start(&mut command);
        drop(command);
        let pid = running.program.id();
        running.data = Path::new(&format!("/proc/{pid}/root"))
            .join(self.path("one").strip_prefix("/").unwrap());
        running.shell = Some(std::os::fd::OwnedFd::from(output).into());
        Some(running)
    }
}

impl Running {
    /// Runs a command in the namespace of the server.
    fn run(&mut self, line: &str) {
        let shell = self.shell.as_mut().unwrap();
        writeln!(shell, "{line}").unwrap();
    }

    /// Creates an account in the store of the server. Returns what the command printed.
    fn create_account(&mut self, scene: &Scene, name: &str) -> String {
        let (program, config) = (env!("CARGO_BIN_EXE_svc-server"), scene.path("one.toml"));
        let (output, done) = (scene.path(name), scene.path(&format!("{name}.done")));
        self.run(&format!(
            "echo a very good password | {program} admin create {name} --config {} > {} 2>&1 || true; : > {}",
            config.display(),
            output.display(),
            done.display()
        ));
        wait_until(name, WAIT_TIMEOUT, || done.exists());
        fs::read_to_string(output).unwrap()
    }

    fn request(&self, method: &str, path: &str) -> Result<Value, ControlError> {
        request_server(&self.data, method, path, &json!({}))
    }

    fn get(&self, addr: SocketAddr, path: &str) -> Option<TestResponse> {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {SITE}\r\nconnection: close\r\n\r\n");
        Client::new(addr).try_raw(request.as_bytes(), false).ok()
    }

    fn page(&self) -> String {
        let response = self.get(self.sites, "/").unwrap();
        assert_eq!(response.status, 200);
        response.text()
    }

    fn shows(&self, text: &str) {
        wait_until(text, WAIT_TIMEOUT, || {
            self.get(self.sites, "/")
                .is_some_and(|page| page.text().contains(text))
        });
    }

    /// Requests a deployment; the reason if it is refused or fails.
    fn deploy(&self) -> Result<(), String> {
        let reply = self.request("POST", "/projects/docs/deployments");
        let reply = reply.map_err(|error| error.to_string())?;
        let id = reply["deployments"][0].as_str().unwrap().to_owned();
        let mut last = Value::Null;
        wait_until("the deployment ends", WAIT_TIMEOUT, || {
            last = self.request("GET", &format!("/deployments/{id}")).unwrap();
            let state = last["deployment"]["state"].as_str().unwrap();
            state != "queued" && state != "building"
        });
        match last["deployment"]["state"].as_str() {
            Some("live") => Ok(()),
            _ => Err(last["deployment"]["summary"].as_str().unwrap().to_owned()),
        }
    }

    fn metric(&self, line: &str) -> f64 {
        let text = self.get(self.admin, "/metrics").unwrap().text();
        let value = text.lines().find_map(|found| found.strip_prefix(line));
        value.map_or(0.0, |value| value.trim().parse().unwrap())
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }
}

const DAY_MILLIS: u64 = 86_400_000;
const FAILED: &str = "svc_deployments_total{project=\"docs\",state=\"failed\"}";

#[test]
fn a_full_disk_fails_deployments_and_changes_and_nothing_else() {
    let Some(scene) = Scene::new() else { return };
    let store = format!("sqlite:{}", scene.path("one/admin.sqlite").display());
    fs::write(scene.path("store"), store).unwrap();
    let Some(mut running) = scene.start_isolated(&[("", "12m")]) else {
        return;
    };
    running.shows("Version 0.");
    let full = running.data.join("filler");
    let mut filler = File::create(&full).unwrap();
    while filler.write_all(&[0; 4096]).is_ok() {}
    drop(filler);
    scene.commit("Version 1.");
    let failed = running.metric(FAILED);
    let reason = running.deploy().unwrap_err();
    assert!(reason.contains("No space left on device"), "{reason}");
    assert!(running.page().contains("Version 0."));
    let output = running.create_account(&scene, "anna");
    assert!(output.contains("disk is full"), "{output}");
    wait_until("the log names it", WAIT_TIMEOUT, || {
        running.log().contains("No space left on device")
    });
    // A refused request is no deployment; one that began is counted.
    let counted = running.metric(FAILED) - failed;
    assert!((0.0..=1.0).contains(&counted), "{counted}");
    assert!(
        running
            .get(running.sites, "/_svc/ready")
            .is_some_and(|ready| ready.status == 200)
    );
    fs::remove_file(&full).unwrap();
    let output = running.create_account(&scene, "berta");
    assert!(output.contains("can sign in"), "{output}");
    wait_until("a deployment", WAIT_TIMEOUT, || running.deploy().is_ok());
    running.shows("Version 1.");
}

#[test]
fn a_read_only_disk_fails_deployments_until_it_can_be_written() {
    let Some(scene) = Scene::new() else { return };
    let Some(mut running) = scene.start_isolated(&[("projects", "40m")]) else {
        return;
    };
    running.shows("Version 0.");
    let projects = scene.path("one/projects");
    let probe = running.data.join("projects/probe");
    let mount = format!("mount -o remount,ro {}", projects.display());
    wait_until("read-only", WAIT_TIMEOUT, || {
        running.run(&format!("{mount} || true"));
        std::thread::sleep(Duration::from_millis(100));
        File::create(&probe).is_err()
    });
    scene.commit("Version 1.");
    let failed = running.metric(FAILED);
    let reason = running.deploy().unwrap_err();
    assert!(reason.contains("Read-only file system"), "{reason}");
    assert!((running.metric(FAILED) - failed - 1.0).abs() < f64::EPSILON);
    assert!(running.page().contains("Version 0."));
    assert!(
        running.log().contains("Read-only file system"),
        "{}",
        running.log()
    );
    running.run(&format!("mount -o remount,rw {}", projects.display()));
    wait_until("a deployment", WAIT_TIMEOUT, || running.deploy().is_ok());
    running.shows("Version 1.");
}

#[test]
fn without_file_descriptors_open_connections_are_served() {
    let Some(scene) = Scene::new() else { return };
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec {}", scene.program())]);
    let running = scene.start(command.stdin(Stdio::null()));
    running.shows("Version 0.");
    let id = running.program.id();
    let limit = |soft: &str| {
        let status = Command::new("prlimit")
            .args([&format!("--pid={id}"), &format!("--nofile={soft}:")])
            .status();
        assert!(status.unwrap().success());
    };
    let mut open = connect(running.sites);
    assert!(page_on(&mut open).contains("Version 0."));
    let used = fs::read_dir(format!("/proc/{id}/fd")).unwrap().count();
    limit(&used.to_string());
    scene.commit("Version 1.");
    assert!(page_on(&mut open).contains("Version 0."));
    // New connections wait in the queue of the system; the server does not end.
    let waiting = std::net::TcpStream::connect(running.sites).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(page_on(&mut open).contains("Version 0."));
    limit("4096");
    drop(waiting);
    running.shows("Version 0.");
    wait_until("a deployment", WAIT_TIMEOUT, || running.deploy().is_ok());
    running.shows("Version 1.");
    assert!(
        running.log().contains("Too many open files"),
        "{}",
        running.log()
    );
}

fn connect(addr: SocketAddr) -> std::net::TcpStream {
    let socket = std::net::TcpStream::connect(addr).unwrap();
    socket.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
    socket
}

/// Reads the page on an open connection.
fn page_on(socket: &mut std::net::TcpStream) -> String {
    use std::io::Read as _;
    write!(socket, "GET /index.md HTTP/1.1\r\nhost: {SITE}\r\n\r\n").unwrap();
    let (mut text, mut buffer) = (String::new(), [0; 16_384]);
    loop {
        let count = socket.read(&mut buffer).unwrap();
        assert!(count > 0, "the connection was closed: {text}");
        text.push_str(&String::from_utf8_lossy(&buffer[..count]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.to_ascii_lowercase();
        let length = length.split("content-length: ").nth(1).unwrap();
        let length: usize = length.lines().next().unwrap().parse().unwrap();
        if body.len() >= length {
            return text;
        }
    }
}

/// The library that changes the clock, of a program with threads.
fn faketime() -> Option<PathBuf> {
    let dirs = fs::read_dir("/usr/lib").ok()?.flatten();
    let files = dirs.map(|dir| dir.path().join("faketime/libfaketimeMT.so.1"));
    files.into_iter().find(|file| file.is_file())
}

#[test]
fn jumps_of_the_clock_do_not_stop_pages_or_deployments() {
    let Some(scene) = Scene::new() else { return };
    let Some(library) = faketime() else {
        svc_test_support::skip("faketime is not installed; run `cargo xtask ci install`");
        return;
    };
    let clock = scene.path("clock");
    fs::write(&clock, "+0").unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec {}", scene.program())]);
    command.env("LD_PRELOAD", library);
    command.env("FAKETIME_TIMESTAMP_FILE", &clock);
    command.env("FAKETIME_NO_CACHE", "1");
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    let running = scene.start(command.stdin(Stdio::null()));
    running.shows("Version 0.");
    for (number, jump) in ["+400d", "-400d", "+0", "+20y"].iter().enumerate() {
        fs::write(&clock, jump).unwrap();
        assert!(running.page().contains(&format!("Version {number}.")));
        let next = format!("Version {}.", number + 1);
        scene.commit(&next);
        assert_eq!(running.deploy(), Ok(()), "{jump}");
        running.shows(&next);
        let deployments = running.request("GET", "/deployments").unwrap();
        let ids: Vec<&str> = deployments["deployments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids.len(), number + 2, "{deployments}");
        let times = deployments["deployments"].as_array().unwrap().iter();
        let times = times.map(|item| item["queued"].as_u64().unwrap());
        let (oldest, newest) = (times.clone().min(), times.max());
        // The clock of the server has really jumped.
        assert!(
            newest.unwrap() - oldest.unwrap() > 399 * DAY_MILLIS,
            "{deployments}"
        );
        assert!(ids.is_sorted() || ids.iter().rev().is_sorted(), "{ids:?}");
    }
}
