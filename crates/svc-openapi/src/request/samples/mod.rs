//! Code samples that send a request, in many languages.

mod highlight;
mod language;
mod literal;
mod template;

use serde_json::{Map, Value, json};

pub use highlight::{Token, TokenKind};
pub use language::{LANGUAGES, Language, LongLiteral, ShortLiteral, language};

use super::inputs::{ENCODED_PASSWORD, PASSWORD};
use super::style::text_of;
use super::{Content, Request};

/// The code that sends `request`, as highlighted tokens. The last line has no line break.
///
/// Example: [module documentation](crate::request#example).
pub fn sample(language: &Language, request: &Request) -> Vec<Token> {
    let mut tokens = template::run(language, &values(request));
    if let Some(last) = tokens.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    tokens.retain(|token| !token.text.is_empty());
    tokens
}

/// The values that templates can use.
fn values(request: &Request) -> Map<String, Value> {
    let header = |(name, value): &(String, String)| {
        let basic = value.strip_prefix("Basic ") == Some(ENCODED_PASSWORD);
        json!({"name": name, "value": value, "line": format!("{name}: {value}"), "user": basic.then_some(PASSWORD)})
    };
    let headers: Vec<Value> = request.headers.iter().map(header).collect();
    let is_type = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("content-type");
    let content_type = request.headers.iter().find(is_type);
    let others = request.headers.iter().filter(|header| !is_type(header));
    let plain_headers: Vec<Value> = others.map(header).collect();
    let mut values = Map::new();
    let mut set = |name: &str, value: Value| {
        values.insert(name.to_owned(), value);
    };
    let has_body = !matches!(request.content, Content::Empty);
    let needs_body = matches!(request.method.as_str(), "POST" | "PUT" | "PATCH");
    set("method", json!(request.method));
    set("head", json!(request.method == "HEAD"));
    set("url", json!(request.url));
    set("headers", json!(headers));
    set("plain_headers", json!(plain_headers));
    set("content_type", json!(content_type.map(|(_, value)| value)));
    set("body", json!(has_body));
    set("empty_body", json!(!has_body && needs_body));
    set("sends", json!(has_body || needs_body));
    match &request.content {
        Content::Empty => {}
        Content::Json(value) => {
            let text = request.content.text();
            // Values other than objects and arrays have no better form than their text.
            let compound = value.is_object() || value.is_array();
            set(
                if compound { "json" } else { "text" },
                if compound { value.clone() } else { json!(text) },
            );
            // In languages whose numbers are floats, larger integers are only exact in a string.
            if compound && are_floats(value) {
                set("floats", value.clone());
            } else {
                set("source", json!(text));
            }
            set("plain", json!(text));
            set("payload", json!(text));
        }
        Content::Text(text) => {
            set("text", json!(text));
            set("source", json!(text));
            set("plain", json!(text));
            set("payload", json!(text));
        }
        Content::Form(pairs) => {
            let text = request.content.text();
            let items: Vec<Value> = pairs.iter().map(|pair| json!({"item": pair})).collect();
            set("pairs", json!(items));
            set("text", json!(text));
            set("source", json!(text));
            set("payload", json!(text));
        }
        Content::File(name) => {
            set("file", json!(name));
            set("files", json!(true));
            set("at_file", json!(format!("@{name}")));
        }
        Content::Multipart(parts) => {
            set("files", json!(parts.iter().any(|part| part.file)));
            set(
                "typed",
                json!(parts.iter().any(|part| part.content_type.is_some())),
            );
            // A field of an HTML form has no type; some clients write none.
            let is_typed = |part: &super::Part| !part.file && part.content_type.is_some();
            set("typed_text", json!(parts.iter().any(is_typed)));
            let parts: Vec<Value> = parts.iter().map(part).collect();
            set("parts", json!(parts));
        }
    }
    values
}

/// Whether a float represents every integer of a value: none exceeds 2^53.
fn are_floats(value: &Value) -> bool {
    const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.unsigned_abs() <= MAX_SAFE_INTEGER,
            None => number.is_f64(),
        },
        Value::Array(items) => items.iter().all(are_floats),
        Value::Object(members) => members.values().all(are_floats),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

fn part(part: &super::Part) -> Value {
    let quoted = |text: &str| text.replace('\\', r"\\").replace('"', "\\\"");
    let kind = part.content_type.as_deref();
    let name = &part.name;
    let file_name = if part.file {
        format!("; filename=\"{}\"", quoted(&part.value))
    } else {
        String::new()
    };
    let disposition = format!("form-data; name=\"{}\"{file_name}", quoted(name));
    let head = kind.map_or(String::new(), |kind| format!("Content-Type: {kind}\r\n"));
    let suffix = kind.map_or(String::new(), |kind| format!(";type={kind}"));
    let form = if part.file {
        format!("{name}=@{}{suffix}", part.value)
    } else {
        format!("{name}=\"{}\"{suffix}", quoted(&part.value))
    };
    // All names are set, so that none is looked up outside of the part.
    json!({
        "name": name,
        "value": part.value,
        "file": part.file.then_some(&part.value),
        "type": kind,
        "simple": kind.is_none().then(|| format!("{name}={}", part.value)),
        "form": form,
        "disposition": &disposition,
        "part_head": format!("Content-Disposition: {disposition}\r\n{head}\r\n"),
    })
}
