//! Diagnostics of this crate.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $severity:ident($id:literal, $summary:literal);)*) => {
        $($(#[doc = $doc])* pub(crate) static $name: DiagnosticCode = diagnostic_code!($severity, $id, $summary);)*
        /// All diagnostics of this crate.
        pub static CODES: &[&DiagnosticCode] = &[$(&$name),*];
    };
}

codes! {
    /// The root is not an object.
    INVALID_ROOT = error("openapi-not-an-object", "the root of an OpenAPI document is not an object");
    /// The key `openapi` is missing.
    MISSING_VERSION = error("openapi-no-version", "`openapi`, the version of the standard, is missing");
    /// The version is not supported.
    BAD_VERSION = error("openapi-bad-version", "the version is not 3.0, 3.1 or 3.2");
    /// A version of Swagger before 2.0.
    SWAGGER_2 = error("openapi-swagger-2", "the document has a version of Swagger before 2.0");
    /// Swagger 2.0, read as 3.1.
    CONVERTED = info("openapi-converted", "a document of Swagger 2.0 is read as version 3.1");
    /// A document of another version is to be converted.
    UPGRADE_VERSION = error("openapi-upgrade-version", "a document of this version is not converted to 3.1");
    /// Something that 3.1 cannot express.
    UPGRADE_LOSS = warning("openapi-upgrade-loss", "a part of an older document has no equivalent in 3.1");
    /// Something that the older document does not say.
    UPGRADE_ASSUMED = info("openapi-upgrade-assumed", "a part of an older document is changed or assumed in 3.1");
    /// A string that is written as a number, or a version after 3.2.
    VERSION_TEXT = warning("openapi-version-text", "a version is a number instead of a string, or newer than 3.2");
    /// `info` is missing.
    MISSING_INFO = error("openapi-no-info", "`info`, or its `title`, is missing");
    /// There are neither paths nor webhooks.
    MISSING_PATHS = error("openapi-no-paths", "`paths` is missing, and so is `webhooks`");
    /// A part of the wrong type.
    WRONG_TYPE = error("openapi-wrong-type", "a part of the document has the wrong type");
    /// A key that the standard does not define for the object.
    UNKNOWN_KEY = warning("openapi-unknown-key", "an object has a key that the standard does not define");
    /// A required field is missing.
    MISSING_FIELD = warning("openapi-missing-field", "a required field is missing");
    /// An invalid `type`.
    SCHEMA_TYPE = warning("openapi-schema-type", "the `type` of a schema is not one of the seven types");
    /// Two paths that differ only in the names of their parameters.
    SAME_PATH = warning("openapi-same-path", "two paths differ only in the names of their parameters");
    /// A duplicate parameter in a list.
    SAME_PARAMETER = warning("openapi-same-parameter", "a parameter is listed twice");
    /// A style that is not allowed at the location of the parameter.
    STYLE = warning("openapi-style", "the `style` of a parameter is not allowed at its location");
    /// A path without a slash.
    PATH_SLASH = warning("openapi-path-slash", "a path does not begin with a slash");
    /// Webhooks before 3.1.
    WEBHOOKS_VERSION = warning("openapi-webhooks-version", "`webhooks` is used in a document of version 3.0");
    /// A parameter without a valid name or location.
    BAD_PARAMETER = error("openapi-bad-parameter", "the `name` or `in` of a parameter is missing or invalid");
    /// A parameter in the template that is not declared.
    PATH_PARAMETER = warning("openapi-path-parameter", "a `{name}` of a path is not declared as a parameter");
    /// A declared path parameter that is not in the template.
    UNUSED_PATH_PARAMETER =
        warning("openapi-unused-path-parameter", "a path parameter is not in its path");
    /// A header parameter that is described by other parts of the document.
    IGNORED_HEADER = info("openapi-ignored-header",
        "`Accept`, `Content-Type` or `Authorization` is a parameter and is not shown");
    /// A key under `responses` that is not a status.
    BAD_STATUS = warning("openapi-bad-status", "a key of `responses` is not a status code, a range or `default`");
    /// YAML status keys without quotes.
    UNQUOTED_STATUS = info("openapi-unquoted-status", "a status code is a number instead of a string");
    /// A security requirement of a scheme that is not declared.
    UNKNOWN_SCHEME = warning("openapi-unknown-scheme", "`security` refers to a scheme that is not declared");
    /// An invalid security scheme.
    BAD_SCHEME = error("openapi-bad-scheme", "the `type` of a security scheme is invalid, or a field that it requires is missing");
    /// The URL of a server without a host.
    RELATIVE_SERVER = info("openapi-relative-server", "the URL of a server has no host");
    /// A server variable that is not declared or has no valid default.
    SERVER_VARIABLE = warning("openapi-server-variable",
        "a server variable is not declared or has no valid default");
    /// A duplicate tag, or a tag whose parent is not declared.
    TAG = warning("openapi-tag", "a tag is declared twice, or its parent is not declared");
    /// Two operations with the same id.
    OPERATION_ID = warning("openapi-operation-id", "`operationId` is not unique");
    /// A reference to another file.
    EXTERNAL_REF = error("openapi-external-ref", "a reference points outside of the document");
    /// A reference without a target.
    UNRESOLVED_REF = error("openapi-unresolved-ref", "the target of a reference does not exist");
    /// A reference to itself.
    REF_CYCLE = error("openapi-ref-cycle", "a reference refers to itself");
    /// A cycle of `allOf`.
    ALL_OF_CYCLE = error("openapi-all-of-cycle", "a schema refers to itself through `allOf`");
    /// A bundle that exceeds its limits.
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
    /// Webhooks under the extension `x-webhooks`.
    X_WEBHOOKS = info("openapi-x-webhooks", "webhooks under `x-webhooks` do not get pages");
    /// A `content` without media types.
    EMPTY_CONTENT = warning("openapi-empty-content", "`content` names no media type");
    /// A required name without a property.
    REQUIRED_NAME = info("openapi-required-name", "`required` names a property that is not declared");
    /// An example that does not match its schema.
    EXAMPLE = info("openapi-example", "an example does not match its schema");
    /// No server is declared.
    MISSING_SERVERS = warning("openapi-no-servers", "`servers` is missing");
    /// A file that is not a list of MCP tools.
    TOOL_LIST = error("mcp-tool-list", "the file of an MCP server has no list of tools");
    /// A list of tools without tools.
    EMPTY_TOOLS = error("mcp-no-tools", "a list of MCP tools is empty");
    /// Too many tools.
    TOOL_LIMIT = error("mcp-tool-limit", "a list of MCP tools exceeds the maximum number");
    /// One page of a list of tools.
    TOOL_PAGES = warning("mcp-more-tools", "a list of MCP tools is only the first page of several");
    /// A tool without a name.
    BAD_TOOL = error("mcp-tool-name", "an MCP tool has no name");
    /// Two tools with the same name.
    SAME_TOOL = error("mcp-same-tool", "two MCP tools have the same name");
    /// An input schema that is missing or not that of an object.
    TOOL_INPUT = warning("mcp-tool-input", "the input of an MCP tool is not described as an object");
    /// An extension with a value of the wrong type.
    EXTENSION = warning("openapi-extension", "an extension has a value of the wrong type");
}
