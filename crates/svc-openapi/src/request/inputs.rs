//! Input values of an operation.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::{
    ApiDocument, Direction, Operation, ParameterLocation, SecurityKind, example_at, examples,
};

/// Placeholder for an empty name and password.
pub(super) const PASSWORD: &str = "<username>:<password>";
/// Placeholder for both in a header.
pub(super) const ENCODED_PASSWORD: &str = "<base64 of username:password>";
/// Placeholder for the URL of an API without a server.
const SERVER: &str = "{baseUrl}";
/// Placeholder for a string without conditions.
const STRING: &str = "<string>";

/// The parameters and properties that get an example value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// All parameters and properties.
    #[default]
    All,
    /// Required ones (`api.examples.defaults: required`).
    Required,
}

/// The input values of a call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inputs {
    /// URL of the server with its variables expanded.
    pub server: String,
    /// Values by location and name. A parameter without a value is not sent; in a path its name
    /// stays.
    pub parameters: IndexMap<(ParameterLocation, String), Value>,
    /// Media type and value of the body.
    pub body: Option<(String, Value)>,
    /// Input of security schemes by name: a token, a key, `user:password`.
    pub credentials: IndexMap<String, String>,
}

impl Inputs {
    /// The example values: the initial values of the form, and the values of samples.
    ///
    /// Example: [module documentation](crate::request#example).
    pub fn examples(document: &ApiDocument, operation: &Operation, scope: Scope) -> Self {
        let server = document.servers_of(operation).first();
        let mut parameters = IndexMap::new();
        for parameter in operation.parameters.iter().filter(|p| !p.ignored) {
            if !parameter.required && (scope == Scope::Required || parameter.deprecated) {
                continue;
            }
            let generate = |at| example_at(document, at, Direction::Request);
            let generated = parameter.schema.as_ref().and_then(generate);
            // In a path the name of a parameter is more useful than a generated value.
            let is_specific =
                |value: &Value| parameter.location != ParameterLocation::Path || value != STRING;
            let value = parameter.example.clone().or(generated.filter(is_specific));
            // A value that cannot be generated is left to the reader.
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

/// An object with only these members; all of them if no name is given.
fn only(value: Value, names: &[&str]) -> Value {
    match value {
        Value::Object(members) => {
            let retained: Map<String, Value> = members
                .into_iter()
                .filter(|(name, _)| names.contains(&name.as_str()))
                .collect();
            Value::Object(retained)
        }
        other => other,
    }
}
