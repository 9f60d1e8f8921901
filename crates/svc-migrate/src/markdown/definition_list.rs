//! Definition lists of Python-Markdown.

use super::container::{body_len, dedent};
use super::{Line, Rewriter};

impl Rewriter<'_> {
    pub(super) fn definition_list(&mut self, lines: &[Line], out: &mut Vec<String>) -> usize {
        let is_definition = |line: &Line| {
            line.text
                .strip_prefix(':')
                .is_some_and(|rest| rest.starts_with(' '))
        };
        out.push("<dl>".to_owned());
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            self.line = line.number;
            if is_definition(line) {
                let used = body_len(&lines[at + 1..], 2);
                let lazy = lines[at + 1..]
                    .iter()
                    .take_while(|line| !line.text.trim().is_empty() && !is_definition(line))
                    .count();
                let used = used.max(lazy);
                let mut body = vec![line.with_text(line.text[1..].trim_start().to_owned())];
                body.extend(dedent(&lines[at + 1..=at + used], 4));
                self.wrap(("<dd>".to_owned(), "</dd>".to_owned()), &body, 0, out);
                at += used + 1;
            } else if line.text.trim().is_empty() {
                let rest = &lines[at..];
                let blank = rest
                    .iter()
                    .take_while(|line| line.text.trim().is_empty())
                    .count();
                let next = rest.get(blank..).unwrap_or_default();
                let continues = next.first().is_some_and(|line| {
                    is_definition(line)
                        || (!line.text.starts_with([' ', '#', '|', '>'])
                            && next.get(1).is_some_and(|next| {
                                is_definition(next)
                                    || next.text.trim().is_empty()
                                        && lines.get(at + blank + 2).is_some_and(is_definition)
                            }))
                });
                if !continues {
                    break;
                }
                at += blank;
            } else if line.text.starts_with(' ') || at > 0 && !self.is_term(lines, at) {
                break;
            } else {
                let term = self.inline(line.text.trim());
                out.push(format!("<dt>{term}</dt>"));
                at += 1;
            }
        }
        out.push("</dl>".to_owned());
        out.push(String::new());
        at
    }

    fn is_term(&self, lines: &[Line], at: usize) -> bool {
        lines[at + 1..]
            .iter()
            .find(|line| !line.text.trim().is_empty())
            .is_some_and(|line| line.text.starts_with(": "))
    }
}
