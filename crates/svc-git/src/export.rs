//! Exports the files of a commit.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile, Span};

use crate::codes::{LFS, LINK, NAME, SUBMODULE, TOO_LARGE};
use crate::objects::{Entry, Objects};
use crate::{CommitId, GitError, RepositoryLimits, names};

/// Maximum number of diagnostics per code.
const MAX_REPORTED: usize = 50;
/// Maximum size of a Git LFS pointer in bytes.
const MAX_POINTER_BYTES: u64 = 1024;

/// A previous export, whose unchanged files are hard-linked.
#[derive(Debug, Clone, Copy)]
pub struct PreviousExport<'a> {
    /// Commit of the export.
    pub commit: CommitId,
    /// Directory of the export. Its files must not have been modified.
    pub dir: &'a Path,
}

/// Writes the files of a tree.
pub(crate) struct Exporter<'a> {
    pub(crate) objects: &'a Objects,
    pub(crate) limits: &'a RepositoryLimits,
    /// Whether the server may have omitted files that are too large.
    pub(crate) partial: bool,
    pub(crate) out_dir: &'a Path,
    pub(crate) previous: Option<&'a Path>,
    /// Modification time of all written files.
    pub(crate) modified: Option<SystemTime>,
    findings: Findings,
    links: Vec<(PathBuf, Vec<u8>)>,
    files: usize,
    bytes: u64,
}

/// Diagnostics, limited per code.
#[derive(Default)]
pub(crate) struct Findings {
    diagnostics: Vec<Diagnostic>,
    counts: BTreeMap<&'static str, (usize, Option<&'static DiagnosticCode>)>,
}

impl Findings {
    fn add(&mut self, code: &'static DiagnosticCode, path: &str, message: String, hint: &str) {
        let count = self.counts.entry(code.id).or_insert((0, Some(code)));
        count.0 += 1;
        if count.0 <= MAX_REPORTED {
            let location = SourceFile::new(path, "").location(Span::new(0, 0));
            self.diagnostics
                .push(Diagnostic::new(code, message).at(location).hint(hint));
        }
    }

    pub(crate) fn unsafe_name(&mut self, label: &str, reason: &str) {
        let label = label.escape_debug().to_string();
        let message = format!("`{label}` cannot be written: {reason}");
        self.add(&NAME, &label, message, "rename it");
    }

    pub(crate) fn submodule(&mut self, label: &str) {
        let message = format!("`{label}` is a submodule, which is not fetched");
        let hint = "add its files to this repository, or configure it as a separate project";
        self.add(&SUBMODULE, label, message, hint);
    }

    pub(crate) fn too_large(&mut self, label: &str, size: &str, max: u64) {
        let message = format!("`{label}` has {size} bytes and is omitted; the limit is {max}");
        let hint = "store large files elsewhere and link to them";
        self.add(&TOO_LARGE, label, message, hint);
    }

    pub(crate) fn lfs(&mut self, label: &str) {
        let message = format!("`{label}` is stored in Git LFS and is omitted");
        let hint = "commit the file itself; `git lfs migrate export` converts the whole history";
        self.add(&LFS, label, message, hint);
    }

    pub(crate) fn outside_link(&mut self, label: &str) {
        let message = format!("the symbolic link `{label}` points outside the folder");
        let hint = "link to a file inside the folder, or commit the file itself";
        self.add(&LINK, label, message, hint);
    }

    pub(crate) fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        for (count, code) in self.counts.into_values() {
            if let (Some(more), Some(code)) = (count.checked_sub(MAX_REPORTED + 1), code) {
                let message = format!("{} more: {}", more + 1, code.summary);
                self.diagnostics.push(Diagnostic::new(code, message));
            }
        }
        self.diagnostics
    }
}

/// Size of a tree with everything below it.
#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    files: u64,
    bytes: u64,
    /// Nesting depth of folders below the tree.
    height: usize,
}

/// A folder that has not been written yet.
struct PendingDir {
    tree: ObjectId,
    /// Tree of the folder in the previous export.
    previous: Option<ObjectId>,
    /// Path relative to the exported folder.
    path: PathBuf,
    depth: usize,
}

impl<'a> Exporter<'a> {
    pub(crate) fn new(objects: &'a Objects, limits: &'a RepositoryLimits, into: &'a Path) -> Self {
        Self {
            objects,
            limits,
            partial: false,
            out_dir: into,
            previous: None,
            modified: None,
            findings: Findings::default(),
            links: Vec::new(),
            files: 0,
            bytes: 0,
        }
    }

    /// Writes all files below `tree`. `old` is the tree of the previous export.
    pub(crate) fn run(
        mut self,
        tree: ObjectId,
        old: Option<ObjectId>,
    ) -> Result<Vec<Diagnostic>, GitError> {
        // Checked before anything is written: few objects can expand to more files than fit on a
        // disk.
        self.totals(tree, 0, &mut HashMap::new())?;
        fs::create_dir_all(self.out_dir).map_err(GitError::file(self.out_dir))?;
        let mut pending = vec![PendingDir {
            tree,
            previous: old,
            path: PathBuf::new(),
            depth: 0,
        }];
        while let Some(dir) = pending.pop() {
            if dir.depth > self.limits.max_depth {
                return Err(GitError::too_deep(self.limits));
            }
            self.write_dir(&dir, &mut pending)?;
        }
        self.write_links()?;
        let mut diagnostics = self.findings.into_diagnostics();
        diagnostics.sort_by_cached_key(Diagnostic::location_string);
        Ok(diagnostics)
    }

    /// Computes the totals of a tree. Each tree is read only once, however often it occurs.
    fn totals(
        &self,
        tree: ObjectId,
        depth: usize,
        totals_by_tree: &mut HashMap<ObjectId, Totals>,
    ) -> Result<Totals, GitError> {
        if depth > self.limits.max_depth {
            return Err(GitError::too_deep(self.limits));
        }
        if let Some(totals) = totals_by_tree.get(&tree) {
            return match depth + totals.height > self.limits.max_depth {
                true => Err(GitError::too_deep(self.limits)),
                false => Ok(*totals),
            };
        }
        let mut sum = Totals::default();
        for entry in self.objects.tree(tree)? {
            sum.files = sum.files.saturating_add(1);
            if names::reject_reason(&entry.name).is_none() {
                match entry.kind {
                    EntryKind::Tree => {
                        let below = self.totals(entry.id, depth + 1, totals_by_tree)?;
                        sum.files = sum.files.saturating_add(below.files);
                        sum.bytes = sum.bytes.saturating_add(below.bytes);
                        sum.height = sum.height.max(below.height + 1);
                    }
                    EntryKind::Blob | EntryKind::BlobExecutable => {
                        // Larger files are omitted from the export.
                        let size = self.objects.size(entry.id)?;
                        let size = size.filter(|size| *size <= self.limits.max_file_bytes);
                        sum.bytes = sum.bytes.saturating_add(size.unwrap_or_default());
                    }
                    EntryKind::Link | EntryKind::Commit => {}
                }
            }
            if sum.files > self.limits.max_files as u64 {
                return Err(GitError::too_many_files(self.limits));
            }
            if sum.bytes > self.limits.max_total_bytes {
                return Err(GitError::too_many_bytes(self.limits));
            }
        }
        totals_by_tree.insert(tree, sum);
        Ok(sum)
    }

    fn write_dir(
        &mut self,
        dir: &PendingDir,
        pending: &mut Vec<PendingDir>,
    ) -> Result<(), GitError> {
        let old = match dir.previous {
            Some(old) => self.objects.tree(old).unwrap_or_default(),
            None => Vec::new(),
        };
        let old: BTreeMap<&[u8], &Entry> = old.iter().map(|e| (e.name.as_slice(), e)).collect();
        for entry in self.objects.tree(dir.tree)? {
            self.files += 1;
            if self.files > self.limits.max_files {
                return Err(GitError::too_many_files(self.limits));
            }
            let label = dir.path.join(String::from_utf8_lossy(&entry.name).as_ref());
            let label = label.display().to_string();
            if let Some(reason) = names::reject_reason(&entry.name) {
                self.findings.unsafe_name(&label, reason);
                continue;
            }
            let name = String::from_utf8_lossy(&entry.name);
            let path = dir.path.join(name.as_ref());
            let before = old.get(entry.name.as_slice()).copied();
            match entry.kind {
                EntryKind::Tree => {
                    let created = fs::create_dir(self.out_dir.join(&path));
                    if !self.check_created(created, &path, &label)? {
                        continue;
                    }
                    let old = before.filter(|before| before.kind == EntryKind::Tree);
                    pending.push(PendingDir {
                        tree: entry.id,
                        previous: old.map(|old| old.id),
                        path,
                        depth: dir.depth + 1,
                    });
                }
                EntryKind::Blob | EntryKind::BlobExecutable => {
                    let same = before.is_some_and(|b| {
                        b.id == entry.id
                            && matches!(b.kind, EntryKind::Blob | EntryKind::BlobExecutable)
                    });
                    self.write_file(entry.id, &path, &label, same)?;
                }
                EntryKind::Link => {
                    let size = self.objects.size(entry.id)?.unwrap_or(u64::MAX);
                    let target = match size {
                        0..=4096 => self.objects.blob(entry.id)?,
                        _ => Vec::new(),
                    };
                    self.links.push((path, target));
                }
                EntryKind::Commit => self.findings.submodule(&label),
            }
        }
        Ok(())
    }

    fn write_file(
        &mut self,
        id: ObjectId,
        path: &Path,
        label: &str,
        same: bool,
    ) -> Result<(), GitError> {
        let target = self.out_dir.join(path);
        if same && let Some(previous) = self.previous {
            let from = previous.join(path);
            let metadata = fs::symlink_metadata(&from)
                .ok()
                .filter(fs::Metadata::is_file);
            if let Some(metadata) = metadata
                && fs::hard_link(&from, &target).is_ok()
            {
                return self.add_bytes(metadata.len());
            }
        }
        let max = self.limits.max_file_bytes;
        let size = match self.objects.size(id)? {
            Some(size) => size,
            None if self.partial => u64::MAX,
            None => return Err(GitError::Corrupt(format!("blob {id} is missing"))),
        };
        if size > max {
            let size = match size {
                u64::MAX => format!("more than {max}"),
                size => size.to_string(),
            };
            self.findings.too_large(label, &size, max);
            return Ok(());
        }
        self.add_bytes(size)?;
        let data = self.objects.blob(id)?;
        if is_lfs_pointer(&data) {
            self.findings.lfs(label);
            return Ok(());
        }
        let created = fs::File::create_new(&target).and_then(|mut file| {
            file.write_all(&data)?;
            self.modified.map_or(Ok(()), |time| file.set_modified(time))
        });
        self.check_created(created, path, label)?;
        Ok(())
    }

    fn add_bytes(&mut self, size: u64) -> Result<(), GitError> {
        self.bytes = self.bytes.saturating_add(size);
        if self.bytes > self.limits.max_total_bytes {
            return Err(GitError::too_many_bytes(self.limits));
        }
        Ok(())
    }

    /// Whether a file or directory was created. An existing one means that the name occurs twice.
    fn check_created(
        &mut self,
        created: io::Result<()>,
        path: &Path,
        label: &str,
    ) -> Result<bool, GitError> {
        match created {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let message = format!("`{label}` cannot be written: the name is not unique");
                self.findings
                    .add(&NAME, label, message, "rename one of them");
                Ok(false)
            }
            Err(error) => Err(GitError::Io {
                path: self.out_dir.join(path),
                error,
            }),
        }
    }

    /// Writes symbolic links last, so that no file is written through one.
    fn write_links(&mut self) -> Result<(), GitError> {
        for (path, target) in std::mem::take(&mut self.links) {
            let label = path.display().to_string();
            let Some(target) = std::str::from_utf8(&target)
                .ok()
                .filter(|t| stays_inside(&path, t))
            else {
                self.findings.outside_link(&label);
                continue;
            };
            let created = symlink(target, &self.out_dir.join(&path));
            self.check_created(created, &path, &label)?;
        }
        Ok(())
    }
}

#[cfg(unix)]
fn symlink(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn symlink(_target: &str, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether a link at `path` stays below the root. `..` is allowed only at the beginning, where
/// directories are real: after a name it could start at the target of another link.
pub(crate) fn stays_inside(path: &Path, target: &str) -> bool {
    if target.is_empty() || target.starts_with('/') || target.contains(['\\', '\0']) {
        return false;
    }
    let mut depth = path.components().count().saturating_sub(1);
    let mut has_name = false;
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if has_name || depth == 0 => return false,
            ".." => depth -= 1,
            part if names::reject_reason(part.as_bytes()).is_some() => return false,
            _ => has_name = true,
        }
    }
    true
}

/// Whether the content is a Git LFS pointer.
pub(crate) fn is_lfs_pointer(data: &[u8]) -> bool {
    data.len() as u64 <= MAX_POINTER_BYTES
        && data.starts_with(b"version https://git-lfs.github.com/spec/")
        && data.windows(5).any(|window| window == b"\noid ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_inside_the_root() {
        for (path, target) in [
            ("a", "b"),
            ("a", "./b"),
            ("a", "b/c"),
            ("x/a", "../b"),
            ("x/y/a", "../../b"),
            ("x/a", ".."),
        ] {
            assert!(stays_inside(Path::new(path), target), "{path} -> {target}");
        }
        for (path, target) in [
            ("a", ""),
            ("a", "/etc/passwd"),
            ("a", "../b"),
            ("a", ".."),
            ("x/a", "../../b"),
            ("x/a", "b/../../../c"),
            // Another link could make this point anywhere.
            ("x/a", "b/../c"),
            ("x/a", "../.git/config"),
            ("a", "b\\c"),
        ] {
            assert!(!stays_inside(Path::new(path), target), "{path} -> {target}");
        }
    }

    #[test]
    fn lfs_pointers_are_detected() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert!(is_lfs_pointer(pointer));
        assert!(!is_lfs_pointer(
            b"version https://git-lfs.github.com/spec/v1 is what it says"
        ));
        assert!(!is_lfs_pointer(b""));
    }
}
