//! Strings that match a format, a length or a pattern.

use svc_data::Node;

use super::check::Check;
use super::pattern::{MAX_LENGTH, looks_around, matching};
use super::shape::Shape;
use crate::view::kind::holds_file;

/// Maximum number of patterns of a string.
const MAX_PATTERNS: usize = 8;

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
    let length = min_length.max(max_length.min(6));
    let letters = letters(length, nth);
    let digits = "1".repeat(length.max(1).min(max_length));
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
