//! Reports of deployments: the log and the diagnostics.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use svc_diagnostics::{Diagnostic, render_text};
use svc_site::Site;
use tracing::debug;

use super::deployer::DeployerInner;
use super::{Deployer, LogLine, Report, now};
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

impl Deployer {
    /// Log and diagnostics of a deployment; `None` if it does not exist.
    pub fn report(&self, id: &str) -> Option<Report> {
        let state = self.0.state();
        let project = state.deployments.get(id)?.project.clone();
        if let Some(report) = state.reports.get(id) {
            return Some(report.clone());
        }
        drop(state);
        Some(Report::read(&self.0.reports_dir(&project), id))
    }

    /// Adds a line to the log of a deployment, which may have finished.
    pub(crate) fn add_log_line(&self, id: &str, text: &str) {
        let mut state = self.0.state();
        if let Some(report) = state.reports.get_mut(id) {
            report.log(text);
            return;
        }
        let Some(project) = state.deployments.get(id).map(|item| item.project.clone()) else {
            return;
        };
        // Read under the lock, so that no line is added between reading and writing.
        let mut report = Report::read(&self.0.reports_dir(&project), id);
        report.log(text);
        state.reports.insert(id.to_owned(), report);
        drop(state);
        self.0.save_report(&project, id);
    }
}

impl DeployerInner {
    /// Adds a line to the log of a deployment.
    pub(super) fn log_line(&self, id: &str, text: &str) {
        debug!("{text}");
        if let Some(report) = self.state().reports.get_mut(id) {
            report.log(text);
        }
    }

    /// Writes the report of a finished deployment, with the lines that are added meanwhile, and
    /// forgets it. Only the thread that has finished the deployment or has read its report writes
    /// it; others add lines to the report in memory.
    pub(super) fn save_report(&self, project: &str, id: &str) {
        let dir = self.reports_dir(project);
        let mut saved = None;
        loop {
            let mut state = self.state();
            let Some(report) = state.reports.get(id) else {
                return;
            };
            if saved.as_ref() == Some(report) {
                state.reports.remove(id);
                return;
            }
            let report = saved.insert(report.clone());
            drop(state);
            report.write(&dir, id);
        }
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
