//! Workers: claim and run jobs one after the other.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use svc_admin_api::{Clock, JobId, Random, Store, StoreError};
use tokio::sync::watch;

use crate::run::{Run, RunOutcome};
use crate::stop::wait_for_stop;
use crate::{Options, lease, workspace};

/// Runs jobs until `stop` is set. Running agents are then terminated within the grace period, and
/// their jobs are released for other workers.
pub async fn run_workers<S: Store>(
    store: &S,
    options: &Options,
    clock: &dyn Clock,
    random: &dyn Random,
    stop: watch::Receiver<bool>,
) {
    let dir = options.workspace_dir.clone();
    let _ = tokio::task::spawn_blocking(move || workspace::remove_stale(&dir)).await;
    let worker = |_| run_worker(store, options, clock, random, &stop);
    join_all((0..options.concurrency.max(1)).map(worker)).await;
}

async fn run_worker<S: Store>(
    store: &S,
    options: &Options,
    clock: &dyn Clock,
    random: &dyn Random,
    stop: &watch::Receiver<bool>,
) {
    let mut reported = String::new();
    while !*stop.borrow() {
        match run_once(store, options, clock, random, stop).await {
            Ok(Some(_)) => {
                reported.clear();
                continue;
            }
            Ok(None) => reported.clear(),
            Err(error) => {
                // A repeated error is not reported again.
                let text = format!("cannot claim an agent job: {error}");
                if text != reported {
                    (options.report)(&text);
                    reported = text;
                }
            }
        }
        tokio::select! {
            () = tokio::time::sleep(options.poll_interval) => {}
            () = options.wake.notified() => {}
            () = wait_for_stop(stop) => {}
        }
    }
}

/// Claims a job, if there is one, and runs it to its end.
///
/// # Errors
/// When the store does not return a job because of an error.
pub async fn run_once<S: Store>(
    store: &S,
    options: &Options,
    clock: &dyn Clock,
    random: &dyn Random,
    stop: &watch::Receiver<bool>,
) -> Result<Option<(JobId, RunOutcome)>, StoreError> {
    let now = clock.now();
    let lease = lease::new_lease(random, now, options.lease_ttl)
        .map_err(|error| StoreError::Unavailable(error.to_string()))?;
    let Some(job) = store.claim(&lease, now).await? else {
        return Ok(None);
    };
    let run = Run {
        store,
        options,
        clock,
        random,
        stop,
        job: &job,
        token: &lease.token,
    };
    let (project, id) = (&job.project, &job.id);
    (options.report)(&format!("{project}: agent job {id} started"));
    let ended = run.run().await;
    let how = match &ended {
        RunOutcome::Completed(Some(link)) => format!("completed: {link}"),
        RunOutcome::Completed(None) => "completed without changes".to_owned(),
        RunOutcome::Failed(why) => format!("failed: {why}"),
        RunOutcome::Lost => "canceled, or claimed by another worker".to_owned(),
        RunOutcome::Released => "released for another worker".to_owned(),
    };
    (options.report)(&format!("{project}: agent job {id} {how}"));
    Ok(Some((job.id.clone(), ended)))
}

/// Runs futures concurrently to completion.
async fn join_all<F: Future<Output = ()>>(futures: impl Iterator<Item = F>) {
    let mut left: Vec<Pin<Box<F>>> = futures.map(Box::pin).collect();
    poll_fn(|context| {
        left.retain_mut(|future| future.as_mut().poll(context).is_pending());
        match left.is_empty() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    })
    .await;
}
