//! Requests to the control socket of a running server.

use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use serde_json::Value;
use svc_diagnostics::escape_control_chars;
use svc_server::Settings;

use crate::exit::Exit;

/// Arguments that select the server.
#[derive(Debug, Args)]
pub(super) struct ServerArgs {
    /// Data folder of the server
    #[arg(long, value_name = "FOLDER", conflicts_with = "config")]
    data: Option<PathBuf>,
    /// Settings file of the server, which sets its data folder. Default: `server.toml`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ServerArgs {
    /// Data folder of the server.
    fn data_dir(&self) -> io::Result<PathBuf> {
        if let Some(data) = &self.data {
            return Ok(data.clone());
        }
        let hint = "; set the data folder of the server with `--data`, or its settings file with `--config`";
        Ok(Settings::for_command(self.config.as_deref(), hint)?.data)
    }

    /// Sends a request. A rejection by the server is printed and ends the command.
    #[cfg(unix)]
    pub(super) fn request(
        &self,
        method: &str,
        path: &str,
        body: &Value,
    ) -> io::Result<ControlReply> {
        use svc_server::{ControlError, request_server};
        match request_server(&self.data_dir()?, method, path, body) {
            Ok(value) => Ok(ControlReply::Response(value)),
            Err(ControlError::Rejected(reason)) => {
                super::output::eprint_escaped(&format!("svc: {reason}\n"));
                Ok(ControlReply::Rejected(Exit::Problems))
            }
            Err(silent) => Err(io::Error::other(silent.to_string())),
        }
    }

    /// Servers on this system have no control socket.
    #[cfg(not(unix))]
    pub(super) fn request(&self, _: &str, _: &str, _: &Value) -> io::Result<ControlReply> {
        self.data_dir()?;
        let reason = "requests to a running server require Unix sockets";
        Err(io::Error::other(reason))
    }
}

/// Result of a request.
pub(super) enum ControlReply {
    /// The response.
    Response(Value),
    /// The server rejected the request; the reason was printed.
    Rejected(Exit),
}

/// Text of a field; empty if it is missing.
pub(super) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Formats a deployment in one line: `docs 1kq3v9x2ab live 12 pages (push, 3f2a91c, 2 min ago)`.
pub(super) fn format_deployment(deployment: &Value) -> String {
    let mut about = details(deployment);
    if let Some(name) = deployment.pointer("/target/preview/name") {
        about.push(format!("preview {}", name.as_str().unwrap_or_default()));
    }
    let summary = summary(deployment);
    escape_control_chars(&format!(
        "{} {} {}{}{summary} ({})",
        text(deployment, "project"),
        text(deployment, "id"),
        text(deployment, "state"),
        if summary.is_empty() { "" } else { ": " },
        about.join(", ")
    ))
}

/// Formats a preview in one line: `feature/x live at https://x.preview.example.com/, expires in 13 days: 12 pages
/// (1kq3v9x2ab, push, 3f2a91c, 2 min ago)`.
pub(super) fn format_preview(deployment: &Value) -> String {
    let of = ["/reference/reference", "/reference/branch"];
    let of = of
        .iter()
        .find_map(|pointer| deployment.pointer(pointer)?.as_str());
    let mut line = format!("{} {}", of.unwrap_or_default(), text(deployment, "state"));
    if let Some(url) = deployment.get("address").and_then(Value::as_str) {
        line.push_str(&format!(" at {url}"));
    }
    if let Some(expires) = deployment.get("expires").and_then(Value::as_u64) {
        line.push_str(&format!(
            ", expires in {}",
            format_span(expires / 1000, now_seconds())
        ));
    }
    let summary = summary(deployment);
    if !summary.is_empty() {
        line.push_str(&format!(": {summary}"));
    }
    let mut about = vec![text(deployment, "id").to_owned()];
    about.extend(details(deployment));
    if deployment.get("foreign") == Some(&Value::Bool(true)) {
        about.push("from another repository".to_owned());
    }
    escape_control_chars(&format!("{line} ({})", about.join(", ")))
}

/// Summary and current progress of a deployment.
fn summary(deployment: &Value) -> String {
    let parts = ["summary", "progress"].map(|field| text(deployment, field));
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("; ")
}

/// Trigger, commit and time of a deployment.
fn details(deployment: &Value) -> Vec<String> {
    let mut about = vec![trigger(deployment)];
    if let Some(id) = deployment.pointer("/commit/id").and_then(Value::as_str) {
        about.push(id.chars().take(7).collect());
    }
    let time = ["finished", "started", "queued"]
        .iter()
        .find_map(|name| deployment.get(*name).and_then(Value::as_u64));
    about.extend(time.map(|time| format!("{} ago", format_span(now_seconds(), time / 1000))));
    about
}

fn trigger(deployment: &Value) -> String {
    match deployment.get("trigger") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Object(rollback)) if rollback.contains_key("rollback") => "rollback".to_owned(),
        Some(Value::Object(object)) if object.contains_key("dashboard") => {
            let by = object.get("dashboard").map(|by| text(by, "by"));
            format!("dashboard, {}", by.unwrap_or_default())
        }
        _ => "unknown".to_owned(),
    }
}

/// Seconds since 1970.
fn now_seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

/// Formats the time between two timestamps in seconds, for example `2 min`.
fn format_span(end: u64, start: u64) -> String {
    let seconds = end.saturating_sub(start);
    match seconds {
        0..=59 => format!("{seconds} s"),
        60..=3599 => format!("{} min", seconds / 60),
        3600..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_deployment_is_formatted_in_one_line() {
        let deployment = json!({
            "project": "docs", "id": "abc", "state": "live", "summary": "2 pages\u{1b}[2J",
            "trigger": {"rollback": {"of": "abb"}}, "target": "live",
            "commit": {"id": "0123456789abcdef"}, "finished": 0
        });
        let text = format_deployment(&deployment);
        assert!(
            text.starts_with("docs abc live: 2 pages␛[2J (rollback, 0123456, "),
            "{text}"
        );
        assert!(text.ends_with(" days ago)"), "{text}");
    }

    #[test]
    fn the_dashboard_user_of_a_deployment_is_shown() {
        let deployment = json!({ "trigger": {"dashboard": {"by": "anna"}} });
        assert!(format_deployment(&deployment).contains("(dashboard, anna)"));
    }

    #[test]
    fn the_progress_follows_the_summary() {
        for (summary, progress, expected) in [
            ("", "building the site", ": building the site ("),
            (
                "2 pages",
                "prerendering page 1 of 2",
                ": 2 pages; prerendering page 1 of 2 (",
            ),
        ] {
            let deployment = json!({ "summary": summary, "progress": progress });
            let text = format_deployment(&deployment);
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_preview_is_formatted_with_branch_url_and_expiry() {
        let expires = (now_seconds() + 13 * 86_400 + 60) * 1000;
        let mut preview = json!({
            "project": "docs", "id": "abc", "state": "live", "summary": "2 pages",
            "trigger": "push", "target": {"preview": {"name": "feature-x"}},
            "reference": {"branch": "feature/x"}, "finished": now_seconds() * 1000,
            "address": "https://feature-x.preview.example/", "expires": expires
        });
        assert_eq!(
            format_preview(&preview),
            "feature/x live at https://feature-x.preview.example/, expires in 13 days: 2 pages (abc, push, 0 s ago)"
        );
        preview["reference"] = json!({"reference": "refs/pull/12/head"});
        preview["foreign"] = json!(true);
        let text = format_preview(&preview);
        assert!(text.starts_with("refs/pull/12/head live at "), "{text}");
        assert!(
            text.ends_with("0 s ago, from another repository)"),
            "{text}"
        );
    }
}
