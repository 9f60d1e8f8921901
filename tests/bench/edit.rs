//! A writer's preview: from the start to the first answer, from saving a page to its new text over
//! HTTP, and what a thousand saves leave in memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use svc_tests::http::Client;
use svc_tests::preview;

use crate::{Repository, Row, corpus, status};

/// Pages of the two repositories, and saves of each.
const SIZES: [(usize, usize); 2] = [(1_000, 1_000), (25_000, 200)];
/// From one save to the next.
const PAUSE: Duration = Duration::from_millis(20);
/// How long is waited for a save.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn edit(_: &[Repository], rows: &mut Vec<Row>) -> io::Result<()> {
    for (count, saves) in SIZES {
        let folder = tempfile::tempdir()?;
        corpus::write(folder.path(), count)?;
        let pages = pages(folder.path())?;
        let route = |file: &Path| {
            let below = file.strip_prefix(folder.path()).unwrap_or(file);
            format!("/{}", below.with_extension("").display())
        };
        let first = pages
            .get(count / 2)
            .map(|file| route(file))
            .unwrap_or_default();
        let begin = Instant::now();
        let preview = preview::start(folder.path())?;
        Client::connect(preview.address)?.get(&first, &[])?;
        rows.push(Row {
            name: format!("preview start, {count} pages"),
            figure: milliseconds(begin.elapsed()),
            detail: "until the first page is answered; files in the cache of the system".into(),
        });
        // Pages are drawn in the background; small sites are whole by now.
        thread::sleep(Duration::from_secs(10));
        // The server has closed the idle connection meanwhile.
        let mut client = Client::connect(preview.address)?;
        let mut times = Vec::new();
        let mut memory = Vec::new();
        for save in 0..saves {
            let Some(file) = pages.get(save * 37 % count) else {
                continue;
            };
            let text = fs::read_to_string(file)?;
            let mark = format!("saved-{save}-times");
            let begin = Instant::now();
            fs::write(file, format!("{text}\n{mark}\n"))?;
            while !client.get(&route(file), &[])?.text().contains(&mark) {
                if begin.elapsed() > PATIENCE {
                    return Err(io::Error::other(format!(
                        "{} was not followed",
                        file.display()
                    )));
                }
                thread::sleep(Duration::from_millis(1));
            }
            times.push(begin.elapsed());
            fs::write(file, text)?;
            thread::sleep(PAUSE);
            if save + 1 == saves / 10 || save + 1 == saves {
                memory.push(status("VmRSS:").unwrap_or(0) / 1024);
            }
        }
        times.sort_unstable();
        let at = |part: usize| {
            times
                .get(times.len() * part / 100)
                .copied()
                .unwrap_or_default()
        };
        rows.push(Row {
            name: format!("save, {count} pages"),
            figure: milliseconds(at(50)),
            detail: format!(
                "until the new text is answered; 95 of 100 within {}, the longest {}; {saves} saves",
                milliseconds(at(95)),
                milliseconds(times.last().copied().unwrap_or_default()),
            ),
        });
        if let [early, late] = memory.as_slice() {
            rows.push(Row {
                name: format!("memory, {count} pages edited"),
                figure: format!("{late} MB"),
                detail: format!("resident after {saves} saves; {early} MB after a tenth of them"),
            });
        }
    }
    Ok(())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// All pages below a folder, sorted.
fn pages(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "mdx") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
