//! A cold build: processor time and peak memory of `svc build` and of the other generators that are
//! installed, on the same Markdown, in turns.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::peers::{PEERS, Peer, Section, sections};
use crate::{BenchRepository, Row};

/// Numbers of pages.
const SIZES: &[usize] = &[100, 1_000];
const LARGE_SIZES: &[usize] = &[5_000, 25_000];
/// How often each program builds a size.
const ROUNDS: usize = 5;
/// A program that takes longer than this at one size is skipped at the next.
const BUILD_TIMEOUT: Duration = Duration::from_secs(120);

/// One build.
struct BuildRun {
    processor: Duration,
    wall: Duration,
    /// Peak memory in megabytes.
    memory: u64,
}

pub(crate) fn cold(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    compare(SIZES, rows)
}

pub(crate) fn cold_large(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    compare(LARGE_SIZES, rows)
}

fn compare(sizes: &[usize], rows: &mut Vec<Row>) -> io::Result<()> {
    let mut peers: Vec<&Peer> = PEERS
        .iter()
        .copied()
        .filter(|peer| peer.build.is_some() && peer.program().is_some())
        .collect();
    for count in sizes {
        let pages = sections(*count);
        let mut runs: Vec<(&Peer, Vec<BuildRun>)> =
            peers.iter().map(|peer| (*peer, Vec::new())).collect();
        for _ in 0..ROUNDS {
            for (peer, runs) in &mut runs {
                runs.push(build(peer, &pages)?);
            }
        }
        for (peer, mut runs) in runs {
            runs.sort_by_key(|run| run.processor);
            let memory = runs.iter().map(|run| run.memory).max().unwrap_or(0);
            let (Some(min), Some(max)) = (runs.first(), runs.last()) else {
                continue;
            };
            let Some(run) = runs.get(runs.len() / 2) else {
                continue;
            };
            if run.wall > BUILD_TIMEOUT {
                peers.retain(|other| other.name != peer.name);
            }
            rows.push(Row {
                name: format!("cold build, {count} pages, {}", peer.name),
                figure: format!("{:.2} s", run.processor.as_secs_f64()),
                detail: format!(
                    "of processors ({:.2} to {:.2}), {:.2} s by the clock, {memory} MB; {ROUNDS} runs in turns",
                    min.processor.as_secs_f64(),
                    max.processor.as_secs_f64(),
                    run.wall.as_secs_f64(),
                ),
            });
        }
    }
    Ok(())
}

/// Writes the project to an empty directory, so that no program reuses earlier output, and builds
/// it.
fn build(peer: &Peer, pages: &[Section]) -> io::Result<BuildRun> {
    let dir = tempfile::tempdir()?;
    let (project, out) = (dir.path().join("project"), dir.path().join("out"));
    fs::create_dir_all(&project)?;
    (peer.write)(&project, pages)?;
    let failed = || io::Error::other(format!("{} did not build", peer.name));
    let arguments = peer.build.ok_or_else(failed)?(&project, &out);
    let mut command = peer.command(arguments).ok_or_else(failed)?;
    let used = || crate::processor_time_of_children().unwrap_or_default();
    let (begin, before) = (Instant::now(), used());
    let mut child = command.spawn()?;
    let mut memory = 0;
    let status = loop {
        let peak = crate::status_of(&child.id().to_string(), "VmHWM:");
        memory = peak.unwrap_or(0).max(memory);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        thread::sleep(Duration::from_millis(5));
    };
    if !status.success() || !has_pages(&out, pages) {
        return Err(failed());
    }
    Ok(BuildRun {
        processor: used().saturating_sub(before),
        wall: begin.elapsed(),
        memory: memory / 1024,
    })
}

/// Returns whether the last page was written, as a file or as a directory with an index.
fn has_pages(out: &Path, pages: &[Section]) -> bool {
    let last = pages.last().and_then(|section| section.pages.last());
    last.is_some_and(|page| {
        [
            format!("{}.html", page.path),
            format!("{}/index.html", page.path),
        ]
        .iter()
        .any(|file| out.join(file).is_file())
    })
}
