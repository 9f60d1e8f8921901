//! Reading a folder.

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
use crate::ignore::{IGNORE_FILES, Ignore};
use crate::image;
use crate::{Contents, SourceTree};

/// Limits of one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    /// Files of all kinds.
    pub max_files: usize,
    /// Bytes of one text; a larger one is left out.
    pub max_text_bytes: u64,
    /// Folders inside folders.
    pub max_depth: usize,
    /// Files and folders that are left out, absolute and without links: what a command writes itself.
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

/// The file that marks a folder as an exported site. Such a folder below the root is never read: its
/// files are made of pages and are no pages themselves.
pub const EXPORT_MARKER: &str = ".svc-export";

/// Whether a folder is an exported site.
pub(crate) fn is_export(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(EXPORT_MARKER)).is_ok_and(|meta| meta.is_file())
}

/// Bytes of an ignore file; a larger one is not read.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// The endings of files that are read as text.
const TEXT_EXTENSIONS: [&str; 13] = [
    "mdx", "md", "jsx", "tsx", "ts", "js", "mjs", "json", "yaml", "yml", "css", "txt", "xml",
];

/// Texts that are kept as bytes when they are not UTF-8.
const CONFIG_FILES: [&str; 2] = ["docs.json", "mint.json"];

/// Reads a folder. Pages, snippets, data, styles and scripts are read as text; other files stay on
/// disk. Only a root that cannot be listed is an `Err`; any other file that cannot be read is left
/// out with a diagnostic.
pub fn load(root: &Path, options: &LoadOptions) -> io::Result<Checked<SourceTree>> {
    load_with(root, options, &|_| None)
}

/// As [`load`]; files that `known` tells the contents of are not read.
pub(crate) fn load_with(
    root: &Path,
    options: &LoadOptions,
    known: &(dyn Fn(&FileEntry) -> Option<Contents> + Sync),
) -> io::Result<Checked<SourceTree>> {
    let Checked {
        value: FileList { root, files: found },
        mut diagnostics,
    } = list(root, options)?;
    let linked = found.iter().any(|found| found.linked);
    let mut texts: HashMap<u64, Vec<Arc<str>>> = HashMap::new();
    let mut files = Vec::with_capacity(found.len());
    let mut foreign = BTreeSet::new();
    for (entry, read) in found.iter().zip(read_all(&found, options, known)) {
        let contents = match read {
            ReadOutcome::Other(contents) => contents,
            ReadOutcome::Text(hash, text) => {
                let known = texts.entry(hash).or_default();
                let text = match known.iter().find(|known| ***known == *text) {
                    Some(same) => same.clone(),
                    // A hash that many different texts share must not make this quadratic.
                    None if known.len() > 8 => text,
                    None => {
                        known.push(text.clone());
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

/// The files that [`load`] would read, sorted by name, without reading them. Only a root that cannot
/// be listed is an `Err`.
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
                let problem = Diagnostic::new(&OLD_IGNORE, "`.mintignore` is an old name")
                    .at(SourceFile::new(name, "").location(Span::default()))
                    .hint("rename it to `.svcignore`; both are read");
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

/// The text of an ignore file. A pipe of that name would hold up everything, and a link could lead
/// anywhere.
pub(crate) fn ignore_file(path: &Path) -> Option<String> {
    let regular = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    let bytes = regular.then(|| read_limited(path, MAX_IGNORE_BYTES).ok().flatten())??;
    String::from_utf8(bytes).ok()
}

/// The files of a folder that belong to the site.
#[derive(Debug, Clone)]
pub struct FileList {
    /// The folder, without links in its path.
    pub root: PathBuf,
    /// The files.
    pub files: Vec<FileEntry>,
}

/// One of them.
#[derive(Debug, Clone)]
pub struct FileEntry {
    /// Its name in the site: relative to the root, with `/`.
    pub name: Arc<str>,
    /// Where it lies, below the root and without links: a link was followed when it was listed.
    pub path: PathBuf,
    /// Whether a link was followed: then it changes where another path does.
    pub linked: bool,
}

/// The problem of a file that cannot be read and is left out.
pub fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    let at = SourceFile::new(name, "").location(Span::default());
    Diagnostic::new(&UNREADABLE, format!("`{name}` cannot be read: {error}"))
        .at(at)
        .hint("check its permissions")
}

pub(crate) enum ReadOutcome {
    Text(u64, Arc<str>),
    /// A text in another encoding.
    Foreign(Arc<str>, Box<Diagnostic>),
    Other(Contents),
    Failed(Box<Diagnostic>),
}

/// Reads every file, on all processors; the results have the order of `found`.
fn read_all(
    found: &[FileEntry],
    options: &LoadOptions,
    known: &(dyn Fn(&FileEntry) -> Option<Contents> + Sync),
) -> Vec<ReadOutcome> {
    let read =
        |file: &FileEntry| known(file).map_or_else(|| read(file, options), ReadOutcome::Other);
    let workers = thread::available_parallelism()
        .map_or(1, NonZeroUsize::get)
        .min(16);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            // Small batches: one large file must not hold up a whole share.
            let start = next.fetch_add(64, Ordering::Relaxed);
            let Some(batch) = found.get(start..found.len().min(start + 64)) else {
                return done;
            };
            if batch.is_empty() {
                return done;
            }
            done.push((start, batch.iter().map(read).collect::<Vec<_>>()));
        }
    };
    let mut batches = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            // A worker cannot panic; if it did, its files would be read again below.
            all.extend(other.join().unwrap_or_default());
        }
        all
    });
    batches.sort_by_key(|(start, _)| *start);
    let all: Vec<ReadOutcome> = batches.into_iter().flat_map(|(_, batch)| batch).collect();
    if all.len() == found.len() {
        all
    } else {
        found.iter().map(read).collect()
    }
}

pub(crate) fn read(file: &FileEntry, options: &LoadOptions) -> ReadOutcome {
    let bad = |problem: Diagnostic, hint: &str| {
        let at = SourceFile::new(file.name.clone(), "").location(Span::default());
        ReadOutcome::Failed(Box::new(problem.at(at).hint(hint)))
    };
    let unreadable =
        |error: &io::Error| ReadOutcome::Failed(Box::new(unreadable(&file.name, error)));
    let ending = file.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let text = TEXT_EXTENSIONS
        .iter()
        .any(|text| text.eq_ignore_ascii_case(ending))
        || IGNORE_FILES.contains(&&*file.name);
    if !text {
        return match fs::metadata(&file.path) {
            Ok(meta) => ReadOutcome::Other(Contents::Disk {
                path: file.path.clone(),
                len: meta.len(),
                modified: meta.modified().ok(),
                dimensions: image_size(&file.path, ending, &meta),
            }),
            Err(error) => unreadable(&error),
        };
    }
    let bytes = match read_limited(&file.path, options.max_text_bytes) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            let limit = options.max_text_bytes;
            let message = format!("`{}` is larger than {limit} bytes", file.name);
            return bad(
                Diagnostic::new(&TOO_LARGE, message),
                "split it into smaller files",
            );
        }
        Err(error) => return unreadable(&error),
    };
    // Whoever reads these names the encoding.
    if CONFIG_FILES.contains(&&*file.name) && std::str::from_utf8(&bytes).is_err() {
        return ReadOutcome::Other(Contents::Bytes(bytes.into()));
    }
    let text: Arc<str> = match svc_diagnostics::decode(bytes) {
        Ok(text) => text.into(),
        Err(foreign) => {
            let text: Arc<str> = foreign.text.into();
            let at = SourceFile::new(file.name.clone(), text.clone()).location(foreign.span);
            let message = format!("`{}` {}", file.name, foreign.problem);
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

/// The size of a picture, from the beginning of its file.
fn image_size(path: &Path, ending: &str, meta: &fs::Metadata) -> Option<(u32, u32)> {
    let known = image::EXTENSIONS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(ending));
    if !known || !meta.is_file() {
        return None;
    }
    let file = fs::File::open(path).ok()?;
    let mut head = Vec::new();
    // Most kinds say it at once.
    let mut rest = io::Read::take(file, 512);
    io::Read::read_to_end(&mut rest, &mut head).ok()?;
    image::size(&head).or_else(|| {
        rest.set_limit(image::MAX_HEADER_BYTES);
        io::Read::read_to_end(&mut rest, &mut head).ok()?;
        image::size(&head)
    })
}

/// The bytes of a file, or nothing when it has more than `limit`, also while it grows.
fn read_limited(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut file = fs::File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if meta.len() > limit {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0).saturating_add(1));
    io::Read::read_to_end(
        &mut io::Read::take(&mut file, limit.saturating_add(1)),
        &mut bytes,
    )?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

struct Walk<'a> {
    ignore: Ignore,
    options: &'a LoadOptions,
    files: Vec<FileEntry>,
    diagnostics: Vec<Diagnostic>,
}

impl Walk<'_> {
    /// Lists a folder and everything below, without recursion.
    fn walk(&mut self, root: &Path) {
        let mut waiting = vec![(root.to_owned(), String::new(), 0, false)];
        while let Some((folder, prefix, depth, linked)) = waiting.pop() {
            let entries = match fs::read_dir(&folder) {
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
                let Some((path, is_folder, link)) = self.kind(&entry, root, &name) else {
                    continue;
                };
                let linked = linked || link;
                if self.ignore.skips(&name, is_folder) || self.options.excluded.contains(&path) {
                    continue;
                }
                if is_folder {
                    if is_export(&path) {
                        continue;
                    }
                    if depth >= self.options.max_depth {
                        let message = format!("`{name}` lies too deep");
                        self.report(Diagnostic::new(&UNREADABLE, message), "use fewer folders");
                        continue;
                    }
                    waiting.push((path, name, depth + 1, linked));
                } else if self.files.len() < self.options.max_files {
                    self.files.push(FileEntry {
                        name: name.into(),
                        path,
                        linked,
                    });
                } else {
                    let message = format!("more than {} files", self.options.max_files);
                    let hint = "leave folders out with `.svcignore`";
                    self.report(Diagnostic::new(&FILE_LIMIT, message), hint);
                    return;
                }
            }
        }
    }

    fn report(&mut self, problem: Diagnostic, hint: &str) {
        self.diagnostics.push(problem.hint(hint));
    }

    /// The path to read, whether it is a folder, and whether a link leads there. A link is followed
    /// when it stays inside the root and does not lead to a folder that holds it.
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
            let message = format!("the link `{name}` leads nowhere");
            self.report(
                Diagnostic::new(&ESCAPING_LINK, message),
                "remove or repair it",
            );
            return None;
        };
        let inside = target.strip_prefix(root).ok().and_then(Path::to_str);
        let Some(inside) = inside.map(|inside| inside.replace('\\', "/")) else {
            let message = format!("the link `{name}` leaves the repository and is left out");
            self.report(
                Diagnostic::new(&ESCAPING_LINK, message),
                "copy the file instead",
            );
            return None;
        };
        // What is ignored must not come in through a link either.
        let is_folder = target.is_dir();
        let cycle = path.starts_with(&target);
        (!cycle && !self.ignore.skips_file(&inside)).then_some((target, is_folder, true))
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
    fn texts_are_read_images_stay_on_disk_and_ignored_files_are_left_out() {
        let folder = TempDir::new("kinds");
        folder.write("a/b.mdx", b"# B");
        folder.write("c.mdx", b"# B");
        folder.write("logo.png", b"\x89PNG");
        folder.write("drafts/x.mdx", b"x");
        folder.write("node_modules/y/z.md", b"x");
        folder.write(".svcignore", b"drafts/\n");
        folder.write("z.mdx", b"# Z\n\nCaf\xe9");
        folder.write("public/index.md", b"made");
        folder.write("public/.svc-export", b"");
        let loaded = load(&folder.0, &LoadOptions::default()).unwrap();
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
            excluded: vec![folder.0.canonicalize().unwrap().join("a")],
            ..LoadOptions::default()
        };
        assert!(!load(&folder.0, &options).unwrap().value.contains("a/b.mdx"));
    }

    #[test]
    fn a_configuration_that_is_not_utf8_is_kept_as_bytes() {
        let folder = TempDir::new("encoding");
        folder.write("docs.json", b"\xff\xfe{\0}\0");
        folder.write("a/docs.json", b"\xff");
        let loaded = load(&folder.0, &LoadOptions::default()).unwrap();
        assert!(matches!(
            loaded.value.get("docs.json"),
            Some(Contents::Bytes(bytes)) if bytes.len() == 6
        ));
        assert!(loaded.value.text("a/docs.json").is_some());
        assert_eq!(loaded.diagnostics.len(), 1);
    }

    #[test]
    fn limits_hold() {
        let folder = TempDir::new("limits");
        for n in 0..5 {
            folder.write(&format!("{n}.mdx"), b"12345");
        }
        let options = LoadOptions {
            max_files: 3,
            ..LoadOptions::default()
        };
        let loaded = load(&folder.0, &options).unwrap();
        assert_eq!(
            (loaded.value.len(), loaded.diagnostics[0].code),
            (3, &FILE_LIMIT)
        );
        let options = LoadOptions {
            max_text_bytes: 4,
            ..LoadOptions::default()
        };
        let loaded = load(&folder.0, &options).unwrap();
        assert_eq!((loaded.value.len(), loaded.diagnostics.len()), (0, 5));
    }

    #[test]
    fn a_missing_root_is_an_error() {
        assert!(load(Path::new("/nowhere/at/all"), &LoadOptions::default()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_inside() {
        use std::os::unix::fs::symlink;
        let outside = TempDir::new("outside");
        outside.write("secret.mdx", b"x");
        let folder = TempDir::new("links");
        folder.write("real/a.mdx", b"a");
        folder.write(".git/config.json", b"{}");
        symlink(outside.0.join("secret.mdx"), folder.0.join("out.mdx")).unwrap();
        symlink(&outside.0, folder.0.join("outdir")).unwrap();
        symlink(folder.0.join("real"), folder.0.join("again")).unwrap();
        symlink(&folder.0, folder.0.join("real/loop")).unwrap();
        symlink(folder.0.join(".git"), folder.0.join("open")).unwrap();
        let (names, diagnostics) = folder.names();
        assert_eq!(names, ["again/a.mdx", "real/a.mdx"]);
        assert_eq!(diagnostics.len(), 2);
    }
}
