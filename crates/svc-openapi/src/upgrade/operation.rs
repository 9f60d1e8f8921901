//! Path items and operations of Swagger 2.0.

use svc_data::{Node, Value};

use super::Upgrader;
use super::build::{insert, items, members, object, texts};

const METHODS: [&str; 7] = ["get", "put", "post", "delete", "options", "head", "patch"];

/// Parameters of an operation by what they become.
#[derive(Debug, Default)]
struct Parameters {
    kept: Vec<Node>,
    body: Option<Node>,
    form: Vec<Node>,
}

impl Upgrader<'_> {
    pub(super) fn path_item(&mut self, item: Node) -> Node {
        let span = item.span;
        let mut new = object(span, []);
        let shared = item
            .get("parameters")
            .cloned()
            .map(items)
            .unwrap_or_default();
        // Bodies belong to operations in version 3.
        let shared = self.sort(shared);
        for (key, member) in members(item) {
            match &*key {
                "parameters" if shared.kept.is_empty() => {}
                "parameters" => {
                    let kept = shared.kept.clone();
                    insert(
                        &mut new,
                        "parameters",
                        Node::new(member.value.span, Value::Array(kept)),
                    );
                }
                "$ref" => insert(&mut new, "$ref", member.value),
                key if METHODS.contains(&key) => {
                    let operation = self.operation(member.value, &shared);
                    insert(&mut new, key, operation);
                }
                key => insert(&mut new, key, member.value),
            }
        }
        new
    }

    fn operation(&mut self, operation: Node, shared: &Parameters) -> Node {
        let span = operation.span;
        let own = |key: &str, default: &[String]| match operation.get(key) {
            Some(list) => texts(Some(list)),
            None => default.to_vec(),
        };
        let consumes = own("consumes", &self.swagger.consumes);
        let produces = own("produces", &self.swagger.produces);
        let sorted = operation
            .get("parameters")
            .cloned()
            .map(items)
            .unwrap_or_default();
        let mut sorted = self.sort(sorted);
        sorted.body = sorted.body.or_else(|| shared.body.clone());
        let names: Vec<String> = sorted.form.iter().filter_map(name_of).collect();
        let missing = shared
            .form
            .iter()
            .filter(|one| name_of(one).is_none_or(|name| !names.contains(&name)));
        sorted.form.splice(0..0, missing.cloned());
        let mut body = self.request_body(&mut sorted, &consumes);
        let mut new = object(span, []);
        for (key, member) in members(operation) {
            match &*key {
                "consumes" | "produces" => {}
                "schemes" => {
                    let servers = self
                        .swagger
                        .servers(&texts(Some(&member.value)), member.value.span);
                    if let Some(servers) = servers {
                        insert(&mut new, "servers", servers);
                    }
                }
                "parameters" => {
                    if !sorted.kept.is_empty() {
                        let kept = std::mem::take(&mut sorted.kept);
                        insert(
                            &mut new,
                            "parameters",
                            Node::new(member.value.span, Value::Array(kept)),
                        );
                    }
                    if let Some(body) = body.take() {
                        insert(&mut new, "requestBody", body);
                    }
                }
                "responses" => {
                    if let Some(body) = body.take() {
                        insert(&mut new, "requestBody", body);
                    }
                    let mut responses = object(member.value.span, []);
                    let all = members(member.value);
                    for (status, response) in all {
                        let response = match status.starts_with("x-") {
                            true => response.value,
                            false => self.response(response.value, &produces),
                        };
                        insert(&mut responses, &status, response);
                    }
                    insert(&mut new, "responses", responses);
                }
                key => insert(&mut new, key, member.value),
            }
        }
        if let Some(body) = body {
            insert(&mut new, "requestBody", body);
        }
        new
    }

    fn request_body(&mut self, parameters: &mut Parameters, consumes: &[String]) -> Option<Node> {
        let form = std::mem::take(&mut parameters.form);
        let Some(body) = parameters.body.take() else {
            return self.form(form, consumes);
        };
        if let Some(first) = form.first() {
            let message = "the operation has a body and form fields; only the body is converted";
            self.loss(
                first.span,
                message,
                "describe the fields in the schema of the body",
            );
        }
        if let Some(reference) = body.get("$ref") {
            let span = body.span;
            return Some(self.reference(&reference.clone(), span));
        }
        Some(self.body(body, consumes))
    }

    /// Sorts parameters; references to bodies and form fields are resolved.
    fn sort(&mut self, parameters: Vec<Node>) -> Parameters {
        let mut sorted = Parameters::default();
        for parameter in parameters {
            let reference = parameter.get("$ref").cloned();
            let target = reference
                .as_ref()
                .and_then(|reference| self.swagger.parameter(reference.as_str()?).cloned());
            let place = target.as_ref().unwrap_or(&parameter).get("in");
            match (place.and_then(Node::as_str), &reference) {
                (Some("body"), _) => sorted.body = Some(parameter),
                (Some("formData"), _) => sorted.form.push(target.unwrap_or(parameter)),
                (_, Some(reference)) => {
                    let span = parameter.span;
                    sorted.kept.push(self.reference(reference, span));
                }
                _ => {
                    let parameter = self.parameter(parameter);
                    sorted.kept.push(parameter);
                }
            }
        }
        sorted
    }
}

fn name_of(parameter: &Node) -> Option<String> {
    parameter.get("name")?.as_str().map(str::to_owned)
}
