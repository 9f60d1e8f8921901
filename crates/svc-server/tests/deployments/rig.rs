//! A server of one project as a separate process, its directory, and readers.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_server::request_server;
use svc_test_support::program;

pub(crate) const HOST: &str = "docs.example.com";
/// A minute is enough, except on busy machines.
const WAIT_TIMEOUT: Duration = Duration::from_secs(180);

/// Number of repetitions: the value of a variable for long manual runs, or a small default.
pub(crate) fn times(variable: &str, few: usize) -> usize {
    let chosen = std::env::var(variable).ok();
    chosen.and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// Directories of a server.
#[derive(Debug)]
pub(crate) struct Harness {
    base: tempfile::TempDir,
    pub(crate) pages: usize,
}

impl Harness {
    pub(crate) fn new(pages: usize) -> Self {
        let base = tempfile::tempdir().unwrap();
        let rig = Self { base, pages };
        fs::create_dir(rig.docs()).unwrap();
        rig.write(0);
        rig.settings(false);
        rig
    }

    pub(crate) fn docs(&self) -> PathBuf {
        self.base.path().join("docs")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.base.path().join("data")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.base.path().join("server.toml")
    }

    pub(crate) fn settings(&self, watch: bool) {
        let text = format!(
            "listen = \"127.0.0.1:0\"\ndata = \"data\"\n\n[outbound]\noffline = true\n\n[[projects]]\nid = \"docs\"\nhosts = [\"{HOST}\"]\n\n[projects.source]\nfolder = \"docs\"\nwatch = {watch}\n"
        );
        fs::write(self.config(), text).unwrap();
    }

    /// Adds a listener for metrics to the settings.
    pub(crate) fn settings_with_metrics(&self) {
        let text = fs::read_to_string(self.config()).unwrap();
        let text = text.replace(
            "\n[outbound]",
            "\n[metrics]\nlisten = \"127.0.0.1:0\"\n\n[outbound]",
        );
        fs::write(self.config(), text).unwrap();
    }

    /// Writes all files with the number in each.
    pub(crate) fn write(&self, number: usize) {
        for (name, text) in self.files(number) {
            fs::write(self.docs().join(name), text).unwrap();
        }
    }

    pub(crate) fn files(&self, number: usize) -> Vec<(String, String)> {
        let names: Vec<String> = (0..self.pages).map(|page| format!("\"p{page}\"")).collect();
        let config = format!(
            r##"{{"theme": "svc", "name": "Docs", "colors": {{"primary": "#123456"}}, "navigation": {{"pages": [{}]}}}}"##,
            names.join(", ")
        );
        let mut files = vec![
            ("docs.json".to_owned(), config),
            (
                "style.css".to_owned(),
                format!("b {{ content: 'NUMBER-{number}-' }}\n"),
            ),
            (
                "own.js".to_owned(),
                format!("window.own = 'NUMBER-{number}-';\n"),
            ),
            (
                "a.svg".to_owned(),
                format!("<svg xmlns='http://www.w3.org/2000/svg'><!--NUMBER-{number}---></svg>"),
            ),
        ];
        for page in 0..self.pages {
            let text = format!(
                "---\ntitle: Page {page}\n---\n\n# NUMBER-{number}-\n\n![Picture](/a.svg)\n\n{}",
                "A sentence of some words that has to be drawn. ".repeat(20)
            );
            files.push((format!("p{page}.mdx"), text));
        }
        files
    }

    pub(crate) fn start(&self) -> Program {
        Program::start(&self.config(), self.data())
    }

    pub(crate) fn partial(&self) -> usize {
        let dir = self.data().join("projects/docs/snapshots");
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with('.'))
            .count()
    }
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) addr: SocketAddr,
    pub(crate) data: PathBuf,
    pub(crate) running: program::Program,
}

impl Program {
    /// Starts a server with a settings file.
    pub(crate) fn start(config: &Path, data: PathBuf) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        command.arg("--config").arg(config);
        let mut running = program::Program::start(command.stderr(Stdio::null()));
        Self {
            addr: running.url().parse().unwrap(),
            data,
            running,
        }
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> Value {
        request_server(&self.data, method, path, &json!({})).unwrap()
    }

    pub(crate) fn trigger(&self) -> String {
        let reply = self.request("POST", "/projects/docs/deployments");
        reply["deployments"][0].as_str().unwrap().to_owned()
    }

    /// Waits until a deployment has finished.
    pub(crate) fn wait(&self, id: &str) -> Value {
        let end = Instant::now() + WAIT_TIMEOUT;
        loop {
            let reply = self.request("GET", &format!("/deployments/{id}"));
            let state = reply["deployment"]["state"].as_str().unwrap();
            if state != "queued" && state != "building" {
                return reply;
            }
            assert!(Instant::now() < end, "{reply}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn deploy(&self) -> Value {
        self.wait(&self.trigger())
    }
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl TestResponse {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A persistent connection.
#[derive(Debug)]
pub(crate) struct Reader(BufReader<TcpStream>);

impl Reader {
    pub(crate) fn new(addr: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(WAIT_TIMEOUT))?;
        Ok(Self(BufReader::new(stream)))
    }

    pub(crate) fn get(&mut self, path: &str) -> io::Result<TestResponse> {
        self.get_at(HOST, path)
    }

    /// Response to a request at a host.
    pub(crate) fn get_at(&mut self, host: &str, path: &str) -> io::Result<TestResponse> {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        self.0.get_mut().write_all(head.as_bytes())?;
        let mut status = 0;
        let mut length = 0;
        for number in 0.. {
            let mut line = String::new();
            if self.0.read_line(&mut line)? == 0 {
                return Err(io::Error::other("the connection was closed"));
            }
            let line = line.trim_end().to_ascii_lowercase();
            if number == 0 {
                status = line
                    .split(' ')
                    .nth(1)
                    .and_then(|code| code.parse().ok())
                    .unwrap_or(0);
            } else if line.is_empty() {
                break;
            } else if let Some(text) = line.strip_prefix("content-length:") {
                length = text.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok(TestResponse { status, body })
    }
}

/// Number in a text.
pub(crate) fn number(text: &str) -> Option<usize> {
    let rest = text.split_once("NUMBER-")?.1;
    rest.split_once('-')?.0.parse().ok()
}

/// URLs of the local files that a page loads.
pub(crate) fn files_of(html: &str) -> Vec<String> {
    html.split('"')
        .filter(|part| part.starts_with('/') && part.contains("?v=") && !part.contains("/_svc/"))
        .map(str::to_owned)
        .collect()
}

/// Reads a page and its files; returns the number in all of them, or an inconsistency.
pub(crate) fn read_whole(reader: &mut Reader, path: &str) -> Result<usize, String> {
    let get = |reader: &mut Reader, path: &str| {
        let response = reader
            .get(path)
            .map_err(|error| format!("{path}: {error}"))?;
        if response.status == 200 {
            Ok(response.text())
        } else {
            Err(format!("{path}: status {}", response.status))
        }
    };
    let html = get(reader, path)?;
    let wanted = number(&html).ok_or_else(|| format!("{path} has no number"))?;
    let files = files_of(&html);
    if files.len() != 3 {
        return Err(format!("{path} loads {files:?}"));
    }
    for file in files {
        let own = number(&get(reader, &file)?);
        if own != Some(wanted) {
            return Err(format!("MIXED: {path} of {wanted} with {file} of {own:?}"));
        }
    }
    Ok(wanted)
}

/// Removes all files below a directory.
pub(crate) fn remove_all(dir: &Path) {
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
}
