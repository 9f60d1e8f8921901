//! A PDF, printed by a browser that the machine has.

use std::env;
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use svc_site::{BookOptions, PageFormat, Site};
use svc_source::write_atomic;

use super::Output;

/// Maximum time for printing.
const TIMEOUT: Duration = Duration::from_secs(600);
const INTERVAL: Duration = Duration::from_millis(50);
/// Names of programs that can print.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const NO_BROWSER: &str = "a PDF needs Chromium or Chrome: install one, or set `CHROME` to its path";

/// Writes the PDF. The browser gets a directory with only the document and its images, an empty
/// profile, and no network.
pub(super) fn write(
    site: &Site,
    options: &BookOptions,
    format: PageFormat,
    has_sandbox: bool,
    output: &Path,
) -> io::Result<Output> {
    let browser = browser().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, NO_BROWSER))?;
    let mut book = svc_site::book(site, options)?;
    let (pages, broken) = (book.pages(), book.broken);
    let diagnostics = mem::take(&mut book.diagnostics);
    let document = book.into_print_document(site, format);
    let dir = tempfile::tempdir()?;
    let path = dir.path();
    fs::write(path.join("book.html"), document.html)?;
    for (name, bytes) in document.images {
        fs::write(path.join(name), bytes)?;
    }
    let pdf = path.join("book.pdf");
    let mut command = Command::new(&browser);
    command
        .args(["--headless", "--disable-gpu", "--no-first-run"])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .args([
            "--disable-extensions",
            "--disable-sync",
            "--disable-dev-shm-usage",
        ])
        .args([
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--proxy-server=127.0.0.1:9",
        ])
        .args(["--no-pdf-header-footer", "--generate-pdf-document-outline"])
        .arg(format!(
            "--user-data-dir={}",
            path.join("profile").display()
        ))
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .args((!has_sandbox).then_some("--no-sandbox"))
        .arg(format!("file://{}", path.join("book.html").display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(fs::File::create(path.join("log"))?));
    let mut child = command.spawn().map_err(|error| {
        let reason = format!("{}: {error}; {NO_BROWSER}", browser.display());
        io::Error::new(error.kind(), reason)
    })?;
    let is_done = finish(&mut child)?;
    let bytes = match fs::read(&pdf) {
        Ok(bytes) if is_done && bytes.starts_with(b"%PDF-") => bytes,
        _ => return Err(failed(&browser, &path.join("log"), is_done)),
    };
    write_atomic(output, &bytes)?;
    Ok(Output {
        pages,
        bytes: bytes.len() as u64,
        broken,
        diagnostics,
    })
}

/// The browser in the variable `CHROME`, or the first on the `PATH`.
fn browser() -> Option<PathBuf> {
    if let Some(path) = env::var_os("CHROME").filter(|path| !path.is_empty()) {
        return Some(path.into());
    }
    let path = env::var_os("PATH")?;
    // A relative directory could be one of the site.
    let dirs = env::split_paths(&path).filter(|dir| dir.is_absolute());
    let dirs: Vec<PathBuf> = dirs.collect();
    let mut files = BROWSERS
        .iter()
        .flat_map(|name| dirs.iter().map(move |dir| dir.join(name)));
    files.find(|file| file.is_file())
}

/// Waits for the browser; false if it was stopped because of the timeout.
fn finish(child: &mut Child) -> io::Result<bool> {
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > TIMEOUT {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        thread::sleep(INTERVAL);
    }
    Ok(true)
}

fn failed(browser: &Path, log: &Path, is_done: bool) -> io::Error {
    let browser = browser.display();
    if !is_done {
        let seconds = TIMEOUT.as_secs();
        return io::Error::other(format!("{browser} did not print within {seconds} seconds"));
    }
    let log = fs::read(log).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    let hint = match log.contains("sandbox") {
        true => "; the sandbox of the browser does not work here: use `--no-sandbox`",
        false => "",
    };
    let line = log
        .lines()
        .find(|line| line.contains("ERROR"))
        .unwrap_or_default();
    io::Error::other(
        format!("{browser} did not print{hint} {line}")
            .trim_end()
            .to_owned(),
    )
}
