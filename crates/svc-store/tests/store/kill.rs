//! A writing program is killed repeatedly.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use sqlx::Connection as _;
use svc_admin_api::ChangeResult;
use svc_admin_api::agent_job::{JobQuery, JobStore as _};
use svc_admin_api::audit::AuditStore as _;
use svc_store::Database;

use crate::store::world::{at, change, job, lease, project_id, put_project, run};

const FILE: &str = "SVC_STORE_KILLED_FILE";
/// Timeout for output of the program.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(60);
const ROUND: &str = "SVC_STORE_KILLED_ROUND";

/// Not a test itself: the program that is killed. It prints every acknowledged write on a line.
#[test]
fn killed_program() {
    let (Ok(file), Ok(round)) = (std::env::var(FILE), std::env::var(ROUND)) else {
        return;
    };
    run(async {
        let store = Database::open(&format!("sqlite:{file}")).await.unwrap();
        put_project(&store, "docs").await;
        let mut clients = tokio::task::JoinSet::new();
        for client in 0..6 {
            let (store, round) = (store.clone(), round.clone());
            clients.spawn(async move {
                for number in 0..100_000 {
                    let name = format!("job_{round}_{client}_{number}");
                    let change = change("docs", &name, 0);
                    let result = store
                        .create_job(&job(&name, "docs", 0), &change)
                        .await
                        .unwrap();
                    assert!(matches!(result, ChangeResult::Done(_)));
                    print_line(&format!("created {name}"));
                    if number % 3 == 0 {
                        let token = name.clone();
                        let taken = store.claim(&lease(&token, 100), at(1)).await.unwrap();
                        if let Some(job) = taken {
                            let result = store.finish(&job.id, &token, None).await.unwrap();
                            assert!(result);
                            print_line(&format!("finished {}", job.id));
                        }
                    }
                }
            });
        }
        clients.join_all().await;
    });
}

fn print_line(line: &str) {
    let mut out = std::io::stdout().lock();
    // A single write per line, so that a kill cannot truncate it.
    out.write_all(format!("ack {line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// Starts the program, kills it, and returns its output. Every third time the kill may precede the
/// first write; otherwise the delay begins with the first line, independent of the speed of the
/// machine.
fn run_and_kill(file: &Path, round: usize, after: Duration) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["store::kill::killed_program", "--exact", "--nocapture"])
        .env(FILE, file)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let (sender, has_begun) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let lines = out.lines().map_while(Result::ok);
        let acknowledged = lines.filter_map(|line| {
            let (_, acknowledged) = line.split_once("ack ")?;
            // Only the first message has a receiver.
            let _ = sender.send(());
            Some(acknowledged.to_owned())
        });
        acknowledged.collect::<Vec<String>>()
    });
    if !round.is_multiple_of(3) {
        has_begun.recv_timeout(OUTPUT_TIMEOUT).unwrap();
    }
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap()
}

#[test]
fn acknowledged_writes_survive_a_kill() {
    let cycles = std::env::var("SVC_STORE_KILLS").ok();
    let cycles: usize = cycles.and_then(|text| text.parse().ok()).unwrap_or(12);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.sqlite");
    let (mut created, mut finished) = (BTreeSet::new(), BTreeSet::new());
    let mut slowest = Duration::ZERO;
    for round in 0..cycles {
        // At a different time in each round.
        let after = Duration::from_millis(5 + round as u64 * 37 % 290);
        for line in run_and_kill(&file, round, after) {
            match line.split_once(' ') {
                Some(("created", name)) => created.insert(name.to_owned()),
                Some(("finished", name)) => finished.insert(name.to_owned()),
                _ => panic!("{line}"),
            };
        }
        run(async {
            let start = Instant::now();
            let store = Database::open(&format!("sqlite:{}", file.display()))
                .await
                .unwrap();
            slowest = slowest.max(start.elapsed());
            let query = JobQuery {
                project: project_id("docs"),
                status: None,
                after: None,
                limit: 1_000_000,
            };
            let jobs = store.jobs(&query).await.unwrap();
            let stored: BTreeSet<String> = jobs.iter().map(|job| job.id.to_string()).collect();
            let missing: Vec<&String> = created.difference(&stored).collect();
            assert!(missing.is_empty(), "round {round} lost {missing:?}");
            for job in &jobs {
                let is_done = job.status() == svc_admin_api::agent_job::Status::Completed;
                assert!(is_done || !finished.contains(job.id.as_str()), "{}", job.id);
            }
            // A job and its audit entry are committed together.
            let entries = store.entries(None, None, 1_000_000).await.unwrap();
            let noted: BTreeSet<String> = entries
                .into_iter()
                .map(|logged| logged.entry.action)
                .filter(|action| action.starts_with("job_"))
                .collect();
            assert_eq!(noted, stored);
            store.close().await;
            let url = format!("sqlite:{}", file.display());
            let mut conn = sqlx::SqliteConnection::connect(&url).await.unwrap();
            let check: String = sqlx::query_scalar("PRAGMA integrity_check")
                .fetch_one(&mut conn)
                .await
                .unwrap();
            assert_eq!(check, "ok");
        });
    }
    assert!(
        created.len() > cycles,
        "{} writes are none to lose",
        created.len()
    );
    println!(
        "{cycles} kills, {} jobs and {} ends acknowledged, none lost, opened in at most {slowest:?}",
        created.len(),
        finished.len()
    );
}
