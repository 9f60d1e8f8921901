//! The Debian package, by `dpkg-deb`.
//!
//! It has no scripts: it neither starts a server without settings nor stops one, and systemd reads
//! the new unit by a trigger of its own.

use super::programs::Target;
use super::tree::{self, Tree};
use super::{Release, remove};
use crate::sh;

/// Writes the package of a target.
pub(super) fn write(release: &Release, tree: &Tree, target: &Target) -> Result<(), String> {
    let mut package = Tree::default();
    let mut bytes = 0;
    for (path, entry) in &tree.0 {
        bytes += entry.bytes.len();
        package.insert(
            path_in_package(path),
            entry.bytes.clone(),
            entry.is_executable,
        );
    }
    let unit = tree::unit()?.into_bytes();
    package.insert(path_in_package(tree::UNIT), unit, false);
    let control = control(release, target, bytes.div_ceil(1024));
    package.insert("DEBIAN/control".to_owned(), control.into_bytes(), false);
    let dir = release.out.join("deb");
    package.write(&dir)?;
    let file = release.out.join(release.deb(target));
    let epoch = format!("SOURCE_DATE_EPOCH={}", release.time);
    sh::output(
        "env",
        &[
            &epoch,
            "dpkg-deb",
            "--root-owner-group",
            "-Zxz",
            "--build",
            &dir.to_string_lossy(),
            &file.to_string_lossy(),
        ],
    )?;
    remove(&dir)
}

/// Debian's policy names the file with all licences.
fn path_in_package(path: &str) -> String {
    match path {
        "share/doc/svc/THIRD-PARTY-LICENSES" => "usr/share/doc/svc/copyright".to_owned(),
        "share/zsh/site-functions/_svc" => "usr/share/zsh/vendor-completions/_svc".to_owned(),
        "share/zsh/site-functions/_svc-server" => {
            "usr/share/zsh/vendor-completions/_svc-server".to_owned()
        }
        path => format!("usr/{path}"),
    }
}

fn control(release: &Release, target: &Target, kib: usize) -> String {
    format!(
        "Package: svc\n\
         Version: {}\n\
         Architecture: {}\n\
         Maintainer: The svc authors <noreply@svc.dev>\n\
         Installed-Size: {kib}\n\
         Section: web\n\
         Priority: optional\n\
         Suggests: git, openssh-client\n\
         Description: documentation sites from MDX pages and OpenAPI documents\n \
         The program svc previews, checks and exports a site. The program svc-server\n \
         serves one site from a folder, or many from Git repositories.\n",
        release.version, target.debian
    )
}
