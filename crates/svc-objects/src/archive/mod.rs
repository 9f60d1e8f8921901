//! One file for a directory.
//!
//! An archive is compressed with gzip. Its content is a line with the format, a document of the
//! caller, and the entries: kind, modification time, path and content, each with its length in
//! front, and an entry of the kind `END`. Archives are not trusted: a path consists of plain names,
//! no entry is written twice or through a symbolic link, and a link stays within the directory.

use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Component, Path};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// First bytes of the content.
const FORMAT: &[u8] = b"svc-snapshot 1\n";
/// Maximum total size of the files of an archive in bytes.
pub const MAX_TOTAL_BYTES: u64 = 16 << 30;
/// Maximum number of entries.
const MAX_ENTRIES: usize = 1_000_000;
/// Maximum length of a path in bytes.
const MAX_PATH_BYTES: u64 = 4_096;
/// Maximum size of the document of the caller in bytes.
const MAX_DOCUMENT_BYTES: u64 = 256 << 20;

const END: u8 = 0;
const FILE: u8 = 1;
const LINK: u8 = 2;

/// Checksum and size of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    /// SHA-256 of the archive.
    pub sum: [u8; 32],
    /// Size of the archive in bytes.
    pub size: u64,
}

/// Writes the files and symbolic links of a directory, and a document of the caller, to an archive.
///
/// # Errors
/// If a file cannot be read, a name is not UTF-8, or the archive cannot be written.
pub fn pack(dir: &Path, document: &str, archive: &Path) -> io::Result<Packed> {
    let output = HashingWriter {
        inner: BufWriter::new(File::create(archive)?),
        digest: Sha256::new(),
        size: 0,
    };
    let mut output = GzEncoder::new(output, Compression::fast());
    output.write_all(FORMAT)?;
    write_bytes(&mut output, document.as_bytes())?;
    pack_dir(&mut output, dir, "")?;
    output.write_all(&[END])?;
    let mut output = output.finish()?;
    output.inner.flush()?;
    output.inner.get_ref().sync_all()?;
    Ok(Packed {
        sum: output.digest.finalize().into(),
        size: output.size,
    })
}

fn pack_dir(output: &mut impl Write, dir: &Path, prefix: &str) -> io::Result<()> {
    let mut entries = fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()?;
    // Equal directories make equal archives.
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name
            .to_str()
            .ok_or_else(|| invalid("the name of a file is not UTF-8"))?;
        let path = match prefix {
            "" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        };
        let meta = fs::symlink_metadata(entry.path())?;
        if meta.is_dir() {
            pack_dir(output, &entry.path(), &path)?;
        } else if meta.is_symlink() {
            let target = fs::read_link(entry.path())?;
            let target = target
                .to_str()
                .ok_or_else(|| invalid("the target of a link is not UTF-8"))?;
            output.write_all(&[LINK])?;
            write_bytes(output, path.as_bytes())?;
            write_bytes(output, target.as_bytes())?;
        } else if meta.is_file() {
            let modified = meta.modified()?.duration_since(SystemTime::UNIX_EPOCH);
            output.write_all(&[FILE])?;
            write_bytes(output, path.as_bytes())?;
            write_number(output, modified.map_or(0, |time| time.as_secs()))?;
            write_number(output, meta.len())?;
            let file = File::open(entry.path())?;
            if io::copy(&mut file.take(meta.len()), output)? != meta.len() {
                return Err(invalid("a file has become shorter"));
            }
        }
    }
    Ok(())
}

/// Writes the entries of an archive into an empty directory and returns the document of the caller.
/// The files have at most `max_bytes` bytes together.
///
/// # Errors
/// If the archive is malformed or exceeds a limit, or a file cannot be written. The directory then
/// has a part of the entries.
pub fn unpack(archive: &Path, into: &Path, max_bytes: u64) -> io::Result<String> {
    let mut input = BufReader::new(GzDecoder::new(BufReader::new(File::open(archive)?)));
    let mut format = [0; FORMAT.len()];
    input.read_exact(&mut format)?;
    if format != FORMAT {
        return Err(invalid("it has another format"));
    }
    let document = read_text(&mut input, MAX_DOCUMENT_BYTES)?;
    let (mut left, mut links, mut paths) = (max_bytes, Vec::new(), BTreeSet::new());
    loop {
        let mut kind = [END];
        input.read_exact(&mut kind)?;
        if kind == [END] {
            break;
        }
        let path = read_text(&mut input, MAX_PATH_BYTES)?;
        check_path(&path)?;
        if paths.len() == MAX_ENTRIES || !paths.insert(path.clone()) {
            return Err(invalid("it has too many entries, or one of them twice"));
        }
        let target = into.join(&path);
        match kind {
            [FILE] => {
                let modified = read_number(&mut input)?;
                let size = read_number(&mut input)?;
                left = left
                    .checked_sub(size)
                    .ok_or_else(|| invalid("its files are too large"))?;
                if let Some(parent) = target.parent() {
                    fs::create_dir_all(parent)?;
                }
                let mut file = File::create_new(&target)?;
                if io::copy(&mut input.by_ref().take(size), &mut file)? != size {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(modified));
                // Modification times are only used for `Last-Modified`.
                if let Some(time) = time {
                    let _ = file.set_times(FileTimes::new().set_modified(time));
                }
            }
            [LINK] => {
                let to = read_text(&mut input, MAX_PATH_BYTES)?;
                check_link(&path, &to)?;
                links.push((target, to));
            }
            _ => return Err(invalid("it has an entry of an unknown kind")),
        }
    }
    // Last, so that no entry is written through a link.
    for (path, to) in links {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        create_link(Path::new(&to), &path)?;
    }
    Ok(document)
}

/// Checks that a path consists of plain names below a directory.
///
/// # Errors
/// If it does not.
pub fn check_path(path: &str) -> io::Result<()> {
    // Elsewhere these would be separators and streams.
    let special: &[char] = if cfg!(unix) {
        &['\0']
    } else {
        &['\0', '\\', ':']
    };
    let is_plain = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(special);
    match path.split('/').all(is_plain) {
        true => Ok(()),
        false => Err(invalid("a path leaves its directory")),
    }
}

/// Checks that the target of a symbolic link is relative and within the directory of `path`, with
/// `..` only at its beginning: behind another link, `..` would not be the directory that it is here.
///
/// # Errors
/// If it leaves the directory.
pub fn check_link(path: &str, target: &str) -> io::Result<()> {
    let mut depth = path.split('/').count() - 1;
    let mut is_below = false;
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir if !is_below && depth > 0 => depth -= 1,
            Component::Normal(_) => is_below = true,
            Component::CurDir => {}
            _ => return Err(invalid("a link leaves its directory")),
        }
    }
    Ok(())
}

/// Creates a symbolic link at a path. It is left out on systems other than Unix, as it is when a
/// repository is fetched.
///
/// # Errors
/// If the link cannot be created.
#[cfg_attr(not(unix), allow(unused_variables))]
pub fn create_link(target: &Path, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    std::os::unix::fs::symlink(target, path)?;
    Ok(())
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

fn write_number(output: &mut impl Write, number: u64) -> io::Result<()> {
    output.write_all(&number.to_le_bytes())
}

fn write_bytes(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write_number(output, bytes.len() as u64)?;
    output.write_all(bytes)
}

fn read_number(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_text(input: &mut impl Read, max: u64) -> io::Result<String> {
    let length = read_number(input)?;
    if length > max {
        return Err(invalid("a text is too long"));
    }
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    String::from_utf8(text).map_err(|_| invalid("a text is not UTF-8"))
}

/// Computes the checksum of what is written.
struct HashingWriter {
    inner: BufWriter<File>,
    digest: Sha256,
    size: u64,
}

impl Write for HashingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.digest.update(bytes.get(..written).unwrap_or_default());
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests;
