//! A newcomer follows the quickstart: its commands run as they are printed, from an empty folder to a
//! page in a browser that follows an edit, to a checked, exported and served site.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use svc_tests::browser::Browser;
use svc_tests::http::Client;

use crate::recipes::recipes;

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// The folder with the program `svc`, which the same `cargo test` has built.
fn programs() -> PathBuf {
    let test = std::env::current_exe().expect("this program has a path");
    let dir = test.ancestors().nth(2).expect("it is in target/debug/deps");
    assert!(
        dir.join("svc").is_file(),
        "{} has no `svc`; run `cargo build -p svc-cli`",
        dir.display()
    );
    dir.to_owned()
}

/// Runs a line of the quickstart to its end and returns what it prints.
fn run(dir: &Path, line: &str) -> String {
    let output = shell(dir, line).output().expect("bash starts");
    let text =
        String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned();
    assert!(output.status.success(), "{line}: {text}");
    text
}

fn shell(dir: &Path, line: &str) -> Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(programs()).chain(std::env::split_paths(&path));
    let mut command = Command::new("bash");
    command
        // Signals reach the program itself.
        .args(["-c", &format!("exec {line}")])
        .current_dir(dir)
        .env("PATH", std::env::join_paths(paths).expect("paths"))
        .stdin(Stdio::null());
    command
}

/// A server of the quickstart; it is stopped when this is dropped.
struct Server {
    child: Child,
    url: String,
    // Keeps the pipe open.
    _output: BufReader<ChildStdout>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server and reads the URL that it prints.
fn start(dir: &Path, line: &str) -> Result<Server, Box<dyn std::error::Error>> {
    let mut command = shell(dir, line);
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no output")?);
    let mut text = String::new();
    let url = loop {
        if let Some(url) = text
            .split_whitespace()
            .find(|word| word.starts_with("http://") && !word.ends_with('/'))
        {
            break url.to_owned();
        }
        assert!(output.read_line(&mut text)? > 0, "{line} ended: {text}");
    };
    Ok(Server {
        child,
        url,
        _output: output,
    })
}

fn get(url: &str) -> Result<String, Box<dyn std::error::Error>> {
    let addr: SocketAddr = url.trim_start_matches("http://").parse()?;
    let response = Client::connect(addr)?.get("/", &[])?;
    assert_eq!(response.status, 200);
    Ok(response.text())
}

#[test]
fn the_quickstart_leads_from_an_empty_folder_to_a_served_site() -> TestResult {
    let blocks = recipes(&["bash"]);
    let lines: Vec<&str> = blocks
        .iter()
        .filter(|block| block.page == "quickstart.mdx")
        .flat_map(|block| block.text.lines())
        .collect();
    // The steps below; a new step of the quickstart has to be added here.
    assert_eq!(
        lines,
        [
            "cargo install --locked --path crates/svc-cli",
            "svc new acme-docs",
            "cd acme-docs",
            "svc dev",
            "svc validate",
            "svc build --out ../public",
            "svc serve",
            "cargo run --release -p svc-server -- docs",
        ]
    );
    let temporary = tempfile::tempdir()?;
    let made = run(temporary.path(), "svc new acme-docs");
    assert!(made.contains("svc dev"), "it names the next step: {made}");
    let dir = temporary.path().join("acme-docs");

    let page = dir.join("index.mdx");
    let text = fs::read_to_string(&page)?;
    let preview = start(&dir, "svc dev")?;
    let added = "A sentence that was just typed.";
    if let Some(mut browser) = Browser::or_skip()? {
        browser.screen(1280, 800, "light")?;
        browser.open(&preview.url)?;
        browser.evaluate("window.mine = 1; 0")?;
        fs::write(&page, format!("{text}\n{added}\n"))?;
        browser.wait(&format!(
            "document.querySelector('main').textContent.includes('{added}')"
        ))?;
        assert_eq!(browser.evaluate("window.mine")?, 1, "without a reload");
        assert_eq!(browser.complaints, Vec::<String>::new());
    } else {
        fs::write(&page, format!("{text}\n{added}\n"))?;
    }
    drop(preview);

    let checked = run(&dir, "svc validate");
    assert!(checked.contains("no problems"), "{checked}");
    run(&dir, "svc build --out ../public");
    let exported = fs::read_to_string(temporary.path().join("public/index.html"))?;
    assert!(exported.contains(added));
    // Any free port: other tests run at the same time.
    let served = start(&dir, "svc serve --listen 127.0.0.1:0")?;
    assert!(get(&served.url)?.contains(added));
    Ok(())
}
