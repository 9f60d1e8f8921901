//! Locations of schemas, and their form in URL paths.

use std::fmt::Write as _;
use std::rc::Rc;

use svc_data::{Node, escape_pointer, unescape_pointer};

use super::type_set::is_null;
use crate::{ApiDocument, SchemaRef, reference};

/// Maximum number of parts of a schema in a URL path.
const MAX_PARTS: usize = 12;
/// Maximum length of a URL path in bytes.
const MAX_BYTES: usize = 1_500;

/// The location of a schema: the pointers of the parts that apply together. Most schemas have one
/// part; a property that several members of `allOf` describe has several.
///
/// # Example
///
/// ```
/// # use svc_openapi::{SourceFile, parse};
/// # let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}, "components": {"schemas": {
/// #     "Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 9}}}}}}"#;
/// # let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// use svc_openapi::{Budget, Direction, SchemaPath, property_names, schema_level, schema_outline};
/// let path = SchemaPath::component("Pet");
/// assert_eq!((path.title(), path.component_name()), ("Pet".to_owned(), Some("Pet".to_owned())));
/// assert!(!path.is_empty() && path.parts().len() == 1);
/// let url_path = path.to_url_path().expect("it is short");
/// assert_eq!(url_path, "components/schemas/Pet");
/// assert_eq!(SchemaPath::from_url_path(&document, &url_path), Some(path.clone()));
///
/// let mut budget = Budget::default();
/// let level = schema_level(&document, &path, Direction::Response, 0, &mut budget).expect("it exists");
/// assert_eq!(level.view.properties[0].name, "name");
/// let outline = schema_outline(&document, &path, Direction::Response, &mut budget);
/// assert!(outline.is_some_and(|outline| outline.properties.is_empty()));
/// assert_eq!(property_names(&document, &path, 10), ["name"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SchemaPath {
    parts: Vec<SchemaRef>,
}

impl SchemaPath {
    /// The location of a component schema.
    ///
    /// Example: [`SchemaPath`](crate::SchemaPath#example).
    pub fn component(name: &str) -> Self {
        let pointer = format!("/components/schemas/{}", escape_pointer(name));
        SchemaRef::new(pointer).into()
    }

    /// Whether the location is unknown.
    ///
    /// Example: [`SchemaPath`](crate::SchemaPath#example).
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The pointers of the parts.
    ///
    /// Example: [`SchemaPath`](crate::SchemaPath#example).
    pub fn parts(&self) -> &[SchemaRef] {
        &self.parts
    }

    /// The name of the component schema at this location. None if it is not a component.
    ///
    /// Example: [`SchemaPath`](crate::SchemaPath#example).
    pub fn component_name(&self) -> Option<String> {
        match self.parts.as_slice() {
            [only] => component_name(only.pointer()),
            _ => None,
        }
    }

    /// The last name of the path that the author chose: that of a component or of a property.
    ///
    /// Example: [`SchemaPath`](crate::SchemaPath#example).
    pub fn title(&self) -> String {
        let pointer = self.parts.first().map_or("", SchemaRef::pointer);
        let mut keys = pointer.rsplit('/').filter(|key| !key.is_empty());
        let structural = |key: &&str| {
            matches!(
                *key,
                "items" | "schema" | "allOf" | "oneOf" | "anyOf" | "additionalProperties"
            ) || key.parse::<usize>().is_ok()
        };
        let key = keys.find(|key| !structural(key)).unwrap_or("schema");
        unescape_pointer(key)
    }

    /// The location as segments of a URL path, which [`Self::from_url_path`] parses. None if it
    /// does not have such a form.
    ///
    /// Example: [`SchemaPath`](crate::SchemaPath#example).
    pub fn to_url_path(&self) -> Option<String> {
        if self.parts.is_empty() || self.parts.len() > MAX_PARTS {
            return None;
        }
        let mut out = String::new();
        for (at, part) in self.parts.iter().enumerate() {
            if at > 0 {
                out.push_str("/+");
            }
            for segment in part.pointer().strip_prefix('/')?.split('/') {
                if !out.is_empty() {
                    out.push('/');
                }
                match segment {
                    // Servers, browsers and file systems interpret these segments.
                    "" => out.push_str("~2"),
                    "." => out.push_str("~3"),
                    ".." => out.push_str("~4"),
                    "+" => out.push_str("~5"),
                    plain => {
                        for letter in plain.chars() {
                            match letter {
                                '\\' => out.push_str("~6"),
                                letter if letter.is_control() => return None,
                                letter => out.push(letter),
                            }
                        }
                    }
                }
            }
        }
        (out.len() <= MAX_BYTES).then_some(out)
    }

    /// Parses a URL path. None if it is invalid or the document has no schema there.
    ///
    /// Example: [`SchemaPath`](crate::SchemaPath#example).
    pub fn from_url_path(document: &ApiDocument, url_path: &str) -> Option<Self> {
        if url_path.len() > MAX_BYTES {
            return None;
        }
        let mut parts = vec![String::new()];
        for segment in url_path.split('/') {
            if segment == "+" {
                parts.push(String::new());
                continue;
            }
            let part = parts.last_mut()?;
            part.push('/');
            match segment {
                "~2" => {}
                "~3" => part.push('.'),
                "~4" => part.push_str(".."),
                "~5" => part.push('+'),
                plain => part.push_str(&plain.replace("~6", "\\")),
            }
        }
        if parts.len() > MAX_PARTS {
            return None;
        }
        let parts: Vec<SchemaRef> = parts.into_iter().map(SchemaRef::new).collect();
        let schema_path = Self { parts };
        let known = |part: &SchemaRef| {
            document
                .node(part)
                .is_some_and(|node| node.as_object().is_some())
        };
        // Only the canonical form is accepted.
        let own = schema_path.to_url_path().is_some_and(|own| own == url_path);
        (own && schema_path.parts.iter().all(known)).then_some(schema_path)
    }
}

impl From<SchemaRef> for SchemaPath {
    fn from(part: SchemaRef) -> Self {
        Self { parts: vec![part] }
    }
}

/// The name of the component schema at a pointer.
fn component_name(pointer: &str) -> Option<String> {
    let name = pointer.strip_prefix("/components/schemas/")?;
    (!name.contains('/')).then(|| unescape_pointer(name))
}

/// How a schema was reached: a pointer, and steps from there. Pointers are only built for the few
/// schemas whose location is needed.
#[derive(Debug)]
pub(super) enum Trace<'a> {
    Pointer(Box<str>),
    Key(Rc<Self>, &'static str),
    Member(Rc<Self>, &'static str, &'a str),
    Item(Rc<Self>, &'static str, usize),
}

impl<'a> Trace<'a> {
    fn write(&self, out: &mut String) {
        // Steps are nested at most as deep as the schemas of one view.
        match self {
            Self::Pointer(pointer) => out.push_str(pointer),
            Self::Key(from, key) => {
                from.write(out);
                let _ = write!(out, "/{key}");
            }
            Self::Member(from, key, name) => {
                from.write(out);
                let _ = write!(out, "/{key}/{}", escape_pointer(name));
            }
            Self::Item(from, key, at) => {
                from.write(out);
                let _ = write!(out, "/{key}/{at}");
            }
        }
    }
}

/// A schema with its trace, if it is known.
#[derive(Debug, Clone)]
pub(super) struct TracedSchema<'a> {
    pub(super) node: &'a Node,
    pub(super) trace: Option<Rc<Trace<'a>>>,
}

impl<'a> TracedSchema<'a> {
    /// A schema whose location is not needed.
    pub(super) const fn unknown(node: &'a Node) -> Self {
        Self { node, trace: None }
    }

    /// A component schema.
    pub(super) fn component(node: &'a Node, name: &str) -> Self {
        Self::at(
            node,
            &format!("/components/schemas/{}", escape_pointer(name)),
        )
    }

    /// The schema at a pointer.
    pub(super) fn at(node: &'a Node, pointer: &str) -> Self {
        let trace = Some(Rc::new(Trace::Pointer(pointer.into())));
        Self { node, trace }
    }

    fn step(&self, node: &'a Node, step: impl FnOnce(Rc<Trace<'a>>) -> Trace<'a>) -> Self {
        let trace = self.trace.clone().map(|trace| Rc::new(step(trace)));
        Self { node, trace }
    }

    /// The schema of a keyword.
    pub(super) fn key(&self, key: &'static str, node: &'a Node) -> Self {
        self.step(node, |trace| Trace::Key(trace, key))
    }

    /// The schema of a name under a keyword.
    pub(super) fn member(&self, key: &'static str, name: &'a str, node: &'a Node) -> Self {
        self.step(node, |trace| Trace::Member(trace, key, name))
    }

    /// A schema of the array of a keyword.
    pub(super) fn item(&self, key: &'static str, at: usize, node: &'a Node) -> Self {
        self.step(node, |trace| Trace::Item(trace, key, at))
    }

    /// The target of a reference.
    pub(super) fn target(&self, node: &'a Node, pointer: &str) -> Self {
        match self.trace {
            Some(_) => Self::at(node, pointer),
            None => Self::unknown(node),
        }
    }

    fn pointer(&self) -> Option<SchemaRef> {
        let mut out = String::new();
        self.trace.as_ref()?.write(&mut out);
        Some(SchemaRef::new(out))
    }
}

/// Maximum number of hops from a schema to the one with its properties.
const MAX_HOPS: usize = 32;

/// The location of the schema that has the properties: behind references, arrays and `allOf`s of
/// one schema, so that equal content has one location.
pub(super) fn inner_path(root: &Node, seeds: &[TracedSchema<'_>]) -> SchemaPath {
    let parts = match seeds {
        [only] => innermost(root, only).pointer().map(|part| vec![part]),
        several => several.iter().map(TracedSchema::pointer).collect(),
    };
    SchemaPath {
        parts: parts.unwrap_or_default(),
    }
}

fn innermost<'a>(root: &'a Node, seed: &TracedSchema<'a>) -> TracedSchema<'a> {
    let mut now = seed.clone();
    for _ in 0..MAX_HOPS {
        let Some(next) = only_branch(root, &now) else {
            break;
        };
        now = next;
    }
    now
}

/// The only subschema that has the content, if the schema itself has none.
fn only_branch<'a>(root: &'a Node, seed: &TracedSchema<'a>) -> Option<TracedSchema<'a>> {
    const KEYWORDS: [&str; 6] = [
        "properties",
        "patternProperties",
        "prefixItems",
        "discriminator",
        "required",
        "dependentSchemas",
    ];
    let object = seed.node.as_object()?;
    let compound = |key: &str| {
        object
            .get(key)
            .is_some_and(|node| node.as_object().is_some())
    };
    if KEYWORDS.iter().any(|key| object.get(key).is_some()) || compound("additionalProperties") {
        return None;
    }
    let mut branches = Vec::new();
    if let Some(reference) = reference::of(seed.node) {
        let (node, pointer) = reference::target(root, reference).ok()?;
        branches.push(seed.target(node, &pointer));
    }
    if let Some(items) = object.get("items") {
        branches.push(seed.key("items", items));
    }
    for key in ["allOf", "oneOf", "anyOf"] {
        let list = object.get(key).and_then(Node::as_array).unwrap_or_default();
        for (at, node) in list.iter().enumerate().take(4) {
            let null = key != "allOf" && is_null(reference::resolve(root, node));
            if !null {
                branches.push(seed.item(key, at, node));
            }
        }
        // Only the first items of a long list were visited.
        if list.len() > 4 {
            return None;
        }
    }
    match branches.as_slice() {
        [only] if only.node.as_object().is_some() => Some(only.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::document;

    fn path(parts: &[&str]) -> SchemaPath {
        SchemaPath {
            parts: parts.iter().map(|part| SchemaRef::new(*part)).collect(),
        }
    }

    #[test]
    fn every_schema_path_round_trips() {
        let document = document(
            "{\"openapi\": \"3.1.0\", \"info\": {\"title\": \"T\", \"version\": \"1\"}, \"paths\": {}, \"components\": {\"schemas\": {\"A\": {\"properties\": {\"\": {}, \".\": {}, \"..\": {}, \"+\": {}, \"a/b~c\": {}, \"~2\": {}, \"x\\\\y\": {}}}}}}",
        );
        let base = "/components/schemas/A/properties";
        let keys = ["", ".", "..", "+", "a~1b~0c", "~02", "x\\y"];
        let mut url_paths = Vec::new();
        for key in keys {
            for schema_path in [
                path(&[&format!("{base}/{key}")]),
                path(&[&format!("{base}/{key}"), "/components/schemas/A"]),
            ] {
                let url_path = schema_path.to_url_path().expect("it has one");
                assert!(
                    !url_path.contains('\\')
                        && url_path
                            .split('/')
                            .all(|part| !matches!(part, "" | "." | "..")),
                    "{url_path}"
                );
                assert_eq!(
                    SchemaPath::from_url_path(&document, &url_path),
                    Some(schema_path),
                    "{url_path}"
                );
                url_paths.push(url_path);
            }
        }
        let count = url_paths.len();
        url_paths.sort();
        url_paths.dedup();
        assert_eq!(url_paths.len(), count);
    }

    #[test]
    fn paths_without_a_schema_are_none() {
        let document = document(
            "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents: {schemas: {A: {type: string}}}\n",
        );
        let read = |url_path: &str| SchemaPath::from_url_path(&document, url_path);
        assert!(read("components/schemas/A").is_some());
        for invalid in [
            "",
            "/",
            "components/schemas/B",
            "components/schemas/A/type",
            "components/schemas/A/",
            "components/schemas/A/+",
            "+/components/schemas/A",
            "/components/schemas/A",
            &"components/".repeat(1_000),
        ] {
            assert_eq!(read(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn titles_come_from_the_document() {
        let title = |pointer: &str| path(&[pointer]).title();
        assert_eq!(title("/components/schemas/Pet"), "Pet");
        assert_eq!(
            title("/components/schemas/Pet/properties/tags/items"),
            "tags"
        );
        assert_eq!(title("/components/schemas/Pet/allOf/1"), "Pet");
    }
}
