//! The normal form of a configuration file.

use std::ops::Range;

use super::{Document, EditError};

/// Spaces per level.
const INDENT: usize = 2;
/// Maximum width of a line with a whole array or object.
const MAX_FLAT_WIDTH: usize = 100;

/// A token of JSON, or a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    /// Number of line endings before it.
    lines: usize,
}

impl Token<'_> {
    fn is_comment(self) -> bool {
        self.text.starts_with('/')
    }

    fn is_open(self) -> bool {
        matches!(self.text, "{" | "[")
    }

    fn is_close(self) -> bool {
        matches!(self.text, "}" | "]")
    }
}

impl Document {
    /// Returns the text in its normal form: two spaces per level, one member per line, one space
    /// after colons, and one line ending at the end. An array or object that is on one line stays
    /// there if the line has at most 100 characters, and up to one blank line between members
    /// stays. Values, keys and comments are neither changed nor moved.
    ///
    /// ```
    /// use svc_config::{Document, SourceFile};
    /// let file = SourceFile::new("docs.json", r#"{"name":"Acme","tabs":["a","b"]}"#);
    /// assert_eq!(
    ///     Document::read(&file).value.formatted()?,
    ///     "{\n  \"name\": \"Acme\",\n  \"tabs\": [\"a\", \"b\"]\n}\n"
    /// );
    /// # Ok::<(), svc_config::EditError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is broken.
    pub fn formatted(&self) -> Result<String, EditError> {
        if self.broken {
            return Err(EditError::Broken);
        }
        let text = self.text().replace("\r\n", "\n");
        let tokens = tokens(&text);
        let mut out = Printer::print(&tokens);
        if text.starts_with('\u{feff}') {
            out.insert(0, '\u{feff}');
        }
        let reread = self::tokens(&out);
        let texts = tokens.iter().map(|token| token.text);
        // A comment in an unusual position can need another line each time.
        match texts.eq(reread.iter().map(|token| token.text))
            && Printer::print(&reread) == out.trim_start_matches('\u{feff}')
        {
            true => Ok(out),
            false => Ok(self.text().to_owned()),
        }
    }
}

/// Splits a well-formed text into tokens.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}');
    loop {
        let trimmed = rest.trim_start();
        let gap = rest.get(..rest.len() - trimmed.len()).unwrap_or("");
        let lines = gap.matches('\n').count();
        let length = token_length(trimmed);
        let Some((token, after)) = trimmed.split_at_checked(length).filter(|_| length > 0) else {
            return tokens;
        };
        tokens.push(Token { text: token, lines });
        rest = after;
    }
}

fn token_length(text: &str) -> usize {
    let mut chars = text.char_indices();
    match chars.next() {
        None => 0,
        Some((_, '{' | '}' | '[' | ']' | ',' | ':')) => 1,
        Some((_, '"')) => {
            let mut is_escaped = false;
            let end = chars.find(|(_, c)| {
                let is_end = *c == '"' && !is_escaped;
                is_escaped = *c == '\\' && !is_escaped;
                is_end
            });
            end.map_or(text.len(), |(at, _)| at + 1)
        }
        Some((_, '/')) if text.starts_with("/*") => {
            text.find("*/").map_or(text.len(), |end| end + 2)
        }
        Some((_, '/')) => text.find('\n').unwrap_or(text.len()),
        Some(_) => {
            let end = text.find(|c: char| c.is_whitespace() || "{}[],:\"/".contains(c));
            end.unwrap_or(text.len()).max(1)
        }
    }
}

#[derive(Debug, Default)]
struct Printer {
    out: String,
    depth: usize,
    /// The next token is on a new line.
    is_line_end: bool,
}

impl Printer {
    fn print(tokens: &[Token<'_>]) -> String {
        let mut printer = Self::default();
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            let previous = index.checked_sub(1).and_then(|index| tokens.get(index));
            let group = group(tokens, index);
            index = match group {
                Some(range) if printer.fits(tokens, range.clone(), index == 0) => {
                    let flat = flat(tokens.get(range.clone()).unwrap_or_default());
                    printer.token(*token, &flat, previous.copied());
                    range.end
                }
                _ => {
                    printer.token(*token, token.text, previous.copied());
                    index + 1
                }
            };
        }
        let end = printer.out.trim_end().len();
        printer.out.truncate(end);
        printer.out.push('\n');
        printer.out
    }

    /// Whether an array or object stays on the line that it begins on.
    fn fits(&self, tokens: &[Token<'_>], range: Range<usize>, is_root: bool) -> bool {
        let inside = tokens.get(range.start + 1..range.end).unwrap_or_default();
        if inside
            .iter()
            .any(|token| token.lines > 0 || token.is_comment())
        {
            return inside.len() == 1;
        }
        let line = self.out.rsplit('\n').next().unwrap_or("");
        let indent = if self.is_line_end {
            self.depth * INDENT
        } else {
            line.chars().count()
        };
        let all = tokens.get(range.clone()).unwrap_or_default();
        let has_comma = tokens.get(range.end).is_some_and(|next| next.text == ",");
        let width = flat(all).chars().count() + usize::from(has_comma);
        inside.len() == 1 || (!is_root && indent + width <= MAX_FLAT_WIDTH)
    }

    /// Prints a token, or `text` in its place.
    fn token(&mut self, token: Token<'_>, text: &str, previous: Option<Token<'_>>) {
        if token.is_close() && !text.starts_with(['{', '[']) {
            self.depth = self.depth.saturating_sub(1);
            self.is_line_end |= !previous.is_some_and(Token::is_open);
        }
        let is_trailing = token.is_comment() && token.lines == 0 && previous.is_some();
        if is_trailing {
            self.out.push(' ');
        } else if self.is_line_end || (token.is_comment() && previous.is_some()) {
            let is_apart = token.lines > 1 && !token.is_close();
            if is_apart && !previous.is_some_and(Token::is_open) {
                self.out.push('\n');
            }
            self.out.push('\n');
            self.out.push_str(&" ".repeat(self.depth * INDENT));
            self.is_line_end = false;
        }
        self.out.push_str(text);
        if token.is_comment() {
            self.is_line_end = true;
        } else if token.is_open() && text == token.text {
            self.depth += 1;
            self.is_line_end = true;
        } else if text == "," {
            self.is_line_end = true;
        } else if text == ":" {
            self.out.push(' ');
        }
    }
}

/// The range of tokens of the array or object that begins with a token. Only those that can fit on
/// one line are searched for their end.
fn group(tokens: &[Token<'_>], start: usize) -> Option<Range<usize>> {
    let rest = tokens.get(start..)?;
    if !rest.first().is_some_and(|token| token.is_open()) {
        return None;
    }
    let mut depth = 0;
    for (index, token) in rest.iter().enumerate().take(MAX_FLAT_WIDTH) {
        depth += usize::from(token.is_open());
        depth -= usize::from(token.is_close());
        if depth == 0 {
            return Some(start..start + index + 1);
        }
    }
    None
}

/// Tokens on one line: `{ "a": 1 }` and `[1, 2]`.
fn flat(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let after = tokens.get(index + 1).map_or("", |next| next.text);
        out.push_str(token.text);
        let has_space = match token.text {
            "," | ":" => true,
            "{" => after != "}",
            _ => after == "}",
        };
        if has_space {
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::SourceFile;

    use super::*;

    fn formatted(text: &str) -> Result<String, EditError> {
        Document::read(&SourceFile::new("docs.json", text))
            .value
            .formatted()
    }

    #[test]
    fn configurations_have_one_form() {
        let long = "\"a\",".repeat(40);
        let long = format!("{{\"p\":[{}]}}", long.trim_end_matches(','));
        let lines = "    \"a\",\n".repeat(40);
        let lines = format!(
            "{{\n  \"p\": [\n{}\n  ]\n}}\n",
            lines.trim_end_matches(",\n")
        );
        for (text, expected) in [
            ("{}", "{}\n"),
            ("{ \n }", "{}\n"),
            ("\u{feff}{\"a\":1}", "\u{feff}{\n  \"a\": 1\n}\n"),
            (
                "{\r\n\t\"a\" : 1.0 ,\r\n\"b\":[ ]}",
                "{\n  \"a\": 1.0,\n  \"b\": []\n}\n",
            ),
            (
                "{\"a\": [\n1,[2,3],{\"b\":{}}]}",
                "{\n  \"a\": [\n    1,\n    [2, 3],\n    { \"b\": {} }\n  ]\n}\n",
            ),
            (
                "{\n\n\n  \"a\": 1,\n\n\n  \"b\": 2\n\n}\n\n",
                "{\n  \"a\": 1,\n\n  \"b\": 2\n}\n",
            ),
            (
                "// x\n{\n\"a\": 1, // y\n/* z\n  z */\n\"b\": [ // c\n 2, ],\n}",
                "// x\n{\n  \"a\": 1, // y\n  /* z\n  z */\n  \"b\": [ // c\n    2,\n  ],\n}\n",
            ),
            (
                "{\"a\": \"b\\\"{,\", \"c\": \"//\"}",
                "{\n  \"a\": \"b\\\"{,\",\n  \"c\": \"//\"\n}\n",
            ),
            (&long, &lines),
        ] {
            assert_eq!(formatted(text).as_deref(), Ok(expected), "{text}");
            assert_eq!(
                formatted(expected).as_deref(),
                Ok(expected),
                "again: {text}"
            );
        }
    }

    #[test]
    fn a_broken_text_is_not_formatted() {
        for text in ["", "{", "{\"a\": 1, \"a\": 2}", "{} {}"] {
            assert_eq!(formatted(text), Err(EditError::Broken), "{text}");
        }
    }

    #[test]
    fn comments_in_any_position_stay() {
        let parts = ["{", "\"a\"", ":", "[", "1", ",", "2", "]", "}"];
        for comment in ["// c\n", "/* c */", "\n// c\n", "\n/* c */\n"] {
            for position in 0..=parts.len() {
                let mut parts = parts.to_vec();
                parts.insert(position, comment);
                let text = parts.concat();
                let result = formatted(&text).unwrap();
                assert_eq!(formatted(&result).unwrap(), result, "{text}");
                let texts = |text: &str| {
                    let tokens = tokens(text);
                    tokens
                        .iter()
                        .map(|one| one.text.to_owned())
                        .collect::<Vec<_>>()
                };
                assert_eq!(texts(&text), texts(&result));
            }
        }
    }
}
