//! JSON as highlighted tokens, within the limits of an example.

use serde_json::Value;
use svc_openapi::request::{Token, TokenKind};

/// Maximum number of lines of a value.
const MAX_LINES: usize = 20_000;
/// Maximum size of a formatted value in bytes.
const MAX_BYTES: usize = 200_000;

/// Returns the tokens of a formatted value. Only very large values are cut; the last line then says
/// so.
pub(super) fn tokens(value: &Value) -> Vec<Token> {
    let mut writer = JsonWriter::default();
    writer.value(value, 0);
    if writer.full {
        writer.put(TokenKind::Plain, "\n");
        writer.put(TokenKind::Comment, "…");
    }
    writer.tokens
}

/// Highlights only the first `left` tokens, because every highlighted token is an element of the
/// page.
pub(super) fn limit_colors(tokens: Vec<Token>, left: &mut usize) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    for mut token in tokens {
        if token.kind != TokenKind::Plain {
            match left.checked_sub(1) {
                Some(fewer) => *left = fewer,
                None => token.kind = TokenKind::Plain,
            }
        }
        match out.last_mut() {
            Some(last) if last.kind == token.kind && token.kind == TokenKind::Plain => {
                last.text.push_str(&token.text);
            }
            _ => out.push(token),
        }
    }
    out
}

#[derive(Default)]
struct JsonWriter {
    tokens: Vec<Token>,
    lines: usize,
    bytes: usize,
    full: bool,
}

impl JsonWriter {
    fn put(&mut self, kind: TokenKind, text: &str) {
        self.bytes += text.len();
        match self.tokens.last_mut() {
            Some(last) if last.kind == kind && kind == TokenKind::Plain => last.text.push_str(text),
            _ => self.tokens.push(Token {
                kind,
                text: text.to_owned(),
            }),
        }
    }

    /// Starts a line; returns false if the limit is reached.
    fn line(&mut self, depth: usize) -> bool {
        self.full |= self.lines >= MAX_LINES || self.bytes >= MAX_BYTES;
        if self.full {
            return false;
        }
        self.lines += 1;
        self.put(TokenKind::Plain, "\n");
        for _ in 0..depth {
            self.put(TokenKind::Plain, "  ");
        }
        true
    }

    /// Writes a value; the depth of values is limited by that of documents.
    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Null => self.put(TokenKind::Number, "null"),
            Value::Bool(true) => self.put(TokenKind::Number, "true"),
            Value::Bool(false) => self.put(TokenKind::Number, "false"),
            Value::Number(number) => self.put(TokenKind::Number, &number.to_string()),
            Value::String(text) => self.text(TokenKind::String, text),
            Value::Array(items) if items.is_empty() => self.put(TokenKind::Plain, "[]"),
            Value::Object(members) if members.is_empty() => self.put(TokenKind::Plain, "{}"),
            Value::Array(items) => {
                self.put(TokenKind::Plain, "[");
                for (at, item) in items.iter().enumerate() {
                    self.comma(at);
                    if !self.line(depth + 1) {
                        return;
                    }
                    self.value(item, depth + 1);
                    if self.full {
                        return;
                    }
                }
                if self.line(depth) {
                    self.put(TokenKind::Plain, "]");
                }
            }
            Value::Object(members) => {
                self.put(TokenKind::Plain, "{");
                for (at, (name, member)) in members.iter().enumerate() {
                    self.comma(at);
                    if !self.line(depth + 1) {
                        return;
                    }
                    self.text(TokenKind::Name, name);
                    self.put(TokenKind::Plain, ": ");
                    self.value(member, depth + 1);
                    if self.full {
                        return;
                    }
                }
                if self.line(depth) {
                    self.put(TokenKind::Plain, "}");
                }
            }
        }
    }

    fn comma(&mut self, at: usize) {
        if at > 0 {
            self.put(TokenKind::Plain, ",");
        }
    }

    /// Writes a string, cut at the limit.
    fn text(&mut self, kind: TokenKind, text: &str) {
        let capacity = MAX_BYTES.saturating_sub(self.bytes);
        let shown = text.get(..text.floor_char_boundary(capacity)).unwrap_or("");
        let mut quoted = serde_json::to_string(shown).unwrap_or_default();
        if shown.len() < text.len() {
            self.full = true;
            quoted.pop();
        }
        self.put(kind, &quoted);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(value: &Value) -> String {
        let tokens = tokens(value);
        tokens.iter().map(|token| token.text.as_str()).collect()
    }

    #[test]
    fn small_values_are_complete() {
        let value = json!({"a": [1, null, {"b": "x \"y\"\n"}, [], {}], "c": true, "d": -0.5});
        let expected = serde_json::to_string_pretty(&value).expect("it is JSON");
        assert_eq!(written(&value), expected);
        assert_eq!(written(&json!("x")), "\"x\"");
        let name = |token: &&Token| token.kind == TokenKind::Name;
        assert_eq!(tokens(&value).iter().filter(name).count(), 4);
    }

    #[test]
    fn large_values_are_cut() {
        let long: Vec<u32> = (0..50_000).collect();
        for value in [
            json!(long),
            json!({"a": "x".repeat(300_000)}),
            json!({"k".repeat(300_000): 1}),
            json!([["é".repeat(60_000)], ["é".repeat(60_000)]]),
        ] {
            let text = written(&value);
            assert!(text.len() <= MAX_BYTES + 200, "{}", text.len());
            assert!(text.lines().count() <= MAX_LINES + 2);
            assert!(text.ends_with("\n…"), "{}", &text[text.len() - 10..]);
        }
    }
}
