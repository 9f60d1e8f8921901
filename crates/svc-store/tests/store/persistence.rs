//! Durability, and errors of the database.

use std::time::Duration;

use sqlx::Connection as _;
use svc_admin_api::agent_job::{JobQuery, JobStore as _, MAX_LOG_BYTES, Phase};
use svc_admin_api::audit::AuditStore as _;
use svc_admin_api::deployment::{DeploymentStore as _, MAX_DEPLOYMENTS};
use svc_admin_api::key::KeyStore as _;
use svc_admin_api::project::ProjectStore as _;
use svc_admin_api::{DeploymentRecord, DeploymentStatus, StatusId, StoreError};
use svc_store::{Database, OpenError};

use crate::store::world::{
    TestDatabase, at, change, job, job_id, key, lease, project_id, put_project, run,
};

/// Executes a statement without the store.
async fn execute_raw(database: &TestDatabase, sql: &'static str) {
    match database {
        TestDatabase::Sqlite(_) => {
            let url = database.url();
            let mut conn = sqlx::SqliteConnection::connect(&url).await.unwrap();
            sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
        }
        TestDatabase::Postgres(_, url) => {
            let mut conn = sqlx::PgConnection::connect(url).await.unwrap();
            sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
        }
    }
}

#[test]
fn a_newer_schema_is_not_changed() {
    for database in TestDatabase::all() {
        run(async {
            database.open().await.close().await;
            execute_raw(&database, "UPDATE svc_store SET version = 99").await;
            let error = Database::open(&database.url()).await.unwrap_err();
            let newer = matches!(error, OpenError::NewerVersion { version: 99, .. });
            assert!(newer, "{error}");
        });
    }
}

#[test]
fn an_older_schema_is_migrated() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            put_project(&store, "docs").await;
            store.close().await;
            for newer in [
                "DROP INDEX audit_by_time",
                "DROP TABLE servers",
                "DROP TABLE actions",
                "DROP TABLE shared_keys",
                "DROP TABLE reader_ids",
                "DROP TABLE reader_revocations",
                "DROP TABLE reader_tokens",
                "DROP TABLE reader_sessions",
                "DROP TABLE targets",
                "DROP TABLE snapshots",
                "DROP TABLE pull_requests",
            ] {
                execute_raw(&database, newer).await;
            }
            execute_raw(&database, "UPDATE svc_store SET version = 1").await;
            database.open().await.close().await;
            // A database of the current version is not migrated again.
            let store = database.open().await;
            assert_eq!(store.projects().await.unwrap().len(), 1);
            store.close().await;
            execute_raw(&database, "DROP INDEX audit_by_time").await;
        });
    }
}

#[test]
fn old_audit_entries_are_deleted_in_batches() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            for seconds in 0..25_u64 {
                let entry = change("docs", "x", seconds).entry;
                store.record(&entry).await.unwrap();
            }
            let mut removed = Vec::new();
            for _ in 0..3 {
                removed.push(store.delete_entries(at(20), 15).await.unwrap());
            }
            assert_eq!(removed, [15, 5, 0]);
            let retained = store.entries(None, None, 99).await.unwrap();
            let times: Vec<_> = retained.iter().map(|one| one.entry.at).collect();
            let expected: Vec<_> = (20..25).rev().map(at).collect();
            assert_eq!(times, expected);
            // Two servers of a database delete at the same time.
            let (one, other) = tokio::join!(
                store.delete_entries(at(99), 99),
                store.delete_entries(at(99), 99)
            );
            assert_eq!(one.unwrap() + other.unwrap(), 5);
            store.close().await;
        });
    }
}

#[test]
fn a_store_is_unavailable_until_it_is_open() {
    for database in TestDatabase::all() {
        run(async {
            let store = Database::closed();
            let meanwhile = store.clone();
            let error = meanwhile.projects().await.unwrap_err();
            assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
            let change = change("docs", "x", 0);
            let error = store.create_job(&job("x", "docs", 0), &change).await;
            assert!(matches!(error, Err(StoreError::Unavailable(_))));
            let error = store.open_at("mysql:x").await.unwrap_err();
            assert!(matches!(error, OpenError::InvalidUrl(_)), "{error}");
            assert!(!store.is_open());
            store.close().await;
            store.open_at(&database.url()).await.unwrap();
            assert!(meanwhile.is_open());
            put_project(&store, "docs").await;
            // Opening again has no effect.
            store.open_at("mysql:x").await.unwrap();
            assert_eq!(meanwhile.projects().await.unwrap().len(), 1);
            store.close().await;
        });
    }
}

#[test]
fn a_new_database_can_be_opened_concurrently() {
    for database in TestDatabase::all() {
        run(async {
            let mut opening = tokio::task::JoinSet::new();
            for _ in 0..12 {
                let url = database.url();
                opening.spawn(async move { Database::open(&url).await.map(drop) });
            }
            for result in opening.join_all().await {
                result.unwrap();
            }
        });
    }
}

#[test]
fn an_invalid_url_is_rejected_without_quoting_it() {
    run(async {
        for url in [
            "",
            "mysql://a:secret@b",
            "sqlite:",
            "postgres://a:secret@b:x/y",
        ] {
            let error = Database::open(url).await.unwrap_err();
            assert!(matches!(error, OpenError::InvalidUrl(_)), "{error}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        let error = Database::open("sqlite:/nowhere/at/all").await.unwrap_err();
        assert!(matches!(
            error,
            OpenError::Store(StoreError::Unavailable(_))
        ));
    });
}

#[test]
fn invalid_data_is_an_error_instead_of_a_panic() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            put_project(&store, "docs").await;
            let docs = project_id("docs");
            for (name, seconds) in [("job_a", 1), ("job_b", 2)] {
                let new = job(name, "docs", seconds);
                store
                    .create_job(&new, &change("docs", "x", 0))
                    .await
                    .unwrap();
            }
            store
                .create_key(&key("a", "docs"), &change("docs", "x", 0))
                .await
                .unwrap();
            execute_raw(
                &database,
                "UPDATE jobs SET branch = '--option' WHERE id = 'job_a'",
            )
            .await;
            execute_raw(
                &database,
                "UPDATE jobs SET created_at = -5 WHERE id = 'job_b'",
            )
            .await;
            execute_raw(&database, "UPDATE keys SET networks = '0.0.0.0/0'").await;
            execute_raw(&database, "UPDATE projects SET repository = 'ext::sh -c x'").await;
            let broken =
                |error: StoreError| assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
            broken(store.job(&docs, &job_id("job_a")).await.unwrap_err());
            broken(store.job(&docs, &job_id("job_b")).await.unwrap_err());
            broken(store.key_by_lookup("looka").await.unwrap_err());
            broken(store.projects().await.unwrap_err());
        });
    }
}

#[test]
fn a_closed_store_is_unavailable() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            put_project(&store, "docs").await;
            store.close().await;
            store.close().await;
            let read = store.projects().await.unwrap_err();
            let written = store.delete_expired_sessions_now().await.unwrap_err();
            for error in [read, written] {
                assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
            }
        });
    }
}

trait DeleteExpiredSessions {
    async fn delete_expired_sessions_now(&self) -> Result<u64, StoreError>;
}

impl DeleteExpiredSessions for Database {
    async fn delete_expired_sessions_now(&self) -> Result<u64, StoreError> {
        svc_admin_api::account::AccountStore::delete_expired_sessions(self, at(0)).await
    }
}

#[test]
fn a_log_is_limited_and_accepts_any_text() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            put_project(&store, "docs").await;
            let (docs, id) = (project_id("docs"), job_id("job_a"));
            store
                .create_job(&job("job_a", "docs", 0), &change("docs", "x", 0))
                .await
                .unwrap();
            store.claim(&lease("w", 9), at(0)).await.unwrap().unwrap();
            let part = "\u{0}ä".repeat(100_000);
            for _ in 0..5 {
                assert!(store.append_log(&id, "w", &part).await.unwrap());
            }
            let log = store.log(&docs, &id, 0).await.unwrap().unwrap();
            assert_eq!(log.next, log.text.len());
            assert!(
                (MAX_LOG_BYTES - 1..=MAX_LOG_BYTES).contains(&log.next),
                "{}",
                log.next
            );
            assert!(part.repeat(5).starts_with(&log.text));
            let rest = store.log(&docs, &id, log.next - 3).await.unwrap().unwrap();
            assert!(log.text.ends_with(&rest.text) && rest.text.len() <= 4);
            // A reason is stored in a text column.
            assert!(store.fail(&id, "w", "a\u{0}b").await.unwrap());
            let job = store.job(&docs, &id).await.unwrap().unwrap();
            let reason = "a\u{fffd}b".to_owned();
            assert_eq!(job.phase, Phase::Failed { reason });
        });
    }
}

#[test]
fn pages_are_complete_while_jobs_are_added() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            put_project(&store, "docs").await;
            let add = async |name: &str, seconds: u64| {
                let new = job(name, "docs", seconds);
                store
                    .create_job(&new, &change("docs", "x", 0))
                    .await
                    .unwrap();
            };
            for number in 0..60_u64 {
                // Three per second: the id determines the order.
                add(&format!("job_{number:02}"), number / 3).await;
            }
            let mut query = JobQuery {
                project: project_id("docs"),
                status: None,
                after: None,
                limit: 7,
            };
            let mut names = Vec::new();
            loop {
                let page = store.jobs(&query).await.unwrap();
                names.extend(page.iter().map(|job| job.id.to_string()));
                let Some(last) = page.last() else { break };
                query.after = Some((last.created_at, last.id.clone()));
                add(&format!("new_{}", names.len()), 100).await;
            }
            let expected: Vec<String> = (0..60).rev().map(|n| format!("job_{n:02}")).collect();
            assert_eq!(names, expected);
        });
    }
}

#[test]
fn the_oldest_deployments_are_deleted_beyond_the_limit() {
    for database in TestDatabase::all() {
        run(async {
            let store = database.open().await;
            let deployment = |project: &str, name: usize| {
                DeploymentRecord::from(DeploymentStatus {
                    id: StatusId::parse(&format!("{project}-{name:04}")).unwrap(),
                    project_id: project_id(project),
                    created_at: at(name as u64),
                    ended_at: None,
                    status: svc_admin_api::deployment::Progress::Queued,
                    summary: String::new(),
                    logs: Vec::new(),
                    source: "api".to_owned(),
                    commit: None,
                    author: None,
                    preview_url: None,
                })
            };
            store.put_deployment(&deployment("other", 0)).await.unwrap();
            let mut puts = tokio::task::JoinSet::new();
            for name in 0..MAX_DEPLOYMENTS + 3 {
                let (store, record) = (store.clone(), deployment("docs", name));
                puts.spawn(async move { store.put_deployment(&record).await.unwrap() });
            }
            puts.join_all().await;
            // Deployments that were added concurrently did not see each other.
            store
                .put_deployment(&deployment("docs", 9_000))
                .await
                .unwrap();
            let docs = project_id("docs");
            let retained = store.deployments(&docs, None, 9_999).await.unwrap();
            assert_eq!(retained.len(), MAX_DEPLOYMENTS);
            assert_eq!(retained.last().unwrap().status.created_at, at(4));
            let other = StatusId::parse("other-0000").unwrap();
            assert!(store.deployment(&other).await.unwrap().is_some());
        });
    }
}

#[test]
fn writes_of_another_process_to_sqlite_are_visible_soon() {
    let database = TestDatabase::sqlite();
    run(async {
        let (server, shell) = (database.open().await, database.open().await);
        put_project(&server, "docs").await;
        let (docs, key) = (project_id("docs"), key("a", "docs"));
        server
            .create_key(&key, &change("docs", "x", 0))
            .await
            .unwrap();
        let seen = async || {
            let key = server.key_by_lookup(&key.lookup).await.unwrap().unwrap();
            key.revoked_at
        };
        for _ in 0..50 {
            assert_eq!(seen().await, None);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let change = change("docs", "revokeKey", 3);
        shell.revoke_key(&docs, &key.id, &change).await.unwrap();
        let start = std::time::Instant::now();
        loop {
            let elapsed = start.elapsed();
            if seen().await.is_some() {
                break;
            }
            // After the cache TTL, reads are up to date, independent of the speed of the machine.
            assert!(elapsed < Duration::from_millis(900));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(seen().await, Some(at(3)));
    });
}

#[test]
fn a_locked_file_is_unavailable_until_it_is_released() {
    let database = TestDatabase::sqlite();
    run(async {
        let store = database.open().await;
        put_project(&store, "docs").await;
        let mut conn = sqlx::SqliteConnection::connect(&database.url())
            .await
            .unwrap();
        let hold = sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut conn);
        hold.await.unwrap();
        let (docs, id) = (project_id("docs"), job_id("job_a"));
        let new = job("job_a", "docs", 0);
        let change = change("docs", "x", 0);
        // Both wait, and neither reports success.
        let (first, other) = tokio::join!(
            store.create_job(&new, &change),
            store.delete_expired_sessions_now()
        );
        for error in [first.unwrap_err(), other.unwrap_err()] {
            assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        }
        assert_eq!(store.job(&docs, &id).await.unwrap(), None);
        let let_go = sqlx::raw_sql("ROLLBACK").execute(&mut conn);
        let_go.await.unwrap();
        store.create_job(&new, &change).await.unwrap();
        assert_eq!(store.job(&docs, &id).await.unwrap(), Some(new.job));
    });
}

#[test]
fn a_backup_during_writes_is_consistent() {
    let database = TestDatabase::sqlite();
    run(async {
        let store = database.open().await;
        put_project(&store, "docs").await;
        let writing = store.clone();
        let writer = tokio::spawn(async move {
            for number in 0..400 {
                let name = format!("job_{number:03}");
                let change = change("docs", &name, 0);
                let result = writing
                    .create_job(&job(&name, "docs", number), &change)
                    .await;
                result.unwrap();
            }
        });
        let TestDatabase::Sqlite(dir) = &database else {
            return;
        };
        let copies: Vec<String> = (0..3)
            .map(|number| {
                dir.path()
                    .join(format!("copy-{number}"))
                    .display()
                    .to_string()
            })
            .collect();
        let query = JobQuery {
            project: project_id("docs"),
            status: None,
            after: None,
            limit: 1_000,
        };
        for (number, copy) in copies.iter().enumerate() {
            // In the middle of the writes, independent of the speed of the machine.
            while store.jobs(&query).await.unwrap().len() < (number + 1) * 50 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let mut conn = sqlx::SqliteConnection::connect(&database.url())
                .await
                .unwrap();
            let copied = sqlx::query("VACUUM INTO $1").bind(copy).execute(&mut conn);
            copied.await.unwrap();
        }
        writer.await.unwrap();
        for copy in copies {
            let copy = Database::open(&format!("sqlite:{copy}")).await.unwrap();
            let jobs = copy.jobs(&query).await.unwrap();
            // A prefix of the jobs, with an audit entry for each.
            let names = jobs.iter().rev().map(|job| job.id.to_string());
            let expected = (0..jobs.len()).map(|number| format!("job_{number:03}"));
            assert!(names.eq(expected) && jobs.len() >= 50);
            let entries = copy.entries(None, None, 1_000).await.unwrap();
            assert_eq!(entries.len(), jobs.len() + 1);
        }
    });
}

#[cfg(unix)]
#[test]
fn the_file_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let database = TestDatabase::sqlite();
    run(async {
        let store = database.open().await;
        put_project(&store, "docs").await;
        let TestDatabase::Sqlite(dir) = &database else {
            return;
        };
        let mut modes = Vec::new();
        for file in std::fs::read_dir(dir.path()).unwrap().flatten() {
            modes.push(file.metadata().unwrap().permissions().mode() & 0o777);
        }
        assert_eq!(modes, [0o600; 3], "the file, its log and its index");
    });
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_not_followed() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let (canary, link) = (dir.path().join("canary"), dir.path().join("x.sqlite"));
        std::os::unix::fs::symlink(&canary, &link).unwrap();
        for text in [None, Some("not to be touched")] {
            if let Some(text) = text {
                std::fs::write(&canary, text).unwrap();
            }
            let result = Database::open(&format!("sqlite:{}", link.display())).await;
            let error = result.expect_err("a symbolic link").to_string();
            assert!(error.contains("is a symbolic link"), "{error}");
            assert_eq!(std::fs::read_to_string(&canary).ok().as_deref(), text);
        }
    });
}
