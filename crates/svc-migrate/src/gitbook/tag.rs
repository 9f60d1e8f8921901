//! `{% name key="value" %}`.

use crate::markdown::attribute;

/// A tag of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    attributes: Vec<(&'t str, String)>,
}

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'t> {
    Text(&'t str),
    Tag(Tag<'t>, &'t str),
}

impl Tag<'_> {
    /// The value without a name: `{% include "file.md" %}`.
    pub(super) fn first(&self) -> &str {
        self.get("")
    }

    /// The value of an attribute; empty if it is absent.
    pub(super) fn get(&self, name: &str) -> &str {
        let entry = self.attributes.iter().find(|entry| entry.0 == name);
        entry.map_or("", |entry| entry.1.as_str())
    }
}

impl Tag<'_> {
    /// The component for a `hint`.
    pub(super) fn callout(&self) -> &'static str {
        match self.get("style") {
            "info" => "Info",
            "warning" => "Warning",
            "danger" => "Danger",
            "success" | "tip" => "Check",
            _ => "Note",
        }
    }

    /// The attributes of a parameter: its place, name and type.
    pub(super) fn parameter(&self, place: &str) -> String {
        let place = match place {
            "path" | "query" | "header" => place,
            _ => "body",
        };
        let mut out = format!("{place}={}", attribute(self.get("name")));
        if !self.get("type").is_empty() {
            out.push_str(&format!(" type={}", attribute(self.get("type"))));
        }
        if self.get("required") == "true" {
            out.push_str(" required");
        }
        out
    }

    /// Options of a code block, as they follow the language.
    pub(super) fn code_options(&self) -> String {
        let mut out = String::new();
        if !self.get("title").is_empty() {
            let title = self.get("title").replace('"', "'");
            out.push_str(&format!(" title=\"{title}\""));
        }
        if self.get("lineNumbers") == "true" {
            out.push_str(" showLineNumbers");
        }
        if self.get("overflow") == "wrap" {
            out.push_str(" wrap");
        }
        out
    }
}

/// Splits a line into tags and the text between them. Tags in code are text.
pub(super) fn parts(line: &str) -> Vec<Part<'_>> {
    let mut out = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(at) = line[from..].find("{%").map(|at| at + from) {
        let Some(end) = line[at..].find("%}").map(|end| at + end + 2) else {
            break;
        };
        from = end;
        let is_code = line[start..at].matches('`').count() % 2 == 1;
        let tag = parse(line[at + 2..end - 2].trim()).filter(|_| !is_code);
        if let Some(tag) = tag {
            if !line[start..at].trim().is_empty() {
                out.push(Part::Text(&line[start..at]));
            }
            out.push(Part::Tag(tag, &line[at..end]));
            start = end;
        }
    }
    if !line[start..].trim().is_empty() || out.is_empty() {
        out.push(Part::Text(&line[start..]));
    }
    out
}

fn parse(text: &str) -> Option<Tag<'_>> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let starts = |c: char| c.is_ascii_alphabetic() || c == '@';
    if !name.starts_with(starts) {
        return None;
    }
    let mut attributes = Vec::new();
    if let Some(inner) = rest.trim_start().strip_prefix('"') {
        attributes.push(("", unescape(&inner[..quoted_len(inner)])));
        return Some(Tag { name, attributes });
    }
    while let Some(at) = rest.find('=') {
        let key = rest[..at]
            .trim()
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default();
        let value = rest[at + 1..].trim_start();
        let (value, after) = match value.strip_prefix('"') {
            Some(inner) => {
                let end = quoted_len(inner);
                (&inner[..end], inner.get(end + 1..).unwrap_or_default())
            }
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        attributes.push((key, unescape(value)));
        rest = after;
    }
    Some(Tag { name, attributes })
}

/// The length of a text before the quote that ends it.
fn quoted_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return at,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Removes backslashes before punctuation.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let is_escape = c == '\\' && letters.peek().is_some_and(char::is_ascii_punctuation);
        if !is_escape {
            out.push(c);
        } else if let Some(next) = letters.next() {
            out.push(next);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_attributes() {
        let all = parts("{% tab title=\"a \\\"b\\\"\" x=1 %}Text{% endtab %}");
        let Part::Tag(tag, _) = &all[0] else { panic!() };
        assert_eq!(
            (tag.name, tag.get("title"), tag.get("x")),
            ("tab", "a \"b\"", "1")
        );
        assert_eq!(all[1], Part::Text("Text"));
        assert_eq!(all.len(), 3);
        assert_eq!(parts("`{% hint %}`"), [Part::Text("`{% hint %}`")]);
        assert_eq!(parts("{% 1 %} {%"), [Part::Text("{% 1 %} {%")]);
        assert_eq!(parts(""), [Part::Text("")]);
    }
}
