//! Block quotes, lists and footnote definitions: how they begin and continue.

use crate::{
    Node, step_counter,
    text::{identifier, label_key},
};

use super::{cursor::Cursor, stack::ElementStack};

/// An open container.
#[derive(Debug)]
pub(crate) struct Container {
    /// Offset of the marker.
    pub(crate) start: usize,
    /// Content so far; for a list, that of its last item.
    pub(crate) stack: ElementStack,
    /// Kind with its state.
    pub(crate) kind: ContainerKind,
}

/// Kind of a container block.
#[derive(Debug)]
pub(crate) enum ContainerKind {
    /// `>`.
    Quote,
    /// `[^label]:`.
    Footnote { identifier: Box<str>, key: String },
    /// A list with its current item.
    List(ListState),
}

/// State of a list and of its current item.
#[derive(Debug)]
pub(crate) struct ListState {
    pub(crate) ordered: bool,
    pub(crate) number: Option<u32>,
    /// `-`, `+`, `*`, `.` or `)`.
    mark: u8,
    /// Width of the marker in columns.
    size: usize,
    initial_blank: bool,
    further_blank: bool,
    pub(crate) spread: bool,
    pub(crate) items: Vec<Node>,
    pub(crate) item_start: usize,
}

/// A list marker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marker {
    start: usize,
    mark: u8,
    number: Option<u32>,
    size: usize,
    blank: bool,
}

/// Whether a line continues a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Continuation {
    Yes,
    No,
    /// The list continues with its next item.
    NextItem,
}

impl ListState {
    pub(crate) fn begin_item(&mut self, marker: &Marker) {
        self.size = marker.size;
        self.initial_blank = marker.blank;
        self.further_blank = false;
        self.item_start = marker.start;
    }
}

impl Container {
    /// Checks whether the line continues this container and moves the cursor past its prefix. For
    /// the next item of a list the cursor is not moved.
    pub(crate) fn continuation(&self, text: &str, cursor: &mut Cursor) -> Continuation {
        step_counter::tick(1);
        match &self.kind {
            ContainerKind::Quote => {
                cursor.skip(text, usize::MAX);
                if quote(text, cursor) {
                    Continuation::Yes
                } else {
                    Continuation::No
                }
            }
            ContainerKind::Footnote { .. } => {
                if cursor.blank(text) {
                    return Continuation::Yes;
                }
                if cursor.skip(text, 4) == 4 {
                    Continuation::Yes
                } else {
                    Continuation::No
                }
            }
            ContainerKind::List(list) => {
                // This check comes before the one of the whole line, which would take quadratic
                // time in deep lists.
                let mut ahead = *cursor;
                if !list.further_blank && ahead.skip(text, list.size) == list.size {
                    *cursor = ahead;
                    return Continuation::Yes;
                }
                if cursor.blank(text) {
                    cursor.skip(text, list.size);
                    return Continuation::Yes;
                }
                let mut ahead = *cursor;
                let next = marker(text, &mut ahead, false);
                let same = next.is_some_and(|next| {
                    next.mark == list.mark && next.number.is_some() == list.ordered
                });
                if same {
                    Continuation::NextItem
                } else {
                    Continuation::No
                }
            }
        }
    }

    /// Records blank lines at the start of an item: after a bare marker only one line may be blank.
    pub(crate) fn note_line(&mut self, text: &str, cursor: Cursor) {
        if let ContainerKind::List(list) = &mut self.kind
            && (list.initial_blank || list.further_blank)
        {
            if cursor.blank(text) {
                list.further_blank = list.further_blank || list.initial_blank;
            } else {
                list.initial_blank = false;
                list.further_blank = false;
            }
        }
    }
}

/// Reads the container that begins at the cursor and moves the cursor past its marker; `None` if
/// there is none.
pub(crate) fn begin(text: &str, cursor: &mut Cursor, interrupts: bool) -> Option<Container> {
    let mut at = *cursor;
    at.skip(text, usize::MAX);
    let start = at.pos;
    match text.as_bytes().get(at.pos)? {
        b'>' => {
            quote(text, &mut at);
            *cursor = at;
            Some(Container {
                start,
                stack: ElementStack::default(),
                kind: ContainerKind::Quote,
            })
        }
        b'[' => {
            let label = footnote_label(text, at.pos)?;
            at.advance(label.len() + 4);
            at.skip(text, usize::MAX);
            *cursor = at;
            let holder = ContainerKind::Footnote {
                identifier: identifier(label),
                key: label_key(label),
            };
            Some(Container {
                start,
                stack: ElementStack::default(),
                kind: holder,
            })
        }
        _ => {
            let marker = marker(text, cursor, interrupts)?;
            let mut list = ListState {
                ordered: marker.number.is_some(),
                number: marker.number,
                mark: marker.mark,
                size: 0,
                initial_blank: false,
                further_blank: false,
                spread: false,
                items: Vec::new(),
                item_start: start,
            };
            list.begin_item(&marker);
            Some(Container {
                start,
                stack: ElementStack::default(),
                kind: ContainerKind::List(list),
            })
        }
    }
}

/// Skips `>` and one column of white space.
fn quote(text: &str, cursor: &mut Cursor) -> bool {
    if text.as_bytes().get(cursor.pos) != Some(&b'>') {
        return false;
    }
    cursor.advance(1);
    cursor.skip(text, 1);
    true
}

/// Returns the label of `[^label]:` at `at`.
fn footnote_label(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?.strip_prefix("[^")?;
    let label = footnote_text(rest)?;
    rest.get(label.len() + 1..)?
        .starts_with(':')
        .then_some(label)
}

/// Returns the text up to the `]` of a footnote label; `rest` is what follows `[^`.
pub(crate) fn footnote_text(rest: &str) -> Option<&str> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at <= 999 {
        step_counter::tick(1);
        match *bytes.get(at)? {
            b']' if at == 0 => return None,
            b']' => return rest.get(..at),
            b'[' | b' ' | b'\t' | b'\n' | b'\r' => return None,
            b'\\' if matches!(bytes.get(at + 1), Some(b'[' | b']' | b'\\')) => at += 2,
            _ => at += 1,
        }
    }
    None
}

/// Reads the list marker at the cursor and moves the cursor past it and its white space.
pub(crate) fn marker(text: &str, cursor: &mut Cursor, interrupts: bool) -> Option<Marker> {
    let bytes = text.as_bytes();
    let mut at = *cursor;
    let indent = at.skip(text, usize::MAX);
    let start = at.pos;
    let first = *bytes.get(start)?;
    let (mark, number, length) = match first {
        b'*' | b'-' if thematic_break(text, start) => return None,
        b'*' | b'-' | b'+' => (first, None, 1),
        b'0'..=b'9' => {
            let digits = bytes
                .iter()
                .skip(start)
                .take(10)
                .take_while(|b| b.is_ascii_digit());
            let digits = digits.count();
            let mark = *bytes.get(start + digits)?;
            if digits > 9 || !matches!(mark, b'.' | b')') {
                return None;
            }
            let number = text.get(start..start + digits)?.parse::<u32>().ok()?;
            if interrupts && (first != b'1' || digits > 1) {
                return None;
            }
            (mark, Some(number), digits + 1)
        }
        _ => return None,
    };
    at.advance(length);
    let blank = at.blank(text);
    let space = if blank {
        if interrupts {
            return None;
        }
        1
    } else {
        match at.skip(text, usize::MAX) {
            0 => return None,
            space => space,
        }
    };
    *cursor = at;
    Some(Marker {
        start,
        mark,
        number,
        size: indent + length + space,
        blank,
    })
}

/// Returns true if the line consists of three or more of the same character `*`, `-` or `_`.
pub(crate) fn thematic_break(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let Some(mark @ (b'*' | b'-' | b'_')) = bytes.get(at) else {
        return false;
    };
    let mut count = 0;
    for byte in bytes.iter().skip(at) {
        step_counter::tick(1);
        match byte {
            b'\n' | b'\r' => break,
            b' ' | b'\t' => {}
            byte if byte == mark => count += 1,
            _ => return false,
        }
    }
    count >= 3
}
