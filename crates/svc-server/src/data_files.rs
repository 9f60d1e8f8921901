//! Files of the data directory: only accessible to the own user, and opened without following
//! links.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use svc_source::AtomicFile;

/// Maximum number of copies of a damaged file within a second.
const MAX_COPIES: u32 = 1_000;

/// What an operator can do about an error of the data directory.
pub(crate) fn storage_hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free space on the disk of the data folder; then deploy again"
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            "mount the data folder writable, and check its disk for errors; then deploy again"
        }
        io::ErrorKind::PermissionDenied => {
            "the account of the server must be able to write in the data folder"
        }
        _ if is_out_of_descriptors(error) => {
            "raise the limit of open files of the server (`LimitNOFILE` of systemd)"
        }
        _ => "check the disk of the data folder",
    }
}

/// Whether a limit of open files was reached.
fn is_out_of_descriptors(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        let limits = [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE];
        limits
            .map(|limit| Some(limit.raw_os_error()))
            .contains(&error.raw_os_error())
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes opening fail for a symbolic link and not block for a pipe.
fn follow_no_links(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let flags = i32::try_from(flags.bits()).unwrap_or_default();
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    }
    #[cfg(not(unix))]
    let _ = options;
}

/// Opens a file for reading and appending; creates it if it does not exist.
///
/// # Errors
/// If the file cannot be opened or is not a regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = private_options();
    options.create(true).read(true).append(true);
    follow_no_links(&mut options);
    let file = options.open(path).map_err(|error| {
        match fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) {
            true => not_regular_file(path, "a symbolic link"),
            false => error,
        }
    })?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_regular_file(path, "not a regular file")),
    }
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// If there is no such file or it is larger than the limit.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    follow_no_links(&mut options);
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(not_regular_file(path, "not a regular file"));
    }
    let mut bytes = Vec::new();
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    match u64::try_from(read) {
        Ok(read) if read <= limit => Ok(bytes),
        _ => Err(io::Error::other("the file is too large")),
    }
}

/// Creates a new private file.
///
/// # Errors
/// If it exists or cannot be created.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    private_options().create_new(true).write(true).open(path)
}

fn not_regular_file(path: &Path, kind: &str) -> io::Error {
    io::Error::other(format!(
        "`{}` is {kind}; replace it with a regular file, or remove it",
        path.display()
    ))
}

/// Replaces the contents of a file atomically and returns it opened for appending. A symbolic link
/// is replaced, not followed.
///
/// # Errors
/// If writing fails; the file is then unchanged.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut new = AtomicFile::create_private(path)?;
    new.file().write_all(bytes)?;
    new.commit()
}

/// Copies a damaged file to another name; the original stays in place.
///
/// # Errors
/// If the copy cannot be created.
pub(crate) fn back_up_damaged(path: &Path) -> io::Result<PathBuf> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.map_or(0, |now| now.as_secs());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for number in 0..MAX_COPIES {
        let more = if number == 0 {
            String::new()
        } else {
            format!("-{number}")
        };
        let copy = path.with_file_name(format!("{name}.damaged-{seconds}{more}"));
        if copy.symlink_metadata().is_ok() {
            continue;
        }
        // Without hard links, the contents are copied.
        if fs::hard_link(path, &copy).is_err() {
            let mut file = private_options().create_new(true).write(true).open(&copy)?;
            io::copy(&mut File::open(path)?, &mut file)?;
            file.sync_all()?;
        }
        return Ok(copy);
    }
    Err(io::Error::other(
        "too many copies of the damaged file exist",
    ))
}
