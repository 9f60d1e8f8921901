//! `cargo xtask bench [NAME…]`: performance measurements. Names: `mdx`, `config`, `render`,
//! `openapi`, `build`, `requests`, `readers`, `forbidden`, `start`, `nav`, `store`, `admin`; and,
//! which run only by name, `edit`, `cold` and `cold-large` (compared with the other programs on the `PATH`),
//! `mcp`, `lsp` (a language server), `serve` (compared with nginx), `connections` (memory of idle ones), `scale` (many sites
//! and servers) and `bombs`. Every figure is the median of counted runs; nothing is asserted.
//! `search` is a separate benchmark: see `search/main.rs`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is the result"
)]

mod admin;
mod cold;
mod config;
mod connections;
mod corpus;
mod edit;
mod forbidden;
mod load;
mod lsp;
mod mcp;
mod mdx;
mod nav;
mod openapi;
mod peers;
mod readers;
mod render;
mod scale;
mod serve;
mod store;
mod store_fixture;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use svc_tests::http::Client;
use svc_tests::loaded_site::{LoadedSite, threads};
use svc_tests::{server, sites};

/// A row of the table.
struct Row {
    name: String,
    figure: String,
    detail: String,
}

/// A repository on disk to measure.
struct BenchRepository {
    name: String,
    root: PathBuf,
    /// Owns the directory of a generated repository.
    _dir: Option<tempfile::TempDir>,
}

/// Adds rows to the table.
type Bench = fn(&[BenchRepository], &mut Vec<Row>) -> io::Result<()>;

const BENCHES: &[(&str, Bench)] = &[
    ("mdx", mdx::mdx),
    ("config", config::config),
    ("render", render::render),
    ("openapi", openapi::openapi),
    ("build", build),
    ("requests", requests),
    ("readers", readers::readers),
    ("forbidden", forbidden::forbidden),
    ("start", start),
    ("nav", nav::nav),
    ("store", store::store),
    ("admin", admin::admin),
    ("edit", edit::edit),
    ("cold", cold::cold),
    ("cold-large", cold::cold_large),
    ("mcp", mcp::mcp),
    ("lsp", lsp::lsp),
    ("serve", serve::serve),
    ("connections", connections::connections),
    ("scale", scale::scale),
    ("bombs", mdx::hostile),
];

/// Benchmarks that run only by name: comparisons of many minutes, and hostile pages, which `cargo
/// xtask bench mdx` runs in a separate process.
const EXPLICIT_BENCHES: &[&str] = &[
    "edit",
    "cold",
    "cold-large",
    "mcp",
    "lsp",
    "serve",
    "connections",
    "scale",
    "bombs",
];

fn main() -> io::Result<()> {
    if let Some(result) = serve::run_loop_if_named() {
        return result;
    }
    // `cargo bench` passes `--bench`.
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with("--"))
        .collect();
    if let Some(unknown) = named
        .iter()
        .find(|name| BENCHES.iter().all(|bench| bench.0 != name.as_str()))
    {
        let names: Vec<&str> = BENCHES.iter().map(|bench| bench.0).collect();
        return Err(io::Error::other(format!(
            "no benchmark `{unknown}`; there are {}",
            names.join(", ")
        )));
    }
    let repositories = repositories()?;
    let mut rows = Vec::new();
    // Results before a failure are printed too.
    let mut done = Ok(());
    for (name, run) in BENCHES {
        if (named.is_empty() && !EXPLICIT_BENCHES.contains(name))
            || named.iter().any(|filter| filter == name)
        {
            eprintln!("{name} …");
            done = run(&repositories, &mut rows);
            if done.is_err() {
                break;
            }
        }
    }
    if let Some(peak) = peak_memory() {
        let detail = "of this program, all benchmarks above together".to_owned();
        rows.push(Row {
            name: "peak memory".to_owned(),
            figure: peak,
            detail,
        });
    }
    print(&rows);
    done
}

fn print(rows: &[Row]) {
    let width = |get: fn(&Row) -> &str| {
        rows.iter()
            .map(|row| get(row).chars().count())
            .max()
            .unwrap_or(0)
    };
    let (name, figure) = (width(|row| &row.name), width(|row| &row.figure));
    println!("| {:name$} | {:>figure$} | how |", "what", "median");
    println!("| {:-<name$} | {:->figure$} | --- |", "", ":");
    for row in rows {
        println!(
            "| {:name$} | {:>figure$} | {} |",
            row.name, row.figure, row.detail
        );
    }
}

/// Returns the real repositories of this machine, or a generated one.
fn repositories() -> io::Result<Vec<BenchRepository>> {
    let real = sites::NAMES.iter().filter_map(|name| {
        let root = sites::site(name)?;
        Some(BenchRepository {
            name: (*name).to_owned(),
            root,
            _dir: None,
        })
    });
    let real: Vec<BenchRepository> = real.collect();
    if !real.is_empty() {
        return Ok(real);
    }
    let dir = tempfile::tempdir()?;
    corpus::write(dir.path(), 1_000)?;
    let root = dir.path().to_path_buf();
    Ok(vec![BenchRepository {
        name: "generated".to_owned(),
        root,
        _dir: Some(dir),
    }])
}

/// Returns the median of some runs after a warm-up.
fn median(runs: usize, mut task: impl FnMut() -> io::Result<()>) -> io::Result<Duration> {
    task()?;
    let mut times = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        task()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(runs / 2).copied().unwrap_or_default())
}

fn per_second(count: usize, time: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / time.as_secs_f64().max(1e-9)
}

fn megabytes(bytes: usize, time: Duration) -> String {
    format!("{:.1} MB/s", per_second(bytes, time) / 1e6)
}

/// Export of a directory: load, render, check links, write.
fn build(repositories: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    for repository in repositories {
        let mut counted = (0, 0, 0);
        let mut runs = Vec::new();
        for _ in 0..4 {
            let out = tempfile::tempdir()?;
            let (start, before) = (Instant::now(), processor_time());
            let report = LoadedSite::load(&repository.root)?.export(out.path())?;
            let processor = processor_time().zip(before).map(|(now, then)| now - then);
            runs.push((start.elapsed(), processor));
            let bytes = usize::try_from(report.bytes).unwrap_or(usize::MAX);
            counted = (report.pages, report.files, bytes);
        }
        // The first run is a warm-up: it fills the cache of the system.
        runs.remove(0);
        runs.sort_unstable();
        let (time, processor) = runs.get(1).copied().unwrap_or_default();
        let processor = processor.map_or_else(String::new, |processor| {
            format!(" ({:.2} s of processors)", processor.as_secs_f64())
        });
        let (pages, files, bytes) = counted;
        rows.push(Row {
            name: format!("build, {}", repository.name),
            figure: format!("{:.0} pages/s", per_second(pages, time)),
            detail: format!(
                "{pages} pages, {files} files in {:.2} s{processor}, {} written, {} threads, 3 runs",
                time.as_secs_f64(),
                megabytes(bytes, time),
                threads()
            ),
        });
    }
    Ok(())
}

/// One page from memory over the loopback interface.
fn requests(repositories: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let Some(repository) = repositories.first() else {
        return Ok(());
    };
    let running = server::start(&repository.root)?;
    let Some(path) = running.paths.first() else {
        return Ok(());
    };
    let path = running.site.href(path);
    let first = Client::connect(running.addr)?.get(&path, &[("accept-encoding", "gzip")])?;
    let host = running.addr.to_string();
    let request = load::request(&host, &path, &[("accept-encoding", "gzip")]);
    let mut rates = Vec::new();
    for _ in 0..5 {
        let mut requests = std::iter::repeat(request.as_slice());
        let time = Duration::from_secs(2);
        rates.push(load::load(running.addr, &mut requests, 32, time)?.rate);
    }
    rates.sort_by(f64::total_cmp);
    let rate = rates.get(2).copied().unwrap_or_default();
    rows.push(Row {
        name: format!("requests, {}", repository.name),
        figure: format!("{rate:.0} /s"),
        detail: format!("{} bytes (gzip), 32 persistent connections; one server thread and one client thread share the machine; 5 runs of 2 s", first.body.len()),
    });
    Ok(())
}

/// A large repository: from an empty process to the first response.
fn start(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    const PAGES: usize = 25_000;
    let dir = tempfile::tempdir()?;
    corpus::write(dir.path(), PAGES)?;
    // Measured first: memory that earlier sites released would hide the increase.
    let memory = memory_of_start(dir.path())?;
    let mut loaded = Vec::new();
    let time = median(3, || {
        let begin = Instant::now();
        let running = server::start(dir.path())?;
        loaded.push(begin.elapsed());
        let path = running.paths.get(PAGES / 2).cloned().unwrap_or_default();
        check_response(&running, &path)
    })?;
    loaded.sort_unstable();
    let load = loaded.get(loaded.len() / 2).copied().unwrap_or_default();
    rows.push(Row {
        name: format!("start, {PAGES} pages"),
        figure: format!("{:.0} ms", time.as_secs_f64() * 1e3),
        detail: format!("until the first response, {:.0} ms of it until the server listens; files in the cache of the system; 3 runs", load.as_secs_f64() * 1e3),
    });
    rows.push(Row {
        name: format!("memory, {PAGES} pages"),
        figure: memory,
        detail: "resident after the first page, before any other is rendered".to_owned(),
    });
    Ok(())
}

fn check_response(running: &server::RunningServer, path: &str) -> io::Result<()> {
    let response = Client::connect(running.addr)?.get(path, &[])?;
    if response.status == 200 {
        Ok(())
    } else {
        Err(io::Error::other(format!("{path}: {}", response.status)))
    }
}

/// Returns by how much resident memory grows with the site.
fn memory_of_start(root: &Path) -> io::Result<String> {
    let before = status("VmRSS:").unwrap_or(0);
    let running = server::start(root)?;
    check_response(&running, running.paths.first().map_or("/", String::as_str))?;
    let after = status("VmRSS:").unwrap_or(0);
    Ok(format!(
        "{} MB, +{} MB",
        after / 1024,
        after.saturating_sub(before) / 1024
    ))
}

/// Returns a value of `/proc/self/status` in kilobytes; `None` on other systems.
fn status(name: &str) -> Option<u64> {
    status_of("self", name)
}

/// Returns a value of `/proc/PROCESS/status` in kilobytes.
fn status_of(process: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    text.lines()
        .find_map(|line| line.strip_prefix(name))?
        .trim()
        .strip_suffix(" kB")?
        .parse()
        .ok()
}

/// Returns the processor time of all threads of this program: more meaningful than the clock on a
/// busy machine.
fn processor_time() -> Option<Duration> {
    processor_time_of("self")
}

/// Returns the processor time of all threads of `/proc/PROCESS`.
fn processor_time_of(process: &str) -> Option<Duration> {
    processor_times(process, 11)
}

/// Returns the processor time of the child processes that have ended.
fn processor_time_of_children() -> Option<Duration> {
    processor_times("self", 13)
}

/// Returns the sum of two adjacent fields of `/proc/PROCESS/stat`, the first of them `index` fields
/// after the name.
fn processor_times(process: &str, index: usize) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before the last parenthesis may contain spaces. The unit is a hundredth of a second.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(index);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_millis((user + system) * 10))
}

fn peak_memory() -> Option<String> {
    status("VmHWM:").map(|kilobytes| format!("{} MB", kilobytes / 1024))
}
