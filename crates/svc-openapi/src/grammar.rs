//! The grammar of OpenAPI documents: the objects of 3.0, 3.1 and 3.2 as one table.
//!
//! The reader checks every object against it, and bundling walks along it, so both can tell a
//! `$ref` that is a reference from the name of a property or a part of an example.

/// The objects of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ObjectKind {
    Document,
    Info,
    Contact,
    License,
    Server,
    ServerVariable,
    Components,
    PathItem,
    Operation,
    ExternalDocs,
    Parameter,
    RequestBody,
    MediaType,
    Encoding,
    Response,
    Callback,
    Example,
    Link,
    Header,
    Tag,
    Schema,
    Discriminator,
    Xml,
    SecurityScheme,
    Flows,
    Flow,
    Requirement,
}

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldType {
    /// An object.
    One(ObjectKind),
    /// An array of objects.
    List(ObjectKind),
    /// An object from names to objects.
    Map(ObjectKind),
    /// A string.
    Text,
    /// An array of strings.
    Texts,
    /// A boolean.
    Flag,
    /// A number.
    Number,
    /// A non-negative integer.
    Count,
    /// An array of any values.
    Values,
    /// A string or an array of strings.
    TextOrTexts,
    /// A number, or the boolean of version 3.0.
    Limit,
    /// An object from names to strings.
    TextMap,
    /// Any value, also one that is not part of the grammar.
    Data,
}

impl FieldType {
    /// The expected type with its article.
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::One(ObjectKind::Schema) => "an object (a schema) or a boolean",
            Self::One(_) | Self::Map(_) => "an object",
            Self::List(_) | Self::Values => "an array",
            Self::Text => "a string",
            Self::Texts => "an array of strings",
            Self::Flag => "`true` or `false`",
            Self::Number | Self::Limit => "a number",
            Self::Count => "a non-negative integer",
            Self::TextOrTexts => "a string or an array of strings",
            Self::TextMap => "an object whose values are strings",
            Self::Data => "anything",
        }
    }
}

/// When a field is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Never.
    Optional,
    /// In every version.
    Always,
    /// In version 3.0.
    Old,
    /// Before version 3.2.
    BeforeNew,
}

/// A field: name, type, presence.
pub(crate) type Field = (&'static str, FieldType, Presence);

use FieldType::{
    Count, Data, Flag, Limit, List, Map, Number, One, Text, TextMap, TextOrTexts, Texts, Values,
};
use Presence::{Always, BeforeNew, Old, Optional};

impl ObjectKind {
    /// The fields of the object, frequent ones first.
    pub(crate) const fn fields(self) -> &'static [Field] {
        match self {
            Self::Document => &DOCUMENT,
            Self::Info => &INFO,
            Self::Contact => &[
                ("name", Text, Optional),
                ("url", Text, Optional),
                ("email", Text, Optional),
            ],
            Self::License => &[
                ("name", Text, Always),
                ("identifier", Text, Optional),
                ("url", Text, Optional),
            ],
            Self::Server => &SERVER,
            Self::ServerVariable => &[
                ("enum", Values, Optional),
                ("default", Text, Optional),
                ("description", Text, Optional),
            ],
            Self::Components => &COMPONENTS,
            Self::PathItem => &PATH_ITEM,
            Self::Operation => &OPERATION,
            Self::ExternalDocs => &[("url", Text, Always), ("description", Text, Optional)],
            Self::Parameter => &PARAMETER,
            Self::RequestBody => &REQUEST_BODY,
            Self::MediaType => &MEDIA_TYPE,
            Self::Encoding => &ENCODING,
            Self::Response => &RESPONSE,
            Self::Example => &EXAMPLE,
            Self::Link => &LINK,
            Self::Header => &HEADER,
            Self::Tag => &TAG,
            Self::Schema => &SCHEMA,
            Self::Discriminator => &DISCRIMINATOR,
            Self::Xml => &XML,
            Self::SecurityScheme => &SECURITY_SCHEME,
            Self::Flows => &FLOWS,
            Self::Flow => &FLOW,
            // Their keys are names.
            Self::Callback | Self::Requirement => &[],
        }
    }

    /// The type of keys that are not fields.
    pub(crate) const fn additional(self) -> Option<FieldType> {
        match self {
            Self::Callback => Some(One(Self::PathItem)),
            Self::Requirement => Some(Data),
            // A schema may have any additional keyword.
            Self::Schema => Some(Data),
            _ => None,
        }
    }

    /// The field with this name.
    pub(crate) fn field(self, name: &str) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.0 == name)
    }

    /// The key under `components` for such objects.
    pub(crate) const fn section(self) -> Option<&'static str> {
        Some(match self {
            Self::Schema => "schemas",
            Self::Response => "responses",
            Self::Parameter => "parameters",
            Self::Example => "examples",
            Self::RequestBody => "requestBodies",
            Self::Header => "headers",
            Self::SecurityScheme => "securitySchemes",
            Self::Link => "links",
            Self::Callback => "callbacks",
            Self::PathItem => "pathItems",
            Self::MediaType => "mediaTypes",
            _ => return None,
        })
    }

    /// The name with its article, for messages.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Document => "the document",
            Self::Info => "`info`",
            Self::Contact => "`contact`",
            Self::License => "`license`",
            Self::Server => "a server",
            Self::ServerVariable => "a server variable",
            Self::Components => "`components`",
            Self::PathItem => "a path item",
            Self::Operation => "an operation",
            Self::ExternalDocs => "`externalDocs`",
            Self::Parameter => "a parameter",
            Self::RequestBody => "a request body",
            Self::MediaType => "a media type",
            Self::Encoding => "an encoding",
            Self::Response => "a response",
            Self::Callback => "a callback",
            Self::Example => "an example",
            Self::Link => "a link",
            Self::Header => "a header",
            Self::Tag => "a tag",
            Self::Schema => "a schema",
            Self::Discriminator => "a discriminator",
            Self::Xml => "`xml`",
            Self::SecurityScheme => "a security scheme",
            Self::Flows => "`flows`",
            Self::Flow => "a flow",
            Self::Requirement => "a requirement",
        }
    }
}

static DOCUMENT: [Field; 12] = [
    ("paths", Map(ObjectKind::PathItem), Optional),
    ("components", One(ObjectKind::Components), Optional),
    ("webhooks", Map(ObjectKind::PathItem), Optional),
    ("x-webhooks", Map(ObjectKind::PathItem), Optional),
    ("openapi", Data, Optional),
    ("info", One(ObjectKind::Info), Optional),
    ("servers", List(ObjectKind::Server), Optional),
    ("tags", List(ObjectKind::Tag), Optional),
    ("security", List(ObjectKind::Requirement), Optional),
    ("externalDocs", One(ObjectKind::ExternalDocs), Optional),
    ("jsonSchemaDialect", Text, Optional),
    ("$self", Text, Optional),
];

static INFO: [Field; 7] = [
    ("title", Text, Optional),
    ("version", Data, Always),
    ("description", Text, Optional),
    ("summary", Text, Optional),
    ("termsOfService", Text, Optional),
    ("contact", One(ObjectKind::Contact), Optional),
    ("license", One(ObjectKind::License), Optional),
];

static SERVER: [Field; 4] = [
    ("url", Text, Always),
    ("description", Text, Optional),
    ("variables", Map(ObjectKind::ServerVariable), Optional),
    ("name", Text, Optional),
];

static COMPONENTS: [Field; 11] = [
    ("schemas", Map(ObjectKind::Schema), Optional),
    ("responses", Map(ObjectKind::Response), Optional),
    ("parameters", Map(ObjectKind::Parameter), Optional),
    ("examples", Map(ObjectKind::Example), Optional),
    ("requestBodies", Map(ObjectKind::RequestBody), Optional),
    ("headers", Map(ObjectKind::Header), Optional),
    ("securitySchemes", Map(ObjectKind::SecurityScheme), Optional),
    ("links", Map(ObjectKind::Link), Optional),
    ("callbacks", Map(ObjectKind::Callback), Optional),
    ("pathItems", Map(ObjectKind::PathItem), Optional),
    ("mediaTypes", Map(ObjectKind::MediaType), Optional),
];

static PATH_ITEM: [Field; 15] = [
    ("get", One(ObjectKind::Operation), Optional),
    ("post", One(ObjectKind::Operation), Optional),
    ("put", One(ObjectKind::Operation), Optional),
    ("delete", One(ObjectKind::Operation), Optional),
    ("patch", One(ObjectKind::Operation), Optional),
    ("parameters", List(ObjectKind::Parameter), Optional),
    ("$ref", Text, Optional),
    ("summary", Text, Optional),
    ("description", Text, Optional),
    ("servers", List(ObjectKind::Server), Optional),
    ("options", One(ObjectKind::Operation), Optional),
    ("head", One(ObjectKind::Operation), Optional),
    ("trace", One(ObjectKind::Operation), Optional),
    ("query", One(ObjectKind::Operation), Optional),
    ("additionalOperations", Map(ObjectKind::Operation), Optional),
];

static OPERATION: [Field; 13] = [
    ("responses", Map(ObjectKind::Response), Old),
    ("parameters", List(ObjectKind::Parameter), Optional),
    ("summary", Text, Optional),
    ("description", Text, Optional),
    ("operationId", Text, Optional),
    ("tags", Texts, Optional),
    ("requestBody", One(ObjectKind::RequestBody), Optional),
    ("security", List(ObjectKind::Requirement), Optional),
    ("deprecated", Flag, Optional),
    ("externalDocs", One(ObjectKind::ExternalDocs), Optional),
    ("callbacks", Map(ObjectKind::Callback), Optional),
    ("servers", List(ObjectKind::Server), Optional),
    ("$ref", Text, Optional),
];

static PARAMETER: [Field; 14] = [
    ("$ref", Text, Optional),
    ("name", Text, Optional),
    ("in", Text, Optional),
    ("schema", One(ObjectKind::Schema), Optional),
    ("required", Flag, Optional),
    ("description", Text, Optional),
    ("deprecated", Flag, Optional),
    ("allowEmptyValue", Flag, Optional),
    ("style", Text, Optional),
    ("explode", Flag, Optional),
    ("allowReserved", Flag, Optional),
    ("example", Data, Optional),
    ("examples", Map(ObjectKind::Example), Optional),
    ("content", Map(ObjectKind::MediaType), Optional),
];

static REQUEST_BODY: [Field; 5] = [
    ("$ref", Text, Optional),
    ("content", Map(ObjectKind::MediaType), Always),
    ("description", Text, Optional),
    ("required", Flag, Optional),
    ("summary", Text, Optional),
];

static MEDIA_TYPE: [Field; 10] = [
    ("schema", One(ObjectKind::Schema), Optional),
    ("example", Data, Optional),
    ("examples", Map(ObjectKind::Example), Optional),
    ("encoding", Map(ObjectKind::Encoding), Optional),
    ("itemSchema", One(ObjectKind::Schema), Optional),
    ("prefixEncoding", List(ObjectKind::Encoding), Optional),
    ("itemEncoding", One(ObjectKind::Encoding), Optional),
    ("$ref", Text, Optional),
    ("summary", Text, Optional),
    ("description", Text, Optional),
];

static ENCODING: [Field; 8] = [
    ("contentType", Text, Optional),
    ("headers", Map(ObjectKind::Header), Optional),
    ("style", Text, Optional),
    ("explode", Flag, Optional),
    ("allowReserved", Flag, Optional),
    ("encoding", Map(ObjectKind::Encoding), Optional),
    ("prefixEncoding", List(ObjectKind::Encoding), Optional),
    ("itemEncoding", One(ObjectKind::Encoding), Optional),
];

static RESPONSE: [Field; 6] = [
    ("$ref", Text, Optional),
    ("description", Text, BeforeNew),
    ("content", Map(ObjectKind::MediaType), Optional),
    ("headers", Map(ObjectKind::Header), Optional),
    ("links", Map(ObjectKind::Link), Optional),
    ("summary", Text, Optional),
];

static EXAMPLE: [Field; 7] = [
    ("$ref", Text, Optional),
    ("value", Data, Optional),
    ("summary", Text, Optional),
    ("description", Text, Optional),
    ("externalValue", Text, Optional),
    ("dataValue", Data, Optional),
    ("serializedValue", Text, Optional),
];

static LINK: [Field; 8] = [
    ("$ref", Text, Optional),
    ("operationRef", Text, Optional),
    ("operationId", Text, Optional),
    ("parameters", Data, Optional),
    ("requestBody", Data, Optional),
    ("description", Text, Optional),
    ("server", One(ObjectKind::Server), Optional),
    ("summary", Text, Optional),
];

static HEADER: [Field; 12] = [
    ("$ref", Text, Optional),
    ("description", Text, Optional),
    ("schema", One(ObjectKind::Schema), Optional),
    ("required", Flag, Optional),
    ("deprecated", Flag, Optional),
    ("example", Data, Optional),
    ("examples", Map(ObjectKind::Example), Optional),
    ("style", Text, Optional),
    ("explode", Flag, Optional),
    ("content", Map(ObjectKind::MediaType), Optional),
    ("allowEmptyValue", Flag, Optional),
    ("allowReserved", Flag, Optional),
];

static TAG: [Field; 6] = [
    ("name", Text, Always),
    ("description", Text, Optional),
    ("externalDocs", One(ObjectKind::ExternalDocs), Optional),
    ("summary", Text, Optional),
    ("parent", Text, Optional),
    ("kind", Text, Optional),
];

static SCHEMA: [Field; 62] = [
    ("type", TextOrTexts, Optional),
    ("description", Text, Optional),
    ("$ref", Text, Optional),
    ("properties", Map(ObjectKind::Schema), Optional),
    ("example", Data, Optional),
    ("items", One(ObjectKind::Schema), Optional),
    ("required", Texts, Optional),
    ("enum", Values, Optional),
    ("format", Text, Optional),
    ("title", Text, Optional),
    ("nullable", Flag, Optional),
    ("default", Data, Optional),
    ("allOf", List(ObjectKind::Schema), Optional),
    ("anyOf", List(ObjectKind::Schema), Optional),
    ("oneOf", List(ObjectKind::Schema), Optional),
    ("additionalProperties", One(ObjectKind::Schema), Optional),
    ("examples", Data, Optional),
    ("minimum", Number, Optional),
    ("maximum", Number, Optional),
    ("minLength", Count, Optional),
    ("maxLength", Count, Optional),
    ("pattern", Text, Optional),
    ("readOnly", Flag, Optional),
    ("writeOnly", Flag, Optional),
    ("deprecated", Flag, Optional),
    ("minItems", Count, Optional),
    ("maxItems", Count, Optional),
    ("uniqueItems", Flag, Optional),
    ("const", Data, Optional),
    ("discriminator", One(ObjectKind::Discriminator), Optional),
    ("exclusiveMinimum", Limit, Optional),
    ("exclusiveMaximum", Limit, Optional),
    ("multipleOf", Number, Optional),
    ("minProperties", Count, Optional),
    ("maxProperties", Count, Optional),
    ("externalDocs", One(ObjectKind::ExternalDocs), Optional),
    ("xml", One(ObjectKind::Xml), Optional),
    ("not", One(ObjectKind::Schema), Optional),
    ("patternProperties", Map(ObjectKind::Schema), Optional),
    ("prefixItems", List(ObjectKind::Schema), Optional),
    ("contentMediaType", Text, Optional),
    ("contentEncoding", Text, Optional),
    ("contentSchema", One(ObjectKind::Schema), Optional),
    ("if", One(ObjectKind::Schema), Optional),
    ("then", One(ObjectKind::Schema), Optional),
    ("else", One(ObjectKind::Schema), Optional),
    ("$defs", Map(ObjectKind::Schema), Optional),
    ("definitions", Map(ObjectKind::Schema), Optional),
    ("contains", One(ObjectKind::Schema), Optional),
    ("minContains", Count, Optional),
    ("maxContains", Count, Optional),
    ("propertyNames", One(ObjectKind::Schema), Optional),
    ("dependentRequired", Data, Optional),
    ("dependentSchemas", Map(ObjectKind::Schema), Optional),
    ("unevaluatedItems", One(ObjectKind::Schema), Optional),
    ("unevaluatedProperties", One(ObjectKind::Schema), Optional),
    ("$comment", Text, Optional),
    ("$id", Text, Optional),
    ("$schema", Text, Optional),
    ("$anchor", Text, Optional),
    ("$dynamicAnchor", Text, Optional),
    ("$dynamicRef", Text, Optional),
];

static DISCRIMINATOR: [Field; 3] = [
    ("propertyName", Text, Always),
    ("mapping", TextMap, Optional),
    ("defaultMapping", Text, Optional),
];

static XML: [Field; 6] = [
    ("name", Text, Optional),
    ("namespace", Text, Optional),
    ("prefix", Text, Optional),
    ("attribute", Flag, Optional),
    ("wrapped", Flag, Optional),
    ("nodeType", Text, Optional),
];

static SECURITY_SCHEME: [Field; 11] = [
    ("$ref", Text, Optional),
    ("type", Text, Always),
    ("description", Text, Optional),
    ("name", Text, Optional),
    ("in", Text, Optional),
    ("scheme", Text, Optional),
    ("bearerFormat", Text, Optional),
    ("flows", One(ObjectKind::Flows), Optional),
    ("openIdConnectUrl", Text, Optional),
    ("oauth2MetadataUrl", Text, Optional),
    ("deprecated", Flag, Optional),
];

static FLOWS: [Field; 5] = [
    ("authorizationCode", One(ObjectKind::Flow), Optional),
    ("clientCredentials", One(ObjectKind::Flow), Optional),
    ("implicit", One(ObjectKind::Flow), Optional),
    ("password", One(ObjectKind::Flow), Optional),
    ("deviceAuthorization", One(ObjectKind::Flow), Optional),
];

static FLOW: [Field; 5] = [
    ("authorizationUrl", Text, Optional),
    ("tokenUrl", Text, Optional),
    ("refreshUrl", Text, Optional),
    ("scopes", TextMap, Always),
    ("deviceAuthorizationUrl", Text, Optional),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_names_are_unique_and_each_section_is_a_field_of_components() {
        let kinds = [
            ObjectKind::Document,
            ObjectKind::Info,
            ObjectKind::Server,
            ObjectKind::Components,
            ObjectKind::PathItem,
            ObjectKind::Operation,
            ObjectKind::Parameter,
            ObjectKind::RequestBody,
            ObjectKind::MediaType,
            ObjectKind::Encoding,
            ObjectKind::Response,
            ObjectKind::Example,
            ObjectKind::Link,
            ObjectKind::Header,
            ObjectKind::Tag,
            ObjectKind::Schema,
            ObjectKind::SecurityScheme,
            ObjectKind::Flows,
            ObjectKind::Flow,
            ObjectKind::Xml,
            ObjectKind::Discriminator,
        ];
        for kind in kinds {
            for (at, field) in kind.fields().iter().enumerate() {
                let first = kind.fields().iter().position(|other| other.0 == field.0);
                assert_eq!(first, Some(at), "{kind:?} {}", field.0);
            }
            if let Some(section) = kind.section() {
                let field = ObjectKind::Components
                    .field(section)
                    .expect("it is kept there");
                assert_eq!(field.1, Map(kind), "{section}");
            }
        }
    }
}
