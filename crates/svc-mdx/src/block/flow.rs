//! The content of a line: continues the open leaf or begins a new block.

use svc_diagnostics::Span;

use crate::source::{JoinedText, MappedText};

use super::{
    Parser, container,
    cursor::{Cursor, line_end},
    leaf::{Fence, Leaf, Line},
    lookahead::Lookahead,
    table,
};

/// A block that begins on this line.
enum BlockStart<'a> {
    Heading { depth: u8, content: (usize, usize) },
    Break,
    Setext(u8),
    Fence(Fence<'a>),
    Lookahead(Lookahead<'a>),
    Esm { end: usize, next: usize },
    Table(Vec<crate::Align>),
}

impl<'a> Parser<'a, '_> {
    /// Handles a line with content outside of fences and returns the start of the next line to
    /// read.
    pub(crate) fn content_line(
        &mut self,
        cursor: Cursor,
        lazy: bool,
        continued: usize,
        end: usize,
        next: usize,
    ) -> usize {
        let content = self.leaf.is_content();
        if lazy && !content {
            self.close_leaf(true);
            self.close_containers(continued);
        }
        let begin = self.begin(cursor, end, next, content, lazy);
        let Some(begin) = begin else {
            self.append(cursor, end);
            return next;
        };
        if let BlockStart::Setext(depth) = begin {
            if self.close_setext(depth, end) {
                self.last_end = end;
                return next;
            }
            // The paragraph consisted of definitions only, so the line is read on its own.
            return self.content_line(cursor, lazy, continued, end, next);
        }
        self.close_leaf(lazy);
        if lazy {
            self.close_containers(continued);
        }
        self.apply(begin, cursor, end, next)
    }

    /// Appends the line to the open table or paragraph, or begins a paragraph.
    fn append(&mut self, cursor: Cursor, end: usize) {
        if let Leaf::Table { align, .. } = &self.leaf {
            // A short row of a wide table does not allocate all columns.
            let columns = align.len().min(end.saturating_sub(cursor.pos) / 2 + 1);
            let row = self.row(cursor, end, columns);
            if let Leaf::Table { rows, .. } = &mut self.leaf {
                rows.push(row);
            }
        } else {
            if !self.leaf.is_content() {
                self.touch();
                self.leaf = Leaf::Paragraph;
            }
            self.lines.push(Line::new(cursor, end));
        }
        self.last_end = end;
    }

    fn apply(&mut self, begin: BlockStart<'a>, cursor: Cursor, end: usize, next: usize) -> usize {
        let mut current = cursor;
        current.skip(self.text, usize::MAX);
        self.touch();
        self.last_end = end;
        match begin {
            BlockStart::Heading {
                depth,
                content: (from, to),
            } => {
                let source = MappedText::from_range(self.text, from, to);
                self.heading(source, depth, Span::from_range(current.pos..end));
            }
            BlockStart::Break => {
                let span = Span::from_range(current.pos..end);
                self.element_stack()
                    .push(crate::Node::new(span, crate::Kind::ThematicBreak));
            }
            BlockStart::Setext(_) => {}
            BlockStart::Fence(fence) => self.leaf = Leaf::Fence(fence),
            BlockStart::Table(align) => {
                let head = self.row(cursor, end, align.len());
                self.leaf = Leaf::Table {
                    start: current.pos,
                    align,
                    rows: vec![head],
                };
                // The delimiter row was read together with the header row.
                let (below, after) = line_end(self.text, next);
                self.last_end = below;
                return after;
            }
            BlockStart::Esm { end, next } => {
                let value = self.text.get(current.pos..end).unwrap_or("");
                let span = Span::from_range(current.pos..end);
                self.element_stack()
                    .push(crate::Node::new(span, crate::Kind::Esm(value.into())));
                self.last_end = end;
                return next;
            }
            BlockStart::Lookahead(ahead) => return self.apply_ahead(ahead),
        }
        next
    }

    /// Returns the block that begins at the cursor; in a paragraph (`content`) only one that may
    /// interrupt it.
    fn begin(
        &mut self,
        cursor: Cursor,
        end: usize,
        next: usize,
        content: bool,
        lazy: bool,
    ) -> Option<BlockStart<'a>> {
        let mut current = cursor;
        let indent = current.skip(self.text, usize::MAX);
        let line = self.text.get(current.pos..end)?;
        let start = match line.bytes().next()? {
            b'#' => heading(line, current.pos),
            mark @ (b'-' | b'=') => {
                let marks = line.trim_end_matches([' ', '\t']);
                if content && !lazy && marks.bytes().all(|b| b == mark) {
                    Some(BlockStart::Setext(if mark == b'=' { 1 } else { 2 }))
                } else {
                    container::thematic_break(self.text, current.pos).then_some(BlockStart::Break)
                }
            }
            b'*' | b'_' => {
                container::thematic_break(self.text, current.pos).then_some(BlockStart::Break)
            }
            b'`' | b'~' => self
                .fence(line, current.pos, indent, next)
                .map(BlockStart::Fence),
            b'$' if self.options.math => self
                .fence(line, current.pos, indent, next)
                .map(BlockStart::Fence),
            b'<' | b'{' => self.look_ahead(current, end).map(BlockStart::Lookahead),
            b'e' | b'i' if !content && current.pos == cursor.pos && current.column == 0 => self
                .esm(current.pos)
                .map(|(end, next)| BlockStart::Esm { end, next }),
            _ => None,
        };
        if start.is_some() {
            return start;
        }
        if matches!(self.leaf, Leaf::Table { .. }) || next == end {
            return None;
        }
        // The last byte of the next line rules out most candidates.
        if !table::may_end_delimiter(self.text, next) {
            return None;
        }
        let below = self.same_containers(next)?;
        let cells = table::head_cells(line)?;
        if below.blank(self.text) || self.begins_container(below) {
            return None;
        }
        let (below_end, _) = line_end(self.text, below.pos);
        let align = table::delimiter(self.text.get(below.pos..below_end)?)?;
        (align.len() == cells).then_some(BlockStart::Table(align))
    }

    fn begins_container(&self, cursor: Cursor) -> bool {
        let mut ahead = cursor;
        container::begin(self.text, &mut ahead, true).is_some()
    }

    /// Returns the fence that `line` at `at` opens.
    fn fence(&self, line: &str, at: usize, indent: usize, next: usize) -> Option<Fence<'a>> {
        let mark = line.bytes().next()?;
        let size = line.bytes().take_while(|b| *b == mark).count();
        let min_size = if mark == b'$' { 2 } else { 3 };
        let rest = line.get(size..)?;
        if size < min_size || (mark != b'~' && rest.as_bytes().contains(&mark)) {
            return None;
        }
        let info = rest.trim_start_matches([' ', '\t']);
        let from = at + line.len() - info.len();
        let end = at + line.len();
        Some(Fence {
            start: at,
            mark,
            size,
            indent,
            info: (from, end),
            value: JoinedText::new(self.text),
            ending: (end, next),
        })
    }

    /// Returns the cursor after the prefixes of all open containers on the line at `start`, or
    /// `None` if one of them does not continue.
    pub(crate) fn same_containers(&self, start: usize) -> Option<Cursor> {
        let mut cursor = Cursor::start(start);
        let continues = self
            .containers
            .iter()
            .all(|open| open.continuation(self.text, &mut cursor) == container::Continuation::Yes);
        continues.then_some(cursor)
    }
}

fn heading<'a>(line: &str, at: usize) -> Option<BlockStart<'a>> {
    let depth = line.bytes().take_while(|b| *b == b'#').count();
    let rest = line.get(depth..)?;
    if depth > 6 || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let space = |c: char| c == ' ' || c == '\t';
    let from = line.len() - rest.trim_start_matches(space).len();
    let mut content = line.get(from..)?.trim_end_matches(space);
    let without = content.trim_end_matches('#');
    if without.is_empty() || without.ends_with(space) {
        content = without.trim_end_matches(space);
    }
    let depth = u8::try_from(depth).unwrap_or(6);
    Some(BlockStart::Heading {
        depth,
        content: (at + from, at + from + content.len()),
    })
}
