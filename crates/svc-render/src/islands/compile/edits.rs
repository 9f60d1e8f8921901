//! Edits of a text by span, applied in two forms: with all line breaks, for the sandbox, so that
//! errors refer to the author's lines; and without comments and indentation, for the browser.

use std::ops::Range;

/// A list of edits that do not overlap.
#[derive(Debug, Default)]
pub(super) struct Edits {
    list: Vec<Edit>,
    /// Spans with significant white space: strings, templates, regular expressions.
    literals: Vec<Range<usize>>,
    comments: Vec<Range<usize>>,
}

#[derive(Debug)]
struct Edit {
    span: Range<usize>,
    text: String,
    /// Whether line breaks of the replaced text are retained.
    lines: bool,
}

impl Edits {
    /// Replaces a span but retains its line breaks.
    pub(super) fn replace(&mut self, span: Range<usize>, text: impl Into<String>) {
        self.list.push(Edit {
            span,
            text: text.into(),
            lines: true,
        });
    }

    /// Replaces a span including its line breaks, where the language allows none.
    pub(super) fn replace_in_line(&mut self, span: Range<usize>, text: impl Into<String>) {
        self.list.push(Edit {
            span,
            text: text.into(),
            lines: false,
        });
    }

    /// Marks the white space of a span as significant.
    pub(super) fn preserve(&mut self, span: Range<usize>) {
        self.literals.push(span);
    }

    /// Marks a comment, which the minified form omits.
    pub(super) fn comment(&mut self, span: Range<usize>) {
        self.comments.push(span);
    }

    /// Sorts the edits; must be called once after the last edit.
    pub(super) fn sort(&mut self) {
        self.list
            .sort_by_key(|edit| (edit.span.start, edit.span.end));
        self.literals.sort_by_key(|span| span.start);
        self.comments.sort_by_key(|span| span.start);
    }

    /// Applies the edits and retains all line breaks.
    pub(super) fn with_lines(&self, source: &str) -> String {
        let mut out = String::with_capacity(source.len() + source.len() / 4);
        let mut at = 0;
        for edit in &self.list {
            if edit.span.start < at {
                continue;
            }
            out.push_str(source.get(at..edit.span.start).unwrap_or(""));
            out.push_str(&edit.text);
            let replaced = source.get(edit.span.clone()).unwrap_or("");
            if edit.lines {
                let breaks = replaced.bytes().filter(|byte| *byte == b'\n').count();
                out.extend(std::iter::repeat_n('\n', breaks));
            }
            at = edit.span.end;
        }
        out.push_str(source.get(at..).unwrap_or(""));
        out
    }

    /// Applies the edits and removes comments, blank lines and indentation. Line breaks that can
    /// end a statement are retained.
    pub(super) fn minified(&self, source: &str) -> String {
        let mut out = String::with_capacity(source.len());
        let mut at = 0;
        for edit in &self.list {
            if edit.span.start < at {
                continue;
            }
            self.copy(source, at..edit.span.start, &mut out);
            out.push_str(&edit.text);
            at = edit.span.end;
        }
        self.copy(source, at..source.len(), &mut out);
        out
    }

    fn copy(&self, source: &str, span: Range<usize>, out: &mut String) {
        let from = |list: &[Range<usize>]| list.partition_point(|own| own.end <= span.start);
        let mut literals = self.literals.iter().skip(from(&self.literals)).peekable();
        let mut comments = self.comments.iter().skip(from(&self.comments)).peekable();
        let mut at = span.start;
        while at < span.end {
            while comments.next_if(|own| own.end <= at).is_some() {}
            while literals.next_if(|own| own.end <= at).is_some() {}
            if let Some(comment) = comments.peek().filter(|own| own.start <= at) {
                let end = comment.end.min(span.end);
                let text = source.get(at..end).unwrap_or("");
                blank(text.contains('\n'), out);
                at = end;
                continue;
            }
            if let Some(literal) = literals.peek().filter(|own| own.start <= at) {
                let end = literal.end.min(span.end);
                out.push_str(source.get(at..end).unwrap_or(""));
                at = end;
                continue;
            }
            let next = |own: Option<&&Range<usize>>| own.map_or(span.end, |own| own.start);
            let end = next(comments.peek())
                .min(next(literals.peek()))
                .min(span.end);
            squeeze(source.get(at..end).unwrap_or(""), out);
            at = end;
        }
    }
}

/// Copies code outside of strings; each run of white space becomes one character.
fn squeeze(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(start) = rest.find(char::is_whitespace) {
        out.push_str(rest.get(..start).unwrap_or(""));
        rest = rest.get(start..).unwrap_or("");
        let end = rest
            .find(|c: char| !c.is_whitespace())
            .unwrap_or(rest.len());
        blank(rest.get(..end).unwrap_or("").contains('\n'), out);
        rest = rest.get(end..).unwrap_or("");
        // Spaces next to brackets and quotes are not significant; line breaks can be.
        let mark = |c: char| "(){}[]\"'`".contains(c);
        if let Some(before) = out.strip_suffix(' ')
            && (before.ends_with(mark) || rest.starts_with(mark))
        {
            out.pop();
        }
        // White space next to these is not significant, because no statement begins or ends with
        // them.
        if let Some(next) = rest.chars().next()
            && (matches!(
                next,
                ')' | ']' | ',' | ';' | ':' | '?' | '=' | '.' | '|' | '&' | '>' | '<' | '*'
            ) || next == '}')
        {
            trim(out);
        }
    }
    out.push_str(rest);
}

/// Writes one white space character if one is required.
fn blank(line: bool, out: &mut String) {
    let last = out.chars().next_back();
    match last {
        None | Some('\n') => {}
        Some('{' | '(' | '[' | ',' | ';' | '=' | ':' | '?' | '|' | '&' | '<' | '>' | '*') => {}
        Some(' ') if line => {
            out.pop();
            out.push('\n');
        }
        Some(' ') => {}
        _ => out.push(if line { '\n' } else { ' ' }),
    }
}

fn trim(out: &mut String) {
    if out.ends_with([' ', '\n']) {
        out.pop();
    }
}
