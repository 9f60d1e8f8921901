//! The Admin API of a complete server over HTTP: a job out of 100,000 compared with a page from
//! memory, requested in turns on the same thread of the server.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use svc_admin_api::RateLimits;
use svc_server::{
    AdminSettings, Host, Limits, OutboundSettings, ProjectSettings, Projects, Settings,
    SourceSettings,
};
use svc_store::Database;
use tokio::sync::oneshot;

use crate::load::{self, LoadReport};
use crate::store_fixture::{JOBS, PROJECT, fill, jumping};
use crate::{BenchRepository, Row, corpus};

/// Connections at a time.
const CONNECTIONS: usize = 64;
/// Counted rounds, each of which has a turn of every workload.
const ROUNDS: usize = 5;
/// Duration of one turn.
const TURN_INTERVAL: Duration = Duration::from_secs(2);
/// Jobs of the small set that is requested repeatedly.
const HOT_JOBS: usize = 1_000;
const HOST: &str = "docs.example.com";
/// Name of the server threads.
const SERVER: &str = "bench-server";

/// A list of requests that is sent in turns.
struct Workload {
    name: &'static str,
    addr: SocketAddr,
    requests: Vec<Vec<u8>>,
    /// Number of requests that were taken from the list.
    sent: usize,
    turns: Vec<Turn>,
}

struct Turn {
    load: LoadReport,
    /// Processor utilization of the server, the database and the client.
    busy: [f64; 3],
}

impl Turn {
    /// Processor time of the server and the database per response: on a busy machine it is more
    /// meaningful than the rate.
    fn each(&self) -> f64 {
        let [server, database, _] = self.busy;
        (server + database) / self.load.rate
    }
}

impl Workload {
    fn new(name: &'static str, addr: SocketAddr, requests: Vec<Vec<u8>>) -> Self {
        Self {
            name,
            addr,
            requests,
            sent: 0,
            turns: Vec::new(),
        }
    }

    /// Continues with the list where the previous turn ended.
    fn turn(&mut self, time: Duration) -> io::Result<Turn> {
        let (list, mut next) = (&self.requests, self.sent);
        let mut requests = std::iter::from_fn(|| {
            let request = list.get(next % list.len())?;
            next += 1;
            Some(request.as_slice())
        });
        let (start, before) = (Instant::now(), processors());
        let load = load::load(self.addr, &mut requests, CONNECTIONS, time)?;
        let (wall, after) = (start.elapsed().as_secs_f64(), processors());
        self.sent = next;
        let mut busy = [0.0; 3];
        for ((part, after), before) in busy.iter_mut().zip(after).zip(before) {
            *part = after.saturating_sub(before).as_secs_f64() / wall;
        }
        Ok(Turn { load, busy })
    }

    /// Returns the turn with the median rate.
    fn median(&self) -> Option<&Turn> {
        let mut turns: Vec<&Turn> = self.turns.iter().collect();
        turns.sort_by(|one, other| one.load.rate.total_cmp(&other.load.rate));
        turns.get(turns.len() / 2).copied()
    }
}

/// Fills a store, starts a server on it and sends requests.
pub(crate) fn admin(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    std::fs::create_dir(&data)?;
    let docs = dir.path().join("docs");
    std::fs::create_dir(&docs)?;
    corpus::write(&docs, 20)?;
    let settings = settings(&docs, &data)?;
    let store = settings.admin.as_ref().map(|admin| admin.store.reveal());
    let key = filled(store.unwrap_or_default())?;
    let server = RunningServer::start(settings)?;

    let get = |path: &str, headers: &[(&str, &str)]| load::request(HOST, path, headers);
    let page = vec![get("/t0/g0/p1", &[("accept-encoding", "gzip")])];
    let bearer = format!("Bearer {key}");
    let jobs = |count, among| -> io::Result<Vec<Vec<u8>>> {
        let headers = [
            ("authorization", bearer.as_str()),
            ("accept-encoding", "gzip"),
        ];
        let ids = jumping(count, among)?.into_iter();
        let path = |id| format!("/v2/agent/{PROJECT}/job/{id}");
        Ok(ids.map(|id| get(&path(id), &headers)).collect())
    };
    let mut kinds = [
        Workload::new("a page from memory", server.sites, page),
        Workload::new("get any job", server.admin, jobs(JOBS, JOBS)?),
        Workload::new(
            "get one of 1,000 jobs",
            server.admin,
            jobs(HOT_JOBS, HOT_JOBS)?,
        ),
    ];
    wait_for(&mut kinds[0])?;
    // Every job once.
    let mut once = kinds[1].requests.iter().map(Vec::as_slice);
    let minute = Duration::from_secs(60);
    let first = load::load(server.admin, &mut once, CONNECTIONS, minute)?;
    for kind in &mut kinds {
        kind.turn(TURN_INTERVAL / 2)?;
    }
    for _ in 0..ROUNDS {
        for kind in &mut kinds {
            let turn = kind.turn(TURN_INTERVAL)?;
            kind.turns.push(turn);
        }
    }
    report(&kinds, &first, rows);
    Ok(())
}

fn report(kinds: &[Workload], first: &LoadReport, rows: &mut Vec<Row>) {
    let memory = crate::status("VmRSS:").unwrap_or(0) / 1024;
    let page = kinds.first();
    for (index, kind) in kinds.iter().enumerate() {
        let Some(Turn { load, busy }) = kind.median() else {
            continue;
        };
        let pages = || page.into_iter().flat_map(|page| &page.turns);
        let both = || kind.turns.iter().zip(pages());
        let rates = middle(both().map(|(own, page)| own.load.rate / page.load.rate));
        let time = middle(both().map(|(own, page)| page.each() / own.each()));
        let ratio = if index == 0 {
            String::new()
        } else {
            format!("{rates:.2} of the page, {time:.2} by processor time; ")
        };
        let each = middle(kind.turns.iter().map(Turn::each)) * 1e6;
        let [server, database, client] = busy.map(|part| part * 100.0);
        rows.push(Row {
            name: format!("admin, {}", kind.name),
            figure: format!("{:.0} /s", load.rate),
            detail: format!(
                "{ratio}{}, {} bytes; {each:.1} µs of server and database each; processors: server {server:.0} %, database {database:.0} %, client {client:.0} %",
                load.latency(),
                load.bytes
            ),
        });
    }
    rows.push(Row {
        name: "admin, get each job for the first time".to_owned(),
        figure: format!("{:.0} /s", first.rate),
        detail: format!(
            "{}, {JOBS} jobs; {memory} MB resident at the end, client and server",
            first.latency()
        ),
    });
    rows.push(Row {
        name: "admin, how".to_owned(),
        figure: String::new(),
        detail: format!(
            "{CONNECTIONS} kept connections, {ROUNDS} rounds of {} s each, medians; one worker thread of the server, one thread of the client, the database has its own, {} processors",
            TURN_INTERVAL.as_secs(),
            std::thread::available_parallelism().map_or(0, usize::from)
        ),
    });
}

fn middle(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

/// Waits until the site is served.
fn wait_for(page: &mut Workload) -> io::Result<()> {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        match page.turn(Duration::ZERO) {
            Ok(_) => return Ok(()),
            Err(error) if Instant::now() > end => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Fills a store and returns the secret of a key.
fn filled(url: &str) -> io::Result<String> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build()?;
    let filled = runtime.block_on(async {
        let store = Database::open(url).await?;
        let filled = fill(&store).await?;
        store.close().await;
        Ok::<String, Box<dyn std::error::Error>>(filled.secret.reveal().to_owned())
    });
    filled.map_err(|error| io::Error::other(error.to_string()))
}

fn settings(docs: &Path, data: &Path) -> io::Result<Settings> {
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let host = Host::parse(HOST).map_err(|_| io::Error::other("not a host"))?;
    Ok(Settings {
        listen: any,
        keep: 1,
        outbound: OutboundSettings {
            relay: None,
            offline: true,
            ..OutboundSettings::default()
        },
        admin: Some(AdminSettings {
            listen: Some(any),
            rates: RateLimits::UNLIMITED,
            ..AdminSettings::with_defaults(data)
        }),
        projects: vec![ProjectSettings {
            site: svc_site::SiteOptions {
                without_web_fonts: true,
                ..svc_site::SiteOptions::default()
            },
            keep: 1,
            ..ProjectSettings::with_defaults(
                PROJECT,
                host,
                SourceSettings::Dir {
                    path: docs.to_path_buf(),
                    watch: false,
                },
            )
        }],
        ..Settings::with_defaults(data)
    })
}

/// A running server; it stops when this is dropped.
struct RunningServer {
    sites: SocketAddr,
    admin: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl RunningServer {
    fn start(settings: Settings) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name(SERVER)
            .thread_stack_size(8 << 20)
            .enable_all()
            .build()?;
        let (stop, shutdown) = oneshot::channel::<()>();
        let (send, receive) = channel();
        let run = async move {
            let limits = Limits {
                drain: Duration::from_secs(1),
                ..Limits::default()
            };
            let started = Projects::start(settings, limits).await;
            let projects = match started {
                Ok(projects) => projects,
                Err(error) => {
                    // The receiver waits for the addresses and gets the error instead.
                    let _ = send.send(Err(error));
                    return;
                }
            };
            let (admin, _) = projects.admin_addr();
            let none = || io::Error::other("no administration");
            let sites = projects.local_addr();
            let addrs = sites.and_then(|sites| Ok((sites, admin.ok_or_else(none)?)));
            let _ = send.send(addrs);
            let stop = async {
                // A dropped sender also stops the server.
                let _ = shutdown.await;
            };
            projects.run(|| None, stop).await;
        };
        let thread = std::thread::Builder::new()
            .name(SERVER.to_owned())
            .spawn(move || runtime.block_on(run))?;
        let addrs = receive.recv().map_err(io::Error::other)?;
        let (sites, admin) = addrs?;
        Ok(Self {
            sites,
            admin,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread has printed a panic of the server already.
            let _ = thread.join();
        }
    }
}

/// Returns the processor time of the threads of the server, of the database and of the client, if
/// the system reports it.
fn processors() -> [Duration; 3] {
    let mut all = [Duration::ZERO; 3];
    let client = std::process::id().to_string();
    for task in std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten()
    {
        let Ok(text) = std::fs::read_to_string(task.path().join("schedstat")) else {
            continue;
        };
        let nanos = text.split(' ').next().and_then(|text| text.parse().ok());
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        let [server, database, own] = &mut all;
        let whose = match name.trim() {
            SERVER => server,
            name if name.starts_with("sqlx-") => database,
            _ if *task.file_name() == *client => own,
            _ => continue,
        };
        *whose += Duration::from_nanos(nanos.unwrap_or(0));
    }
    all
}
