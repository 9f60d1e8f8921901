//! Databases and records for tests.

use std::sync::Arc;
use std::time::Duration;

use svc_admin_api::agent_job::{Branch, Job, Lease, NewJob, Phase, Prompt, Repository};
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::idempotency::{IdempotencyKey, RETENTION};
use svc_admin_api::key::{Key, Scope};
use svc_admin_api::project::{AgentSource, ProjectRecord, ProjectStore as _};
use svc_admin_api::{Change, ChangeResult, JobId, KeyId, ProjectId, Timestamp};
use svc_store::Database;
use svc_test_support::postgres::PgCluster;

/// A database of a single test.
#[derive(Debug, Clone)]
pub(crate) enum TestDatabase {
    Sqlite(Arc<tempfile::TempDir>),
    Postgres(
        #[expect(dead_code, reason = "the cluster runs as long as somebody has it")] Arc<PgCluster>,
        String,
    ),
}

impl TestDatabase {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(Arc::new(tempfile::tempdir().unwrap()))
    }

    /// SQLite, and PostgreSQL if it is installed.
    pub(crate) fn all() -> Vec<Self> {
        let postgres = PgCluster::shared().map(|cluster| {
            let url = cluster.create_database();
            Self::Postgres(cluster, url)
        });
        [Some(Self::sqlite()), postgres]
            .into_iter()
            .flatten()
            .collect()
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite(dir) => {
                format!("sqlite:{}", dir.path().join("a.sqlite").display())
            }
            Self::Postgres(_, url) => url.clone(),
        }
    }

    /// Deletes all rows of a PostgreSQL database.
    pub(crate) async fn clear(&self) {
        use sqlx::Connection as _;
        drop(self.open().await);
        let mut conn = sqlx::PgConnection::connect(&self.url()).await.unwrap();
        let tables = "TRUNCATE projects, keys, jobs, prompts, logs, answers, audit, accounts, \
            sessions, deployments, reader_tokens, reader_sessions, reader_ids, reader_revocations, \
            pull_requests \
            RESTART IDENTITY";
        sqlx::raw_sql(tables).execute(&mut conn).await.unwrap();
    }

    pub(crate) async fn open(&self) -> Database {
        Database::open(&self.url()).await.unwrap()
    }
}

/// Runs a future on a multi-threaded runtime.
pub(crate) fn run<F: Future>(future: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(future)
}

/// A timestamp in seconds after the start of the tests.
pub(crate) fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(1_795_219_200_000).plus(Duration::from_secs(seconds))
}

pub(crate) static CLI: Initiator = Initiator {
    actor: Actor::Cli,
    from: None,
};

pub(crate) fn project_id(name: &str) -> ProjectId {
    ProjectId::parse(name).unwrap()
}

pub(crate) fn job_id(name: &str) -> JobId {
    JobId::parse(name).unwrap()
}

pub(crate) fn change(project: &str, action: &str, seconds: u64) -> Change {
    Change::new(&CLI, at(seconds), &project_id(project), action, Some("x"))
}

pub(crate) fn project(name: &str, label: &str) -> ProjectRecord {
    let repository = Repository::try_from(format!("https://git.example/{name}.git")).unwrap();
    let branch = Branch::try_from("main".to_owned()).unwrap();
    ProjectRecord {
        id: project_id(name),
        name: label.to_owned(),
        agent: Some(AgentSource {
            repository,
            branch: Some(branch),
            model: "small".to_owned(),
        }),
        created_at: at(0),
    }
}

pub(crate) async fn put_project(store: &Database, name: &str) {
    let change = change(name, "putProject", 0);
    let result = store.put_project(&project(name, name), &change).await;
    assert_eq!(result.unwrap(), ChangeResult::Done(()));
}

pub(crate) fn key(name: &str, project: &str) -> Key {
    Key {
        id: KeyId::parse(&format!("key_{name}")).unwrap(),
        project: project_id(project),
        name: format!("key {name}"),
        lookup: format!("look{name}"),
        hash: [7; 32],
        scope: Scope::Write,
        networks: Vec::new(),
        created_at: at(0),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
    }
}

pub(crate) fn job(name: &str, project: &str, created: u64) -> NewJob {
    NewJob {
        job: Job {
            id: job_id(name),
            project: project_id(project),
            repository: Repository::try_from("https://git.example/a.git".to_owned()).unwrap(),
            branch: None,
            model: "small".to_owned(),
            created_at: at(created),
            turn: 1,
            pull_request: None,
            phase: Phase::Active {
                attempts: 0,
                lease: None,
            },
        },
        prompt: Prompt::try_from(format!("do {name}")).unwrap(),
    }
}

pub(crate) fn lease(token: &str, until: u64) -> Lease {
    Lease {
        token: token.to_owned(),
        until: at(until),
    }
}

pub(crate) fn idempotency_key(name: &str, request: u8, seconds: u64) -> IdempotencyKey {
    IdempotencyKey {
        owner: KeyId::parse("key_a").unwrap(),
        name: name.to_owned(),
        fingerprint: [request; 32],
        until: at(seconds).plus(RETENTION),
    }
}
