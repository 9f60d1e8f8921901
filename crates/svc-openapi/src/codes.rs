//! The codes of this crate.

use svc_diagnostics::DiagnosticCode;

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $severity:ident($id:literal, $summary:literal);)*) => {
        $($(#[doc = $doc])* pub(crate) static $name: DiagnosticCode = DiagnosticCode::$severity($id, $summary);)*
        /// All codes of this crate.
        pub static CODES: &[&DiagnosticCode] = &[$(&$name),*];
    };
}

codes! {
    /// The root is not an object.
    INVALID_ROOT = error("openapi-not-an-object", "the root of an OpenAPI document is not an object");
    /// There is no `openapi` key.
    MISSING_VERSION = error("openapi-no-version", "`openapi`, the version of the standard, is missing");
    /// A version that is not read.
    BAD_VERSION = error("openapi-bad-version", "the version is not 3.0, 3.1 or 3.2");
    /// Swagger 2.0.
    SWAGGER_2 = error("openapi-swagger-2", "the document has version 2.0 or older, which is not supported");
    /// A text that was written as a number, or a version after 3.2.
    VERSION_TEXT = warning("openapi-version-text", "a version is a number instead of a string, or newer than 3.2");
    /// `info` is missing.
    MISSING_INFO = error("openapi-no-info", "`info`, or its `title`, is missing");
    /// Nothing to document.
    MISSING_PATHS = error("openapi-no-paths", "`paths` is missing, and so is `webhooks`");
    /// A part of the wrong type.
    WRONG_TYPE = error("openapi-wrong-type", "a part of the document has the wrong type");
    /// A key that the standard does not know there.
    UNKNOWN_KEY = warning("openapi-unknown-key", "an object has a key that the standard does not define");
    /// A field that is required.
    MISSING_FIELD = warning("openapi-missing-field", "a required field is missing");
    /// A `type` that is none.
    SCHEMA_TYPE = warning("openapi-schema-type", "the `type` of a schema is not one of the seven types");
    /// Two paths that are the same but for the names of their parameters.
    SAME_PATH = warning("openapi-same-path", "two paths differ only in the names of their parameters");
    /// A parameter that stands twice in a list.
    SAME_PARAMETER = warning("openapi-same-parameter", "a parameter is listed twice");
    /// A style that does not fit the place.
    STYLE = warning("openapi-style", "the `style` of a parameter is not allowed at its location");
    /// A path without a slash.
    PATH_SLASH = warning("openapi-path-slash", "a path does not begin with a slash");
    /// Webhooks before 3.1.
    WEBHOOKS_VERSION = warning("openapi-webhooks-version", "`webhooks` is used in a document of version 3.0");
    /// A parameter that cannot be used.
    BAD_PARAMETER = error("openapi-bad-parameter", "the `name` or `in` of a parameter is missing or invalid");
    /// A parameter in the template that is not declared.
    PATH_PARAMETER = warning("openapi-path-parameter", "a `{name}` of a path is not declared as a parameter");
    /// A declared path parameter that is not in the template.
    UNUSED_PATH_PARAMETER =
        warning("openapi-unused-path-parameter", "a path parameter is not in its path");
    /// A header parameter that other parts of the document describe.
    IGNORED_HEADER = info("openapi-ignored-header",
        "`Accept`, `Content-Type` or `Authorization` is a parameter and is not shown");
    /// A key under `responses` that is no status.
    BAD_STATUS = warning("openapi-bad-status", "a key of `responses` is not a status code, a range or `default`");
    /// YAML status keys without quotes.
    UNQUOTED_STATUS = info("openapi-unquoted-status", "a status code is a number instead of a string");
    /// A requirement of a scheme that is not declared.
    UNKNOWN_SCHEME = warning("openapi-unknown-scheme", "`security` refers to a scheme that is not declared");
    /// A scheme that cannot be read.
    BAD_SCHEME = error("openapi-bad-scheme", "the `type` of a security scheme is invalid, or a field that it requires is missing");
    /// A server address without host.
    RELATIVE_SERVER = info("openapi-relative-server", "the URL of a server has no host");
    /// A variable of a server that is not declared or has no value.
    SERVER_VARIABLE = warning("openapi-server-variable",
        "a server variable is not declared or has no valid default");
    /// A tag that is declared twice, or whose parent is not.
    TAG = warning("openapi-tag", "a tag is declared twice, or its parent is not declared");
    /// Two operations with one id.
    OPERATION_ID = warning("openapi-operation-id", "`operationId` is not unique");
    /// A reference to another file.
    EXTERNAL_REF = error("openapi-external-ref", "a reference points outside of the document");
    /// A reference that leads nowhere.
    UNRESOLVED_REF = error("openapi-unresolved-ref", "the target of a reference does not exist");
    /// A reference to itself.
    REF_CYCLE = error("openapi-ref-cycle", "a reference refers to itself");
    /// A cycle of `allOf`.
    ALL_OF_CYCLE = error("openapi-all-of-cycle", "a schema refers to itself through `allOf`");
    /// A bundle that grows without end.
    BUNDLE_LIMIT = error("openapi-bundle-limit", "a bundled document exceeds the size limit");
    /// Types in `allOf` that contradict each other.
    CONFLICT = warning("openapi-conflict", "the parts of an `allOf` exclude each other");
    /// Keys beside `$ref` in 3.0.
    REF_SIBLINGS = info("openapi-ref-siblings", "`$ref` has sibling keys in a document of version 3.0");
    /// Keywords of another version.
    DIALECT = warning("openapi-dialect", "a document uses keywords of another version");
    /// `x-mint` instead of `x-svc`.
    ALIAS = info("openapi-alias", "the extension has its older name `x-mint`");
    /// `x-internal` instead of `x-hidden`.
    INTERNAL = info("openapi-internal", "an operation is hidden by `x-internal`");
    /// Webhooks of an extension.
    X_WEBHOOKS = info("openapi-x-webhooks", "webhooks under `x-webhooks` do not get pages");
    /// A map of media types without any.
    EMPTY_CONTENT = warning("openapi-empty-content", "`content` names no media type");
    /// A required name without property.
    REQUIRED_NAME = info("openapi-required-name", "`required` names a property that is not declared");
    /// An example that its schema does not allow.
    EXAMPLE = info("openapi-example", "an example does not match its schema");
    /// Nobody knows where requests go.
    MISSING_SERVERS = warning("openapi-no-servers", "`servers` is missing");
    /// An extension with a value of the wrong type.
    EXTENSION = warning("openapi-extension", "an extension has a value of the wrong type");
}
