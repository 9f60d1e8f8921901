//! `cargo xtask ci`: the steps by name.

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
    ("spec", || super::spec::run(&["--check".to_owned()])),
    ("test", || {
        sh::run("cargo", &["test", "--workspace", "--locked"])
    }),
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

/// Installs what the tests need and the machine lacks: Chromium for the browser tests, a server of SSH, the
/// sandbox of agents, and the checkers of finished pages.
fn install() -> Result<(), String> {
    chromium()?;
    sshd()?;
    bubblewrap()?;
    postgresql()?;
    recipes()?;
    schemathesis()?;
    checkers()
}

/// The browser, with a font that its pictures are compared in, and one that stands in for others.
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

/// Fills `target/npm` with the packages of `tests/npm`, in exactly those versions and without
/// running anything of theirs; does nothing when they are there.
fn checkers() -> Result<(), String> {
    if !sh::has("npm") {
        eprintln!(
            "npm is missing: the checks by axe-core, html-validate, redocly and shiki will be skipped"
        );
        return Ok(());
    }
    let (from, to) = (sh::root().join("tests/npm"), sh::root().join("target/npm"));
    let told = |error: std::io::Error| format!("{}: {error}", to.display());
    let lock = "package-lock.json";
    let wanted = fs::read(from.join(lock)).map_err(told)?;
    let there = to.join("node_modules").is_dir();
    if there && fs::read(to.join(lock)).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    fs::create_dir_all(&to).map_err(told)?;
    for file in ["package.json", lock] {
        fs::copy(from.join(file), to.join(file)).map_err(told)?;
    }
    let folder = to.to_string_lossy();
    let arguments = [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefix",
    ];
    let run = sh::run("npm", &[&arguments[..], &[&*folder]].concat());
    if let Err(why) = run {
        // A machine without the registry still runs all other tests.
        eprintln!(
            "{why}: the checks by axe-core, html-validate, redocly and shiki will be skipped"
        );
    }
    Ok(())
}

/// Fills `target/python` with Schemathesis, in exactly the versions of `tests/python`; does nothing
/// when they are there.
fn schemathesis() -> Result<(), String> {
    let wanted = sh::root().join("tests/python/requirements.txt");
    let to = sh::root().join("target/python");
    let told = |error: std::io::Error| format!("{}: {error}", to.display());
    let kept = to.join("requirements.txt");
    let list = fs::read(&wanted).map_err(told)?;
    if fs::read(&kept).is_ok_and(|found| found == list) {
        return Ok(());
    }
    python()?;
    let (folder, pip) = (to.to_string_lossy(), to.join("bin/pip"));
    let (pip, wanted) = (pip.to_string_lossy(), wanted.to_string_lossy());
    let arguments = ["install", "-q", "--no-deps", "--only-binary", ":all:", "-r"];
    let done = sh::run("python3", &["-m", "venv", &folder])
        .and_then(|()| sh::run(&pip, &[&arguments[..], &[&*wanted]].concat()));
    match done {
        Ok(()) => fs::write(&kept, list).map_err(told),
        Err(why) => {
            // A machine without the registry still runs all other tests.
            eprintln!("{why}: the test by Schemathesis will be skipped");
            Ok(())
        }
    }
}

/// Schemathesis is a program in Python, and stands in an environment of its own.
fn python() -> Result<(), String> {
    let works = sh::output("python3", &["-c", "import venv, ensurepip"]).is_ok();
    program("Python", &["python3-venv"], works, TESTS_SKIPPED)
}

/// The tests of Git over SSH start a server of their own.
fn sshd() -> Result<(), String> {
    let is_there = std::path::Path::new("/usr/sbin/sshd").exists();
    program("sshd", &["openssh-server"], is_there, TESTS_SKIPPED)
}

/// The sandbox of agents.
fn bubblewrap() -> Result<(), String> {
    program("bwrap", &["bubblewrap"], sh::has("bwrap"), TESTS_SKIPPED)
}

/// The tests of the store start a database of their own.
fn postgresql() -> Result<(), String> {
    let is_there = std::path::Path::new("/usr/lib/postgresql").exists();
    program("PostgreSQL", &["postgresql"], is_there, TESTS_SKIPPED)
}

/// The recipes of the documentation are given to the programs that they are for.
fn recipes() -> Result<(), String> {
    let nginx = std::path::Path::new("/usr/sbin/nginx").exists();
    program("nginx", &["nginx-light"], nginx, TESTS_SKIPPED)?;
    program("Caddy", &["caddy"], sh::has("caddy"), TESTS_SKIPPED)?;
    program("OpenSSL", &["openssl"], sh::has("openssl"), TESTS_SKIPPED)
}

/// What becomes of the tests of most programs without them.
const TESTS_SKIPPED: &str = "its tests will be skipped";

/// Installs a program that is not there; `without` says what becomes of the tests where it cannot be
/// installed.
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
