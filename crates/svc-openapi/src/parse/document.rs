//! The document object: version, servers, tags, security schemes, lists of path items.

use std::sync::Arc;

use indexmap::IndexMap;
use svc_data::{Node, Object, Value, at_pointer};
use svc_diagnostics::{Diagnostic, Location, Span, did_you_mean};

use super::tags::strings;
use super::{Reader, below, start_of, text};
use crate::codes;
use crate::example::Memo;
use crate::reference;
use crate::{
    ApiDocument, Operation, OperationKind, ParameterLocation, SecurityKind, SecurityRequirement,
    SecurityScheme, Server, ServerVariable,
};

impl<'a> Reader<'a> {
    pub(super) fn document(&mut self, root: &'a Arc<Node>) -> Option<ApiDocument> {
        if root.as_object().is_none() {
            let message = format!(
                "the root of an OpenAPI document must be an object, not {}",
                root.kind()
            );
            let hint = "begin with `openapi: 3.1.0`, `info` and `paths`";
            self.report(&codes::INVALID_ROOT, "", root.span, message, hint);
            return None;
        }
        let version = self.version(root)?;
        self.old = version.starts_with("3.0");
        self.newer = !self.old && !version.starts_with("3.1");
        let stem = self.file.path().rsplit('/').next().unwrap_or("");
        let stem = stem.split('.').next().unwrap_or(stem).to_owned();
        let info = root.get("info").filter(|info| info.as_object().is_some());
        self.info(root, info);
        let security_schemes = self.security_schemes(root);
        self.schemes = security_schemes.keys().cloned().collect();
        let (security, scopes) = self.security(root, "").unwrap_or_default();
        let operations = self.items(root, "paths", OperationKind::Path, &security, &scopes);
        let mut webhooks = self.items(root, "webhooks", OperationKind::Webhook, &[], &[]);
        // Documents of 3.0 use this key for webhooks; a webhook under both keys is the standard
        // one.
        let older = self.items(root, "x-webhooks", OperationKind::Webhook, &[], &[]);
        let standard = root.get("webhooks").and_then(Node::as_object);
        webhooks.extend(
            older
                .into_iter()
                .filter(|hook| standard.is_none_or(|standard| standard.get(&hook.path).is_none())),
        );
        self.check_paths(root);
        self.extension_webhooks(root);
        self.operation_ids(&operations, &webhooks);
        let servers = self.servers(root, "");
        self.check_servers(root, &operations);
        let tags = self.tags(root);
        self.structure();
        self.all_of_cycles();
        if let Some((span, count)) = self.unquoted {
            let message = format!("{count} status keys are numbers, not strings");
            self.report(
                &codes::UNQUOTED_STATUS,
                "",
                span,
                message,
                "put them in quotes: `\"200\":`",
            );
        }
        let mut by_path: IndexMap<String, Vec<usize>> = IndexMap::new();
        for (at, operation) in operations.iter().enumerate() {
            by_path.entry(operation.path.clone()).or_default().push(at);
        }
        let mut by_tag = IndexMap::new();
        for (at, tag) in tags.iter().enumerate() {
            by_tag.entry(tag.name.clone()).or_insert(at);
        }
        Some(ApiDocument {
            path: self.file.path().to_string(),
            version,
            title: info.and_then(|info| text(info, "title")).unwrap_or(stem),
            description: info
                .and_then(|info| text(info, "description"))
                .unwrap_or_default(),
            api_version: info
                .map(|info| self.source_text(info, "version"))
                .unwrap_or_default(),
            servers,
            tags,
            operations,
            webhooks,
            tools: Vec::new(),
            security_schemes,
            root: Arc::clone(root),
            file: self.file.clone(),
            badge_keys: Arc::default(),
            children: children(root),
            by_path,
            by_tag,
            by_tool: IndexMap::new(),
            tag_groups: super::tags::groups(root),
            memo: Arc::new(Memo::new(root)),
        })
    }

    /// The source text of a scalar: `1.10` stays `1.10`.
    fn source_text(&self, node: &Node, key: &str) -> String {
        match node.get(key) {
            Some(Node {
                span,
                value: Value::Number(_),
            }) => self.file.slice(*span).to_owned(),
            Some(value) => value.to_text().unwrap_or_default(),
            None => String::new(),
        }
    }

    fn version(&mut self, root: &Node) -> Option<String> {
        if let Some(node) = root
            .get("swagger")
            .filter(|_| root.get("openapi").is_none())
        {
            let version = self.source_text(root, "swagger");
            let hint = "convert it to Swagger 2.0 or OpenAPI 3 first";
            let message = format!("version `{version}` of Swagger is not supported");
            self.report(&codes::SWAGGER_2, "/swagger", node.span, message, hint);
            return None;
        }
        let Some(node) = root.get("openapi") else {
            let keys = root
                .as_object()
                .into_iter()
                .flat_map(|o| o.iter().map(|(key, _)| key));
            let near = did_you_mean("openapi", keys);
            let hint = match near {
                Some(near) => format!("did you mean `openapi` instead of `{near}`?"),
                None => "add `openapi: 3.1.0` at the top".to_owned(),
            };
            let span = start_of(root);
            self.report(
                &codes::MISSING_VERSION,
                "",
                span,
                "`openapi` is missing",
                hint,
            );
            let member = near.and_then(|near| Some((near, root.as_object()?.member(near)?)));
            if let Some((near, member)) = member {
                self.fix_text(member.key_span, near, "openapi");
            }
            return None;
        };
        let version = self.source_text(root, "openapi").trim().to_owned();
        let mut parts = version.split('.');
        let (major, minor) = (parts.next().unwrap_or(""), parts.next());
        let minor_number = minor.and_then(|minor| minor.parse::<u32>().ok());
        if major == "2" || major == "1" {
            let message = format!("version `{version}` is not supported");
            let hint = "convert the document to OpenAPI 3.0, 3.1 or 3.2";
            self.report(&codes::SWAGGER_2, "/openapi", node.span, message, hint);
            return None;
        }
        if major != "3" || (minor.is_some() && minor_number.is_none()) || version.is_empty() {
            let message = format!("`{version}` is not a supported version of OpenAPI");
            let hint = "write `3.0.4`, `3.1.2` or `3.2.0`; the document is read as the newest one";
            self.report(&codes::BAD_VERSION, "/openapi", node.span, message, hint);
        } else if minor_number.is_some_and(|minor| minor > 2) {
            let message = format!("version `{version}` is newer than 3.2 and is read as 3.2");
            let hint = "check the pages; features of newer versions are not shown";
            self.report(&codes::VERSION_TEXT, "/openapi", node.span, message, hint);
        } else if node.as_str().is_none() {
            let message = format!("`openapi` must be a string, not {}", node.kind());
            let hint = format!("write `openapi: \"{version}.0\"`");
            self.report(&codes::VERSION_TEXT, "/openapi", node.span, message, hint);
            if minor_number.is_some() && parts.next().is_none() {
                self.fix("write a string", node.span, format!("\"{version}.0\""));
            }
        }
        Some(version)
    }

    fn info(&mut self, root: &Node, info: Option<&Node>) {
        let Some(info) = info else {
            let span = root
                .get("info")
                .map_or_else(|| start_of(root), |node| node.span);
            let hint = "add `info` with `title` and `version`";
            self.report(&codes::MISSING_INFO, "", span, "`info` is missing", hint);
            return;
        };
        let key = root.as_object().and_then(|object| object.member("info"));
        let key = key.map(|member| member.key_span);
        if info.get("title").is_none() {
            let hint = "add `title`; the name of the file is shown instead";
            self.report(
                &codes::MISSING_INFO,
                "/info",
                key.unwrap_or(info.span),
                "`info.title` is missing",
                hint,
            );
        }
        if let Some(version) = info
            .get("version")
            .filter(|version| version.as_number().is_some())
        {
            let written = self.file.slice(version.span).to_owned();
            let message = format!("`info.version` must be a string, not the number {written}");
            let hint = format!("put it in quotes: `\"{written}\"`");
            self.report(
                &codes::VERSION_TEXT,
                "/info/version",
                version.span,
                message,
                hint,
            );
        }
    }

    fn check_paths(&mut self, root: &Node) {
        let paths = root.get("paths").is_some();
        let webhooks = root.get("webhooks");
        if !paths && (self.old || webhooks.is_none()) {
            let span = start_of(root);
            let (message, hint) = if self.old {
                ("`paths` is missing", "add `paths`; version 3.0 requires it")
            } else {
                ("`paths` and `webhooks` are missing", "add one of them")
            };
            self.report(&codes::MISSING_PATHS, "", span, message, hint);
        }
        if let Some(webhooks) = webhooks.filter(|_| self.old) {
            let hint = "change `openapi` to 3.1.0; the webhooks are shown";
            let message = "`webhooks` requires version 3.1 or later";
            self.report(
                &codes::WEBHOOKS_VERSION,
                "/webhooks",
                webhooks.span,
                message,
                hint,
            );
        }
    }

    /// Reports operations without a server.
    fn check_servers(&mut self, root: &Node, operations: &[Operation]) {
        let list = root.get("servers").filter(|list| !list.is_null());
        let is_empty = list.is_none_or(|list| list.as_array().is_some_and(<[Node]>::is_empty));
        let lacks = |operation: &Operation| operation.servers.is_empty() && !operation.hidden;
        if !is_empty || !operations.iter().any(lacks) {
            return;
        }
        let span = start_of(root);
        let message = "`servers` is missing: samples begin with `{baseUrl}`, and readers cannot send requests";
        let hint = "add `servers: [{url: https://api.example.com}]`";
        self.report(&codes::MISSING_SERVERS, "", span, message, hint);
    }

    fn extension_webhooks(&mut self, root: &Node) {
        let member = root.as_object().and_then(|root| root.member("x-webhooks"));
        let Some(member) = member.filter(|member| member.value.as_object().is_some()) else {
            return;
        };
        let message = "webhooks under `x-webhooks` do not get pages";
        let hint =
            "add them to `pages` as `webhook NAME`, or move them to `webhooks` (version 3.1)";
        self.report(
            &codes::X_WEBHOOKS,
            "/x-webhooks",
            member.key_span,
            message,
            hint,
        );
    }

    fn items(
        &mut self,
        root: &'a Node,
        key: &str,
        kind: OperationKind,
        security: &[Vec<String>],
        scopes: &[SecurityRequirement],
    ) -> Vec<Operation> {
        let mut operations = Vec::new();
        let Some(node) = root.get(key).filter(|node| !node.is_null()) else {
            return operations;
        };
        let pointer = ["/", key].concat();
        let Some(items) = node.as_object() else {
            return operations;
        };
        let mut shapes: IndexMap<String, Span> = IndexMap::new();
        for (name, member) in items.members() {
            if name.starts_with("x-") && kind == OperationKind::Path {
                continue;
            }
            let pointer = below(&pointer, name);
            if kind == OperationKind::Path {
                self.same_path(name, &pointer, member.key_span, &mut shapes);
            }
            if kind == OperationKind::Path && !name.starts_with('/') {
                let message = format!("the path `{name}` does not begin with a slash");
                let hint = format!("write `/{name}`");
                self.report(&codes::PATH_SLASH, &pointer, member.key_span, message, hint);
                let path = format!("/{name}");
                if items.get(&path).is_none() {
                    self.fix_text(member.key_span, name, &path);
                }
            }
            self.path_item(
                kind,
                name,
                &member.value,
                pointer,
                (security, scopes),
                &mut operations,
            );
        }
        operations
    }

    /// Reports paths that differ only in the names of their parameters.
    fn same_path(
        &mut self,
        path: &str,
        pointer: &str,
        span: Span,
        shapes: &mut IndexMap<String, Span>,
    ) {
        let shape = super::operation::shape(path);
        let Some(first) = shapes.get(&shape) else {
            shapes.insert(shape, span);
            return;
        };
        let message =
            format!("`{path}` differs from another path only in the names of its parameters");
        let diagnostic = Diagnostic::new(&codes::SAME_PATH, message)
            .at(self.line_index.location(span))
            .pointer(pointer)
            .label(self.line_index.location(*first), "the other path")
            .hint("use the same names in both and merge their methods");
        self.diagnostics.push(diagnostic);
    }

    fn operation_ids(&mut self, operations: &[Operation], webhooks: &[Operation]) {
        let mut first_by_id: IndexMap<&str, &Operation> = IndexMap::new();
        for operation in operations.iter().chain(webhooks) {
            let Some(id) = operation.operation_id.as_deref() else {
                continue;
            };
            if let Some(first) = first_by_id.get(id) {
                let diagnostic = Diagnostic::new(
                    &codes::OPERATION_ID,
                    format!("`operationId` `{id}` is not unique"),
                )
                .at(self.id_of(operation))
                .pointer(below(operation.source.pointer(), "operationId"))
                .label(self.id_of(first), "first here")
                .hint("give one of them another `operationId`");
                self.diagnostics.push(diagnostic);
            } else {
                first_by_id.insert(id, operation);
            }
        }
    }

    /// The location of the id of an operation.
    fn id_of(&self, operation: &Operation) -> Location {
        let written = at_pointer(self.root, operation.source.pointer());
        let id = written.and_then(|node| node.get("operationId"));
        id.map_or_else(
            || operation.location.clone(),
            |id| self.line_index.location(id.span),
        )
    }

    pub(super) fn servers(&mut self, node: &Node, pointer: &str) -> Vec<Server> {
        let Some(list) = node.get("servers").filter(|list| !list.is_null()) else {
            return Vec::new();
        };
        let pointer = below(pointer, "servers");
        let Some(list) = list.as_array() else {
            return Vec::new();
        };
        let mut servers = Vec::with_capacity(list.len());
        for (at, node) in list.iter().enumerate() {
            let pointer = format!("{pointer}/{at}");
            let Some(url) = text(node, "url") else {
                continue;
            };
            // Relative to the URL of the document (OpenAPI 3.1, 4.8.5).
            let url = super::server_url::resolve_server_url(self.file.path(), &url).unwrap_or(url);
            if !url.contains("://") && !url.starts_with('{') {
                let message = format!("the server `{url}` has no host");
                let hint = "write the absolute URL; otherwise requests are sent to the site itself";
                self.report(&codes::RELATIVE_SERVER, &pointer, node.span, message, hint);
            }
            servers.push(Server {
                variables: self.variables(node, &url, &pointer),
                url,
                description: text(node, "description").or_else(|| text(node, "name")),
            });
        }
        servers
    }

    fn variables(&mut self, server: &Node, url: &str, pointer: &str) -> Vec<ServerVariable> {
        let pointer = below(pointer, "variables");
        let declared = server.get("variables").and_then(Node::as_object);
        let mut variables = Vec::new();
        for (name, member) in declared.into_iter().flat_map(Object::members) {
            let (variable, pointer) = (&member.value, below(&pointer, name));
            let values = strings(variable.get("enum"));
            let default = text(variable, "default");
            if default.is_none() {
                let message = format!("`default` of the server variable `{name}` is missing");
                let hint = match values.first() {
                    Some(first) => format!("add `default: {first}`"),
                    None => "add `default`, the value that is used initially".to_owned(),
                };
                self.report(
                    &codes::SERVER_VARIABLE,
                    &pointer,
                    member.key_span,
                    message,
                    hint,
                );
            } else if let Some(default) = default
                .as_ref()
                .filter(|default| !values.is_empty() && !values.contains(default))
            {
                let span = variable
                    .get("default")
                    .map_or(variable.span, |node| node.span);
                let message = format!(
                    "the default `{default}` of the variable `{name}` is not one of its values"
                );
                let hint = self.suggest(default, values.iter().map(String::as_str), || {
                    "add it to `enum`, or choose one of those values".to_owned()
                });
                let pointer = below(&pointer, "default");
                self.report(&codes::SERVER_VARIABLE, &pointer, span, message, hint);
            }
            variables.push(ServerVariable {
                name: name.to_owned(),
                default: default
                    .or_else(|| values.first().cloned())
                    .unwrap_or_default(),
                values,
                description: text(variable, "description"),
            });
        }
        for name in super::operation::template_names(url) {
            if variables.iter().any(|variable| variable.name == name) {
                continue;
            }
            let span = server.get("url").map_or(server.span, |node| node.span);
            let message = format!("the variable `{name}` of the server `{url}` is not declared");
            let hint = self.suggest(name, variables.iter().map(|one| one.name.as_str()), || {
                format!("add `variables: {{{name}: {{default: …}}}}`")
            });
            self.report(&codes::SERVER_VARIABLE, &pointer, span, message, hint);
        }
        variables
    }

    fn security_schemes(&mut self, root: &'a Node) -> IndexMap<String, SecurityScheme> {
        let mut schemes = IndexMap::new();
        let declared = root
            .get("components")
            .and_then(|node| node.get("securitySchemes"));
        let Some(declared) = declared.and_then(Node::as_object) else {
            return schemes;
        };
        for (name, member) in declared.members() {
            let (node, key_span) = (&member.value, member.key_span);
            let pointer = below("/components/securitySchemes", name);
            let (node, pointer) = self.follow(node, pointer);
            let Some(kind) = text(node, "type") else {
                continue;
            };
            self.check_required_keys(node, key_span, &pointer, &kind);
            let kind = match kind.as_str() {
                "apiKey" => {
                    let location = match node.get("in").and_then(Node::as_str) {
                        Some("query") => ParameterLocation::Query,
                        Some("cookie") => ParameterLocation::Cookie,
                        _ => ParameterLocation::Header,
                    };
                    SecurityKind::ApiKey {
                        name: text(node, "name").unwrap_or_default(),
                        location,
                    }
                }
                "http" => match text(node, "scheme").unwrap_or_default().to_lowercase() {
                    basic if basic == "basic" => SecurityKind::Basic,
                    bearer if bearer == "bearer" => SecurityKind::Bearer {
                        format: text(node, "bearerFormat"),
                    },
                    other => SecurityKind::Http(other),
                },
                "oauth2" => SecurityKind::OAuth2,
                "openIdConnect" => SecurityKind::OpenIdConnect {
                    url: text(node, "openIdConnectUrl").unwrap_or_default(),
                },
                "mutualTLS" => SecurityKind::MutualTls,
                other => {
                    let message = format!("`{other}` is not a type of security scheme");
                    let known = ["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"];
                    let hint = self.suggest(other, known, || {
                        format!("write one of {}", known.join(", "))
                    });
                    let span = node.get("type").map_or(node.span, |node| node.span);
                    self.report(&codes::BAD_SCHEME, &pointer, span, message, hint);
                    SecurityKind::Other(other.to_owned())
                }
            };
            let scheme = SecurityScheme {
                kind,
                description: text(node, "description"),
                default: text(node, "x-default"),
                span: node.span,
            };
            schemes.insert(name.to_owned(), scheme);
        }
        schemes
    }

    /// The `security` of the document or of an operation; None if it is missing.
    pub(super) fn security(
        &mut self,
        node: &Node,
        pointer: &str,
    ) -> Option<(Vec<Vec<String>>, Vec<SecurityRequirement>)> {
        let list = node.get("security").filter(|list| !list.is_null())?;
        let pointer = below(pointer, "security");
        let list = list.as_array()?;
        let (mut alternatives, mut all_scopes) = (Vec::with_capacity(list.len()), Vec::new());
        for (at, requirement) in list.iter().enumerate() {
            let Some(requirement) = requirement.as_object() else {
                continue;
            };
            let mut names = Vec::with_capacity(requirement.len());
            for (name, member) in requirement.members() {
                let scopes = strings(Some(&member.value));
                if !scopes.is_empty() {
                    let scheme = name.to_owned();
                    all_scopes.push(SecurityRequirement {
                        alternative: alternatives.len(),
                        scheme,
                        scopes,
                    });
                }
                if !self.schemes.contains(name) {
                    let message = format!("the security scheme `{name}` is not declared");
                    let schemes = self.schemes.clone();
                    let hint = self.suggest(name, schemes.iter().map(String::as_str), || {
                        "declare it under `components.securitySchemes`".to_owned()
                    });
                    let pointer = below(&format!("{pointer}/{at}"), name);
                    self.report(
                        &codes::UNKNOWN_SCHEME,
                        &pointer,
                        member.key_span,
                        message,
                        hint,
                    );
                }
                names.push(name.to_owned());
            }
            alternatives.push(names);
        }
        Some((alternatives, all_scopes))
    }
}

impl Reader<'_> {
    /// Reports missing keys that are required by a scheme of this type.
    fn check_required_keys(&mut self, node: &Node, key_span: Span, pointer: &str, kind: &str) {
        let keys: &[&str] = match kind {
            "apiKey" => &["name", "in"],
            "http" => &["scheme"],
            "oauth2" => &["flows"],
            "openIdConnect" => &["openIdConnectUrl"],
            _ => &[],
        };
        for key in keys.iter().filter(|key| node.get(key).is_none()) {
            let message = format!("`{key}` of a security scheme of type `{kind}` is missing");
            let hint = format!("add `{key}`");
            self.report(&codes::BAD_SCHEME, pointer, key_span, message, hint);
        }
        let location = node.get("in").filter(|_| kind == "apiKey");
        let known = ["query", "header", "cookie"];
        if let Some(location) =
            location.filter(|node| node.as_str().is_none_or(|value| !known.contains(&value)))
        {
            let value = location.to_text().unwrap_or_default();
            let message = format!("invalid location `{value}` of an API key");
            let hint = self.suggest(&value, known, || {
                "write `query`, `header` or `cookie`".to_owned()
            });
            self.report(
                &codes::BAD_SCHEME,
                &below(pointer, "in"),
                location.span,
                message,
                hint,
            );
        }
    }
}

/// The component schemas that refer to each component schema in `allOf`: the implicit variants of a
/// parent with a discriminator.
fn children(root: &Node) -> IndexMap<String, Vec<String>> {
    let mut children: IndexMap<String, Vec<String>> = IndexMap::new();
    let schemas = root.get("components").and_then(|node| node.get("schemas"));
    let Some(schemas) = schemas.and_then(Node::as_object) else {
        return children;
    };
    for (name, schema) in schemas.iter() {
        let members = schema
            .get("allOf")
            .and_then(Node::as_array)
            .unwrap_or_default();
        let parents = members
            .iter()
            .filter_map(reference::of)
            .filter_map(reference::schema_name);
        for parent in parents {
            let known = children.entry(parent).or_default();
            if known.last().is_none_or(|last| last != name) {
                known.push(name.to_owned());
            }
        }
    }
    children
}
