//! Typographic quotes, dashes and dots.

/// Appends `text` to `out` with straight quotes, `--`, `---` and `...` made typographic. `last` is
/// the character before the text and becomes its last one.
pub(crate) fn smart(text: &str, last: &mut char, out: &mut String) {
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let opens =
            last.is_whitespace() || matches!(*last, '(' | '[' | '{' | '“' | '‘' | '—' | '–');
        let shown = match letter {
            '"' => {
                if opens {
                    '“'
                } else {
                    '”'
                }
            }
            '\'' => {
                // An apostrophe before figures (’90s) is none that opens.
                let figure = letters.peek().is_some_and(char::is_ascii_digit);
                if opens && !figure { '‘' } else { '’' }
            }
            '-' if letters.peek() == Some(&'-') => {
                letters.next();
                if letters.next_if_eq(&'-').is_some() {
                    if letters.peek() == Some(&'-') {
                        // A ruler of dashes stays one.
                        out.push_str("---");
                        while letters.next_if_eq(&'-').is_some() {
                            out.push('-');
                        }
                        *last = '-';
                        continue;
                    }
                    '—'
                } else if last.is_whitespace()
                    && letters.peek().is_some_and(|c| c.is_alphanumeric())
                {
                    // A command-line option in running text.
                    out.push_str("--");
                    *last = '-';
                    continue;
                } else {
                    '—'
                }
            }
            '.' if *last != '.' => {
                let mut ahead = letters.clone();
                if ahead.next() == Some('.')
                    && ahead.next() == Some('.')
                    && ahead.next() != Some('.')
                {
                    letters.next();
                    letters.next();
                    '…'
                } else {
                    '.'
                }
            }
            other => other,
        };
        out.push(shown);
        *last = shown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let (mut out, mut last) = (String::new(), ' ');
        smart(text, &mut last, &mut out);
        out
    }

    #[test]
    fn quotes_dashes_and_dots_become_typographic() {
        for (from, to) in [
            ("\"Hello\" she said", "“Hello” she said"),
            ("What's 'new'", "What’s ‘new’"),
            ("one -- two --- three", "one — two — three"),
            ("wait... what", "wait… what"),
            ("the '90s", "the ’90s"),
            ("use --flag now", "use --flag now"),
            ("----------", "----------"),
            ("(\"a\")", "(“a”)"),
        ] {
            assert_eq!(shown(from), to, "{from}");
        }
    }
}
