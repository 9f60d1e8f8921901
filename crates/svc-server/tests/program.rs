//! The program `svc-server`.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_folder_without_configuration_ends_it_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let output = program().arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no `docs.json`"));
}

#[test]
fn a_fatal_problem_ends_it_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("docs.json"), "[]").unwrap();
    let output = program()
        .arg(folder.path())
        .args(["--listen", "127.0.0.1:0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("fatal[") && text.contains("docs.json:1:1"),
        "{text}"
    );
}

#[test]
fn it_says_where_it_listens_and_stops_in_good_order() {
    let folder = tempfile::tempdir().unwrap();
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;
    std::fs::write(folder.path().join("docs.json"), config).unwrap();
    std::fs::write(folder.path().join("index.mdx"), "Hello.").unwrap();
    let mut child = program()
        .arg(folder.path())
        .args(["--listen", "127.0.0.1:0"])
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(
        line.starts_with("svc-server listens on http://127.0.0.1:"),
        "{line}"
    );
    assert!(line.contains("(1 page"), "{line}");
    let stopped = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(stopped.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
