//! Archives and checksums, by GNU tar, gzip and sha256sum.

use std::fs;
use std::path::Path;

use super::tree::Tree;
use super::{Release, remove, with_path, write};
use crate::sh;

/// Writes `DIR.tar.gz`, whose files are in the folder `DIR`.
pub(super) fn write_archive(release: &Release, tree: &Tree, name: &str) -> Result<(), String> {
    let dir = release.out.join(name);
    tree.write(&dir)?;
    pack(release, &release.out, name, &format!("{name}.tar.gz"))?;
    remove(&dir)
}

/// Writes the Helm chart in the form that `helm install` reads.
pub(super) fn write_chart(release: &Release) -> Result<(), String> {
    let from = sh::root().join("packaging/helm");
    let (staged, mut tree) = (release.out.join("chart"), Tree::default());
    for path in sh::files(&from)? {
        let inside = path.strip_prefix(&from).unwrap_or(&path);
        let bytes = fs::read(&path).map_err(with_path(&path))?;
        tree.insert(inside.display().to_string(), bytes, false);
    }
    tree.write(&staged)?;
    pack(release, &staged, "svc", &release.chart())?;
    remove(&staged)
}

/// Packs the folder `name` of `dir`.
fn pack(release: &Release, dir: &Path, name: &str, file: &str) -> Result<(), String> {
    let (tar, mtime) = (
        release.out.join("archive.tar"),
        format!("--mtime=@{}", release.time),
    );
    let (tar_text, dir) = (tar.to_string_lossy(), dir.to_string_lossy());
    sh::output(
        "tar",
        &[
            "--format=ustar",
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            &mtime,
            "-C",
            &dir,
            "-cf",
            &tar_text,
            name,
        ],
    )?;
    // Without the name and the time of the file.
    sh::output("gzip", &["-n", "-9", "-f", &tar_text])?;
    let (packed, file) = (release.out.join("archive.tar.gz"), release.out.join(file));
    fs::rename(packed, &file).map_err(with_path(&file))
}

/// Writes `SHA256SUMS` for the artefacts in a folder.
///
/// # Errors
/// If one of them is missing, or if there is another file.
pub(super) fn write_checksums(dir: &Path, artefacts: &[String]) -> Result<(), String> {
    let mut names = artefacts.to_vec();
    names.sort();
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).map_err(with_path(dir))? {
        let path = entry.map_err(with_path(dir))?.path();
        if path.is_file() {
            found.extend(
                path.file_name()
                    .map(|name| name.to_string_lossy().into_owned()),
            );
        }
    }
    found.sort();
    if found != names {
        return Err(format!("the artefacts are {found:?} instead of {names:?}"));
    }
    let mut text = String::new();
    for name in &names {
        let path = dir.join(name);
        let line = sh::output("sha256sum", &["--binary", &path.to_string_lossy()])?;
        let sum = line.split(' ').next().unwrap_or_default();
        text.push_str(&format!("{sum}  {name}\n"));
    }
    write(&dir.join("SHA256SUMS"), text.as_bytes())
}
