//! Opens the store of an administration, and tries again as long as it cannot be opened: the sites
//! do not need it.

use std::future::Future;
use std::time::Duration;

use svc_admin_api::StoreError;
use svc_diagnostics::{Diagnostic, DiagnosticCode, render_text};
use svc_store::{Database, OpenError};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::{LogFn, Secret};

/// A store that is not there.
static STORE_UNREACHABLE: DiagnosticCode = DiagnosticCode::error(
    "admin-store",
    "the store of the administration cannot be opened",
);
/// A store with tables that this program does not know.
static STORE_TOO_NEW: DiagnosticCode = DiagnosticCode::error(
    "admin-store-newer",
    "a newer program has written the store of the administration",
);

/// All codes of the administration.
pub static ADMIN_CODES: &[&DiagnosticCode] = &[&STORE_UNREACHABLE, &STORE_TOO_NEW];

/// The first pause between two tries; each is twice as long as the one before.
const MIN_RETRY_DELAY: Duration = Duration::from_millis(500);
/// The longest one.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);
/// How long a start waits for the first try. New tables take longer, and so does a database that
/// does not answer.
const START_TIMEOUT: Duration = Duration::from_secs(2);

/// A store that is being opened. Dropping it ends the tries.
#[derive(Debug)]
pub(super) struct StoreOpener {
    task: JoinHandle<()>,
    /// Told after the first try.
    first_attempt: Option<oneshot::Receiver<()>>,
}

impl StoreOpener {
    /// Opens a store and does what comes next, until both have succeeded once. Says why it does
    /// not, when that is something new.
    pub(super) fn begin<Next, Work>(
        database: &Database,
        address: &Secret,
        next: Next,
        tell: &LogFn,
    ) -> Self
    where
        Next: Fn() -> Work + Send + 'static,
        Work: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        let (database, address, tell) = (database.clone(), address.clone(), LogFn::clone(tell));
        let (first, tried) = oneshot::channel();
        let task = tokio::spawn(async move {
            let (mut first, mut told, mut pause) = (Some(first), String::new(), MIN_RETRY_DELAY);
            loop {
                let opened = match database.open_at(address.expose()).await {
                    Ok(()) => next().await.map_err(OpenError::Store),
                    Err(error) => Err(error),
                };
                if let Err(error) = &opened {
                    let problem = problem(error, address.expose());
                    let text = render_text(&[problem], &|_| None).trim_end().to_owned();
                    if text != told {
                        tell(&text);
                    }
                    told = text;
                } else if !told.is_empty() {
                    tell("administration: the store is open now");
                }
                if let Some(first) = first.take() {
                    // The start may have given up waiting.
                    let _ = first.send(());
                }
                if opened.is_ok() {
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

    /// Waits for the first try, and not for long.
    pub(super) async fn first_attempt(&mut self) {
        if let Some(tried) = self.first_attempt.take() {
            let _ = tokio::time::timeout(START_TIMEOUT, tried).await;
        }
    }

    /// Ends the tries.
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

/// What the operator hears. The address may hold a password and is not in it.
fn problem(error: &OpenError, address: &str) -> Diagnostic {
    const MEANWHILE: &str =
        "the sites are served meanwhile, and the store is tried again from time to time";
    let cannot = |why: &str| {
        let message = format!("the store of `[admin]` cannot be opened: {why}");
        Diagnostic::new(&STORE_UNREACHABLE, message)
    };
    let (problem, hint) = match error {
        OpenError::NewerVersion { found, known } => {
            let message = format!(
                "the store of `[admin]` was written by a newer program: it has version {found}, and this program knows versions up to {known}"
            );
            let hint = "start the program that wrote it or a newer one, or restore a backup from \
                        before the upgrade";
            (Diagnostic::new(&STORE_TOO_NEW, message), hint)
        }
        OpenError::Store(StoreError::Unavailable(why) | StoreError::Corrupt(why)) => {
            let hint = if address.starts_with("sqlite:") {
                "make sure that the folder of the file is there, that the user of the server may \
                 write to both, and that the disk has room"
            } else {
                "make sure that the database runs and can be reached from here, and that name and \
                 password are right"
            };
            (cannot(why), hint)
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
    fn a_problem_says_what_to_do_and_no_password() {
        let postgres = "postgres://svc:secret@db.example/svc";
        let why = || StoreError::Unavailable("connection refused".to_owned());
        for (error, address, parts) in [
            (
                OpenError::Store(why()),
                postgres,
                ["error[admin-store]", "connection refused", "database runs"],
            ),
            (
                OpenError::Store(why()),
                "sqlite:/var/lib/svc/a.sqlite",
                [
                    "error[admin-store]",
                    "connection refused",
                    "folder of the file",
                ],
            ),
            (
                OpenError::NewerVersion { found: 9, known: 1 },
                postgres,
                ["error[admin-store-newer]", "version 9", "restore a backup"],
            ),
            (
                OpenError::InvalidUrl("no port".to_owned()),
                postgres,
                ["error[admin-store]", "no port", "postgres://USER@HOST"],
            ),
        ] {
            let text = render_text(&[problem(&error, address)], &|_| None);
            for part in parts {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert!(text.contains("the sites are served"), "{text}");
            assert!(!text.contains("secret"), "{text}");
        }
    }
}
