//! Figures of the live sites: caches, rendering and problems.

use svc_site::{CacheStatistics, Site};

use super::catalog;
use super::output::Output;

/// Adds the figures of the live site of a project.
pub(super) fn collect(project: &str, site: &Site, out: &mut Output) {
    let statistics = site.statistics();
    out.sample(&catalog::PAGES, &[project], site.map.routes.len() as f64);
    collect_cache(project, "pages", &statistics.pages, out);
    collect_cache(project, "responses", &statistics.responses, out);
    out.sample(
        &catalog::RENDERED,
        &[project],
        statistics.pages.misses as f64,
    );
    let seconds = statistics.render_time.as_secs_f64();
    out.sample(&catalog::RENDER_DURATION, &[project], seconds);
    for (severity, count) in [
        ("error", statistics.problems.errors),
        ("warning", statistics.problems.warnings),
    ] {
        out.sample(&catalog::PROBLEMS, &[project, severity], count as f64);
    }
}

fn collect_cache(project: &str, cache: &str, figures: &CacheStatistics, out: &mut Output) {
    for (result, count) in [("hit", figures.hits), ("miss", figures.misses)] {
        let labels = [project, cache, result];
        out.sample(&catalog::CACHE_LOOKUPS, &labels, count as f64);
    }
    let labels = [project, cache];
    out.sample(&catalog::CACHE_BYTES, &labels, figures.bytes as f64);
    out.sample(&catalog::CACHE_ENTRIES, &labels, figures.entries as f64);
}
