//! Figures of the process, from `/proc`.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use super::catalog;
use super::output::Output;

/// Time of a clock in seconds since the Unix epoch.
pub(super) fn unix_seconds(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0.0, |age| age.as_secs_f64())
}

pub(super) fn collect(out: &mut Output) {
    if let Some(stat) = fs::read_to_string("/proc/self/stat").ok().as_deref() {
        collect_stat(stat, out);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        // Without the one that lists them.
        let count = open.count().saturating_sub(1);
        out.sample(&catalog::DESCRIPTORS, &[], count as f64);
    }
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        if let Some(limit) = getrlimit(Resource::Nofile).current {
            out.sample(&catalog::MAX_DESCRIPTORS, &[], limit as f64);
        }
    }
}

/// Fields of `/proc/self/stat`; see proc_pid_stat(5).
fn collect_stat(stat: &str, out: &mut Output) {
    // The name of the program is in parentheses and can contain spaces.
    let Some((_, rest)) = stat.rsplit_once(')') else {
        return;
    };
    // The first field is the third one of the manual page.
    let fields: Vec<f64> = rest
        .split_whitespace()
        .map(|field| field.parse().unwrap_or_default())
        .collect();
    let field = |number: usize| fields.get(number - 3).copied().unwrap_or_default();
    #[cfg(unix)]
    {
        let ticks = rustix::param::clock_ticks_per_second() as f64;
        let page = rustix::param::page_size() as f64;
        out.sample(&catalog::CPU, &[], (field(14) + field(15)) / ticks);
        out.sample(&catalog::MEMORY, &[], field(24) * page);
    }
    out.sample(&catalog::THREADS, &[], field(20));
}
