//! Detection of the layout of a text, and output in that layout.

use serde_json::Value;

/// Formatting conventions of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// The line ending.
    pub(super) newline: &'static str,
    /// One level of indentation; None if the whole document is on one line.
    pub(super) indent: Option<String>,
    /// White space between `:` and the value.
    pub(super) after_colon: &'static str,
    /// White space between `,` and the next value of an array on one line.
    pub(super) after_comma: &'static str,
}

impl Layout {
    /// Detects the layout of a text from its first lines; the default is two spaces.
    pub(super) fn detect(text: &str) -> Self {
        let newline = if text
            .split_once('\n')
            .is_some_and(|(line, _)| line.ends_with('\r'))
        {
            "\r\n"
        } else {
            "\n"
        };
        let body = text.trim_start_matches('\u{feff}').trim();
        let indented = |line: &str| {
            let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
            (blank > 0 && blank < line.len()).then(|| line[..blank].to_owned())
        };
        let indent = if body.contains('\n') {
            Some(
                text.lines()
                    .find_map(indented)
                    .unwrap_or_else(|| "  ".to_owned()),
            )
        } else if matches!(body, "{}" | "[]") {
            Some("  ".to_owned())
        } else {
            None
        };
        let spaced = indent.is_some() || body.contains("\": ") || body.contains(", ");
        let gap = if spaced { " " } else { "" };
        Self {
            newline,
            after_colon: gap,
            after_comma: gap,
            indent,
        }
    }

    /// Appends a value whose line is indented by `before`; `flat` puts it on one line.
    pub(super) fn write(&self, value: &Value, before: &str, flat: bool, out: &mut String) {
        let unit = self.indent.as_deref().filter(|_| !flat);
        match value {
            Value::Array(items) if !items.is_empty() => {
                let items = items.iter().map(|item| (None, item));
                self.write_all(items, ['[', ']'], before, unit, out);
            }
            Value::Object(members) if !members.is_empty() => {
                let members = members.iter().map(|(key, value)| (Some(&**key), value));
                self.write_all(members, ['{', '}'], before, unit, out);
            }
            // Scalars and empty containers have only one spelling.
            _ => out.push_str(&value.to_string()),
        }
    }

    fn write_all<'v>(
        &self,
        entries: impl Iterator<Item = (Option<&'v str>, &'v Value)>,
        brackets: [char; 2],
        before: &str,
        unit: Option<&str>,
        out: &mut String,
    ) {
        let inner = unit.map(|unit| format!("{before}{unit}"));
        out.push(brackets[0]);
        for (index, (key, value)) in entries.enumerate() {
            if index > 0 {
                out.push(',');
                if inner.is_none() {
                    out.push_str(self.after_comma);
                }
            }
            if let Some(inner) = &inner {
                out.push_str(self.newline);
                out.push_str(inner);
            }
            if let Some(key) = key {
                self.write_key(key, out);
            }
            self.write(
                value,
                inner.as_deref().unwrap_or(before),
                inner.is_none(),
                out,
            );
        }
        if inner.is_some() {
            out.push_str(self.newline);
            out.push_str(before);
        }
        out.push(brackets[1]);
    }

    /// Appends a key with its colon.
    pub(super) fn write_key(&self, key: &str, out: &mut String) {
        out.push_str(&Value::from(key).to_string());
        out.push(':');
        out.push_str(self.after_colon);
    }
}

/// The white space at the start of the line that contains `at`.
pub(super) fn indentation(text: &str, at: usize) -> &str {
    let start = text
        .get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or("");
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    line.get(..end).unwrap_or("")
}
