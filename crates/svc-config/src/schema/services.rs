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
        Rule::Https | Rule::PlainHttps => patterns::PLAIN_HTTPS.name,
        Rule::Host | Rule::SiteNames => patterns::HOST.name,
        Rule::MaxLength(_) | Rule::OneOf(_) => "string",
        Rule::Identifier { .. } | Rule::Path | Rule::Text | Rule::Digits
            if rule.allows_numbers() =>
        {
            "string or integer"
        }
        Rule::Identifier { .. } | Rule::Path | Rule::Text | Rule::Digits => "string",
    }
}

fn rule_text(rule: Rule) -> String {
    match rule {
        Rule::MaxLength(count) => format!("At most {count} characters."),
        Rule::Identifier { prefix, min } => {
            let length = match min {
                0 | 1 => String::new(),
                min => format!(" At least {min} characters."),
            };
            let begin = match prefix {
                "" => String::new(),
                prefix => format!(" Begins with `{prefix}`."),
            };
            format!("{}{length}{begin}", patterns::IDENTIFIER.hint)
        }
        Rule::Path => "Use letters, digits, `-`, `_` and `/`.".to_owned(),
        Rule::Digits => "Use digits only.".to_owned(),
        Rule::Https => patterns::SERVICE_URL.hint.to_owned(),
        Rule::PlainHttps => patterns::PLAIN_HTTPS.hint.to_owned(),
        Rule::Host => patterns::HOST.hint.to_owned(),
        Rule::SiteNames => patterns::SITE_NAMES.hint.to_owned(),
        Rule::Text | Rule::OneOf(_) | Rule::Boolean => String::new(),
    }
}

fn schema(rule: Rule) -> Value {
    // IDs are often written as numbers.
    let kind = match rule.allows_numbers() {
        true => json!(["string", "integer"]),
        false => json!("string"),
    };
    let form = |regex: String| {
        let hint = rule_text(rule);
        json!({ "type": kind, "pattern": regex, "patternErrorMessage": hint })
    };
    match rule {
        Rule::Boolean => json!({ "type": "boolean" }),
        Rule::Text => json!({ "type": kind, "pattern": r"\S" }),
        Rule::OneOf(allowed) => json!({ "enum": allowed }),
        // The decoder trims, so the text must begin and end with a visible character.
        Rule::MaxLength(count) => form(format!(
            r"^\s*\S(?:[\s\S]{{0,{}}}\S)?\s*$",
            count.saturating_sub(2)
        )),
        Rule::Identifier { prefix, min } => {
            let rest = min.saturating_sub(prefix.len());
            form(format!(r"^\s*{prefix}[A-Za-z0-9_-]{{{rest},}}\s*$"))
        }
        Rule::Path => form(r"^\s*[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*\s*$".to_owned()),
        Rule::Digits => form(r"^\s*[0-9]+\s*$".to_owned()),
        Rule::Https => form((patterns::SERVICE_URL.regex)()),
        Rule::PlainHttps => form((patterns::PLAIN_HTTPS.regex)()),
        Rule::Host => form((patterns::HOST.regex)()),
        Rule::SiteNames => form((patterns::SITE_NAMES.regex)()),
    }
}
