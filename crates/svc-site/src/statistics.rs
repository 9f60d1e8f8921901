//! Numbers of rendered pages and of lookups in the caches of a site.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use svc_diagnostics::{Diagnostic, Severity};

use crate::site::Site;

/// Figures of a cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheStatistics {
    /// Lookups that found an entry.
    pub hits: u64,
    /// Lookups after which the entry was made.
    pub misses: u64,
    /// Bytes of all entries.
    pub bytes: u64,
    /// Entries.
    pub entries: u64,
}

/// Numbers of diagnostics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProblemCounts {
    /// Errors and fatal problems.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
}

impl ProblemCounts {
    pub(crate) fn of(diagnostics: &[Diagnostic]) -> Self {
        let mut counts = Self::default();
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Fatal | Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Info => {}
            }
        }
        counts
    }

    fn add(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
    }
}

/// Figures of a site. The numbers of lookups and renderings also count those of the sites before
/// it from which it was updated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteStatistics {
    /// Rendered pages. A miss renders the page, on request or ahead of it.
    pub pages: CacheStatistics,
    /// Other generated responses, such as Markdown and lists for programs. Files of the repository
    /// are not counted.
    pub responses: CacheStatistics,
    /// Time that rendering pages took, summed over all threads.
    pub render_time: Duration,
    /// Problems of the files, with those of pages that have been rendered.
    pub problems: ProblemCounts,
}

/// Lookups in a cache. Counting is a relaxed atomic operation.
#[derive(Debug, Default)]
pub(crate) struct LookupCounters {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl LookupCounters {
    pub(crate) fn hit(&self) {
        self.hits.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    fn read(&self) -> CacheStatistics {
        CacheStatistics {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            ..CacheStatistics::default()
        }
    }
}

/// What a site and its successors count.
#[derive(Debug, Default)]
pub(crate) struct SiteCounters {
    pub(crate) pages: LookupCounters,
    pub(crate) responses: Arc<LookupCounters>,
    render_micros: AtomicU64,
}

impl SiteCounters {
    /// Runs `render` and counts a page that was not in memory.
    pub(crate) fn rendering<T>(&self, render: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let page = render();
        let micros = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.render_micros.fetch_add(micros, Ordering::Relaxed);
        self.pages.miss();
        page
    }
}

impl Site {
    /// Figures of the caches. Visits every page and waits for the locks of the caches, so it is
    /// for monitoring and not for requests.
    pub fn statistics(&self) -> SiteStatistics {
        let entries = self.slots.iter().filter(|slot| slot.page.get().is_some());
        let others = [
            self.responses.size(),
            self.schema_fragments.size(),
            self.playground_specs.size(),
        ];
        let mut problems = self.load_problems;
        for summary in self.slots.iter().filter_map(|slot| slot.summary.get()) {
            problems.add(ProblemCounts::of(&summary.diagnostics));
        }
        SiteStatistics {
            problems,
            pages: CacheStatistics {
                bytes: self.cached_bytes.load(Ordering::Relaxed) as u64,
                entries: entries.count() as u64,
                ..self.counters.pages.read()
            },
            responses: CacheStatistics {
                bytes: others.iter().map(|size| size.0 as u64).sum(),
                entries: others.iter().map(|size| size.1 as u64).sum(),
                ..self.counters.responses.read()
            },
            render_time: Duration::from_micros(self.counters.render_micros.load(Ordering::Relaxed)),
        }
    }
}
