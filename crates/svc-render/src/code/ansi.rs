//! The language `ansi`: text with terminal escape sequences.
//!
//! Colors become classes `ka0` to `ka15` (background `kb0` to `kb15`) with colors of the theme.
//! Other colors are mapped to the nearest of the sixteen.

use std::fmt::Write;

use super::html::escape_into;

/// Attributes that the sequences (SGR) have set so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct SgrState {
    foreground: Option<u8>,
    background: Option<u8>,
    /// Bits in the order of `LETTERS`.
    marks: u8,
    reverse: bool,
}

/// Bold, dim, italic, underline, strikethrough: the SGR parameter, and the letter of the class.
const LETTERS: [(u16, char); 5] = [(1, 'b'), (2, 'd'), (3, 'i'), (4, 'u'), (9, 's')];

/// The sixteen colors of common terminals, to find the nearest.
const SIXTEEN: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 49, 49),
    (13, 188, 121),
    (229, 229, 16),
    (36, 114, 200),
    (188, 63, 188),
    (17, 168, 205),
    (200, 200, 200),
    (102, 102, 102),
    (241, 76, 76),
    (35, 209, 139),
    (245, 245, 67),
    (59, 142, 234),
    (214, 112, 214),
    (41, 184, 219),
    (255, 255, 255),
];

impl SgrState {
    fn class(self) -> String {
        let (ink, paper) = if self.reverse {
            (self.background.or(Some(16)), self.foreground.or(Some(16)))
        } else {
            (self.foreground, self.background)
        };
        let mut out = String::new();
        // Formatting to a `String` cannot fail.
        if let Some(ink) = ink {
            let _ = write!(out, "ka{ink} ");
        }
        if let Some(paper) = paper {
            let _ = write!(out, "kb{paper} ");
        }
        for (bit, (_, letter)) in LETTERS.iter().enumerate() {
            if self.marks & (1 << bit) != 0 {
                let _ = write!(out, "ka{letter} ");
            }
        }
        out.truncate(out.trim_end().len());
        out
    }

    /// Applies the parameters of one sequence.
    fn apply(&mut self, numbers: &str) {
        let mut numbers = numbers.split([';', ':']).map(|number| match number {
            "" => 0,
            other => other.parse::<u16>().unwrap_or(u16::MAX),
        });
        while let Some(number) = numbers.next() {
            let small = |from: u16, add: u8| u8::try_from(number - from).ok().map(|n| n + add);
            match number {
                0 => *self = Self::default(),
                7 => self.reverse = true,
                27 => self.reverse = false,
                22 => self.marks &= !0b11,
                23 => self.marks &= !0b100,
                24 => self.marks &= !0b1000,
                29 => self.marks &= !0b1_0000,
                30..=37 => self.foreground = small(30, 0),
                39 => self.foreground = None,
                40..=47 => self.background = small(40, 0),
                49 => self.background = None,
                90..=97 => self.foreground = small(90, 8),
                100..=107 => self.background = small(100, 8),
                38 => self.foreground = extended(&mut numbers).or(self.foreground),
                48 => self.background = extended(&mut numbers).or(self.background),
                other => {
                    if let Some(bit) = LETTERS.iter().position(|letter| letter.0 == other) {
                        self.marks |= 1 << bit;
                    }
                }
            }
        }
    }
}

/// Parses the color after 38 or 48: `5;n` of 256, or `2;r;g;b`.
fn extended(numbers: &mut impl Iterator<Item = u16>) -> Option<u8> {
    let mut byte = || u8::try_from(numbers.next()?).ok();
    match byte()? {
        5 => {
            let number = byte()?;
            if number < 16 {
                return Some(number);
            }
            if number >= 232 {
                let gray = 8 + (number - 232) * 10;
                return nearest((gray, gray, gray));
            }
            let level = |part: u8| if part == 0 { 0 } else { 55 + part * 40 };
            let cube = number - 16;
            nearest((level(cube / 36), level(cube / 6 % 6), level(cube % 6)))
        }
        2 => nearest((byte()?, byte()?, byte()?)),
        _ => None,
    }
}

fn nearest(color: (u8, u8, u8)) -> Option<u8> {
    let distance = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    let all = SIXTEEN.iter().enumerate();
    let best = all.min_by_key(|(_, known)| {
        distance(color.0, known.0) + distance(color.1, known.1) + distance(color.2, known.2)
    });
    best.and_then(|(at, _)| u8::try_from(at).ok())
}

/// Renders the lines as HTML. Sequences without a visual effect are removed.
pub(super) fn html<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut pen = SgrState::default();
    lines.map(|line| line_html(line, &mut pen)).collect()
}

fn line_html(line: &str, pen: &mut SgrState) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    loop {
        let (text, after) = match rest.split_once('\u{1b}') {
            Some((text, after)) => (text, Some(after)),
            None => (rest, None),
        };
        let class = pen.class();
        if class.is_empty() || text.is_empty() {
            escape_into(&mut out, text);
        } else {
            out.push_str("<span class=\"");
            out.push_str(&class);
            out.push_str("\">");
            escape_into(&mut out, text);
            out.push_str("</span>");
        }
        let Some(after) = after else {
            return out;
        };
        rest = sequence(after, pen);
    }
}

/// Skips the sequence at the start of the text and returns the rest; SGR sequences are applied.
fn sequence<'a>(text: &'a str, pen: &mut SgrState) -> &'a str {
    if let Some(body) = text.strip_prefix('[') {
        let end = body.find(|c: char| ('@'..='~').contains(&c));
        let Some((numbers, rest)) = end.and_then(|end| body.split_at_checked(end)) else {
            return "";
        };
        if rest.starts_with('m') {
            pen.apply(numbers);
        }
        return rest.get(1..).unwrap_or_default();
    }
    if let Some(body) = text.strip_prefix(']') {
        // A title or a hyperlink (OSC); it ends with a bell, or with an escape and a backslash.
        let Some(end) = body.find(['\u{7}', '\u{1b}']) else {
            return "";
        };
        let rest = body.get(end..).unwrap_or_default();
        return rest
            .strip_prefix("\u{1b}\\")
            .or_else(|| rest.strip_prefix('\u{7}'))
            .unwrap_or(rest);
    }
    let mut chars = text.chars();
    if text.starts_with(|c: char| c.is_ascii_graphic()) {
        chars.next();
    }
    chars.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_become_classes() {
        for (text, expected) in [
            ("plain <b>", "plain &lt;b&gt;"),
            (
                "\u{1b}[31mred\u{1b}[0m no",
                "<span class=\"ka1\">red</span> no",
            ),
            (
                "\u{1b}[1;92mok\u{1b}[22m still",
                "<span class=\"ka10 kab\">ok</span><span class=\"ka10\"> still</span>",
            ),
            (
                "\u{1b}[4;9mx\u{1b}[m y",
                "<span class=\"kau kas\">x</span> y",
            ),
            ("\u{1b}[7;31mx", "<span class=\"ka16 kb1\">x</span>"),
            ("\u{1b}[48;5;196mx", "<span class=\"kb1\">x</span>"),
            ("\u{1b}[38;2;255;255;250mx", "<span class=\"ka15\">x</span>"),
            ("\u{1b}[38;5;3mx", "<span class=\"ka3\">x</span>"),
            (
                "a\u{1b}[2Kb\u{1b}]0;title\u{7}c\u{1b}]8;;http://x\u{1b}\\d",
                "abcd",
            ),
            ("a\u{1b}", "a"),
            ("a\u{1b}[31", "a"),
            ("\u{1b}[99999999;38;5;999mx", "x"),
        ] {
            assert_eq!(html([text].into_iter()), [expected], "{text:?}");
        }
    }

    #[test]
    fn a_color_applies_across_lines() {
        let lines = html(["\u{1b}[32ma", "b\u{1b}[39m", "c"].into_iter());
        let green = |text| format!("<span class=\"ka2\">{text}</span>");
        assert_eq!(lines, [green("a"), green("b"), "c".to_owned()]);
    }
}
