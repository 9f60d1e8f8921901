//! What the program prints.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::rig::{CANARY, Call, OK, Site, files};
use crate::serving::Serving;
use svc_test_support::api::Api;

#[test]
fn no_secret_reaches_the_output_of_the_program() {
    let api = Api::saying(OK);
    let folder = tempfile::tempdir().unwrap();
    files(folder.path(), api.address, true);
    let mut child = Command::new(env!("CARGO_BIN_EXE_svc-server"))
        .arg(folder.path())
        .args([
            "--listen",
            "127.0.0.1:0",
            "--verbose",
            "--relay-allow",
            "127.0.0.1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .unwrap();
    let site = Site {
        serving: Serving::elsewhere(address.parse().unwrap()),
        base: "",
        _folder: tempfile::tempdir().unwrap(),
    };
    let mut statuses = Vec::new();
    for (url, method) in [
        (
            format!("http://{}/v1/pets/{CANARY}?key={CANARY}", api.address),
            "PUT",
        ),
        (format!("http://{}/v1/{CANARY}", api.address), "PUT"),
        (format!("http://{CANARY}.example/"), "PUT"),
        (format!("https://eu.api.example/v1/pets/{CANARY}"), "PUT"),
    ] {
        let mut call = Call::put(&api);
        (call.url, call.method) = (url, method);
        call.headers = vec![
            ("Authorization", CANARY.to_owned()),
            ("X-Trace", CANARY.to_owned()),
        ];
        call.body = CANARY.as_bytes().to_vec();
        let answer = call.send(&site);
        statuses.push(answer.status);
    }
    assert_eq!(statuses, [200, 403, 403, 502]);
    assert!(api.requests().remove(0).contains(CANARY));
    child.kill().unwrap();
    let mut printed = line;
    out.read_to_string(&mut printed).unwrap();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    assert!(!printed.contains(CANARY), "{printed}");
    child.wait().unwrap();
}
