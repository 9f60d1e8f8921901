//! Examples of the author that do not match their schemas.

use serde_json::Value as Json;
use svc_data::Node;
use svc_diagnostics::Diagnostic;

use super::check::{PathSegment, to_pointer};
use super::example_checker::ExampleChecker;
use super::{Reader, below, start_of};
use crate::example::Mismatch;
use crate::grammar::ObjectKind;
use crate::weight::bounded_json;
use crate::{codes, is_json, reference};

/// Maximum number of reported examples of a document; the others are counted.
const MAX_REPORTED: usize = 25;
/// Maximum number of checked examples of an object.
const MAX_NAMED: usize = 50;

impl<'a> Reader<'a> {
    /// Checks `example` and `examples` of a schema, a parameter, a header or a media type. Only
    /// JSON media types are checked, because the standard does not define the values of others.
    pub(super) fn examples(&mut self, kind: ObjectKind, node: &'a Node, path: &[PathSegment<'a>]) {
        let schema = match kind {
            ObjectKind::Schema => Some(node),
            ObjectKind::MediaType => {
                let name = match path.last() {
                    Some(PathSegment::Key(name)) => *name,
                    _ => "",
                };
                node.get("schema").filter(|_| is_json(name))
            }
            ObjectKind::Parameter | ObjectKind::Header => node.get("schema"),
            _ => None,
        };
        let Some(schema) = schema else { return };
        // A schema in a condition does not describe a value.
        let is_condition = |step: &PathSegment<'_>| matches!(step, PathSegment::Key("not" | "if"));
        if kind == ObjectKind::Schema && path.iter().any(is_condition) {
            return;
        }
        if let Some(value) = node.get("example") {
            self.example(kind, schema, value, || below(&to_pointer(path), "example"));
        }
        let Some(examples) = node.get("examples") else {
            return;
        };
        let listed = examples.as_array().filter(|_| kind == ObjectKind::Schema);
        for (at, value) in listed.into_iter().flatten().take(MAX_NAMED).enumerate() {
            let pointer = || format!("{}/examples/{at}", to_pointer(path));
            self.example(kind, schema, value, pointer);
        }
        let named = examples.as_object().filter(|_| kind != ObjectKind::Schema);
        let named = named.into_iter().flat_map(svc_data::Object::iter);
        for (name, example) in named.take(MAX_NAMED) {
            let example = reference::resolve(self.root, example);
            let key = ["value", "dataValue"].into_iter();
            let value = key.filter_map(|key| example.get(key)).next();
            if let Some(value) = value {
                let pointer = || below(&below(&to_pointer(path), "examples"), name);
                self.example(kind, schema, value, pointer);
            }
        }
    }

    fn example(
        &mut self,
        kind: ObjectKind,
        schema: &'a Node,
        node: &'a Node,
        pointer: impl FnOnce() -> String,
    ) {
        // A value that is too long is not shown in full either.
        let Some(value) = bounded_json(node).filter(|_| self.examples.remaining > 0) else {
            return;
        };
        let Some(mismatch) = self.mismatch(schema, &value) else {
            return;
        };
        if kind != ObjectKind::Schema && self.is_written_otherwise(kind, schema, &value) {
            return;
        }
        self.examples.reported += 1;
        if self.examples.reported > MAX_REPORTED {
            return;
        }
        let (mut at, mut name) = (node, String::new());
        for step in &mismatch.path {
            let number = step.parse::<usize>().ok();
            let item = number.and_then(|number| at.as_array()?.get(number));
            at = item.or_else(|| at.get(step)).unwrap_or(at);
            name = match name.as_str() {
                "" => step.clone(),
                _ => format!("{name}.{step}"),
            };
        }
        let what = match name.as_str() {
            "" => "this example".to_owned(),
            name => format!("`{name}` in this example"),
        };
        let message = format!("{what} does not match its schema: {}", mismatch.reason);
        let diagnostic = Diagnostic::new(&codes::EXAMPLE, message)
            .at(self.line_index.location(at.span))
            .pointer(pointer())
            .hint("correct the example or the schema; the example is shown as it is");
        self.diagnostics.push(diagnostic);
    }

    fn mismatch(&mut self, schema: &'a Node, value: &Json) -> Option<Mismatch> {
        let ExampleChecker {
            check,
            remaining: left,
            ..
        } = &mut self.examples;
        check.mismatch(schema, value, left)
    }

    /// Whether an example is a serialized value: JSON in a string, or the form of a value in a URL
    /// or a header.
    fn is_written_otherwise(&mut self, kind: ObjectKind, schema: &'a Node, value: &Json) -> bool {
        let Json::String(text) = value else {
            return false;
        };
        let is_list = kind != ObjectKind::MediaType && text.contains([',', '|', '=', '&']);
        let read = serde_json::from_str::<Json>(text).ok();
        is_list || read.is_some_and(|read| self.mismatch(schema, &read).is_none())
    }

    /// Reports the number of mismatched examples that were not reported individually.
    pub(super) fn further_examples(&mut self) {
        let further = self.examples.reported.saturating_sub(MAX_REPORTED);
        if further == 0 {
            return;
        }
        let message =
            format!("{further} more examples of this document do not match their schemas");
        let hint = "correct the reported examples first";
        self.report(&codes::EXAMPLE, "", start_of(self.root), message, hint);
    }
}
