//! Workers: claim and run jobs one after the other.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use svc_admin_api::{Clock, JobId, Random, Store, StoreError};
use tokio::sync::watch;
use tracing::{Instrument as _, error, error_span, info, warn};

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
    let mut logged = String::new();
    while !*stop.borrow() {
        match run_once(store, options, clock, random, stop).await {
            Ok(Some(_)) => {
                logged.clear();
                continue;
            }
            Ok(None) => logged.clear(),
            Err(error) => {
                // A repeated error is logged once.
                let text = format!("cannot claim an agent job: {error}");
                if text != logged {
                    error!("{text}");
                    logged = text;
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
    let (project, id) = (job.project.as_str(), job.id.as_str());
    // At the level of errors, so that all events in it name the job.
    let span = error_span!("job", project, id);
    let outcome = async {
        info!("agent job {id} started");
        let running = options.counters.begin();
        let outcome = run.run().await;
        running.end(&outcome);
        match &outcome {
            RunOutcome::Completed(Some(link)) => info!("agent job {id} completed: {link}"),
            RunOutcome::Completed(None) => info!("agent job {id} completed without changes"),
            RunOutcome::Failed(reason) => warn!("agent job {id} failed: {reason}"),
            RunOutcome::Lost => info!("agent job {id} canceled, or claimed by another worker"),
            RunOutcome::Released => info!("agent job {id} released for another worker"),
        }
        outcome
    };
    let outcome = outcome.instrument(span).await;
    Ok(Some((job.id.clone(), outcome)))
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
