//! JSON as text, identical here and in a browser, where all numbers are floats and integers have no
//! fraction.

use serde_json::{Number, Value};

/// Literals of JSON.
pub(super) const LITERALS: [&str; 3] = ["null", "true", "false"];

/// Maximum depth of values on separate lines; deeper ones are written on one line.
const MAX_DEPTH: usize = 100;

/// JSON on one line.
pub(super) fn compact(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// JSON on several lines, with the literals of a language.
pub(super) fn lines(value: &Value, indent: &str, unit: &str, literals: &[&str; 3]) -> String {
    let mut out = String::new();
    write_lines(value, indent, (unit, literals), 0, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => write_number(number, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (at, (name, item)) in members.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_text(name, out);
                out.push(':');
                write(item, out);
            }
            out.push('}');
        }
        Value::String(text) => write_text(text, out),
        Value::Bool(_) | Value::Null => out.push_str(&value.to_string()),
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push_str(&Value::from(text).to_string());
}

/// Writes a number like `Number::toString` of ECMAScript.
fn write_number(number: &Number, out: &mut String) {
    let text = match number.as_f64().filter(|_| number.is_f64()) {
        None => number.to_string(),
        Some(0.0) => "0".to_owned(),
        Some(float) if (1e-6..1e21).contains(&float.abs()) => float.to_string(),
        Some(float) if float.abs() >= 1e21 => format!("{float:e}").replace('e', "e+"),
        Some(float) => format!("{float:e}"),
    };
    out.push_str(&text);
}

fn write_lines(
    value: &Value,
    indent: &str,
    (unit, literals): (&str, &[&str; 3]),
    depth: usize,
    out: &mut String,
) {
    let next = format!("{indent}{unit}");
    match value {
        Value::Null => out.push_str(literals[0]),
        Value::Bool(true) => out.push_str(literals[1]),
        Value::Bool(false) => out.push_str(literals[2]),
        Value::Array(items) if !items.is_empty() && depth < MAX_DEPTH => {
            out.push_str("[\n");
            for (index, item) in items.iter().enumerate() {
                out.push_str(&next);
                write_lines(item, &next, (unit, literals), depth + 1, out);
                out.push_str(if index + 1 < items.len() { ",\n" } else { "\n" });
            }
            out.push_str(indent);
            out.push(']');
        }
        Value::Object(members) if !members.is_empty() && depth < MAX_DEPTH => {
            out.push_str("{\n");
            for (index, (name, item)) in members.iter().enumerate() {
                out.push_str(&next);
                write_text(name, out);
                out.push_str(": ");
                write_lines(item, &next, (unit, literals), depth + 1, out);
                let more = index + 1 < members.len();
                out.push_str(if more { ",\n" } else { "\n" });
            }
            out.push_str(indent);
            out.push('}');
        }
        other => write(other, out),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{LITERALS, compact, lines};

    #[test]
    fn numbers_are_written_as_in_a_browser() {
        let text = "[1.0, -0.0, 1e3, 0.5, 1e-6, 1.5e-7, 1e20, 2.5e21, 12345678901234567890, 9007199254740993, -3]";
        let value: Value = serde_json::from_str(text).expect("it is JSON");
        assert_eq!(
            compact(&value),
            "[1,0,1000,0.5,0.000001,1.5e-7,100000000000000000000,2.5e+21,12345678901234567890,9007199254740993,-3]"
        );
    }

    #[test]
    fn lines_break_between_tokens() {
        let value = json!({"a": [null, true, {}, []], "b\n": {"c": false}});
        assert_eq!(
            lines(&value, "", "  ", &LITERALS),
            serde_json::to_string_pretty(&value).expect("it is JSON")
        );
        assert_eq!(
            lines(&json!([null, true]), " ", "\t", &["None", "True", "False"]),
            "[\n \tNone,\n \tTrue\n ]"
        );
    }
}
