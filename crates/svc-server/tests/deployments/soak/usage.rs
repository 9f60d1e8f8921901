//! What a process uses, from `/proc`.

use std::fmt;
use std::fs;
use std::path::Path;

/// Difference of descriptors, threads and processes that is noise: connections come and go.
const NOISE: f64 = 12.0;
/// Ratio of the memory in the last third to that in the second third.
const MAX_GROWTH: f64 = 1.1;

/// A sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usage {
    /// Resident memory in MB.
    memory: f64,
    descriptors: f64,
    threads: f64,
    /// Child processes.
    children: f64,
    /// Size of the data directory in MB.
    disk: f64,
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.1} MB resident, {:.0} descriptors, {:.0} threads, {:.0} child processes, {:.1} MB of data",
            self.memory, self.descriptors, self.threads, self.children, self.disk
        )
    }
}

impl Usage {
    /// Reads the figures of a process and the size of its data directory.
    pub(super) fn read(process: u32, data: &Path) -> Self {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let field = |name: &str| -> f64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|rest| rest.split_whitespace().next());
            number.unwrap().parse().unwrap()
        };
        let descriptors = fs::read_dir(format!("/proc/{process}/fd")).unwrap();
        Self {
            memory: field("VmRSS:") * 1024.0 / 1e6,
            descriptors: descriptors.count() as f64,
            threads: field("Threads:"),
            children: children(process) as f64,
            disk: size(data) as f64 / 1e6,
        }
    }
}

/// Number of child processes, also of those that nobody has waited for.
fn children(process: u32) -> usize {
    let parent = process.to_string();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok())
        .filter(|stat| {
            // The name in parentheses can contain spaces.
            let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
            rest.split_whitespace().nth(1) == Some(&parent)
        })
        .count()
}

/// Bytes of all files of a directory.
fn size(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some(if metadata.is_dir() {
                size(&entry.path())
            } else {
                metadata.len()
            })
        })
        .sum()
}

/// Reads a figure of a sample.
type Figure = fn(&Usage) -> f64;

fn mean(samples: &[Usage], value: impl Fn(&Usage) -> f64) -> f64 {
    samples.iter().map(value).sum::<f64>() / samples.len() as f64
}

/// Compares the last third of the samples with the second one; memory only in a long run, because
/// it takes a while until every cache is filled.
pub(super) fn assert_flat(samples: &[Usage], is_long: bool) {
    let third = samples.len() / 3;
    assert!(third > 5, "{} samples", samples.len());
    let second = samples.get(third..2 * third).unwrap();
    let last = samples.get(2 * third..).unwrap();
    let figures: [(&str, Figure); 3] = [
        ("descriptors", |usage| usage.descriptors),
        ("threads", |usage| usage.threads),
        ("child processes", |usage| usage.children),
    ];
    for (name, value) in figures {
        let (before, after) = (mean(second, value), mean(last, value));
        println!("{name}: {before:.1}, then {after:.1}");
        assert!((after - before).abs() <= NOISE, "{name}: {before}, {after}");
    }
    let value = |usage: &Usage| usage.memory;
    let (before, after) = (mean(second, value), mean(last, value));
    println!("memory: {before:.1} MB, then {after:.1} MB");
    assert!(
        !is_long || after <= before * MAX_GROWTH,
        "memory: {before}, {after}"
    );
}
