//! The log of a job: what the agent prints, and what is said about it.

use std::time::Duration;

use svc_admin_api::Store;
use svc_admin_api::agent_job::{Job, MAX_LOG_BYTES};

use crate::redact::Redactor;

/// Bytes that are kept free for what is said about the agent.
const RESERVED_BYTES: usize = 64 << 10;
/// Bytes that are written at once.
const MAX_CHUNK_BYTES: usize = 64 << 10;
/// How long is waited for the store; what it does not take by then is left out.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

/// The log of one run.
pub(crate) struct Log<'a, S> {
    store: &'a S,
    job: &'a Job,
    token: &'a str,
    redactor: &'a Redactor,
    buffer: String,
    /// Bytes that the agent may still print; nothing after the note that there is more.
    remaining: Option<usize>,
    /// Whether the store said that the job belongs to another worker.
    pub(crate) lost: bool,
}

impl<'a, S: Store> Log<'a, S> {
    pub(crate) async fn open(
        store: &'a S,
        job: &'a Job,
        token: &'a str,
        secrets: &'a Redactor,
        most: usize,
    ) -> Self {
        let part = store.log(&job.project, &job.id, MAX_LOG_BYTES).await;
        let written = part.ok().flatten().map_or(0, |part| part.next);
        let room = MAX_LOG_BYTES
            .saturating_sub(RESERVED_BYTES)
            .saturating_sub(written);
        Self {
            store,
            job,
            token,
            redactor: secrets,
            buffer: String::new(),
            remaining: Some(room.min(most)),
            lost: false,
        }
    }

    /// Says something about the agent.
    pub(crate) async fn note(&mut self, text: &str) {
        let text = self.redactor.redact(text);
        self.buffer.push_str("svc: ");
        self.buffer.push_str(&text);
        self.buffer.push('\n');
        self.flush().await;
    }

    /// Takes what the agent printed; writes it when there is enough.
    pub(crate) async fn print(&mut self, text: &str) {
        let Some(left) = self.remaining else { return };
        if text.len() <= left {
            self.buffer.push_str(text);
            self.remaining = Some(left - text.len());
        } else {
            let end = text.floor_char_boundary(left);
            self.buffer.push_str(text.get(..end).unwrap_or_default());
            if !self.buffer.is_empty() && !self.buffer.ends_with('\n') {
                self.buffer.push('\n');
            }
            self.buffer
                .push_str("svc: the agent prints more than the log takes; the rest is left out\n");
            self.remaining = None;
        }
        if self.buffer.len() >= MAX_CHUNK_BYTES {
            self.flush().await;
        }
    }

    /// Writes what waits.
    pub(crate) async fn flush(&mut self) {
        if self.buffer.is_empty() || self.lost {
            return;
        }
        let text = std::mem::take(&mut self.buffer);
        let appended = self.store.append_log(&self.job.id, self.token, &text);
        if let Ok(Ok(false)) = tokio::time::timeout(STORE_TIMEOUT, appended).await {
            self.lost = true;
        }
    }
}
