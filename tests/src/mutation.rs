//! OpenAPI documents with one mistake each, and the diagnostics to expect.

use std::collections::BTreeSet;

use svc_data::{Node, Value, parse};
use svc_diagnostics::{SourceFile, Span};

use crate::random::Random;

/// A document with one mistake.
#[derive(Debug, Clone)]
pub struct MutatedDocument {
    /// Name of the document and of the mistake.
    pub name: String,
    /// File name with its extension.
    pub file: String,
    /// The text with the mistake.
    pub text: String,
    /// `code line` of every expected diagnostic.
    pub expected: BTreeSet<String>,
    /// Line of the mistake.
    pub line: u32,
    /// Number of lines that were inserted after it.
    pub added: i64,
}

/// A member of an object or an item of an array, with its ancestors.
struct Spot<'t> {
    path: Vec<&'t str>,
    key: Option<Span>,
    node: &'t Node,
    /// Ancestors, the innermost last: key and node.
    ancestors: Vec<(Option<Span>, &'t Node)>,
}

/// A text edit and the diagnostics that it causes: codes with their spans.
struct TextEdit {
    span: Span,
    text: String,
    expected: Vec<(&'static str, Span)>,
}

type Mutation = fn(&Spot<'_>, &SourceFile) -> Option<TextEdit>;

/// Kinds of mistakes.
const MUTATIONS: &[(&str, Mutation)] = &[
    ("info without title", |spot, file| match spot.path[..] {
        ["info", "title"] => renamed(
            spot,
            file,
            &[("openapi-no-info", 1), ("openapi-unknown-key", 0)],
        ),
        _ => None,
    }),
    ("info without version", |spot, file| match spot.path[..] {
        ["info", "version"] => renamed(
            spot,
            file,
            &[("openapi-missing-field", 1), ("openapi-unknown-key", 0)],
        ),
        _ => None,
    }),
    ("response without description", |spot, file| {
        match spot.path[..] {
            ["paths", _, _, "responses", _, "description"] => renamed(
                spot,
                file,
                &[("openapi-missing-field", 1), ("openapi-unknown-key", 0)],
            ),
            _ => None,
        }
    }),
    ("server without url", |spot, file| match spot.path[..] {
        ["servers", _, "url"] => renamed(
            spot,
            file,
            &[("openapi-missing-field", 1), ("openapi-unknown-key", 0)],
        ),
        _ => None,
    }),
    ("tag without name", |spot, file| match spot.path[..] {
        ["tags", _, "name"] => renamed(
            spot,
            file,
            &[("openapi-missing-field", 1), ("openapi-unknown-key", 0)],
        ),
        _ => None,
    }),
    ("request body without content", |spot, file| {
        match spot.path[..] {
            ["paths", _, _, "requestBody", "content"] => renamed(
                spot,
                file,
                &[("openapi-missing-field", 1), ("openapi-unknown-key", 0)],
            ),
            _ => None,
        }
    }),
    ("parameter without name", |spot, file| match spot.path[..] {
        ["paths", _, _, "parameters", _, "name"] if parameter_location(spot) == Some("query") => {
            renamed(
                spot,
                file,
                &[("openapi-bad-parameter", 1), ("openapi-unknown-key", 0)],
            )
        }
        _ => None,
    }),
    ("slip in a key of an operation", |spot, file| {
        match spot.path[..] {
            ["paths", _, _, "summary"] => renamed(spot, file, &[("openapi-unknown-key", 0)]),
            _ => None,
        }
    }),
    ("slip in a method", |spot, file| match spot.path[..] {
        ["paths", _, "get" | "post" | "put" | "delete"] if !refers_into_paths(file) => {
            renamed(spot, file, &[("openapi-unknown-key", 0)])
        }
        _ => None,
    }),
    (
        "parameters that are no list",
        |spot, _| match spot.path[..] {
            ["paths", path, _, "parameters"] if !path.contains('{') => {
                replaced(spot, "7", "openapi-wrong-type")
            }
            _ => None,
        },
    ),
    ("responses that are no object", |spot, _| {
        match spot.path[..] {
            ["paths", _, _, "responses"] => replaced(spot, "7", "openapi-wrong-type"),
            _ => None,
        }
    }),
    ("tags that are no list", |spot, _| match spot.path[..] {
        ["paths", _, _, "tags"] => replaced(spot, "\"x\"", "openapi-wrong-type"),
        _ => None,
    }),
    ("flag that is a word", |spot, _| match spot.path[..] {
        ["paths", _, _, "parameters", _, "required"]
            if parameter_location(spot) == Some("query") =>
        {
            replaced(spot, "\"maybe\"", "openapi-wrong-type")
        }
        _ => None,
    }),
    ("required that is a flag", |spot, _| {
        (in_schema(spot, "required") && spot.node.as_array().is_some())
            .then(|| replaced(spot, "true", "openapi-wrong-type"))?
    }),
    ("enum that is no list", |spot, _| {
        in_schema(spot, "enum").then(|| replaced(spot, "\"x\"", "openapi-wrong-type"))?
    }),
    ("negative length", |spot, _| {
        (in_schema(spot, "maxLength")
            || in_schema(spot, "minLength")
            || in_schema(spot, "maxItems"))
        .then(|| replaced(spot, "-1", "openapi-wrong-type"))?
    }),
    ("properties that are no object", |spot, file| {
        (in_schema(spot, "properties") && !file.text().contains("properties/"))
            .then(|| replaced(spot, "[]", "openapi-wrong-type"))?
    }),
    ("slip in a type", |spot, _| {
        (in_schema(spot, "type") && matches!(spot.node.as_str(), Some("string" | "boolean")))
            .then(|| replaced(spot, "\"strnig\"", "openapi-schema-type"))?
    }),
    ("reference that leads nowhere", |spot, _| {
        let inside = in_schema(spot, "$ref") && spot.node.as_str()?.starts_with("#/components/");
        let wrong = format!("\"{}Nope\"", spot.node.as_str()?);
        inside.then(|| replaced(spot, &wrong, "openapi-unresolved-ref"))?
    }),
    ("reference to another file", |spot, _| {
        in_schema(spot, "$ref")
            .then(|| replaced(spot, "\"other.yaml#/Pet\"", "openapi-external-ref"))?
    }),
    ("key that stands twice", |spot, file| match spot.path[..] {
        ["paths", _, _, "summary" | "operationId"] | ["components", "schemas", _, "type"] => {
            doubled(spot, file)
        }
        _ => None,
    }),
    (
        "path parameter that is not declared",
        |spot, _| match spot.path[..] {
            ["paths", path, _, "parameters", _, "name"]
                if parameter_location(spot) == Some("path")
                    && path.contains(&format!("{{{}}}", spot.node.as_str()?)) =>
            {
                // The parameter list of the operation, two levels up.
                let list = spot.ancestors.iter().rev().nth(1)?.0?;
                let mut change = replaced(spot, "\"other_name\"", "openapi-unused-path-parameter")?;
                change.expected.push(("openapi-path-parameter", list));
                Some(change)
            }
            _ => None,
        },
    ),
    ("parameter in a place that is none", |spot, _| {
        match spot.path[..] {
            ["paths", _, _, "parameters", _, "in"] if spot.node.as_str() == Some("query") => {
                replaced(spot, "\"qeury\"", "openapi-bad-parameter")
            }
            _ => None,
        }
    }),
    ("style that does not fit", |spot, _| match spot.path[..] {
        ["paths", _, _, "parameters", _, "style"] => replaced(spot, "\"wavy\"", "openapi-style"),
        _ => None,
    }),
    ("status that is none", |spot, _| match spot.path[..] {
        ["paths", _, _, "responses", status] if status.starts_with('2') => {
            let span = spot.key?;
            let expected = vec![("openapi-bad-status", span)];
            Some(TextEdit {
                span,
                text: "\"2OO\"".to_owned(),
                expected,
            })
        }
        _ => None,
    }),
    ("path without slash", |spot, file| match spot.path[..] {
        ["paths", path] if !refers_into_paths(file) => {
            let span = spot.key?;
            let text = format!("\"{}\"", path.trim_start_matches('/'));
            let expected = vec![("openapi-path-slash", span)];
            (path.len() > 1).then_some(TextEdit {
                span,
                text,
                expected,
            })
        }
        _ => None,
    }),
    (
        "scheme that is not declared",
        |spot, _| match spot.path[..] {
            ["paths", _, _, "security", _, _] => {
                let span = spot.key?;
                let expected = vec![("openapi-unknown-scheme", span)];
                Some(TextEdit {
                    span,
                    text: "\"nobody\"".to_owned(),
                    expected,
                })
            }
            _ => None,
        },
    ),
    ("scheme of no type", |spot, _| match spot.path[..] {
        ["components", "securitySchemes", _, "type"] => {
            replaced(spot, "\"htpp\"", "openapi-bad-scheme")
        }
        _ => None,
    }),
    ("version that is a number", |spot, _| match spot.path[..] {
        ["info", "version"] => replaced(spot, "1.10", "openapi-version-text"),
        _ => None,
    }),
    ("discriminator without property", |spot, file| {
        match spot.path[..] {
            ["components", "schemas", _, "discriminator", "propertyName"] => renamed(
                spot,
                file,
                &[("openapi-missing-field", 1), ("openapi-unknown-key", 0)],
            ),
            _ => None,
        }
    }),
    ("extension of the wrong type", |spot, file| {
        match spot.path[..] {
            ["paths", _, _, "summary"] => {
                let key = spot.key?;
                let quote = if file.slice(key).starts_with('"') {
                    "\""
                } else {
                    ""
                };
                let text = format!("{quote}x-svc{quote}: {{\"href\": 5}}, ");
                // Only where members are in braces on one line.
                let before = file.text().get(..key.start as usize)?;
                before
                    .trim_end_matches(' ')
                    .ends_with(['{', ','])
                    .then_some(())?;
                let span = Span::new(key.start, key.start);
                Some(TextEdit {
                    span,
                    text,
                    expected: vec![("openapi-extension", key)],
                })
            }
            _ => None,
        }
    }),
];

/// Returns at least `count` documents with one mistake each; the result is deterministic.
pub fn mutated(documents: &[(String, String)], count: usize) -> Vec<MutatedDocument> {
    let mut result = Vec::new();
    let mut random = Random::new(7);
    let mut turn = 0;
    while result.len() < count && turn < count * 4 {
        let (name, mutation) = MUTATIONS[turn % MUTATIONS.len()];
        // Not every mistake is possible in every document.
        for shift in 0..documents.len() {
            let at = (turn * 7 + shift) % documents.len();
            let Some((file, text)) = documents.get(at) else {
                continue;
            };
            let source = SourceFile::new(file.as_str(), text.as_str());
            let tree = parse(&source, &svc_data::Limits::default()).value;
            let mut changes = Vec::new();
            spots(&tree, &mut Vec::new(), &mut Vec::new(), None, &mut |spot| {
                changes.extend(mutation(spot, &source));
            });
            if let Some(change) = random.pick(&changes) {
                result.push(mutate(&source, name, change));
                break;
            }
        }
        turn += 1;
    }
    result
}

fn mutate(source: &SourceFile, name: &str, change: &TextEdit) -> MutatedDocument {
    let old = source.text();
    let range = change.span.range();
    let (before, rest) = (&old[..range.start], &old[range.end..]);
    // Line breaks at the end of a block are not part of its value.
    let gone = &old[range.clone()];
    let trailing = &gone[gone.trim_end().len()..];
    let text = format!("{before}{}{trailing}{rest}", change.text);
    let lines = |text: &str| text.matches('\n').count();
    let added = i64::try_from(lines(&text)).unwrap_or(0) - i64::try_from(lines(old)).unwrap_or(0);
    let position = |span: &Span| source.position(span.start).line;
    let line = position(&change.span);
    let expected = change.expected.iter().map(|(code, span)| {
        // A key in front of which a line is inserted moves down by one line.
        let shifted = i64::from(position(span))
            + if span.start > change.span.start {
                added
            } else {
                0
            };
        format!("{code} {shifted}")
    });
    MutatedDocument {
        name: format!("{}: {name}", source.path()),
        file: source.path().to_string(),
        expected: expected.collect(),
        text,
        line,
        added,
    }
}

/// Returns all spots that belong to the document itself and not to its data.
fn spots<'t>(
    node: &'t Node,
    path: &mut Vec<&'t str>,
    around: &mut Vec<(Option<Span>, &'t Node)>,
    key: Option<Span>,
    visit: &mut impl FnMut(&Spot<'t>),
) {
    if !path.is_empty() {
        let spot = Spot {
            path: path.clone(),
            key,
            node,
            ancestors: around.clone(),
        };
        visit(&spot);
    }
    around.push((key, node));
    match &node.value {
        Value::Object(object) => {
            for (name, member) in object.members() {
                let data = ["example", "examples", "default", "mapping"].contains(&name)
                    || name.starts_with("x-");
                if data && path.last() != Some(&"properties") {
                    continue;
                }
                path.push(name);
                spots(&member.value, path, around, Some(member.key_span), visit);
                path.pop();
            }
        }
        Value::Array(items) => {
            for item in items {
                path.push("[]");
                spots(item, path, around, None, visit);
                path.pop();
            }
        }
        _ => {}
    }
    around.pop();
}

/// Appends a letter to the key; diagnostics point at the key (0) or at the key of its object (1).
fn renamed(
    spot: &Spot<'_>,
    file: &SourceFile,
    codes: &[(&'static str, usize)],
) -> Option<TextEdit> {
    let span = spot.key?;
    let written = file.slice(span);
    let text = match written.strip_suffix(['"', '\'']) {
        Some(inner) => format!("{inner}q{}", &written[inner.len()..]),
        None => format!("{written}q"),
    };
    let (outer_key, outer) = spot.ancestors.last()?;
    let above = outer_key.unwrap_or(outer.span);
    let expected = codes
        .iter()
        .map(|(code, levels)| (*code, if *levels == 0 { span } else { above }));
    Some(TextEdit {
        span,
        text,
        expected: expected.collect(),
    })
}

fn replaced(spot: &Spot<'_>, text: &str, code: &'static str) -> Option<TextEdit> {
    let span = spot.node.span;
    Some(TextEdit {
        span,
        text: text.to_owned(),
        expected: vec![(code, span)],
    })
}

/// Inserts a copy of the member in front of it.
fn doubled(spot: &Spot<'_>, file: &SourceFile) -> Option<TextEdit> {
    let key = spot.key?;
    let before = file.text().get(..key.start as usize)?;
    let indent = before.rsplit('\n').next()?;
    let written = file.slice(key);
    let braces = before.trim_end().ends_with(['{', ',']);
    let text = if braces {
        format!("{written}: \"x\", ")
    } else {
        format!("{written}: x\n{}", " ".repeat(indent.chars().count()))
    };
    // The diagnostic points at the second one.
    let span = Span::new(key.start, key.start);
    Some(TextEdit {
        span,
        text,
        expected: vec![("data-duplicate-key", Span::new(key.start + 1, key.end))],
    })
}

/// Returns `in` of the parameter that this member belongs to.
fn parameter_location<'t>(spot: &Spot<'t>) -> Option<&'t str> {
    spot.ancestors.last()?.1.get("in")?.as_str()
}

/// Returns whether this is a keyword of a schema and not a property of that name.
fn in_schema(spot: &Spot<'_>, key: &str) -> bool {
    let names = ["properties", "patternProperties", "$defs"];
    let mut above = spot.path.iter().rev().skip(1);
    spot.path.last() == Some(&key)
        && spot.path.contains(&"schemas")
        && above.next().is_some_and(|parent| !names.contains(parent))
        && spot.path.len() > 3
}

fn refers_into_paths(file: &SourceFile) -> bool {
    file.text().contains("#/paths/") || file.text().contains("operationRef")
}
