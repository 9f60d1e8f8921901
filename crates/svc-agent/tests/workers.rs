//! Workers: leases, lost workers and stopping servers.

use crate::support;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use support::{Dice, World, appears, link, project, time};
use svc_admin_api::agent_job::{JOB_CANCELED, JobStore as _, Lease, Phase, Status};
use svc_admin_api::{ChangeResult, Clock as _, JobId};
use svc_agent::{RunOutcome, run_once, run_workers};

/// Claims the next job as another worker.
async fn steal(world: &World, life: Duration) -> Option<JobId> {
    let now = time().now();
    let lease = Lease {
        token: format!("other-{}", now.millis()),
        until: now.plus(life),
    };
    let job = world.store.claim(&lease, now).await.expect("a result");
    job.map(|job| job.id)
}

#[tokio::test]
async fn a_job_of_a_lost_worker_is_retried_once() {
    let Some(world) = World::new("echo \"attempt $SVC_ATTEMPT\"; echo x > x").await else {
        return;
    };
    let id = world.job("job_1", "Do it").await;
    // The first worker claims the job and disappears.
    assert_eq!(
        steal(&world, Duration::from_millis(100)).await,
        Some(id.clone())
    );
    let stop = world.stop.subscribe();
    let none = run_once(&world.store, &world.options, &time(), &Dice, &stop).await;
    assert_eq!(none, Ok(None), "it has its time");
    tokio::time::sleep(Duration::from_millis(150)).await;
    let outcome = world.run().await;
    let log = world.log(&id).await;
    assert!(link(&outcome).is_some(), "{log}");
    assert!(log.contains("attempt 2\n"), "{log}");

    let id = world.job("job_2", "Do it").await;
    for _ in 0..2 {
        assert_eq!(steal(&world, Duration::ZERO).await, Some(id.clone()));
    }
    let none = run_once(&world.store, &world.options, &time(), &Dice, &stop).await;
    assert_eq!(none, Ok(None), "two workers were lost");
    assert_eq!(world.store.fail_abandoned(time().now()).await, Ok(1));
    assert_eq!(world.state(&id).await.status(), Status::Failed);
    // Only runs of this process are counted.
    let counters = &world.options.counters;
    let jobs: Vec<(&str, u64)> = counters
        .finished()
        .map(|item| (item.outcome, item.jobs))
        .collect();
    assert_eq!(
        jobs,
        [
            ("completed", 1),
            ("failed", 0),
            ("lost", 0),
            ("released", 0)
        ]
    );
    assert!(counters.finished().any(|item| !item.time.is_zero()));
    assert_eq!(counters.running(), 0);
}

#[tokio::test]
async fn the_second_worker_replaces_the_branch_of_the_first() {
    let Some(world) = World::new("echo \"$SVC_ATTEMPT\" > x").await else {
        return;
    };
    let id = world.job("job_1", "Do it").await;
    steal(&world, Duration::ZERO).await;
    world.commit("svc/job-job_1", &[("half", "half of it")]);
    let outcome = world.run().await;
    assert!(link(&outcome).is_some(), "{}", world.log(&id).await);
    assert_eq!(world.git(&["show", "svc/job-job_1:x"]), "2");
    assert_eq!(world.files("svc/job-job_1").len(), 3);
}

#[tokio::test]
async fn a_lease_is_renewed_while_the_agent_runs() {
    let Some(mut world) = World::new("sleep 1; echo x > x").await else {
        return;
    };
    world.options.lease_ttl = Duration::from_millis(240);
    world.job("job_1", "Do it").await;
    let thieves = async {
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert_eq!(steal(&world, Duration::from_secs(60)).await, None);
        }
    };
    tokio::select! {
        outcome = world.run() => assert!(link(&outcome).is_some()),
        () = thieves => {}
    }
}

#[tokio::test]
async fn a_worker_without_lease_stops_the_agent_and_pushes_nothing() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    let shown = world.dir.path().display().to_string();
    world.agent(&format!(
        "touch {shown}/started; sleep 3; touch {shown}/late; echo x > x"
    ));
    world.options.lease_ttl = Duration::from_millis(600);
    let id = world.job("job_1", "Do it").await;
    let start = Instant::now();
    let steal = async {
        assert!(appears(&world.path("started")).await);
        // As if the lease had expired and another worker had claimed the job.
        let job = world.state(&id).await;
        let Phase::Active {
            lease: Some(lease), ..
        } = job.phase
        else {
            panic!("{job:?}")
        };
        let over = Lease {
            until: time().now(),
            ..lease
        };
        assert_eq!(world.store.renew(&id, &over).await, Ok(true));
        assert_eq!(
            steal(&world, Duration::from_secs(60)).await,
            Some(id.clone())
        );
    };
    let (outcome, ()) = tokio::join!(world.run(), steal);
    assert_eq!(outcome, RunOutcome::Lost);
    assert!(
        start.elapsed() < Duration::from_millis(2_900),
        "{:?}",
        start.elapsed()
    );
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(!world.path("late").exists());
    assert_eq!(world.branches(), ["main"]);
    assert_eq!(world.state(&id).await.status(), Status::Active);
}

#[tokio::test]
async fn a_canceled_job_kills_its_agent_with_all_child_processes() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    let shown = world.dir.path().display().to_string();
    world.agent(&format!(
        "setsid sh -c 'echo $$ > {shown}/pid; exec sleep 300' < /dev/null > /dev/null 2>&1 &
        until [ -s {shown}/pid ]; do sleep 0.02; done
        touch {shown}/started; sleep 300; touch {shown}/late"
    ));
    let id = world.job("job_1", "Do it").await;
    let cancel = async {
        assert!(appears(&world.path("started")).await);
        let change = world.change("cancelAgentJob");
        let canceled = world.store.cancel(&project(), &id, &change).await;
        assert!(
            matches!(canceled, Ok(ChangeResult::Done(_))),
            "{canceled:?}"
        );
    };
    let (outcome, ()) = tokio::join!(world.run(), cancel);
    assert_eq!(outcome, RunOutcome::Lost);
    let job = world.state(&id).await;
    assert_eq!(job.failure(), Some(JOB_CANCELED));
    let pid = world.text("pid");
    let gone = (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let state = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        state.is_ok_and(|state| state.contains(") Z ")) || !alive(pid.trim())
    });
    assert!(gone, "the program {pid} is still there");
    assert!(!world.path("late").exists());
    assert_eq!(world.branches(), ["main"]);
}

/// Whether a process with this id is running.
fn alive(pid: &str) -> bool {
    let output = Command::new("kill").args(["-0", pid]).output();
    output.expect("kill").status.success()
}

#[tokio::test]
async fn a_stopping_server_releases_its_jobs() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    let shown = world.dir.path().display().to_string();
    world.agent(&format!(
        "trap 'touch {shown}/asked; exit 0' TERM; touch {shown}/started; while :; do sleep 0.05; done"
    ));
    let id = world.job("job_1", "Do it").await;
    let (clock, stop) = (time(), world.stop.subscribe());
    let start = Instant::now();
    let end = async {
        assert!(appears(&world.path("started")).await);
        world.stop.send(true).expect("a worker");
    };
    tokio::join!(
        run_workers(&world.store, &world.options, &clock, &Dice, stop),
        end
    );
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(world.path("asked").exists());
    assert!(world.left().is_empty());
    let log = world.log(&id).await;
    assert!(
        log.ends_with("svc: the server stops; another worker will run the job\n"),
        "{log}"
    );
    // The worker was not lost, so two more attempts are possible.
    for expected in [Some(&id), Some(&id), None] {
        assert_eq!(steal(&world, Duration::ZERO).await.as_ref(), expected);
    }
}

#[tokio::test]
async fn workers_share_jobs_and_are_woken_for_new_ones() {
    let script = "echo \"$SVC_JOB_ID\" >> RUNS; sleep 0.2; echo x > x";
    let Some(mut world) = World::new("").await else {
        return;
    };
    let runs = world.path("runs");
    world.agent(&script.replace("RUNS", &runs.display().to_string()));
    world.options.concurrency = 3;
    // Workers do not poll.
    world.options.poll_interval = Duration::from_secs(600);
    for number in 0..5 {
        world.job(&format!("job_{number}"), "Do it").await;
    }
    let (clock, stop) = (time(), world.stop.subscribe());
    let completed = async || loop {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let query = svc_admin_api::agent_job::JobQuery {
            project: project(),
            status: Some(Status::Active),
            after: None,
            limit: 10,
        };
        if world.store.jobs(&query).await.expect("a result").is_empty() {
            break;
        }
    };
    let later = async {
        completed().await;
        world.job("job_5", "Do it").await;
        world.options.wake.notify_one();
        completed().await;
        world.stop.send(true).expect("a worker");
    };
    let all = async {
        tokio::join!(
            run_workers(&world.store, &world.options, &clock, &Dice, stop),
            later
        );
    };
    tokio::time::timeout(Duration::from_secs(60), all)
        .await
        .expect("an end");
    let runs = fs::read_to_string(runs).expect("a file");
    let mut lines: Vec<&str> = runs.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        ["job_0", "job_1", "job_2", "job_3", "job_4", "job_5"]
    );
    assert_eq!(world.branches().len(), 7);
}

#[tokio::test]
async fn stale_workspaces_are_removed_and_used_ones_are_not() {
    let Some(world) = World::new("").await else {
        return;
    };
    let jobs = &world.options.workspace_dir;
    for name in ["old", "used", "young"] {
        fs::create_dir_all(jobs.join(name).join("work/.git")).expect("a folder");
    }
    fs::write(jobs.join("old/lock"), "").expect("written");
    let used = fs::File::create(jobs.join("used/lock")).expect("a file");
    used.lock().expect("a lock");
    world.stop.send_replace(true);
    let stop = world.stop.subscribe();
    run_workers(&world.store, &world.options, &time(), &Dice, stop).await;
    assert_eq!(world.left(), [jobs.join("used")]);
}

#[tokio::test]
async fn processes_of_a_crashed_server_are_killed() {
    let Some(world) = World::new("").await else {
        return;
    };
    let dir = world.options.workspace_dir.join("0123456789abcdef01234567");
    fs::create_dir_all(&dir).expect("a folder");
    fs::write(dir.join("lock"), "").expect("written");
    let sleep = |value: &std::path::Path| {
        let mut command = Command::new("sleep");
        command.arg("300").env("SVC_PROMPTS", value);
        command.spawn().expect("a program")
    };
    let mut left = sleep(&dir.join("prompts.json"));
    let mut other = sleep(&world.path("prompts.json"));
    world.stop.send_replace(true);
    let stop = world.stop.subscribe();
    run_workers(&world.store, &world.options, &time(), &Dice, stop).await;
    // Exits only when it is killed.
    assert!(!left.wait().expect("an end").success());
    assert!(matches!(other.try_wait(), Ok(None)));
    other.kill().expect("a program");
    other.wait().expect("an end");
    assert!(world.left().is_empty());
}
