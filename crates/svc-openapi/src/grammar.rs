//! What stands where in an OpenAPI document: the objects of 3.0, 3.1 and 3.2 as one table.
//!
//! The reader checks every object against it, and bundling walks along it, so both know which
//! `$ref` is a reference and which is the name of a property or a part of an example.

/// The objects of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
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

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// An object.
    One(Kind),
    /// An array of objects.
    List(Kind),
    /// An object from names to objects.
    Map(Kind),
    /// A string.
    Text,
    /// An array of strings.
    Texts,
    /// A boolean.
    Flag,
    /// A number.
    Number,
    /// A whole number that is not negative.
    Count,
    /// An array of anything.
    Values,
    /// A string or an array of strings.
    TextOrTexts,
    /// A number, or the boolean of version 3.0.
    Limit,
    /// An object from names to strings.
    TextMap,
    /// Anything, also what is no part of the document.
    Data,
}

impl Holds {
    /// What has to be written, with article.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::One(Kind::Schema) => "an object (a schema) or a boolean",
            Self::One(_) | Self::Map(_) => "an object",
            Self::List(_) | Self::Values => "an array",
            Self::Text => "a string",
            Self::Texts => "an array of strings",
            Self::Flag => "`true` or `false`",
            Self::Number | Self::Limit => "a number",
            Self::Count => "a whole number that is not negative",
            Self::TextOrTexts => "a string or an array of strings",
            Self::TextMap => "an object whose values are strings",
            Self::Data => "anything",
        }
    }
}

/// When a field has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needed {
    /// Never.
    No,
    /// In every version.
    Always,
    /// In version 3.0.
    Old,
    /// Before version 3.2.
    BeforeNew,
}

/// A field: its name, what it holds, when it is needed.
pub(crate) type Field = (&'static str, Holds, Needed);

use Holds::{
    Count, Data, Flag, Limit, List, Map, Number, One, Text, TextMap, TextOrTexts, Texts, Values,
};
use Needed::{Always, BeforeNew, No, Old};

impl Kind {
    /// Its fields, frequent ones first.
    pub(crate) const fn fields(self) -> &'static [Field] {
        match self {
            Self::Document => &DOCUMENT,
            Self::Info => &INFO,
            Self::Contact => &[("name", Text, No), ("url", Text, No), ("email", Text, No)],
            Self::License => &[
                ("name", Text, Always),
                ("identifier", Text, No),
                ("url", Text, No),
            ],
            Self::Server => &SERVER,
            Self::ServerVariable => &[
                ("enum", Values, No),
                ("default", Text, No),
                ("description", Text, No),
            ],
            Self::Components => &COMPONENTS,
            Self::PathItem => &PATH_ITEM,
            Self::Operation => &OPERATION,
            Self::ExternalDocs => &[("url", Text, Always), ("description", Text, No)],
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

    /// What keys hold that are no fields.
    pub(crate) const fn rest(self) -> Option<Holds> {
        match self {
            Self::Callback => Some(One(Self::PathItem)),
            Self::Requirement => Some(Data),
            // Any keyword may be added to a schema.
            Self::Schema => Some(Data),
            _ => None,
        }
    }

    /// The field of this name.
    pub(crate) fn field(self, name: &str) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.0 == name)
    }

    /// The key under `components` where such objects are kept.
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

    /// With article, for messages.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Document => "the document",
            Self::Info => "`info`",
            Self::Contact => "`contact`",
            Self::License => "`license`",
            Self::Server => "a server",
            Self::ServerVariable => "a variable of a server",
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
    ("paths", Map(Kind::PathItem), No),
    ("components", One(Kind::Components), No),
    ("webhooks", Map(Kind::PathItem), No),
    ("x-webhooks", Map(Kind::PathItem), No),
    ("openapi", Data, No),
    ("info", One(Kind::Info), No),
    ("servers", List(Kind::Server), No),
    ("tags", List(Kind::Tag), No),
    ("security", List(Kind::Requirement), No),
    ("externalDocs", One(Kind::ExternalDocs), No),
    ("jsonSchemaDialect", Text, No),
    ("$self", Text, No),
];

static INFO: [Field; 7] = [
    ("title", Text, No),
    ("version", Data, Always),
    ("description", Text, No),
    ("summary", Text, No),
    ("termsOfService", Text, No),
    ("contact", One(Kind::Contact), No),
    ("license", One(Kind::License), No),
];

static SERVER: [Field; 4] = [
    ("url", Text, Always),
    ("description", Text, No),
    ("variables", Map(Kind::ServerVariable), No),
    ("name", Text, No),
];

static COMPONENTS: [Field; 11] = [
    ("schemas", Map(Kind::Schema), No),
    ("responses", Map(Kind::Response), No),
    ("parameters", Map(Kind::Parameter), No),
    ("examples", Map(Kind::Example), No),
    ("requestBodies", Map(Kind::RequestBody), No),
    ("headers", Map(Kind::Header), No),
    ("securitySchemes", Map(Kind::SecurityScheme), No),
    ("links", Map(Kind::Link), No),
    ("callbacks", Map(Kind::Callback), No),
    ("pathItems", Map(Kind::PathItem), No),
    ("mediaTypes", Map(Kind::MediaType), No),
];

static PATH_ITEM: [Field; 15] = [
    ("get", One(Kind::Operation), No),
    ("post", One(Kind::Operation), No),
    ("put", One(Kind::Operation), No),
    ("delete", One(Kind::Operation), No),
    ("patch", One(Kind::Operation), No),
    ("parameters", List(Kind::Parameter), No),
    ("$ref", Text, No),
    ("summary", Text, No),
    ("description", Text, No),
    ("servers", List(Kind::Server), No),
    ("options", One(Kind::Operation), No),
    ("head", One(Kind::Operation), No),
    ("trace", One(Kind::Operation), No),
    ("query", One(Kind::Operation), No),
    ("additionalOperations", Map(Kind::Operation), No),
];

static OPERATION: [Field; 13] = [
    ("responses", Map(Kind::Response), Old),
    ("parameters", List(Kind::Parameter), No),
    ("summary", Text, No),
    ("description", Text, No),
    ("operationId", Text, No),
    ("tags", Texts, No),
    ("requestBody", One(Kind::RequestBody), No),
    ("security", List(Kind::Requirement), No),
    ("deprecated", Flag, No),
    ("externalDocs", One(Kind::ExternalDocs), No),
    ("callbacks", Map(Kind::Callback), No),
    ("servers", List(Kind::Server), No),
    ("$ref", Text, No),
];

static PARAMETER: [Field; 14] = [
    ("$ref", Text, No),
    ("name", Text, No),
    ("in", Text, No),
    ("schema", One(Kind::Schema), No),
    ("required", Flag, No),
    ("description", Text, No),
    ("deprecated", Flag, No),
    ("allowEmptyValue", Flag, No),
    ("style", Text, No),
    ("explode", Flag, No),
    ("allowReserved", Flag, No),
    ("example", Data, No),
    ("examples", Map(Kind::Example), No),
    ("content", Map(Kind::MediaType), No),
];

static REQUEST_BODY: [Field; 5] = [
    ("$ref", Text, No),
    ("content", Map(Kind::MediaType), Always),
    ("description", Text, No),
    ("required", Flag, No),
    ("summary", Text, No),
];

static MEDIA_TYPE: [Field; 10] = [
    ("schema", One(Kind::Schema), No),
    ("example", Data, No),
    ("examples", Map(Kind::Example), No),
    ("encoding", Map(Kind::Encoding), No),
    ("itemSchema", One(Kind::Schema), No),
    ("prefixEncoding", List(Kind::Encoding), No),
    ("itemEncoding", One(Kind::Encoding), No),
    ("$ref", Text, No),
    ("summary", Text, No),
    ("description", Text, No),
];

static ENCODING: [Field; 8] = [
    ("contentType", Text, No),
    ("headers", Map(Kind::Header), No),
    ("style", Text, No),
    ("explode", Flag, No),
    ("allowReserved", Flag, No),
    ("encoding", Map(Kind::Encoding), No),
    ("prefixEncoding", List(Kind::Encoding), No),
    ("itemEncoding", One(Kind::Encoding), No),
];

static RESPONSE: [Field; 6] = [
    ("$ref", Text, No),
    ("description", Text, BeforeNew),
    ("content", Map(Kind::MediaType), No),
    ("headers", Map(Kind::Header), No),
    ("links", Map(Kind::Link), No),
    ("summary", Text, No),
];

static EXAMPLE: [Field; 7] = [
    ("$ref", Text, No),
    ("value", Data, No),
    ("summary", Text, No),
    ("description", Text, No),
    ("externalValue", Text, No),
    ("dataValue", Data, No),
    ("serializedValue", Text, No),
];

static LINK: [Field; 8] = [
    ("$ref", Text, No),
    ("operationRef", Text, No),
    ("operationId", Text, No),
    ("parameters", Data, No),
    ("requestBody", Data, No),
    ("description", Text, No),
    ("server", One(Kind::Server), No),
    ("summary", Text, No),
];

static HEADER: [Field; 12] = [
    ("$ref", Text, No),
    ("description", Text, No),
    ("schema", One(Kind::Schema), No),
    ("required", Flag, No),
    ("deprecated", Flag, No),
    ("example", Data, No),
    ("examples", Map(Kind::Example), No),
    ("style", Text, No),
    ("explode", Flag, No),
    ("content", Map(Kind::MediaType), No),
    ("allowEmptyValue", Flag, No),
    ("allowReserved", Flag, No),
];

static TAG: [Field; 6] = [
    ("name", Text, Always),
    ("description", Text, No),
    ("externalDocs", One(Kind::ExternalDocs), No),
    ("summary", Text, No),
    ("parent", Text, No),
    ("kind", Text, No),
];

static SCHEMA: [Field; 62] = [
    ("type", TextOrTexts, No),
    ("description", Text, No),
    ("$ref", Text, No),
    ("properties", Map(Kind::Schema), No),
    ("example", Data, No),
    ("items", One(Kind::Schema), No),
    ("required", Texts, No),
    ("enum", Values, No),
    ("format", Text, No),
    ("title", Text, No),
    ("nullable", Flag, No),
    ("default", Data, No),
    ("allOf", List(Kind::Schema), No),
    ("anyOf", List(Kind::Schema), No),
    ("oneOf", List(Kind::Schema), No),
    ("additionalProperties", One(Kind::Schema), No),
    ("examples", Data, No),
    ("minimum", Number, No),
    ("maximum", Number, No),
    ("minLength", Count, No),
    ("maxLength", Count, No),
    ("pattern", Text, No),
    ("readOnly", Flag, No),
    ("writeOnly", Flag, No),
    ("deprecated", Flag, No),
    ("minItems", Count, No),
    ("maxItems", Count, No),
    ("uniqueItems", Flag, No),
    ("const", Data, No),
    ("discriminator", One(Kind::Discriminator), No),
    ("exclusiveMinimum", Limit, No),
    ("exclusiveMaximum", Limit, No),
    ("multipleOf", Number, No),
    ("minProperties", Count, No),
    ("maxProperties", Count, No),
    ("externalDocs", One(Kind::ExternalDocs), No),
    ("xml", One(Kind::Xml), No),
    ("not", One(Kind::Schema), No),
    ("patternProperties", Map(Kind::Schema), No),
    ("prefixItems", List(Kind::Schema), No),
    ("contentMediaType", Text, No),
    ("contentEncoding", Text, No),
    ("contentSchema", One(Kind::Schema), No),
    ("if", One(Kind::Schema), No),
    ("then", One(Kind::Schema), No),
    ("else", One(Kind::Schema), No),
    ("$defs", Map(Kind::Schema), No),
    ("definitions", Map(Kind::Schema), No),
    ("contains", One(Kind::Schema), No),
    ("minContains", Count, No),
    ("maxContains", Count, No),
    ("propertyNames", One(Kind::Schema), No),
    ("dependentRequired", Data, No),
    ("dependentSchemas", Map(Kind::Schema), No),
    ("unevaluatedItems", One(Kind::Schema), No),
    ("unevaluatedProperties", One(Kind::Schema), No),
    ("$comment", Text, No),
    ("$id", Text, No),
    ("$schema", Text, No),
    ("$anchor", Text, No),
    ("$dynamicAnchor", Text, No),
    ("$dynamicRef", Text, No),
];

static DISCRIMINATOR: [Field; 3] = [
    ("propertyName", Text, Always),
    ("mapping", TextMap, No),
    ("defaultMapping", Text, No),
];

static XML: [Field; 6] = [
    ("name", Text, No),
    ("namespace", Text, No),
    ("prefix", Text, No),
    ("attribute", Flag, No),
    ("wrapped", Flag, No),
    ("nodeType", Text, No),
];

static SECURITY_SCHEME: [Field; 11] = [
    ("$ref", Text, No),
    ("type", Text, Always),
    ("description", Text, No),
    ("name", Text, No),
    ("in", Text, No),
    ("scheme", Text, No),
    ("bearerFormat", Text, No),
    ("flows", One(Kind::Flows), No),
    ("openIdConnectUrl", Text, No),
    ("oauth2MetadataUrl", Text, No),
    ("deprecated", Flag, No),
];

static FLOWS: [Field; 5] = [
    ("authorizationCode", One(Kind::Flow), No),
    ("clientCredentials", One(Kind::Flow), No),
    ("implicit", One(Kind::Flow), No),
    ("password", One(Kind::Flow), No),
    ("deviceAuthorization", One(Kind::Flow), No),
];

static FLOW: [Field; 5] = [
    ("authorizationUrl", Text, No),
    ("tokenUrl", Text, No),
    ("refreshUrl", Text, No),
    ("scopes", TextMap, Always),
    ("deviceAuthorizationUrl", Text, No),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_object_has_two_fields_of_one_name_and_each_section_is_a_field_of_components() {
        let kinds = [
            Kind::Document,
            Kind::Info,
            Kind::Server,
            Kind::Components,
            Kind::PathItem,
            Kind::Operation,
            Kind::Parameter,
            Kind::RequestBody,
            Kind::MediaType,
            Kind::Encoding,
            Kind::Response,
            Kind::Example,
            Kind::Link,
            Kind::Header,
            Kind::Tag,
            Kind::Schema,
            Kind::SecurityScheme,
            Kind::Flows,
            Kind::Flow,
            Kind::Xml,
            Kind::Discriminator,
        ];
        for kind in kinds {
            for (at, field) in kind.fields().iter().enumerate() {
                let first = kind.fields().iter().position(|other| other.0 == field.0);
                assert_eq!(first, Some(at), "{kind:?} {}", field.0);
            }
            if let Some(section) = kind.section() {
                let field = Kind::Components.field(section).expect("it is kept there");
                assert_eq!(field.1, Map(kind), "{section}");
            }
        }
    }
}
