//! Opens the store of the administration, and retries until it succeeds. The sites do not depend on
//! it.

use std::future::Future;
use std::time::Duration;

use svc_admin_api::StoreError;
use svc_diagnostics::{Diagnostic, DiagnosticCode, diagnostic_code, render_text};
use svc_store::{Database, OpenError};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tracing::{error, info};

use crate::Secret;

static STORE_UNREACHABLE: DiagnosticCode = diagnostic_code!(
    error,
    "admin-store",
    "the store of the administration cannot be opened"
);
static STORE_TOO_NEW: DiagnosticCode = diagnostic_code!(
    error,
    "admin-store-newer",
    "the store of the administration was written by a newer version"
);

/// Diagnostic codes of the administration.
pub static ADMIN_CODES: &[&DiagnosticCode] = &[&STORE_UNREACHABLE, &STORE_TOO_NEW];

/// First delay between two attempts; it doubles after each attempt.
const MIN_RETRY_DELAY: Duration = Duration::from_millis(500);
/// Maximum delay.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);
/// How long a start waits for the first attempt. Migrations and an unresponsive database can take
/// longer.
const START_TIMEOUT: Duration = Duration::from_secs(2);

/// A store that is being opened. Dropping it cancels the attempts.
#[derive(Debug)]
pub(super) struct StoreOpener {
    task: JoinHandle<()>,
    /// Notified after the first attempt.
    first_attempt: Option<oneshot::Receiver<()>>,
}

impl StoreOpener {
    /// Opens a store and runs `next`, and retries until both have succeeded. Logs an error only if
    /// it differs from the previous one.
    pub(super) fn begin<Next, Work>(database: &Database, url: &Secret, next: Next) -> Self
    where
        Next: Fn() -> Work + Send + 'static,
        Work: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        let (database, url) = (database.clone(), url.clone());
        let (first, tried) = oneshot::channel();
        let task = tokio::spawn(async move {
            let (mut first, mut last_error, mut pause) =
                (Some(first), String::new(), MIN_RETRY_DELAY);
            loop {
                let result = match database.open_at(url.reveal()).await {
                    Ok(()) => next().await.map_err(OpenError::Store),
                    Err(error) => Err(error),
                };
                if let Err(error) = &result {
                    let problem = problem(error, url.reveal());
                    let details = render_text(&[problem], &|_| None);
                    if details != last_error {
                        error!(details, "administration: the store cannot be opened");
                    }
                    last_error = details;
                } else if !last_error.is_empty() {
                    info!("administration: the store was opened");
                }
                if let Some(first) = first.take() {
                    // The start may have stopped waiting.
                    let _ = first.send(());
                }
                if result.is_ok() {
                    return;
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(MAX_RETRY_DELAY);
            }
        });
        Self {
            task,
            first_attempt: Some(tried),
        }
    }

    /// Waits for the first attempt, up to a timeout.
    pub(super) async fn first_attempt(&mut self) {
        if let Some(tried) = self.first_attempt.take() {
            let _ = tokio::time::timeout(START_TIMEOUT, tried).await;
        }
    }

    /// Cancels the attempts.
    pub(super) async fn end(mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
    }
}

impl Drop for StoreOpener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The diagnostic for the operator. The URL may contain a password and is not included.
fn problem(error: &OpenError, url: &str) -> Diagnostic {
    const MEANWHILE: &str = "the sites are served, and opening the store is retried";
    let cannot = |reason: &str| {
        let message = format!("the store of `[admin]` cannot be opened: {reason}");
        Diagnostic::new(&STORE_UNREACHABLE, message)
    };
    let (problem, hint) = match error {
        OpenError::NewerVersion { version, max } => {
            let message = format!(
                "the store of `[admin]` was written by a newer version of the server: it has schema version {version}, but this server supports versions up to {max}"
            );
            let hint = "upgrade the server, or restore a backup from before the upgrade";
            (Diagnostic::new(&STORE_TOO_NEW, message), hint)
        }
        OpenError::Store(StoreError::Unavailable(reason) | StoreError::Corrupt(reason)) => {
            let hint = if url.starts_with("sqlite:") {
                "check that the folder of the file exists, that the user of the server can write to both, and that the disk is not full"
            } else {
                "check that the database runs and is reachable from here, and that the user name and password are correct"
            };
            (cannot(reason), hint)
        }
        error => {
            let hint = "write `sqlite:PATH` or `postgres://USER@HOST/DATABASE`";
            (cannot(&error.to_string()), hint)
        }
    };
    problem.hint(format!("{hint}; {MEANWHILE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_diagnostic_has_a_hint_and_no_password() {
        let postgres = "postgres://svc:secret@db.example/svc";
        let reason = || StoreError::Unavailable("connection refused".to_owned());
        for (error, url, parts) in [
            (
                OpenError::Store(reason()),
                postgres,
                ["error[admin-store]", "connection refused", "database runs"],
            ),
            (
                OpenError::Store(reason()),
                "sqlite:/var/lib/svc/a.sqlite",
                [
                    "error[admin-store]",
                    "connection refused",
                    "folder of the file",
                ],
            ),
            (
                OpenError::NewerVersion { version: 9, max: 1 },
                postgres,
                ["error[admin-store-newer]", "version 9", "restore a backup"],
            ),
            (
                OpenError::InvalidUrl("no port".to_owned()),
                postgres,
                ["error[admin-store]", "no port", "postgres://USER@HOST"],
            ),
        ] {
            let text = render_text(&[problem(&error, url)], &|_| None);
            for part in parts {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert!(text.contains("the sites are served"), "{text}");
            assert!(!text.contains("secret"), "{text}");
        }
    }
}
