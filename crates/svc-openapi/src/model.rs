//! The data model of a document.
// Long because the types of the model refer to each other.

use std::sync::Arc;

use indexmap::IndexMap;
use svc_data::{Node, at_pointer};
use svc_diagnostics::{Location, SourceFile, Span};

use crate::example::Memo;
use crate::{extension, reference};

/// An OpenAPI document.
///
/// # Example
///
/// ```
/// use svc_openapi::{SchemaRef, SourceFile, parse};
/// let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example"}],
///     "paths": {"/pets": {"get": {"operationId": "listPets", "tags": ["animals"]}}},
///     "components": {"schemas": {"Pet": {"type": "object"}}}}"#;
/// let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// assert!(!document.is_remote());
/// let operation = document.operation("GET", "/pets/").expect("it exists");
/// assert_eq!(operation.title(), "List pets");
/// assert_eq!(document.group_of(operation), "animals");
/// assert_eq!(document.page_slug(operation, "api-reference"), "api-reference/animals/get-pets");
/// assert_eq!(document.servers_of(operation)[0].default_url(), "https://pets.example");
/// assert!(document.schema_names().eq(["Pet"]));
/// let location = SchemaRef::new("/components/schemas/Pet");
/// assert!(document.node(&location).is_some());
/// ```
#[derive(Debug, Clone)]
pub struct ApiDocument {
    /// Path in the repository, or the URL of a remote document.
    pub path: String,
    /// The `openapi` value: `3.1.0`.
    pub version: String,
    /// `info.title`, or else the file name without extension.
    pub title: String,
    /// `info.description`, Markdown.
    pub description: String,
    /// `info.version` as written.
    pub api_version: String,
    /// Servers of the document.
    pub servers: Vec<Server>,
    /// Declared tags.
    pub tags: Vec<Tag>,
    /// Operations under `paths`: paths in the order of the text, the methods of one path in the order
    /// get, put, post, delete, options, head, patch, trace, then others as written.
    pub operations: Vec<Operation>,
    /// Operations under `webhooks`, then those under `x-webhooks`, in the order of the text.
    pub webhooks: Vec<Operation>,
    /// Tools of an MCP server. A document that has some is not an OpenAPI document and has no
    /// operations.
    pub tools: Vec<Tool>,
    /// `components.securitySchemes`.
    pub security_schemes: IndexMap<String, SecurityScheme>,
    /// The root of the tree.
    pub root: Arc<Node>,
    /// The source text.
    pub file: SourceFile,
    /// Keys of schemas and parameters whose values are shown as badges (`api.params.post`).
    pub badge_keys: Arc<[String]>,
    /// Component schemas that name another one in their `allOf`: parent to children.
    pub(crate) children: IndexMap<String, Vec<String>>,
    /// Indexes into `operations` by path.
    pub(crate) by_path: IndexMap<String, Vec<usize>>,
    /// Indexes into `tags` by name.
    pub(crate) by_tag: IndexMap<String, usize>,
    /// Indexes into `tools` by name.
    pub(crate) by_tool: IndexMap<String, usize>,
    /// Names of groups of tags (`x-tagGroups`) by tag.
    pub(crate) tag_groups: IndexMap<String, String>,
    /// Cache of generated examples; clones of the document share it.
    pub(crate) memo: Arc<Memo>,
}

/// A tag object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tag {
    /// `name`; part of URL paths.
    pub name: String,
    /// `x-group`, or else `x-displayName`, or else `summary` (3.2): the name in the navigation.
    pub group: Option<String>,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// `parent` (3.2): the name of another tag.
    pub parent: Option<String>,
    /// `kind` (3.2).
    pub kind: Option<String>,
}

/// The field of the document that contains an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// `paths`.
    Path,
    /// `webhooks`.
    Webhook,
}

/// An operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Path or webhook.
    pub kind: OperationKind,
    /// HTTP method, lower case.
    pub method: String,
    /// The path template, or the name of the webhook.
    pub path: String,
    /// `summary`.
    pub summary: Option<String>,
    /// `description`, or else that of the path item; Markdown.
    pub description: Option<String>,
    /// `operationId`.
    pub operation_id: Option<String>,
    /// Tag names.
    pub tags: Vec<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// `x-hidden`, `x-excluded` or `x-internal`: the operation gets no page.
    pub hidden: bool,
    /// `x-svc.metadata`: front matter.
    pub metadata: Option<Node>,
    /// `x-svc.content`: MDX, and the span of the string in the document.
    pub content: Option<(String, Span)>,
    /// `x-svc.href`: the path of the page.
    pub href: Option<String>,
    /// `x-svc.groups` of the path item and the operation, and `groups` of the metadata: the groups
    /// that may see the page; empty for all readers.
    pub groups: Vec<String>,
    /// Whether the path item or the operation restricts its readers, also by an invalid value.
    pub protected: bool,
    /// Parameters of the path item, overridden or followed by those of the operation.
    pub parameters: Vec<Parameter>,
    /// `requestBody`.
    pub request_body: Option<Body>,
    /// Responses in the order of the text.
    pub responses: Vec<Response>,
    /// Servers of the operation, or else of the path item; empty for those of the document.
    pub servers: Vec<Server>,
    /// Alternatives, each a set of schemes that are required together. An empty set allows requests
    /// without authentication; an empty list requires none.
    pub security: Vec<Vec<String>>,
    /// Required scopes (or roles) of alternatives; only those that have some.
    pub scopes: Vec<SecurityRequirement>,
    /// `x-codeSamples`.
    pub code_samples: Vec<CodeSample>,
    /// Callbacks, one per name, expression and method.
    pub callbacks: Vec<Callback>,
    /// The operation object.
    pub source: SchemaRef,
    /// Location of the method key.
    pub location: Location,
}

/// A tool of an MCP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// `name`; unique in the document.
    pub name: String,
    /// `title`, or else that of the annotations, or else the name.
    pub title: String,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// `inputSchema`. None if it is missing or not an object.
    pub input: Option<SchemaRef>,
    /// `outputSchema`. None if it is missing or not an object.
    pub output: Option<SchemaRef>,
    /// The tool object.
    pub source: SchemaRef,
    /// Location of the name.
    pub location: Location,
}

/// A hint of the annotations of a tool that is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolHint {
    /// `readOnlyHint`: the tool changes nothing.
    ReadOnly,
    /// `destructiveHint`: the tool can delete or overwrite.
    Destructive,
    /// `idempotentHint`: a repeated call has no further effect.
    Idempotent,
    /// `openWorldHint`: the tool interacts with external entities.
    OpenWorld,
}

/// Required scopes of a scheme in an alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityRequirement {
    /// Index in `security`.
    pub alternative: usize,
    /// Name of the scheme.
    pub scheme: String,
    /// The required scopes.
    pub scopes: Vec<String>,
}

/// `in`: the location of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterLocation {
    /// Part of the path.
    Path,
    /// Query string.
    Query,
    /// Header.
    Header,
    /// Cookie.
    Cookie,
}

impl ParameterLocation {
    /// The value of `in`.
    ///
    /// # Example
    ///
    /// ```
    /// use svc_openapi::ParameterLocation;
    /// assert_eq!(ParameterLocation::Query.as_str(), "query");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// `name`.
    pub name: String,
    /// `in`; `querystring` (3.2) is read as query.
    pub location: ParameterLocation,
    /// `in: querystring` (3.2): the value is the whole query, serialized as its media type.
    pub is_querystring: bool,
    /// `required`; always true for path parameters.
    pub required: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// `description`, Markdown; the schema may have a different one.
    pub description: Option<String>,
    /// The schema, or that of `content`.
    pub schema: Option<SchemaRef>,
    /// Media type if the parameter has `content` instead of `schema`.
    pub media_type: Option<String>,
    /// `style`; None if it is not set.
    pub style: Option<String>,
    /// `explode`; None if it is not set.
    pub explode: Option<bool>,
    /// `allowReserved`.
    pub allow_reserved: bool,
    /// `example`, or else the first of `examples`.
    pub example: Option<serde_json::Value>,
    /// Badges before the name (`x-svc.pre`).
    pub pre: Vec<String>,
    /// Badges after the name (`x-svc.post`).
    pub post: Vec<String>,
    /// Whether it is an `Accept`, `Content-Type` or `Authorization` header, which the standard
    /// ignores as a parameter.
    pub ignored: bool,
    /// Whether it is part of the path template, but not declared.
    pub implied: bool,
    /// The parameter object; for an implied parameter the operation.
    pub source: SchemaRef,
    /// Span of the parameter object.
    pub span: Span,
}

/// A request body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// `required`.
    pub required: bool,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// The media types, in the order of the text.
    pub content: Vec<MediaType>,
    /// Span of the request body object.
    pub span: Span,
}

/// A response.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Status code, range or `default`: `200`, `4XX`, `default`.
    pub status: String,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// The media types, in the order of the text.
    pub content: Vec<MediaType>,
    /// Headers.
    pub headers: Vec<Header>,
    /// Links to further operations.
    pub links: Vec<Link>,
    /// Span of the response object.
    pub span: Span,
}

/// A link object: an operation that can be called with values of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Key in `links`.
    pub name: String,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// `operationId`.
    pub operation_id: Option<String>,
    /// `operationRef`: `#/paths/~1pets/get`, or a URL.
    pub operation_ref: Option<String>,
    /// Names of parameters with expressions (`$response.body#/id`) or values as text.
    pub parameters: Vec<(String, String)>,
    /// `requestBody`: an expression, or a value as text.
    pub request_body: Option<String>,
}

/// A response header.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Name of the header.
    pub name: String,
    /// `required`.
    pub required: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// The schema.
    pub schema: Option<SchemaRef>,
    /// The header object.
    pub source: SchemaRef,
}

/// A media type of a body or response.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaType {
    /// Name of the media type: `application/json`.
    pub name: String,
    /// The schema; for a stream (`itemSchema` of 3.2) that of an item.
    pub schema: Option<SchemaRef>,
    /// External examples (`externalValue`).
    pub external_examples: Vec<ExternalExample>,
    /// `encoding`: the serialization of properties in forms and multipart bodies, by name.
    pub encodings: IndexMap<String, Encoding>,
    /// The media type object: `example`, `examples`, `encoding`.
    pub source: SchemaRef,
}

/// An example at a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalExample {
    /// Key in `examples`.
    pub name: String,
    /// `summary`.
    pub summary: Option<String>,
    /// `externalValue`.
    pub url: String,
}

/// An encoding object: the serialization of a property of a body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Encoding {
    /// `contentType` as written: one type, or several separated by commas.
    pub content_type: Option<String>,
    /// `headers` of the part.
    pub headers: Vec<Header>,
    /// `style`.
    pub style: Option<String>,
    /// `explode`; None if it is not set.
    pub explode: Option<bool>,
    /// `allowReserved`.
    pub allow_reserved: bool,
}

impl MediaType {
    /// Whether the media type is JSON: `application/json`, `application/problem+json; …`.
    ///
    /// # Example
    ///
    /// ```
    /// use svc_openapi::{SourceFile, parse};
    /// let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": {"post": {
    ///     "requestBody": {"content": {"application/merge-patch+json": {}}}}}}}"#;
    /// let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
    /// let body = document.operations[0].request_body.as_ref().expect("it has one");
    /// assert!(body.content[0].is_json());
    /// ```
    pub fn is_json(&self) -> bool {
        is_json(&self.name)
    }
}

/// Whether a media type is JSON.
pub(crate) fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or("").trim();
    let lower = essence.to_ascii_lowercase();
    lower.ends_with("/json") || lower.ends_with("+json")
}

/// An example with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedExample {
    /// Key in `examples`; empty for `example` and for a generated one.
    pub name: String,
    /// `summary`.
    pub summary: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// Value of the example.
    pub value: serde_json::Value,
    /// Whether it is generated from the schema.
    pub generated: bool,
}

/// A server object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Server {
    /// `url`, with `{variables}`.
    pub url: String,
    /// `description`.
    pub description: Option<String>,
    /// `variables`.
    pub variables: Vec<ServerVariable>,
}

impl Server {
    /// The URL with the defaults of the variables. Defaults are not expanded again, and a URL that
    /// would become too long is returned as it is written.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn default_url(&self) -> String {
        const MAX_URL_BYTES: usize = 16 << 10;
        let mut out = String::new();
        let mut rest = self.url.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let variable = after.split_once('}').and_then(|(name, following)| {
                let declared = self.variables.iter().find(|known| known.name == name)?;
                Some((declared, following))
            });
            out.push_str(before);
            rest = match variable {
                Some((variable, following)) => {
                    out.push_str(&variable.default);
                    following
                }
                None => {
                    out.push('{');
                    after
                }
            };
            if out.len() > MAX_URL_BYTES {
                return self.url.clone();
            }
        }
        out.push_str(rest);
        out
    }
}

/// A server variable object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerVariable {
    /// Name of the variable.
    pub name: String,
    /// `default`.
    pub default: String,
    /// `enum`.
    pub values: Vec<String>,
    /// `description`.
    pub description: Option<String>,
}

/// A security scheme object.
#[derive(Debug, Clone, PartialEq)]
pub struct SecurityScheme {
    /// Type of the scheme.
    pub kind: SecurityKind,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// `x-default`: the initial value of the field.
    pub default: Option<String>,
    /// Span of the security scheme object.
    pub span: Span,
}

/// `type` of a security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecurityKind {
    /// `apiKey`.
    ApiKey {
        /// Name of the header, query parameter or cookie.
        name: String,
        /// `in`: the location of the key.
        location: ParameterLocation,
    },
    /// `http` with scheme `basic`.
    Basic,
    /// `http` with scheme `bearer`.
    Bearer {
        /// `bearerFormat`.
        format: Option<String>,
    },
    /// `http` with another scheme, lower case.
    Http(String),
    /// `oauth2`.
    OAuth2,
    /// `openIdConnect`.
    OpenIdConnect {
        /// `openIdConnectUrl`: the discovery URL.
        url: String,
    },
    /// `mutualTLS`.
    MutualTls,
    /// Any other type.
    Other(String),
}

/// A code sample of `x-codeSamples`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeSample {
    /// `lang`.
    pub lang: String,
    /// `label`.
    pub label: Option<String>,
    /// `source`.
    pub source: String,
}

/// An operation of a callback.
#[derive(Debug, Clone, PartialEq)]
pub struct Callback {
    /// Key in `callbacks`.
    pub name: String,
    /// Expression as written: `{$request.body#/url}`.
    pub expression: String,
    /// HTTP method, lower case.
    pub method: String,
    /// `summary`.
    pub summary: Option<String>,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Request body.
    pub request_body: Option<Body>,
    /// Responses.
    pub responses: Vec<Response>,
}

/// A location in the tree of a document: a JSON pointer (RFC 6901) with references resolved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaRef {
    pub(crate) pointer: Arc<str>,
}

impl SchemaRef {
    /// Creates a reference to the schema at a JSON pointer.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn new(pointer: impl Into<Arc<str>>) -> Self {
        Self {
            pointer: pointer.into(),
        }
    }

    /// The JSON pointer.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl ApiDocument {
    /// Whether the document is remote: its path is a URL. Paths of files do not contain two
    /// consecutive slashes.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn is_remote(&self) -> bool {
        self.path.contains("://")
    }

    /// The operation with this path, or else the one that differs only in a trailing slash. None if
    /// there is none.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn operation(&self, method: &str, path: &str) -> Option<&Operation> {
        self.operation_exact(method, path)
            .or_else(|| match path.strip_suffix('/') {
                Some(shorter) if !shorter.is_empty() => self.operation_exact(method, shorter),
                _ => self.operation_exact(method, &format!("{path}/")),
            })
    }

    /// The operation with exactly this path; the method in any case. None if there is none.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn operation_exact(&self, method: &str, path: &str) -> Option<&Operation> {
        let positions = self.by_path.get(path)?;
        let mut operations = positions.iter().filter_map(|at| self.operations.get(*at));
        operations.find(|operation| operation.method.eq_ignore_ascii_case(method))
    }

    /// The first operation of a webhook that is not hidden, or else the first one. None if there is
    /// none.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn webhook(&self, name: &str) -> Option<&Operation> {
        let mut named = self
            .webhooks
            .iter()
            .filter(|operation| operation.path == name);
        let first = named.next()?;
        Some(if first.hidden {
            named.find(|next| !next.hidden).unwrap_or(first)
        } else {
            first
        })
    }

    /// Whether the document lists the tools of an MCP server, and is not an OpenAPI document.
    ///
    /// Example: [`parse_tools`](crate::parse_tools).
    pub const fn is_tool_list(&self) -> bool {
        !self.tools.is_empty()
    }

    /// The tool with this name. None if there is none.
    ///
    /// Example: [`parse_tools`](crate::parse_tools).
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.get(*self.by_tool.get(name)?)
    }

    /// The hints of a tool that its document sets to true. A tool that changes nothing destroys
    /// nothing and can be called repeatedly, so those hints are left out (MCP, `ToolAnnotations`).
    ///
    /// Example: [`parse_tools`](crate::parse_tools).
    pub fn tool_hints(&self, tool: &Tool) -> Vec<ToolHint> {
        let annotations = self
            .node(&tool.source)
            .and_then(|node| node.get("annotations"));
        let is_set = |key: &str| {
            let value = annotations.and_then(|annotations| annotations.get(key));
            value.and_then(Node::as_bool).unwrap_or(false)
        };
        let read_only = is_set("readOnlyHint");
        [
            (ToolHint::ReadOnly, read_only),
            (
                ToolHint::Destructive,
                !read_only && is_set("destructiveHint"),
            ),
            (ToolHint::Idempotent, !read_only && is_set("idempotentHint")),
            (ToolHint::OpenWorld, is_set("openWorldHint")),
        ]
        .into_iter()
        .filter_map(|(hint, is_set)| is_set.then_some(hint))
        .collect()
    }

    /// A schema under `components.schemas`. None if there is none.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn schema_node(&self, name: &str) -> Option<&Node> {
        self.root.get("components")?.get("schemas")?.get(name)
    }

    /// Names under `components.schemas`, in the order of the text.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn schema_names(&self) -> impl Iterator<Item = &str> {
        let schemas = self
            .root
            .get("components")
            .and_then(|node| node.get("schemas"));
        schemas
            .and_then(Node::as_object)
            .into_iter()
            .flat_map(|o| o.iter().map(|(key, _)| key))
    }

    /// The node at a location. None if there is none.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn node(&self, schema_ref: &SchemaRef) -> Option<&Node> {
        at_pointer(&self.root, &schema_ref.pointer)
    }

    /// Resolves internal references; a node with an unresolved reference is returned unchanged.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn resolve<'a>(&'a self, node: &'a Node) -> &'a Node {
        reference::resolve(&self.root, node)
    }

    /// The values of a schema or parameter for the badge keys.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn badges_of(&self, node: &Node) -> Vec<String> {
        extension::badges_of(node, &self.badge_keys)
    }

    /// The effective servers of an operation.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn servers_of<'a>(&'a self, operation: &'a Operation) -> &'a [Server] {
        if operation.servers.is_empty() {
            &self.servers
        } else {
            &operation.servers
        }
    }

    /// The first declared tag with this name. None if there is none.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.get(*self.by_tag.get(name)?)
    }

    /// The operation that a link of a response refers to. None if there is none.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn link_target(&self, link: &Link) -> Option<&Operation> {
        let mut all = self.operations.iter().chain(&self.webhooks);
        if let Some(id) = &link.operation_id {
            return all.find(|operation| operation.operation_id.as_ref() == Some(id));
        }
        let pointer = reference::pointer(link.operation_ref.as_deref()?)?;
        all.find(|operation| operation.source.pointer() == pointer)
    }
}
