//! The values that a reader would fill in.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::{
    ApiDocument, Direction, Operation, ParameterLocation, SecurityKind, example_at, examples,
};

/// What stands for a name and a password that nobody has filled in.
pub(super) const PASSWORD: &str = "<username>:<password>";
/// What stands for both as a header has them.
pub(super) const ENCODED_PASSWORD: &str = "<base64 of username:password>";
/// What stands for the address of an API whose document names no server.
const SERVER: &str = "{baseUrl}";
/// What is made up where a document says nothing of a string.
const STRING: &str = "<string>";

/// Which parameters and properties get an example value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// All of them.
    #[default]
    All,
    /// Required ones (`api.examples.defaults: required`).
    Required,
}

/// What is filled in for one call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inputs {
    /// Address of the server, variables filled in.
    pub server: String,
    /// Values by place and name. A parameter without value is not sent; in a path its name stays.
    pub parameters: IndexMap<(ParameterLocation, String), Value>,
    /// Media type and value of the body.
    pub body: Option<(String, Value)>,
    /// Names of security schemes and what is filled in: a token, a key, `user:password`.
    pub credentials: IndexMap<String, String>,
}

impl Inputs {
    /// The values of the examples: what a reader finds filled in, and what samples show.
    pub fn examples(document: &ApiDocument, operation: &Operation, scope: Scope) -> Self {
        let server = document.servers_of(operation).first();
        let mut parameters = IndexMap::new();
        for parameter in operation.parameters.iter().filter(|p| !p.ignored) {
            if !parameter.required && (scope == Scope::Required || parameter.deprecated) {
                continue;
            }
            let made = |at| example_at(document, at, Direction::Request);
            let made = parameter.schema.as_ref().and_then(made);
            // In a path the name of a parameter says more than what is made up.
            let says =
                |value: &Value| parameter.location != ParameterLocation::Path || value != STRING;
            let value = parameter.example.clone().or(made.filter(says));
            // What nobody can fill in sensibly is left to the reader.
            if let Some(value) = value.filter(|value| !value.is_null()) {
                parameters.insert((parameter.location, parameter.name.clone()), value);
            }
        }
        let body = operation.request_body.as_ref().and_then(|body| {
            let json = body.content.iter().find(|media| media.is_json());
            let media = json.or(body.content.first())?;
            let value = examples(document, media, Direction::Request)
                .into_iter()
                .next()
                .map_or(Value::Null, |example| example.value);
            let schema = media.schema.as_ref().and_then(|at| document.node(at));
            let value = match (scope, schema) {
                (Scope::Required, Some(schema)) => {
                    let view = crate::schema_view(document, schema, Direction::Request, 2);
                    let required: Vec<&str> = view
                        .properties
                        .iter()
                        .filter(|property| property.required)
                        .map(|property| property.name.as_str())
                        .collect();
                    only(value, &required)
                }
                _ => value,
            };
            Some((media.name.clone(), value))
        });
        let credentials = operation.security.first().into_iter().flatten();
        let credentials = credentials.filter_map(|name| {
            let scheme = document.security_schemes.get(name)?;
            let placeholder = match &scheme.kind {
                SecurityKind::ApiKey { .. } => "<api-key>",
                SecurityKind::Basic => PASSWORD,
                _ => "<token>",
            };
            let value = scheme.default.clone();
            Some((
                name.clone(),
                value.unwrap_or_else(|| placeholder.to_owned()),
            ))
        });
        Self {
            server: server.map_or_else(|| SERVER.to_owned(), crate::Server::default_url),
            parameters,
            body,
            credentials: credentials.collect(),
        }
    }
}

/// An object with only the members of those names; all of them where none is named.
fn only(value: Value, names: &[&str]) -> Value {
    match value {
        Value::Object(members) => {
            let kept: Map<String, Value> = members
                .into_iter()
                .filter(|(name, _)| names.contains(&name.as_str()))
                .collect();
            Value::Object(kept)
        }
        other => other,
    }
}
