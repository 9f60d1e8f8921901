//! `--fix` of `svc validate` and `svc a11y`: writes the fixes of problems, or shows them.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use svc_server::pluralize;
use svc_site::{LoadOptions, SiteFix, Validation};
use svc_source::FileTransaction;

use super::super::output::{eprint_escaped, print_escaped, unified_diff};

/// The fixes of a validated folder.
pub(crate) struct Fixes<'a> {
    /// Folder that the paths are relative to.
    pub(crate) dir: &'a Path,
    /// Whether nothing is written.
    pub(crate) is_dry_run: bool,
}

impl Fixes<'_> {
    /// Applies all fixes and writes the files, or prints the differences, and reports what was fixed on
    /// standard error. Returns the validation of the new texts.
    pub(crate) fn apply(
        &self,
        validated: Validation,
        load: &LoadOptions,
    ) -> io::Result<Validation> {
        // The parent of a bare file name is the empty path.
        let dir = Some(self.dir).filter(|dir| !dir.as_os_str().is_empty());
        let root = dir.unwrap_or(Path::new(".")).canonicalize()?;
        let is_writable = |path: &str, text: &str| {
            original(&root, path).is_some_and(|file| has_text(&file, text))
        };
        let SiteFix {
            validation,
            texts,
            fixed,
        } = validated.fix(load, &is_writable)?;
        let mut changes = FileTransaction::default();
        for (path, text) in &texts {
            let Some(file) = original(&root, path) else {
                continue;
            };
            if self.is_dry_run {
                let old = fs::read_to_string(&file)?;
                print_escaped(&unified_diff((path, &old), (path, text)))?;
            } else {
                changes.write(file, text.as_bytes());
            }
        }
        changes.commit()?;
        let verb = if self.is_dry_run {
            "would fix"
        } else {
            "fixed"
        };
        let mut report = String::new();
        for problem in &fixed {
            let title = problem.fix.as_ref().map_or("", |fix| &fix.title);
            let at = problem.location_string();
            report.push_str(&format!("{verb} {at}: {}: {title}\n", problem.message));
        }
        report.push_str(&match fixed.len() {
            0 => "nothing to fix\n".to_owned(),
            count => format!(
                "{verb} {} in {}\n",
                pluralize(count, "problem"),
                pluralize(texts.len(), "file")
            ),
        });
        eprint_escaped(&report);
        Ok(validation)
    }
}

/// The file on disk of a path in a site; `None` if it is not a regular file in the folder, also
/// through symbolic links.
fn original(root: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path);
    let mut parts = relative.components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let file = root.join(relative).canonicalize().ok()?;
    (file.starts_with(root) && file.is_file()).then_some(file)
}

/// Whether the file has this text: it may be in another encoding, or have changed since it was read.
fn has_text(file: &Path, text: &str) -> bool {
    let is_same_size = fs::metadata(file).is_ok_and(|meta| meta.len() == text.len() as u64);
    is_same_size && fs::read(file).is_ok_and(|bytes| bytes == text.as_bytes())
}
