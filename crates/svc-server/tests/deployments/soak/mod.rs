//! A server that is read, deployed, previewed, rolled back and reloaded for a long time does not
//! grow.

mod usage;

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_server::request_server;
use svc_test_support::git::{BareRepo, File};
use svc_test_support::wait::wait_until;

use self::usage::{Usage, assert_flat};
use crate::deployments::rig::{HOST, Program, Reader, number};

const READERS: usize = 16;
/// Pages of the site.
const PAGES: usize = 30;
/// Branches with previews; the settings allow fewer, so that the oldest preview is removed.
const BRANCHES: usize = 5;
/// Pause of a reader between two requests.
const PAUSE: Duration = Duration::from_millis(10);
/// Requests of a reader on one connection.
const REQUESTS: usize = 500;
const TIMEOUT: Duration = Duration::from_secs(180);

/// How long the soak takes, and the time from one deployment to the next.
fn plan() -> (Duration, Duration) {
    match std::env::var_os("SVC_THOROUGH") {
        Some(_) => (Duration::from_secs(30 * 60), Duration::from_secs(3)),
        None => (Duration::from_secs(12), Duration::from_millis(500)),
    }
}

/// Directories of the server, its repository, and what has happened.
struct Soak {
    base: tempfile::TempDir,
    origin: BareRepo,
    requests: AtomicU64,
    failures: Mutex<Vec<String>>,
    stop: AtomicBool,
}

impl Soak {
    /// `None` without Git.
    fn new() -> Option<Self> {
        let base = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&base.path().join("origin.git"))?;
        let soak = Self {
            base,
            origin,
            requests: AtomicU64::new(0),
            failures: Mutex::default(),
            stop: AtomicBool::new(false),
        };
        soak.push("main", 0);
        let second = soak.path("second");
        fs::create_dir(&second).unwrap();
        for (name, text) in files(0, 1) {
            fs::write(second.join(name), text).unwrap();
        }
        soak.settings(false);
        Some(soak)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base.path().join(name)
    }

    /// Writes the settings, with a second project or without it.
    fn settings(&self, second: bool) {
        let mut text = format!(
            "listen = \"127.0.0.1:0\"\ndata = \"data\"\n[outbound]\noffline = true\n[[projects]]\nid = \"docs\"\nhosts = [\"{HOST}\"]\nkeep = 3\n[projects.source]\ngit = \"file://{}\"\n[projects.previews]\nhost = \"{{preview}}.preview.example\"\nbranches = [\"*\"]\nmax = 2\nexpire = \"1h\"\nguessable = true\n",
            self.origin.path().display()
        );
        if second {
            text.push_str("[[projects]]\nid = \"second\"\nhosts = [\"second.example\"]\nsource.folder = \"second\"\n");
        }
        fs::write(self.path("server.toml"), text).unwrap();
    }

    fn push(&self, branch: &str, number: usize) {
        let files = files(number, PAGES);
        let files: Vec<File<'_>> = files
            .iter()
            .map(|(path, text)| File::Text(path, text))
            .collect();
        self.origin.commit_on(branch, &files);
    }

    fn failed(&self, reason: String) {
        self.failures.lock().unwrap().push(reason);
    }

    /// Reads until the soak ends, with a new connection from time to time.
    fn read(&self, addr: std::net::SocketAddr, own: usize) {
        let mut turn = own;
        while !self.stop.load(Ordering::Relaxed) {
            let mut reader = Reader::new(addr).unwrap();
            for _ in 0..REQUESTS {
                turn += 1;
                let page = turn % PAGES;
                let path = match turn % 8 {
                    0 => format!("/p{page}.md"),
                    1 => format!("/none-{turn}"),
                    2 => "/llms.txt".to_owned(),
                    3 => format!("/_svc/search?q=sentence+{page}"),
                    _ => format!("/p{page}"),
                };
                match reader.get(&path) {
                    Ok(response) if response.status < 500 => {
                        let is_page = turn % 8 > 3;
                        if is_page && number(&response.text()).is_none() {
                            self.failed(format!("{path}: status {}", response.status));
                        }
                    }
                    Ok(response) => self.failed(format!("{path}: status {}", response.status)),
                    Err(error) => {
                        self.failed(format!("{path}: {error}"));
                        break;
                    }
                }
                self.requests.fetch_add(1, Ordering::Relaxed);
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                thread::sleep(PAUSE);
            }
        }
    }

    fn request(&self, path: &str, body: &Value) -> Value {
        request_server(&self.path("data"), "POST", path, body).unwrap()
    }

    /// One round: a deployment, and every few rounds a preview, a rollback and a reload.
    fn round(&self, program: &Program, turn: usize) {
        // A new connection each time: the server closes one without a request after a few seconds,
        // and a deployment takes longer than that on a busy machine.
        let get = |host: &str, path: &str| {
            let mut reader = Reader::new(program.addr).unwrap();
            reader.get_at(host, path).unwrap()
        };
        let shows = |host: &str, path: &str, wanted: usize| {
            let response = get(host, path);
            if response.status != 200 || number(&response.text()) != Some(wanted) {
                self.failed(format!(
                    "{host} does not show {wanted}: {}",
                    response.status
                ));
            }
        };
        let live = |reply: Value| {
            if reply["deployment"]["state"] != "live" {
                self.failed(reply.to_string());
            }
        };
        self.push("main", turn);
        live(program.deploy());
        shows(HOST, "/p1", turn);
        if turn.is_multiple_of(3) {
            let branch = format!("branch-{}", turn / 3 % BRANCHES);
            self.push(&branch, turn);
            let reply = self.request("/projects/docs/previews", &json!({ "branch": branch }));
            live(program.wait(reply["deployments"][0].as_str().unwrap()));
            shows(&format!("{branch}.preview.example"), "/p2", turn);
        }
        if turn.is_multiple_of(4) {
            self.request("/projects/docs/rollback", &json!({}));
            shows(HOST, "/p1", turn - 1);
        }
        if turn.is_multiple_of(5) {
            let second = turn.is_multiple_of(2);
            self.settings(second);
            program.running.signal("-HUP");
            let status = if second { 200 } else { 421 };
            wait_until("the reload applies", TIMEOUT, || {
                get("second.example", "/p0").status == status
            });
        }
    }
}

/// Files of a site with the number in each page.
fn files(number: usize, pages: usize) -> Vec<(String, String)> {
    let names: Vec<String> = (0..pages).map(|page| format!("\"p{page}\"")).collect();
    let config = format!(
        r##"{{"theme": "svc", "name": "Docs", "colors": {{"primary": "#123456"}}, "navigation": {{"pages": [{}]}}}}"##,
        names.join(", ")
    );
    let mut files = vec![("docs.json".to_owned(), config)];
    files.extend((0..pages).map(|page| {
        let text = format!(
            "---\ntitle: Page {page}\n---\n\n# NUMBER-{number}-\n\n{}\n\n```js\nconst page = {page};\n```\n",
            "A sentence of some words that has to be drawn. ".repeat(40)
        );
        (format!("p{page}.mdx"), text)
    }));
    files
}

#[test]
fn a_busy_server_does_not_grow() {
    let Some(soak) = Soak::new() else { return };
    let program = Program::start(&soak.path("server.toml"), soak.path("data"));
    let mut reader = Reader::new(program.addr).unwrap();
    wait_until("the site is live", TIMEOUT, || {
        reader.get("/p0").unwrap().status == 200
    });
    drop(reader);
    let (duration, interval) = plan();
    let begin = Instant::now();
    let sample_interval = duration / 90;
    let mut samples: Vec<Usage> = Vec::new();
    let rounds = thread::scope(|scope| {
        for own in 0..READERS {
            let (soak, addr) = (&soak, program.addr);
            scope.spawn(move || soak.read(addr, own));
        }
        let rounds = scope.spawn(|| {
            let mut turn = 0;
            while begin.elapsed() < duration {
                turn += 1;
                soak.round(&program, turn);
                let next = begin + interval * u32::try_from(turn).unwrap();
                thread::sleep(next.saturating_duration_since(Instant::now()));
            }
            turn
        });
        let mut minutes = 0;
        while begin.elapsed() < duration && !rounds.is_finished() {
            thread::sleep(sample_interval);
            let usage = Usage::read(program.running.id(), &soak.path("data"));
            if begin.elapsed().as_secs() / 60 > minutes || samples.is_empty() {
                minutes = begin.elapsed().as_secs() / 60;
                println!("{minutes} min: {usage}");
            }
            samples.push(usage);
        }
        let result = rounds.join();
        soak.stop.store(true, Ordering::Relaxed);
        result.unwrap()
    });
    let failures = soak.failures.lock().unwrap();
    println!(
        "{rounds} rounds, {} requests, {} failed",
        soak.requests.load(Ordering::Relaxed),
        failures.len()
    );
    assert!(failures.is_empty(), "{:?}", failures.first());
    assert!(rounds >= 5, "each action has happened: {rounds}");
    let is_long = duration > Duration::from_secs(60);
    assert_flat(&samples, is_long);
}
