//! Serialization of parameter values: OAS 3.1.2 "Style Values" and "Style Examples", RFC 6570.

use serde_json::Value;
use svc_data::percent;

use crate::ParameterLocation;

/// `style`: the serialization of a value.
///
/// # Example
///
/// ```
/// use serde_json::json;
/// use svc_openapi::{ParameterLocation, request::{EncodeSet, Style, escape, serialize}};
/// let style = Style::from_name("form").expect("it exists");
/// assert_eq!((style, style.as_str()), (Style::default_of(ParameterLocation::Query), "form"));
/// assert!(style.explodes());
/// let text = serialize("color", &json!(["blue", "a b"]), style, true, EncodeSet::Unreserved);
/// assert_eq!(text, "color=blue&color=a%20b");
/// let mut out = String::new();
/// escape("a/b", EncodeSet::Unreserved, &mut out);
/// assert_eq!(out, "a%2Fb");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// `;color=blue`, in paths.
    Matrix,
    /// `.blue`, in paths.
    Label,
    /// `blue,black`, in paths and headers.
    Simple,
    /// `color=blue`, in queries and cookies.
    Form,
    /// `color=blue%20black`, arrays and objects in queries.
    SpaceDelimited,
    /// `color=blue%7Cblack`, arrays and objects in queries.
    PipeDelimited,
    /// `color%5BR%5D=100`, objects in queries.
    DeepObject,
    /// `color=blue; size=1` without escapes (3.2), in cookies.
    Cookie,
}

impl Style {
    /// The style with this name. None if there is none.
    ///
    /// Example: [`Style`](super::Style#example).
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "matrix" => Self::Matrix,
            "label" => Self::Label,
            "simple" => Self::Simple,
            "form" => Self::Form,
            "spaceDelimited" => Self::SpaceDelimited,
            "pipeDelimited" => Self::PipeDelimited,
            "deepObject" => Self::DeepObject,
            "cookie" => Self::Cookie,
            _ => return None,
        })
    }

    /// The name of the style.
    ///
    /// Example: [`Style`](super::Style#example).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Matrix => "matrix",
            Self::Label => "label",
            Self::Simple => "simple",
            Self::Form => "form",
            Self::SpaceDelimited => "spaceDelimited",
            Self::PipeDelimited => "pipeDelimited",
            Self::DeepObject => "deepObject",
            Self::Cookie => "cookie",
        }
    }

    /// The default style of a location.
    ///
    /// Example: [`Style`](super::Style#example).
    pub const fn default_of(location: ParameterLocation) -> Self {
        match location {
            ParameterLocation::Path | ParameterLocation::Header => Self::Simple,
            ParameterLocation::Query | ParameterLocation::Cookie => Self::Form,
        }
    }

    /// The default of `explode`.
    ///
    /// Example: [`Style`](super::Style#example).
    pub const fn explodes(self) -> bool {
        matches!(self, Self::Form | Self::Cookie | Self::DeepObject)
    }
}

/// Characters that are not percent-encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EncodeSet {
    /// Letters, digits, `-._~` (RFC 3986, 2.3).
    Unreserved,
    /// Also the reserved characters, like the operator `+` of RFC 6570.
    Reserved,
    /// Also the reserved characters that are unambiguous in the value of a query: not `&`, `#` and
    /// `+`.
    Query,
    /// Also the reserved characters that stay in a segment: not `/`, `?` and `#`.
    Path,
    /// All characters: headers are not encoded (OAS 3.1.2, appendix D).
    All,
}

/// Placeholders for unknown values.
const PLACEHOLDERS: [&str; 4] = ["<string>", "<any>", "<api-key>", "<token>"];

/// Appends `text` percent-encoded; placeholders of samples are not encoded.
///
/// Example: [`Style`](super::Style#example).
pub fn escape(text: &str, encode_set: EncodeSet, out: &mut String) {
    // A placeholder for an empty value stays readable.
    if encode_set == EncodeSet::All || PLACEHOLDERS.contains(&text) {
        out.push_str(text);
        return;
    }
    let set = match encode_set {
        EncodeSet::Unreserved | EncodeSet::All => percent::COMPONENT,
        EncodeSet::Reserved => percent::RESERVED,
        EncodeSet::Query => percent::QUERY,
        EncodeSet::Path => percent::SEGMENT,
    };
    out.push_str(&percent::encode(text, set));
}

/// A scalar as text; an array or object as JSON.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => super::json::compact(other),
    }
}

/// Serializes a parameter: `color=blue&color=black`, `;color=blue`, `blue,black`. Empty if there is
/// nothing to send: an empty array or object.
///
/// Example: [`Style`](super::Style#example).
pub fn serialize(
    name: &str,
    value: &Value,
    style: Style,
    explode: bool,
    encode_set: EncodeSet,
) -> String {
    let mut key = String::new();
    let plain = encode_set == EncodeSet::All || style == Style::Cookie;
    let encode_set = if plain { EncodeSet::All } else { encode_set };
    escape(
        name,
        if plain {
            encode_set
        } else {
            EncodeSet::Unreserved
        },
        &mut key,
    );
    let escaped = |text: &str| {
        let mut out = String::new();
        escape(text, encode_set, &mut out);
        out
    };
    // Arrays and objects without a serialization of their own are serialized as forms.
    let (delimiter, explode) = match style {
        Style::SpaceDelimited => ("%20", explode),
        Style::PipeDelimited => ("%7C", explode),
        _ => (",", explode),
    };
    match value {
        Value::Array(items) if style == Style::DeepObject => deep(&key, items, &escaped),
        Value::Object(members) if style == Style::DeepObject => {
            let mut pairs = Vec::new();
            for (member, value) in members {
                let member = format!("{key}%5B{}%5D", escaped_name(member));
                deep_pairs(&member, value, &escaped, 0, &mut pairs);
            }
            pairs.join("&")
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| escaped(&text_of(item))).collect();
            serialize_array(&key, &items, style, explode, delimiter)
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                let mut text = String::new();
                let encode_set = if plain || encode_set == EncodeSet::Reserved {
                    encode_set
                } else {
                    EncodeSet::Unreserved
                };
                escape(name, encode_set, &mut text);
                (text, escaped(&text_of(value)))
            };
            let pairs: Vec<(String, String)> = members.iter().map(member).collect();
            serialize_object(&key, &pairs, style, explode, delimiter)
        }
        scalar => {
            let text = escaped(&text_of(scalar));
            match style {
                Style::Matrix if text.is_empty() => format!(";{key}"),
                Style::Matrix => format!(";{key}={text}"),
                Style::Label => format!(".{text}"),
                Style::Simple => text,
                _ => format!("{key}={text}"),
            }
        }
    }
}

/// The separator between exploded parts, and the prefix of the first one.
const fn marks(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Matrix => (";", ";"),
        Style::Label => (".", "."),
        Style::Simple => (",", ""),
        Style::Cookie => ("; ", ""),
        _ => ("&", ""),
    }
}

fn serialize_array(
    key: &str,
    items: &[String],
    style: Style,
    explode: bool,
    delimiter: &str,
) -> String {
    let (between, first) = marks(style);
    if items.is_empty() {
        let named = style == Style::Matrix && !explode;
        return if named {
            format!(";{key}=")
        } else {
            String::new()
        };
    }
    match (style, explode) {
        (Style::Simple, _) => items.join(","),
        (Style::Label, true) => format!("{first}{}", items.join(between)),
        (Style::Label, false) => format!("{first}{}", items.join(",")),
        (_, true) => {
            let named: Vec<String> = items.iter().map(|item| format!("{key}={item}")).collect();
            format!("{first}{}", named.join(between))
        }
        (_, false) => format!("{first}{key}={}", items.join(delimiter)),
    }
}

fn serialize_object(
    key: &str,
    pairs: &[(String, String)],
    style: Style,
    explode: bool,
    delimiter: &str,
) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let (between, first) = marks(style);
    if explode {
        let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}={v}")).collect();
        return format!("{first}{}", pairs.join(between));
    }
    let flat: Vec<&str> = pairs
        .iter()
        .flat_map(|(k, v)| [k.as_str(), v.as_str()])
        .collect();
    let flat = flat.join(delimiter);
    match style {
        Style::Simple | Style::Label => format!("{first}{flat}"),
        _ => format!("{first}{key}={flat}"),
    }
}

fn escaped_name(name: &str) -> String {
    let mut out = String::new();
    escape(name, EncodeSet::Unreserved, &mut out);
    out
}

/// Maximum depth of nested objects in a query.
const MAX_DEPTH: usize = 32;

fn deep(key: &str, items: &[Value], escaped: &dyn Fn(&str) -> String) -> String {
    let mut pairs = Vec::new();
    for (index, item) in items.iter().enumerate() {
        deep_pairs(&format!("{key}%5B{index}%5D"), item, escaped, 0, &mut pairs);
    }
    pairs.join("&")
}

/// Nested values under bracketed names. OAS does not define them; they are written as most servers
/// read them.
fn deep_pairs(
    name: &str,
    value: &Value,
    escaped: &dyn Fn(&str) -> String,
    depth: usize,
    pairs: &mut Vec<String>,
) {
    match value {
        Value::Object(members) if depth < MAX_DEPTH => {
            for (member, value) in members {
                let name = format!("{name}%5B{}%5D", escaped_name(member));
                deep_pairs(&name, value, escaped, depth + 1, pairs);
            }
        }
        Value::Array(items) if depth < MAX_DEPTH => {
            for (index, item) in items.iter().enumerate() {
                let name = format!("{name}%5B{index}%5D");
                deep_pairs(&name, item, escaped, depth + 1, pairs);
            }
        }
        scalar => pairs.push(format!("{name}={}", escaped(&text_of(scalar)))),
    }
}

#[cfg(test)]
mod tests {
    use super::{EncodeSet, Style, serialize};
    use serde_json::{Value, json};

    fn rows(file: &str) -> Option<Vec<Value>> {
        let path = svc_test_support::reference_path(&format!("oracle/openapi/expected/{file}"))?;
        let text = std::fs::read_to_string(path).expect("the table can be read");
        Some(serde_json::from_str(&text).expect("the table is JSON"))
    }

    #[test]
    fn the_style_examples_of_the_specification_are_reproduced() {
        let Some(rows) = rows("oas_style_table.json") else {
            return;
        };
        let mut compared = 0;
        for row in rows.iter().filter(|row| row["oas"] == "3.1.2") {
            let (Some(expected), Some(style)) = (
                row["expected"].as_str(),
                row["style"].as_str().and_then(Style::from_name),
            ) else {
                continue;
            };
            let value = match row["value"].as_str() {
                Some("string") => json!("blue"),
                Some("array") => json!(["blue", "black", "brown"]),
                Some("object") => json!({"R": 100, "G": 200, "B": 150}),
                // A missing value is not sent; an empty one is the closest.
                _ => json!(""),
            };
            let explode = row["explode"] == true;
            let serialized = serialize("color", &value, style, explode, EncodeSet::Unreserved);
            assert_eq!(serialized, expected, "{row}");
            compared += 1;
        }
        assert_eq!(compared, 37);
    }

    #[test]
    fn uri_templates_expand_alike() {
        let Some(rows) = rows("rfc6570_styles.json") else {
            return;
        };
        for row in &rows {
            let style_name = row["style"].as_str().unwrap_or_default();
            let encode_set = if style_name.contains("{+}") {
                EncodeSet::Reserved
            } else {
                EncodeSet::Unreserved
            };
            let style = style_name.split('+').next().and_then(Style::from_name);
            // The table was generated by a library that sorts the members of objects.
            let mut input = row["input"].clone();
            input.sort_all_objects();
            let style = style.expect("the style is known");
            let serialized = serialize("color", &input, style, row["explode"] == true, encode_set);
            assert_eq!(Some(serialized.as_str()), row["expected"].as_str(), "{row}");
        }
        assert_eq!(rows.len(), 80);
    }

    #[test]
    fn deep_objects_nest_and_escape() {
        let value = json!({"a": {"b c": [1, "x&y"]}, "d": null});
        let serialized = serialize("f", &value, Style::DeepObject, true, EncodeSet::Unreserved);
        assert_eq!(
            serialized,
            "f%5Ba%5D%5Bb%20c%5D%5B0%5D=1&f%5Ba%5D%5Bb%20c%5D%5B1%5D=x%26y&f%5Bd%5D=null"
        );
    }

    #[test]
    fn reserved_characters_survive_in_a_query() {
        let in_query =
            |text: &str| serialize("r", &json!(text), Style::Form, true, EncodeSet::Query);
        assert_eq!(in_query("a/b?c=d"), "r=a/b?c=d");
        assert_eq!(in_query("a&b#c+d"), "r=a%26b%23c%2Bd");
    }
}
