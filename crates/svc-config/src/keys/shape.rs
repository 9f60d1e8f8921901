//! What the JSON Schema and the reference know of keys and values.

use serde_json::Value;

/// The version that introduced most of the keys.
pub(crate) const FIRST: &str = "0.1";

/// A key of an object.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: &'static str,
    /// Description, in Markdown.
    pub(crate) description: String,
    pub(crate) shape: Shape,
    pub(crate) required: bool,
    /// The default: JSON, or a description if it is not constant.
    pub(crate) default: String,
    /// Example value, as JSON.
    pub(crate) example: &'static str,
    /// Rules that the shape does not express, in Markdown.
    pub(crate) rule: &'static str,
    pub(crate) since: &'static str,
    /// What to use instead; empty for keys that are not deprecated.
    pub(crate) deprecated: &'static str,
}

/// An optional key.
pub(crate) fn property(name: &'static str, description: &str, shape: Shape) -> Property {
    Property {
        name,
        description: description.to_owned(),
        shape,
        required: false,
        default: String::new(),
        example: "",
        rule: "",
        since: FIRST,
        deprecated: "",
    }
}

/// A key that is accepted but not implemented.
pub(crate) fn unsupported(name: &'static str, description: &str) -> Property {
    Property {
        deprecated: "Accepted, but has no effect yet.",
        ..property(name, description, Shape::Anything)
    }
}

/// The allowed values of a key.
#[derive(Debug)]
pub(crate) enum Shape {
    /// Any value; it has no effect.
    Anything,
    /// Any string.
    Text,
    /// A string with at least one visible character.
    NonEmpty,
    /// A string that matches a pattern.
    Pattern(&'static Pattern),
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A number, a boolean or null.
    Scalar,
    /// One of these values.
    OneOf(Vec<&'static str>),
    /// One of these values, or any other string with at least one visible character.
    Suggested(Vec<&'static str>),
    /// One of these values, compared without case.
    CaseInsensitive(&'static [&'static str]),
    /// An array.
    List(Box<List>),
    /// An object with known keys.
    Object(Object),
    /// An object with arbitrary keys.
    Map(Box<Map>),
    /// One of several shapes.
    Any(Vec<Self>),
    /// A shape that is accepted but deprecated, and what to use instead.
    Deprecated(Box<Self>, &'static str),
    /// A shared shape with a name. Elements contain each other, so the shape is a function.
    Definition(Definition, ShapeFn),
    /// The settings of the services of `integrations`.
    Services,
}

/// Returns the shape of a definition.
pub(crate) struct ShapeFn(pub(crate) Box<dyn Fn() -> Shape>);

impl std::fmt::Debug for ShapeFn {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("ShapeFn")
    }
}

/// A string with a format.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// Key below `$defs`.
    pub(crate) id: &'static str,
    /// Name for the type column: "hex color".
    pub(crate) name: &'static str,
    pub(crate) regex: fn() -> String,
    /// Hint for a string that does not match.
    pub(crate) hint: &'static str,
}

/// An array.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) item: Shape,
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
    pub(crate) unique: bool,
}

/// An array of any length.
pub(crate) const fn list(item: Shape) -> List {
    List {
        item,
        min: 0,
        max: None,
        unique: false,
    }
}

/// An object with known keys; unknown keys are allowed, and the decoder warns of them.
#[derive(Debug, Default)]
pub(crate) struct Object {
    /// The keys that are described with this object.
    pub(crate) keys: Vec<Property>,
    /// Further keys, which the reference describes once for all elements. Of two keys with one
    /// name the first is used.
    pub(crate) inherited: Vec<Property>,
    /// Rules between keys, as schemas.
    pub(crate) rules: Vec<Value>,
    /// Whether an entry with `sourceRef` needs no other key.
    pub(crate) allows_source_ref: bool,
    /// Whether unknown keys are errors.
    pub(crate) strict: bool,
}

impl Object {
    /// An object without rules.
    pub(crate) fn new(keys: Vec<Property>) -> Self {
        Self {
            keys,
            ..Self::default()
        }
    }

    /// All keys, without duplicates.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &Property> {
        let own = |name: &str| self.keys.iter().any(|key| key.name == name);
        let inherited = self.inherited.iter().filter(move |key| !own(key.name));
        self.keys.iter().chain(inherited)
    }
}

/// An object with arbitrary keys.
#[derive(Debug)]
pub(crate) struct Map {
    /// Pattern of the keys.
    pub(crate) names: Option<&'static str>,
    pub(crate) value: Shape,
}

/// The name of a shared shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definition {
    /// Key below `$defs`.
    pub(crate) name: &'static str,
    /// Title of its section in the reference, and its description. With an empty title it is
    /// described where it is used.
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
}

impl Definition {
    pub(crate) const fn new(
        name: &'static str,
        title: &'static str,
        description: &'static str,
    ) -> Self {
        Self {
            name,
            title,
            description,
        }
    }

    /// The definition with its shape.
    pub(crate) fn of(self, shape: impl Fn() -> Shape + 'static) -> Shape {
        Shape::Definition(self, ShapeFn(Box::new(shape)))
    }
}
