//! Converting the repository of another generator into a new folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use svc_diagnostics::{Diagnostic, Severity, render_text};
use svc_migrate::{Format, Migration, OutputFile, Repository};
use svc_server::pluralize;

use super::super::output::{count, eprint_escaped, print, with_path};
use super::super::report::linked_json;
use super::source;
use super::{Arguments, ReportFormat};
use crate::exit::Exit;

pub(super) fn run(arguments: &Arguments, format: Option<Format>) -> io::Result<Exit> {
    let Some(out) = &arguments.to else {
        return refuse("name the folder for the new site: `svc migrate FOLDER --to NEW_FOLDER`");
    };
    if let Some(message) = invalid_output(&arguments.dir, out, arguments.force)? {
        return refuse(&message);
    }
    let repository = source::read(&arguments.dir)?;
    let Some(format) = format.or_else(|| svc_migrate::detect(&repository)) else {
        let dir = arguments.dir.display();
        return refuse(&format!(
            "{dir} has no configuration of a known generator, such as mkdocs.yml; name the folder that has it, or the generator with `--from`"
        ));
    };
    let migration = svc_migrate::migrate(&repository, format);
    if migration.pages.is_empty() {
        let text = render_text(&migration.diagnostics, &|path| text_of(&repository, path));
        eprint_escaped(&text);
        return refuse("no pages were found, and nothing was written");
    }
    write_all(&arguments.dir, out, &migration)?;
    let validation = svc_site::validate(out, &svc_site::LoadOptions::default())?;
    let errors: Vec<Diagnostic> = validation
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity >= Severity::Error)
        .cloned()
        .collect();
    match arguments.format {
        ReportFormat::Human => print_text(&repository, &migration, &errors, out)?,
        ReportFormat::Json => print(&format!("{:#}\n", to_json(&migration, &errors)))?,
    }
    let failed = migration.diagnostics.iter().chain(&errors);
    let failed = failed
        .filter(|diagnostic| diagnostic.severity >= Severity::Error)
        .count()
        > 0;
    Ok(if failed {
        Exit::Problems
    } else {
        Exit::Success
    })
}

fn refuse(message: &str) -> io::Result<Exit> {
    eprint_escaped(&format!("svc: {message}\n"));
    Ok(Exit::Problems)
}

/// Why the folder cannot be used; `None` if it can.
fn invalid_output(dir: &Path, out: &Path, force: bool) -> io::Result<Option<String>> {
    let root = dir.canonicalize().map_err(|error| with_path(dir, &error))?;
    // The folder itself may not exist yet: the nearest parent that does decides where it is.
    let absolute = std::path::absolute(out)?;
    let parent = absolute
        .ancestors()
        .find_map(|path| path.canonicalize().ok());
    if parent.is_some_and(|parent| parent.starts_with(&root)) {
        let message =
            "the new folder is inside of the old one, which is never changed; choose another";
        return Ok(Some(message.to_owned()));
    }
    let used = out.exists()
        && fs::read_dir(out)
            .map_err(|error| with_path(out, &error))?
            .next()
            .is_some();
    Ok((used && !force).then(|| {
        let out = out.display();
        format!("{out} is not empty; choose another folder, or write into it with `--force`")
    }))
}

fn write_all(dir: &Path, out: &Path, migration: &Migration) -> io::Result<()> {
    for (path, file) in &migration.files {
        let target = inside(out, path)?;
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(|error| with_path(parent, &error))?;
        }
        let written = match file {
            OutputFile::Text(text) => fs::write(&target, text),
            OutputFile::Copy(source) => fs::copy(dir.join(source), &target).map(|_| ()),
        };
        written.map_err(|error| with_path(&target, &error))?;
    }
    Ok(())
}

/// The path of a file in the new folder.
///
/// # Errors
/// When a part of the path is a symbolic link, which could lead out of the folder, or is `..`.
fn inside(out: &Path, path: &str) -> io::Result<PathBuf> {
    let mut target = out.to_owned();
    for part in path.split('/') {
        if part == ".." || part.is_empty() {
            return Err(io::Error::other(format!(
                "`{path}` is not a path of a file"
            )));
        }
        target.push(part);
        if fs::symlink_metadata(&target).is_ok_and(|meta| meta.is_symlink()) {
            let message = format!("{} is a symbolic link; remove it", target.display());
            return Err(io::Error::other(message));
        }
    }
    Ok(target)
}

fn text_of<'a>(repository: &'a Repository, path: &str) -> Option<&'a str> {
    repository.text(path).map(|file| &**file.text())
}

fn print_text(
    repository: &Repository,
    migration: &Migration,
    errors: &[Diagnostic],
    out: &Path,
) -> io::Result<()> {
    let mut text = String::new();
    if !migration.diagnostics.is_empty() {
        text.push_str(&render_text(&migration.diagnostics, &|path| {
            text_of(repository, path)
        }));
        text.push('\n');
    }
    let folder = out.display();
    if !errors.is_empty() {
        text.push_str(&format!("Errors of the new site in {folder}:\n\n"));
        let read = |path: &str| match migration.files.get(path) {
            Some(OutputFile::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        text.push_str(&render_text(errors, &read));
        text.push('\n');
    }
    let all: Vec<Diagnostic> = migration
        .diagnostics
        .iter()
        .chain(errors)
        .cloned()
        .collect();
    text.push_str(&format!(
        "{} and {} written to {folder}: {}\n\nNext: svc validate {folder}, then svc dev {folder}\n",
        pluralize(migration.pages.len(), "page"),
        pluralize(migration.files.len() - migration.pages.len(), "other file"),
        count(&all),
    ));
    print(&text)
}

fn to_json(migration: &Migration, errors: &[Diagnostic]) -> Value {
    let pages: Vec<Value> = migration
        .pages
        .iter()
        .map(|page| {
            json!({
                "source": page.source,
                "output": page.output,
                "path": page.path,
                "oldUrls": page.old_urls,
            })
        })
        .collect();
    json!({
        "pages": pages,
        "files": migration.files.keys().collect::<Vec<_>>(),
        "diagnostics": linked_json(&migration.diagnostics),
        "siteErrors": linked_json(errors),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("old/docs")).unwrap();
        fs::write(dir.path().join("old/mkdocs.yml"), "site_name: A\n").unwrap();
        fs::write(
            dir.path().join("old/docs/index.md"),
            "# Hello\n\n--8<-- \"../../secret.txt\"\n",
        )
        .unwrap();
        fs::write(dir.path().join("secret.txt"), "secret").unwrap();
        dir
    }

    fn convert(dir: &Path, to: &str, force: bool) -> Exit {
        let arguments = Arguments {
            dir: dir.join("old"),
            to: Some(dir.join(to)),
            from: None,
            force,
            format: ReportFormat::Json,
            write: false,
        };
        run(&arguments, None).unwrap()
    }

    #[test]
    fn a_site_is_written_into_a_new_folder_only() {
        let dir = site();
        assert_eq!(convert(dir.path(), "new", false), Exit::Success);
        let page = fs::read_to_string(dir.path().join("new/index.mdx")).unwrap();
        assert!(
            page.contains("title: \"Hello\"") && !page.contains("secret"),
            "{page}"
        );
        assert_eq!(convert(dir.path(), "new", false), Exit::Problems);
        assert_eq!(convert(dir.path(), "new", true), Exit::Success);
        assert_eq!(convert(dir.path(), "old/new", false), Exit::Problems);
        assert!(!dir.path().join("old/new").exists());
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_are_not_followed() {
        let dir = site();
        let link = dir.path().join("old/docs/linked.md");
        std::os::unix::fs::symlink(dir.path().join("secret.txt"), link).unwrap();
        assert_eq!(convert(dir.path(), "new", false), Exit::Success);
        assert!(!dir.path().join("new/linked.mdx").exists());
        // Neither is one in the new folder.
        fs::remove_file(dir.path().join("new/index.mdx")).unwrap();
        let target = dir.path().join("secret.txt");
        std::os::unix::fs::symlink(&target, dir.path().join("new/index.mdx")).unwrap();
        let arguments = Arguments {
            dir: dir.path().join("old"),
            to: Some(dir.path().join("new")),
            from: None,
            force: true,
            format: ReportFormat::Json,
            write: false,
        };
        assert!(run(&arguments, None).is_err());
        assert_eq!(fs::read_to_string(target).unwrap(), "secret");
    }
}
