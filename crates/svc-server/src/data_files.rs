//! Files of the data folder: only the own account reads them, and no link leads to another file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Copies of one damaged file that are made within a second.
const MAX_COPIES: u32 = 1_000;

fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Lets opening fail where a link has the name, and wait for nobody where a pipe has it.
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

/// Opens a file to read all of it and to append to it; makes it when it is not there.
///
/// # Errors
/// When that fails, or something else than a plain file has the name.
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
        false => Err(not_regular_file(path, "no file")),
    }
}

/// All bytes of a plain file, if it has no more than `limit`.
///
/// # Errors
/// When there is none, or it is larger.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    follow_no_links(&mut options);
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(not_regular_file(path, "no file"));
    }
    let mut bytes = Vec::new();
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    match u64::try_from(read) {
        Ok(read) if read <= limit => Ok(bytes),
        _ => Err(io::Error::other("the file is too large")),
    }
}

fn not_regular_file(path: &Path, what: &str) -> io::Error {
    io::Error::other(format!(
        "`{}` is {what}; put the file itself there, or remove it",
        path.display()
    ))
}

/// Where the next version of a file is made.
pub(crate) fn temp_path(path: &Path) -> PathBuf {
    path.with_extension("new")
}

/// Gives a file other contents, whole or not at all, and gives it to append to. A link at its name is
/// replaced, not followed.
///
/// # Errors
/// When the disk does not take it; the file is as it was then.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let beside = temp_path(path);
    let _ = fs::remove_file(&beside);
    let write = || {
        // New, so that it is no link.
        let mut file = private_options()
            .create_new(true)
            .append(true)
            .read(true)
            .open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        Ok(file)
    };
    write().inspect_err(|_: &io::Error| {
        // On a full disk others need the room.
        let _ = fs::remove_file(&beside);
    })
}

/// Keeps a damaged file under another name, and leaves it where it is as well.
///
/// # Errors
/// When no copy can be made.
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
        // Where the system has no second names for a file, its bytes are copied.
        if fs::hard_link(path, &copy).is_err() {
            let mut file = private_options().create_new(true).write(true).open(&copy)?;
            io::copy(&mut File::open(path)?, &mut file)?;
            file.sync_all()?;
        }
        return Ok(copy);
    }
    Err(io::Error::other("there are too many damaged copies"))
}
