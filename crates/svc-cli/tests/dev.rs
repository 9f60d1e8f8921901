//! `svc dev`.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use svc_test_support::program::Program;

use crate::example_site::site;

/// Runs `svc dev` with a first port and options, and returns the printed URL.
fn dev(dir: &Path, port: u16, options: &[&str], path: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
    command
        .args(["dev", "--offline", "--port", &port.to_string()])
        .args(options)
        .current_dir(dir)
        .env("PATH", path)
        .env("XDG_STATE_HOME", dir.join("state"));
    let line = Program::start(&mut command).next_line();
    let url = line.strip_prefix("Your site is at ").unwrap();
    url.split_once(' ').unwrap().0.to_owned()
}

#[test]
fn a_preview_uses_the_next_port_if_one_is_in_use() {
    let dir = site("Words.\n");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    // Near the end of the range there may be no next port.
    if port < u16::MAX - 20 {
        let url = dev(dir.path(), port, &[], "");
        let url_port = url.rsplit(':').next().unwrap();
        let url_port: u16 = url_port.parse().unwrap();
        assert!(url_port > port && url_port <= port + 20, "{url}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_preview_opens_a_browser_only_on_request() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = site("Words.\n");
    let programs = tempfile::tempdir().unwrap();
    let (program, shown) = (
        programs.path().join("xdg-open"),
        programs.path().join("shown"),
    );
    let script = format!("#!/bin/sh\necho \"$1\" > '{}'\n", shown.display());
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", programs.path().display());
    dev(dir.path(), 0, &["--open", "--no-open"], &path);
    dev(dir.path(), 0, &[], &path);
    assert!(!shown.exists());
    let url = dev(dir.path(), 0, &["--open"], &path);
    let read = || std::fs::read_to_string(&shown).unwrap_or_default();
    let opened = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        !read().is_empty()
    });
    assert!(opened);
    assert_eq!(read().trim(), url);
}
