//! The data directory, with one subdirectory for each site.

use std::path::{Path, PathBuf};

/// The directory of a site in `dir`, or else in `svc` of the user's XDG state directory (XDG
/// Base Directory Specification 0.8). `None` if neither is known. The directory is not created.
pub fn data_dir(
    dir: Option<&Path>,
    site: &Path,
    variable: impl Fn(&str) -> Option<PathBuf>,
) -> Option<PathBuf> {
    let state = || {
        variable("XDG_STATE_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| variable("HOME").map(|home| home.join(".local/state")))
            .map(|path| path.join("svc"))
    };
    dir.map(Path::to_path_buf)
        .or_else(state)
        .map(|base| base.join(id(site)))
}

/// The name of the directory with a hash of its path, because two sites can both be named `docs`.
fn id(site: &Path) -> String {
    let path = site.canonicalize().unwrap_or_else(|_| site.to_path_buf());
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("site");
    let name: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
        .take(40)
        .collect();
    // FNV-1a: the standard hasher may change with the compiler, and the data would be lost.
    let hash = path
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
        });
    format!("{name}-{hash:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_dir_option_precedes_xdg_state_home_which_precedes_home() {
        let none = |_: &str| None;
        let home = |name: &str| (name == "HOME").then(|| PathBuf::from("/home/a"));
        let state = |name: &str| (name == "XDG_STATE_HOME").then(|| PathBuf::from("/state"));
        let site = Path::new("/no/such/docs");
        let parent = |path: Option<PathBuf>| path.and_then(|path| path.parent().map(PathBuf::from));
        assert_eq!(
            parent(data_dir(Some(Path::new("/d")), site, state)),
            Some("/d".into())
        );
        assert_eq!(
            parent(data_dir(None, site, state)),
            Some("/state/svc".into())
        );
        assert_eq!(
            parent(data_dir(None, site, home)),
            Some("/home/a/.local/state/svc".into())
        );
        assert_eq!(data_dir(None, site, none), None);
        assert_ne!(id(Path::new("/a/docs")), id(Path::new("/b/docs")));
    }
}
