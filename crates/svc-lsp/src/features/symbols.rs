//! The outline of a document: headings of a page, keys of JSON and YAML.

use lsp_types::{
    DocumentSymbol, DocumentSymbolResponse, Location, Range, SymbolInformation, SymbolKind,
};
use svc_data::{Limits, Node, Value};
use svc_diagnostics::{SourceFile, Span};
use svc_mdx::{Options, outline, parse};

use crate::uri::uri_of;
use crate::view::{FileKind, View};

/// Maximum number of symbols in a response.
const MAX_SYMBOLS: usize = 5_000;
/// Maximum nesting of keys in a response.
const MAX_DEPTH: usize = 6;
/// Keys whose value is the name of the object that contains them.
const NAMES: [&str; 12] = [
    "group", "tab", "anchor", "dropdown", "product", "version", "language", "item", "label",
    "name", "title", "source",
];

/// The symbols of a document.
pub(crate) fn symbols(view: &View<'_>) -> DocumentSymbolResponse {
    let mut left = MAX_SYMBOLS;
    let symbols = match view.kind {
        FileKind::Page => headings(view),
        FileKind::Config(_) | FileKind::Data => {
            let file = SourceFile::new(view.path.as_str(), view.text);
            let root = svc_data::parse(&file, &Limits::default()).value;
            children(view, &root, 0, &mut left)
        }
        FileKind::Other => Vec::new(),
    };
    if view.client.has_nested_symbols {
        return DocumentSymbolResponse::Nested(symbols);
    }
    let mut flat = Vec::new();
    flatten(view, symbols, None, &mut flat);
    DocumentSymbolResponse::Flat(flat)
}

#[expect(deprecated, reason = "the field has no default")]
fn symbol(name: &str, kind: SymbolKind, range: Range, selected: Range) -> DocumentSymbol {
    DocumentSymbol {
        // Clients reject symbols without a name.
        name: if name.trim().is_empty() { "–" } else { name }.to_owned(),
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range,
        selection_range: selected,
        children: None,
    }
}

/// The headings, each with those of lower levels that follow it.
fn headings(view: &View<'_>) -> Vec<DocumentSymbol> {
    let document = parse(view.text, &Options::default()).value;
    let all = outline(&document);
    let mut open: Vec<(u8, DocumentSymbol)> = Vec::new();
    let mut top = Vec::new();
    for (at, heading) in all.iter().take(MAX_SYMBOLS).enumerate() {
        let mut following = all.iter().skip(at + 1);
        let next = following.find(|other| other.depth <= heading.depth);
        let end = next.map_or(view.text.len(), |next| next.span.start as usize);
        let start = heading.span.start as usize;
        close(&mut open, &mut top, heading.depth);
        let range = view.index.range(start..end);
        let selected = view.index.range_of(heading.span);
        let one = symbol(&heading.text, SymbolKind::STRING, range, selected);
        open.push((heading.depth, one));
    }
    close(&mut open, &mut top, 0);
    top
}

/// Moves the symbols of this level and of deeper ones into their parents.
fn close(open: &mut Vec<(u8, DocumentSymbol)>, top: &mut Vec<DocumentSymbol>, depth: u8) {
    while open.last().is_some_and(|(other, _)| *other >= depth) {
        let Some((_, symbol)) = open.pop() else {
            return;
        };
        match open.last_mut() {
            Some((_, parent)) => parent.children.get_or_insert_default().push(symbol),
            None => top.push(symbol),
        }
    }
}

fn children(view: &View<'_>, node: &Node, depth: usize, left: &mut usize) -> Vec<DocumentSymbol> {
    if depth >= MAX_DEPTH {
        return Vec::new();
    }
    let entries: Vec<(String, Span, &Node)> = match &node.value {
        Value::Object(object) => object
            .members()
            .map(|(key, member)| (key.to_owned(), member.key_span, &member.value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .filter(|item| matches!(item.value, Value::Object(_)))
            .map(|item| (name_of(item), item.span, item))
            .collect(),
        _ => Vec::new(),
    };
    let mut out = Vec::new();
    for (name, span, value) in entries {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let kind = match &value.value {
            Value::Object(_) => SymbolKind::OBJECT,
            Value::Array(_) => SymbolKind::ARRAY,
            Value::String(_) => SymbolKind::STRING,
            Value::Number(_) => SymbolKind::NUMBER,
            Value::Bool(_) => SymbolKind::BOOLEAN,
            Value::Null => SymbolKind::NULL,
        };
        let range = view.index.range_of(span.to(value.span));
        let mut one = symbol(&name, kind, range, view.index.range_of(span));
        let below = children(view, value, depth + 1, left);
        one.children = (!below.is_empty()).then_some(below);
        out.push(one);
    }
    out
}

/// The name of an object in an array.
fn name_of(node: &Node) -> String {
    let name = NAMES.iter().find_map(|name| node.get(name)?.as_str());
    name.unwrap_or("{}").to_owned()
}

#[expect(deprecated, reason = "the field has no default")]
fn flatten(
    view: &View<'_>,
    symbols: Vec<DocumentSymbol>,
    container: Option<&str>,
    out: &mut Vec<SymbolInformation>,
) {
    let Some(uri) = uri_of(&view.project.absolute(&view.path)) else {
        return;
    };
    for symbol in symbols {
        out.push(SymbolInformation {
            name: symbol.name.clone(),
            kind: symbol.kind,
            tags: None,
            deprecated: None,
            location: Location::new(uri.clone(), symbol.range),
            container_name: container.map(str::to_owned),
        });
        flatten(
            view,
            symbol.children.unwrap_or_default(),
            Some(&symbol.name),
            out,
        );
    }
}
