//! Text dumps of the stages, for debugging.

use std::fmt::Write as _;

use svc_source::Contents;

use crate::Site;

/// A stage of the pipeline from files to pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The files of the repository: kind, size in bytes and path.
    Source,
    /// The parsed configuration as JSON.
    Config,
    /// The navigation as JSON.
    Nav,
    /// All routes with title and source.
    Routes,
    /// The operations and webhooks of all OpenAPI documents.
    Openapi,
    /// A rendered page as HTML.
    Page,
}

/// Formats a stage as text. `path` is the path of the page for [`Stage::Page`] and ignored
/// otherwise. `None` when that page does not exist.
pub fn dump(site: &Site, stage: Stage, path: &str) -> Option<String> {
    Some(match stage {
        Stage::Source => source(site),
        Stage::Config => pretty(&site.config.document().root().to_json()),
        Stage::Nav => pretty(&site.map.to_json()),
        Stage::Routes => routes(site),
        Stage::Openapi => openapi(site),
        Stage::Page => {
            let route = site.map.route(path)?;
            let page = site.page(&route.path)?;
            String::from_utf8_lossy(&page.html.bytes).into_owned()
        }
    })
}

fn pretty(value: &serde_json::Value) -> String {
    let mut out = serde_json::to_string_pretty(value).unwrap_or_default();
    out.push('\n');
    out
}

// Writing to a String cannot fail, here and below.

fn source(site: &Site) -> String {
    let mut out = String::new();
    for (path, contents) in site.tree.iter() {
        let (kind, size) = match contents {
            Contents::Text(file) => ("text", file.text().len() as u64),
            Contents::Bytes(bytes) => ("bytes", bytes.len() as u64),
            Contents::Disk { len, .. } => ("disk", *len),
        };
        let _ = writeln!(out, "{kind}\t{size}\t{path}");
    }
    out
}

fn routes(site: &Site) -> String {
    let mut out = String::new();
    for route in site.map.routes.values() {
        let marks = [
            (!route.in_navigation, " outside"),
            (route.hidden, " hidden"),
            (route.noindex, " noindex"),
            (route.deprecated, " deprecated"),
        ];
        let _ = write!(
            out,
            "{}\t{}\t",
            route.path,
            route.title.replace(['\t', '\n'], " ")
        );
        match (&route.openapi, site.page_of(route)) {
            (Some(operation), _) => out.push_str(operation),
            (None, Some(page)) => out.push_str(&page.path),
            (None, None) => out.push('-'),
        }
        marks
            .iter()
            .filter(|(set, _)| *set)
            .for_each(|(_, mark)| out.push_str(mark));
        out.push('\n');
    }
    out
}

fn openapi(site: &Site) -> String {
    let mut out = String::new();
    for document in &site.catalog.documents {
        let _ = writeln!(
            out,
            "{}\t{}\t{}",
            document.path, document.version, document.title
        );
        for operation in document.operations.iter().chain(&document.webhooks) {
            let slug = svc_openapi::operation_slug(operation);
            let _ = writeln!(
                out,
                "\t{} {}\t{slug}",
                operation.method.to_uppercase(),
                operation.path
            );
        }
    }
    out
}
