//! Renaming a page, a folder, an image or a snippet, with everything that refers to it.
//!
//! [`plan`] decides what changes and touches no file; a caller shows the plan or writes it. Only
//! the bytes of references change: the rest of each file stays as it is.

mod data;
mod edits;
mod markup;
mod moves;
mod redirects;
mod resolver;
mod script;
mod urls;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use svc_diagnostics::Diagnostic;
use svc_source::{Contents, SourceTree};

use self::edits::Edit;
use self::moves::Moves;
pub use self::moves::RenameError;
use self::resolver::Resolver;
use crate::diagnostics::new_diagnostics;
use crate::parallel::threads;
use crate::{LoadOptions, Site, assemble, validate};

/// The changes that rename something.
#[derive(Debug)]
pub struct RenamePlan {
    /// Path of the file or folder, and its new path.
    pub path: (String, String),
    /// Whether the path is that of a folder.
    pub is_folder: bool,
    /// Files whose path changes, by old path.
    pub files: BTreeMap<String, String>,
    /// Files whose text changes, sorted by old path.
    pub changes: Vec<TextChange>,
    /// Redirects that are added: source and destination.
    pub redirects: Vec<(String, String)>,
    /// Files of the repository after the change.
    pub tree: SourceTree,
}

/// A file whose text changes.
#[derive(Debug)]
pub struct TextChange {
    /// Path before the change.
    pub old_path: String,
    /// Path after the change.
    pub path: String,
    /// Text before the change.
    pub old_text: Arc<str>,
    /// Text after the change.
    pub text: String,
    /// Number of references that change.
    pub references: usize,
}

/// Plans to rename `from` to `to` in the repository of a site. Both are paths of files or folders
/// relative to the root, with or without the extension of a page; a `to` that is a folder or ends
/// with a slash is the folder to move to. With `add_redirects`, the old URLs of pages lead to the
/// new ones.
///
/// # Errors
/// When nothing is at `from`, something is at `to`, or a file cannot be there.
pub fn plan(
    site: &Site,
    from: &str,
    to: &str,
    add_redirects: bool,
) -> Result<RenamePlan, RenameError> {
    let moves = Moves::new(site, from, to)?;
    let mut tree = site.tree.with_paths(&|path| moves.file(path));
    moves.check(site, &tree)?;
    let resolver = Resolver::new(site, &moves);
    let configs = data::config_files(site);
    let mut changes = Vec::new();
    for (path, contents) in site.tree.iter() {
        let Contents::Text(file) = contents else {
            continue;
        };
        let edits: Vec<Edit> = if configs.contains(path) {
            data::config(&resolver, file)
        } else {
            match crate::file_types::extension(path) {
                "mdx" | "md" => markup::edits(&resolver, file),
                "jsx" | "tsx" | "js" | "ts" => script::file(&resolver, file),
                "css" => urls::edits(&resolver, path, file.text(), 0..file.text().len()),
                "json" | "yaml" | "yml" => data::document(&resolver, file),
                _ => Vec::new(),
            }
        };
        let references = edits.len();
        if references > 0 {
            changes.push(TextChange {
                old_path: path.to_owned(),
                path: moves.file(path).unwrap_or(path).to_owned(),
                old_text: Arc::clone(file.text()),
                text: edits::apply(file.text(), edits),
                references,
            });
        }
    }
    let redirects = redirects::update(site, &moves, &configs, &mut changes, add_redirects)?;
    changes.retain(|change| *change.old_text != *change.text);
    changes.sort_by(|left, right| left.old_path.cmp(&right.old_path));
    for change in &changes {
        tree.insert_text(&change.path, change.text.as_str());
    }
    Ok(RenamePlan {
        path: moves.path,
        is_folder: moves.is_folder,
        files: moves.files,
        changes,
        redirects,
        tree,
    })
}

/// The problems of a site after the change that it did not have before it, sorted by location.
///
/// # Errors
/// Only when the built-in configuration cannot be parsed, which is a bug.
pub fn new_problems(
    site: &Site,
    plan: &RenamePlan,
    load: &LoadOptions,
) -> io::Result<Vec<Diagnostic>> {
    let problems = |tree: &SourceTree| -> io::Result<Vec<Diagnostic>> {
        let loaded = assemble(tree.clone(), load)?;
        Ok(validate::complete(
            &loaded.value,
            loaded.diagnostics,
            threads(),
        ))
    };
    // Line numbers differ, and so do the paths in messages: the kinds are counted per file.
    let key = |problem: &Diagnostic, moved: bool| {
        let file = problem.location.as_ref().map(|at| at.file.to_string());
        let file = file.map(|file| match plan.files.get(&file) {
            Some(new) if moved => new.clone(),
            _ => file,
        });
        (problem.code.id, file)
    };
    let before = problems(&site.tree)?;
    let known = before.iter().map(|problem| key(problem, true));
    let after = problems(&plan.tree)?;
    Ok(new_diagnostics(known, after, |problem| key(problem, false)).0)
}
