//! The nodes that the open leaf block becomes.

use svc_diagnostics::Span;

use crate::{
    Kind, Node, ParseDiagnostic,
    diagnostic::UNCLOSED_FENCE,
    link::definition,
    source::MappedText,
    step_counter,
    text::{decode, identifier, label_key, line_ending},
};

use super::{
    Parser,
    cursor::Cursor,
    leaf::{Fence, Leaf},
    table,
};

impl<'a> Parser<'a, '_> {
    /// Ends the open leaf. `lazy` is true if a line outside of its container ended it.
    pub(crate) fn close_leaf(&mut self, lazy: bool) {
        match std::mem::take(&mut self.leaf) {
            Leaf::None => {}
            Leaf::Paragraph => self.close_paragraph(),
            Leaf::Table { start, align, rows } => {
                let span = Span::from_range(start..self.last_end);
                self.element_stack().push(Node::new(
                    span,
                    Kind::Table {
                        align,
                        children: rows,
                    },
                ));
            }
            Leaf::Fence(mut fence) => {
                if !lazy {
                    let (from, to) = fence.ending;
                    fence.value.push(from, to);
                }
                self.report_fence(&fence);
                self.close_fence(fence, self.last_end);
            }
        }
    }

    fn report_fence(&mut self, fence: &Fence<'_>) {
        let what = match fence.mark {
            b'$' => "formula",
            _ => "code block",
        };
        let end = fence.info.1.max(fence.start + fence.size);
        self.out.problems.push(ParseDiagnostic::new(
            &UNCLOSED_FENCE,
            Span::from_range(fence.start..end),
            format!("this {what} is not closed, so it continues to the end"),
            "repeat its opening fence on a separate line where it ends",
        ));
    }

    /// Handles a line inside of a fence.
    pub(crate) fn fenced_line(&mut self, mut cursor: Cursor, end: usize, next: usize) {
        let text = self.text;
        let Leaf::Fence(fence) = &mut self.leaf else {
            return;
        };
        let (from, to) = fence.ending;
        fence.value.push(from, to);
        let mut ahead = cursor;
        ahead.skip(text, usize::MAX);
        let line = text.get(ahead.pos..end).unwrap_or("");
        let marks = line.bytes().take_while(|b| *b == fence.mark).count();
        step_counter::tick(line.len());
        let rest = line.get(marks..).unwrap_or("");
        if marks >= fence.size && rest.bytes().all(|b| matches!(b, b' ' | b'\t')) {
            if let Leaf::Fence(fence) = std::mem::take(&mut self.leaf) {
                self.close_fence(fence, end);
            }
            return;
        }
        cursor.skip(text, fence.indent);
        fence.value.push_spaces(cursor.spare);
        fence.value.push(cursor.pos, end);
        fence.ending = (end, next);
    }

    fn close_fence(&mut self, fence: Fence<'_>, end: usize) {
        let value = trim_ending(trim_start_ending(fence.value.text())).into();
        let info = self.text.get(fence.info.0..fence.info.1).unwrap_or("");
        let kind = if fence.mark == b'$' {
            let meta = (!info.is_empty()).then(|| decode(info, true).into());
            Kind::Math { meta, value }
        } else {
            let cut = info.find([' ', '\t']).unwrap_or(info.len());
            let (lang, rest) = info.split_at(cut);
            let meta = rest.trim_start_matches([' ', '\t']);
            Kind::Code {
                lang: (!lang.is_empty()).then(|| decode(lang, true).into()),
                meta: (!meta.is_empty()).then(|| decode(meta, true).into()),
                value,
            }
        };
        self.element_stack()
            .push(Node::new(Span::from_range(fence.start..end), kind));
    }

    /// Joins the lines of the paragraph without leading white space.
    fn gather(&mut self) -> MappedText<'a> {
        let mut source = MappedText::new(self.text);
        for (index, line) in self.lines.iter().enumerate() {
            step_counter::tick(1);
            let mut cursor = line.cursor();
            if index == 0 {
                cursor.skip(self.text, usize::MAX);
            }
            source.push_spaces(cursor.spare, cursor.pos);
            let mut end = line.end as usize;
            if index + 1 < self.lines.len() {
                end += line_ending(self.text.as_bytes(), end);
            }
            source.push(cursor.pos, end);
        }
        self.lines.clear();
        source
    }

    /// Removes link reference definitions from the start of `source`.
    fn definitions(&mut self, source: &mut MappedText<'_>) {
        let mut at = 0;
        while let Some(parsed) = definition(source.text().get(at..).unwrap_or("")) {
            let kind = Kind::Definition {
                identifier: identifier(parsed.label),
                url: parsed.url.into(),
                title: parsed.title.map(Into::into),
            };
            let key = label_key(parsed.label);
            let end = at + parsed.end;
            let span = source.span(at, end);
            at = end;
            let bytes = source.text().as_bytes();
            at += line_ending(bytes, at);
            while matches!(bytes.get(at), Some(b' ' | b'\t')) {
                at += 1;
            }
            self.out.definitions.insert(key);
            self.element_stack().push(Node::new(span, kind));
        }
        if at > 0 {
            source.cut(at);
        }
    }

    fn close_paragraph(&mut self) {
        let mut source = self.gather();
        self.definitions(&mut source);
        let length = source
            .text()
            .trim_end_matches([' ', '\t', '\n', '\r'])
            .len();
        if source.text().is_empty() {
            return;
        }
        let span = source.span(0, length);
        self.out.inlines.push(source);
        self.element_stack()
            .push(Node::new(span, Kind::Paragraph(Vec::new())));
    }

    /// Ends the open paragraph as a heading; returns false if it consisted of definitions only.
    pub(crate) fn close_setext(&mut self, depth: u8, end: usize) -> bool {
        if !self.leaf.is_content() {
            return false;
        }
        self.leaf = Leaf::None;
        let mut source = self.gather();
        self.definitions(&mut source);
        if source.text().is_empty() {
            return false;
        }
        let start = source.page_offset(0);
        self.heading(source, depth, Span::from_range(start..end));
        true
    }

    /// Adds a heading.
    pub(crate) fn heading(&mut self, mut source: MappedText<'a>, depth: u8, span: Span) {
        let id = if self.options.heading_ids {
            take_id(&mut source)
        } else {
            None
        };
        self.out.inlines.push(source);
        let kind = Kind::Heading {
            depth,
            id,
            children: Vec::new(),
        };
        self.element_stack().push(Node::new(span, kind));
    }

    /// Parses the line at the cursor as a row. `columns` is the expected number of cells.
    pub(crate) fn row(&mut self, cursor: Cursor, end: usize, columns: usize) -> Node {
        let mut cursor = cursor;
        cursor.skip(self.text, usize::MAX);
        let line = self.text.get(cursor.pos..end).unwrap_or("");
        let mut row = Vec::with_capacity(columns);
        let (page, inlines) = (self.text, &mut self.out.inlines);
        table::cells(line, |from, to| {
            let span = Span::from_range(cursor.pos + from..cursor.pos + to);
            inlines.push(MappedText::from_range(
                page,
                cursor.pos + from,
                cursor.pos + to,
            ));
            row.push(Node::new(span, Kind::TableCell(Vec::new())));
        });
        Node::new(Span::from_range(cursor.pos..end), Kind::TableRow(row))
    }
}

fn trim_start_ending(value: &str) -> &str {
    let bytes = value.as_bytes();
    value.get(line_ending(bytes, 0)..).unwrap_or("")
}

fn trim_ending(value: &str) -> &str {
    let value = value
        .strip_suffix('\n')
        .map_or(value, |rest| rest.strip_suffix('\r').unwrap_or(rest));
    value.strip_suffix('\r').unwrap_or(value)
}

/// Removes `{#id}` from the end of a heading and returns the id.
fn take_id(source: &mut MappedText<'_>) -> Option<Box<str>> {
    let trimmed = source.text().trim_end();
    step_counter::tick(trimmed.len());
    let open = trimmed.strip_suffix('}')?.rfind("{#")?;
    let id = trimmed.get(open + 2..trimmed.len() - 1)?;
    if id.is_empty() || id.contains(|c: char| c.is_whitespace() || matches!(c, '{' | '}')) {
        return None;
    }
    let id = id.into();
    let length = trimmed.get(..open)?.trim_end().len();
    source.truncate(length);
    Some(id)
}
