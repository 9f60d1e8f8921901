//! Scans the text once and converts it to items.

use crate::{
    Kind, Node, ParseDiagnostic,
    block::{bad_expression, comment, footnote_text, html_comment, open_comment},
    jsx::{ParseError, expression, parse_jsx},
    source::{MappedText, to_u32},
    step_counter,
    text::{identifier, is_punctuation, is_space, label_key, line_ending, reference},
};

use super::{
    arena::{Arena, Replacement},
    autolink,
    context::PageContext,
    item::{Item, Marks},
    runs::run,
};

pub(super) struct Scanner<'a, 'p> {
    pub(super) source: &'a MappedText<'a>,
    pub(super) text: &'a str,
    pub(super) pos: usize,
    pub(super) items: Vec<Item>,
    /// Indexes of the items that are open brackets.
    pub(super) brackets: Vec<u32>,
    /// Brackets before this index cannot become links, because a link ended after them.
    pub(super) inactive: usize,
    pub(super) page: &'a mut PageContext<'p>,
    cell: bool,
    /// The text may contain autolinks.
    autolinks: bool,
    /// Offsets of possible e-mail addresses, last first.
    mails: Vec<usize>,
    /// Length of the last item's text that came from character references and is not trimmed.
    protected_len: usize,
    /// Remaining budget for braces and tags that turn out to be text.
    fuel: usize,
    /// For each kind of quote, the offset from which no title is closed.
    pub(super) untitled_from: [usize; 3],
}

/// From this size on the maximum number of items, one for each byte, is allocated at once to avoid
/// repeated copying. Usual content is far smaller.
const PREALLOCATE_FROM: usize = 1 << 16;

impl<'a, 'p> Scanner<'a, 'p> {
    pub(super) fn new(
        source: &'a MappedText<'a>,
        cell: bool,
        page: &'a mut PageContext<'p>,
    ) -> Self {
        let text = source.text();
        let autolinks = page.options.autolinks && autolink::may_hold(text);
        let mut items = std::mem::take(&mut page.scratch.items);
        if text.len() >= PREALLOCATE_FROM {
            items.reserve(text.len());
        }
        Self {
            source,
            text,
            pos: 0,
            items,
            brackets: std::mem::take(&mut page.scratch.brackets),
            inactive: 0,
            page,
            cell,
            autolinks,
            mails: if autolinks {
                autolink::mail_starts(text)
            } else {
                Vec::new()
            },
            protected_len: 0,
            fuel: text.len().saturating_mul(8).saturating_add(1 << 12),
            untitled_from: [usize::MAX; 3],
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Returns the items and frees the buffer for brackets.
    pub(super) fn end(mut self) -> Vec<Item> {
        self.brackets.clear();
        self.page.scratch.brackets = self.brackets;
        self.items
    }

    fn arena(&mut self) -> &mut Arena {
        &mut self.page.scratch.arena
    }

    /// Returns the last item if it is text that replaces source text.
    fn last_replacement(&mut self) -> Option<&mut Replacement> {
        match self.items.last() {
            Some(Item::Replacement(index)) => self.page.scratch.arena.replacement_mut(*index),
            _ => None,
        }
    }

    /// Appends text, to the last item if that is text too.
    fn push_text(&mut self, value: &str, start: usize, end: usize) {
        step_counter::tick(value.len());
        if let Some(last) = self.last_replacement() {
            last.value.push_str(value);
            last.end = to_u32(end);
            return;
        }
        let mut new = Replacement {
            value: String::new(),
            start: to_u32(start),
            end: to_u32(end),
        };
        if let Some(Item::Text {
            start: from,
            end: to,
        }) = self.items.last().copied()
        {
            let before = self.text.get(from as usize..to as usize).unwrap_or("");
            step_counter::tick(before.len());
            new.value.reserve(before.len() + value.len());
            new.value.push_str(before);
            new.start = from;
            self.items.pop();
        } else {
            self.protected_len = 0;
        }
        new.value.push_str(value);
        let index = self.arena().add_replacement(new);
        self.items.push(Item::Replacement(index));
    }

    /// Appends source text.
    pub(super) fn push_plain(&mut self, start: usize, end: usize) {
        match self.items.last_mut() {
            Some(Item::Text { end: last, .. }) if *last as usize == start => *last = to_u32(end),
            Some(Item::Text { .. } | Item::Replacement(_)) => {
                let text = self.text;
                self.push_text(text.get(start..end).unwrap_or(""), start, end);
            }
            _ => {
                self.protected_len = 0;
                self.items.push(Item::Text {
                    start: to_u32(start),
                    end: to_u32(end),
                });
            }
        }
    }

    pub(super) fn push_node(&mut self, start: usize, end: usize, kind: Kind, depth: usize) {
        let node = Node::new(self.source.span(start, end), kind);
        if let Some(open) = self.open_mut() {
            open.holds(depth);
        }
        let index = self.arena().add_node(node);
        self.items.push(Item::Node {
            index,
            depth: to_u32(depth),
        });
    }

    pub(super) fn run(&mut self) {
        while self.pos < self.text.len() {
            let start = self.pos;
            if !self.special() {
                self.pos = start.max(self.pos);
                self.plain(start);
            }
        }
        self.strip_trailing();
    }

    /// Appends text up to the next byte that may be syntax.
    fn plain(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        if self.mails.last() == Some(&start) {
            self.mails.pop();
        }
        let mail = self.mails.last().copied().unwrap_or(usize::MAX);
        let stops = if self.autolinks {
            &STOPS_AND_LETTERS
        } else {
            &STOPS
        };
        loop {
            let rest = bytes.get(end..mail.min(bytes.len())).unwrap_or(&[]);
            let plain = rest
                .iter()
                .position(|byte| stops.get(usize::from(*byte)) == Some(&true));
            end += plain.unwrap_or(rest.len());
            let letter = matches!(bytes.get(end), Some(b'h' | b'H' | b'w' | b'W'));
            if plain.is_none() || !letter || autolink::may_begin(self.text, end) {
                break;
            }
            end += 1;
        }
        step_counter::tick(end - start);
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        self.push_plain(start, end);
        self.pos = end;
    }

    /// Parses the syntax that begins here; returns false if it is text.
    fn special(&mut self) -> bool {
        let at = self.pos;
        while self.mails.last().is_some_and(|mail| *mail < at) {
            self.mails.pop();
        }
        if self.autolinks
            && self.brackets.is_empty()
            && let Some(link) = autolink::literal(self.text, at, self.mails.last() == Some(&at))
        {
            self.literal(at, link);
            return true;
        }
        match self.byte(at) {
            b'\n' | b'\r' => self.line_ending(),
            b'\\' => self.escape(),
            b'&' => self.reference(),
            b'`' => self.code(),
            b'$' if self.page.options.math => self.math(),
            b'*' | b'_' | b'~' => self.marks(),
            b'!' if self.byte(at + 1) == b'[' => {
                self.open_bracket(at, 2, true);
                true
            }
            b'[' => {
                if !self.footnote() {
                    self.open_bracket(at, 1, false);
                }
                true
            }
            b']' => {
                self.close_bracket();
                true
            }
            b'<' => self.tag(),
            b'{' => self.expression(),
            _ => false,
        }
    }

    fn literal(&mut self, start: usize, link: autolink::Literal) {
        let raw = self.text.get(start..link.end).unwrap_or("");
        let span = self.source.span(start, link.end);
        let children = vec![Node::new(span, Kind::Text(raw.into()))];
        let url = format!("{}{raw}", link.prefix).into();
        self.push_node(
            start,
            link.end,
            Kind::Link {
                url,
                title: None,
                children,
            },
            1,
        );
        self.pos = link.end;
    }

    /// Removes trailing white space from the text so far; returns the number of removed spaces, or
    /// 0 if there were tabs among them.
    fn strip_trailing(&mut self) -> usize {
        let min_len = self.protected_len;
        let (length, size, tabs) = match self.items.last_mut() {
            Some(Item::Text { start, end }) => {
                let value = self.text.get(*start as usize..*end as usize).unwrap_or("");
                let (length, tabs) = trimmed_len(value, min_len);
                let size = value.len() - length;
                *end = end.saturating_sub(to_u32(size));
                (length, size, tabs)
            }
            Some(Item::Replacement(_)) => {
                let Some(changed) = self.last_replacement() else {
                    return 0;
                };
                let (length, tabs) = trimmed_len(&changed.value, min_len);
                let size = changed.value.len() - length;
                changed.value.truncate(length);
                changed.end = changed.end.saturating_sub(to_u32(size));
                (length, size, tabs)
            }
            _ => return 0,
        };
        if length == 0 {
            self.items.pop();
        }
        if tabs { 0 } else { size }
    }

    fn line_ending(&mut self) -> bool {
        let start = self.pos;
        let stripped = self.strip_trailing();
        // After a removed comment, the spaces before it do not make a hard break.
        let white = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let before = self.text.as_bytes().get(..start).unwrap_or_default();
        let spaces = before.iter().rev().take(stripped).take_while(white).count();
        let end = start + line_ending(self.text.as_bytes(), start);
        if spaces >= 2 {
            self.push_node(start - spaces, end, Kind::Break, 0);
        } else {
            self.push_plain(start, end);
        }
        self.skip_indent(end);
        true
    }

    fn skip_indent(&mut self, from: usize) {
        self.pos = from;
        while matches!(self.byte(self.pos), b' ' | b'\t') {
            self.pos += 1;
        }
    }

    fn escape(&mut self) -> bool {
        let start = self.pos;
        let next = self.byte(start + 1);
        let ending = line_ending(self.text.as_bytes(), start + 1);
        if ending > 0 {
            self.push_node(start, start + 1 + ending, Kind::Break, 0);
            self.skip_indent(start + 1 + ending);
            return true;
        }
        if !next.is_ascii_punctuation() {
            return false;
        }
        let value = self.text.get(start + 1..start + 2).unwrap_or("");
        self.push_text(value, start, start + 2);
        self.protect_text();
        self.pos = start + 2;
        true
    }

    fn protect_text(&mut self) {
        if let Some(changed) = self.last_replacement() {
            self.protected_len = changed.value.len();
        }
    }

    fn reference(&mut self) -> bool {
        let start = self.pos;
        let Some((length, value)) = reference(self.text.get(start..).unwrap_or("")) else {
            return false;
        };
        self.push_text(&value, start, start + length);
        self.protect_text();
        self.pos = start + length;
        true
    }

    fn code(&mut self) -> bool {
        let start = self.pos;
        let text = self.text;
        let size = run(text, start);
        let ticks = &mut self.page.scratch.ticks;
        ticks.find(text, start, b'`', |_, _| true);
        let Some(close) = ticks.next(size, start + size) else {
            self.push_plain(start, start + size);
            self.pos = start + size;
            return true;
        };
        let mut value = strip_padding(text.get(start + size..close).unwrap_or("")).to_owned();
        if self.cell {
            value = value.replace("\\|", "|");
        }
        self.push_node(start, close + size, Kind::InlineCode(value.into()), 0);
        self.pos = close + size;
        true
    }

    fn math(&mut self) -> bool {
        let start = self.pos;
        let text = self.text;
        let guarded = self.page.options.guarded_dollars;
        let size = run(text, start);
        let dollars = &mut self.page.scratch.dollars;
        dollars.find(text, start, b'$', |at, length| {
            !guarded || length > 1 || closes_math(text, at)
        });
        let opens = !guarded
            || size > 1
            || text
                .get(start + 1..)
                .and_then(|t| t.chars().next())
                .is_some_and(|c| !is_space(c));
        let close = if opens {
            dollars.next(size, start + size)
        } else {
            None
        };
        let Some(close) = close else {
            self.push_plain(start, start + size);
            self.pos = start + size;
            return true;
        };
        let value = strip_padding(text.get(start + size..close).unwrap_or("")).into();
        self.push_node(start, close + size, Kind::InlineMath(value), 0);
        self.pos = close + size;
        true
    }

    fn marks(&mut self) -> bool {
        let start = self.pos;
        let mark = self.byte(start);
        let count = run(self.text, start);
        let end = start + count;
        let before = self
            .text
            .get(..start)
            .and_then(|text| text.chars().next_back());
        let after = self.text.get(end..).and_then(|text| text.chars().next());
        self.pos = end;
        let (space_before, mark_before) = classify(before);
        let (space_after, mark_after) = classify(after);
        let is_regular = |space: bool, punctuation: bool| !space && !punctuation;
        let (mut opens, mut closes) = (
            !space_after && (!mark_after || !is_regular(space_before, mark_before)),
            !space_before && (!mark_before || !is_regular(space_after, mark_after)),
        );
        if mark == b'~' {
            if count > 2 {
                self.push_plain(start, end);
                return true;
            }
        } else {
            opens |= after == Some('~');
            closes |= before == Some('~');
            if mark == b'_' {
                (opens, closes) = (
                    opens && (!is_regular(space_before, mark_before) || !closes),
                    closes && (!is_regular(space_after, mark_after) || !opens),
                );
            }
        }
        self.items.push(Item::Marks(Marks {
            start: to_u32(start),
            count: to_u32(count),
            mark,
            opens,
            closes,
        }));
        true
    }

    fn footnote(&mut self) -> bool {
        let start = self.pos;
        let Some(rest) = self
            .text
            .get(start..)
            .and_then(|rest| rest.strip_prefix("[^"))
        else {
            return false;
        };
        let Some(label) = footnote_text(rest) else {
            return false;
        };
        if !self.page.footnotes.contains(&label_key(label)) {
            return false;
        }
        let end = start + label.len() + 3;
        self.push_node(
            start,
            end,
            Kind::FootnoteReference {
                identifier: identifier(label),
            },
            0,
        );
        self.pos = end;
        true
    }

    fn tag(&mut self) -> bool {
        let start = self.pos;
        if self.fuel == 0 || matches!(self.byte(start + 1), b' ' | b'\t' | b'\n' | b'\r') {
            // `a < b` is plain text.
            return false;
        }
        let rest = self.text.get(start..).unwrap_or("");
        if let Some(length) = comment(rest) {
            let span = self.source.span(start, start + length);
            self.page.problems.push(html_comment(span));
            self.pos = start + length;
            return true;
        }
        if rest.starts_with("<!--") {
            return self.recover(open_comment(start));
        }
        match parse_jsx(self.text, start) {
            Ok(mut tag) => {
                self.pos = tag.span.end as usize;
                tag.relocate(&|span| self.source.relocate(span));
                let index = self.arena().add_tag(tag);
                self.items.push(Item::Tag(index));
                true
            }
            Err(error) => self.recover(error),
        }
    }

    fn expression(&mut self) -> bool {
        let start = self.pos;
        if self.fuel == 0 {
            return false;
        }
        match expression(self.text, start) {
            Ok(braced) => {
                if !braced.clean {
                    self.page
                        .problems
                        .push(bad_expression(self.source.span(start, braced.end)));
                }
                let kind = Kind::Expression {
                    value: braced.value.into(),
                    flow: false,
                };
                self.push_node(start, braced.end, kind, 0);
                self.pos = braced.end;
                true
            }
            Err(error) => self.recover(error),
        }
    }

    fn recover(&mut self, error: ParseError) -> bool {
        let reach = if error.incomplete {
            self.text.len()
        } else {
            error.offset
        };
        self.fuel = self
            .fuel
            .saturating_sub(reach.saturating_sub(self.pos) + 16);
        let mut at = error.offset.min(self.text.len().saturating_sub(1));
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let end = self.text.get(at..).and_then(|rest| rest.chars().next());
        let span = self.source.span(at, at + end.map_or(0, char::len_utf8));
        self.page.problems.push(ParseDiagnostic::new(
            error.code,
            span,
            error.message,
            error.hint,
        ));
        false
    }
}

/// Returns the length of a text without trailing white space, except for its first `min_len` bytes,
/// and whether tabs were removed.
fn trimmed_len(value: &str, min_len: usize) -> (usize, bool) {
    let length = value.trim_end_matches([' ', '\t']).len();
    let length = length.max(min_len.min(value.len()));
    (length, value.get(length..).unwrap_or("").contains('\t'))
}

/// Table of bytes that may be syntax; with `letters`, also of bytes that may begin URLs.
const fn stop_bytes(letters: bool) -> [bool; 256] {
    let mut table = [false; 256];
    let marks = b"\\&*_~`$[]!<{\n\r";
    let mut at = 0;
    while at < marks.len() {
        table[marks[at] as usize] = true;
        at += 1;
    }
    if letters {
        table[b'h' as usize] = true;
        table[b'H' as usize] = true;
        table[b'w' as usize] = true;
        table[b'W' as usize] = true;
    }
    table
}

static STOPS: [bool; 256] = stop_bytes(false);
static STOPS_AND_LETTERS: [bool; 256] = stop_bytes(true);

/// Returns whether the character is white space or the end of the text, and whether it is
/// punctuation.
fn classify(c: Option<char>) -> (bool, bool) {
    c.map_or((true, false), |c| (is_space(c), is_punctuation(c)))
}

/// Returns true if a dollar may close: no white space before it and no digit after it.
fn closes_math(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text.as_bytes().get(at + 1);
    before.is_some_and(|c| !is_space(c) && c != '\\') && !after.is_some_and(u8::is_ascii_digit)
}

/// Removes one space from each end of a code span if both ends have one and the content is not only
/// spaces.
fn strip_padding(value: &str) -> &str {
    let bytes = value.as_bytes();
    let edge = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\n' | b'\r'));
    let full = bytes
        .iter()
        .any(|byte| !matches!(byte, b' ' | b'\n' | b'\r'));
    if !full || !edge(bytes.first()) || !edge(bytes.last()) {
        return value;
    }
    let from = line_ending(bytes, 0).max(1);
    let to = value.len() - if value.ends_with("\r\n") { 2 } else { 1 };
    value.get(from..to).unwrap_or(value)
}
