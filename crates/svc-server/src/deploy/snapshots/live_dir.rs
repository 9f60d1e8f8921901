//! Snapshots of a folder that is modified concurrently.

use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use svc_source::LoadOptions;

use super::copy::{CopyError, MAX_TOTAL_BYTES, copy};
use super::fingerprint::{fingerprint, git_lock};
use super::{FetchSourceError, Snapshot, Snapshots};
use crate::data_files::storage_hint;

/// How long the folder must be unchanged. A program that writes many files may itself pause.
const QUIET_INTERVAL: Duration = Duration::from_millis(200);
/// How long to wait until the folder is unchanged.
pub(super) const SETTLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Copies the files of a site as they were at one moment: the folder was unchanged for a while
/// before the copy and did not change during it.
pub(crate) fn snapshot_dir(
    root: &Path,
    into: &Snapshots,
    log: &dyn Fn(&str),
) -> Result<Snapshot, FetchSourceError> {
    within(root, into, log, SETTLE_TIMEOUT)
}

/// As [`snapshot_dir`], with a timeout.
pub(super) fn within(
    root: &Path,
    into: &Snapshots,
    log: &dyn Fn(&str),
    timeout: Duration,
) -> Result<Snapshot, FetchSourceError> {
    let begin = Instant::now();
    let mut is_logged = false;
    loop {
        let reason = match attempt(root, into) {
            Ok(snapshot) => return Ok(snapshot),
            Err(SnapshotError::Failed(sentence)) => return Err(FetchSourceError(sentence)),
            Err(SnapshotError::Busy(reason)) => reason,
        };
        if begin.elapsed() >= timeout {
            return Err(FetchSourceError(format!(
                "{reason} (waited {} s); deploy again when no files change",
                timeout.as_secs()
            )));
        }
        if !is_logged {
            log(&format!("waiting: {reason}"));
            is_logged = true;
        }
        thread::sleep(QUIET_INTERVAL);
    }
}

enum SnapshotError {
    /// The folder is being modified.
    Busy(String),
    /// An error that a retry does not fix.
    Failed(String),
}

fn attempt(root: &Path, into: &Snapshots) -> Result<Snapshot, SnapshotError> {
    check_idle(root)?;
    let options = LoadOptions::default();
    let list = || {
        let shown = root.display();
        svc_source::list(root, &options).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => SnapshotError::Failed(format!(
                "the folder `{shown}` does not exist; check `folder` of the project"
            )),
            _ => SnapshotError::Failed(format!("cannot read the folder `{shown}`: {error}")),
        })
    };
    let changes = || SnapshotError::Busy("the files of the folder are changing".to_owned());
    let first = fingerprint(&list()?.value);
    thread::sleep(QUIET_INTERVAL);
    let listing = list()?;
    if fingerprint(&listing.value) != first {
        return Err(changes());
    }
    let mut diagnostics = listing.diagnostics;
    let storage = |error: io::Error| {
        SnapshotError::Failed(format!(
            "cannot write the snapshot: {error}; {}",
            storage_hint(&error)
        ))
    };
    let partial = into.begin().map_err(storage)?;
    let before = into.newest();
    let copied = copy(
        &listing.value,
        partial.path(),
        before.as_deref(),
        &mut diagnostics,
    );
    let key = copied.map_err(|stopped| match stopped {
        CopyError::Changed => changes(),
        CopyError::Large => SnapshotError::Failed(format!(
            "the files of the folder exceed the limit of {} GB; exclude some with `.svcignore`",
            MAX_TOTAL_BYTES >> 30
        )),
        CopyError::Write(error) => storage(error),
    })?;
    if fingerprint(&list()?.value) != first {
        return Err(changes());
    }
    check_idle(root)?;
    let dir = into.finalize(partial, &key).map_err(storage)?;
    Ok(Snapshot {
        dir,
        key,
        commit: None,
        dates: None,
        diagnostics,
    })
}

/// Fails if a Git command is running.
fn check_idle(root: &Path) -> Result<(), SnapshotError> {
    git_lock(root).map_or(Ok(()), |lock| {
        Err(SnapshotError::Busy(format!(
            "a Git command is running in the folder or was interrupted: `{}` exists",
            lock.display()
        )))
    })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    struct Scene {
        _base: tempfile::TempDir,
        root: std::path::PathBuf,
        outside: std::path::PathBuf,
        snapshots: Snapshots,
    }

    impl Scene {
        fn new() -> Self {
            let base = tempfile::tempdir().unwrap();
            let path = base.path().canonicalize().unwrap();
            let (root, external) = (path.join("docs"), path.join("outside"));
            fs::create_dir(&root).unwrap();
            fs::create_dir(&external).unwrap();
            fs::write(external.join("secret.mdx"), "SECRET").unwrap();
            let snapshots = Snapshots::open(&path.join("snapshots")).unwrap();
            Self {
                _base: base,
                root,
                outside: external,
                snapshots,
            }
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn take(&self) -> Snapshot {
            snapshot_dir(&self.root, &self.snapshots, &|_| ()).unwrap()
        }
    }

    fn names(dir: &Path) -> Vec<String> {
        let listing = svc_source::list(dir, &LoadOptions::default()).unwrap();
        let files = listing.value.files;
        files.iter().map(|file| file.name.to_string()).collect()
    }

    #[test]
    fn a_snapshot_contains_the_site_files_and_is_named_by_its_hash() {
        let scene = Scene::new();
        scene.write("docs.json", "{}");
        scene.write("a/b.mdx", "one");
        scene.write("node_modules/x.js", "no");
        scene.write("drafts/c.mdx", "no");
        scene.write(".svcignore", "drafts/\n");
        scene.write(".git/config", "no");
        let first = scene.take();
        assert_eq!(names(&first.dir), [".svcignore", "a/b.mdx", "docs.json"]);
        assert!(!first.dir.join(".git").exists());
        assert_eq!(scene.take().key, first.key);
        scene.write("a/b.mdx", "two");
        let second = scene.take();
        assert_ne!(second.key, first.key);
        assert_eq!(
            fs::read_to_string(first.dir.join("a/b.mdx")).unwrap(),
            "one"
        );
        scene.write("a/b.mdx", "one");
        assert_eq!(scene.take().key, first.key);
    }

    #[test]
    fn snapshots_share_equal_files() {
        use std::os::unix::fs::MetadataExt as _;
        let scene = Scene::new();
        let large = "x".repeat(3 << 20);
        for (name, text) in [
            ("a/same.mdx", "same"),
            ("b.mdx", "one"),
            ("large.txt", &large),
        ] {
            scene.write(name, text);
        }
        let first = scene.take();
        scene.write("b.mdx", "two");
        // A changed modification time alone does not change the snapshot.
        scene.write("a/same.mdx", "same");
        let second = scene.take();
        let number =
            |snapshot: &Snapshot, name: &str| fs::metadata(snapshot.dir.join(name)).unwrap().ino();
        assert_eq!(number(&first, "a/same.mdx"), number(&second, "a/same.mdx"));
        assert_ne!(number(&first, "b.mdx"), number(&second, "b.mdx"));
        let text =
            |snapshot: &Snapshot, name: &str| fs::read_to_string(snapshot.dir.join(name)).unwrap();
        assert_eq!(
            (text(&first, "b.mdx"), text(&second, "b.mdx")),
            ("one".into(), "two".into())
        );
        assert_eq!(text(&second, "large.txt"), large);
        drop(scene.snapshots.withdraw(|key| key == second.key).unwrap());
        assert_eq!(text(&second, "a/same.mdx"), "same");
    }

    #[test]
    fn only_regular_files_inside_the_root_are_read() {
        let scene = Scene::new();
        scene.write("real/a.mdx", "a");
        symlink(scene.outside.join("secret.mdx"), scene.root.join("s.mdx")).unwrap();
        symlink("../outside", scene.root.join("out")).unwrap();
        symlink("real", scene.root.join("again")).unwrap();
        symlink(".", scene.root.join("real/loop")).unwrap();
        let pipe = std::process::Command::new("mkfifo")
            .args(["pipe.mdx", ".svcignore"].map(|name| scene.root.join(name)))
            .status();
        assert!(pipe.unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(scene.root.join("s.json")).unwrap();
        let snapshot = scene.take();
        assert_eq!(names(&snapshot.dir), ["again/a.mdx", "real/a.mdx"]);
        assert_eq!(snapshot.diagnostics.len(), 2, "{:?}", snapshot.diagnostics);
    }

    #[test]
    fn a_path_replaced_by_a_symlink_is_never_followed() {
        let scene = Scene::new();
        scene.write("a/secret.mdx", "fine");
        let listing = svc_source::list(&scene.root, &LoadOptions::default()).unwrap();
        // The directory is replaced after it was listed.
        fs::rename(scene.root.join("a"), scene.root.join("b")).unwrap();
        symlink(&scene.outside, scene.root.join("a")).unwrap();
        let partial = scene.snapshots.begin().unwrap();
        let copied = copy(&listing.value, partial.path(), None, &mut Vec::new());
        assert!(matches!(copied, Err(CopyError::Changed)));
        // The file is removed after it was listed.
        fs::remove_file(scene.root.join("a")).unwrap();
        fs::create_dir(scene.root.join("a")).unwrap();
        let secret = scene.outside.join("secret.mdx");
        symlink(secret, scene.root.join("a/secret.mdx")).unwrap();
        let copied = copy(&listing.value, partial.path(), None, &mut Vec::new());
        assert!(matches!(copied, Err(CopyError::Changed)));
    }

    #[test]
    #[expect(clippy::print_stdout, reason = "a long run quotes its numbers")]
    fn symlinks_swapped_during_reads_do_not_leak_outside_files() {
        let scene = Scene::new();
        scene.write("a/secret.mdx", "fine");
        scene.write("docs.json", "{}");
        let stop = AtomicBool::new(false);
        let tries: usize = std::env::var("SVC_RACE_TRIES")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(500);
        thread::scope(|scope| {
            scope.spawn(|| {
                let (real, away) = (scene.root.join("a"), scene.root.join("z"));
                let link = scene.root.join("l");
                while !stop.load(Ordering::Relaxed) {
                    fs::rename(&real, &away).unwrap();
                    symlink(&scene.outside, &link).unwrap();
                    fs::rename(&link, &real).unwrap();
                    fs::remove_file(&real).unwrap();
                    fs::rename(&away, &real).unwrap();
                }
            });
            let mut copied = 0;
            for _ in 0..tries {
                let listing = svc_source::list(&scene.root, &LoadOptions::default()).unwrap();
                let partial = scene.snapshots.begin().unwrap();
                let is_ok = copy(&listing.value, partial.path(), None, &mut Vec::new()).is_ok();
                copied += usize::from(is_ok);
                for name in names(partial.path()) {
                    let text = fs::read_to_string(partial.path().join(&name)).unwrap();
                    assert!(!text.contains("SECRET"), "{name}");
                }
            }
            stop.store(true, Ordering::Relaxed);
            println!("{tries} tries, {copied} copies, no byte from outside");
        });
    }

    #[test]
    fn a_running_git_command_delays_a_snapshot_and_a_stale_lock_is_reported() {
        let scene = Scene::new();
        scene.write("docs.json", "{}");
        scene.write(".git/index.lock", "");
        let lines = std::sync::Mutex::new(Vec::new());
        let log = |line: &str| lines.lock().unwrap().push(line.to_owned());
        let timeout = Duration::from_millis(200);
        let failed = within(&scene.root, &scene.snapshots, &log, timeout).unwrap_err();
        assert!(failed.0.contains("index.lock"), "{failed}");
        assert_eq!(lines.lock().unwrap().len(), 1);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(200));
                fs::remove_file(scene.root.join(".git/index.lock")).unwrap();
            });
            assert!(snapshot_dir(&scene.root, &scene.snapshots, &log).is_ok());
        });
    }

    #[test]
    fn files_of_a_running_git_command_are_read_after_it_ends() {
        let scene = Scene::new();
        for n in 0..50 {
            scene.write(&format!("{n}.mdx"), "old");
        }
        scene.write(".git/index.lock", "");
        thread::scope(|scope| {
            scope.spawn(|| {
                for n in 0..50 {
                    scene.write(&format!("{n}.mdx"), "");
                    thread::sleep(Duration::from_millis(4));
                    scene.write(&format!("{n}.mdx"), "new");
                }
                fs::remove_file(scene.root.join(".git/index.lock")).unwrap();
            });
            let snapshot = scene.take();
            for n in 0..50 {
                let text = fs::read_to_string(snapshot.dir.join(format!("{n}.mdx"))).unwrap();
                assert_eq!(text, "new", "{n}");
            }
        });
    }

    /// Rewrites a file without changing its length and modification time.
    fn rewrite(path: &Path, text: &str) {
        let before = fs::metadata(path).unwrap();
        assert_eq!(before.len(), text.len() as u64);
        // The time stamps of a file system have a limited resolution.
        thread::sleep(Duration::from_millis(20));
        fs::write(path, text).unwrap();
        let times = fs::FileTimes::new().set_modified(before.modified().unwrap());
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_times(times).unwrap();
    }

    #[test]
    fn an_edit_with_equal_length_and_mtime_is_detected() {
        let scene = Scene::new();
        scene.write("a.mdx", "1.2.3");
        let path = scene.root.join("a.mdx");
        let look = || super::super::fingerprint_dir(&scene.root, &LoadOptions::default()).unwrap();
        let first = look();
        assert_eq!(look(), first);
        rewrite(&path, "1.2.4");
        let second = look();
        assert_ne!(second, first);
        // Replaced by another file.
        scene.write("b", "1.2.5");
        let times =
            fs::FileTimes::new().set_modified(fs::metadata(&path).unwrap().modified().unwrap());
        let other = fs::File::options()
            .write(true)
            .open(scene.root.join("b"))
            .unwrap();
        other.set_times(times).unwrap();
        fs::rename(scene.root.join("b"), &path).unwrap();
        assert_ne!(look(), second);
    }

    #[test]
    fn a_file_rewritten_during_the_copy_is_not_in_a_snapshot() {
        let scene = Scene::new();
        let length = 3 << 20;
        scene.write("large.txt", &"1".repeat(length));
        let listing = svc_source::list(&scene.root, &LoadOptions::default()).unwrap();
        let partial = scene.snapshots.begin().unwrap();
        // A named pipe blocks the copy in the middle.
        let pipe = partial.path().join("large.txt");
        let status = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(status.unwrap().success());
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut end = fs::File::open(&pipe).unwrap();
                let mut first = [0];
                io::Read::read_exact(&mut end, &mut first).unwrap();
                rewrite(&scene.root.join("large.txt"), &"2".repeat(length));
                io::copy(&mut end, &mut io::sink()).unwrap();
            });
            let copied = copy(&listing.value, partial.path(), None, &mut Vec::new());
            assert!(matches!(copied, Err(CopyError::Changed)));
        });
    }

    #[test]
    fn a_missing_dir_is_reported() {
        let scene = Scene::new();
        let failed = snapshot_dir(&scene.root.join("x"), &scene.snapshots, &|_| ()).unwrap_err();
        assert!(failed.0.contains("does not exist"), "{failed}");
        assert!(
            failed.0.ends_with("check `folder` of the project"),
            "{failed}"
        );
    }
}
