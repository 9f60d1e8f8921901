//! Runs Schemathesis against the served OpenAPI documents: all phases and checks, with a working
//! agent and a deployed repository. `cargo xtask ci install` installs the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use svc_admin_api::RateLimits;
use svc_server::Settings;

use super::server::{TestServer, bare_repository, key};

/// Cases per operation and phase, and minimum total of both documents. `SVC_THOROUGH=1` selects the
/// second pair.
const CASES: [(&str, usize); 2] = [("24", 400), ("140", 2_000)];

fn program() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/python/bin/st");
    program.is_file().then_some(program)
}

/// Creates a repository with a site, and the settings of a server that deploys it and has an agent.
fn settings(dir: &Path) -> Settings {
    let repository = format!("file://{}", bare_repository(dir).display());
    let text = format!(
        r#"
listen = "127.0.0.1:0"
data = "data"
[admin]
listen = "127.0.0.1:0"
[agent]
command = ["true"]
sandbox = "none"
model = "scripted"
[[projects]]
id = "docs"
hosts = ["docs.example.com"]
source.git = "{repository}"
source.branch = "main"
[projects.previews]
host = "{{preview}}.docs.example.com"
[projects.agent]
repository = "{repository}"
branch = "main"
forge_command = ["false"]
"#
    );
    let path = dir.join("server.toml");
    fs::write(&path, text).unwrap();
    let read = Settings::from_file(&path).unwrap();
    let problems = read.render_text();
    let mut settings = read.settings.expect(&problems);
    if let Some(admin) = &mut settings.admin {
        admin.rates = RateLimits::UNLIMITED;
    }
    settings
}

/// Runs one document. Returns success, the number of cases and the output.
fn check(program: &Path, cases: &str, addr: &str, key: &str) -> (bool, usize, String) {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(program)
        .args(["run", addr, "--checks", "all", "--seed", "1"])
        // One thread: Python 3.11 fails to read its own sources on several.
        .args(["--max-examples", cases, "--workers", "1"])
        .args(["--continue-on-failure", "--no-color", "--warnings", "off"])
        .args(["--header", &format!("Authorization: Bearer {key}")])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let generated = text.lines().find_map(|line| {
        let (number, _) = line.trim().split_once(" generated")?;
        number.replace(',', "").parse().ok()
    });
    (output.status.success(), generated.unwrap_or(0), text)
}

#[test]
#[expect(clippy::print_stderr, reason = "figures must be seen")]
fn schemathesis_finds_nothing_wrong_with_the_served_descriptions() {
    let Some(program) = program() else {
        svc_test_support::skip("Schemathesis is not installed; run `cargo xtask ci install`");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let settings = settings(dir.path());
    let store = settings.admin.as_ref().unwrap().store.reveal().to_owned();
    let server = TestServer::start(settings);
    let (_, key) = key(&store, "docs");
    let thorough = std::env::var_os("SVC_THOROUGH").is_some();
    let (examples, least) = CASES[usize::from(thorough)];
    let mut cases = 0;
    for document in ["admin", "deployment"] {
        let addr = format!("http://{}/openapi/{document}.json", server.admin);
        let (good, generated, text) = check(&program, examples, &addr, &key);
        assert!(good, "{text}");
        for phase in ["Examples", "Coverage", "Fuzzing", "Stateful"] {
            assert!(text.contains(phase), "{phase}: {text}");
        }
        eprintln!("{document}: {generated} cases");
        cases += generated;
    }
    assert!(cases >= least, "{cases} cases");
}
