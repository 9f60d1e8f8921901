//! Several local files become one document.
//!
//! [`bundle`] follows the references of a document into other files and puts what they name under
//! `components`, where such objects are kept, else in the place of the reference. Names come from
//! the references, in the order in which they are met, so the same files give the same text.
//! Nothing is fetched, and nothing outside of the folder of the document is read.

mod names;
mod path;
mod write;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use svc_data::{Limits, Node, Object, Value, at_pointer};
use svc_diagnostics::{Checked, DiagnosticCode, Diagnostic, Severity, SourceFile, Span};

use crate::codes;
use crate::grammar::{Holds, Kind};
use crate::reference;
use names::{Names, Target};
use write::Out;

/// How the result is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// JSON, indented by two spaces.
    Json,
    /// YAML, block style.
    Yaml,
}

/// Files that one document may consist of.
const FILES: usize = 5_000;
/// Values of the result.
const VALUES: usize = 3_000_000;
/// What following a reference into its own place counts as, in values.
const INLINE: usize = 200;
/// Nesting of the result, and references in a row.
const DEPTH: usize = 128;

/// One document of a document and the local files that it refers to. `lookup` gives the text of a
/// file by its path from the folder of the document; `None` when there is none. The result is
/// `None` when the document itself is no object; references that cannot be followed are reported
/// and stay as they are.
pub fn bundle(
    root: &SourceFile,
    notation: Notation,
    lookup: &dyn Fn(&str) -> Option<SourceFile>,
) -> Checked<Option<String>> {
    let mut diagnostics = Vec::new();
    let tree = svc_data::parse(root, &Limits::default()).drain_into(&mut diagnostics);
    let version = tree
        .get("openapi")
        .and_then(Node::to_text)
        .unwrap_or_default();
    let path = root.path().rsplit(['/', '\\']).next().unwrap_or_default();
    let main = Rc::new(Part {
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
        names: Names::default(),
        waiting: VecDeque::new(),
        inside: Vec::new(),
        left: VALUES,
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

/// One file.
struct Part {
    /// Path from the folder of the document.
    path: String,
    file: SourceFile,
    root: Node,
}

struct Bundler<'l> {
    lookup: &'l dyn Fn(&str) -> Option<SourceFile>,
    old: bool,
    newer: bool,
    main: Rc<Part>,
    /// By path; `None` for one that is not there.
    parts: BTreeMap<String, Option<Rc<Part>>>,
    names: Names,
    /// Components that are still to be written.
    waiting: VecDeque<(Target, String)>,
    /// What is being put in the place of its reference.
    inside: Vec<(String, String)>,
    left: usize,
    diagnostics: Vec<Diagnostic>,
}

/// Where a reference leads.
struct Found {
    part: Rc<Part>,
    pointer: String,
}

impl Found {
    fn node(&self) -> Option<&Node> {
        at_pointer(&self.part.root, &self.pointer)
    }
}

impl Bundler<'_> {
    fn document(&mut self, object: &Object) -> Out {
        let main = Rc::clone(&self.main);
        self.homes(&main);
        let mut members = self.members(&main, object, Kind::Document, 0);
        let mut added: BTreeMap<usize, Vec<(String, Out)>> = BTreeMap::new();
        while let Some((target, name)) = self.waiting.pop_front() {
            let Some(part) = self.parts.get(&target.path).cloned().flatten() else {
                continue;
            };
            let Some(node) = at_pointer(&part.root, &target.pointer) else {
                continue;
            };
            let out = self.thing(&part, node, target.kind, 1);
            let section = target.kind.section().unwrap_or_default();
            let order = Kind::Components
                .fields()
                .iter()
                .position(|field| field.0 == section);
            added
                .entry(order.unwrap_or_default())
                .or_default()
                .push((name, out));
        }
        if added.is_empty() {
            return Out::Map(members);
        }
        for (order, list) in added {
            let section = Kind::Components
                .fields()
                .get(order)
                .map_or("", |field| field.0);
            let components = Out::entry(&mut members, "components");
            if let Some(there) = components.and_then(|inner| Out::entry(inner, section)) {
                there.extend(list);
            }
        }
        Out::Map(members)
    }

    /// Components of the document that stand in another file keep their names.
    fn homes(&mut self, main: &Rc<Part>) {
        let components = main.root.get("components").and_then(Node::as_object);
        for (section, node) in components.into_iter().flat_map(Object::iter) {
            let Some((_, Holds::Map(kind), _)) = Kind::Components.field(section) else {
                continue;
            };
            // All components of a kind may stand in one file.
            if let Some(found) = pure(node).and_then(|text| self.quietly(main, text)) {
                let names = found.node().and_then(Node::as_object);
                for (name, _) in names.into_iter().flat_map(Object::iter) {
                    let pointer = format!("{}/{}", found.pointer, svc_data::escape_pointer(name));
                    let target = Target::new(&found.part.path, pointer, *kind);
                    self.names.settle(target, name);
                }
                continue;
            }
            for (name, node) in node.as_object().into_iter().flat_map(Object::iter) {
                let target = pure(node).and_then(|text| self.quietly(main, text));
                match target.filter(|found| !Rc::ptr_eq(&found.part, main)) {
                    Some(found) => {
                        let target = Target::new(&found.part.path, found.pointer, *kind);
                        self.names.settle(target, name);
                    }
                    None => self.names.reserve(*kind, name),
                }
            }
        }
    }

    /// A value as it is.
    fn data(&mut self, part: &Part, node: &Node) -> Out {
        if self.left == 0 {
            return Out::Null;
        }
        self.left -= 1;
        match &node.value {
            Value::Null => Out::Null,
            Value::Bool(value) => Out::Plain(value.to_string()),
            Value::Number(number) => {
                let written = part.file.slice(node.span);
                Out::Plain(if write::is_number(written) {
                    written.to_owned()
                } else {
                    number.to_string()
                })
            }
            Value::String(text) => Out::Text(text.to_string()),
            Value::Array(items) => {
                Out::List(items.iter().map(|item| self.data(part, item)).collect())
            }
            Value::Object(object) => Out::Map(
                object
                    .iter()
                    .map(|(key, value)| (key.to_owned(), self.data(part, value)))
                    .collect(),
            ),
        }
    }

    /// The value of an extension: references to other files are followed, those inside are data.
    fn extension(&mut self, part: &Rc<Part>, node: &Node, depth: usize) -> Out {
        if depth > DEPTH || self.left == 0 {
            self.limit(part, node);
            return Out::Null;
        }
        self.left -= 1;
        match &node.value {
            Value::Array(items) => {
                let items = items.iter();
                Out::List(
                    items
                        .map(|item| self.extension(part, item, depth + 1))
                        .collect(),
                )
            }
            Value::Object(object) => {
                if let Some(text) = pure(node).filter(|text| !text.starts_with('#')) {
                    let span = object.get("$ref").map_or(node.span, |node| node.span);
                    if let Some(out) = self.extension_from(part, (text, span), depth) {
                        return out;
                    }
                }
                let members = object.iter();
                let members = members
                    .map(|(key, value)| (key.to_owned(), self.extension(part, value, depth + 1)));
                Out::Map(members.collect())
            }
            _ => self.data(part, node),
        }
    }

    /// What a reference in an extension names; a warning where that is not there.
    fn extension_from(
        &mut self,
        part: &Rc<Part>,
        (text, span): (&str, Span),
        depth: usize,
    ) -> Option<Out> {
        let known = self.diagnostics.len();
        let found = self.find(part, text, span);
        let found = found.and_then(|found| {
            let node = found.node()?;
            self.enter(part, &found, span, |bundler| {
                bundler.extension(&found.part, node, depth + 1)
            })
        });
        for problem in self.diagnostics.iter_mut().skip(known) {
            problem.severity = problem.severity.min(Severity::Warning);
        }
        found
    }

    /// An object of the grammar, its references followed.
    fn thing(&mut self, part: &Rc<Part>, node: &Node, kind: Kind, depth: usize) -> Out {
        let Some(object) = node.as_object() else {
            return self.data(part, node);
        };
        if let Some(member) = object.member("$ref")
            && let Some(text) = member.value.as_str()
        {
            return self.reference(part, object, (text, member.value.span), kind, depth);
        }
        Out::Map(self.members(part, object, kind, depth))
    }

    fn members(
        &mut self,
        part: &Rc<Part>,
        object: &Object,
        kind: Kind,
        depth: usize,
    ) -> Vec<(String, Out)> {
        let mut members = Vec::with_capacity(object.len());
        for (key, member) in object.members() {
            let holds = match kind.field(key) {
                Some(field) => field.1,
                None if key.starts_with("x-") => {
                    let out = self.extension(part, &member.value, depth + 1);
                    members.push((key.to_owned(), out));
                    continue;
                }
                None => kind.rest().unwrap_or(Holds::Data),
            };
            let out = self.holds(part, (kind, key), &member.value, holds, depth + 1);
            members.push((key.to_owned(), out));
        }
        members
    }

    fn holds(
        &mut self,
        part: &Rc<Part>,
        (kind, key): (Kind, &str),
        node: &Node,
        holds: Holds,
        depth: usize,
    ) -> Out {
        if depth > DEPTH || self.left == 0 {
            self.limit(part, node);
            return Out::Null;
        }
        self.left -= 1;
        match (holds, &node.value) {
            (Holds::One(inner), Value::Object(_)) => self.thing(part, node, inner, depth),
            (Holds::List(inner), Value::Array(items)) => {
                let items = items
                    .iter()
                    .map(|item| self.thing(part, item, inner, depth));
                Out::List(items.collect())
            }
            (Holds::Map(inner), Value::Object(object)) => {
                self.map(part, (kind, key), object, inner, depth)
            }
            (Holds::TextMap, Value::Object(object)) if kind == Kind::Discriminator => {
                let targets = object
                    .iter()
                    .map(|(key, node)| (key.to_owned(), self.mapped(part, node)));
                Out::Map(targets.collect())
            }
            (Holds::Text, Value::String(text))
                if (kind, key) == (Kind::Example, "externalValue") =>
            {
                Out::Text(path::moved(&part.path, text))
            }
            // A text, or a whole object, that stands in a file of its own.
            (holds, Value::Object(object)) if holds != Holds::Data => match pure(node) {
                Some(text) => {
                    let span = object.get("$ref").map_or(node.span, |node| node.span);
                    self.elsewhere(part, (text, span), (kind, key), holds, depth)
                        .unwrap_or_else(|| self.data(part, node))
                }
                None => self.data(part, node),
            },
            _ => self.data(part, node),
        }
    }

    fn map(
        &mut self,
        part: &Rc<Part>,
        (kind, key): (Kind, &str),
        object: &Object,
        inner: Kind,
        depth: usize,
    ) -> Out {
        // Names of properties may be anything, but no schema is a text, so a text is a reference: the
        // whole map stands elsewhere.
        let named = kind == Kind::Schema;
        if let Some(member) = object.member("$ref")
            && let Some(text) = member.value.as_str()
        {
            let place = (text, member.value.span);
            return self
                .elsewhere(part, place, (kind, key), Holds::Map(inner), depth)
                .unwrap_or_else(|| {
                    Out::Map(vec![("$ref".to_owned(), Out::Text(text.to_owned()))])
                });
        }
        let home = kind == Kind::Components && Rc::ptr_eq(part, &self.main);
        let mut members = Vec::with_capacity(object.len());
        for (name, node) in object.iter() {
            let own = if home {
                self.at_home(part, name, node, inner, depth)
            } else {
                None
            };
            let out = match own {
                Some(out) => out,
                None if name.starts_with("x-") && !named && node.as_object().is_none() => {
                    self.data(part, node)
                }
                None => self.thing(part, node, inner, depth),
            };
            members.push((name.to_owned(), out));
        }
        Out::Map(members)
    }

    /// A component of the document whose content stands in another file.
    fn at_home(
        &mut self,
        part: &Rc<Part>,
        name: &str,
        node: &Node,
        kind: Kind,
        depth: usize,
    ) -> Option<Out> {
        let found = self.quietly(part, pure(node)?)?;
        let target = Target::new(&found.part.path, found.pointer.clone(), kind);
        if self.names.of(&target)? != name {
            return None;
        }
        let content = found.node()?;
        Some(self.thing(&found.part, content, kind, depth))
    }

    /// What a reference names, in its place: for what is never kept under `components`.
    fn elsewhere(
        &mut self,
        part: &Rc<Part>,
        (text, span): (&str, Span),
        place: (Kind, &str),
        holds: Holds,
        depth: usize,
    ) -> Option<Out> {
        let found = self.find(part, text, span)?;
        let node = found.node()?;
        self.enter(part, &found, span, |bundler| {
            bundler.holds(&found.part, place, node, holds, depth + 1)
        })
    }

    /// Does something inside of a reference, unless that is going on already.
    fn enter(
        &mut self,
        part: &Rc<Part>,
        found: &Found,
        span: Span,
        work: impl FnOnce(&mut Self) -> Out,
    ) -> Option<Out> {
        let key = (found.part.path.clone(), found.pointer.clone());
        if self.inside.contains(&key) {
            let message = "this reference leads back to where it stands";
            let hint = "keep one of the parts under `components`";
            self.report(&codes::REF_CYCLE, part, span, message.to_owned(), hint);
            return None;
        }
        self.left = self.left.saturating_sub(INLINE);
        self.inside.push(key);
        let out = work(self);
        self.inside.pop();
        Some(out)
    }

    fn reference(
        &mut self,
        part: &Rc<Part>,
        object: &Object,
        (text, span): (&str, Span),
        kind: Kind,
        depth: usize,
    ) -> Out {
        let kept = |bundler: &mut Self, target: String| {
            let mut members = bundler.siblings(part, object, kind, depth);
            members.insert(0, ("$ref".to_owned(), Out::Text(target)));
            Out::Map(members)
        };
        let main = Rc::ptr_eq(part, &self.main);
        if main && text.starts_with('#') {
            return kept(self, text.to_owned());
        }
        let Some(found) = self.find(part, text, span) else {
            return kept(self, text.to_owned());
        };
        if Rc::ptr_eq(&found.part, &self.main) {
            return kept(self, fragment(&found.pointer));
        }
        let section = kind.section().filter(|_| match kind {
            Kind::PathItem => !self.old,
            Kind::MediaType => self.newer,
            _ => true,
        });
        if let Some(section) = section {
            let name = self.name(Target::new(&found.part.path, found.pointer, kind));
            return kept(self, format!("#/components/{section}/{name}"));
        }
        let inline = found.node().and_then(|node| {
            self.enter(part, &found, span, |bundler| {
                bundler.thing(&found.part, node, kind, depth + 1)
            })
        });
        match inline {
            Some(Out::Map(mut members)) => {
                // What stands beside the reference wins.
                for (key, value) in self.siblings(part, object, kind, depth) {
                    members.retain(|(known, _)| *known != key);
                    members.push((key, value));
                }
                Out::Map(members)
            }
            Some(other) => other,
            None => kept(self, text.to_owned()),
        }
    }

    /// The members beside `$ref`.
    fn siblings(
        &mut self,
        part: &Rc<Part>,
        object: &Object,
        kind: Kind,
        depth: usize,
    ) -> Vec<(String, Out)> {
        if object.len() == 1 {
            return Vec::new();
        }
        let mut members = self.members(part, object, kind, depth);
        members.retain(|(key, _)| key != "$ref");
        members
    }

    /// The name of a component; it waits to be written when it is new.
    fn name(&mut self, target: Target) -> String {
        if let Some(known) = self.names.of(&target) {
            return known.to_owned();
        }
        let name = self.names.choose(&target);
        self.names.settle(target.clone(), &name);
        self.waiting.push_back((target, name.clone()));
        name
    }

    /// The target of a discriminator's value: a reference, or the name of a component.
    fn mapped(&mut self, part: &Rc<Part>, node: &Node) -> Out {
        let Some(text) = node.as_str() else {
            return self.data(part, node);
        };
        let main = Rc::ptr_eq(part, &self.main);
        let bare = !text.contains(['/', '#']) && !path::is_file(text);
        if main && (bare || text.starts_with('#')) {
            return Out::Text(text.to_owned());
        }
        let found = if bare {
            let there = format!("#/components/schemas/{}", svc_data::escape_pointer(text));
            self.quietly(part, &there)
        } else {
            self.find(part, text, node.span)
        };
        let Some(found) = found else {
            return Out::Text(text.to_owned());
        };
        if Rc::ptr_eq(&found.part, &self.main) {
            return Out::Text(fragment(&found.pointer));
        }
        let name = self.name(Target::new(&found.part.path, found.pointer, Kind::Schema));
        Out::Text(format!("#/components/schemas/{name}"))
    }

    /// As [`Self::find`], without a word about what is not there.
    fn quietly(&mut self, part: &Rc<Part>, text: &str) -> Option<Found> {
        let known = self.diagnostics.len();
        let found = self.find(part, text, Span::default());
        self.diagnostics.truncate(known);
        found
    }

    /// What a reference names; references that lead to references are followed.
    fn find(&mut self, part: &Rc<Part>, text: &str, span: Span) -> Option<Found> {
        let mut found = self.step(part, text, (part, span))?;
        for _ in 0..DEPTH {
            let next = found.node().and_then(pure).map(str::to_owned);
            match next {
                // Inside the document references may stay what they are.
                Some(next) if !Rc::ptr_eq(&found.part, &self.main) => {
                    let from = Rc::clone(&found.part);
                    found = self.step(&from, &next, (part, span))?;
                }
                _ => return Some(found),
            }
        }
        let message = format!("the reference `{text}` resolves to itself");
        let hint = "let it name the object that is meant";
        self.report(&codes::REF_CYCLE, part, span, message, hint);
        None
    }

    fn step(
        &mut self,
        from: &Rc<Part>,
        text: &str,
        (part, span): (&Rc<Part>, Span),
    ) -> Option<Found> {
        let (file, fragment) = text
            .split_once('#')
            .map_or((text, ""), |(file, rest)| (file, rest));
        let target = if file.is_empty() {
            Rc::clone(from)
        } else {
            let path = match path::join(&from.path, file) {
                Ok(path) => path,
                Err(problem) => {
                    let message = format!("the reference `{text}` {}", problem.words());
                    self.report(&codes::EXTERNAL_REF, part, span, message, problem.hint());
                    return None;
                }
            };
            let Some(target) = self.part(&path) else {
                let message = format!("there is no file `{path}` that can be read");
                let hint = "paths count from the file in which the reference stands";
                self.report(&codes::UNRESOLVED_REF, part, span, message, hint);
                return None;
            };
            target
        };
        let anchor = format!("#{fragment}");
        let pointer = reference::pointer(&anchor).unwrap_or_default().into_owned();
        if at_pointer(&target.root, &pointer).is_none() {
            let message = format!("the reference `{text}` leads nowhere");
            let hint = "correct it, or define what is meant";
            self.report(&codes::UNRESOLVED_REF, part, span, message, hint);
            return None;
        }
        Some(Found {
            part: target,
            pointer,
        })
    }

    /// A file, read when it is named first.
    fn part(&mut self, path: &str) -> Option<Rc<Part>> {
        if let Some(known) = self.parts.get(path) {
            return known.clone();
        }
        let file = (self.parts.len() < FILES)
            .then(|| (self.lookup)(path))
            .flatten();
        let part = file.map(|file| {
            let root = svc_data::parse(&file, &Limits::default());
            self.diagnostics.extend(root.diagnostics);
            let (path, root) = (path.to_owned(), root.value);
            Rc::new(Part { path, file, root })
        });
        self.parts.insert(path.to_owned(), part.clone());
        part
    }

    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        part: &Part,
        span: Span,
        message: String,
        hint: &str,
    ) {
        let found = Diagnostic::new(code, message)
            .at(part.file.location(span))
            .hint(hint);
        if !self.diagnostics.contains(&found) {
            self.diagnostics.push(found);
        }
    }

    fn limit(&mut self, part: &Part, node: &Node) {
        if self
            .diagnostics
            .iter()
            .any(|found| found.code == &codes::BUNDLE_LIMIT)
        {
            return;
        }
        let message = "the document becomes too large or too deep here".to_owned();
        let hint = "keep parts that are used often under `components`";
        self.report(&codes::BUNDLE_LIMIT, part, node.span, message, hint);
    }
}

/// The reference of an object that is nothing else.
fn pure(node: &Node) -> Option<&str> {
    let object = node.as_object().filter(|object| object.len() == 1)?;
    object.get("$ref")?.as_str()
}

/// A pointer as a reference inside the document.
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
