//! The container file. No container engine runs here: what the engine would run is given to the
//! programs themselves.

use super::text;

/// Arguments of the instruction that begins with a word, in its form without a shell.
fn exec_form(file: &str, instruction: &str) -> Vec<String> {
    let line = file
        .lines()
        .find(|line| line.split(' ').next() == Some(instruction));
    let (_, list) = line
        .and_then(|line| line.split_once('['))
        .unwrap_or_else(|| panic!("{instruction} has no exec form"));
    serde_json::from_str(&format!("[{list}")).expect("it is a list of strings")
}

#[test]
fn the_container_runs_our_programs_without_a_shell_and_without_root() {
    let file = text("Containerfile");
    assert!(file.contains("\nFROM scratch\n"), "{file}");
    assert!(file.contains("\nUSER 65532:65532\n"), "{file}");
    assert_eq!(file.matches("\nVOLUME ").count(), 1);
    assert!(!file.contains("\nRUN "), "there is no shell");
    let serve = [exec_form(&file, "ENTRYPOINT"), exec_form(&file, "CMD")].concat();
    let health = exec_form(&file, "HEALTHCHECK");
    for arguments in [serve, health] {
        assert_eq!(arguments[0], "/usr/bin/svc-server");
        let result = svc_server::program::command().try_get_matches_from(&arguments);
        assert!(result.is_ok(), "{arguments:?}: {result:?}");
    }
}
