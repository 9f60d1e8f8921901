//! Syntax highlighting of samples.

use super::language::Language;

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Names, punctuation, white space.
    Plain,
    /// Name of a JSON member.
    Name,
    /// Keyword of the language.
    Keyword,
    /// A string literal.
    String,
    /// A number.
    Number,
    /// Name of a called function.
    Function,
    /// A comment, or a preprocessor line.
    Comment,
}

/// A token of a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Kind of the token.
    pub kind: TokenKind,
    /// Text of the token.
    pub text: String,
}

/// Splits code of the built-in templates into tokens.
pub(super) fn highlight(language: &Language, text: &str, tokens: &mut Vec<Token>) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = |end: Option<usize>| end.unwrap_or(rest.len());
        let (kind, length) = if first == '"' || first == '\'' || first == '`' {
            (TokenKind::String, quoted(rest, first))
        } else if first.is_ascii_digit() {
            let more = |c: char| !(c.is_ascii_alphanumeric() || c == '.');
            (TokenKind::Number, after(rest.find(more)))
        } else if first.is_alphabetic() || "_$#<".contains(first) {
            let more = |c: char| !(c.is_alphanumeric() || c == '_');
            let length = first.len_utf8() + rest[first.len_utf8()..].find(more).unwrap_or(0);
            let whole = rest[first.len_utf8()..].find(more).is_none();
            let length = if whole { rest.len() } else { length };
            let identifier = &rest[..length];
            let kind = if language.keywords.contains(&identifier) {
                TokenKind::Keyword
            } else if rest[length..].starts_with('(') && first.is_alphabetic() {
                TokenKind::Function
            } else {
                TokenKind::Plain
            };
            (kind, length)
        } else {
            let more = |c: char| c.is_alphanumeric() || "_$#<\"'`".contains(c);
            (TokenKind::Plain, after(rest.find(more)))
        };
        // A token has at least one character.
        let length = length.max(first.len_utf8());
        let (piece, remaining) = rest.split_at(length);
        rest = remaining;
        match tokens.last_mut() {
            Some(last) if last.kind == kind && kind == TokenKind::Plain => {
                last.text.push_str(piece);
            }
            _ => tokens.push(Token {
                kind,
                text: piece.to_owned(),
            }),
        }
    }
}

/// The length of a quoted string at the start of `text`.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
