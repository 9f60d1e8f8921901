//! References in docs.json and the files that it includes, in front matter and in OpenAPI documents.

use std::collections::BTreeSet;

use svc_data::{Limits, Node, Value, parse_json, parse_toml, parse_yaml};
use svc_diagnostics::SourceFile;
use svc_source::normalize;

use super::edits::Edit;
use super::resolver::Resolver;
use super::urls;
use crate::file_types::has_known_extension;
use crate::{Site, config_file};

/// Keys with the path of a page or file, which may have no leading slash.
const LINKS: [&str; 6] = ["href", "url", "destination", "link", "to", "related"];
/// Keys with the path of a page.
const PAGES: [&str; 4] = ["pages", "root", "page", "index"];
/// Keys with a document, which may be followed by an operation, or with a folder of documents.
const DOCUMENTS: [&str; 5] = ["openapi", "asyncapi", "source", "openapi-schema", "mcp"];
/// Keys of front matter and docs.json whose value is a text or a pattern.
const TEXTS: [&str; 10] = [
    "title",
    "sidebarTitle",
    "description",
    "name",
    "tag",
    "api",
    "keywords",
    "group",
    "tab",
    "directory",
];

/// Paths of docs.json and the files that it includes.
pub(super) fn config_files(site: &Site) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let root = config_file(&site.tree).map(|file| file.path().to_string());
    let mut open: Vec<String> = root.into_iter().collect();
    while let Some(path) = open.pop() {
        let Some(file) = site.tree.text(&path).filter(|_| !files.contains(&path)) else {
            continue;
        };
        let tree = parse_json(file, &Limits::default()).value;
        visit(&tree, "", false, &mut |node, key, _| {
            if key == "$ref"
                && let Some(reference) = node.as_str()
            {
                open.push(included(&path, reference));
            }
        });
        files.insert(path);
    }
    files
}

/// The path of the file that a `$ref` in the file at `from` includes.
pub(super) fn included(from: &str, reference: &str) -> String {
    let dir = from.rsplit_once('/').map_or("", |(dir, _)| dir);
    normalize(&format!("{dir}/{}", reference.trim().replace('\\', "/")))
}

/// Calls a function for every scalar with its key (that of the array for items) and whether it is
/// in `redirects`. The depth is limited by the parser.
fn visit<'n>(
    node: &'n Node,
    key: &'n str,
    in_redirects: bool,
    call: &mut dyn FnMut(&'n Node, &'n str, bool),
) {
    let in_redirects = in_redirects || key == "redirects";
    match &node.value {
        Value::Array(items) => {
            for item in items {
                visit(item, key, in_redirects, call);
            }
        }
        Value::Object(object) => {
            // The list may be a file of its own.
            let has = |key| node.get(key).is_some();
            let in_redirects = in_redirects || (has("source") && has("destination"));
            for (key, value) in object.iter() {
                visit(value, key, in_redirects, call);
            }
        }
        _ => call(node, key, in_redirects),
    }
}

/// The edits of docs.json or a file that it includes.
pub(super) fn config(resolver: &Resolver<'_>, file: &SourceFile) -> Vec<Edit> {
    let tree = parse_json(file, &Limits::default()).value;
    let from = &**file.path();
    let mut edits = Vec::new();
    visit(&tree, "", false, &mut |node, key, in_redirects| {
        let Some(value) = node.as_str() else { return };
        let new = match key {
            "$ref" => relative_file(resolver, from, value),
            "source" if in_redirects => None,
            "destination" if in_redirects => destination(resolver, value),
            key if PAGES.contains(&key) => resolver
                .page_entry(value)
                .or_else(|| document_entry(resolver, value)),
            key if DOCUMENTS.contains(&key) => document_entry(resolver, value),
            key if TEXTS.contains(&key) => None,
            key if LINKS.contains(&key) => resolver.reference("", value),
            _ if value.starts_with('/') => resolver.path_reference("", value),
            _ if has_known_extension(value) => resolver.file_reference("", value),
            _ => None,
        };
        edits.extend(scalar(file.text(), node, value, new));
        if value.contains("](") || value.contains("href=") {
            edits.extend(urls::links(resolver, "", file.text(), node.span.range()));
        }
    });
    edits
}

/// The new destination of a redirect, which may be a pattern.
fn destination(resolver: &Resolver<'_>, value: &str) -> Option<String> {
    if !value.contains([':', '*']) {
        return resolver.reference("", value);
    }
    let (old, new) = &resolver.moves().path;
    let rest = value.strip_prefix('/')?.strip_prefix(old.as_str())?;
    (resolver.moves().is_folder && rest.starts_with('/')).then(|| format!("/{new}{rest}"))
}

/// The new value of a document that may be followed by an operation: `api.json GET /users`.
fn document_entry(resolver: &Resolver<'_>, value: &str) -> Option<String> {
    let (path, rest) = value.split_at(value.find(char::is_whitespace).unwrap_or(value.len()));
    if let Some(new) = resolver.file_reference("", path) {
        return Some(format!("{new}{rest}"));
    }
    let dir = normalize(path);
    let new = resolver.moves().folder(dir.trim_end_matches('/'))?;
    let slash = |is_there: bool| if is_there { "/" } else { "" };
    let (start, end) = (slash(path.starts_with('/')), slash(path.ends_with('/')));
    Some(format!("{start}{new}{end}{rest}"))
}

/// The new path of a file that is named relative to the file at `from`.
fn relative_file(resolver: &Resolver<'_>, from: &str, value: &str) -> Option<String> {
    let (path, tail) = value.split_at(value.find('#').unwrap_or(value.len()));
    if path.is_empty() || path.contains("://") || !resolver.contains(&included(from, path)) {
        return None;
    }
    let dotted = if path.starts_with('.') {
        path.to_owned()
    } else {
        format!("./{path}")
    };
    let new = resolver.file_reference(from, &dotted)?;
    let new = match new.strip_prefix("./") {
        Some(inside) if !path.starts_with('.') => inside.to_owned(),
        _ => new,
    };
    Some(format!("{new}{tail}"))
}

/// The edits of front matter, whose text begins at `offset` in the file at `from`.
pub(super) fn front_matter(
    resolver: &Resolver<'_>,
    from: &str,
    text: &str,
    is_toml: bool,
    offset: usize,
) -> Vec<Edit> {
    let file = SourceFile::new(from, text);
    let parse = if is_toml { parse_toml } else { parse_yaml };
    let tree = parse(&file, &Limits::default()).value;
    let mut edits = Vec::new();
    visit(&tree, "", false, &mut |node, key, _| {
        let Some(value) = node.as_str() else { return };
        let new = match key {
            key if DOCUMENTS.contains(&key) => document_entry(resolver, value),
            key if TEXTS.contains(&key) => None,
            key if LINKS.contains(&key) => resolver.reference(from, value),
            _ if value.starts_with('/') => resolver.path_reference(from, value),
            _ if has_known_extension(value) => resolver.file_reference(from, value),
            _ => None,
        };
        edits.extend(scalar(text, node, value, new));
    });
    for edit in &mut edits {
        edit.range = edit.range.start + offset..edit.range.end + offset;
    }
    edits
}

/// The edits of an OpenAPI document or another data file: references to files, and links in
/// descriptions.
pub(super) fn document(resolver: &Resolver<'_>, file: &SourceFile) -> Vec<Edit> {
    let (from, text) = (&**file.path(), &**file.text());
    if !["$ref", "](", "href"]
        .iter()
        .any(|mark| text.contains(mark))
    {
        return Vec::new();
    }
    let parse = if from.ends_with(".json") {
        parse_json
    } else {
        parse_yaml
    };
    let tree = parse(file, &Limits::default()).value;
    let mut edits = Vec::new();
    visit(&tree, "", false, &mut |node, key, _| {
        let Some(value) = node.as_str() else { return };
        let new = match key {
            "$ref" | "externalValue" => relative_file(resolver, from, value),
            // `url` is also that of servers.
            "href" | "url" if value.starts_with('/') => resolver.path_reference("", value),
            _ => None,
        };
        edits.extend(scalar(text, node, value, new));
        if value.contains("](") || value.contains("href=") {
            edits.extend(urls::links(resolver, from, text, node.span.range()));
        }
    });
    edits.sort_by_key(|edit| edit.range.start);
    // An alias has the span of its anchor.
    edits.dedup();
    edits
}

/// The edit of a scalar, with or without quotes. `None` if it is written with escapes.
fn scalar(text: &str, node: &Node, value: &str, new: Option<String>) -> Option<Edit> {
    let new = new?;
    let range = node.span.range();
    let raw = text.get(range.clone())?;
    let at = raw.find(value).filter(|at| *at <= 1);
    let start = match at {
        Some(at) => range.start + at,
        // `\/` is the only escape of a path that is common.
        None if raw.replace("\\/", "/").contains(value) => {
            return Some(Edit {
                range: range.start + 1..range.end.saturating_sub(1),
                text: new,
            });
        }
        None => return None,
    };
    Some(Edit {
        range: start..start + value.len(),
        text: new,
    })
}
