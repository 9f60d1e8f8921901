//! Live preview: time from the start to the first response, time from saving a page to its new text
//! over HTTP, and memory after the saves; compared with the other programs that are installed, on
//! the same Markdown, in turns.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use crate::peers::{PEERS, Peer, Section, sections};
use crate::{BenchRepository, Row};

/// Pages of the projects, and saves per project.
const SIZES: [(usize, usize); 2] = [(1_000, 1_000), (25_000, 200)];
/// From one save to the next.
const SAVE_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum duration of all saves of one program; slow programs are measured by fewer saves.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(100);
/// Maximum duration of a start.
const START_TIMEOUT: Duration = Duration::from_secs(240);

/// A running preview; it stops when this is dropped.
struct Preview(Child);

impl Drop for Preview {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn edit(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    for (count, saves) in SIZES {
        let pages = sections(count);
        for peer in PEERS {
            if peer.preview.is_some() && peer.program().is_some() {
                measure(peer, &pages, count, saves, rows)?;
            }
        }
    }
    Ok(())
}

fn measure(
    peer: &Peer,
    sections: &[Section],
    count: usize,
    saves: usize,
    rows: &mut Vec<Row>,
) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    (peer.write)(dir.path(), sections)?;
    let pages: Vec<&str> = sections
        .iter()
        .flat_map(|section| &section.pages)
        .map(|page| page.path.as_str())
        .collect();
    let missing = || io::Error::other(format!("{} has no preview", peer.name));
    // A free port, released at once.
    let addr = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let arguments = peer.preview.ok_or_else(missing)?(dir.path(), addr.port());
    let (_, first) = (peer.page)(pages.get(count / 2).copied().unwrap_or_default());
    let begin = Instant::now();
    let running = peer.command(arguments).ok_or_else(missing)?.spawn()?;
    let running = Preview(running);
    while !get(addr, &first).is_ok_and(|text| text.starts_with("HTTP/1.1 200")) {
        if begin.elapsed() > START_TIMEOUT {
            rows.push(Row {
                name: format!("preview start, {count} pages, {}", peer.name),
                figure: "none".into(),
                detail: format!("no response within {} s", START_TIMEOUT.as_secs()),
            });
            return Ok(());
        }
        thread::sleep(Duration::from_millis(3));
    }
    rows.push(Row {
        name: format!("preview start, {count} pages, {}", peer.name),
        figure: milliseconds(begin.elapsed()),
        detail: "until the first response; files in the cache of the system".into(),
    });
    // Some programs render pages in the background; small sites are complete by now.
    thread::sleep(Duration::from_secs(8));
    let (begin, mut times, mut memory) = (Instant::now(), Vec::new(), Vec::new());
    for save in 0..saves {
        let Some(path) = pages.get(save * 37 % count) else {
            continue;
        };
        times.push(follow(peer, dir.path(), path, save, addr)?);
        thread::sleep(SAVE_INTERVAL);
        if save + 1 == saves / 10 || save + 1 == saves {
            memory.push(resident(running.0.id()).unwrap_or(0) / 1024);
        }
        if begin.elapsed() > TOTAL_TIMEOUT {
            break;
        }
    }
    times.sort_unstable();
    let at = |part: usize| {
        let index = (times.len() * part / 100).min(times.len().saturating_sub(1));
        times.get(index).copied().unwrap_or_default()
    };
    rows.push(Row {
        name: format!("save, {count} pages, {}", peer.name),
        figure: milliseconds(at(50)),
        detail: format!(
            "until a response with the new text; 95 of 100 within {}, the longest {}; {} saves",
            milliseconds(at(95)),
            milliseconds(at(100)),
            times.len(),
        ),
    });
    if let [early, late] = memory.as_slice() {
        rows.push(Row {
            name: format!("memory, {count} pages edited, {}", peer.name),
            figure: format!("{late} MB"),
            detail: format!("resident after {saves} saves; {early} MB after a tenth of them"),
        });
    }
    Ok(())
}

/// Saves a page with a marker and waits until a response contains it.
fn follow(
    peer: &Peer,
    root: &Path,
    path: &str,
    save: usize,
    addr: SocketAddr,
) -> io::Result<Duration> {
    let (file, route) = (peer.page)(path);
    let file = root.join(file);
    let text = fs::read_to_string(&file)?;
    let mark = format!("saved-{save}-times");
    let begin = Instant::now();
    fs::write(&file, format!("{text}\n{mark}\n"))?;
    loop {
        if get(addr, &route).is_ok_and(|text| text.contains(&mark)) {
            return Ok(begin.elapsed());
        }
        if begin.elapsed() > START_TIMEOUT / 6 {
            let what = format!("{}: {} was not followed", peer.name, file.display());
            return Err(io::Error::other(what));
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a request over a new connection: programs close idle ones while they build.
fn get(addr: SocketAddr, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(addr)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {addr}\r\naccept: */*\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    Ok(String::from_utf8_lossy(&response).into_owned())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// Returns the resident memory of a running program in kilobytes.
fn resident(process: u32) -> Option<u64> {
    crate::status_of(&process.to_string(), "VmRSS:")
}
