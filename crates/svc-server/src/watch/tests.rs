//! The directory of a test is watched by the operating system of the test.

use std::fs;
use std::time::{Duration, Instant};

use super::*;

/// Waits until all these names were reported, and returns all changes.
fn wait_for_changes(watching: &mut DirWatcher, names: &[&str]) -> Changes {
    let shutdown = Arc::new(AtomicBool::new(false));
    let (stop, end) = (
        Arc::clone(&shutdown),
        Instant::now() + Duration::from_secs(20),
    );
    let clock = thread::spawn(move || {
        while Instant::now() < end && !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        stop.store(true, Ordering::Relaxed);
    });
    let mut all = Changes::none();
    while let Some(changes) = watching.next(&shutdown) {
        all.merge(changes);
        let has = |name: &&str| match &all {
            Changes::Paths(paths) => paths.contains(*name),
            Changes::Unknown => true,
        };
        if names.iter().all(has) {
            break;
        }
    }
    shutdown.store(true, Ordering::Relaxed);
    clock.join().expect("the clock ends");
    all
}

fn names(changes: &Changes) -> Vec<&str> {
    match changes {
        Changes::Paths(paths) => paths.iter().map(String::as_str).collect(),
        Changes::Unknown => vec!["?"],
    }
}

#[test]
fn changes_in_new_dirs_are_reported() {
    let dir = tempfile::tempdir().expect("it can be made");
    let root = dir.path();
    fs::create_dir_all(root.join("node_modules/deep")).expect("it can be made");
    fs::create_dir_all(root.join("guides")).expect("it can be made");
    let mut watching = DirWatcher::new(root);
    assert!(watching.watcher.is_some());
    fs::write(root.join("node_modules/deep/x.mdx"), "x").expect("it can be written");
    fs::write(root.join("guides/a.mdx"), "a").expect("it can be written");
    let changes = wait_for_changes(&mut watching, &["guides/a.mdx"]);
    assert_eq!(names(&changes), ["guides/a.mdx"]);
    fs::create_dir_all(root.join("new/inner")).expect("it can be made");
    assert!(names(&wait_for_changes(&mut watching, &["new"])).contains(&"new"));
    fs::write(root.join("new/inner/b.mdx"), "b").expect("it can be written");
    wait_for_changes(&mut watching, &["new/inner/b.mdx"]);
    // Changes are reported with the new name.
    fs::rename(root.join("new"), root.join("other")).expect("it can be renamed");
    wait_for_changes(&mut watching, &["new", "other"]);
    fs::write(root.join("other/inner/b.mdx"), "b2").expect("it can be written");
    let changes = wait_for_changes(&mut watching, &["other/inner/b.mdx"]);
    assert!(!names(&changes).contains(&"new/inner/b.mdx"), "{changes:?}");
}

#[test]
fn a_burst_of_events_is_reported_once() {
    let dir = tempfile::tempdir().expect("it can be made");
    let root = dir.path();
    let mut watching = DirWatcher::new(root);
    for at in 0..6_000 {
        fs::write(root.join(format!("{}.mdx", at % 600)), at.to_string()).expect("written");
    }
    fs::write(root.join("last.mdx"), "last").expect("it can be written");
    let changes = wait_for_changes(&mut watching, &["last.mdx"]);
    let count = match &changes {
        Changes::Paths(paths) => paths.len(),
        Changes::Unknown => 0,
    };
    assert!(count == 0 || count == 601, "{count}");
}

#[test]
fn an_unwatchable_dir_is_polled() {
    let dir = tempfile::tempdir().expect("it can be made");
    let root = dir.path();
    let mut watching = DirWatcher::new(root);
    watching.fall_back_to_polling(&notify::Error::new(notify::ErrorKind::MaxFilesWatch));
    let excuse = watching.fallback_reason.clone().unwrap_or_default();
    assert!(excuse.contains("max_user_watches"), "{excuse}");
    fs::write(root.join("a.mdx"), "a").expect("it can be written");
    assert_eq!(names(&wait_for_changes(&mut watching, &["a.mdx"])), ["?"]);
    // Everything that the loader reads is watched, even if it is ignored elsewhere.
    for name in ["target/b.mdx", ".snippets/c.mdx", ".well-known/d.json"] {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, "e").expect("it can be written");
        assert_eq!(
            names(&wait_for_changes(&mut watching, &[name])),
            ["?"],
            "{name}"
        );
    }
    fs::write(root.join(".svcignore"), "!build/\n").expect("it can be written");
    wait_for_changes(&mut watching, &[".svcignore"]);
    fs::create_dir(root.join("build")).expect("it can be made");
    fs::write(root.join("build/f.mdx"), "f").expect("it can be written");
    assert_eq!(
        names(&wait_for_changes(&mut watching, &["build/f.mdx"])),
        ["?"]
    );
    let before = fingerprint(&watching.root);
    fs::create_dir(root.join("node_modules")).expect("it can be made");
    fs::write(root.join("node_modules/g.mdx"), "g").expect("it can be written");
    assert_eq!(fingerprint(&watching.root), before);
}

#[cfg(target_os = "linux")]
#[test]
fn an_overflow_reports_everything_and_rewatches_all_dirs() {
    let dir = tempfile::tempdir().expect("it can be made");
    let root = dir.path().canonicalize().expect("it is there");
    let mut watching = DirWatcher::new(&root);
    let watcher = watching.watcher.as_mut().expect("the system tells");
    // Simulates lost events.
    notify::Watcher::unwatch(watcher, &root).expect("it was watched");
    fs::create_dir_all(root.join("new/inner")).expect("it can be made");
    let lost = Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan);
    let pending = Arc::clone(&watching.pending);
    pending.record(|changes| record_event(changes, &root, Ok(lost)));
    assert_eq!(names(&wait_for_changes(&mut watching, &["new"])), ["?"]);
    fs::write(root.join("new/inner/b.mdx"), "b").expect("it can be written");
    let changes = wait_for_changes(&mut watching, &["new/inner/b.mdx"]);
    assert_eq!(names(&changes), ["new/inner/b.mdx"]);
}
