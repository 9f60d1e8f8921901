//! Reports of deployments: the log and the diagnostics.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use svc_diagnostics::{Diagnostic, render_text};
use svc_site::Site;

use super::{LogLine, Report, now};
use crate::data_files;

/// Maximum number of log lines.
const MAX_LINES: usize = 500;
/// Maximum length of a log line in bytes.
const MAX_LINE_BYTES: usize = 2000;
/// Maximum number of diagnostics.
const MAX_DIAGNOSTICS: usize = 1000;
/// Maximum size of the formatted diagnostics in bytes.
const MAX_TEXT_BYTES: usize = 512 << 10;
/// Maximum size of a report file in bytes.
const MAX_REPORT_BYTES: u64 = 16 << 20;

impl Report {
    /// Adds a line to the log.
    pub(super) fn log(&mut self, text: &str) {
        if self.log.len() < MAX_LINES {
            self.log.push(LogLine {
                time: now(),
                text: truncate(text, MAX_LINE_BYTES).to_owned(),
            });
        }
    }

    /// Adds diagnostics up to the limit.
    pub(super) fn add(&mut self, diagnostics: &[Diagnostic], site: Option<&Site>) {
        let Value::Array(known) = &mut self.diagnostics else {
            self.diagnostics = Value::Array(Vec::new());
            return self.add(diagnostics, site);
        };
        let capacity = MAX_DIAGNOSTICS.saturating_sub(known.len());
        let new = diagnostics.get(..capacity).unwrap_or(diagnostics);
        if let Value::Array(new) = svc_diagnostics::render_json(new) {
            known.extend(new);
        }
        let text = render_text(new, &|path| site.and_then(|site| site.text_of(path)));
        let capacity = MAX_TEXT_BYTES.saturating_sub(self.problems.len());
        self.problems.push_str(truncate(&text, capacity));
    }

    /// Reads the report of a deployment; an empty one if it does not exist.
    pub(super) fn read(dir: &Path, id: &str) -> Self {
        let path = file(dir, id);
        let fits = fs::metadata(&path).is_ok_and(|meta| meta.len() <= MAX_REPORT_BYTES);
        let text = fits.then(|| fs::read(&path).ok()).flatten();
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// Writes the report. A failure is ignored, because the deployment does not depend on it.
    pub(super) fn write(&self, dir: &Path, id: &str) {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let _ = fs::create_dir_all(dir).and_then(|()| data_files::replace(&file(dir, id), &text));
    }

    /// Removes the report.
    pub(super) fn remove(dir: &Path, id: &str) {
        let _ = fs::remove_file(file(dir, id));
    }
}

fn file(dir: &Path, id: &str) -> PathBuf {
    dir.join(format!("{id}.json"))
}

/// Prefix of a text with at max `max` bytes, cut at a character boundary.
pub(super) fn truncate(text: &str, max: usize) -> &str {
    let mut end = max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
