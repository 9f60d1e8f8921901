//! What a document holds, as plain data.

use std::sync::Arc;

use indexmap::IndexMap;
use svc_data::{Node, at_pointer};
use svc_diagnostics::{Location, SourceFile, Span};

use crate::example::Memo;
use crate::{extension, reference};

/// One OpenAPI document.
#[derive(Debug, Clone)]
pub struct ApiDocument {
    /// Path in the repository, or the address of a hosted document.
    pub path: String,
    /// The `openapi` value: `3.1.0`.
    pub version: String,
    /// `info.title`, else the file name without extension.
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
    /// `components.securitySchemes`.
    pub security_schemes: IndexMap<String, SecurityScheme>,
    /// The whole tree.
    pub root: Arc<Node>,
    /// The text.
    pub file: SourceFile,
    /// Keys of schemas and parameters whose values are shown as badges (`api.params.post`).
    pub badge_keys: Arc<[String]>,
    /// Component schemas that name another one in their `allOf`: parent to children.
    pub(crate) children: IndexMap<String, Vec<String>>,
    /// Positions in `operations` by path.
    pub(crate) by_path: IndexMap<String, Vec<usize>>,
    /// Positions in `tags` by name.
    pub(crate) by_tag: IndexMap<String, usize>,
    /// Names of groups of tags (`x-tagGroups`) by tag.
    pub(crate) tag_groups: IndexMap<String, String>,
    /// Examples that were made; copies of the document share them.
    pub(crate) memo: Arc<Memo>,
}

/// A tag object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tag {
    /// `name`; part of addresses.
    pub name: String,
    /// `x-group`, else `x-displayName`, else `summary` (3.2): what navigation shows.
    pub group: Option<String>,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// `parent` (3.2): the name of another tag.
    pub parent: Option<String>,
    /// `kind` (3.2).
    pub kind: Option<String>,
}

/// Under which field an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// `paths`.
    Path,
    /// `webhooks`.
    Webhook,
}

/// One operation.
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
    /// `description`, else the one of the path item; Markdown.
    pub description: Option<String>,
    /// `operationId`.
    pub operation_id: Option<String>,
    /// Tag names.
    pub tags: Vec<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// `x-hidden`, `x-excluded` or `x-internal`: no page is made.
    pub hidden: bool,
    /// `x-svc.metadata`: front matter.
    pub metadata: Option<Node>,
    /// `x-svc.content`: MDX, and where the string stands in the document.
    pub content: Option<(String, Span)>,
    /// `x-svc.href`: the address of the page.
    pub href: Option<String>,
    /// `x-svc.groups` of the path item and the operation, and `groups` of the metadata: who may see
    /// the page; everybody when there are none.
    pub groups: Vec<String>,
    /// Whether the path item or the operation asks for some readers only, also in a way that cannot
    /// be read.
    pub protected: bool,
    /// Parameters: those of the path item, replaced or followed by the operation's own.
    pub parameters: Vec<Parameter>,
    /// Request body.
    pub request_body: Option<Body>,
    /// Responses in the order of the text.
    pub responses: Vec<Response>,
    /// Servers of the operation, else of the path item; empty means the document's.
    pub servers: Vec<Server>,
    /// Alternatives; each a set of scheme names that are needed together. An empty set means that
    /// no authentication is one of the alternatives; no alternatives mean none is needed.
    pub security: Vec<Vec<String>>,
    /// Scopes (or roles) that alternatives ask for; only those that name some.
    pub scopes: Vec<SecurityRequirement>,
    /// `x-codeSamples`.
    pub code_samples: Vec<CodeSample>,
    /// Callbacks, one per name, expression and method.
    pub callbacks: Vec<Callback>,
    /// The operation object.
    pub source: SchemaRef,
    /// Where the method key stands.
    pub location: Location,
}

/// Scopes of one scheme in one alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityRequirement {
    /// Position in `security`.
    pub alternative: usize,
    /// Name of the scheme.
    pub scheme: String,
    /// The scopes.
    pub scopes: Vec<String>,
}

/// Where a parameter goes.
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
    /// The word in the document.
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
    /// `in: querystring` (3.2): the value is the whole query, written as its media type says.
    pub is_querystring: bool,
    /// `required`; always true in paths.
    pub required: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// `description`, Markdown; the schema may have another one.
    pub description: Option<String>,
    /// The schema, or the one of `content`.
    pub schema: Option<SchemaRef>,
    /// Media type when the parameter has `content` instead of `schema`.
    pub media_type: Option<String>,
    /// `style`, where written.
    pub style: Option<String>,
    /// `explode`, where written.
    pub explode: Option<bool>,
    /// `allowReserved`.
    pub allow_reserved: bool,
    /// `example`, else the first of `examples`.
    pub example: Option<serde_json::Value>,
    /// Badges before the name (`x-svc.pre`).
    pub pre: Vec<String>,
    /// Badges after the name (`x-svc.post`).
    pub post: Vec<String>,
    /// `Accept`, `Content-Type`, `Authorization` headers: the document is not asked about them.
    pub ignored: bool,
    /// Named by the path template, but not declared.
    pub implied: bool,
    /// The parameter object; for an implied one the operation.
    pub source: SchemaRef,
    /// Where it stands.
    pub span: Span,
}

/// A request body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// `required`.
    pub required: bool,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// One per media type, in the order of the text.
    pub content: Vec<MediaType>,
    /// Where it stands.
    pub span: Span,
}

/// A response.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// `200`, `4XX`, `default`.
    pub status: String,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// One per media type, in the order of the text.
    pub content: Vec<MediaType>,
    /// Headers.
    pub headers: Vec<Header>,
    /// What can be called next.
    pub links: Vec<Link>,
    /// Where it stands.
    pub span: Span,
}

/// From a response to an operation that can be called with what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Key in `links`.
    pub name: String,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// `operationId`.
    pub operation_id: Option<String>,
    /// `operationRef`: `#/paths/~1pets/get`, or an address.
    pub operation_ref: Option<String>,
    /// Names of parameters with expressions (`$response.body#/id`) or values as text.
    pub parameters: Vec<(String, String)>,
    /// `requestBody`: an expression, or a value as text.
    pub request_body: Option<String>,
}

/// A response header.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Name.
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

/// One media type of a body or response.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaType {
    /// `application/json`.
    pub name: String,
    /// The schema; of a stream (3.2 `itemSchema`) that of one item.
    pub schema: Option<SchemaRef>,
    /// Examples that stand elsewhere (`externalValue`).
    pub external_examples: Vec<ExternalExample>,
    /// How properties are written in forms and multipart bodies, by name.
    pub encodings: IndexMap<String, Encoding>,
    /// The media type object: `example`, `examples`, `encoding`.
    pub source: SchemaRef,
}

/// An example at an address of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalExample {
    /// Key in `examples`.
    pub name: String,
    /// `summary`.
    pub summary: Option<String>,
    /// `externalValue`.
    pub url: String,
}

/// How one property of a body is written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Encoding {
    /// `contentType`, as written: a type, or several with commas.
    pub content_type: Option<String>,
    /// `headers` of the part.
    pub headers: Vec<Header>,
    /// `style`.
    pub style: Option<String>,
    /// `explode`, where written.
    pub explode: Option<bool>,
    /// `allowReserved`.
    pub allow_reserved: bool,
}

impl MediaType {
    /// Whether bodies are JSON: `application/json`, `application/problem+json; …`.
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
    /// The value.
    pub value: serde_json::Value,
    /// Made from the schema, not written by the author.
    pub generated: bool,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Server {
    /// `url`, with `{variables}`.
    pub url: String,
    /// `description`.
    pub description: Option<String>,
    /// Variables.
    pub variables: Vec<ServerVariable>,
}

impl Server {
    /// The address with the defaults of the variables filled in. A default is taken as it is, also
    /// where it holds braces, and what gets too long stays as it is written.
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

/// A variable of a server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerVariable {
    /// Name in the braces.
    pub name: String,
    /// `default`.
    pub default: String,
    /// `enum`.
    pub values: Vec<String>,
    /// `description`.
    pub description: Option<String>,
}

/// A security scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct SecurityScheme {
    /// What it is.
    pub kind: SecurityKind,
    /// `description`, Markdown.
    pub description: Option<String>,
    /// `x-default`: fills the field.
    pub default: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// The types of security schemes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecurityKind {
    /// A value under a name.
    ApiKey {
        /// Name of the header, query parameter or cookie.
        name: String,
        /// Where.
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
        /// Discovery address.
        url: String,
    },
    /// `mutualTLS`.
    MutualTls,
    /// Something else.
    Other(String),
}

/// A code sample of the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeSample {
    /// `lang`.
    pub lang: String,
    /// `label`.
    pub label: Option<String>,
    /// `source`.
    pub source: String,
}

/// One operation of a callback.
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

/// A place in the tree of a document: a JSON pointer, after references were followed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaRef {
    pub(crate) pointer: Arc<str>,
}

impl SchemaRef {
    /// The place a JSON pointer names.
    pub fn new(pointer: impl Into<Arc<str>>) -> Self {
        Self {
            pointer: pointer.into(),
        }
    }

    /// The JSON pointer.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl ApiDocument {
    /// Whether it stands elsewhere: its path is an address. Files have no two slashes in a row.
    pub fn is_remote(&self) -> bool {
        self.path.contains("://")
    }

    /// An operation: the exact path, else the one that differs in a trailing slash only.
    pub fn operation(&self, method: &str, path: &str) -> Option<&Operation> {
        self.operation_exact(method, path)
            .or_else(|| match path.strip_suffix('/') {
                Some(shorter) if !shorter.is_empty() => self.operation_exact(method, shorter),
                _ => self.operation_exact(method, &format!("{path}/")),
            })
    }

    /// An operation by its exact path; the method in any case.
    pub fn operation_exact(&self, method: &str, path: &str) -> Option<&Operation> {
        let positions = self.by_path.get(path)?;
        let mut operations = positions.iter().filter_map(|at| self.operations.get(*at));
        operations.find(|operation| operation.method.eq_ignore_ascii_case(method))
    }

    /// The first operation of a webhook that is not hidden, else the first one.
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

    /// A schema under `components.schemas`.
    pub fn schema_node(&self, name: &str) -> Option<&Node> {
        self.root.get("components")?.get("schemas")?.get(name)
    }

    /// Names under `components.schemas`, in the order of the text.
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

    /// The node of a place.
    pub fn node(&self, place: &SchemaRef) -> Option<&Node> {
        at_pointer(&self.root, &place.pointer)
    }

    /// Follows internal references; a node whose reference leads nowhere is given back itself.
    pub fn resolve<'a>(&'a self, node: &'a Node) -> &'a Node {
        reference::resolve(&self.root, node)
    }

    /// The badges that a schema or parameter gets from the badge keys.
    pub fn badges_of(&self, node: &Node) -> Vec<String> {
        extension::badges_of(node, &self.badge_keys)
    }

    /// The servers that count for an operation.
    pub fn servers_of<'a>(&'a self, operation: &'a Operation) -> &'a [Server] {
        if operation.servers.is_empty() {
            &self.servers
        } else {
            &operation.servers
        }
    }

    /// A declared tag; of several with one name the first.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.get(*self.by_tag.get(name)?)
    }

    /// The operation that a link of a response leads to.
    pub fn link_target(&self, link: &Link) -> Option<&Operation> {
        let mut all = self.operations.iter().chain(&self.webhooks);
        if let Some(id) = &link.operation_id {
            return all.find(|operation| operation.operation_id.as_ref() == Some(id));
        }
        let pointer = reference::pointer(link.operation_ref.as_deref()?)?;
        all.find(|operation| operation.source.pointer() == pointer)
    }
}
