//! The lines of tables.

use crate::{Align, step_counter};

use super::cursor::line_end;

/// Returns the number of cells if the line can be the header row of a table.
pub(crate) fn head_cells(line: &str) -> Option<usize> {
    let line = line.trim_matches([' ', '\t']);
    let mut cells = 0;
    self::cells(line, |_, _| cells += 1);
    let pipes = line.contains('|');
    // A lone `|` has no cells.
    (!line.is_empty() && line != "|" && (pipes || cells == 1)).then_some(cells)
}

/// Returns true if the last character of the line at `at` can end a delimiter row.
pub(crate) fn may_end_delimiter(text: &str, at: usize) -> bool {
    let (end, _) = line_end(text, at);
    let last = text.as_bytes().get(at..end).and_then(<[u8]>::last);
    matches!(last, Some(b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// Returns the alignments of the columns if the line can be a delimiter row.
pub(crate) fn delimiter(line: &str) -> Option<Vec<Align>> {
    step_counter::tick(line.len());
    let line = line.trim_matches([' ', '\t']);
    if line.is_empty()
        || line
            .bytes()
            .any(|b| !matches!(b, b'|' | b'-' | b':' | b' ' | b'\t'))
    {
        return None;
    }
    let seen = line.contains(['|', ':']);
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut align = Vec::new();
    for cell in inner.split('|') {
        let cell = cell.trim_matches([' ', '\t']);
        let left = cell.starts_with(':');
        let right = cell.len() > 1 && cell.ends_with(':');
        let dashes = cell.strip_prefix(':').unwrap_or(cell);
        let dashes = if right {
            dashes.strip_suffix(':').unwrap_or(dashes)
        } else {
            dashes
        };
        if dashes.is_empty() || dashes.bytes().any(|b| b != b'-') {
            return None;
        }
        align.push(match (left, right) {
            (false, false) => Align::None,
            (true, false) => Align::Left,
            (false, true) => Align::Right,
            (true, true) => Align::Center,
        });
    }
    seen.then_some(align)
}

/// Calls `give` with the byte range of every cell of a line, without surrounding white space.
pub(crate) fn cells(line: &str, mut give: impl FnMut(usize, usize)) {
    step_counter::tick(line.len());
    let bytes = line.as_bytes();
    let blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t'));
    let mut start = 0;
    let mut end = line.len();
    while start < end && blank(start) {
        start += 1;
    }
    while end > start && blank(end - 1) {
        end -= 1;
    }
    if bytes.get(start) == Some(&b'|') {
        start += 1;
    }
    let mut cell = start;
    let mut at = start;
    let mut push = |from: usize, to: usize| {
        let (mut from, mut to) = (from, to);
        while from < to && blank(from) {
            from += 1;
        }
        while to > from && blank(to - 1) {
            to -= 1;
        }
        give(from, to);
    };
    while at < end {
        match bytes.get(at) {
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'\\' | b'|')) => at += 1,
            Some(b'|') => {
                push(cell, at);
                cell = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if cell < end || (cell == start && start <= end) {
        push(cell, end.max(cell));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Vec<&str> {
        let mut out = Vec::new();
        cells(line, |from, to| out.push(&line[from..to]));
        out
    }

    #[test]
    fn cells_are_split_at_unescaped_pipes() {
        assert_eq!(split("| a | b |"), ["a", "b"]);
        assert_eq!(split("a|b"), ["a", "b"]);
        assert_eq!(split(r" a \| b || c "), [r"a \| b", "", "c"]);
        assert_eq!(split("|"), [""]);
        assert_eq!(split("||"), [""]);
    }

    #[test]
    fn a_delimiter_row_defines_the_alignments() {
        use Align::{Center, Left, None as Plain, Right};
        assert_eq!(
            delimiter("|:-|-:|:-:| - |"),
            Some(vec![Left, Right, Center, Plain])
        );
        assert_eq!(delimiter("---"), None);
        assert_eq!(delimiter(":"), None);
        assert_eq!(delimiter(":--"), Some(vec![Left]));
        assert_eq!(delimiter("| a |"), None);
    }
}
