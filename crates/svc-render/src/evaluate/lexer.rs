//! Lexer. It returns one token at a time, because only the parser can tell where templates, regular
//! expressions and JSX begin.

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind<'s> {
    End,
    Name(&'s str),
    Number(f64),
    String(String),
    Punct(&'static str),
    Backtick,
    Bad(&'static str),
}

#[derive(Debug, Clone)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind<'s>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether there is a line break before the token.
    pub(super) newline: bool,
}

/// Sorted so that longer tokens match first.
const PUNCTUATION: &[&str] = &[
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "**", "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%",
    "&", "|", "^", "!", "~", "?", ":", "=", ".", "@", "#",
];

pub(super) fn is_name_start(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphabetic()
}

pub(super) fn is_name_part(c: char) -> bool {
    c == '_' || c == '$' || c == '\u{200c}' || c == '\u{200d}' || c.is_alphanumeric()
}

fn tail(source: &str, at: usize) -> &str {
    source.get(at..).unwrap_or("")
}

/// Skips white space and comments from `at`. Returns the end, whether there was a line break, and
/// whether a comment is not closed.
pub(super) fn skip_blank(source: &str, mut at: usize) -> (usize, bool, bool) {
    let mut newline = false;
    loop {
        let rest = tail(source, at);
        let Some(c) = rest.chars().next() else {
            return (at, newline, false);
        };
        if c.is_whitespace() || c == '\u{feff}' {
            newline |= matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
            at += c.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let Some(end) = rest.get(2..).and_then(|inner| inner.find("*/")) else {
                return (source.len(), newline, true);
            };
            newline |= rest
                .get(..end + 4)
                .is_some_and(|comment| comment.contains('\n'));
            at += end + 4;
        } else {
            return (at, newline, false);
        }
    }
}

pub(super) fn token(source: &str, at: usize) -> Token<'_> {
    let (start, newline, open_comment) = skip_blank(source, at);
    let rest = tail(source, start);
    let (kind, length) = match rest.chars().next() {
        None if open_comment => (Kind::Bad("this comment is never closed"), 0),
        None => (Kind::End, 0),
        Some('`') => (Kind::Backtick, 1),
        Some(quote @ ('"' | '\'')) => string(rest, quote),
        Some(c) if c.is_ascii_digit() => number(rest),
        Some('.') if rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => number(rest),
        Some(c) if is_name_start(c) => {
            let length = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
            (Kind::Name(rest.get(..length).unwrap_or("")), length)
        }
        Some(c) => match PUNCTUATION.iter().find(|text| rest.starts_with(**text)) {
            // `a?.5:b` is a conditional, not an optional chain.
            Some(&"?.") if rest.as_bytes().get(2).is_some_and(u8::is_ascii_digit) => {
                (Kind::Punct("?"), 1)
            }
            Some(text) => (Kind::Punct(text), text.len()),
            None => (Kind::Bad("unexpected character"), c.len_utf8()),
        },
    };
    Token {
        kind,
        start,
        end: start + length,
        newline,
    }
}

fn number(rest: &str) -> (Kind<'_>, usize) {
    let bytes = rest.as_bytes();
    let radix = match (bytes.first(), bytes.get(1)) {
        (Some(b'0'), Some(b'x' | b'X')) => 16,
        (Some(b'0'), Some(b'o' | b'O')) => 8,
        (Some(b'0'), Some(b'b' | b'B')) => 2,
        _ => 10,
    };
    if radix != 10 {
        let digits = tail(rest, 2);
        let length = digits.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let digits = digits.get(..length.unwrap_or(digits.len())).unwrap_or("");
        let total = 2 + digits.len();
        let mut value = 0.0;
        for c in digits.chars().filter(|c| *c != '_') {
            let Some(digit) = c.to_digit(radix) else {
                return (Kind::Bad("invalid digit"), total);
            };
            value = value * f64::from(radix) + f64::from(digit);
        }
        return (Kind::Number(value), total);
    }
    let mut length = 0;
    let mut dot = false;
    let mut exponent = false;
    while let Some(byte) = bytes.get(length) {
        match byte {
            b'0'..=b'9' | b'_' => {}
            b'.' if !dot && !exponent => dot = true,
            b'e' | b'E' if !exponent => {
                exponent = true;
                if matches!(bytes.get(length + 1), Some(b'+' | b'-')) {
                    length += 1;
                }
            }
            _ => break,
        }
        length += 1;
    }
    let digits: String = rest.chars().take(length).filter(|c| *c != '_').collect();
    let kind = digits
        .parse()
        .map_or(Kind::Bad("invalid number"), Kind::Number);
    match bytes.get(length) {
        Some(b'n') => (kind, length + 1),
        _ => (kind, length),
    }
}

fn string(rest: &str, quote: char) -> (Kind<'_>, usize) {
    let mut text = String::new();
    let mut at = 1;
    while let Some(c) = tail(rest, at).chars().next() {
        if c == quote {
            return (Kind::String(text), at + 1);
        }
        match c {
            '\\' => at = escape(rest, at, &mut text),
            '\n' => return (Kind::Bad("this string is never closed"), at),
            _ => {
                text.push(c);
                at += c.len_utf8();
            }
        }
    }
    (Kind::Bad("this string is never closed"), rest.len())
}

/// Appends the character of the escape at `at` (a backslash) to `text` and returns its end.
pub(super) fn escape(source: &str, at: usize, text: &mut String) -> usize {
    let after = at + 1;
    let rest = tail(source, after);
    let Some(c) = rest.chars().next() else {
        return after;
    };
    let hex = |from: usize, length: usize| {
        let digits = source.get(from..from + length)?;
        let valid = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| valid)
    };
    let simple = match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0' => '\0',
        '\r' => return after + if rest.starts_with("\r\n") { 2 } else { 1 },
        '\n' => return after + 1,
        'x' => {
            if let Some(code) = hex(after + 1, 2) {
                text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                return after + 3;
            }
            'x'
        }
        'u' => return unicode_escape(source, after, &hex, text),
        other => other,
    };
    text.push(simple);
    after + c.len_utf8()
}

fn unicode_escape(
    source: &str,
    at: usize,
    hex: &dyn Fn(usize, usize) -> Option<u32>,
    text: &mut String,
) -> usize {
    let rest = tail(source, at);
    if rest.starts_with("u{") {
        // Six digits suffice for every code point, so the search for the end is bounded.
        let window = rest.bytes().take(10).position(|byte| byte == b'}');
        if let Some(end) = window
            && let Some(code) = hex(at + 2, end.saturating_sub(2))
        {
            text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            return at + end + 1;
        }
    } else if let Some(high) = hex(at + 1, 4) {
        let low = source.get(at + 5..at + 7).filter(|next| *next == "\\u");
        if (0xd800..0xdc00).contains(&high)
            && low.is_some()
            && let Some(low) = hex(at + 7, 4).filter(|low| (0xdc00..0xe000).contains(low))
        {
            let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            return at + 11;
        }
        text.push(char::from_u32(high).unwrap_or('\u{fffd}'));
        return at + 5;
    }
    text.push('u');
    at + 1
}
