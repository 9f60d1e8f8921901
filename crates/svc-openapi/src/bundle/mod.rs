//! Bundling of several local files into one document.
//!
//! [`bundle`] resolves the references of a document to other files and moves their targets to
//! `components`, where such objects have a section, or else inlines them. Names are derived from
//! the references in the order in which they are visited, so the same files yield the same text.
//! Remote files are not fetched, and files outside of the directory of the document are not read.

mod input;
mod names;
mod path;
mod resolve;
mod write;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use svc_data::{Limits, Node, Object, Value, at_pointer};
use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode, Severity, SourceFile, Span};

use crate::codes;
use crate::grammar::{FieldType, ObjectKind};
use input::{InputFile, ResolvedRef};
use names::{ComponentNames, RefTarget};
pub use write::OutputFormat;
use write::OutputValue;

/// Maximum number of files of a document.
const MAX_FILES: usize = 5_000;
/// Maximum number of values of the result.
const MAX_VALUES: usize = 3_000_000;
/// Cost of an inlined reference, in values.
const INLINE_COST: usize = 200;
/// Maximum depth of the result, and maximum length of a chain of references.
const MAX_DEPTH: usize = 128;

/// Combines a document and the local files that it refers to. `lookup` returns the text of a file
/// by its path from the directory of the document, or None if there is no such file. The value is
/// None if the root of the document is not an object. References that cannot be resolved are
/// reported and left unchanged.
///
/// # Example
///
/// ```
/// use svc_openapi::{OutputFormat, SourceFile, bundle};
/// let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
///     "paths": {"/pets": {"$ref": "pets.json"}}}"#;
/// let lookup = |path: &str| (path == "pets.json").then(|| SourceFile::new(path, r#"{"get": {}}"#));
/// let bundled = bundle(&SourceFile::new("api.json", text), OutputFormat::Json, &lookup);
/// assert!(bundled.value.is_some_and(|text| text.contains("\"get\"")));
/// ```
pub fn bundle(
    root: &SourceFile,
    notation: OutputFormat,
    lookup: &dyn Fn(&str) -> Option<SourceFile>,
) -> Checked<Option<String>> {
    let mut diagnostics = Vec::new();
    let tree = svc_data::parse(root, &Limits::default()).drain_into(&mut diagnostics);
    let version = tree
        .get("openapi")
        .and_then(Node::to_text)
        .unwrap_or_default();
    let path = root.path().rsplit(['/', '\\']).next().unwrap_or_default();
    let main = Rc::new(InputFile {
        path: path.to_owned(),
        file: root.clone(),
        root: tree,
    });
    let mut bundler = Bundler {
        lookup,
        old: version.starts_with("3.0"),
        newer: !version.starts_with("3.0") && !version.starts_with("3.1"),
        parts: BTreeMap::from([(main.path.clone(), Some(Rc::clone(&main)))]),
        main: Rc::clone(&main),
        names: ComponentNames::default(),
        queue: VecDeque::new(),
        active: Vec::new(),
        remaining: MAX_VALUES,
        diagnostics,
    };
    let value = main
        .root
        .as_object()
        .map(|object| bundler.document(object).text(notation));
    Checked {
        value,
        diagnostics: bundler.diagnostics,
    }
}

struct Bundler<'l> {
    lookup: &'l dyn Fn(&str) -> Option<SourceFile>,
    old: bool,
    newer: bool,
    main: Rc<InputFile>,
    /// Files by path; None for a file that does not exist.
    parts: BTreeMap<String, Option<Rc<InputFile>>>,
    names: ComponentNames,
    /// Components that are not written yet.
    queue: VecDeque<(RefTarget, String)>,
    /// The references that are being inlined.
    active: Vec<(String, String)>,
    remaining: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Bundler<'_> {
    fn document(&mut self, object: &Object) -> OutputValue {
        let main = Rc::clone(&self.main);
        self.reserve_component_names(&main);
        let mut members = self.members(&main, object, ObjectKind::Document, 0);
        let mut added: BTreeMap<usize, Vec<(String, OutputValue)>> = BTreeMap::new();
        while let Some((target, name)) = self.queue.pop_front() {
            let Some(part) = self.parts.get(&target.path).cloned().flatten() else {
                continue;
            };
            let Some(node) = at_pointer(&part.root, &target.pointer) else {
                continue;
            };
            let out = self.typed_object(&part, node, target.kind, 1);
            let section = target.kind.section().unwrap_or_default();
            let order = ObjectKind::Components
                .fields()
                .iter()
                .position(|field| field.0 == section);
            added
                .entry(order.unwrap_or_default())
                .or_default()
                .push((name, out));
        }
        if added.is_empty() {
            return OutputValue::Map(members);
        }
        for (order, list) in added {
            let section = ObjectKind::Components
                .fields()
                .get(order)
                .map_or("", |field| field.0);
            let components = OutputValue::entry(&mut members, "components");
            if let Some(there) = components.and_then(|inner| OutputValue::entry(inner, section)) {
                there.extend(list);
            }
        }
        OutputValue::Map(members)
    }

    /// Reserves the names of components of the document whose content is in another file.
    fn reserve_component_names(&mut self, main: &Rc<InputFile>) {
        let components = main.root.get("components").and_then(Node::as_object);
        for (section, node) in components.into_iter().flat_map(Object::iter) {
            let Some((_, FieldType::Map(kind), _)) = ObjectKind::Components.field(section) else {
                continue;
            };
            // All components of a kind may be in one file.
            if let Some(resolved) =
                as_bare_ref(node).and_then(|text| self.find_silently(main, text))
            {
                let names = resolved.node().and_then(Node::as_object);
                for (name, _) in names.into_iter().flat_map(Object::iter) {
                    let pointer =
                        format!("{}/{}", resolved.pointer, svc_data::escape_pointer(name));
                    let target = RefTarget::new(&resolved.part.path, pointer, *kind);
                    self.names.assign(target, name);
                }
                continue;
            }
            for (name, node) in node.as_object().into_iter().flat_map(Object::iter) {
                let target = as_bare_ref(node).and_then(|text| self.find_silently(main, text));
                match target.filter(|resolved| !Rc::ptr_eq(&resolved.part, main)) {
                    Some(resolved) => {
                        let target = RefTarget::new(&resolved.part.path, resolved.pointer, *kind);
                        self.names.assign(target, name);
                    }
                    None => self.names.reserve(*kind, name),
                }
            }
        }
    }

    /// Copies a value without resolving references.
    fn data(&mut self, part: &InputFile, node: &Node) -> OutputValue {
        copy(&part.file, node, &mut self.remaining)
    }

    /// The value of an extension. References to other files are resolved; local ones are data.
    fn extension(&mut self, part: &Rc<InputFile>, node: &Node, depth: usize) -> OutputValue {
        if depth > MAX_DEPTH || self.remaining == 0 {
            self.limit(part, node);
            return OutputValue::Null;
        }
        self.remaining -= 1;
        match &node.value {
            Value::Array(items) => {
                let items = items.iter();
                OutputValue::List(
                    items
                        .map(|item| self.extension(part, item, depth + 1))
                        .collect(),
                )
            }
            Value::Object(object) => {
                if let Some(text) = as_bare_ref(node).filter(|text| !text.starts_with('#')) {
                    let span = object.get("$ref").map_or(node.span, |node| node.span);
                    if let Some(out) = self.extension_from(part, (text, span), depth) {
                        return out;
                    }
                }
                let members = object.iter();
                let members = members
                    .map(|(key, value)| (key.to_owned(), self.extension(part, value, depth + 1)));
                OutputValue::Map(members.collect())
            }
            _ => self.data(part, node),
        }
    }

    /// The target of a reference in an extension; a missing target is a warning.
    fn extension_from(
        &mut self,
        part: &Rc<InputFile>,
        (text, span): (&str, Span),
        depth: usize,
    ) -> Option<OutputValue> {
        let known = self.diagnostics.len();
        let resolved = self.find(part, text, span);
        let resolved = resolved.and_then(|resolved| {
            let node = resolved.node()?;
            self.enter(part, &resolved, span, |bundler| {
                bundler.extension(&resolved.part, node, depth + 1)
            })
        });
        for problem in self.diagnostics.iter_mut().skip(known) {
            problem.severity = problem.severity.min(Severity::Warning);
        }
        resolved
    }

    /// An object of the grammar, with its references resolved.
    fn typed_object(
        &mut self,
        part: &Rc<InputFile>,
        node: &Node,
        kind: ObjectKind,
        depth: usize,
    ) -> OutputValue {
        let Some(object) = node.as_object() else {
            return self.data(part, node);
        };
        if let Some(member) = object.member("$ref")
            && let Some(text) = member.value.as_str()
        {
            return self.reference(part, object, (text, member.value.span), kind, depth);
        }
        OutputValue::Map(self.members(part, object, kind, depth))
    }

    fn members(
        &mut self,
        part: &Rc<InputFile>,
        object: &Object,
        kind: ObjectKind,
        depth: usize,
    ) -> Vec<(String, OutputValue)> {
        let mut members = Vec::with_capacity(object.len());
        for (key, member) in object.members() {
            let holds = match kind.field(key) {
                Some(field) => field.1,
                None if key.starts_with("x-") => {
                    let out = self.extension(part, &member.value, depth + 1);
                    members.push((key.to_owned(), out));
                    continue;
                }
                None => kind.additional().unwrap_or(FieldType::Data),
            };
            let out = self.field_value(part, (kind, key), &member.value, holds, depth + 1);
            members.push((key.to_owned(), out));
        }
        members
    }

    fn field_value(
        &mut self,
        part: &Rc<InputFile>,
        (kind, key): (ObjectKind, &str),
        node: &Node,
        holds: FieldType,
        depth: usize,
    ) -> OutputValue {
        if depth > MAX_DEPTH || self.remaining == 0 {
            self.limit(part, node);
            return OutputValue::Null;
        }
        self.remaining -= 1;
        match (holds, &node.value) {
            (FieldType::One(inner), Value::Object(_)) => {
                self.typed_object(part, node, inner, depth)
            }
            (FieldType::List(inner), Value::Array(items)) => {
                let items = items
                    .iter()
                    .map(|item| self.typed_object(part, item, inner, depth));
                OutputValue::List(items.collect())
            }
            (FieldType::Map(inner), Value::Object(object)) => {
                self.map(part, (kind, key), object, inner, depth)
            }
            (FieldType::TextMap, Value::Object(object)) if kind == ObjectKind::Discriminator => {
                let targets = object
                    .iter()
                    .map(|(key, node)| (key.to_owned(), self.mapped(part, node)));
                OutputValue::Map(targets.collect())
            }
            (FieldType::Text, Value::String(text))
                if (kind, key) == (ObjectKind::Example, "externalValue") =>
            {
                OutputValue::Text(path::rebase(&part.path, text))
            }
            // A string or a whole object that is in a file of its own.
            (holds, Value::Object(object)) if holds != FieldType::Data => match as_bare_ref(node) {
                Some(text) => {
                    let span = object.get("$ref").map_or(node.span, |node| node.span);
                    self.inline_reference(part, (text, span), (kind, key), holds, depth)
                        .unwrap_or_else(|| self.data(part, node))
                }
                None => self.data(part, node),
            },
            _ => self.data(part, node),
        }
    }

    fn map(
        &mut self,
        part: &Rc<InputFile>,
        (kind, key): (ObjectKind, &str),
        object: &Object,
        inner: ObjectKind,
        depth: usize,
    ) -> OutputValue {
        // Properties can have any name, but no schema is a string, so a string is a reference: the
        // whole map is in another file.
        let named = kind == ObjectKind::Schema;
        if let Some(member) = object.member("$ref")
            && let Some(text) = member.value.as_str()
        {
            let reference = (text, member.value.span);
            return self
                .inline_reference(part, reference, (kind, key), FieldType::Map(inner), depth)
                .unwrap_or_else(|| {
                    OutputValue::Map(vec![(
                        "$ref".to_owned(),
                        OutputValue::Text(text.to_owned()),
                    )])
                });
        }
        let home = kind == ObjectKind::Components && Rc::ptr_eq(part, &self.main);
        let mut members = Vec::with_capacity(object.len());
        for (name, node) in object.iter() {
            let own = if home {
                self.bundle_local_component(part, name, node, inner, depth)
            } else {
                None
            };
            let out = match own {
                Some(out) => out,
                None if name.starts_with("x-") && !named && node.as_object().is_none() => {
                    self.data(part, node)
                }
                None => self.typed_object(part, node, inner, depth),
            };
            members.push((name.to_owned(), out));
        }
        OutputValue::Map(members)
    }

    /// A component of the document whose content is in another file.
    fn bundle_local_component(
        &mut self,
        part: &Rc<InputFile>,
        name: &str,
        node: &Node,
        kind: ObjectKind,
        depth: usize,
    ) -> Option<OutputValue> {
        let resolved = self.find_silently(part, as_bare_ref(node)?)?;
        let target = RefTarget::new(&resolved.part.path, resolved.pointer.clone(), kind);
        if self.names.get(&target)? != name {
            return None;
        }
        let content = resolved.node()?;
        Some(self.typed_object(&resolved.part, content, kind, depth))
    }

    /// Inlines the target of a reference whose kind has no section in `components`.
    fn inline_reference(
        &mut self,
        part: &Rc<InputFile>,
        (text, span): (&str, Span),
        field: (ObjectKind, &str),
        holds: FieldType,
        depth: usize,
    ) -> Option<OutputValue> {
        let resolved = self.find(part, text, span)?;
        let node = resolved.node()?;
        self.enter(part, &resolved, span, |bundler| {
            bundler.field_value(&resolved.part, field, node, holds, depth + 1)
        })
    }

    /// Runs `task` inside of a reference, unless the reference is already being inlined.
    fn enter(
        &mut self,
        part: &Rc<InputFile>,
        resolved: &ResolvedRef,
        span: Span,
        task: impl FnOnce(&mut Self) -> OutputValue,
    ) -> Option<OutputValue> {
        let key = (resolved.part.path.clone(), resolved.pointer.clone());
        if self.active.contains(&key) {
            let message = "this reference refers to the object that contains it";
            let hint = "move one of the parts to `components`";
            self.report(&codes::REF_CYCLE, part, span, message.to_owned(), hint);
            return None;
        }
        self.remaining = self.remaining.saturating_sub(INLINE_COST);
        self.active.push(key);
        let out = task(self);
        self.active.pop();
        Some(out)
    }

    fn reference(
        &mut self,
        part: &Rc<InputFile>,
        object: &Object,
        (text, span): (&str, Span),
        kind: ObjectKind,
        depth: usize,
    ) -> OutputValue {
        let with_siblings = |bundler: &mut Self, target: String| {
            let mut members = bundler.siblings(part, object, kind, depth);
            members.insert(0, ("$ref".to_owned(), OutputValue::Text(target)));
            OutputValue::Map(members)
        };
        let main = Rc::ptr_eq(part, &self.main);
        if main && text.starts_with('#') {
            return with_siblings(self, text.to_owned());
        }
        let Some(resolved) = self.find(part, text, span) else {
            return with_siblings(self, text.to_owned());
        };
        if Rc::ptr_eq(&resolved.part, &self.main) {
            return with_siblings(self, fragment(&resolved.pointer));
        }
        let section = kind.section().filter(|_| match kind {
            ObjectKind::PathItem => !self.old,
            ObjectKind::MediaType => self.newer,
            _ => true,
        });
        if let Some(section) = section {
            let name = self.name(RefTarget::new(&resolved.part.path, resolved.pointer, kind));
            return with_siblings(self, format!("#/components/{section}/{name}"));
        }
        let inline = resolved.node().and_then(|node| {
            self.enter(part, &resolved, span, |bundler| {
                bundler.typed_object(&resolved.part, node, kind, depth + 1)
            })
        });
        match inline {
            Some(OutputValue::Map(mut members)) => {
                // Members beside the reference take precedence.
                for (key, value) in self.siblings(part, object, kind, depth) {
                    members.retain(|(known, _)| *known != key);
                    members.push((key, value));
                }
                OutputValue::Map(members)
            }
            Some(other) => other,
            None => with_siblings(self, text.to_owned()),
        }
    }

    /// The members beside `$ref`.
    fn siblings(
        &mut self,
        part: &Rc<InputFile>,
        object: &Object,
        kind: ObjectKind,
        depth: usize,
    ) -> Vec<(String, OutputValue)> {
        if object.len() == 1 {
            return Vec::new();
        }
        let mut members = self.members(part, object, kind, depth);
        members.retain(|(key, _)| key != "$ref");
        members
    }

    /// The name of a component; a new one is queued.
    fn name(&mut self, target: RefTarget) -> String {
        if let Some(known) = self.names.get(&target) {
            return known.to_owned();
        }
        let name = self.names.choose(&target);
        self.names.assign(target.clone(), &name);
        self.queue.push_back((target, name.clone()));
        name
    }

    /// The target of a value of a discriminator mapping: a reference, or the name of a component.
    fn mapped(&mut self, part: &Rc<InputFile>, node: &Node) -> OutputValue {
        let Some(text) = node.as_str() else {
            return self.data(part, node);
        };
        let main = Rc::ptr_eq(part, &self.main);
        let bare = !text.contains(['/', '#']) && !path::is_file(text);
        if main && (bare || text.starts_with('#')) {
            return OutputValue::Text(text.to_owned());
        }
        let resolved = if bare {
            let there = format!("#/components/schemas/{}", svc_data::escape_pointer(text));
            self.find_silently(part, &there)
        } else {
            self.find(part, text, node.span)
        };
        let Some(resolved) = resolved else {
            return OutputValue::Text(text.to_owned());
        };
        if Rc::ptr_eq(&resolved.part, &self.main) {
            return OutputValue::Text(fragment(&resolved.pointer));
        }
        let name = self.name(RefTarget::new(
            &resolved.part.path,
            resolved.pointer,
            ObjectKind::Schema,
        ));
        OutputValue::Text(format!("#/components/schemas/{name}"))
    }

    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        part: &InputFile,
        span: Span,
        message: String,
        hint: &str,
    ) {
        let diagnostic = Diagnostic::new(code, message)
            .at(part.file.location(span))
            .hint(hint);
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn limit(&mut self, part: &InputFile, node: &Node) {
        if self
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code == &codes::BUNDLE_LIMIT)
        {
            return;
        }
        let message = "the bundled document exceeds the limit of size or depth here".to_owned();
        let hint = "move parts that are used often to `components`";
        self.report(&codes::BUNDLE_LIMIT, part, node.span, message, hint);
    }
}

/// The reference of an object whose only member is `$ref`.
fn as_bare_ref(node: &Node) -> Option<&str> {
    let object = node.as_object().filter(|object| object.len() == 1)?;
    object.get("$ref")?.as_str()
}

/// Converts a pointer to a reference inside of the document.
fn fragment(pointer: &str) -> String {
    let mut out = "#".to_owned();
    for c in pointer.chars() {
        match c {
            '%' => out.push_str("%25"),
            ' ' => out.push_str("%20"),
            '"' => out.push_str("%22"),
            other => out.push(other),
        }
    }
    out
}

/// Copies a tree of a file; at most as many values as remain.
fn copy(file: &SourceFile, node: &Node, remaining: &mut usize) -> OutputValue {
    if *remaining == 0 {
        return OutputValue::Null;
    }
    *remaining -= 1;
    match &node.value {
        Value::Null => OutputValue::Null,
        Value::Bool(value) => OutputValue::Plain(value.to_string()),
        Value::Number(number) => {
            let written = file.slice(node.span);
            OutputValue::Plain(if write::is_number(written) {
                written.to_owned()
            } else {
                number.to_string()
            })
        }
        Value::String(text) => OutputValue::Text(text.to_string()),
        Value::Array(items) => {
            let items = items.iter().map(|item| copy(file, item, remaining));
            OutputValue::List(items.collect())
        }
        Value::Object(object) => {
            let members = object.iter();
            let members =
                members.map(|(key, value)| (key.to_owned(), copy(file, value, remaining)));
            OutputValue::Map(members.collect())
        }
    }
}

/// A tree as text. Scalars have the spelling of the file that they are from.
pub(crate) fn text_of(file: &SourceFile, root: &Node, notation: OutputFormat) -> String {
    copy(file, root, &mut { MAX_VALUES }).text(notation)
}
