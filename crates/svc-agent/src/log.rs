//! Log of a job: output of the agent, and notes of the worker.

use std::time::Duration;

use svc_admin_api::Store;
use svc_admin_api::agent_job::{Job, MAX_LOG_BYTES};

use crate::redact::Redactor;

/// Bytes that are reserved for notes.
const RESERVED_BYTES: usize = 64 << 10;
/// Size of a chunk in bytes.
const MAX_CHUNK_BYTES: usize = 64 << 10;
/// Timeout for the store; a chunk that is not written in time is dropped.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

/// Log of a run.
pub(crate) struct Log<'a, S> {
    store: &'a S,
    job: &'a Job,
    token: &'a str,
    redactor: &'a Redactor,
    buffer: String,
    /// Number of bytes that the agent may still print; `None` after the note that output is
    /// dropped.
    remaining: Option<usize>,
    /// Whether the store reported that the lease is lost.
    pub(crate) lost: bool,
}

impl<'a, S: Store> Log<'a, S> {
    pub(crate) async fn open(
        store: &'a S,
        job: &'a Job,
        token: &'a str,
        secrets: &'a Redactor,
        max_bytes: usize,
    ) -> Self {
        let part = store.log(&job.project, &job.id, MAX_LOG_BYTES).await;
        let length = part.ok().flatten().map_or(0, |part| part.next);
        let capacity = MAX_LOG_BYTES
            .saturating_sub(RESERVED_BYTES)
            .saturating_sub(length);
        Self {
            store,
            job,
            token,
            redactor: secrets,
            buffer: String::new(),
            remaining: Some(capacity.min(max_bytes)),
            lost: false,
        }
    }

    /// Adds a note about the agent.
    pub(crate) async fn note(&mut self, text: &str) {
        let text = self.redactor.redact(text);
        self.buffer.push_str("svc: ");
        self.buffer.push_str(&text);
        self.buffer.push('\n');
        self.flush().await;
    }

    /// Adds output of the agent and writes full chunks.
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
                .push_str("svc: the output exceeds the limit of the log; the rest is omitted\n");
            self.remaining = None;
        }
        if self.buffer.len() >= MAX_CHUNK_BYTES {
            self.flush().await;
        }
    }

    /// Writes pending text.
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
