//! The store of the Admin API on SQLite with 100,000 jobs: writing them and reading one.

use std::hint::black_box;
use std::io;
use std::net::IpAddr;
use std::time::Duration;
#[cfg(not(unix))]
use std::time::Instant;

use bytes::Bytes;
use svc_admin_api::agent_job::JobStore as _;
use svc_admin_api::{Context, ProjectId, RateLimiter, RateLimits, handle};
use svc_store::Database;

use crate::store_fixture::{JOBS, PROJECT, StoreFixture, WRITERS, World, fill, jumping, name};
use crate::{BenchRepository, Row};

/// Counted reads of each kind.
const READS: usize = 50_000;

/// Returns the processor time of the entire process: the database has its own threads, and the
/// clock means little on a busy machine.
#[cfg(unix)]
fn passed() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
fn passed() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

/// Fills a store, then reads from it; everything but the database runs on one thread.
pub(crate) fn store(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let url = format!("sqlite:{}", dir.path().join("a.sqlite").display());
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build()?;
    runtime.block_on(async {
        let measured = measure(&url, rows).await;
        measured.map_err(|error| io::Error::other(error.to_string()))
    })
}

async fn measure(url: &str, rows: &mut Vec<Row>) -> Result<(), Box<dyn std::error::Error>> {
    let store = Database::open(url).await?;
    let docs = name(ProjectId::parse(PROJECT))?;
    let StoreFixture { secret, each } = fill(&store).await?;
    let limits = RateLimiter::new(RateLimits::UNLIMITED);
    rows.push(Row {
        name: "store, create a job".to_owned(),
        figure: format!("{:.0} a second", 1.0 / each.as_secs_f64()),
        detail: format!("{WRITERS} at a time, each synchronised to the disk"),
    });

    let context = Context {
        store: &store,
        deployments: &World,
        clock: &World,
        random: &World,
        limits: &limits,
        peer: IpAddr::from([127, 0, 0, 1]),
        base_url: "",
    };
    // All jobs in a scattered order, or the same few.
    for (kind, among) in [("any job", JOBS), ("one of 1,000 jobs", 1_000)] {
        let ids = jumping(READS, among)?;
        for id in &ids {
            black_box(store.job(&docs, id).await?);
        }
        let start = passed();
        for id in &ids {
            black_box(store.job(&docs, id).await?);
        }
        row(rows, &format!("store, read {kind}"), start, "by the store");
        let start = passed();
        for id in &ids {
            let request = http::Request::get(format!("/v2/agent/docs/job/{id}"))
                .header("authorization", format!("Bearer {}", secret.reveal()))
                .body(Bytes::new())?;
            let response = handle(request, &context).await;
            if response.status() != 200 {
                return Err(io::Error::other(response.status().to_string()).into());
            }
        }
        row(
            rows,
            &format!("store, get {kind}"),
            start,
            "with key, limits and JSON",
        );
    }
    store.close().await;
    Ok(())
}

fn row(rows: &mut Vec<Row>, name: &str, start: Duration, detail: &str) {
    let each = passed().saturating_sub(start).as_secs_f64() / READS as f64;
    rows.push(Row {
        name: name.to_owned(),
        figure: format!("{:.1} µs", each * 1e6),
        detail: format!("processor time, {detail}, {JOBS} jobs in the store"),
    });
}
