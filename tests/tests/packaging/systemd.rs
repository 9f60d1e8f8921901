//! The unit of systemd.

use std::process::Command;

use crate::recipes::has;

const UNIT: &str = "systemd/svc-server.service";
/// Maximum exposure, in tenths, that `systemd-analyze security` may compute.
const MAX_EXPOSURE: u32 = 15;

#[test]
fn the_unit_is_valid_and_its_exposure_is_small() {
    if !has("systemd-analyze") {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("svc-server.service");
    // The program is not installed here.
    let text = super::text(UNIT).replace("/usr/bin/svc-server", "/bin/true");
    std::fs::write(&file, text).expect("it can be written");
    let analyze = |arguments: &[&str]| {
        let output = Command::new("systemd-analyze")
            .args(arguments)
            .arg(&file)
            .output()
            .expect("it starts");
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&text).into_owned()
    };
    let problems = analyze(&["verify", "--man=no"]);
    // Problems in other units of the machine are reported too.
    let ours = problems.lines().find(|line| line.contains("svc-server"));
    assert_eq!(ours, None, "{problems}");

    let report = analyze(&["security", "--offline=true", "--no-pager"]);
    let exposure = report
        .split_once("Overall exposure level for svc-server.service: ")
        .and_then(|(_, rest)| rest.split(' ').next())
        .unwrap_or_else(|| panic!("{report}"));
    let (whole, tenth) = exposure.split_once('.').expect("it is a decimal number");
    let exposure =
        whole.parse::<u32>().expect("digits") * 10 + tenth.parse::<u32>().expect("digits");
    assert!(exposure <= MAX_EXPOSURE, "{report}");
}

#[test]
fn the_commands_of_the_unit_are_accepted() {
    let unit = super::text(UNIT);
    let mut count = 0;
    for line in unit.lines() {
        let command = line
            .strip_prefix("ExecStart=")
            .or_else(|| line.strip_prefix("ExecStartPre="));
        if let Some(command) = command {
            let result = svc_server::program::command().try_get_matches_from(command.split(' '));
            assert!(result.is_ok(), "{line}: {result:?}");
            count += 1;
        }
    }
    assert_eq!(count, 2);
}

/// The page shows the unit that is shipped, for a program in another folder.
#[test]
fn the_unit_of_the_documentation_is_the_same() {
    let unit = super::text(UNIT).replace("/usr/bin/", "/usr/local/bin/");
    let shown = crate::recipes::recipes(&["ini"])
        .into_iter()
        .find(|recipe| recipe.page == "guides/server-settings.mdx")
        .expect("the page has the unit");
    assert_eq!(shown.text.trim(), unit.trim());
}

#[test]
fn the_example_of_the_settings_is_accepted() {
    let read =
        svc_server::Settings::from_file(&super::path("server.toml")).expect("it can be read");
    assert!(read.diagnostics.is_empty(), "{}", read.render_text());
}
