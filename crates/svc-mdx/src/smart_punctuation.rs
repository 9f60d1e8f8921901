//! Typographic quotes, dashes and ellipses.

use crate::{Element, Kind, Node};

/// Appends `text` to `out` with straight quotes, `--`, `---` and `...` replaced by typographic
/// characters. `last` is the character before the text and is set to the last character of the
/// text.
///
/// # Example
///
/// ```
/// use svc_mdx::smart_punctuation;
/// let (mut out, mut last) = (String::new(), ' ');
/// smart_punctuation("\"It's\"...", &mut last, &mut out);
/// assert_eq!(out, "“It’s”…");
/// ```
pub fn smart_punctuation(text: &str, last: &mut char, out: &mut String) {
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let opens =
            last.is_whitespace() || matches!(*last, '(' | '[' | '{' | '“' | '‘' | '—' | '–');
        let replaced = match letter {
            '"' => {
                if opens {
                    '“'
                } else {
                    '”'
                }
            }
            '\'' => {
                // An apostrophe before digits (’90s) is not an opening quote.
                let figure = letters.peek().is_some_and(char::is_ascii_digit);
                if opens && !figure { '‘' } else { '’' }
            }
            '-' if letters.peek() == Some(&'-') => {
                letters.next();
                if letters.next_if_eq(&'-').is_some() {
                    if letters.peek() == Some(&'-') {
                        // Longer runs of dashes are not changed.
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
                    // A command-line option in text.
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
            c => c,
        };
        out.push(replaced);
        *last = replaced;
    }
}

/// Replaces the punctuation in the texts of a tree. The recursion depth is bounded by the parser.
pub(crate) fn nodes(nodes: &mut [Node], last: &mut char) {
    for node in nodes {
        match &mut node.kind {
            Kind::Text(text) => {
                let mut replaced = String::with_capacity(text.len() + 8);
                smart_punctuation(text, last, &mut replaced);
                if *replaced != **text {
                    *text = replaced.into();
                }
            }
            Kind::Break => *last = ' ',
            Kind::Link { url, children, .. } if is_autolink(url, children) => *last = 'x',
            Kind::Element(element) if holds_code(element) => *last = 'x',
            Kind::Emphasis(_)
            | Kind::Strong(_)
            | Kind::Delete(_)
            | Kind::Link { .. }
            | Kind::LinkReference { .. } => inside(node, last),
            Kind::Element(element) if !element.flow => self::nodes(&mut element.children, last),
            // A code span, formula, image or footnote counts as a word before a quote.
            Kind::InlineCode(_)
            | Kind::InlineMath(_)
            | Kind::Expression { flow: false, .. }
            | Kind::Image { .. }
            | Kind::ImageReference { .. }
            | Kind::FootnoteReference { .. } => *last = 'x',
            // A block begins after white space.
            _ => inside(node, &mut ' '),
        }
    }
}

fn inside(node: &mut Node, last: &mut char) {
    if let Some(children) = node.children_mut() {
        nodes(children, last);
    }
}

/// Returns true for a link whose text is its URL.
fn is_autolink(url: &str, children: &[Node]) -> bool {
    match children {
        [only] => match &only.kind {
            Kind::Text(text) => {
                let rest = url.strip_suffix(&**text);
                matches!(rest, Some("" | "http://" | "https://" | "mailto:"))
            }
            _ => false,
        },
        _ => false,
    }
}

fn holds_code(element: &Element) -> bool {
    matches!(
        element.name.as_deref(),
        Some("code" | "kbd" | "pre" | "samp" | "script" | "style" | "textarea" | "var")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let (mut out, mut last) = (String::new(), ' ');
        smart_punctuation(text, &mut last, &mut out);
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

    #[test]
    fn only_text_is_changed() {
        let options = crate::Options {
            smart_punctuation: true,
            ..crate::Options::default()
        };
        let tree = |text| crate::mdast_dump(&crate::parse(text, &options).value);
        let shown = tree("\"a\" *it's* `\"b\"` $'$ {\"c\"} <A d=\"e...\">f... \"g\"</A>");
        for part in [
            "text \"“a” \"",
            "text \"it’s\"",
            "inlineCode \"\\\"b\\\"\"",
            "Expression \"\\\"c\\\"\"",
            "A d=\"e...\"",
            "text \"f… “g”\"",
        ] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        let same = "https://a.b/x--y [c](/d--e \"f...\") <code>g--h</code>\n\n```\ni...\n```\n";
        assert_eq!(tree(same), {
            let plain = crate::parse(same, &crate::Options::default());
            crate::mdast_dump(&plain.value)
        });
        assert!(tree("*a*\"b").contains("”b"));
        assert!(tree("a\n\n\"b\"").contains("“b”"));
    }
}
