//! A program that writes is killed in the middle of it, time and again.

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

use crate::world::{at, change, job, lease, project_id, put_project, run};

const FILE: &str = "SVC_STORE_KILLED_FILE";
/// For the program to say something.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(60);
const ROUND: &str = "SVC_STORE_KILLED_ROUND";

/// Not a test of its own: what is killed. It says what was acknowledged, a line each.
#[test]
fn the_program_that_is_killed() {
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
                    let done = store
                        .create_job(&job(&name, "docs", 0), &change)
                        .await
                        .unwrap();
                    assert!(matches!(done, ChangeResult::Done(_)));
                    print_line(&format!("created {name}"));
                    if number % 3 == 0 {
                        let token = name.clone();
                        let taken = store.claim(&lease(&token, 100), at(1)).await.unwrap();
                        if let Some(job) = taken {
                            let done = store.finish(&job.id, &token, None).await.unwrap();
                            assert!(done);
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
    // One write for the whole line, so that a kill cannot cut it.
    out.write_all(format!("ack {line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// Lets the program write, kills it, and gives what it said. Every third time it may not have come
/// to writing yet; otherwise the time begins with the first thing that it says, however slow the
/// machine is.
fn run_and_kill(file: &Path, round: usize, after: Duration) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["kill::the_program_that_is_killed", "--exact", "--nocapture"])
        .env(FILE, file)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let (begun, has_begun) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let lines = out.lines().map_while(Result::ok);
        let said = lines.filter_map(|line| {
            let (_, said) = line.split_once("ack ")?;
            // Nobody waits for it any more after the first time.
            let _ = begun.send(());
            Some(said.to_owned())
        });
        said.collect::<Vec<String>>()
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
fn what_was_acknowledged_is_there_after_a_kill() {
    let cycles = std::env::var("SVC_STORE_KILLS").ok();
    let cycles: usize = cycles.and_then(|text| text.parse().ok()).unwrap_or(12);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.sqlite");
    let (mut created, mut finished) = (BTreeSet::new(), BTreeSet::new());
    let mut slowest = Duration::ZERO;
    for round in 0..cycles {
        // At another moment each time.
        let after = Duration::from_millis(5 + round as u64 * 37 % 290);
        for line in run_and_kill(&file, round, after) {
            match line.split_once(' ') {
                Some(("created", name)) => created.insert(name.to_owned()),
                Some(("finished", name)) => finished.insert(name.to_owned()),
                _ => panic!("{line}"),
            };
        }
        run(async {
            let started = Instant::now();
            let store = Database::open(&format!("sqlite:{}", file.display()))
                .await
                .unwrap();
            slowest = slowest.max(started.elapsed());
            let query = JobQuery {
                project: project_id("docs"),
                status: None,
                after: None,
                limit: 1_000_000,
            };
            let jobs = store.jobs(&query).await.unwrap();
            let kept: BTreeSet<String> = jobs.iter().map(|job| job.id.to_string()).collect();
            let lost: Vec<&String> = created.difference(&kept).collect();
            assert!(lost.is_empty(), "round {round} lost {lost:?}");
            for job in &jobs {
                let done = job.status() == svc_admin_api::agent_job::Status::Completed;
                assert!(done || !finished.contains(job.id.as_str()), "{}", job.id);
            }
            // A job and its entry come and go together.
            let entries = store.entries(None, None, 1_000_000).await.unwrap();
            let noted: BTreeSet<String> = entries
                .into_iter()
                .map(|logged| logged.entry.action)
                .filter(|action| action.starts_with("job_"))
                .collect();
            assert_eq!(noted, kept);
            store.close().await;
            let address = format!("sqlite:{}", file.display());
            let mut link = sqlx::SqliteConnection::connect(&address).await.unwrap();
            let check: String = sqlx::query_scalar("PRAGMA integrity_check")
                .fetch_one(&mut link)
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
