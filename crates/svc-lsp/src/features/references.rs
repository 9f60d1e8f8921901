//! Who links to a page, an anchor or a file.

use lsp_types::Location;
use svc_diagnostics::Span;
use svc_source::Contents;

use super::headings::anchor_at;
use super::links::{Reference, references_in};
use crate::role::Role;
use crate::view::{FileKind, View};

/// Maximum number of references in a response.
const MAX_REFERENCES: usize = 2_000;

/// The references to what is at an offset: to the destination of a link or to an imported file, to
/// the heading on the line, otherwise to the document itself.
pub(crate) fn references(view: &View<'_>, offset: usize) -> Vec<Location> {
    let (file, anchor) = subject(view, offset);
    let all = references_to(view, &file, anchor.as_deref()).into_iter();
    let locations = all.filter_map(|(path, reference)| {
        let span = Span::from_range(reference.span);
        view.location(&path, span)
    });
    locations.take(MAX_REFERENCES).collect()
}

/// The references to a file, or to an anchor in it, with the files that contain them.
pub(crate) fn references_to(
    view: &View<'_>,
    file: &str,
    anchor: Option<&str>,
) -> Vec<(String, Reference)> {
    let needles = needles(view, file);
    let is_page = view.project.route_of(file).is_some();
    let mut out = Vec::new();
    for (path, contents) in view.project.site.tree.iter() {
        let Contents::Text(source) = contents else {
            continue;
        };
        let is_searched = [".mdx", ".md", ".json", ".yaml", ".yml"]
            .iter()
            .any(|ending| path.ends_with(ending));
        // Parsing all files would take seconds on large sites.
        let mentions = || match path == file {
            true => anchor.is_some(),
            false => needles.iter().any(|needle| source.text().contains(needle)),
        };
        if !is_searched || !mentions() {
            continue;
        }
        let absolute = view.project.absolute(path);
        let Some(other) = View::new(view.client, view.project, None, &absolute) else {
            continue;
        };
        // OpenAPI documents refer only to each other.
        if is_page && other.kind == FileKind::Data {
            continue;
        }
        let references = references_in(&other).into_iter().filter(|reference| {
            let destination = other.destination(reference.role, &reference.value);
            let fragment = reference.value.split_once('#');
            let fragment = fragment.map(|(_, fragment)| fragment);
            destination.is_some_and(|destination| destination.file == file)
                && (anchor.is_none() || fragment == anchor)
        });
        out.extend(references.map(|reference| (path.to_owned(), reference)));
    }
    out
}

/// The file whose references are listed, and the anchor in it.
fn subject(view: &View<'_>, offset: usize) -> (String, Option<String>) {
    if let Some(cursor) = view.cursor(offset)
        && let Some(role) = view.role(&cursor)
    {
        let value = view.text_of(&cursor);
        if let Some(destination) = view.destination(role, value) {
            let fragment = value
                .split_once('#')
                .map(|(_, fragment)| fragment.to_owned());
            let anchor = fragment.filter(|anchor| role == Role::Link && !anchor.is_empty());
            return (destination.file, anchor);
        }
    }
    (view.path.clone(), anchor_at(view.text, offset))
}

/// Texts of which every file with a reference to a file contains one: its name, or that of the
/// directory of an index page.
fn needles(view: &View<'_>, file: &str) -> Vec<String> {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let path = match view.project.route_of(file) {
        Some(route) => route.path.clone(),
        None => stem.to_owned(),
    };
    match path.rsplit('/').next().unwrap_or_default() {
        // The first page of the site.
        "" => ["index", "\"/\"", "(/)", "\"/#", "(/#"]
            .map(str::to_owned)
            .to_vec(),
        last => vec![last.to_owned()],
    }
}
