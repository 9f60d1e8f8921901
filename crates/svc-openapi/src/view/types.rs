//! The data model of views.

use serde_json::Value as Json;
use svc_diagnostics::Span;

use super::SchemaPath;

/// The type of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Any value, or the type is unknown.
    #[default]
    Any,
    /// No value is allowed.
    Never,
    /// Only `null`.
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
    /// The display name of the type.
    ///
    /// Example: [`SchemaView`](crate::SchemaView#example).
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

/// A resolved schema: references resolved, `allOf` merged, dialects unified.
///
/// # Example
///
/// ```
/// # use svc_openapi::{SourceFile, parse};
/// # let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}, "components": {"schemas": {
/// #     "Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 9}}}}}}"#;
/// # let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// use svc_openapi::{Budget, Direction, Kind, schema_view, schema_view_within};
/// let node = document.schema_node("Pet").expect("it exists");
/// let view = schema_view(&document, node, Direction::Response, 3);
/// assert_eq!((view.type_text().as_str(), view.base.as_str()), ("object", "object"));
/// assert!(view.has_children());
/// let name = &view.property("name").expect("it is declared").schema;
/// assert_eq!((name.base, name.constraint("maxLength")), (Kind::String, Some("9")));
/// // The views of a page share a budget.
/// let mut budget = Budget::new(100);
/// assert_eq!(schema_view_within(&document, node, Direction::Response, 3, &mut budget), view);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SchemaView {
    /// The displayed type without null: `string`, `object[]`, `enum<string>`, `string | integer`.
    pub kind: String,
    /// The type.
    pub base: Kind,
    /// Whether `null` is allowed too.
    pub nullable: bool,
    /// Name of the component schema.
    pub ref_name: Option<String>,
    /// `title`.
    pub title: Option<String>,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// Names of required properties, including undeclared ones.
    pub required: Vec<String>,
    /// Properties in the order of the text.
    pub properties: Vec<PropertyView>,
    /// The schema of additional properties (`additionalProperties`), if it has keywords.
    pub additional: Option<Box<Self>>,
    /// Properties by the pattern of their names (`patternProperties`).
    pub patterns: Vec<PropertyView>,
    /// Whether additional properties are allowed; None if it is not declared.
    pub additional_allowed: Option<bool>,
    /// The schema of the items of an array.
    pub items: Option<Box<Self>>,
    /// `prefixItems`: the schemas of the first items.
    pub prefix_items: Vec<Self>,
    /// Alternatives of `oneOf` or `anyOf`, without null. The other fields of the view apply to all
    /// of them.
    pub variants: Vec<VariantView>,
    /// Additional independent choices, if `allOf` combines several.
    pub further_variants: Vec<Vec<VariantView>>,
    /// Name of the property that selects a variant.
    pub discriminator: Option<String>,
    /// `enum`, or the value of `const`; without null if `nullable`.
    pub enum_values: Vec<Json>,
    /// `default`.
    pub default: Option<Json>,
    /// `example`, or else the first of `examples`.
    pub example: Option<Json>,
    /// The second and later `examples`.
    pub further_examples: Vec<Json>,
    /// `const`.
    pub constant: Option<Json>,
    /// `x-default`: the initial value of the field in the playground.
    pub prefill: Option<Json>,
    /// `format`.
    pub format: Option<String>,
    /// Media type of the content of a string (`contentMediaType`).
    pub media_type: Option<String>,
    /// Limits such as `minLength`.
    pub constraints: Vec<Constraint>,
    /// Keywords with schemas or names, such as `not` and `dependentRequired`, as JSON.
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
    /// Badges of the badge keys of the document, shown before those of `post`.
    pub badges: Vec<String>,
    /// Types that exclude each other, if that is why `base` is [`Kind::Never`].
    pub conflict: Vec<String>,
    /// For a recursive schema, the name of the schema that is not expanded again.
    pub recursive: Option<String>,
    /// Whether content is left out because of a limit or because it is a level of its own.
    pub truncated: bool,
    /// For an outline with content, the path of the content.
    pub path: SchemaPath,
    /// Span of the schema in the document.
    pub span: Span,
}

/// A property of a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyView {
    /// Name, or pattern of names.
    pub name: String,
    /// Whether the property is required.
    pub required: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// The view of its schema.
    pub schema: SchemaView,
}

/// An alternative of a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantView {
    /// Title of the schema, or else its component name, or else its type or `Option 2`.
    pub title: String,
    /// The discriminator value of the variant.
    pub discriminator_value: Option<String>,
    /// The view of its schema.
    pub schema: SchemaView,
}

/// A limit on a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// Keyword: `minLength`, `maximum`, `exclusiveMinimum`, `pattern`.
    pub keyword: &'static str,
    /// Value of the keyword as text.
    pub value: String,
}

impl SchemaView {
    /// The displayed type with null: `string | null`.
    ///
    /// Example: [`SchemaView`](crate::SchemaView#example).
    pub fn type_text(&self) -> String {
        let null = if self.nullable && self.base != Kind::Null {
            " | null"
        } else {
            ""
        };
        format!("{}{null}", self.kind)
    }

    /// The value of a constraint. None if there is none with this keyword.
    ///
    /// Example: [`SchemaView`](crate::SchemaView#example).
    pub fn constraint(&self, keyword: &str) -> Option<&str> {
        let first = self
            .constraints
            .iter()
            .find(|constraint| constraint.keyword == keyword);
        first.map(|constraint| constraint.value.as_str())
    }

    /// The property with this name. None if there is none.
    ///
    /// Example: [`SchemaView`](crate::SchemaView#example).
    pub fn property(&self, name: &str) -> Option<&PropertyView> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }

    /// Whether the view has content to expand.
    ///
    /// Example: [`SchemaView`](crate::SchemaView#example).
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
