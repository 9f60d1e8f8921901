//! `cargo bench -p svc-tests --bench openapi_load`: loading, indexing and checking large OpenAPI
//! documents, compared with the validator of another project, which npm installs into a temporary
//! directory. Measures processor time, because the clock means little on a busy machine, and memory
//! by a counting allocator.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is the result"
)]

use std::hint::black_box;
use std::io;
use std::path::Path;
use std::process::Command;

use peak_alloc::PeakAlloc;
use svc_diagnostics::SourceFile;
use svc_openapi::ApiCatalog;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The largest documents in JSON and YAML.
const FILES: [&str; 5] = [
    "github-api.json",
    "stripe-2022-04.json",
    "cloudflare-memory-leak.json",
    "openai.yaml",
    "plaid.yaml",
];

/// The npm package of the other project.
const PEER: &str = "@scalar/openapi-parser@0.24.17";
const PEER_SCRIPT: &str = r#"
import { readFileSync } from 'node:fs'
import { validate } from '@scalar/openapi-parser'
const text = readFileSync(process.argv[2], 'utf8')
const times = []
for (let run = 0; run < 3; run++) {
  const start = process.cpuUsage()
  await validate(text)
  const used = process.cpuUsage(start)
  times.push((used.user + used.system) / 1000)
}
times.sort((a, b) => a - b)
console.log(times[0].toFixed(0), times[1].toFixed(0), (process.resourceUsage().maxRSS / 1024).toFixed(0))
"#;

fn main() -> io::Result<()> {
    let Some(dir) = svc_test_support::reference_path("corpus/specs") else {
        eprintln!("skipped: no documents next to the workspace");
        return Ok(());
    };
    let peer = peer();
    println!(
        "| document | MB | ms | memory, times the file | peer, ms (fastest, median) | peer, MB | times as fast |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for name in FILES {
        let path = dir.join(name);
        let text = std::fs::read_to_string(&path)?;
        let (bytes, file) = (text.len(), SourceFile::new(name, text));
        let mut times = Vec::new();
        let mut peak = 0.0_f64;
        for _ in 0..7 {
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let start = thread_time();
            let checked = svc_openapi::parse(&file);
            let catalog = black_box(ApiCatalog::new(checked.value.into_iter().collect()));
            times.push(thread_time() - start);
            peak = peak.max(float(MEMORY.peak_usage().saturating_sub(before)));
            drop(catalog);
        }
        times.sort_by(f64::total_cmp);
        let own = times.get(times.len() / 2).copied().unwrap_or_default() * 1e3;
        let theirs = peer
            .as_ref()
            .and_then(|dir| measure_peer(dir.path(), &path));
        let rest = match theirs {
            Some((fastest, median, memory)) => {
                format!(
                    "{fastest:.0}, {median:.0} | {memory:.0} | {:.1}",
                    fastest / own
                )
            }
            None => "- | - | -".to_owned(),
        };
        let (megabytes, times_file) = (float(bytes) / 1e6, peak / float(bytes));
        println!("| {name} | {megabytes:.1} | {own:.0} | {times_file:.1} | {rest} |");
    }
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "sizes need no more than the digits of a float"
)]
fn float(size: usize) -> f64 {
    size as f64
}

/// Returns the processor time of this thread in seconds.
#[cfg(unix)]
fn thread_time() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "a bench runs for seconds")]
    let seconds = now.tv_sec as f64 + now.tv_nsec as f64 / 1e9;
    seconds
}

#[cfg(not(unix))]
fn thread_time() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START
        .get_or_init(std::time::Instant::now)
        .elapsed()
        .as_secs_f64()
}

/// Returns a directory with the other project; `None` if npm is missing.
fn peer() -> Option<tempfile::TempDir> {
    let dir = tempfile::tempdir().ok()?;
    std::fs::write(dir.path().join("peer.mjs"), PEER_SCRIPT).ok()?;
    let output = Command::new("npm")
        .args([
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--silent",
            PEER,
        ])
        .current_dir(dir.path())
        .status();
    if output.is_ok_and(|status| status.success()) {
        return Some(dir);
    }
    eprintln!("no comparison: npm cannot fetch {PEER}");
    None
}

fn measure_peer(dir: &Path, file: &Path) -> Option<(f64, f64, f64)> {
    let output = Command::new("node")
        .arg("peer.mjs")
        .arg(file)
        .current_dir(dir)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.split_whitespace().map(str::parse);
    Some((
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
    ))
}
