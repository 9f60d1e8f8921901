//! Files that are rewritten while they are watched.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::deployments::rig::{Harness, Reader, read_whole, times};

/// Reads the site while `task` changes the folder; returns inconsistencies.
fn watched(rig: &Harness, task: impl FnOnce(&dyn Fn(usize))) {
    let program = rig.start();
    let mut reader = Reader::new(program.addr).unwrap();
    let end = Instant::now() + Duration::from_secs(120);
    while read_whole(&mut reader, "/p0").is_err() {
        assert!(Instant::now() < end);
        thread::sleep(Duration::from_millis(20));
        reader = Reader::new(program.addr).unwrap();
    }
    let stop = AtomicBool::new(false);
    let requests = AtomicUsize::new(0);
    let wrong: Mutex<Vec<String>> = Mutex::default();
    thread::scope(|scope| {
        for at in 0..4 {
            let (stop, requests, wrong) = (&stop, &requests, &wrong);
            let addr = program.addr;
            scope.spawn(move || {
                let mut reader = Reader::new(addr).unwrap();
                for turn in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let path = format!("/p{}", (at * 7 + turn * 11) % rig.pages);
                    if let Err(reason) = read_whole(&mut reader, &path) {
                        wrong.lock().unwrap().push(reason);
                        reader = Reader::new(addr).unwrap();
                    }
                    requests.fetch_add(4, Ordering::Relaxed);
                }
            });
        }
        task(&|number| {
            let end = Instant::now() + Duration::from_secs(120);
            let mut reader = Reader::new(program.addr).unwrap();
            while read_whole(&mut reader, "/p0") != Ok(number) {
                assert!(Instant::now() < end, "{number} is not served");
                thread::sleep(Duration::from_millis(20));
            }
        });
        stop.store(true, Ordering::Relaxed);
    });
    let all = program.request("GET", "/deployments?project=docs");
    let all = all["deployments"].as_array().unwrap();
    let failed = all.iter().filter(|item| item["state"] == "failed").count();
    println!(
        "{} requests, {} wrong, {} deployments, {failed} failed",
        requests.into_inner(),
        wrong.lock().unwrap().len(),
        all.len()
    );
    assert_eq!(wrong.into_inner().unwrap(), Vec::<String>::new());
    assert_eq!(failed, 0, "{all:?}");
}

#[test]
fn files_that_are_rewritten_one_by_one_are_deployed_together() {
    let rig = Harness::new(times("SVC_REWRITES", 60));
    rig.settings(true);
    watched(&rig, |served| {
        for number in 1..4 {
            for (name, text) in rig.files(number) {
                let path = rig.docs().join(name);
                // In two steps, like some editors.
                fs::write(&path, "").unwrap();
                fs::write(&path, text).unwrap();
            }
            served(number);
        }
    });
}

fn git(dir: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_checkout_is_deployed_after_git_finishes() {
    let rig = Harness::new(times("SVC_REWRITES", 60));
    rig.settings(true);
    let docs = rig.docs();
    git(&docs, &["init", "-q", "-b", "one"]);
    git(&docs, &["add", "."]);
    git(&docs, &["commit", "-q", "-m", "one"]);
    git(&docs, &["checkout", "-q", "-b", "two"]);
    rig.write(1);
    git(&docs, &["commit", "-q", "-a", "-m", "two"]);
    git(&docs, &["checkout", "-q", "one"]);
    watched(&rig, |served| {
        for number in [1, 0, 1] {
            git(
                &docs,
                &["checkout", "-q", if number == 0 { "one" } else { "two" }],
            );
            served(number);
        }
        // A command that runs for longer.
        fs::write(docs.join(".git/index.lock"), "").unwrap();
        rig.write(2);
        thread::sleep(Duration::from_millis(1500));
        rig.write(3);
        fs::remove_file(docs.join(".git/index.lock")).unwrap();
        served(3);
    });
}
