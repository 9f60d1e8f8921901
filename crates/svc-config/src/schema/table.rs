//! The form of the tables: what a key is called, holds, and means.

use crate::decode::StringEnum;

/// The version that first had most of the keys.
pub(super) const FIRST: &str = "0.1";

/// One key of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Property {
    pub(super) name: &'static str,
    /// What it means, in Markdown.
    pub(super) description: &'static str,
    pub(super) shape: Shape,
    pub(super) required: bool,
    /// The value without the key, as JSON or, where it is no constant, in words.
    pub(super) default: &'static str,
    /// A value, as JSON.
    pub(super) example: &'static str,
    /// What the shape does not say, in Markdown.
    pub(super) rule: &'static str,
    pub(super) since: &'static str,
    /// What to do instead; empty for keys that are in use.
    pub(super) deprecated: &'static str,
}

/// A key that may be missing.
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

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// Any value; it has no effect.
    Anything,
    /// Any string.
    Text,
    /// A string with at least one visible character.
    NonEmpty,
    /// A string that a pattern describes.
    Pattern(&'static Pattern),
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A number, a boolean or null.
    Scalar,
    /// One of the words that the decoder knows.
    Enum(fn() -> Vec<&'static str>),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// One of these words, or another string with at least one visible character.
    Suggested(fn() -> Vec<&'static str>),
    /// One of these words however it is capitalised.
    CaseInsensitive(&'static [&'static str]),
    /// An array.
    List(&'static List),
    /// An object with known keys.
    Object(&'static Object),
    /// An object whose keys are the site's own.
    Map(&'static Map),
    /// One of several shapes.
    Any(&'static [Self]),
    /// A shape that is understood but should not be written any more.
    Deprecated(&'static Self, &'static str),
    /// A shape with a name, which is described once.
    Definition(&'static Definition),
    /// The settings of the services that `integrations` knows.
    Services,
}

/// A string with a form.
#[derive(Debug)]
pub(super) struct Pattern {
    /// Key below `$defs`.
    pub(super) id: &'static str,
    /// What it is, for the column of types: "hex colour".
    pub(super) name: &'static str,
    pub(super) regex: fn() -> String,
    /// What to write instead of a string that does not match.
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

/// An object with known keys; others are allowed, the decoder warns of them.
#[derive(Debug)]
pub(super) struct Object {
    /// Several tables, so that like objects share their keys; of two like keys the first counts.
    pub(super) keys: &'static [&'static [Property]],
    /// What one key demands of another, as schemas.
    pub(super) rules: &'static [fn() -> serde_json::Value],
    /// Whether an entry with `sourceRef` need not say anything else.
    pub(super) allows_source_ref: bool,
    /// Whether unknown keys are errors.
    pub(super) strict: bool,
    /// How many tables, from the end, the reference describes once for all elements.
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
    /// All keys, each once.
    pub(super) fn properties(&self) -> Vec<&'static Property> {
        distinct(self.keys)
    }

    /// The keys that are described with this object.
    pub(super) fn own_properties(&self) -> Vec<&'static Property> {
        let own = self.keys.len().saturating_sub(self.inherited);
        distinct(self.keys.get(..own).unwrap_or_default())
    }
}

/// The keys of several tables, each once.
fn distinct(tables: &'static [&'static [Property]]) -> Vec<&'static Property> {
    let mut found: Vec<&Property> = Vec::new();
    for property in tables.iter().copied().flatten() {
        if !found.iter().any(|other| other.name == property.name) {
            found.push(property);
        }
    }
    found
}

/// An object whose keys are the site's own.
#[derive(Debug)]
pub(super) struct Map {
    /// Pattern of the keys.
    pub(super) names: Option<&'static str>,
    pub(super) value: Shape,
}

/// A shape with a name.
#[derive(Debug)]
pub(super) struct Definition {
    /// Key below `$defs`.
    pub(super) name: &'static str,
    /// Title of its own section in the reference, and what it is; an empty title means that it is
    /// described where it is used.
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) shape: Shape,
}

/// The words of a decoder.
pub(super) fn variants<W: StringEnum>() -> Vec<&'static str> {
    W::VARIANTS.iter().map(|word| word.as_str()).collect()
}
