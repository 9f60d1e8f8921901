//! Which paths of a site can be files.

use svc_diagnostics::{Diagnostic, Span};
use svc_nav::{OperationRef, Route};

use crate::Site;
use crate::codes::UNWRITABLE;

/// Bytes that the name of a file or folder may have.
const MAX_NAME_BYTES: usize = 255;
/// Bytes of a whole path; systems know between one and four thousand.
const MAX_PATH_BYTES: usize = 2_000;

/// Whether a path with slashes can be a file below the folder that it is joined to.
pub(super) fn can_be_file(path: &str) -> bool {
    path.len() <= MAX_PATH_BYTES
        && is_inside(path)
        && path.split('/').all(|name| name.len() <= MAX_NAME_BYTES)
}

/// Whether a path with slashes stays below the folder that it is joined to.
pub(super) fn is_inside(path: &str) -> bool {
    let odd = |part: &str| matches!(part, "" | "." | "..") || part.contains(['\\', '\0']);
    !path.split('/').any(odd)
}

/// The pages that no export can hold.
pub(crate) fn check(site: &Site) -> Vec<Diagnostic> {
    let routes = site.map.routes.values();
    let odd = routes.filter(|route| route.path != "/" && !has_files(&route.path));
    odd.map(|route| problem(site, route)).collect()
}

/// Whether a page and what stands beside it can be files.
fn has_files(path: &str) -> bool {
    let path = path.trim_start_matches('/');
    can_be_file(&format!("{path}/index.html")) && can_be_file(&format!("{path}.html"))
}

fn problem(site: &Site, route: &Route) -> Diagnostic {
    let documents = &site.catalog.documents;
    let operation = match &route.operation {
        Some(OperationRef::Operation {
            document,
            method,
            path,
        }) => documents
            .get(*document)
            .and_then(|document| document.operation(method, path)),
        Some(OperationRef::Webhook { document, name }) => documents
            .get(*document)
            .and_then(|document| document.webhook(name)),
        _ => None,
    };
    let what = match operation {
        Some(operation) => format!("{} {}", operation.method.to_uppercase(), operation.path),
        None => route.title.clone(),
    };
    let message = format!("no file can have the name of the page `{what}`");
    let found = Diagnostic::new(&UNWRITABLE, message)
        .hint("an export leaves the page out; give it a shorter name without `\\`");
    match (operation, site.page_of(route)) {
        (_, Some(page)) => found.at(page.file.location(Span::default())),
        (Some(operation), None) => found.at(operation.location.clone()),
        (None, None) => found,
    }
}

/// The problem of a file that an export left out.
pub(super) fn skipped_path(path: &str) -> Diagnostic {
    let shown: String = path.chars().take(80).collect();
    let message = format!("no file can have the name `{shown}`");
    Diagnostic::new(&UNWRITABLE, message).hint("the export goes on without it")
}
