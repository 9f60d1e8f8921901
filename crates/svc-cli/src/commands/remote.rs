//! Asking a running server with many projects.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use serde_json::Value;
use svc_server::Settings;

use crate::exit::Exit;

/// Where the server is.
#[derive(Debug, Args)]
pub(super) struct Server {
    /// The data folder of the server
    #[arg(long, value_name = "FOLDER", conflicts_with = "config")]
    data: Option<PathBuf>,
    /// The settings of the server, which name its data folder; without both, `server.toml`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Server {
    /// The data folder of the server.
    fn folder(&self) -> io::Result<PathBuf> {
        if let Some(data) = &self.data {
            return Ok(data.clone());
        }
        let path = self.config.as_deref().unwrap_or(Path::new("server.toml"));
        let read = Settings::from_file(path).map_err(|error| {
            let hint = if self.config.is_none() {
                "; name the data folder of the server with `--data`, or its settings with `--config`"
            } else {
                ""
            };
            io::Error::new(error.kind(), format!("{}: {error}{hint}", path.display()))
        })?;
        let problems = read.human();
        let settings = read.settings.ok_or_else(|| {
            let shown = path.display();
            io::Error::other(format!("`{shown}` has problems:\n{problems}"))
        })?;
        Ok(settings.data)
    }

    /// What the server answers. A refusal of it is printed and ends the command.
    #[cfg(unix)]
    pub(super) fn ask(&self, method: &str, path: &str, body: &Value) -> io::Result<Asked> {
        use svc_server::{ControlError, ask_server};
        match ask_server(&self.folder()?, method, path, body) {
            Ok(value) => Ok(Asked::Answer(value)),
            Err(ControlError::Refused(why)) => {
                super::complain(&format!("svc: {why}\n"));
                Ok(Asked::Refused(Exit::Problems))
            }
            Err(silent) => Err(io::Error::other(silent.to_string())),
        }
    }

    /// Servers on this system have no socket to ask.
    #[cfg(not(unix))]
    pub(super) fn ask(&self, _: &str, _: &str, _: &Value) -> io::Result<Asked> {
        self.folder()?;
        let why = "asking a running server needs a system with Unix sockets";
        Err(io::Error::other(why))
    }
}

/// What came of a question.
pub(super) enum Asked {
    /// The answer.
    Answer(Value),
    /// The server said no, and why was printed.
    Refused(Exit),
}

/// The text of a field.
pub(super) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A deployment in one line: `docs 1kq3v9x2ab live 12 pages (push, 3f2a91c, 2 min ago)`.
pub(super) fn line(deployment: &Value) -> String {
    let mut about = vec![trigger(deployment)];
    if let Some(id) = deployment.pointer("/commit/id").and_then(Value::as_str) {
        about.push(id.chars().take(7).collect());
    }
    if let Some(name) = deployment.pointer("/target/preview/name") {
        about.push(format!("preview {}", name.as_str().unwrap_or_default()));
    }
    let time = ["finished", "started", "queued"]
        .iter()
        .find_map(|name| deployment.get(*name).and_then(Value::as_u64));
    about.extend(time.map(ago));
    let summary = text(deployment, "summary");
    format!(
        "{} {} {}{}{summary} ({})",
        text(deployment, "project"),
        text(deployment, "id"),
        text(deployment, "state"),
        if summary.is_empty() { "" } else { ": " },
        about.join(", ")
    )
}

fn trigger(deployment: &Value) -> String {
    match deployment.get("trigger") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Object(rollback)) if rollback.contains_key("rollback") => {
            "roll-back".to_owned()
        }
        _ => "unknown".to_owned(),
    }
}

/// `2 min ago`, of milliseconds since 1970.
fn ago(time: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_secs());
    let seconds = now.saturating_sub(time / 1000);
    match seconds {
        0..=59 => format!("{seconds} s ago"),
        60..=3599 => format!("{} min ago", seconds / 60),
        3600..=172_799 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_deployment_fits_one_line() {
        let deployment = json!({
            "project": "docs", "id": "abc", "state": "live", "summary": "2 pages",
            "trigger": {"rollback": {"of": "abb"}}, "target": "live",
            "commit": {"id": "0123456789abcdef"}, "finished": 0
        });
        let text = line(&deployment);
        assert!(
            text.starts_with("docs abc live: 2 pages (roll-back, 0123456, "),
            "{text}"
        );
        assert!(text.ends_with(" days ago)"), "{text}");
    }
}
