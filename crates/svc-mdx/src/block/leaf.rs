//! The block that the lines go into, and what becomes of it at its end.

use svc_diagnostics::Span;

use crate::{
    Align, Kind, Node,
    link::definition,
    source::Source,
    text::{decode, identifier, label_key},
};

use super::{Parser, cursor::Cursor, table};

/// One line of a paragraph, not yet copied.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) cursor: Cursor,
    pub(crate) end: usize,
    pub(crate) next: usize,
}

/// A fence that waits for its end.
#[derive(Debug)]
pub(crate) struct Fence {
    /// First byte of the opening fence.
    pub(crate) start: usize,
    pub(crate) mark: u8,
    pub(crate) size: usize,
    /// Columns before the opening fence.
    pub(crate) indent: usize,
    /// What follows the fence in its line.
    pub(crate) info: (usize, usize),
    /// Line endings and lines so far.
    pub(crate) value: String,
    /// The line ending of the last line, not yet in `value`.
    pub(crate) ending: (usize, usize),
}

/// The open leaf block.
#[derive(Debug, Default)]
pub(crate) enum Leaf {
    #[default]
    None,
    /// A paragraph, definitions, or the text of a heading.
    Paragraph(Vec<Line>),
    /// A table.
    Table {
        start: usize,
        align: Vec<Align>,
        rows: Vec<Node>,
    },
    /// A code or math block.
    Fence(Fence),
}

impl Leaf {
    /// Lines belong to it whatever they look like.
    pub(crate) const fn is_concrete(&self) -> bool {
        matches!(self, Self::Fence(_))
    }

    /// A paragraph: only some blocks may interrupt it.
    pub(crate) const fn is_content(&self) -> bool {
        matches!(self, Self::Paragraph(_))
    }
}

impl Parser<'_> {
    /// Ends the open leaf; `lazy` when a line outside its container ended it.
    pub(crate) fn close_leaf(&mut self, lazy: bool) {
        match std::mem::take(&mut self.leaf) {
            Leaf::None => {}
            Leaf::Paragraph(lines) => self.close_paragraph(&lines),
            Leaf::Table { start, align, rows } => {
                let span = Span::from_range(start..self.last_end);
                self.level().push(Node::new(
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
                    fence.value.push_str(self.text.get(from..to).unwrap_or(""));
                }
                self.close_fence(fence, self.last_end);
            }
        }
    }

    /// A line inside a fence.
    pub(crate) fn fenced_line(&mut self, mut cursor: Cursor, end: usize, next: usize) {
        let text = self.text;
        let Leaf::Fence(fence) = &mut self.leaf else {
            return;
        };
        let (from, to) = fence.ending;
        fence.value.push_str(text.get(from..to).unwrap_or(""));
        let mut ahead = cursor;
        ahead.skip(text, usize::MAX);
        let line = text.get(ahead.at..end).unwrap_or("");
        let marks = line.bytes().take_while(|b| *b == fence.mark).count();
        let rest = line.get(marks..).unwrap_or("");
        if marks >= fence.size && rest.bytes().all(|b| matches!(b, b' ' | b'\t')) {
            if let Leaf::Fence(fence) = std::mem::take(&mut self.leaf) {
                self.close_fence(fence, end);
            }
            return;
        }
        cursor.skip(text, fence.indent);
        fence.value.extend(std::iter::repeat_n(' ', cursor.spare));
        fence.value.push_str(text.get(cursor.at..end).unwrap_or(""));
        fence.ending = (end, next);
    }

    fn close_fence(&mut self, fence: Fence, end: usize) {
        let value = trim_ending(trim_start_ending(&fence.value)).into();
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
        self.level()
            .push(Node::new(Span::from_range(fence.start..end), kind));
    }

    /// The lines as one text, white space at the start left out.
    fn gather(&self, lines: &[Line]) -> Source {
        let mut source = Source::default();
        for (index, line) in lines.iter().enumerate() {
            let mut cursor = line.cursor;
            if index == 0 {
                cursor.skip(self.text, usize::MAX);
            }
            source.push_spaces(cursor.spare, cursor.at);
            let end = if index + 1 == lines.len() {
                line.end
            } else {
                line.next
            };
            source.push(self.text.get(cursor.at..end).unwrap_or(""), cursor.at);
        }
        source
    }

    /// Takes the definitions off the start of `source`.
    fn definitions(&mut self, source: &mut Source) {
        let mut at = 0;
        while let Some(found) = definition(source.text.get(at..).unwrap_or("")) {
            let kind = Kind::Definition {
                identifier: identifier(found.label),
                url: found.url.into(),
                title: found.title.map(Into::into),
            };
            let key = label_key(found.label);
            let end = at + found.end;
            let span = source.span(at, end);
            at = end;
            let bytes = source.text.as_bytes();
            at += crate::text::line_ending(bytes, at);
            while matches!(bytes.get(at), Some(b' ' | b'\t')) {
                at += 1;
            }
            self.out.definitions.insert(key);
            self.level().push(Node::new(span, kind));
        }
        if at > 0 {
            source.cut(at);
        }
    }

    fn close_paragraph(&mut self, lines: &[Line]) {
        let mut source = self.gather(lines);
        self.definitions(&mut source);
        if source.text.is_empty() {
            return;
        }
        let span = source.span(
            0,
            source.text.trim_end_matches([' ', '\t', '\n', '\r']).len(),
        );
        self.out.inlines.push_back(source);
        self.level()
            .push(Node::new(span, Kind::Paragraph(Vec::new())));
    }

    /// Ends the open paragraph as a heading; `false` when it held definitions only.
    pub(crate) fn close_setext(&mut self, depth: u8, end: usize) -> bool {
        let Leaf::Paragraph(lines) = std::mem::take(&mut self.leaf) else {
            return false;
        };
        let mut source = self.gather(&lines);
        self.definitions(&mut source);
        if source.text.is_empty() {
            return false;
        }
        let start = source.place(0);
        self.heading(source, depth, Span::from_range(start..end));
        true
    }

    /// Adds a heading.
    pub(crate) fn heading(&mut self, mut source: Source, depth: u8, span: Span) {
        let id = if self.options.heading_ids {
            take_id(&mut source.text)
        } else {
            None
        };
        self.out.inlines.push_back(source);
        let kind = Kind::Heading {
            depth,
            id,
            children: Vec::new(),
        };
        self.level().push(Node::new(span, kind));
    }

    /// Makes a row from the line at the cursor.
    pub(crate) fn row(&mut self, cursor: Cursor, end: usize) -> Node {
        let mut cursor = cursor;
        cursor.skip(self.text, usize::MAX);
        let line = self.text.get(cursor.at..end).unwrap_or("");
        let mut row = Vec::new();
        for (from, to) in table::cells(line) {
            let span = Span::from_range(cursor.at + from..cursor.at + to);
            let mut source = Source::default();
            source.push(line.get(from..to).unwrap_or(""), cursor.at + from);
            self.out.inlines.push_back(source);
            row.push(Node::new(span, Kind::TableCell(Vec::new())));
        }
        Node::new(Span::from_range(cursor.at..end), Kind::TableRow(row))
    }
}

fn trim_start_ending(value: &str) -> &str {
    let bytes = value.as_bytes();
    value
        .get(crate::text::line_ending(bytes, 0)..)
        .unwrap_or("")
}

fn trim_ending(value: &str) -> &str {
    let value = value
        .strip_suffix('\n')
        .map_or(value, |rest| rest.strip_suffix('\r').unwrap_or(rest));
    value.strip_suffix('\r').unwrap_or(value)
}

/// Takes `{#id}` off the end of a heading.
fn take_id(text: &mut String) -> Option<Box<str>> {
    let trimmed = text.trim_end();
    let open = trimmed.strip_suffix('}')?.rfind("{#")?;
    let id = trimmed.get(open + 2..trimmed.len() - 1)?;
    if id.is_empty() || id.contains(|c: char| c.is_whitespace() || matches!(c, '{' | '}')) {
        return None;
    }
    let id = id.into();
    text.truncate(open);
    let length = text.trim_end().len();
    text.truncate(length);
    Some(id)
}
