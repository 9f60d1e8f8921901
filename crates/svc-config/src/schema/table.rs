//! Types of the tables of keys.

use crate::decode::StringEnum;

/// The version that introduced most of the keys.
pub(super) const FIRST: &str = "0.1";

/// A key of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Property {
    pub(super) name: &'static str,
    /// Description, in Markdown.
    pub(super) description: &'static str,
    pub(super) shape: Shape,
    pub(super) required: bool,
    /// The default: JSON, or a description if it is not constant.
    pub(super) default: &'static str,
    /// Example value, as JSON.
    pub(super) example: &'static str,
    /// Rules that the shape does not express, in Markdown.
    pub(super) rule: &'static str,
    pub(super) since: &'static str,
    /// What to use instead; empty for keys that are not deprecated.
    pub(super) deprecated: &'static str,
}

/// An optional key.
pub(super) const fn key(name: &'static str, about: &'static str, shape: Shape) -> Property {
    Property {
        name,
        description: about,
        shape,
        required: false,
        default: "",
        example: "",
        rule: "",
        since: FIRST,
        deprecated: "",
    }
}

impl Property {
    pub(super) const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    pub(super) const fn default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    pub(super) const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    pub(super) const fn rule(self, rule: &'static str) -> Self {
        Self { rule, ..self }
    }

    pub(super) const fn deprecated(self, deprecated: &'static str) -> Self {
        Self { deprecated, ..self }
    }
}

/// The allowed values of a key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
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
    /// One of the values of an enumeration.
    Enum(fn() -> Vec<&'static str>),
    /// One of these values.
    OneOf(&'static [&'static str]),
    /// One of these values, or any other string with at least one visible character.
    Suggested(fn() -> Vec<&'static str>),
    /// One of these values, compared without case.
    CaseInsensitive(&'static [&'static str]),
    /// An array.
    List(&'static List),
    /// An object with known keys.
    Object(&'static Object),
    /// An object with arbitrary keys.
    Map(&'static Map),
    /// One of several shapes.
    Any(&'static [Self]),
    /// A shape that is accepted but deprecated.
    Deprecated(&'static Self, &'static str),
    /// A shared shape with a name.
    Definition(&'static Definition),
    /// The settings of the services of `integrations`.
    Services,
}

/// A string with a format.
#[derive(Debug)]
pub(super) struct Pattern {
    /// Key below `$defs`.
    pub(super) id: &'static str,
    /// Name for the type column: "hex color".
    pub(super) name: &'static str,
    pub(super) regex: fn() -> String,
    /// Hint for a string that does not match.
    pub(super) hint: &'static str,
}

/// An array.
#[derive(Debug)]
pub(super) struct List {
    pub(super) item: Shape,
    pub(super) min: usize,
    pub(super) max: Option<usize>,
    pub(super) unique: bool,
}

/// An array of any length.
pub(super) const fn list(item: Shape) -> List {
    List {
        item,
        min: 0,
        max: None,
        unique: false,
    }
}

/// An object with known keys; unknown keys are allowed, and the decoder warns of them.
#[derive(Debug)]
pub(super) struct Object {
    /// Tables of keys, so that similar objects share keys. The first of two equal keys is used.
    pub(super) keys: &'static [&'static [Property]],
    /// Rules between keys, as schemas.
    pub(super) rules: &'static [fn() -> serde_json::Value],
    /// Whether an entry with `sourceRef` needs no other key.
    pub(super) allows_source_ref: bool,
    /// Whether unknown keys are errors.
    pub(super) strict: bool,
    /// Number of tables, from the end, that the reference describes once for all elements.
    pub(super) inherited: usize,
}

/// An object without rules.
pub(super) const fn object(keys: &'static [&'static [Property]]) -> Object {
    Object {
        keys,
        rules: &[],
        allows_source_ref: false,
        strict: false,
        inherited: 0,
    }
}

impl Object {
    /// All keys, without duplicates.
    pub(super) fn properties(&self) -> Vec<&'static Property> {
        distinct(self.keys)
    }

    /// The keys that are described with this object.
    pub(super) fn own_properties(&self) -> Vec<&'static Property> {
        let own = self.keys.len().saturating_sub(self.inherited);
        distinct(self.keys.get(..own).unwrap_or_default())
    }
}

/// The keys of several tables, without duplicates.
fn distinct(tables: &'static [&'static [Property]]) -> Vec<&'static Property> {
    let mut distinct_properties: Vec<&Property> = Vec::new();
    for property in tables.iter().copied().flatten() {
        if !distinct_properties
            .iter()
            .any(|other| other.name == property.name)
        {
            distinct_properties.push(property);
        }
    }
    distinct_properties
}

/// An object with arbitrary keys.
#[derive(Debug)]
pub(super) struct Map {
    /// Pattern of the keys.
    pub(super) names: Option<&'static str>,
    pub(super) value: Shape,
}

/// A shared shape with a name.
#[derive(Debug)]
pub(super) struct Definition {
    /// Key below `$defs`.
    pub(super) name: &'static str,
    /// Title of its section in the reference, and its description. With an empty title it is
    /// described where it is used.
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) shape: Shape,
}

/// The values of an enumeration.
pub(super) fn variants<W: StringEnum>() -> Vec<&'static str> {
    W::VARIANTS.iter().map(|word| word.as_str()).collect()
}
