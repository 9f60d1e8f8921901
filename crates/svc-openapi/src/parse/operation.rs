//! Path items, operations and callbacks.

use indexmap::{IndexMap, IndexSet};
use svc_data::{Member, Node, at_pointer};
use svc_diagnostics::{Diagnostic, Span};

use super::tags::strings;
use super::{Reader, below, flag, text};
use crate::codes;
use crate::extension;
use crate::{
    Callback, CodeSample, Operation, OperationKind, Parameter, ParameterLocation, SchemaRef,
    SecurityRequirement,
};

/// Methods that are keys of a path item, in display order.
pub(super) const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

/// The name of `x-hidden` in other tools.
pub(super) const INTERNAL: &str = "x-internal";

/// Maximum number of callbacks. Nested callbacks are not shown, and deeper levels are not read.
const MAX_CALLBACKS: usize = 256;

/// Parameters by name and location; a later one replaces an earlier one at its position.
type Parameters = IndexMap<(String, ParameterLocation), Parameter>;

/// An operation object before it is decoded.
struct RawOperation<'a> {
    method: String,
    key_span: Span,
    node: &'a Node,
    pointer: String,
}

impl<'a> Reader<'a> {
    pub(super) fn path_item(
        &mut self,
        kind: OperationKind,
        name: &str,
        node: &'a Node,
        pointer: String,
        inherited: (&[Vec<String>], &[SecurityRequirement]),
        operations: &mut Vec<Operation>,
    ) {
        let (item, item_pointer) = self.follow(node, pointer.clone());
        let methods = self.methods(item, &item_pointer);
        // Keys beside a `$ref` are undefined in the standard; methods among them are read too.
        let siblings = if std::ptr::eq(item, node) {
            Vec::new()
        } else {
            self.methods(node, &pointer)
        };
        let common = self.parameters(item, &item_pointer);
        let servers = self.servers(item, &item_pointer);
        let mut raw_operations: Vec<RawOperation<'a>> =
            methods.into_iter().chain(siblings).collect();
        raw_operations.sort_by_key(|raw| rank(&raw.method));
        let internal = flag(item, INTERNAL) || flag(node, INTERNAL);
        for raw in raw_operations {
            let RawOperation {
                method,
                key_span,
                node,
                pointer,
            } = raw;
            if node.as_object().is_none() {
                continue;
            }
            let (node, pointer) = self.follow(node, pointer);
            let own_servers = self.servers(node, &pointer);
            let (security, scopes) = self
                .security(node, &pointer)
                .unwrap_or_else(|| (inherited.0.to_vec(), inherited.1.to_vec()));
            let parameters = self.effective(kind, name, node, &pointer, &common, key_span);
            let metadata = extension::of(node, "metadata");
            let mut groups = extension::texts(item, "groups");
            groups.extend(extension::texts(node, "groups"));
            groups.extend(strings(
                metadata.and_then(|metadata| metadata.get("groups")),
            ));
            // The later of two equal names is left out.
            let mut known = IndexSet::new();
            groups.retain(|group| known.insert(group.clone()));
            operations.push(Operation {
                kind,
                method,
                path: name.to_owned(),
                summary: text(node, "summary").or_else(|| text(item, "summary")),
                description: text(node, "description").or_else(|| text(item, "description")),
                operation_id: text(node, "operationId"),
                tags: strings(node.get("tags")),
                deprecated: flag(node, "deprecated"),
                hidden: internal
                    || ["x-hidden", "x-excluded", INTERNAL]
                        .iter()
                        .any(|key| flag(node, key)),
                metadata: metadata.cloned(),
                content: extension::of(node, "content")
                    .and_then(|node| Some((node.as_str()?.to_owned(), node.span))),
                href: extension::of(node, "href")
                    .and_then(Node::as_str)
                    .map(str::to_owned),
                groups,
                protected: extension::requires_protection(item)
                    || extension::requires_protection(node),
                parameters,
                request_body: self.body(node, &pointer),
                responses: self.responses(node, &pointer),
                servers: if own_servers.is_empty() {
                    servers.clone()
                } else {
                    own_servers
                },
                security,
                scopes,
                code_samples: code_samples(node),
                callbacks: self.callbacks(node, &pointer),
                source: SchemaRef::new(pointer),
                location: self.line_index.location(key_span),
            });
        }
    }

    /// The operations of a path item, in display order.
    fn methods(&mut self, item: &'a Node, pointer: &str) -> Vec<RawOperation<'a>> {
        let Some(members) = item.as_object() else {
            return Vec::new();
        };
        let mut operations = Vec::with_capacity(members.len());
        let mut push = |method: String, member: &'a Member, pointer: String| {
            operations.push(RawOperation {
                method,
                key_span: member.key_span,
                node: &member.value,
                pointer,
            });
        };
        for (key, member) in members.members() {
            let method = key.to_ascii_lowercase();
            if METHODS.contains(&method.as_str()) {
                push(method, member, below(pointer, key));
            } else if key == "additionalOperations" {
                let pointer = below(pointer, key);
                let more = member
                    .value
                    .as_object()
                    .into_iter()
                    .flat_map(|more| more.members());
                for (key, member) in more {
                    push(key.to_ascii_lowercase(), member, below(&pointer, key));
                }
            }
        }
        operations.sort_by_key(|operation| rank(&operation.method));
        operations
    }

    /// The parameters of a path item or an operation.
    fn parameters(&mut self, node: &'a Node, pointer: &str) -> Parameters {
        let mut parameters = Parameters::new();
        let Some(list) = node.get("parameters").filter(|list| !list.is_null()) else {
            return parameters;
        };
        let pointer = below(pointer, "parameters");
        let Some(list) = list.as_array() else {
            return parameters;
        };
        for (at, node) in list.iter().enumerate() {
            let (span, written) = (node.span, format!("{pointer}/{at}"));
            let (node, pointer) = self.follow(node, written.clone());
            if crate::reference::of(node).is_some() {
                continue;
            }
            if let Some(parameter) = self.parameter(node, pointer) {
                let (name, location) = (parameter.name.clone(), parameter.location);
                if let Some(first) = parameters.insert(key_of(&parameter), parameter) {
                    let message = format!(
                        "the {} parameter `{name}` is not unique in this list",
                        location.as_str()
                    );
                    let diagnostic = Diagnostic::new(&codes::SAME_PARAMETER, message)
                        .at(self.line_index.location(span))
                        .pointer(written)
                        .label(self.line_index.location(first.span), "first here")
                        .hint("remove one of them; the last one is used");
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        parameters
    }

    fn parameter(&mut self, node: &'a Node, pointer: String) -> Option<Parameter> {
        let location_name = node.get("in").and_then(Node::as_str).unwrap_or("");
        let location = match location_name {
            "path" => Some(ParameterLocation::Path),
            "query" | "querystring" => Some(ParameterLocation::Query),
            "header" => Some(ParameterLocation::Header),
            "cookie" => Some(ParameterLocation::Cookie),
            _ => None,
        };
        let name = text(node, "name");
        let (Some(name), Some(location)) = (name.as_ref(), location) else {
            let (message, hint) = match (&name, location_name) {
                (None, _) => (
                    "`name` of a parameter is missing".to_owned(),
                    "add `name`".to_owned(),
                ),
                (Some(name), "body" | "formData") => (
                    format!("the parameter `{name}` is in `{location_name}`, as in version 2.0"),
                    "describe the body in `requestBody`".to_owned(),
                ),
                (Some(name), "") => (
                    format!("`in` of the parameter `{name}` is missing"),
                    "add `in: query`, `path`, `header` or `cookie`".to_owned(),
                ),
                (Some(name), _) => (
                    format!("invalid location `{location_name}` of the parameter `{name}`"),
                    self.suggest(location_name, ["query", "path", "header", "cookie"], || {
                        "write `query`, `path`, `header` or `cookie`".to_owned()
                    }),
                ),
            };
            let location_node = node.get("in").filter(|_| name.is_some());
            let span = location_node.map_or(node.span, |node| node.span);
            self.report(&codes::BAD_PARAMETER, &pointer, span, message, hint);
            return None;
        };
        self.style(node, name, location, &pointer);
        let content = node.get("content").and_then(Node::as_object);
        let first = content.and_then(|content| content.iter().next());
        let (schema, media_type) = if node.get("schema").is_some() {
            (Some(SchemaRef::new(below(&pointer, "schema"))), None)
        } else if let Some((media_type, node)) = first {
            let content_pointer = below(&below(&pointer, "content"), media_type);
            let schema = node
                .get("schema")
                .map(|_| SchemaRef::new(below(&content_pointer, "schema")));
            (schema, Some(media_type.to_owned()))
        } else {
            (None, None)
        };
        let ignored = location == ParameterLocation::Header
            && ["accept", "content-type", "authorization"]
                .contains(&name.to_ascii_lowercase().as_str());
        if ignored {
            let message = format!("the header `{name}` is not shown as a parameter");
            let hint = "describe it by the media types or by `security`";
            self.report(&codes::IGNORED_HEADER, &pointer, node.span, message, hint);
        }
        Some(Parameter {
            name: name.clone(),
            location,
            is_querystring: location_name == "querystring",
            required: location == ParameterLocation::Path || flag(node, "required"),
            deprecated: flag(node, "deprecated"),
            description: text(node, "description"),
            schema,
            media_type,
            style: text(node, "style"),
            explode: node.get("explode").and_then(Node::as_bool),
            allow_reserved: flag(node, "allowReserved"),
            example: self
                .parameter_example(node)
                .or_else(|| first.and_then(|(_, node)| self.parameter_example(node))),
            pre: extension::texts(node, "pre"),
            post: extension::texts(node, "post"),
            ignored,
            implied: false,
            source: SchemaRef::new(pointer),
            span: node.span,
        })
    }

    /// Reports a style that is not allowed at the location of the parameter.
    fn style(&mut self, node: &Node, name: &str, location: ParameterLocation, pointer: &str) {
        let Some((written, style)) = node
            .get("style")
            .and_then(|node| Some((node, node.as_str()?)))
        else {
            return;
        };
        let known: &[&str] = match location {
            ParameterLocation::Path => &["simple", "label", "matrix"],
            ParameterLocation::Query => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
            ParameterLocation::Header => &["simple"],
            ParameterLocation::Cookie => &["form", "cookie"],
        };
        if !known.contains(&style) {
            let message = format!(
                "the style `{style}` is not allowed for the {} parameter `{name}`",
                location.as_str()
            );
            let hint = self.suggest(style, known.iter().copied(), || {
                format!("write `{}`", known.join("`, `"))
            });
            let pointer = below(pointer, "style");
            self.report(&codes::STYLE, &pointer, written.span, message, hint);
        }
    }

    fn parameter_example(&self, node: &Node) -> Option<serde_json::Value> {
        let own = node.get("example");
        let named = node.get("examples").and_then(Node::as_object);
        let first = named.and_then(|named| named.iter().next());
        let first =
            first.and_then(|(_, node)| crate::reference::resolve(self.root, node).get("value"));
        own.or(first).and_then(crate::weight::bounded_json)
    }

    /// Common parameters, those of the operation, and undeclared ones of the template.
    fn effective(
        &mut self,
        kind: OperationKind,
        path: &str,
        node: &'a Node,
        pointer: &str,
        common: &Parameters,
        key_span: Span,
    ) -> Vec<Parameter> {
        let mut parameters = common.clone();
        for (key, parameter) in self.parameters(node, pointer) {
            parameters.insert(key, parameter);
        }
        if kind == OperationKind::Webhook || crate::reference::of(node).is_some() {
            return parameters.into_values().collect();
        }
        let template = template_names(path);
        for name in &template {
            let key = ((*name).to_owned(), ParameterLocation::Path);
            if parameters.contains_key(&key) {
                continue;
            }
            let message = format!("the path parameter `{name}` is not declared");
            let declared: Vec<String> = parameters
                .keys()
                .filter(|(name, location)| {
                    *location == ParameterLocation::Path && !template.contains(&name.as_str())
                })
                .map(|(name, _)| name.clone())
                .collect();
            // A parameter declared with another location is meant to be this one, so its value is
            // used in the path too.
            let elsewhere = parameters
                .values()
                .find(|other| other.name == **name)
                .cloned();
            let hint = match &elsewhere {
                Some(other) => {
                    let location = other.location.as_str();
                    format!("`{name}` is declared with `in: {location}`; change it to `in: path`")
                }
                None => self.suggest(name, declared.iter().map(String::as_str), || {
                    format!("add a parameter with `name: {name}` and `in: path`")
                }),
            };
            let near = self.suggested.take().map(|(_, near)| near);
            let list = node
                .as_object()
                .and_then(|object| object.member("parameters"));
            let span = list.map_or(key_span, |member| member.key_span);
            self.report(&codes::PATH_PARAMETER, pointer, span, message, hint);
            if let (None, Some(near)) = (&elsewhere, &near)
                && let Some(written) = parameter_name(node, near)
            {
                self.fix_text(written.span, near, name);
            }
            let parameter = Parameter {
                name: (*name).to_owned(),
                location: ParameterLocation::Path,
                is_querystring: false,
                required: true,
                deprecated: false,
                description: elsewhere
                    .as_ref()
                    .and_then(|other| other.description.clone()),
                schema: elsewhere.as_ref().and_then(|other| other.schema.clone()),
                media_type: None,
                style: None,
                explode: None,
                allow_reserved: false,
                example: elsewhere.and_then(|other| other.example),
                pre: Vec::new(),
                post: Vec::new(),
                ignored: false,
                implied: true,
                source: SchemaRef::new(pointer),
                span: key_span,
            };
            parameters.insert(key, parameter);
        }
        for ((name, location), parameter) in &parameters {
            if *location == ParameterLocation::Path && !template.contains(&name.as_str()) {
                let message = format!("the path parameter `{name}` is not in the path");
                let hint = format!("add `{{{name}}}` to the path, or change `in` to `query`");
                // A shared parameter may be valid for other paths.
                let own = parameter.source.pointer().starts_with(pointer);
                let written = at_pointer(self.root, parameter.source.pointer()).filter(|_| own);
                let span = written.and_then(|node| node.get("name"));
                let span = span.map_or(key_span, |node| node.span);
                self.report(&codes::UNUSED_PATH_PARAMETER, pointer, span, message, hint);
            }
        }
        parameters.into_values().collect()
    }

    fn callbacks(&mut self, node: &'a Node, pointer: &str) -> Vec<Callback> {
        let mut callbacks = Vec::new();
        let Some(named) = node.get("callbacks").and_then(Node::as_object) else {
            return callbacks;
        };
        let pointer = below(pointer, "callbacks");
        for (name, node) in named.iter() {
            let (node, pointer) = self.follow(node, below(&pointer, name));
            let expressions = node.as_object().into_iter().flat_map(|node| node.iter());
            for (expression, item) in expressions {
                if expression.starts_with("x-") || expression == "$ref" {
                    continue;
                }
                let (item, pointer) = self.follow(item, below(&pointer, expression));
                let common = self.parameters(item, &pointer);
                for RawOperation {
                    method,
                    node,
                    pointer,
                    ..
                } in self.methods(item, &pointer)
                {
                    if callbacks.len() >= MAX_CALLBACKS {
                        return callbacks;
                    }
                    let (node, pointer) = self.follow(node, pointer);
                    let mut parameters = common.clone();
                    parameters.extend(self.parameters(node, &pointer));
                    callbacks.push(Callback {
                        name: name.to_owned(),
                        expression: expression.to_owned(),
                        method,
                        summary: text(node, "summary").or_else(|| text(item, "summary")),
                        description: text(node, "description")
                            .or_else(|| text(item, "description")),
                        parameters: parameters.into_values().collect(),
                        request_body: self.body(node, &pointer),
                        responses: self.responses(node, &pointer),
                    });
                }
            }
        }
        callbacks
    }
}

/// Position of a method in the display order; other methods follow in the order of the text.
/// The name of a path parameter that an operation declares.
fn parameter_name<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let mut parameters = node.get("parameters").and_then(Node::as_array)?.iter();
    let text = |parameter: &'n Node, key| parameter.get(key).and_then(Node::as_str);
    let is_named = |parameter: &&'n Node| {
        text(parameter, "name") == Some(name) && text(parameter, "in") == Some("path")
    };
    parameters.find(is_named)?.get("name")
}

fn rank(method: &str) -> usize {
    let known = METHODS.iter().position(|known| *known == method);
    known.filter(|at| *at < 8).unwrap_or(8)
}

fn key_of(parameter: &Parameter) -> (String, ParameterLocation) {
    let name = match parameter.location {
        ParameterLocation::Header => parameter.name.to_ascii_lowercase(),
        ParameterLocation::Path | ParameterLocation::Query | ParameterLocation::Cookie => {
            parameter.name.clone()
        }
    };
    (name, parameter.location)
}

/// A path without the names of its parameters.
pub(crate) fn shape(path: &str) -> String {
    let mut shape = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((_, after)) = after.split_once('}') else {
            break;
        };
        shape.push_str(before);
        shape.push_str("{}");
        rest = after;
    }
    shape + rest
}

/// Distinct names in braces before the query or fragment of a path.
pub(crate) fn template_names(path: &str) -> Vec<&str> {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut names = Vec::new();
    for part in path.split('{').skip(1) {
        let Some((name, _)) = part.split_once('}') else {
            continue;
        };
        if !name.is_empty() && !names.contains(&name) && names.len() < 64 {
            names.push(name);
        }
    }
    names
}

fn code_samples(node: &Node) -> Vec<CodeSample> {
    let keys = ["x-codeSamples", "x-code-samples"];
    let list = keys
        .iter()
        .find_map(|key| node.get(key)?.as_array())
        .unwrap_or_default();
    let sample = |node: &Node| {
        Some(CodeSample {
            lang: text(node, "lang")?,
            label: text(node, "label"),
            source: node.get("source")?.as_str()?.to_owned(),
        })
    };
    list.iter().filter_map(sample).collect()
}
