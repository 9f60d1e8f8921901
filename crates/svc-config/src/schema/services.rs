//! `integrations`: converts the table of services, which is defined beside its decoder, to schemas.

use serde_json::{Map, Value, json};

use super::{object::object_schema, option_doc::OptionDoc};
use crate::{
    integrations::{Rule, SERVICES, Setting},
    keys::{patterns, shape},
};

/// The schemas of all services.
pub(super) fn properties() -> Map<String, Value> {
    let service = |settings: &[Setting]| {
        let properties: Map<String, Value> = settings
            .iter()
            .map(|setting| {
                let schema =
                    json!({ "anyOf": [schema(setting.rule), { "$ref": "#/$defs/reference" }] });
                (setting.key.to_owned(), schema)
            })
            .collect();
        let required: Vec<&str> = settings
            .iter()
            .filter(|setting| setting.required)
            .map(|setting| setting.key)
            .collect();
        object_schema(properties, &required, &[], false, false)
    };
    SERVICES
        .iter()
        .map(|(name, settings)| {
            let mut schema = Map::new();
            schema.insert(
                "description".to_owned(),
                format!("Settings of the service {name}.").into(),
            );
            schema.extend(service(settings));
            ((*name).to_owned(), Value::Object(schema))
        })
        .collect()
}

/// The keys of all services for the reference.
pub(super) fn keys(path: &str) -> Vec<OptionDoc> {
    let mut keys = Vec::new();
    for (name, settings) in SERVICES {
        for setting in *settings {
            keys.push(OptionDoc {
                path: format!("{path}.{name}.{}", setting.key),
                kind: kind(setting.rule).to_owned(),
                values: match setting.rule {
                    Rule::OneOf(allowed) => {
                        allowed.iter().map(|value| (*value).to_owned()).collect()
                    }
                    _ => Vec::new(),
                },
                required: setting.required,
                rule: rule_text(setting.rule),
                since: shape::FIRST,
                ..OptionDoc::default()
            });
        }
    }
    keys
}

fn kind(rule: Rule) -> &'static str {
    match rule {
        Rule::Boolean => "boolean",
        Rule::Url => patterns::WEB_URL.name,
        Rule::Https => patterns::HTTPS.name,
        Rule::PlainHttps => patterns::PLAIN_HTTPS.name,
        Rule::Host => patterns::HOST.name,
        Rule::Text => "string or number",
        Rule::Identifier => patterns::IDENTIFIER.name,
        Rule::MinLength(_) | Rule::MaxLength(_) | Rule::Prefix(_) | Rule::OneOf(_) => "string",
    }
}

fn rule_text(rule: Rule) -> String {
    match rule {
        Rule::MinLength(count) => format!("At least {count} characters."),
        Rule::MaxLength(count) => format!("At most {count} characters."),
        Rule::Prefix(prefix) => format!("Begins with `{prefix}`."),
        Rule::Url => patterns::WEB_URL.hint.to_owned(),
        Rule::Https => patterns::HTTPS.hint.to_owned(),
        Rule::PlainHttps => patterns::PLAIN_HTTPS.hint.to_owned(),
        Rule::Host => patterns::HOST.hint.to_owned(),
        Rule::Identifier => patterns::IDENTIFIER.hint.to_owned(),
        Rule::Text | Rule::OneOf(_) | Rule::Boolean => String::new(),
    }
}

fn schema(rule: Rule) -> Value {
    let form = |regex: String| {
        let hint = rule_text(rule);
        json!({ "type": "string", "pattern": regex, "patternErrorMessage": hint })
    };
    match rule {
        Rule::Boolean => json!({ "type": "boolean" }),
        // Site IDs are often written as numbers.
        Rule::Text => json!({ "type": ["string", "number"], "pattern": r"\S" }),
        Rule::OneOf(allowed) => json!({ "enum": allowed }),
        // The decoder trims, so the text must begin and end with a visible character.
        Rule::MinLength(count) => form(format!(r"\S[\s\S]{{{},}}\S", count.saturating_sub(2))),
        Rule::MaxLength(count) => form(format!(
            r"^\s*\S(?:[\s\S]{{0,{}}}\S)?\s*$",
            count.saturating_sub(2)
        )),
        Rule::Prefix(prefix) => form(format!(r"^\s*{prefix}")),
        Rule::Url => form((patterns::WEB_URL.regex)()),
        Rule::Https => form((patterns::HTTPS.regex)()),
        Rule::PlainHttps => form((patterns::PLAIN_HTTPS.regex)()),
        Rule::Host => form((patterns::HOST.regex)()),
        Rule::Identifier => form((patterns::IDENTIFIER.regex)()),
    }
}
