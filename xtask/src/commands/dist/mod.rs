//! `cargo xtask dist`: everything that a release consists of.
//!
//! The same commit gives the same bytes: names are sorted, owners and times are fixed, and paths of
//! the machine are removed from the programs.

mod archive;
mod container;
mod deb;
mod licenses;
mod packages;
mod programs;
mod sbom;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use self::packages::Packages;
use self::programs::{PROFILE, QUICK_PROFILE, TARGETS, Target};
use self::tree::Tree;
use crate::sh;

/// What all artefacts of a release have in common.
struct Release {
    version: String,
    /// Seconds since 1970 that all files have as their time: that of the commit.
    time: String,
    /// Where the artefacts are written.
    out: PathBuf,
}

impl Release {
    fn new() -> Result<Self, String> {
        let time = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time,
            Err(_) => sh::output("git", &["log", "-1", "--format=%ct"])?,
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            time: time.trim().to_owned(),
            out: sh::target().join("packages"),
        })
    }

    /// Names of all artefacts: for each target an archive and a Debian package, then the Helm chart,
    /// the components of the programs, and the checksums of all of them.
    fn artefacts(&self, targets: &[&Target]) -> Vec<String> {
        let mut names = Vec::new();
        for target in targets {
            names.push(format!("{}.tar.gz", self.archive_dir(target)));
            names.push(self.deb(target));
        }
        names.push(self.chart());
        names.push(self.sbom());
        names.push(self.licenses());
        names
    }

    /// Folder inside of an archive, and its name without the extension. `cargo binstall` knows it
    /// from the manifests of the programs.
    fn archive_dir(&self, target: &Target) -> String {
        format!("svc-{}-{}", self.version, target.triple)
    }

    fn deb(&self, target: &Target) -> String {
        format!("svc_{}_{}.deb", self.version, target.debian)
    }

    fn chart(&self) -> String {
        format!("svc-{}.tgz", self.version)
    }

    fn licenses(&self) -> String {
        format!("svc-{}-licenses.txt", self.version)
    }

    fn sbom(&self) -> String {
        format!("svc-{}.cdx.json", self.version)
    }
}

/// Builds all artefacts; with `--quick`, those of this machine without expensive optimizations.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let is_quick = match arguments {
        [] => false,
        [option] if option == "--quick" => true,
        _ => return Err("the only option is --quick".to_owned()),
    };
    let host = TARGETS.iter().find(|target| target.is_host());
    let host = host.ok_or("completions and manual pages need a program that runs here, but there is no target for this machine")?;
    let (targets, profile) = match is_quick {
        true => (vec![host], QUICK_PROFILE),
        false => (TARGETS.iter().collect(), PROFILE),
    };
    let release = Release::new()?;
    for target in &targets {
        programs::build(target, profile)?;
    }
    let packages = Packages::read()?;
    let licenses = licenses::text(&packages)?;
    recreate(&release.out)?;
    let generated = release.out.join("generated");
    programs::generate(&programs::dir(host, profile), &generated)?;
    for target in &targets {
        let tree = Tree::of_release(&programs::dir(target, profile), &generated, &licenses)?;
        archive::write_archive(&release, &tree, &release.archive_dir(target))?;
        deb::write(&release, &tree, target)?;
    }
    archive::write_chart(&release)?;
    let built = targets
        .iter()
        .map(|target| (*target, programs::dir(target, profile)));
    container::write(&release, &built.collect::<Vec<_>>(), &licenses)?;
    let sbom = sbom::document(&packages, &release.version);
    write(&release.out.join(release.sbom()), sbom.as_bytes())?;
    write(&release.out.join(release.licenses()), licenses.as_bytes())?;
    remove(&generated)?;
    archive::write_checksums(&release.out, &release.artefacts(&targets))?;
    eprintln!("dist: {}", release.out.display());
    Ok(())
}

fn with_path(path: &Path) -> impl FnOnce(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Writes a file and creates its folder.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(with_path(dir))?;
    }
    fs::write(path, bytes).map_err(with_path(path))
}

fn remove(dir: &Path) -> Result<(), String> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(with_path(dir)(error)),
        _ => Ok(()),
    }
}

/// An empty folder.
fn recreate(dir: &Path) -> Result<(), String> {
    remove(dir)?;
    fs::create_dir_all(dir).map_err(with_path(dir))
}

#[cfg(test)]
mod tests;
