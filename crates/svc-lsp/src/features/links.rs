//! References in a document: links, images, pages, files and operations.

use std::ops::Range;

use lsp_types::DocumentLink;
use svc_data::{Limits, Node, Value};
use svc_diagnostics::SourceFile;
use svc_mdx::{AttributeKind, AttributeValue, Kind, Options, parse, walk};
use svc_source::front_matter;

use crate::cursor::{Cursor, Step, Target};
use crate::role::Role;
use crate::uri::uri_of;
use crate::view::{FileKind, View};

/// Maximum number of links in a response.
const MAX_LINKS: usize = 10_000;

/// A reference in a document.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) role: Role,
    pub(crate) span: Range<usize>,
    pub(crate) value: String,
}

/// The links of a document whose files exist.
pub(crate) fn links(view: &View<'_>) -> Vec<DocumentLink> {
    let all = references_in(view).into_iter();
    let links = all.filter_map(|reference| {
        let destination = view.destination(reference.role, &reference.value)?;
        let target = uri_of(&view.project.absolute(&destination.file))?;
        Some(DocumentLink {
            range: view.index.range(reference.span),
            target: Some(target),
            tooltip: destination.route.map(|route| route.title.clone()),
            data: None,
        })
    });
    links.take(MAX_LINKS).collect()
}

/// All references in a document, in its order.
pub(crate) fn references_in(view: &View<'_>) -> Vec<Reference> {
    let mut out = Vec::new();
    match &view.kind {
        FileKind::Config(prefix) => {
            let file = SourceFile::new(view.path.as_str(), view.text);
            let root = svc_data::parse(&file, &Limits::default()).value;
            in_data(view, &root, &mut prefix.clone(), &mut out);
        }
        FileKind::Data => {
            let file = SourceFile::new(view.path.as_str(), view.text);
            let root = svc_data::parse(&file, &Limits::default()).value;
            in_data(view, &root, &mut Vec::new(), &mut out);
        }
        FileKind::Page => in_page(view, &mut out),
        FileKind::Other => {}
    }
    out
}

/// Adds the values of a tree that refer to something. The depth of the tree is bounded by the parser.
fn in_data(view: &View<'_>, node: &Node, at: &mut Vec<Step>, out: &mut Vec<Reference>) {
    match &node.value {
        Value::Object(object) => {
            for (key, value) in object.iter() {
                at.push(Step::Key(key.to_owned()));
                in_data(view, value, at, out);
                at.pop();
            }
        }
        Value::Array(items) => {
            for item in items {
                at.push(Step::Item);
                in_data(view, item, at, out);
                at.pop();
            }
        }
        Value::String(value) => {
            let cursor = Cursor {
                target: Target::Value(at.clone()),
                span: node.span.range(),
                quoted: true,
            };
            let role = view.role(&cursor).filter(|role| *role != Role::Icon);
            if let Some(role) = role {
                out.push(Reference {
                    role,
                    span: unquoted(view.text, node.span.range()),
                    value: value.to_string(),
                });
            }
        }
        _ => {}
    }
}

fn unquoted(text: &str, span: Range<usize>) -> Range<usize> {
    let is_quoted = span.len() >= 2
        && text
            .get(span.clone())
            .is_some_and(|inside| inside.starts_with(['"', '\'']));
    match is_quoted {
        true => span.start + 1..span.end - 1,
        false => span,
    }
}

fn in_page(view: &View<'_>, out: &mut Vec<Reference>) {
    let text = view.text;
    let fields = front_matter(&SourceFile::new(view.path.as_str(), text))
        .value
        .0;
    for (name, role) in [("openapi", Role::Operation), ("url", Role::Link)] {
        if let (Some(span), Some(value)) = (fields.span_of(name), fields.extra(name)) {
            out.push(Reference {
                role,
                span: unquoted(text, span.range()),
                value,
            });
        }
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let statement = line.trim_end();
        if statement.starts_with("import ")
            && let Some(start) = statement.find(['"', '\''])
            && let Some(value) = statement
                .get(start + 1..)
                .and_then(|rest| rest.split(['"', '\'']).next())
        {
            out.push(Reference {
                role: Role::Import,
                span: at + start + 1..at + start + 1 + value.len(),
                value: value.to_owned(),
            });
        }
        at += line.len();
    }
    let document = parse(text, &Options::default()).value;
    walk(&document.children, |node, _| {
        let range = node.span.range();
        match &node.kind {
            Kind::Link { url, .. } | Kind::Definition { url, .. } => {
                push_url(text, Role::Link, range, url, out);
            }
            Kind::Image { url, .. } => push_url(text, Role::Image, range, url, out),
            Kind::Element(element) => {
                let tag = element.name.as_deref().unwrap_or_default();
                for attribute in &element.attributes {
                    let AttributeKind::Named { name, value } = &attribute.kind else {
                        continue;
                    };
                    let AttributeValue::String(value) = value else {
                        continue;
                    };
                    let cursor = Cursor {
                        target: Target::AttributeValue {
                            tag: tag.to_owned(),
                            name: name.to_string(),
                        },
                        span: 0..0,
                        quoted: true,
                    };
                    let role = view.role(&cursor).filter(|role| *role != Role::Icon);
                    if let Some(role) = role {
                        push_url(text, role, attribute.span.range(), value, out);
                    }
                }
            }
            _ => {}
        }
        true
    });
    out.sort_by_key(|reference| reference.span.start);
}

/// Adds a URL, which is the last occurrence of its text in the span of its node.
fn push_url(text: &str, role: Role, node: Range<usize>, url: &str, out: &mut Vec<Reference>) {
    let inside = text.get(node.clone()).unwrap_or_default();
    // Escaped URLs differ from their source; then the whole node is the link.
    let span = match inside.rfind(url) {
        Some(at) if !url.is_empty() => node.start + at..node.start + at + url.len(),
        _ => node,
    };
    out.push(Reference {
        role,
        span,
        value: url.to_owned(),
    });
}
