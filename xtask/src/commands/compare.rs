//! `cargo xtask compare`: exports sites with the `svc` of an earlier revision and with the current
//! one, and lists the files that differ.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sh;

/// Maximum number of listed files per site.
const MAX_SHOWN: usize = 20;

/// Maximum length of a printed line in characters.
const MAX_EXCERPT: usize = 160;

/// Exports every site twice, compares the files byte by byte, and fails if any differ.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let Some((revision, sites)) = arguments.split_first() else {
        return Err("REV is missing: cargo xtask compare REV [DIR…]".to_owned());
    };
    let sites = if sites.is_empty() {
        default_sites()
    } else {
        sites.iter().map(PathBuf::from).collect()
    };
    let out = sh::target().join("compare");
    reset(&out)?;
    let (before, after) = (out.join("svc-before"), out.join("svc-after"));
    build_revision(revision, &out.join("source"), &before)?;
    build(&sh::root(), &after)?;
    let mut differing = 0;
    for site in &sites {
        let old = export(&before, site, &out.join("before"))?;
        let new = export(&after, site, &out.join("after"))?;
        differing += report(site, &old, &new)?;
    }
    if differing == 0 {
        Ok(())
    } else {
        Err(format!("{differing} files differ from {revision}"))
    }
}

/// The documentation of this project, and the corpus beside the checkout.
fn default_sites() -> Vec<PathBuf> {
    let mut sites = vec![sh::root().join("docs")];
    if let Ok(entries) = fs::read_dir(sh::root().join("../shared/corpus/sites")) {
        let mut corpus: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        corpus.sort();
        sites.append(&mut corpus);
    } else {
        eprintln!("../shared/corpus/sites is missing: only docs is compared");
    }
    sites
}

/// Builds `svc` at a revision in a separate work tree with a shared target directory.
fn build_revision(revision: &str, source: &Path, program: &Path) -> Result<(), String> {
    let path = source.to_string_lossy();
    sh::run("git", &["worktree", "add", "--detach", &path, revision])?;
    let built = build(source, program);
    let removed = sh::run("git", &["worktree", "remove", "--force", &path]);
    built.and(removed)
}

fn build(source: &Path, program: &Path) -> Result<(), String> {
    let manifest = source.join("Cargo.toml");
    let target = sh::target();
    let (manifest, dir) = (manifest.to_string_lossy(), target.to_string_lossy());
    // The features of the whole workspace, so that both revisions share their third-party crates.
    let arguments = [
        "build",
        "--locked",
        "--workspace",
        "--bin",
        "svc",
        "--manifest-path",
    ];
    sh::run(
        "cargo",
        &[&arguments[..], &[&*manifest, "--target-dir", &*dir]].concat(),
    )?;
    // The next build overwrites the file.
    fs::copy(target.join("debug/svc"), program)
        .map(drop)
        .map_err(|error| format!("{}: {error}", program.display()))
}

/// Exports a site without network access. The exit status depends on diagnostics of the site and is
/// ignored.
fn export(program: &Path, site: &Path, out: &Path) -> Result<PathBuf, String> {
    reset(out)?;
    let to = out.join("site");
    let status = std::process::Command::new(program)
        .arg("build")
        .arg(site)
        .arg("--out")
        .arg(&to)
        .arg("--offline")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if to.is_dir() {
        Ok(to)
    } else {
        Err(format!(
            "{} build {} wrote nothing: {status}",
            program.display(),
            site.display()
        ))
    }
}

/// Prints the differences and returns the number of differing files.
fn report(site: &Path, old: &Path, new: &Path) -> Result<usize, String> {
    let (before, after) = (files(old)?, files(new)?);
    let mut lines = Vec::new();
    for path in before.union(&after) {
        let name = path.display();
        match (before.contains(path), after.contains(path)) {
            (true, false) => lines.push(format!("  {name}: removed")),
            (false, true) => lines.push(format!("  {name}: added")),
            _ => {
                let (a, b) = (read(&old.join(path))?, read(&new.join(path))?);
                if a != b {
                    lines.push(format!("  {name}{}", difference(&a, &b)));
                }
            }
        }
    }
    println!(
        "{}: {} files, {} differ",
        site.display(),
        before.len(),
        lines.len()
    );
    for line in lines.iter().take(MAX_SHOWN) {
        println!("{line}");
    }
    if lines.len() > MAX_SHOWN {
        println!("  and {} more", lines.len() - MAX_SHOWN);
    }
    Ok(lines.len())
}

/// The first differing line of two files.
fn difference(before: &[u8], after: &[u8]) -> String {
    let at = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let line = before[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    let excerpt = |bytes: &[u8]| {
        let text =
            String::from_utf8_lossy(&bytes[at.saturating_sub(40).min(bytes.len())..]).into_owned();
        let text: String = text.chars().take(MAX_EXCERPT).collect();
        text.replace('\n', "\\n")
    };
    format!(
        ":{line}\n    - {}\n    + {}",
        excerpt(before),
        excerpt(after)
    )
}

/// Paths of all files of an export, relative to it.
fn files(export: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let files = sh::files(export)?;
    let relative = files
        .iter()
        .filter_map(|path| path.strip_prefix(export).ok());
    Ok(relative.map(Path::to_path_buf).collect())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn reset(dir: &Path) -> Result<(), String> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(format!("{}: {error}", dir.display()));
        }
        _ => {}
    }
    fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))
}
