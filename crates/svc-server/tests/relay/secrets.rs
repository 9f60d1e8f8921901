//! Output of the program.

use std::process::{Command, Stdio};

use crate::relay::rig::{CANARY, Call, OK, Site, files};
use crate::serving::RunningServer;
use svc_test_support::api::StubApi;
use svc_test_support::program::{Program, url_in_line};

#[test]
fn no_secret_reaches_the_output_of_the_program() {
    let api = StubApi::with_response(OK);
    let dir = tempfile::tempdir().unwrap();
    files(dir.path(), api.addr, true);
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command.arg(dir.path()).args(["--listen", "127.0.0.1:0"]);
    command.args(["--verbose", "--relay-allow", "127.0.0.1"]);
    let mut program = Program::start(command.stderr(Stdio::piped()));
    let line = program.next_line();
    let site = Site {
        serving: RunningServer::elsewhere(url_in_line(&line).parse().unwrap()),
        base: "",
        _dir: tempfile::tempdir().unwrap(),
    };
    let mut statuses = Vec::new();
    for (url, method) in [
        (
            format!("http://{}/v1/pets/{CANARY}?key={CANARY}", api.addr),
            "PUT",
        ),
        (format!("http://{}/v1/{CANARY}", api.addr), "PUT"),
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
        let response = call.send(&site);
        statuses.push(response.status);
    }
    assert_eq!(statuses, [200, 403, 403, 502]);
    assert!(api.requests().remove(0).contains(CANARY));
    let printed = line + &program.end("-KILL").1;
    assert!(!printed.contains(CANARY), "{printed}");
}
