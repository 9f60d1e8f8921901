//! Blocks of code.

use super::block::{Pass, is_list_item};
use super::fence::{closes, opening};
use super::{Line, Rewriter, code_fence, indent_of};

impl Rewriter<'_> {
    pub(super) fn fenced(&mut self, lines: &[Line], fence: &str, pass: &mut Pass) -> usize {
        let (indent, _, info) = opening(&lines[0].text).unwrap_or((0, fence, ""));
        let info = self.info_string(info);
        let close = lines
            .iter()
            .skip(1)
            .position(|line| closes(&line.text, fence));
        let end = close.map_or(lines.len(), |at| at + 1);
        let space = " ".repeat(indent);
        pass.out.push(format!("{space}{fence}{info}"));
        for line in lines.get(1..end).unwrap_or_default() {
            let mut text = line.text.clone();
            if self.dialect.python {
                text = annotation(&text);
            }
            pass.out.push(text);
        }
        pass.out.push(format!("{space}{fence}"));
        (end + 1).min(lines.len())
    }

    /// Returns whether the line is code because of its indentation, which MDX does not have.
    pub(super) fn is_indented_code(&self, lines: &[Line], was_blank: bool, pass: &Pass) -> bool {
        let start = pass.list_indent.map_or(4, |indent| indent + 8);
        was_blank
            && !self.dialect.mdx
            && self.html_depth == 0
            && pass.paragraph.is_empty()
            && indent_of(&lines[0].text) >= start
            && !is_list_item(lines[0].text.trim())
            && !lines[0].text.trim_start().starts_with('<')
    }

    pub(super) fn indented_code(&mut self, lines: &[Line], pass: &mut Pass) -> usize {
        let start = pass.list_indent.map_or(4, |indent| indent + 8);
        let is_code = |line: &&Line| line.text.trim().is_empty() || indent_of(&line.text) >= start;
        let mut used = lines.iter().take_while(is_code).count();
        while used > 1 && lines[used - 1].text.trim().is_empty() {
            used -= 1;
        }
        let code: Vec<&str> = lines[..used]
            .iter()
            .map(|line| line.text.get(start..).unwrap_or_default())
            .collect();
        let space = " ".repeat(start - 4);
        let code = code_fence("", &code.join("\n"));
        pass.out
            .extend(code.split('\n').map(|line| format!("{space}{line}")));
        used
    }
}

/// Removes the mark of an annotation that hides its comment: `# (1)!` becomes `# (1)`.
fn annotation(text: &str) -> String {
    let trimmed = text.trim_end();
    let Some(rest) = trimmed.strip_suffix(")!") else {
        return text.to_owned();
    };
    let digits = rest.len() - rest.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    match digits > 0 && rest[..rest.len() - digits].ends_with('(') {
        true => format!("{rest})"),
        false => text.to_owned(),
    }
}
