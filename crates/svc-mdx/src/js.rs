//! A JavaScript lexer that finds the end of expressions and module items. It handles strings,
//! templates, comments, regular expressions and JSX, but no grammar.

use crate::{
    step_counter,
    text::{is_name_part, is_name_start},
};

/// Kind of a [`Token`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Identifier or keyword.
    Name,
    /// A number.
    Number,
    /// A quoted string.
    String,
    /// A part of a template literal, up to `${` or the closing backtick.
    Template,
    /// `/…/flags`.
    Regex,
    /// `(`, `[`, `{`, and `{` of `${` or of JSX.
    Open,
    /// `)`, `]`, `}`.
    Close,
    /// Any other punctuation, one character per token.
    Operator,
    /// A comment.
    Comment,
    /// A line ending between tokens.
    Newline,
    /// A part of a JSX tag or of the text between tags.
    Jsx,
    /// A token that is always invalid: an unclosed string or a stray closing bracket.
    Bad,
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Kind of token.
    pub kind: TokenKind,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Paren,
    Bracket,
    Brace,
    /// Inside `${…}`.
    Substitution,
    /// Inside a template literal.
    Template,
    /// Inside `<Name …>`; whether it is a closing tag.
    Tag {
        closing: bool,
    },
    /// Between an opening and a closing tag.
    Children,
}

/// An iterator over the tokens of a text. It always makes progress.
///
/// # Example
///
/// ```
/// use svc_mdx::js::{Lexer, TokenKind};
/// let mut lexer = Lexer::new("f(`}`", 0);
/// let kinds: Vec<_> = lexer.by_ref().map(|token| token.kind).collect();
/// assert_eq!(kinds[..2], [TokenKind::Name, TokenKind::Open]);
/// assert_eq!(lexer.depth(), 1);
/// assert!(lexer.needs_more());
/// ```
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    modes: Vec<Mode>,
    /// Number of outermost modes that contain no brace a `}` could close.
    barren: usize,
    /// A value may follow, so `/` begins a regular expression and `<` begins JSX.
    value_expected: bool,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer that begins at byte `at`, where a value may follow.
    ///
    /// Example: [`Lexer`](Lexer#example).
    pub const fn new(text: &'a str, at: usize) -> Self {
        Self {
            text,
            pos: at,
            modes: Vec::new(),
            barren: 0,
            value_expected: true,
        }
    }

    /// Returns the number of open brackets, templates and JSX elements.
    ///
    /// Example: [`Lexer`](Lexer#example).
    pub fn depth(&self) -> usize {
        self.modes.len()
    }

    /// Returns true if the text so far is not complete.
    ///
    /// Example: [`Lexer`](Lexer#example).
    pub fn needs_more(&self) -> bool {
        !self.modes.is_empty() || self.value_expected
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn token(&mut self, kind: TokenKind, start: usize, end: usize) -> Option<Token> {
        let mut end = end.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        step_counter::tick(1 + end - self.pos.min(end));
        self.pos = end;
        Some(Token { kind, start, end })
    }

    fn code(&mut self) -> Option<Token> {
        while matches!(self.byte(self.pos), b' ' | b'\t' | 0x0b | 0x0c)
            && self.pos < self.text.len()
        {
            self.pos += 1;
        }
        let start = self.pos;
        let rest = self.text.get(start..)?;
        let first = rest.chars().next()?;
        match first {
            '\n' | '\r' => self.token(TokenKind::Newline, start, start + 1),
            '"' | '\'' => self.quoted(start),
            '`' => {
                self.modes.push(Mode::Template);
                self.template(start, start + 1)
            }
            '(' => self.open(Mode::Paren, start),
            '[' => self.open(Mode::Bracket, start),
            '{' => self.open(Mode::Brace, start),
            ')' => self.close(Mode::Paren, start),
            ']' => self.close(Mode::Bracket, start),
            '}' => self.close(Mode::Brace, start),
            '/' if self.byte(start + 1) == b'/' => {
                let end = rest
                    .find(['\n', '\r'])
                    .map_or(self.text.len(), |end| start + end);
                self.token(TokenKind::Comment, start, end)
            }
            '/' if self.byte(start + 1) == b'*' => match rest.get(2..).and_then(|r| r.find("*/")) {
                Some(end) => self.token(TokenKind::Comment, start, start + 2 + end + 2),
                None => {
                    // Not closed: consume the rest and mark the text as not complete.
                    self.value_expected = true;
                    self.modes.push(Mode::Paren);
                    self.token(TokenKind::Bad, start, self.text.len())
                }
            },
            '/' if self.value_expected => self.regex(start),
            '<' if self.value_expected && self.tag_follows(start) => {
                self.modes.push(Mode::Tag { closing: false });
                self.token(TokenKind::Jsx, start, start + 1)
            }
            '0'..='9' => {
                let mut end = self.name_end(start);
                if self.byte(end) == b'.' {
                    end = self.name_end(end + 1);
                }
                self.value_expected = false;
                self.token(TokenKind::Number, start, end)
            }
            _ if is_name_start(first) || first == '#' || first == '\\' => {
                let end = self.name_end(start + first.len_utf8());
                let name = self.text.get(start..end).unwrap_or("");
                self.value_expected = value_follows(name);
                self.token(TokenKind::Name, start, end)
            }
            '.' if self.byte(start + 1).is_ascii_digit() => {
                let end = self.name_end(start + 1);
                self.value_expected = false;
                self.token(TokenKind::Number, start, end)
            }
            ';' => {
                self.value_expected = false;
                self.token(TokenKind::Operator, start, start + 1)
            }
            '+' | '-' if self.byte(start + 1) == first as u8 => {
                // `x++ / 2` and `++x`: whether a value may follow does not change.
                self.token(TokenKind::Operator, start, start + 2)
            }
            _ => {
                self.value_expected = true;
                self.token(TokenKind::Operator, start, start + first.len_utf8())
            }
        }
    }

    fn name_end(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or("");
        rest.find(|c: char| !is_name_part(c) && c != '#' && c != '\\')
            .map_or(self.text.len(), |end| from + end)
    }

    fn tag_follows(&self, at: usize) -> bool {
        let next = self.text.get(at + 1..).and_then(|rest| rest.chars().next());
        next.is_some_and(|c| c == '>' || is_name_start(c))
    }

    fn open(&mut self, mode: Mode, start: usize) -> Option<Token> {
        self.modes.push(mode);
        self.value_expected = true;
        self.token(TokenKind::Open, start, start + 1)
    }

    /// Leaves the innermost mode.
    fn leave(&mut self) {
        self.modes.pop();
        self.barren = self.barren.min(self.modes.len());
    }

    fn close(&mut self, mode: Mode, start: usize) -> Option<Token> {
        self.value_expected = false;
        let closes =
            |open: Mode| open == mode || (mode == Mode::Brace && open == Mode::Substitution);
        if self.modes.last().copied().is_some_and(closes) {
            self.leave();
            return self.token(TokenKind::Close, start, start + 1);
        }
        // A stray bracket. A brace may close an outer brace; other brackets stay open.
        if mode == Mode::Brace {
            let barren = self.barren.min(self.modes.len());
            let candidates = self.modes.get(barren..).unwrap_or(&[]);
            let matching = candidates.iter().rposition(|open| closes(*open));
            step_counter::tick(candidates.len() - matching.unwrap_or(0));
            match matching {
                Some(outer)
                    if !candidates
                        .get(outer..)
                        .unwrap_or(&[])
                        .contains(&Mode::Template) =>
                {
                    self.modes.truncate(barren + outer);
                }
                Some(_) => {}
                None => self.barren = self.modes.len(),
            }
        }
        self.token(TokenKind::Bad, start, start + 1)
    }

    fn quoted(&mut self, start: usize) -> Option<Token> {
        let quote = self.byte(start);
        let mut at = start + 1;
        self.value_expected = false;
        while at < self.text.len() {
            match self.byte(at) {
                b'\\' => {
                    at += 1;
                    if self.byte(at) == b'\r' && self.byte(at + 1) == b'\n' {
                        at += 1;
                    }
                    at += 1;
                }
                b'\n' | b'\r' => break,
                byte if byte == quote => return self.token(TokenKind::String, start, at + 1),
                _ => at += 1,
            }
        }
        self.unclosed(start, at)
    }

    /// Handles a string or regular expression that is not closed on its line. Lexing continues
    /// after its first byte, where a brace may close, unless that would take quadratic time on a
    /// long line.
    fn unclosed(&mut self, start: usize, line_end: usize) -> Option<Token> {
        step_counter::tick(line_end - start);
        let end = if line_end - start > 1024 {
            line_end
        } else {
            start + 1
        };
        self.token(TokenKind::Bad, start, end)
    }

    fn regex(&mut self, start: usize) -> Option<Token> {
        let mut at = start + 1;
        let mut in_class = false;
        while at < self.text.len() {
            match self.byte(at) {
                b'\\' => at += 1,
                b'\n' | b'\r' => break,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    let end = self.name_end(at + 1);
                    self.value_expected = false;
                    return self.token(TokenKind::Regex, start, end);
                }
                _ => {}
            }
            at += 1;
        }
        self.unclosed(start, at)
    }

    /// Reads the rest of a template part from byte `at`.
    fn template(&mut self, start: usize, mut at: usize) -> Option<Token> {
        while at < self.text.len() {
            match self.byte(at) {
                b'\\' => at += 2,
                b'`' => {
                    self.leave();
                    self.value_expected = false;
                    return self.token(TokenKind::Template, start, at + 1);
                }
                b'$' if self.byte(at + 1) == b'{' => {
                    self.modes.push(Mode::Substitution);
                    self.value_expected = true;
                    return self.token(TokenKind::Template, start, at + 2);
                }
                _ => at += 1,
            }
        }
        self.token(TokenKind::Bad, start, self.text.len())
    }

    fn tag(&mut self, closing: bool) -> Option<Token> {
        let start = self.pos;
        let rest = self.text.get(start..)?;
        let first = rest.chars().next()?;
        match first {
            '>' => {
                self.leave();
                if closing {
                    self.leave();
                    self.value_expected = false;
                } else {
                    self.modes.push(Mode::Children);
                }
                self.token(TokenKind::Jsx, start, start + 1)
            }
            '/' if self.byte(start + 1) == b'>' => {
                self.leave();
                self.value_expected = false;
                self.token(TokenKind::Jsx, start, start + 2)
            }
            '"' | '\'' => match rest.get(1..).and_then(|r| r.find(first)) {
                Some(end) => self.token(TokenKind::Jsx, start, start + 1 + end + 1),
                None => self.token(TokenKind::Bad, start, self.text.len()),
            },
            '{' => self.open(Mode::Brace, start),
            '}' => self.close(Mode::Brace, start),
            '=' if tag_in_value(rest) => {
                self.modes.push(Mode::Tag { closing: false });
                let open = rest.find('<').unwrap_or(0);
                self.token(TokenKind::Jsx, start, start + open + 1)
            }
            _ => {
                let end = rest
                    .char_indices()
                    .skip(1)
                    .find(|(_, c)| matches!(c, '>' | '/' | '"' | '\'' | '{' | '}' | '='))
                    .map_or(self.text.len(), |(end, _)| start + end);
                self.token(TokenKind::Jsx, start, end)
            }
        }
    }

    fn children(&mut self) -> Option<Token> {
        let start = self.pos;
        let rest = self.text.get(start..)?;
        let first = rest.chars().next()?;
        match first {
            '{' => self.open(Mode::Brace, start),
            '}' => self.close(Mode::Brace, start),
            '<' => {
                let closing = rest
                    .get(1..)
                    .is_some_and(|r| r.trim_start().starts_with('/'));
                self.modes.push(Mode::Tag { closing });
                let length = if closing {
                    rest.find('/').unwrap_or(0) + 1
                } else {
                    1
                };
                self.token(TokenKind::Jsx, start, start + length)
            }
            _ => {
                let end = rest
                    .find(['{', '}', '<'])
                    .map_or(self.text.len(), |end| start + end);
                self.token(TokenKind::Jsx, start, end)
            }
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.pos >= self.text.len() {
            return None;
        }
        match self.modes.last().copied() {
            Some(Mode::Template) => self.template(self.pos, self.pos),
            Some(Mode::Tag { closing }) => self.tag(closing),
            Some(Mode::Children) => self.children(),
            Some(Mode::Paren | Mode::Bracket | Mode::Brace | Mode::Substitution) | None => {
                self.code()
            }
        }
    }
}

fn tag_in_value(rest: &str) -> bool {
    rest.get(1..)
        .is_some_and(|r| r.trim_start().starts_with('<'))
}

/// Returns true for keywords that a value follows, so that a slash begins a regular expression.
fn value_follows(name: &str) -> bool {
    matches!(
        name,
        "return"
            | "typeof"
            | "instanceof"
            | "in"
            | "of"
            | "new"
            | "delete"
            | "void"
            | "throw"
            | "case"
            | "do"
            | "else"
            | "await"
            | "yield"
            | "default"
            | "extends"
            | "from"
    )
}

/// End of an expression in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Braces {
    /// Offset of the closing brace.
    pub(crate) close: usize,
    /// The content has no lexical error.
    pub(crate) clean: bool,
}

/// Checks the tokens directly inside of the braces for sequences that no expression contains.
#[derive(Debug, Default)]
struct ExpressionCheck {
    /// Kind of the last token; `None` at the start and after a keyword.
    last: Option<LastToken>,
    /// Number of `?` without `:`.
    conditionals: usize,
    invalid: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastToken {
    Value,
    Operator,
}

impl ExpressionCheck {
    fn token(&mut self, token: Token, text: &str) {
        let raw = text.get(token.start..token.end).unwrap_or("");
        match token.kind {
            TokenKind::Comment | TokenKind::Newline => {}
            TokenKind::Bad => self.invalid = true,
            TokenKind::Name if joins(raw) => self.last = None,
            TokenKind::Name | TokenKind::Number | TokenKind::String => {
                self.invalid |= self.last == Some(LastToken::Value);
                self.last = Some(LastToken::Value);
            }
            TokenKind::Template
            | TokenKind::Regex
            | TokenKind::Open
            | TokenKind::Close
            | TokenKind::Jsx => self.last = Some(LastToken::Value),
            TokenKind::Operator => {
                let first = raw.bytes().next().unwrap_or(0);
                match first {
                    b';' | b'@' | b'\\' => self.invalid = true,
                    b'?' => self.conditionals += 1,
                    b':' if self.conditionals == 0 => self.invalid = true,
                    b':' => self.conditionals -= 1,
                    b'*' | b'%' | b'=' | b',' | b'|' | b'&' | b'^' | b'>'
                        if self.last.is_none() =>
                    {
                        self.invalid = true;
                    }
                    _ => {}
                }
                self.last = Some(if raw.len() > 1 {
                    LastToken::Value
                } else {
                    LastToken::Operator
                });
            }
        }
    }

    fn clean(&self) -> bool {
        !self.invalid && self.last != Some(LastToken::Operator)
    }
}

/// Returns true for keywords between or before values.
fn joins(name: &str) -> bool {
    value_follows(name)
        || matches!(
            name,
            "async" | "function" | "class" | "get" | "set" | "static"
        )
}

/// Finds the brace that closes the one at `open`.
pub(crate) fn braces(text: &str, open: usize) -> Option<Braces> {
    if text.as_bytes().get(open) != Some(&b'{') {
        return None;
    }
    let mut lexer = Lexer::new(text, open);
    lexer.next();
    let mut check = ExpressionCheck::default();
    let mut inside = 1;
    while let Some(token) = lexer.next() {
        let depth = lexer.depth();
        if depth == 0 {
            return Some(Braces {
                close: token.start,
                clean: check.clean(),
            });
        }
        if inside == 1 || depth == 1 || token.kind == TokenKind::Bad {
            check.token(token, text);
        }
        inside = depth;
    }
    None
}

/// Returns the offset of the brace that closes the one at `open`, skipping strings, templates,
/// comments, regular expressions and JSX. `None` if it is not closed or if there is no brace at
/// `open`.
///
/// # Example
///
/// ```
/// use svc_mdx::js::matching_brace;
/// assert_eq!(matching_brace("{'}'}", 0), Some(4));
/// assert_eq!(matching_brace("{", 0), None);
/// ```
pub fn matching_brace(text: &str, open: usize) -> Option<usize> {
    braces(text, open).map(|braces| braces.close)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> Option<&str> {
        matching_brace(text, 0).map(|end| &text[1..end])
    }

    #[test]
    fn braces_in_strings_templates_comments_and_regexes_do_not_count() {
        assert_eq!(inside("{'}'}x}"), Some("'}'"));
        assert_eq!(inside("{`}${'}'}`}x}"), Some("`}${'}'}`"));
        assert_eq!(inside("{/* } */}x}"), Some("/* } */"));
        assert_eq!(inside("{// }\n1}x}"), Some("// }\n1"));
        assert_eq!(inside("{/[/}]}/.test(x)}x}"), Some("/[/}]}/.test(x)"));
        assert_eq!(inside("{a / b}/x}"), Some("a / b"));
    }

    #[test]
    fn jsx_text_is_not_lexed_as_code() {
        assert_eq!(inside("{<p>it's</p>}x}"), Some("<p>it's</p>"));
        assert_eq!(
            inside("{<><A b={'}'}/>don't {x}</>}x}"),
            Some("<><A b={'}'}/>don't {x}</>")
        );
        assert_eq!(inside("{a < b}x}"), Some("a < b"));
    }

    #[test]
    fn an_apostrophe_in_prose_does_not_hide_the_brace() {
        assert_eq!(inside("{it's} x"), Some("it's"));
        assert!(!braces("{it's} x", 0).unwrap().clean);
    }

    #[test]
    fn lexical_errors_are_detected() {
        for valid in [
            "{a}",
            "{}",
            "{/* c */}",
            "{a ? b : c}",
            "{async x => x}",
            "{-1.}",
            "{x++}",
        ] {
            assert!(braces(valid, 0).unwrap().clean, "{valid}");
        }
        for invalid in ["{a b}", "{\"a\": [1]}", "{a +}", "{* x}", "{a;}", "{a @b}"] {
            assert!(!braces(invalid, 0).unwrap().clean, "{invalid}");
        }
    }

    #[test]
    fn an_unclosed_brace_has_no_match() {
        assert_eq!(inside("{a"), None);
        assert_eq!(inside("{`a}"), None);
        assert_eq!(matching_brace("a", 0), None);
        assert_eq!(matching_brace("{}", 9), None);
    }
}
