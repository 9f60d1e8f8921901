//! The files of a release, with their paths below a prefix such as `/usr`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{programs, with_path, write};
use crate::sh;

/// A file of a release.
pub(super) struct Entry {
    pub(super) bytes: Vec<u8>,
    pub(super) is_executable: bool,
}

/// Files by path, in the order of their paths.
#[derive(Default)]
pub(super) struct Tree(pub(super) BTreeMap<String, Entry>);

/// Files of the repository, and their paths.
static FILES: &[(&str, &str)] = &[
    ("LICENSE-APACHE", "share/doc/svc/LICENSE-APACHE"),
    ("LICENSE-MIT", "share/doc/svc/LICENSE-MIT"),
    ("README.md", "share/doc/svc/README.md"),
    ("CHANGELOG.md", "share/doc/svc/CHANGELOG.md"),
    (
        "packaging/server.toml",
        "share/doc/svc/examples/server.toml",
    ),
    (
        "packaging/proxy/nginx.conf",
        "share/doc/svc/examples/nginx.conf",
    ),
    (
        "packaging/proxy/Caddyfile",
        "share/doc/svc/examples/Caddyfile",
    ),
    (
        "packaging/proxy/traefik.yml",
        "share/doc/svc/examples/traefik.yml",
    ),
    (
        "packaging/grafana/svc.json",
        "share/doc/svc/examples/grafana.json",
    ),
];

/// Path of the unit of systemd.
pub(super) const UNIT: &str = "lib/systemd/system/svc-server.service";

/// The unit of systemd for programs in `/usr/bin`.
pub(super) fn unit() -> Result<String, String> {
    let path = sh::root().join("packaging/systemd/svc-server.service");
    fs::read_to_string(&path).map_err(with_path(&path))
}

impl Tree {
    /// The programs of a target, what they generated for `share`, and files of the repository.
    pub(super) fn of_release(
        programs: &Path,
        generated: &Path,
        licenses: &str,
    ) -> Result<Self, String> {
        let mut tree = Self::default();
        for (name, bytes) in programs::read(programs)? {
            tree.insert(format!("bin/{name}"), bytes, true);
        }
        for path in sh::files(generated)? {
            let inside = path.strip_prefix(generated).unwrap_or(&path);
            let bytes = fs::read(&path).map_err(with_path(&path))?;
            tree.insert(format!("share/{}", inside.display()), bytes, false);
        }
        for (from, to) in FILES {
            let path = sh::root().join(from);
            let bytes = fs::read(&path).map_err(with_path(&path))?;
            tree.insert((*to).to_owned(), bytes, false);
        }
        // The unit is for a package; programs of an archive are installed elsewhere.
        let unit = unit()?.replace("/usr/bin/", "/usr/local/bin/");
        tree.insert(UNIT.to_owned(), unit.into_bytes(), false);
        let text = licenses.as_bytes().to_vec();
        tree.insert("share/doc/svc/THIRD-PARTY-LICENSES".to_owned(), text, false);
        Ok(tree)
    }

    /// Adds a file.
    pub(super) fn insert(&mut self, path: String, bytes: Vec<u8>, is_executable: bool) {
        let entry = Entry {
            bytes,
            is_executable,
        };
        self.0.insert(path, entry);
    }

    /// Writes the files below a folder, with permissions that do not depend on the umask.
    pub(super) fn write(&self, dir: &Path) -> Result<(), String> {
        for (path, entry) in &self.0 {
            let path = dir.join(path);
            write(&path, &entry.bytes)?;
            set_mode(&path, if entry.is_executable { 0o755 } else { 0o644 })?;
        }
        set_dir_modes(dir)
    }
}

/// Makes a folder and those below it readable.
fn set_dir_modes(dir: &Path) -> Result<(), String> {
    set_mode(dir, 0o755)?;
    for entry in fs::read_dir(dir).map_err(with_path(dir))? {
        let path = entry.map_err(with_path(dir))?.path();
        if path.is_dir() {
            set_dir_modes(&path)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(with_path(path))
}

/// Releases are for Linux, and are built there.
#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> Result<(), String> {
    Ok(())
}
