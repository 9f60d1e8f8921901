//! Strings and JSON in the syntax of each language.

use std::fmt::Write as _;

use super::language::{Language, LongLiteral, ShortLiteral};

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

/// A string literal that preserves line breaks if the language supports it.
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
