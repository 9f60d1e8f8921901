//! Strings that match a regular expression.

use std::borrow::Cow;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Maximum length of a generated string.
pub(super) const MAX_LENGTH: usize = 4096;
/// Maximum depth of a nested regular expression.
pub(super) const MAX_NESTING: u32 = 50;
/// Repetition counts that are tried in turn until the string is long enough.
const REPEATS: [u32; 6] = [1, 4, 16, 64, 256, 1024];

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

pub(super) fn looks_around(pattern: &str) -> bool {
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
                let length = if max == 1 {
                    repetition.min
                } else {
                    self.repeats
                };
                for _ in 0..length.clamp(repetition.min, max) {
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
