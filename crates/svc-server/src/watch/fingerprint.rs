//! Whether a folder changed, by looking at it.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

/// Names, sizes and times of all files of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fingerprint(u64);

/// Folders that are never part of a site and may be large.
const SKIPPED: [&str; 5] = ["node_modules", "target", "build", "dist", "coverage"];

/// Looks at a folder. What cannot be read counts as not there.
pub fn fingerprint(root: &Path) -> Fingerprint {
    let mut hasher = DefaultHasher::new();
    let mut folders = vec![root.to_owned()];
    let mut seen = 0_usize;
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let hidden = name.to_string_lossy().starts_with('.');
            if metadata.is_dir() {
                let skipped = SKIPPED.iter().any(|skipped| name == *skipped);
                if !hidden && !skipped {
                    folders.push(entry.path());
                }
                continue;
            }
            seen += 1;
            // A folder this large is not a site; looking on would only cost time.
            if seen > 200_000 {
                return Fingerprint(hasher.finish());
            }
            (entry.path(), metadata.len(), metadata.modified().ok()).hash(&mut hasher);
        }
    }
    Fingerprint(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_changes_the_fingerprint_and_a_look_does_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.mdx"), "a").unwrap();
        let first = fingerprint(folder.path());
        assert_eq!(first, fingerprint(folder.path()));
        fs::write(folder.path().join("a.mdx"), "ab").unwrap();
        let second = fingerprint(folder.path());
        assert_ne!(first, second);
        fs::create_dir(folder.path().join("node_modules")).unwrap();
        fs::write(folder.path().join("node_modules/b.mdx"), "b").unwrap();
        assert_eq!(second, fingerprint(folder.path()));
    }
}
