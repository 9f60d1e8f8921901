//! Many sites on many servers: the costs of one site, one page and one deployment measured here, and
//! a simulation with these costs that says which limit is reached first.
//!
//! Every server serves all sites, and one server builds each deployment. The simulation has a day
//! of random deployments, failures of servers and outages of the database. It does not model the
//! network between machines.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use svc_admin_api::{Clock as _, Timestamp};
use svc_objects::archive;
use svc_server::SystemClock;
use svc_store::{Database, SnapshotRecord, TargetClaim, TargetResult};
use svc_test_support::postgres::PgCluster;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::random::Random;
use svc_tests::server;

use crate::{BenchRepository, Row, corpus, load, median, status};

const SITES: f64 = 10_000.0;
const PAGES_PER_SITE: usize = 100;
const SERVERS: usize = 50;
/// Deployments of a site per day.
const DEPLOYMENTS_PER_DAY: f64 = 5.0;
/// Page views of all sites per second.
const VIEWS_PER_SECOND: f64 = 20_000.0;
/// Processors and memory of a server.
const CORES: usize = 8;
const MEMORY_BYTES: f64 = 64e9;
/// Threads that load sites when a server starts.
const LOAD_THREADS: f64 = 4.0;
/// Time between failures of a server, and until it is started again.
const FAILURE_INTERVAL: f64 = 86_400.0;
const REPAIR_TIME: f64 = 60.0;
/// Interval and duration of outages of the database, in seconds.
const OUTAGE_INTERVAL: f64 = 1_800.0;
const OUTAGE_TIME: f64 = 30.0;
/// Simulated time in seconds.
const SIMULATED: f64 = 86_400.0;
/// Time that a Git host takes to send new commits, which cannot be measured here.
const FETCH_TIME: f64 = 1.0;
/// Bytes per second between a server and the object store: a tenth of 10 Gbit/s.
const OBJECT_BYTES_PER_SECOND: f64 = 125e6;

/// Costs of one site, page and deployment.
#[derive(Debug, Clone, Copy)]
struct UnitCosts {
    /// Seconds to load a site.
    load: f64,
    /// Resident bytes of a loaded site, and after all its pages were rendered.
    site_bytes: f64,
    rendered_bytes: f64,
    /// Pages per second of one core.
    pages: f64,
    /// Seconds to pack and to unpack a snapshot, and its bytes.
    pack: f64,
    unpack: f64,
    archive_bytes: f64,
    /// Deployments per second that the database can record, with 16 servers writing.
    recorded: f64,
    /// Seconds of the check that each server makes once per second.
    round: f64,
}

pub(crate) fn scale(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let costs = measure(rows)?;
    let day = simulate(&costs);
    rows.push(Row {
        name: format!("simulation, {SITES:.0} sites on {SERVERS} servers"),
        figure: format!("p50 {:.1} s", day.quantile(0.5)),
        detail: format!(
            "until a deployment is live on all servers that are up; p99 {:.1} s, longest {:.1} s; {} deployments, {} failures of servers, outages of the database of {OUTAGE_TIME} s",
            day.quantile(0.99),
            day.quantile(1.0),
            day.delays.len(),
            day.failures
        ),
    });
    let mut limits = limits(&costs);
    limits.sort_by(|one, other| other.1.total_cmp(&one.1));
    for (name, share, detail) in limits {
        rows.push(Row {
            name: format!("limit: {name}"),
            figure: format!("{:.1} %", share * 100.0),
            detail: format!("{detail}; reached at {:.0} sites", SITES / share),
        });
    }
    Ok(())
}

/// Shares of what a server or the database can do, at [`SITES`] sites.
fn limits(costs: &UnitCosts) -> Vec<(&'static str, f64, String)> {
    let deployments = SITES * DEPLOYMENTS_PER_DAY / 86_400.0;
    let restart = SITES * costs.load / LOAD_THREADS;
    vec![
        (
            "memory of a server",
            SITES * costs.rendered_bytes / MEMORY_BYTES,
            format!(
                "all pages rendered, {:.0} GB of {:.0} GB",
                SITES * costs.rendered_bytes / 1e9,
                MEMORY_BYTES / 1e9
            ),
        ),
        (
            "memory of a server, no page rendered",
            SITES * costs.site_bytes / MEMORY_BYTES,
            format!("{:.0} GB", SITES * costs.site_bytes / 1e9),
        ),
        (
            "start of a server",
            restart / 600.0,
            format!("{restart:.0} s until all sites are loaded, of ten minutes"),
        ),
        (
            "processors for deployments",
            deployments * (costs.unpack + costs.load) / CORES as f64,
            format!("{deployments:.2} deployments/s, each loaded by every server"),
        ),
        (
            "processors for pages",
            VIEWS_PER_SECOND / SERVERS as f64 / (costs.pages * CORES as f64),
            format!("{VIEWS_PER_SECOND:.0} page views/s on {SERVERS} servers, without a CDN"),
        ),
        (
            "database, deployments",
            deployments / costs.recorded,
            format!("{deployments:.2} of {:.0} deployments/s", costs.recorded),
        ),
        (
            "database, checks of servers",
            SERVERS as f64 * costs.round,
            format!(
                "{SERVERS} servers, one check per second of {:.2} ms",
                costs.round * 1e3
            ),
        ),
        (
            "network of the object store",
            deployments * SERVERS as f64 * costs.archive_bytes / (10.0 * OBJECT_BYTES_PER_SECOND),
            format!(
                "{:.0} kB to {SERVERS} servers for each deployment, of 10 Gbit/s",
                costs.archive_bytes / 1e3
            ),
        ),
    ]
}

/// Results of a simulated day.
#[derive(Debug, Default)]
struct Day {
    /// Seconds until deployments were live on all servers, the shortest first.
    delays: Vec<f64>,
    failures: usize,
}

impl Day {
    fn quantile(&self, part: f64) -> f64 {
        let last = self.delays.len().saturating_sub(1) as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index of the list"
        )]
        let index = (last * part).ceil() as usize;
        self.delays.get(index).copied().unwrap_or_default()
    }
}

/// A server: when each of its build threads is free, and from when it is up.
#[derive(Debug, Clone)]
struct SimulatedServer {
    free: Vec<f64>,
    up_at: f64,
}

impl SimulatedServer {
    /// Work of some seconds that can begin at a time. Returns its end.
    fn work(&mut self, begin: f64, seconds: f64) -> f64 {
        let begin = begin.max(self.up_at);
        let Some(thread) = self
            .free
            .iter_mut()
            .min_by(|one, other| one.total_cmp(other))
        else {
            return begin;
        };
        *thread = thread.max(begin) + seconds;
        *thread
    }
}

/// Moments of random events with an average interval, in order.
fn moments(random: &mut Random, interval: f64) -> Vec<f64> {
    let (mut at, mut all) = (0.0, Vec::new());
    loop {
        let uniform = (f64::from(random.below(1_000_000) as u32) + 0.5) / 1e6;
        at -= uniform.ln() * interval;
        if at > SIMULATED {
            return all;
        }
        all.push(at);
    }
}

/// Simulates a day.
fn simulate(costs: &UnitCosts) -> Day {
    let mut random = Random::new(50);
    let deployments = moments(&mut random, 86_400.0 / (SITES * DEPLOYMENTS_PER_DAY));
    let failures = moments(&mut random, FAILURE_INTERVAL / SERVERS as f64);
    let outages = moments(&mut random, OUTAGE_INTERVAL);
    let idle = SimulatedServer {
        free: vec![0.0; CORES],
        up_at: 0.0,
    };
    let mut servers = vec![idle; SERVERS];
    let mut day = Day {
        failures: failures.len(),
        ..Day::default()
    };
    let (mut failures, transfer) = (
        failures.iter().peekable(),
        costs.archive_bytes / OBJECT_BYTES_PER_SECOND,
    );
    for at in deployments {
        while let Some(failed_at) = failures.next_if(|failed_at| **failed_at <= at) {
            let number = random.below(SERVERS);
            if let Some(server) = servers.get_mut(number) {
                // It loads all sites before it is ready.
                server.up_at = failed_at + REPAIR_TIME + SITES * costs.load / LOAD_THREADS;
                server.free.fill(server.up_at);
            }
        }
        // During an outage nothing is released.
        let is_down = |begin: &&f64| (**begin..**begin + OUTAGE_TIME).contains(&at);
        let begin = outages
            .iter()
            .find(is_down)
            .map_or(at, |begin| begin + OUTAGE_TIME);
        let up: Vec<usize> = (0..SERVERS)
            .filter(|number| {
                servers
                    .get(*number)
                    .is_some_and(|server| server.up_at <= begin)
            })
            .collect();
        let Some(builder) = up.get(random.below(up.len().max(1))).copied() else {
            continue;
        };
        let Some(server) = servers.get_mut(builder) else {
            continue;
        };
        let built = server.work(begin + FETCH_TIME, costs.load + costs.pack);
        let released = built + transfer + 1.0 / costs.recorded;
        let mut live = released;
        for number in up.into_iter().filter(|number| *number != builder) {
            if let Some(server) = servers.get_mut(number) {
                let loaded = server.work(released + transfer, costs.unpack + costs.load);
                live = live.max(loaded);
            }
        }
        day.delays.push(live - at);
    }
    day.delays.sort_by(f64::total_cmp);
    day
}

/// Measures the costs, and adds them to the table.
fn measure(rows: &mut Vec<Row>) -> io::Result<UnitCosts> {
    let dir = tempfile::tempdir()?;
    let root = dir.path().join("site");
    std::fs::create_dir(&root)?;
    corpus::write(&root, PAGES_PER_SITE)?;
    let (site_bytes, rendered_bytes) = memory(&root)?;
    let load = median(9, || LoadedSite::load(&root).map(drop))?;
    let pages = pages(&root)?;
    let file = dir.path().join("archive");
    let mut packed = None;
    let pack = median(9, || {
        packed = Some(archive::pack(&root, "{}", &file)?);
        Ok(())
    })?;
    let mut number = 0;
    let unpack = median(9, || {
        number += 1;
        let into = dir.path().join(format!("unpacked-{number}"));
        std::fs::create_dir(&into)?;
        archive::unpack(&file, &into, archive::MAX_TOTAL_BYTES).map(drop)
    })?;
    let size = packed.map_or(0, |packed| packed.size);
    let (recorded, round) = database()?;
    let mut row = |name: &str, figure: String, detail: &str| {
        rows.push(Row {
            name: name.to_owned(),
            figure,
            detail: detail.to_owned(),
        });
    };
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let mb = |bytes: f64| format!("{:.2} MB", bytes / 1e6);
    row("load a site", ms(load), "100 pages of 4 kB");
    row(
        "memory of a site",
        mb(site_bytes),
        "100 pages, none rendered",
    );
    row(
        "memory of a site, rendered",
        mb(rendered_bytes),
        "100 pages, all rendered and compressed",
    );
    row(
        "pages of a core",
        format!("{pages:.0} /s"),
        "from memory; a client on the same machine not counted",
    );
    row("pack a snapshot", ms(pack), "100 pages, with the checksum");
    row("unpack a snapshot", ms(unpack), "100 pages");
    row(
        "size of a snapshot",
        format!("{:.0} kB", size as f64 / 1e3),
        "100 pages",
    );
    row(
        "deployments of the database",
        format!("{recorded:.0} /s"),
        "request, lease and release in PostgreSQL, 16 at a time",
    );
    row(
        "check of a server",
        ms(Duration::from_secs_f64(round)),
        "targets that have changed, among 1,000",
    );
    Ok(UnitCosts {
        load: load.as_secs_f64(),
        site_bytes,
        rendered_bytes,
        pages,
        pack: pack.as_secs_f64(),
        unpack: unpack.as_secs_f64(),
        archive_bytes: size as f64,
        recorded,
        round,
    })
}

/// Resident bytes per site, before and after all pages are rendered.
fn memory(root: &Path) -> io::Result<(f64, f64)> {
    const COUNT: usize = 30;
    // Tables that all sites share are loaded first.
    let first = LoadedSite::load(root)?.site;
    first.render_all(1, &|| true);
    let resident = || status("VmRSS:").unwrap_or(0) as f64 * 1024.0;
    let before = resident();
    let mut sites = Vec::new();
    for _ in 0..COUNT {
        sites.push(LoadedSite::load(root)?.site);
    }
    let loaded = resident();
    for site in &sites {
        site.render_all(1, &|| true);
    }
    let rendered = resident();
    let each = |bytes: f64| (bytes - before) / COUNT as f64;
    Ok((each(loaded), each(rendered)))
}

/// Pages per second and core: the time of the server's thread, which shares the machine with the
/// client.
fn pages(root: &Path) -> io::Result<f64> {
    let running = server::start(root)?;
    let path = running.paths.first().cloned().unwrap_or_default();
    let path = running.site.href(&path);
    let request = load::request(
        &running.addr.to_string(),
        &path,
        &[("accept-encoding", "gzip")],
    );
    let mut rates = Vec::new();
    for _ in 0..5 {
        let mut requests = std::iter::repeat(request.as_slice());
        rates.push(load::load(running.addr, &mut requests, 32, Duration::from_secs(2))?.rate);
    }
    rates.sort_by(f64::total_cmp);
    Ok(rates.get(2).copied().unwrap_or_default())
}

/// Deployments per second of PostgreSQL, and seconds of a check.
fn database() -> io::Result<(f64, f64)> {
    let cluster =
        PgCluster::start().ok_or_else(|| io::Error::other("PostgreSQL is not installed"))?;
    let url = cluster.create_database();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let measured = runtime.block_on(async {
        let database = Database::open(&url)
            .await
            .map_err(|error| error.to_string())?;
        let begin = Instant::now();
        let writers = (0..WRITERS).map(|writer| tokio::spawn(write(database.clone(), writer)));
        for writer in writers.collect::<Vec<_>>() {
            let written = writer.await.map_err(|error| error.to_string())?;
            written.map_err(|error| error.to_string())?;
        }
        let recorded = TARGETS as f64 / begin.elapsed().as_secs_f64();
        let (_, last) = database
            .targets_after(0)
            .await
            .map_err(|error| error.to_string())?;
        let begin = Instant::now();
        for _ in 0..CHECKS {
            let changed = database.targets_after(last).await;
            changed.map_err(|error| error.to_string())?;
            let pending = database.pending_targets(SystemClock::default().now()).await;
            pending.map_err(|error| error.to_string())?;
        }
        let round = begin.elapsed().as_secs_f64() / CHECKS as f64;
        database.close().await;
        Ok::<_, String>((recorded, round))
    });
    measured.map_err(io::Error::other)
}

/// Concurrent servers, deployments of all of them, and checks.
const WRITERS: usize = 16;
const TARGETS: usize = 1_008;
const CHECKS: usize = 500;

/// Deploys as a server does.
async fn write(database: Database, writer: usize) -> Result<(), svc_admin_api::StoreError> {
    let now = || -> Timestamp { SystemClock::default().now() };
    for number in 0..TARGETS / WRITERS {
        let (project, target) = (format!("site-{writer}-{number}"), "live");
        database
            .request_target(&project, target, "{}".to_owned(), now())
            .await?;
        let claim = TargetClaim {
            project: project.clone(),
            target: target.to_owned(),
            server: format!("server-{writer}"),
            now: now(),
            until: now().plus(Duration::from_secs(10)),
            polled_before: None,
        };
        let Some(record) = database.claim_target(claim).await? else {
            continue;
        };
        let snapshot = SnapshotRecord {
            project: project.clone(),
            key: "0".repeat(40),
            object: format!("snapshots/{project}/{}", "0".repeat(77)),
            sum: [0; 32],
            size: 100_000,
            used_at: now(),
        };
        let result = TargetResult {
            project,
            target: target.to_owned(),
            fence: record.fence,
            built: record.wanted,
            now: now(),
            release: Some(("x".repeat(1_000), snapshot)),
            failure: None,
        };
        database.finish_target(result).await?;
    }
    Ok(())
}
