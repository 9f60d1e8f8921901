//! Names of Mintlify in a repository that is read already: `mint.json` becomes `docs.json`.

use std::io;
use std::path::Path;

use svc_diagnostics::{Diagnostic, Severity, SourceFile, render_text};
use svc_server::pluralize;
use svc_source::Contents;

use super::super::output::{count, eprint_escaped, print, unified_diff, with_path};
use super::super::site::check_site_dir;
use crate::exit::Exit;

/// Mintlify's names of files and their names here.
const CONFIG_NAMES: (&str, &str) = ("mint.json", "docs.json");
const IGNORE_NAMES: (&str, &str) = (".mintignore", ".svcignore");
/// Extensions of files that can be OpenAPI documents.
const DOCUMENT_EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// A changed file.
struct FileChange {
    old: SourceFile,
    path: String,
    text: String,
}

pub(super) fn run(root: &Path, is_written: bool) -> io::Result<Exit> {
    check_site_dir(root)?;
    let tree = svc_source::load(root, &svc_source::LoadOptions::default())?.value;
    let mut files: Vec<SourceFile> = Vec::new();
    for (path, contents) in tree.iter() {
        let document = path
            .rsplit_once('.')
            .is_some_and(|(_, end)| DOCUMENT_EXTENSIONS.contains(&end));
        // These names have no special meaning in subfolders.
        let nested =
            path.contains('/') && (path.ends_with("/docs.json") || path.ends_with("/mint.json"));
        if let Contents::Text(file) = contents
            && document
            && !nested
        {
            files.push(file.clone());
        }
    }
    let (mut changes, mut diagnostics) = (Vec::new(), Vec::new());
    for file in &files {
        let migrated = svc_config::migrate(file);
        diagnostics.extend(migrated.diagnostics);
        let path = if **file.path() == *CONFIG_NAMES.0 {
            CONFIG_NAMES.1
        } else {
            file.path()
        };
        let same = migrated.value == **file.text();
        let failed = diagnostics.iter().any(|diagnostic| {
            diagnostic.severity >= Severity::Error
                && diagnostic
                    .location
                    .as_ref()
                    .is_some_and(|at| at.file == *file.path())
        });
        if failed || (same && path == &**file.path()) {
            continue;
        }
        changes.push(FileChange {
            old: file.clone(),
            path: path.to_owned(),
            text: migrated.value,
        });
    }
    // If both files exist, the newer name takes precedence and must not be overwritten.
    let both = tree.contains(CONFIG_NAMES.0) && tree.contains(CONFIG_NAMES.1);
    if both {
        changes.retain(|change| &**change.old.path() != CONFIG_NAMES.0);
        diagnostics.retain(|diagnostic| {
            diagnostic
                .location
                .as_ref()
                .is_none_or(|at| &*at.file != CONFIG_NAMES.0)
        });
    }
    let ignore = root.join(IGNORE_NAMES.0).is_file();
    report(&files, &diagnostics);
    if both {
        eprint_escaped(&format!(
            "{} is ignored because {} exists; remove it\n",
            CONFIG_NAMES.0, CONFIG_NAMES.1
        ));
    }
    if is_written {
        for change in &changes {
            write(root, change)?;
        }
        if ignore {
            rename(root, IGNORE_NAMES)?;
        }
    } else {
        for change in &changes {
            print(&unified_diff(
                (change.old.path(), change.old.text()),
                (&change.path, &change.text),
            ))?;
        }
        if ignore {
            print(&format!(
                "rename {} => {}\n",
                IGNORE_NAMES.0, IGNORE_NAMES.1
            ))?;
        }
    }
    let all = changes.len() + usize::from(ignore);
    eprint_escaped(&match (all, is_written) {
        (0, _) => "nothing to migrate\n".to_owned(),
        (_, true) => format!("{} written\n", pluralize(all, "file")),
        (_, false) => format!(
            "{} would change; run with `--write` to write the changes\n",
            pluralize(all, "file")
        ),
    });
    let failed = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity >= Severity::Error);
    Ok(if failed {
        Exit::Problems
    } else {
        Exit::Success
    })
}

fn report(files: &[SourceFile], diagnostics: &[Diagnostic]) {
    if diagnostics.is_empty() {
        return;
    }
    let text_of = |path: &str| {
        let file = files.iter().find(|file| **file.path() == *path)?;
        Some(&**file.text())
    };
    eprint_escaped(&render_text(diagnostics, &text_of));
    eprint_escaped(&format!("{}\n", count(diagnostics)));
}

fn write(root: &Path, change: &FileChange) -> io::Result<()> {
    let (old, new) = (root.join(&**change.old.path()), root.join(&change.path));
    let failed = |error: io::Error| with_path(&new, &error);
    std::fs::write(&new, &change.text).map_err(failed)?;
    if old != new {
        // The new file has been written completely.
        std::fs::remove_file(&old).map_err(failed)?;
    }
    Ok(())
}

fn rename(root: &Path, (old, new): (&str, &str)) -> io::Result<()> {
    let (old, new) = (root.join(old), root.join(new));
    if new.exists() {
        eprint_escaped(&format!(
            "{} exists already; both files are read\n",
            new.display()
        ));
        return Ok(());
    }
    std::fs::rename(&old, &new)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const OLD: &str =
        "{\n  \"name\": \"A\",\n  \"navigation\": [{ \"group\": \"G\", \"pages\": [\"a\"] }]\n}\n";

    fn site_dir() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("mint.json"), OLD).unwrap();
        fs::write(dir.path().join("a.yaml"), "openapi: 3.1.0\nx-mint: {}\n").unwrap();
        fs::write(dir.path().join("data.json"), "{\"theme\": \"mint\"}").unwrap();
        fs::write(dir.path().join(".mintignore"), "x\n").unwrap();
        dir
    }

    fn migrate(dir: &Path, write: bool) -> Exit {
        run(dir, write).unwrap()
    }

    #[test]
    fn without_write_nothing_changes() {
        let dir = site_dir();
        assert_eq!(migrate(dir.path(), false), Exit::Success);
        assert!(!dir.path().join("docs.json").exists());
        assert_eq!(
            fs::read_to_string(dir.path().join("mint.json")).unwrap(),
            OLD
        );
    }

    #[test]
    fn with_write_the_files_are_renamed_and_rewritten() {
        let dir = site_dir();
        let read = |path: &str| fs::read_to_string(dir.path().join(path));
        assert_eq!(migrate(dir.path(), true), Exit::Success);
        assert!(read("mint.json").is_err() && read(".mintignore").is_err());
        assert!(read("docs.json").unwrap().contains("\"groups\": ["));
        assert_eq!(read("a.yaml").unwrap(), "openapi: 3.1.0\nx-svc: {}\n");
        assert_eq!(read("data.json").unwrap(), "{\"theme\": \"mint\"}");
        assert_eq!(read(".svcignore").unwrap(), "x\n");
        let before = read("docs.json").unwrap();
        assert_eq!(migrate(dir.path(), true), Exit::Success);
        assert_eq!(read("docs.json").unwrap(), before);
    }

    #[test]
    fn a_newer_file_is_never_overwritten_by_the_older_one() {
        let dir = site_dir();
        fs::write(dir.path().join("docs.json"), "{\"theme\": \"mint\"}\n").unwrap();
        assert_eq!(migrate(dir.path(), true), Exit::Success);
        let read = |path: &str| fs::read_to_string(dir.path().join(path)).unwrap();
        assert_eq!(read("docs.json"), "{\"theme\": \"svc\"}\n");
        assert_eq!(read("mint.json"), OLD);
    }

    #[test]
    fn a_directory_without_a_site_is_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let error = run(dir.path(), false).unwrap_err();
        assert!(
            error.to_string().contains("there is no `docs.json`"),
            "{error}"
        );
    }

    #[test]
    fn a_file_with_syntax_errors_is_not_changed() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("mint.json"), "{ \"name\" ").unwrap();
        assert_eq!(migrate(dir.path(), true), Exit::Problems);
        assert!(!dir.path().join("docs.json").exists());
    }
}
