//! The store of the Admin API on SQLite with 100,000 jobs: writing them, and answering for one.

use std::hint::black_box;
use std::io;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use svc_admin_api::agent_job::{Job, JobStore as _, NewJob, Phase, Prompt, Repository};
use svc_admin_api::audit::{Actor, By};
use svc_admin_api::deployment::Listed;
use svc_admin_api::key::{NewKey, create_key};
use svc_admin_api::limits::{Rate, Rates};
use svc_admin_api::project::{Project, ProjectStore as _};
use svc_admin_api::{
    Change, Clock, Context, DeployError, DeploymentStatus, Deployments, JobId, Limits,
    NoRandomness, ProjectId, Random, StatusId, Target, Timestamp, Triggered, handle,
};
use svc_store::Database;
use tokio::task::JoinSet;

use crate::{Repository as Folder, Row};

/// Jobs in the store.
const JOBS: usize = 100_000;
/// Changes that wait at a time.
const WRITERS: usize = 64;
/// Counted reads of each kind.
const READS: usize = 50_000;

/// Processor time of the whole process: the database has threads of its own, and a busy machine says
/// little by its clock.
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

/// Fills a store, then reads from it; all with one thread for everything but the database.
pub(crate) fn store(_: &[Folder], rows: &mut Vec<Row>) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let address = format!("sqlite:{}", folder.path().join("a.sqlite").display());
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build()?;
    runtime.block_on(async {
        let measured = measure(&address, rows).await;
        measured.map_err(|error| io::Error::other(error.to_string()))
    })
}

async fn measure(address: &str, rows: &mut Vec<Row>) -> Result<(), Box<dyn std::error::Error>> {
    let store = Database::open(address).await?;
    let docs = name(ProjectId::parse("docs"))?;
    let change = Change::by(&SHELL, START, &docs, "fill", None);
    let project = Project {
        id: docs.clone(),
        name: "Docs".to_owned(),
        agent: None,
        created_at: START,
    };
    store.put_project(&project, &change).await?;
    let new = NewKey {
        project: docs.clone(),
        name: "bench".to_owned(),
        scopes: vec!["read".to_owned()],
        networks: Vec::new(),
        expires_at: None,
    };
    let endless = Rate::per(1_000_000, Duration::from_secs(1_000));
    let limits = Limits::new(Rates {
        key: endless,
        ..Rates::default()
    });
    let (_, secret) = create_key(&store, &World, &World, &limits, &SHELL, &new).await?;

    let start = Instant::now();
    let mut writers = JoinSet::new();
    for number in 0..JOBS {
        let new = job(&docs, number)?;
        let (store, change) = (store.clone(), change.clone());
        writers.spawn(async move { store.create_job(&new, &change).await.map(drop) });
        if writers.len() == WRITERS
            && let Some(done) = writers.join_next().await
        {
            done??;
        }
    }
    while let Some(done) = writers.join_next().await {
        done??;
    }
    let each = start.elapsed().as_secs_f64() / JOBS as f64;
    rows.push(Row {
        name: "store, create a job".to_owned(),
        figure: format!("{:.0} a second", 1.0 / each),
        detail: format!("{WRITERS} at a time, each synchronised to the disk"),
    });

    let context = Context {
        store: &store,
        deployments: &World,
        clock: &World,
        random: &World,
        limits: &limits,
        peer: IpAddr::from([127, 0, 0, 1]),
    };
    // All jobs in an order that jumps, or the same few.
    for (kind, among) in [("any job", JOBS), ("one of 1,000 jobs", 1_000)] {
        let ids: Vec<JobId> = (0..READS)
            .map(|turn| name(JobId::parse(&format!("job_{}", turn * 7_919 % among))))
            .collect::<Result<_, _>>()?;
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

fn name<T>(name: Option<T>) -> io::Result<T> {
    name.ok_or_else(|| io::Error::other("not a name"))
}

fn job(project: &ProjectId, number: usize) -> io::Result<NewJob> {
    let repository = Repository::try_from("https://git.example/docs.git".to_owned());
    let prompt = Prompt::try_from("Explain the new setting.".to_owned());
    Ok(NewJob {
        job: Job {
            id: name(JobId::parse(&format!("job_{number}")))?,
            project: project.clone(),
            repository: repository.map_err(io::Error::other)?,
            branch: None,
            model: "model".to_owned(),
            created_at: START,
            turn: 1,
            pull_request: None,
            phase: Phase::Active {
                attempts: 0,
                lease: None,
            },
        },
        prompt: prompt.map_err(io::Error::other)?,
    })
}

const START: Timestamp = Timestamp::from_millis(1_795_219_200_000);

static SHELL: By = By {
    actor: Actor::Shell,
    from: None,
};

/// A clock that stands still, dice with one side, and no sites.
struct World;

impl Clock for World {
    fn now(&self) -> Timestamp {
        START
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

impl Random for World {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), NoRandomness> {
        buffer.fill(7);
        Ok(())
    }
}

impl Deployments for World {
    async fn trigger(&self, _: &ProjectId, _: &Target) -> Result<Triggered, DeployError> {
        Err(DeployError::UnknownProject)
    }

    async fn status(&self, _: &StatusId) -> Result<Option<DeploymentStatus>, DeployError> {
        Ok(None)
    }

    async fn list(&self, _: &ProjectId, _: usize) -> Result<Vec<Listed>, DeployError> {
        Ok(Vec::new())
    }

    async fn roll_back(&self, _: &ProjectId, _: &StatusId) -> Result<Triggered, DeployError> {
        Err(DeployError::UnknownProject)
    }
}
