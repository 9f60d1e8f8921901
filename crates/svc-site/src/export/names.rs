//! Which paths of a site are valid file names.

use svc_diagnostics::{Diagnostic, Span};
use svc_nav::{OperationRef, Route};

use crate::Site;
use crate::codes::UNWRITABLE;

/// Maximum length of a file or directory name in bytes.
const MAX_NAME_BYTES: usize = 255;
/// Maximum length of a path in bytes; operating systems allow between 1,024 and 4,096.
const MAX_PATH_BYTES: usize = 2_000;

/// The file of the page at a URL path.
pub(super) fn file_of(path: &str, flat: bool) -> String {
    let path = path.trim_matches('/');
    match (path, flat) {
        ("", _) => "index.html".to_owned(),
        (path, true) => format!("{path}.html"),
        (path, false) => format!("{path}/index.html"),
    }
}

/// Whether a relative path with slashes is valid and stays in the directory that it is joined to.
pub(super) fn can_be_file(path: &str) -> bool {
    path.len() <= MAX_PATH_BYTES
        && is_inside(path)
        && path.split('/').all(|name| name.len() <= MAX_NAME_BYTES)
}

/// Whether a relative path with slashes stays in the directory that it is joined to.
pub(super) fn is_inside(path: &str) -> bool {
    !path.bytes().any(|byte| matches!(byte, b'\\' | b'\0'))
        && !path.split('/').any(|part| matches!(part, "" | "." | ".."))
}

/// Reports the pages that cannot be exported.
pub(crate) fn check(site: &Site) -> Vec<Diagnostic> {
    let routes = site.map.routes.values();
    let invalid = routes.filter(|route| route.path != "/" && !has_files(&route.path));
    invalid.map(|route| problem(site, route)).collect()
}

/// Whether a page and the files next to it have valid paths.
fn has_files(path: &str) -> bool {
    // The longest path and the longest name of a file: `x/index.html` and `x.html`.
    let path = path.trim_start_matches('/');
    let name = path.rsplit('/').next().unwrap_or(path);
    can_be_file(path)
        && path.len() + "/index.html".len() <= MAX_PATH_BYTES
        && name.len() + ".html".len() <= MAX_NAME_BYTES
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
    let name = match operation {
        Some(operation) => format!("{} {}", operation.method.to_uppercase(), operation.path),
        None => route.title.clone(),
    };
    let message = format!("the path of the page `{name}` is not a valid file name");
    let diagnostic = Diagnostic::new(&UNWRITABLE, message)
        .hint("use a shorter name without `\\`; exports omit the page");
    match (operation, site.page_of(route)) {
        (_, Some(page)) => diagnostic.at(page.file.location(Span::default())),
        (Some(operation), None) => diagnostic.at(operation.location.clone()),
        (None, None) => diagnostic,
    }
}

/// The diagnostic for a file that an export omitted.
pub(super) fn skipped_path(path: &str) -> Diagnostic {
    let shown: String = path.chars().take(80).collect();
    let message = format!("`{shown}` is not a valid file name");
    Diagnostic::new(&UNWRITABLE, message).hint("use a shorter name; the export omits the file")
}
