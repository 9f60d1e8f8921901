//! The folder from which a container engine builds the image.

use std::fs;
use std::path::PathBuf;

use super::programs::Target;
use super::tree::Tree;
use super::{Release, with_path};
use crate::sh;

/// The program in the image.
const PROGRAM: &str = "svc-server";

/// Writes the folder `container`; each target comes with the folder of its programs.
pub(super) fn write(
    release: &Release,
    targets: &[(&Target, PathBuf)],
    licenses: &str,
) -> Result<(), String> {
    let mut tree = Tree::default();
    for (target, programs) in targets {
        let path = programs.join(PROGRAM);
        let bytes = fs::read(&path).map_err(with_path(&path))?;
        tree.insert(format!("{PROGRAM}-{}", target.debian), bytes, true);
    }
    for (from, to) in [
        ("packaging/Containerfile", "Containerfile"),
        ("LICENSE-APACHE", "licenses/LICENSE-APACHE"),
        ("LICENSE-MIT", "licenses/LICENSE-MIT"),
    ] {
        let path = sh::root().join(from);
        let bytes = fs::read(&path).map_err(with_path(&path))?;
        tree.insert(to.to_owned(), bytes, false);
    }
    let text = licenses.as_bytes().to_vec();
    tree.insert("licenses/THIRD-PARTY-LICENSES".to_owned(), text, false);
    let dir = release.out.join("container");
    tree.write(&dir)?;
    // The volume begins as a copy of this empty folder, with its owner.
    let data = dir.join("data");
    fs::create_dir(&data).map_err(with_path(&data))
}
