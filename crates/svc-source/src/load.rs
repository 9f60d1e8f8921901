//! Loading of a directory.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, DirEntry};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use crate::codes::{
    BAD_NAME, ESCAPING_LINK, FILE_LIMIT, INVALID_UTF8, OLD_IGNORE, TOO_LARGE, UNREADABLE,
};
use crate::ignore::{IGNORE_FILES, Ignore, ignore_file};
use crate::image;
use crate::read_limited::read_limited;
use crate::{Contents, SourceTree};

/// Options and limits for loading a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    /// Maximum number of files of all types.
    pub max_files: usize,
    /// Maximum size of a text file in bytes; larger ones are skipped with a diagnostic.
    pub max_text_bytes: u64,
    /// Maximum nesting depth of directories.
    pub max_depth: usize,
    /// Files and directories to exclude, as canonical absolute paths: the output of a command, for
    /// example.
    pub excluded: Vec<PathBuf>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            max_files: 500_000,
            max_text_bytes: 32 << 20,
            max_depth: 64,
            excluded: Vec::new(),
        }
    }
}

/// Name of the file that marks a directory as an exported site. Such a directory below the root is
/// not loaded, because its files are output and not pages.
pub const EXPORT_MARKER: &str = ".svc-export";

/// Returns true if a directory is an exported site.
pub(crate) fn is_export(dir: &Path) -> bool {
    fs::symlink_metadata(dir.join(EXPORT_MARKER)).is_ok_and(|meta| meta.is_file())
}

/// Extensions of files that are read as text.
const TEXT_EXTENSIONS: [&str; 13] = [
    "mdx", "md", "jsx", "tsx", "ts", "js", "mjs", "json", "yaml", "yml", "css", "txt", "xml",
];

/// Text files that are stored as bytes if they are not UTF-8, so that the config parser reports
/// them.
const CONFIG_FILES: [&str; 2] = ["docs.json", "mint.json"];

/// Loads a directory. Pages, snippets, data, styles and scripts are read as text; other files stay
/// on disk. A file that cannot be read is skipped with a diagnostic.
///
/// # Errors
/// Returns an error if the root directory cannot be listed.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let dir = tempfile::tempdir()?;
/// # let root = dir.path();
/// use svc_source::{LoadOptions, list, load};
/// std::fs::write(root.join("a.mdx"), "# A")?;
/// let tree = load(root, &LoadOptions::default())?.value;
/// assert!(tree.contains("a.mdx"));
/// assert_eq!(list(root, &LoadOptions::default())?.value.files.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn load(root: &Path, options: &LoadOptions) -> io::Result<Checked<SourceTree>> {
    load_with(root, options, &|_| None)
}

/// Same as [`load`], but files for which `known` returns contents are not read.
pub(crate) fn load_with(
    root: &Path,
    options: &LoadOptions,
    known: &(dyn Fn(&FileEntry) -> Option<Contents> + Sync),
) -> io::Result<Checked<SourceTree>> {
    let Checked {
        value: FileList {
            root,
            files: entries,
        },
        mut diagnostics,
    } = list(root, options)?;
    let linked = entries.iter().any(|entry| entry.linked);
    let mut texts: HashMap<u64, Vec<Arc<str>>> = HashMap::new();
    let mut files = Vec::with_capacity(entries.len());
    let mut foreign = BTreeSet::new();
    for (entry, read) in entries.iter().zip(read_all(&entries, options, known)) {
        let contents = match read {
            ReadOutcome::Other(contents) => contents,
            ReadOutcome::Text(hash, text) => {
                let same_hash = texts.entry(hash).or_default();
                let text = match same_hash.iter().find(|same_hash| ***same_hash == *text) {
                    Some(same) => same.clone(),
                    // The limit avoids quadratic time if many different texts have the same hash.
                    None if same_hash.len() > 8 => text,
                    None => {
                        same_hash.push(text.clone());
                        text
                    }
                };
                Contents::Text(SourceFile::new(entry.name.clone(), text))
            }
            ReadOutcome::Foreign(text, problem) => {
                diagnostics.push(*problem);
                foreign.insert(entry.name.clone());
                Contents::Text(SourceFile::new(entry.name.clone(), text))
            }
            ReadOutcome::Failed(problem) => {
                diagnostics.push(*problem);
                continue;
            }
        };
        files.push((entry.name.clone(), contents));
    }
    Ok(Checked {
        value: SourceTree::from_contents(files).read_from(&root, linked, foreign),
        diagnostics,
    })
}

/// Lists the files that [`load`] would read, sorted by name, without reading them.
///
/// # Errors
/// Returns an error if the root directory cannot be listed.
pub fn list(root: &Path, options: &LoadOptions) -> io::Result<Checked<FileList>> {
    let root = root.canonicalize()?;
    fs::read_dir(&root)?;
    let mut walk = Walk {
        ignore: Ignore::new(),
        options,
        files: Vec::new(),
        diagnostics: Vec::new(),
    };
    for name in IGNORE_FILES {
        if let Some(text) = ignore_file(&root.join(name)) {
            walk.ignore.add(&text);
            if name == ".mintignore" {
                let problem = Diagnostic::new(&OLD_IGNORE, "`.mintignore` is deprecated")
                    .at(SourceFile::new(name, "").location(Span::default()))
                    .hint("rename it to `.svcignore`");
                walk.diagnostics.push(problem);
            }
        }
    }
    walk.walk(&root);
    walk.files.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(Checked {
        value: FileList {
            root,
            files: walk.files,
        },
        diagnostics: walk.diagnostics,
    })
}

/// Files of a directory that belong to the site.
#[derive(Debug, Clone)]
pub struct FileList {
    /// Canonical path of the directory.
    pub root: PathBuf,
    /// The files, sorted by name.
    pub files: Vec<FileEntry>,
}

/// A file of a [`FileList`].
#[derive(Debug, Clone)]
pub struct FileEntry {
    /// Name in the site: the path relative to the root, with `/`.
    pub name: Arc<str>,
    /// Canonical path below the root, with links resolved.
    pub path: PathBuf,
    /// Whether a link was followed; the file then changes when the target of the link changes.
    pub linked: bool,
}

/// Creates the diagnostic for a file that cannot be read and is skipped.
pub fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    let at = SourceFile::new(name, "").location(Span::default());
    Diagnostic::new(&UNREADABLE, format!("`{name}` cannot be read: {error}"))
        .at(at)
        .hint("check its permissions")
}

pub(crate) enum ReadOutcome {
    Text(u64, Arc<str>),
    /// A text that is not UTF-8, decoded, with its diagnostic.
    Foreign(Arc<str>, Box<Diagnostic>),
    Other(Contents),
    Failed(Box<Diagnostic>),
}

/// Reads all files in parallel; the results are in the order of `entries`.
fn read_all(
    entries: &[FileEntry],
    options: &LoadOptions,
    known: &(dyn Fn(&FileEntry) -> Option<Contents> + Sync),
) -> Vec<ReadOutcome> {
    let read =
        |file: &FileEntry| known(file).map_or_else(|| read(file, options), ReadOutcome::Other);
    let workers = thread::available_parallelism()
        .map_or(1, NonZeroUsize::get)
        .min(16);
    let next = AtomicUsize::new(0);
    let task = || {
        let mut done = Vec::new();
        loop {
            // Batches are small so that a large file does not delay many others.
            let start = next.fetch_add(64, Ordering::Relaxed);
            let Some(batch) = entries.get(start..entries.len().min(start + 64)) else {
                return done;
            };
            if batch.is_empty() {
                return done;
            }
            done.push((start, batch.iter().map(read).collect::<Vec<_>>()));
        }
    };
    let mut batches = thread::scope(|scope| {
        let handles: Vec<_> = (1..workers).map(|_| scope.spawn(task)).collect();
        let mut all = task();
        for handle in handles {
            // Workers do not panic; if one did, all files would be read below.
            all.extend(handle.join().unwrap_or_default());
        }
        all
    });
    batches.sort_by_key(|(start, _)| *start);
    let all: Vec<ReadOutcome> = batches.into_iter().flat_map(|(_, batch)| batch).collect();
    if all.len() == entries.len() {
        all
    } else {
        entries.iter().map(read).collect()
    }
}

pub(crate) fn read(file: &FileEntry, options: &LoadOptions) -> ReadOutcome {
    let unreadable =
        |error: &io::Error| ReadOutcome::Failed(Box::new(unreadable(&file.name, error)));
    if !is_text(&file.name) {
        let extension = file
            .name
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension);
        return match fs::metadata(&file.path) {
            Ok(meta) => ReadOutcome::Other(Contents::Disk {
                path: file.path.clone(),
                len: meta.len(),
                modified: meta.modified().ok(),
                dimensions: image_size(&file.path, extension, &meta),
            }),
            Err(error) => unreadable(&error),
        };
    }
    match read_limited(&file.path, options.max_text_bytes) {
        Ok(Some(bytes)) => text_of(&file.name, bytes),
        Ok(None) => too_large(&file.name, options),
        Err(error) => unreadable(&error),
    }
}

fn too_large(name: &Arc<str>, options: &LoadOptions) -> ReadOutcome {
    let limit = options.max_text_bytes;
    let message = format!("`{name}` exceeds the limit of {limit} bytes");
    let at = SourceFile::new(name.clone(), "").location(Span::default());
    let problem = Diagnostic::new(&TOO_LARGE, message)
        .at(at)
        .hint("split it into smaller files");
    ReadOutcome::Failed(Box::new(problem))
}

/// Decodes a text.
fn text_of(name: &Arc<str>, bytes: Vec<u8>) -> ReadOutcome {
    // The parser of these files reports the encoding.
    if CONFIG_FILES.contains(&&**name) && std::str::from_utf8(&bytes).is_err() {
        return ReadOutcome::Other(Contents::Bytes(bytes.into()));
    }
    let text: Arc<str> = match svc_diagnostics::decode(bytes) {
        Ok(text) => text.into(),
        Err(foreign) => {
            let text: Arc<str> = foreign.text.into();
            let at = SourceFile::new(name.clone(), text.clone()).location(foreign.span);
            let message = format!("`{name}` {}", foreign.problem);
            let problem = Diagnostic::new(&INVALID_UTF8, message)
                .at(at)
                .hint(foreign.hint);
            return ReadOutcome::Foreign(text, Box::new(problem));
        }
    };
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    ReadOutcome::Text(hasher.finish(), text)
}

/// Whether a file is read as text.
fn is_text(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    TEXT_EXTENSIONS
        .iter()
        .any(|text| text.eq_ignore_ascii_case(extension))
        || IGNORE_FILES.contains(&name)
}

/// Creates the tree of files in memory, by the rules of [`load`]. Ignore files apply.
///
/// ```
/// use svc_source::{LoadOptions, load_bytes};
/// let files = [("a.mdx", &b"# A"[..]), ("logo.png", b"png"), ("x.log", b""), (".svcignore", b"*.log")];
/// let files = files.map(|(path, bytes)| (path.to_owned(), bytes.to_vec()));
/// let tree = load_bytes(files.to_vec(), &LoadOptions::default()).value;
/// assert!(tree.text("a.mdx").is_some() && tree.contains("logo.png") && !tree.contains("x.log"));
/// ```
pub fn load_bytes(files: Vec<(String, Vec<u8>)>, options: &LoadOptions) -> Checked<SourceTree> {
    let mut ignore = Ignore::new();
    for name in IGNORE_FILES {
        let rules = files.iter().find(|(path, _)| path == name);
        if let Some(text) = rules.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok()) {
            ignore.add(text);
        }
    }
    let mut contents = Vec::with_capacity(files.len());
    let mut diagnostics = Vec::new();
    let max_bytes = usize::try_from(options.max_text_bytes).unwrap_or(usize::MAX);
    for (path, bytes) in files {
        if ignore.skips_file(&path) {
            continue;
        }
        let name: Arc<str> = path.into();
        let read = match is_text(&name) {
            false => ReadOutcome::Other(Contents::Bytes(bytes.into())),
            true if bytes.len() > max_bytes => too_large(&name, options),
            true => text_of(&name, bytes),
        };
        match read {
            ReadOutcome::Other(other) => contents.push((name, other)),
            ReadOutcome::Text(_, text) => {
                contents.push((name.clone(), Contents::Text(SourceFile::new(name, text))));
            }
            ReadOutcome::Foreign(text, problem) => {
                diagnostics.push(*problem);
                contents.push((name.clone(), Contents::Text(SourceFile::new(name, text))));
            }
            ReadOutcome::Failed(problem) => diagnostics.push(*problem),
        }
    }
    Checked {
        value: SourceTree::from_contents(contents),
        diagnostics,
    }
}

/// Reads the dimensions of an image from the header of its file.
fn image_size(path: &Path, extension: &str, meta: &fs::Metadata) -> Option<(u32, u32)> {
    let known = image::EXTENSIONS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(extension));
    if !known || !meta.is_file() {
        return None;
    }
    let file = fs::File::open(path).ok()?;
    let mut head = Vec::new();
    // Most formats have the dimensions in the first bytes.
    let mut rest = io::Read::take(file, 512);
    io::Read::read_to_end(&mut rest, &mut head).ok()?;
    image::size(&head).or_else(|| {
        rest.set_limit(image::MAX_HEADER_BYTES);
        io::Read::read_to_end(&mut rest, &mut head).ok()?;
        image::size(&head)
    })
}

struct Walk<'a> {
    ignore: Ignore,
    options: &'a LoadOptions,
    files: Vec<FileEntry>,
    diagnostics: Vec<Diagnostic>,
}

impl Walk<'_> {
    /// Lists a directory and everything below it, without recursion.
    fn walk(&mut self, root: &Path) {
        let mut pending = vec![(root.to_owned(), String::new(), 0, false)];
        while let Some((dir, prefix, depth, linked)) = pending.pop() {
            let entries = match fs::read_dir(&dir) {
                Ok(entries) => entries,
                Err(error) => {
                    let message = format!("the folder `{prefix}` cannot be read: {error}");
                    self.report(
                        Diagnostic::new(&UNREADABLE, message),
                        "check its permissions",
                    );
                    continue;
                }
            };
            let mut entries: Vec<DirEntry> = entries.filter_map(Result::ok).collect();
            entries.sort_by_key(DirEntry::file_name);
            for entry in entries {
                let name = entry.file_name();
                let Some(name) = name.to_str() else {
                    let message = format!("the name `{}` is not valid UTF-8", name.display());
                    self.report(Diagnostic::new(&BAD_NAME, message), "rename the file");
                    continue;
                };
                let name = if prefix.is_empty() {
                    name.to_owned()
                } else {
                    format!("{prefix}/{name}")
                };
                let Some((path, is_dir, link)) = self.kind(&entry, root, &name) else {
                    continue;
                };
                let linked = linked || link;
                if self.ignore.skips(&name, is_dir) || self.options.excluded.contains(&path) {
                    continue;
                }
                if is_dir {
                    if is_export(&path) {
                        continue;
                    }
                    if depth >= self.options.max_depth {
                        let message = format!("`{name}` is nested too deeply");
                        self.report(Diagnostic::new(&UNREADABLE, message), "use fewer folders");
                        continue;
                    }
                    pending.push((path, name, depth + 1, linked));
                } else if self.files.len() < self.options.max_files {
                    self.files.push(FileEntry {
                        name: name.into(),
                        path,
                        linked,
                    });
                } else {
                    let message = format!(
                        "the repository exceeds the limit of {} files",
                        self.options.max_files
                    );
                    let hint = "exclude folders with `.svcignore`";
                    self.report(Diagnostic::new(&FILE_LIMIT, message), hint);
                    return;
                }
            }
        }
    }

    fn report(&mut self, problem: Diagnostic, hint: &str) {
        self.diagnostics.push(problem.hint(hint));
    }

    /// Returns the path to read, whether it is a directory, and whether a link was followed. A link
    /// is followed if its target is inside of the root and is not a parent of the link.
    fn kind(&mut self, entry: &DirEntry, root: &Path, name: &str) -> Option<(PathBuf, bool, bool)> {
        let kind = entry.file_type().ok()?;
        let path = entry.path();
        if kind.is_dir() || kind.is_file() {
            return Some((path, kind.is_dir(), false));
        }
        if !kind.is_symlink() || self.ignore.skips(name, false) || self.ignore.skips(name, true) {
            return None;
        }
        let Ok(target) = path.canonicalize() else {
            let message = format!("the target of the link `{name}` does not exist");
            self.report(Diagnostic::new(&ESCAPING_LINK, message), "remove or fix it");
            return None;
        };
        let inside = target.strip_prefix(root).ok().and_then(Path::to_str);
        let Some(inside) = inside.map(|inside| inside.replace('\\', "/")) else {
            let message =
                format!("the link `{name}` points outside of the repository and is ignored");
            self.report(
                Diagnostic::new(&ESCAPING_LINK, message),
                "copy the file instead",
            );
            return None;
        };
        // Ignored files must not be included through a link.
        let is_dir = target.is_dir();
        let cycle = path.starts_with(&target);
        (!cycle && !self.ignore.skips_file(&inside)).then_some((target, is_dir, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct TempDir(PathBuf);

    impl TempDir {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("svc-source-{}-{name}", std::process::id()));
            fs::remove_dir_all(&path).ok();
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, bytes: &[u8]) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        fn names(&self) -> (Vec<String>, Vec<Diagnostic>) {
            let loaded = load(&self.0, &LoadOptions::default()).unwrap();
            let names = loaded
                .value
                .iter()
                .map(|(name, _)| name.to_owned())
                .collect();
            (names, loaded.diagnostics)
        }
    }

    impl Drop for TempDir {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    #[test]
    fn texts_are_read_images_stay_on_disk_and_ignored_files_are_skipped() {
        let dir = TempDir::new("kinds");
        dir.write("a/b.mdx", b"# B");
        dir.write("c.mdx", b"# B");
        dir.write("logo.png", b"\x89PNG");
        dir.write("drafts/x.mdx", b"x");
        dir.write("node_modules/y/z.md", b"x");
        dir.write(".svcignore", b"drafts/\n");
        dir.write("z.mdx", b"# Z\n\nCaf\xe9");
        dir.write("public/index.md", b"made");
        dir.write("public/.svc-export", b"");
        let loaded = load(&dir.0, &LoadOptions::default()).unwrap();
        let tree = loaded.value;
        let names: Vec<&str> = tree.iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [".svcignore", "a/b.mdx", "c.mdx", "logo.png", "z.mdx"]
        );
        assert_eq!(&**tree.text("z.mdx").unwrap().text(), "# Z\n\nCafé");
        assert!(matches!(
            tree.get("logo.png"),
            Some(Contents::Disk { len: 4, .. })
        ));
        let (left, right) = (tree.text("a/b.mdx").unwrap(), tree.text("c.mdx").unwrap());
        assert!(Arc::ptr_eq(left.text(), right.text()));
        assert_eq!(loaded.diagnostics.len(), 1);
        assert_eq!(loaded.diagnostics[0].code, &INVALID_UTF8);
        assert_eq!(loaded.diagnostics[0].location_string(), "z.mdx:3:4");
        let options = LoadOptions {
            excluded: vec![dir.0.canonicalize().unwrap().join("a")],
            ..LoadOptions::default()
        };
        assert!(!load(&dir.0, &options).unwrap().value.contains("a/b.mdx"));
    }

    #[test]
    fn a_config_file_that_is_not_utf8_is_stored_as_bytes() {
        let dir = TempDir::new("encoding");
        dir.write("docs.json", b"\xff\xfe{\0}\0");
        dir.write("a/docs.json", b"\xff");
        let loaded = load(&dir.0, &LoadOptions::default()).unwrap();
        assert!(matches!(
            loaded.value.get("docs.json"),
            Some(Contents::Bytes(bytes)) if bytes.len() == 6
        ));
        assert!(loaded.value.text("a/docs.json").is_some());
        assert_eq!(loaded.diagnostics.len(), 1);
    }

    #[test]
    fn limits_are_enforced() {
        let dir = TempDir::new("limits");
        for n in 0..5 {
            dir.write(&format!("{n}.mdx"), b"12345");
        }
        let options = LoadOptions {
            max_files: 3,
            ..LoadOptions::default()
        };
        let loaded = load(&dir.0, &options).unwrap();
        assert_eq!(
            (loaded.value.len(), loaded.diagnostics[0].code),
            (3, &FILE_LIMIT)
        );
        let options = LoadOptions {
            max_text_bytes: 4,
            ..LoadOptions::default()
        };
        let loaded = load(&dir.0, &options).unwrap();
        assert_eq!((loaded.value.len(), loaded.diagnostics.len()), (0, 5));
    }

    #[test]
    fn a_missing_root_is_an_error() {
        assert!(load(Path::new("/nowhere/at/all"), &LoadOptions::default()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_links_inside_of_the_root_are_followed() {
        use std::os::unix::fs::symlink;
        let outside = TempDir::new("outside");
        outside.write("secret.mdx", b"x");
        let dir = TempDir::new("links");
        dir.write("real/a.mdx", b"a");
        dir.write(".git/config.json", b"{}");
        symlink(outside.0.join("secret.mdx"), dir.0.join("out.mdx")).unwrap();
        symlink(&outside.0, dir.0.join("outdir")).unwrap();
        symlink(dir.0.join("real"), dir.0.join("again")).unwrap();
        symlink(&dir.0, dir.0.join("real/loop")).unwrap();
        symlink(dir.0.join(".git"), dir.0.join("open")).unwrap();
        let (names, diagnostics) = dir.names();
        assert_eq!(names, ["again/a.mdx", "real/a.mdx"]);
        assert_eq!(diagnostics.len(), 2);
    }
}
