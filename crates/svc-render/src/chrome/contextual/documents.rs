//! OpenAPI documents of a page, for its menu.

use svc_openapi::ApiDocument;

use crate::chrome::View;

/// The URL of the OpenAPI documents of the page: a document itself, or the archive for several.
/// `None` for pages without an API and on protected sites.
pub(super) fn documents(view: &View<'_>) -> Option<String> {
    if view.config().is_protected() {
        return None;
    }
    let mut indices: Vec<usize> = Vec::new();
    if let Some(operation) = &view.route.operation {
        indices.push(operation.document());
    }
    let nodes = view.cx.site_map.nodes_on_trail(&view.route.path);
    let nearest = nodes.iter().rev().find(|node| !node.documents.is_empty());
    for document in nearest.into_iter().flat_map(|node| &node.documents) {
        if !indices.contains(document) {
            indices.push(*document);
        }
    }
    let known = |index: &usize| view.cx.catalog.documents.get(*index);
    indices.retain(|index| view.cx.site_map.documents.contains(index));
    let documents: Vec<&ApiDocument> = indices.iter().filter_map(known).collect();
    match documents.as_slice() {
        [] => None,
        [item] => Some(view.href(&document_path(&item.path))),
        _ => Some(view.href("/api-specs.zip")),
    }
}

/// The path or URL of a document: its path from the root, or the URL of a remote one.
fn document_path(path: &str) -> String {
    if path.contains("://") || path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    }
}
