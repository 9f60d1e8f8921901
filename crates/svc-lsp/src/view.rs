//! A document with the site around it.

use std::path::Path;

use lsp_types::Location;
use svc_data::{Node, Value};
use svc_diagnostics::Span;
use svc_site::CONFIGS;
use svc_source::resolve_import;

use crate::client::Client;
use crate::convert;
use crate::cursor::Step;
use crate::document::Document;
use crate::position::LineIndex;
use crate::project::Project;

/// Maximum nesting of configuration files that include each other.
const MAX_INCLUDE_DEPTH: usize = 8;

/// Kind of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// `docs.json`, or the value at a path in it, which is in a file of its own.
    Config(Vec<Step>),
    /// A page or snippet in Markdown.
    Page,
    /// JSON or YAML: an OpenAPI document, for example.
    Data,
    /// Any other file.
    Other,
}

/// A document in its current state, and the site as of the last check.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) client: Client,
    pub(crate) project: &'a Project,
    /// Path relative to the root of the site.
    pub(crate) path: String,
    pub(crate) text: &'a str,
    pub(crate) index: LineIndex<'a>,
    pub(crate) kind: FileKind,
}

impl<'a> View<'a> {
    /// The view of an open document or of a file of the site. `None` if it is neither.
    pub(crate) fn new(
        client: Client,
        project: &'a Project,
        document: Option<&'a Document>,
        path: &Path,
    ) -> Option<Self> {
        let path = project.relative(path)?;
        let text = match document {
            Some(document) => &*document.text,
            None => project.site.text_of(&path)?,
        };
        Some(Self {
            client,
            project,
            kind: kind_of(project, &path),
            path,
            text,
            index: LineIndex::new(text, client.encoding),
        })
    }

    /// A location in a file of the site.
    pub(crate) fn location(&self, file: &str, span: Span) -> Option<Location> {
        convert::location(self.client, self.project, file, span)
    }
}

fn kind_of(project: &Project, path: &str) -> FileKind {
    if CONFIGS.contains(&path) {
        return FileKind::Config(Vec::new());
    }
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("mdx" | "md") => FileKind::Page,
        Some("json" | "yaml" | "yml") => {
            include_path(project, path).map_or(FileKind::Data, FileKind::Config)
        }
        _ => FileKind::Other,
    }
}

/// The path in `docs.json` of the value that a file holds. `None` if no `$ref` includes the file.
fn include_path(project: &Project, path: &str) -> Option<Vec<Step>> {
    let config = svc_site::config_file(&project.site.tree)?;
    // The files of a catalog are OpenAPI documents, and there may be many of them.
    if project.site.catalog.find(path).is_some() {
        return None;
    }
    let mut pending = vec![(config.path().to_string(), Vec::new(), 0)];
    while let Some((file, prefix, depth)) = pending.pop() {
        let source = project.site.tree.text(&file)?;
        let root = svc_data::parse(source, &svc_data::Limits::default()).value;
        let mut includes = Vec::new();
        collect_includes(&root, &mut prefix.clone(), &mut includes);
        for (steps, specifier) in includes {
            let included = resolve_import(&file, &relative_specifier(&specifier));
            if included == path {
                return Some(steps);
            }
            if depth < MAX_INCLUDE_DEPTH && project.site.tree.text(&included).is_some() {
                pending.push((included, steps, depth + 1));
            }
        }
    }
    None
}

/// `$ref` is relative to its file, with or without `./`.
pub(crate) fn relative_specifier(specifier: &str) -> String {
    match specifier.starts_with(['.', '/']) {
        true => specifier.to_owned(),
        false => format!("./{specifier}"),
    }
}

/// Adds the values of `$ref` with the paths of their objects. The depth of the tree is bounded by
/// the parser.
fn collect_includes(node: &Node, at: &mut Vec<Step>, out: &mut Vec<(Vec<Step>, String)>) {
    match &node.value {
        Value::Object(object) => {
            for (key, value) in object.iter() {
                if let ("$ref", Some(specifier)) = (key, value.as_str()) {
                    out.push((at.clone(), specifier.to_owned()));
                }
                at.push(Step::Key(key.to_owned()));
                collect_includes(value, at, out);
                at.pop();
            }
        }
        Value::Array(items) => {
            for item in items {
                at.push(Step::Item);
                collect_includes(item, at, out);
                at.pop();
            }
        }
        _ => {}
    }
}
