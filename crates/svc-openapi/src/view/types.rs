//! What a view is.

use serde_json::Value as Json;
use svc_diagnostics::Span;

use super::SchemaPath;

/// Who sends the value: `readOnly` properties are left out of requests, `writeOnly` of responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The reader of the page sends it.
    Request,
    /// The reader of the page receives it.
    Response,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Anything, or nothing is known.
    #[default]
    Any,
    /// No value fits.
    Never,
    /// `null` only.
    Null,
    /// Boolean.
    Boolean,
    /// Integer.
    Integer,
    /// Number.
    Number,
    /// String.
    String,
    /// A file: binary or base64.
    File,
    /// Object.
    Object,
    /// Array.
    Array,
    /// Several of the above; see `kind` and `variants`.
    Union,
}

impl Kind {
    /// The word shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Any | Self::Union => "any",
            Self::Never => "never",
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::File => "file",
            Self::Object => "object",
            Self::Array => "array",
        }
    }
}

/// A schema in plain form: references followed, `allOf` merged, dialects unified.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SchemaView {
    /// The type as shown, without null: `string`, `object[]`, `enum<string>`, `string | integer`.
    pub kind: String,
    /// The type.
    pub base: Kind,
    /// Also `null`.
    pub nullable: bool,
    /// Name of the component schema it was written as.
    pub ref_name: Option<String>,
    /// `title`.
    pub title: Option<String>,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// Names of required properties, those without a declared property too.
    pub required: Vec<String>,
    /// Properties in the order of the text.
    pub properties: Vec<PropertyView>,
    /// The schema of further properties (`additionalProperties`), when it says anything.
    pub additional: Option<Box<Self>>,
    /// Properties whose names fit a pattern (`patternProperties`), by the pattern.
    pub patterns: Vec<PropertyView>,
    /// Whether further properties are allowed, where written.
    pub additional_allowed: Option<bool>,
    /// The schema of the items of an array.
    pub items: Option<Box<Self>>,
    /// `prefixItems`: the schemas of the first items.
    pub prefix_items: Vec<Self>,
    /// Alternatives of `oneOf` or `anyOf`, without null. The rest of the view holds for all.
    pub variants: Vec<VariantView>,
    /// Further independent sets of alternatives, when `allOf` joins several.
    pub further_variants: Vec<Vec<VariantView>>,
    /// The property that tells variants apart.
    pub discriminator: Option<String>,
    /// `enum`, or the one value of `const`; without null when `nullable`.
    pub enum_values: Vec<Json>,
    /// `default`.
    pub default: Option<Json>,
    /// `example`, else the first of `examples`.
    pub example: Option<Json>,
    /// The second and later `examples`.
    pub further_examples: Vec<Json>,
    /// `const`.
    pub constant: Option<Json>,
    /// `x-default`: fills the field in the request builder.
    pub prefill: Option<Json>,
    /// `format`.
    pub format: Option<String>,
    /// Media type of the content of a string (`contentMediaType`).
    pub media_type: Option<String>,
    /// Limits such as `minLength`.
    pub constraints: Vec<Constraint>,
    /// Keywords that hold schemas or names, such as `not` and `dependentRequired`, as JSON.
    pub rules: Vec<Constraint>,
    /// `readOnly`.
    pub read_only: bool,
    /// `writeOnly`.
    pub write_only: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// Badges before the name (`x-svc.pre`).
    pub pre: Vec<String>,
    /// Badges after the name (`x-svc.post`).
    pub post: Vec<String>,
    /// Badges of the document's badge keys, before those of `post`.
    pub badges: Vec<String>,
    /// Types that contradict each other, when `base` is [`Kind::Never`] for that reason.
    pub conflict: Vec<String>,
    /// The schema contains itself: the name of the schema that is not expanded again here.
    pub recursive: Option<String>,
    /// Something below is left out because of a limit, or because it has a level of its own.
    pub truncated: bool,
    /// Of an outline with something inside: the place of what is inside.
    pub path: SchemaPath,
    /// Where the schema stands in the document.
    pub span: Span,
}

/// One property.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyView {
    /// Name.
    pub name: String,
    /// Whether it must be there.
    pub required: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// Its schema.
    pub schema: SchemaView,
}

/// One alternative.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantView {
    /// Title of the schema, else its component name, else its type or `Option 2`.
    pub title: String,
    /// The value of the discriminator that chooses it.
    pub discriminator_value: Option<String>,
    /// Its schema.
    pub schema: SchemaView,
}

/// A limit on a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// Keyword: `minLength`, `maximum`, `exclusiveMinimum`, `pattern`.
    pub keyword: &'static str,
    /// Its value as text.
    pub value: String,
}

impl SchemaView {
    /// The type as shown, with null: `string | null`.
    pub fn type_text(&self) -> String {
        let null = if self.nullable && self.base != Kind::Null {
            " | null"
        } else {
            ""
        };
        format!("{}{null}", self.kind)
    }

    /// The value of a constraint.
    pub fn constraint(&self, keyword: &str) -> Option<&str> {
        let found = self
            .constraints
            .iter()
            .find(|constraint| constraint.keyword == keyword);
        found.map(|constraint| constraint.value.as_str())
    }

    /// A property.
    pub fn property(&self, name: &str) -> Option<&PropertyView> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }

    /// Whether there is anything to expand below.
    pub fn has_children(&self) -> bool {
        !self.properties.is_empty()
            || !self.variants.is_empty()
            || self.additional.is_some()
            || !self.patterns.is_empty()
            || !self.prefix_items.is_empty()
            || self
                .items
                .as_ref()
                .is_some_and(|items| items.has_children())
    }
}
