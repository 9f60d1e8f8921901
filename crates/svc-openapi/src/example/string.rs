//! Strings that match a format, a length or a pattern.

use std::borrow::Cow;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};
use svc_data::Node;

use super::check::Check;
use super::shape::Shape;
use crate::view::kind::holds_file;

/// Maximum length of a generated string.
const MAX_LENGTH: usize = 4096;
/// Maximum depth of a nested regular expression.
pub(super) const MAX_NESTING: u32 = 50;
/// Maximum number of patterns of a string.
const MAX_PATTERNS: usize = 8;
/// Repetition counts that are tried in turn until the string is long enough.
const REPEATS: [u32; 6] = [1, 4, 16, 64, 256, 1024];

/// A string of a schema, `<string>` if there is no condition, and whether it satisfies all limits.
/// `nth` selects different values.
pub(super) fn text<'d>(shape: &Shape<'d>, check: &mut Check<'d>, nth: usize) -> (String, bool) {
    let min_length = shape.count("minLength", true).unwrap_or(0).min(MAX_LENGTH);
    let max_length = shape.count("maxLength", false).unwrap_or(MAX_LENGTH);
    let patterns: Vec<&'d Node> = shape.all("pattern").take(MAX_PATTERNS).collect();
    let long_enough = |text: &str| (min_length..=max_length).contains(&text.chars().count());
    let mut fits = |text: &str| {
        long_enough(text) && patterns.iter().all(|pattern| check.matches(pattern, text))
    };
    let last = |key| shape.all(key).filter_map(Node::as_str).last();
    let file = shape.all("type").any(|kind| kind.as_str() == Some("file"))
        || holds_file(last("format"), last("contentMediaType"));
    let plain = if file { "<file>" } else { "<string>" };
    let known = last("format").and_then(formatted);
    // A pattern with look-around is only checked in part, so a readable value may be used.
    let vague = |pattern: &&'d Node| pattern.as_str().is_some_and(looks_around);
    let usual = (patterns.iter().all(vague) || file).then_some(plain);
    for known in known.into_iter().chain(usual) {
        let text = other(known, nth);
        if fits(&text) {
            return (text, true);
        }
    }
    for source in patterns.iter().filter_map(|pattern| pattern.as_str()) {
        // A pattern without anchors allows more text around the match.
        let generated = matching(source, nth, &mut fits).or_else(|| {
            let short = matching(source, nth, &mut |_| true)?;
            let more = letters(min_length.saturating_sub(short.chars().count()), 0);
            Some(short + &more)
        });
        if let Some(generated) = generated.filter(|generated| fits(generated)) {
            return (generated, true);
        }
    }
    // Placeholder brackets are dropped first, then letters are cut or repeated.
    let wanted = min_length.max(max_length.min(6));
    let letters = letters(wanted, nth);
    let digits = "1".repeat(wanted.max(1).min(max_length));
    let last = [other(plain, nth), letters.clone(), digits];
    let candidate = last.into_iter().find(|text| fits(text));
    let sound = candidate.is_some();
    (candidate.unwrap_or(letters), sound)
}

/// Letters of a given number.
fn letters(length: usize, nth: usize) -> String {
    let mut text: String = "string".chars().cycle().take(length).collect();
    if nth > 0 && text.pop().is_some() {
        let digit = u32::try_from(nth % 36).unwrap_or(0);
        text.push(char::from_digit(digit, 36).unwrap_or('0'));
    }
    text
}

/// A different string of the same form: its last digit is incremented, or else a number is
/// appended.
fn other(text: &str, nth: usize) -> String {
    let digit = text.bytes().rposition(|byte| byte.is_ascii_digit());
    let Some(at) = digit.filter(|_| nth > 0) else {
        return match (nth, text.strip_suffix('>')) {
            (0, _) => text.to_owned(),
            (nth, Some(open)) => format!("{open}{}>", nth + 1),
            (nth, None) => format!("{}{text}", nth + 1),
        };
    };
    let (start, end) = text.split_at(at);
    let value = end
        .bytes()
        .next()
        .map_or(0, |byte| usize::from(byte - b'0'));
    let rest = end.get(1..).unwrap_or_default();
    format!("{start}{}{rest}", (value + nth) % 10)
}

/// The example of a format.
fn formatted(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "2023-12-25",
        "date-time" => "2023-11-07T05:31:56Z",
        "email" => "jsmith@example.com",
        "uuid" => "3c90c3cc-0d44-4b50-8888-8dd25736052a",
        "ipv4" => "127.0.0.1",
        "ipv6" => "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
        "byte" => "ZXhhbXBsZSBkYXRh",
        _ => return None,
    })
}

/// A string that matches a regular expression. None if the expression is not supported (back
/// references) or if no short string matches. The nth character of a class is used.
pub(super) fn matching(
    pattern: &str,
    nth: usize,
    fits: &mut dyn FnMut(&str) -> bool,
) -> Option<String> {
    let plain = without_look_around(pattern)?;
    let mut parser = ParserBuilder::new().nest_limit(MAX_NESTING).build();
    let expression = parser.parse(&plain).ok()?;
    REPEATS.into_iter().find_map(|repeats| {
        let mut writer = Writer {
            repeats,
            nth,
            out: String::new(),
            // The work is bounded by the number of nodes that are written or visited.
            remaining: 4 * MAX_LENGTH,
        };
        writer.write(&expression)?;
        fits(&writer.out).then_some(writer.out)
    })
}

/// The start of look-around groups.
const LOOK_AROUND: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];

fn looks_around(pattern: &str) -> bool {
    LOOK_AROUND.iter().any(|look| pattern.contains(look))
}

/// Removes look-around, which `regex` does not support. None if a group is not closed.
pub(super) fn without_look_around(pattern: &str) -> Option<Cow<'_, str>> {
    if !looks_around(pattern) {
        return Some(Cow::Borrowed(pattern));
    }
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(next) = rest.chars().next() {
        let look = LOOK_AROUND.iter().any(|look| rest.starts_with(look));
        let length = match next {
            '\\' => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            _ if look => group(rest)?,
            next => next.len_utf8(),
        };
        let (piece, tail) = rest.split_at_checked(length)?;
        if !look {
            out.push_str(piece);
        }
        rest = tail;
    }
    Some(Cow::Owned(out))
}

/// The length of the group at the start.
fn group(pattern: &str) -> Option<usize> {
    let (mut open, mut class, mut escaped) = (0_usize, false, false);
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b']' => class = false,
            _ if class => {}
            b'[' => class = true,
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Writes a string that matches an expression.
struct Writer {
    repeats: u32,
    nth: usize,
    out: String,
    remaining: usize,
}

impl Writer {
    fn write(&mut self, expression: &Hir) -> Option<()> {
        self.remaining = self.remaining.checked_sub(1)?;
        match expression.kind() {
            HirKind::Empty | HirKind::Look(_) => Some(()),
            HirKind::Literal(literal) => {
                self.remaining = self.remaining.checked_sub(literal.0.len())?;
                self.out.push_str(std::str::from_utf8(&literal.0).ok()?);
                Some(())
            }
            HirKind::Class(class) => {
                let picked = self.pick(class)?;
                self.out.push(picked);
                Some(())
            }
            HirKind::Repetition(repetition) => {
                let max = repetition.max.unwrap_or(u32::MAX);
                // An optional part is left out; an unbounded repetition is written once.
                let wanted = if max == 1 {
                    repetition.min
                } else {
                    self.repeats
                };
                for _ in 0..wanted.clamp(repetition.min, max) {
                    self.write(&repetition.sub)?;
                }
                Some(())
            }
            HirKind::Capture(capture) => self.write(&capture.sub),
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.write(part)),
            HirKind::Alternation(parts) => {
                let at = self.nth % parts.len().max(1);
                self.nth /= parts.len().max(1);
                self.write(parts.get(at)?)
            }
        }
    }

    /// A readable character: a letter, or else a digit, or else any. Where different strings are
    /// required, the first classes are counted like digits.
    fn pick(&mut self, class: &Class) -> Option<char> {
        let Class::Unicode(class) = class else {
            return None;
        };
        let within = |c: char| {
            class
                .iter()
                .any(|range| (range.start()..=range.end()).contains(&c))
        };
        let usual = ('a'..='z').chain('A'..='Z').chain('1'..='9');
        let usual: Vec<char> = usual
            .chain(['0', '-', '_'])
            .filter(|c| within(*c))
            .collect();
        let Some(count) = std::num::NonZero::new(usual.len()) else {
            let first = class.iter().next();
            return first.map(regex_syntax::hir::ClassUnicodeRange::start);
        };
        let at = self.nth % count;
        self.nth /= count;
        usual.get(at).copied()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    fn made(keywords: &[(&str, &str)]) -> String {
        let mut schema = json!({"type": "string"});
        for (keyword, value) in keywords {
            schema[*keyword] = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
        }
        let document = json!({
            "openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {},
            "components": {"schemas": {"S": schema}},
        });
        let document = crate::tests::document(&document.to_string());
        let node = document.schema_node("S").expect("it is declared");
        let made = crate::example(&document, node, crate::Direction::Request);
        made.as_str().expect("it is a text").to_owned()
    }

    #[test]
    fn lengths_are_within_their_limits() {
        assert_eq!(made(&[]), "<string>");
        assert_eq!(made(&[("maxLength", "3")]), "str");
        assert_eq!(made(&[("minLength", "10")]), "stringstri");
        assert_eq!(made(&[("maxLength", "0")]), "");
    }

    #[test]
    fn strings_match_their_patterns() {
        assert_eq!(made(&[("pattern", "^oauth_[a-z]+$")]), "oauth_a");
        assert_eq!(made(&[("pattern", r"^\d{4}-(a|b)?x$")]), "1111-x");
        assert_eq!(made(&[("pattern", "^[a-z]*$"), ("minLength", "3")]), "aaaa");
    }

    #[test]
    fn a_hostile_pattern_is_cheap() {
        assert_eq!(
            made(&[("pattern", "(?:(?:a{1000}){1000}){1000}")]),
            "<string>"
        );
        assert_eq!(made(&[("pattern", "(?=x)")]), "<string>");
        assert_eq!(made(&[("pattern", &"(".repeat(2000))]), "<string>");
    }
}
