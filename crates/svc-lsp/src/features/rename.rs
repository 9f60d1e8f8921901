//! New names for pages, files and headings.

use std::collections::BTreeMap;
use std::ops::Range;

use lsp_types::{PrepareRenameResponse, RenameFile, WorkspaceEdit};

use super::file_moves::{ChangedTexts, failure};
use super::headings::{HeadingText, anchors, heading_at, slug};
use super::references::references_to;
use crate::dispatch::MethodError;
use crate::edits::{Replacements, document_edits, workspace_edit};
use crate::role::Role;
use crate::uri::uri_of;
use crate::view::{FileKind, View};
use crate::workspace::Workspace;

/// What gets a new name.
enum Subject {
    /// A page or another file, by its path.
    File(String),
    /// A heading of the document.
    Heading(HeadingText),
}

/// The part of the document that a client shows with its name, and the name. `None` if what is at
/// the offset has no name that can be changed.
pub(crate) fn prepare(view: &View<'_>, offset: usize) -> Option<PrepareRenameResponse> {
    let (subject, range) = subject(view, offset)?;
    let placeholder = match subject {
        Subject::File(path) => name_of(view, &path).to_owned(),
        Subject::Heading(_) => view.text.get(range.clone()).unwrap_or_default().to_owned(),
    };
    Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: view.index.range(range),
        placeholder,
    })
}

/// Renames what is at an offset, with everything that refers to it.
pub(crate) fn rename(
    workspace: &Workspace,
    view: &View<'_>,
    offset: usize,
    name: &str,
) -> Result<Option<WorkspaceEdit>, MethodError> {
    match subject(view, offset) {
        Some((Subject::File(path), _)) => rename_file(workspace, view, &path, name),
        Some((Subject::Heading(heading), range)) => {
            rename_heading(workspace, view, &heading, range, name)
        }
        None => Err(failure(
            "nothing here has a name: place the cursor on a heading, on a page in the navigation, or on the destination of a link, an image or an import".to_owned(),
        )),
    }
}

/// The path of a file as its users write it: that of a page has no extension.
fn name_of<'p>(view: &View<'_>, path: &'p str) -> &'p str {
    match view
        .project
        .site
        .pages
        .iter()
        .any(|page| *page.path == *path)
    {
        true => path.rsplit_once('.').map_or(path, |(name, _)| name),
        false => path,
    }
}

fn subject(view: &View<'_>, offset: usize) -> Option<(Subject, Range<usize>)> {
    if let Some(cursor) = view.cursor(offset)
        && let Some(role) = view.role(&cursor)
    {
        let value = view.text_of(&cursor);
        let path = renamable(view, role, value)?;
        let length = value.find(['#', '?']).unwrap_or(value.len());
        let range = cursor.span.start..cursor.span.start + length;
        return Some((Subject::File(path), range));
    }
    if view.kind != FileKind::Page {
        return None;
    }
    let heading = heading_at(view.text, offset)?;
    let range = heading.range.clone();
    Some((Subject::Heading(heading), range))
}

/// The file that a reference leads to, if its path is what the reference says.
fn renamable(view: &View<'_>, role: Role, value: &str) -> Option<String> {
    let file = view.destination(role, value)?;
    let is_page = || {
        let route = file.route.and_then(|route| view.project.file_of(route));
        route == Some(file.file.as_str())
    };
    let can_be = match role {
        Role::Page => view.project.site.pages.get(value).is_some(),
        // A link in a page to a heading of the page itself.
        Role::Link if value.starts_with('#') => false,
        // The old URL of a page is not its name.
        Role::Link if view.is_redirect(value) => false,
        Role::Link => file.route.is_none() || is_page(),
        Role::Image | Role::Icon | Role::Import | Role::Snippet => true,
        Role::Operation | Role::Include | Role::Document | Role::Reference | Role::Component => {
            false
        }
    };
    can_be.then_some(file.file)
}

fn rename_file(
    workspace: &Workspace,
    view: &View<'_>,
    path: &str,
    name: &str,
) -> Result<Option<WorkspaceEdit>, MethodError> {
    if !workspace.client.can_rename_files {
        let name = name.trim_start_matches('/');
        return Err(failure(format!(
            "this editor cannot rename files for a language server; run `svc rename {path} {name}`"
        )));
    }
    let site = &view.project.site;
    let plan = svc_site::plan_rename(site, path, name.trim_start_matches('/'), true)
        .map_err(|error| failure(error.to_string()))?;
    let mut texts = ChangedTexts::default();
    texts.add(&plan);
    let uri = |path: &str| {
        let path = view.project.absolute(path);
        let document = workspace.documents.get(&path);
        document
            .map(|document| document.uri.clone())
            .or_else(|| uri_of(&path))
    };
    let (old, new) = &plan.path;
    let (Some(old_uri), Some(new_uri)) = (uri(old), uri(new)) else {
        return Err(failure(format!("`{new}` has no URI")));
    };
    let file = RenameFile {
        old_uri,
        new_uri,
        options: None,
        annotation_id: None,
    };
    let files = texts.replacements(site);
    let documents = document_edits(workspace, view.project, files).unwrap_or_default();
    Ok(Some(workspace_edit(
        workspace.client,
        documents,
        Some(file),
    )))
}

fn rename_heading(
    workspace: &Workspace,
    view: &View<'_>,
    heading: &HeadingText,
    range: Range<usize>,
    name: &str,
) -> Result<Option<WorkspaceEdit>, MethodError> {
    let name = name.trim();
    if name.is_empty() || name.contains(['\n', '\r']) {
        return Err(failure(
            "a heading is one line of text that is not empty".to_owned(),
        ));
    }
    let mut files: BTreeMap<String, Replacements> = BTreeMap::new();
    let own = files.entry(view.path.clone()).or_default();
    own.push((range, name.to_owned()));
    if let Some(old) = &heading.anchor {
        let new = slug(name);
        let all = anchors(view.text);
        let count = |anchor: &str| all.iter().filter(|other| *other == anchor).count();
        if new != *old && (count(old) > 1 || count(&new) > 0 || new.is_empty()) {
            return Err(failure(format!(
                "the anchor `{old}` cannot become `{new}`: another heading of the page has one of them, or it is empty"
            )));
        }
        let references = match new == *old {
            true => Vec::new(),
            false => references_to(view, &view.path, Some(old)),
        };
        for (path, reference) in references {
            let start = reference.span.start + reference.value.find('#').unwrap_or_default() + 1;
            // The span of a URL with escapes is that of the whole link.
            if start + old.len() == reference.span.end {
                let edits = files.entry(path).or_default();
                edits.push((start..reference.span.end, new.clone()));
            }
        }
    }
    for edits in files.values_mut() {
        edits.sort_by_key(|(range, _)| range.start);
        edits.dedup();
    }
    let files = files
        .iter()
        .map(|(path, edits)| (path.as_str(), edits.clone()));
    let documents = document_edits(workspace, view.project, files.collect());
    Ok(documents.map(|documents| workspace_edit(workspace.client, documents, None)))
}
