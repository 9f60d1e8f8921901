//! Whether the time of a response tells a forbidden page from one that does not exist.

use std::fs;
use std::io::{self, Error};
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use svc_tests::http::Client;
use svc_tests::projects::ProjectServer;

use crate::{BenchRepository, Row};

const HOST: &str = "docs.example.com";
const TOKEN: &str = "svcr_token_of_the_benchmark";
/// Requests for each of the two paths.
const SAMPLES: usize = 20_000;
/// Visible pages, whose names are as similar to the forbidden path as to the other.
const PAGES: usize = 200;
const FORBIDDEN: &str = "/guides/salaries-q";
const MISSING: &str = "/guides/salaries-k";
/// Another path that does not exist: what the times of two paths differ by anyway.
const CONTROL: &str = "/guides/salaries-w";

pub(crate) fn forbidden(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let site = dir.path().join("site/guides");
    fs::create_dir_all(&site)?;
    let mut pages = Vec::new();
    for number in 0..PAGES {
        let text = format!("---\ntitle: Page {number}\n---\n\nText of page {number}.\n");
        fs::write(site.join(format!("salaries-{number}.mdx")), text)?;
        pages.push(format!("\"guides/salaries-{number}\""));
    }
    fs::write(
        site.join("salaries-q.mdx"),
        "---\ntitle: Salaries\ngroups: [staff]\n---\n\nText.\n",
    )?;
    let config = format!(
        "{{\"theme\": \"svc\", \"name\": \"Docs\", \"colors\": {{\"primary\": \"#0a7d4f\"}}, \"navigation\": {{\"pages\": [{}, \"guides/salaries-q\"]}}}}",
        pages.join(", ")
    );
    fs::write(dir.path().join("site/docs.json"), config)?;
    let digest = format!("{:x}", Sha256::digest(TOKEN));
    fs::write(dir.path().join("tokens"), format!("ci:{digest}:guests\n"))?;
    let settings = format!(
        "[outbound]\noffline = true\n[[projects]]\nid = \"docs\"\nhosts = [\"{HOST}\"]\nweb_fonts = false\nsource.folder = \"site\"\n[projects.readers]\ntoken_file = \"tokens\"\n"
    );
    let server = ProjectServer::start(dir.path(), &settings);
    let server = server.map_err(|error| Error::other(error.to_string()))?;
    let bearer = format!("Bearer {TOKEN}");
    for (who, first, headers) in [
        ("nobody", FORBIDDEN, vec![]),
        (
            "another group",
            FORBIDDEN,
            vec![("authorization", &*bearer)],
        ),
        ("control: both are missing", CONTROL, vec![]),
    ] {
        let mut client = Client::connect(server.addr)?.with_host(HOST);
        let paths = [first, MISSING];
        let mut times = [const { Vec::new() }; 2];
        for sample in 0..SAMPLES + SAMPLES / 10 {
            // The order alternates, so that neither is always the second.
            for index in [sample % 2, (sample + 1) % 2] {
                let (Some(path), Some(times)) = (paths.get(index), times.get_mut(index)) else {
                    continue;
                };
                let time = exchange(&mut client, path, &headers)?;
                // The first tenth warms up.
                if sample >= SAMPLES / 10 {
                    times.push(time);
                }
            }
        }
        let z = mann_whitney(&times);
        let [forbidden, missing] = times.map(median);
        rows.push(Row {
            name: format!("forbidden page, {who}"),
            figure: format!("{:.2} µs", micros(forbidden)),
            detail: format!(
                "a missing one {:.2} µs; difference {:+.2} µs, z = {z:.2} (Mann–Whitney); {SAMPLES} of each in turns on one connection",
                micros(missing),
                micros(forbidden) - micros(missing),
            ),
        });
    }
    Ok(())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Requests a path, whose response must be a 404. Returns the time it took.
fn exchange(client: &mut Client, path: &str, headers: &[(&str, &str)]) -> io::Result<Duration> {
    let start = Instant::now();
    let response = client.get(path, headers)?;
    let time = start.elapsed();
    match response.status {
        404 => Ok(time),
        status => Err(Error::other(format!("{path} has the status {status}"))),
    }
}

/// The standard score of the Mann–Whitney test: between -2.58 and 2.58 if the times of both kinds
/// are distributed equally, with a probability of 99 %.
fn mann_whitney(times: &[Vec<Duration>; 2]) -> f64 {
    let [first, second] = times;
    let tagged = |times: &[Duration], tag: bool| -> Vec<(Duration, bool)> {
        times.iter().map(|time| (*time, tag)).collect()
    };
    let mut all = tagged(first, true);
    all.extend(tagged(second, false));
    all.sort_unstable_by_key(|(time, _)| *time);
    let mut ranks = 0.0;
    let mut at = 0;
    // Equal times share the mean of their ranks.
    for group in all.chunk_by(|one, other| one.0 == other.0) {
        let rank = at as f64 + (group.len() as f64 + 1.0) / 2.0;
        ranks += rank * group.iter().filter(|(_, is_first)| *is_first).count() as f64;
        at += group.len();
    }
    let (n, m) = (first.len() as f64, second.len() as f64);
    let u = ranks - n * (n + 1.0) / 2.0;
    (u - n * m / 2.0) / (n * m * (n + m + 1.0) / 12.0).sqrt()
}
