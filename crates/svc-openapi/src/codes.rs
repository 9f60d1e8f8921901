//! The codes of this crate.

use svc_diagnostics::Code;

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $severity:ident($id:literal, $summary:literal);)*) => {
        $($(#[doc = $doc])* pub(crate) static $name: Code = Code::$severity($id, $summary);)*
        /// All codes of this crate.
        pub static CODES: &[&Code] = &[$(&$name),*];
    };
}

codes! {
    /// The root is not an object.
    NOT_AN_OBJECT = error("openapi-not-an-object", "an OpenAPI document is an object");
    /// There is no `openapi` key.
    NO_VERSION = error("openapi-no-version", "an OpenAPI document names its version in `openapi`");
    /// A version that is not read.
    BAD_VERSION = error("openapi-bad-version", "OpenAPI 3.0, 3.1 and 3.2 are read");
    /// Swagger 2.0.
    SWAGGER_2 = error("openapi-swagger-2", "documents of version 2.0 have to be converted");
    /// A text that was written as a number, or a version after 3.2.
    VERSION_TEXT = warning("openapi-version-text", "versions are strings such as \"3.1.0\"");
    /// `info` is missing.
    NO_INFO = error("openapi-no-info", "a document has `info` with `title` and `version`");
    /// Nothing to document.
    NO_PATHS = error("openapi-no-paths", "a document has `paths`, or `webhooks` since version 3.1");
    /// A part of the wrong type.
    WRONG_TYPE = error("openapi-wrong-type", "a part of the document has the wrong type");
    /// A key that the standard does not know there.
    UNKNOWN_KEY = warning("openapi-unknown-key", "objects have the keys of the standard, or `x-…`");
    /// A field that is required.
    MISSING_FIELD = warning("openapi-missing-field", "required fields are there");
    /// A `type` that is none.
    SCHEMA_TYPE = warning("openapi-schema-type", "the type of a schema is one of seven words");
    /// Two paths that are the same but for the names of their parameters.
    SAME_PATH = warning("openapi-same-path", "paths differ in more than the names of parameters");
    /// A parameter that stands twice in a list.
    SAME_PARAMETER = warning("openapi-same-parameter", "a list names each parameter once");
    /// A style that does not fit the place.
    STYLE = warning("openapi-style", "a style fits the place of its parameter");
    /// A path without a slash.
    PATH_SLASH = warning("openapi-path-slash", "paths begin with a slash");
    /// Webhooks before 3.1.
    WEBHOOKS_VERSION = warning("openapi-webhooks-version", "webhooks need version 3.1 or later");
    /// A parameter that cannot be used.
    BAD_PARAMETER = error("openapi-bad-parameter", "a parameter has a name and a place");
    /// A parameter in the template that is not declared.
    PATH_PARAMETER = warning("openapi-path-parameter", "every `{name}` in a path is declared");
    /// A declared path parameter that is not in the template.
    UNUSED_PATH_PARAMETER =
        warning("openapi-unused-path-parameter", "a path parameter stands in the path");
    /// A header parameter that other parts of the document describe.
    IGNORED_HEADER = info("openapi-ignored-header",
        "`Accept`, `Content-Type` and `Authorization` are not parameters");
    /// A key under `responses` that is no status.
    BAD_STATUS = warning("openapi-bad-status", "responses are named by status, range or `default`");
    /// YAML status keys without quotes.
    UNQUOTED_STATUS = info("openapi-unquoted-status", "status codes are strings");
    /// A requirement of a scheme that is not declared.
    UNKNOWN_SCHEME = warning("openapi-unknown-scheme", "security names declared schemes");
    /// A scheme that cannot be read.
    BAD_SCHEME = error("openapi-bad-scheme", "a security scheme says what it is");
    /// A server address without host.
    RELATIVE_SERVER = info("openapi-relative-server", "server addresses name a host");
    /// A variable of a server that is not declared or has no value.
    SERVER_VARIABLE = warning("openapi-server-variable",
        "variables of servers are declared and have a default");
    /// A tag that is declared twice, or whose parent is not.
    TAG = warning("openapi-tag", "tags are declared once, and so are their parents");
    /// Two operations with one id.
    OPERATION_ID = warning("openapi-operation-id", "an `operationId` is unique");
    /// A reference to another file.
    EXTERNAL_REF = error("openapi-external-ref", "references stay inside the document");
    /// A reference that leads nowhere.
    UNRESOLVED_REF = error("openapi-unresolved-ref", "references lead somewhere");
    /// A reference to itself.
    REF_CYCLE = error("openapi-ref-cycle", "a reference does not lead back to itself");
    /// A cycle of `allOf`.
    ALL_OF_CYCLE = error("openapi-all-of-cycle", "a schema is not part of its own `allOf`");
    /// A bundle that grows without end.
    BUNDLE_LIMIT = error("openapi-bundle-limit", "a bundled document has a size");
    /// Types in `allOf` that contradict each other.
    CONFLICT = warning("openapi-conflict", "parts of an `allOf` have types in common");
    /// Keys beside `$ref` in 3.0.
    REF_SIBLINGS = info("openapi-ref-siblings", "version 3.0 knows no keys beside `$ref`");
    /// Keywords of another version.
    DIALECT = warning("openapi-dialect", "keywords of version 3.0 in a later document");
    /// `x-mint` instead of `x-svc`.
    ALIAS = info("openapi-alias", "`x-mint` is read as `x-svc`");
    /// An extension with a value of the wrong type.
    EXTENSION = warning("openapi-extension", "extensions have the documented types");
}
