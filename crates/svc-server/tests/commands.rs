//! The commands of `svc-server` that serve nothing, and calls without a folder.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use svc_test_support::ports::free_port;
use svc_test_support::program::{Program, url_in_line};
use svc_test_support::tls::TestCertificate;

const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;

fn program(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command.args(arguments).current_dir(dir);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(dir: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = program(dir, arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code(), text(&stdout), text(&stderr))
}

fn write_site(dir: &Path) {
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join("docs.json"), CONFIG).unwrap();
    std::fs::write(dir.join("index.mdx"), "Hello.").unwrap();
}

#[test]
fn without_arguments_the_next_step_is_printed() {
    let dir = tempfile::tempdir().unwrap();
    let (status, stdout, empty) = run(dir.path(), &[]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    for part in ["no `docs.json`", "svc-server FOLDER", "--config FILE"] {
        assert!(empty.contains(part), "{empty}");
    }
    // The configuration of the message is a complete one.
    let shown = empty.lines().find_map(|line| line.trim().strip_prefix('{'));
    let shown = format!("{{{}", shown.unwrap());
    std::fs::create_dir(dir.path().join("new")).unwrap();
    std::fs::write(dir.path().join("new/docs.json"), shown).unwrap();
    std::fs::write(dir.path().join("new/index.mdx"), "Hello.").unwrap();
    let mut server = program(dir.path(), &["new", "--listen", "127.0.0.1:0"]);
    let mut server = Program::start(&mut server);
    assert!(server.next_line().contains("(1 page"), "{empty}");
    assert_eq!(server.end("-TERM").0, Some(0));

    write_site(&dir.path().join("docs"));
    let (status, _, nested) = run(dir.path(), &[]);
    assert_eq!(status, Some(2));
    assert!(nested.contains("\n  svc-server docs\n"), "{nested}");

    let (status, _, inside) = run(&dir.path().join("docs"), &["--watch"]);
    assert_eq!(status, Some(2));
    assert!(inside.contains("\n  svc-server .\n"), "{inside}");
}

#[test]
fn the_version_has_the_commit_the_target_and_the_features() {
    let dir = tempfile::tempdir().unwrap();
    let (status, long, _) = run(dir.path(), &["--version"]);
    assert_eq!(status, Some(0));
    let lines: Vec<&str> = long.lines().collect();
    let [program, commit, target, features] = lines[..] else {
        panic!("{long}");
    };
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(program, format!("svc-server {version}"));
    // A build of tests has no commit, unless a packager names it.
    let commit = commit.strip_prefix("commit: ").unwrap();
    let is_hex = commit.len() == 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(commit == "unknown" || is_hex, "{commit}");
    let target = target.strip_prefix("target: ").unwrap();
    assert!(target.starts_with(std::env::consts::ARCH), "{target}");
    assert!(features.starts_with("features: "), "{features}");
    let (_, short, _) = run(dir.path(), &["-V"]);
    assert!(short.starts_with(program) && short.lines().count() == 1);
}

#[test]
fn health_reports_whether_the_server_responds() {
    let dir = tempfile::tempdir().unwrap();
    write_site(dir.path());
    let mut server = Program::start(&mut program(
        dir.path(),
        &[".", "--listen", "127.0.0.1:0", "--base-path", "/docs"],
    ));
    let line = server.next_line();
    let addr = url_in_line(&line).split('/').next().unwrap().to_owned();
    let health = |url: &str| run(dir.path(), &["health", "--url", url]);
    let url = format!("http://{addr}");
    assert_eq!(health(&url), (Some(0), String::new(), String::new()));
    assert_eq!(health(&format!("{url}/_svc/health")).0, Some(0));
    let missing = health(&format!("{url}/missing"));
    assert_eq!(missing.0, Some(1));
    assert!(missing.2.contains("status 404"), "{}", missing.2);
    assert_eq!(server.end("-TERM").0, Some(0));
    let (status, _, message) = health(&url);
    assert_eq!(status, Some(1));
    assert!(message.contains(&addr), "{message}");
    for url in ["ftp://127.0.0.1/", "http://"] {
        assert_ne!(health(url).0, Some(0), "{url}");
    }
}

#[test]
fn health_waits_three_seconds_at_most() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let begin = Instant::now();
    let (status, _, message) = run(Path::new("."), &["health", "--url", &url]);
    assert_eq!(status, Some(1));
    assert!(message.contains("within 3 s"), "{message}");
    let elapsed = begin.elapsed();
    assert!(elapsed >= Duration::from_secs(3), "{elapsed:?}");
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
}

#[test]
fn health_uses_the_listener_of_the_settings() {
    let dir = tempfile::tempdir().unwrap();
    let certificate = TestCertificate::new(&["docs.example.com"]);
    write_site(&dir.path().join("site"));
    std::fs::write(dir.path().join("chain.pem"), &certificate.chain).unwrap();
    std::fs::write(dir.path().join("key.pem"), &certificate.key).unwrap();
    let port = free_port();
    let write = |name: &str, port: u16, tls: &str| {
        let text = format!(
            "listen = \"0.0.0.0:{port}\"\ndata = \"data\"\n[outbound]\noffline = true\n{tls}[[projects]]\nid = \"a\"\nhosts = \"docs.example.com\"\nsource.folder = \"site\"\n"
        );
        std::fs::write(dir.path().join(name), text).unwrap();
    };
    let tls = "[tls]\ncertificate_file = \"chain.pem\"\nkey_file = \"key.pem\"\n";
    write("server.toml", port, tls);
    write("plain.toml", port, "");
    write("free.toml", 0, tls);
    std::fs::write(dir.path().join("broken.toml"), "listen = 1\n").unwrap();
    let mut server = Program::start(&mut program(dir.path(), &["--config", "server.toml"]));
    let line = server.next_line();
    assert!(line.contains("https://"), "{line}");
    let health = |file: &str| run(dir.path(), &["health", "--config", file]);
    assert_eq!(
        health("server.toml"),
        (Some(0), String::new(), String::new())
    );
    for (file, reason) in [
        ("plain.toml", "http://127.0.0.1"),
        ("free.toml", "--url"),
        ("broken.toml", "--check --config broken.toml"),
        ("missing.toml", "missing.toml"),
    ] {
        let (status, _, message) = health(file);
        assert_eq!(status, Some(1), "{file}: {message}");
        assert!(message.contains(reason), "{file}: {message}");
    }
    assert_eq!(server.end("-TERM").0, Some(0));
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (status, script, _) = run(dir.path(), &["completions", shell]);
        assert_eq!(status, Some(0));
        assert!(
            script.contains("health") && script.contains("config"),
            "{shell}"
        );
    }
    assert_eq!(run(dir.path(), &["completions", "cmd"]).0, Some(2));
    let (status, page, _) = run(dir.path(), &["man"]);
    assert_eq!(status, Some(0));
    assert!(page.contains(".TH svc-server 1"), "{page}");
    let (status, stdout, _) = run(dir.path(), &["man", "--out", "a/man1"]);
    assert_eq!((status, stdout.as_str()), (Some(0), ""));
    let entries = std::fs::read_dir(dir.path().join("a/man1")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    for name in [
        "svc-server.1",
        "svc-server-admin-create.1",
        "svc-server-health.1",
    ] {
        assert!(names.iter().any(|found| found == name), "{names:?}");
    }
    let health = std::fs::read_to_string(dir.path().join("a/man1/svc-server-health.1")).unwrap();
    assert!(health.contains("3 seconds"), "{health}");
    let (status, _, message) = run(dir.path(), &["man", "--out", "/proc/svc"]);
    assert_eq!(status, Some(1));
    assert!(message.contains("/proc/svc"), "{message}");
}
