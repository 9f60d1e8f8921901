//! Strings and JSON as each language writes them.

use std::fmt::Write as _;

use super::Language;

/// How a short string is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShortLiteral {
    /// Double quotes, `\n`, `\u001f`.
    Double,
    /// The same, and `\$`.
    DoubleDollar,
    /// Double quotes, `\u{1f}`.
    DoubleBraces,
    /// Double quotes, `\037`.
    DoubleOctal,
    /// Single quotes in which only `\` and `'` are escaped.
    Single,
    /// Single quotes of a POSIX shell.
    Shell,
    /// Single quotes, doubled inside.
    Doubled,
}

/// How a string of many lines is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongLiteral {
    /// Between two marks, unless the text contains one of the others or ends with the last.
    Between {
        /// Before the text.
        open: &'static str,
        /// After it.
        close: &'static str,
        /// What the text must not contain.
        never: &'static [&'static str],
        /// What it must not end with.
        end: &'static str,
    },
    /// A short string for each line.
    Pieces,
    /// As a short string.
    Short,
}

/// A string literal.
pub(super) fn short(language: &Language, text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    match language.short {
        ShortLiteral::Shell => out.push_str(&format!("'{}'", text.replace('\'', r"'\''"))),
        ShortLiteral::Doubled => out.push_str(&format!("'{}'", text.replace('\'', "''"))),
        ShortLiteral::Single => {
            let text = text.replace('\\', r"\\").replace('\'', r"\'");
            out.push_str(&format!("'{text}'"));
        }
        style => {
            out.push('"');
            for c in text.chars() {
                escaped(style, c, &mut out);
            }
            out.push('"');
        }
    }
    out
}

fn escaped(style: ShortLiteral, c: char, out: &mut String) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str(r"\\"),
        '\n' => out.push_str(r"\n"),
        '\r' => out.push_str(r"\r"),
        '\t' => out.push_str(r"\t"),
        '$' if style == ShortLiteral::DoubleDollar => out.push_str(r"\$"),
        c if c.is_control() => {
            let code = u32::from(c);
            // Writing to a String cannot fail.
            let _ = match style {
                ShortLiteral::DoubleBraces => write!(out, "\\u{{{code:x}}}"),
                ShortLiteral::DoubleOctal => c
                    .encode_utf8(&mut [0; 4])
                    .bytes()
                    .try_for_each(|byte| write!(out, "\\{byte:03o}")),
                _ => write!(out, "\\u{code:04x}"),
            };
        }
        c => out.push(c),
    }
}

/// A string literal that keeps its lines where the language can.
pub(super) fn long(language: &Language, text: &str, indent: &str) -> String {
    let plain = |c: char| c == '\n' || c == '\t' || !c.is_control();
    match language.long {
        _ if !text.contains('\n') => short(language, text),
        LongLiteral::Between {
            open,
            close,
            never,
            end,
        } => {
            let fits = text.chars().all(plain)
                && !never.iter().any(|mark| text.contains(mark))
                && (end.is_empty() || !text.ends_with(end));
            if fits {
                format!("{open}{text}{close}")
            } else {
                short(language, text)
            }
        }
        LongLiteral::Pieces => {
            let pieces: Vec<String> = text
                .split_inclusive('\n')
                .map(|line| short(language, line))
                .collect();
            pieces.join(&format!("\n{indent}  "))
        }
        LongLiteral::Short => short(language, text),
    }
}
