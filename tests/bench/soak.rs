//! A server over half an hour: sixteen connections read pages while a repository is deployed, previews
//! come and go, deployments are rolled back, the settings are reloaded and backups are written.
//! `SVC_SOAK_MINUTES` changes the time. Fails if memory, open files or threads grow.

use std::fs;
use std::io::{self, Error};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use svc_server::request_server;
use svc_test_support::git::{BareRepo, File};
use svc_test_support::program::Program;
use svc_tests::http::Client;

use crate::peers::own_program;

use crate::{BenchRepository, Row};

const HOST: &str = "docs.example.com";
const MINUTES: u64 = 30;
const PAGES: usize = 100;
const CONNECTIONS: usize = 16;
/// Pause between two requests of a connection: about 1,000 requests per second in all.
const READ_PAUSE: Duration = Duration::from_millis(15);
const DEPLOY_PAUSE: Duration = Duration::from_secs(3);
const SAMPLE_INTERVAL: Duration = Duration::from_secs(10);
/// By how much the memory of the last third may exceed that of the second third.
const MAX_GROWTH: f64 = 1.1;
/// By how much open files and threads may differ.
const MAX_DIFFERENCE: u64 = 8;

/// What the server needs at one moment, in the order of [`FIGURES`].
type Sample = [u64; 3];

const FIGURES: [&str; 3] = ["memory in MB", "open files", "threads"];

fn measure(process: u32) -> io::Result<Sample> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let missing = || Error::other("the status of the process has another format");
    Ok([
        number("VmRSS:").ok_or_else(missing)? / 1_000,
        fs::read_dir(format!("/proc/{process}/fd"))?.count() as u64,
        number("Threads:").ok_or_else(missing)?,
    ])
}

/// The median of each figure.
fn medians(samples: &[Sample]) -> Sample {
    [0, 1, 2].map(|figure: usize| {
        let mut all: Vec<u64> = samples
            .iter()
            .filter_map(|sample| sample.get(figure).copied())
            .collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or_default()
    })
}

/// Numbers of what happened.
#[derive(Default)]
struct Counters {
    is_over: AtomicBool,
    requests: AtomicUsize,
    failures: AtomicUsize,
    deployments: AtomicUsize,
}

/// The server and its repository.
struct Scene {
    dir: PathBuf,
    origin: BareRepo,
    server: Program,
    addr: SocketAddr,
}

impl Scene {
    fn start(dir: &Path) -> io::Result<Self> {
        let origin = BareRepo::new(&dir.join("origin.git"));
        let origin = origin.ok_or_else(|| Error::other("git is not installed"))?;
        commit(&origin, "main", 0);
        let text = format!(
            "listen = \"127.0.0.1:0\"\ndata = \"data\"\nkeep = 5\n[outbound]\noffline = true\n[admin]\nlisten = \"127.0.0.1:0\"\n[[projects]]\nid = \"docs\"\nhosts = [\"{HOST}\"]\n[projects.source]\ngit = \"{}\"\n[projects.previews]\nhost = \"{{preview}}.preview.example.com\"\nguessable = true\nbranches = [\"*\"]\n",
            dir.join("origin.git").display()
        );
        fs::write(dir.join("server.toml"), text)?;
        let program = own_program("svc-server");
        let program = program.ok_or_else(|| Error::other("`svc-server` was not built"))?;
        let mut command = Command::new(program);
        command.arg("--config").arg(dir.join("server.toml"));
        let mut server = Program::start(command.stderr(Stdio::null()));
        let addr = server.url().parse().map_err(Error::other)?;
        Ok(Self {
            dir: dir.to_owned(),
            origin,
            server,
            addr,
        })
    }

    fn request(&self, path: &str, body: &serde_json::Value) -> io::Result<serde_json::Value> {
        request_server(&self.dir.join("data"), "POST", path, body).map_err(Error::other)
    }

    /// One change after another, as a team makes them, and waits until it is done.
    fn change(&self, number: usize) -> io::Result<()> {
        let branch = format!("branch-{}", number % 3);
        match number % 10 {
            3 => {
                commit(&self.origin, &branch, number);
                let body = json!({ "branch": branch });
                self.request("/projects/docs/previews", &body).map(drop)
            }
            5 => self
                .request("/projects/docs/rollback", &json!({}))
                .map(drop),
            7 => {
                self.server.signal("-HUP");
                Ok(())
            }
            9 => {
                let mut command = Command::new(own_program("svc-server").unwrap_or_default());
                let file = self.dir.join("backup.tar.gz");
                command
                    .arg("backup")
                    .arg(file)
                    .args(["--replace", "--config"]);
                let status = command
                    .arg(self.dir.join("server.toml"))
                    .stdout(Stdio::null());
                match status.status()?.success() {
                    true => Ok(()),
                    false => Err(Error::other("the backup failed")),
                }
            }
            _ => {
                commit(&self.origin, "main", number);
                let body = json!({});
                self.request("/projects/docs/deployments", &body).map(drop)
            }
        }
    }
}

fn commit(origin: &BareRepo, branch: &str, number: usize) {
    let pages: Vec<String> = (0..PAGES).map(|page| format!("\"p{page}\"")).collect();
    let config = format!(
        r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#070"}}, "navigation": {{"pages": [{}]}}}}"##,
        pages.join(", ")
    );
    let texts: Vec<(String, String)> = (0..PAGES)
        .map(|page| {
            // Some pages change, and others stay.
            let version = if page % 5 == 0 { number } else { 0 };
            let body = "A paragraph with some words and `code`.\n\n".repeat(40);
            let text = format!("---\ntitle: Page {page}\n---\n\nVersion {version}.\n\n## One\n\n{body}```rust\nfn main() {{ let x = {page}; }}\n```\n");
            (format!("p{page}.mdx"), text)
        })
        .collect();
    let files = texts.iter().map(|(path, text)| File::Text(path, text));
    let files: Vec<File<'_>> = files.chain([File::Text("docs.json", &config)]).collect();
    let tree = origin.tree(&files);
    let message = format!("Version {number}");
    let commit = origin.git(&["commit-tree", "-m", &message, &tree]);
    origin.git(&["update-ref", &format!("refs/heads/{branch}"), &commit]);
}

/// Reads one page after another on a connection.
fn read_pages(addr: SocketAddr, seed: usize, counters: &Counters) {
    let mut client = None;
    let mut number = seed;
    while !counters.is_over.load(Ordering::Relaxed) {
        number += 7;
        let path = match number % 9 {
            0 => format!("/p{}.md", number % PAGES),
            1 => "/search.json".to_owned(),
            2 => "/llms.txt".to_owned(),
            _ => format!("/p{}", number % PAGES),
        };
        let response = match client.take() {
            Some(open) => Ok(open),
            None => Client::connect(addr).map(|open| open.with_host(HOST)),
        }
        .and_then(|mut open: Client| {
            let response = open.get(&path, &[("accept-encoding", "gzip")])?;
            client = Some(open);
            Ok(response.status)
        });
        counters.requests.fetch_add(1, Ordering::Relaxed);
        if !matches!(response, Ok(200 | 404)) {
            counters.failures.fetch_add(1, Ordering::Relaxed);
        }
        // Some connections are new.
        if number.is_multiple_of(50) {
            client = None;
        }
        thread::sleep(READ_PAUSE);
    }
}

pub(crate) fn soak(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let minutes = std::env::var("SVC_SOAK_MINUTES").ok();
    let minutes = minutes
        .and_then(|text| text.parse().ok())
        .unwrap_or(MINUTES);
    let dir = tempfile::tempdir()?;
    let scene = Scene::start(dir.path())?;
    let counters = Counters::default();
    let samples = thread::scope(|scope| {
        for seed in 0..CONNECTIONS {
            let (addr, counters) = (scene.addr, &counters);
            scope.spawn(move || read_pages(addr, seed * 13, counters));
        }
        scope.spawn(|| {
            for number in 1.. {
                if counters.is_over.load(Ordering::Relaxed) {
                    return;
                }
                match scene.change(number) {
                    Ok(()) => counters.deployments.fetch_add(1, Ordering::Relaxed),
                    Err(error) => {
                        eprintln!("change {number}: {error}");
                        counters.failures.fetch_add(1, Ordering::Relaxed)
                    }
                };
                thread::sleep(DEPLOY_PAUSE);
            }
        });
        let samples = sample(&scene, &counters, Duration::from_secs(60 * minutes));
        counters.is_over.store(true, Ordering::Relaxed);
        samples
    })?;
    report(&samples, &counters, minutes, rows)
}

fn sample(scene: &Scene, counters: &Counters, time: Duration) -> io::Result<Vec<Sample>> {
    let (begin, mut samples) = (Instant::now(), Vec::new());
    while begin.elapsed() < time {
        thread::sleep(SAMPLE_INTERVAL);
        let now = measure(scene.server.id())?;
        samples.push(now);
        if samples.len() % 6 == 0 {
            eprintln!(
                "{:>3} min: {now:?} ({}); {} requests, {} changes, {} failures",
                begin.elapsed().as_secs() / 60,
                FIGURES.join(", "),
                counters.requests.load(Ordering::Relaxed),
                counters.deployments.load(Ordering::Relaxed),
                counters.failures.load(Ordering::Relaxed)
            );
        }
    }
    Ok(samples)
}

fn report(
    samples: &[Sample],
    counters: &Counters,
    minutes: u64,
    rows: &mut Vec<Row>,
) -> io::Result<()> {
    let third = samples.len() / 3;
    let thirds = samples.chunks(third.max(1)).take(3).map(medians);
    let [first, second, last] = thirds.collect::<Vec<_>>()[..] else {
        return Err(Error::other("the time is too short for three samples"));
    };
    let failures = counters.failures.load(Ordering::Relaxed);
    let (requests, changes) = (
        counters.requests.load(Ordering::Relaxed),
        counters.deployments.load(Ordering::Relaxed),
    );
    for (name, ((first, second), last)) in FIGURES.iter().zip(first.iter().zip(second).zip(last)) {
        rows.push(Row {
            name: format!("soak: {name}"),
            figure: format!("{first} → {second} → {last}"),
            detail: format!(
                "medians of the thirds of {minutes} minutes: {requests} requests on {CONNECTIONS} connections, {changes} deployments, previews, rollbacks, reloads and backups, {failures} failures"
            ),
        });
    }
    let [memory, files, threads] = second;
    let [last_memory, last_files, last_threads] = last;
    let grows = last_memory as f64 > MAX_GROWTH * memory as f64
        || last_files.abs_diff(files) > MAX_DIFFERENCE
        || last_threads.abs_diff(threads) > MAX_DIFFERENCE;
    match grows || failures > 0 {
        true => Err(Error::other(format!(
            "{second:?} became {last:?}, {failures} failures"
        ))),
        false => Ok(()),
    }
}
