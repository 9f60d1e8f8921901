//! Output of the result as text.

use std::fmt::Write as _;

/// Output format of [`bundle`](crate::bundle()).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// JSON, indented by two spaces.
    Json,
    /// YAML, block style.
    Yaml,
}

/// A value of the result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum OutputValue {
    Null,
    /// A number or a boolean, as it is written in the source.
    Plain(String),
    Text(String),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
}

impl OutputValue {
    /// The members of a nested map, which is appended if it does not exist.
    pub(super) fn entry<'o>(
        members: &'o mut Vec<(String, Self)>,
        key: &str,
    ) -> Option<&'o mut Vec<(String, Self)>> {
        let at = members
            .iter()
            .position(|(known, _)| known == key)
            .unwrap_or_else(|| {
                members.push((key.to_owned(), Self::Map(Vec::new())));
                members.len() - 1
            });
        let value = &mut members.get_mut(at)?.1;
        if !matches!(value, Self::Map(_)) {
            *value = Self::Map(Vec::new());
        }
        match value {
            Self::Map(inner) => Some(inner),
            _ => None,
        }
    }

    pub(super) fn text(&self, notation: OutputFormat) -> String {
        let mut out = String::new();
        match notation {
            OutputFormat::Json => self.json(0, &mut out),
            OutputFormat::Yaml => self.yaml(0, &mut out),
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out
    }

    fn json(&self, level: usize, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Plain(text) => out.push_str(text),
            Self::Text(text) => quoted(text, out),
            Self::List(items) if items.is_empty() => out.push_str("[]"),
            Self::Map(members) if members.is_empty() => out.push_str("{}"),
            Self::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    out.push(if at == 0 { '[' } else { ',' });
                    line(level + 1, out);
                    item.json(level + 1, out);
                }
                line(level, out);
                out.push(']');
            }
            Self::Map(members) => {
                for (at, (key, value)) in members.iter().enumerate() {
                    out.push(if at == 0 { '{' } else { ',' });
                    line(level + 1, out);
                    quoted(key, out);
                    out.push_str(": ");
                    value.json(level + 1, out);
                }
                line(level, out);
                out.push('}');
            }
        }
    }

    /// The value after a key or a dash; maps and arrays begin on the same line at this level.
    fn yaml(&self, level: usize, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Plain(text) => out.push_str(text),
            Self::Text(text) => yaml_text(text, level, out),
            Self::List(items) if items.is_empty() => out.push_str("[]"),
            Self::Map(members) if members.is_empty() => out.push_str("{}"),
            Self::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        line(level, out);
                    }
                    out.push_str("- ");
                    item.yaml(level + 1, out);
                }
            }
            Self::Map(members) => {
                for (at, (key, value)) in members.iter().enumerate() {
                    if at > 0 {
                        line(level, out);
                    }
                    if is_plain(key) {
                        out.push_str(key);
                    } else {
                        quoted(key, out);
                    }
                    out.push(':');
                    let block = match value {
                        Self::Map(members) => !members.is_empty(),
                        Self::List(items) => !items.is_empty(),
                        _ => false,
                    };
                    if block {
                        line(level + 1, out);
                    } else {
                        out.push(' ');
                    }
                    value.yaml(level + 1, out);
                }
            }
        }
    }
}

fn line(level: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}

/// A JSON string, which is valid YAML too.
fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Characters that YAML forbids or treats as line breaks.
            c if c.is_control()
                || matches!(
                    c,
                    '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
                ) =>
            {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Whether a single-line text has only its literal meaning in YAML.
fn is_plain(text: &str) -> bool {
    const YAML_KEYWORDS: [&str; 10] = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan",
    ];
    let letters = |c: char| c.is_ascii_alphanumeric() || "_-./$ ".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '$')
        && text.chars().all(letters)
        && !text.ends_with(' ')
        && text.len() < 200
        && !YAML_KEYWORDS.contains(&text.to_ascii_lowercase().as_str())
}

fn yaml_text(text: &str, level: usize, out: &mut String) {
    if is_plain(text) {
        out.push_str(text);
        return;
    }
    let body = text.strip_suffix('\n').unwrap_or(text);
    let odd = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(
                c,
                '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            )
    };
    let block = body.contains('\n')
        && !body.ends_with('\n')
        && !body.starts_with(['\n', ' ', '\t'])
        && !body.contains(odd)
        && !body
            .lines()
            .any(|line| line.trim().is_empty() && !line.is_empty());
    if !block {
        quoted(text, out);
        return;
    }
    out.push_str(if body.len() == text.len() { "|-" } else { "|" });
    for written in body.split('\n') {
        if written.is_empty() {
            out.push('\n');
        } else {
            line(level.max(1), out);
            out.push_str(written);
        }
    }
}

/// Whether a text is a JSON number.
pub(super) fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent
            .is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}
