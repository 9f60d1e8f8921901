//! When files were changed last, as the history of the repository has it.

use std::collections::BTreeMap;
use std::io::{BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Bytes of history that are read; older changes are left out.
const MAX_HISTORY: u64 = 256 << 20;
/// How long the history may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Begins a line that holds a day; no path can.
const MARK: char = '\u{1}';

/// The day of the last change of every file below a folder, `2026-03-05`, by its path from there.
/// Nothing where there is no history, or no Git to read it.
pub(crate) fn days(root: &Path) -> BTreeMap<String, String> {
    // Settings of the repository must not make reading its history run anything.
    let child = Command::new("git")
        .arg("-C")
        .arg(root)
        .args([
            "-c",
            "log.showSignature=false",
            "-c",
            "core.quotePath=false",
        ])
        .args([
            "-c",
            "core.fsmonitor=false",
            "--no-pager",
            "log",
            "--no-ext-diff",
        ])
        .args(["--no-textconv", "--no-renames", "--relative", "--name-only"])
        .args([
            "--date=format:%Y-%m-%d",
            "--format=%x01%cd",
            "-z",
            "--",
            ".",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return BTreeMap::new();
    };
    let (send, receive) = mpsc::channel();
    let output = child.stdout.take();
    let reader = thread::spawn(move || {
        let days = output.map(|output| read(BufReader::new(output.take(MAX_HISTORY))));
        // Nobody listens when it took too long.
        let _ = send.send(days.unwrap_or_default());
    });
    let days = receive.recv_timeout(PATIENCE).unwrap_or_default();
    let _ = child.kill();
    let _ = child.wait();
    let _ = reader.join();
    days
}

/// Days and paths from the history, the newest change first.
fn read(mut history: impl std::io::BufRead) -> BTreeMap<String, String> {
    let mut days = BTreeMap::new();
    let mut day = String::new();
    let mut part = Vec::new();
    while history.read_until(0, &mut part).is_ok_and(|read| read > 0) {
        let text = String::from_utf8_lossy(&part);
        let text = text.trim_matches(['\0', '\n']);
        match text.strip_prefix(MARK) {
            // The first path of a change follows its day after a line break.
            Some(rest) => {
                let (own, path) = rest.split_once('\n').unwrap_or((rest, ""));
                day = own.to_owned();
                note(&mut days, path, &day);
            }
            None => note(&mut days, text, &day),
        }
        part.clear();
    }
    days
}

fn note(days: &mut BTreeMap<String, String>, path: &str, day: &str) {
    let path = path.trim_matches('\n');
    if !path.is_empty() && day.len() == 10 && !days.contains_key(path) {
        days.insert(path.to_owned(), day.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_change_of_a_file_counts() {
        let history = "\u{1}2026-03-05\0\na b.mdx\0c.mdx\0\u{1}2025-01-01\0\nc.mdx\0d.mdx\0";
        let days = read(history.as_bytes());
        let of = |path: &str| days.get(path).map(String::as_str);
        assert_eq!(of("a b.mdx"), Some("2026-03-05"));
        assert_eq!(of("c.mdx"), Some("2026-03-05"));
        assert_eq!(of("d.mdx"), Some("2025-01-01"));
        assert_eq!(read(&b"garbage\0\xff\xfe"[..]), BTreeMap::new());
    }

    #[test]
    fn a_folder_without_history_has_no_days() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(days(folder.path()), BTreeMap::new());
    }

    #[test]
    #[expect(clippy::print_stderr, reason = "a skipped test says so")]
    fn days_come_from_the_history_of_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(folder.path()).args(arguments);
            command.env("GIT_COMMITTER_DATE", "2024-05-06T12:00:00Z");
            command.output().is_ok_and(|output| output.status.success())
        };
        if !git(&["init", "-q"]) {
            eprintln!("skipped: there is no git");
            return;
        }
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).expect("a folder");
        std::fs::write(docs.join("ä b.mdx"), "text").expect("a file");
        assert!(git(&["add", "."]));
        let author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        assert!(git(&[&author[..], &["commit", "-q", "-m", "one"]].concat()));
        let days = days(&docs);
        assert_eq!(days.get("ä b.mdx").map(String::as_str), Some("2024-05-06"));
    }
}
