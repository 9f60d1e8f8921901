//! Writes and reads archives.
//!
//! Archives are not trusted: a path is one that a backup has, no entry is written twice or through a
//! link, and a link stays within its snapshot.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, FileTimes};
use std::io::{self, BufReader, BufWriter, Read, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};
use svc_objects::archive::{check_link, check_path, create_link};
use tar::{Archive, Builder, Entry, EntryType, Header};

use super::sums::{self, Sums};
use super::{BackupInfo, FILE_DIRS, FILES, FORMAT, JOURNAL, PROJECTS, SNAPSHOTS, STORE};

/// Name of the description.
const INFO: &str = "backup.json";
/// Name of the checksums.
const SUMS: &str = "SHA256SUMS";
/// Maximum number of entries.
const MAX_ENTRIES: usize = 4_000_000;
/// Maximum number of bytes behind the last entry: programs fill the last record.
const MAX_PADDING_BYTES: u64 = 1 << 20;
/// Maximum size of the description and of the checksums in bytes.
const MAX_TEXT_BYTES: u64 = 1 << 30;

type Output<'a> = Builder<GzEncoder<BufWriter<&'a mut File>>>;

/// State of an archive that is being written.
#[derive(Default)]
struct ArchiveIndex {
    sums: Sums,
    links: BTreeMap<String, String>,
    /// Path and checksum of files by device and inode: files that are the same in several snapshots
    /// are written once.
    inodes: HashMap<(u64, u64), (String, [u8; 32])>,
}

/// Writes the files of a directory to an archive, and completes its description.
pub(super) fn write(dir: &Path, info: BackupInfo, file: &mut File) -> io::Result<BackupInfo> {
    let output = GzEncoder::new(BufWriter::new(file), Compression::fast());
    let mut output = Builder::new(output);
    let mut index = ArchiveIndex::default();
    write_dir(&mut output, dir, "", &mut index)?;
    let info = BackupInfo {
        links: index.links,
        ..info
    };
    let mut text = serde_json::to_string_pretty(&info)?;
    text.push('\n');
    let sum = write_file(
        &mut output,
        INFO,
        &mut text.as_bytes(),
        text.len() as u64,
        info.created,
    )?;
    index.sums.insert(INFO.to_owned(), sum);
    let text = sums::format(&index.sums);
    write_file(
        &mut output,
        SUMS,
        &mut text.as_bytes(),
        text.len() as u64,
        info.created,
    )?;
    output.into_inner()?.finish()?.flush()?;
    Ok(info)
}

fn write_dir(
    output: &mut Output<'_>,
    dir: &Path,
    prefix: &str,
    index: &mut ArchiveIndex,
) -> io::Result<()> {
    let mut entries = fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()?;
    // Equal data makes equal archives.
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name
            .to_str()
            .ok_or_else(|| invalid("a name is not UTF-8"))?;
        let path = format!("{prefix}{name}");
        let meta = fs::symlink_metadata(entry.path())?;
        if meta.is_dir() {
            write_dir(output, &entry.path(), &format!("{path}/"), index)?;
        } else if meta.is_symlink() {
            let target = fs::read_link(entry.path())?;
            let target = target
                .to_str()
                .ok_or_else(|| invalid("a link is not UTF-8"))?;
            let mut header = header(EntryType::Symlink, 0, 0);
            output.append_link(&mut header, &path, target)?;
            index.links.insert(path, target.to_owned());
        } else if meta.is_file() {
            let sum = write_once(output, &path, &entry.path(), &meta, index)?;
            index.sums.insert(path, sum);
        }
    }
    Ok(())
}

/// Writes a file, or a link to an entry with the same inode.
fn write_once(
    output: &mut Output<'_>,
    path: &str,
    file: &Path,
    meta: &fs::Metadata,
    index: &mut ArchiveIndex,
) -> io::Result<[u8; 32]> {
    let inode = inode(meta);
    if let Some((first, sum)) = inode.and_then(|inode| index.inodes.get(&inode)) {
        output.append_link(&mut header(EntryType::Link, 0, 0), path, first)?;
        return Ok(*sum);
    }
    let modified = meta.modified()?.duration_since(SystemTime::UNIX_EPOCH);
    let modified = modified.map_or(0, |time| time.as_secs().cast_signed());
    let mut content = File::open(file)?.take(meta.len());
    let sum = write_file(output, path, &mut content, meta.len(), modified)?;
    if let Some(inode) = inode {
        index.inodes.insert(inode, (path.to_owned(), sum));
    }
    Ok(sum)
}

fn write_file(
    output: &mut Output<'_>,
    path: &str,
    content: &mut dyn Read,
    size: u64,
    modified: i64,
) -> io::Result<[u8; 32]> {
    let mut content = HashingReader::new(content);
    let modified = u64::try_from(modified).unwrap_or_default();
    output.append_data(
        &mut header(EntryType::Regular, size, modified),
        path,
        &mut content,
    )?;
    match content.size == size {
        true => Ok(content.digest.finalize().into()),
        false => Err(invalid("a file has changed while it was copied")),
    }
}

fn header(kind: EntryType, size: u64, modified: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mtime(modified);
    header.set_mode(0o600);
    header
}

#[cfg(unix)]
fn inode(meta: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn inode(_meta: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// What was read of an archive.
#[derive(Default)]
struct Extraction {
    sums: Sums,
    links: BTreeMap<String, String>,
    info: Option<BackupInfo>,
    expected: Option<Sums>,
}

/// Checks all entries of an archive, and writes those that are wanted to an empty directory.
///
/// # Errors
/// If the archive is malformed or not complete, or a file differs from its checksum.
pub(super) fn read(
    file: &Path,
    into: &Path,
    is_wanted: impl Fn(&str) -> bool,
) -> io::Result<BackupInfo> {
    let input = BufReader::new(GzDecoder::new(BufReader::new(File::open(file)?)));
    let mut archive = Archive::new(input);
    let mut found = Extraction::default();
    for (count, entry) in archive.entries()?.enumerate() {
        let mut entry = entry?;
        let path = entry.path_bytes().into_owned();
        let path = String::from_utf8(path).map_err(|_| invalid("a path is not UTF-8"))?;
        check_path(&path)?;
        if count == MAX_ENTRIES || found.expected.is_some() {
            return Err(invalid("it has too many entries"));
        }
        if found.sums.contains_key(&path) || found.links.contains_key(&path) {
            return Err(invalid(&format!("it has `{path}` twice")));
        }
        read_entry(&mut entry, path, into, &is_wanted, &mut found)?;
    }
    // Also what follows the last entry, for the checksum of gzip.
    if io::copy(&mut archive.into_inner(), &mut io::sink())? > MAX_PADDING_BYTES {
        return Err(invalid("there is more behind its end"));
    }
    let (Some(info), Some(expected)) = (found.info, found.expected) else {
        return Err(invalid("it is not complete"));
    };
    if let Some(path) = difference(&found.sums, &expected) {
        return Err(invalid(&format!("`{path}` differs from its checksum")));
    }
    if info.links != found.links {
        return Err(invalid("its links are not those that were written"));
    }
    // Last, so that no entry is written through a link.
    for (path, target) in &found.links {
        if is_wanted(path) {
            let path = into.join(path);
            create_parent(&path)?;
            create_link(Path::new(target), &path)?;
        }
    }
    Ok(info)
}

/// The first path that differs between two lists.
fn difference<'a>(found: &'a Sums, expected: &'a Sums) -> Option<&'a str> {
    let differs = |(path, sum): &(&String, &[u8; 32])| expected.get(*path) != Some(sum);
    let mut different = found.iter().filter(differs).map(|(path, _)| &**path);
    let mut missing = expected.keys().filter(|path| !found.contains_key(*path));
    different
        .next()
        .or_else(|| missing.next().map(|path| &**path))
}

fn read_entry(
    entry: &mut Entry<'_, impl Read>,
    path: String,
    into: &Path,
    is_wanted: &impl Fn(&str) -> bool,
    found: &mut Extraction,
) -> io::Result<()> {
    let kind = entry.header().entry_type();
    if path == SUMS {
        let text = read_text(entry)?;
        let sums = sums::parse(&text).ok_or_else(|| invalid("its checksums are malformed"))?;
        found.expected = Some(sums);
        return Ok(());
    }
    if path == INFO {
        let text = read_text(entry)?;
        let info: BackupInfo = serde_json::from_str(&text)
            .map_err(|error| invalid(&format!("`{INFO}` cannot be read: {error}")))?;
        if info.format != FORMAT {
            return Err(invalid("a newer version has written it"));
        }
        found.info = Some(info);
        found.sums.insert(path, Sha256::digest(text).into());
        return Ok(());
    }
    let within = path_within(&path).ok_or_else(|| invalid(&format!("`{path}` is in no backup")))?;
    match kind {
        EntryType::Regular => {
            let mut content = HashingReader::new(entry);
            if is_wanted(&path) {
                write_new(&into.join(&path), &mut content)?;
            } else {
                io::copy(&mut content, &mut io::sink())?;
            }
            found.sums.insert(path, content.digest.finalize().into());
        }
        EntryType::Link => {
            let first = target(entry)?;
            let sum = *found
                .sums
                .get(&first)
                .ok_or_else(|| invalid(&format!("`{path}` is a link to nothing")))?;
            if is_wanted(&path) {
                let path = into.join(&path);
                create_parent(&path)?;
                fs::hard_link(into.join(&first), path)?;
            }
            found.sums.insert(path, sum);
        }
        EntryType::Symlink => {
            let target = target(entry)?;
            check_link(within, &target)?;
            found.links.insert(path, target);
        }
        _ => return Err(invalid(&format!("`{path}` is neither a file nor a link"))),
    }
    Ok(())
}

/// The path of an entry within its snapshot or data directory; `None` if a backup does not have such
/// an entry.
fn path_within(path: &str) -> Option<&str> {
    if [STORE, JOURNAL].contains(&path) || FILES.contains(&path) {
        return Some(path);
    }
    let (_, rest) = path
        .strip_prefix(PROJECTS)?
        .strip_prefix('/')?
        .split_once('/')?;
    if let Some(rest) = rest.strip_prefix(SNAPSHOTS) {
        return Some(rest.strip_prefix('/')?.split_once('/')?.1);
    }
    let (dir, name) = rest.rsplit_once('/')?;
    FILE_DIRS.contains(&dir).then_some(name)
}

fn target(entry: &Entry<'_, impl Read>) -> io::Result<String> {
    let target = entry.link_name_bytes().map(std::borrow::Cow::into_owned);
    let target = target.and_then(|target| String::from_utf8(target).ok());
    target.ok_or_else(|| invalid("a link is not UTF-8"))
}

fn read_text(entry: &mut Entry<'_, impl Read>) -> io::Result<String> {
    if entry.header().entry_type() != EntryType::Regular || entry.size() > MAX_TEXT_BYTES {
        return Err(invalid("its description is not a file, or it is too large"));
    }
    let mut text = String::new();
    entry.read_to_string(&mut text)?;
    Ok(text)
}

fn write_new(
    path: &Path,
    content: &mut HashingReader<&mut Entry<'_, impl Read>>,
) -> io::Result<()> {
    create_parent(path)?;
    let modified = content.inner.header().mtime()?;
    let mut file = crate::data_files::create_new(path)?;
    io::copy(content, &mut file)?;
    let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(modified));
    // Modification times are only used for `Last-Modified`.
    if let Some(time) = time {
        let _ = file.set_times(FileTimes::new().set_modified(time));
    }
    file.sync_all()
}

fn create_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// Computes the checksum of what is read.
struct HashingReader<R> {
    inner: R,
    digest: Sha256,
    size: u64,
}

impl<R: Read> HashingReader<R> {
    fn new(inner: R) -> Self {
        Self {
            inner,
            digest: Sha256::new(),
            size: 0,
        }
    }
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.digest.update(buffer.get(..read).unwrap_or_default());
        self.size += read as u64;
        Ok(read)
    }
}
