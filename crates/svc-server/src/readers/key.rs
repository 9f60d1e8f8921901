//! The key that signs sessions.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// Name of the file in the data directory. Servers of one database have the same key.
const FILE: &str = "readers.key";

/// Replaces the key of a data directory by that of the other servers of a database.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn replace_key(data: &Path, key: &[u8; 32]) -> io::Result<()> {
    let new = data.join("readers.key.new");
    let _ = fs::remove_file(&new);
    create(&new, key)?;
    fs::rename(new, data.join(FILE))
}

/// Reads the key of a data directory, or creates one.
///
/// # Errors
/// If the file cannot be read or written, or is not a key.
pub(crate) fn key_in(data: &Path) -> io::Result<[u8; 32]> {
    let path = data.join(FILE);
    match fs::read(&path) {
        Ok(bytes) => bytes.try_into().map_err(|_| {
            let problem = format!("{}: the file must contain 32 bytes", path.display());
            io::Error::new(io::ErrorKind::InvalidData, problem)
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut key = [0; 32];
            getrandom::fill(&mut key).map_err(io::Error::other)?;
            create(&path, &key)?;
            Ok(key)
        }
        Err(error) => Err(error),
    }
}

/// Writes a key to a new file that only its owner can read.
fn create(path: &Path, key: &[u8; 32]) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(key)
}

/// The key of a project: a session of one project is not valid in another.
pub(crate) fn key_of_project(key: &[u8; 32], project: &str) -> [u8; 32] {
    // A key of any length is accepted.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return *key;
    };
    mac.update(project.as_bytes());
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::{key_in, key_of_project, replace_key};

    #[test]
    fn the_key_stays_and_differs_for_each_project() {
        let dir = tempfile::tempdir().unwrap();
        let key = key_in(dir.path()).unwrap();
        assert_eq!(key_in(dir.path()).unwrap(), key);
        assert_ne!(key_of_project(&key, "a"), key_of_project(&key, "b"));
        replace_key(dir.path(), &[7; 32]).unwrap();
        assert_eq!(key_in(dir.path()).unwrap(), [7; 32]);
        std::fs::write(dir.path().join("readers.key"), "short").unwrap();
        assert!(key_in(dir.path()).is_err());
    }
}
