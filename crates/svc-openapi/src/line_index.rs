//! Lines and columns of many offsets in one text.

use svc_diagnostics::{Location, Position, SourceFile, Span};

const STEP: usize = 1024;

/// A table of positions, one per kilobyte. Counting from the start of the line, as
/// [`SourceFile::position`] does, would be quadratic for a minified document of one long line.
#[derive(Debug)]
pub(crate) struct LineIndex<'a> {
    file: &'a SourceFile,
    steps: Vec<Position>,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(file: &'a SourceFile) -> Self {
        let mut now = Position { line: 1, column: 1 };
        let mut steps = Vec::with_capacity(file.text().len() / STEP + 1);
        for chunk in file.text().as_bytes().chunks(STEP) {
            steps.push(now);
            now = advance(now, chunk);
        }
        Self { file, steps }
    }

    fn position(&self, offset: u32) -> Position {
        let bytes = self.file.text().as_bytes();
        let offset = (offset as usize).min(bytes.len());
        // The last step is also used for the end of a text whose length is a multiple of the step.
        let at = (offset / STEP).min(self.steps.len().saturating_sub(1));
        let start = self
            .steps
            .get(at)
            .copied()
            .unwrap_or(Position { line: 1, column: 1 });
        advance(start, bytes.get(at * STEP..offset).unwrap_or_default())
    }

    pub(crate) fn location(&self, span: Span) -> Location {
        Location {
            file: self.file.path().clone(),
            span,
            start: self.position(span.start),
            end: self.position(span.end),
        }
    }
}

fn advance(from: Position, bytes: &[u8]) -> Position {
    let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let chars = |bytes: &[u8]| cut(bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count());
    match bytes.iter().rposition(|byte| *byte == b'\n') {
        None => Position {
            line: from.line,
            column: from.column.saturating_add(chars(bytes)),
        },
        Some(last) => Position {
            line: from
                .line
                .saturating_add(cut(bytes.iter().filter(|b| **b == b'\n').count())),
            column: 1 + chars(bytes.get(last + 1..).unwrap_or_default()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_counting() {
        let text = "ab\nçdé\n".repeat(700) + &"é".repeat(3000);
        let file = SourceFile::new("a.json", text.as_str());
        let index = LineIndex::new(&file);
        for (offset, _) in text.char_indices().step_by(37).chain([(text.len(), ' ')]) {
            let offset = u32::try_from(offset).expect("small");
            assert_eq!(index.position(offset), file.position(offset), "at {offset}");
        }
        let exact = SourceFile::new("b.json", "x".repeat(2048));
        assert_eq!(LineIndex::new(&exact).position(2048).column, 2049);
        assert_eq!(
            LineIndex::new(&SourceFile::new("c", "")).position(5).column,
            1
        );
    }
}
