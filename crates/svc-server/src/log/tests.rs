//! Text and JSON, levels, and hostile values.

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tracing::{debug, error_span, info, warn};

use super::*;

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl io::Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the events of `task` write.
fn logged(options: &LogOptions, task: impl FnOnce()) -> String {
    let buffer = Buffer::default();
    let writer = buffer.clone();
    let subscriber = options.subscriber(move || writer.clone(), str::to_owned, None);
    tracing::dispatcher::with_default(&subscriber, task);
    let bytes = buffer.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

fn json() -> LogOptions {
    LogOptions {
        format: LogFormat::Json,
        ..LogOptions::default()
    }
}

/// The lines of the text format without their times.
fn without_times(text: &str) -> Vec<&str> {
    text.lines()
        .map(|line| match line.split_once("Z ") {
            Some((time, rest)) if time.starts_with("20") && time.len() > 18 => rest,
            _ => line,
        })
        .collect()
}

/// A path that tries to forge a line, to color it and to reverse it.
const HOSTILE: &str = "a\n2026-01-01T00:00:00Z ERROR \u{1b}[31mforged\r\t\u{202e}\"x\"=\u{85}";

fn log_hostile_values() {
    let span = error_span!("deployment", project = HOSTILE, id = "7").entered();
    warn!(path = HOSTILE, display = %HOSTILE, debug = ?HOSTILE, "changed {HOSTILE}");
    warn!(details = HOSTILE, "details");
    drop(span);
}

#[test]
fn hostile_values_stay_in_their_line_of_text() {
    let text = logged(&LogOptions::default(), log_hostile_values);
    let lines = without_times(&text);
    assert_eq!(lines.len(), 4, "{text}");
    assert!(
        lines[0].starts_with(" WARN changed a\u{240a}2026"),
        "{text}"
    );
    assert!(lines[0].contains("deployment{project="), "{text}");
    assert!(lines[0].ends_with(" id=7}"), "{text}");
    assert!(lines[1].starts_with(" WARN details deployment{"), "{text}");
    // The lines of details are indented, so that they cannot be taken for events.
    assert_eq!(lines[2], "  a");
    assert!(
        lines[3].starts_with("  2026-01-01T00:00:00Z ERROR "),
        "{text}"
    );
    let is_control = |c: char| c.is_control() && !"\n\t".contains(c);
    assert!(
        !text.contains(|c| is_control(c) || c == '\u{202e}'),
        "{text:?}"
    );
    assert!(text.contains("\\\"x\\\"="), "{text}");
}

#[test]
fn hostile_values_stay_in_their_line_of_json() {
    let text = logged(&json(), log_hostile_values);
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[0]["fields"]["path"], HOSTILE);
    assert_eq!(lines[0]["spans"][0]["project"], HOSTILE);
    assert!(!text.contains(['\u{1b}', '\r']), "{text:?}");
}

#[test]
fn a_line_of_json_has_the_documented_keys() {
    let text = logged(&json(), || {
        let _span = error_span!("deployment", project = "docs").entered();
        info!(count = 3, "live");
    });
    let line: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(line["level"], "INFO");
    assert_eq!(line["target"], "svc_server::log::tests");
    assert_eq!(line["fields"]["message"], "live");
    assert_eq!(line["fields"]["count"], 3);
    assert_eq!(line["spans"][0]["name"], "deployment");
    assert!(line["timestamp"].as_str().unwrap().ends_with('Z'), "{text}");
    assert_eq!(line.as_object().unwrap().len(), 5, "{text}");
}

#[test]
fn values_are_quoted_only_if_necessary() {
    let text = logged(&LogOptions::default(), || {
        info!(
            number = 5,
            plain = "a/b",
            empty = "",
            spaces = "a b",
            back = "a\\ b",
            "message"
        );
    });
    assert_eq!(
        without_times(&text),
        [r#" INFO message number=5 plain=a/b empty="" spaces="a b" back="a\\ b""#]
    );
}

#[test]
fn levels_apply_to_targets() {
    let count = |filter: &str, access: bool| {
        let options = LogOptions {
            filter: filter.parse().unwrap(),
            access,
            ..LogOptions::default()
        };
        let text = logged(&options, || {
            warn!("warn");
            info!("info");
            debug!("debug");
            debug!(target: "svc_git::fetch", "git");
            info!(target: "hyper::client", "foreign");
            info!(target: ACCESS_TARGET, "access");
        });
        let names = without_times(&text).into_iter();
        let names = names.map(|line| line.trim_start().split(' ').nth(1).unwrap().to_owned());
        names.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(count("info", false), "warn info");
    assert_eq!(count("error", false), "");
    assert_eq!(count("off", false), "");
    assert_eq!(count("debug", false), "warn info debug git");
    assert_eq!(count("warn,svc_git=debug", false), "warn git");
    assert_eq!(count("svc_git=debug", false), "warn info git");
    assert_eq!(count("info,hyper=trace", false), "warn info foreign");
    assert_eq!(count("error", true), "access");
}

#[test]
fn a_filter_is_checked() {
    for invalid in [
        "",
        "verbose",
        "INFO",
        "info,",
        "info;debug",
        "=info",
        "svc git=info",
        "svc_git=",
        "a==info",
    ] {
        let error = invalid.parse::<LogFilter>().unwrap_err().to_string();
        assert!(error.contains("write `error`"), "{invalid}: {error}");
    }
}
