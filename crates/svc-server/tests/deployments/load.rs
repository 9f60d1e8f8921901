//! Requests are not affected by deployments.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::deployments::rig::{Harness, Reader, read_whole, times};

const READERS: usize = 32;
/// Duration of the load before the first deployment.
const QUIET: Duration = Duration::from_secs(3);

#[test]
fn no_request_fails_and_no_page_mixes_two_deployments() {
    let rig = Harness::new(20);
    let program = rig.start();
    assert_eq!(program.deploy()["deployment"]["state"], "live");
    let deployments = times("SVC_DEPLOYMENTS", 5);
    // 200 deployments take 300 s.
    let every = Duration::from_millis(1500);
    let stop = AtomicBool::new(false);
    let (requests, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong: Mutex<Vec<String>> = Mutex::default();
    // Pages with their files before and after the first deployment.
    let quiet: Mutex<Vec<Duration>> = Mutex::default();
    let deploying: Mutex<Vec<Duration>> = Mutex::default();
    let begin = Instant::now() + QUIET;
    thread::scope(|scope| {
        for at in 0..READERS {
            let (rig, stop, requests, seen, wrong) = (&rig, &stop, &requests, &seen, &wrong);
            let (quiet, deploying) = (&quiet, &deploying);
            let addr = program.addr;
            scope.spawn(move || {
                let mut reader = Reader::new(addr).unwrap();
                let (mut last, mut before, mut after) = (0, Vec::new(), Vec::new());
                for turn in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let path = format!("/p{}", (at + turn) % rig.pages);
                    let start = Instant::now();
                    let response = read_whole(&mut reader, &path);
                    let times = if start < begin {
                        &mut before
                    } else {
                        &mut after
                    };
                    times.push(start.elapsed());
                    match response {
                        Ok(number) if number >= last => last = number,
                        Ok(number) => wrong.lock().unwrap().push(format!("{last} then {number}")),
                        Err(reason) => {
                            wrong.lock().unwrap().push(reason);
                            reader = Reader::new(addr).unwrap();
                        }
                    }
                    requests.fetch_add(4, Ordering::Relaxed);
                    seen.fetch_max(last, Ordering::Relaxed);
                }
                quiet.lock().unwrap().append(&mut before);
                deploying.lock().unwrap().append(&mut after);
            });
        }
        thread::sleep(QUIET);
        for number in 1..=deployments {
            let next = begin + every * u32::try_from(number).unwrap();
            rig.write(number);
            let reply = program.deploy();
            let state = reply["deployment"]["state"].clone();
            if state != "live" {
                wrong.lock().unwrap().push(reply.to_string());
            }
            thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        stop.store(true, Ordering::Relaxed);
    });
    println!(
        "{deployments} deployments in {:.0} s, {READERS} connections, {} requests, newest number seen {}, {} wrong; 99 of 100 pages with their files within {:?}, without deployments {:?}",
        begin.elapsed().as_secs_f64(),
        requests.into_inner(),
        seen.load(Ordering::Relaxed),
        wrong.lock().unwrap().len(),
        slowest_but_one_in_100(deploying),
        slowest_but_one_in_100(quiet),
    );
    assert_eq!(wrong.into_inner().unwrap(), Vec::<String>::new());
    assert!(seen.into_inner() >= deployments - 1);
}

fn slowest_but_one_in_100(times: Mutex<Vec<Duration>>) -> Duration {
    let mut times = times.into_inner().unwrap();
    times.sort_unstable();
    times[times.len() * 99 / 100]
}
