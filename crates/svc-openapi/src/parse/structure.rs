//! One pass over the whole tree along the grammar: missing, unknown and mistyped fields,
//! references, keywords of another version, old names of extensions.

use std::collections::BTreeMap;

use svc_data::{Node, Number, Object, Value};
use svc_diagnostics::{Severity, Span, did_you_mean};

use super::Reader;
use super::check::{PathSegment, at_ref, to_pointer};
use super::operation::INTERNAL;
use super::{flag, start_of};
use crate::grammar::{Field, FieldType, ObjectKind, Presence};
use crate::{codes, extension};

/// Maximum number of occurrences that one fix changes.
const MAX_TALLY_SPANS: usize = 10_000;

/// A problem that is reported once for the whole document.
#[derive(Debug, Default)]
struct Tally {
    first: Option<(Span, String)>,
    count: usize,
    /// The first [`MAX_TALLY_SPANS`] occurrences, for the fix.
    spans: Vec<Span>,
}

impl Tally {
    fn add(&mut self, span: Span, path: &[PathSegment<'_>], key: &str) {
        self.count += 1;
        if self.spans.len() < MAX_TALLY_SPANS {
            self.spans.push(span);
        }
        if self.first.is_none() {
            self.first = Some((span, super::below(&to_pointer(path), key)));
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Tallies<'a> {
    siblings: Tally,
    dialect: Tally,
    later: Tally,
    alias: Tally,
    /// Invalid types by their value.
    types: BTreeMap<&'a str, Tally>,
    internal: Tally,
}

/// The allowed types of schemas.
const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// Names that programming languages have for types of schemas.
const SAME_TYPES: [(&str, &str); 8] = [
    ("bool", "boolean"),
    ("dict", "object"),
    ("double", "number"),
    ("float", "number"),
    ("int", "integer"),
    ("list", "array"),
    ("long", "integer"),
    ("str", "string"),
];

impl<'a> Reader<'a> {
    /// Checks the whole document.
    pub(super) fn structure(&mut self) {
        let root = self.root;
        self.check_objects(ObjectKind::Document, [(root, start_of(root), Vec::new())]);
    }

    /// Checks schemas, each with the span of its key and its path.
    pub(super) fn check_schemas(
        &mut self,
        schemas: impl IntoIterator<Item = (&'a Node, Span, Vec<PathSegment<'a>>)>,
    ) {
        self.check_objects(ObjectKind::Schema, schemas);
    }

    fn check_objects(
        &mut self,
        kind: ObjectKind,
        objects: impl IntoIterator<Item = (&'a Node, Span, Vec<PathSegment<'a>>)>,
    ) {
        let mut tallies = Tallies::default();
        for (node, at, mut path) in objects {
            self.typed_object(kind, node, at, &mut path, &mut tallies);
        }
        let Tallies {
            siblings,
            dialect,
            later,
            alias,
            types,
            internal,
        } = tallies;
        self.tally(
            &codes::REF_SIBLINGS,
            siblings,
            "this has keys beside `$ref`, which version 3.0 ignores",
            "change `openapi` to 3.1.0; the keys are used anyway, but other tools ignore them",
        );
        self.tally(
            &codes::DIALECT,
            dialect,
            "this uses `nullable` or a boolean `exclusiveMinimum` of version 3.0",
            "write `type: [string, \"null\"]`; it is read as such",
        );
        self.tally(
            &codes::DIALECT,
            later,
            "this uses a list of types, which version 3.0 does not support",
            "change `openapi` to 3.1.0; it is read as such",
        );
        let old_names = alias.spans.clone();
        self.tally(
            &codes::ALIAS,
            alias,
            "this has the older name `x-mint`",
            "rename it to `x-svc`",
        );
        if !old_names.is_empty() {
            self.fix_texts(&old_names, "x-mint", "x-svc");
        }
        self.tally(
            &codes::INTERNAL,
            internal,
            "this is hidden by `x-internal`",
            "remove it to get pages; `x-internal` is read as `x-hidden`",
        );
        self.further_examples();
        for (type_name, tally) in types {
            let same = SAME_TYPES.iter().find(|(other, _)| *other == type_name);
            let same = same.map(|(_, same)| *same);
            let near = same.or_else(|| did_you_mean(type_name, TYPES));
            let hint = match (same, near) {
                (Some(same), _) => format!("write `{same}`"),
                (None, Some(near)) => format!("did you mean `{near}`?"),
                (None, None) => format!("write one of {}", TYPES.join(", ")),
            };
            let spans = tally.spans.clone();
            self.tally(
                &codes::SCHEMA_TYPE,
                tally,
                &format!("`{type_name}` is not a type of a schema"),
                &hint,
            );
            if let Some(near) = near {
                self.fix_texts(&spans, type_name, near);
            }
        }
    }

    fn tally(
        &mut self,
        code: &'static svc_diagnostics::DiagnosticCode,
        tally: Tally,
        name: &str,
        hint: &str,
    ) {
        let Some((span, pointer)) = tally.first else {
            return;
        };
        let message = match tally.count {
            1 => name.to_owned(),
            count => format!("{name} ({count} occurrences)"),
        };
        self.report(code, &pointer, span, message, hint);
    }

    /// Checks an object of the grammar; `at` is the span of its key. The limits of the tree bound
    /// the depth.
    fn typed_object(
        &mut self,
        kind: ObjectKind,
        node: &'a Node,
        at: Span,
        path: &mut Vec<PathSegment<'a>>,
        tallies: &mut Tallies<'a>,
    ) {
        let Some(object) = node.as_object() else {
            let boolean = kind == ObjectKind::Schema && node.as_bool().is_some();
            if !boolean && !node.is_null() {
                self.wrong_type(
                    path,
                    kind.noun(),
                    node,
                    FieldType::One(kind),
                    Severity::Error,
                );
            }
            return;
        };
        self.extensions(object, path, tallies);
        let reference = object
            .member("$ref")
            .filter(|member| member.value.as_str().is_some() && refers(kind));
        if let Some(member) = reference {
            let is_sibling = |(key, _): (&str, _)| key != "$ref" && !key.starts_with("x-");
            if self.old && kind != ObjectKind::PathItem && object.iter().any(is_sibling) {
                tallies.siblings.add(member.key_span, path, "$ref");
            }
            self.reference(&member.value, path);
        } else {
            self.check_required(kind, object, at, path);
        }
        match kind {
            ObjectKind::Operation | ObjectKind::PathItem => {
                let internal = object.member(INTERNAL).filter(|_| flag(node, INTERNAL));
                if let Some(member) = internal {
                    tallies.internal.add(member.key_span, path, INTERNAL);
                }
                self.code_samples(object, path);
            }
            ObjectKind::Schema => {
                self.schema(object, path, tallies);
                self.examples(kind, node, path);
            }
            ObjectKind::Parameter | ObjectKind::Header | ObjectKind::MediaType => {
                self.examples(kind, node, path);
            }
            ObjectKind::Flows => self.flows(object, path),
            ObjectKind::Discriminator => self.mapping(object, path),
            _ => {}
        }
        for (key, member) in object.members() {
            let holds = match field(kind, key) {
                Some(field) => field.1,
                None if key.starts_with("x-") => continue,
                None if key == "$ref" && reference.is_some() => continue,
                None => match kind.additional() {
                    Some(holds) => {
                        if kind == ObjectKind::Schema {
                            self.keyword(object, key, member.key_span, path);
                        }
                        holds
                    }
                    None => {
                        self.unknown_key((kind, object), key, member.key_span, path);
                        continue;
                    }
                },
            };
            if holds == FieldType::Data || member.value.is_null() {
                continue;
            }
            path.push(PathSegment::Key(key));
            if key == "content"
                && kind != ObjectKind::Schema
                && member.value.as_object().is_some_and(Object::is_empty)
            {
                let message = "`content` names no media type";
                let hint = "add one, such as `application/json: {schema: …}`, or remove `content`";
                let pointer = to_pointer(path);
                self.report(
                    &codes::EMPTY_CONTENT,
                    &pointer,
                    member.key_span,
                    message,
                    hint,
                );
            }
            self.field_value(holds, key, &member.value, member.key_span, path, tallies);
            path.pop();
        }
    }

    fn field_value(
        &mut self,
        holds: FieldType,
        key: &str,
        node: &'a Node,
        at: Span,
        path: &mut Vec<PathSegment<'a>>,
        tallies: &mut Tallies<'a>,
    ) {
        match (holds, &node.value) {
            (FieldType::One(ObjectKind::Schema), Value::Bool(_)) => {}
            (FieldType::One(kind), Value::Object(_)) => {
                self.typed_object(kind, node, at, path, tallies);
            }
            (FieldType::List(kind), Value::Array(items)) => {
                for (number, item) in items.iter().enumerate() {
                    path.push(PathSegment::Index(number));
                    self.typed_object(kind, item, item.span, path, tallies);
                    path.pop();
                }
            }
            (FieldType::Map(kind), Value::Object(members)) => {
                // A property can have any name, and a header or an example almost any.
                let named = kind == ObjectKind::Schema && key != "schemas";
                let extended = matches!(
                    kind,
                    ObjectKind::PathItem | ObjectKind::Response | ObjectKind::Operation
                );
                for (key, member) in members.members() {
                    if key.starts_with("x-") && extended {
                        continue;
                    }
                    path.push(PathSegment::Key(key));
                    // No schema is a string.
                    if key == "$ref" && named && member.value.as_str().is_some() {
                        path.pop();
                        self.map_reference(holds, &member.value, path);
                        continue;
                    }
                    if key == "$ref" && !named && member.value.as_str().is_some() {
                        path.pop();
                        self.reference(&member.value, path);
                        continue;
                    }
                    self.typed_object(kind, &member.value, member.key_span, path, tallies);
                    path.pop();
                }
            }
            (FieldType::One(_) | FieldType::List(_) | FieldType::Map(_), _) => {
                self.wrong_type(path, &format!("`{key}`"), node, holds, Severity::Error);
            }
            (holds, _) => self.scalar(holds, key, node, path),
        }
    }

    /// Checks a value without objects of the grammar inside. A type that can still be read is a
    /// warning.
    fn scalar(&mut self, holds: FieldType, key: &str, node: &'a Node, path: &[PathSegment<'a>]) {
        let text = |node: &Node| node.as_str().is_some();
        let simple = !matches!(node.value, Value::Array(_) | Value::Object(_));
        let severity = if simple {
            Severity::Warning
        } else {
            Severity::Error
        };
        let name = format!("`{key}`");
        let fits = match holds {
            FieldType::Text => text(node),
            FieldType::Flag => node.as_bool().is_some(),
            FieldType::Number => node.as_number().is_some(),
            FieldType::Limit => node.as_number().is_some() || node.as_bool().is_some(),
            FieldType::Count => node.as_number().is_some_and(is_whole_number),
            FieldType::Values | FieldType::Texts => node.as_array().is_some(),
            FieldType::TextOrTexts => text(node) || node.as_array().is_some(),
            FieldType::TextMap => node.as_object().is_some(),
            FieldType::One(_) | FieldType::List(_) | FieldType::Map(_) | FieldType::Data => true,
        };
        if !fits {
            self.wrong_type(path, &name, node, holds, severity);
            return;
        }
        let items = node.as_array().unwrap_or_default().iter().enumerate();
        if matches!(holds, FieldType::Texts | FieldType::TextOrTexts)
            && let Some((number, item)) = items.into_iter().find(|(_, item)| !text(item))
        {
            let path = [path, &[PathSegment::Index(number)]].concat();
            let what = format!("an item of {name}");
            self.wrong_type(&path, &what, item, FieldType::Text, Severity::Warning);
        }
        let members = node.as_object().filter(|_| holds == FieldType::TextMap);
        let mut members = members.into_iter().flat_map(Object::iter);
        if let Some((inner, value)) = members.find(|(_, value)| !text(value) && !value.is_null()) {
            let what = format!("`{inner}` in {name}");
            let path = [path, &[PathSegment::Key(inner)]].concat();
            self.wrong_type(&path, &what, value, FieldType::Text, Severity::Warning);
        }
    }

    fn wrong_type(
        &mut self,
        path: &[PathSegment<'a>],
        name: &str,
        node: &Node,
        holds: FieldType,
        severity: Severity,
    ) {
        let expected = holds.expected();
        let message = format!("{name} must be {expected}, not {}", node.kind());
        let hint = match severity {
            Severity::Error => format!("write {expected}; this part is ignored"),
            _ => format!("write {expected}"),
        };
        self.report(
            &codes::WRONG_TYPE,
            &to_pointer(path),
            node.span,
            message,
            hint,
        );
        if let Some(last) = self.diagnostics.last_mut() {
            last.severity = severity;
        }
        self.fix_type(node, holds);
    }

    fn check_required(
        &mut self,
        kind: ObjectKind,
        object: &Object,
        at: Span,
        path: &[PathSegment<'a>],
    ) {
        for (name, _, needed) in kind.fields() {
            let missing = match needed {
                Presence::Optional => false,
                Presence::Always => true,
                Presence::Old => self.old,
                Presence::BeforeNew => !self.newer,
            };
            if missing && object.get(name).is_none() {
                let message = format!("`{name}` of {} is missing", kind.noun());
                let hint = format!("add `{name}`");
                self.report(&codes::MISSING_FIELD, &to_pointer(path), at, message, hint);
            }
        }
        let either = |keys: [&str; 2]| keys.iter().all(|key| object.get(key).is_none());
        if kind == ObjectKind::Parameter && either(["schema", "content"]) {
            let message = "a parameter has neither `schema` nor `content`";
            let hint = "add `schema: {type: string}`, or the type that is meant";
            self.report(&codes::MISSING_FIELD, &to_pointer(path), at, message, hint);
        }
    }

    fn unknown_key(
        &mut self,
        (kind, object): (ObjectKind, &Object),
        key: &str,
        span: Span,
        path: &[PathSegment<'a>],
    ) {
        let message = if kind == ObjectKind::PathItem {
            format!("`{key}` is neither a method nor another key of a path item")
        } else {
            format!("`{key}` is not a key of {}", kind.noun())
        };
        let known = kind.fields().iter().map(|field| field.0);
        let known = known.filter(|name| object.get(name).is_none());
        let hint = self.suggest(key, known, || {
            format!("remove it, or rename it to `x-{key}`")
        });
        let pointer = super::below(&to_pointer(path), key);
        self.report(&codes::UNKNOWN_KEY, &pointer, span, message, hint);
    }

    /// Reports a keyword of a schema that is similar to a known one. Schemas may have any other
    /// keyword.
    fn keyword(&mut self, object: &Object, key: &str, span: Span, path: &[PathSegment<'a>]) {
        if self.suggestions == 0 || key.starts_with('$') || key.len() < 4 {
            return;
        }
        self.suggestions -= 1;
        let known = ObjectKind::Schema.fields().iter().map(|field| field.0);
        if let Some(near) = did_you_mean(key, known) {
            let message = format!("`{key}` is not a keyword of a schema");
            let hint = format!("did you mean `{near}`?");
            let pointer = super::below(&to_pointer(path), key);
            self.report(&codes::UNKNOWN_KEY, &pointer, span, message, hint);
            if object.get(near).is_none() {
                self.fix_text(span, key, near);
            }
        }
    }

    fn extensions(
        &mut self,
        object: &'a Object,
        path: &[PathSegment<'a>],
        tallies: &mut Tallies<'a>,
    ) {
        for name in extension::NAMES {
            let Some(member) = object.member(name) else {
                continue;
            };
            if name != "x-svc" {
                tallies.alias.add(member.key_span, path, name);
            }
            for (key, value, expected) in extension::errors(&member.value) {
                let base = super::below(&to_pointer(path), name);
                let (named, pointer) = if key.is_empty() {
                    (name.to_owned(), base)
                } else {
                    (format!("{name}.{key}"), super::below(&base, key))
                };
                let message = format!("`{named}` must be {expected}, not {}", value.kind());
                let hint = format!("write {expected}; all of this `{name}` is ignored");
                self.report(&codes::EXTENSION, &pointer, value.span, message, hint);
            }
        }
    }

    fn schema(&mut self, object: &'a Object, path: &[PathSegment<'a>], tallies: &mut Tallies<'a>) {
        if !self.old {
            let is_flag = |key: &&str| object.get(key).and_then(Node::as_bool).is_some();
            let keys = ["nullable", "exclusiveMinimum", "exclusiveMaximum"];
            for key in keys.into_iter().filter(is_flag) {
                let span = object.member(key).map(|member| member.key_span);
                tallies.dialect.add(span.unwrap_or_default(), path, key);
            }
        }
        if let Some(written) = object.get("type") {
            if self.old && written.as_array().is_some() {
                tallies.later.add(written.span, path, "type");
            }
            let items = written.as_array().unwrap_or(std::slice::from_ref(written));
            for item in items {
                let Some(type_name) = item.as_str().filter(|type_name| !TYPES.contains(type_name))
                else {
                    continue;
                };
                tallies
                    .types
                    .entry(type_name)
                    .or_default()
                    .add(item.span, path, "type");
            }
        }
        if let Some(members) = object.get("allOf").and_then(Node::as_array) {
            self.conflicts(object, members, path);
        }
        self.required_names(object, path);
    }

    /// Reports required names without a declared property, for a schema that is not a part of
    /// another one.
    fn required_names(&mut self, object: &'a Object, path: &[PathSegment<'a>]) {
        const COMPOSED: [&str; 12] = [
            "$ref",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "patternProperties",
            "dependentSchemas",
            "discriminator",
            "additionalProperties",
        ];
        let described = object.get("properties").and_then(Node::as_object);
        let required = object.get("required").and_then(Node::as_array);
        let (Some(described), Some(required)) = (described, required) else {
            return;
        };
        // The schema around a part may declare the properties that the part requires.
        let part = path.iter().any(|step| match step {
            PathSegment::Key(key) => matches!(
                *key,
                "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else"
            ),
            PathSegment::Index(_) => false,
        });
        if part || COMPOSED.iter().any(|key| object.get(key).is_some()) {
            return;
        }
        for (at, item) in required.iter().enumerate() {
            let Some(name) = item.as_str().filter(|name| described.get(name).is_none()) else {
                continue;
            };
            let message = format!("`{name}` is required, but not declared in `properties`");
            let names = described.iter().map(|(key, _)| key);
            let hint = self.suggest(name, names, || {
                format!("declare `{name}` in `properties`, or remove it from `required`")
            });
            let pointer = format!("{}/required/{at}", to_pointer(path));
            self.report(&codes::REQUIRED_NAME, &pointer, item.span, message, hint);
        }
    }

    /// Reports code samples that cannot be shown.
    fn code_samples(&mut self, object: &'a Object, path: &[PathSegment<'a>]) {
        for key in ["x-codeSamples", "x-code-samples"] {
            let list = object.get(key).and_then(Node::as_array).unwrap_or_default();
            for (at, item) in list.iter().enumerate() {
                let expected = ["lang", "source"];
                let missing = |name: &&str| item.get(name).and_then(Node::as_str).is_none();
                let Some(name) = expected.into_iter().find(missing) else {
                    continue;
                };
                let message =
                    format!("`{name}` of an item of `{key}` is missing; the item is ignored");
                let hint = match reference_of(item) {
                    true => "run `svc openapi bundle` to inline it; references in extensions are not resolved".to_owned(),
                    false => format!("add `{name}`"),
                };
                let pointer = format!("{}/{at}", super::below(&to_pointer(path), key));
                self.report(&codes::EXTENSION, &pointer, item.span, message, hint);
            }
        }
    }

    /// Reports missing URLs of flows.
    fn flows(&mut self, object: &Object, path: &[PathSegment<'a>]) {
        for (name, member) in object.members() {
            let keys: &[&str] = match name {
                "implicit" => &["authorizationUrl"],
                "authorizationCode" => &["authorizationUrl", "tokenUrl"],
                "password" | "clientCredentials" => &["tokenUrl"],
                "deviceAuthorization" => &["deviceAuthorizationUrl", "tokenUrl"],
                _ => continue,
            };
            if member.value.as_object().is_none() {
                continue;
            }
            for key in keys.iter().filter(|key| member.value.get(key).is_none()) {
                let message = format!("`{key}` of the flow `{name}` is missing");
                let hint = format!("add `{key}`");
                let pointer = super::below(&to_pointer(path), name);
                self.report(
                    &codes::MISSING_FIELD,
                    &pointer,
                    member.key_span,
                    message,
                    hint,
                );
            }
        }
    }

    /// Reports values of a discriminator mapping without a schema.
    fn mapping(&mut self, object: &'a Object, path: &[PathSegment<'a>]) {
        let mapping = object.get("mapping").and_then(Node::as_object);
        for (value, target) in mapping.into_iter().flat_map(Object::iter) {
            if target
                .as_str()
                .is_some_and(|target| target.starts_with('#'))
            {
                let path = [
                    path,
                    &[PathSegment::Key("mapping"), PathSegment::Key(value)],
                ]
                .concat();
                self.reference_at(target, &to_pointer(&path));
            }
        }
    }

    /// Reports a reference in place of a map of schemas: only `svc openapi bundle` resolves it.
    fn map_reference(&mut self, holds: FieldType, node: &'a Node, path: &[PathSegment<'a>]) {
        let key = match path.last() {
            Some(PathSegment::Key(key)) => *key,
            _ => "this",
        };
        let message = format!("`{key}` must be {}, not a reference", holds.expected());
        let hint = "write the names here, refer to a whole schema, or run `svc openapi bundle` to inline it";
        self.report(&codes::WRONG_TYPE, &at_ref(path), node.span, message, hint);
    }

    fn reference(&mut self, node: &'a Node, path: &[PathSegment<'a>]) {
        self.reference_at(node, &at_ref(path));
    }
}

fn reference_of(node: &Node) -> bool {
    crate::reference::of(node).is_some()
}

/// The field with this name; methods in any case.
fn field(kind: ObjectKind, key: &str) -> Option<&'static Field> {
    kind.field(key).or_else(|| {
        let lower = key.to_ascii_lowercase();
        (kind == ObjectKind::PathItem && lower != key)
            .then(|| kind.field(&lower))
            .flatten()
    })
}

/// Whether an object of this kind may be a reference.
fn refers(kind: ObjectKind) -> bool {
    kind == ObjectKind::Callback || kind.field("$ref").is_some()
}

fn is_whole_number(number: Number) -> bool {
    match number {
        Number::Int(int) => int >= 0,
        Number::Float(float) => float >= 0.0 && float.fract() == 0.0,
    }
}
