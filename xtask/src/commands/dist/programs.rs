//! The programs: static binaries, and the files that they generate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{recreate, with_path, write};
use crate::sh;

/// A target of a release.
#[derive(Debug)]
pub(super) struct Target {
    /// Name for the compiler.
    pub(super) triple: &'static str,
    /// Architecture in Debian's names, and in those of container engines.
    pub(super) debian: &'static str,
    /// Architecture in the names of Rust.
    arch: &'static str,
}

/// Static binaries run on every distribution.
pub(super) static TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-musl",
        debian: "amd64",
        arch: "x86_64",
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        debian: "arm64",
        arch: "aarch64",
    },
];

/// The programs of a release.
pub(super) static PROGRAMS: &[&str] = &["svc", "svc-server"];

/// Profile of a release, and of `--quick`.
pub(super) const PROFILE: &str = "dist";
pub(super) const QUICK_PROFILE: &str = "release";

/// Completions: shell, folder below `share`, and text around the name of the program.
static COMPLETIONS: &[(&str, &str, &str, &str)] = &[
    ("bash", "bash-completion/completions", "", ""),
    ("fish", "fish/vendor_completions.d", "", ".fish"),
    ("zsh", "zsh/site-functions", "_", ""),
];

impl Target {
    /// Whether programs for the target run here.
    pub(super) fn is_host(&self) -> bool {
        cfg!(target_os = "linux") && self.arch == std::env::consts::ARCH
    }
}

/// Folder with the built programs.
pub(super) fn dir(target: &Target, profile: &str) -> PathBuf {
    sh::target().join(target.triple).join(profile)
}

/// Builds the programs with Zig as the C compiler and linker, which has the C library of every
/// target. Both come from PyPI: `pip install ziglang cargo-zigbuild`.
pub(super) fn build(target: &Target, profile: &str) -> Result<(), String> {
    if !sh::has("cargo-zigbuild") {
        return Err(
            "cargo-zigbuild is missing; run `pip install ziglang cargo-zigbuild`".to_owned(),
        );
    }
    let (mut rust, c) = remapped_paths()?;
    if std::env::var_os("CARGO_UNSTABLE_BUILD_STD").is_some() {
        // The source of the standard library has no object files of musl; Zig has.
        rust.push_str("\x1f-Clink-self-contained=no");
    } else if sh::has("rustup") {
        sh::run("rustup", &["target", "add", target.triple])?;
    }
    let mut arguments = vec!["zigbuild", "--locked", "--profile", profile];
    arguments.extend([
        "--target",
        target.triple,
        "-p",
        "svc-cli",
        "-p",
        "svc-server",
    ]);
    let variables = [("CARGO_ENCODED_RUSTFLAGS", &*rust), ("CFLAGS", &*c)];
    sh::run_with("cargo", &arguments, &variables)
}

/// Flags for Rust and C that remove the folders of this machine from the programs.
fn remapped_paths() -> Result<(String, String), String> {
    let home = std::env::var("HOME").unwrap_or_default();
    let cargo = std::env::var("CARGO_HOME").unwrap_or_else(|_| format!("{home}/.cargo"));
    let sysroot = sh::output("rustc", &["--print", "sysroot"])?;
    let root = sh::root().display().to_string();
    let target = std::path::absolute(sh::target()).map_err(|error| error.to_string())?;
    let target = target.display().to_string();
    let folders = [
        (root.as_str(), "/svc"),
        (target.as_str(), "/target"),
        (cargo.as_str(), "/cargo"),
        (sysroot.trim(), "/rust"),
    ];
    let rust = folders.map(|(from, to)| format!("--remap-path-prefix={from}={to}"));
    let c = folders.map(|(from, to)| format!("-ffile-prefix-map={from}={to}"));
    Ok((rust.join("\x1f"), c.join(" ")))
}

/// Writes manual pages and completions of the programs in `from` below `out`, in the layout of
/// `share`.
pub(super) fn generate(from: &Path, out: &Path) -> Result<(), String> {
    recreate(out)?;
    let pages = out.join("man/man1");
    for name in PROGRAMS {
        let program = from.join(name);
        output(&program, &["man", "--out", &pages.to_string_lossy()])?;
        for (shell, dir, before, after) in COMPLETIONS {
            let script = output(&program, &["completions", shell])?;
            let file = format!("{dir}/{before}{name}{after}");
            write(&out.join(file), &script)?;
        }
    }
    Ok(())
}

fn output(program: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(with_path(program))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!(
            "{} {}: {}",
            program.display(),
            arguments.join(" "),
            output.status
        ))
    }
}

/// The programs in a folder, with their names.
pub(super) fn read(dir: &Path) -> Result<Vec<(&'static str, Vec<u8>)>, String> {
    let programs = PROGRAMS.iter().map(|name| {
        let path = dir.join(name);
        fs::read(&path)
            .map(|bytes| (*name, bytes))
            .map_err(with_path(&path))
    });
    programs.collect()
}
