//! The document object of Swagger 2.0.

use std::collections::{BTreeMap, BTreeSet};

use svc_data::percent::decode;
use svc_data::{Node, Value, escape_pointer, unescape_pointer};
use svc_diagnostics::Span;

use super::build::{insert, members, object, string, texts};
use super::schema::{Dialect, upgrade_schema};
use super::{TARGET_VERSION, Upgrader};
use crate::codes;

/// Sections of Swagger 2.0 and of components.
const SECTIONS: [(&str, &str); 4] = [
    ("definitions", "schemas"),
    ("parameters", "parameters"),
    ("responses", "responses"),
    ("securityDefinitions", "securitySchemes"),
];

/// What references and operations need to know of the document.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Shared parameters.
    parameters: BTreeMap<String, Node>,
    /// New names by section and old name, if they differ.
    renamed: BTreeMap<(&'static str, String), String>,
    pub(super) consumes: Vec<String>,
    pub(super) produces: Vec<String>,
    host: Option<String>,
    base_path: String,
}

impl Names {
    /// The new text of a reference. `None` if it stays as it is.
    pub(super) fn reference(&self, text: &str) -> Option<String> {
        let Some((file, pointer)) = text.split_once('#') else {
            // The name of a definition alone was allowed in older versions.
            let is_name = !text.contains(['/', '.', ':']) && !text.is_empty();
            return is_name
                .then(|| format!("#/components/schemas/{}", self.name("definitions", text)));
        };
        let mut parts = pointer.strip_prefix('/')?.splitn(3, '/');
        let (section, name, rest) = (parts.next()?, parts.next()?, parts.next());
        let (old, new) = SECTIONS.iter().find(|(old, _)| *old == section)?;
        let name = unescape_pointer(&decode(name));
        let new = match self.parameters.get(&name).filter(|_| file.is_empty()) {
            Some(parameter) if *old == "parameters" && location_of(parameter) == "body" => {
                "requestBodies"
            }
            _ => new,
        };
        let name = if file.is_empty() {
            self.name(old, &name)
        } else {
            name
        };
        let rest = rest.map_or_else(String::new, |rest| format!("/{rest}"));
        Some(format!(
            "{file}#/components/{new}/{}{rest}",
            escape_pointer(&name)
        ))
    }

    fn name(&self, section: &'static str, name: &str) -> String {
        let renamed = self.renamed.get(&(section, name.to_owned()));
        renamed.cloned().unwrap_or_else(|| name.to_owned())
    }

    /// The shared parameter that a reference names.
    pub(super) fn parameter(&self, reference: &str) -> Option<&Node> {
        let name = reference.strip_prefix("#/parameters/")?;
        self.parameters.get(&unescape_pointer(&decode(name)))
    }

    /// The servers for schemes; `None` if the document has neither host nor path.
    pub(super) fn servers(&self, schemes: &[String], span: Span) -> Option<Node> {
        let urls: Vec<String> = match &self.host {
            None if self.base_path.is_empty() => return None,
            None => vec![self.base_path.clone()],
            Some(host) => {
                let schemes = if schemes.is_empty() {
                    vec!["https".to_owned()]
                } else {
                    schemes.to_vec()
                };
                let url = |scheme: String| format!("{scheme}://{host}{}", self.base_path);
                schemes.into_iter().map(url).collect()
            }
        };
        let servers = urls
            .into_iter()
            .map(|url| object(span, [("url", string(url, span))]));
        Some(Node::new(span, Value::Array(servers.collect())))
    }
}

fn location_of(parameter: &Node) -> &str {
    parameter
        .get("in")
        .and_then(Node::as_str)
        .unwrap_or_default()
}

impl Upgrader<'_> {
    /// Converts a document.
    pub(super) fn swagger(&mut self, root: Node) -> Node {
        self.read_names(&root);
        let span = root.span;
        let schemes = texts(root.get("schemes"));
        let mut servers = self.swagger.servers(&schemes, span);
        if self.swagger.host.is_some() && schemes.is_empty() {
            let at = root.get("host").map_or(span, |host| host.span);
            let hint = "add `schemes` to the document, or correct `servers` in the result";
            self.report(
                &codes::UPGRADE_ASSUMED,
                "/host",
                at,
                "`schemes` is missing; `https` is assumed",
                hint,
            );
        }
        let mut components = object(span, []);
        let mut new = object(span, []);
        let mut parts = members(root);
        for (old, section) in SECTIONS {
            if let Some(part) = parts.get_mut(old) {
                let part = std::mem::take(&mut part.value);
                self.components(old, section, part, &mut components);
            }
        }
        let is_empty = components.as_object().is_none_or(|all| all.is_empty());
        let mut components = Some(components).filter(|_| !is_empty);
        for (key, member) in parts {
            match &*key {
                "swagger" => insert(
                    &mut new,
                    "openapi",
                    string(TARGET_VERSION, member.value.span),
                ),
                "host" | "basePath" | "schemes" => {
                    if let Some(mut servers) = servers.take() {
                        servers.span = member.value.span;
                        insert(&mut new, "servers", servers);
                    }
                }
                "consumes" | "produces" => {}
                "paths" => {
                    let mut paths = object(member.value.span, []);
                    for (path, item) in members(member.value) {
                        let item = match path.starts_with("x-") {
                            true => item.value,
                            false => self.path_item(item.value),
                        };
                        insert(&mut paths, &path, item);
                    }
                    insert(&mut new, "paths", paths);
                }
                key if SECTIONS.iter().any(|(old, _)| *old == key) => {
                    if let Some(components) = components.take() {
                        insert(&mut new, "components", components);
                    }
                }
                key => insert(&mut new, key, member.value),
            }
        }
        new
    }

    fn read_names(&mut self, root: &Node) {
        let list = |key: &str| {
            let list = texts(root.get(key));
            if list.is_empty() {
                vec!["application/json".to_owned()]
            } else {
                list
            }
        };
        self.swagger.consumes = list("consumes");
        self.swagger.produces = list("produces");
        let text = |key: &str| root.get(key).and_then(Node::as_str).map(str::trim);
        let host = text("host").map(|host| host.trim_end_matches('/').to_owned());
        self.swagger.host = host.filter(|host| !host.is_empty());
        let path = text("basePath").unwrap_or_default().trim_end_matches('/');
        self.swagger.base_path = match path {
            "" => String::new(),
            path if path.starts_with('/') => path.to_owned(),
            path => format!("/{path}"),
        };
        for (name, node) in root
            .get("parameters")
            .and_then(Node::as_object)
            .into_iter()
            .flat_map(|all| all.iter())
        {
            self.swagger
                .parameters
                .insert(name.to_owned(), node.clone());
        }
        for (section, _) in SECTIONS {
            let Some(all) = root.get(section).and_then(Node::as_object) else {
                continue;
            };
            let mut used: BTreeSet<String> = all.iter().map(|(name, _)| name.to_owned()).collect();
            let allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            let mut renamed = Vec::new();
            for (name, member) in all.members() {
                if !name.is_empty() && name.chars().all(allowed) {
                    continue;
                }
                let clean: String = name
                    .chars()
                    .map(|c| if allowed(c) { c } else { '_' })
                    .collect();
                let clean = clean.trim_end_matches('_');
                let clean = if clean.is_empty() { "Schema" } else { clean };
                let numbered = (2_u32..).map(|number| format!("{clean}_{number}"));
                let mut names = std::iter::once(clean.to_owned()).chain(numbered);
                let Some(new) = names.find(|name| !used.contains(name)) else {
                    continue;
                };
                used.insert(new.clone());
                renamed.push((name.to_owned(), new, member.key_span));
            }
            for (old, new, span) in renamed {
                let message =
                    format!("the name `{old}` is not allowed in version 3 and becomes `{new}`");
                let hint = "names have letters, digits, `.`, `_` and `-`";
                self.report(&codes::UPGRADE_ASSUMED, "", span, message, hint);
                self.swagger.renamed.insert((section, old), new);
            }
        }
    }

    /// Converts a section of shared parts.
    fn components(&mut self, old: &'static str, section: &str, part: Node, components: &mut Node) {
        let span = part.span;
        let (mut all, mut bodies) = (object(span, []), object(span, []));
        let consumes = self.swagger.consumes.clone();
        let produces = self.swagger.produces.clone();
        for (name, member) in members(part) {
            let mut value = member.value;
            let name = self.swagger.name(old, &name);
            match old {
                "definitions" => upgrade_schema(&mut value, &Dialect::Swagger(&self.swagger)),
                "parameters" => match location_of(&value) {
                    "body" => {
                        let body = self.body(value, &consumes);
                        insert(&mut bodies, &name, body);
                        continue;
                    }
                    // Such fields are part of the bodies that refer to them.
                    "formData" => continue,
                    _ => value = self.parameter(value),
                },
                "responses" => value = self.response(value, &produces),
                _ => value = self.security_scheme(value),
            }
            insert(&mut all, &name, value);
        }
        for (section, part) in [(section, all), ("requestBodies", bodies)] {
            if part.as_object().is_some_and(|part| !part.is_empty()) {
                insert(components, section, part);
            }
        }
    }
}
