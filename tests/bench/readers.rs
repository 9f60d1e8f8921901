//! What it costs to serve a page to readers who have signed in: the same page on a public and on a
//! private site, in turns.

use std::io::{self, Error};
use std::net::SocketAddr;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use svc_tests::loaded_site::LoadedSite;
use svc_tests::projects::{ProjectServer, cheap_hash};

use crate::{BenchRepository, Row, load};

const PUBLIC: &str = "public.example.com";
const PRIVATE: &str = "private.example.com";
const PASSWORD: &str = "correct-horse-battery";
const TOKEN: &str = "svcr_token_of_the_benchmark";
const RUNS: usize = 7;
const CONNECTIONS: usize = 32;
const RUN_TIME: Duration = Duration::from_secs(2);

pub(crate) fn readers(repositories: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let Some(repository) = repositories.first() else {
        return Ok(());
    };
    let site = LoadedSite::load(&repository.root)?.site;
    let path = site.map.routes.keys().find(|path| *path != "/").cloned();
    let path = path.unwrap_or_default();
    let dir = tempfile::tempdir()?;
    let hash = cheap_hash(PASSWORD)?;
    let digest = format!("{:x}", Sha256::digest(TOKEN));
    std::fs::write(dir.path().join("passwords"), format!("ada:{hash}:staff\n"))?;
    std::fs::write(dir.path().join("tokens"), format!("ci:{digest}:staff\n"))?;
    let project = |id: &str, host: &str, readers: &str| {
        let root = repository.root.display();
        format!(
            "[[projects]]\nid = \"{id}\"\nhosts = [\"{host}\"]\nweb_fonts = false\n[projects.source]\nfolder = \"{root}\"\n{readers}"
        )
    };
    let settings = format!(
        "trusted_proxies = [\"127.0.0.1\"]\n[outbound]\noffline = true\n{}{}",
        project("public", PUBLIC, ""),
        project(
            "private",
            PRIVATE,
            "[projects.readers]\nprivate = true\npassword_file = \"passwords\"\ntoken_file = \"tokens\"\n[projects.readers.header]\nuser = \"X-User\"\ngroups = \"X-Groups\"\n"
        ),
    );
    let server = ProjectServer::start(dir.path(), &settings);
    let server = server.map_err(|error| Error::other(error.to_string()))?;
    measure(server.addr, &path, rows)
}

fn measure(addr: SocketAddr, path: &str, rows: &mut Vec<Row>) -> io::Result<()> {
    let cookie = sign_in(addr)?;
    let bearer = format!("Bearer {TOKEN}");
    let gzip = ("accept-encoding", "gzip");
    let kinds = [
        ("public", load::request(PUBLIC, path, &[gzip])),
        (
            "session",
            load::request(PRIVATE, path, &[gzip, ("cookie", &cookie)]),
        ),
        (
            "token",
            load::request(PRIVATE, path, &[gzip, ("authorization", &bearer)]),
        ),
        (
            "header of a proxy",
            load::request(
                PRIVATE,
                path,
                &[gzip, ("x-user", "ada"), ("x-groups", "staff")],
            ),
        ),
    ];
    let mut rates = vec![Vec::new(); kinds.len()];
    let mut bytes = 0;
    for _ in 0..RUNS {
        for ((_, request), rates) in kinds.iter().zip(&mut rates) {
            let mut requests = std::iter::repeat(request.as_slice());
            let report = load::load(addr, &mut requests, CONNECTIONS, RUN_TIME)?;
            rates.push(report.rate);
            bytes = report.bytes;
        }
    }
    let medians: Vec<f64> = rates
        .into_iter()
        .map(|mut rates| {
            rates.sort_by(f64::total_cmp);
            rates.get(RUNS / 2).copied().unwrap_or_default()
        })
        .collect();
    let public = medians.first().copied().unwrap_or_default();
    for ((name, _), rate) in kinds.iter().zip(&medians) {
        rows.push(Row {
            name: format!("signed in, {name}"),
            figure: format!("{rate:.0} /s"),
            detail: format!(
                "{:.2} of public; {bytes} bytes (gzip), {CONNECTIONS} persistent connections, {RUNS} runs of {} s in turns",
                rate / public.max(1.0),
                RUN_TIME.as_secs()
            ),
        });
    }
    Ok(())
}

/// Signs in with the password. Returns the cookie.
fn sign_in(addr: SocketAddr) -> io::Result<String> {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(addr)?;
    let form = format!("name=ada&password={PASSWORD}");
    write!(
        stream,
        "POST /_svc/sign-in HTTP/1.1\r\nhost: {PRIVATE}\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        form.len()
    )?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let cookie = text.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_cookie = name.eq_ignore_ascii_case("set-cookie");
        is_cookie.then(|| value.split(';').next().unwrap_or_default().to_owned())
    });
    cookie.ok_or_else(|| Error::other(text))
}
