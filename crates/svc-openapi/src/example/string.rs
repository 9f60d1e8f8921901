//! Text that fits a format, a length or a pattern.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::SchemaView;

/// Longer texts are not made.
const MAX_LENGTH: usize = 4096;
/// Expressions inside each other at most.
const MAX_NESTING: u32 = 50;
/// How often what may repeat is repeated, tried one after the other until the text is long enough.
const REPEATS: [u32; 6] = [1, 4, 16, 64, 256, 1024];

/// A text for a schema; `<string>` where nothing else is asked for.
pub(super) fn text(view: &SchemaView) -> String {
    let length = |keyword: &str| view.constraint(keyword)?.parse::<usize>().ok();
    let least = length("minLength").unwrap_or(0).min(MAX_LENGTH);
    let most = length("maxLength").unwrap_or(MAX_LENGTH);
    let fits = |text: &str| (least..=most).contains(&text.chars().count());
    let format = view.format.as_deref().unwrap_or_default();
    if let Some(known) = formatted(format).filter(|text| fits(text)) {
        return known.to_owned();
    }
    if let Some(pattern) = view.constraint("pattern")
        && let Some(found) = matching(pattern, &fits)
    {
        return found;
    }
    let plain = "<string>";
    if fits(plain) {
        return plain.to_owned();
    }
    // The marks go first when there is little room, then letters are cut or repeated.
    "string"
        .chars()
        .cycle()
        .take(least.max(most.min(6)))
        .collect()
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

/// A text that matches a regular expression; none for one that Rust cannot read (look-around,
/// back references) or that no short text matches.
fn matching(pattern: &str, fits: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut parser = ParserBuilder::new().nest_limit(MAX_NESTING).build();
    let expression = parser.parse(pattern).ok()?;
    REPEATS.into_iter().find_map(|repeats| {
        let mut out = String::new();
        // The work is bounded by the pieces that are written or visited.
        let mut left = 4 * MAX_LENGTH;
        write(&expression, repeats, &mut out, &mut left)?;
        fits(&out).then_some(out)
    })
}

fn write(expression: &Hir, repeats: u32, out: &mut String, left: &mut usize) -> Option<()> {
    *left = left.checked_sub(1)?;
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(()),
        HirKind::Literal(literal) => {
            *left = left.checked_sub(literal.0.len())?;
            out.push_str(std::str::from_utf8(&literal.0).ok()?);
            Some(())
        }
        HirKind::Class(class) => {
            out.push(pick(class)?);
            Some(())
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            // An optional part is left out; what may repeat without end is there once.
            let wanted = if most == 1 { repetition.min } else { repeats };
            for _ in 0..wanted.clamp(repetition.min, most) {
                write(&repetition.sub, repeats, out, left)?;
            }
            Some(())
        }
        HirKind::Capture(capture) => write(&capture.sub, repeats, out, left),
        HirKind::Concat(parts) => parts
            .iter()
            .try_for_each(|part| write(part, repeats, out, left)),
        HirKind::Alternation(parts) => write(parts.first()?, repeats, out, left),
    }
}

/// A character that reads well: a letter, else a digit, else any.
fn pick(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let within = |c: char| {
        class
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&c))
    };
    let usual = ['a', 'A', '1', '0', '-', '_'];
    let found = usual.into_iter().find(|c| within(*c));
    found.or_else(|| {
        class
            .iter()
            .next()
            .map(regex_syntax::hir::ClassUnicodeRange::start)
    })
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::{Constraint, SchemaView};

    fn made(constraints: &[(&'static str, &str)]) -> String {
        let constraint = |(keyword, value): &(&'static str, &str)| Constraint {
            keyword,
            value: (*value).to_owned(),
        };
        text(&SchemaView {
            constraints: constraints.iter().map(constraint).collect(),
            ..SchemaView::default()
        })
    }

    #[test]
    fn lengths_hold() {
        assert_eq!(made(&[]), "<string>");
        assert_eq!(made(&[("maxLength", "3")]), "str");
        assert_eq!(made(&[("minLength", "10")]), "stringstri");
        assert_eq!(made(&[("maxLength", "0")]), "");
    }

    #[test]
    fn patterns_hold() {
        assert_eq!(made(&[("pattern", "^oauth_[a-z]+$")]), "oauth_a");
        assert_eq!(made(&[("pattern", r"^\d{4}-(a|b)?x$")]), "1111-x");
        assert_eq!(made(&[("pattern", "^[a-z]*$"), ("minLength", "3")]), "aaaa");
    }

    #[test]
    fn a_hostile_pattern_costs_nothing() {
        assert_eq!(
            made(&[("pattern", "(?:(?:a{1000}){1000}){1000}")]),
            "<string>"
        );
        assert_eq!(made(&[("pattern", "(?=x)")]), "<string>");
        assert_eq!(made(&[("pattern", &"(".repeat(2000))]), "<string>");
    }
}
