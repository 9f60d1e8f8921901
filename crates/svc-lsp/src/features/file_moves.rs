//! Edits that keep everything that refers to files which get other paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_server::ErrorCode;
use lsp_types::{
    DocumentChangeOperation, DocumentChanges, FileRename, ResourceOp, Uri, WorkspaceEdit,
};
use svc_site::{RenameError, RenamePlan, Site};

use crate::dispatch::MethodError;
use crate::edits::{Replacements, document_edits, replacements, workspace_edit};
use crate::project::Project;
use crate::uri::path_of;
use crate::workspace::Workspace;

/// Maximum number of files and directories that are renamed together.
const MAX_RENAMES: usize = 100;

/// The edits for files and directories that the client is about to rename. `None` if nothing of a
/// site refers to them. Loads the sites of the files.
pub(crate) fn will_rename(
    workspace: &mut Workspace,
    files: &[FileRename],
) -> Result<Option<WorkspaceEdit>, MethodError> {
    if files.len() > MAX_RENAMES {
        return Err(failure(format!(
            "the references to {} files stay as they are: at most {MAX_RENAMES} files can be renamed together",
            files.len()
        )));
    }
    let path = |uri: &str| path_of(&uri.parse::<Uri>().ok()?);
    let moves: Vec<(PathBuf, PathBuf)> = files
        .iter()
        .filter_map(|file| Some((path(&file.old_uri)?, path(&file.new_uri)?)))
        .collect();
    // Editors also report the rename of a file that is a part of edits of this server.
    if let [one] = &moves[..]
        && workspace.expected_rename.take().as_ref() == Some(one)
    {
        return Ok(None);
    }
    workspace.load_around(moves.iter().map(|(old, _)| &**old));
    let mut by_root: BTreeMap<&Path, Vec<&(PathBuf, PathBuf)>> = BTreeMap::new();
    for one in &moves {
        if let Some(project) = workspace.nearest_project(&one.0) {
            by_root.entry(&project.root).or_default().push(one);
        }
    }
    let mut documents = Vec::new();
    for (root, moves) in by_root {
        let Some(project) = workspace.projects.get(root) else {
            continue;
        };
        let texts = texts_after(project, &moves)?;
        let files = texts.replacements(&project.site);
        documents.extend(document_edits(workspace, project, files).unwrap_or_default());
    }
    let is_empty = documents.is_empty();
    Ok((!is_empty).then(|| workspace_edit(workspace.client, documents, None)))
}

/// What changes in a site when its files get other paths, one after another.
fn texts_after(
    project: &Project,
    moves: &[&(PathBuf, PathBuf)],
) -> Result<ChangedTexts, MethodError> {
    let mut texts = ChangedTexts::default();
    let mut next: Option<Site> = None;
    for (at, (old, new)) in moves.iter().enumerate() {
        // The page `guides.mdx` can be next to the directory `guides`.
        let slash = if old.is_dir() { "/" } else { "" };
        // What leaves the site is no longer part of it; links to it are reported afterwards.
        let (Some(old), Some(new)) = (project.relative(old), project.relative(new)) else {
            continue;
        };
        let site = next.as_ref().unwrap_or(&project.site);
        let Some(plan) = plan_of(site, &format!("{old}{slash}"), &new)? else {
            continue;
        };
        texts.add(&plan);
        if at + 1 < moves.len() {
            let site = project.with_files(site, plan.tree);
            next = Some(site.map_err(|error| failure(error.to_string()))?);
        }
    }
    Ok(texts)
}

/// The plan of a rename. `None` if the site does not contain the file.
fn plan_of(site: &Site, old: &str, new: &str) -> Result<Option<RenamePlan>, MethodError> {
    let plan = match svc_site::plan_rename(site, old, new, true) {
        Ok(plan) => plan,
        Err(RenameError::Missing { .. } | RenameError::Same(_)) => return Ok(None),
        Err(error) => return Err(failure(format!("the references to `{old}` stay: {error}"))),
    };
    // The path is that of the client, whatever a command would make of it.
    if plan.path.1 != new {
        return Err(failure(format!(
            "the references to `{old}` stay: `{new}` is not a name for it; `svc rename {old} {new}` would write `{}`",
            plan.path.1
        )));
    }
    Ok(Some(plan))
}

/// The paths of the file that an edit renames.
pub(crate) fn renamed_file(edit: &WorkspaceEdit) -> Option<(PathBuf, PathBuf)> {
    let DocumentChanges::Operations(all) = edit.document_changes.as_ref()? else {
        return None;
    };
    all.iter().find_map(|operation| match operation {
        DocumentChangeOperation::Op(ResourceOp::Rename(file)) => {
            Some((path_of(&file.old_uri)?, path_of(&file.new_uri)?))
        }
        _ => None,
    })
}

pub(crate) fn failure(message: String) -> MethodError {
    MethodError::new(ErrorCode::RequestFailed, message)
}

/// Texts that one rename after another changes.
#[derive(Debug, Default)]
pub(crate) struct ChangedTexts {
    /// Paths before all renames, by current path.
    old_paths: BTreeMap<String, String>,
    /// Texts by path before all renames.
    texts: BTreeMap<String, String>,
}

impl ChangedTexts {
    /// Adds the changes of a rename.
    pub(crate) fn add(&mut self, plan: &RenamePlan) {
        for change in &plan.changes {
            let path = self.old_paths.get(&change.old_path);
            let path = path.unwrap_or(&change.old_path).clone();
            self.texts.insert(path, change.text.clone());
        }
        for (old, new) in &plan.files {
            let path = self.old_paths.remove(old).unwrap_or_else(|| old.clone());
            self.old_paths.insert(new.clone(), path);
        }
    }

    /// What changes in the files of the site before all renames.
    pub(crate) fn replacements(&self, site: &Site) -> BTreeMap<&str, Replacements> {
        let texts = self.texts.iter().filter_map(|(path, new)| {
            let changed = replacements(site.text_of(path)?, new);
            (!changed.is_empty()).then_some((path.as_str(), changed))
        });
        texts.collect()
    }
}
