//! Rebuilds a served folder on every change.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use svc_diagnostics::{Diagnostic, Severity, render_text};
use svc_site::{Changes, LoadOptions, Site};
use tracing::{error, info, warn};

use crate::SiteHandle;
use crate::live::LiveReload;
use crate::summary::counts;

/// Maximum number of changed pages whose diagnostics are listed in the terminal.
const MAX_PAGES: usize = 5;
/// Maximum number of attempts to replace the site without a concurrent replacement.
const MAX_ATTEMPTS: usize = 5;

/// State of a folder that is served and edited.
pub(crate) struct Reloader {
    pub(crate) current: SiteHandle,
    pub(crate) live: Option<LiveReload>,
    pub(crate) root: PathBuf,
    /// Changes that are not in the current site because the rebuild failed.
    pending: Changes,
    /// Whether pages were notified that the rebuild failed.
    reported_broken: bool,
    /// Diagnostics that were already reported.
    reported: Vec<ReportedDiagnostic>,
}

/// Result of a rebuild, for the log.
#[derive(Debug, Default)]
pub(crate) struct ReloadOutcome {
    message: String,
    /// Rendered diagnostics.
    details: String,
    /// Whether the site was not replaced.
    failed: bool,
}

impl ReloadOutcome {
    /// A rebuild without diagnostics to report.
    fn reloaded(message: String) -> Self {
        Self {
            message,
            ..Self::default()
        }
    }

    /// Logs the result: a failure as an error, new diagnostics as a warning.
    pub(crate) fn log(&self) {
        let (message, details) = (&*self.message, &*self.details);
        match details {
            _ if self.failed => error!(details, "{message}"),
            "" => info!("{message}"),
            details => warn!(details, "{message}"),
        }
    }
}

/// The site was replaced during the rebuild.
struct ReplacedError;

/// A diagnostic without its line, because other edits move it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ReportedDiagnostic(&'static str, Option<Arc<str>>, String);

impl ReportedDiagnostic {
    fn of(diagnostic: &Diagnostic) -> Self {
        let file = diagnostic.location.as_ref().map(|at| Arc::clone(&at.file));
        Self(diagnostic.code.id, file, diagnostic.message.clone())
    }
}

impl Reloader {
    /// `known` contains the diagnostics that were already reported.
    pub(crate) fn new(
        current: SiteHandle,
        live: Option<LiveReload>,
        root: PathBuf,
        known: &[Diagnostic],
    ) -> Self {
        Self {
            current,
            live,
            root,
            pending: Changes::none(),
            reported_broken: false,
            reported: known.iter().map(ReportedDiagnostic::of).collect(),
        }
    }

    /// Rebuilds the site. `None` if there is nothing to report.
    pub(crate) fn change(
        &mut self,
        changes: Changes,
        options: &LoadOptions,
    ) -> Option<ReloadOutcome> {
        let start = Instant::now();
        self.pending.merge(changes);
        // Other tasks rebuild the site rarely; the rebuild is then retried with their result.
        for _ in 0..MAX_ATTEMPTS {
            let before = self.current.get();
            if let Ok(outcome) = self.try_reload(&before, options, start) {
                return outcome;
            }
        }
        None
    }

    /// One attempt.
    fn try_reload(
        &mut self,
        before: &Arc<Site>,
        options: &LoadOptions,
        start: Instant,
    ) -> Result<Option<ReloadOutcome>, ReplacedError> {
        let result = match svc_site::reload(before, &self.root, &self.pending, options) {
            Ok(result) => result,
            Err(error) => {
                return Ok(Some(ReloadOutcome {
                    message: format!("The site was not reloaded: {error}"),
                    details: String::new(),
                    failed: true,
                }));
            }
        };
        let (site, mut diagnostics) = (Arc::new(result.value), result.diagnostics);
        let differences = site.tree.differences(&before.tree);
        let names: Vec<&str> = differences.iter().map(|(path, _)| &**path).collect();
        if diagnostics
            .iter()
            .any(|diagnostic| is_blocking(&site, diagnostic))
        {
            if let Some(live) = &self.live {
                live.report_blocked(&site, &diagnostics);
            }
            self.reported_broken = true;
            diagnostics.retain(|diagnostic| is_blocking(&site, diagnostic));
            return Ok(Some(ReloadOutcome {
                message: "The site was not reloaded.".to_owned(),
                details: render_text(&diagnostics, &|path| site.text_of(path)),
                failed: true,
            }));
        }
        if names.is_empty() && !self.reported_broken {
            self.pending = Changes::none();
            return Ok(None);
        }
        if !self.current.replace(before, Arc::clone(&site)) {
            return Err(ReplacedError);
        }
        self.pending = Changes::none();
        let was_broken = std::mem::take(&mut self.reported_broken);
        let took = start.elapsed();
        if let Some(live) = &self.live {
            let names = names.iter().map(|name| (*name).to_owned());
            live.changed(&site, &diagnostics, &Changes::Paths(names.collect()));
        }
        if names.is_empty() {
            self.reported = diagnostics.iter().map(ReportedDiagnostic::of).collect();
            let reloaded = || format!("The site was reloaded: {}", state(&diagnostics));
            return Ok(was_broken.then(|| ReloadOutcome::reloaded(reloaded())));
        }
        for path in pages(&site, &names) {
            diagnostics.extend(site.problems(path));
        }
        let mut new = diagnostics.clone();
        new.retain(|diagnostic| !self.reported.contains(&ReportedDiagnostic::of(diagnostic)));
        self.reported = diagnostics.iter().map(ReportedDiagnostic::of).collect();
        let label = match names.as_slice() {
            [only] => (*only).to_owned(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
            [] => String::new(),
        };
        Ok(Some(ReloadOutcome {
            message: format!(
                "changed {label}: {} ms, {}",
                took.as_millis(),
                state(&diagnostics)
            ),
            details: render_text(&new, &|path| site.text_of(path)),
            failed: false,
        }))
    }
}

fn state(diagnostics: &[Diagnostic]) -> String {
    counts(diagnostics).unwrap_or_else(|| "no problems".to_owned())
}

/// Whether a diagnostic blocks the new site: if there is no site without it, or if `docs.json` is
/// invalid, because a half-written `docs.json` results in a different site.
fn is_blocking(site: &Site, diagnostic: &Diagnostic) -> bool {
    let is_config = |file: &str| {
        let config = svc_site::config_file(&site.tree);
        config.is_some_and(|config| **config.path() == *file)
    };
    let location = diagnostic.location.as_ref();
    diagnostic.severity == Severity::Fatal
        || (diagnostic.code.id == "data-syntax" && location.is_some_and(|at| is_config(&at.file)))
}

/// The pages that are defined by some files.
fn pages<'a>(site: &'a Site, names: &[&str]) -> Vec<&'a str> {
    let routes = site.map.routes.values();
    let changed = routes.filter(|route| {
        let page = site.page_of(route);
        page.is_some_and(|page| names.contains(&&*page.path))
    });
    changed
        .take(MAX_PAGES)
        .map(|route| route.path.as_str())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
      "navigation": {"pages": ["index"]}}"##;

    #[test]
    fn diagnostics_and_their_fixes_are_reported() {
        let dir = tempfile::tempdir().expect("it can be made");
        let write = |path: &str, bytes: &[u8]| {
            fs::write(dir.path().join(path), bytes).expect("it can be written");
        };
        write("docs.json", CONFIG.as_bytes());
        write("index.mdx", b"Text.\n");
        let options = LoadOptions::default();
        let loaded = svc_site::load(dir.path(), &options).expect("it can be read");
        let current = SiteHandle::new(Arc::new(loaded.value));
        let root = dir.path().to_owned();
        let mut reloading = Reloader::new(current.clone(), None, root, &loaded.diagnostics);
        let mut change = |path: &str, bytes: &[u8]| {
            write(path, bytes);
            let mut changes = Changes::none();
            changes.add(path.to_owned());
            let outcome = reloading.change(changes, &options).unwrap_or_default();
            format!("{}{}", outcome.details, outcome.message)
        };
        let text = change("index.mdx", b"Caf\xe9.\n");
        assert!(
            text.contains("source-not-utf8") && text.contains("index.mdx:1:4"),
            "{text}"
        );
        assert!(current.get().page("/").is_some());
        let text = change("index.mdx", "Café.\n".as_bytes());
        assert!(
            text.starts_with("changed index.mdx: ") && text.ends_with("no problems"),
            "{text}"
        );
        let text = change("docs.json", CONFIG.trim_end_matches('}').as_bytes());
        assert!(text.ends_with("The site was not reloaded."), "{text}");
        let text = change("docs.json", CONFIG.as_bytes());
        assert_eq!(text, "The site was reloaded: no problems");
    }
}
