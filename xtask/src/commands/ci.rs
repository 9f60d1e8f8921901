//! `cargo xtask ci`: the steps of `test` by name.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use crate::sh;

type Step = (&'static str, fn() -> Result<(), String>);

static STEPS: &[Step] = &[
    ("install", install),
    ("fmt", || sh::run("cargo", &["fmt", "--all", "--check"])),
    ("tidy", || super::tidy::run(&[])),
    ("clippy", || {
        sh::run(
            "cargo",
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ],
        )
    }),
    ("semver", || super::semver::run(&[])),
    ("spec", || super::spec::run(&["--check".to_owned()])),
    ("test", test),
];

/// Runs the named steps, or all of them.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(unknown) = arguments
        .iter()
        .find(|name| !STEPS.iter().any(|step| step.0 == **name))
    {
        let names: Vec<&str> = STEPS.iter().map(|step| step.0).collect();
        return Err(format!(
            "no step `{unknown}`; the steps are {}",
            names.join(", ")
        ));
    }
    for (name, step) in STEPS {
        if arguments.is_empty() || arguments.iter().any(|argument| argument == name) {
            let start = Instant::now();
            eprintln!("== {name}");
            step()?;
            eprintln!("== {name}: ok in {:.0} s", start.elapsed().as_secs_f32());
        }
    }
    Ok(())
}

/// Runs all tests, then lists the checks that they skipped with their reasons.
fn test() -> Result<(), String> {
    let list = sh::target().join("skipped-checks.txt");
    let with_path = |error: std::io::Error| format!("{}: {error}", list.display());
    fs::create_dir_all(sh::target()).map_err(with_path)?;
    fs::write(&list, "").map_err(with_path)?;
    let path = std::path::absolute(&list).map_err(with_path)?;
    sh::run_with(
        "cargo",
        &["test", "--workspace", "--locked"],
        &[("SVC_SKIPPED", &path.to_string_lossy())],
    )?;
    let text = fs::read_to_string(&list).map_err(with_path)?;
    eprint!("{}", skipped_checks(&text));
    Ok(())
}

/// Summary of the skipped checks: their number, and each with its reason. Each line of `text`
/// is a reason and the name of a test, separated by a tab.
fn skipped_checks(text: &str) -> String {
    let checks: BTreeSet<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    if checks.is_empty() {
        return "No check was skipped.\n".to_owned();
    }
    let mut out = format!("{} checks were skipped:\n", checks.len());
    for (reason, test) in checks {
        let _ = writeln!(out, "  {test}: {reason}");
    }
    out
}

/// Installs missing programs that tests need: Chromium, an SSH server, a certificate authority, the sandbox of agents, the
/// checkers of exported pages, and the clients of the MCP server.
fn install() -> Result<(), String> {
    chromium()?;
    sshd()?;
    faketime()?;
    pebble()?;
    bubblewrap()?;
    postgresql()?;
    recipes()?;
    schemathesis()?;
    helm()?;
    checkers()?;
    agents()
}

/// Chromium, with the font of the reference screenshots and a fallback font.
fn chromium() -> Result<(), String> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = names.into_iter().any(sh::has);
    program(
        "chromium",
        &["chromium", "fonts-inter"],
        is_there,
        "the browser tests will fail",
    )?;
    let fonts = std::path::Path::new("/usr/share/fonts/truetype/liberation").exists();
    program(
        "Liberation Sans",
        &["fonts-liberation"],
        fonts,
        "text may move when its font arrives",
    )
}

/// Installs the checkers of pages.
fn checkers() -> Result<(), String> {
    npm_packages(
        "tests/npm",
        "target/npm",
        "the checks by axe-core, html-validate, redocly, shiki and of files for discovery, and the sign-in of readers at a provider will be skipped",
    )
}

/// Installs the checkers and clients for agents.
fn agents() -> Result<(), String> {
    npm_packages(
        "tests/npm/agents",
        "target/npm-agents",
        "the checks by afdocs and by MCP clients of npm will be skipped",
    )?;
    python_packages(
        "tests/python/mcp/requirements.txt",
        "target/python-mcp",
        "the check by the MCP client of Python will be skipped",
    )
}

/// Installs the npm packages of a directory into another, in exactly those versions and without
/// running their scripts. Does nothing if they are installed. `without` describes the effect on the
/// tests if that fails.
fn npm_packages(from: &str, to: &str, without: &str) -> Result<(), String> {
    if !sh::has("npm") {
        eprintln!("npm is missing: {without}");
        return Ok(());
    }
    let (from, to) = (sh::root().join(from), sh::root().join(to));
    let with_path = |error: std::io::Error| format!("{}: {error}", to.display());
    let lock = "package-lock.json";
    let expected = fs::read(from.join(lock)).map_err(with_path)?;
    let there = to.join("node_modules").is_dir();
    if there && fs::read(to.join(lock)).is_ok_and(|installed| installed == expected) {
        return Ok(());
    }
    fs::create_dir_all(&to).map_err(with_path)?;
    for file in ["package.json", lock] {
        fs::copy(from.join(file), to.join(file)).map_err(with_path)?;
    }
    let target_dir = to.to_string_lossy();
    let arguments = [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefix",
    ];
    let run = sh::run("npm", &[&arguments[..], &[&*target_dir]].concat());
    if let Err(reason) = run {
        // Without the registry all other tests still run.
        eprintln!("{reason}: {without}");
    }
    Ok(())
}

/// Installs Schemathesis, and a client of HTTP/2.
fn schemathesis() -> Result<(), String> {
    python_packages(
        "tests/python/requirements.txt",
        "target/python",
        "the tests by Schemathesis and by the HTTP/2 client of Python will be skipped",
    )
}

/// Installs Helm as a library, and the schemas of Kubernetes.
fn helm() -> Result<(), String> {
    python_packages(
        "tests/python/helm/requirements.txt",
        "target/python-helm",
        "the test of the Helm chart will be skipped",
    )
}

/// Installs Python packages into a virtual environment, in exactly the listed versions. Does nothing
/// if they are installed. `without` describes the effect on the tests if that fails.
fn python_packages(requirements: &str, to: &str, without: &str) -> Result<(), String> {
    let (requirements, to) = (sh::root().join(requirements), sh::root().join(to));
    let with_path = |error: std::io::Error| format!("{}: {error}", to.display());
    let installed_list = to.join("requirements.txt");
    let list = fs::read(&requirements).map_err(with_path)?;
    if fs::read(&installed_list).is_ok_and(|installed| installed == list) {
        return Ok(());
    }
    python()?;
    let (target_dir, pip) = (to.to_string_lossy(), to.join("bin/pip"));
    let (pip, requirements) = (pip.to_string_lossy(), requirements.to_string_lossy());
    let arguments = ["install", "-q", "--no-deps", "--only-binary", ":all:", "-r"];
    let done = sh::run("python3", &["-m", "venv", &target_dir])
        .and_then(|()| sh::run(&pip, &[&arguments[..], &[&*requirements]].concat()));
    match done {
        Ok(()) => fs::write(&installed_list, list).map_err(with_path),
        Err(reason) => {
            // Without the registry all other tests still run.
            eprintln!("{reason}: {without}");
            Ok(())
        }
    }
}

/// Python with `venv`.
fn python() -> Result<(), String> {
    let works = sh::output("python3", &["-c", "import venv, ensurepip"]).is_ok();
    program("Python", &["python3-venv"], works, TESTS_SKIPPED)
}

/// `sshd`, for the tests of Git over SSH.
fn sshd() -> Result<(), String> {
    let is_there = std::path::Path::new("/usr/sbin/sshd").exists();
    program("sshd", &["openssh-server"], is_there, TESTS_SKIPPED)
}

/// faketime, for a clock that jumps.
fn faketime() -> Result<(), String> {
    program(
        "faketime",
        &["faketime"],
        sh::has("faketime"),
        TESTS_SKIPPED,
    )
}

/// pebble, a certificate authority for the tests of ACME, with its DNS server.
fn pebble() -> Result<(), String> {
    program("pebble", &["pebble"], sh::has("pebble"), TESTS_SKIPPED)
}

/// bubblewrap, the sandbox of agents.
fn bubblewrap() -> Result<(), String> {
    program("bwrap", &["bubblewrap"], sh::has("bwrap"), TESTS_SKIPPED)
}

/// PostgreSQL, for the tests of the store.
fn postgresql() -> Result<(), String> {
    let is_there = std::path::Path::new("/usr/lib/postgresql").exists();
    program("PostgreSQL", &["postgresql"], is_there, TESTS_SKIPPED)
}

/// The programs whose configuration the documentation shows.
fn recipes() -> Result<(), String> {
    let nginx = std::path::Path::new("/usr/sbin/nginx").exists();
    program("nginx", &["nginx-light"], nginx, TESTS_SKIPPED)?;
    program("Caddy", &["caddy"], sh::has("caddy"), TESTS_SKIPPED)?;
    let haproxy = std::path::Path::new("/usr/sbin/haproxy").exists();
    program("HAProxy", &["haproxy"], haproxy, TESTS_SKIPPED)?;
    program("OpenSSL", &["openssl"], sh::has("openssl"), TESTS_SKIPPED)
}

/// Effect of most missing programs.
const TESTS_SKIPPED: &str = "its tests will be skipped";

/// Installs a missing program; `without` describes the effect on the tests if that fails.
fn program(name: &str, packages: &[&str], is_there: bool, without: &str) -> Result<(), String> {
    if is_there {
        return Ok(());
    }
    if !sh::has("apt-get") {
        eprintln!("{name} is missing and there is no apt-get: {without}");
        return Ok(());
    }
    eprintln!("{name} is missing: installing it with apt-get");
    sh::run("apt-get", &["update", "-qq"])?;
    let arguments = ["install", "-y", "-qq", "--no-install-recommends"];
    sh::run("apt-get", &[&arguments[..], packages].concat())
}

#[cfg(test)]
mod tests {
    use super::skipped_checks;

    #[test]
    fn skipped_checks_are_counted_and_named_once() {
        assert_eq!(skipped_checks(""), "No check was skipped.\n");
        assert_eq!(
            skipped_checks("no git\tdates::a\nno git\tdates::a\nno curl\tsamples::b\n"),
            "2 checks were skipped:\n  samples::b: no curl\n  dates::a: no git\n"
        );
    }
}
